//! What the puzzles do, from outside: one program, for the searches take long to compile.

#![allow(clippy::unwrap_used)]

mod knights;
mod puzzles;
mod rotation;
mod sampling;
mod searches;
mod threads;
mod twisty;
