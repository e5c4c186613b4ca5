//! The gap heuristic (Helmert, *Landmark heuristics for the pancake problem*, 2010).
//!
//! Two neighbours whose sizes differ by more than one are a *gap*; the plate is a neighbour, too. A
//! flip parts one pair of neighbours and joins another, so it closes one gap at the most. Which
//! pancakes stand at the knife tells before the flip what becomes of them.

use std::ops::ControlFlow;

use deepen::{Cost, Heuristic, Visitor};

use super::stack::{Flips, Stack};

/// The number of gaps.
pub(super) struct Gap;

/// Whether neighbours of these sizes are a gap.
#[inline(always)]
pub(super) fn is_gap(one: u8, other: u8) -> bool {
    one.abs_diff(other) > 1
}

impl Heuristic<Flips> for Gap {
    type Value = Cost;
    /// The number of gaps.
    type Node = Cost;

    fn root(&self, space: &Flips, stack: &Stack) -> Cost {
        let gaps =
            (1..=space.pancakes).map(|above| is_gap(stack.under(above - 1), stack.under(above)));
        gaps.map(Cost::from).sum()
    }

    #[inline(always)]
    fn bound(&self, gaps: Cost) -> Cost {
        gaps
    }

    #[inline(always)]
    fn node(&self, _: &Flips, _: &Stack, gaps: Cost) -> Cost {
        gaps
    }

    const SELECTS: bool = true;

    #[inline(always)]
    fn selects(&self, &gaps: &Cost, left: Cost) -> bool {
        left == gaps
    }

    #[inline(always)]
    fn select<V: Visitor<Flips>>(
        &self,
        _: &Flips,
        stack: &mut Stack,
        _: &Cost,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        // Nothing to spare: a gap must be closed, by bringing the top pancake onto one of the two
        // with which it is none.
        let top = stack.under(0);
        let smaller = if top > 1 { stack.above(top - 1) } else { 0 };
        let larger = stack.above(top + 1);
        for flipped in [smaller.min(larger), smaller.max(larger)] {
            if flipped > 1 && is_gap(stack.under(flipped - 1), stack.under(flipped)) {
                visitor.visit(stack, flipped)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn before(&self, _: &Flips, stack: &Stack, gaps: &Cost, flipped: u8) -> Cost {
        let below = stack.under(flipped);
        let parted = is_gap(stack.under(flipped - 1), below);
        let joined = is_gap(stack.under(0), below);
        gaps + Cost::from(joined) - Cost::from(parted)
    }
}
