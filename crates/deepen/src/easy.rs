//! The easy door: an optimal path from closures.
//!
//! [`shortest_path`] takes a start, its successors with their costs, a heuristic and a test for
//! success, and runs the same IDA* as everything else. It costs an allocation a node, and states
//! on the current path are never entered again, so that it ends on every finite graph. Who needs
//! full speed describes a [`Space`](crate::Space) instead.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::heuristic::Function;
use crate::search::{Control, Ida, Outcome, Verdict};
use crate::space::{Cost, Space, Visitor};

/// A shortest path by IDA*: from `start`, by `successors` (states and the costs of the steps to
/// them, at least 1), guided by an admissible `heuristic`, to the first state with `success`.
///
/// [`Verdict::Solved`] holds the states *after* the start, in order. Among all shortest paths it
/// is the first in the order of the successors. A finite graph without a path ends as
/// [`Verdict::Impossible`]; that is proved by following every path without a cycle, so it is
/// practical for small graphs alone. For limits use [`shortest_path_within`].
///
/// # Example
///
/// The knight's way from a corner of the chessboard to the opposite one:
///
/// ```
/// let solution = deepen::shortest_path(
///     (0_i32, 0_i32),
///     |&(x, y)| {
///         [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
///             .map(|(dx, dy)| (x + dx, y + dy))
///             .into_iter()
///             .filter(|(x, y)| (0..8).contains(x) && (0..8).contains(y))
///             .map(|square| (square, 1))
///     },
///     |&(x, y)| ((7 - x).max(7 - y) as u32).div_ceil(2),
///     |&square| square == (7, 7),
/// )
/// .solution()
/// .unwrap();
/// assert_eq!(solution.cost, 6);
/// assert_eq!(solution.moves.last(), Some(&(7, 7)));
/// ```
pub fn shortest_path<N, I>(
    start: N,
    successors: impl Fn(&N) -> I,
    heuristic: impl Fn(&N) -> Cost,
    success: impl Fn(&N) -> bool,
) -> Verdict<N>
where
    N: Clone + Eq,
    I: IntoIterator<Item = (N, Cost)>,
{
    shortest_path_within(start, successors, heuristic, success, &mut Control::default()).verdict
}

/// As [`shortest_path`], with limits, a cancel token and an observer, and the statistics.
pub fn shortest_path_within<N, I>(
    start: N,
    successors: impl Fn(&N) -> I,
    heuristic: impl Fn(&N) -> Cost,
    success: impl Fn(&N) -> bool,
    control: &mut Control,
) -> Outcome<N>
where
    N: Clone + Eq,
    I: IntoIterator<Item = (N, Cost)>,
{
    let space = Closures {
        successors: |state: &N| successors(state).into_iter().collect(),
        success,
        state: PhantomData,
    };
    let heuristic = Function(|path: &Path<N>| heuristic(path.last()));
    let start = Path { states: vec![start], steps: Vec::new() };
    let outcome = Ida::new(&space, &heuristic).solve(&start, control);
    let mut path = start;
    let verdict = outcome.verdict.map(|step| {
        path.steps.push((space.successors)(path.last()));
        space.apply(&mut path, step);
        path.last().clone()
    });
    Outcome { verdict, statistics: outcome.statistics, is_first: outcome.is_first }
}

/// The space that a pair of closures spans. Its states are paths without cycles.
struct Closures<N, F, G> {
    successors: F,
    success: G,
    state: PhantomData<N>,
}

/// The path to a state.
#[derive(Clone)]
struct Path<N> {
    /// The states from the start to the last; never empty.
    states: Vec<N>,
    /// The successors of each state that is being expanded.
    steps: Vec<Vec<(N, Cost)>>,
}

impl<N> Path<N> {
    fn last(&self) -> &N {
        &self.states[self.states.len() - 1]
    }
}

/// A step: which successor, and its cost.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    index: usize,
    cost: Cost,
}

impl<N, F, G> Space for Closures<N, F, G>
where
    N: Clone + Eq,
    F: Fn(&N) -> Vec<(N, Cost)>,
    G: Fn(&N) -> bool,
{
    type State = Path<N>;
    type Move = Step;

    fn for_each_move<V: Visitor<Self>>(
        &self,
        path: &mut Path<N>,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let depth = path.steps.len();
        path.steps.push((self.successors)(path.last()));
        for index in 0..path.steps[depth].len() {
            let (state, cost) = &path.steps[depth][index];
            if !path.states.contains(state) {
                let step = Step { index, cost: *cost };
                visitor.visit(path, step)?;
            }
        }
        path.steps.pop();
        ControlFlow::Continue(())
    }

    fn apply(&self, path: &mut Path<N>, step: Step) {
        let state = path.steps[path.steps.len() - 1][step.index].0.clone();
        path.states.push(state);
    }

    fn undo(&self, path: &mut Path<N>, _: Step) {
        path.states.pop();
    }

    fn cost(&self, step: Step) -> Cost {
        step.cost
    }

    fn is_goal(&self, path: &Path<N>) -> bool {
        (self.success)(path.last())
    }
}
