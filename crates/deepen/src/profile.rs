//! How many nodes a search expands and generates at each depth.
//!
//! The search knows nothing of it, and pays nothing when it is not asked for: a heuristic in
//! disguise counts. A search asks its heuristic once for each node it expands
//! ([`Heuristic::node`]) and once for each child it generates ([`Heuristic::before`]), and carries
//! values down the path; so a value that carries its depth as well is all that counting needs.

use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;

use crate::heuristic::Heuristic;
use crate::space::{Cost, Space, Visitor};

/// The nodes of one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DepthCounts {
    /// Nodes expanded at this depth.
    pub expanded: u64,
    /// Nodes generated at this depth: children of nodes one move nearer to the start.
    pub generated: u64,
}

/// Counts nodes by depth, in moves from the start.
///
/// # Example
///
/// Each state has two successors, and the goal is four moves away:
///
/// ```
/// use deepen::{Control, Cost, DepthProfile, Ida, Space, Visitor, heuristic::Zero};
/// use std::ops::ControlFlow;
///
/// struct Tree;
///
/// impl Space for Tree {
///     type State = u32;
///     type Move = u32;
///     fn for_each_move<V: Visitor<Self>>(&self, node: &mut u32, visitor: &mut V) -> ControlFlow<()> {
///         visitor.visit(node, 0)?;
///         visitor.visit(node, 1)
///     }
///     fn apply(&self, node: &mut u32, branch: u32) {
///         *node = *node * 2 + branch;
///     }
///     fn undo(&self, node: &mut u32, _: u32) {
///         *node /= 2;
///     }
///     fn is_goal(&self, node: &u32) -> bool {
///         *node == 0b11111
///     }
/// }
///
/// let profile = DepthProfile::new();
/// let heuristic = profile.count(&Zero);
/// Ida::new(&Tree, &heuristic).solve(&1, &mut Control::default());
/// let expanded: Vec<u64> = profile.take().iter().map(|depth| depth.expanded).collect();
/// // In five iterations, with the bounds 0 to 4. The goal is the last node at depth 4, and nodes
/// // at depth 5 are generated alone.
/// assert_eq!(expanded, [5, 8, 12, 16, 15, 0]);
/// ```
#[derive(Debug, Default)]
pub struct DepthProfile(RefCell<Vec<DepthCounts>>);

impl DepthProfile {
    /// A profile that has counted nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The heuristic, with the nodes of whoever uses it counted.
    pub fn count<'a, H>(&'a self, heuristic: &'a H) -> Counted<'a, H> {
        Counted { heuristic, profile: self }
    }

    /// What was counted since it was last taken, from depth 0 on. Taken whenever an iteration ends
    /// ([`Observer::iteration`](crate::Observer::iteration)), it is the profile of that iteration.
    pub fn take(&self) -> Vec<DepthCounts> {
        self.0.take()
    }

    fn at(&self, depth: u32, count: impl FnOnce(&mut DepthCounts)) {
        let (mut counts, depth) = (self.0.borrow_mut(), depth as usize);
        if counts.len() <= depth {
            counts.resize(depth + 1, DepthCounts::default());
        }
        count(&mut counts[depth]);
    }
}

/// A heuristic whose calls are counted; see [`DepthProfile::count`].
pub struct Counted<'a, H> {
    heuristic: &'a H,
    profile: &'a DepthProfile,
}

impl<H> fmt::Debug for Counted<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counted").finish_non_exhaustive()
    }
}

impl<S: Space, H: Heuristic<S>> Heuristic<S> for Counted<'_, H> {
    /// With the state's depth.
    type Value = (H::Value, u32);
    /// With the children's depth.
    type Node = (H::Node, u32);

    const RAISES: bool = H::RAISES;
    const STEP: Option<Cost> = H::STEP;
    const SELECTS: bool = H::SELECTS;
    const BY_REGIONS: bool = false;
    const LEARNS: bool = H::LEARNS;
    const EARLY: bool = H::EARLY;
    const AIMS: bool = H::AIMS;

    fn failed(&self, space: &S, state: &S::State, (value, _): Self::Value, left: Cost) {
        self.heuristic.failed(space, state, value, left);
    }

    fn selects(&self, (node, _): &Self::Node, left: Cost) -> bool {
        self.heuristic.selects(node, left)
    }

    fn select<V: Visitor<S>>(
        &self,
        space: &S,
        state: &mut S::State,
        (node, _): &Self::Node,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        self.heuristic.select(space, state, node, visitor)
    }

    fn root(&self, space: &S, state: &S::State) -> Self::Value {
        (self.heuristic.root(space, state), 0)
    }

    fn bound(&self, (value, _): Self::Value) -> Cost {
        self.heuristic.bound(value)
    }

    fn node(&self, space: &S, state: &S::State, (value, depth): Self::Value) -> Self::Node {
        self.profile.at(depth, |counts| counts.expanded += 1);
        (self.heuristic.node(space, state, value), depth + 1)
    }

    fn before(
        &self,
        space: &S,
        state: &S::State,
        (node, depth): &Self::Node,
        mv: S::Move,
    ) -> Self::Value {
        self.profile.at(*depth, |counts| counts.generated += 1);
        (self.heuristic.before(space, state, node, mv), *depth)
    }

    fn told(&self, (node, _): &Self::Node, (value, depth): Self::Value) -> Self::Value {
        (self.heuristic.told(node, value), depth)
    }

    fn aim(&self, (value, depth): Self::Value) -> Self::Value {
        (self.heuristic.aim(value), depth)
    }

    fn more(&self, (value, _): Self::Value) -> bool {
        self.heuristic.more(value)
    }

    fn asks_child(&self, (node, _): &Self::Node, (value, _): Self::Value) -> bool {
        self.heuristic.asks_child(node, value)
    }

    fn ask(
        &self,
        space: &S,
        state: &S::State,
        (node, _): &Self::Node,
        (value, depth): Self::Value,
        mv: S::Move,
    ) -> Self::Value {
        (self.heuristic.ask(space, state, node, value, mv), depth)
    }

    fn after(
        &self,
        space: &S,
        state: &S::State,
        (node, _): &Self::Node,
        (value, depth): Self::Value,
        mv: S::Move,
    ) -> Self::Value {
        (self.heuristic.after(space, state, node, value, mv), depth)
    }
}
