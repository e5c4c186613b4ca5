//! Shards taken and ended by several threads, in all orders in which these can come. What is to
//! hold is what [`Tree::settle`] builds on.
//!
//! Nothing is searched: a worker does to [`Work`] what a search in lanes or by recursion does.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use loom::model::Builder;
use loom::thread;

use super::*;
use crate::heuristic::Zero;
use crate::prune::Everything;
use crate::space::Visitor;

/// A space that nobody goes into.
struct Nowhere;

impl Space for Nowhere {
    type State = ();
    type Move = ();
    fn for_each_move<V: Visitor<Self>>(&self, (): &mut (), _: &mut V) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn apply(&self, (): &mut (), (): ()) {}
    fn undo(&self, (): &mut (), (): ()) {}
    fn is_goal(&self, (): &()) -> bool {
        false
    }
}

type Shards = Work<Nowhere, Zero, Everything>;
type Reports = Vec<(usize, Report<()>)>;

/// How many nodes each shard has.
const NODES: u64 = 2;

/// What is gone through.
#[derive(Debug, Clone, Copy)]
struct Case {
    workers: usize,
    shards: usize,
    /// The shards whose last node is a goal, in order.
    goals: &'static [usize],
    /// How many expansions the limit on nodes leaves.
    left: Option<u64>,
    /// How often a thread is interrupted that could go on, at most.
    interruptions: Option<usize>,
}

/// How often in all orders it came to what may, but need not, happen.
#[derive(Debug, Default)]
struct Seen {
    /// A shard was void before anybody took it.
    left_out: AtomicUsize,
    /// A shard was stopped because of the end of one before it.
    stopped: AtomicUsize,
    /// A shard that is void was searched through.
    in_vain: AtomicUsize,
    /// A worker saw that the limit on nodes had struck.
    struck: AtomicUsize,
}

fn count(number: &AtomicUsize) -> usize {
    number.load(Relaxed)
}

impl Case {
    /// Goes through all orders and checks that the outcome is that of the plain search.
    fn check(self) -> Arc<Seen> {
        let seen = Arc::new(Seen::default());
        let told = Arc::clone(&seen);
        let mut builder = Builder::new();
        builder.preemption_bound = self.interruptions;
        builder.check(move || {
            let work = Arc::new(self.work());
            let others: Vec<_> = (1..self.workers)
                .map(|_| {
                    let work = Arc::clone(&work);
                    thread::spawn(move || self.search(&work))
                })
                .collect();
            let mut reports = self.search(&work);
            reports.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
            self.settle(&work, reports, &seen);
        });
        told
    }

    fn work(self) -> Shards {
        let shard =
            |number| Shard { number, state: (), last: None, left: 0, value: (), pruned: () };
        Work::new((0..self.shards).map(shard).collect(), vec![0; self.shards], self.left)
    }

    /// A worker. It looks once in each shard, when all nodes but the last are expanded.
    fn search(self, work: &Shards) -> Reports {
        let mut reports = Vec::new();
        while let Some(Shard { number, .. }) = work.take() {
            let (expanded, end) = match work.look(number, NODES - 1) {
                ControlFlow::Break(stop) => (NODES - 1, Some(End::Stop(stop))),
                ControlFlow::Continue(()) => {
                    (NODES, self.goals.contains(&number).then_some(End::Goal))
                }
            };
            let counts = Counts { expanded, ..Counts::default() };
            let report = Report { counts, end, moves: Vec::new() };
            work.finish(number, &report);
            reports.push((number, report));
        }
        reports
    }

    /// All workers have ended.
    fn settle(self, work: &Shards, mut reports: Reports, seen: &Seen) {
        assert!(!work.is_waiting());
        reports.sort_by_key(|&(number, _)| number);
        assert!(reports.is_sorted_by(|(one, _), (next, _)| one < next), "taken twice");
        let expanded = reports.iter().map(|(_, report)| report.counts.expanded).sum::<u64>();
        assert_eq!(work.sum(), expanded);
        let ended = reports.iter().find(|(_, report)| report.end.is_some());
        assert_eq!(work.end.load(Relaxed), ended.map_or(self.shards, |&(number, _)| number));
        let mut reports = reports.into_iter().peekable();
        let mut sum = 0;
        let mut end = None;
        for number in 0..self.shards {
            let report = reports.next_if(|&(found, _)| found == number);
            let (_, report) = report.expect("a shard was left out that counts");
            assert!(report.is_known(), "a shard was stopped that counts: {number}");
            sum += report.counts.expanded;
            let struck = self.left.is_some_and(|left| sum > left);
            if struck || report.end.is_some() {
                assert!(struck || matches!(report.end, Some(End::Goal)), "stopped too early");
                end = Some(number);
                break;
            }
            assert_eq!(report.counts.expanded, NODES);
        }
        assert_eq!(end, self.end());
        let void = end.map_or(0, |end| self.shards - 1 - end);
        seen.left_out.fetch_add((reports.len() < void).into(), Relaxed);
        for (_, report) in reports {
            let number = match report.end {
                Some(End::Stop(Stop::Nodes)) => &seen.struck,
                Some(End::Stop(_)) => &seen.stopped,
                _ => &seen.in_vain,
            };
            number.fetch_add(1, Relaxed);
        }
    }

    /// The shard in which the plain search ends before its time.
    fn end(self) -> Option<usize> {
        let struck = self.left.map(|left| usize::try_from(left / NODES).unwrap());
        let first = self.goals.iter().copied().chain(struck).min();
        first.filter(|&shard| shard < self.shards)
    }
}

/// Enough interruptions for every case to be [`Seen`].
const TWO: Case = Case { workers: 2, shards: 3, goals: &[], left: None, interruptions: Some(3) };
const THREE: Case = Case { workers: 3, interruptions: Some(2), ..TWO };

#[test]
fn all_shards_are_searched_where_there_is_no_goal() {
    Case { interruptions: None, ..TWO }.check();
    THREE.check();
}

#[test]
fn one_goal_stops_only_what_comes_after_it() {
    for case in [TWO, THREE] {
        for goals in [&[0], &[1]] {
            let seen = Case { goals, ..case }.check();
            assert!(count(&seen.left_out) > 0, "{goals:?}");
            assert!(count(&seen.stopped) > 0, "{goals:?}");
            assert!(count(&seen.in_vain) > 0, "{goals:?}");
        }
        Case { goals: &[2], ..case }.check();
    }
}

#[test]
fn of_several_goals_the_first_wins() {
    Case { goals: &[0, 1], interruptions: None, ..TWO }.check();
    for case in [TWO, THREE] {
        for goals in [&[0, 1][..], &[0, 2], &[1, 2], &[0, 1, 2]] {
            let seen = Case { goals, ..case }.check();
            assert!(count(&seen.stopped) > 0, "{goals:?}");
            assert!(count(&seen.in_vain) > 0, "{goals:?}");
        }
    }
}

#[test]
fn a_limit_on_nodes_strikes_where_it_would_in_order() {
    for left in 0..=6 {
        for goals in [&[][..], &[1]] {
            let seen = Case { left: Some(left), goals, ..TWO }.check();
            // (The last shard can only be stopped because of one before it.)
            assert_eq!(count(&seen.struck) > 0, left < 4 || left == 4 && !goals.is_empty());
        }
    }
    Case { left: Some(3), goals: &[1], ..THREE }.check();
}
