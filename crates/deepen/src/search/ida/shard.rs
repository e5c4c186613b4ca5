//! An iteration in shards: subtrees that can be searched in any order, or at once, with the outcome
//! and the counts of a search in order.
//!
//! From the root on, nodes are expanded whose subtrees look largest, until there are enough nodes
//! that are not. These are the *shards*. All nodes stand in a list in the order in which the plain
//! search would come to them, and with each how many children were cut just before it. A goal that
//! turns up ends the list: what comes after it does not matter any more, what comes before may
//! still hold a goal that comes first.
//!
//! Workers take the shards in order ([`Work`]). One that ends before its time, because of a goal
//! say, makes all after it void; those before it go on. When all is done, the list is gone through
//! in order up to the first end, and the counts are added up: what the plain search would have
//! expanded, generated and cut, no more and no less, be it in the last iteration. So a limit on
//! nodes strikes where it would have struck. In the shard where it does, only the plain search can
//! say what was cut until then, and searches it again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::time::Instant;
use std::vec;

use super::lanes::Lanes;
use super::{DepthFirst, End, First, Goals, NO_EXCESS, Root, start_region};
use crate::heuristic::{Heuristic, look_up};
use crate::prune::Pruning;
use crate::search::verdict::{Iteration, Stop};
use crate::space::{Cost, Each, INFINITE, Space};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How an iteration is gone through.
pub(super) trait Spread<S: Space, H: Heuristic<S>, P: Pruning<S>, G> {
    /// Goes through it. About so many expansions are expected, or some times as many.
    fn iteration(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, G>,
        start: &S::State,
        value: H::Value,
        bound: Cost,
        expected: u64,
    ) -> Iteration;
}

/// As a whole, by recursion.
pub(super) struct Alone;

impl<S: Space, H: Heuristic<S>, P: Pruning<S>, G: Goals<S::Move>> Spread<S, H, P, G> for Alone {
    fn iteration(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, G>,
        start: &S::State,
        value: H::Value,
        bound: Cost,
        _: u64,
    ) -> Iteration {
        search.iteration(start, value, bound)
    }
}

/// In shards, so many of them in turn.
pub(super) struct Sharded {
    pub(super) lanes: usize,
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Spread<S, H, P, First> for Sharded {
    fn iteration(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
        start: &S::State,
        value: H::Value,
        bound: Cost,
        expected: u64,
    ) -> Iteration {
        in_shards(search, start, value, bound, expected, |search, work| {
            let mut done = Done::default();
            let (space, heuristic, pruning) = (search.space, search.heuristic, search.pruning);
            Lanes::new(space, heuristic, pruning, &mut search.meter, &work).run(
                self.lanes,
                &mut done,
                || true,
            );
            done
        })
    }
}

/// How many shards are made for so many expansions.
fn number_of_shards(expected: u64) -> usize {
    (expected / 32).clamp(8, 1 << 13) as usize
}

/// Goes through an iteration in shards; `run` goes through the shards.
pub(super) fn in_shards<S: Space, H: Heuristic<S>, P: Pruning<S>>(
    search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
    start: &S::State,
    value: H::Value,
    bound: Cost,
    expected: u64,
    run: impl FnOnce(&mut DepthFirst<'_, '_, '_, S, H, P, First>, Work<S, H, P>) -> Done<S::Move>,
) -> Iteration {
    let began = Instant::now();
    let before = search.meter.expanded();
    let shards = number_of_shards(expected);
    let left = search.meter.nodes.map(|limit| limit - before);
    let is_narrow = left.is_some_and(|left| left <= most_splits(shards) as u64);
    // Splitting must not exceed the limit. And which children are left out unseen depends on what
    // was cut before, in the order of the plain search.
    if is_narrow || H::SELECTS {
        return search.iteration(start, value, bound);
    }
    let nodes = search.meter.nodes.take();
    search.least_excess = NO_EXCESS;
    search.meter.bound = bound;
    let mut tree = Tree::new(search, start, value, bound);
    let mut done = Done::default();
    match tree.grow(search, shards) {
        ControlFlow::Continue(()) => {
            let work = tree.work(left);
            done = run(search, work);
        }
        ControlFlow::Break(stop) => done.stop = Some(stop),
    }
    search.meter.nodes = nodes;
    search.least_excess = search.least_excess.min(done.least_excess);
    search.peak_memory = search.peak_memory.max(done.memory);
    let counts = tree.settle(search, start, before, done);
    search.meter.set_expanded(before + counts.expanded);
    Iteration {
        bound,
        expanded: counts.expanded,
        // Every child is cut, expanded, a goal, or still to be expanded. The root is no child.
        generated: counts.cut_by_bound + counts.expanded + counts.others - 1,
        cut_by_bound: counts.cut_by_bound,
        cut_by_pruning: counts.cut_by_pruning,
        duplicates: 0,
        elapsed: began.elapsed(),
    }
}

/// What was counted.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) expanded: u64,
    pub(super) cut_by_bound: u64,
    pub(super) cut_by_pruning: u64,
    /// Children that are neither cut nor expanded.
    pub(super) others: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.expanded += other.expanded;
        self.cut_by_bound += other.cut_by_bound;
        self.cut_by_pruning += other.cut_by_pruning;
        self.others += other.others;
    }
}

/// How the search of a shard ended.
pub(super) struct Report<M> {
    pub(super) counts: Counts,
    /// Why it ended before its time.
    pub(super) end: Option<End>,
    /// If so, the moves from the shard's root on, last move first.
    pub(super) moves: Vec<M>,
}

impl<M> Report<M> {
    /// Whether this is all there is to know, as far as nothing before it ended the search.
    fn is_known(&self) -> bool {
        !matches!(self.end, Some(End::Stop(Stop::Cancelled | Stop::Time)))
    }
}

/// What workers did.
pub(super) struct Done<M> {
    /// By the shards' numbers.
    pub(super) reports: Vec<(usize, Report<M>)>,
    pub(super) least_excess: u64,
    /// The memory that paths took.
    pub(super) memory: u64,
    /// What stopped the whole search.
    pub(super) stop: Option<Stop>,
}

impl<M> Default for Done<M> {
    fn default() -> Self {
        Done { reports: Vec::new(), least_excess: NO_EXCESS, memory: 0, stop: None }
    }
}

impl<M> Done<M> {
    /// Adds what another worker did at the same time.
    pub(super) fn add(&mut self, other: Done<M>) {
        self.reports.extend(other.reports);
        self.least_excess = self.least_excess.min(other.least_excess);
        self.memory += other.memory;
    }
}

/// A subtree to be searched.
pub(super) struct Shard<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    /// Its number, in the order of the plain search.
    pub(super) number: usize,
    pub(super) state: S::State,
    /// The move that led to it.
    pub(super) last: Option<S::Move>,
    pub(super) left: Cost,
    pub(super) value: H::Value,
    pub(super) pruned: P::State,
}

/// The shards of an iteration, and how far they are searched.
pub(super) struct Work<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    /// Those that nobody has begun.
    waiting: Mutex<vec::IntoIter<Shard<S, H, P>>>,
    /// The number of the first shard that ended before its time; those after it are void.
    end: AtomicUsize,
    /// By shard: how many nodes were expanded in it, as far as is told.
    expanded: Vec<AtomicU64>,
    /// The sum of these.
    sum: AtomicU64,
    /// By shard: how many nodes were expanded before it, when the shards were made.
    before: Vec<u64>,
    /// How many expansions the limit on nodes leaves.
    left: Option<u64>,
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Work<S, H, P> {
    /// These shards, before each of which so many nodes were expanded. So many expansions are left
    /// of a limit.
    fn new(shards: Vec<Shard<S, H, P>>, before: Vec<u64>, left: Option<u64>) -> Self {
        Work {
            end: AtomicUsize::new(shards.len()),
            expanded: shards.iter().map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
            waiting: Mutex::new(shards.into_iter()),
            before,
            left,
        }
    }

    /// The next shard to search.
    pub(super) fn take(&self) -> Option<Shard<S, H, P>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // As long as nobody else can take one, those taken are the ones before it, and what was
        // expanded was expanded before it.
        waiting.next().filter(|shard| {
            let is_beyond = self.exceeds(self.before[shard.number] + self.sum());
            !is_beyond && shard.number < self.end.load(Relaxed)
        })
    }

    /// Whether there is more to take.
    pub(super) fn is_waiting(&self) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.as_slice().first().is_some_and(|shard| shard.number < self.end.load(Relaxed))
    }

    /// How many nodes were expanded in shards, as far as is told.
    pub(super) fn sum(&self) -> u64 {
        self.sum.load(Relaxed)
    }

    /// Tells how many nodes were expanded in a shard so far. `Break` if it is void, or a limit on
    /// nodes strikes in it or before.
    pub(super) fn look(&self, shard: usize, expanded: u64) -> ControlFlow<Stop> {
        let known = self.expanded[shard].swap(expanded, Relaxed);
        let sum = self.sum.fetch_add(expanded - known, Relaxed) + expanded - known;
        if shard > self.end.load(Relaxed) {
            return ControlFlow::Break(Stop::Cancelled);
        }
        if self.exceeds(self.before[shard] + sum) {
            let until_here = self.expanded[..=shard].iter().map(|count| count.load(Relaxed));
            if self.exceeds(self.before[shard] + until_here.sum::<u64>()) {
                return ControlFlow::Break(Stop::Nodes);
            }
        }
        ControlFlow::Continue(())
    }

    fn exceeds(&self, expanded: u64) -> bool {
        self.left.is_some_and(|left| expanded > left)
    }

    /// Tells that the search of a shard has ended.
    pub(super) fn finish(&self, shard: usize, report: &Report<S::Move>) {
        if report.end.is_some() {
            self.end.fetch_min(shard, Relaxed);
        }
        let _ = self.look(shard, report.counts.expanded);
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> DepthFirst<'_, '_, '_, S, H, P, First> {
    /// Searches a subtree. `least_excess` goes on from the one before.
    pub(super) fn subtree(
        &mut self,
        state: &mut S::State,
        last: Option<S::Move>,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> Report<S::Move> {
        let before = self.meter.expanded();
        (self.cut_by_bound, self.cut_by_pruning, self.end) = (0, 0, None);
        let root = Self::LEAVES_OUT_BACK.then(|| state.clone());
        let _ = start_region(Root { search: self, state, last, left, value, pruned });
        let expanded = self.meter.expanded() - before;
        if let Some(root) = root {
            self.count_left_out(&root, last, expanded);
        }
        let counts = Counts {
            expanded,
            cut_by_bound: self.cut_by_bound,
            cut_by_pruning: self.cut_by_pruning,
            others: u64::from(self.end.is_some()),
        };
        Report { counts, end: self.end.take(), moves: std::mem::take(&mut self.moves) }
    }
}

/// The nodes at the top of an iteration's tree.
struct Tree<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    /// The first is the root.
    nodes: Vec<Node<S, H, P>>,
    /// Cuts after the last node.
    tail: Counts,
}

struct Node<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    kind: Kind<S::State>,
    parent: usize,
    /// The move from the parent; the root has none.
    mv: Option<S::Move>,
    left: Cost,
    value: H::Value,
    pruned: P::State,
    /// The next node in the order in which the plain search expands them.
    next: Option<usize>,
    /// What was cut between the node before and this one.
    cuts: Counts,
}

enum Kind<State> {
    /// Still to be expanded.
    Open(State),
    /// A shard of this number.
    Shard(usize),
    /// Expanded.
    Split,
    /// Here the search ends: a goal, or a move of cost 0.
    End(End),
}

/// How many nodes are expanded at the most to make so many shards.
fn most_splits(shards: usize) -> usize {
    4 * shards
}

/// Greater is what is split first: what has the most slack; of the same slack what is furthest from
/// the goal; of these the first that was found.
type Size = (Cost, Cost, Reverse<usize>);

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Tree<S, H, P> {
    fn new<G>(
        search: &DepthFirst<'_, '_, '_, S, H, P, G>,
        start: &S::State,
        value: H::Value,
        bound: Cost,
    ) -> Self {
        let root = Node {
            kind: Kind::Open(start.clone()),
            parent: 0,
            mv: None,
            left: bound,
            value,
            pruned: search.pruning.start(),
            next: None,
            cuts: Counts::default(),
        };
        Tree { nodes: vec![root], tail: Counts::default() }
    }

    /// The nodes in order, up to an end.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(0), |&at| self.nodes[at].next)
    }

    fn size(&self, heuristic: &H, at: usize) -> Size {
        let node = &self.nodes[at];
        (node.left.saturating_sub(heuristic.bound(node.value)), node.left, Reverse(at))
    }

    /// The open nodes, largest first.
    fn open(&self, heuristic: &H) -> BinaryHeap<Size> {
        let is_open = |&at: &usize| matches!(self.nodes[at].kind, Kind::Open(_));
        self.in_order().filter(is_open).map(|at| self.size(heuristic, at)).collect()
    }

    /// Expands nodes until there are so many open ones, or many were tried.
    fn grow<G: Goals<S::Move>>(
        &mut self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, G>,
        shards: usize,
    ) -> ControlFlow<Stop> {
        let mut open = self.open(search.heuristic);
        for _ in 0..most_splits(shards) {
            if open.len() >= shards {
                break;
            }
            let Some((_, _, Reverse(at))) = open.pop() else { break };
            let children = self.nodes.len();
            self.split(search, at)?;
            let is_open = |at: usize| matches!(self.nodes[at].kind, Kind::Open(_));
            let fresh = children..self.nodes.len();
            if fresh.clone().all(is_open) {
                open.extend(fresh.map(|at| self.size(search.heuristic, at)));
            } else {
                // What comes after the end is void.
                open = self.open(search.heuristic);
            }
        }
        ControlFlow::Continue(())
    }

    /// Expands an open node.
    fn split<G: Goals<S::Move>>(
        &mut self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, G>,
        at: usize,
    ) -> ControlFlow<Stop> {
        search.meter.spend()?;
        let Kind::Open(mut state) = std::mem::replace(&mut self.nodes[at].kind, Kind::Split) else {
            return ControlFlow::Continue(());
        };
        let (space, heuristic) = (search.space, search.heuristic);
        let Node { left, value, pruned: last, next, .. } = self.nodes[at];
        let node = heuristic.node(space, &state, value);
        let mut previous = at;
        let mut cuts = Counts::default();
        let mut each = Each(|state: &mut S::State, mv| {
            let Some(pruned) = search.pruning.step(space, last, mv) else {
                cuts.cut_by_pruning += 1;
                return ControlFlow::Continue(());
            };
            let cost = space.cost(mv);
            let exceeds = |estimate| u64::from(estimate) + u64::from(cost) > u64::from(left);
            let mut value = heuristic.before(space, state, &node, mv);
            let mut kind = Kind::End(End::Stop(Stop::ZeroCostMove));
            if cost > 0 {
                if H::EARLY {
                    value = heuristic.told(&node, heuristic.aim(value));
                }
                let mut estimate = heuristic.bound(value);
                if exceeds(estimate) && (!H::RAISES || estimate == INFINITE) {
                    cuts.cut_by_bound += 1;
                    return search.cut(estimate, cost, left);
                }
                space.apply(state, mv);
                value = look_up(heuristic, space, state, &node, value, mv, |_| false);
                estimate = heuristic.bound(value);
                if exceeds(estimate) {
                    space.undo(state, mv);
                    cuts.cut_by_bound += 1;
                    return search.cut(estimate, cost, left);
                }
                kind = if estimate == 0 && space.is_goal(state) {
                    Kind::End(End::Goal)
                } else {
                    Kind::Open(state.clone())
                };
                space.undo(state, mv);
            }
            let is_end = matches!(kind, Kind::End(_));
            let child = Node {
                kind,
                parent: at,
                mv: Some(mv),
                left: left.saturating_sub(cost),
                value,
                pruned,
                next: if is_end { None } else { next },
                cuts: std::mem::take(&mut cuts),
            };
            self.nodes[previous].next = Some(self.nodes.len());
            previous = self.nodes.len();
            self.nodes.push(child);
            if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let selects = H::SELECTS && heuristic.selects(&node, left);
        let flow = if selects {
            heuristic.select(space, &mut state, &node, &mut each)
        } else {
            space.for_each_move(&mut state, &mut each)
        };
        if selects {
            search.least_excess = 0;
        }
        if flow.is_continue() {
            match next {
                Some(next) => self.nodes[next].cuts.add(cuts),
                None => self.tail.add(cuts),
            }
        } else {
            self.tail = Counts::default();
        }
        ControlFlow::Continue(())
    }

    /// Makes shards of the open nodes. So many expansions are left of a limit.
    fn work(&mut self, left: Option<u64>) -> Work<S, H, P> {
        let (mut shards, mut before, mut splits) = (Vec::new(), Vec::new(), 0);
        let mut next = Some(0);
        while let Some(at) = next {
            let node = &mut self.nodes[at];
            next = node.next;
            let number = shards.len();
            match std::mem::replace(&mut node.kind, Kind::Shard(number)) {
                Kind::Open(state) => {
                    let Node { left, value, pruned, .. } = *node;
                    let last = node.mv;
                    shards.push(Shard { number, state, last, left, value, pruned });
                    before.push(splits);
                }
                kind => {
                    splits += u64::from(matches!(kind, Kind::Split));
                    node.kind = kind;
                }
            }
        }
        Work::new(shards, before, left)
    }

    /// Adds the counts up, until the first end, and tells the search of it. `before` nodes were
    /// expanded before this iteration.
    fn settle(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
        start: &S::State,
        before: u64,
        done: Done<S::Move>,
    ) -> Counts {
        let left = search.meter.nodes.map_or(u64::MAX, |limit| limit - before);
        let is_shard = |&at: &usize| matches!(self.nodes[at].kind, Kind::Shard(_));
        let mut reports: Vec<Option<Report<S::Move>>> = Vec::new();
        reports.resize_with(self.in_order().filter(is_shard).count(), || None);
        for (number, report) in done.reports {
            reports[number] = Some(report);
        }
        let mut sum = Counts::default();
        for at in self.in_order() {
            let node = &self.nodes[at];
            sum.add(node.cuts);
            let (end, moves) = match node.kind {
                Kind::Split if sum.expanded < left => {
                    sum.expanded += 1;
                    continue;
                }
                Kind::Split => (End::Stop(Stop::Nodes), Vec::new()),
                Kind::End(end) => (end, Vec::new()),
                Kind::Open(_) => return self.stopped(search, &reports, done.stop),
                Kind::Shard(number) => {
                    let Some(report) = reports[number].as_ref().filter(|it| it.is_known()) else {
                        return self.stopped(search, &reports, done.stop);
                    };
                    let fresh;
                    let report = if sum.expanded + report.counts.expanded > left {
                        search.meter.set_expanded(before + sum.expanded);
                        fresh = self.again(search, start, at);
                        &fresh
                    } else {
                        report
                    };
                    sum.add(Counts { others: 0, ..report.counts });
                    let Some(end) = report.end else { continue };
                    (end, report.moves.clone())
                }
            };
            sum.others += 1;
            search.end = Some(end);
            search.moves = moves;
            search.moves.extend(self.path_to(at));
            return sum;
        }
        sum.add(self.tail);
        sum
    }

    /// The whole search was stopped: adds up what was done.
    fn stopped(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
        reports: &[Option<Report<S::Move>>],
        stop: Option<Stop>,
    ) -> Counts {
        search.end = Some(End::Stop(stop.unwrap_or(Stop::Cancelled)));
        let mut sum = self.tail;
        for at in self.in_order() {
            let node = &self.nodes[at];
            sum.add(node.cuts);
            match node.kind {
                Kind::Split => sum.expanded += 1,
                Kind::Open(_) | Kind::End(_) => sum.others += 1,
                Kind::Shard(number) => match &reports[number] {
                    Some(report) => sum.add(report.counts),
                    None => sum.others += 1,
                },
            }
        }
        sum
    }

    /// The moves from the root to a node, last move first.
    fn path_to(&self, mut at: usize) -> Vec<S::Move> {
        let mut moves = Vec::new();
        while let Some(mv) = self.nodes[at].mv {
            moves.push(mv);
            at = self.nodes[at].parent;
        }
        moves
    }

    /// Searches a shard in the plain search's way, under its limit on nodes.
    fn again(
        &self,
        search: &mut DepthFirst<'_, '_, '_, S, H, P, First>,
        start: &S::State,
        at: usize,
    ) -> Report<S::Move> {
        let mut state = start.clone();
        for mv in self.path_to(at).into_iter().rev() {
            search.space.apply(&mut state, mv);
        }
        let Node { mv, left, value, pruned, .. } = self.nodes[at];
        search.subtree(&mut state, mv, left, value, pruned)
    }
}

#[cfg(test)]
#[cfg(loom)]
mod loom_tests;
