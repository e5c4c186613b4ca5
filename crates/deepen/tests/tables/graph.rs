//! Small spaces: any graph, and a searcher of them that shares nothing with the engine.

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Cost, Space, Visitor};

/// A graph: from each node the edges, each with where it leads and what it costs.
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<(usize, Cost)>>,
    pub(crate) goals: Vec<usize>,
}

/// Numbers without rhyme, the same every time (an xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end
    }
}

impl Graph {
    /// A graph with so many nodes, edges and goals, anywhere; with edges of cost 1 to `dearest`.
    /// If it is `mutual`, every edge leads both ways.
    pub(crate) fn random(
        nodes: usize,
        edges: usize,
        goals: usize,
        dearest: usize,
        mutual: bool,
        seed: u64,
    ) -> Self {
        let mut random = Random(seed);
        let mut graph = Graph { edges: vec![vec![]; nodes], goals: vec![] };
        for _ in 0..edges {
            let (from, to) = (random.below(nodes), random.below(nodes));
            let cost = 1 + random.below(dearest) as Cost;
            graph.edges[from].push((to, cost));
            if mutual {
                graph.edges[to].push((from, cost));
            }
        }
        graph.goals = (0..goals).map(|_| random.below(nodes)).collect();
        graph
    }

    /// A path of so many nodes, whose first is the goal. Its edges lead both ways, or to the goal
    /// alone.
    pub(crate) fn path(nodes: usize, mutual: bool) -> Self {
        let edges = (0..nodes).map(|node| {
            let back = node.checked_sub(1).map(|before| (before, 1));
            let on = (mutual && node + 1 < nodes).then_some((node + 1, 1));
            back.into_iter().chain(on).collect()
        });
        Graph { edges: edges.collect(), goals: vec![0] }
    }

    /// The graph of twice as many nodes in which every edge leads to the other half, so that a node
    /// and its neighbours are never at the same distance. The goals are in the first half.
    pub(crate) fn doubled(&self) -> Self {
        let nodes = self.edges.len();
        let across = |far: usize| {
            self.edges.iter().map(move |edges| {
                edges.iter().map(|&(to, cost)| (to + far, cost)).collect::<Vec<_>>()
            })
        };
        Graph { edges: across(nodes).chain(across(0)).collect(), goals: self.goals.clone() }
    }

    /// The distance of each node to the nearest goal: lowered until nothing changes (Bellman and
    /// Ford).
    pub(crate) fn distances(&self) -> Vec<Option<Cost>> {
        let mut distances = vec![None; self.edges.len()];
        self.goals.iter().for_each(|&goal| distances[goal] = Some(0));
        loop {
            let before = distances.clone();
            for (node, edges) in self.edges.iter().enumerate() {
                let through = |&(to, cost): &(usize, Cost)| Some(before[to]? + cost);
                let least = edges.iter().filter_map(through).chain(before[node]).min();
                distances[node] = least;
            }
            if before == distances {
                return distances;
            }
        }
    }
}

impl Space for Graph {
    type State = usize;
    /// From where to where, at what cost.
    type Move = (usize, usize, Cost);

    fn for_each_move<V: Visitor<Self>>(
        &self,
        node: &mut usize,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let from = *node;
        self.edges[from].iter().try_for_each(|&(to, cost)| visitor.visit(node, (from, to, cost)))
    }

    fn apply(&self, node: &mut usize, (_, to, _): Self::Move) {
        *node = to;
    }

    fn undo(&self, node: &mut usize, (from, _, _): Self::Move) {
        *node = from;
    }

    fn cost(&self, (_, _, cost): Self::Move) -> Cost {
        cost
    }

    fn is_goal(&self, node: &usize) -> bool {
        self.goals.contains(node)
    }
}

impl Indexed for Graph {
    fn size(&self) -> u64 {
        self.edges.len() as u64
    }

    fn rank(&self, node: &usize) -> u64 {
        *node as u64
    }

    fn unrank(&self, rank: u64) -> usize {
        rank as usize
    }
}
