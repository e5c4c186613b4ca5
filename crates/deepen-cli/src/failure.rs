//! What ends the program early: the message on standard error, and the exit status.

use std::io;

use deepen_puzzles::InputError;

use crate::interrupt;
use crate::output::complain;

/// Why the program ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line makes no sense.
    #[error("{}", .0.render().to_string().trim_end())]
    Usage(#[from] clap::Error),
    /// The input is not what it should be.
    #[error("{name}:{error}")]
    Input {
        /// The file's name.
        name: String,
        /// What is wrong, and where.
        error: InputError,
    },
    /// A file can't be read, or written.
    #[error("error: {name}: {error}")]
    File {
        /// The file's name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// There is trouble with a table.
    #[error("error: {0}")]
    Table(String),
    /// Standard output can't be written to.
    #[error("error: standard output: {0}")]
    Output(io::Error),
    /// Nobody reads standard output any more: no trouble, and nothing left to do.
    #[error("standard output is closed")]
    ClosedPipe,
    /// Searches that must agree do not: a mistake in this program.
    #[error(
        "internal error: {0}; this is a mistake in deepen, please report it with the instances"
    )]
    Disagreement(String),
    /// An answer that is checked is wrong: where, and why.
    #[error("{0}")]
    WrongAnswer(String),
    /// There are no answers to check.
    #[error("{0}")]
    NoAnswers(Box<Failure>),
    /// Answers could not be checked, through no fault of theirs.
    #[error("{0}")]
    Checker(Box<Failure>),
    /// What was asked could not be found out: why.
    #[error("{0}")]
    GaveUp(String),
    /// Ctrl-C, or a signal to end; and how far it got.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl Failure {
    /// Why standard output can't be written to.
    pub(crate) fn output(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(error),
        }
    }

    /// Says on standard error what happened, if it is worth a word.
    pub(crate) fn tell(&self) {
        if !matches!(self, Failure::ClosedPipe) {
            complain(&self.to_string());
        }
    }

    /// The exit status, as documented in the help.
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::WrongAnswer(_) | Failure::GaveUp(_) => 1,
            Failure::Usage(_) | Failure::Input { .. } | Failure::NoAnswers(_) => 2,
            Failure::File { .. } | Failure::Table(_) | Failure::Output(_) | Failure::Checker(_) => {
                3
            }
            Failure::Disagreement(_) => 70,
            Failure::Interrupted(_) => interrupt::EXIT_STATUS,
        }
    }
}
