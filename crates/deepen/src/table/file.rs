//! A table as a file.
//!
//! The file begins with a header that says what it is: a magic number, the version of the format,
//! the *definition* (in words, what the table is a table of), the width and number of the entries,
//! the census, and a checksum of the entries; then zeros, and a checksum of the header itself up to
//! the beginning of a page. There the entries begin. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0–15 | `deepen table`, carriage return, line feed, 26, line feed |
//! | 16–19 | version |
//! | 20–23 | length of the header, a multiple of 4096 |
//! | 24–27 | width of an entry in bits |
//! | 28–31 | length of the definition |
//! | 32–35 | length of the census |
//! | 36–39 | 0 |
//! | 40–47 | number of entries |
//! | 48–55 | length of the entries in bytes |
//! | 56–63 | checksum of the entries |
//! | 64–… | the definition in UTF-8, the census in eight bytes a number, zeros |
//! | last 8 | checksum of the header before |
//!
//! Checksums are XXH3 in 64 bits. Whoever opens a file checks all of it before a single distance is
//! believed, which takes a millisecond for some ten megabytes; the entries are then mapped into
//! memory, not copied.

use std::fs::File;
use std::io::{self, Read, Write};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::bytes::Bytes;
use super::entries::{Table, Width};

/// What a table file begins with. As in a PNG file, a line end in either fashion that something on
/// the way translated, is noticed.
const MAGIC: &[u8; 16] = b"deepen table\r\n\x1a\n";
/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// How long the part of the header is that is the same in every file.
const FIXED: usize = 64;
/// The entries begin at a multiple of this, so that they can be mapped by themselves.
const PAGE: usize = 4096;
/// The longest header that can be.
const LONGEST: usize = 1 << 20;

/// What is wrong with a table file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Something else.
    #[error("is not a table")]
    Foreign,
    /// A table, but in another format.
    #[error("has version {found} of the format, and this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// It ends too early.
    #[error("is cut off: it has {found} bytes and should have at least {expected}")]
    Truncated {
        /// How many bytes there are.
        found: u64,
        /// How many there should be, as far as the file tells.
        expected: u64,
    },
    /// Its contents are not what was once written.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// A table of something else.
    #[error("is a table of `{found}`, not of `{expected}`")]
    Definition {
        /// What it is a table of.
        found: String,
        /// What it should be a table of.
        expected: String,
    },
}

/// Why a file can't be used.
#[derive(Debug)]
pub(super) enum Unusable {
    Fault(Fault),
    Io(io::Error),
}

impl From<Fault> for Unusable {
    fn from(fault: Fault) -> Self {
        Unusable::Fault(fault)
    }
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        Unusable::Io(error)
    }
}

/// What the header of a table file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What it is a table of.
    pub definition: String,
    /// How an entry is stored.
    pub width: Width,
    /// How many entries there are.
    pub entries: u64,
    /// How many states there are at each distance, from 0 to the greatest.
    pub census: Vec<u64>,
    /// The checksum of the entries.
    checksum: u64,
    /// Where the entries begin.
    offset: usize,
}

impl Header {
    /// How long the file is.
    pub fn file_length(&self) -> u64 {
        self.offset as u64 + self.width.bytes(self.entries)
    }

    fn of(table: &Table, definition: &str) -> Self {
        let length = FIXED + definition.len() + 8 * table.census().len() + 8;
        Header {
            definition: definition.into(),
            width: table.width(),
            entries: table.entries(),
            census: table.census().to_vec(),
            checksum: xxh3_64(table.bytes()),
            offset: length.next_multiple_of(PAGE),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(number(self.offset));
        bytes.extend(number(self.width.bits()));
        bytes.extend(number(self.definition.len()));
        bytes.extend(number(self.census.len()));
        bytes.extend([0; 4]);
        bytes.extend(self.entries.to_le_bytes());
        bytes.extend(self.width.bytes(self.entries).to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend(self.definition.as_bytes());
        self.census.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.resize(self.offset - 8, 0);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header of a file of that length.
    pub(super) fn read(file: &mut impl Read, length: u64) -> Result<Self, Unusable> {
        let truncated =
            |expected: usize| Fault::Truncated { found: length, expected: expected as u64 };
        let mut bytes = Vec::new();
        file.take(FIXED as u64).read_to_end(&mut bytes)?;
        let begun = bytes.len().min(MAGIC.len());
        if bytes[..begun] != MAGIC[..begun] {
            return Err(Fault::Foreign.into());
        }
        if bytes.len() < FIXED {
            return Err(truncated(FIXED).into());
        }
        let version = short(&bytes, 16);
        if version != VERSION {
            return Err(Fault::Version { found: version }.into());
        }
        let offset = short(&bytes, 20) as usize;
        let damaged = || Fault::Damaged("its header does not match its checksum");
        if !(PAGE..=LONGEST).contains(&offset) || !offset.is_multiple_of(PAGE) {
            return Err(damaged().into());
        }
        file.take((offset - FIXED) as u64).read_to_end(&mut bytes)?;
        if bytes.len() < offset {
            return Err(truncated(offset).into());
        }
        if long(&bytes, offset - 8) != xxh3_64(&bytes[..offset - 8]) {
            return Err(damaged().into());
        }
        // What follows is as it was written; still nothing here trusts it blindly.
        Self::parse(&bytes).ok_or(Fault::Damaged("its header makes no sense").into())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let width = Width::from_bits(short(bytes, 24) as usize)?;
        let counts = FIXED.checked_add(short(bytes, 28) as usize)?;
        let end = counts.checked_add(8_usize.checked_mul(short(bytes, 32) as usize)?)?;
        let entries = long(bytes, 40);
        let header = Header {
            definition: str::from_utf8(bytes.get(FIXED..counts)?).ok()?.into(),
            width,
            entries,
            census: bytes.get(counts..end)?.chunks_exact(8).map(|count| long(count, 0)).collect(),
            checksum: long(bytes, 56),
            offset: bytes.len(),
        };
        (end <= bytes.len() - 8 && long(bytes, 48) == width.bytes(entries)).then_some(header)
    }
}

/// The number in the four bytes from `at` on.
fn short(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The number in the eight bytes from `at` on.
fn long(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Writes a table, and waits until it is on the disk.
pub(super) fn write(file: &mut File, table: &Table, definition: &str) -> io::Result<()> {
    let header = Header::of(table, definition);
    if header.offset > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the definition is too long"));
    }
    file.write_all(&header.to_bytes())?;
    file.write_all(table.bytes())?;
    file.sync_all()
}

/// Opens a table of that definition, or of any, and checks all of it.
pub(super) fn open(mut file: File, definition: Option<&str>) -> Result<Table, Unusable> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Fault::Foreign.into());
    }
    let found = metadata.len();
    let header = Header::read(&mut file, found)?;
    if let Some(expected) = definition.filter(|&expected| expected != header.definition) {
        let expected = expected.into();
        return Err(Fault::Definition { found: header.definition, expected }.into());
    }
    let expected = header.file_length();
    if found < expected {
        return Err(Fault::Truncated { found, expected }.into());
    }
    let map = map(&file)?;
    if map.len() as u64 != expected {
        return Err(Fault::Damaged("there is more than there should be").into());
    }
    if xxh3_64(&map[header.offset..]) != header.checksum {
        return Err(Fault::Damaged("its entries do not match their checksum").into());
    }
    let Header { width, entries, census, offset, .. } = header;
    Ok(Table::of(width, entries, Bytes::of_file(map, offset), census))
}

/// Maps a file into memory.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The bytes must not change while they are mapped. Table files are never changed: they
    // are written under another name, and then only renamed or removed, which leaves the mapped
    // bytes alone. (Whoever overwrites or cuts off the file of a running program by other means
    // may crash it, as they may by overwriting the program itself. No other unsafe code relies on
    // what the bytes say.)
    unsafe { Mmap::map(file) }
}
