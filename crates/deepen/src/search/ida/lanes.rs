//! Several subtrees in turn in one thread, so that they wait for look-ups together.
//!
//! Each *lane* is a depth-first search of its own, with its state and two stacks: the expanded nodes
//! of its path, and their children, each with what its heuristic asks for
//! ([`Heuristic::ask`](crate::Heuristic::ask)). At its turn a lane takes children of its last node
//! one after the other, reads what was asked for, and cuts them until one is left to expand. It
//! expands that one: asks for all of its children and has what is asked for fetched, but reads none
//! of it yet. Then it is the next lane's turn. When the first one's comes again, its data has
//! arrived.
//!
//! Which nodes are expanded, and in which order within a lane, is the same as with recursion.
//!
//! Where a child has to be made to ask for it, its move is made when it is listed. If states are
//! small, the child is kept as it is then. Otherwise its move is taken back, and made again when it
//! is its turn. Where a first look-up is told from the parent ([`EARLY`](crate::Heuristic::EARLY)),
//! only the moves are made of children that it does not cut.
//!
//! A child for which there is [more](crate::Heuristic::more) to look up waits for each look-up until
//! its lane's next turn.

use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::shard::{Counts, Done, Report, Shard, Work};
use super::{End, NO_EXCESS, excess};
use crate::heuristic::Heuristic;
use crate::prune::Pruning;
use crate::search::control::Meter;
use crate::search::verdict::Stop;
use crate::space::{Cost, Each, INFINITE, Space};

/// The memory that the paths of a thread's lanes may take if no limit is set, in bytes.
const MOST_MEMORY: u64 = 4 << 30;

/// One thread's lanes.
pub(super) struct Lanes<'a, 'm, 'c, 'o, S: Space, H: Heuristic<S>, P: Pruning<S>> {
    problem: Problem<'a, S, H, P>,
    meter: &'m mut Meter<'c, 'o>,
    work: &'a Work<S, H, P>,
    all: Vec<Lane<S, H, P>>,
    least_excess: u64,
}

/// What all lanes share.
struct Problem<'a, S, H, P> {
    space: &'a S,
    heuristic: &'a H,
    pruning: &'a P,
}

/// The search of one shard.
struct Lane<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    shard: usize,
    state: S::State,
    /// The shard's root, until it is expanded.
    root: Option<(Cost, H::Value)>,
    /// What the pruning knows of the moves before the root.
    pruned: P::State,
    /// The root, if states are kept.
    start: Option<S::State>,
    /// The path: nodes that are expanded and whose children are not all dealt with.
    path: Vec<Expanded<H::Node>>,
    /// The children of these that were not cut when they were listed, node after node.
    children: Vec<Child<S, H, P>>,
    /// The states of these, if states are kept.
    states: Vec<S::State>,
    /// Whether the last node's child before the next waits for a look-up; `state` is that child.
    waits: bool,
    counts: Counts,
}

/// An expanded node.
struct Expanded<Node> {
    node: Node,
    left: Cost,
    /// Its children, and the next of them to be dealt with, are at these places.
    first: usize,
    next: usize,
    end: usize,
}

struct Child<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    mv: S::Move,
    value: H::Value,
    pruned: P::State,
    /// How many moves of the parent come before it.
    place: u32,
}

/// What a lane did at its turn.
enum Turn {
    /// It expanded a node.
    Expanded,
    /// It waits for a look-up.
    Waiting,
    /// It came to the end of its shard.
    Through,
    /// It met what ends the search.
    Ended(End),
}

impl<'a, 'm, 'c, 'o, S: Space, H: Heuristic<S>, P: Pruning<S>> Lanes<'a, 'm, 'c, 'o, S, H, P> {
    pub(super) fn new(
        space: &'a S,
        heuristic: &'a H,
        pruning: &'a P,
        meter: &'m mut Meter<'c, 'o>,
        work: &'a Work<S, H, P>,
    ) -> Self {
        let problem = Problem { space, heuristic, pruning };
        Lanes { problem, meter, work, all: Vec::new(), least_excess: NO_EXCESS }
    }

    /// Searches shards, so many in turn, as long as there are any and `go_on` holds.
    pub(super) fn run(mut self, number: usize, done: &mut Done<S::Move>, go_on: impl Fn() -> bool) {
        while self.all.len() < number
            && let Some(shard) = self.work.take()
        {
            self.all.push(Lane::new(shard));
        }
        let mut at = 0;
        while !self.all.is_empty() {
            if at >= self.all.len() {
                at = 0;
            }
            self.meter.fuel -= 1;
            if self.meter.fuel == 0
                && let ControlFlow::Break(stop) = self.refill(done)
            {
                done.stop = Some(stop);
                self.all.drain(..).for_each(|lane| {
                    done.reports.push((lane.shard, lane.report(Some(End::Stop(stop)))));
                });
                break;
            }
            let Some(lane) = self.all.get_mut(at) else { continue };
            let end = match lane.turn(&self.problem, &mut self.least_excess) {
                Turn::Expanded => {
                    at += 1;
                    continue;
                }
                Turn::Waiting => {
                    at += 1;
                    self.meter.fuel += 1; // Nothing was expanded.
                    continue;
                }
                Turn::Through => None,
                Turn::Ended(end) => Some(end),
            };
            // Nothing was expanded.
            self.meter.fuel += 1;
            self.finish(at, end, done, &go_on);
        }
        done.least_excess = done.least_excess.min(self.least_excess);
    }

    /// A lane's search has ended; it goes on with another shard.
    #[cold]
    fn finish(
        &mut self,
        at: usize,
        end: Option<End>,
        done: &mut Done<S::Move>,
        go_on: impl Fn() -> bool,
    ) {
        let lane = &mut self.all[at];
        let report = match end {
            None => lane.report(None),
            Some(end) => lane.ended(&self.problem, end),
        };
        self.work.finish(lane.shard, &report);
        done.reports.push((lane.shard, report));
        let next = if go_on() { self.work.take() } else { None };
        match next {
            Some(shard) => lane.turn_to(shard),
            None => drop(self.all.swap_remove(at)),
        }
    }

    /// Looks at what may stop the search as a whole, or some lanes.
    #[cold]
    fn refill(&mut self, done: &mut Done<S::Move>) -> ControlFlow<Stop> {
        self.meter.refill()?;
        let limit = self.meter.memory_limit().min(MOST_MEMORY) / self.all.len() as u64;
        let work = self.work;
        let mut at = 0;
        while let Some(lane) = self.all.get(at) {
            let memory = lane.memory();
            done.memory = done.memory.max(memory * self.all.len() as u64);
            let mut flow = work.look(lane.shard, lane.counts.expanded);
            if memory > limit {
                flow = ControlFlow::Break(Stop::Memory);
            }
            match flow {
                ControlFlow::Continue(()) => at += 1,
                ControlFlow::Break(stop) => {
                    let report = lane.report(Some(End::Stop(stop)));
                    work.finish(lane.shard, &report);
                    done.reports.push((lane.shard, report));
                    self.all.swap_remove(at);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Lane<S, H, P> {
    /// Whether children are kept as they are made when they are listed: copying them costs less
    /// than making moves again.
    const KEEPS: bool = !H::EARLY && size_of::<S::State>() <= 64 && !needs_drop::<S::State>();

    fn new(shard: Shard<S, H, P>) -> Self {
        let Shard { number, state, left, value, pruned, .. } = shard;
        Lane {
            shard: number,
            start: Self::KEEPS.then(|| state.clone()),
            state,
            root: Some((left, value)),
            pruned,
            path: Vec::new(),
            children: Vec::new(),
            states: Vec::new(),
            waits: false,
            counts: Counts::default(),
        }
    }

    /// Begins another shard.
    fn turn_to(&mut self, shard: Shard<S, H, P>) {
        let Shard { number, state, left, value, pruned, .. } = shard;
        self.shard = number;
        self.start = Self::KEEPS.then(|| state.clone());
        self.state = state;
        (self.root, self.pruned) = (Some((left, value)), pruned);
        self.path.clear();
        self.children.clear();
        self.states.clear();
        self.waits = false;
        self.counts = Counts::default();
    }

    /// What the stacks take, in bytes.
    fn memory(&self) -> u64 {
        let path = self.path.capacity() * size_of::<Expanded<H::Node>>();
        let child = self.children.capacity() * size_of::<Child<S, H, P>>();
        (path + child + self.states.capacity() * size_of::<S::State>()) as u64
    }

    fn report(&self, end: Option<End>) -> Report<S::Move> {
        let counts = Counts { others: u64::from(end.is_some()), ..self.counts };
        Report { counts, end, moves: Vec::new() }
    }

    /// Goes on until a node is expanded.
    #[inline(always)]
    fn turn(&mut self, problem: &Problem<S, H, P>, least_excess: &mut u64) -> Turn {
        let &Problem { space, heuristic, .. } = problem;
        loop {
            let Some(last) = self.path.last_mut() else {
                let Some((left, value)) = self.root.take() else { return Turn::Through };
                self.expand(problem, left, value, self.pruned, least_excess);
                return Turn::Expanded;
            };
            let waited = std::mem::take(&mut self.waits);
            if !waited && last.next == last.end {
                self.children.truncate(last.first);
                self.states.truncate(last.first);
                self.path.pop();
                if !Self::KEEPS
                    && let Some(parent) = self.path.last()
                {
                    space.undo(&mut self.state, self.children[parent.next - 1].mv);
                }
                continue;
            }
            last.next += usize::from(!waited);
            let place = last.next - 1;
            let child = &mut self.children[place];
            let (mv, pruned, mut value) = (child.mv, child.pruned, child.value);
            let cost = space.cost(mv);
            if cost == 0 {
                return Turn::Ended(End::Stop(Stop::ZeroCostMove));
            }
            let left = last.left;
            // Whether it is cut, whatever is still to be looked up.
            let is_cut = |estimate, more: bool, least_excess| {
                exceeds(estimate, cost, left)
                    && (!more
                        || excess(estimate, cost, left) >= least_excess
                        || estimate == INFINITE)
            };
            if H::EARLY && !waited {
                value = heuristic.told(&last.node, value);
                let estimate = heuristic.bound(value);
                if is_cut(estimate, heuristic.more(value), *least_excess) {
                    self.counts.cut_by_bound += 1;
                    lessen(least_excess, estimate, cost, left);
                    continue;
                }
            }
            if !waited {
                if Self::KEEPS {
                    self.state.clone_from(&self.states[place]);
                } else {
                    space.apply(&mut self.state, mv);
                }
            }
            if waited || !H::EARLY {
                value = heuristic.after(space, &self.state, &last.node, value, mv);
            }
            let (estimate, more) = (heuristic.bound(value), heuristic.more(value));
            if is_cut(estimate, more, *least_excess) {
                if !Self::KEEPS {
                    space.undo(&mut self.state, mv);
                }
                self.counts.cut_by_bound += 1;
                lessen(least_excess, estimate, cost, left);
                continue;
            }
            if more {
                value = heuristic.ask(space, &self.state, &last.node, value, mv);
                heuristic.prefetch(value);
                child.value = value;
                self.waits = true;
                return Turn::Waiting;
            }
            if estimate == 0 && space.is_goal(&self.state) {
                return Turn::Ended(End::Goal);
            }
            self.expand(problem, left - cost, value, pruned, least_excess);
            return Turn::Expanded;
        }
    }

    /// Lists the children of a node, and has what is asked of them fetched.
    #[inline(always)]
    fn expand(
        &mut self,
        problem: &Problem<S, H, P>,
        left: Cost,
        value: H::Value,
        pruned: P::State,
        least_excess: &mut u64,
    ) {
        let &Problem { space, heuristic, pruning } = problem;
        let Lane { state, path, children, states, counts, .. } = self;
        counts.expanded += 1;
        let node = heuristic.node(space, state, value);
        let selects = H::SELECTS && heuristic.selects(&node, left);
        if selects {
            *least_excess = 0;
        }
        let first = children.len();
        let mut place = 0;
        let mut each = Each(|state: &mut S::State, mv| {
            place += 1;
            let Some(pruned) = pruning.step(space, pruned, mv) else {
                counts.cut_by_pruning += 1;
                return ControlFlow::Continue(());
            };
            let cost = space.cost(mv);
            let mut value = heuristic.before(space, state, &node, mv);
            if cost == 0 {
                // It ends the search when it is come to.
                children.push(Child { mv, value, pruned, place });
                return ControlFlow::Break(());
            }
            let estimate = heuristic.bound(value);
            // A cut that would decide the next bound is decided by the final value.
            let final_word =
                !H::RAISES || excess(estimate, cost, left) >= *least_excess || estimate == INFINITE;
            if exceeds(estimate, cost, left) && final_word {
                counts.cut_by_bound += 1;
                lessen(least_excess, estimate, cost, left);
                return ControlFlow::Continue(());
            }
            if !H::EARLY {
                space.apply(state, mv);
                value = heuristic.ask(space, state, &node, value, mv);
                if Self::KEEPS {
                    states.push(state.clone());
                }
                space.undo(state, mv);
            }
            heuristic.prefetch(value);
            children.push(Child { mv, value, pruned, place });
            ControlFlow::Continue(())
        });
        let _ = if selects {
            heuristic.select(space, state, &node, &mut each)
        } else {
            space.for_each_move(state, &mut each)
        };
        path.push(Expanded { node, left, first, next: first, end: children.len() });
    }

    /// The search has ended with the last child that was dealt with. Its siblings behind it, and
    /// those of its ancestors, were listed too early: they are not counted.
    #[cold]
    fn ended(&mut self, problem: &Problem<S, H, P>, end: End) -> Report<S::Move> {
        let &Problem { space, heuristic, pruning, .. } = problem;
        let mut moves = Vec::new();
        let mut applied = matches!(end, End::Goal);
        while let Some(Expanded { node, left, next, end, .. }) = self.path.pop() {
            let Child { mv: last, place: last_place, .. } = self.children[next - 1];
            moves.push(last);
            let parent = self.path.last().map(|parent| &self.children[parent.next - 1]);
            if Self::KEEPS {
                let kept = self.path.last().map(|parent| &self.states[parent.next - 1]);
                if let Some(kept) = kept.or(self.start.as_ref()) {
                    self.state.clone_from(kept);
                }
            } else if applied {
                space.undo(&mut self.state, last);
            }
            applied = true;
            let pruned = parent.map_or(self.pruned, |parent| parent.pruned);
            // Of the moves behind this one, some were pruned, some are listed, the rest was cut.
            let (mut place, mut cut_by_pruning, mut allowed) = (0, 0, 0);
            let mut each = Each(|_: &mut S::State, mv| {
                place += 1;
                if place <= last_place {
                    return ControlFlow::Continue(());
                }
                if pruning.step(space, pruned, mv).is_none() {
                    cut_by_pruning += 1;
                    return ControlFlow::Continue(());
                }
                allowed += 1;
                if space.cost(mv) == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            // (The list ends with a move of cost 0.)
            if space.cost(last) > 0 {
                let _ = if H::SELECTS && heuristic.selects(&node, left) {
                    heuristic.select(space, &mut self.state, &node, &mut each)
                } else {
                    space.for_each_move(&mut self.state, &mut each)
                };
            }
            self.counts.cut_by_pruning -= cut_by_pruning;
            self.counts.cut_by_bound -= allowed - (end - next) as u64;
        }
        Report { moves, ..self.report(Some(end)) }
    }
}

/// Whether a child needs more than what is left.
#[inline(always)]
fn exceeds(estimate: Cost, cost: Cost, left: Cost) -> bool {
    u64::from(estimate) + u64::from(cost) > u64::from(left)
}

/// Notes by how much a child that was cut exceeds the bound.
#[inline(always)]
fn lessen(least_excess: &mut u64, estimate: Cost, cost: Cost, left: Cost) {
    let excess = excess(estimate, cost, left);
    if excess < *least_excess && estimate != INFINITE {
        *least_excess = excess;
    }
}
