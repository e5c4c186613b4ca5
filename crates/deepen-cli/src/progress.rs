//! A line on the terminal while something takes long, and answers that do not wait.

use std::time::{Duration, Instant};

use console::Term;
use deepen::{CancelToken, Observer, Progress};

use crate::failure::Failure;
use crate::output::Output;

/// How long a search takes before a line is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many columns are left free at the end of the line, where a terminal shows `^C`. Otherwise
/// that would go to a new line, and it would be that line that is cleared.
const MARGIN: usize = 4;

/// How often the line is written anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line on the terminal, if standard error is one.
pub(crate) struct StatusLine {
    began: Instant,
    /// When it was written; none before it is.
    written: Option<Instant>,
    /// Where it is written; none before it is, nor if standard error is no terminal.
    terminal: Option<Term>,
}

impl StatusLine {
    /// A line that is not there yet.
    pub(crate) fn new() -> Self {
        StatusLine { began: Instant::now(), written: None, terminal: None }
    }

    /// Writes the line, if it took long enough.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        let is_recent = self.written.is_some_and(|written| written.elapsed() < INTERVAL);
        if is_recent || self.began.elapsed() < PATIENCE {
            return;
        }
        if self.written.is_none() {
            self.terminal = Some(Term::stderr()).filter(Term::is_term);
        }
        self.written = Some(Instant::now());
        if let Some(terminal) = &self.terminal {
            let columns = usize::from(terminal.size().1).saturating_sub(MARGIN);
            let line: String = text().chars().take(columns).collect();
            // What a terminal does not show is no trouble for the search.
            let _ = terminal.clear_line();
            let _ = terminal.write_str(&line);
        }
    }

    /// Clears the line. It comes back when it is shown again.
    pub(crate) fn clear(&mut self) {
        self.written = None;
        if let Some(terminal) = self.terminal.take() {
            let _ = terminal.clear_line();
        }
    }
}

/// Watches a search, or one after another.
pub(crate) struct Watch<'a> {
    search: String,
    output: &'a Output,
    cancel: &'a CancelToken,
    line: StatusLine,
    failure: Option<Failure>,
}

impl<'a> Watch<'a> {
    /// Watches the instance of that number, from 1. If the output can't be written to, it uses
    /// `cancel`.
    pub(crate) fn new(number: u64, output: &'a Output, cancel: &'a CancelToken) -> Self {
        let search = format!("instance {number}");
        Watch { search, output, cancel, line: StatusLine::new(), failure: None }
    }

    /// Watches another search from now on, which is called so.
    pub(crate) fn turn_to(&mut self, search: String) {
        self.search = search;
        self.line.show(|| self.search.clone());
    }

    /// Clears the line, for something else to be written.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }

    /// Ends the search, since the output can't be written to.
    pub(crate) fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
        self.cancel.cancel();
    }

    /// Clears the line. An error if the output could not be written to.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.line.clear();
        self.failure.map_or(Ok(()), Err)
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) {
        if let Err(failure) = self.output.flush() {
            self.fail(failure);
        }
        self.line.show(|| line(&self.search, progress));
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
