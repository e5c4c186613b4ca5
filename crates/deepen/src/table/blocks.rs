//! Building a table block by block, where whole blocks of states move alike.
//!
//! The states of a pattern database often fall into *blocks*: the cells that a few tiles stand on
//! make a block, and which tile stands on which of them numbers the states in it. A move then leads
//! from all states of a block into one other block, and permutes their numbers, in the same way for
//! all of them. So nothing has to be made from its number: a breadth-first search over [`Blocks`]
//! goes from block to block and keeps sets of states, a bit each. What a layer reaches in a block is
//! the union of the layers of its neighbours, permuted; where a move leaves the numbers as they are,
//! that is one instruction for 64 states.
//!
//! A set is permuted in whichever way is less work: by going through the states of the layer, or
//! through those that are not reached yet and asking for each whether the layer has it.
//!
//! The result is a table of one bit a state ([`Width::One`]), a fifth of what a plain search needs
//! while it is built.

use rayon::prelude::*;

use super::build::{BuildError, GREATEST, TableBuild};
use super::bytes::Bytes;
use super::entries::{Table, Width};

/// A space whose states fall into blocks of equally many. All moves cost 1, can be taken back, and
/// make an even distance odd.
pub trait Blocks: Sync {
    /// How many blocks there are.
    fn blocks(&self) -> usize;

    /// How many states a block has: at most 65,536.
    fn block_states(&self) -> usize;

    /// The permutations of the numbers of a block that moves make.
    fn permutations(&self) -> &[Vec<u16>];

    /// Tells of every move that leads out of a block, where it leads.
    fn for_each_neighbour(&self, block: usize, tell: impl FnMut(Neighbour));
}

/// A block to which a move leads from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// Its number.
    pub block: usize,
    /// How the move permutes the numbers, and how the move back does, as indices of
    /// [`Blocks::permutations`]; none if they stay as they are.
    pub permutations: Option<(usize, usize)>,
}

/// The number of a state in a table that was built block by block: each begins at a multiple of 64.
#[inline(always)]
pub const fn block_stride(states: usize) -> usize {
    states.next_multiple_of(WORD)
}

/// How many states a word holds.
const WORD: usize = u64::BITS as usize;

/// A set of states: bits by their numbers, block by block, and how many each block has.
struct Set {
    words: Vec<u64>,
    counts: Vec<u32>,
}

impl Set {
    fn new(blocks: usize, words: usize) -> Result<Self, BuildError> {
        let size = blocks * words;
        let mut empty = Vec::new();
        let memory = |_| BuildError::Memory(4 * 8 * size as u64);
        empty.try_reserve_exact(size).map_err(memory)?;
        empty.resize(size, 0);
        Ok(Set { words: empty, counts: vec![0; blocks] })
    }
}

/// What a layer does to one block.
struct Reaching<'a> {
    /// What the layer reaches in it.
    next: &'a mut [u64],
    next_count: &'a mut u32,
    /// What was reached before,
    reached: &'a mut [u64],
    reached_count: &'a mut u32,
    /// and the entries.
    entries: &'a mut [u64],
}

impl TableBuild<'_> {
    /// Builds the table of the distances to `goals`, each a block and a number in it, with the
    /// threads of the current rayon pool. The entry of a state is at its block times
    /// [`block_stride`] plus its number in the block. The direction does not matter.
    ///
    /// # Errors
    ///
    /// See [`BuildError`].
    pub fn build_blocks(
        mut self,
        space: &impl Blocks,
        goals: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Table, BuildError> {
        let (blocks, states) = (space.blocks(), space.block_states());
        let words = states.div_ceil(WORD);
        let set = || Set::new(blocks, words);
        let (mut layer, mut next, mut reached) = (set()?, set()?, set()?);
        let mut entries = set()?.words;
        let size = (blocks * words * WORD) as u64;
        for (block, state) in goals {
            for set in [&mut layer, &mut reached] {
                let word = &mut set.words[block * words + state / WORD];
                set.counts[block] += u32::from(*word >> (state % WORD) & 1 == 0);
                *word |= 1 << (state % WORD);
            }
        }
        let mut census = vec![layer.counts.iter().map(|&count| u64::from(count)).sum::<u64>()];
        let mut done = 0;
        while let Some(&found) = census.last()
            && found > 0
        {
            if census.len() > usize::from(GREATEST) + 1 {
                return Err(BuildError::TooFar);
            }
            done += found;
            if let Some(progress) = &mut self.progress {
                progress(done, size);
            }
            let bit = census.len() & 2 != 0;
            let found = next
                .words
                .par_chunks_mut(words)
                .zip(&mut next.counts)
                .zip(reached.words.par_chunks_mut(words).zip(&mut reached.counts))
                .zip(entries.par_chunks_mut(words))
                .enumerate()
                .map(|(block, (((next, next_count), (reached, reached_count)), entries))| {
                    if self.cancel.is_cancelled() {
                        return Err(BuildError::Cancelled);
                    }
                    let mut reaching =
                        Reaching { next, next_count, reached, reached_count, entries };
                    Ok(reaching.reach(space, &layer, block, bit))
                })
                .try_reduce(|| 0, |a, b| Ok(a + b))?;
            census.push(found);
            std::mem::swap(&mut layer, &mut next);
        }
        census.pop();
        drop((layer, next, reached));
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(entries.len() * 8).map_err(|_| BuildError::Memory(size / 8))?;
        bytes.extend(entries.iter().flat_map(|word| word.to_le_bytes()));
        Ok(Table::of(Width::One, size, Bytes::new(bytes), census))
    }
}

impl Reaching<'_> {
    /// Reaches from the layer what is new in a block; how many that are.
    fn reach(&mut self, space: &impl Blocks, layer: &Set, block: usize, bit: bool) -> u64 {
        let words = self.next.len();
        if *self.next_count > 0 {
            self.next.fill(0);
            *self.next_count = 0;
        }
        let missing = space.block_states() as u32 - *self.reached_count;
        if missing == 0 {
            return 0;
        }
        let mut any = false;
        space.for_each_neighbour(block, |neighbour| {
            let count = layer.counts[neighbour.block];
            if count == 0 {
                return;
            }
            any = true;
            let from = &layer.words[neighbour.block * words..][..words];
            match neighbour.permutations {
                None => {
                    self.next.iter_mut().zip(from).for_each(|(next, from)| *next |= from);
                }
                Some((_, back)) if count <= missing => {
                    scatter(self.next, from, &space.permutations()[back]);
                }
                Some((to, _)) => {
                    gather(self.next, self.reached, from, &space.permutations()[to]);
                }
            }
        });
        if !any {
            return 0;
        }
        let mut found = 0;
        let places = self.next.iter_mut().zip(&mut *self.reached).zip(&mut *self.entries);
        for ((next, reached), entries) in places {
            *next &= !*reached;
            *reached |= *next;
            *entries |= if bit { *next } else { 0 };
            found += next.count_ones();
        }
        *self.next_count = found;
        *self.reached_count += found;
        found.into()
    }
}

/// Adds each state of `from`, permuted.
fn scatter(next: &mut [u64], from: &[u64], permutation: &[u16]) {
    for (word, states) in from.iter().enumerate() {
        let mut states = *states;
        while states != 0 {
            let state = permutation[word * WORD + states.trailing_zeros() as usize];
            next[usize::from(state) / WORD] |= 1 << (usize::from(state) % WORD);
            states &= states - 1;
        }
    }
}

/// Adds each state that is not reached yet and that, permuted, `from` has.
fn gather(next: &mut [u64], reached: &[u64], from: &[u64], permutation: &[u16]) {
    let permutations = permutation.chunks(WORD);
    for ((next, reached), permutation) in next.iter_mut().zip(reached).zip(permutations) {
        // What is past the end of a block is never reached.
        let all = u64::MAX >> (WORD - permutation.len());
        let mut states = all & !(*reached | *next);
        while states != 0 {
            let place = states.trailing_zeros();
            let state = usize::from(permutation[place as usize]);
            *next |= (from[state / WORD] >> (state % WORD) & 1) << place;
            states &= states - 1;
        }
    }
}
