//! All boards of a small size that can be solved, numbered.
//!
//! A board is the blank's cell, and the order of its tiles, row by row. A slide to the left or right
//! changes the blank's cell alone; one up or down takes a tile past those between the two cells. An
//! order is four bits a tile, the first lowest, and tiles are counted as they stand in the goal.
//!
//! Boards are numbered by the blank's cell, then as in a dictionary. Which of two orders that differ
//! in the last two tiles alone can be reached is told by the blank's row: so a number stands for
//! both, and is half of that in the dictionary. On a board of one line no tile passes another, and
//! the blank's cell is all.

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::board::{Board, Direction, MOST_CELLS};
use super::space::Tiles;
use super::tile::Tile;

/// The most cells of a board of which a table is made: 239,500,800 boards.
const MOST_IN_TABLE: usize = 12;

/// The space of the boards of a size, for tables.
pub(super) struct Numbered {
    rows: usize,
    columns: usize,
    /// The blank's cell in the goal.
    home: u8,
    /// By tile: how many tiles come before it in the goal.
    places: [u8; MOST_CELLS],
    /// By place in the goal: the tile.
    tiles: Vec<Tile>,
    /// How many numbers there are for each cell of the blank.
    orders: u64,
}

/// A board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ordered {
    order: u64,
    blank: u8,
}

impl Numbered {
    /// Numbers the boards of a space, if they are few enough.
    pub(super) fn new(space: &Tiles) -> Option<Self> {
        let (rows, columns) = (space.rows, space.columns);
        let cells = space.cells();
        if cells > MOST_IN_TABLE {
            return None;
        }
        let goal = space.goal.cells[..cells].iter().copied();
        let tiles: Vec<Tile> = goal.filter(|&tile| tile != Tile::BLANK).collect();
        let mut places = [0; MOST_CELLS];
        (0..).zip(&tiles).for_each(|(place, tile)| places[tile.number()] = place);
        let is_line = rows == 1 || columns == 1;
        let orders = if is_line { 1 } else { (3..cells as u64).product() };
        Some(Numbered { rows, columns, home: space.goal.blank, places, tiles, orders })
    }

    /// A board as it is numbered.
    #[inline(always)]
    pub(super) fn pack(&self, board: &Board) -> Ordered {
        let tiles = board.cells[..=self.tiles.len()].iter().filter(|&&tile| tile != Tile::BLANK);
        let places = tiles.map(|tile| u64::from(self.places[tile.number()]));
        Ordered {
            order: places.rev().fold(0, |order, place| order << 4 | place),
            blank: board.blank,
        }
    }

    /// The board of which that is the order.
    pub(super) fn unpack(&self, ordered: Ordered) -> Board {
        let places = (0..self.tiles.len()).map(|place| ordered.order >> (4 * place) & 15);
        let mut tiles: Vec<Tile> = places.map(|place| self.tiles[place as usize]).collect();
        tiles.insert(ordered.blank.into(), Tile::BLANK);
        Board::new(&tiles)
    }

    /// Whether the orders with the blank in that cell are odd permutations of the goal's.
    fn is_odd(&self, blank: u8) -> bool {
        // A slide up or down takes a tile past as many as a row has, but one.
        let rows = usize::from(blank) / self.columns + usize::from(self.home) / self.columns;
        rows * (self.columns - 1) % 2 == 1
    }

    /// Takes the tile at `first` behind that at `last`.
    #[inline(always)]
    fn back(order: u64, first: u32, last: u32) -> u64 {
        let (low, high) = (4 * first, 4 * last);
        let part = order >> low & (u64::MAX >> (60 - (high - low)));
        order ^ (part ^ part >> 4 ^ (part & 15) << (high - low)) << low
    }

    /// Takes the tile at `last` before that at `first`.
    #[inline(always)]
    fn forth(order: u64, first: u32, last: u32) -> u64 {
        let (low, high) = (4 * first, 4 * last);
        let part = order >> low & (u64::MAX >> (60 - (high - low)));
        let tile = part >> (high - low);
        order ^ (part ^ (part ^ tile << (high - low)) << 4 ^ tile) << low
    }
}

impl Space for Numbered {
    type State = Ordered;
    /// Where the blank moves.
    type Move = Direction;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Ordered,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let blank = usize::from(board.blank);
        let (row, column) = (blank / self.columns, blank % self.columns);
        for (direction, can) in Direction::ALL.into_iter().zip([
            row > 0,
            column > 0,
            column + 1 < self.columns,
            row + 1 < self.rows,
        ]) {
            if can {
                visitor.visit(board, direction)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn apply(&self, board: &mut Ordered, direction: Direction) {
        let (blank, columns) = (u32::from(board.blank), self.columns as u32);
        match direction {
            Direction::Left => board.blank -= 1,
            Direction::Right => board.blank += 1,
            Direction::Up => {
                board.blank -= columns as u8;
                board.order = Self::back(board.order, blank - columns, blank - 1);
            }
            Direction::Down => {
                board.blank += columns as u8;
                board.order = Self::forth(board.order, blank, blank + columns - 1);
            }
        }
    }

    #[inline(always)]
    fn undo(&self, board: &mut Ordered, direction: Direction) {
        self.apply(board, direction.opposite());
    }

    fn is_goal(&self, board: &Ordered) -> bool {
        *board == self.goal()
    }
}

impl Numbered {
    /// The goal.
    pub(super) fn goal(&self) -> Ordered {
        let places = 0..self.tiles.len() as u64;
        Ordered { order: places.rev().fold(0, |order, place| order << 4 | place), blank: self.home }
    }
}

impl Indexed for Numbered {
    fn size(&self) -> u64 {
        (self.rows * self.columns) as u64 * self.orders
    }

    #[inline(always)]
    fn rank(&self, board: &Ordered) -> u64 {
        if self.orders == 1 {
            return board.blank.into();
        }
        // How many of the tiles not yet placed come before the next, as digits; the last two tell
        // the order of the last two tiles.
        let tiles = self.tiles.len();
        let mut left = (1_u32 << tiles) - 1;
        let mut rank = 0;
        for place in 0..tiles - 2 {
            let tile = board.order >> (4 * place) & 15;
            let less = left & ((1 << tile) - 1);
            rank = rank * (tiles - place) as u64 + u64::from(less.count_ones());
            left ^= 1 << tile;
        }
        u64::from(board.blank) * self.orders + rank
    }

    fn unrank(&self, rank: u64) -> Ordered {
        let blank = (rank / self.orders) as u8;
        if self.orders == 1 {
            return Ordered { blank, ..self.goal() };
        }
        let tiles = self.tiles.len();
        let mut rank = rank % self.orders;
        let mut digits = [0; MOST_IN_TABLE];
        for place in (0..tiles - 2).rev() {
            let radix = (tiles - place) as u64;
            digits[place] = rank % radix;
            rank /= radix;
        }
        // The digits' sum is the number of pairs of tiles that are not in order.
        let pairs: u64 = digits.iter().sum();
        digits[tiles - 2] = (pairs + u64::from(self.is_odd(blank))) % 2;
        // The tiles not yet placed, in order.
        let mut left = self.goal().order;
        let mut order = 0;
        for (place, digit) in digits[..tiles].iter().enumerate() {
            let digit = 4 * digit;
            order |= (left >> digit & 15) << (4 * place);
            let below = (1 << digit) - 1;
            left = left & below | left >> 4 & !below;
        }
        Ordered { order, blank }
    }
}
