//! Counting positions by their distance from the solved state.
//!
//! Where all positions fit into a table, breadth-first search over the table counts them
//! ([`whole`]). Otherwise layers of sorted keys are kept, the last two at a time: since moves can
//! be taken back, a neighbour of a layer is in it, in the one before, or new. The neighbours of a
//! layer are many times as many as the new states, so they are made a share at a time: those whose
//! keys hash to the share's number, as many shares as the memory needs. Of the last layer that is
//! wanted only the number is kept.

use deepen::table::{BuildError, Direction, Indexed, TableBuild};
use deepen::{CancelToken, Cost, Packed, Stop};
use rayon::prelude::*;

use super::choose::whole;
use super::space::{State, Twists};
use crate::puzzle::Layers;

/// Counts the positions at distance 0, 1 and so on, to `last` if there is one, in so much memory.
pub(super) fn count(
    space: &Twists,
    name: &str,
    last: Option<Cost>,
    memory: u64,
    cancel: &CancelToken,
) -> Layers {
    let definition = match last {
        None => format!("{name}: all positions"),
        Some(last) => format!("{name}: positions to distance {last}"),
    };
    // (A byte an entry while the table is built.)
    let table = whole(space, memory.min(1 << 32));
    let counts = match table {
        Some(product) => {
            let build =
                TableBuild { direction: Direction::Both, cancel: cancel.clone(), progress: None };
            let goal = [[0; super::product::MOST]];
            debug_assert_eq!(product.rank(&goal[0]), 0);
            match build.build(&product, goal) {
                Ok(table) => Ok(table.census().to_vec()),
                Err(BuildError::Cancelled) => Err(Stop::Cancelled),
                Err(_) => Err(Stop::Memory),
            }
        }
        None => match space.key_bytes() {
            0..=8 => Layered::<1>::count(space, last, memory, cancel),
            9..=16 => Layered::<2>::count(space, last, memory, cancel),
            17..=32 => Layered::<4>::count(space, last, memory, cancel),
            33..=64 => Layered::<8>::count(space, last, memory, cancel),
            65..=128 => Layered::<16>::count(space, last, memory, cancel),
            _ => Layered::<64>::count(space, last, memory, cancel),
        },
    };
    let counts = counts.map(|mut counts| {
        counts.truncate(last.map_or(usize::MAX, |last| last as usize + 1));
        counts
    });
    Layers { definition, counts }
}

/// A key of some words.
type Key<const W: usize> = [u64; W];

struct Layered<'a, const W: usize> {
    space: &'a Twists,
    memory: u64,
    cancel: &'a CancelToken,
    before: Vec<Key<W>>,
    layer: Vec<Key<W>>,
}

/// How many states of a layer a thread takes at a time.
const CHUNK: usize = 1 << 12;

impl<'a, const W: usize> Layered<'a, W> {
    fn count(
        space: &'a Twists,
        last: Option<Cost>,
        memory: u64,
        cancel: &'a CancelToken,
    ) -> Result<Vec<u64>, Stop> {
        let solved: Key<W> = key(space, space.solved());
        let mut layers =
            Layered::<W> { space, memory, cancel, before: Vec::new(), layer: vec![solved] };
        let mut counts = vec![1];
        while !layers.layer.is_empty() && last.is_none_or(|last| counts.len() <= last as usize) {
            let is_last = last.is_some_and(|last| counts.len() == last as usize);
            match layers.next(is_last)? {
                0 => break,
                count => counts.push(count),
            }
        }
        Ok(counts)
    }

    /// Goes on to the next layer, or only counts it.
    fn next(&mut self, only_count: bool) -> Result<u64, Stop> {
        let bytes = |keys: usize| (keys * 8 * W) as u64;
        let kept = bytes(self.layer.len() + self.before.len());
        // A share is gathered in pieces and then put together.
        let all = 2 * bytes(self.layer.len()) * self.space.letters.len() as u64;
        let room = self.memory.saturating_sub(kept) / 2;
        if room < 1 << 20 {
            return Err(Stop::Memory);
        }
        let shares = all.div_ceil(room).max(1);
        let mut next: Vec<Key<W>> = Vec::new();
        let mut count = 0;
        for share in 0..shares {
            let fresh = self.share(share, shares)?;
            count += fresh.len() as u64;
            if !only_count {
                if bytes(next.len() + fresh.len()) > room {
                    return Err(Stop::Memory);
                }
                next.extend(fresh);
            }
        }
        if !only_count {
            next.par_sort_unstable();
            self.before = std::mem::replace(&mut self.layer, next);
        }
        Ok(count)
    }

    /// The new states whose keys belong to a share, in order.
    fn share(&self, share: u64, shares: u64) -> Result<Vec<Key<W>>, Stop> {
        let pieces = self.layer.par_chunks(CHUNK).map(|keys| {
            if self.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            let mut found = Vec::new();
            for key_of in keys {
                let state = &mut unpack(self.space, key_of);
                for turn in deepen::moves_of(self.space, state) {
                    deepen::Space::apply(self.space, state, turn);
                    let key = key(self.space, state);
                    deepen::Space::undo(self.space, state, turn);
                    if shares == 1 || hash(&key) % shares == share {
                        found.push(key);
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            Ok(found)
        });
        let pieces: Vec<Vec<Key<W>>> = pieces.collect::<Result<_, Stop>>()?;
        let mut keys = pieces.concat();
        keys.par_sort_unstable();
        keys.dedup();
        let known = |key: &Key<W>| {
            self.layer.binary_search(key).is_ok() || self.before.binary_search(key).is_ok()
        };
        keys.retain(|key| !known(key));
        Ok(keys)
    }
}

fn hash<const W: usize>(key: &Key<W>) -> u64 {
    key.iter().fold(0, |hash: u64, &word| {
        (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }) >> 32
}

fn key<const W: usize>(space: &Twists, state: &State) -> Key<W> {
    let mut bytes = [0; 512];
    space.pack(state, &mut bytes[..space.key_bytes()]);
    std::array::from_fn(|word| {
        let mut number = [0; 8];
        number.copy_from_slice(&bytes[8 * word..8 * word + 8]);
        u64::from_le_bytes(number)
    })
}

fn unpack<const W: usize>(space: &Twists, key: &Key<W>) -> State {
    let mut bytes = [0; 512];
    for (word, number) in key.iter().enumerate() {
        bytes[8 * word..8 * word + 8].copy_from_slice(&number.to_le_bytes());
    }
    space.unpack(&bytes[..space.key_bytes()])
}
