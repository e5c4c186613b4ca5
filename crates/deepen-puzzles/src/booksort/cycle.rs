//! The lower bound from the cycle graph (Bafna and Pevzner, *Sorting by transpositions*, 1998).
//!
//! Link each gap to another: if book `v` stands before the gap, to the gap before book `v + 1`.
//! The links form cycles over the n + 1 gaps; each gap of a sorted shelf is a cycle of its own. A
//! move raises the number of cycles of odd length by two at the most, so (n + 1 - odd cycles) / 2
//! moves are needed.
//!
//! # What a move does to the cycles
//!
//! It cuts the links of its three gaps `a < b < c` and ties the ends otherwise: `a` goes on where
//! `c` did, `b` where `a` did, `c` where `b` did. The stretches of the cycles between the cuts stay
//! whole, so their lengths tell the lengths of the new cycles:
//!
//! - gaps of three cycles: the three become one;
//! - two gaps in one cycle, one in another: a stretch between the two becomes a cycle, the rest
//!   joins the other cycle;
//! - one cycle that meets the gaps in the order `a`, `b`, `c`: each stretch becomes a cycle;
//! - one cycle that meets them in the order `a`, `c`, `b`: it is put together otherwise, but stays
//!   one cycle.
//!
//! Only parities matter for the number of odd cycles. So what a move does is told by a few bits on
//! each pair of its gaps, and looked up in a table.

use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow;

use deepen::{Cost, Heuristic, Visitor};

use super::shelf::{MOST_BOOKS, NUMBERS, Shelf, Shelves, Swap};

/// Half of what is missing to n + 1 odd cycles.
pub(super) struct Cycle;

impl Heuristic<Shelves> for Cycle {
    type Value = Cost;
    type Node = Parent;

    const SELECTS: bool = true;

    fn root(&self, space: &Shelves, state: &Shelf) -> Cost {
        (space.gaps() - Seats::new(space, state).odd_cycles) / 2
    }

    #[inline(always)]
    fn bound(&self, bound: Cost) -> Cost {
        bound
    }

    #[inline(always)]
    fn node(&self, space: &Shelves, state: &Shelf, _: Cost) -> Parent {
        let seats = Seats::new(space, state);
        let bound = (space.gaps() - seats.odd_cycles) / 2;
        Parent { bound, gaps: space.gaps(), seats, pairs: OnceCell::new(), tight: Cell::new(false) }
    }

    #[inline(always)]
    fn selects(&self, parent: &Parent, left: Cost) -> bool {
        left == parent.bound && parent.gaps <= MASK_BITS
    }

    #[inline(always)]
    fn select<V: Visitor<Shelves>>(
        &self,
        _: &Shelves,
        state: &mut Shelf,
        parent: &Parent,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        parent.tight.set(true);
        parent.seats.for_each_raising_move(parent.gaps, |swap| visitor.visit(state, swap))
    }

    #[inline(always)]
    fn before(&self, _: &Shelves, _: &Shelf, parent: &Parent, swap: Swap) -> Cost {
        if parent.tight.get() {
            return parent.bound - 1;
        }
        let pairs = parent.pairs.get_or_init(|| Pairs::new(parent.gaps, &parent.seats));
        let Swap { first, second, third, .. } = swap;
        let pair = |early, late| usize::from(pairs.codes[Pairs::place(early, late)]);
        let triple = pair(first, second) | pair(second, third) << 4 | pair(first, third) << 8;
        parent.bound.wrapping_add_signed(CHANGES[triple].into())
    }
}

/// What the children of a shelf share.
pub(super) struct Parent {
    bound: Cost,
    gaps: u32,
    seats: Seats,
    /// Worked out where all moves are tried.
    pairs: OnceCell<Pairs>,
    /// Whether only moves that raise the number of odd cycles are.
    tight: Cell<bool>,
}

/// Where each gap sits in the cycles.
struct Seats {
    /// By gap: the number of its cycle.
    cycles: [u8; NUMBERS],
    /// By gap: the how-manieth of its cycle it is, from 1.
    places: [u8; NUMBERS],
    /// By number of a cycle.
    lengths: [u8; NUMBERS],
    odd_cycles: Cost,
    /// By number of a cycle: its gaps.
    members: [Gaps; NUMBERS],
    /// By gap: those of its cycle that come before it.
    earlier: [Gaps; NUMBERS],
    /// The gaps at odd places.
    at_odd_places: Gaps,
    /// The gaps of cycles of even length.
    even: Gaps,
}

/// A set of gaps, a bit each; of no use where there are more than [`MASK_BITS`].
type Gaps = u64;

/// The most gaps of which there are sets. Bit 0 stands for none.
const MASK_BITS: u32 = 63;

impl Seats {
    /// Follows the links round.
    #[inline(always)]
    fn new(space: &Shelves, state: &Shelf) -> Self {
        let end = space.gaps();
        // The gap before each book.
        let mut before = [0; NUMBERS];
        for gap in 1..=end {
            before[usize::from(state.book(gap))] = gap;
        }
        let [cycles, places, lengths] = [[0; NUMBERS]; 3];
        let (members, earlier) = ([0; NUMBERS], [0; NUMBERS]);
        let (odd_cycles, at_odd_places, even) = (0, 0, 0);
        let mut seats =
            Seats { cycles, places, lengths, odd_cycles, members, earlier, at_odd_places, even };
        let mut number = 0;
        for start in 1..=end {
            if seats.places[start as usize] != 0 {
                continue;
            }
            let mut length = 0;
            let mut gap = start;
            let mut members = 0;
            loop {
                length += 1;
                seats.cycles[gap as usize] = number;
                seats.places[gap as usize] = length;
                seats.earlier[gap as usize] = members;
                let bit = 1_u64.wrapping_shl(gap);
                members |= bit;
                seats.at_odd_places |= if length & 1 == 1 { bit } else { 0 };
                gap = before[usize::from(state.book(gap - 1)) + 1];
                if gap == start {
                    break;
                }
            }
            seats.members[usize::from(number)] = members;
            seats.even |= if length & 1 == 0 { members } else { 0 };
            seats.lengths[usize::from(number)] = length;
            seats.odd_cycles += Cost::from(length & 1);
            number += 1;
        }
        seats
    }

    /// The code of a pair of gaps.
    #[inline(always)]
    fn code(&self, early: u32, late: u32) -> u8 {
        let cycle = |gap: u32| self.cycles[gap as usize];
        let place = |gap: u32| self.places[gap as usize];
        let odd = |gap| self.lengths[usize::from(cycle(gap))] & 1;
        if cycle(early) == cycle(late) {
            let ordered = u8::from(place(early) < place(late));
            let apart = (place(early) ^ place(late)) & 1;
            SAME | (ordered * ORDERED) | (apart * APART) | (odd(late) * ODD)
        } else {
            (odd(early) * EARLY_ODD) | (odd(late) * LATE_ODD)
        }
    }

    /// Shows the moves that raise the number of odd cycles by two, in dictionary order.
    #[inline(always)]
    fn for_each_raising_move(
        &self,
        gaps: u32,
        mut show: impl FnMut(Swap) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for first in 1..gaps - 1 {
            let mut seconds = self.seconds(first) & after(first);
            while seconds != 0 {
                let second = seconds.trailing_zeros();
                seconds &= seconds - 1;
                let mut thirds = self.thirds(first, second) & after(second);
                while thirds != 0 {
                    let third = thirds.trailing_zeros();
                    thirds &= thirds - 1;
                    show(Swap { first, second, third })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The gaps at places whose parity differs from that of `gap`.
    #[inline(always)]
    fn apart(&self, gap: u32) -> Gaps {
        if self.places[gap as usize] & 1 == 1 { !self.at_odd_places } else { self.at_odd_places }
    }

    #[inline(always)]
    fn cycle(&self, gap: u32) -> Gaps {
        self.members[usize::from(self.cycles[gap as usize])]
    }

    /// The gaps that may be second after `first` in a move that raises the number of odd cycles.
    #[inline(always)]
    fn seconds(&self, first: u32) -> Gaps {
        if self.even >> first & 1 == 1 { self.even } else { self.cycle(first) }
    }

    /// The gaps, also such as are no later, that may be third.
    #[inline(always)]
    fn thirds(&self, first: u32, second: u32) -> Gaps {
        let (one, two) = (self.cycle(first), self.cycle(second));
        let even = self.even >> first & 1 == 1;
        if one != two {
            // Two even cycles: the pair of gaps in the one cuts an odd stretch out.
            return one & self.apart(first) | two & self.apart(second);
        }
        // Behind `second` in the cycle as it goes round from `first`.
        let (early, late) = (self.earlier[first as usize], self.earlier[second as usize]);
        let behind = one & !late & !(1 << second);
        let ordered = late >> first & 1 == 1;
        let odd_on = |gaps: Gaps| gaps & self.apart(second);
        let stretch_is_odd = self.apart(first) >> second & 1 == 1;
        match (even, ordered) {
            // One cycle of odd length: all three stretches must be odd.
            (false, true) if stretch_is_odd => odd_on(behind) | early & !self.apart(second),
            (false, false) if !stretch_is_odd => odd_on(behind & early),
            (false, _) => 0,
            // Of even length: two of the three; or an odd stretch is cut out, and the rest joined
            // with another even cycle.
            (true, ordered) => {
                let met = if ordered { behind | early } else { behind & early };
                if stretch_is_odd { met | self.even & !one } else { odd_on(met) }
            }
        }
    }
}

/// All gaps after one.
#[inline(always)]
fn after(gap: u32) -> Gaps {
    u64::MAX << gap << 1
}

/// The two gaps are in one cycle. Then the other bits are [`ORDERED`], [`APART`] and [`ODD`],
/// otherwise [`EARLY_ODD`] and [`LATE_ODD`].
const SAME: u8 = 1;
/// The early gap comes before the late gap in the cycle, counted from its first gap.
const ORDERED: u8 = 2;
/// Their places in the cycle differ by an odd number.
const APART: u8 = 4;
/// The cycle's length is odd.
const ODD: u8 = 8;
/// The length of the early gap's cycle is odd.
const EARLY_ODD: u8 = 2;
/// The length of the late gap's cycle is odd.
const LATE_ODD: u8 = 4;

/// For each pair of gaps a code of four bits.
struct Pairs {
    codes: [u8; Self::place(MOST_BOOKS as u32 + 1, MOST_BOOKS as u32 + 1)],
}

impl Pairs {
    #[inline(always)]
    fn new(gaps: u32, seats: &Seats) -> Self {
        let mut pairs = Pairs { codes: [0; _] };
        for late in 2..=gaps {
            for early in 1..late {
                pairs.codes[Self::place(early, late)] = seats.code(early, late);
            }
        }
        pairs
    }

    /// The place of a pair's code: a triangle, one late gap after the other.
    #[inline(always)]
    const fn place(early: u32, late: u32) -> usize {
        (late * (late - 1) / 2 + early) as usize
    }
}

/// How the bound changes with a move, by the codes of its pairs of gaps: first and second, second
/// and third, first and third, in four bits each.
static CHANGES: [i8; 1 << 12] = {
    let mut changes = [0; 1 << 12];
    let mut triple = 0;
    while triple < 1 << 12 {
        changes[triple] = change(triple & 15, triple >> 4 & 15, triple >> 8);
        triple += 1;
    }
    changes
};

/// How the bound changes with a move that cuts the gaps a, b and c.
const fn change(ab: usize, bc: usize, ac: usize) -> i8 {
    const fn has(code: usize, bit: u8) -> i8 {
        (code & bit as usize != 0) as i8
    }
    /// The parity of the stretch from the early gap on to the late one, both in one cycle.
    const fn on(code: usize) -> i8 {
        has(code, APART) ^ (has(code, ODD) & (1 - has(code, ORDERED)))
    }
    /// The parity of the stretch from the late gap on to the early one.
    const fn back(code: usize) -> i8 {
        has(code, APART) ^ (has(code, ODD) & has(code, ORDERED))
    }
    /// How the number of odd cycles grows if `stretch` is cut out of one cycle, and the rest joined
    /// with another cycle: from the parities.
    const fn join(stretch: i8, cycle: i8, other: i8) -> i8 {
        stretch + (stretch ^ cycle ^ other) - cycle - other
    }
    let growth = match (has(ab, SAME), has(bc, SAME), has(ac, SAME)) {
        (0, 0, 0) => {
            let (a, b, c) = (has(ab, EARLY_ODD), has(ab, LATE_ODD), has(bc, LATE_ODD));
            (a ^ b ^ c) - a - b - c
        }
        (1, 0, 0) => join(on(ab), has(ab, ODD), has(bc, LATE_ODD)),
        (0, 1, 0) => join(on(bc), has(bc, ODD), has(ab, EARLY_ODD)),
        (0, 0, 1) => join(back(ac), has(ac, ODD), has(ab, LATE_ODD)),
        // Met in the order a, b, c, from wherever on: an even number of the pairs is out of order.
        _ if has(ab, ORDERED) ^ has(bc, ORDERED) ^ has(ac, ORDERED) == 1 => {
            on(ab) + on(bc) + back(ac) - has(ab, ODD)
        }
        _ => 0,
    };
    -growth / 2
}
