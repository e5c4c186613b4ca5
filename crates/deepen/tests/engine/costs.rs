//! Costs at the ends of their range: none is too great, and none is zero.

use deepen::heuristic::{Function, Zero};
use deepen::{Control, Cost, Ida, Limits, MAX_COST, Stop, Verdict};

use crate::graph::{Edge, Graph};

fn verdict(graph: &Graph, limit: Cost) -> Verdict<Edge> {
    let limits = Limits { cost: limit, ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let zero = Ida::new(graph, &Zero).solve(&0, &mut control).verdict;
    let weak = Function(|_: &usize| 0);
    assert_eq!(Ida::new(graph, &weak).solve(&0, &mut control).verdict, zero);
    zero
}

#[test]
fn paths_up_to_the_greatest_cost_are_solved() {
    for costs in
        [&[MAX_COST][..], &[MAX_COST - 1, 1], &[1, MAX_COST - 1], &[1 << 31, (1 << 31) - 2]]
    {
        let solution = verdict(&Graph::path(costs), MAX_COST).solution().unwrap();
        assert_eq!((solution.cost, solution.moves.len()), (MAX_COST, costs.len()));
    }
}

#[test]
fn paths_beyond_the_greatest_cost_are_above_the_limit_and_never_wrap() {
    let huge = Cost::MAX;
    for costs in [&[huge][..], &[MAX_COST, 1], &[1 << 31, 1 << 31], &[huge, huge], &[1, huge, huge]]
    {
        for limit in [MAX_COST, Cost::MAX] {
            let verdict = verdict(&Graph::path(costs), limit);
            assert_eq!(verdict, Verdict::AboveLimit { lower_bound: MAX_COST + 1 }, "{costs:?}");
        }
    }
}

#[test]
fn the_bound_of_a_verdict_above_the_limit_is_above_it() {
    for limit in [0, 1, 6, MAX_COST - 1] {
        let above = verdict(&Graph::path(&[limit, 1].map(|cost| cost.max(1))), limit);
        assert!(matches!(above, Verdict::AboveLimit { lower_bound } if lower_bound > limit));
    }
    assert_eq!(verdict(&Graph::path(&[7]), 6), Verdict::AboveLimit { lower_bound: 7 });
    assert!(verdict(&Graph::path(&[7]), 7).solution().is_some());
}

#[test]
fn the_greatest_estimate_is_no_dead_end() {
    let graph = Graph::path(&[MAX_COST]);
    let perfect = Function(|at: &usize| if *at == 0 { MAX_COST } else { 0 });
    let solution = Ida::new(&graph, &perfect).solve(&0, &mut Control::default()).verdict.solution();
    assert_eq!(solution.unwrap().cost, MAX_COST);
}

/// After a move of cost 2, a circle that costs nothing.
fn circle(goal: usize) -> Graph {
    Graph::new(&[vec![(1, 2), (3, 1)], vec![(2, 0)], vec![(1, 0)], vec![]], &[goal])
}

#[test]
fn a_zero_cost_move_stops_the_search_when_it_is_met() {
    let stopped = Verdict::Stopped { stop: Stop::ZeroCostMove, lower_bound: 2 };
    assert_eq!(verdict(&circle(2), MAX_COST), stopped);
    assert_eq!(verdict(&Graph::new(&[vec![(0, 0)]], &[]), MAX_COST).lower_bound(), Some(0));
}

#[test]
fn a_zero_cost_move_that_is_never_met_does_no_harm() {
    assert_eq!(verdict(&circle(3), MAX_COST).solution().unwrap().cost, 1);
}
