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

use deepen::{Cost, Heuristic};

use super::shelf::{MOST_BOOKS, NUMBERS, Shelf, Shelves, Swap};

/// Half of what is missing to n + 1 odd cycles.
pub(super) struct Cycle;

impl Heuristic<Shelves> for Cycle {
    type Value = Cost;
    type Node = Pairs;

    fn root(&self, space: &Shelves, state: &Shelf) -> Cost {
        let seats = Seats::new(space, state);
        (Cost::from(space.books) + 1 - seats.odd_cycles) / 2
    }

    #[inline(always)]
    fn bound(&self, bound: Cost) -> Cost {
        bound
    }

    #[inline(always)]
    fn node(&self, space: &Shelves, state: &Shelf, bound: Cost) -> Pairs {
        Pairs::new(space, &Seats::new(space, state), bound)
    }

    #[inline(always)]
    fn before(&self, _: &Shelves, _: &Shelf, pairs: &Pairs, swap: Swap) -> Cost {
        let Swap { first, second, third, .. } = swap;
        let pair = |early, late| usize::from(pairs.codes[Pairs::place(early, late)]);
        let triple = pair(first, second) | pair(second, third) << 4 | pair(first, third) << 8;
        pairs.bound.wrapping_add_signed(CHANGES[triple].into())
    }
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
}

impl Seats {
    /// Follows the links round.
    #[inline(always)]
    fn new(space: &Shelves, state: &Shelf) -> Self {
        let end = u32::from(space.books) + 1;
        // The gap before each book.
        let mut before = [0; NUMBERS];
        for gap in 1..=end {
            before[usize::from(state.book(gap))] = gap;
        }
        let [cycles, places, lengths] = [[0; NUMBERS]; 3];
        let mut seats = Seats { cycles, places, lengths, odd_cycles: 0 };
        let mut number = 0;
        for start in 1..=end {
            if seats.places[start as usize] != 0 {
                continue;
            }
            let mut length = 0;
            let mut gap = start;
            loop {
                length += 1;
                seats.cycles[gap as usize] = number;
                seats.places[gap as usize] = length;
                gap = before[usize::from(state.book(gap - 1)) + 1];
                if gap == start {
                    break;
                }
            }
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

/// What the children of a shelf share: the shelf's bound, and for each pair of gaps a code of four
/// bits.
pub(super) struct Pairs {
    bound: Cost,
    codes: [u8; Self::place(MOST_BOOKS as u32 + 1, MOST_BOOKS as u32 + 1)],
}

impl Pairs {
    #[inline(always)]
    fn new(space: &Shelves, seats: &Seats, bound: Cost) -> Self {
        let mut pairs = Pairs { bound, codes: [0; _] };
        for late in 2..=u32::from(space.books) + 1 {
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
