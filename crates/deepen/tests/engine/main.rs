//! What the engine promises, held against oracles that share none of its code: shortest distances
//! worked out backwards from the goals, and an IDA* as plain as in the textbook.

mod answers;
mod automata;
mod costs;
mod counts;
mod depth;
mod easy;
mod graph;
mod limits;
