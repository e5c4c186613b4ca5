//! Searches, one file each, on the same settings, limits, observer, statistics and verdict.
//!
//! [`Ida`] is IDA*, depth-first search deepened iteration by iteration; with the
//! [`Zero`](crate::heuristic::Zero) heuristic it is plain iterative deepening.

mod control;
mod ida;
mod verdict;

pub use control::{CancelToken, Control, Limits, Observer, Progress};
pub use ida::Ida;
pub use verdict::{Iteration, Outcome, Proof, Solution, Statistics, Stop, Verdict};
