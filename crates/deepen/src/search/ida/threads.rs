//! IDA* in several threads.
//!
//! A long iteration is split into shards; workers, a thread each, take one after the other. The
//! calling thread, meanwhile, watches: it looks at the clock, the cancel token and the observer, and
//! whether further threads have become free, and else sleeps. So no more threads are at work than
//! there are to be, and those that other searches leave idle join in within milliseconds.

use std::cell::Cell;
use std::mem;
use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use super::lanes::Lanes;
use super::shard::{Done, Shard, Spread, Work, in_shards};
use super::{DepthFirst, First, Ida};
use crate::heuristic::Heuristic;
use crate::prune::Pruning;
use crate::search::control::{CancelToken, Control, Limits, Meter};
use crate::search::verdict::{Iteration, Outcome};
use crate::space::{Cost, Space};
use crate::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::sync::{Condvar, Instant, Mutex, MutexGuard};

/// How long the calling thread sleeps.
const NAP: Duration = Duration::from_millis(5);

/// A number of threads that searches share: however many of them there are, no more threads than
/// that are at work.
///
/// A search begins when a thread is free ([`Ida::solve_in`]), and as long as others are free and it
/// has work for them, it takes them. It gives them back when another search waits to begin.
#[derive(Debug)]
pub struct Threads {
    number: usize,
    free: Mutex<usize>,
    freed: Condvar,
    /// How many searches wait to begin.
    waiting: AtomicUsize,
}

impl Threads {
    /// So many threads, at least one. They are made when there is work for them.
    pub fn new(number: usize) -> Self {
        let number = number.max(1);
        let (free, freed) = (Mutex::new(number), Condvar::new());
        Threads { number, free, freed, waiting: AtomicUsize::new(0) }
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.number
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a thread is free; `None` if the search is cancelled before.
    fn wait(&self, cancel: &CancelToken) -> Option<Busy<'_>> {
        let mut free = self.free();
        if *free == 0 {
            self.waiting.fetch_add(1, Relaxed);
            while *free == 0 && !cancel.is_cancelled() {
                let woken = self.freed.wait_timeout(free, NAP);
                free = woken.unwrap_or_else(PoisonError::into_inner).0;
            }
            self.waiting.fetch_sub(1, Relaxed);
        }
        take(self, free)
    }

    /// A thread, if one is free and nobody waits for it.
    fn spare(&self) -> Option<Busy<'_>> {
        let free = self.free();
        // Who waits has said so while the number of free threads was locked.
        if self.is_wanted() { None } else { take(self, free) }
    }

    /// Whether a search waits to begin.
    fn is_wanted(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }
}

fn take<'a>(threads: &'a Threads, mut free: MutexGuard<'a, usize>) -> Option<Busy<'a>> {
    *free = free.checked_sub(1)?;
    Some(Busy(threads))
}

/// One of the threads, at work until this is dropped.
struct Busy<'a>(&'a Threads);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.freed.notify_one();
    }
}

impl<S, H, P> Ida<'_, S, H, P>
where
    S: Space<State: Send, Move: Send> + Sync,
    H: Heuristic<S> + Sync,
    P: Pruning<S> + Sync,
{
    /// As [`solve`](Ida::solve), in several threads. The outcome is the same, to the last count, for
    /// any number of them: only times differ, and what a limit on time or a
    /// [`CancelToken`] cuts short.
    ///
    /// A heuristic that [learns](Heuristic::LEARNS) from what was searched before is searched with in
    /// one.
    ///
    /// A limit on memory is shared out among the threads. The observer is called in the calling
    /// thread.
    ///
    /// ```
    /// # use deepen::{Control, Ida, Space, Threads, Visitor, heuristic::Zero};
    /// # use std::ops::ControlFlow;
    /// # struct Count;
    /// # impl Space for Count {
    /// #     type State = u32;
    /// #     type Move = u32;
    /// #     fn for_each_move<V: Visitor<Self>>(&self, at: &mut u32, v: &mut V) -> ControlFlow<()> {
    /// #         v.visit(at, 1)?;
    /// #         v.visit(at, 3)
    /// #     }
    /// #     fn apply(&self, at: &mut u32, step: u32) {
    /// #         *at += step;
    /// #     }
    /// #     fn undo(&self, at: &mut u32, step: u32) {
    /// #         *at -= step;
    /// #     }
    /// #     fn is_goal(&self, at: &u32) -> bool {
    /// #         *at == 40
    /// #     }
    /// # }
    /// let search = Ida::new(&Count, &Zero);
    /// let alone = search.solve(&0, &mut Control::default());
    /// let together = search.solve_in(&Threads::new(4), &0, &mut Control::default());
    /// assert_eq!(alone.verdict, together.verdict);
    /// ```
    pub fn solve_in(
        &self,
        threads: &Threads,
        start: &S::State,
        control: &mut Control,
    ) -> Outcome<S::Move> {
        let _busy = threads.wait(&control.cancel);
        if threads.number == 1 || H::LEARNS {
            return self.solve(start, control);
        }
        let lanes = self.number_of_lanes();
        self.deepen(start, Meter::start(control), &mut First, &Spawned { threads, lanes })
    }
}

/// In shards, with as many threads as are free, each of them so many shards in turn.
struct Spawned<'t> {
    threads: &'t Threads,
    lanes: usize,
}

impl<S, H, P> Spread<S, H, P, First> for Spawned<'_>
where
    S: Space<State: Send, Move: Send> + Sync,
    H: Heuristic<S> + Sync,
    P: Pruning<S> + Sync,
{
    fn iteration(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
        start: &S::State,
        value: H::Value,
        bound: Cost,
        expected: u64,
    ) -> Iteration {
        in_shards(search, start, value, bound, expected, |search, work| {
            let DepthFirst { space, heuristic, pruning, meter, .. } = search;
            let memory = meter.memory_limit() / self.threads.number as u64;
            let (space, heuristic, pruning) = (*space, *heuristic, *pruning);
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            Crew::new(space, heuristic, pruning, self.lanes, limits, work).run(self.threads, meter)
        })
    }
}

/// The workers on an iteration.
struct Crew<'a, S: Space, H: Heuristic<S>, P: Pruning<S>> {
    space: &'a S,
    heuristic: &'a H,
    pruning: &'a P,
    lanes: usize,
    limits: Limits,
    /// Cancelled if the search as a whole is stopped.
    stop: CancelToken,
    work: Work<S, H, P>,
    state: Mutex<State<S::Move>>,
    /// Notified when a worker has ended.
    changed: Condvar,
}

struct State<M> {
    /// How many workers are at work.
    at_work: usize,
    /// What the others did.
    done: Done<M>,
}

impl<'a, S: Space, H: Heuristic<S>, P: Pruning<S>> Crew<'a, S, H, P> {
    fn new(
        space: &'a S,
        heuristic: &'a H,
        pruning: &'a P,
        lanes: usize,
        limits: Limits,
        work: Work<S, H, P>,
    ) -> Self {
        let state = Mutex::new(State { at_work: 0, done: Done::default() });
        let (stop, changed) = (CancelToken::new(), Condvar::new());
        Crew { space, heuristic, pruning, lanes, limits, stop, work, state, changed }
    }

    /// Goes through the shards with all threads that are free, and in place of this one, which
    /// watches. `spawn` lets a worker [work](Worker::work) in a thread of its own.
    fn watch<'w>(
        &'w self,
        threads: &'w Threads,
        meter: &mut Meter,
        mut spawn: impl FnMut(Worker<'w, 'a, S, H, P>),
    ) -> Done<S::Move> {
        let mut stop = None;
        spawn(self.begin(None));
        loop {
            while stop.is_none()
                && self.work.is_waiting()
                && let Some(busy) = threads.spare()
            {
                spawn(self.begin(Some(busy)));
            }
            let mut state = self.state();
            if state.at_work == 0 {
                return Done { stop, ..mem::take(&mut state.done) };
            }
            drop(self.changed.wait_timeout(state, NAP));
            if stop.is_none() {
                let now = Instant::now();
                if let ControlFlow::Break(reason) = meter.look(now, self.work.sum()) {
                    stop = Some(reason);
                    self.stop.cancel();
                }
                meter.tell(now, self.work.sum());
            }
        }
    }

    fn begin<'w>(&'w self, spare: Option<Busy<'w>>) -> Worker<'w, 'a, S, H, P> {
        self.state().at_work += 1;
        Worker { crew: self, spare }
    }

    fn state(&self) -> MutexGuard<'_, State<S::Move>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S, H, P> Crew<'_, S, H, P>
where
    S: Space<State: Send, Move: Send> + Sync,
    H: Heuristic<S> + Sync,
    P: Pruning<S> + Sync,
{
    /// As [`watch`](Crew::watch).
    fn run(self, threads: &Threads, meter: &mut Meter) -> Done<S::Move> {
        thread::scope(|scope| {
            self.watch(threads, meter, |worker| {
                scope.spawn(|| worker.work());
            })
        })
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Crew<'_, S, H, P> {
    /// Takes shards and searches them, as long as `go_on` holds.
    fn work(&self, go_on: impl Fn() -> bool) {
        let mut control =
            Control { limits: self.limits, cancel: self.stop.clone(), observer: None };
        let done = if H::LANES && self.lanes > 1 {
            let mut done = Done::default();
            let mut meter = Meter::start(&mut control);
            Lanes::new(self.space, self.heuristic, self.pruning, &mut meter, &self.work)
                .run(self.lanes, &mut done, go_on);
            done
        } else {
            self.recurse(&mut control, go_on)
        };
        self.state().done.add(done);
    }

    /// Searches shards by recursion.
    fn recurse(&self, control: &mut Control, go_on: impl Fn() -> bool) -> Done<S::Move> {
        // The shard that is searched, and how many nodes were expanded when it was begun.
        let current = Cell::new((0, 0));
        let guard = |expanded: u64| {
            let (shard, before) = current.get();
            self.work.look(shard, expanded - before)
        };
        let mut meter = Meter::start(control);
        meter.guard = Some(&guard);
        let mut first = First;
        let mut search =
            DepthFirst::new(self.space, self.heuristic, self.pruning, meter, &mut first);
        let mut done = Done::default();
        while go_on()
            && let Some(Shard { number, mut state, last, left, value, pruned }) = self.work.take()
        {
            current.set((number, search.meter.expanded()));
            let report = search.subtree(&mut state, last, left, value, pruned);
            self.work.finish(number, &report);
            done.reports.push((number, report));
        }
        Done { least_excess: search.least_excess, memory: search.peak_memory, ..done }
    }
}

/// A worker, counted as one at work until this is dropped.
struct Worker<'w, 'a, S: Space, H: Heuristic<S>, P: Pruning<S>> {
    crew: &'w Crew<'a, S, H, P>,
    /// The thread that it is at work in, if that is to be given back when another search waits.
    spare: Option<Busy<'w>>,
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Worker<'_, '_, S, H, P> {
    fn work(self) {
        self.crew.work(|| !self.spare.as_ref().is_some_and(|Busy(threads)| threads.is_wanted()));
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Drop for Worker<'_, '_, S, H, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            // The panic goes on in the calling thread, once the others have ended.
            self.crew.stop.cancel();
        }
        self.crew.state().at_work -= 1;
        self.crew.changed.notify_one();
    }
}

#[cfg(test)]
#[cfg(loom)]
mod loom_tests;
