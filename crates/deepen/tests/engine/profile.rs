//! Counts by depth: those of the textbook's IDA*, and their sums those of the statistics.

use std::time::Duration;

use deepen::heuristic::Function;
use deepen::{
    Astar, Control, Cost, DepthCounts, DepthProfile, INFINITE, Ida, Iteration, Limits, Observer,
    Outcome,
};
use proptest::prelude::*;

use crate::graph::{Ahead, Edge, Graph, graphs_with_heuristics};

/// Takes the profile of each iteration.
struct Taker<'a> {
    profile: &'a DepthProfile,
    taken: Vec<(Iteration, Vec<DepthCounts>)>,
}

impl Observer for Taker<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        self.taken.push((*iteration, self.profile.take()));
    }
}

/// A search with its profiles, whose sums are held against its counts.
fn profiled(
    limits: Limits,
    search: impl Fn(Option<&DepthProfile>, &mut Control) -> Outcome<Edge>,
) -> Vec<(Cost, Vec<DepthCounts>)> {
    let profile = DepthProfile::new();
    let mut taker = Taker { profile: &profile, taken: Vec::new() };
    let mut control = Control { limits, observer: Some(&mut taker), ..Control::default() };
    let outcome = search(Some(&profile), &mut control);
    for (iteration, counts) in &taker.taken {
        let expanded: u64 = counts.iter().map(|depth| depth.expanded).sum();
        let generated: u64 = counts.iter().map(|depth| depth.generated).sum();
        assert_eq!((expanded, generated), (iteration.expanded, iteration.generated));
    }
    assert_eq!(profile.take(), []);
    // Whoever counts changes nothing.
    let plain = search(None, &mut Control { limits, ..Control::default() });
    assert_eq!(outcome.verdict, plain.verdict);
    let timeless = |it: &Iteration| Iteration { elapsed: Duration::ZERO, ..*it };
    let counted: Vec<_> = taker.taken.iter().map(|(it, _)| timeless(it)).collect();
    assert_eq!(counted, plain.statistics.iterations.iter().map(timeless).collect::<Vec<_>>());
    taker.taken.into_iter().map(|(it, counts)| (it.bound, counts)).collect()
}

/// Counts the depth-first search of one iteration; whether it met a goal.
fn textbook(
    graph: &Graph,
    heuristic: &[Cost],
    state: usize,
    depth: usize,
    left: u64,
    counts: &mut Vec<DepthCounts>,
) -> bool {
    counts.resize(counts.len().max(depth + 2), DepthCounts::default());
    counts[depth].expanded += 1;
    for edge in &graph.edges[state] {
        counts[depth + 1].generated += 1;
        let estimate = heuristic[edge.to];
        let needed = u64::from(edge.cost) + u64::from(estimate);
        if estimate == INFINITE || needed > left {
            continue;
        }
        let left = left - u64::from(edge.cost);
        if graph.goals[edge.to] || textbook(graph, heuristic, edge.to, depth + 1, left, counts) {
            return true;
        }
    }
    false
}

/// Without the depths at the end at which there is nothing.
fn trimmed(mut counts: Vec<DepthCounts>) -> Vec<DepthCounts> {
    while counts.last() == Some(&DepthCounts::default()) {
        counts.pop();
    }
    counts
}

proptest! {
    #[test]
    fn each_iteration_of_ida_has_the_textbooks_counts_at_each_depth(
        (graph, [table]) in graphs_with_heuristics::<1>(9), limit in 4..14_u32,
    ) {
        let limits = Limits { cost: limit, ..Limits::default() };
        let ahead = Ahead(&table);
        let iterations = profiled(limits, |profile, control| match profile {
            Some(profile) => Ida::new(&graph, &profile.count(&ahead)).solve(&0, control),
            None => Ida::new(&graph, &ahead).solve(&0, control),
        });
        for (bound, counts) in iterations {
            let mut expected = Vec::new();
            textbook(&graph, &table, 0, 0, bound.into(), &mut expected);
            prop_assert_eq!(trimmed(counts), trimmed(expected));
        }
    }

    #[test]
    fn counts_add_up_wherever_a_limit_strikes(
        (graph, [table]) in graphs_with_heuristics::<1>(9), nodes in 0..300_u64,
    ) {
        let limits = Limits { nodes: Some(nodes), cost: 40, ..Limits::default() };
        let (ahead, after) = (Ahead(&table), Function(|at: &usize| table[*at]));
        profiled(limits, |profile, control| match profile {
            Some(profile) => Ida::new(&graph, &profile.count(&after)).solve(&0, control),
            None => Ida::new(&graph, &after).solve(&0, control),
        });
        profiled(limits, |profile, control| match profile {
            Some(profile) => Astar::new(&graph, &profile.count(&ahead)).solve(&0, control),
            None => Astar::new(&graph, &ahead).solve(&0, control),
        });
    }
}
