//! The bound of the cycle graph, raised by what the search has found out: a transposition table.
//!
//! The same shelf is met on many paths, for moves that do not disturb each other come in any order.
//! Whenever the search comes back from a shelf without a solution, its distance is known to be
//! more than what was left, and the shelf is remembered, [glued](super::glue) together. Wherever it
//! is met again, this is its bound if it is higher. Of eight books and fewer a table knows the
//! distance, which spares the search its last three moves.
//!
//! Nothing is remembered before a search has come back so often that it pays, and nothing from
//! search to search, so that nodes are counted alike whatever was searched before.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use deepen::table::{Indexed, Table};
use deepen::{Cost, Heuristic, Visitor};

use super::cycle::{Cycle, Parent};
use super::glue::{Glued, Key};
use super::shelf::{Shelf, Shelves, Swap};
use super::table::Orders;
use crate::tables::{LazyTable, PuzzleTable};

/// How many books the table's orders have.
pub(super) const IN_SMALL_TABLE: u8 = 8;

/// From so many failures on it pays to remember, and to have the table.
const PAYS_AFTER: u64 = 200;

/// The bound of [`Cycle`], or a higher one that is known. For one search.
pub(super) struct Remembered<'a> {
    small: &'a LazyTable<Orders>,
    memory: Mutex<Memory<'a>>,
}

impl<'a> Remembered<'a> {
    /// Nothing is known yet; the table is made when it is needed.
    pub(super) fn new(small: &'a LazyTable<Orders>) -> Self {
        Remembered { small, memory: Mutex::default() }
    }

    fn memory(&self) -> MutexGuard<'_, Memory<'a>> {
        // What a thread that panicked has left is true all the same.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heuristic<Shelves> for Remembered<'_> {
    type Value = Cost;
    type Node = Parent;

    const RAISES: bool = true;
    const SELECTS: bool = true;
    const LEARNS: bool = true;

    fn root(&self, space: &Shelves, state: &Shelf) -> Cost {
        Cycle.root(space, state)
    }

    #[inline(always)]
    fn bound(&self, bound: Cost) -> Cost {
        bound
    }

    #[inline(always)]
    fn node(&self, space: &Shelves, state: &Shelf, bound: Cost) -> Parent {
        Cycle.node(space, state, bound)
    }

    #[inline(always)]
    fn selects(&self, parent: &Parent, left: Cost) -> bool {
        Cycle.selects(parent, left)
    }

    #[inline(always)]
    fn select<V: Visitor<Shelves>>(
        &self,
        space: &Shelves,
        state: &mut Shelf,
        parent: &Parent,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        Cycle.select(space, state, parent, visitor)
    }

    #[inline(always)]
    fn before(&self, space: &Shelves, state: &Shelf, parent: &Parent, swap: Swap) -> Cost {
        Cycle.before(space, state, parent, swap)
    }

    #[inline(always)]
    fn after(&self, space: &Shelves, state: &Shelf, _: &Parent, bound: Cost, _: Swap) -> Cost {
        let memory = self.memory();
        if memory.failures < PAYS_AFTER {
            return bound;
        }
        let glued = Glued::new(space.books, state);
        let known = if glued.number > IN_SMALL_TABLE {
            glued.key().map(|key| memory.least(key))
        } else if let Some(table) = memory.small {
            let order = glued.order(IN_SMALL_TABLE);
            table.distance(self.small.space.rank(&order), 0)
        } else {
            None
        };
        known.map_or(bound, |known| known.max(bound))
    }

    fn failed(&self, space: &Shelves, state: &Shelf, _: Cost, left: Cost) {
        let mut memory = self.memory();
        memory.failures += 1;
        if memory.failures < PAYS_AFTER {
            return;
        }
        if memory.failures == PAYS_AFTER {
            // (What cancels the table cancels the search.)
            memory.small = self.small.get().ok();
        }
        let glued = Glued::new(space.books, state);
        if glued.number > IN_SMALL_TABLE
            && let Some(key) = glued.key()
            && let Ok(least) = u8::try_from(left + 1)
        {
            memory.note(key, least);
        }
    }
}

/// What was found out.
#[derive(Default)]
struct Memory<'a> {
    /// How often the search came back without a solution.
    failures: u64,
    /// The distances of all orders of [`IN_SMALL_TABLE`] books, once it pays to have them.
    small: Option<&'a Table>,
    /// How many shelves are noted.
    taken: usize,
    /// The shelves, in buckets of a few.
    keys: Vec<Key>,
    /// By place of the key: how many moves are needed at least, or 0 if there is none.
    least: Vec<u8>,
}

/// How many shelves a bucket holds.
const BUCKET: usize = 4;

/// How many shelves there is room for at first.
const LEAST_ROOM: usize = 1 << 10;

/// And at the most: 17 MiB.
const MOST_ROOM: usize = 1 << 20;

impl Memory<'_> {
    /// The places of a key's bucket.
    #[inline(always)]
    fn bucket(&self, key: Key) -> std::ops::Range<usize> {
        // Odd numbers without a pattern, so that all bits of the key reach the upper ones.
        let (low, high) = (key as u64, (key >> 64) as u64);
        let mixed =
            low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32;
        let first = mixed as usize & (self.keys.len() - 1) & !(BUCKET - 1);
        first..first + BUCKET
    }

    /// How many moves a shelf is known to need at least.
    #[inline(always)]
    fn least(&self, key: Key) -> Cost {
        if self.keys.is_empty() {
            return 0;
        }
        let place = self.bucket(key).find(|&place| self.keys[place] == key);
        place.map_or(0, |place| self.least[place].into())
    }

    /// Notes that a shelf needs so many moves at least. When half the room is taken there is made
    /// more, as long as there may be; in a full bucket the shelf that spares least is forgotten.
    fn note(&mut self, key: Key, least: u8) {
        if 2 * self.taken >= self.keys.len() && self.keys.len() < MOST_ROOM {
            self.make_room((2 * self.keys.len()).max(LEAST_ROOM));
        }
        let bucket = self.bucket(key);
        let fits = |&place: &usize| self.keys[place] == key || self.least[place] == 0;
        let forgotten = || self.bucket(key).min_by_key(|&place| self.least[place]);
        let place = bucket.clone().find(fits).or_else(forgotten).unwrap_or(bucket.start);
        let known = if self.keys[place] == key { self.least[place] } else { 0 };
        self.taken += usize::from(self.least[place] == 0);
        self.keys[place] = key;
        self.least[place] = least.max(known);
    }

    fn make_room(&mut self, room: usize) {
        let keys = std::mem::replace(&mut self.keys, vec![0; room]);
        let least = std::mem::replace(&mut self.least, vec![0; room]);
        self.taken = 0;
        let known = keys.into_iter().zip(least).filter(|&(_, least)| least > 0);
        known.for_each(|(key, least)| self.note(key, least));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_known_but_for_what_had_to_be_forgotten_and_nothing_else_is() {
        let mut memory = Memory::default();
        // (Odd multiples, so that no two are equal.)
        let key = |number: u32| Key::from(number) * 0x1_0000_0000_0001_0001_0003 + 7;
        let least = |number: u32| (number % 40 + 1) as u8;
        let known = |memory: &Memory, numbers: u32| {
            let known = |&number: &u32| match memory.least(key(number)) {
                0 => false,
                known => {
                    assert_eq!(known, least(number).into());
                    true
                }
            };
            (0..numbers).filter(known).count()
        };
        assert_eq!(memory.least(key(0)), 0);
        (0..500).for_each(|number| memory.note(key(number), least(number)));
        assert!(known(&memory, 500) > 480);
        assert_eq!((0..500).filter(|&number| memory.least(key(number) + 1) > 0).count(), 0);
        (500..200_000).for_each(|number| memory.note(key(number), least(number)));
        assert!(known(&memory, 200_000) > 180_000);
        assert!(memory.keys.len() < MOST_ROOM);
        // A lower bound is no news.
        memory.note(key(200_000), 9);
        memory.note(key(200_000), 3);
        assert_eq!(memory.least(key(200_000)), 9);
        (0..2_000_000).for_each(|number| memory.note(key(number), least(number)));
        assert_eq!(memory.keys.len(), MOST_ROOM);
        assert!(known(&memory, 2_000_000) > MOST_ROOM * 9 / 10);
    }
}
