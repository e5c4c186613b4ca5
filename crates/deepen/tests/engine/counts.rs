//! Statistics: the counts of every iteration are those of the textbook's IDA*.

use std::time::Duration;

use deepen::heuristic::{Function, Max, Zero};
use deepen::{Control, Cost, Heuristic, INFINITE, Ida, Iteration, Limits, Stop, Verdict};
use proptest::prelude::*;

use crate::graph::{Ahead, Graph, graphs_with_heuristics};

/// IDA* as in the textbook, with costs added up on the way down.
struct Textbook<'a> {
    graph: &'a Graph,
    heuristic: &'a dyn Fn(usize) -> Cost,
    iteration: Iteration,
    next: u64,
}

impl Textbook<'_> {
    /// The iterations up to the last with a bound of at most `limit`.
    fn run(graph: &Graph, heuristic: &dyn Fn(usize) -> Cost, limit: u64) -> Vec<Iteration> {
        let mut search = Textbook { graph, heuristic, iteration: Iteration::default(), next: 0 };
        let mut iterations = Vec::new();
        if heuristic(0) == INFINITE || graph.goals[0] {
            return iterations;
        }
        let mut bound = u64::from(heuristic(0));
        while bound <= limit {
            search.iteration =
                Iteration { bound: Cost::try_from(bound).unwrap(), ..Iteration::default() };
            search.next = u64::MAX;
            let found = search.visit(0, 0);
            iterations.push(search.iteration);
            if found {
                break;
            }
            bound = search.next;
        }
        iterations
    }

    fn visit(&mut self, state: usize, cost: u64) -> bool {
        self.iteration.expanded += 1;
        for edge in &self.graph.edges[state] {
            self.iteration.generated += 1;
            let cost = cost + u64::from(edge.cost);
            let estimate = (self.heuristic)(edge.to);
            let sum = cost + u64::from(estimate);
            if estimate == INFINITE {
                self.iteration.cut_by_bound += 1;
            } else if sum > u64::from(self.iteration.bound) {
                self.iteration.cut_by_bound += 1;
                self.next = self.next.min(sum);
            } else if self.graph.goals[edge.to] || self.visit(edge.to, cost) {
                return true;
            }
        }
        false
    }
}

/// The iterations of the engine up to a bound, without their times.
fn iterations<H: Heuristic<Graph>>(graph: &Graph, heuristic: &H, limit: Cost) -> Vec<Iteration> {
    let limits = Limits { cost: limit, ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let outcome = Ida::new(graph, heuristic).solve(&0, &mut control);
    let timeless = |it| Iteration { elapsed: Duration::ZERO, ..it };
    outcome.statistics.iterations.into_iter().map(timeless).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_iteration_has_the_bound_and_counts_of_the_textbook(
        (graph, [one, two]) in graphs_with_heuristics::<2>(9),
        limit in 6..14_u32,
    ) {
        let run = |h: &dyn Fn(usize) -> Cost| Textbook::run(&graph, h, u64::from(limit));
        let zero = run(&|_| 0);
        prop_assert!(zero.is_sorted_by(|a, b| a.bound < b.bound));
        prop_assert_eq!(iterations(&graph, &Zero, limit), zero);
        let table = run(&|at| one[at]);
        prop_assert_eq!(&iterations(&graph, &Ahead(&one), limit), &table);
        let function = Function(|at: &usize| one[*at]);
        prop_assert_eq!(&iterations(&graph, &function, limit), &table);
        let greater = run(&|at| one[at].max(two[at]));
        let max = Max(&function, Ahead(&two));
        prop_assert_eq!(&iterations(&graph, &max, limit), &greater);
        let max = Max(Ahead(&one), Ahead(&two));
        prop_assert_eq!(&iterations(&graph, &max, limit), &greater);
    }

    /// The root is expanded and not generated; every other node is cut, expanded, a goal, or the
    /// one before whose expansion the limit struck.
    #[test]
    fn a_node_limit_is_exact_and_the_counts_add_up(
        (graph, [table]) in graphs_with_heuristics::<1>(9),
        nodes in prop_oneof![0..100_u64, 0..5000_u64],
    ) {
        let limits = Limits { nodes: Some(nodes), cost: 40, ..Limits::default() };
        let mut control = Control { limits, ..Control::default() };
        let outcome = Ida::new(&graph, &Ahead(&table)).solve(&0, &mut control);
        let total = outcome.statistics.total();
        let stopped = matches!(outcome.verdict, Verdict::Stopped { stop: Stop::Nodes, .. });
        prop_assert!(total.expanded <= nodes);
        prop_assert!(!stopped || total.expanded == nodes);
        let ended = outcome.verdict.solution().is_some() || stopped;
        for (i, it) in outcome.statistics.iterations.iter().enumerate() {
            let last = i + 1 == outcome.statistics.iterations.len();
            let one = u64::from(last && ended);
            prop_assert_eq!(it.generated + 1, it.cut_by_bound + it.expanded + one);
        }
        prop_assert_eq!(total.cut_by_pruning, 0);
    }
}

#[test]
fn a_limit_of_just_the_nodes_needed_is_enough_and_one_less_is_not() {
    let edges: Vec<_> = (0..12).map(|at| vec![(at + 1, 1), (at + 1, 2)]).chain([vec![]]).collect();
    let graph = Graph::new(&edges, &[12]);
    let search = |nodes| {
        let limits = Limits { nodes, ..Limits::default() };
        Ida::new(&graph, &Zero).solve(&0, &mut Control { limits, ..Control::default() })
    };
    let needed = search(None).statistics.total().expanded;
    assert!(needed > 100);
    for nodes in [needed - 1, needed, needed + 1] {
        let outcome = search(Some(nodes));
        assert_eq!(outcome.statistics.total().expanded, nodes.min(needed));
        assert_eq!(outcome.verdict.solution().is_some(), nodes >= needed);
    }
}
