//! Where tables are kept, and what a person is told while one is built.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use deepen::table::{BuildError, Store};
use deepen_puzzles::{TableEvent, TableObserver, Tables};
use etcetera::BaseStrategy;

use crate::arguments::StoreArguments;
use crate::interrupt::Interrupt;
use crate::output::complain;

impl StoreArguments {
    /// The store; none if it is not wanted, or if nobody knows where.
    pub(crate) fn store(&self) -> Option<Store> {
        match &self.table_dir {
            Some(folder) if folder.as_os_str() == "none" => None,
            Some(folder) => Some(Store::new(folder)),
            None => default_folder().map(Store::new),
        }
    }

    /// How puzzles come by their tables.
    pub(crate) fn tables(&self, interrupt: &Interrupt) -> Tables {
        Tables {
            store: self.store(),
            cancel: interrupt.cancel.clone(),
            observer: Some(Arc::new(Teller(Mutex::new(None)))),
        }
    }
}

/// The folder of this program's tables among the user's caches.
fn default_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("deepen").join("tables"))
}

/// How long a building takes before a line is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Tells on standard error what happens to tables: how far the building is on a terminal alone,
/// trouble everywhere.
struct Teller(Mutex<Option<Line>>);

/// The line of a table that is being built.
struct Line {
    began: Instant,
    terminal: Term,
}

impl TableObserver for Teller {
    fn event(&self, definition: &str, event: TableEvent<'_>) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            TableEvent::Waiting => {
                complain(&format!("waiting for another process that builds a table: {definition}"));
            }
            TableEvent::Building { done, entries } => {
                let Line { began, terminal } = line.get_or_insert_with(|| Line {
                    began: Instant::now(),
                    terminal: Term::stderr(),
                });
                if terminal.is_term() && began.elapsed() >= PATIENCE {
                    let _ = terminal.clear_line();
                    let _ = terminal.write_str(&progress(done, entries, began.elapsed()));
                }
            }
            _ => {
                if let Some(Line { terminal, .. }) = line.take()
                    && terminal.is_term()
                {
                    let _ = terminal.clear_line();
                }
            }
        }
        match event {
            TableEvent::Warning(error) => complain(&format!("warning: {error}")),
            TableEvent::Failed(BuildError::Cancelled) => {}
            TableEvent::Failed(error) => {
                complain(&format!("warning: no table of {definition}: {error}"));
            }
            _ => {}
        }
    }
}

/// How far a table is, and about how long it still takes.
fn progress(done: u64, entries: u64, elapsed: Duration) -> String {
    let part = done as f64 / entries.max(1) as f64;
    let left = if part > 0.0 { elapsed.as_secs_f64() * (1.0 - part) / part } else { 0.0 };
    format!("building a table: {:.0} %, about {left:.0} s left", 100.0 * part)
}
