//! The easy door: an optimal path from closures.

use deepen::{Control, Limits, Proof, Stop, Verdict, shortest_path, shortest_path_within};
use proptest::prelude::*;

use crate::graph::{Graph, graphs, graphs_with_heuristics};

/// The shortest path from state 0 as the easy door tells it.
fn path(graph: &Graph, heuristic: &[u32]) -> Verdict<usize> {
    shortest_path(
        0,
        |&at: &usize| graph.edges[at].iter().map(|edge| (edge.to, edge.cost)).collect::<Vec<_>>(),
        |&at| heuristic[at],
        |&at| graph.goals[at],
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Paths of other costs than Dijkstra's algorithm finds are wrong, and where it finds none
    /// there must be a proof, cycles or not.
    #[test]
    fn it_agrees_with_the_pathfinding_crate((graph, [table]) in graphs_with_heuristics::<1>(7)) {
        let dijkstra = pathfinding::prelude::dijkstra(
            &0,
            |&at: &usize| graph.edges[at].iter().map(|edge| (edge.to, edge.cost)),
            |&at| graph.goals[at],
        );
        for heuristic in [&table, &vec![0; 7]] {
            match (path(&graph, heuristic), &dijkstra) {
                (Verdict::Solved(solution), Some((_, cost))) => {
                    prop_assert_eq!(solution.cost, *cost);
                }
                (verdict, none) => {
                    prop_assert_eq!(verdict, Verdict::Impossible(Proof::Exhausted));
                    prop_assert_eq!(none, &None);
                }
            }
        }
    }

    #[test]
    fn its_path_is_the_first_in_the_order_of_the_successors(graph in graphs(7)) {
        let states = path(&graph, &[0; 7]).solution().map(|solution| solution.moves);
        let least = graph.first_shortest(0);
        let expected = least.map(|(_, moves)| moves.iter().map(|edge| edge.to).collect());
        prop_assert_eq!(states, expected);
    }
}

#[test]
fn a_start_with_success_needs_no_steps() {
    let solution = path(&Graph::new(&[vec![(0, 1)]], &[0]), &[0]).solution().unwrap();
    assert_eq!((solution.cost, solution.moves), (0, vec![]));
}

#[test]
fn a_step_that_costs_nothing_stops_it() {
    let stopped = Verdict::Stopped { stop: Stop::ZeroCostMove, lower_bound: 0 };
    assert_eq!(path(&Graph::path(&[0]), &[0; 2]), stopped);
}

#[test]
fn limits_and_statistics_come_with_the_other_form() {
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let outcome = shortest_path_within(
        0_u64,
        |&n| [(n + 1, 1), (2 * n + 2, 1)],
        |_| 0,
        |_| false,
        &mut Control { limits, ..Control::default() },
    );
    assert!(matches!(outcome.verdict, Verdict::Stopped { stop: Stop::Nodes, lower_bound: 2 }));
    assert_eq!(outcome.statistics.total().expanded, 10);
}
