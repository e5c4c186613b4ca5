//! Tables hold the distances that another search finds.

use std::ops::ControlFlow;

use deepen::table::{BuildError, Direction, Indexed, Lookup, Table, TableBuild, Width};
use deepen::{
    CancelToken, Control, Cost, Heuristic, INFINITE, Ida, Proof, Space, Verdict, Visitor, moves_of,
};

use crate::graph::{Graph, Random};

const DIRECTIONS: [Direction; 3] = [Direction::FromGoals, Direction::Both, Direction::ToGoals];

fn build(graph: &Graph, direction: Direction) -> Result<Table, BuildError> {
    TableBuild { direction, ..TableBuild::default() }.build(graph, graph.goals.iter().copied())
}

fn assert_holds(table: &Table, distances: &[Option<Cost>]) {
    assert_eq!(table.entries(), distances.len() as u64);
    for (rank, &distance) in (0..).zip(distances) {
        assert_eq!(table.distance(rank, 0), distance, "at {rank}");
    }
    let greatest = distances.iter().flatten().max();
    let mut census = vec![0; greatest.map_or(0, |&greatest| greatest as usize + 1)];
    distances.iter().flatten().for_each(|&distance| census[distance as usize] += 1);
    assert_eq!(table.census(), census);
}

#[test]
fn from_the_goals_mutual_edges_of_any_cost_give_every_distance() {
    for seed in 1..60 {
        let (nodes, edges) = (1 + 150 * seed, 30 + 170 * seed);
        let graph = Graph::random(nodes, edges, seed % 4, 1 + seed % 9, true, seed as u64);
        assert_holds(&build(&graph, Direction::FromGoals).unwrap(), &graph.distances());
    }
    let graph = Graph::random(20_000, 30_000, 2, 63, true, 7);
    let distances = graph.distances();
    if *distances.iter().flatten().max().unwrap() <= 253 {
        assert_holds(&build(&graph, Direction::FromGoals).unwrap(), &distances);
    } else {
        assert_eq!(build(&graph, Direction::FromGoals), Err(BuildError::TooFar));
    }
}

#[test]
fn to_the_goals_edges_need_not_lead_back() {
    for seed in 1..60 {
        let graph = Graph::random(1 + 150 * seed, 40 + 230 * seed, seed % 4, 1, false, seed as u64);
        let distances = graph.distances();
        assert_holds(&build(&graph, Direction::ToGoals).unwrap(), &distances);
        // One-way edges make the other way wrong, which shows that these graphs can tell.
        if seed == 50 {
            assert!(distances.iter().any(Option::is_none));
            let wrong = build(&graph, Direction::FromGoals).unwrap();
            assert!((0..).zip(&distances).any(|(rank, &right)| wrong.distance(rank, 0) != right));
        }
    }
}

#[test]
fn all_ways_agree_where_edges_lead_both_ways() {
    for seed in 1..40 {
        let graph = Graph::random(100 * seed, 150 * seed, 2, 1, true, seed as u64);
        let table = build(&graph, Direction::FromGoals);
        assert_eq!(build(&graph, Direction::ToGoals), table);
        assert_eq!(build(&graph, Direction::Both), table);
    }
}

/// A graph in which each node has two numbers, whose states are symmetric: one further bit, which
/// some edges change.
struct Twice(Graph);

impl Space for Twice {
    type State = usize;
    type Move = (usize, usize, Cost);

    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut usize,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let (from, node, bit) = (*state, *state / 2, *state % 2);
        self.0.edges[node].iter().try_for_each(|&(to, cost)| {
            let bit = bit ^ ((node + to) / 3 % 2);
            visitor.visit(state, (from, 2 * to + bit, cost))
        })
    }

    fn apply(&self, state: &mut usize, (_, to, _): Self::Move) {
        *state = to;
    }

    fn undo(&self, state: &mut usize, (from, _, _): Self::Move) {
        *state = from;
    }

    fn cost(&self, (_, _, cost): Self::Move) -> Cost {
        cost
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.0.goals.contains(&(state / 2))
    }
}

impl Indexed for Twice {
    fn size(&self) -> u64 {
        2 * self.0.edges.len() as u64
    }

    fn rank(&self, state: &usize) -> u64 {
        *state as u64
    }

    fn unrank(&self, rank: u64) -> usize {
        rank as usize
    }

    fn for_each_twin(&self, rank: u64, mut twin: impl FnMut(u64)) {
        twin(rank ^ 1);
    }
}

#[test]
fn twins_are_as_far_as_one_another() {
    for seed in 1..30 {
        for (greatest, directions) in [(1, DIRECTIONS.as_slice()), (9, &DIRECTIONS[..1])] {
            let (nodes, edges) = (90 * seed, 140 * seed);
            let graph = Graph::random(nodes, edges, 1 + seed % 3, greatest, true, seed as u64);
            let distances = graph.distances();
            let twice: Vec<_> = distances.iter().flat_map(|&distance| [distance; 2]).collect();
            let space = Twice(graph);
            for &direction in directions {
                let goals = space.0.goals.iter().map(|&goal| 2 * goal);
                let build = TableBuild { direction, ..TableBuild::default() };
                assert_holds(&build.build(&space, goals).unwrap(), &twice);
            }
        }
    }
}

#[test]
fn the_greatest_distance_is_253() {
    for direction in DIRECTIONS {
        let table = build(&Graph::path(254, true), direction).unwrap();
        assert_eq!(table.census(), [1; 254]);
        assert_eq!(build(&Graph::path(255, true), direction), Err(BuildError::TooFar));
        assert_eq!(build(&Graph::path(10_000, true), direction), Err(BuildError::TooFar));
    }
    // Further by one dear move.
    let edge = |cost| Graph { edges: vec![vec![(1, cost)], vec![(0, cost)]], goals: vec![0] };
    assert_eq!(build(&edge(63), Direction::FromGoals).unwrap().census().len(), 64);
    let path = |costs: [Cost; 5]| {
        let mut edges = vec![vec![]; 6];
        for (node, cost) in costs.into_iter().enumerate() {
            edges[node].push((node + 1, cost));
            edges[node + 1].push((node, cost));
        }
        Graph { edges, goals: vec![0] }
    };
    let longest = build(&path([63, 63, 63, 63, 1]), Direction::FromGoals).unwrap();
    assert_eq!(longest.distance(5, 0), Some(253));
    assert_eq!(build(&path([63, 63, 63, 63, 2]), Direction::FromGoals), Err(BuildError::TooFar));
    assert_eq!(build(&path([63, 63, 63, 2, 63]), Direction::FromGoals), Err(BuildError::TooFar));
}

#[test]
fn costs_that_tables_are_not_made_for_are_refused() {
    let graph = |cost| Graph { edges: vec![vec![(1, cost)], vec![(0, cost)]], goals: vec![0] };
    for cost in [0, 64, 1000] {
        assert_eq!(build(&graph(cost), Direction::FromGoals), Err(BuildError::Cost(cost)));
    }
    for cost in [0, 2] {
        assert_eq!(build(&graph(cost), Direction::ToGoals), Err(BuildError::Cost(cost)));
        assert_eq!(build(&graph(cost), Direction::Both), Err(BuildError::Cost(cost)));
    }
}

#[test]
fn without_goals_nothing_is_reached() {
    for direction in DIRECTIONS {
        let graph = Graph { goals: vec![], ..Graph::path(10, true) };
        assert_holds(&build(&graph, direction).unwrap(), &[None; 10]);
        let empty = Graph { edges: vec![], goals: vec![] };
        assert_holds(&build(&empty, direction).unwrap(), &[]);
    }
}

#[test]
fn building_tells_how_far_it_is_and_can_be_cancelled() {
    let graph = Graph::path(100, true);
    for direction in DIRECTIONS {
        let mut told = Vec::new();
        let mut progress = |done, all| told.push((done, all));
        let build =
            TableBuild { direction, progress: Some(&mut progress), ..TableBuild::default() };
        build.build(&graph, [0]).unwrap();
        assert_eq!(told, (1..=100).map(|done| (done, 100)).collect::<Vec<_>>());

        let cancel = CancelToken::new();
        let mut stop = |done, _| {
            assert!(done <= 7);
            if done == 7 {
                cancel.cancel();
            }
        };
        let build = TableBuild { direction, cancel: cancel.clone(), progress: Some(&mut stop) };
        assert_eq!(build.build(&graph, [0]), Err(BuildError::Cancelled));
    }
}

/// The table in those of the widths in which it can be.
fn packed<'a>(table: &'a Table, widths: &'a [Width]) -> impl Iterator<Item = Table> + 'a {
    widths.iter().filter_map(|&width| table.packed(width))
}

#[test]
fn all_widths_tell_the_same_along_random_walks() {
    let mut steps = 0;
    for seed in 1..40_u64 {
        let nodes = 97 * seed as usize + 5;
        let graph = Graph::random(nodes, nodes * 5 / 4, 2, 1, true, seed);
        steps += walk(&graph, &[Width::Two, Width::Four, Width::Eight], seed);
    }
    assert!(steps > 10_000);
}

#[test]
fn one_bit_tells_the_same_where_neighbours_are_never_at_the_same_distance() {
    let mut steps = 0;
    for seed in 1..40_u64 {
        let nodes = 47 * seed as usize + 5;
        let graph = Graph::random(nodes, nodes * 5 / 4, 2, 1, true, seed).doubled();
        steps += walk(&graph, &[Width::One], seed);
    }
    assert!(steps > 10_000);
}

/// Looks up along random walks; how many steps that were.
fn walk(graph: &Graph, widths: &[Width], seed: u64) -> u64 {
    let (mut steps, nodes) = (0, graph.edges.len());
    let eight = build(graph, Direction::FromGoals).unwrap();
    let distances = graph.distances();
    let mut random = Random(seed);
    for table in packed(&eight, widths) {
        assert_eq!(table.size() as u64, table.width().bytes(nodes as u64));
        assert_eq!(table.census(), eight.census());
        let lookup = Lookup::new(graph, &table, |&node: &usize| node);
        for _ in 0..20 {
            let mut node = random.below(nodes);
            // From anywhere without a neighbour to start from.
            let bound = |value| Heuristic::<Graph>::bound(&lookup, value);
            let mut value = lookup.root(graph, &node);
            assert_eq!(bound(value), distances[node].unwrap_or(INFINITE));
            for _ in 0..50 {
                let moves = moves_of(graph, &node);
                if moves.is_empty() || bound(value) == INFINITE {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                let shared = lookup.node(graph, &node, value);
                let before = lookup.before(graph, &node, &shared, mv);
                assert!(bound(before) <= distances[mv.1].unwrap());
                graph.apply(&mut node, mv);
                let asked = lookup.ask(graph, &node, &shared, before, mv);
                value = lookup.after(graph, &node, &shared, asked, mv);
                assert_eq!(Some(bound(value)), distances[node]);
                steps += 1;
            }
        }
    }
    steps
}

#[test]
fn four_bits_hold_distances_up_to_14() {
    for (nodes, fits) in [(15, true), (16, false)] {
        let table = build(&Graph::path(nodes, true), Direction::FromGoals).unwrap();
        let packed = table.packed(Width::Four);
        assert_eq!(packed.is_some(), fits);
        if let Some(packed) = packed {
            assert_holds(&packed, &Graph::path(nodes, true).distances());
            assert_eq!(packed.packed(Width::Eight), None);
        }
    }
}

#[test]
fn a_perfect_table_leaves_nothing_to_search() {
    for seed in 1..30_u64 {
        let graph = Graph::random(500, 620, 1, 1, true, seed);
        let distances = graph.distances();
        let eight = build(&graph, Direction::FromGoals).unwrap();
        for table in packed(&eight, &[Width::Two, Width::Four, Width::Eight]) {
            let lookup = Lookup::new(&graph, &table, |&node: &usize| node);
            for (start, distance) in distances.iter().enumerate().step_by(7) {
                let outcome = Ida::new(&graph, &lookup).solve(&start, &mut Control::default());
                let Some(distance) = *distance else {
                    assert_eq!(outcome.verdict, Verdict::Impossible(Proof::Exhausted));
                    continue;
                };
                let expanded = outcome.statistics.total().expanded;
                let solution = outcome.verdict.solution().unwrap();
                assert_eq!((solution.cost, expanded), (distance, distance.into()));
                // The first of the shortest: every step is the first that leads nearer.
                let mut node = start;
                for (left, mv) in (0..distance).rev().zip(&solution.moves) {
                    let nearer = |mv: &(usize, usize, Cost)| distances[mv.1] == Some(left);
                    assert_eq!(moves_of(&graph, &node).into_iter().find(nearer), Some(*mv));
                    node = mv.1;
                }
                assert!(graph.is_goal(&node));
            }
        }
    }
}

#[test]
#[should_panic(expected = "of another space")]
fn a_table_of_another_size_is_refused() {
    let table = build(&Graph::path(10, true), Direction::FromGoals).unwrap();
    let _ = Lookup::new(&Graph::path(11, true), &table, |&node: &usize| node);
}
