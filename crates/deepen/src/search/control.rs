//! Limits and watching: what may stop a search, and who is told how it goes.
//!
//! A search counts its expansions down from a grant. Only when the grant is used up does it look
//! at the clock, the cancel token and the observer; the next grant is chosen so that this happens
//! at least every few milliseconds however slow the space is. So a look costs next to nothing per
//! node, the node limit is exact, and time limits and cancelling are obeyed within an expansion or
//! a few milliseconds, whichever is longer.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::verdict::{Iteration, Stop};
use crate::space::{Cost, MAX_COST};
use crate::sync::Instant;
use crate::sync::atomic::{AtomicBool, Ordering};

/// What may stop a search. The default is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The greatest cost of a solution that is looked for.
    pub cost: Cost,
    /// How many nodes may be expanded, exactly.
    pub nodes: Option<u64>,
    /// How long the search may take.
    pub time: Option<Duration>,
    /// How many bytes the containers in which a search keeps states may take, at every moment.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cost: MAX_COST, nodes: None, time: None, memory: None }
    }
}

/// Stops searches from outside: from another thread or a signal handler. Clones share the token.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that has this token to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](CancelToken::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Is told how a search goes.
pub trait Observer {
    /// An iteration has ended; the last one perhaps before its time.
    fn iteration(&mut self, _iteration: &Iteration) {}

    /// The search goes on; told about ten times a second.
    fn progress(&mut self, _progress: &Progress) {}
}

/// How far a running search is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The bound of the running iteration, which is a proved lower bound.
    pub bound: Cost,
    /// Nodes expanded so far, in all iterations.
    pub expanded: u64,
    /// The time so far.
    pub elapsed: Duration,
}

/// Limits, cancelling and watching, for any search.
///
/// # Example
///
/// ```
/// use deepen::{CancelToken, Control, Limits};
/// use std::time::Duration;
///
/// let cancel = CancelToken::new(); // a clone of it goes to whoever may cancel
/// let control = Control {
///     limits: Limits { time: Some(Duration::from_secs(10)), ..Limits::default() },
///     cancel: cancel.clone(),
///     ..Control::default()
/// };
/// cancel.cancel();
/// assert!(control.cancel.is_cancelled());
/// ```
#[derive(Default)]
pub struct Control<'a> {
    /// What may stop the search.
    pub limits: Limits,
    /// Stops it from outside.
    pub cancel: CancelToken,
    /// Is told how it goes.
    pub observer: Option<&'a mut dyn Observer>,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("limits", &self.limits)
            .field("cancel", &self.cancel)
            .field("observer", &self.observer.as_ref().map(|_| ".."))
            .finish()
    }
}

/// How long a grant should last at the most.
const GRANT_TIME: Duration = Duration::from_millis(5);
/// The greatest grant: enough that a look costs nothing per node, and still short when nodes
/// suddenly take a thousand times longer (a table that has to come from disk).
const GREATEST_GRANT: u64 = 1 << 14;
/// How often the observer hears of progress.
const PROGRESS_TIME: Duration = Duration::from_millis(100);

/// Looks, with the number of expansions so far, at what else may stop a search.
pub(crate) type Guard<'c> = &'c dyn Fn(u64) -> ControlFlow<Stop>;

/// Counts a search's expansions against its limits.
pub(crate) struct Meter<'c, 'o> {
    control: &'c mut Control<'o>,
    /// The limit on expansions.
    pub(crate) nodes: Option<u64>,
    /// Asked at each look.
    pub(crate) guard: Option<Guard<'c>>,
    /// One more than the expansions left of the grant. The search counts it down before each
    /// expansion, and refills at 0.
    pub(crate) fuel: u64,
    granted: u64,
    grant: u64,
    started: Instant,
    looked: Instant,
    told: Instant,
    /// The bound to report with progress.
    pub(crate) bound: Cost,
}

impl<'c, 'o> Meter<'c, 'o> {
    pub(crate) fn start(control: &'c mut Control<'o>) -> Self {
        let now = Instant::now();
        Meter {
            nodes: control.limits.nodes,
            guard: None,
            control,
            fuel: 1,
            granted: 0,
            grant: 1,
            started: now,
            looked: now,
            told: now,
            bound: 0,
        }
    }

    pub(crate) fn cost_limit(&self) -> Cost {
        self.control.limits.cost.min(MAX_COST)
    }

    /// The limit on memory, in bytes.
    pub(crate) fn memory_limit(&self) -> u64 {
        self.control.limits.memory.unwrap_or(u64::MAX)
    }

    /// Counts an expansion that is about to be made.
    #[inline(always)]
    pub(crate) fn spend(&mut self) -> ControlFlow<Stop> {
        self.fuel -= 1;
        if self.fuel == 0 { self.refill() } else { ControlFlow::Continue(()) }
    }

    /// Nodes expanded so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.granted + 1 - self.fuel
    }

    /// Looks at everything that may stop the search, and grants further expansions, the one that
    /// found the fuel used up among them.
    #[cold]
    #[inline(never)]
    pub(crate) fn refill(&mut self) -> ControlFlow<Stop> {
        self.fuel = 1;
        let now = Instant::now();
        self.look(now, 0)?;
        let allowed = self.nodes.unwrap_or(u64::MAX) - self.granted;
        if allowed == 0 {
            return ControlFlow::Break(Stop::Nodes);
        }
        self.tell(now, 0);
        if self.granted > 0 {
            let slow = now - self.looked > GRANT_TIME;
            self.grant =
                if slow { (self.grant / 2).max(1) } else { (self.grant * 2).min(GREATEST_GRANT) };
        }
        self.looked = now;
        self.fuel = self.grant.min(allowed);
        self.granted += self.fuel;
        ControlFlow::Continue(())
    }

    /// Looks at what may stop the search but the limit on nodes. Others have made so many
    /// expansions meanwhile.
    pub(crate) fn look(&mut self, now: Instant, others: u64) -> ControlFlow<Stop> {
        if self.control.cancel.is_cancelled() {
            return ControlFlow::Break(Stop::Cancelled);
        }
        if self.control.limits.time.is_some_and(|limit| now - self.started >= limit) {
            return ControlFlow::Break(Stop::Time);
        }
        self.guard.map_or(ControlFlow::Continue(()), |guard| guard(self.expanded() + others))
    }

    /// Tells the observer of progress, if it is time to. Others have made so many expansions
    /// meanwhile.
    pub(crate) fn tell(&mut self, now: Instant, others: u64) {
        let expanded = self.expanded() + others;
        if let Some(observer) = &mut self.control.observer
            && now - self.told >= PROGRESS_TIME
        {
            self.told = now;
            let elapsed = now - self.started;
            observer.progress(&Progress { bound: self.bound, expanded, elapsed });
        }
    }

    /// Sets how many nodes have been expanded so far.
    pub(crate) fn set_expanded(&mut self, expanded: u64) {
        self.granted = expanded;
        self.fuel = 1;
    }

    /// Takes fuel back, if there is more than that.
    pub(crate) fn cap(&mut self, fuel: u64) {
        let excess = self.fuel.saturating_sub(fuel);
        if excess > 0 {
            self.granted -= excess;
            self.fuel = fuel;
            self.grant = fuel;
        }
    }

    pub(crate) fn iteration(&mut self, iteration: &Iteration) {
        if let Some(observer) = &mut self.control.observer {
            observer.iteration(iteration);
        }
    }
}
