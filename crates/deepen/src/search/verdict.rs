//! What a search found out, and what it took.

use std::fmt;
use std::time::Duration;

use crate::space::Cost;

/// How a search ended, and what it did.
#[derive(Debug, Clone)]
pub struct Outcome<M> {
    /// What is now known.
    pub verdict: Verdict<M>,
    /// The work it took.
    pub statistics: Statistics,
    /// Whether a solution, if there is one, is known to be the first in dictionary order among all
    /// of least cost.
    pub is_first: bool,
}

/// What a search found out. Every verdict comes with a proved lower bound of the least cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<M> {
    /// A solution of least cost.
    Solved(Solution<M>),
    /// There is no solution, and why that is certain.
    Impossible(Proof),
    /// Every solution costs at least `lower_bound`, which is more than the limit on cost.
    AboveLimit {
        /// A proved lower bound of the least cost; the greatest number there is, one more than
        /// [`MAX_COST`](crate::MAX_COST), stands for all above.
        lower_bound: Cost,
    },
    /// The search was stopped before it knew.
    Stopped {
        /// What stopped it.
        stop: Stop,
        /// A proved lower bound of the least cost.
        lower_bound: Cost,
    },
}

/// How a search for all solutions of least cost ended.
#[derive(Debug, Clone)]
pub struct Shortest<M> {
    /// How the search ended; its solution is the first. If a limit struck after the first solution
    /// was found, the verdict is that the search was stopped, and its lower bound is the least
    /// cost.
    pub outcome: Outcome<M>,
    /// How many solutions were told.
    pub found: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// How counting all solutions of least cost ended.
#[derive(Debug, Clone)]
pub struct Count<M> {
    /// How the search ended; its solution is the first.
    pub outcome: Outcome<M>,
    /// How many solutions of least cost there are (the greatest number stands for all above); 0 if
    /// none was found.
    pub count: u128,
}

/// A solution: moves that lead from the start to a goal, and their cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M> {
    /// The moves, first to last; none if the start is a goal.
    pub moves: Vec<M>,
    /// The sum of their costs.
    pub cost: Cost,
}

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The space told so ([`Space::impossible`](crate::Space::impossible)): its reason.
    Space(String),
    /// The heuristic called the start a dead end, or an iteration cut nothing by its bound: all
    /// that can be reached was searched.
    Exhausted,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Space(reason) => f.write_str(reason),
            Proof::Exhausted => f.write_str("everything that can be reached was searched"),
        }
    }
}

/// What stopped a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The limit on expanded nodes ([`Limits::nodes`](crate::Limits::nodes)).
    Nodes,
    /// The limit on time ([`Limits::time`](crate::Limits::time)).
    Time,
    /// The limit on memory ([`Limits::memory`](crate::Limits::memory)), or there was no more: for
    /// the stored states, or for a path that grew too long.
    Memory,
    /// The [`CancelToken`](crate::CancelToken).
    Cancelled,
    /// The space has a move of cost 0, with which a search need not end.
    ZeroCostMove,
    /// A bidirectional search was asked for in a space that it is not made for
    /// ([`Reversible::goals`](crate::Reversible::goals)).
    Irreversible,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Nodes => "node limit reached",
            Stop::Time => "time limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Cancelled => "cancelled",
            Stop::ZeroCostMove => "the space has a move of cost 0",
            Stop::Irreversible => "the goals can't be listed or moves not be taken back",
        })
    }
}

impl<M> Verdict<M> {
    /// The solution, if there is one.
    pub fn solution(self) -> Option<Solution<M>> {
        match self {
            Verdict::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The proved lower bound of the least cost; `None` where there is no solution at all.
    pub fn lower_bound(&self) -> Option<Cost> {
        match self {
            Verdict::Solved(solution) => Some(solution.cost),
            Verdict::Impossible(_) => None,
            Verdict::AboveLimit { lower_bound } | Verdict::Stopped { lower_bound, .. } => {
                Some(*lower_bound)
            }
        }
    }

    /// The same verdict with its moves written otherwise.
    pub fn map<N>(self, name: impl FnMut(M) -> N) -> Verdict<N> {
        match self {
            Verdict::Solved(Solution { moves, cost }) => {
                Verdict::Solved(Solution { moves: moves.into_iter().map(name).collect(), cost })
            }
            Verdict::Impossible(proof) => Verdict::Impossible(proof),
            Verdict::AboveLimit { lower_bound } => Verdict::AboveLimit { lower_bound },
            Verdict::Stopped { stop, lower_bound } => Verdict::Stopped { stop, lower_bound },
        }
    }

    /// The verdict on a next bound that is above `limit`.
    pub(crate) fn above(bound: u64) -> Self {
        Verdict::AboveLimit { lower_bound: Cost::try_from(bound).unwrap_or(Cost::MAX) }
    }
}

/// The work of one iteration, counted exactly.
///
/// The rules are the same for all searches: each move of an expanded state generates a child,
/// unless the pruning forbids it. The root is expanded, in every iteration of IDA*, and never
/// generated. A goal is generated and not expanded. A child that turns out to be a state that is
/// stored already is generated, and counted among the duplicates.
///
/// An iteration is what goes on under one proved lower bound: with IDA* a depth-first search; with
/// breadth-first searches the expansion of the states of one cost, a *layer*; with A* that of the
/// states of one cost plus heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Iteration {
    /// The bound: paths of at most this cost were searched.
    pub bound: Cost,
    /// Nodes whose children were enumerated.
    pub expanded: u64,
    /// Children considered, those that the bound cut included.
    pub generated: u64,
    /// Children cut because cost and heuristic exceeded the bound; where states are stored, the
    /// children that were not, because no solution within the limit could follow.
    pub cut_by_bound: u64,
    /// Moves left out by the pruning.
    pub cut_by_pruning: u64,
    /// Children that were stored before at no greater cost; 0 for IDA*, which stores none.
    pub duplicates: u64,
    /// The time it took.
    pub elapsed: Duration,
}

/// The work of a search, iteration by iteration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The iterations in order; the last is incomplete if a solution was found or the search
    /// stopped.
    pub iterations: Vec<Iteration>,
    /// The greatest number of states stored at a time; 0 for IDA*.
    pub stored: u64,
    /// The greatest number of bytes that the search's containers took at a time: states, their
    /// index, costs, queues; with IDA* further stacks for the path.
    pub memory: u64,
}

impl Statistics {
    /// The sums over all iterations, with the last one's bound.
    pub fn total(&self) -> Iteration {
        self.iterations.iter().fold(Iteration::default(), |sum, it| Iteration {
            bound: it.bound,
            expanded: sum.expanded + it.expanded,
            generated: sum.generated + it.generated,
            cut_by_bound: sum.cut_by_bound + it.cut_by_bound,
            cut_by_pruning: sum.cut_by_pruning + it.cut_by_pruning,
            duplicates: sum.duplicates + it.duplicates,
            elapsed: sum.elapsed + it.elapsed,
        })
    }
}
