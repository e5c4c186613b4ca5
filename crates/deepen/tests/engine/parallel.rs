//! Threads and lanes: the same outcome, to the last count, as the plain search.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use deepen::heuristic::{Function, Max, Zero};
use deepen::{
    CancelToken, Control, Cost, Everything, Heuristic, INFINITE, Ida, Iteration, Limits, Observer,
    Outcome, Progress, Pruning, Solution, Space, Statistics, Stop, Threads, Verdict, Visitor,
};
use proptest::prelude::*;

use crate::graph::{Ahead, graphs_with_heuristics};

/// Numbers of threads and lanes.
const WAYS: [(usize, usize); 8] = [(1, 4), (1, 8), (2, 1), (2, 4), (3, 1), (3, 8), (8, 1), (8, 2)];

fn within(limits: Limits) -> Control<'static> {
    Control { limits, ..Control::default() }
}

/// What a search found out, without the times it took.
fn timeless<M>(outcome: Outcome<M>) -> (Verdict<M>, Vec<Iteration>) {
    let Statistics { iterations, .. } = outcome.statistics;
    let timeless = |it| Iteration { elapsed: Duration::ZERO, ..it };
    (outcome.verdict, iterations.into_iter().map(timeless).collect())
}

/// Searches in all ways, and checks that the outcomes are the same. Returns it.
fn same<S, H, P>(
    space: &S,
    heuristic: &H,
    pruning: &P,
    start: &S::State,
    limits: Limits,
) -> (Verdict<S::Move>, Vec<Iteration>)
where
    S: Space<State: Send, Move: Send + PartialEq + std::fmt::Debug> + Sync,
    H: Heuristic<S> + Sync,
    P: Pruning<S> + Sync,
{
    let search = || Ida::new(space, heuristic).pruning(pruning);
    let alone = timeless(search().lanes(1).solve(start, &mut within(limits)));
    for (threads, lanes) in WAYS {
        for shard_from in [0, 20] {
            let search = search().lanes(lanes).shard_from(shard_from);
            let threads = Threads::new(threads);
            let together = timeless(search.solve_in(&threads, start, &mut within(limits)));
            assert_eq!(together, alone, "{threads:?}, {lanes} lanes");
        }
    }
    alone
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_graphs_have_the_same_outcome(
        (graph, [one, two]) in graphs_with_heuristics::<2>(12),
        cost in 10..40_u32,
        nodes in prop_oneof![Just(20_000_u64), 0..20_000_u64],
    ) {
        let limits = Limits { cost, nodes: Some(nodes), ..Limits::default() };
        same(&graph, &Zero, &Everything, &0, limits);
        same(&graph, &Ahead(&one), &Everything, &0, limits);
        let function = Function(|at: &usize| one[*at]);
        same(&graph, &function, &Everything, &0, limits);
        same(&graph, &Max(&function, Ahead(&two)), &Everything, &0, limits);
    }
}

/// An endless tree without rules, grown from a seed: how many moves a node has and what they cost,
/// which nodes are goals and how far the others claim to be from one.
#[derive(Debug)]
struct Wild {
    seed: u64,
    /// One in so many nodes is a goal, and one in so many moves costs nothing.
    goals: u64,
    free: u64,
    /// How many moves a node has at the most.
    width: u64,
}

/// The nodes from the root, each a random number.
type Nodes = Vec<u64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    number: u64,
    cost: Cost,
}

fn mix(one: u64, two: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(two ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

impl Wild {
    fn root(&self) -> Nodes {
        vec![mix(self.seed, 1)]
    }
    fn node(nodes: &Nodes) -> u64 {
        nodes.last().copied().unwrap()
    }
}

impl Space for Wild {
    type State = Nodes;
    type Move = Step;

    fn for_each_move<V: Visitor<Self>>(&self, at: &mut Nodes, v: &mut V) -> ControlFlow<()> {
        let node = Self::node(at);
        (0..node % (self.width + 1)).try_for_each(|number| {
            let chance = mix(node, number + 10);
            let free = self.free > 0 && (chance >> 8).is_multiple_of(self.free);
            let cost = if free { 0 } else { 1 + (chance % 4 / 3) as Cost };
            v.visit(at, Step { number, cost })
        })
    }
    fn apply(&self, at: &mut Nodes, step: Step) {
        let child = mix(Self::node(at), step.number + 100);
        at.push(child);
    }
    fn undo(&self, at: &mut Nodes, step: Step) {
        let child = at.pop().unwrap();
        assert_eq!(child, mix(Self::node(at), step.number + 100));
    }
    fn cost(&self, step: Step) -> Cost {
        step.cost
    }
    fn is_goal(&self, at: &Nodes) -> bool {
        Self::node(at).is_multiple_of(self.goals)
    }
}

/// What a node claims, right or wrong.
fn claim(node: u64) -> Cost {
    match node >> 20 & 31 {
        0 => INFINITE,
        chance => (chance % 4 / 2 * (node >> 30 & 1)) as Cost,
    }
}

/// The claims, of which half is known before a move is made, and the rest is asked for.
#[derive(Debug)]
struct Claims;

impl Heuristic<Wild> for Claims {
    /// What is told, and what was asked for.
    type Value = (Cost, u64);
    type Node = u64;

    const RAISES: bool = true;

    fn root(&self, _: &Wild, at: &Nodes) -> (Cost, u64) {
        (claim(Wild::node(at)), 0)
    }
    fn bound(&self, value: (Cost, u64)) -> Cost {
        value.0
    }
    fn node(&self, _: &Wild, at: &Nodes, _: (Cost, u64)) -> u64 {
        Wild::node(at)
    }
    fn before(&self, _: &Wild, at: &Nodes, node: &u64, step: Step) -> (Cost, u64) {
        assert_eq!(Wild::node(at), *node);
        let claim = claim(mix(*node, step.number + 100));
        (if claim == INFINITE && step.number % 2 == 0 { claim } else { claim.min(1) / 2 }, 0)
    }
    fn ask(&self, _: &Wild, at: &Nodes, _: &u64, value: (Cost, u64), _: Step) -> (Cost, u64) {
        (value.0, Wild::node(at))
    }
    fn after(&self, _: &Wild, at: &Nodes, node: &u64, value: (Cost, u64), mv: Step) -> (Cost, u64) {
        assert_eq!((value.1, value.1), (Wild::node(at), mix(*node, mv.number + 100)));
        (claim(value.1), 0)
    }
    fn prefetch(&self, value: (Cost, u64)) {
        assert_ne!(value.1, 0, "it was not asked for");
    }
}

/// Leaves out some moves after some.
struct Whims;

impl Pruning<Wild> for Whims {
    type State = u64;
    fn start(&self) -> u64 {
        1
    }
    fn step(&self, _: &Wild, state: u64, step: Step) -> Option<u64> {
        let next = mix(state, step.number) % 64;
        (next % 5 > 0).then_some(next)
    }
}

#[test]
fn wild_trees_have_the_same_outcome() {
    let [mut solved, mut free, mut stopped, mut impossible, mut longest] = [0; 5];
    for seed in 0..100_u64 {
        let width = 4 + seed % 4;
        let goals = [30, 300, 3000, 30_000, 1 << 60][seed as usize % 5];
        let space = Wild { seed, goals, free: [0, 2000][seed as usize / 5 % 2], width };
        let nodes = if seed % 3 == 0 { 20_000 } else { 1 + mix(seed, 7) % 20_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for (verdict, iterations) in [
            same(&space, &Claims, &Whims, &space.root(), limits),
            same(&space, &Claims, &Everything, &space.root(), limits),
            same(
                &space,
                &Function(|at: &Nodes| claim(Wild::node(at))),
                &Whims,
                &space.root(),
                limits,
            ),
        ] {
            match verdict {
                Verdict::Solved(Solution { .. }) => {
                    solved += 1;
                    longest = longest.max(iterations.last().unwrap().expanded);
                }
                Verdict::Stopped { stop: Stop::ZeroCostMove, .. } => free += 1,
                Verdict::Stopped { stop: Stop::Nodes, .. } => stopped += 1,
                Verdict::Impossible(_) => impossible += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(solved > 100 && free > 20 && stopped > 30 && impossible > 20 && longest > 5000);
}

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

/// Not so many threads that on a busy machine each waits long for its turn.
const TIMED: [(usize, usize); 4] = [(1, 8), (2, 1), (2, 4), (3, 1)];
const LIMIT: Duration = Duration::from_millis(150);
const TOLERANCE: Duration = Duration::from_millis(350);

#[test]
fn a_time_limit_is_obeyed() {
    for (threads, lanes) in TIMED {
        let limits = Limits { time: Some(LIMIT), ..Limits::default() };
        let search = Ida::new(&Tree, &Zero).lanes(lanes);
        let started = Instant::now();
        let outcome = search.solve_in(&Threads::new(threads), &0, &mut within(limits));
        let elapsed = started.elapsed();
        assert!((LIMIT..LIMIT + TOLERANCE).contains(&elapsed), "{elapsed:?}");
        let last = outcome.statistics.iterations.last().unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Time, lower_bound: last.bound });
        assert!(last.expanded < last.generated);
    }
}

#[test]
fn a_search_is_cancelled_from_another_thread() {
    for (threads, lanes) in TIMED {
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
        let search = Ida::new(&Tree, &Zero).lanes(lanes);
        let verdict = search.solve_in(&Threads::new(threads), &0, &mut control).verdict;
        assert!(started.elapsed() < LIMIT + TOLERANCE);
        assert!(matches!(verdict, Verdict::Stopped { stop: Stop::Cancelled, lower_bound: 15.. }));
        canceller.join().unwrap();
    }
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
    for (threads, lanes) in [(1, 8), (2, 1), (3, 4)] {
        let mut log = Log::default();
        let limits = Limits { time: Some(Duration::from_millis(650)), ..Limits::default() };
        let mut control = Control { limits, observer: Some(&mut log), ..Control::default() };
        let search = Ida::new(&Tree, &Zero).lanes(lanes);
        let outcome = search.solve_in(&Threads::new(threads), &0, &mut control);
        assert_eq!(log.iterations, outcome.statistics.iterations);
        assert!((3..=6).contains(&log.progress.len()), "{} reports", log.progress.len());
        let grows = |a: &Progress, b: &Progress| {
            a.expanded < b.expanded && b.elapsed >= a.elapsed + Duration::from_millis(99)
        };
        assert!(log.progress.is_sorted_by(grows));
        assert!(log.progress.iter().all(|p| p.expanded <= outcome.statistics.total().expanded));
    }
}
