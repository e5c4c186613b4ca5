//! Building a table: breadth-first search over the table itself, on all cores.
//!
//! The table is the frontier and the set of visited states in one: layer `d` is the entries that
//! say `d`. A layer is scanned in blocks, in parallel; its states are made from their numbers and
//! their children's entries lowered. An entry is only ever lowered, to what it would be lowered to
//! in any order, so threads can't disturb one another and the result never depends on timing. Of
//! each block it is kept which distances occur, so that blocks without any of a layer are skipped.
//!
//! Where symmetric states share a number, a few of them may have several, its *twins*
//! ([`Indexed::for_each_twin`]): the children of a state need not have the numbers that those of its
//! twin have. So whatever lowers an entry lowers those of its twins. A state that asks its children
//! instead asks for itself, and finds all twins of the layer before in their place.
//!
//! # Where the time goes
//!
//! A table is larger than the caches, and nearly every child's entry is somewhere else. What must
//! be avoided is to *wait* for each: a branch on an entry that is still on its way stalls
//! everything behind it. So the numbers of many children are gathered first; then all their entries
//! are read, with no branch between, which lets the processor fetch a dozen at once; and only those
//! that are to be lowered are looked at one by one. For the same reason the states of a layer are
//! picked from a block without a branch on each entry.

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
    /// From the goals, and, once few states are left, to the goals as below: it is faster to ask
    /// these few than to expand the many reached last. Right if every move costs 1 and can be taken
    /// back.
    Both,
    /// To the goals: in each layer every state not reached yet looks at its children. Right in
    /// every space, and slower.
    ToGoals,
}

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The table, so many bytes while it is built, does not fit into memory.
    #[error("no memory for a table of {0} bytes")]
    Memory(u64),
    /// A state is further than 253 from the goals.
    #[error("a state is further than {GREATEST} from the goals")]
    TooFar,
    /// A move costs what tables are not made for: nothing, more than 63, or, with
    /// [`Direction::Both`] or [`Direction::ToGoals`], anything but 1.
    #[error("a move costs {0}, which tables can't hold")]
    Cost(Cost),
}

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

/// How many children are gathered, at least, before their entries are read.
const BATCH: usize = 1 << 9;

/// The greatest distance that an entry can hold; one more means further.
pub(super) const GREATEST: u8 = 253;

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
        let mut pulls = self.direction == Direction::ToGoals;
        // Whether the entries of the layer say so already.
        let mut marked = true;
        for distance in 0..=GREATEST + 1 {
            let found = match pulls {
                true if marked => layers.count(distance)?,
                true => layers.pull(distance)?,
                false if layers.nothing_pending() => 0,
                // What is pending is further than any entry can say.
                false if distance > GREATEST => break,
                false => layers.push(distance, self.direction)?,
            };
            marked = !pulls;
            done += found;
            // With moves that cost more than 1, layers may be empty between others.
            if found == 0 && layers.nothing_pending() {
                return Ok(Table::new(layers.entries));
            }
            if let Some(progress) = &mut self.progress {
                progress(done, space.size());
            }
            pulls |= self.direction == Direction::Both && layers.pulling_pays(done, found);
        }
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
    /// How many children the last layer that was expanded has,
    children: AtomicU64,
    /// and how many of their entries were not reached before.
    news: AtomicU64,
}

/// What a thread keeps from block to block, to allocate nothing.
struct Scratch {
    /// Where in the block the wanted entries are.
    places: [u16; BLOCK],
    batch: Vec<Child>,
}

/// A child whose entry is to be looked at.
#[derive(Clone, Copy)]
struct Child {
    rank: u64,
    /// The distance at which it was reached.
    distance: u8,
}

/// Some numbers of one block, in order.
#[derive(Clone, Copy)]
struct Ranks<'a> {
    /// That of the block's first entry.
    first: u64,
    /// The places in the block.
    places: &'a [u16],
}

impl Ranks<'_> {
    fn iter(self) -> impl Iterator<Item = u64> {
        self.places.iter().map(move |&place| self.first + u64::from(place))
    }
}

impl Scratch {
    fn new() -> Self {
        Scratch { places: [0; BLOCK], batch: Vec::with_capacity(2 * BATCH) }
    }
}

impl<'a, S: Indexed + Sync> Layers<'a, S> {
    fn new(space: &'a S, cancel: &'a CancelToken) -> Result<Self, BuildError> {
        let memory = BuildError::Memory(space.size());
        let size = usize::try_from(space.size()).map_err(|_| memory)?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| memory)?;
        entries.resize_with(size, || AtomicU8::new(UNREACHED));
        let pending = (0..size.div_ceil(BLOCK)).map(|_| AtomicU64::new(0)).collect();
        let [children, news] = [0, 0].map(AtomicU64::new);
        Ok(Layers { space, cancel, entries, pending, children, news })
    }

    /// Notes that a state can be reached at that distance, and its twins; how many of them were not
    /// reached before.
    #[inline(always)]
    fn reach(&self, rank: u64, distance: u8) -> u64 {
        let known = self.lower(rank, distance);
        let mut news = u64::from(known == UNREACHED);
        // (Whoever lowers the entry of one lowers those of all: they never stay different.)
        if known > distance {
            self.space.for_each_twin(rank, |twin| {
                news += u64::from(self.lower(twin, distance) == UNREACHED);
            });
        }
        news
    }

    /// Lowers one entry; what it was.
    #[inline(always)]
    fn lower(&self, rank: u64, distance: u8) -> u8 {
        let rank = rank as usize;
        let known = self.entries[rank].fetch_min(distance, Relaxed);
        if known > distance {
            let (pending, bit) = (&self.pending[rank / BLOCK], 1 << (distance % 64));
            if pending.load(Relaxed) & bit == 0 {
                pending.fetch_or(bit, Relaxed);
            }
        }
        known
    }

    /// Notes all children of a batch, and empties it.
    fn reach_all(&self, batch: &mut Vec<Child>) {
        self.children.fetch_add(batch.len() as u64, Relaxed);
        // Keep those that are news, without a branch.
        let mut kept = 0;
        for index in 0..batch.len() {
            let child = batch[index];
            batch[kept] = child;
            let entry = self.entries[child.rank as usize].load(Relaxed);
            kept += usize::from(entry > child.distance);
        }
        let news = batch[..kept].iter().map(|child| self.reach(child.rank, child.distance)).sum();
        self.news.fetch_add(news, Relaxed);
        batch.clear();
    }

    /// Whether to ask the states that are not reached yet whether they are children of the next
    /// layer, is less work than to expand it: `done` states, `expanded` of them in the last layer.
    fn pulling_pays(&self, done: u64, expanded: u64) -> bool {
        let (size, next) = (self.space.size(), self.news.load(Relaxed).max(1));
        let moves = self.children.load(Relaxed).div_ceil(expanded.max(1));
        // Each is asked until a child turns out to be in the next layer.
        let tries = moves.min(size / next);
        (size - done).saturating_sub(next).saturating_mul(tries) < next.saturating_mul(moves)
    }

    fn nothing_pending(&self) -> bool {
        self.pending.iter().all(|pending| pending.load(Relaxed) == 0)
    }

    /// Runs `each` on the numbers of all entries that say `wanted`, block by block, where
    /// `admit` lets the block in; the sum of what it returns.
    fn layer(
        &self,
        wanted: u8,
        admit: impl Fn(&AtomicU64) -> bool + Sync,
        each: impl Fn(Ranks, &mut Vec<Child>) -> Result<u64, BuildError> + Sync,
    ) -> Result<u64, BuildError> {
        let blocks = self.entries.par_chunks(BLOCK).zip(&self.pending).enumerate();
        let counts = blocks.map_init(Scratch::new, |scratch, (block, (entries, pending))| {
            if self.cancel.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            if !admit(pending) {
                return Ok(0);
            }
            let mut found = 0;
            for (place, entry) in (0..).zip(entries) {
                scratch.places[found] = place;
                found += usize::from(entry.load(Relaxed) == wanted);
            }
            let ranks = Ranks { first: (block * BLOCK) as u64, places: &scratch.places[..found] };
            each(ranks, &mut scratch.batch)
        });
        counts.try_reduce(|| 0, |a, b| Ok(a + b))
    }

    /// Expands the states at that distance; how many there were.
    fn push(&self, distance: u8, direction: Direction) -> Result<u64, BuildError> {
        self.children.store(0, Relaxed);
        self.news.store(0, Relaxed);
        let greatest_cost = if direction == Direction::Both { 1 } else { GREATEST_COST };
        let bit = 1 << (distance % 64);
        let admit = |pending: &AtomicU64| {
            pending.load(Relaxed) & bit != 0 && pending.fetch_and(!bit, Relaxed) & bit != 0
        };
        self.layer(distance, admit, |ranks, batch| {
            for rank in ranks.iter() {
                let mut strange = None;
                let mut each = Each(|state: &mut S::State, mv| {
                    let cost = self.space.cost(mv);
                    if cost == 0 || cost > greatest_cost {
                        strange = Some(BuildError::Cost(cost));
                        return ControlFlow::Break(());
                    }
                    self.space.apply(state, mv);
                    let reached = distance.saturating_add(cost as u8).min(GREATEST + 1);
                    batch.push(Child { rank: self.space.rank(state), distance: reached });
                    self.space.undo(state, mv);
                    ControlFlow::Continue(())
                });
                let _ = self.space.for_each_move(&mut self.space.unrank(rank), &mut each);
                if let Some(error) = strange {
                    return Err(error);
                }
                if batch.len() >= BATCH {
                    self.reach_all(batch);
                }
            }
            self.reach_all(batch);
            Ok(ranks.places.len() as u64)
        })
    }

    /// How many states are at that distance. They are all found by now, and none is expanded.
    fn count(&self, distance: u8) -> Result<u64, BuildError> {
        self.pending.iter().for_each(|pending| pending.store(0, Relaxed));
        self.layer(distance, |_| true, |ranks, _| Ok(ranks.places.len() as u64))
    }

    /// Finds the states at that distance, from which a move leads one nearer; how many there were.
    fn pull(&self, distance: u8) -> Result<u64, BuildError> {
        let nearer = distance - 1;
        let everywhere = |_: &AtomicU64| true;
        self.layer(UNREACHED, everywhere, |ranks, _| {
            let mut count = 0;
            for rank in ranks.iter() {
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
                if reached? {
                    self.entries[rank as usize].store(distance, Relaxed);
                    count += 1;
                }
            }
            Ok(count)
        })
    }
}
