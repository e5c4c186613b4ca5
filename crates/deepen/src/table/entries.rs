//! The entries of a table, packed in 1, 2, 4 or 8 bits.
//!
//! Eight bits hold any distance up to 253, four bits up to 14. Two bits hold the distance modulo
//! 3: as neighbours differ by at most one, the distance of a state follows from that of its
//! neighbour, and a search always comes from a neighbour (Cooperman and Finkelstein 1992). Where
//! every move changes the distance, one bit is enough: of the neighbour's distance plus and minus
//! one, just one is 2 or 3 modulo 4 (Breyer and Korf 2010).

use std::fmt;
use std::sync::atomic::AtomicU8;

use rayon::prelude::*;

use super::bytes::Bytes;
use super::prefetch::prefetch;
use crate::space::Cost;

/// How an entry is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Whether the distance is 2 or 3 modulo 4; for spaces in which all moves cost 1, can be taken
    /// back, and change the distance. It is not told what can't be reached.
    One,
    /// The distance modulo 3; for spaces in which all moves cost 1 and can be taken back.
    Two,
    /// Distances up to 14.
    Four,
    /// Distances up to 253.
    Eight,
}

impl Width {
    /// In bits.
    pub const fn bits(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// The width of so many bits.
    pub fn from_bits(bits: usize) -> Option<Self> {
        let widths = [Width::One, Width::Two, Width::Four, Width::Eight];
        widths.into_iter().find(|width| width.bits() == bits)
    }

    /// How many bytes so many entries take.
    pub const fn bytes(self, entries: u64) -> u64 {
        entries.div_ceil(8 / self.bits() as u64)
    }
}

/// The mark of a state from which no goal can be reached, in eight bits; in four or two, all bits
/// set. One bit leaves no room for it.
pub(super) const UNREACHED: u8 = u8::MAX;

/// The distance of every state of an indexed space to its nearest goal.
pub struct Table {
    width: Width,
    entries: u64,
    data: Bytes,
    census: Vec<u64>,
}

/// Equal are tables of the same distances in the same width, wherever they are kept.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.entries, &self.census) == (other.width, other.entries, &other.census)
            && self.bytes() == other.bytes()
    }
}

impl Eq for Table {}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table { width, entries, census, .. } = self;
        let mut table = f.debug_struct("Table");
        table.field("width", width).field("entries", entries).field("census", census);
        table.finish_non_exhaustive()
    }
}

/// How many entries of a byte are counted or packed at a time: whole bytes in any width.
const CHUNK: usize = 1 << 16;

impl Table {
    /// The table of these distances, a byte each.
    pub(super) fn new(entries: Vec<AtomicU8>) -> Self {
        // (In place: the two have the same layout.)
        let bytes: Vec<u8> = entries.into_iter().map(AtomicU8::into_inner).collect();
        let counts = bytes.par_chunks(CHUNK).map(|chunk| {
            let mut counts = [0_u64; 256];
            for &distance in chunk {
                counts[usize::from(distance)] += 1;
            }
            counts
        });
        let add = |a: [u64; 256], b: [u64; 256]| std::array::from_fn(|index| a[index] + b[index]);
        let counts = counts.reduce(|| [0; 256], add);
        let greatest = counts[..usize::from(UNREACHED)].iter().rposition(|&count| count > 0);
        let census = counts[..greatest.map_or(0, |greatest| greatest + 1)].to_vec();
        Self::of(Width::Eight, bytes.len() as u64, Bytes::in_place(bytes), census)
    }

    /// A table of these parts, which must fit together.
    pub(super) fn of(width: Width, entries: u64, data: Bytes, census: Vec<u64>) -> Self {
        debug_assert_eq!(data.len() as u64, width.bytes(entries));
        Table { width, entries, data, census }
    }

    /// The same table in another width; `None` if the distances don't fit or are not known any
    /// more.
    ///
    /// [`Width::Two`] is right only in a space in which all moves cost 1 and can be taken back:
    /// where distances of neighbours may differ by more than 1, they can't be told from their
    /// remainders. [`Width::One`] is right if, besides, no two neighbours are at the same distance;
    /// what can't be reached then reads as if it could.
    pub fn packed(&self, width: Width) -> Option<Self> {
        let fits = match width {
            Width::Four => self.census.len() <= 15,
            Width::One | Width::Two | Width::Eight => true,
        };
        if self.width != Width::Eight || !fits {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(width.bytes(self.entries)).ok()?];
        let entries = self.bytes().par_chunks(CHUNK);
        let chunks = bytes.par_chunks_mut(CHUNK / 8 * width.bits()).zip(entries);
        chunks.for_each(|(packed, entries)| match width {
            Width::Eight => packed.copy_from_slice(entries),
            Width::Four => pack::<2>(packed, entries, &codes(15, |distance| distance)),
            Width::Two => pack::<4>(packed, entries, &codes(3, |distance| distance % 3)),
            Width::One => pack::<8>(packed, entries, &codes(0, |distance| distance >> 1 & 1)),
        });
        Some(Self::of(width, self.entries, Bytes::in_place(bytes), self.census.clone()))
    }

    /// How many states there are at each distance, from 0 to the greatest.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How an entry is stored.
    pub fn width(&self) -> Width {
        self.width
    }

    /// How much memory the entries take, in bytes.
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The entries as they are stored.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// How many subtrees to advance in turn ([`Heuristic::lanes`](crate::Heuristic::lanes)) for a
    /// search whose every child is looked up here.
    pub fn lanes(&self) -> usize {
        if self.size() > CACHED { LANES } else { 1 }
    }

    /// The entries, to be looked up.
    #[inline(always)]
    pub fn distances(&self) -> Distances<'_> {
        Distances { width: self.width, bytes: self.bytes() }
    }

    /// The distance at `rank`: see [`Distances::at`]. Who looks up much keeps
    /// [`distances`](Table::distances).
    ///
    /// # Panics
    ///
    /// As [`Distances::at`].
    #[inline(always)]
    pub fn distance(&self, rank: u64, near: Cost) -> Option<Cost> {
        self.distances().at(rank, near)
    }
}

/// From how many bytes on a table is too large for the caches, so that most look-ups miss them.
const CACHED: usize = 32 << 20;

/// How many subtrees a search should advance in turn to look up in a large table.
const LANES: usize = 8;

/// How each distance is written; what is not reached as `unreached`.
fn codes(unreached: u8, code: impl Fn(u8) -> u8) -> [u8; 256] {
    let mut codes = std::array::from_fn(|distance| code(distance as u8));
    codes[usize::from(UNREACHED)] = unreached;
    codes
}

/// Writes so many entries into each byte, the first lowest.
fn pack<const ENTRIES: usize>(packed: &mut [u8], entries: &[u8], codes: &[u8; 256]) {
    let byte = |entries: &[u8]| {
        entries.iter().rev().fold(0, |byte: u8, &distance| {
            byte.wrapping_shl(8 / ENTRIES as u32) | codes[usize::from(distance)]
        })
    };
    for (packed, entries) in packed.iter_mut().zip(entries.chunks(ENTRIES)) {
        *packed = byte(entries);
    }
}

/// The entries of a [`Table`].
#[derive(Debug, Clone, Copy)]
pub struct Distances<'a> {
    width: Width,
    bytes: &'a [u8],
}

impl Distances<'_> {
    /// The distance at `rank`; `None` if no goal can be reached from there. `near` is the distance
    /// of a neighbour; it matters in two bits and one alone.
    ///
    /// # Panics
    ///
    /// If `rank` is not less than the number of entries, or so near to it that it is past the
    /// last byte.
    #[inline(always)]
    pub fn at(self, rank: u64, near: Cost) -> Option<Cost> {
        match self.width {
            Width::Eight => {
                let entry = self.bytes[rank as usize];
                (entry != UNREACHED).then_some(Cost::from(entry))
            }
            Width::Four => {
                let entry = self.bytes[rank as usize / 2] >> (rank % 2 * 4) & 15;
                (entry != 15).then_some(Cost::from(entry))
            }
            Width::Two => {
                let entry = self.remainder(rank);
                // near - 1, near or near + 1, whichever has this remainder.
                (entry != 3).then(|| near + 1 - (near + 4 - entry) % 3)
            }
            Width::One => Some(one_from(near, self.bit(rank))),
        }
    }

    /// The entry of one bit at `rank`: whether the distance is 2 or 3 modulo 4. Who looks up much
    /// in such a table knows its width, and asks for the bit alone.
    ///
    /// # Panics
    ///
    /// If `rank` is past the last byte.
    #[inline(always)]
    pub fn bit(self, rank: u64) -> bool {
        self.bytes[rank as usize / 8] >> (rank % 8) & 1 != 0
    }

    /// Has the entry at `rank` brought near, for [`at`](Distances::at) not to wait for it.
    #[inline(always)]
    pub fn prefetch(self, rank: u64) {
        let entries = 8 / self.width.bits() as u64;
        prefetch(self.bytes, (rank / entries) as usize);
    }

    /// The same of an entry that is known to be of one bit.
    #[inline(always)]
    pub fn prefetch_bit(self, rank: u64) {
        prefetch(self.bytes, rank as usize / 8);
    }

    /// The entry of two bits at `rank`: the distance modulo 3, or 3.
    #[inline(always)]
    pub(super) fn remainder(self, rank: u64) -> Cost {
        Cost::from(self.bytes[rank as usize / 4] >> (rank % 4 * 2) & 3)
    }
}

/// The distance of a neighbour of a state at `near`, in one bit: near + 1, or near - 1.
#[inline(always)]
fn one_from(near: Cost, bit: bool) -> Cost {
    let further = near + 1;
    if (further & 2 != 0) == bit { further } else { near.wrapping_sub(1) }
}
