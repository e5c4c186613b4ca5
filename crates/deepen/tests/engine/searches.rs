//! The searches that store states, on random graphs: optimal, honest about limits, exact in their
//! counts; and the first solution, all of them, and their number.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use deepen::heuristic::{Function, Zero};
use deepen::{
    Astar, Bfs, Bidirectional, CancelToken, Control, Cost, Heuristic, Ida, Iteration, Limits,
    MAX_COST, Observer, Outcome, Packed, Progress, Proof, Reversible, Solution, Space, Stop,
    Verdict, Visitor,
};
use proptest::prelude::*;

use crate::graph::{Ahead, Edge, Graph, graphs, graphs_with_heuristics, undirected};

/// The searches that store states, and IDA*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    Bfs,
    Astar,
    Bidirectional,
    Ida,
}

const STORING: [Search; 3] = [Search::Bfs, Search::Astar, Search::Bidirectional];

impl Search {
    fn solve<S: Reversible, H: Heuristic<S>>(
        self,
        space: &S,
        heuristic: &H,
        start: &S::State,
        control: &mut Control,
    ) -> Outcome<S::Move> {
        match self {
            Search::Bfs => Bfs::new(space).solve(start, control),
            Search::Astar => Astar::new(space, heuristic).solve(start, control),
            Search::Bidirectional => Bidirectional::new(space).solve(start, control),
            Search::Ida => Ida::new(space, heuristic).solve(start, control),
        }
    }
}

fn within(limits: Limits) -> Control<'static> {
    Control { limits, ..Control::default() }
}

/// Holds a verdict against the distance of the start, `None` if there is no way.
fn check(graph: &Graph, verdict: &Verdict<Edge>, limits: Limits) {
    let distance = graph.distances()[0];
    let at_most = |bound: Cost| distance.is_none_or(|d| u64::from(bound) <= d);
    match verdict {
        Verdict::Solved(Solution { moves, cost }) => {
            assert_eq!(Some(u64::from(*cost)), distance);
            assert!(*cost <= limits.cost);
            assert!(graph.is_solution(0, moves, *cost));
        }
        Verdict::Impossible(proof) => {
            assert_eq!((proof, distance), (&Proof::Exhausted, None));
        }
        Verdict::AboveLimit { lower_bound } => {
            assert!(*lower_bound > limits.cost && at_most(*lower_bound));
        }
        Verdict::Stopped { stop: Stop::Nodes, lower_bound } => {
            assert!(limits.nodes.is_some() && at_most(*lower_bound));
        }
        Verdict::Stopped { .. } => panic!("{verdict:?}"),
    }
}

proptest! {
    // They are small and soon done, and what is rare should turn up.
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_graph_is_solved_or_proved_impossible(
        (graph, [heuristic]) in graphs_with_heuristics::<1>(12)
    ) {
        let after = Function(|at: &usize| heuristic[*at]);
        for verdict in [
            Bfs::new(&graph).solve(&0, &mut Control::default()).verdict,
            Astar::new(&graph, &Ahead(&heuristic)).solve(&0, &mut Control::default()).verdict,
            Astar::new(&graph, &after).solve(&0, &mut Control::default()).verdict,
            Astar::new(&graph, &Zero).solve(&0, &mut Control::default()).verdict,
        ] {
            prop_assert!(matches!(verdict, Verdict::Solved(_) | Verdict::Impossible(_)));
            check(&graph, &verdict, Limits::default());
        }
        let statistics = Astar::new(&graph, &after).solve(&0, &mut Control::default()).statistics;
        prop_assert!(statistics.iterations.is_sorted_by(|a, b| a.bound < b.bound));
    }

    #[test]
    fn breadth_first_searches_expand_no_state_twice(graph in weighted()) {
        let bfs = Bfs::new(&graph).solve(&0, &mut Control::default());
        let bidirectional = Bidirectional::new(&graph).solve(&0, &mut Control::default());
        for outcome in [bfs, bidirectional] {
            prop_assert!(outcome.statistics.total().expanded <= outcome.statistics.stored);
        }
    }

    #[test]
    fn bidirectional_search_finds_the_first_all_and_their_number(graph in weighted()) {
        let search = Bidirectional::new(&graph);
        let outcome = search.solve(&0, &mut Control::default());
        check(&graph, &outcome.verdict, Limits::default());
        prop_assert!(outcome.is_first);
        let expected = graph.all_shortest(0);
        let first = expected.first().cloned();
        prop_assert_eq!(outcome.verdict.solution().map(|s| s.moves), first.clone());

        let mut all = Vec::new();
        let shortest = search.solve_all(&0, &mut Control::default(), |moves| {
            all.push(moves.to_vec());
            ControlFlow::Continue(())
        });
        prop_assert_eq!(&all, &expected);
        prop_assert_eq!((shortest.found, shortest.complete), (all.len() as u64, true));
        prop_assert_eq!(shortest.outcome.verdict.solution().map(|s| s.moves), first.clone());

        let count = search.count(&0, &mut Control::default());
        prop_assert_eq!(count.count, expected.len() as u128);
        prop_assert_eq!(count.outcome.verdict.solution().map(|s| s.moves), first);
    }

    #[test]
    fn ida_goes_through_all_solutions(
        (graph, [heuristic]) in graphs_with_heuristics::<1>(10), most in 0..4_usize
    ) {
        let expected = graph.all_shortest(0);
        if expected.is_empty() {
            return Ok(()); // It might never end.
        }
        let mut told = Vec::new();
        let shortest = Ida::new(&graph, &Ahead(&heuristic)).solve_all(
            &0,
            &mut Control::default(),
            |moves| {
                told.push(moves.to_vec());
                ControlFlow::Continue(())
            },
        );
        prop_assert_eq!(&told, &expected);
        prop_assert_eq!((shortest.found, shortest.complete), (told.len() as u64, true));
        // In the last iteration every child is cut, or expanded, or a goal.
        if let Some(last) = shortest.outcome.statistics.iterations.last() {
            let children = last.cut_by_bound + last.expanded - 1 + shortest.found;
            prop_assert_eq!(last.generated, children);
        }
        prop_assert_eq!(shortest.outcome.verdict.solution().map(|s| s.moves), Some(told[0].clone()));

        // Only the first few.
        told.clear();
        let shortest = Ida::new(&graph, &Zero).solve_all(&0, &mut Control::default(), |moves| {
            told.push(moves.to_vec());
            if told.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let number = expected.len().min(most + 1);
        prop_assert_eq!(&told[..], &expected[..number]);
        prop_assert_eq!(shortest.found, number as u64);
        prop_assert_eq!(shortest.complete, number <= most);
        prop_assert_eq!(shortest.outcome.verdict.solution().map(|s| s.moves), Some(told[0].clone()));
    }

    #[test]
    fn from_the_least_cost_on_one_iteration_finds_the_first(
        (graph, [heuristic]) in graphs_with_heuristics::<1>(12)
    ) {
        let Some((cost, moves)) = graph.first_shortest(0) else { return Ok(()) };
        let cost = Cost::try_from(cost).unwrap();
        let heuristic = Ahead(&heuristic);
        let outcome = Ida::new(&graph, &heuristic).from_bound(cost).solve(&0, &mut Control::default());
        prop_assert!(outcome.statistics.iterations.len() <= 1);
        prop_assert_eq!(outcome.verdict, Verdict::Solved(Solution { moves, cost }));
    }

    #[test]
    fn breadth_first_search_finds_the_first_where_costs_are_equal(
        graph in graphs(14), cost in 1..=3_u32
    ) {
        let mut graph = graph;
        graph.edges.iter_mut().flatten().for_each(|edge| edge.cost = cost);
        let outcome = Bfs::new(&graph).solve(&0, &mut Control::default());
        prop_assert!(outcome.is_first);
        let moves = outcome.verdict.solution().map(|solution| solution.moves);
        prop_assert_eq!(moves, graph.first_shortest(0).map(|(_, moves)| moves));
    }

    #[test]
    fn what_claims_to_be_the_first_is_the_first(graph in graphs(14)) {
        let outcome = Bfs::new(&graph).solve(&0, &mut Control::default());
        if outcome.is_first && let Verdict::Solved(solution) = outcome.verdict {
            prop_assert_eq!(solution.moves, graph.first_shortest(0).unwrap().1);
        }
    }

    #[test]
    fn limits_are_obeyed_and_bounds_are_proved(
        graph in weighted(), percent in 0..100_u32, cost in 0..14_u32, nodes in 0..20_u64
    ) {
        let perfect = graph.perfect();
        let lowered: Vec<Cost> =
            perfect.iter().map(|&cost| if cost > 1000 { 0 } else { cost * percent / 100 }).collect();
        let heuristic = Ahead(&lowered);
        for search in STORING {
            let limits = Limits { cost, ..Limits::default() };
            let outcome = search.solve(&graph, &heuristic, &0, &mut within(limits));
            check(&graph, &outcome.verdict, limits);
            let limits = Limits { nodes: Some(nodes), ..limits };
            let outcome = search.solve(&graph, &heuristic, &0, &mut within(limits));
            check(&graph, &outcome.verdict, limits);
            let expanded = outcome.statistics.total().expanded;
            prop_assert!(expanded <= nodes);
            if let Verdict::Stopped { .. } = outcome.verdict {
                prop_assert_eq!(expanded, nodes);
            }
        }
    }

    #[test]
    fn breadth_first_search_counts_as_the_textbook_does(graph in graphs(14)) {
        let mut graph = graph;
        graph.edges.iter_mut().flatten().for_each(|edge| edge.cost = 1);
        let outcome = Bfs::new(&graph).solve(&0, &mut Control::default());
        let (expanded, generated, stored) = textbook(&graph);
        let total = outcome.statistics.total();
        prop_assert_eq!(total.expanded, expanded);
        prop_assert_eq!(total.generated, generated);
        prop_assert_eq!(outcome.statistics.stored, stored);
        let solved = !graph.goals[0] && matches!(outcome.verdict, Verdict::Solved(_));
        // Every child is new, or a duplicate, or the goal.
        let fresh = stored.saturating_sub(1);
        prop_assert_eq!(generated, fresh + total.duplicates + u64::from(solved));
    }

    #[test]
    fn a_consistent_heuristic_never_expands_twice(graph in graphs(14)) {
        let perfect = graph.perfect();
        let outcome = Astar::new(&graph, &Ahead(&perfect)).solve(&0, &mut Control::default());
        prop_assert!(outcome.statistics.total().expanded <= outcome.statistics.stored);
        // Not even off the way, if it is perfect.
        if let Verdict::Solved(solution) = outcome.verdict {
            let total = outcome.statistics.total().expanded;
            prop_assert!(total <= 14 && total >= solution.moves.len() as u64);
        }
    }
}

/// Graphs for bidirectional search: with equal costs, or hardly different ones, or different ones.
fn weighted() -> impl Strategy<Value = Graph> {
    prop_oneof![undirected(14, 1), undirected(14, 2), undirected(12, 5)]
}

/// Breadth-first search as in the textbook: how many states it expands, generates and stores.
fn textbook(graph: &Graph) -> (u64, u64, u64) {
    if graph.goals[0] {
        return (0, 0, 0);
    }
    let mut seen = vec![false; graph.edges.len()];
    seen[0] = true;
    let mut waiting = VecDeque::from([0]);
    let (mut expanded, mut generated, mut stored) = (0, 0, 1);
    while let Some(at) = waiting.pop_front() {
        expanded += 1;
        for edge in &graph.edges[at] {
            generated += 1;
            if graph.goals[edge.to] {
                return (expanded, generated, stored);
            }
            if !seen[edge.to] {
                seen[edge.to] = true;
                stored += 1;
                waiting.push_back(edge.to);
            }
        }
    }
    (expanded, generated, stored)
}

/// The heuristic lures the search to C by the dear way first: C is expanded at 4, and again at 3
/// after B, whose estimate is high. Only then is the goal at 6 found.
#[test]
fn a_state_is_expanded_again_when_a_cheaper_way_is_found() {
    //           A: 0       B: 1      C: 2      D: 3     goal: 4
    let edges = [vec![(1, 1), (2, 4)], vec![(2, 2)], vec![(3, 1)], vec![(4, 2)], vec![]];
    let graph = Graph::new(&edges, &[4]);
    let heuristic = [0, 5, 0, 0, 0];
    let outcome = Astar::new(&graph, &Ahead(&heuristic)).solve(&0, &mut Control::default());
    let total = outcome.statistics.total();
    let stored = outcome.statistics.stored;
    let solution = outcome.verdict.solution().unwrap();
    assert_eq!(solution.cost, 6);
    assert_eq!(solution.moves.iter().map(|edge| edge.to).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(stored, 4);
    assert_eq!(total.expanded, 6, "C and D twice");
}

/// The solution at 9 is met, forgotten because of the limit, and must not be thought to cost more.
#[test]
fn a_solution_that_is_met_above_the_limit_is_a_bound() {
    let mut edges = vec![Vec::new(); 7];
    for (a, b, cost) in
        [(0, 1, 2), (0, 1, 1), (0, 2, 5), (2, 3, 1), (3, 4, 3), (3, 5, 1), (3, 6, 1)]
    {
        edges[a].push((b, cost));
        edges[b].push((a, cost));
    }
    let graph = Graph::new(&edges, &[4]);
    for cost in 0..9 {
        let limits = Limits { cost, ..Limits::default() };
        for search in STORING {
            check(&graph, &search.solve(&graph, &Zero, &0, &mut within(limits)).verdict, limits);
        }
    }
}

#[test]
fn costs_do_not_wrap() {
    for costs in [vec![MAX_COST], vec![MAX_COST - 1, 1], vec![1, MAX_COST - 1]] {
        let graph = undirected_path(&costs);
        for search in STORING {
            let verdict = search.solve(&graph, &Zero, &0, &mut Control::default()).verdict;
            assert_eq!(verdict.solution().map(|s| s.cost), Some(MAX_COST), "{search:?} {costs:?}");
        }
    }
    for costs in [vec![MAX_COST, 1], vec![MAX_COST, MAX_COST], vec![1, MAX_COST]] {
        let graph = undirected_path(&costs);
        for search in STORING {
            let verdict = search.solve(&graph, &Zero, &0, &mut Control::default()).verdict;
            let above = matches!(verdict, Verdict::AboveLimit { .. });
            assert!(above, "{search:?} {costs:?} {verdict:?}");
        }
    }
}

fn undirected_path(costs: &[Cost]) -> Graph {
    let mut edges = vec![Vec::new(); costs.len() + 1];
    for (at, &cost) in costs.iter().enumerate() {
        edges[at].push((at + 1, cost));
        edges[at + 1].push((at, cost));
    }
    Graph::new(&edges, &[costs.len()])
}

#[test]
fn a_start_that_is_a_goal_needs_no_search() {
    let graph = Graph::new(&[vec![(0, 1)]], &[0]);
    for search in [Search::Bfs, Search::Astar, Search::Bidirectional, Search::Ida] {
        let outcome = search.solve(&graph, &Zero, &0, &mut Control::default());
        let nothing = Solution { moves: Vec::new(), cost: 0 };
        assert_eq!(outcome.verdict, Verdict::Solved(nothing));
        assert!(outcome.is_first && outcome.statistics.iterations.is_empty());
    }
    assert_eq!(Bidirectional::new(&graph).count(&0, &mut Control::default()).count, 1);
    let mut told = 0;
    let mut tell = |moves: &[Edge]| {
        assert!(moves.is_empty());
        told += 1;
        ControlFlow::Continue(())
    };
    let all = Ida::new(&graph, &Zero).solve_all(&0, &mut Control::default(), &mut tell);
    assert_eq!((all.found, all.complete), (1, true));
    let all = Bidirectional::new(&graph).solve_all(&0, &mut Control::default(), &mut tell);
    assert_eq!((all.found, all.complete), (1, true));
    assert_eq!(told, 2);
}

#[test]
fn moves_of_cost_0_are_refused() {
    let graph = Graph::new(&[vec![(1, 0)], vec![(0, 0)]], &[1]);
    for search in STORING {
        let verdict = search.solve(&graph, &Zero, &0, &mut Control::default()).verdict;
        assert!(matches!(verdict, Verdict::Stopped { stop: Stop::ZeroCostMove, .. }), "{search:?}");
    }
}

#[test]
fn bidirectional_search_refuses_what_can_not_be_reversed() {
    let graph = Graph::new(&[vec![(1, 1)], vec![]], &[1]);
    let outcome = Bidirectional::new(&graph).solve(&0, &mut Control::default());
    let refused = Verdict::Stopped { stop: Stop::Irreversible, lower_bound: 0 };
    assert_eq!(outcome.verdict, refused);
    assert_eq!(Bidirectional::new(&graph).count(&0, &mut Control::default()).count, 0);
}

/// Words of 48 bits; a move flips one. The goal is all ones, too far for any search here.
struct Bits;

impl Space for Bits {
    type State = u64;
    type Move = u32;
    fn for_each_move<V: Visitor<Self>>(&self, at: &mut u64, v: &mut V) -> ControlFlow<()> {
        (0..48).try_for_each(|bit| v.visit(at, bit))
    }
    fn apply(&self, at: &mut u64, bit: u32) {
        *at ^= 1 << bit;
    }
    fn undo(&self, at: &mut u64, bit: u32) {
        *at ^= 1 << bit;
    }
    fn is_goal(&self, at: &u64) -> bool {
        *at == (1 << 48) - 1
    }
}

impl Packed for Bits {
    fn key_bytes(&self) -> usize {
        8
    }
    fn pack(&self, at: &u64, key: &mut [u8]) {
        key.copy_from_slice(&at.to_le_bytes());
    }
    fn unpack(&self, key: &[u8]) -> u64 {
        u64::from_le_bytes(key.try_into().unwrap())
    }
}

impl Reversible for Bits {
    fn goals(&self) -> Option<Vec<u64>> {
        Some(vec![(1 << 48) - 1])
    }
}

#[test]
fn time_limits_and_cancelling_are_obeyed_by_all() {
    for search in STORING {
        let time = Duration::from_millis(60);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let began = Instant::now();
        let outcome = search.solve(&Bits, &Zero, &0, &mut within(limits));
        let elapsed = began.elapsed();
        let Verdict::Stopped { stop: Stop::Time, lower_bound } = outcome.verdict else {
            panic!("{search:?} {:?}", outcome.verdict)
        };
        assert!((1..=48).contains(&lower_bound));
        assert!(elapsed >= time && elapsed < time + Duration::from_millis(400), "{elapsed:?}");

        let cancel = CancelToken::new();
        cancel.cancel();
        let mut control = Control { cancel, ..Control::default() };
        let verdict = search.solve(&Bits, &Zero, &0, &mut control).verdict;
        assert!(matches!(verdict, Verdict::Stopped { stop: Stop::Cancelled, .. }));
    }
}

#[derive(Default)]
struct Told(Vec<Iteration>);

impl Observer for Told {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push(*iteration);
    }
    fn progress(&mut self, progress: &Progress) {
        assert!(progress.bound <= 48);
    }
}

#[test]
fn the_observer_is_told_every_layer() {
    for search in STORING {
        let mut told = Told::default();
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let mut control = Control { limits, observer: Some(&mut told), cancel: CancelToken::new() };
        let outcome = search.solve(&Bits, &Zero, &0, &mut control);
        let Verdict::Stopped { stop: Stop::Nodes, lower_bound } = outcome.verdict else {
            panic!("{search:?} {:?}", outcome.verdict)
        };
        assert_eq!(told.0, outcome.statistics.iterations);
        assert!(told.0.is_sorted_by(|a, b| a.bound < b.bound));
        assert_eq!(told.0.last().unwrap().bound, lower_bound);
        assert_eq!(outcome.statistics.total().expanded, 20_000);
    }
}
