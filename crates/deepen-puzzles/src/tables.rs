//! How puzzles come by their tables.
//!
//! A puzzle has a [`LazyTable`] for each of its table heuristics. When it is first asked for, it is
//! opened from the store that the settings name, or built, by all cores, and stored if it took long
//! enough to be worth it. What happens is told to an observer, and can be cancelled. The table of
//! a definition that changes its meaning must change its name: else an old file would be believed.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use deepen::table::{
    BuildError, Direction, Indexed, Kept, Source, Store, StoreError, Table, TableBuild, Width,
};
use deepen::{CancelToken, Space};

/// Where tables are kept, and who is told of them.
#[derive(Clone, Default)]
pub struct Tables {
    /// Where they are kept from run to run; nowhere if there is none.
    pub store: Option<Store>,
    /// Stops their building, and waiting for other processes. What needed the table then goes on
    /// without it, and had better be stopped by the same token.
    pub cancel: CancelToken,
    /// Is told of them.
    pub observer: Option<Arc<dyn TableObserver>>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("store", &self.store).finish_non_exhaustive()
    }
}

/// Is told how a table is come by, on whatever thread needs it.
pub trait TableObserver: Send + Sync {
    /// Something happened to the table of that definition.
    fn event(&self, definition: &str, event: TableEvent<'_>);
}

/// What happens to a table.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum TableEvent<'a> {
    /// Another process is building it; this one waits until it is done.
    Waiting,
    /// It is being built. Told at the beginning and after each distance.
    Building {
        /// How many entries are done.
        done: u64,
        /// How many there are. (Those that can't be reached are never done.)
        entries: u64,
    },
    /// It is ready.
    Ready {
        /// Whether it was opened or built.
        source: Source,
        /// How long it took.
        elapsed: Duration,
    },
    /// It could not be opened or stored, but is ready all the same.
    Warning(&'a StoreError),
    /// It can't be built. What needed it goes on without it.
    Failed(BuildError),
}

/// Tables of fewer entries are built faster than anybody notices, and never stored.
pub const WORTH_STORING: u64 = 1 << 21;

/// A table that a puzzle may need, whatever it is a table of.
pub trait PuzzleTable: Sync {
    /// What it is a table of; the name under which it is stored.
    fn definition(&self) -> &str;

    /// How many entries it has.
    fn entries(&self) -> u64;

    /// How an entry is stored.
    fn width(&self) -> Width;

    /// Whether its entries are the puzzle's states, or what a census may count instead. (Those of a
    /// pattern database are pictures that leave most of the state out.)
    fn is_of_states(&self) -> bool {
        true
    }

    /// Whether it is worth storing.
    fn is_stored(&self) -> bool {
        self.entries() >= WORTH_STORING
    }

    /// Whether there is a file of it.
    fn is_kept(&self) -> bool;

    /// The table: opened, or built if it is not there, when first asked for.
    ///
    /// # Errors
    ///
    /// If it can't be built or was cancelled.
    fn get(&self) -> Result<&Table, BuildError>;
}

/// A table that is come by when it is first asked for.
pub(crate) struct Lazy {
    definition: String,
    entries: u64,
    width: Width,
    tables: Tables,
    table: OnceLock<Result<Table, BuildError>>,
}

impl Lazy {
    /// A table of that definition, with so many entries. Whoever builds it sees to the width.
    pub(crate) fn new(definition: String, entries: u64, width: Width, tables: &Tables) -> Self {
        Lazy { definition, entries, width, tables: tables.clone(), table: OnceLock::new() }
    }

    fn tell(&self, event: TableEvent<'_>) {
        if let Some(observer) = &self.tables.observer {
            observer.event(&self.definition, event);
        }
    }

    fn build(
        &self,
        build: impl FnOnce(TableBuild<'_>) -> Result<Table, BuildError>,
    ) -> Result<Table, BuildError> {
        let mut progress = |done, entries| self.tell(TableEvent::Building { done, entries });
        progress(0, self.entries);
        build(TableBuild {
            cancel: self.tables.cancel.clone(),
            progress: Some(&mut progress),
            ..TableBuild::default()
        })
    }

    fn open_or_build(
        &self,
        build: impl FnOnce(TableBuild<'_>) -> Result<Table, BuildError>,
    ) -> Result<Table, BuildError> {
        let began = Instant::now();
        let kept = match &self.tables.store {
            Some(store) if self.entries >= WORTH_STORING => {
                let waiting = || self.tell(TableEvent::Waiting);
                let build = || self.build(build);
                store.open_or_build(&self.definition, &self.tables.cancel, waiting, build)
            }
            _ => {
                let kept = |table| Kept { table, source: Source::Built, warning: None };
                self.build(build).map(kept)
            }
        };
        match kept {
            Ok(Kept { table, source, warning }) => {
                if let Some(warning) = warning {
                    self.tell(TableEvent::Warning(&warning));
                }
                self.tell(TableEvent::Ready { source, elapsed: began.elapsed() });
                Ok(table)
            }
            Err(error) => {
                self.tell(TableEvent::Failed(error));
                Err(error)
            }
        }
    }

    pub(crate) fn definition(&self) -> &str {
        &self.definition
    }

    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    pub(crate) fn width(&self) -> Width {
        self.width
    }

    pub(crate) fn is_kept(&self) -> bool {
        let store = self.tables.store.as_ref();
        store.is_some_and(|store| store.path(&self.definition).exists())
    }

    /// The table: opened, or built if it is not there, when first asked for.
    pub(crate) fn get(
        &self,
        build: impl FnOnce(TableBuild<'_>) -> Result<Table, BuildError>,
    ) -> Result<&Table, BuildError> {
        self.table.get_or_init(|| self.open_or_build(build)).as_ref().map_err(|&error| error)
    }
}

/// The table of the distances in an indexed space whose moves cost 1 and can be taken back.
pub(crate) struct LazyTable<S: Space> {
    pub(crate) space: S,
    goals: Vec<S::State>,
    direction: Direction,
    lazy: Lazy,
}

impl<S: Indexed + Sync> LazyTable<S> {
    /// The table of the distances to `goals`. If they don't fit into that width, a byte is used.
    pub(crate) fn new(
        space: S,
        goals: Vec<S::State>,
        definition: String,
        width: Width,
        tables: &Tables,
    ) -> Self {
        let lazy = Lazy::new(definition, space.size(), width, tables);
        LazyTable { space, goals, direction: Direction::FromGoals, lazy }
    }

    /// The same, to be built from both ends: faster where a state has many moves.
    pub(crate) fn both_ways(self) -> Self {
        LazyTable { direction: Direction::Both, ..self }
    }
}

impl<S: Indexed<State: Sync> + Sync> PuzzleTable for LazyTable<S> {
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
        self.lazy.get(|build| {
            let build = TableBuild { direction: self.direction, ..build };
            let table = build.build(&self.space, self.goals.iter().cloned())?;
            Ok(table.packed(self.lazy.width()).unwrap_or(table))
        })
    }
}
