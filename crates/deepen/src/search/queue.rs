//! A queue of states in buckets, the least bucket first.
//!
//! A bucket is a stack of state numbers in small chunks, which are given back as they empty. A
//! state that is reached again at less cost is simply queued again: whoever takes a state out
//! knows from its present cost whether the entry is out of date.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::store::{Full, Memory, bytes_of};

/// Numbers of states in buckets by `K`.
#[derive(Debug)]
pub(crate) struct Queue<K> {
    /// Never empty ones.
    buckets: BTreeMap<K, Bucket>,
    len: u64,
}

#[derive(Debug)]
struct Bucket {
    /// All but the last are full.
    chunks: Vec<Vec<u32>>,
}

/// How many numbers a bucket's first chunk holds, and each of the others.
const CHUNKS: [usize; 2] = [16, 1 << 10];

/// What a bucket takes beside its chunks, the nodes of the tree included.
const BUCKET_BYTES: usize = 96;

impl<K: Ord + Copy> Queue<K> {
    pub(crate) fn new() -> Self {
        Queue { buckets: BTreeMap::new(), len: 0 }
    }

    /// How many entries there are, those that are out of date included.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn push(&mut self, at: K, number: u32, memory: &mut Memory) -> Result<(), Full> {
        let bucket = match self.buckets.entry(at) {
            Entry::Occupied(bucket) => bucket.into_mut(),
            Entry::Vacant(vacant) => {
                memory.take(BUCKET_BYTES)?;
                vacant.insert(Bucket { chunks: Vec::new() })
            }
        };
        if bucket.chunks.last().is_none_or(|chunk| chunk.len() == chunk.capacity()) {
            let mut chunk = Vec::new();
            memory.grow(&mut chunk, CHUNKS[usize::from(!bucket.chunks.is_empty())])?;
            memory.push(&mut bucket.chunks, chunk)?;
        }
        if let Some(chunk) = bucket.chunks.last_mut() {
            chunk.push(number);
            self.len += 1;
        }
        Ok(())
    }

    /// The last entry of the least bucket.
    pub(crate) fn peek(&self) -> Option<(K, u32)> {
        let (&at, bucket) = self.buckets.first_key_value()?;
        Some((at, *bucket.chunks.last()?.last()?))
    }

    /// Takes that entry out.
    pub(crate) fn pop(&mut self, memory: &mut Memory) -> Option<(K, u32)> {
        let mut first = self.buckets.first_entry()?;
        let at = *first.key();
        let chunks = &mut first.get_mut().chunks;
        let chunk = chunks.last_mut()?;
        let number = chunk.pop()?;
        self.len -= 1;
        if chunk.is_empty() {
            memory.give(bytes_of(chunk));
            chunks.pop();
            if chunks.is_empty() {
                memory.give(bytes_of(chunks) + BUCKET_BYTES);
                first.remove();
            }
        }
        Some((at, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_by_bucket_and_all_memory_comes_back() {
        let mut memory = Memory::new(u64::MAX);
        let mut queue = Queue::new();
        for number in 0..10_000 {
            queue.push(number % 3, number, &mut memory).unwrap();
        }
        let mut last = 0;
        let mut seen = vec![false; 10_000];
        while let Some(entry) = queue.peek() {
            assert_eq!(queue.pop(&mut memory), Some(entry));
            let (at, number) = entry;
            assert!(at >= last && number % 3 == at);
            assert!(!std::mem::replace(&mut seen[number as usize], true));
            last = at;
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(queue.len(), 0);
        let all = memory.peak();
        assert!(all >= 40_000);
        assert!(memory.take(usize::MAX).is_ok(), "nothing is taken any more");
    }
}
