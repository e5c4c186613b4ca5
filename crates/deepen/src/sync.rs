//! What threads that search together share: `std`'s types. In the tests that are compiled with
//! `--cfg loom` these are loom's, which go through the orders in which threads can come and the
//! values that they can see.
//!
//! Two things differ there. No wait times out: a thread that is not notified is found to wait for
//! ever. And time stands still, so that what a search does depends on the order of threads alone.

#[cfg(not(all(loom, test)))]
pub(crate) use {
    std::sync::{Condvar, Mutex, MutexGuard, atomic},
    std::time::Instant,
};

#[cfg(all(loom, test))]
pub(crate) use {
    loom::sync::{Condvar, Mutex, MutexGuard, atomic},
    still::Instant,
};

#[cfg(all(loom, test))]
mod still {
    use std::ops::Sub;
    use std::time::Duration;

    /// The only one there is.
    #[derive(Clone, Copy)]
    pub(crate) struct Instant;

    impl Instant {
        pub(crate) fn now() -> Self {
            Instant
        }
    }

    impl Sub for Instant {
        type Output = Duration;
        fn sub(self, _: Self) -> Duration {
            Duration::ZERO
        }
    }
}
