//! What a pattern sees of a board, as a state space of its own.
//!
//! A pattern is some of the tiles. Its picture of a board is where these stand and in which
//! component of the other cells the blank is. A slide of another tile changes nothing in the
//! picture; a slide of a tile of the pattern is a move. All moves cost 1 and can be taken back, so
//! the distances are those of a breadth-first search; and as a move takes one tile to a
//! neighbouring cell, it makes an even distance odd.
//!
//! Pictures are numbered by *block* (the occupied cells and the component) and, in it, by which
//! tile stands on which of the occupied cells: with the tiles numbered from 0, tile t counts t! for
//! each tile of a lower number that stands after it. A tile that passes another so changes the
//! number by the factorial of the greater of the two, whatever the others do.

use std::ops::ControlFlow;
use std::sync::Arc;

use deepen::table::{Blocks, Indexed, Neighbour, block_stride};
use deepen::{Space, Visitor};

use super::places::{Cells, Places};
use super::symmetry::cells_of;

/// The most tiles of a pattern: 40,320 orders.
pub(super) const MOST_TILES: usize = 8;

/// The tiles of a pattern and where they belong.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) places: Arc<Places>,
    /// Where its tiles belong. They are numbered in the order of these cells.
    home: Cells,
    /// The component in which the blank belongs.
    blank: Cells,
}

/// What a pattern sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Picture {
    /// The cell of each tile, by its number in the pattern; 0 beyond the last.
    pub(super) cells: [u8; MOST_TILES],
    /// The lowest cell of the blank's component.
    pub(super) blank: u8,
}

/// The move of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slide {
    tile: u8,
    from: u8,
    to: u8,
}

/// How much each tile that is passed counts.
pub(super) const FACTORIALS: [u16; MOST_TILES] = [1, 1, 2, 6, 24, 120, 720, 5040];

/// The number of an order of tiles.
fn rank(order: &[u8]) -> u16 {
    let before = |place: usize| order[..place].iter().filter(move |&&tile| tile > order[place]);
    // Each pair in the wrong order counts by its greater tile.
    let places = 0..order.len();
    places.flat_map(before).map(|&greater| FACTORIALS[usize::from(greater)]).sum()
}

/// The order of a number.
fn unrank(tiles: usize, rank: usize) -> Vec<u8> {
    let mut order = Vec::with_capacity(tiles);
    let mut rest = rank;
    for tile in 0..tiles {
        let after = rest % (tile + 1);
        rest /= tile + 1;
        order.insert(tile - after, tile as u8);
    }
    order
}

impl Pattern {
    /// The pattern of the tiles that belong on `home`, with the blank belonging in a cell.
    pub(super) fn new(places: Arc<Places>, home: Cells, blank: u32) -> Self {
        let tiles = places.tiles;
        assert!(home.count_ones() as usize == tiles && tiles <= MOST_TILES);
        let blank = places.component(home, blank);
        Pattern { places, home, blank }
    }

    fn tiles(&self) -> usize {
        self.places.tiles
    }

    /// The picture of the goal.
    pub(super) fn goal(&self) -> Picture {
        self.picture(self.home, self.blank.trailing_zeros(), cells_of(self.home))
    }

    /// The picture of tiles on the cells of a set, of each tile by its number, with the blank
    /// there.
    pub(super) fn picture(
        &self,
        mask: Cells,
        blank: u32,
        tiles: impl Iterator<Item = u32>,
    ) -> Picture {
        let mut cells = [0; MOST_TILES];
        tiles.zip(&mut cells).for_each(|(cell, place)| *place = cell as u8);
        Picture { cells, blank: self.places.component(mask, blank).trailing_zeros() as u8 }
    }

    fn mask(&self, picture: &Picture) -> Cells {
        picture.cells[..self.tiles()].iter().fold(0, |mask, &cell| mask | 1 << cell)
    }

    /// The number of a picture in its block.
    pub(super) fn number(&self, picture: &Picture) -> u16 {
        let mut order: Vec<_> = (0..).zip(&picture.cells[..self.tiles()]).collect();
        order.sort_by_key(|&(_, cell)| cell);
        rank(&order.iter().map(|&(tile, _)| tile).collect::<Vec<_>>())
    }

    /// A block and a number in it.
    pub(super) fn in_block(&self, picture: &Picture) -> (usize, usize) {
        let block = self.places.block(self.mask(picture), picture.blank.into());
        (block, self.number(picture).into())
    }

    /// How many orders the tiles can be in.
    fn orders(&self) -> usize {
        (1..=self.tiles()).product()
    }

    /// The moves, block by block.
    pub(super) fn moves(&self) -> Moves<'_> {
        Moves::new(self)
    }

    /// By how much the numbers of two blocks that follow each other differ.
    pub(super) fn stride(&self) -> usize {
        block_stride(self.orders())
    }

    /// What it is a pattern of, so that no two mean the same.
    pub(super) fn definition(&self) -> String {
        let Places { rows, columns, .. } = *self.places;
        let home: Vec<_> = cells_of(self.home).map(|cell| cell.to_string()).collect();
        let (home, blank) = (home.join(" "), self.blank.trailing_zeros());
        format!(
            "tiles {rows}x{columns}: distances of tiles to cells {home}, blank to {blank}, order 2"
        )
    }
}

impl Space for Pattern {
    type State = Picture;
    type Move = Slide;

    fn for_each_move<V: Visitor<Self>>(
        &self,
        picture: &mut Picture,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let mask = self.mask(picture);
        let component = self.places.component(mask, picture.blank.into());
        for (from, to) in self.places.slides(mask, component) {
            let (from, to) = (from as u8, to as u8);
            if let Some(tile) = picture.cells[..self.tiles()].iter().position(|&cell| cell == from)
            {
                visitor.visit(picture, Slide { tile: tile as u8, from, to })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, picture: &mut Picture, slide: Slide) {
        picture.cells[usize::from(slide.tile)] = slide.to;
        let component = self.places.component(self.mask(picture), slide.from.into());
        picture.blank = component.trailing_zeros() as u8;
    }

    fn undo(&self, picture: &mut Picture, Slide { tile, from, to }: Slide) {
        self.apply(picture, Slide { tile, from: to, to: from });
    }

    fn is_goal(&self, picture: &Picture) -> bool {
        *picture == self.goal()
    }
}

impl Indexed for Pattern {
    fn size(&self) -> u64 {
        (self.places.blocks() * self.stride()) as u64
    }

    fn rank(&self, picture: &Picture) -> u64 {
        let (block, number) = self.in_block(picture);
        (block * self.stride() + number) as u64
    }

    fn unrank(&self, rank: u64) -> Picture {
        let (block, number) = (rank as usize / self.stride(), rank as usize % self.stride());
        let (mask, component) = self.places.of_block(block);
        let order = unrank(self.tiles(), number);
        let mut cells = [0; MOST_TILES];
        for (cell, &tile) in cells_of(mask).zip(&order) {
            cells[usize::from(tile)] = cell as u8;
        }
        Picture { cells, blank: component.trailing_zeros() as u8 }
    }
}

/// The moves of a pattern, block by block.
pub(super) struct Moves<'a> {
    pattern: &'a Pattern,
    /// How the numbers in a block change when the tile on one of the occupied cells passes some
    /// others: by how many cells are before it before and after.
    permutations: Vec<Vec<u16>>,
}

impl<'a> Moves<'a> {
    fn new(pattern: &'a Pattern) -> Self {
        let tiles = pattern.tiles();
        let orders: Vec<_> = (0..pattern.orders()).map(|number| unrank(tiles, number)).collect();
        let permutation = |before: usize, after: usize| {
            if before == after || before.abs_diff(after) >= pattern.places.columns {
                return Vec::new();
            }
            let passed = |order: &Vec<u8>| {
                let mut order = order.clone();
                let tile = order.remove(before);
                order.insert(after, tile);
                rank(&order)
            };
            orders.iter().map(passed).collect()
        };
        let pairs = (0..tiles * tiles).map(|pair| permutation(pair / tiles, pair % tiles));
        Moves { pattern, permutations: pairs.collect() }
    }
}

impl Blocks for Moves<'_> {
    fn blocks(&self) -> usize {
        self.pattern.places.blocks()
    }

    fn block_states(&self) -> usize {
        self.pattern.orders()
    }

    fn permutations(&self) -> &[Vec<u16>] {
        &self.permutations
    }

    fn for_each_neighbour(&self, block: usize, mut tell: impl FnMut(Neighbour)) {
        let Pattern { places, .. } = self.pattern;
        let tiles = self.pattern.tiles();
        let (mask, component) = places.of_block(block);
        for (from, to) in places.slides(mask, component) {
            let after = mask ^ 1 << from ^ 1 << to;
            let before = |mask: Cells, cell: u32| (mask & ((1 << cell) - 1)).count_ones() as usize;
            let (leaves, enters) = (before(mask, from), before(after, to));
            let permutations = (leaves * tiles + enters, enters * tiles + leaves);
            tell(Neighbour {
                block: places.block(after, from),
                permutations: (leaves != enters).then_some(permutations),
            });
        }
    }
}
