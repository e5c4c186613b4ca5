//! Perimeters hold what another search finds, and nothing beyond.

use deepen::heuristic::{Max, Zero};
use deepen::table::{Perimeter, Reach};
use deepen::{Control, Cost, Heuristic, INFINITE, Ida, Packed, Reversible, Solution};

use crate::graph::Graph;

impl Packed for Graph {
    /// More than are needed, as in a space whose keys are longer than a word.
    fn key_bytes(&self) -> usize {
        11
    }

    fn pack(&self, node: &usize, key: &mut [u8]) {
        key[..8].copy_from_slice(&node.to_le_bytes());
        key[8..].fill(7);
    }

    fn unpack(&self, key: &[u8]) -> usize {
        usize::from_le_bytes(key[..8].try_into().unwrap())
    }
}

impl Reversible for Graph {
    fn goals(&self) -> Option<Vec<usize>> {
        Some(self.goals.clone())
    }
}

/// Asserts that it holds exactly the states up to its radius, and tells what it must of others.
fn assert_holds(perimeter: &Perimeter, graph: &Graph, distances: &[Option<Cost>], outside: Cost) {
    let radius = perimeter.radius();
    for (node, &distance) in distances.iter().enumerate() {
        let right = distance.filter(|&distance| distance <= radius).unwrap_or(outside);
        assert_eq!(perimeter.distance(graph, &node), right, "at {node}");
    }
    for distance in 0..=radius {
        let count = distances.iter().filter(|&&d| d == Some(distance)).count();
        let told = perimeter.census().get(distance as usize).copied().unwrap_or(0);
        assert_eq!(told, count as u64);
    }
}

#[test]
fn a_perimeter_holds_exactly_the_states_within_its_radius() {
    for seed in 1..50 {
        let graph =
            Graph::random(100 * seed, 130 * seed, 1 + seed % 3, 1 + seed % 5, true, seed as u64);
        let distances = graph.distances();
        let greatest = *distances.iter().flatten().max().unwrap();
        for radius in (0..greatest).step_by(3) {
            let perimeter = Perimeter::new(&graph, Reach::Radius(radius)).unwrap();
            assert_eq!(perimeter.radius(), radius);
            assert_holds(&perimeter, &graph, &distances, radius + 1);
        }
        // Once it holds all, what is outside is known to be unreachable.
        let perimeter = Perimeter::new(&graph, Reach::Radius(greatest + 1)).unwrap();
        assert_eq!(perimeter.radius(), greatest);
        assert_holds(&perimeter, &graph, &distances, INFINITE);
    }
}

#[test]
fn a_budget_of_memory_is_kept_and_used() {
    let graph = Graph::random(20_000, 30_000, 1, 1, true, 5);
    let distances = graph.distances();
    let whole = Perimeter::new(&graph, Reach::Memory(u64::MAX)).unwrap();
    assert_holds(&whole, &graph, &distances, INFINITE);
    for radius in 1..=whole.radius() {
        let size = Perimeter::new(&graph, Reach::Radius(radius)).unwrap().size() as u64;
        let just = Perimeter::new(&graph, Reach::Memory(size)).unwrap();
        let less = Perimeter::new(&graph, Reach::Memory(size - 1)).unwrap();
        assert_eq!([just.size() as u64, just.radius().into()], [size, radius.into()]);
        let outside = if radius == whole.radius() { INFINITE } else { radius + 1 };
        assert_holds(&just, &graph, &distances, outside);
        assert_holds(&less, &graph, &distances, radius);
    }
    // The goals at least.
    let least = Perimeter::new(&graph, Reach::Memory(0)).unwrap();
    assert_holds(&least, &graph, &distances, 1);
}

#[test]
fn the_greatest_radius_is_253() {
    let graph = Graph::path(1000, true);
    let perimeter = Perimeter::new(&graph, Reach::Radius(u32::MAX)).unwrap();
    assert_eq!(perimeter.radius(), 253);
    assert_holds(&perimeter, &graph, &graph.distances(), 254);
}

#[test]
fn without_goals_nothing_can_be_reached() {
    let graph = Graph { goals: vec![], ..Graph::path(10, true) };
    let perimeter = Perimeter::new(&graph, Reach::Radius(5)).unwrap();
    assert_eq!(perimeter.census(), [0; 0]);
    assert_holds(&perimeter, &graph, &[None; 10], INFINITE);
}

/// How many nodes a search expands, and the solution that it finds.
fn search<H: Heuristic<Graph>>(
    graph: &Graph,
    heuristic: &H,
    start: usize,
) -> (u64, Solution<(usize, usize, Cost)>) {
    let outcome = Ida::new(graph, heuristic).solve(&start, &mut Control::default());
    (outcome.statistics.total().expanded, outcome.verdict.solution().unwrap())
}

#[test]
fn a_search_through_a_perimeter_finds_the_same_and_goes_less_deep() {
    for seed in 1..20 {
        let graph = Graph::random(200, 280, 2, 3, true, seed);
        let distances = graph.distances();
        let perimeter = Perimeter::new(&graph, Reach::Radius(5)).unwrap();
        for start in (0..200).filter(|&node| distances[node].is_some_and(|d| d <= 12)) {
            let (many, blind) = search(&graph, &Zero, start);
            let (few, seeing) = search(&graph, &Max(Zero, &perimeter), start);
            assert_eq!(seeing, blind);
            assert_eq!(Some(seeing.cost), distances[start]);
            assert!(few <= many);
            if seeing.cost <= 5 {
                assert_eq!(few, seeing.moves.len() as u64);
            }
        }
    }
}
