//! The sizes of boards, and their usual goals.

use std::fmt;

use super::board::{Board, MOST_CELLS};
use super::tile::Tile;

/// How many rows and columns a board has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// How many numbers [`Size::number`] may give.
pub(super) const SIZES: usize = (MOST_CELLS + 1) * (MOST_CELLS + 1);

impl Size {
    /// That of so many rows and columns, if it has one to [`MOST_CELLS`] cells.
    pub(super) fn new(rows: usize, columns: usize) -> Option<Size> {
        let cells = rows.checked_mul(columns)?;
        (1..=MOST_CELLS).contains(&cells).then_some(Size { rows, columns })
    }

    /// The square of so many cells, four at the least.
    pub(super) fn square(cells: usize) -> Option<Size> {
        (2..=MOST_CELLS).find(|side| side * side == cells).and_then(|side| Size::new(side, side))
    }

    pub(super) fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// A number for each size, less than [`SIZES`].
    pub(super) fn number(self) -> usize {
        self.rows * (MOST_CELLS + 1) + self.columns
    }

    /// The tiles in order, the blank before them.
    pub(super) fn blank_first(self) -> Board {
        Board::new(&(0..self.cells()).filter_map(Tile::new).collect::<Vec<_>>())
    }

    /// The tiles in order, the blank after them.
    pub(super) fn blank_last(self) -> Board {
        let tiles = (1..self.cells()).filter_map(Tile::new);
        Board::new(&tiles.chain([Tile::BLANK]).collect::<Vec<_>>())
    }

    /// The numbers of a board, rows parted by a `/`.
    pub(super) fn text(self, board: &Board) -> String {
        let row = |tiles: &[Tile]| {
            tiles.iter().map(|tile| tile.number().to_string()).collect::<Vec<_>>().join(" ")
        };
        // (A column would be one long word.)
        let end = if self.columns == 1 { " / " } else { "/" };
        board.cells[..self.cells()].chunks(self.columns).map(row).collect::<Vec<_>>().join(end)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}
