//! The puzzles of deepen.
//!
//! A puzzle is a file here: its state, moves, lower bounds, notation, judge's format and drawing,
//! in the one shape of [`Puzzle`]. To add one, write its file and add its line to `puzzles!`.
//!
//! [`solve`] searches an instance of any of them:
//!
//! ```
//! use deepen::Control;
//! use deepen_puzzles::{Method, Puzzle, Rotation, Settings, solve};
//!
//! let puzzle = Rotation::new(&Settings::default())?;
//! let board = "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3";
//! let instance = puzzle.read(board.as_bytes()).next().unwrap()?;
//! let outcome = solve(&puzzle, &instance, Method::default(), &mut Control::default());
//! let answer = puzzle.judge_answer(0, &instance, &outcome.verdict, None);
//! assert_eq!(answer, "AC\n2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod booksort;
mod input;
mod knights;
mod pancake;
mod permutation;
mod puzzle;
mod random;
mod rotation;
mod sample;
mod solve;
mod tables;
mod tiles;
mod twisty;

pub use answer::{Answer, Claim, Fault, Judgement, Told, Wrong, judge};
pub use booksort::Booksort;
pub use input::{InputError, Place, ReadError, TOKEN_BYTES, Token, Tokens};
pub use knights::Knights;
pub use pancake::Pancake;
pub use puzzle::{
    Choice, Field, Info, InstanceCounts, Layers, Puzzle, Settings, SettingsError, Task, find,
};
pub use random::Random;
pub use rotation::Rotation;
pub use sample::Wanted;
pub use solve::{
    ALGORITHMS, Algorithm, Method, MoveOf, Pruned, Searches, count, estimate, solve, solve_all,
    solve_any, solve_in, solve_profiled,
};
pub use tables::{PuzzleTable, TableEvent, TableObserver, Tables, WORTH_STORING};
pub use tiles::SlidingTiles;
pub use twisty::{Scramble, Topspin, Twisted, Twisty};

/// Something to be done with a puzzle that is known by its name.
pub trait PuzzleTask {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<P: Puzzle>(self) -> Self::Output;
}

/// The registry: a line a puzzle.
macro_rules! puzzles {
    ($($puzzle:ty),* $(,)?) => {
        /// What there is to know of every puzzle.
        pub const PUZZLES: &[Info] = &[$(<$puzzle as Puzzle>::INFO),*];

        /// Does something with the puzzle of that name; `None` if there is none.
        pub fn with_puzzle<T: PuzzleTask>(name: &str, task: T) -> Option<T::Output> {
            $(if name == <$puzzle as Puzzle>::INFO.name {
                return Some(task.run::<$puzzle>());
            })*
            None
        }
    };
}

puzzles![Knights, Booksort, Rotation, Pancake, SlidingTiles, Twisty, Topspin];
