//! Bytes that are looked up at random, kept where that is fast.

use std::fmt;
use std::ops::Deref;

use memmap2::Mmap;
#[cfg(target_os = "linux")]
use rayon::prelude::*;

/// Bytes that don't change, for look-ups at random: in huge pages of memory where there are such and
/// it pays. Whatever is looked up, its page is then nearly always known to the processor.
pub struct Bytes(Data);

/// Where the bytes are.
enum Data {
    Memory(Vec<u8>),
    /// Mapped into memory, from this offset on.
    Map(Mmap, usize),
}

/// So many bytes are worth huge pages.
const HUGE: usize = 1 << 22;
/// A file of so many bytes is worth copying into them.
const HUGE_FILE: usize = 1 << 28;

impl Bytes {
    /// These bytes; many are copied, with the threads of the current rayon pool.
    pub fn new(bytes: Vec<u8>) -> Self {
        Bytes(in_huge_pages(&bytes).map_or(Data::Memory(bytes), |map| Data::Map(map, 0)))
    }

    /// These bytes, where they are.
    pub(super) fn in_place(bytes: Vec<u8>) -> Self {
        Bytes(Data::Memory(bytes))
    }

    /// What a mapped file has from that offset on. If it is very large, a copy in huge pages, where
    /// there are such: processes then do not share it, but look-ups take half the time.
    pub(super) fn of_file(map: Mmap, offset: usize) -> Self {
        let bytes = &map[offset..];
        let copy = if bytes.len() < HUGE_FILE { None } else { in_huge_pages(bytes) };
        Bytes(copy.map_or(Data::Map(map, offset), |copy| Data::Map(copy, 0)))
    }
}

#[cfg(target_os = "linux")]
fn in_huge_pages(bytes: &[u8]) -> Option<Mmap> {
    if bytes.len() < HUGE {
        return None;
    }
    let mut map = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
    map.advise(memmap2::Advice::HugePage).ok()?;
    // (By all cores: the pages are cleared when they are first written to.)
    let copies = map.par_chunks_mut(HUGE).zip(bytes.par_chunks(HUGE));
    copies.for_each(|(to, from)| to.copy_from_slice(from));
    map.make_read_only().ok()
}

#[cfg(not(target_os = "linux"))]
fn in_huge_pages(_: &[u8]) -> Option<Mmap> {
    None
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Data::Memory(bytes) => bytes,
            Data::Map(map, offset) => &map[*offset..],
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_what_they_were_however_many() {
        for length in [0, 1, HUGE - 1, HUGE, HUGE + 4097] {
            let bytes: Vec<u8> = (0..length).map(|index| (index * 31 / 7) as u8).collect();
            assert_eq!(Bytes::new(bytes.clone())[..], bytes);
            assert_eq!(Bytes::in_place(bytes.clone())[..], bytes);
        }
    }
}
