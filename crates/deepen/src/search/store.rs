//! Where searches keep states: a key of a few bytes each, found again by a hash index.
//!
//! States are numbered as they come. Their keys stand one after the other in chunks that never
//! move, and the index is a hash table of numbers alone, with a byte of the hash beside each
//! number. Whatever else a search wants to remember of a state is a [`Column`] by number. So a
//! state costs the bytes of its key, of its columns, and 5.7 to 11.4 bytes for the index.
//!
//! Every container asks the [`Memory`] before it grows. Growing never holds the old and the new
//! together, except for lists of chunks: chunks stay where they are, and the index is dropped
//! before the greater one is made, as it can be filled again from the keys.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// How much memory the containers of a search take, and may take.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: u64,
    used: u64,
    peak: u64,
}

/// There is no more memory.
#[derive(Debug)]
pub(crate) struct Full;

impl Memory {
    pub(crate) fn new(limit: u64) -> Self {
        Memory { limit, used: 0, peak: 0 }
    }

    /// The most that was taken at a time, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Takes so many bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Full> {
        let used = self.used.saturating_add(bytes as u64);
        if used > self.limit {
            return Err(Full);
        }
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(())
    }

    /// Gives them back.
    pub(crate) fn give(&mut self, bytes: usize) {
        self.used -= bytes as u64;
    }

    /// Lets a vector have room for `capacity` entries.
    pub(crate) fn grow<T>(&mut self, vector: &mut Vec<T>, capacity: usize) -> Result<(), Full> {
        let before = bytes_of(vector);
        self.take(capacity * size_of::<T>())?;
        vector.try_reserve_exact(capacity - vector.len()).map_err(|_| Full)?;
        self.give(before);
        Ok(())
    }

    /// Pushes on a vector, whose room grows twofold.
    pub(crate) fn push<T>(&mut self, vector: &mut Vec<T>, value: T) -> Result<(), Full> {
        if vector.len() == vector.capacity() {
            self.grow(vector, (2 * vector.len()).max(16))?;
        }
        vector.push(value);
        Ok(())
    }
}

/// What a vector takes, in bytes.
pub(crate) fn bytes_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// How many entries a chunk has, a power of two.
const CHUNK: usize = 1 << 10;

/// Something of each state, by its number.
#[derive(Debug)]
pub(crate) struct Column<T> {
    chunks: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub(crate) fn new() -> Self {
        Column { chunks: Vec::new() }
    }

    /// Adds that of the next state.
    pub(crate) fn push(&mut self, value: T, memory: &mut Memory) -> Result<(), Full> {
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            let mut chunk = Vec::new();
            memory.grow(&mut chunk, CHUNK)?;
            memory.push(&mut self.chunks, chunk)?;
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(value);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> T {
        self.chunks[number as usize / CHUNK][number as usize % CHUNK]
    }

    #[inline]
    pub(crate) fn set(&mut self, number: u32, value: T) {
        self.chunks[number as usize / CHUNK][number as usize % CHUNK] = value;
    }
}

/// The keys, one after the other.
#[derive(Debug)]
struct Keys {
    width: usize,
    chunks: Vec<Vec<u8>>,
    len: u32,
}

impl Keys {
    #[inline]
    fn get(&self, number: u32) -> &[u8] {
        let start = number as usize % CHUNK * self.width;
        &self.chunks[number as usize / CHUNK][start..start + self.width]
    }

    fn push(&mut self, key: &[u8], memory: &mut Memory) -> Result<u32, Full> {
        let number = self.len;
        if number == u32::MAX {
            return Err(Full);
        }
        if (number as usize).is_multiple_of(CHUNK) {
            let mut chunk = Vec::new();
            memory.grow(&mut chunk, CHUNK * self.width)?;
            memory.push(&mut self.chunks, chunk)?;
        }
        self.chunks[number as usize / CHUNK].extend_from_slice(key);
        self.len += 1;
        Ok(number)
    }
}

/// The stored states: at most 2^32 - 1.
#[derive(Debug)]
pub(crate) struct Store {
    keys: Keys,
    index: HashTable<u32>,
    /// The same in every run.
    hasher: FixedState,
}

impl Store {
    /// A store for keys of `width` bytes.
    pub(crate) fn new(width: usize) -> Self {
        let keys = Keys { width, chunks: Vec::new(), len: 0 };
        Store { keys, index: HashTable::new(), hasher: FixedState::with_seed(0) }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u32 {
        self.keys.len
    }

    /// The key of a state.
    #[inline]
    pub(crate) fn key(&self, number: u32) -> &[u8] {
        self.keys.get(number)
    }

    /// The number of the state with that key.
    #[inline]
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        let keys = &self.keys;
        self.index.find(hash(&self.hasher, key), |&number| keys.get(number) == key).copied()
    }

    /// Adds a state that is not stored yet.
    pub(crate) fn add(&mut self, key: &[u8], memory: &mut Memory) -> Result<u32, Full> {
        if self.index.len() == self.index.capacity() {
            self.grow_index(memory)?;
        }
        let number = self.keys.push(key, memory)?;
        self.enter(number);
        Ok(number)
    }

    /// Enters a state into the index, which has room for it.
    fn enter(&mut self, number: u32) {
        let (keys, hasher) = (&self.keys, &self.hasher);
        let hash_of = |&number: &u32| hash(hasher, keys.get(number));
        self.index.insert_unique(hash_of(&number), number, hash_of);
    }

    /// Makes room in the index.
    #[cold]
    fn grow_index(&mut self, memory: &mut Memory) -> Result<(), Full> {
        let mut buckets = 16;
        if self.index.capacity() > 0 {
            buckets = 2 * self.index.num_buckets();
            memory.give(index_bytes(self.index.num_buckets()));
            self.index = HashTable::new();
        }
        memory.take(index_bytes(buckets))?;
        let keys = &self.keys;
        let hasher = &self.hasher;
        self.index
            .try_reserve(buckets / 8 * 7, |&number| hash(hasher, keys.get(number)))
            .map_err(|_| Full)?;
        debug_assert!(self.index.allocation_size() <= index_bytes(buckets));
        (0..self.keys.len).for_each(|number| self.enter(number));
        Ok(())
    }
}

/// What an index of so many buckets takes at the most: a number and a byte of the hash each, and a
/// group of bytes more.
fn index_bytes(buckets: usize) -> usize {
    const GROUP: usize = 16;
    (buckets * size_of::<u32>()).next_multiple_of(GROUP) + buckets + GROUP
}

#[inline]
fn hash(hasher: &FixedState, key: &[u8]) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_by_their_keys_and_memory_is_what_the_containers_take() {
        for width in [1, 3, 8, 20] {
            let mut memory = Memory::new(u64::MAX);
            let mut store = Store::new(width);
            let mut column = Column::new();
            let count = if width == 1 { 256 } else { 40_000_u32 };
            let key = |number: u32| {
                let mut key = vec![0; width];
                let bytes = number.to_le_bytes();
                key.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
                key
            };
            for number in 0..count {
                assert_eq!(store.find(&key(number)), None);
                assert_eq!(store.add(&key(number), &mut memory).unwrap(), number);
                column.push(u64::from(number) * 3, &mut memory).unwrap();
            }
            for number in 0..count {
                assert_eq!(store.find(&key(number)), Some(number));
                assert_eq!(store.key(number), key(number));
                assert_eq!(column.get(number), u64::from(number) * 3);
            }
            let chunks: usize = store.keys.chunks.iter().map(bytes_of).sum();
            let entries: usize = column.chunks.iter().map(bytes_of).sum();
            let lists = bytes_of(&store.keys.chunks) + bytes_of(&column.chunks);
            let all = chunks + entries + lists + store.index.allocation_size();
            assert_eq!(memory.used, all as u64);
        }
    }

    #[test]
    fn a_full_memory_takes_no_more() {
        let mut memory = Memory::new(100);
        memory.take(60).unwrap();
        assert!(memory.take(41).is_err());
        memory.take(40).unwrap();
        memory.give(50);
        assert_eq!((memory.used, memory.peak()), (50, 100));
        let mut store = Store::new(8);
        assert!((0..100_u64).any(|key| store.add(&key.to_le_bytes(), &mut memory).is_err()));
    }
}
