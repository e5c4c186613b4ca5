//! IDA*: iterative-deepening A* (Korf 1985).
//!
//! An *iteration* is a depth-first search that cuts every child whose cost so far plus heuristic
//! exceeds the *bound*. The first bound is the heuristic of the start; the next is the least sum
//! that was cut. A bound is thus never more than the least cost, and the first solution that is
//! found has it exactly. Iterations that cut nothing have seen everything: no solution exists.
//!
//! The search carries down what is *left* of the bound instead of adding costs up, and adds in 64
//! bits: no sum wraps. It recurses, once a move; when the thread's stack runs low it goes on on a
//! new one, so that the length of a path is limited by memory alone ([`Stop::Memory`]). Of a node
//! it keeps nothing but the stack frame; the solution is collected while the recursion returns.
//!
//! *All of them.* The solutions of least cost are all met if the last iteration goes on after the
//! first ([`Ida::solve_all`]). The pruning must then lose none of them: it may forbid what makes a
//! path dearer than need be, such as taking a move back, but not the greater ones of equal
//! sequences.
//!
//! *When it does not end.* In a finite space without a solution, plain IDA* goes round in circles
//! for ever: each iteration cuts something. It ends if the space can tell
//! ([`Space::impossible`]), if the heuristic knows the dead ends, or if the graph has no cycles
//! that the pruning leaves. Otherwise set a limit.

mod lanes;
mod shard;
mod stack;
mod threads;

use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

use self::shard::{Alone, Sharded, Spread};
use self::stack::{LEAST_FITTING, MAX_STACKS, Stack};
pub use self::threads::Threads;
use super::control::{Control, Meter};
use super::verdict::{Iteration, Outcome, Proof, Shortest, Solution, Statistics, Stop, Verdict};
use crate::heuristic::{Heuristic, look_up};
use crate::prune::{Everything, Forbids, Pruning};
use crate::space::{Anywhere, Cost, Entrance, INFINITE, Region, Space, Visitor};

/// IDA* on a space, with a heuristic and a pruning.
///
/// It returns a solution of least cost and, among all of these, the first in the space's
/// dictionary order of moves, whatever the (admissible) heuristic and the pruning.
///
/// An example is at [`Space`].
pub struct Ida<'a, S, H, P = Everything> {
    space: &'a S,
    heuristic: &'a H,
    pruning: &'a P,
    /// From so many expansions on, another pruning.
    later: Option<(u64, &'a dyn Fn() -> &'a P)>,
    /// The least bound.
    from: Cost,
    /// How many subtrees to advance in turn; as the heuristic says if it is not told.
    lanes: Option<usize>,
    /// After an iteration of so many expansions, the next is split.
    shard_from: Option<u64>,
}

impl<'a, S: Space, H: Heuristic<S>> Ida<'a, S, H> {
    /// IDA* that tries every move.
    pub fn new(space: &'a S, heuristic: &'a H) -> Self {
        Ida {
            space,
            heuristic,
            pruning: &Everything,
            later: None,
            from: 0,
            lanes: None,
            shard_from: None,
        }
    }

    /// Leaves moves out as `pruning` says.
    pub fn pruning<P: Pruning<S>>(self, pruning: &'a P) -> Ida<'a, S, H, P> {
        let Ida { space, heuristic, from, lanes, shard_from, .. } = self;
        Ida { space, heuristic, pruning, later: None, from, lanes, shard_from }
    }
}

impl<'a, S: Space, H: Heuristic<S>, P: Pruning<S>> Ida<'a, S, H, P> {
    /// Leaves moves out as `pruning()` says, from the first iteration on that begins when `nodes`
    /// nodes have been expanded: for a pruning that takes so long to make that only long searches
    /// gain by it.
    #[must_use]
    pub fn later(self, nodes: u64, pruning: &'a dyn Fn() -> &'a P) -> Self {
        Ida { later: Some((nodes, pruning)), ..self }
    }

    /// Leaves out the iterations whose bounds are below `bound`, a proved lower bound of the least
    /// cost. If it *is* the least cost, which another search has found, one iteration finds the
    /// first solution in dictionary order.
    #[must_use]
    pub fn from_bound(self, bound: Cost) -> Self {
        Ida { from: bound, ..self }
    }

    /// Advances so many subtrees in turn in each thread, instead of as many as the heuristic says
    /// ([`Heuristic::lanes`]); 1 is plain recursion. The outcome is the same but for the time. A
    /// heuristic without [`LANES`](Heuristic::LANES) is searched by recursion.
    #[must_use]
    pub fn lanes(self, lanes: usize) -> Self {
        Ida { lanes: Some(lanes.max(1)), ..self }
    }

    /// Splits no iteration, for threads or lanes, but those after one of at least so many
    /// expansions: shorter ones are done before it pays. The outcome is the same but for the time.
    #[must_use]
    pub fn shard_from(self, expanded: u64) -> Self {
        Ida { shard_from: Some(expanded), ..self }
    }
}

/// See [`Ida::shard_from`]: some milliseconds.
const SHARD_FROM: u64 = 1 << 15;
/// With lanes alone, no threads need be made.
const LANES_FROM: u64 = 1 << 10;

impl<S, H, P> fmt::Debug for Ida<'_, S, H, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ida").finish_non_exhaustive()
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>> Ida<'_, S, H, P> {
    /// Searches from `start`.
    pub fn solve(&self, start: &S::State, control: &mut Control) -> Outcome<S::Move> {
        let meter = Meter::start(control);
        if H::LANES && self.number_of_lanes() > 1 {
            let lanes = self.number_of_lanes();
            self.deepen(start, meter, &mut First, &Sharded { lanes })
        } else {
            self.deepen(start, meter, &mut First, &Alone)
        }
    }

    fn number_of_lanes(&self) -> usize {
        if H::LEARNS || !H::LANES {
            return 1; // (What it learns from subtrees in order would come out of order.)
        }
        self.lanes.unwrap_or_else(|| self.heuristic.lanes().max(1))
    }

    /// Searches from `start` and hands `found` every solution of least cost, in dictionary order,
    /// until it breaks. The verdict's solution is the first.
    ///
    /// What [`pruning`](Ida::pruning) forbids is missing: use none, or one that forbids no part of
    /// a solution of least cost, as [`Automaton::inverse`](crate::Automaton::inverse) does. What
    /// was to be used [`later`](Ida::later) is not.
    pub fn solve_all(
        &self,
        start: &S::State,
        control: &mut Control,
        mut found: impl FnMut(&[S::Move]) -> ControlFlow<()>,
    ) -> Shortest<S::Move> {
        let found = &mut found;
        let mut all = All { path: Vec::new(), found, first: None, passed: 0, broken: false };
        let outcome = self.deepen(start, Meter::start(control), &mut all, &Alone);
        let number = all.passed + u64::from(all.broken);
        let stopped = matches!(outcome.verdict, Verdict::Stopped { .. });
        Shortest { outcome, found: number, complete: !all.broken && !stopped }
    }

    fn deepen<G: Goals<S::Move>>(
        &self,
        start: &S::State,
        meter: Meter,
        goals: &mut G,
        spread: &impl Spread<S, H, P, G>,
    ) -> Outcome<S::Move> {
        let mut statistics = Statistics::default();
        let verdict = self.iterate(start, meter, goals, spread, &mut statistics);
        Outcome { verdict, statistics, is_first: true }
    }

    fn iterate<G: Goals<S::Move>>(
        &self,
        start: &S::State,
        meter: Meter,
        goals: &mut G,
        spread: &impl Spread<S, H, P, G>,
        statistics: &mut Statistics,
    ) -> Verdict<S::Move> {
        if let Some(reason) = self.space.impossible(start) {
            return Verdict::Impossible(Proof::Space(reason));
        }
        let value = self.heuristic.root(self.space, start);
        let estimate = self.heuristic.bound(value);
        if estimate == INFINITE {
            return Verdict::Impossible(Proof::Exhausted);
        }
        let residue = self.space.residue(start);
        let limit = meter.cost_limit();
        let (space, heuristic, pruning) = (self.space, self.heuristic, self.pruning);
        let mut search = DepthFirst::new(space, heuristic, pruning, meter, goals);
        let shard_from = self.shard_from.unwrap_or(match self.number_of_lanes() {
            1 => SHARD_FROM,
            _ => LANES_FROM,
        });
        let mut next = u64::from(estimate.max(self.from));
        loop {
            next = residue.round_up(next);
            if let Some(step) = H::STEP {
                // Solutions cost as much as the estimate, or some steps more.
                let steps = (next - u64::from(estimate)).div_ceil(step.into());
                next = u64::from(estimate) + steps * u64::from(step);
            }
            let bound = match Cost::try_from(next) {
                Ok(bound) if bound <= limit => bound,
                _ => return Verdict::above(next),
            };
            if estimate == 0 && bound == 0 && self.space.is_goal(start) {
                search.goals.start();
                return Verdict::Solved(Solution { moves: Vec::new(), cost: 0 });
            }
            if let Some((nodes, pruning)) = self.later
                && !G::ALL
                && search.meter.expanded() >= nodes
            {
                search.pruning = pruning();
            }
            let expected = match statistics.iterations.last() {
                Some(last) => last.expanded,
                // Perhaps it is as long as many iterations together.
                None if self.from > estimate => shard_from,
                None => 0,
            };
            let iteration = if expected < shard_from {
                search.iteration(start, value, bound)
            } else {
                spread.iteration(&mut search, start, value, bound, expected)
            };
            search.meter.iteration(&iteration);
            statistics.iterations.push(iteration);
            statistics.memory = search.peak_memory;
            if let Some(End::Stop(stop)) = search.end {
                return Verdict::Stopped { stop, lower_bound: bound };
            }
            if let Some(moves) = search.first_solution() {
                // The bound itself, unless a heuristic or residue broke its promise.
                let cost = moves.iter().map(|&mv| self.space.cost(mv)).sum();
                return Verdict::Solved(Solution { moves, cost });
            }
            if let Some(step) = H::STEP
                && iteration.cut_by_bound > 0
            {
                search.least_excess = u64::from(step) - 1;
            }
            if search.least_excess == NO_EXCESS {
                return Verdict::Impossible(Proof::Exhausted);
            }
            next = u64::from(bound) + 1 + search.least_excess;
        }
    }
}

/// What is done with a goal that is met. Known at compile time, so that a search for the first
/// solution pays nothing for the search for all.
trait Goals<M> {
    /// Whether the path has to be known when a goal is met.
    const ALL: bool;

    /// The start is a goal.
    fn start(&mut self);

    /// A move leads to a child that is about to be expanded; `leave` tells when it was.
    fn enter(&mut self, mv: M);

    /// See [`enter`](Goals::enter).
    fn leave(&mut self);

    /// A move leads to a goal; `Break` if it is enough.
    fn meet(&mut self, mv: M) -> ControlFlow<()>;

    /// How many goals were passed: met, and not enough.
    fn passed(&self) -> u64;

    /// The first solution, if this knows it.
    fn first(&mut self) -> Option<Vec<M>>;
}

/// The first goal is enough.
struct First;

impl<M> Goals<M> for First {
    const ALL: bool = false;

    fn start(&mut self) {}
    #[inline(always)]
    fn enter(&mut self, _: M) {}
    #[inline(always)]
    fn leave(&mut self) {}
    #[inline(always)]
    fn meet(&mut self, _: M) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
    fn passed(&self) -> u64 {
        0
    }
    fn first(&mut self) -> Option<Vec<M>> {
        None
    }
}

/// All goals are told.
struct All<'f, M, F> {
    path: Vec<M>,
    found: &'f mut F,
    first: Option<Vec<M>>,
    passed: u64,
    broken: bool,
}

impl<M: Copy, F: FnMut(&[M]) -> ControlFlow<()>> All<'_, M, F> {
    fn tell(&mut self) -> ControlFlow<()> {
        self.first.get_or_insert_with(|| self.path.clone());
        let flow = (self.found)(&self.path);
        self.broken = flow.is_break();
        self.passed += u64::from(!self.broken);
        flow
    }
}

impl<M: Copy, F: FnMut(&[M]) -> ControlFlow<()>> Goals<M> for All<'_, M, F> {
    const ALL: bool = true;

    fn start(&mut self) {
        let _ = self.tell();
    }

    fn enter(&mut self, mv: M) {
        self.path.push(mv);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn meet(&mut self, mv: M) -> ControlFlow<()> {
        self.path.push(mv);
        let flow = self.tell();
        self.path.pop();
        flow
    }

    fn passed(&self) -> u64 {
        self.passed
    }

    fn first(&mut self) -> Option<Vec<M>> {
        self.first.take()
    }
}

/// Why an iteration ended early.
#[derive(Debug, Clone, Copy)]
enum End {
    Goal,
    Stop(Stop),
}

/// The depth-first search of one iteration after another.
struct DepthFirst<'a, 'c, 'o, S: Space, H, P, G> {
    space: &'a S,
    heuristic: &'a H,
    pruning: &'a P,
    meter: Meter<'c, 'o>,
    goals: &'a mut G,
    cut_by_bound: u64,
    cut_by_pruning: u64,
    /// By how much more than 1 the cheapest cut child exceeded the bound, or [`NO_EXCESS`].
    least_excess: u64,
    end: Option<End>,
    /// The solution, last move first.
    moves: Vec<S::Move>,
    stack: Stack,
    /// The most bytes that further stacks took at a time.
    peak_memory: u64,
}

impl<'a, 'c, 'o, S: Space, H: Heuristic<S>, P: Pruning<S>, G: Goals<S::Move>>
    DepthFirst<'a, 'c, 'o, S, H, P, G>
{
    /// Whether the search is compiled once for every region: not if it goes the long way round in
    /// any case, without a pruning or for all solutions. Each region takes its time to compile.
    const BY_REGIONS: bool = H::BY_REGIONS && !G::ALL && !matches!(P::FORBIDS, Forbids::Unknown);

    /// Whether the regions leave out what takes the last move back.
    const LEAVES_OUT_BACK: bool = S::LEAVES_OUT_BACK && Self::BY_REGIONS;

    fn new(
        space: &'a S,
        heuristic: &'a H,
        pruning: &'a P,
        meter: Meter<'c, 'o>,
        goals: &'a mut G,
    ) -> Self {
        DepthFirst {
            space,
            heuristic,
            pruning,
            meter,
            goals,
            cut_by_bound: 0,
            cut_by_pruning: 0,
            least_excess: NO_EXCESS,
            end: None,
            moves: Vec::new(),
            stack: Stack::here(),
            peak_memory: 0,
        }
    }

    fn iteration(&mut self, start: &S::State, value: H::Value, bound: Cost) -> Iteration {
        let began = Instant::now();
        let (before, passed) = (self.meter.expanded(), self.goals.passed());
        (self.cut_by_bound, self.cut_by_pruning, self.least_excess) = (0, 0, NO_EXCESS);
        self.meter.bound = bound;
        let mut state = start.clone();
        let pruned = self.pruning.start();
        let root = Root { search: self, state: &mut state, last: None, left: bound, value, pruned };
        let _ = start_region(root);
        let expanded = self.meter.expanded() - before;
        self.count_left_out(start, None, expanded);
        let passed = self.goals.passed() - passed;
        // Every child is cut, expanded, a goal, or the one before whose expansion a limit struck.
        let others = u64::from(self.end.is_some());
        Iteration {
            bound,
            expanded,
            generated: self.cut_by_bound + expanded + passed + others - 1,
            cut_by_bound: self.cut_by_bound,
            cut_by_pruning: self.cut_by_pruning,
            duplicates: 0,
            elapsed: began.elapsed(),
        }
    }

    /// The first solution, if the last iteration has met one.
    fn first_solution(&mut self) -> Option<Vec<S::Move>> {
        let recorded = self.end.map(|_| {
            let mut moves = std::mem::take(&mut self.moves);
            moves.reverse();
            moves
        });
        self.goals.first().or(recorded)
    }

    /// Expands a node with `left` of the bound to spend. `Break` when `self.end` is set.
    #[inline(never)]
    fn expand<R: Region<S>>(
        &mut self,
        state: &mut S::State,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> ControlFlow<()> {
        self.expand_in_place::<R>(state, left, value, pruned)
    }

    /// The same as a part of the caller's code.
    #[inline(always)]
    fn expand_in_place<R: Region<S>>(
        &mut self,
        state: &mut S::State,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> ControlFlow<()> {
        self.meter.fuel -= 1;
        if self.meter.fuel == 0 {
            return self.expand_with_fuel::<R>(state, left, value, pruned);
        }
        let node = self.heuristic.node(self.space, state, value);
        let space = self.space;
        let heuristic = self.heuristic;
        let selects = H::SELECTS && heuristic.selects(&node, left);
        if selects {
            self.least_excess = 0;
        }
        let mut children = Children { search: self, left, node: &node, pruned };
        if selects {
            heuristic.select(space, state, &node, &mut children)
        } else {
            R::for_each_move(space, state, &mut children)
        }
    }

    /// Expands a node that found the fuel used up.
    #[cold]
    #[inline(never)]
    fn expand_with_fuel<R: Region<S>>(
        &mut self,
        state: &mut S::State,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> ControlFlow<()> {
        if let ControlFlow::Break(stop) = self.meter.refill() {
            return self.stop(stop);
        }
        self.expand_with_stack::<R>(state, left, value, pruned)
    }

    /// Expands a node that was granted fuel, on a new stack if the present one runs low. No more
    /// fuel is granted than expansions fit on the stack, even if each were a move below the last.
    #[cold]
    #[inline(never)]
    fn expand_with_stack<R: Region<S>>(
        &mut self,
        state: &mut S::State,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> ControlFlow<()> {
        let fitting = self.stack.fitting();

        if fitting >= LEAST_FITTING {
            self.meter.cap(if self.stack.frame_is_known() { fitting } else { 1 });
            self.meter.fuel += 1; // Taken again by the expansion.
            return self.expand::<R>(state, left, value, pruned);
        }
        let size = self.stack.further_size();
        let memory = (self.stack.further as u64 + 1) * size as u64;
        if self.stack.further == MAX_STACKS || memory > self.meter.memory_limit() {
            return self.stop(Stop::Memory);
        }
        self.peak_memory = self.peak_memory.max(memory);
        let before = self.stack;
        let flow = stacker::grow(size, || {
            self.stack = before.continued();
            self.expand_with_stack::<R>(state, left, value, pruned)
        });
        self.stack = self.stack.back_on(before);
        self.meter.cap(1); // What is left was granted for the other stack.
        flow
    }

    #[cold]
    #[inline(never)]
    fn stop(&mut self, stop: Stop) -> ControlFlow<()> {
        self.end = Some(End::Stop(stop));
        ControlFlow::Break(())
    }

    /// The search has ended, or this move leads to a goal and ends it. On the way back, the moves
    /// of the path are collected.
    #[cold]
    #[inline(never)]
    fn record(&mut self, mv: S::Move) -> ControlFlow<()> {
        self.end.get_or_insert(End::Goal);
        self.moves.push(mv);
        ControlFlow::Break(())
    }

    /// Expands a node that may be a goal, if it is none. Apart, so that the code of all others,
    /// which are many, is short.
    #[inline(never)]
    fn expand_or_meet<R: Region<S>>(
        &mut self,
        state: &mut S::State,
        mv: S::Move,
        left: Cost,
        value: H::Value,
        pruned: P::State,
    ) -> ControlFlow<()> {
        if R::is_goal(self.space, state) {
            return self.goals.meet(mv);
        }
        self.goals.enter(mv);
        let flow = self.expand::<R>(state, left, value, pruned);
        self.goals.leave();
        flow
    }

    /// Counts what regions left out in a tree of which so many nodes were expanded: in each that
    /// was entered by a move, one move, unless it comes after the move on the path to the end.
    fn count_left_out(&mut self, root: &S::State, mut last: Option<S::Move>, expanded: u64) {
        if !Self::LEAVES_OUT_BACK {
            return;
        }
        self.cut_by_pruning += expanded.saturating_sub(last.is_none().into());
        let mut state = root.clone();
        for &next in self.moves.iter().rev() {
            let met = self.space.enter(
                &state,
                last,
                Before { space: self.space, state: &mut state.clone(), next },
            );
            self.cut_by_pruning -= u64::from(last.is_some() && !met);
            self.space.apply(&mut state, next);
            last = Some(next);
        }
    }

    /// Counts a child that needs more than what is left.
    #[inline(always)]
    fn cut(&mut self, estimate: Cost, cost: Cost, left: Cost) -> ControlFlow<()> {
        self.cut_by_bound += 1;
        let excess = excess(estimate, cost, left);
        if H::STEP.is_none() && excess < self.least_excess {
            self.lessen(excess, estimate);
        }
        ControlFlow::Continue(())
    }

    /// The bound was exceeded by less than ever before in this iteration.
    #[cold]
    #[inline(never)]
    fn lessen(&mut self, excess: u64, estimate: Cost) {
        if estimate != INFINITE {
            self.least_excess = excess;
        }
    }
}

/// Deals with the children of one expanded node.
struct Children<'s, 'a, 'c, 'o, S: Space, H: Heuristic<S>, P: Pruning<S>, G> {
    search: &'s mut DepthFirst<'a, 'c, 'o, S, H, P, G>,
    left: Cost,
    node: &'s H::Node,
    pruned: P::State,
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>, G: Goals<S::Move>> Visitor<S>
    for Children<'_, '_, '_, '_, S, H, P, G>
{
    const WITHOUT_BACK: bool = DepthFirst::<S, H, P, G>::LEAVES_OUT_BACK;

    #[inline(always)]
    fn visit_into<R: Region<S>>(&mut self, state: &mut S::State, mv: S::Move) -> ControlFlow<()> {
        let search = &mut *self.search;
        let (space, heuristic) = (search.space, search.heuristic);
        let pruned = if matches!(P::FORBIDS, Forbids::BackAlone) && Self::WITHOUT_BACK {
            search.pruning.start() // Regions do it all.
        } else if let Some(pruned) = search.pruning.step(space, self.pruned, mv) {
            pruned
        } else {
            search.cut_by_pruning += 1;
            return ControlFlow::Continue(());
        };
        let cost = space.cost(mv);
        if cost == 0 {
            return search.stop(Stop::ZeroCostMove);
        }
        let left = self.left;
        let exceeds = |estimate| u64::from(estimate) + u64::from(cost) > u64::from(left);
        let mut value = heuristic.before(space, state, self.node, mv);
        if H::EARLY {
            value = heuristic.told(self.node, heuristic.aim(value));
        }
        let mut estimate = heuristic.bound(value);
        // A cut that would decide the next bound is decided by the final value.
        let least_excess = search.least_excess;
        let is_cut = |estimate| {
            exceeds(estimate)
                && (H::STEP.is_some()
                    || excess(estimate, cost, left) >= least_excess
                    || estimate == INFINITE)
        };
        if exceeds(estimate) && (!H::RAISES || is_cut(estimate)) {
            return search.cut(estimate, cost, left);
        }
        if H::RAISES {
            space.apply(state, mv);
        } else {
            R::apply(space, state, mv);
        }
        value = look_up(heuristic, space, state, self.node, value, mv, is_cut);
        estimate = heuristic.bound(value);
        let flow = if exceeds(estimate) {
            search.cut(estimate, cost, left)
        } else if estimate == 0 {
            search.expand_or_meet::<R>(state, mv, left - cost, value, pruned)
        } else {
            search.goals.enter(mv);
            let flow = if R::IN_PLACE {
                search.expand_in_place::<R>(state, left - cost, value, pruned)
            } else {
                search.expand::<R>(state, left - cost, value, pruned)
            };
            search.goals.leave();
            if H::LEARNS && !G::ALL && flow.is_continue() {
                heuristic.failed(space, state, value, left - cost);
            }
            flow
        };
        if flow.is_break() {
            return search.record(mv);
        }
        if H::RAISES {
            space.undo(state, mv);
        } else {
            R::undo(space, state, mv);
        }
        flow
    }
}

/// Tells whether a region leaves a move out before it shows the move `next`.
struct Before<'a, S: Space> {
    space: &'a S,
    state: &'a mut S::State,
    next: S::Move,
}

impl<S: Space> Entrance<S> for Before<'_, S> {
    type Output = bool;
    fn enter<R: Region<S>>(self) -> bool {
        let mut looking = Looking { next: self.next, left_out: false };
        let _ = R::for_each_move(self.space, self.state, &mut looking);
        looking.left_out
    }
}

struct Looking<M> {
    next: M,
    left_out: bool,
}

impl<S: Space> Visitor<S> for Looking<S::Move> {
    const WITHOUT_BACK: bool = true;

    fn leave_out(&mut self) {
        self.left_out = true;
    }
    fn visit_into<R: Region<S>>(&mut self, _: &mut S::State, mv: S::Move) -> ControlFlow<()> {
        if mv == self.next { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Enters the region of the root of a tree or subtree.
struct Root<'s, 'a, 'c, 'o, S: Space, H: Heuristic<S>, P: Pruning<S>, G> {
    search: &'s mut DepthFirst<'a, 'c, 'o, S, H, P, G>,
    state: &'s mut S::State,
    /// The move that led to it.
    last: Option<S::Move>,
    left: Cost,
    value: H::Value,
    pruned: P::State,
}

fn start_region<S: Space, H: Heuristic<S>, P: Pruning<S>, G: Goals<S::Move>>(
    root: Root<'_, '_, '_, '_, S, H, P, G>,
) -> ControlFlow<()> {
    let space = root.search.space;
    if DepthFirst::<S, H, P, G>::BY_REGIONS {
        let state = root.state.clone();
        space.enter(&state, root.last, root)
    } else {
        root.enter::<Anywhere>()
    }
}

impl<S: Space, H: Heuristic<S>, P: Pruning<S>, G: Goals<S::Move>> Entrance<S>
    for Root<'_, '_, '_, '_, S, H, P, G>
{
    type Output = ControlFlow<()>;
    fn enter<R: Region<S>>(self) -> ControlFlow<()> {
        self.search.expand::<R>(self.state, self.left, self.value, self.pruned)
    }
}

/// That no child was cut, or none that a greater bound would let through.
const NO_EXCESS: u64 = u64::MAX;

/// By how much more than 1 a child exceeds what is left, if it does.
#[inline(always)]
fn excess(estimate: Cost, cost: Cost, left: Cost) -> u64 {
    (u64::from(estimate) + u64::from(cost - 1)).wrapping_sub(left.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Zero;

    /// Counting up for ever.
    struct Up;

    impl Space for Up {
        type State = Cost;
        type Move = ();
        fn for_each_move<V: Visitor<Self>>(&self, at: &mut Cost, v: &mut V) -> ControlFlow<()> {
            v.visit(at, ())
        }
        fn apply(&self, at: &mut Cost, (): ()) {
            *at += 1;
        }
        fn undo(&self, at: &mut Cost, (): ()) {
            *at -= 1;
        }
        fn is_goal(&self, _: &Cost) -> bool {
            false
        }
        fn residue(&self, _: &Cost) -> crate::Residue {
            crate::Residue::new(1 << 20, 0)
        }
    }

    /// The constants are smaller in tests.
    #[test]
    fn a_path_that_needs_too_many_stacks_stops_the_search() {
        let outcome = Ida::new(&Up, &Zero).solve(&0, &mut Control::default());
        let stop = Verdict::Stopped { stop: Stop::Memory, lower_bound: 1 << 20 };
        assert_eq!(outcome.verdict, stop);
        let last = outcome.statistics.iterations[1];
        assert_eq!(last.expanded, last.generated);
        assert!(last.expanded > 4 * 64);
    }
}
