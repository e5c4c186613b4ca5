//! A board of sliding tiles, and the slides that change it.

use super::tile::Tile;

/// The most cells that a board may have.
pub(super) const MOST_CELLS: usize = 36;

/// The tile in each cell, row by row, [`Tile::BLANK`] in one of them; cells that the board does not
/// have hold it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) cells: [Tile; MOST_CELLS],
    /// The blank's cell.
    pub(super) blank: u8,
}

/// The four directions in which the blank moves, in dictionary order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column before.
    Left,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All of them, in dictionary order.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Left, Direction::Right, Direction::Down];

    /// The other way.
    pub const fn opposite(self) -> Direction {
        Self::ALL[3 - self as usize]
    }
}

/// A move: the blank changes places with the tile beside it, which is in the cell
/// [`to`](Slide::to) before and in the cell [`from`](Slide::from) after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// The blank's cell before.
    pub(super) from: u8,
    /// The blank's cell after.
    pub(super) to: u8,
    /// Where the blank moves.
    pub(super) direction: Direction,
}

impl Board {
    /// A board of these tiles.
    ///
    /// # Panics
    ///
    /// If there are more than [`MOST_CELLS`].
    pub(super) fn new(tiles: &[Tile]) -> Self {
        let mut cells = [Tile::BLANK; MOST_CELLS];
        cells[..tiles.len()].copy_from_slice(tiles);
        let blank = tiles.iter().position(|&tile| tile == Tile::BLANK).unwrap_or(0);
        Board { cells, blank: blank as u8 }
    }

    /// The tile in a cell.
    #[inline(always)]
    pub(super) fn tile(&self, cell: u8) -> Tile {
        self.cells[usize::from(cell)]
    }

    /// Moves the tile of one cell to another, and leaves a picture of it behind.
    #[inline(always)]
    pub(super) fn copy(&mut self, from: u8, to: u8) {
        self.cells[usize::from(to)] = self.tile(from);
    }

    /// Moves the blank to a cell.
    #[inline(always)]
    pub(super) fn put_blank(&mut self, cell: u8) {
        self.cells[usize::from(cell)] = Tile::BLANK;
        self.blank = cell;
    }
}
