//! The pruning that leaves out taking the last slide back: in the regions of 4 × 4 boards, which
//! know the last slide, it takes no time at all.

use deepen::{Forbids, InversePruning, Pruning};

use super::board::{Direction, Slide};
use super::space::Tiles;

/// Forbids moving the blank back.
#[derive(Debug, Clone, Copy)]
pub struct Back;

impl Pruning<Tiles> for Back {
    const FORBIDS: Forbids = Forbids::BackAlone;

    /// Where the blank moved last.
    type State = Option<Direction>;

    #[inline(always)]
    fn start(&self) -> Option<Direction> {
        None
    }

    #[inline(always)]
    fn step(&self, _: &Tiles, last: Option<Direction>, slide: Slide) -> Option<Option<Direction>> {
        (last != Some(slide.direction.opposite())).then_some(Some(slide.direction))
    }
}

impl InversePruning<Tiles> for Back {
    fn inverse(_: &Tiles) -> Self {
        Back
    }
}
