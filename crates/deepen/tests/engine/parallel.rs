//! Threads and lanes: the same outcome, to the last count, as the plain search.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use deepen::heuristic::{Function, InLanes, Max, Zero};
use deepen::{
    CancelToken, Control, Cost, Everything, Heuristic, INFINITE, Ida, Iteration, Limits, Observer,
    Outcome, Progress, Pruning, Solution, Space, Statistics, Stop, Threads, Verdict, Visitor,
};
use proptest::prelude::*;

use crate::graph::{Ahead, Graph, graphs_with_heuristics};

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
    let heuristic = InLanes(heuristic);
    let search = || Ida::new(space, &heuristic).pruning(pruning);
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

/// A thread that takes a shard and is held up before it searches it must not be misled by what
/// others did in shards after it.
#[test]
fn a_limit_strikes_at_the_same_node_whichever_thread_is_first() {
    let graph = Graph::new(&[vec![(0, 4), (0, 1)], vec![]], &[]);
    for nodes in (4000..24_000).step_by(100) {
        let limits = Limits { cost: 36, nodes: Some(nodes), ..Limits::default() };
        let search = Ida::new(&graph, &Zero).shard_from(0);
        let alone = timeless(search.solve(&0, &mut within(limits)));
        let together = timeless(search.solve_in(&Threads::new(8), &0, &mut within(limits)));
        assert_eq!(together, alone);
    }
}

/// An endless tree without rules, grown from a seed: how many moves a node has and what they cost,
/// which nodes are goals and how far the others claim to be from one.
#[derive(Debug)]
struct Wild<N> {
    root: N,
    /// One in so many nodes is a goal, and one in so many moves costs nothing.
    goals: u64,
    free: u64,
    /// How many moves a node has at the most.
    width: u64,
}

/// A node: a random number, of which that of its parent can be worked out.
trait Node: Clone + Send + Sync {
    fn here(&self) -> u64;
    fn go(&mut self, number: u64);
    fn back(&mut self, number: u64);
}

/// It is small, so that lanes keep it.
impl Node for u64 {
    fn here(&self) -> u64 {
        *self
    }
    fn go(&mut self, number: u64) {
        *self = child(*self, number);
    }
    fn back(&mut self, number: u64) {
        *self = self.rotate_right(29).wrapping_mul(INVERSE) ^ number;
    }
}

/// The path to it, on the heap.
impl Node for Vec<u64> {
    fn here(&self) -> u64 {
        self.last().copied().unwrap()
    }
    fn go(&mut self, number: u64) {
        self.push(child(self.here(), number));
    }
    fn back(&mut self, number: u64) {
        let here = self.pop().unwrap();
        assert_eq!(here, child(self.here(), number));
    }
}

/// Two numbers whose product is 1.
const FACTOR: u64 = 0xd134_2543_de82_ef95;
const INVERSE: u64 = {
    let mut inverse = FACTOR;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
};

fn child(node: u64, number: u64) -> u64 {
    (node ^ number).wrapping_mul(FACTOR).rotate_left(29)
}

fn mix(one: u64, two: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(two ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    number: u64,
    cost: Cost,
}

impl<N: Node> Space for Wild<N> {
    type State = N;
    type Move = Step;

    fn for_each_move<V: Visitor<Self>>(&self, at: &mut N, v: &mut V) -> ControlFlow<()> {
        let node = mix(at.here(), 3);
        (0..node % (self.width + 1)).try_for_each(|number| {
            let chance = mix(node, number + 10);
            let free = self.free > 0 && (chance >> 8).is_multiple_of(self.free);
            let cost = if free { 0 } else { 1 + (chance % 4 / 3) as Cost };
            v.visit(at, Step { number, cost })
        })
    }
    fn apply(&self, at: &mut N, step: Step) {
        at.go(step.number);
    }
    fn undo(&self, at: &mut N, step: Step) {
        at.back(step.number);
    }
    fn cost(&self, step: Step) -> Cost {
        step.cost
    }
    fn is_goal(&self, at: &N) -> bool {
        mix(at.here(), 4).is_multiple_of(self.goals)
    }
}

/// What a node claims, right or wrong.
fn claim(node: u64) -> Cost {
    let node = mix(node, 5);
    match node >> 20 & 31 {
        0 => INFINITE,
        chance => (chance % 4 / 2 * (node >> 30 & 1)) as Cost,
    }
}

/// The claims, of which half is known before a move is made, and the rest is asked for.
#[derive(Debug)]
struct Claims;

impl<N: Node> Heuristic<Wild<N>> for Claims {
    /// What is told, and what was asked for.
    type Value = (Cost, u64);
    type Node = u64;

    const RAISES: bool = true;

    fn root(&self, _: &Wild<N>, at: &N) -> (Cost, u64) {
        (claim(at.here()), 0)
    }
    fn bound(&self, value: (Cost, u64)) -> Cost {
        value.0
    }
    fn node(&self, _: &Wild<N>, at: &N, _: (Cost, u64)) -> u64 {
        at.here()
    }
    fn before(&self, _: &Wild<N>, at: &N, node: &u64, step: Step) -> (Cost, u64) {
        assert_eq!(at.here(), *node);
        let claim = claim(child(*node, step.number));
        let is_told = claim != INFINITE || step.number.is_multiple_of(2);
        (if is_told && claim > 1 { claim } else { 0 }, 0)
    }
    fn ask(&self, _: &Wild<N>, at: &N, _: &u64, value: (Cost, u64), _: Step) -> (Cost, u64) {
        (value.0, at.here())
    }
    fn after(&self, _: &Wild<N>, at: &N, node: &u64, value: (Cost, u64), mv: Step) -> (Cost, u64) {
        assert_eq!((value.1, value.1), (at.here(), child(*node, mv.number)));
        (claim(value.1), 0)
    }
    fn prefetch(&self, value: (Cost, u64)) {
        assert_ne!(value.1, 0, "it was not asked for");
    }
}

/// What a node claims in parts: the greatest of them counts.
fn part(node: u64, part: u8) -> Cost {
    claim(mix(node, 100 + u64::from(part)))
}

const PARTS: u8 = 3;

/// The parts, looked up one after the other; the first from the parent if it is `EARLY`. Where they
/// are read must be worked out before if it `AIMS`.
#[derive(Debug)]
struct Parts<const EARLY: bool, const AIMS: bool>;

/// How much is told, what was asked for, and how many parts were read.
#[derive(Debug, Clone, Copy)]
struct Told {
    bound: Cost,
    asked: u64,
    aimed: bool,
    parts: u8,
}

impl<const EARLY: bool, const AIMS: bool> Parts<EARLY, AIMS> {
    fn read(node: u64, value: Told) -> Told {
        assert_eq!((value.asked, value.aimed), (node, AIMS), "it was not asked for");
        let bound = value.bound.max(part(node, value.parts));
        Told { bound, asked: 0, aimed: false, parts: value.parts + 1 }
    }
}

impl<N: Node, const EARLY: bool, const AIMS: bool> Heuristic<Wild<N>> for Parts<EARLY, AIMS> {
    type Value = Told;
    type Node = u64;

    const RAISES: bool = true;
    const LANES: bool = true;
    const EARLY: bool = EARLY;
    const AIMS: bool = AIMS;

    fn root(&self, _: &Wild<N>, at: &N) -> Told {
        let bound = (0..PARTS).map(|number| part(at.here(), number)).max().unwrap_or(0);
        Told { bound, asked: 0, aimed: false, parts: PARTS }
    }
    fn bound(&self, value: Told) -> Cost {
        value.bound
    }
    fn node(&self, _: &Wild<N>, at: &N, value: Told) -> u64 {
        assert_eq!(value.parts, PARTS, "not all was looked up");
        at.here()
    }
    fn before(&self, _: &Wild<N>, at: &N, node: &u64, step: Step) -> Told {
        assert_eq!(at.here(), *node);
        let asked = if EARLY { child(*node, step.number) } else { 0 };
        Told { bound: 0, asked, aimed: false, parts: 0 }
    }
    fn told(&self, node: &u64, value: Told) -> Told {
        assert!(EARLY && (0..8).any(|number| child(*node, number) == value.asked));
        Self::read(value.asked, value)
    }
    fn asks_child(&self, _: &u64, value: Told) -> bool {
        value.parts != 1
    }
    fn more(&self, value: Told) -> bool {
        value.parts < PARTS
    }
    fn ask(&self, _: &Wild<N>, at: &N, node: &u64, value: Told, step: Step) -> Told {
        let child = child(*node, step.number);
        let may_be_parent = EARLY && value.parts == 1;
        assert!(at.here() == child || may_be_parent && at.here() == *node);
        Told { asked: child, ..value }
    }
    fn prefetch_aim(&self, value: Told) {
        assert!(value.asked != 0 && !value.aimed, "it was not asked for, or too late");
    }
    fn aim(&self, value: Told) -> Told {
        assert!(value.asked != 0 && !value.aimed, "it was not asked for, or is told already");
        Told { aimed: AIMS, ..value }
    }
    fn prefetch(&self, value: Told) {
        assert_ne!(value.asked, 0, "it was not asked for");
        assert_eq!(value.aimed, AIMS, "it is not told where");
    }
    fn after(&self, _: &Wild<N>, at: &N, _: &u64, value: Told, _: Step) -> Told {
        assert!(!EARLY);
        Self::read(at.here(), value)
    }
}

/// Leaves out some moves after some.
struct Whims;

impl<S: Space<Move = Step>> Pruning<S> for Whims {
    type State = u64;
    fn start(&self) -> u64 {
        1
    }
    fn step(&self, _: &S, state: u64, step: Step) -> Option<u64> {
        let next = mix(state, step.number) % 64;
        (!next.is_multiple_of(5)).then_some(next)
    }
}

/// How the searches ended: solved, at a move of cost 0, at the limit, with a proof that there is no
/// solution; and the longest last iteration.
fn wild<N: Node>(root: impl Fn(u64) -> N) -> [u64; 5] {
    let [mut solved, mut free, mut stopped, mut impossible, mut longest] = [0; 5];
    for seed in 0..60_u64 {
        let width = 4 + seed % 4;
        let goals = [30, 300, 3000, 30_000, 1 << 60][seed as usize % 5];
        let free_moves = [0, 2000, 300][seed as usize / 5 % 3];
        let space = Wild { root: root(mix(seed, 1)), goals, free: free_moves, width };
        let nodes = if seed % 3 == 0 { 20_000 } else { 1 + mix(seed, 7) % 20_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let function = Function(|at: &N| claim(at.here()));
        for (verdict, iterations) in [
            same(&space, &Claims, &Whims, &space.root, limits),
            same(&space, &Claims, &Everything, &space.root, limits),
            same(&space, &function, &Whims, &space.root, limits),
        ]
        .into_iter()
        .chain((seed % 4 == 0).then(|| parts(&space, limits)))
        {
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
    [solved, free, stopped, impossible, longest]
}

/// Look-ups one after the other, in whatever way, come to the same as all at once.
fn parts<N: Node>(space: &Wild<N>, limits: Limits) -> (Verdict<Step>, Vec<Iteration>) {
    let all = Function(|at: &N| (0..PARTS).map(|number| part(at.here(), number)).max().unwrap());
    let plain = same(space, &all, &Whims, &space.root, limits);
    assert_eq!(same(space, &Parts::<true, false>, &Whims, &space.root, limits), plain);
    assert_eq!(same(space, &Parts::<false, false>, &Whims, &space.root, limits), plain);
    assert_eq!(same(space, &Parts::<true, true>, &Whims, &space.root, limits), plain);
    assert_eq!(same(space, &Parts::<false, true>, &Whims, &space.root, limits), plain);
    let both = Max(Parts::<true, true>, Parts::<false, false>);
    assert_eq!(same(space, &both, &Whims, &space.root, limits), plain);
    plain
}

#[test]
fn wild_trees_have_the_same_outcome() {
    let numbers = wild(|seed| seed);
    assert_eq!(wild(|seed| vec![seed]), numbers);
    let [solved, free, stopped, impossible, longest] = numbers;
    assert!(
        solved > 30 && free > 15 && stopped > 15 && impossible > 10 && longest > 1000,
        "{numbers:?}",
    );
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
        let search = Ida::new(&Tree, &InLanes(Zero)).lanes(lanes);
        let started = Instant::now();
        let outcome = search.solve_in(&Threads::new(threads), &0, &mut within(limits));
        let elapsed = started.elapsed();
        assert!((LIMIT..LIMIT + TOLERANCE).contains(&elapsed), "{elapsed:?}");
        let last = outcome.statistics.iterations.last().unwrap();
        assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Time, lower_bound: last.bound });
        assert!(last.expanded <= last.generated);
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
        let search = Ida::new(&Tree, &InLanes(Zero)).lanes(lanes);
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
        let search = Ida::new(&Tree, &InLanes(Zero)).lanes(lanes);
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
