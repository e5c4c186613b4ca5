//! Limits on time, cancelling and watching.
//!
//! The tolerances allow for a busy machine; what is meant is tenths of a second.

use std::cell::Cell;
use std::hint::{black_box, spin_loop};
use std::ops::ControlFlow;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use deepen::heuristic::{Function, Zero};
use deepen::{
    CancelToken, Control, Heuristic, Ida, Iteration, Limits, Observer, Outcome, Progress, Space,
    Stop, Verdict, Visitor,
};

/// The binary tree, endless and without a goal. A state is how deep it is.
struct Tree;

impl Space for Tree {
    type State = u32;
    type Move = bool;

    fn for_each_move<V: Visitor<Self>>(&self, at: &mut u32, visitor: &mut V) -> ControlFlow<()> {
        visitor.visit(at, false)?;
        visitor.visit(at, true)
    }
    fn apply(&self, at: &mut u32, _: bool) {
        *at += 1;
    }
    fn undo(&self, at: &mut u32, _: bool) {
        *at -= 1;
    }
    fn is_goal(&self, _: &u32) -> bool {
        black_box(false)
    }
}

const LIMIT: Duration = Duration::from_millis(150);
const TOLERANCE: Duration = Duration::from_millis(350);

/// Searches the tree for `LIMIT`, and checks that it did so.
fn obeys<H: Heuristic<Tree>>(heuristic: &H) -> Outcome<bool> {
    let limits = Limits { time: Some(LIMIT), ..Limits::default() };
    let started = Instant::now();
    let outcome =
        Ida::new(&Tree, heuristic).solve(&0, &mut Control { limits, ..Control::default() });
    let elapsed = started.elapsed();
    assert!((LIMIT..LIMIT + TOLERANCE).contains(&elapsed), "{elapsed:?}");
    let last = outcome.statistics.iterations.last().unwrap().bound;
    assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Time, lower_bound: last });
    outcome
}

#[test]
fn a_time_limit_is_obeyed_when_nodes_are_fast() {
    let total = obeys(&Zero).statistics.total();
    assert!(total.elapsed <= LIMIT + TOLERANCE);
}

#[test]
fn a_time_limit_is_obeyed_when_every_node_is_slow() {
    obeys(&Function(|_: &u32| {
        sleep(Duration::from_millis(20));
        0
    }));
}

#[test]
fn a_time_limit_is_obeyed_when_fast_nodes_become_slow() {
    let seen = Cell::new(0_u32);
    obeys(&Function(|_: &u32| {
        seen.set(seen.get() + 1);
        let began = Instant::now();
        while seen.get() > 1 << 20 && began.elapsed() < Duration::from_micros(4) {
            spin_loop();
        }
        0
    }));
}

#[test]
fn a_limit_of_no_time_expands_nothing() {
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let outcome = Ida::new(&Tree, &Zero).solve(&0, &mut Control { limits, ..Control::default() });
    assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Time, lower_bound: 0 });
    assert_eq!(outcome.statistics.total().expanded, 0);
}

#[test]
fn a_search_is_cancelled_from_another_thread() {
    let cancel = CancelToken::new();
    let canceller = spawn({
        let cancel = cancel.clone();
        move || {
            sleep(LIMIT);
            cancel.cancel();
        }
    });
    let started = Instant::now();
    let mut control = Control { cancel, ..Control::default() };
    let verdict = Ida::new(&Tree, &Zero).solve(&0, &mut control).verdict;
    assert!(started.elapsed() < LIMIT + TOLERANCE);
    assert!(matches!(verdict, Verdict::Stopped { stop: Stop::Cancelled, lower_bound: 1.. }));
    canceller.join().unwrap();
    // The token stays cancelled: the next search does not begin.
    let outcome = Ida::new(&Tree, &Zero).solve(&0, &mut control);
    assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Cancelled, lower_bound: 0 });
    assert_eq!(outcome.statistics.total().expanded, 0);
}

#[derive(Default)]
struct Log {
    iterations: Vec<Iteration>,
    progress: Vec<Progress>,
}

impl Observer for Log {
    fn iteration(&mut self, iteration: &Iteration) {
        self.iterations.push(*iteration);
    }
    fn progress(&mut self, progress: &Progress) {
        assert_eq!(progress.bound, self.iterations.last().map_or(0, |it| it.bound + 1));
        let before: u64 = self.iterations.iter().map(|it| it.expanded).sum();
        assert!(progress.expanded >= before);
        self.progress.push(*progress);
    }
}

#[test]
fn an_observer_is_told_of_every_iteration_and_of_progress_ten_times_a_second() {
    let mut log = Log::default();
    let limits = Limits { time: Some(Duration::from_millis(1050)), ..Limits::default() };
    let mut control = Control { limits, observer: Some(&mut log), ..Control::default() };
    let outcome = Ida::new(&Tree, &Zero).solve(&0, &mut control);
    assert_eq!(log.iterations, outcome.statistics.iterations);
    assert!((5..=10).contains(&log.progress.len()), "{} reports", log.progress.len());
    let grows = |a: &Progress, b: &Progress| {
        a.expanded < b.expanded && b.elapsed >= a.elapsed + Duration::from_millis(99)
    };
    assert!(log.progress.is_sorted_by(grows));
    assert!(log.progress.iter().all(|p| p.expanded <= outcome.statistics.total().expanded));
}
