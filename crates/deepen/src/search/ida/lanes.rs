//! Several subtrees in turn in one thread, so that they wait for look-ups together.
//!
//! Each *lane* is a depth-first search of its own, with a stack of open nodes: those that are still
//! to be expanded. At its turn a lane takes the last of them and expands it: lists its children,
//! asks for what is to be looked up ([`Heuristic::ask`](crate::Heuristic::ask)), has it fetched, but
//! reads none of it yet. Then it is the next lane's turn. When the first one's comes again, its data
//! has arrived: it reads all of it, cuts children, puts the others on its stack, the first of them on
//! top, and goes on with that one.
//!
//! Which nodes are expanded, and in which order within a lane, is the same as with recursion. Only
//! when a goal ends the search, children have been cut that recursion had not come to. From the
//! shard's root on, the path to the goal is then gone again, and they are counted off.
//!
//! If states are small, an open node keeps its own. Otherwise moves are taken back to its parent,
//! and its move is made. Where a first look-up is told from the parent
//! ([`EARLY`](crate::Heuristic::EARLY)), only the moves are made of children that it does not cut,
//! and of these, as long as they are looked up, only where the child is
//! [needed](crate::Heuristic::asks_child).
//!
//! If there is [more](crate::Heuristic::more) to look up for some of the children, that is asked for
//! and fetched, too, and another turn is waited. Only when nothing more is, the children that are
//! left go on the stack.
//!
//! If it takes a look-up to know where a look-up reads ([`aim`](crate::Heuristic::aim)), there is a
//! turn for each.

use std::mem::needs_drop;
use std::ops::ControlFlow;

use super::shard::{Counts, Done, Report, Shard, Work};
use super::{End, NO_EXCESS, excess};
use crate::heuristic::{Heuristic, read};
use crate::prune::Pruning;
use crate::search::control::Meter;
use crate::search::verdict::Stop;
use crate::space::{Cost, Each, INFINITE, Region, Space, Visitor};

/// The memory that the stacks of a thread's lanes may take if no limit is set, in bytes.
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
    /// The shard's root, until it is expanded.
    root: Option<(Cost, H::Value)>,
    /// What the pruning knows of the moves before the root.
    pruned: P::State,
    /// The root's state, if states are kept.
    start: Option<S::State>,
    /// The node that was expanded last: its state,
    state: S::State,
    /// the moves to it,
    path: Vec<S::Move>,
    /// of each node before it and of itself what the children share,
    nodes: Vec<H::Node>,
    /// what is left of the bound,
    left: Cost,
    /// and its children, as long as some of them wait for a look-up.
    children: Vec<Child<S, H, P>>,
    /// The states of these, if they are kept from the beginning.
    made: Vec<S::State>,
    /// Whether something was asked for at the last turn.
    asked: bool,
    /// What is to be expanded, last one first.
    open: Vec<Open<S, H, P>>,
    /// The states of these, if states are kept.
    states: Vec<S::State>,
    counts: Counts,
}

/// A child of the node that was expanded last.
struct Child<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    mv: S::Move,
    value: H::Value,
    pruned: P::State,
    /// Whether it waits for a look-up.
    waits: bool,
}

/// A node to be expanded.
struct Open<S: Space, H: Heuristic<S>, P: Pruning<S>> {
    /// The move from its parent.
    mv: S::Move,
    value: H::Value,
    pruned: P::State,
    /// What is left of the bound at the parent.
    left: Cost,
    /// How many moves the parent is away from the shard's root.
    depth: u32,
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
    /// Whether open nodes keep their states. Copying what was just written bytewise is slower than
    /// making moves again, so only what fits into two registers is.
    const KEEPS: bool = size_of::<S::State>() <= 16 && !needs_drop::<S::State>();

    /// Whether the states of children are kept from when they ask for their first look-up.
    const MAKES: bool = Self::KEEPS && !H::EARLY;

    fn new(shard: Shard<S, H, P>) -> Self {
        let Shard { number, state, left, value, pruned, .. } = shard;
        Lane {
            shard: number,
            root: Some((left, value)),
            pruned,
            start: Self::KEEPS.then(|| state.clone()),
            state,
            path: Vec::new(),
            nodes: Vec::new(),
            left,
            children: Vec::new(),
            made: Vec::new(),
            asked: false,
            open: Vec::new(),
            states: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Begins another shard.
    fn turn_to(&mut self, shard: Shard<S, H, P>) {
        let Shard { number, state, left, value, pruned, .. } = shard;
        self.shard = number;
        (self.root, self.pruned) = (Some((left, value)), pruned);
        self.start = Self::KEEPS.then(|| state.clone());
        self.state = state;
        self.path.clear();
        self.children.clear();
        self.nodes.clear();
        self.made.clear();
        self.open.clear();
        self.states.clear();
        self.asked = false;
        self.counts = Counts::default();
    }

    /// What the stacks take, in bytes.
    fn memory(&self) -> u64 {
        let path = self.path.capacity() * size_of::<S::Move>()
            + self.nodes.capacity() * size_of::<H::Node>();
        let children = self.children.capacity() * size_of::<Child<S, H, P>>();
        let open = self.open.capacity() * size_of::<Open<S, H, P>>();
        let states = (self.made.capacity() + self.states.capacity()) * size_of::<S::State>();
        (path + children + open + states) as u64
    }

    fn report(&self, end: Option<End>) -> Report<S::Move> {
        let counts = Counts { others: u64::from(end.is_some()), ..self.counts };
        Report { counts, end, moves: Vec::new() }
    }

    /// Reads what was asked for, and expands the next node, if nothing more is to be waited for.
    #[inline(always)]
    fn turn(&mut self, problem: &Problem<S, H, P>, least_excess: &mut u64) -> Turn {
        if H::AIMS && std::mem::take(&mut self.asked) {
            self.aim(problem);
            return Turn::Waiting;
        }
        if !self.children.is_empty() {
            if self.read(problem, least_excess) {
                return Turn::Waiting;
            }
            self.open(problem);
        }
        let (left, value, pruned) = if let Some(open) = self.open.pop() {
            if let ControlFlow::Break(end) = self.go_to(problem, &open) {
                return Turn::Ended(end);
            }
            (open.left - problem.space.cost(open.mv), open.value, open.pruned)
        } else {
            let Some((left, value)) = self.root.take() else { return Turn::Through };
            (left, value, self.pruned)
        };
        self.expand(problem, left, value, pruned, least_excess);
        Turn::Expanded
    }

    /// Has fetched what was asked for at the last turn.
    #[inline(always)]
    fn aim(&mut self, &Problem { heuristic, .. }: &Problem<S, H, P>) {
        for child in self.children.iter_mut().filter(|child| child.waits) {
            child.value = heuristic.aim(child.value);
        }
        // (One after the other, as in `fetch_all`.)
        let waiting = self.children.iter().filter(|child| child.waits);
        waiting.for_each(|child| heuristic.prefetch(child.value));
    }

    /// Reads what was asked for of the children, cuts some, and asks for what is next of the
    /// others. Whether there is such.
    #[inline(always)]
    fn read(&mut self, problem: &Problem<S, H, P>, least_excess: &mut u64) -> bool {
        let &Problem { space, heuristic, .. } = problem;
        let Lane { state, nodes, children, made, counts, left, .. } = self;
        let (left, Some(node)) = (*left, nodes.last()) else { return false };
        let (mut kept, mut waits) = (0, false);
        for at in 0..children.len() {
            let child = &mut children[at];
            if child.waits {
                let (mv, cost, mut value) = (child.mv, space.cost(child.mv), child.value);
                if Self::MAKES || H::EARLY {
                    let state = made.get(at).unwrap_or(state);
                    value = read(heuristic, space, state, node, value, mv);
                } else {
                    space.apply(state, mv);
                    value = heuristic.after(space, state, node, value, mv);
                    space.undo(state, mv);
                }
                let (estimate, more) = (heuristic.bound(value), heuristic.more(value));
                if is_cut::<S, H>((estimate, more), cost, left, least_excess) {
                    counts.cut_by_bound += 1;
                    continue;
                }
                if more {
                    let is_made = Self::MAKES || H::EARLY && !heuristic.asks_child(node, value);
                    value = if is_made {
                        let state = made.get(at).unwrap_or(state);
                        heuristic.ask(space, state, node, value, mv)
                    } else {
                        ask_of_child(problem, state, node, value, mv)
                    };
                }
                (child.value, child.waits) = (value, more);
                waits |= more;
            }
            if kept < at {
                children.swap(kept, at);
                if Self::MAKES {
                    made.swap(kept, at);
                }
            }
            kept += 1;
        }
        children.truncate(kept);
        made.truncate(kept);
        fetch_all(heuristic, children);
        self.asked = waits;
        waits
    }

    /// Opens the children, of which none waits any more.
    #[inline(always)]
    fn open(&mut self, &Problem { space, .. }: &Problem<S, H, P>) {
        let Lane { state, path, children, made, open, states, left, .. } = self;
        // Backwards, so that the first of them comes to the top.
        for Child { mv, value, pruned, .. } in children.drain(..).rev() {
            open.push(Open { mv, value, pruned, left: *left, depth: path.len() as u32 });
            let child = made.pop();
            // (One of cost 0 ends the search when it is come to.)
            if Self::KEEPS && space.cost(mv) > 0 {
                states.push(child.unwrap_or_else(|| {
                    space.apply(state, mv);
                    let child = state.clone();
                    space.undo(state, mv);
                    child
                }));
            }
        }
    }

    /// Makes an open node the last of the path. `Break` if the search ends with it.
    #[inline(always)]
    fn go_to(&mut self, problem: &Problem<S, H, P>, open: &Open<S, H, P>) -> ControlFlow<End> {
        let &Problem { space, heuristic, .. } = problem;
        let &Open { mv, value, depth, .. } = open;
        if Self::KEEPS {
            self.path.truncate(depth as usize);
        } else {
            while self.path.len() > depth as usize
                && let Some(mv) = self.path.pop()
            {
                space.undo(&mut self.state, mv);
            }
        }
        self.nodes.truncate(depth as usize + 1);
        self.path.push(mv);
        if space.cost(mv) == 0 {
            return ControlFlow::Break(End::Stop(Stop::ZeroCostMove));
        }
        if !Self::KEEPS {
            space.apply(&mut self.state, mv);
        } else if let Some(state) = self.states.pop() {
            self.state = state;
        }
        if heuristic.bound(value) == 0 && space.is_goal(&self.state) {
            return ControlFlow::Break(End::Goal);
        }
        ControlFlow::Continue(())
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
        let &Problem { space, heuristic, .. } = problem;
        let Lane { state, children, made, counts, .. } = self;
        counts.expanded += 1;
        self.left = left;
        self.nodes.push(heuristic.node(space, state, value));
        let Some(node) = self.nodes.last() else { return };
        let mut listing =
            Listing { problem, node, pruned, left, children, made, counts, least_excess };
        let _ = space.for_each_move(state, &mut listing);
        fetch_all(heuristic, children);
        self.asked = !children.is_empty();
    }

    /// The search has ended with the last move of the path. What recursion comes to after it is not
    /// counted: at each node of the path, the moves behind that of the path.
    #[cold]
    fn ended(&mut self, problem: &Problem<S, H, P>, end: End) -> Report<S::Move> {
        let &Problem { space, pruning, .. } = problem;
        if Self::KEEPS {
            self.start.iter().for_each(|start| self.state.clone_from(start));
        } else {
            let applied = self.path.len() - usize::from(!matches!(end, End::Goal));
            for &mv in self.path[..applied].iter().rev() {
                space.undo(&mut self.state, mv);
            }
        }
        let mut pruned = self.pruned;
        for (depth, &last) in (0..).zip(&self.path) {
            let (mut is_behind, mut cut_by_pruning, mut allowed) = (false, 0, 0);
            let mut each = Each(|_: &mut S::State, mv| {
                if !is_behind {
                    is_behind = mv == last;
                    // (The list ends with a move of cost 0.)
                    return if is_behind && space.cost(mv) == 0 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    };
                }
                if pruning.step(space, pruned, mv).is_none() {
                    cut_by_pruning += 1;
                    return ControlFlow::Continue(());
                }
                allowed += 1;
                if space.cost(mv) == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let _ = space.for_each_move(&mut self.state, &mut each);
            // Some of them are open, the others were cut.
            let open = self.open.iter().filter(|open| open.depth == depth).count();
            self.counts.cut_by_pruning -= cut_by_pruning;
            self.counts.cut_by_bound -= allowed - open as u64;
            if let Some(after) = pruning.step(space, pruned, last) {
                pruned = after;
            }
            if space.cost(last) > 0 {
                space.apply(&mut self.state, last);
            }
        }
        Report { moves: self.path.iter().rev().copied().collect(), ..self.report(Some(end)) }
    }
}

/// Lists the children of a node. (Not a closure: it must be inlined where the moves are.)
struct Listing<'l, 'a, S: Space, H: Heuristic<S>, P: Pruning<S>> {
    problem: &'l Problem<'a, S, H, P>,
    node: &'l H::Node,
    pruned: P::State,
    left: Cost,
    children: &'l mut Vec<Child<S, H, P>>,
    made: &'l mut Vec<S::State>,
    counts: &'l mut Counts,
    least_excess: &'l mut u64,
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Visitor<S> for Listing<'_, '_, S, H, P> {
    #[inline(always)]
    fn visit_into<R: Region<S>>(&mut self, state: &mut S::State, mv: S::Move) -> ControlFlow<()> {
        let &Problem { space, heuristic, pruning } = self.problem;
        let Some(pruned) = pruning.step(space, self.pruned, mv) else {
            self.counts.cut_by_pruning += 1;
            return ControlFlow::Continue(());
        };
        let (cost, left) = (space.cost(mv), self.left);
        let mut value = heuristic.before(space, state, self.node, mv);
        if cost == 0 {
            // It ends the search when it is come to.
            if Lane::<S, H, P>::MAKES {
                self.made.push(state.clone());
            }
            self.children.push(Child { mv, value, pruned, waits: false });
            return ControlFlow::Break(());
        }
        let estimate = heuristic.bound(value);
        if is_cut::<S, H>((estimate, H::RAISES), cost, left, self.least_excess) {
            self.counts.cut_by_bound += 1;
            return ControlFlow::Continue(());
        }
        if !H::EARLY {
            space.apply(state, mv);
            value = heuristic.ask(space, state, self.node, value, mv);
            if Lane::<S, H, P>::MAKES {
                self.made.push(state.clone());
            }
            space.undo(state, mv);
        }
        self.children.push(Child { mv, value, pruned, waits: true });
        ControlFlow::Continue(())
    }
}

/// Asks for what is next to look up for a child.
#[inline(always)]
fn ask_of_child<S: Space, H: Heuristic<S>, P: Pruning<S>>(
    &Problem { space, heuristic, .. }: &Problem<S, H, P>,
    parent: &mut S::State,
    node: &H::Node,
    value: H::Value,
    mv: S::Move,
) -> H::Value {
    space.apply(parent, mv);
    let value = heuristic.ask(space, parent, node, value, mv);
    space.undo(parent, mv);
    value
}

/// Has what was asked for fetched, or what tells where that is: for one child after the other, with
/// nothing between, so that they wait for the translation of addresses together.
#[inline(always)]
fn fetch_all<S: Space, H: Heuristic<S>, P: Pruning<S>>(heuristic: &H, children: &[Child<S, H, P>]) {
    for child in children.iter().filter(|child| child.waits) {
        if H::AIMS {
            heuristic.prefetch_aim(child.value);
        } else {
            heuristic.prefetch(child.value);
        }
    }
}

/// Whether a child needs more than what is left.
#[inline(always)]
fn exceeds(estimate: Cost, cost: Cost, left: Cost) -> bool {
    u64::from(estimate) + u64::from(cost) > u64::from(left)
}

/// Whether a child may be cut before its value is final: not if the cut would decide the next bound.
#[inline(always)]
fn is_final<S: Space, H: Heuristic<S>>(
    least_excess: u64,
    estimate: Cost,
    cost: Cost,
    left: Cost,
) -> bool {
    H::STEP.is_some() || excess(estimate, cost, left) >= least_excess || estimate == INFINITE
}

/// Whether a child is cut, whatever is still to be looked up, if there is more; if so, notes by how
/// much it exceeds the bound.
#[inline(always)]
fn is_cut<S: Space, H: Heuristic<S>>(
    (estimate, more): (Cost, bool),
    cost: Cost,
    left: Cost,
    least_excess: &mut u64,
) -> bool {
    let is_cut = exceeds(estimate, cost, left)
        && (!more || is_final::<S, H>(*least_excess, estimate, cost, left));
    if is_cut {
        lessen::<S, H>(least_excess, estimate, cost, left);
    }
    is_cut
}

/// Notes by how much a child that was cut exceeds the bound.
#[inline(always)]
fn lessen<S: Space, H: Heuristic<S>>(
    least_excess: &mut u64,
    estimate: Cost,
    cost: Cost,
    left: Cost,
) {
    let excess = excess(estimate, cost, left);
    if H::STEP.is_none() && excess < *least_excess && estimate != INFINITE {
        *least_excess = excess;
    }
}
