//! Explicit graphs as state spaces, and the oracles that searches on them are held against.

use std::ops::ControlFlow;

use deepen::{Cost, Heuristic, INFINITE, Packed, Residue, Reversible, Space, Visitor};
use proptest::collection::vec;
use proptest::prelude::*;

/// A directed graph with weights. Its moves are its edges, in the order given.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) goals: Vec<bool>,
    /// What is known of the cost of solutions, by the state's parity.
    pub(crate) residues: [Residue; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) cost: Cost,
}

impl Graph {
    /// A graph from the targets and costs of each state's edges.
    pub(crate) fn new(edges: &[Vec<(usize, Cost)>], goals: &[usize]) -> Self {
        let edge = |from: usize, &(to, cost): &(usize, Cost)| Edge { from, to, cost };
        let of = |(from, edges): (usize, &Vec<_>)| edges.iter().map(|e| edge(from, e)).collect();
        Graph {
            edges: edges.iter().enumerate().map(of).collect(),
            goals: (0..edges.len()).map(|state| goals.contains(&state)).collect(),
            residues: [Residue::ANY; 2],
        }
    }

    /// A path from state 0 to the goal with edges of these costs.
    pub(crate) fn path(costs: &[Cost]) -> Self {
        let mut edges: Vec<_> = (1..).zip(costs).map(|(to, &cost)| vec![(to, cost)]).collect();
        edges.push(Vec::new());
        Graph::new(&edges, &[costs.len()])
    }

    /// Each state's distance to the nearest goal: relaxed until nothing changes.
    pub(crate) fn distances(&self) -> Vec<Option<u64>> {
        let mut distances: Vec<_> = self.goals.iter().map(|goal| goal.then_some(0)).collect();
        loop {
            let before = distances.clone();
            for edge in self.edges.iter().flatten() {
                let through = distances[edge.to].map(|d| d + u64::from(edge.cost));
                let least = [distances[edge.from], through].into_iter().flatten().min();
                distances[edge.from] = least;
            }
            if distances == before {
                return distances;
            }
        }
    }

    /// The perfect heuristic.
    pub(crate) fn perfect(&self) -> Vec<Cost> {
        let cost = |d: Option<u64>| d.map_or(INFINITE, |d| Cost::try_from(d).unwrap());
        self.distances().into_iter().map(cost).collect()
    }

    /// Of all shortest solutions the first in dictionary order: at each state the first edge that
    /// lies on a shortest one.
    pub(crate) fn first_shortest(&self, start: usize) -> Option<(u64, Vec<Edge>)> {
        let distances = self.distances();
        let cost = distances[start]?;
        let (mut at, mut moves) = (start, Vec::new());
        while distances[at] != Some(0) {
            let on_way =
                |e: &&Edge| distances[e.to].map(|d| d + u64::from(e.cost)) == distances[at];
            let edge = self.edges[at].iter().find(on_way).unwrap();
            moves.push(*edge);
            at = edge.to;
        }
        Some((cost, moves))
    }

    /// All shortest solutions, in dictionary order: from each state on along the edges that lie on
    /// shortest ones.
    pub(crate) fn all_shortest(&self, start: usize) -> Vec<Vec<Edge>> {
        let distances = self.distances();
        let mut all = Vec::new();
        let mut waiting = vec![(start, Vec::new())];
        while let Some((at, moves)) = waiting.pop() {
            match distances[at] {
                Some(0) => all.push(moves),
                Some(left) => {
                    for edge in self.edges[at].iter().rev() {
                        if distances[edge.to].map(|d| d + u64::from(edge.cost)) == Some(left) {
                            waiting.push((edge.to, [moves.clone(), vec![*edge]].concat()));
                        }
                    }
                }
                None => {}
            }
        }
        all
    }

    /// Whether the moves lead from the start to a goal, at that cost.
    pub(crate) fn is_solution(&self, start: usize, moves: &[Edge], cost: Cost) -> bool {
        let mut at = start;
        for edge in moves {
            if edge.from != at || !self.edges[at].contains(edge) {
                return false;
            }
            at = edge.to;
        }
        let sum: u64 = moves.iter().map(|edge| u64::from(edge.cost)).sum();
        self.goals[at] && sum == u64::from(cost)
    }
}

impl Space for Graph {
    type State = usize;
    type Move = Edge;

    fn for_each_move<V: Visitor<Self>>(&self, at: &mut usize, visitor: &mut V) -> ControlFlow<()> {
        for &edge in &self.edges[*at] {
            visitor.visit(at, edge)?;
        }
        ControlFlow::Continue(())
    }
    fn apply(&self, at: &mut usize, edge: Edge) {
        assert_eq!(*at, edge.from, "a move of another state");
        *at = edge.to;
    }
    fn undo(&self, at: &mut usize, edge: Edge) {
        assert_eq!(*at, edge.to, "a move of another state is taken back");
        *at = edge.from;
    }
    fn cost(&self, edge: Edge) -> Cost {
        edge.cost
    }
    fn is_goal(&self, at: &usize) -> bool {
        self.goals[*at]
    }
    fn residue(&self, at: &usize) -> Residue {
        self.residues[at % 2]
    }
}

/// Two bytes, with a bit flipped so that a key is not just a number.
impl Packed for Graph {
    fn key_bytes(&self) -> usize {
        2
    }
    fn pack(&self, at: &usize, key: &mut [u8]) {
        key.copy_from_slice(&(u16::try_from(*at).unwrap() ^ 0x8001).to_be_bytes());
    }
    fn unpack(&self, key: &[u8]) -> usize {
        usize::from(u16::from_be_bytes([key[0], key[1]]) ^ 0x8001)
    }
}

/// If each edge has its like the other way round.
impl Reversible for Graph {
    fn goals(&self) -> Option<Vec<usize>> {
        let goals = (0..self.goals.len()).filter(|&state| self.goals[state]).collect();
        let back = |edge: &Edge| {
            let like = |e: &&Edge| e.to == edge.from && e.cost == edge.cost;
            self.edges[edge.to].iter().find(like).is_some()
        };
        self.edges.iter().flatten().all(back).then_some(goals)
    }
}

/// A heuristic from a table, told before the move is applied.
#[derive(Debug)]
pub(crate) struct Ahead<'a>(pub(crate) &'a [Cost]);

impl Heuristic<Graph> for Ahead<'_> {
    type Value = Cost;
    type Node = ();

    fn root(&self, _: &Graph, at: &usize) -> Cost {
        self.0[*at]
    }
    fn bound(&self, value: Cost) -> Cost {
        value
    }
    fn node(&self, _: &Graph, _: &usize, _: Cost) {}
    fn before(&self, _: &Graph, _: &usize, (): &(), edge: Edge) -> Cost {
        self.0[edge.to]
    }
}

/// Random graphs of up to `states` states, with cycles, dead ends and unreachable goals.
pub(crate) fn graphs(states: usize) -> impl Strategy<Value = Graph> {
    (2..=states)
        .prop_flat_map(|states| {
            let edge = (0..states, 1..=5_u32);
            (vec(vec(edge, 0..4), states), vec(0..states, 0..3))
        })
        .prop_map(|(edges, goals)| Graph::new(&edges, &goals))
}

/// Random graphs in which each edge has its like the other way round, with costs up to `cost`.
/// Some pairs of states have several edges.
pub(crate) fn undirected(states: usize, cost: Cost) -> impl Strategy<Value = Graph> {
    (2..=states)
        .prop_flat_map(move |states| {
            let edge = (0..states, 0..states, 1..=cost);
            (Just(states), vec(edge, 0..2 * states), vec(1..states, 0..3))
        })
        .prop_map(|(states, list, goals)| {
            let mut edges = vec![Vec::new(); states];
            for (a, b, cost) in list {
                edges[a].push((b, cost));
                edges[b].push((a, cost));
            }
            Graph::new(&edges, &goals)
        })
}

/// Random graphs with admissible heuristics, seldom consistent: the perfect one, lowered here and
/// there; some dead ends are known to be such.
pub(crate) fn graphs_with_heuristics<const N: usize>(
    states: usize,
) -> impl Strategy<Value = (Graph, [Vec<Cost>; N])> {
    let percents = || vec(prop_oneof![Just(100_u32), 0..100_u32], states);
    (graphs(states), [(); N].map(|()| percents())).prop_map(|(graph, percents)| {
        let perfect = graph.perfect();
        let lowered = percents.map(|percents| {
            let lower = |(&cost, percent): (&Cost, u32)| match (cost, percent) {
                (INFINITE, 50..) => INFINITE,
                (INFINITE, percent) => percent,
                (cost, percent) => cost * percent / 100,
            };
            perfect.iter().zip(percents).map(lower).collect()
        });
        (graph, lowered)
    })
}
