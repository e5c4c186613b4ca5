//! Standard output, which holds answers alone, and the words on standard error.
//!
//! Answers are gathered and handed on in large pieces, since a system call for each would cost
//! more than most searches. Still nobody waits for one: they are handed on before the program
//! waits for input (see [`Input`](crate::input::Input)), whenever a search takes long (see
//! [`Watch`](crate::progress::Watch)), and whenever some have been held back for [`PATIENCE`].

use std::cell::RefCell;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// How long an answer is held back at the most while further ones are written.
const PATIENCE: Duration = Duration::from_millis(20);
/// How much is gathered, in bytes.
const CAPACITY: usize = 64 << 10;

/// Standard output. Shared, since whoever is about to wait hands on what was gathered.
pub(crate) struct Output(RefCell<Gathered>);

struct Gathered {
    writer: BufWriter<StdoutLock<'static>>,
    handed_on: Instant,
}

impl Output {
    pub(crate) fn new() -> Self {
        let writer = BufWriter::with_capacity(CAPACITY, io::stdout().lock());
        Output(RefCell::new(Gathered { writer, handed_on: Instant::now() }))
    }

    /// Writes a text, which may be held back until the next [`flush`](Output::flush).
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let mut gathered = self.0.borrow_mut();
        gathered.writer.write_all(text.as_bytes()).map_err(Failure::output)?;
        if gathered.handed_on.elapsed() >= PATIENCE { gathered.hand_on() } else { Ok(()) }
    }

    /// Hands on whatever was written.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        self.0.borrow_mut().hand_on()
    }

    /// Says something on standard error, after what was written to standard output.
    pub(crate) fn note(&self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        complain(text);
        Ok(())
    }
}

impl Gathered {
    fn hand_on(&mut self) -> Result<(), Failure> {
        self.handed_on = Instant::now();
        self.writer.flush().map_err(Failure::output)
    }
}

/// Writes a text and a line end to standard error. If that fails, there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
