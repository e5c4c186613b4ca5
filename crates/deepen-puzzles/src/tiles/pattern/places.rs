//! The cells that the tiles of a pattern can stand on, numbered, and the parts into which they cut
//! the rest of the board.
//!
//! The sets of so many cells are numbered by their cells of high numbers first, then by the low
//! ones: both halves are looked up. The cells outside a set fall into *components*, between which
//! the blank can't go without a tile of the pattern giving way. Sets and components together are
//! numbered as *blocks*: first the greatest components of all sets, so that these have the numbers of
//! the sets, then the others. Most sets have only one component. A bit for each set tells that, and
//! all bits together stay in the nearest caches.

use super::symmetry::cells_of;

/// The most cells of a board with patterns.
pub(super) const MOST_CELLS: usize = 25;

/// The most columns of a board with patterns.
pub(super) const MOST_COLUMNS: usize = 5;

/// A set of cells, a bit each.
pub(super) type Cells = u32;

/// Whether four sets of cells fit into 64 bits, and a row has no more than four cells.
pub(super) const fn is_small(rows: usize, columns: usize) -> bool {
    rows * columns <= 16 && columns <= 4
}

/// How many cells the lower half has.
const fn low_cells(small: bool) -> u32 {
    if small { 8 } else { 12 }
}

/// The places of so many tiles on a board.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// How many tiles there are.
    pub(super) tiles: usize,
    numbers: Numbers,
    /// By number of a set: its cells.
    masks: Vec<Cells>,
    /// By block, from the number of sets on: the number of its set.
    set_of_other: Vec<u32>,
}

/// How sets and their components are numbered.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By lower half: its number among those of as many cells.
    low: Vec<u16>,
    /// By upper half: how many sets come before.
    high: Vec<u32>,
    /// By number of a set, a bit each: whether it has more than one component.
    parted: Vec<u64>,
    /// By number of a set.
    sets: Vec<Set>,
    /// By number of a set and cell: which of the set's components it is in. Occupied cells say 0.
    components: Vec<u8>,
    low_cells: u32,
    cells: usize,
}

/// A set of cells.
#[derive(Debug, Clone, Copy)]
struct Set {
    /// The block of its second component; those of the others follow.
    second: u32,
    /// The cells of all but the greatest.
    apart: Cells,
}

impl Numbers {
    /// The block of a set of cells, with the blank in that cell outside it.
    #[inline(always)]
    pub(super) fn block(&self, mask: Cells, blank: u32) -> u32 {
        let set = self.set(mask);
        if self.parted[set / 64] >> (set % 64) & 1 == 0 {
            set as u32
        } else {
            self.block_of_parted(set, blank)
        }
    }

    #[inline(never)]
    fn block_of_parted(&self, set: usize, blank: u32) -> u32 {
        let Set { second, apart } = self.sets[set];
        if apart >> blank & 1 == 0 { set as u32 } else { second + self.component(set, blank) - 1 }
    }

    #[inline(always)]
    fn set(&self, mask: Cells) -> usize {
        let low = self.low[(mask & ((1 << self.low_cells) - 1)) as usize];
        self.high[(mask >> self.low_cells) as usize] as usize + usize::from(low)
    }

    #[inline(always)]
    fn component(&self, set: usize, cell: u32) -> u32 {
        self.components[set * self.cells + cell as usize].into()
    }
}

impl Places {
    pub(super) fn new(rows: usize, columns: usize, tiles: usize) -> Self {
        let cells = rows * columns;
        assert!(cells <= MOST_CELLS && tiles < cells, "a pattern of {tiles} on {rows} x {columns}");
        let low_cells = low_cells(is_small(rows, columns));
        let mut of_size = vec![0; cells + 1];
        let low = (0..1_u32 << low_cells).map(|half| {
            let number = &mut of_size[(half.count_ones() as usize).min(cells)];
            *number += 1;
            *number - 1
        });
        let low: Vec<u16> = low.collect();
        let numbers = Numbers {
            low,
            high: vec![],
            parted: vec![],
            sets: vec![],
            components: vec![],
            low_cells,
            cells,
        };
        let mut places =
            Places { rows, columns, tiles, numbers, masks: vec![], set_of_other: vec![] };
        // The lower halves by how many cells they have.
        let mut halves = vec![Vec::new(); cells + 1];
        for half in 0..1_u32 << low_cells.min(cells as u32) {
            halves[half.count_ones() as usize].push(half);
        }
        for high in 0..1_u32 << cells.saturating_sub(low_cells as usize) {
            places.numbers.high.push(places.masks.len() as u32);
            let left = tiles.checked_sub(high.count_ones() as usize);
            for low in left.map_or(&[][..], |left| &halves[left]) {
                places.push(high << low_cells | low);
            }
        }
        let sets = places.masks.len() as u32;
        places.numbers.sets.iter_mut().for_each(|set| set.second += sets);
        places
    }

    /// Numbers a set.
    fn push(&mut self, mask: Cells) {
        let (set, second) = (self.masks.len(), self.set_of_other.len() as u32);
        self.masks.push(mask);
        self.numbers.parted.resize(set / 64 + 1, 0);
        let components = &mut self.numbers.components;
        let first = components.len();
        components.resize(first + self.numbers.cells, 0);
        let rest = !mask & self.all();
        // Nearly always there is but one.
        if self.component(mask, rest.trailing_zeros()) == rest {
            self.numbers.sets.push(Set { second, apart: 0 });
            return;
        }
        let mut parts = self.components(mask);
        // Stable: of equals the one with the lowest cell.
        parts.sort_by_key(|part| std::cmp::Reverse(part.count_ones()));
        for (number, part) in (0..).zip(&parts) {
            for cell in cells_of(*part) {
                self.numbers.components[first + cell as usize] = number;
            }
        }
        self.numbers.parted[set / 64] |= 1 << (set % 64);
        self.set_of_other.extend(parts.iter().skip(1).map(|_| set as u32));
        self.numbers.sets.push(Set { second, apart: rest & !parts[0] });
    }

    /// The components of what is outside a set, that of the lowest cell first.
    pub(super) fn components(&self, mask: Cells) -> Vec<Cells> {
        let mut rest = !mask & self.all();
        let mut components = Vec::new();
        while rest != 0 {
            let component = self.component(mask, rest.trailing_zeros());
            components.push(component);
            rest &= !component;
        }
        components
    }

    /// All cells of the board.
    fn all(&self) -> Cells {
        (1 << self.numbers.cells) - 1
    }

    /// The component of a cell outside a set.
    pub(super) fn component(&self, mask: Cells, cell: u32) -> Cells {
        component(self.rows, self.columns, mask, cell)
    }

    fn beside(&self, cells: Cells) -> Cells {
        beside(self.rows, self.columns, cells)
    }

    /// The tiles that can slide, as the cells that they leave and enter, if the blank is in that
    /// component outside the set.
    pub(super) fn slides(&self, mask: Cells, component: Cells) -> impl Iterator<Item = (u32, u32)> {
        let tiles = self.beside(component) & mask;
        cells_of(tiles).flat_map(move |from| {
            cells_of(self.beside(1 << from) & component).map(move |to| (from, to))
        })
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.masks.len() + self.set_of_other.len()
    }

    /// The block of a set of cells, with the blank in that cell outside it.
    #[inline(always)]
    pub(super) fn block(&self, mask: Cells, blank: u32) -> usize {
        self.numbers.block(mask, blank) as usize
    }

    /// The set of a block, and the component of the blank.
    pub(super) fn of_block(&self, block: usize) -> (Cells, Cells) {
        let Some(other) = block.checked_sub(self.masks.len()) else {
            let mask = self.masks[block];
            return (mask, !mask & !self.numbers.sets[block].apart & self.all());
        };
        let set = self.set_of_other[other] as usize;
        let (mask, Set { second, apart }) = (self.masks[set], self.numbers.sets[set]);
        let number = block - second as usize + 1;
        let cells =
            cells_of(apart).filter(|&cell| self.numbers.component(set, cell) as usize == number);
        (mask, cells.fold(0, |cells, cell| cells | 1 << cell))
    }

    /// How sets and components are numbered.
    pub(super) fn numbers(&self) -> &Numbers {
        &self.numbers
    }
}

/// The component of a cell outside a set, on a board of that size.
pub(super) fn component(rows: usize, columns: usize, mask: Cells, cell: u32) -> Cells {
    let mut component = 1 << cell;
    loop {
        let grown = (component | beside(rows, columns, component)) & !mask;
        if grown == component {
            return component;
        }
        component = grown;
    }
}

/// The cells beside those of a set (and perhaps some of the set).
fn beside(rows: usize, columns: usize, cells: Cells) -> Cells {
    let column =
        |column: usize| (0..rows).fold(0, |cells, row| cells | 1 << (row * columns + column));
    let (first, last): (Cells, Cells) = (column(0), column(columns - 1));
    let sideways = (cells & !first) >> 1 | (cells & !last) << 1;
    (sideways | cells >> columns | cells << columns) & ((1 << (rows * columns)) - 1)
}
