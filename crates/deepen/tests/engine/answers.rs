//! Answers: least cost, first in dictionary order, and verdicts that say no more than is proved.

use deepen::heuristic::{Function, Max, Sum, Zero};
use deepen::{
    Control, Cost, Heuristic, INFINITE, Ida, Limits, Outcome, Proof, Residue, Stop, Verdict,
};
use proptest::prelude::*;

use crate::graph::{Ahead, Edge, Graph, graphs, graphs_with_heuristics};

/// Searches from state 0 with limits that end it in any graph, checks what the verdict claims
/// against the true distance, and gives it back.
fn checked<H: Heuristic<Graph>>(
    graph: &Graph,
    heuristic: &H,
) -> Result<Outcome<Edge>, TestCaseError> {
    const LIMIT: Cost = 25;
    let limits = Limits { cost: LIMIT, nodes: Some(50_000), ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let outcome = Ida::new(graph, heuristic).solve(&0, &mut control);
    let least = graph.first_shortest(0);
    let distance = least.as_ref().map_or(u64::MAX, |(cost, _)| *cost);
    match &outcome.verdict {
        Verdict::Solved(solution) => {
            prop_assert!(graph.is_solution(0, &solution.moves, solution.cost));
            prop_assert_eq!(Some((u64::from(solution.cost), solution.moves.clone())), least);
        }
        Verdict::Impossible(proof) => {
            prop_assert_eq!(proof, &Proof::Exhausted);
            prop_assert_eq!(least, None);
        }
        Verdict::AboveLimit { lower_bound } => {
            prop_assert!(*lower_bound > LIMIT);
            prop_assert!(u64::from(*lower_bound) <= distance);
        }
        Verdict::Stopped { stop, lower_bound } => {
            prop_assert_eq!(*stop, Stop::Nodes);
            prop_assert!(u64::from(*lower_bound) <= distance);
        }
    }
    Ok(outcome)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn answers_are_the_first_of_the_shortest_with_every_heuristic(
        (graph, [one, two]) in graphs_with_heuristics::<2>(9),
    ) {
        checked(&graph, &Zero)?;
        checked(&graph, &Ahead(&one))?;
        checked(&graph, &Function(|at: &usize| one[*at]))?;
        checked(&graph, &Max(Ahead(&one), Function(|at: &usize| two[*at])))?;
        let shared = Ahead(&one);
        checked(&graph, &Max(&shared, Max(Zero, &shared)))?;
    }

    /// What a perfect heuristic says, shared out between two that are added up again: it decides
    /// every graph as if it were whole.
    #[test]
    fn shares_of_a_heuristic_add_up(graph in graphs(9), share in 0..=4_u32) {
        let perfect = graph.perfect();
        let part: Vec<Cost> =
            perfect.iter().map(|&all| if all == INFINITE { 0 } else { all * share / 4 }).collect();
        let rest: Vec<Cost> = perfect
            .iter()
            .zip(&part)
            .map(|(&all, part)| if all == INFINITE { INFINITE } else { all - part })
            .collect();
        let whole = checked(&graph, &Ahead(&perfect))?;
        for sum in [
            checked(&graph, &Sum(Ahead(&part), Ahead(&rest)))?,
            checked(&graph, &Sum(Function(|at: &usize| rest[*at]), Ahead(&part)))?,
        ] {
            prop_assert_eq!(&sum.verdict, &whole.verdict);
            let counts = |outcome: &Outcome<Edge>| outcome.statistics.total().expanded;
            prop_assert_eq!(counts(&sum), counts(&whole));
        }
    }

    /// Perfect knowledge leaves one iteration, or none where there is no solution.
    #[test]
    fn a_perfect_heuristic_decides_every_graph_in_one_iteration(graph in graphs(12)) {
        let outcome = checked(&graph, &Ahead(&graph.perfect()))?;
        let solved = matches!(outcome.verdict, Verdict::Solved(_));
        let above = matches!(outcome.verdict, Verdict::AboveLimit { .. });
        match graph.first_shortest(0) {
            Some((cost, moves)) if cost <= 25 => {
                let iterations = usize::from(!moves.is_empty());
                prop_assert!(solved && outcome.statistics.iterations.len() == iterations);
            }
            Some(_) => prop_assert!(above),
            None => prop_assert!(!solved && !above),
        }
    }

    /// Without cycles every search ends with a proof, whatever it knows.
    #[test]
    fn a_graph_without_cycles_is_decided_without_limits(graph in graphs(9)) {
        let mut graph = graph;
        for (from, edges) in graph.edges.iter_mut().enumerate() {
            edges.retain(|edge| edge.to > from);
        }
        let verdict = Ida::new(&graph, &Zero).solve(&0, &mut Control::default()).verdict;
        prop_assert_eq!(verdict.lower_bound().map(u64::from), graph.distances()[0]);
        let solved = verdict.solution().map(|s| s.moves);
        prop_assert_eq!(solved, graph.first_shortest(0).map(|(_, moves)| moves));
    }

    /// Where every solution from an even state is even and from an odd state odd, only such bounds
    /// are tried.
    #[test]
    fn bounds_of_the_wrong_residue_are_skipped(graph in graphs(8), start in 0..2_usize) {
        let mut graph = graph;
        for edge in graph.edges.iter_mut().flatten() {
            edge.cost += u32::from((edge.cost % 2 == 1) != ((edge.from + edge.to) % 2 == 1));
        }
        (0..graph.goals.len()).filter(|at| at % 2 == 1).for_each(|at| graph.goals[at] = false);
        graph.residues = [false, true].map(Residue::parity);
        let limits = Limits { cost: 24, nodes: Some(50_000), ..Limits::default() };
        let mut control = Control { limits, ..Control::default() };
        let outcome = Ida::new(&graph, &Zero).solve(&start, &mut control);
        for iteration in &outcome.statistics.iterations {
            prop_assert_eq!(iteration.bound % 2, Cost::try_from(start).unwrap());
        }
        let distance = graph.distances()[start];
        match outcome.verdict {
            Verdict::Solved(solution) => {
                let least = graph.first_shortest(start);
                prop_assert_eq!(Some((u64::from(solution.cost), solution.moves)), least);
            }
            Verdict::Impossible(_) => prop_assert_eq!(distance, None),
            Verdict::AboveLimit { lower_bound } | Verdict::Stopped { lower_bound, .. } => {
                prop_assert_eq!(lower_bound as usize % 2, start);
                prop_assert!(distance.is_none_or(|distance| u64::from(lower_bound) <= distance));
            }
        }
    }
}

#[test]
fn a_goal_as_start_is_solved_without_moves_or_iterations() {
    let graph = Graph::new(&[vec![(0, 1)]], &[0]);
    let limits = Limits { cost: 0, nodes: Some(0), ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let outcome = Ida::new(&graph, &Zero).solve(&0, &mut control);
    let solution = outcome.verdict.solution().unwrap();
    assert_eq!((solution.cost, solution.moves), (0, Vec::new()));
    assert!(outcome.statistics.iterations.is_empty());
}

#[test]
fn the_cost_of_a_solution_is_that_of_its_moves_even_if_the_heuristic_lied() {
    let graph = Graph::path(&[1, 2]);
    let lie = Function(|at: &usize| if *at == 2 { 0 } else { 9 });
    let solution = Ida::new(&graph, &lie).solve(&0, &mut Control::default()).verdict.solution();
    assert_eq!(solution.unwrap().cost, 3);
}

#[test]
fn a_space_that_knows_better_is_not_searched() {
    struct Odd(Graph);
    impl deepen::Space for Odd {
        type State = usize;
        type Move = Edge;
        fn for_each_move<V: deepen::Visitor<Self>>(
            &self,
            _: &mut usize,
            _: &mut V,
        ) -> std::ops::ControlFlow<()> {
            unreachable!("no search is needed")
        }
        fn apply(&self, _: &mut usize, _: Edge) {}
        fn undo(&self, _: &mut usize, _: Edge) {}
        fn is_goal(&self, at: &usize) -> bool {
            self.0.goals[*at]
        }
        fn impossible(&self, at: &usize) -> Option<String> {
            (at % 2 == 1).then(|| "the state is odd".to_string())
        }
    }
    let odd = Odd(Graph::path(&[1]));
    let verdict = Ida::new(&odd, &Zero).solve(&1, &mut Control::default()).verdict;
    assert_eq!(verdict, Verdict::Impossible(Proof::Space("the state is odd".to_string())));
    assert_eq!(verdict.lower_bound(), None);
}
