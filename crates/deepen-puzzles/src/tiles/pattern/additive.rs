//! The heuristic: what goes down the path, and how a slide changes it.

use std::marker::PhantomData;

use deepen::table::{BuildError, Distances, Lookup, Table};
use deepen::{Cost, Heuristic};

use super::partition::{MOST_PATTERNS, View};
use super::picture::{FACTORIALS, Pattern, Picture};
use super::places::{Cells, Numbers};
use super::{PatternTable, Patterns};
use crate::tables::PuzzleTable;
use crate::tiles::board::{Board, Direction, MOST_CELLS, Slide};
use crate::tiles::space::Tiles;
use crate::tiles::tile::Tile;

/// Four sets of cells in one number.
pub(in crate::tiles) trait Sets: Copy + Send {
    /// How many cells of a board a set can have.
    const CELLS: u32;
    /// How many cells a tile can pass in reading order when it moves to another row, at most.
    const PASSED: usize;
    /// Four empty sets.
    const EMPTY: Self;

    /// One of the sets.
    fn get(self, set: usize) -> u32;

    /// The same with these cells of a set changed.
    #[must_use]
    fn change(self, set: usize, cells: u32) -> Self;
}

macro_rules! sets {
    ($number:ty, $passed:literal) => {
        impl Sets for $number {
            const CELLS: u32 = <$number>::BITS / 4;
            const PASSED: usize = $passed;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn get(self, set: usize) -> u32 {
                (self >> (Self::CELLS * set as u32)) as u32 & (u32::MAX >> (32 - Self::CELLS))
            }

            #[inline(always)]
            fn change(self, set: usize, cells: u32) -> Self {
                self ^ <$number>::from(cells) << (Self::CELLS * set as u32)
            }
        }
    };
}

sets!(u64, 3);
sets!(u128, 4);

/// The most cells that a tile can pass.
const MOST_PASSED: usize = 4;

/// The heuristic of [`Patterns`], which looks the first side up before a move is made, and the
/// other if it is not cut by then.
pub(in crate::tiles) struct Additive<'a, M> {
    sides: [Side<'a>; 2],
    sets: PhantomData<M>,
}

/// The same, which says before where it will look up: for tables that are larger than the caches.
pub(in crate::tiles) struct Late<'a, M>(pub(super) Additive<'a, M>);

/// A partition, of the board or of its mirror image.
struct Side<'a> {
    /// By tile: its pattern.
    pattern_of: [u8; MOST_CELLS],
    /// By tile and tile that it passes, forwards in reading order: how the order of its pattern
    /// changes. Nothing if the other is of another pattern or the blank.
    crossings: [[i16; MOST_CELLS]; MOST_CELLS],
    /// By slide and pattern.
    steps: Vec<[Step; MOST_PATTERNS]>,
    lookups: [TableOf<'a>; MOST_PATTERNS],
    views: &'a [(View, usize)],
}

/// How a slide looks to a pattern.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    /// The cells that the tile leaves and enters.
    cells: Cells,
    /// The cells that it passes in reading order, on the board; the cell that it enters, if they
    /// are fewer.
    passed: [u8; MOST_PASSED],
    /// The cell that the tile leaves, and the blank enters.
    blank: u8,
    /// 1 if it moves forwards in reading order, else -1.
    sense: i8,
}

/// A pattern and its table.
#[derive(Clone, Copy)]
struct TableOf<'a> {
    numbers: &'a Numbers,
    stride: u64,
    distances: Distances<'a>,
    table: &'a Table,
    pattern: &'a Pattern,
}

/// What goes down the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tiles) struct Value<M> {
    /// Of each side: the cells of each pattern's tiles,
    sets: [M; 2],
    /// their order, 16 bits each,
    orders: [u64; 2],
    /// and the sum of the distances.
    pub(super) sums: [Cost; 2],
    /// The distances modulo 256, those of the first side lowest.
    distances: u64,
}

/// The steps of a slide.
#[inline(always)]
fn step_index(slide: Slide) -> usize {
    usize::from(slide.from) * Direction::ALL.len() + slide.direction as usize
}

impl<'a> Side<'a> {
    fn new(
        space: &Tiles,
        patterns: &'a Patterns,
        views: &'a [(View, usize)],
    ) -> Result<Self, BuildError> {
        let mut pattern_of = [0; MOST_CELLS];
        let mut crossings = [[0; MOST_CELLS]; MOST_CELLS];
        for (pattern, (view, _)) in (0..).zip(views) {
            for (number, tile) in view.tiles.iter().enumerate() {
                pattern_of[tile.number()] = pattern;
                for (passed, other) in view.tiles.iter().enumerate() {
                    let change = FACTORIALS[number.max(passed)].cast_signed();
                    crossings[tile.number()][other.number()] = match number.cmp(&passed) {
                        std::cmp::Ordering::Less => change,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -change,
                    };
                }
            }
        }
        let mut steps = vec![[Step::default(); MOST_PATTERNS]; space.cells() * 4];
        for blank in 0..space.cells() {
            let board = Board { blank: blank as u8, ..space.goal };
            for slide in Direction::ALL.iter().filter_map(|&way| space.slide(&board, way)) {
                for (step, (view, _)) in steps[step_index(slide)].iter_mut().zip(views) {
                    *step = Step::new(view, slide);
                }
            }
        }
        let lookups = (0..MOST_PATTERNS).map(|index| {
            let PatternTable { pattern, .. } = &patterns.tables[views[index % views.len()].1];
            let table = patterns.tables[views[index % views.len()].1].get()?;
            Ok(TableOf {
                numbers: pattern.places.numbers(),
                stride: pattern.stride() as u64,
                distances: table.distances(),
                table,
                pattern,
            })
        });
        let lookups: Vec<_> = lookups.collect::<Result<_, _>>()?;
        let lookups = std::array::from_fn(|index| lookups[index]);
        Ok(Side { pattern_of, crossings, steps, lookups, views })
    }

    /// What goes down the path, from scratch: the sets, the orders, and the distances.
    fn root<M: Sets>(&self, space: &Tiles, board: &Board) -> (M, u64, Vec<Cost>) {
        let (mut sets, mut orders, mut distances) = (M::EMPTY, 0, Vec::new());
        for (index, ((view, _), table)) in self.views.iter().zip(&self.lookups).enumerate() {
            let cell = |tile: &Tile| {
                let cells = &board.cells[..space.cells()];
                let cell = cells.iter().position(|other| other == tile).unwrap_or(0);
                view.frame.cell(cell as u32)
            };
            let mask = view.tiles.iter().fold(0, |mask, tile| mask | 1 << cell(tile));
            let blank = view.frame.cell(board.blank.into());
            let picture = table.pattern.picture(mask, blank, view.tiles.iter().map(cell));
            sets = sets.change(index, mask);
            orders |= u64::from(table.pattern.number(&picture)) << (16 * index);
            distances.push(table.distance(&picture));
        }
        (sets, orders, distances)
    }

    /// The tile's pattern, the sets, the orders, and the entry of the pattern after a slide of that
    /// tile. The board may be that before or after.
    #[inline(always)]
    fn slide<M: Sets>(
        &self,
        sets: M,
        orders: u64,
        board: &Board,
        (tile, slide): (Tile, Slide),
    ) -> (usize, M, u64, u64) {
        let pattern = usize::from(self.pattern_of[tile.number()]) % MOST_PATTERNS;
        let step = &self.steps[step_index(slide)][pattern];
        let sets = sets.change(pattern, step.cells);
        let crossings = &self.crossings[tile.number()];
        let passed = step.passed[..M::PASSED].iter();
        let passed: i16 =
            passed.map(|&cell| crossings[board.cells[usize::from(cell)].number()]).sum();
        let change = i64::from(passed * i16::from(step.sense));
        let orders = orders.wrapping_add_signed(change << (16 * pattern));
        let order = orders >> (16 * pattern) & 0xFFFF;
        let table = &self.lookups[pattern];
        let block = table.numbers.block(sets.get(pattern), step.blank.into());
        (pattern, sets, orders, u64::from(block) * table.stride + order)
    }
}

impl Step {
    fn new(view: &View, Slide { from, to, .. }: Slide) -> Self {
        // The tile moves from `to` to `from`.
        let (enters, leaves) = (view.frame.cell(from.into()), view.frame.cell(to.into()));
        let mut passed = [from; MOST_PASSED];
        let between = enters.min(leaves) + 1..enters.max(leaves);
        passed.iter_mut().zip(between).for_each(|(passed, cell)| {
            *passed = view.frame.source(cell) as u8;
        });
        let sense = if enters > leaves { 1 } else { -1 };
        Step { cells: 1 << enters | 1 << leaves, passed, blank: leaves as u8, sense }
    }
}

impl TableOf<'_> {
    /// The distance of a picture; [`INFINITE`] if the pattern can't be brought home.
    fn distance(&self, picture: &Picture) -> Cost {
        Lookup::new(self.pattern, self.table, |picture: &Picture| *picture).distance(picture)
    }
}

impl<'a, M: Sets> Additive<'a, M> {
    /// Looks the patterns up, whose tables it comes by.
    pub(super) fn new(space: &Tiles, patterns: &'a Patterns) -> Result<Self, BuildError> {
        let [board, mirrored] = &patterns.sides;
        let sides = [Side::new(space, patterns, board)?, Side::new(space, patterns, mirrored)?];
        Ok(Additive { sides, sets: PhantomData })
    }

    fn scratch(&self, space: &Tiles, board: &Board) -> Value<M> {
        let mut value = Value { sets: [M::EMPTY; 2], orders: [0; 2], sums: [0; 2], distances: 0 };
        for (side, state) in self.sides.iter().enumerate() {
            let (sets, orders, distances) = state.root(space, board);
            (value.sets[side], value.orders[side]) = (sets, orders);
            for (pattern, distance) in distances.into_iter().enumerate() {
                value.sums[side] = value.sums[side].saturating_add(distance);
                value.distances |= u64::from(distance as u8) << shift(side, pattern);
            }
        }
        value
    }

    /// The pattern that a slide changes, and its entry after it; the value changed but for the
    /// distance. The board may be that before the slide or after.
    #[inline(always)]
    pub(super) fn pass(
        &self,
        side: usize,
        value: &mut Value<M>,
        board: &Board,
        mv: (Tile, Slide),
    ) -> (usize, u64) {
        let (sets, orders) = (value.sets[side], value.orders[side]);
        let (pattern, sets, orders, entry) = self.sides[side].slide(sets, orders, board, mv);
        (value.sets[side], value.orders[side]) = (sets, orders);
        (pattern, entry)
    }

    /// Reads an entry: whether the distance of the pattern is greater by 1 now; else it is less by
    /// 1.
    #[inline(always)]
    pub(super) fn read(
        &self,
        side: usize,
        value: &mut Value<M>,
        pattern: usize,
        entry: u64,
    ) -> bool {
        let bit = self.sides[side].lookups[pattern % MOST_PATTERNS].distances.bit(entry);
        let greater = ((value.distances >> shift(side, pattern)) + 1) & 2 != 0;
        let greater = greater == bit;
        value.change(side, pattern, greater);
        greater
    }
}

impl<M> Value<M> {
    /// The distance of a pattern is greater by 1, or less by 1.
    #[inline(always)]
    pub(super) fn change(&mut self, side: usize, pattern: usize, greater: bool) {
        let change = if greater { 1 } else { u64::MAX };
        self.distances = self.distances.wrapping_add(change << shift(side, pattern));
    }
}

/// Each slide changes both sums by 1. They are both odd or both even, and so the greater changes by
/// 1, too.
pub(super) const STEP: Option<Cost> = Some(2);

/// A sum after a slide: 1 greater, or 1 less.
#[inline(always)]
pub(super) fn changed(sum: Cost, greater: bool) -> Cost {
    sum.wrapping_add(if greater { 1 } else { Cost::MAX })
}

/// Where the distance of a pattern is in [`Value::distances`].
#[inline(always)]
fn shift(side: usize, pattern: usize) -> usize {
    8 * (MOST_PATTERNS * side + pattern)
}

impl<M: Sets> Heuristic<Tiles> for Additive<'_, M> {
    type Value = Value<M>;
    type Node = Value<M>;

    const RAISES: bool = true;
    const STEP: Option<Cost> = STEP;
    const BY_REGIONS: bool = false;

    fn root(&self, space: &Tiles, board: &Board) -> Value<M> {
        self.scratch(space, board)
    }

    #[inline(always)]
    fn bound(&self, value: Value<M>) -> Cost {
        value.sums[0].max(value.sums[1])
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: Value<M>) -> Value<M> {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, node: &Value<M>, slide: Slide) -> Value<M> {
        let mut value = *node;
        let (pattern, entry) = self.pass(0, &mut value, board, (board.tile(slide.to), slide));
        let greater = self.read(0, &mut value, pattern, entry);
        value.sums[0] = changed(node.sums[0], greater);
        value.sums[1] = node.sums[1].saturating_sub(1);
        value
    }

    #[inline(always)]
    fn after(
        &self,
        _: &Tiles,
        board: &Board,
        node: &Value<M>,
        mut value: Value<M>,
        slide: Slide,
    ) -> Value<M> {
        let (pattern, entry) = self.pass(1, &mut value, board, (board.tile(slide.from), slide));
        let greater = self.read(1, &mut value, pattern, entry);
        value.sums[1] = changed(node.sums[1], greater);
        value
    }
}

/// The look-up that comes next.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tiles) struct Asked {
    /// The entry of the table.
    entry: u32,
    /// The pattern.
    pattern: u8,
    /// The side; 2 if there is nothing to look up any more.
    side: u8,
}

impl<M: Sets> Late<'_, M> {
    /// Says where the look-up of a side will read.
    #[inline(always)]
    fn asked(
        &self,
        side: usize,
        mut value: Value<M>,
        board: &Board,
        mv: (Tile, Slide),
    ) -> (Value<M>, Asked) {
        let (pattern, entry) = self.0.pass(side, &mut value, board, mv);
        (value, Asked { entry: entry as u32, pattern: pattern as u8, side: side as u8 })
    }

    /// Reads what was asked for of a side.
    #[inline(always)]
    fn read(
        &self,
        side: usize,
        node: &Value<M>,
        (mut value, asked): (Value<M>, Asked),
    ) -> (Value<M>, Asked) {
        let pattern = usize::from(asked.pattern);
        let greater = self.0.read(side, &mut value, pattern, asked.entry.into());
        value.sums[side] = changed(node.sums[side], greater);
        (value, Asked { side: side as u8 + 1, ..asked })
    }
}

impl<M: Sets> Heuristic<Tiles> for Late<'_, M> {
    type Value = (Value<M>, Asked);
    type Node = Value<M>;

    const RAISES: bool = true;
    const EARLY: bool = true;
    const STEP: Option<Cost> = STEP;
    const LANES: bool = true;
    const BY_REGIONS: bool = false;

    fn root(&self, space: &Tiles, board: &Board) -> Self::Value {
        (self.0.scratch(space, board), Asked { side: 2, ..Asked::default() })
    }

    #[inline(always)]
    fn bound(&self, (value, _): Self::Value) -> Cost {
        self.0.bound(value)
    }

    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, (value, _): Self::Value) -> Value<M> {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, node: &Value<M>, slide: Slide) -> Self::Value {
        let sums = node.sums.map(|sum| sum.saturating_sub(1));
        self.asked(0, Value { sums, ..*node }, board, (board.tile(slide.to), slide))
    }

    #[inline(always)]
    fn told(&self, node: &Value<M>, value: Self::Value) -> Self::Value {
        // (So that it is known where each reads.)
        if value.1.side == 0 { self.read(0, node, value) } else { self.read(1, node, value) }
    }

    #[inline(always)]
    fn more(&self, (_, asked): Self::Value) -> bool {
        asked.side < 2
    }

    #[inline(always)]
    fn ask(
        &self,
        _: &Tiles,
        board: &Board,
        _: &Value<M>,
        (value, _): Self::Value,
        slide: Slide,
    ) -> Self::Value {
        self.asked(1, value, board, (board.tile(slide.from), slide))
    }

    #[inline(always)]
    fn prefetch(&self, (_, asked): Self::Value) {
        let side = &self.0.sides[usize::from(asked.side % 2)];
        let table = &side.lookups[usize::from(asked.pattern) % MOST_PATTERNS];
        table.distances.prefetch_bit(asked.entry.into());
    }

    fn lanes(&self) -> usize {
        let tables = self.0.sides.iter().flat_map(|side| &side.lookups);
        tables.map(|lookup| lookup.table.lanes()).max().unwrap_or(1)
    }
}

impl<M> std::fmt::Debug for Additive<'_, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Additive").finish_non_exhaustive()
    }
}

impl<M> std::fmt::Debug for Late<'_, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Late").finish_non_exhaustive()
    }
}
