//! Which block move may follow which: pruning by how the gaps of two moves lie to each other.
//!
//! Two moves touch six gaps at the most, and cut the shelf into pieces that stay whole. Whether a
//! lesser pair of moves does the same to the pieces depends on nothing but the *pattern* in which
//! the second move's gaps lie between, or on, those of the first. So all patterns are learned on
//! tiny shelves where each piece is one book, in no time, and hold for shelves of any length. (An
//! [`Automaton`](deepen::Automaton) for 15 books would need 313,600 words to learn, and a table
//! larger than the nearest caches.)
//!
//! The solution that is left is the first in dictionary order: a lesser pair on the tiny shelf is
//! one on every shelf, since the order of the gaps is the same.

use std::collections::HashMap;

use deepen::{Alphabet, InversePruning, LearnedPruning, Pruning, Space, moves_of};

use super::shelf::{Shelf, Shelves, Swap};

/// By pattern, whether a move is forbidden after another.
pub struct Patterns {
    forbidden: [bool; 1 << 9],
}

/// The most books of a shelf on which two moves touch every gap.
const MOST_PIECES: u8 = 5;

impl InversePruning<Shelves> for Patterns {
    fn inverse(_: &Shelves) -> Self {
        let mut patterns = Patterns { forbidden: [false; _] };
        // The inverse swaps the blocks back: it cuts the gaps that its forerunner touched.
        let swap = Swap { first: 1, second: 2, third: 3 };
        patterns.forbidden[Touched::by(swap).pattern(swap)] = true;
        patterns
    }
}

impl LearnedPruning<Shelves> for Patterns {
    /// They are learned in no time.
    const PAYS_AFTER: u64 = 0;

    fn learned(_: &Shelves) -> Self {
        let mut patterns = Patterns { forbidden: [false; _] };
        (2..=MOST_PIECES).for_each(|pieces| patterns.learn(pieces));
        patterns
    }
}

impl Patterns {
    /// Forbids every pair of moves that together touch all gaps of a shelf of `pieces` books, if
    /// a single move, none, or an earlier pair does the same.
    fn learn(&mut self, pieces: u8) {
        let space = Shelves { books: pieces };
        let sorted = Shelf::sorted(pieces);
        let after = |mut shelf, swap| {
            space.apply(&mut shelf, swap);
            shelf
        };
        let swaps = moves_of(&space, &sorted);
        let mut known = HashMap::from([(sorted, None)]);
        known.extend(swaps.iter().map(|&swap| (after(sorted, swap), None)));
        for &one in &swaps {
            for &two in &swaps {
                // Pairs come in dictionary order.
                let pair = Some((space.letter(one), space.letter(two)));
                let least = *known.entry(after(after(sorted, one), two)).or_insert(pair);
                let touched =
                    Touched::gaps(one).into_iter().chain([two.first, two.second, two.third]);
                let touched = touched.fold(0_u32, |gaps, gap| gaps | 1 << gap);
                if touched.count_ones() == u32::from(pieces) + 1 {
                    self.forbidden[Touched::by(one).pattern(two)] = least != pair;
                }
            }
        }
    }
}

impl Pruning<Shelves> for Patterns {
    type State = Touched;

    #[inline(always)]
    fn start(&self) -> Touched {
        // As after a move left of everything, which restricts nothing.
        Touched::at([0; 3])
    }

    #[inline(always)]
    fn step(&self, _: &Shelves, last: Touched, swap: Swap) -> Option<Touched> {
        (!self.forbidden[last.pattern(swap)]).then(|| Touched::by(swap))
    }
}

/// The gaps that the last move touched, as they are after it: for each gap `g` two bytes,
/// `128 - g` and `127 - g`. Adding a gap to all bytes sets the high bit of those that it reaches.
#[derive(Clone, Copy)]
pub struct Touched(u64);

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101;

impl Touched {
    #[inline(always)]
    fn by(swap: Swap) -> Self {
        Self::at(Self::gaps(swap))
    }

    /// The gaps that a move touches, after it.
    #[inline(always)]
    fn gaps(Swap { first, second, third, .. }: Swap) -> [u32; 3] {
        [first, first + (third - second), third]
    }

    #[inline(always)]
    fn at([first, second, third]: [u32; 3]) -> Self {
        let gaps = u64::from(first) | u64::from(second) << 16 | u64::from(third) << 32;
        Touched(0x7f80_7f80_7f80 - gaps * 0x0101)
    }

    /// How the gaps of a move lie to these: three digits of base 8.
    #[inline(always)]
    fn pattern(self, swap: Swap) -> usize {
        self.rank(swap.first) << 6 | self.rank(swap.second) << 3 | self.rank(swap.third)
    }

    /// How many of the touched gaps a gap has reached, plus how many it is beyond: 0 to 6.
    #[inline(always)]
    fn rank(self, gap: u32) -> usize {
        let reached = (self.0 + u64::from(gap) * ONES) >> 7 & ONES;
        (reached.wrapping_mul(ONES) >> 40) as usize & 7
    }
}
