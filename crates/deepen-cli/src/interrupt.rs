//! Ctrl-C, and the signals that ask a program to end.
//!
//! The main thread is either at *work* or *waiting* for input. An interrupt at work cancels the
//! running search; the main thread then finds the state changed and ends in its own time, with
//! what it knows. An interrupt while waiting ends the program at once: nothing is lost, since all
//! answers are handed on before. A second interrupt always ends the program at once. A single
//! atomic state makes sure that no interrupt falls between the two.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use deepen::CancelToken;

/// The exit status of an interrupted program.
pub(crate) const EXIT_STATUS: u8 = 130;

const WORK: u8 = 0;
const WAITING: u8 = 1;
const INTERRUPTED: u8 = 2;

/// What is known of interrupts. Clones share it.
#[derive(Clone)]
pub(crate) struct Interrupt {
    state: Arc<AtomicU8>,
    /// Cancelled with the first interrupt.
    pub(crate) cancel: CancelToken,
}

impl Interrupt {
    /// Listens to interrupts from now on.
    pub(crate) fn listen() -> Self {
        let interrupt =
            Interrupt { state: Arc::new(AtomicU8::new(WORK)), cancel: CancelToken::new() };
        let heard = interrupt.clone();
        listen(move || match heard.state.swap(INTERRUPTED, Ordering::SeqCst) {
            WORK => heard.cancel.cancel(),
            _ => process::exit(EXIT_STATUS.into()),
        });
        interrupt
    }

    /// Whether there was an interrupt.
    pub(crate) fn happened(&self) -> bool {
        self.state.load(Ordering::SeqCst) == INTERRUPTED
    }

    /// Waits for something; `None` if it was interrupted before or meanwhile.
    pub(crate) fn waiting<T>(&self, wait: impl FnOnce() -> T) -> Option<T> {
        self.change(WORK, WAITING)?;
        let result = wait();
        self.change(WAITING, WORK)?;
        Some(result)
    }

    fn change(&self, from: u8, to: u8) -> Option<()> {
        self.state.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).ok().map(drop)
    }
}

/// Calls `heard`, on another thread, at each signal to end; SIGHUP is left alone, so that `nohup`
/// does what it should. Where there is no listening, signals end the program as is the custom.
#[cfg(unix)]
fn listen(heard: impl Fn() + Send + 'static) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        let listen = move || signals.forever().for_each(|_| heard());
        let _ = std::thread::Builder::new().spawn(listen);
    }
}

#[cfg(not(unix))]
fn listen(heard: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(heard);
}
