//! Searches, one file each, on the same settings, limits, observer, statistics and verdict.
//!
//! | search | solution | stores | needs |
//! |---|---|---|---|
//! | [`Ida`] | the first in dictionary order | nothing | |
//! | [`Ida`] with [`Zero`](crate::heuristic::Zero), plain iterative deepening | the first | nothing | |
//! | [`Bfs`] | the first, if all moves cost the same | all up to the least cost | [`Packed`](crate::Packed) |
//! | [`Astar`] | any | all whose cost and heuristic are less than the least cost, and some more | [`Packed`](crate::Packed) |
//! | [`Bidirectional`] | the first | all up to half the least cost, from the start and from the goals | [`Reversible`](crate::Reversible) |
//!
//! All of them return a solution of least cost.

mod astar;
mod bfs;
mod bidirectional;
mod control;
mod frontier;
mod ida;
mod queue;
mod run;
mod store;
mod verdict;

pub use astar::Astar;
pub use bfs::Bfs;
pub use bidirectional::Bidirectional;

pub use control::{CancelToken, Control, Limits, Observer, Progress};
pub use ida::{Ida, Threads};
pub use verdict::{
    Count, Iteration, Outcome, Proof, Shortest, Solution, Statistics, Stop, Verdict,
};
