//! The Manhattan distance: every tile moves at least as many rows and columns as it is away from
//! its goal. A slide changes it by one, up or down, whatever the other tiles are.

use deepen::{Cost, Heuristic};

use super::board::{Board, Direction, MOST_CELLS, Slide};
use super::space::Tiles;
use super::tile::Tile;

/// How far a tile is from its goal, in rows and columns.
#[derive(Debug, Clone)]
pub(super) struct Distances([[u8; MOST_CELLS]; MOST_CELLS]);

impl Distances {
    /// Those to the goal of the space.
    pub(super) fn new(space: &Tiles) -> Self {
        let mut distances = [[0; MOST_CELLS]; MOST_CELLS];
        let apart = |one: usize, other: usize| {
            let (rows, columns) = (
                (one / space.columns).abs_diff(other / space.columns),
                (one % space.columns).abs_diff(other % space.columns),
            );
            (rows + columns) as u8
        };
        for (home, tile) in space.goal.cells[..space.cells()].iter().enumerate() {
            if *tile != Tile::BLANK {
                distances[tile.number()] =
                    std::array::from_fn(
                        |cell| if cell < space.cells() { apart(cell, home) } else { 0 },
                    );
            }
        }
        Distances(distances)
    }

    /// That of a tile in a cell.
    pub(super) fn of(&self, tile: Tile, cell: usize) -> Cost {
        self.0[tile.number()][cell].into()
    }

    /// The sum over all tiles.
    pub(super) fn sum(&self, space: &Tiles, board: &Board) -> Cost {
        let cells = board.cells[..space.cells()].iter().enumerate();
        cells.map(|(cell, &tile)| self.of(tile, cell)).sum()
    }
}

/// The Manhattan distance as a heuristic.
#[derive(Debug, Clone)]
pub(super) struct Manhattan {
    distances: Distances,
    /// How a slide changes it: by the direction of the blank, the cell that the tile leaves, and
    /// the tile.
    changes: [[[i8; MOST_CELLS]; MOST_CELLS]; 4],
}

impl Manhattan {
    /// That of a space.
    pub(super) fn new(space: &Tiles) -> Self {
        let distances = Distances::new(space);
        let mut changes = [[[0; MOST_CELLS]; MOST_CELLS]; 4];
        for blank in 0..space.cells() {
            let board = Board { blank: blank as u8, ..space.goal };
            for direction in Direction::ALL {
                let Some(Slide { from, to, .. }) = space.slide(&board, direction) else { continue };
                let (from, to) = (usize::from(from), usize::from(to));
                for tile in (0..space.cells()).filter_map(Tile::new) {
                    // Either of them, by one.
                    changes[direction as usize][to][tile.number()] =
                        if distances.of(tile, from) < distances.of(tile, to) { -1 } else { 1 };
                }
            }
        }
        Manhattan { distances, changes }
    }

    /// How a slide of this board changes it.
    #[inline(always)]
    pub(super) fn change(&self, board: &Board, slide: Slide) -> i32 {
        let changes = &self.changes[slide.direction as usize][usize::from(slide.to)];
        changes[board.tile(slide.to).number()].into()
    }
}

impl Heuristic<Tiles> for Manhattan {
    const STEP: Option<Cost> = Some(2);

    type Value = i32;
    type Node = i32;

    fn root(&self, space: &Tiles, board: &Board) -> i32 {
        self.distances.sum(space, board).cast_signed()
    }

    #[inline(always)]
    fn bound(&self, value: i32) -> Cost {
        value.cast_unsigned()
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, sum: &i32, slide: Slide) -> i32 {
        sum + self.change(board, slide)
    }
}
