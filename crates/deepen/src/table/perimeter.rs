//! A perimeter: all states near the goals, with their exact distances (Manzini 1995; Dillenburg
//! and Nelson 1994).
//!
//! Where moves can be taken back, a search from the goals finds every state within a radius. A
//! search from the start then ends as soon as it meets one of them, and cuts a state that is none
//! of them as being further: it goes less deep by the radius, while the number of its states grows
//! with the depth as a power. Few puzzles gain nothing from some thousand stored states.
//!
//! The states are kept as keys of a few bytes, each with its distance behind it, in a hash table
//! of open addresses: what is looked for is in one place of memory, or in the next. Nearly all
//! states that a search asks for are not there, so a third of the slots at least is left empty, and
//! most of these look-ups end at the first.
//!
//! The table as a whole is a heuristic, usually the second of a [`Max`](crate::heuristic::Max).

use std::fmt;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use crate::heuristic::Heuristic;
use crate::space::{Cost, Each, INFINITE, Packed, Reversible, Space};

/// The states within a radius of the goals.
pub struct Perimeter {
    radius: Cost,
    /// What is told of all other states.
    outside: Cost,
    census: Vec<u64>,
    slots: Slots,
}

/// How far a perimeter reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// All states up to that distance; 253 at the most.
    Radius(Cost),
    /// As far as the states take no more than so many bytes. (While it is built, a few times as
    /// many are needed.)
    Memory(u64),
}

/// The greatest radius.
const GREATEST: Cost = 253;

impl Perimeter {
    /// Finds the states near the goals of a space; `None` if the space says that its moves can't be
    /// taken back, or its goals not be listed.
    pub fn new<S: Reversible>(space: &S, reach: Reach) -> Option<Self> {
        let mut search = Search {
            space,
            slots: Slots::new(space.key_bytes()),
            key: vec![0; space.key_bytes().max(WORD)],
            waiting: vec![Vec::new()],
            outdated: false,
        };
        for goal in space.goals()? {
            search.find(&goal, 0);
        }
        let (most, memory) = match reach {
            Reach::Radius(radius) => (radius.min(GREATEST), u64::MAX),
            Reach::Memory(bytes) => (GREATEST, bytes),
        };
        let fits = |states: u64| Slots::memory(space.key_bytes(), states) <= memory;
        let mut census = Vec::new();
        let outside = loop {
            let distance = census.len();
            match search.layer(distance) {
                // No other state is connected to a goal.
                None => break INFINITE,
                // The goals are kept whatever they take.
                Some(count) if distance > 0 && !fits(census.iter().sum::<u64>() + count) => {
                    break distance as Cost;
                }
                Some(count) => census.push(count),
            }
            if distance as Cost == most || !search.expand(distance, fits) {
                break distance as Cost + 1;
            }
        };
        Some(Self::of(census, outside, &search.slots))
    }

    /// Keeps of the found states those whose distances were counted.
    fn of(census: Vec<u64>, outside: Cost, found: &Slots) -> Self {
        let mut slots = Slots::with_room(found.key_bytes, census.iter().sum());
        found.for_each(|key, distance| {
            if usize::from(distance) < census.len() {
                slots.put(key, distance);
            }
        });
        let radius = (census.len() as Cost).saturating_sub(1);
        Perimeter { radius, outside, census, slots }
    }

    /// The greatest distance up to which all states are known.
    pub fn radius(&self) -> Cost {
        self.radius
    }

    /// How many states there are at each distance, from 0 to the radius.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// How much memory the states take, in bytes.
    pub fn size(&self) -> usize {
        self.slots.bytes.len() - WORD
    }

    /// The distance of a state within the radius; of any other a lower bound: one more than the
    /// radius, or [`INFINITE`] if the perimeter holds all states that are connected to the goals.
    #[inline(always)]
    pub fn distance<S: Packed>(&self, space: &S, state: &S::State) -> Cost {
        const LONGEST: usize = 128;
        let mut buffer = [0; LONGEST];
        let mut long = Vec::new();
        // At least as long as a word, whatever the key's length.
        let key = if self.slots.key_bytes <= LONGEST {
            &mut buffer[..self.slots.key_bytes.max(WORD)]
        } else {
            long.resize(self.slots.key_bytes, 0);
            &mut long[..]
        };
        space.pack(state, &mut key[..self.slots.key_bytes]);
        match self.slots.get(key) {
            EMPTY => self.outside,
            distance => distance.into(),
        }
    }
}

impl fmt::Debug for Perimeter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Perimeter { radius, outside, census, .. } = self;
        let mut perimeter = f.debug_struct("Perimeter");
        perimeter.field("radius", radius).field("outside", outside).field("census", census);
        perimeter.finish_non_exhaustive()
    }
}

impl<S: Packed> Heuristic<S> for Perimeter {
    type Value = Cost;
    type Node = ();

    const RAISES: bool = true;

    fn root(&self, space: &S, state: &S::State) -> Cost {
        self.distance(space, state)
    }

    #[inline(always)]
    fn bound(&self, value: Cost) -> Cost {
        value
    }

    #[inline(always)]
    fn node(&self, _: &S, _: &S::State, _: Cost) {}

    #[inline(always)]
    fn before(&self, _: &S, _: &S::State, (): &(), _: S::Move) -> Cost {
        0
    }

    #[inline(always)]
    fn after(&self, space: &S, state: &S::State, (): &(), _: Cost, _: S::Move) -> Cost {
        self.distance(space, state)
    }
}

/// The search from the goals: uniform-cost, a layer at a time.
struct Search<'a, S: Space> {
    space: &'a S,
    slots: Slots,
    key: Vec<u8>,
    /// By distance: the states found there.
    waiting: Vec<Vec<S::State>>,
    /// Whether some of them were found nearer meanwhile.
    outdated: bool,
}

impl<S: Reversible> Search<'_, S> {
    fn find(&mut self, state: &S::State, distance: Cost) {
        // What is further than any radius needs no exact distance.
        let distance = distance.min(GREATEST + 1);
        self.space.pack(state, &mut self.key[..self.slots.key_bytes]);
        let known = self.slots.lower(&self.key, distance as u8);
        if Cost::from(known) > distance {
            self.outdated |= known != EMPTY;
            let layer = distance as usize;
            if self.waiting.len() <= layer {
                self.waiting.resize_with(layer + 1, Vec::new);
            }
            self.waiting[layer].push(state.clone());
        }
    }

    /// How many states are at that distance, once all nearer ones are expanded; `None` if there
    /// are none there nor beyond.
    fn layer(&mut self, distance: usize) -> Option<u64> {
        if self.waiting.iter().skip(distance).all(Vec::is_empty) {
            return None;
        }
        let Search { space, slots, key, waiting, outdated } = self;
        let layer = waiting.get_mut(distance)?;
        if *outdated {
            layer.retain(|state| {
                space.pack(state, &mut key[..slots.key_bytes]);
                usize::from(slots.get(key)) == distance
            });
        }
        Some(layer.len() as u64)
    }

    /// Finds the children of the states at that distance; `false` as soon as what was found does
    /// not fit any more.
    fn expand(&mut self, distance: usize, fits: impl Fn(u64) -> bool) -> bool {
        let space = self.space;
        for mut state in std::mem::take(&mut self.waiting[distance]) {
            let mut each = Each(|state: &mut S::State, mv| {
                space.apply(state, mv);
                self.find(state, (distance as Cost).saturating_add(space.cost(mv)));
                space.undo(state, mv);
                ControlFlow::Continue(())
            });
            let _ = space.for_each_move(&mut state, &mut each);
            if !fits(self.slots.count) {
                return false;
            }
        }
        true
    }
}

/// A hash table of keys and distances.
///
/// Keys are handed over in at least eight bytes, those behind the key being 0, so that of short
/// keys, which most are, nothing but one number needs to be hashed and compared.
struct Slots {
    key_bytes: usize,
    /// How many slots are taken.
    count: u64,
    /// The slots: in each a key and its distance, or [`EMPTY`]. Behind the last is room for a word.
    bytes: Vec<u8>,
}

/// The distance in an empty slot.
const EMPTY: u8 = u8::MAX;

/// The length of a word in bytes.
const WORD: usize = size_of::<u64>();

impl Slots {
    fn new(key_bytes: usize) -> Self {
        Self::with_room(key_bytes, 16)
    }

    /// Slots for so many keys, a third at least left empty.
    fn with_room(key_bytes: usize, keys: u64) -> Self {
        let bytes = vec![EMPTY; Self::memory(key_bytes, keys) as usize + WORD];
        Slots { key_bytes, count: 0, bytes }
    }

    /// How many bytes it takes to hold so many keys.
    fn memory(key_bytes: usize, keys: u64) -> u64 {
        (key_bytes as u64 + 1) * (keys + keys.div_ceil(2) + 1)
    }

    fn stride(&self) -> usize {
        self.key_bytes + 1
    }

    /// The key's first bytes as a number.
    #[inline(always)]
    fn word(&self, key: &[u8]) -> u64 {
        let word = key.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
        match self.key_bytes {
            0 => 0,
            bytes @ ..WORD => word & (u64::MAX >> (64 - 8 * bytes)),
            _ => word,
        }
    }

    /// Where the slot is that holds a key, or would hold it.
    #[inline(always)]
    fn slot(&self, key: &[u8]) -> usize {
        /// An odd number without pattern: 2^64 divided by the golden ratio.
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let end = self.bytes.len() - WORD;
        let word = self.word(key);
        let hash = if self.key_bytes <= WORD {
            let product = u128::from(word ^ MIX) * u128::from(MIX);
            (product as u64 ^ (product >> 64) as u64).wrapping_mul(MIX)
        } else {
            xxh3_64(key)
        };
        let slots = (end / self.stride()) as u128;
        let mut at = ((u128::from(hash) * slots) >> 64) as usize * self.stride();
        loop {
            let slot = &self.bytes[at..];
            if slot[self.key_bytes] == EMPTY
                || self.word(slot) == word
                    && (self.key_bytes <= WORD
                        || slot[WORD..self.key_bytes] == key[WORD..self.key_bytes])
            {
                return at;
            }
            at += self.stride();
            if at == end {
                at = 0;
            }
        }
    }

    /// The distance of a key, or [`EMPTY`].
    #[inline(always)]
    fn get(&self, key: &[u8]) -> u8 {
        self.bytes[self.slot(key) + self.key_bytes]
    }

    /// Notes a distance of a key, if it is less than what was known; says what was known.
    fn lower(&mut self, key: &[u8], distance: u8) -> u8 {
        let at = self.slot(key);
        let known = self.bytes[at + self.key_bytes];
        if known > distance {
            self.put_at(at, key, distance);
            if Self::memory(self.key_bytes, self.count + 1) > (self.bytes.len() - WORD) as u64 {
                let room = Self::with_room(self.key_bytes, 2 * self.count);
                let full = std::mem::replace(self, room);
                full.for_each(|key, distance| self.put(key, distance));
            }
        }
        known
    }

    fn put(&mut self, key: &[u8], distance: u8) {
        self.put_at(self.slot(key), key, distance);
    }

    fn put_at(&mut self, at: usize, key: &[u8], distance: u8) {
        let slot = &mut self.bytes[at..][..=self.key_bytes];
        self.count += u64::from(slot[self.key_bytes] == EMPTY);
        slot[..self.key_bytes].copy_from_slice(&key[..self.key_bytes]);
        slot[self.key_bytes] = distance;
    }

    /// Shows all keys and their distances.
    fn for_each(&self, mut each: impl FnMut(&[u8], u8)) {
        let mut key = vec![0; self.key_bytes.max(WORD)];
        for slot in self.bytes[..self.bytes.len() - WORD].chunks_exact(self.stride()) {
            if slot[self.key_bytes] != EMPTY {
                key[..self.key_bytes].copy_from_slice(&slot[..self.key_bytes]);
                each(&key, slot[self.key_bytes]);
            }
        }
    }
}
