//! Watching a search: a line on the terminal while it takes long, and answers that do not wait.

use std::time::{Duration, Instant};

use console::Term;
use deepen::{CancelToken, Observer, Progress};

use crate::failure::Failure;
use crate::output::Output;

/// How long it takes before a line is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a line stays at least before that of the next search is shown.
const STAY: Duration = Duration::from_millis(100);
/// How many columns are left free at the end of the line, where a terminal shows `^C`. Otherwise
/// that would go to a new line, and it would be that line that is cleared.
const MARGIN: usize = 4;

/// Watches a search, or one after another.
pub(crate) struct Watch<'a> {
    search: String,
    began: Instant,
    shown: Instant,
    output: &'a Output,
    cancel: &'a CancelToken,
    /// Where a line is shown; none before it is, nor if standard error is no terminal.
    terminal: Option<Term>,
    failure: Option<Failure>,
}

impl<'a> Watch<'a> {
    /// Watches the instance of that number, from 1. If the output can't be written to, it uses
    /// `cancel`.
    pub(crate) fn new(number: u64, output: &'a Output, cancel: &'a CancelToken) -> Self {
        let (search, now) = (format!("instance {number}"), Instant::now());
        Watch { search, began: now, shown: now, output, cancel, terminal: None, failure: None }
    }

    /// Watches another search from now on, which is called so.
    pub(crate) fn turn_to(&mut self, search: String) {
        self.search = search;
        if self.began.elapsed() >= PATIENCE && self.shown.elapsed() >= STAY {
            self.show(&self.search.clone());
        }
    }

    /// Clears the line, for something else to be written. It comes back with the next progress.
    pub(crate) fn clear(&self) {
        if let Some(terminal) = &self.terminal {
            let _ = terminal.clear_line();
        }
    }

    /// Ends the search, since the output can't be written to.
    pub(crate) fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
        self.cancel.cancel();
    }

    fn show(&mut self, line: &str) {
        self.shown = Instant::now();
        if self.terminal.is_none() {
            self.terminal = Some(Term::stderr()).filter(Term::is_term);
        }
        if let Some(terminal) = &self.terminal {
            let columns = usize::from(terminal.size().1).saturating_sub(MARGIN);
            let line: String = line.chars().take(columns).collect();
            // What a terminal does not show is no trouble for the search.
            let _ = terminal.clear_line();
            let _ = terminal.write_str(&line);
        }
    }

    /// Clears the line. An error if the output could not be written to.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.clear();
        self.failure.map_or(Ok(()), Err)
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) {
        if let Err(failure) = self.output.flush() {
            self.fail(failure);
        }
        if self.began.elapsed() >= PATIENCE {
            self.show(&line(&self.search, progress));
        }
    }
}

/// What is shown of a search.
fn line(search: &str, progress: &Progress) -> String {
    let Progress { bound, expanded, elapsed } = progress;
    let rate = u128::from(*expanded) * 1000 / elapsed.as_millis().max(1);
    format!(
        "{search}: bound {bound}, {} million nodes, {} million a second, {} s",
        millions((*expanded).into()),
        millions(rate),
        elapsed.as_secs(),
    )
}

/// A count in millions, with one decimal place.
fn millions(count: u128) -> String {
    let tenths = count / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
