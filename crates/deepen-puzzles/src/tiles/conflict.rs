//! Linear conflict: the Manhattan distance, and two moves more for each tile that has to leave its
//! line to let others pass (Hansson, Mayer and Yung, *Criticizing solutions to relaxed models yields
//! powerful admissible heuristics*, 1992).
//!
//! Of the tiles of a line that belong to this line, those that are not in order must leave it: at
//! least as many as are left when the longest sequence that is in order stays. A tile that leaves
//! its row moves up or down, and back, which the Manhattan distance did not count; one that leaves
//! its column, left or right. So the conflicts of rows and columns add up.
//!
//! A tile that slides up or down changes no order in any column. Of the rows, only the one that it
//! belongs to can change, if it leaves or enters that. So a slide changes the conflicts of one line
//! at the most.
//!
//! A slide changes the bound by one, up or down: a tile that leaves its line is one further from its
//! place and may end a conflict, one that enters it is one nearer and may begin one.
//!
//! On small boards ([`Coded`]) the tiles of all lines that belong there are carried down the path in
//! two words, one for the rows and one for the columns; the number of conflicts of a line is looked
//! up. On others ([`Plain`]) the line that changes is counted.

use deepen::{Cost, Heuristic};

use super::board::{Board, Direction, MOST_CELLS, Slide};
use super::manhattan::Manhattan;
use super::space::Tiles;
use super::tile::Tile;

/// How many tiles of a line must leave it, of those that belong there: the places that they belong
/// to, from 1, in the order of the line; 0 where there is none.
fn conflicts(line: impl Iterator<Item = u8>) -> Cost {
    // The least end of a sequence in order of each length (Schensted).
    let mut ends = [0; MOST_CELLS];
    let (mut tiles, mut longest) = (0, 0);
    for place in line.filter(|&place| place > 0) {
        let length = ends[..longest].partition_point(|&end| end < place);
        ends[length] = place;
        longest = longest.max(length + 1);
        tiles += 1;
    }
    tiles - longest as Cost
}

/// The rows of a board, or its columns.
#[derive(Debug, Clone)]
struct Lines {
    /// How many there are.
    number: usize,
    /// How many cells each has.
    length: usize,
    /// How many cells the first cells of neighbours are apart, and the neighbours in a line.
    steps: (usize, usize),
    /// By tile: the line that it belongs to, and its place there, from 1; no line, and 0, for the
    /// blank.
    homes: [(u8, u8); MOST_CELLS],
}

/// No line.
const NONE: u8 = u8::MAX;

impl Lines {
    /// The rows and the columns of a space's boards.
    fn both(space: &Tiles) -> [Lines; 2] {
        let (rows, columns) = (space.rows, space.columns);
        let homes = [(NONE, 0); MOST_CELLS];
        let mut both = [
            Lines { number: rows, length: columns, steps: (columns, 1), homes },
            Lines { number: columns, length: rows, steps: (1, columns), homes },
        ];
        for (cell, &tile) in space.goal.cells[..space.cells()].iter().enumerate() {
            if tile != Tile::BLANK {
                for lines in &mut both {
                    let (line, place) = lines.line(cell);
                    lines.homes[tile.number()] = (line as u8, place as u8 + 1);
                }
            }
        }
        both
    }

    /// The line that a cell is in, and its place there, from 0.
    fn line(&self, cell: usize) -> (usize, usize) {
        let (between, within) = self.steps;
        (cell / between % self.number, cell / within % self.length)
    }

    /// The conflicts of a line, if `tile` were in its cell `at`, or nowhere.
    fn conflicts(&self, board: &Board, line: usize, tile: Tile, at: Option<usize>) -> Cost {
        let place = |tile: Tile| match self.homes[tile.number()] {
            (home, place) if usize::from(home) == line => place,
            _ => 0,
        };
        let (between, within) = self.steps;
        let cells = (0..self.length).map(|place| line * between + place * within);
        conflicts(cells.map(|cell| match board.cells[cell] {
            _ if at == Some(cell) => place(tile),
            other if other == tile => 0,
            other => place(other),
        }))
    }

    /// The conflicts of all lines.
    fn sum(&self, board: &Board) -> Cost {
        (0..self.number).map(|line| self.conflicts(board, line, Tile::BLANK, None)).sum()
    }
}

/// The sum for a board, from scratch.
fn sum(space: &Tiles, manhattan: &Manhattan, lines: &[Lines; 2], board: &Board) -> i32 {
    let conflicts: Cost = lines.iter().map(|lines| lines.sum(board)).sum();
    manhattan.root(space, board) + 2 * conflicts.cast_signed()
}

/// Whether a slide changes the order of a row; else that of a column.
#[inline(always)]
fn changes_rows(slide: Slide) -> bool {
    matches!(slide.direction, Direction::Up | Direction::Down)
}

/// Linear conflict on boards of any size.
#[derive(Debug, Clone)]
pub(super) struct Plain {
    manhattan: Manhattan,
    lines: [Lines; 2],
}

impl Plain {
    /// That of a space.
    pub(super) fn new(space: &Tiles) -> Self {
        Plain { manhattan: Manhattan::new(space), lines: Lines::both(space) }
    }
}

impl Heuristic<Tiles> for Plain {
    type Value = i32;
    type Node = i32;

    const STEP: Option<Cost> = Some(2);
    const BY_REGIONS: bool = false;

    fn root(&self, space: &Tiles, board: &Board) -> i32 {
        sum(space, &self.manhattan, &self.lines, board)
    }

    #[inline(always)]
    fn bound(&self, value: i32) -> Cost {
        value.cast_unsigned()
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: i32) -> i32 {
        value
    }

    fn before(&self, _: &Tiles, board: &Board, sum: &i32, slide: Slide) -> i32 {
        let Slide { from, to, .. } = slide;
        let tile = board.tile(to);
        let lines = &self.lines[usize::from(!changes_rows(slide))];
        let home = usize::from(lines.homes[tile.number()].0);
        let (from, to) = (usize::from(from), usize::from(to));
        let count = |at| lines.conflicts(board, home, tile, at).cast_signed();
        let change = if lines.line(to).0 == home {
            count(None) - count(Some(to))
        } else if lines.line(from).0 == home {
            count(Some(from)) - count(None)
        } else {
            0
        };
        sum + self.manhattan.change(board, slide) + 2 * change
    }
}

/// A word that holds the lines of a board, three bits a cell: the place that the tile there belongs
/// to, from 1, if it belongs to this line; else 0. The lowest bits are those of the first line's
/// first cell.
pub(super) trait Word: Copy + Send + Sync {
    /// How many cells it has room for.
    const CELLS: usize;
    /// Whether boards that have regions are among those it has room for, and no smaller word has.
    const BY_REGIONS: bool;
    /// No tiles in any line.
    const EMPTY: Self;

    /// Changes the bits of a cell, which begin at `shift`, from 0 to `place` or the other way round.
    #[must_use]
    fn with(self, place: u8, shift: u8) -> Self;

    /// Changes those bits.
    #[must_use]
    fn changed(self, bits: Self) -> Self;

    /// The bits from `shift` on that are in the mask.
    fn line(self, shift: u8, mask: u32) -> usize;
}

macro_rules! words {
    ($($word:ty, $by_regions:literal;)*) => {$(
        impl Word for $word {
            const CELLS: usize = <$word>::BITS as usize / 3;
            const BY_REGIONS: bool = $by_regions;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn with(self, place: u8, shift: u8) -> Self {
                self ^ <$word>::from(place) << shift
            }

            #[inline(always)]
            fn changed(self, bits: Self) -> Self {
                self ^ bits
            }

            #[inline(always)]
            fn line(self, shift: u8, mask: u32) -> usize {
                ((self >> shift) as u32 & mask) as usize
            }
        }
    )*};
}

words!(u64, false; u128, false;);

/// The most cells that a line may have if its conflicts are to be looked up.
const MOST_LOOKED_UP: usize = 6;

/// Linear conflict on boards whose lines fit into a word.
#[derive(Debug, Clone)]
pub(super) struct Coded<W> {
    manhattan: Manhattan,
    lines: [Lines; 2],
    rows: Codes<W>,
    columns: Codes<W>,
}

/// How the rows, or the columns, change, and their conflicts.
#[derive(Debug, Clone)]
struct Codes<W> {
    /// By direction, the cell that the tile leaves, and the tile: the bits that change.
    changes: Box<[[[W; MOST_CELLS]; MOST_CELLS]; 4]>,
    /// By tile: where the bits of the line that it belongs to begin.
    homes: [u8; MOST_CELLS],
    /// All bits of a line.
    mask: u32,
    /// By the bits of a line: how many conflicts it has.
    conflicts: Vec<u8>,
}

impl<W: Word> Codes<W> {
    fn new(space: &Tiles, lines: &Lines) -> Self {
        let mut changes = Box::new([[[W::EMPTY; MOST_CELLS]; MOST_CELLS]; 4]);
        let mut homes = [0; MOST_CELLS];
        for tile in (1..space.cells()).filter_map(Tile::new) {
            homes[tile.number()] = 3 * lines.homes[tile.number()].0 * lines.length as u8;
            for blank in 0..space.cells() {
                let board = Board { blank: blank as u8, ..space.goal };
                for direction in Direction::ALL {
                    let Some(Slide { from, to, .. }) = space.slide(&board, direction) else {
                        continue;
                    };
                    let (from, to) = (usize::from(from), usize::from(to));
                    let taken = Self::with(W::EMPTY, lines, to, tile);
                    changes[direction as usize][to][tile.number()] =
                        Self::with(taken, lines, from, tile);
                }
            }
        }
        let bits = 3 * lines.length;
        let line = |code: usize| (0..lines.length).map(move |cell| (code >> (3 * cell) & 7) as u8);
        let conflicts = (0..1 << bits).map(|code| conflicts(line(code)) as u8).collect();
        let mask = (1 << bits) - 1;
        Codes { changes, homes, mask, conflicts }
    }

    /// The word with the bits changed that a tile has in a cell.
    fn with(word: W, lines: &Lines, cell: usize, tile: Tile) -> W {
        let (line, place) = lines.line(cell);
        match lines.homes[tile.number()] {
            (home, at) if usize::from(home) == line => {
                word.with(at, 3 * (line * lines.length + place) as u8)
            }
            _ => word,
        }
    }

    /// The lines of a board.
    fn code(lines: &Lines, space: &Tiles, board: &Board) -> W {
        let cells = board.cells[..space.cells()].iter().enumerate();
        cells.fold(W::EMPTY, |word, (cell, &tile)| Self::with(word, lines, cell, tile))
    }

    /// The lines after a slide of that tile.
    #[inline(always)]
    fn after(&self, word: W, tile: Tile, slide: Slide) -> W {
        let changes = &self.changes[slide.direction as usize][usize::from(slide.to)];
        word.changed(changes[tile.number()])
    }

    /// By how much the conflicts change of the line that a tile belongs to.
    #[inline(always)]
    fn change(&self, before: W, after: W, tile: Tile) -> i32 {
        let home = self.homes[tile.number()];
        let conflicts = |word: W| i32::from(self.conflicts[word.line(home, self.mask)]);
        conflicts(after) - conflicts(before)
    }
}

/// The rows and columns of a board, and the bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carried<W> {
    rows: W,
    columns: W,
    sum: i32,
}

impl<W: Word> Coded<W> {
    /// That of a space, if its boards fit into a word.
    pub(super) fn new(space: &Tiles) -> Option<Self> {
        let fits = space.rows.max(space.columns) <= MOST_LOOKED_UP && space.cells() <= W::CELLS;
        fits.then(|| {
            let lines = Lines::both(space);
            let [rows, columns] = lines.each_ref().map(|lines| Codes::new(space, lines));
            Coded { manhattan: Manhattan::new(space), lines, rows, columns }
        })
    }
}

impl<W: Word> Heuristic<Tiles> for Coded<W> {
    type Value = Carried<W>;
    type Node = Carried<W>;

    const STEP: Option<Cost> = Some(2);
    const BY_REGIONS: bool = W::BY_REGIONS;

    fn root(&self, space: &Tiles, board: &Board) -> Carried<W> {
        let [rows, columns] = self.lines.each_ref().map(|lines| Codes::code(lines, space, board));
        Carried { rows, columns, sum: sum(space, &self.manhattan, &self.lines, board) }
    }

    #[inline(always)]
    fn bound(&self, value: Carried<W>) -> Cost {
        value.sum.cast_unsigned()
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: Carried<W>) -> Carried<W> {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, value: &Carried<W>, slide: Slide) -> Carried<W> {
        let tile = board.tile(slide.to);
        let rows = self.rows.after(value.rows, tile, slide);
        let columns = self.columns.after(value.columns, tile, slide);
        let change = if changes_rows(slide) {
            self.rows.change(value.rows, rows, tile)
        } else {
            self.columns.change(value.columns, columns, tile)
        };
        let sum = value.sum + self.manhattan.change(board, slide) + 2 * change;
        Carried { rows, columns, sum }
    }
}
