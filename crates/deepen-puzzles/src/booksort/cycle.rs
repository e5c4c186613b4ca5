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

use super::shelf::{MOST_BOOKS, Shelf, Shelves, Swap};

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
    /// By gap: the number of its cycle in the high byte, how far round it is in the low byte.
    seats: [u16; MOST_BOOKS + 2],
    /// By number of a cycle, a bit: whether its length is odd.
    odd: u128,
    odd_cycles: Cost,
}

impl Seats {
    /// Follows the links round.
    #[inline(always)]
    fn new(space: &Shelves, state: &Shelf) -> Self {
        let end = space.books + 1;
        // The gap before each book.
        let mut before = [0_u8; MOST_BOOKS + 2];
        for gap in 1..=end {
            before[usize::from(state.book(gap))] = gap;
        }
        let mut seats = [0; MOST_BOOKS + 2];
        let mut odd = 0;
        let mut odd_cycles = 0;
        let mut number: u16 = 0;
        for start in 1..=end {
            // Seats are counted from 1: 0 is a gap that was not met yet.
            if seats[usize::from(start)] != 0 {
                continue;
            }
            let mut seat = number << 8;
            let mut gap = start;
            loop {
                seat += 1;
                seats[usize::from(gap)] = seat;
                gap = before[usize::from(state.book(gap - 1)) + 1];
                if gap == start {
                    break;
                }
            }
            odd |= u128::from(seat & 1) << number;
            odd_cycles += Cost::from(seat & 1);
            number += 1;
        }
        Seats { seats, odd, odd_cycles }
    }
}

/// What the children of a shelf share: the shelf's bound, and for each pair of gaps a code of four
/// bits.
pub(super) struct Pairs {
    bound: Cost,
    codes: [u8; Self::place(MOST_BOOKS as u8 + 1, MOST_BOOKS as u8 + 2)],
}

/// The two gaps are in one cycle. Then the other bits are [`ORDERED`], [`APART`] and [`ODD`],
/// otherwise [`EARLY_ODD`] and [`LATE_ODD`].
const SAME: u8 = 1;
/// The early gap's seat is before the late gap's.
const ORDERED: u8 = 2;
/// An odd number of steps leads round from the one to the other, without passing the first seat.
const APART: u8 = 4;
/// The cycle's length is odd.
const ODD: u8 = 8;
/// The length of the early gap's cycle is odd.
const EARLY_ODD: u8 = 2;
/// The length of the late gap's cycle is odd.
const LATE_ODD: u8 = 4;

impl Pairs {
    #[inline(always)]
    fn new(space: &Shelves, seats: &Seats, bound: Cost) -> Self {
        let mut pairs = Pairs { bound, codes: [0; _] };
        for late in 2..=space.books + 1 {
            let late_seat = seats.seats[usize::from(late)];
            let late_odd = (seats.odd >> (late_seat >> 8)) as u8 & 1;
            for early in 1..late {
                let early_seat = seats.seats[usize::from(early)];
                let early_odd = (seats.odd >> (early_seat >> 8)) as u8 & 1;
                let difference = early_seat ^ late_seat;
                pairs.codes[Self::place(early, late)] = if difference < 1 << 8 {
                    let ordered = u8::from(early_seat < late_seat);
                    SAME | (ordered * ORDERED) | ((difference as u8 & 1) * APART) | (late_odd * ODD)
                } else {
                    (early_odd * EARLY_ODD) | (late_odd * LATE_ODD)
                };
            }
        }
        pairs
    }

    /// The place of a pair's code, `early < late`.
    #[inline(always)]
    const fn place(early: u8, late: u8) -> usize {
        late as usize * (late as usize - 1) / 2 + early as usize
    }
}

/// How the bound changes with a move, by the codes of its pairs of gaps: first and second, second
/// and third, first and third, in four bits each.
static CHANGES: [i8; 1 << 12] = {
    let mut changes = [0; 1 << 12];
    let mut triple = 0;
    while triple < 1 << 12 {
        changes[triple] = change(triple as u8 & 15, (triple >> 4) as u8 & 15, (triple >> 8) as u8);
        triple += 1;
    }
    changes
};

/// How the bound changes with a move that cuts the gaps a, b and c.
const fn change(ab: u8, bc: u8, ac: u8) -> i8 {
    const fn has(code: u8, bit: u8) -> i8 {
        (code & bit != 0) as i8
    }
    /// The parity of the stretch from the early gap on to the late one, both in one cycle.
    const fn on(code: u8) -> i8 {
        has(code, APART) ^ (has(code, ODD) & (1 - has(code, ORDERED)))
    }
    /// The parity of the stretch from the late gap on to the early one.
    const fn back(code: u8) -> i8 {
        has(code, APART) ^ (has(code, ODD) & has(code, ORDERED))
    }
    /// How the number of odd cycles grows if `stretch` is cut out of one cycle, and the rest joined
    /// with another cycle: from the parities.
    const fn join(stretch: i8, cycle: i8, other: i8) -> i8 {
        stretch + (stretch ^ cycle ^ other) - cycle - other
    }
    let growth = match (ab & SAME != 0, bc & SAME != 0, ac & SAME != 0) {
        (false, false, false) => {
            let (a, b, c) = (has(ab, EARLY_ODD), has(ab, LATE_ODD), has(bc, LATE_ODD));
            (a ^ b ^ c) - a - b - c
        }
        (true, false, false) => join(on(ab), has(ab, ODD), has(bc, LATE_ODD)),
        (false, true, false) => join(on(bc), has(bc, ODD), has(ab, EARLY_ODD)),
        (false, false, true) => join(back(ac), has(ac, ODD), has(ab, LATE_ODD)),
        // Met in the order a, b, c, from wherever on: an even number of the pairs is out of order.
        _ if has(ab, ORDERED) ^ has(bc, ORDERED) ^ has(ac, ORDERED) == 1 => {
            on(ab) + on(bc) + back(ac) - has(ab, ODD)
        }
        _ => 0,
    };
    -growth / 2
}
