//! What the engine promises, held against oracles that share none of its code: shortest distances
//! worked out backwards from the goals, and an IDA* as plain as in the textbook.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod answers;
mod automata;
mod costs;
mod counts;
mod depth;
mod easy;
mod graph;
mod limits;
mod parallel;
mod profile;
mod searches;
