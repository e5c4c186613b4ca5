//! The symmetries of a rectangle or square of cells.

use super::places::Cells;
use crate::tiles::board::MOST_CELLS;

/// A symmetry of a board: where it takes each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symmetry([u8; MOST_CELLS]);

impl Symmetry {
    /// All of a board: four of a rectangle, eight of a square. The first leaves all as it is.
    pub(super) fn all(rows: usize, columns: usize) -> Vec<Symmetry> {
        let symmetry = |turned: bool, upside_down: bool, backwards: bool| {
            Symmetry(std::array::from_fn(|cell| {
                let (mut row, mut column) = (cell / columns, cell % columns);
                if row >= rows {
                    return cell as u8;
                }
                if turned {
                    (row, column) = (column, row);
                }
                row = if upside_down { rows - 1 - row } else { row };
                column = if backwards { columns - 1 - column } else { column };
                (row * columns + column) as u8
            }))
        };
        let mut all = Vec::new();
        for turned in [false, true] {
            for (upside_down, backwards) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                if !turned || rows == columns {
                    all.push(symmetry(turned, upside_down, backwards));
                }
            }
        }
        all
    }

    /// Where it takes a cell.
    pub(super) fn cell(&self, cell: u32) -> u32 {
        self.0[cell as usize].into()
    }

    /// Where it takes a set of cells.
    pub(super) fn cells(&self, cells: Cells) -> Cells {
        cells_of(cells).fold(0, |taken, cell| taken | 1 << self.cell(cell))
    }

    /// This, and then another.
    pub(super) fn then(&self, then: &Symmetry) -> Symmetry {
        Symmetry(self.0.map(|cell| then.0[usize::from(cell)]))
    }

    /// Which cell it takes to `cell`.
    pub(super) fn source(&self, cell: u32) -> u32 {
        self.0.iter().position(|&taken| u32::from(taken) == cell).unwrap_or(0) as u32
    }
}

/// The cells of a set, in order.
pub(super) fn cells_of(mut cells: Cells) -> impl Iterator<Item = u32> + Clone {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros());
        cells &= cells.wrapping_sub(1);
        cell
    })
}
