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

/// What the children of a shelf share: a copy of it, which unlike the state stays put, so that
/// what depends on two gaps alone need not be worked out for each third.
pub(super) struct Parent {
    shelf: Shelf,
    breakpoints: u8,
}

impl Parent {
    /// Whether the book before the gap `left` and the one after the gap `right`, side by side, are
    /// a breakpoint.
    #[inline(always)]
    fn breaks(&self, left: u32, right: u32) -> u8 {
        self.shelf.would_break(left, right).into()
    }
}

impl Heuristic<Shelves> for Breakpoints {
    /// The number of breakpoints.
    type Value = u8;
    type Node = Parent;

    fn root(&self, space: &Shelves, state: &Shelf) -> u8 {
        (1..=u32::from(space.books) + 1).map(|gap| u8::from(state.is_breakpoint(gap))).sum()
    }

    #[inline(always)]
    fn bound(&self, breakpoints: u8) -> Cost {
        Cost::from(breakpoints).div_ceil(3)
    }

    #[inline(always)]
    fn node(&self, _: &Shelves, state: &Shelf, breakpoints: u8) -> Parent {
        Parent { shelf: *state, breakpoints }
    }

    #[inline(always)]
    fn before(&self, _: &Shelves, _: &Shelf, parent: &Parent, swap: Swap) -> u8 {
        let Swap { first, second, third, .. } = swap;
        let at = |left, right| parent.breaks(left, right);
        let lost = at(first, first) + at(second, second) + at(third, third);
        let made = at(first, second) + at(third, first) + at(second, third);
        parent.breakpoints + made - lost
    }
}

impl Heuristic<Shelves> for Successors {
    /// The number of breakpoints between two books.
    type Value = u8;
    type Node = Parent;

    fn root(&self, space: &Shelves, state: &Shelf) -> u8 {
        (2..=u32::from(space.books)).map(|gap| u8::from(state.is_breakpoint(gap))).sum()
    }

    #[inline(always)]
    fn bound(&self, breakpoints: u8) -> Cost {
        Cost::from(breakpoints).div_ceil(3)
    }

    #[inline(always)]
    fn node(&self, _: &Shelves, state: &Shelf, breakpoints: u8) -> Parent {
        Parent { shelf: *state, breakpoints }
    }

    #[inline(always)]
    fn before(&self, space: &Shelves, _: &Shelf, parent: &Parent, swap: Swap) -> u8 {
        let Swap { first, second, third, .. } = swap;
        let at = |left, right| parent.breaks(left, right);
        // The gaps at the ends of the shelf don't count.
        let (begins, ends) = (u8::from(first > 1), u8::from(third <= u32::from(space.books)));
        let lost = (begins * at(first, first)) + at(second, second) + (ends * at(third, third));
        let made = (begins * at(first, second)) + at(third, first) + (ends * at(second, third));
        parent.breakpoints + made - lost
    }
}
