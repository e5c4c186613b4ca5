//! Searches that share threads, and the workers of one of them, in the orders in which these can
//! come. A search in several is to come out as the plain one.
//!
//! As no wait times out here, a thread that nobody notifies is found. Where the end of a nap is to
//! be seen, another thread notifies.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use loom::model::Builder;
use loom::thread::{self, JoinHandle};

use super::*;
use crate::heuristic::{InLanes, Zero};
use crate::prune::Everything;
use crate::search::verdict::{Statistics, Stop, Verdict};
use crate::space::Visitor;

/// Goes through all orders in which a thread that could go on is interrupted so often at the most.
fn explore(interruptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(interruptions);
    builder.check(model);
}

/// Lasts until the process ends, as loom's threads borrow nothing.
fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        thread.join().unwrap();
    }
}

/// How many are at work, and how many may be.
struct AtWork {
    number: AtomicUsize,
    most: usize,
}

impl AtWork {
    fn work(&self, busy: Busy) {
        assert!(self.number.fetch_add(1, Relaxed) < self.most, "too many are at work");
        self.number.fetch_sub(1, Relaxed);
        drop(busy);
    }
}

/// All threads are free again, and nobody waits.
fn assert_at_rest(threads: &Threads) {
    assert_eq!(*threads.free(), threads.number);
    assert!(!threads.is_wanted());
}

#[test]
fn every_search_begins_and_no_more_at_once_than_there_are_threads() {
    for number in [1, 2] {
        explore(2, move || {
            let threads = forever(Threads::new(number));
            let at_work = forever(AtWork { number: AtomicUsize::new(0), most: number });
            let search = || at_work.work(threads.wait(&CancelToken::new()).unwrap());
            let others = [thread::spawn(search), thread::spawn(search)];
            search();
            join(others);
            assert_at_rest(threads);
        });
    }
}

#[test]
fn spare_threads_are_taken_and_given_back() {
    explore(2, || {
        let threads = forever(Threads::new(2));
        let at_work = forever(AtWork { number: AtomicUsize::new(0), most: 2 });
        let search = || {
            let busy = threads.wait(&CancelToken::new()).unwrap();
            if let Some(spare) = threads.spare() {
                at_work.work(spare);
            }
            at_work.work(busy);
        };
        let others = [thread::spawn(search), thread::spawn(search)];
        search();
        join(others);
        assert_at_rest(threads);
    });
}

#[test]
fn a_search_that_is_cancelled_before_it_begins_keeps_none_waiting() {
    explore(3, || {
        let threads = forever(Threads::new(1));
        let cancel = CancelToken::new();
        let busy = threads.wait(&CancelToken::new()).unwrap();
        let cancelled = {
            let cancel = cancel.clone();
            thread::spawn(move || drop(threads.wait(&cancel)))
        };
        let other = thread::spawn(|| drop(threads.wait(&CancelToken::new()).unwrap()));
        cancel.cancel();
        drop(busy);
        threads.freed.notify_all(); // A nap ends.
        cancelled.join().unwrap();
        other.join().unwrap();
        assert_at_rest(threads);
    });
}

#[test]
fn a_search_that_is_cancelled_before_it_begins_waits_no_longer_than_a_nap() {
    explore(3, || {
        let threads = forever(Threads::new(1));
        let cancel = CancelToken::new();
        let busy = threads.wait(&CancelToken::new()).unwrap();
        let cancelled = {
            let cancel = cancel.clone();
            thread::spawn(move || assert!(threads.wait(&cancel).is_none()))
        };
        cancel.cancel();
        drop(threads.free()); // It sleeps, or will see that it is cancelled.
        threads.freed.notify_all(); // A nap ends.
        join([cancelled]);
        drop(busy);
        assert_at_rest(threads);
    });
}

/// From the start eight moves; from then on one. The goals are two moves away.
struct Fan {
    goals: &'static [u8],
}

/// The first move, and how many were made.
type Place = (u8, u8);

impl Space for Fan {
    type State = Place;
    type Move = u8;
    fn for_each_move<V: Visitor<Self>>(&self, at: &mut Place, v: &mut V) -> ControlFlow<()> {
        for mv in 0..if at.1 == 0 { 8 } else { 1 } {
            v.visit(at, mv)?;
        }
        ControlFlow::Continue(())
    }
    fn apply(&self, at: &mut Place, mv: u8) {
        if at.1 == 0 {
            at.0 = mv;
        }
        at.1 += 1;
    }
    fn undo(&self, at: &mut Place, _: u8) {
        at.1 -= 1;
        if at.1 == 0 {
            at.0 = 0;
        }
    }
    fn is_goal(&self, &(first, made): &Place) -> bool {
        made == 2 && self.goals.contains(&first)
    }
}

type Heuristics = InLanes<Zero>;
static HEURISTIC: Heuristics = InLanes(Zero);

/// Loom knows five threads: that of the search, one for a test, and these.
const MOST_MADE: usize = 3;

/// As [`Spawned`], in loom's threads.
struct Modelled {
    space: &'static Fan,
    threads: &'static Threads,
    lanes: usize,
    /// The threads that were made.
    made: RefCell<Vec<JoinHandle<()>>>,
    /// Another thread, that cancels the search and ends a nap.
    cancel: Option<CancelToken>,
}

impl Spread<Fan, Heuristics, Everything, First> for Modelled {
    fn iteration(
        &self,
        search: &mut DepthFirst<'_, '_, '_, Fan, Heuristics, Everything, First>,
        start: &Place,
        (): (),
        bound: Cost,
        expected: u64,
    ) -> Iteration {
        in_shards(search, start, (), bound, expected, |search, work| {
            let limits = Limits::default();
            let crew = Crew::new(self.space, &HEURISTIC, &Everything, self.lanes, limits, work);
            let crew = forever(crew);
            if let Some(cancel) = self.cancel.clone() {
                self.made.borrow_mut().push(thread::spawn(move || {
                    cancel.cancel();
                    crew.changed.notify_one();
                }));
            }
            crew.watch(self.threads, &mut search.meter, |worker| {
                assert!(!crew.stop.is_cancelled(), "nobody is to begin any more");
                let mut made = self.made.borrow_mut();
                if made.len() < MOST_MADE {
                    made.push(thread::spawn(|| worker.work()));
                } else {
                    worker.work(); // Late, and thus seldom with anything left to do.
                }
            })
        })
    }
}

const LIMITS: Limits = Limits { cost: 2, nodes: None, time: None, memory: None };

/// What came out, without the times it took.
type Found = (Verdict<u8>, Vec<Iteration>);

fn timeless(outcome: Outcome<u8>) -> Found {
    let Statistics { iterations, .. } = outcome.statistics;
    let timeless = |it| Iteration { elapsed: Duration::ZERO, ..it };
    (outcome.verdict, iterations.into_iter().map(timeless).collect())
}

/// A search of one iteration, in eight shards.
#[derive(Clone, Copy)]
struct Case {
    goals: &'static [u8],
    lanes: usize,
}

impl Case {
    fn plain(self) -> Found {
        let space = Fan { goals: self.goals };
        let search = Ida::new(&space, &HEURISTIC).from_bound(2).lanes(1);
        timeless(search.solve(&(0, 0), &mut Control { limits: LIMITS, ..Control::default() }))
    }

    /// In the threads that are free; when it comes back, all have ended.
    fn in_threads(self, threads: &'static Threads, cancel: Option<CancelToken>) -> Found {
        let space = forever(Fan { goals: self.goals });
        let search = Ida::new(space, &HEURISTIC).from_bound(2).shard_from(0);
        let made = RefCell::default();
        let spread = Modelled { space, threads, lanes: self.lanes, made, cancel: cancel.clone() };
        let mut control = Control { limits: LIMITS, ..Control::default() };
        control.cancel = cancel.unwrap_or_default();
        let busy = threads.wait(&CancelToken::new()).unwrap();
        let meter = Meter::start(&mut control);
        let found = timeless(search.deepen(&(0, 0), meter, &mut First, &spread));
        join(spread.made.into_inner());
        drop(busy);
        found
    }
}

#[test]
fn the_outcome_is_that_of_the_plain_search() {
    for (number, lanes, interruptions) in [(2, 1, 2), (2, 2, 1), (3, 1, 1), (3, 2, 1)] {
        for goals in [&[][..], &[1], &[0, 3], &[2, 3]] {
            explore(interruptions, move || {
                let threads = forever(Threads::new(number));
                let case = Case { goals, lanes };
                assert_eq!(case.in_threads(threads, None), case.plain());
                assert_at_rest(threads);
            });
        }
    }
}

#[test]
fn a_search_that_is_cancelled_says_so_or_is_through() {
    for (number, lanes, interruptions) in [(1, 1, 2), (2, 1, 1), (1, 2, 2), (2, 2, 0)] {
        let (stopped, through) = (forever(AtomicBool::new(false)), forever(AtomicBool::new(false)));
        explore(interruptions, move || {
            let threads = forever(Threads::new(number));
            let case = Case { goals: &[0], lanes };
            let found = case.in_threads(threads, Some(CancelToken::new()));
            if let Verdict::Stopped { stop, lower_bound } = found.0 {
                assert_eq!((stop, lower_bound), (Stop::Cancelled, 2));
                stopped.store(true, Relaxed);
            } else {
                assert_eq!(found, case.plain());
                through.store(true, Relaxed);
            }
            assert_at_rest(threads);
        });
        assert!(stopped.load(Relaxed) && through.load(Relaxed), "both must be met");
    }
}

#[test]
fn a_search_that_waits_is_given_a_thread() {
    explore(1, || {
        let threads = forever(Threads::new(2));
        let other = thread::spawn(|| drop(threads.wait(&CancelToken::new()).unwrap()));
        let case = Case { goals: &[7], lanes: 1 };
        assert_eq!(case.in_threads(threads, None), case.plain());
        other.join().unwrap();
        assert_at_rest(threads);
    });
}
