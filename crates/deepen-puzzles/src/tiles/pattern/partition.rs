//! Partitions: which tiles make a pattern together.
//!
//! A partition is drawn for a blank that belongs in the first cell. If it belongs in another
//! corner, the board is turned or mirrored first. If it belongs in no corner, patterns of the same
//! sizes take the tiles as they belong row by row.
//!
//! The patterns of a partition may be taken of the mirrored board, too: that is another partition,
//! looked up in the same tables. And patterns that a symmetry of the board takes into one another,
//! the blank's component included, share a table.

use super::places::{Cells, component};
use super::symmetry::{Symmetry, cells_of};
use crate::tiles::space::Tiles;
use crate::tiles::tile::Tile;

/// A partition by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tiles) struct Partition {
    /// Its name: `pdb-` and how many tiles each pattern has.
    pub(in crate::tiles) name: &'static str,
    rows: usize,
    columns: usize,
    /// A letter a cell, row by row: the pattern of the tile that belongs there.
    drawing: &'static [u8],
}

/// All partitions.
///
/// The shapes are those of Korf and Felner, "Disjoint pattern database heuristics" (Artificial
/// Intelligence 134, 2002), and of Felner, Korf and Hanan, "Additive pattern database heuristics"
/// (JAIR 22, 2004), turned where need be.
pub(in crate::tiles) const PARTITIONS: [Partition; 4] = [
    Partition {
        name: "pdb-663",
        rows: 4,
        columns: 4,
        drawing: b"\
            .bba\
            bbaa\
            bbaa\
            ccca",
    },
    Partition {
        name: "pdb-555",
        rows: 4,
        columns: 4,
        drawing: b"\
            .aab\
            aabb\
            acbb\
            cccc",
    },
    Partition {
        name: "pdb-78",
        rows: 4,
        columns: 4,
        drawing: b"\
            .aaa\
            aaaa\
            bbbb\
            bbbb",
    },
    Partition {
        name: "pdb-6666",
        rows: 5,
        columns: 5,
        drawing: b"\
            .aabb\
            aaabb\
            ccabb\
            ccddd\
            ccddd",
    },
];

/// The most patterns of a partition.
pub(super) const MOST_PATTERNS: usize = 4;

impl Partition {
    /// The partition of that name for boards of that size.
    pub(in crate::tiles) fn named(name: &str, rows: usize, columns: usize) -> Option<Partition> {
        let fits = |partition: &&Partition| {
            (partition.name, partition.rows, partition.columns) == (name, rows, columns)
        };
        PARTITIONS.iter().find(fits).copied()
    }

    /// A partition drawn for tests.
    #[cfg(test)]
    pub(super) fn drawn(rows: usize, columns: usize, drawing: &'static str) -> Partition {
        Partition { name: "drawn", rows, columns, drawing: drawing.as_bytes() }
    }

    /// The letters that it is drawn with.
    fn letters(self) -> Vec<u8> {
        let mut letters: Vec<u8> =
            self.drawing.iter().copied().filter(|letter| *letter != b'.').collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    /// Where the tiles of each pattern belong if the blank belongs in `blank`, not a corner unless
    /// it is the first.
    fn homes(self, blank: u32) -> Vec<Cells> {
        let drawn = |letter: u8| {
            let cells = (0_u32..).zip(self.drawing).filter(move |(_, drawn)| **drawn == letter);
            cells.fold(0, |cells: Cells, (cell, _)| cells | 1 << cell)
        };
        let homes = self.letters().into_iter().map(drawn);
        if blank == 0 {
            return homes.collect();
        }
        let mut cells = (0..self.drawing.len() as u32).filter(|&cell| cell != blank);
        let row_by_row = |home: Cells| {
            let cells = cells.by_ref().take(home.count_ones() as usize);
            cells.fold(0, |cells, cell| cells | 1 << cell)
        };
        homes.map(row_by_row).collect()
    }

    /// The views of the patterns: of the board as it is and of its mirror image. The two are the
    /// same if no other symmetry leaves the blank where it belongs.
    pub(super) fn views(self, space: &Tiles) -> [Vec<View>; 2] {
        assert_eq!((space.rows, space.columns), (self.rows, self.columns), "another board");
        let symmetries = Symmetry::all(space.rows, space.columns);
        let blank = u32::from(space.goal.blank);
        let takes = |to: u32| {
            symmetries.iter().filter(move |symmetry| symmetry.cell(blank) == to).collect::<Vec<_>>()
        };
        let (to, frames) = match takes(0) {
            frames if frames.is_empty() => (blank, takes(blank)),
            frames => (0, frames),
        };
        let homes = self.homes(to);
        let views = |frame: &Symmetry| -> Vec<View> {
            homes.iter().map(|&home| View::new(space, frame, home)).collect()
        };
        [views(frames[0]), views(frames[frames.len().min(2) - 1])]
    }
}

/// How a pattern looks at a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    /// Where its tiles belong, as its table has it.
    pub(super) home: Cells,
    /// The component in which the blank belongs, as its table has it.
    pub(super) blank: Cells,
    /// Where the cells of the board are for the table.
    pub(super) frame: Symmetry,
    /// The tiles, in the order of the cells of `home`.
    pub(super) tiles: Vec<Tile>,
}

impl View {
    /// Of the tiles that belong on the cells that `frame` takes to those of `home`.
    fn new(space: &Tiles, frame: &Symmetry, home: Cells) -> Self {
        let blank = frame.cell(space.goal.blank.into());
        let blank = component(space.rows, space.columns, home, blank);
        // Of all the tables that would do, the first.
        let symmetries = Symmetry::all(space.rows, space.columns).into_iter();
        let same =
            symmetries.map(|symmetry| (symmetry.cells(home), symmetry.cells(blank), symmetry));
        let (home, blank, frame) = same
            .min_by_key(|&(home, blank, _)| (home, blank))
            .map_or((home, blank, *frame), |(home, blank, symmetry)| {
                (home, blank, frame.then(&symmetry))
            });
        let tile = |cell| space.goal.cells[frame.source(cell) as usize];
        View { home, blank, frame, tiles: cells_of(home).map(tile).collect() }
    }
}
