//! Tables: building, looking up, storing.

// The helpers are tests too.
#![allow(clippy::unwrap_used)]

mod blocks;
mod build;
mod graph;
mod perimeter;
mod store;
