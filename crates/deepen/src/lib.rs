//! Provably shortest solutions by iterative deepening (IDA*).
//!
//! IDA* searches depth first, cuts every path whose cost plus an *admissible* estimate of what is
//! left exceeds a bound, and raises the bound until a solution is found. It needs next to no
//! memory, and the first solution it finds is a shortest one.
//!
//! # Two doors
//!
//! - [`shortest_path`] takes closures and returns an optimal path, in a dozen lines.
//! - [`Space`], [`Heuristic`] and [`Ida`] search in place at full speed, with nothing allocated and
//!   nothing dispatched per node. An example is at [`Space`].
//!
//! # What one can rely on
//!
//! - *The answer.* Of all solutions of least cost the search returns the first in the dictionary
//!   order of moves, whatever the admissible heuristic and the pruning.
//! - *The verdict.* A search says what it knows: solved, impossible (and why that is certain),
//!   above the cost limit, or stopped and by what; always with a proved lower bound. See
//!   [`Verdict`].
//! - *Limits.* On cost, on nodes (exact) and on time; a [`CancelToken`]; an [`Observer`]. See
//!   [`Control`].
//! - *Threads.* [`Ida::solve_in`] splits a long search among several; the outcome is the same.
//! - *Counts.* [`Statistics`] are exact and the same in every run: see [`Iteration`] for how nodes
//!   are counted.
//!
//! # The parts
//!
//! A [`Space`] says which moves there are; a [`Heuristic`] how much is left at least; a
//! [`Pruning`] which move may follow which, usually an [`Automaton`] learned from the space's own
//! [`Alphabet`] of moves.

#![warn(missing_debug_implementations)]

mod easy;
pub mod heuristic;
mod profile;
mod prune;
mod search;
mod space;
mod sync;
pub mod table;

pub use easy::{shortest_path, shortest_path_within};
pub use heuristic::Heuristic;
pub use profile::{Counted, DepthCounts, DepthProfile};
pub use prune::{
    Automaton, Everything, Forbids, InversePruning, LEARNING_EFFORT, LearnedPruning, Pruning,
};
pub use search::*;
pub use space::*;

/// The examples of the README run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
