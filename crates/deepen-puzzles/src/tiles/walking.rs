//! Walking distance (Ken'ichiro Takahashi, *15 puzzle automatic solver*, 2002): what the rows alone
//! need to become right, and what the columns need.
//!
//! Of the rows it looks at no more than how many tiles there are in each that belong to the first
//! row, to the second and so on, and at the blank's row. A move exchanges the blank with any tile
//! of a neighbouring row. That is a small space: on a board of 4 × 4 it has 24,964 states. All of
//! them are found, breadth first from the goal, when the heuristic is made. What slides up or down
//! moves in this space, what slides left or right in that of the columns; so the two distances add
//! up.
//!
//! The states are numbered, and for each the state that a slide leads to is listed, with its
//! distance: a step is one look-up.

use std::collections::HashMap;
use std::sync::Arc;

use deepen::{Cost, Heuristic};

use super::board::{Board, Direction, MOST_CELLS, Slide};
use super::space::Tiles;
use super::tile::Tile;

/// How many tiles each line has of each kind, some bits a number: those of the first line come
/// first, and in it those that belong to the first line.
type Counts = u128;

/// The lines of one direction, rows or columns, and all that can become of them.
#[derive(Debug)]
struct Walk {
    /// How many lines there are.
    lines: usize,
    /// How many bits a number of tiles has.
    bits: usize,
    /// By numbers of tiles: where the state is.
    states: HashMap<Counts, Place>,
    /// By state, whether the blank goes back or forth, and the kind of the tile: where the next
    /// state is.
    next: Vec<Place>,
}

/// Where a state begins in [`Walk::next`] and, in the lowest eight bits, its distance.
type Place = u32;

/// How many bits of a place are the distance.
const DISTANCE_BITS: usize = 8;

/// The most that [`Walk::next`] may have: the columns of 3 × 5 have less, those of 4 × 5 have more.
const MOST_PLACES: usize = 1 << 23;

impl Walk {
    /// All that can become of so many lines of so many cells, if the blank belongs to line `home`;
    /// `None` if it is too much.
    fn new(lines: usize, cells: usize, home: usize) -> Option<Walk> {
        let bits = (usize::BITS - cells.leading_zeros()) as usize;
        if bits * lines * lines > Counts::BITS as usize {
            return None;
        }
        let mut walk = Walk { lines, bits, states: HashMap::new(), next: Vec::new() };
        let mut goal = 0;
        for line in 0..lines {
            let tiles = cells - usize::from(line == home);
            goal += (tiles as Counts) << walk.shift(line, line);
        }
        // Breadth first; `states` holds numbers until all distances are known.
        let mut found = vec![(goal, home, 0_u8)];
        walk.states.insert(goal, 0);
        let mut number = 0;
        while let Some(&(counts, blank, distance)) = found.get(number) {
            for line in [blank.checked_sub(1), Some(blank + 1).filter(|&line| line < lines)] {
                for kind in 0..lines {
                    let Some(line) = line.filter(|&line| walk.count(counts, line, kind) > 0) else {
                        walk.next.push(Place::MAX);
                        continue;
                    };
                    let next =
                        counts - (1 << walk.shift(line, kind)) + (1 << walk.shift(blank, kind));
                    let fresh = found.len() as Place;
                    let number = *walk.states.entry(next).or_insert(fresh);
                    if number == fresh {
                        found.push((next, line, distance.checked_add(1)?));
                    }
                    walk.next.push(number);
                }
            }
            number += 1;
            if found.len() * 2 * lines > MOST_PLACES {
                return None;
            }
        }
        let place = |number: Place| match found.get(number as usize) {
            Some(&(.., distance)) => {
                (number * 2 * lines as Place) << DISTANCE_BITS | Place::from(distance)
            }
            None => Place::MAX,
        };
        walk.next.iter_mut().for_each(|number| *number = place(*number));
        walk.states.values_mut().for_each(|number| *number = place(*number));
        Some(walk)
    }

    /// Where the number of tiles of that kind in that line begins.
    fn shift(&self, line: usize, kind: usize) -> usize {
        (line * self.lines + kind) * self.bits
    }

    /// How many tiles of that kind the line has.
    fn count(&self, counts: Counts, line: usize, kind: usize) -> Counts {
        counts >> self.shift(line, kind) & ((1 << self.bits) - 1)
    }
}

/// The walking distance as a heuristic.
#[derive(Debug, Clone)]
pub(super) struct Walking {
    rows: Arc<Walk>,
    columns: Arc<Walk>,
    /// By tile: the row and the column that it belongs to.
    homes: [(u8, u8); MOST_CELLS],
    /// By direction and tile: which of a state's next is meant.
    steps: [[u8; MOST_CELLS]; 4],
}

/// Where the states of the rows and of the columns are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    rows: Place,
    columns: Place,
}

impl Walking {
    /// That of a space, if it is small enough.
    pub(super) fn new(space: &Tiles) -> Option<Self> {
        let (rows, columns) = (space.rows, space.columns);
        let blank = usize::from(space.goal.blank);
        let (row, column) = (blank / columns, blank % columns);
        let vertical = Arc::new(Walk::new(rows, columns, row)?);
        let horizontal = if (rows, row) == (columns, column) {
            Arc::clone(&vertical)
        } else {
            Arc::new(Walk::new(columns, rows, column)?)
        };
        let mut homes = [(0, 0); MOST_CELLS];
        let mut steps = [[0; MOST_CELLS]; 4];
        for (cell, tile) in space.goal.cells[..space.cells()].iter().enumerate() {
            let (row, column) = (cell / columns, cell % columns);
            let tile = tile.number();
            homes[tile] = (row as u8, column as u8);
            steps[Direction::Up as usize][tile] = row as u8;
            steps[Direction::Down as usize][tile] = (rows + row) as u8;
            steps[Direction::Left as usize][tile] = column as u8;
            steps[Direction::Right as usize][tile] = (columns + column) as u8;
        }
        Some(Walking { rows: vertical, columns: horizontal, homes, steps })
    }

    #[inline(always)]
    fn step(&self, walk: &Walk, place: Place, tile: Tile, slide: Slide) -> Place {
        let step = self.steps[slide.direction as usize][tile.number()];
        walk.next[(place >> DISTANCE_BITS) as usize + usize::from(step)]
    }
}

impl Heuristic<Tiles> for Walking {
    type Value = Places;
    type Node = Places;

    const BY_REGIONS: bool = false;

    /// A slide along a column is a move of the rows, from which they are one nearer or further: as
    /// on a chessboard, no move leaves a distance as it is.
    const STEP: Option<Cost> = Some(2);

    fn root(&self, space: &Tiles, board: &Board) -> Places {
        let (mut rows, mut columns): (Counts, Counts) = (0, 0);
        for (cell, &tile) in board.cells[..space.cells()].iter().enumerate() {
            if tile != Tile::BLANK {
                let (row, column) = self.homes[tile.number()];
                rows += 1 << self.rows.shift(cell / space.columns, row.into());
                columns += 1 << self.columns.shift(cell % space.columns, column.into());
            }
        }
        // (What can't be reached has no place. It is not searched, and has no distance.)
        let place = |walk: &Walk, counts| walk.states.get(&counts).copied().unwrap_or(0);
        Places { rows: place(&self.rows, rows), columns: place(&self.columns, columns) }
    }

    #[inline(always)]
    fn bound(&self, value: Places) -> Cost {
        let distance = |place: Place| place & ((1 << DISTANCE_BITS) - 1);
        distance(value.rows) + distance(value.columns)
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: Places) -> Places {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, value: &Places, slide: Slide) -> Places {
        let tile = board.tile(slide.to);
        match slide.direction {
            Direction::Up | Direction::Down => {
                Places { rows: self.step(&self.rows, value.rows, tile, slide), ..*value }
            }
            Direction::Left | Direction::Right => {
                Places { columns: self.step(&self.columns, value.columns, tile, slide), ..*value }
            }
        }
    }
}
