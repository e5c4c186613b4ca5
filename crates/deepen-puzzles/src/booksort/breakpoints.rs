//! Lower bounds from counting wrong neighbours.
//!
//! A gap is a *breakpoint* if the book after it is not the successor of the book before it. A move
//! cuts three gaps and makes three new ones, so it mends three breakpoints at the most. Which
//! books stand at the cuts tells how many.

use deepen::{Cost, Heuristic};

use super::shelf::{Shelf, Shelves, Swap};

/// A third of the breakpoints, the gaps at both ends counted, rounded up.
pub(super) struct Breakpoints;

/// The contest's bound: a third of the breakpoints between two books, rounded up.
pub(super) struct Successors;

impl Heuristic<Shelves> for Breakpoints {
    /// The number of breakpoints.
    type Value = u8;
    type Node = u8;

    fn root(&self, space: &Shelves, state: &Shelf) -> u8 {
        (1..=space.books + 1).map(|gap| u8::from(state.is_breakpoint(gap))).sum()
    }

    #[inline(always)]
    fn bound(&self, breakpoints: u8) -> Cost {
        Cost::from(breakpoints).div_ceil(3)
    }

    #[inline(always)]
    fn node(&self, _: &Shelves, _: &Shelf, breakpoints: u8) -> u8 {
        breakpoints
    }

    #[inline(always)]
    fn before(&self, _: &Shelves, state: &Shelf, breakpoints: &u8, swap: Swap) -> u8 {
        let Swap { first, second, third, .. } = swap;
        let count = |left, right| u8::from(state.would_break(left, right));
        let lost = count(first, first) + count(second, second) + count(third, third);
        breakpoints + count(first, second) + count(third, first) + count(second, third) - lost
    }
}

impl Heuristic<Shelves> for Successors {
    /// The number of breakpoints between two books.
    type Value = u8;
    type Node = u8;

    fn root(&self, space: &Shelves, state: &Shelf) -> u8 {
        (2..=space.books).map(|gap| u8::from(state.is_breakpoint(gap))).sum()
    }

    #[inline(always)]
    fn bound(&self, breakpoints: u8) -> Cost {
        Cost::from(breakpoints).div_ceil(3)
    }

    #[inline(always)]
    fn node(&self, _: &Shelves, _: &Shelf, breakpoints: u8) -> u8 {
        breakpoints
    }

    #[inline(always)]
    fn before(&self, space: &Shelves, state: &Shelf, breakpoints: &u8, swap: Swap) -> u8 {
        let Swap { first, second, third, .. } = swap;
        let count = |left, right| u8::from(state.would_break(left, right));
        // The gaps at the ends of the shelf don't count.
        let (begins, ends) = (u8::from(first > 1), u8::from(third <= space.books));
        let lost =
            begins * count(first, first) + count(second, second) + ends * count(third, third);
        let made =
            begins * count(first, second) + count(third, first) + ends * count(second, third);
        breakpoints + made - lost
    }
}
