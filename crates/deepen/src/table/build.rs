//! Building a table: breadth-first search over the table itself, on all cores.
//!
//! The table is the frontier and the set of visited states in one: layer `d` is the entries that
//! say `d`. A layer is scanned in blocks, in parallel; its states are made from their numbers and
//! their children's entries set. The only writes are from *not reached* to a distance, so threads
//! can't disturb one another, and the result never depends on timing. Of each block it is kept
//! which distances occur, so that blocks without any of a layer are skipped.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Indexed;
use super::entries::{Table, UNREACHED};
use crate::search::CancelToken;
use crate::space::{Cost, Each};

/// Which way the search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the goals, by the moves of the space. Right if every move can be taken back by a move
    /// of the same cost; otherwise the table holds distances *from* the goals.
    FromGoals,
    /// To the goals: in each layer every state not reached yet looks at its children. Right in
    /// every space, and slower.
    ToGoals,
}

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildError {
    /// It was cancelled.
    Cancelled,
    /// The table, so many bytes while it is built, does not fit into memory.
    Memory(u64),
    /// A state is further than 253 from the goals.
    TooFar,
    /// A move costs what tables are not made for: nothing, more than 63, or, with
    /// [`Direction::ToGoals`], anything but 1.
    Cost(Cost),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Cancelled => f.write_str("cancelled"),
            BuildError::Memory(bytes) => write!(f, "no memory for a table of {bytes} bytes"),
            BuildError::TooFar => write!(f, "a state is further than {GREATEST} from the goals"),
            BuildError::Cost(cost) => write!(f, "a move costs {cost}, which tables can't hold"),
        }
    }
}

impl std::error::Error for BuildError {}

/// How to build a table.
pub struct TableBuild<'a> {
    /// Which way.
    pub direction: Direction,
    /// Stops it.
    pub cancel: CancelToken,
    /// Told after each layer how many entries are done, and of how many.
    pub progress: Option<&'a mut dyn FnMut(u64, u64)>,
}

impl fmt::Debug for TableBuild<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableBuild").field("direction", &self.direction).finish_non_exhaustive()
    }
}

impl Default for TableBuild<'_> {
    fn default() -> Self {
        TableBuild { direction: Direction::FromGoals, cancel: CancelToken::new(), progress: None }
    }
}

/// How many entries a thread takes at a time.
const BLOCK: usize = 1 << 12;

/// The greatest distance that an entry can hold; one more means further.
const GREATEST: u8 = 253;

/// The greatest cost of a move: pending distances then differ by less than the bits of a word.
const GREATEST_COST: Cost = 63;

impl TableBuild<'_> {
    /// Builds the table of the distances to `goals`, with the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// See [`BuildError`].
    pub fn build<S>(
        mut self,
        space: &S,
        goals: impl IntoIterator<Item = S::State>,
    ) -> Result<Table, BuildError>
    where
        S: Indexed + Sync,
    {
        let layers = Layers::new(space, &self.cancel)?;
        for goal in goals {
            layers.reach(space.rank(&goal), 0);
        }
        let mut done = 0;
        for distance in 0..=GREATEST {
            done += match self.direction {
                Direction::FromGoals => layers.push(distance)?,
                Direction::ToGoals => layers.pull(distance)?,
            };
            if let Some(progress) = &mut self.progress {
                progress(done, space.size());
            }
            if layers.pending.iter().all(|pending| pending.load(Relaxed) == 0) {
                return Ok(Table::new(layers.entries));
            }
        }
        // What is still pending is further than any entry can say.
        Err(BuildError::TooFar)
    }
}

/// The table that is being built.
struct Layers<'a, S> {
    space: &'a S,
    cancel: &'a CancelToken,
    entries: Vec<AtomicU8>,
    /// For each block the distances that occur in it and were not expanded yet, modulo 64.
    pending: Vec<AtomicU64>,
}

impl<'a, S: Indexed + Sync> Layers<'a, S> {
    fn new(space: &'a S, cancel: &'a CancelToken) -> Result<Self, BuildError> {
        let memory = BuildError::Memory(space.size());
        let size = usize::try_from(space.size()).map_err(|_| memory)?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| memory)?;
        entries.resize_with(size, || AtomicU8::new(UNREACHED));
        let pending = (0..size.div_ceil(BLOCK)).map(|_| AtomicU64::new(0)).collect();
        Ok(Layers { space, cancel, entries, pending })
    }

    /// Notes that a state can be reached at that distance.
    #[inline(always)]
    fn reach(&self, rank: u64, distance: u8) {
        let rank = rank as usize;
        if self.entries[rank].load(Relaxed) > distance {
            self.entries[rank].fetch_min(distance, Relaxed);
            let (pending, bit) = (&self.pending[rank / BLOCK], 1 << (distance % 64));
            if pending.load(Relaxed) & bit == 0 {
                pending.fetch_or(bit, Relaxed);
            }
        }
    }

    /// Runs `each` on all entries of a layer, whose blocks `pending` admits; how many there were.
    fn layer(
        &self,
        wanted: u8,
        admit: impl Fn(&AtomicU64) -> bool + Sync,
        each: impl Fn(u64) -> Result<bool, BuildError> + Sync,
    ) -> Result<u64, BuildError> {
        let blocks = self.entries.par_chunks(BLOCK).zip(&self.pending).enumerate();
        let counts = blocks.map(|(block, (entries, pending))| {
            if self.cancel.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let mut count = 0;
            if admit(pending) {
                for (place, entry) in entries.iter().enumerate() {
                    if entry.load(Relaxed) == wanted {
                        count += u64::from(each((block * BLOCK + place) as u64)?);
                    }
                }
            }
            Ok(count)
        });
        counts.try_reduce(|| 0, |a, b| Ok(a + b))
    }

    /// Expands the states at that distance.
    fn push(&self, distance: u8) -> Result<u64, BuildError> {
        let bit = 1 << (distance % 64);
        let admit = |pending: &AtomicU64| pending.fetch_and(!bit, Relaxed) & bit != 0;
        self.layer(distance, admit, |rank| {
            let mut strange = None;
            let mut each = Each(|state: &mut S::State, mv| {
                let cost = self.space.cost(mv);
                if cost == 0 || cost > GREATEST_COST {
                    strange = Some(BuildError::Cost(cost));
                    return ControlFlow::Break(());
                }
                self.space.apply(state, mv);
                let reached = distance.saturating_add(cost as u8).min(GREATEST + 1);
                self.reach(self.space.rank(state), reached);
                self.space.undo(state, mv);
                ControlFlow::Continue(())
            });
            let _ = self.space.for_each_move(&mut self.space.unrank(rank), &mut each);
            strange.map_or(Ok(true), Err)
        })
    }

    /// Finds the states at that distance, from which a move leads one nearer.
    fn pull(&self, distance: u8) -> Result<u64, BuildError> {
        let bit = |distance: u8| 1_u64 << (distance % 64);
        let Some(nearer) = distance.checked_sub(1) else {
            return self.layer(0, |_| true, |_| Ok(true));
        };
        let found = self.layer(
            UNREACHED,
            |_| true,
            |rank| {
                let mut reached = Ok(false);
                let mut each = Each(|state: &mut S::State, mv| {
                    let cost = self.space.cost(mv);
                    if cost != 1 {
                        reached = Err(BuildError::Cost(cost));
                        return ControlFlow::Break(());
                    }
                    self.space.apply(state, mv);
                    let child = self.entries[self.space.rank(state) as usize].load(Relaxed);
                    self.space.undo(state, mv);
                    if child == nearer {
                        reached = Ok(true);
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                });
                let _ = self.space.for_each_move(&mut self.space.unrank(rank), &mut each);
                if reached == Ok(true) {
                    self.reach(rank, distance);
                }
                reached
            },
        )?;
        for pending in &self.pending {
            pending.fetch_and(!bit(nearer), Relaxed);
        }
        Ok(found)
    }
}
