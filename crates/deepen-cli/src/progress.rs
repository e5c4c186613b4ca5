//! Watching a search: a line on the terminal while it takes long, and answers that do not wait.

use std::time::Duration;

use deepen::{CancelToken, Observer, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::output::Output;

/// How long a search takes before a line is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Watches the search of one instance.
pub(crate) struct Watch<'a> {
    number: u64,
    output: &'a Output,
    cancel: &'a CancelToken,
    /// On standard error, and only if that is a terminal.
    line: Option<ProgressBar>,
    failure: Option<Failure>,
}

impl<'a> Watch<'a> {
    /// Watches the instance of that number, from 1. If the output can't be written to, it uses
    /// `cancel`.
    pub(crate) fn new(number: u64, output: &'a Output, cancel: &'a CancelToken) -> Self {
        Watch { number, output, cancel, line: None, failure: None }
    }

    /// Clears the line. An error if the output could not be written to.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        if let Some(line) = self.line {
            line.finish_and_clear();
        }
        self.failure.map_or(Ok(()), Err)
    }
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) {
        if let Err(failure) = self.output.flush() {
            self.failure = Some(failure);
            self.cancel.cancel();
        }
        if progress.elapsed < PATIENCE {
            return;
        }
        let line = self.line.get_or_insert_with(|| {
            let line = ProgressBar::new_spinner();
            // A template of fixed text can't be wrong; if it were, the default would do.
            line.set_style(
                ProgressStyle::with_template("{spinner} {wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            line
        });
        line.set_message(format!(
            "instance {}: bound {}, {} nodes, {} nodes/s, {}",
            self.number,
            progress.bound,
            HumanCount(progress.expanded),
            HumanCount(per_second(progress)),
            HumanDuration(progress.elapsed),
        ));
        line.tick();
    }
}

fn per_second(progress: &Progress) -> u64 {
    let rate = u128::from(progress.expanded) * 1000 / progress.elapsed.as_millis().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}
