//! Additive pattern databases (Korf and Felner 2002).
//!
//! The tiles are parted into *patterns*. For each pattern a table holds how many slides of its own
//! tiles it takes at least to bring these home; slides of other tiles are free, but the blank must
//! get where it is needed: a table knows in which of the parts of the board, cut off from one
//! another by the pattern's tiles, the blank is. As no slide moves tiles of two patterns, the sum
//! over the patterns is a lower bound. The same patterns are looked up for the mirrored board; the
//! greater sum counts.
//!
//! *One bit a state.* A slide of a tile of the pattern changes the distance by one, up or down,
//! never by naught. So a table need only tell which: one bit a state, whose distance follows from
//! that of the state before. The tables of `pdb-663` take 3 MB, and nearly stay in the caches;
//! those of `pdb-6666` take 48 MB, where a byte a state would be 386 MB.
//!
//! *Incremental.* Down the path go, of each pattern, the set of its cells and the number of the
//! order of its tiles ([`picture`]). A slide changes those of one pattern: two bits of the set, and
//! the order by the tiles that the tile passes in reading order, none if it moves in its row. Then
//! the one bit is looked up.
//!
//! | file | what |
//! |---|---|
//! | `partition.rs` | the partitions by name; how patterns look at a board |
//! | `symmetry.rs` | the symmetries of a board |
//! | `places.rs` | sets of cells, numbered, and what they cut the board into |
//! | `picture.rs` | what a pattern sees of a board: the space of its table |
//! | `additive.rs` | the heuristic |

mod additive;
mod partition;
mod picture;
mod places;
mod symmetry;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use deepen::table::{BuildError, Indexed, Table, Width};

use self::partition::View;
use self::picture::{MOST_TILES, Pattern};
use self::places::{MOST_CELLS, MOST_COLUMNS, Places, is_small};
use super::space::Tiles;
use crate::tables::{Lazy, PuzzleTable, Tables};

pub(super) use self::additive::{Additive, Late};
pub(super) use self::partition::{PARTITIONS, Partition};

/// The pattern databases of a partition, come by when they are first asked for.
pub(super) struct Patterns {
    tables: Vec<PatternTable>,
    /// Of the board as it is and of its mirror image: each pattern's view, and the index of its
    /// table.
    sides: [Vec<(View, usize)>; 2],
    small: bool,
}

/// The table of a pattern.
struct PatternTable {
    pattern: Pattern,
    lazy: Lazy,
}

/// Additive pattern databases as a heuristic, in the form that suits their size.
pub(super) enum PatternHeuristic<'a> {
    /// For boards of up to 16 cells, and tables that fit into the caches.
    Near(Additive<'a, u64>),
    /// For boards of up to 16 cells, and larger tables.
    Far(Late<'a, u64>),
    /// For larger boards.
    Wide(Late<'a, u128>),
}

/// Tables of so many bytes together are looked up late.
const LARGE: u64 = 16 << 20;

impl Patterns {
    /// Those of a partition; `None` if the boards are too large for patterns.
    ///
    /// # Panics
    ///
    /// If the partition is one of boards of another size.
    pub(super) fn new(space: &Tiles, partition: Partition, tables: &Tables) -> Option<Self> {
        let (rows, columns) = (space.rows, space.columns);
        if rows * columns > MOST_CELLS || columns > MOST_COLUMNS {
            return None;
        }
        let mut numbered: Vec<Option<Arc<Places>>> = vec![None; MOST_TILES + 1];
        let mut databases: Vec<PatternTable> = Vec::new();
        let mut keys = Vec::new();
        let mut view = |view: View| {
            let key = (view.home, view.blank);
            let known = keys.iter().position(|known| *known == key);
            let table = known.unwrap_or_else(|| {
                let tiles = view.tiles.len();
                let places = numbered[tiles]
                    .get_or_insert_with(|| Arc::new(Places::new(rows, columns, tiles)));
                let blank = view.blank.trailing_zeros();
                let pattern = Pattern::new(Arc::clone(places), view.home, blank);
                databases.push(PatternTable::new(pattern, tables));
                keys.push(key);
                keys.len() - 1
            });
            (view, table)
        };
        let sides = partition.views(space).map(|views| views.into_iter().map(&mut view).collect());
        Some(Patterns { tables: databases, sides, small: is_small(rows, columns) })
    }

    /// The tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = &dyn PuzzleTable> {
        self.tables.iter().map(|table| table as &dyn PuzzleTable)
    }

    /// The heuristic, when all tables have been come by.
    ///
    /// # Errors
    ///
    /// If one can't be built or was cancelled.
    pub(super) fn heuristic<'a>(
        &'a self,
        space: &Tiles,
    ) -> Result<PatternHeuristic<'a>, BuildError> {
        let bytes: u64 = self.tables().map(|table| table.width().bytes(table.entries())).sum();
        Ok(match (self.small, bytes >= LARGE) {
            (true, false) => PatternHeuristic::Near(Additive::new(space, self)?),
            (true, true) => PatternHeuristic::Far(Late(Additive::new(space, self)?)),
            (false, _) => PatternHeuristic::Wide(Late(Additive::new(space, self)?)),
        })
    }
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patterns").field("sides", &self.sides).finish_non_exhaustive()
    }
}

impl PatternTable {
    fn new(pattern: Pattern, tables: &Tables) -> Self {
        let lazy = Lazy::new(pattern.definition(), pattern.size(), Width::One, tables);
        PatternTable { pattern, lazy }
    }
}

impl PuzzleTable for PatternTable {
    fn is_of_states(&self) -> bool {
        false
    }

    fn definition(&self) -> &str {
        self.lazy.definition()
    }

    fn entries(&self) -> u64 {
        self.lazy.entries()
    }

    fn width(&self) -> Width {
        self.lazy.width()
    }

    fn is_kept(&self) -> bool {
        self.lazy.is_kept()
    }

    fn get(&self) -> Result<&Table, BuildError> {
        let goal = self.pattern.in_block(&self.pattern.goal());
        self.lazy.get(|build| build.build_blocks(&self.pattern.moves(), [goal]))
    }
}
