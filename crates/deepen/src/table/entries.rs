//! The entries of a table, packed in 2, 4 or 8 bits.
//!
//! Eight bits hold any distance up to 253, four bits up to 14. Two bits hold the distance modulo
//! 3: as neighbours differ by at most one, the distance of a state follows from that of its
//! neighbour, and a search always comes from a neighbour (Cooperman and Finkelstein 1992).

use std::sync::atomic::AtomicU8;

use crate::space::Cost;

/// How an entry is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
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
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// The width of so many bits.
    pub fn from_bits(bits: usize) -> Option<Self> {
        [Width::Two, Width::Four, Width::Eight].into_iter().find(|width| width.bits() == bits)
    }

    /// How many bytes so many entries take.
    pub const fn bytes(self, entries: u64) -> u64 {
        entries.div_ceil(8 / self.bits() as u64)
    }
}

/// The mark of a state from which no goal can be reached, in eight bits; in fewer, all bits set.
pub(super) const UNREACHED: u8 = u8::MAX;

/// The distance of every state of an indexed space to its nearest goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    width: Width,
    entries: u64,
    bytes: Vec<u8>,
    census: Vec<u64>,
}

impl Table {
    pub(super) fn new(entries: Vec<AtomicU8>) -> Self {
        // (In place: the two have the same layout.)
        let bytes: Vec<u8> = entries.into_iter().map(AtomicU8::into_inner).collect();
        let mut counts = [0; 256];
        for &distance in &bytes {
            counts[usize::from(distance)] += 1;
        }
        let greatest = counts[..usize::from(UNREACHED)].iter().rposition(|&count| count > 0);
        let census = counts[..greatest.map_or(0, |greatest| greatest + 1)].to_vec();
        Table { width: Width::Eight, entries: bytes.len() as u64, bytes, census }
    }

    /// The same table in another width; `None` if the distances don't fit or are not known any
    /// more.
    pub fn packed(&self, width: Width) -> Option<Self> {
        let fits = match width {
            Width::Four => self.census.len() <= 15,
            Width::Two | Width::Eight => true,
        };
        if self.width != Width::Eight || !fits {
            return None;
        }
        let code = |distance: u8| match (width, distance) {
            (Width::Four, UNREACHED) => 15,
            (Width::Two, UNREACHED) => 3,
            (Width::Two, distance) => distance % 3,
            (Width::Four | Width::Eight, distance) => distance,
        };
        let pack = |entries: &[u8]| {
            entries.iter().rev().fold(0, |byte: u8, &distance| {
                byte.checked_shl(width.bits() as u32).unwrap_or(0) | code(distance)
            })
        };
        let bytes = self.bytes.chunks(8 / width.bits()).map(pack).collect();
        Some(Table { width, entries: self.entries, bytes, census: self.census.clone() })
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
        self.bytes.len()
    }

    /// The distance at `rank`; `None` if no goal can be reached from there. `near` is the distance
    /// of a neighbour; it matters in two bits alone.
    ///
    /// # Panics
    ///
    /// If `rank` is not less than the number of entries, or so near to it that it is past the
    /// last byte.
    #[inline(always)]
    pub fn distance(&self, rank: u64, near: Cost) -> Option<Cost> {
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
        }
    }

    /// The entry of two bits at `rank`: the distance modulo 3, or 3.
    #[inline(always)]
    pub(super) fn remainder(&self, rank: u64) -> Cost {
        Cost::from(self.bytes[rank as usize / 4] >> (rank % 4 * 2) & 3)
    }
}
