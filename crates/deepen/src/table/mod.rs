//! Distance tables: what can be looked up need not be searched.
//!
//! An [`Indexed`] space numbers its states. Its [`Table`] holds the distance of every state to the
//! nearest goal, found by breadth-first search over the table itself. If the space is the puzzle,
//! the table is *perfect*; if it is a coarser picture of the puzzle, the table is a *pattern
//! database*, and its distances are a lower bound ([`Lookup`]). A table can be kept in a [`Store`].
//!
//! A [`Perimeter`] needs no numbers: it holds the states near the goals, and says of all others
//! that they are further.
//!
//! IDA* with a perfect table never goes wrong: it expands one node a move, and still returns the
//! first solution in dictionary order. A solution without a search needs no machinery of its own.

mod blocks;
mod build;
mod bytes;
mod entries;
mod file;
mod lookup;
mod perimeter;
mod prefetch;
mod store;

pub use blocks::{Blocks, Neighbour, block_stride};
pub use build::{BuildError, Direction, TableBuild};
pub use bytes::Bytes;
pub use entries::{Distances, Table, Width};
pub use file::{Fault, Header};
pub use lookup::{Found, Lookup};
pub use perimeter::{Perimeter, Reach};
pub use prefetch::prefetch;
pub use store::{Kept, Listed, Source, Store, StoreError};

use crate::space::Space;

/// A space whose states are numbered.
pub trait Indexed: Space {
    /// How many numbers there are. Some may stand for states that can't be reached.
    fn size(&self) -> u64;

    /// The number of a state, less than [`size`](Indexed::size).
    fn rank(&self, state: &Self::State) -> u64;

    /// A state of a number: its [`rank`](Indexed::rank) is that number.
    fn unrank(&self, rank: u64) -> Self::State;

    /// Calls `twin` with each further number whose states are as far from the goals, by a symmetry
    /// that the numbers don't take into account. None by default.
    ///
    /// A space may give states that are symmetric to one another one number: then a state's
    /// children have, up to symmetry, the numbers of the children of [`unrank`](Indexed::unrank).
    /// Where it gives such states several numbers all the same, each of them is a twin of the
    /// others, and must be told here.
    #[inline(always)]
    fn for_each_twin(&self, _rank: u64, _twin: impl FnMut(u64)) {}
}
