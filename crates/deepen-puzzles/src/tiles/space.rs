//! The state space of sliding tiles: boards of any size, with regions for those of 4 × 4.
//!
//! The blank moves up, left, right and down, in this order. On a 4 × 4 board the search is compiled
//! once for every cell of the blank and every direction in which it came there, so that the cells
//! of the tiles beside it are constants.

use std::ops::ControlFlow;

use deepen::{
    Alphabet, Anywhere, Automaton, Entrance, Packed, Region, Residue, Reversible, Space, Visitor,
};

use super::back::Back;
use super::board::{Board, Direction, MOST_CELLS, Slide};
use super::tile::Tile;

/// Boards of one size with one goal.
#[derive(Debug, Clone)]
pub struct Tiles {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) goal: Board,
    /// The cell above, left, right and below of each cell; [`NOWHERE`] beyond the edge.
    neighbours: [[u8; 4]; MOST_CELLS],
}

/// No cell.
const NOWHERE: u8 = u8::MAX;

impl Tiles {
    /// Boards of that size, whose goal is such a board.
    ///
    /// # Panics
    ///
    /// If there are more than [`MOST_CELLS`] cells.
    pub(super) fn new(rows: usize, columns: usize, goal: Board) -> Self {
        assert!(rows * columns <= MOST_CELLS, "a board of {rows} x {columns}");
        let neighbours = std::array::from_fn(|cell| {
            let (row, column) = (cell / columns, cell % columns);
            let beside = |inside: bool, neighbour: usize| {
                if inside && cell < rows * columns { neighbour as u8 } else { NOWHERE }
            };
            [
                beside(row > 0, cell.wrapping_sub(columns)),
                beside(column > 0, cell.wrapping_sub(1)),
                beside(column + 1 < columns, cell + 1),
                beside(row + 1 < rows, cell + columns),
            ]
        });
        Tiles { rows, columns, goal, neighbours }
    }

    /// How many cells a board has.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The slide that moves the blank that way, if it can.
    #[inline(always)]
    pub(super) fn slide(&self, board: &Board, direction: Direction) -> Option<Slide> {
        let to = self.neighbours[usize::from(board.blank)][direction as usize];
        (to != NOWHERE).then_some(Slide { from: board.blank, to, direction })
    }

    /// Whether the board is the goal once it tells that the blank is in that cell.
    fn is_goal_with(&self, board: &Board, blank: u8) -> bool {
        let mut board = *board;
        board.put_blank(blank);
        board == self.goal
    }

    /// Whether the boards have the regions of 4 × 4.
    fn has_regions(&self) -> bool {
        (self.rows, self.columns) == (4, 4)
    }

    /// Whether it takes an odd number of slides to bring the blank home, and whether the
    /// arrangement is an odd permutation of the goal's.
    fn parities(&self, board: &Board) -> (bool, bool) {
        let cells = self.cells();
        let mut home = [0; MOST_CELLS];
        for (cell, tile) in self.goal.cells[..cells].iter().enumerate() {
            home[tile.number()] = cell;
        }
        let away = |cell: usize| cell / self.columns + cell % self.columns;
        let slides = away(usize::from(board.blank)) + away(usize::from(self.goal.blank));
        // An even cycle is an odd permutation.
        let (mut seen, mut odd) = ([false; MOST_CELLS], false);
        for start in 0..cells {
            let (mut cell, mut length) = (start, 0);
            while !std::mem::replace(&mut seen[cell], true) {
                cell = home[board.cells[cell].number()];
                length += 1;
            }
            odd ^= length > 0 && length % 2 == 0;
        }
        (slides % 2 == 1, odd)
    }
}

impl Space for Tiles {
    type State = Board;
    type Move = Slide;

    const LEAVES_OUT_BACK: bool = true;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        for direction in Direction::ALL {
            if let Some(slide) = self.slide(board, direction) {
                visitor.visit(board, slide)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, slide: Slide) {
        board.copy(slide.to, slide.from);
        board.put_blank(slide.to);
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, slide: Slide) {
        board.copy(slide.from, slide.to);
        board.put_blank(slide.from);
    }

    #[inline(always)]
    fn is_goal(&self, board: &Board) -> bool {
        *board == self.goal
    }

    fn impossible(&self, board: &Board) -> Option<String> {
        // Every slide changes both parities. On a board of one row or column tiles can't pass one
        // another; the order of the tiles decides.
        let (slides, odd) = self.parities(board);
        if self.rows == 1 || self.columns == 1 {
            let order = |board: &Board| {
                let tiles = board.cells[..self.cells()].iter().copied();
                tiles.filter(|&tile| tile != Tile::BLANK).collect::<Vec<_>>()
            };
            let reason = "on a board of one line the tiles stay in order";
            return (order(board) != order(&self.goal)).then(|| reason.to_string());
        }
        let parity = |odd| if odd { "odd" } else { "even" };
        (slides != odd).then(|| {
            format!(
                "the tiles are an {} permutation of the goal's, but the blank is an {} number of \
                 slides away from its place",
                parity(odd),
                parity(slides),
            )
        })
    }

    fn residue(&self, board: &Board) -> Residue {
        Residue::parity(self.parities(board).0)
    }

    #[inline(always)]
    fn enter<E: Entrance<Self>>(
        &self,
        board: &Board,
        last: Option<Slide>,
        entrance: E,
    ) -> E::Output {
        if self.has_regions() {
            return enter_cell(board, last, entrance);
        }
        match last.map(|slide| slide.direction) {
            // (Not `Anywhere`: from there a search never comes to the regions that leave moves out.)
            None => entrance.enter::<Came<START>>(),
            Some(Direction::Up) => entrance.enter::<Came<0>>(),
            Some(Direction::Left) => entrance.enter::<Came<1>>(),
            Some(Direction::Right) => entrance.enter::<Came<2>>(),
            Some(Direction::Down) => entrance.enter::<Came<3>>(),
        }
    }
}

/// The direction in which the blank came to where it is, on a board of any size, or [`START`].
#[derive(Debug)]
struct Came<const DIRECTION: usize>;

impl<const DIRECTION: usize> Region<Tiles> for Came<DIRECTION> {
    #[inline(always)]
    fn for_each_move<V: Visitor<Tiles>>(
        space: &Tiles,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        for direction in Direction::ALL {
            if V::WITHOUT_BACK && direction as usize + DIRECTION == 3 {
                visitor.leave_out();
                continue;
            }
            let Some(slide) = space.slide(board, direction) else { continue };
            match direction {
                Direction::Up => visitor.visit_into::<Came<0>>(board, slide),
                Direction::Left => visitor.visit_into::<Came<1>>(board, slide),
                Direction::Right => visitor.visit_into::<Came<2>>(board, slide),
                Direction::Down => visitor.visit_into::<Came<3>>(board, slide),
            }?;
        }
        ControlFlow::Continue(())
    }
}

/// The blank's cell on a 4 × 4 board, and the direction in which it came there, or [`START`].
///
/// While a search is in these regions, the board does not tell where the blank is: its cell holds a
/// picture of the tile that left it. So a move writes one cell instead of three bytes, which the
/// search gains by.
#[derive(Debug)]
struct At<const CELL: usize, const CAME: usize>;

/// Of a region: the search began here.
const START: usize = 4;

/// How many columns the boards with regions have.
const COLUMNS: usize = 4;

/// The cell beyond `cell`; the cell itself where that is off the board.
const fn beyond(cell: usize, direction: usize) -> usize {
    match direction {
        0 if cell >= COLUMNS => cell - COLUMNS,
        1 if !cell.is_multiple_of(COLUMNS) => cell - 1,
        2 if cell % COLUMNS < COLUMNS - 1 => cell + 1,
        3 if cell < COLUMNS * (COLUMNS - 1) => cell + COLUMNS,
        _ => cell,
    }
}

const fn is_corner(cell: usize) -> bool {
    matches!((cell / COLUMNS, cell % COLUMNS), (0 | 3, 0 | 3))
}

macro_rules! regions {
    ($($cell:literal)*) => {
        $(
            impl<const CAME: usize> Region<Tiles> for At<$cell, CAME> {
                const IN_PLACE: bool = is_corner($cell);

                #[inline(always)]
                fn for_each_move<V: Visitor<Tiles>>(
                    _: &Tiles,
                    board: &mut Board,
                    visitor: &mut V,
                ) -> ControlFlow<()> {
                    visit::<$cell, CAME, 0, { beyond($cell, 0) }, V>(board, visitor)?;
                    visit::<$cell, CAME, 1, { beyond($cell, 1) }, V>(board, visitor)?;
                    visit::<$cell, CAME, 2, { beyond($cell, 2) }, V>(board, visitor)?;
                    visit::<$cell, CAME, 3, { beyond($cell, 3) }, V>(board, visitor)
                }

                #[inline(always)]
                fn apply(_: &Tiles, board: &mut Board, slide: Slide) {
                    board.copy(slide.to, slide.from);
                }

                #[inline(always)]
                fn undo(_: &Tiles, board: &mut Board, slide: Slide) {
                    board.copy(slide.from, slide.to);
                }

                #[inline(always)]
                fn is_goal(space: &Tiles, board: &Board) -> bool {
                    space.is_goal_with(board, $cell)
                }
            }
        )*

        /// Enters the region of the blank's cell, to which the last move has led.
        fn enter_cell<E: Entrance<Tiles>>(
            board: &Board,
            last: Option<Slide>,
            entrance: E,
        ) -> E::Output {
            let came = last.map_or(START, |slide| slide.direction as usize);
            match (board.blank, came) {
                $(
                    ($cell, 0) => entrance.enter::<At<$cell, 0>>(),
                    ($cell, 1) => entrance.enter::<At<$cell, 1>>(),
                    ($cell, 2) => entrance.enter::<At<$cell, 2>>(),
                    ($cell, 3) => entrance.enter::<At<$cell, 3>>(),
                    ($cell, _) => entrance.enter::<At<$cell, START>>(),
                )*
                _ => entrance.enter::<Anywhere>(), // No board has its blank elsewhere.
            }
        }
    };
}

regions!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// Visits the slide of the blank from a cell to another, if there is such.
#[inline(always)]
fn visit<const FROM: usize, const CAME: usize, const GOES: usize, const TO: usize, V>(
    board: &mut Board,
    visitor: &mut V,
) -> ControlFlow<()>
where
    V: Visitor<Tiles>,
    At<TO, GOES>: Region<Tiles>,
{
    if FROM == TO {
        return ControlFlow::Continue(());
    }
    if V::WITHOUT_BACK && GOES + CAME == 3 {
        visitor.leave_out();
        return ControlFlow::Continue(());
    }
    let slide = Slide { from: FROM as u8, to: TO as u8, direction: Direction::ALL[GOES] };
    visitor.visit_into::<At<TO, GOES>>(board, slide)
}

impl Alphabet for Tiles {
    type Inverse = Back;
    type Pruning = Automaton;

    fn letters(&self) -> usize {
        Direction::ALL.len()
    }

    #[inline(always)]
    fn letter(&self, slide: Slide) -> usize {
        slide.direction as usize
    }

    fn contexts(&self) -> Vec<Vec<Board>> {
        // All tiles differ, so one board for each cell of the blank tells all.
        let context = |blank: usize| {
            let mut board = self.goal;
            board.cells.swap(usize::from(board.blank), blank);
            board.blank = blank as u8;
            vec![board]
        };
        (0..self.cells()).map(context).collect()
    }
}

impl Packed for Tiles {
    fn key_bytes(&self) -> usize {
        if self.cells() <= 16 { self.cells().div_ceil(2) } else { self.cells() }
    }

    fn pack(&self, board: &Board, key: &mut [u8]) {
        let tiles = board.cells[..self.cells()].iter().map(|tile| tile.number() as u8);
        if self.cells() <= 16 {
            key.fill(0);
            tiles.enumerate().for_each(|(cell, tile)| key[cell / 2] |= tile << (4 * (cell % 2)));
        } else {
            tiles.zip(key).for_each(|(tile, byte)| *byte = tile);
        }
    }

    fn unpack(&self, key: &[u8]) -> Board {
        let number = |cell: usize| match self.cells() {
            0..=16 => key[cell / 2] >> (4 * (cell % 2)) & 15,
            _ => key[cell],
        };
        let tile = |cell| Tile::new(usize::from(number(cell))).unwrap_or(Tile::BLANK);
        Board::new(&(0..self.cells()).map(tile).collect::<Vec<_>>())
    }
}

impl Reversible for Tiles {
    fn goals(&self) -> Option<Vec<Board>> {
        Some(vec![self.goal])
    }
}
