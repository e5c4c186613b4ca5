//! The number on a tile, as a type that the compiler knows the range of: tables with an entry for
//! each tile are read without a check.

use super::board::MOST_CELLS;

/// The number on a tile, below [`MOST_CELLS`]; 0 is the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
enum Number {
    T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11,
    T12, T13, T14, T15, T16, T17, T18, T19, T20, T21, T22, T23,
    T24, T25, T26, T27, T28, T29, T30, T31, T32, T33, T34, T35,
}

#[rustfmt::skip]
#[allow(clippy::enum_glob_use)]
const NUMBERS: [Number; MOST_CELLS] = {
    use Number::*;
    [
        T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11,
        T12, T13, T14, T15, T16, T17, T18, T19, T20, T21, T22, T23,
        T24, T25, T26, T27, T28, T29, T30, T31, T32, T33, T34, T35,
    ]
};

/// A tile, by its number; 0 is the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Tile(Number);

impl Tile {
    /// The blank.
    pub(super) const BLANK: Tile = Tile(Number::T0);

    /// The tile of that number, if it is below [`MOST_CELLS`].
    pub(super) fn new(number: usize) -> Option<Tile> {
        NUMBERS.get(number).map(|&number| Tile(number))
    }

    /// Its number, below [`MOST_CELLS`].
    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        self.0 as usize
    }
}
