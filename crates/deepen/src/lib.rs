//! Provably shortest solutions by iterative deepening (IDA*).

pub mod heuristic;
mod prune;
mod search;
mod space;

pub use heuristic::Heuristic;
pub use prune::{Everything, Pruning};
pub use search::*;
pub use space::*;
