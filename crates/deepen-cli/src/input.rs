//! The file or the standard input that instances are read from.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::path::Path;

use deepen_puzzles::ReadError;

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::complain;

/// How much is read at once, in bytes. (More than what standard input gathers by itself, which is
/// thus passed over.)
const CAPACITY: usize = 64 << 10;

/// An input that has all it gave dealt with before it waits for more.
pub(crate) struct Input<'a> {
    source: Box<dyn Read>,
    settle: &'a dyn Fn() -> Result<(), Failure>,
    interrupt: &'a Interrupt,
    ended: bool,
}

impl<'a> Input<'a> {
    /// Opens a file, or standard input if there is none or it is `-`; also gives the name to use
    /// in messages. A person at the terminal is told to type `instances`. Before it waits for
    /// more, `settle` is called.
    pub(crate) fn open(
        path: Option<&Path>,
        instances: &str,
        settle: &'a dyn Fn() -> Result<(), Failure>,
        interrupt: &'a Interrupt,
    ) -> Result<(BufReader<Self>, String), Failure> {
        let (source, name): (Box<dyn Read>, _) = match path {
            Some(path) if path.as_os_str() != "-" => {
                let name = path.display().to_string();
                // Opening a named pipe waits for whoever writes to it.
                match interrupt.waiting(|| File::open(path)) {
                    Some(Ok(file)) => (Box::new(file), name),
                    Some(Err(error)) => return Err(Failure::File { name, error }),
                    None => return Err(interrupted()),
                }
            }
            _ => {
                let stdin = io::stdin();
                if stdin.is_terminal() {
                    let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
                    complain(&format!("Reading {instances} from the terminal; {end} ends them."));
                }
                (Box::new(stdin.lock()), "<stdin>".into())
            }
        };
        let input = Input { source, settle, interrupt, ended: false };
        Ok((BufReader::with_capacity(CAPACITY, input), name))
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A terminal goes on after its end; we don't.
        if self.ended {
            return Ok(0);
        }
        (self.settle)().map_err(io::Error::other)?;
        let read = match self.interrupt.waiting(|| self.source.read(buffer)) {
            Some(read) => read?,
            None => return Err(io::Error::other(interrupted())),
        };
        self.ended = read == 0;
        Ok(read)
    }
}

fn interrupted() -> Failure {
    Failure::Interrupted("while reading".into())
}

/// What went wrong when an instance could not be read from the input of that name.
pub(crate) fn failure(error: ReadError, name: String) -> Failure {
    match error {
        ReadError::Bad(error) => Failure::Input { name, error },
        // An interrupt, or the output that was to be handed on.
        ReadError::Io(error) => match error.downcast() {
            Ok(failure) => failure,
            Err(error) => Failure::File { name, error },
        },
    }
}
