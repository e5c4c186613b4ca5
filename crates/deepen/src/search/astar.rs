//! A* (Hart, Nilsson and Raphael 1968).
//!
//! States are stored, and expanded in the order of f, their cost plus what the heuristic says is
//! left at least; among equal f the costlier first, as they are nearer to a goal. Once no state is
//! left whose f is less than the cost of the nearest goal that was met, that cost is the least.
//!
//! A state that is reached again at less cost is queued again, even if it was expanded: with a
//! heuristic that is not consistent this is needed. A child's f is never less than what is proved
//! already (the f of the state that is being expanded), and is raised to the next cost that a
//! solution can have at all.
//!
//! # Order
//!
//! A* finds *a* solution of least cost, not the first in dictionary order. Who needs that one runs
//! [`Ida`](crate::Ida) from the cost that A* found ([`Ida::from_bound`](crate::Ida::from_bound)).
//!
//! # Memory
//!
//! A state costs its key, four bytes each for its cost and its parent's number, what the heuristic
//! carries, the index, and four bytes in the queue until it is expanded.

use std::cmp::Reverse;
use std::fmt;

use super::control::Control;
use super::queue::Queue;
use super::run::{End, NOBODY, Run, above_limit, expand, key_of, path_to};
use super::store::{Column, Full, Store};
use super::verdict::{Outcome, Proof, Solution, Stop, Verdict};
use crate::heuristic::{Heuristic, look_up};
use crate::space::{Cost, INFINITE, Packed, Residue};

/// A* on a space, with a heuristic.
///
/// It returns a solution of least cost; which of them is not said.
pub struct Astar<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
}

impl<S, H> fmt::Debug for Astar<'_, S, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Astar").finish_non_exhaustive()
    }
}

impl<'a, S: Packed, H: Heuristic<S>> Astar<'a, S, H> {
    /// A* on `space`, with an admissible heuristic.
    pub fn new(space: &'a S, heuristic: &'a H) -> Self {
        Astar { space, heuristic }
    }

    /// Searches from `start`.
    pub fn solve(&self, start: &S::State, control: &mut Control) -> Outcome<S::Move> {
        let run = Run::start(control);
        let mut search = Search {
            space: self.space,
            heuristic: self.heuristic,
            residue: self.space.residue(start),
            limit: run.meter.cost_limit(),
            run,
            store: Store::new(self.space.key_bytes()),
            parents: Column::new(),
            costs: Column::new(),
            values: Column::new(),
            queue: Queue::new(),
            goal: None,
            cut: u64::MAX,
            key: vec![0; self.space.key_bytes()],
        };
        let verdict = search.search(start);
        let Search { run, store, .. } = search;
        let is_first = verdict.lower_bound() == Some(0);
        run.outcome(verdict, store.len().into(), is_first)
    }
}

struct Search<'a, 'c, 'o, S: Packed, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    residue: Residue,
    limit: Cost,
    run: Run<'c, 'o>,
    store: Store,
    /// The number of the state from which each was reached.
    parents: Column<u32>,
    costs: Column<Cost>,
    values: Column<H::Value>,
    /// By f, then by cost.
    queue: Queue<(Cost, Reverse<Cost>)>,
    /// The nearest goal so far: its cost, its parent, and the move that leads there.
    goal: Option<(Cost, u32, S::Move)>,
    /// The least f that was given up because of the limit.
    cut: u64,
    key: Vec<u8>,
}

/// A state that is being expanded.
struct Parent<N> {
    number: u32,
    cost: Cost,
    node: N,
}

impl<S: Packed, H: Heuristic<S>> Search<'_, '_, '_, S, H> {
    fn search(&mut self, start: &S::State) -> Verdict<S::Move> {
        if let Some(reason) = self.space.impossible(start) {
            return Verdict::Impossible(Proof::Space(reason));
        }
        let value = self.heuristic.root(self.space, start);
        let estimate = self.heuristic.bound(value);
        if estimate == INFINITE {
            return Verdict::Impossible(Proof::Exhausted);
        }
        if estimate == 0 && self.space.is_goal(start) {
            return Verdict::Solved(Solution { moves: Vec::new(), cost: 0 });
        }
        let first = match self.within_limit(estimate.into()) {
            Ok(bound) => bound,
            Err(bound) => return Verdict::above(bound),
        };
        self.key = key_of(self.space, start);
        if self.add(NOBODY, 0, value, first).is_err() {
            return Verdict::Stopped { stop: Stop::Memory, lower_bound: first };
        }
        while let Some((bound, number)) = self.next() {
            if self.goal.is_some_and(|(least, ..)| least <= bound) {
                break;
            }
            self.run.begin(bound);
            match self.expand(number) {
                Ok(()) => {}
                Err(End::Enough) => break,
                Err(End::Stop(stop)) => return Verdict::Stopped { stop, lower_bound: bound },
            }
        }
        match self.goal {
            Some((_, parent, last)) => {
                let mut moves = path_to(self.space, &self.store, &self.parents, parent);
                moves.push(last);
                let cost = moves.iter().map(|&mv| self.space.cost(mv)).sum();
                Verdict::Solved(Solution { moves, cost })
            }
            None if self.cut == u64::MAX => Verdict::Impossible(Proof::Exhausted),
            None => above_limit(self.residue, self.cut),
        }
    }

    /// The next state to be expanded, and its f.
    fn next(&mut self) -> Option<(Cost, u32)> {
        loop {
            let ((bound, Reverse(cost)), number) = self.queue.pop(&mut self.run.memory)?;
            if self.costs.get(number) == cost {
                return Some((bound, number));
            }
        }
    }

    fn expand(&mut self, number: u32) -> Result<(), End> {
        self.run.spend()?;
        let space = self.space;
        let mut state = space.unpack(self.store.key(number));
        let node = self.heuristic.node(space, &state, self.values.get(number));
        let parent = Parent { number, cost: self.costs.get(number), node };
        expand(space, &mut state, |child, mv| self.child(child, mv, &parent))
    }

    #[inline]
    fn child(
        &mut self,
        state: &mut S::State,
        mv: S::Move,
        parent: &Parent<H::Node>,
    ) -> Result<(), End> {
        let (space, heuristic) = (self.space, self.heuristic);
        let step = space.cost(mv);
        if step == 0 {
            return Err(End::Stop(Stop::ZeroCostMove));
        }
        self.run.iteration.generated += 1;
        let cost = u64::from(parent.cost) + u64::from(step);
        let mut value = heuristic.before(space, state, &parent.node, mv);
        if H::EARLY {
            value = heuristic.told(&parent.node, heuristic.aim(value));
        }
        if !H::RAISES && self.bound(cost, value).is_none() {
            return Ok(());
        }
        space.apply(state, mv);
        let value = look_up(heuristic, space, state, &parent.node, value, mv, |_| false);
        let bound = self.bound(cost, value);
        let is_goal = bound.is_some() && heuristic.bound(value) == 0 && space.is_goal(state);
        if bound.is_some() && !is_goal {
            space.pack(state, &mut self.key);
        }
        space.undo(state, mv);
        let Some(bound) = bound else { return Ok(()) };
        let cost = cost as Cost; // It is at most `bound`.
        if is_goal {
            self.goal = Some((cost, parent.number, mv));
            let enough = cost <= self.run.iteration.bound;
            return if enough { Err(End::Enough) } else { Ok(()) };
        }
        match self.store.find(&self.key) {
            None => self.add(parent.number, cost, value, bound)?,
            Some(number) if cost < self.costs.get(number) => {
                self.costs.set(number, cost);
                self.parents.set(number, parent.number);
                self.values.set(number, value);
                self.queue.push((bound, Reverse(cost)), number, &mut self.run.memory)?;
            }
            Some(_) => self.run.iteration.duplicates += 1,
        }
        Ok(())
    }

    /// The f of a child that can lead to a solution within the limit and cheaper than the one that
    /// is known. Others are counted as cut.
    #[inline]
    fn bound(&mut self, cost: u64, value: H::Value) -> Option<Cost> {
        let estimate = self.heuristic.bound(value);
        let sum = (cost + u64::from(estimate)).max(self.run.iteration.bound.into());
        let within = self.within_limit(sum);
        match within {
            Ok(bound) if estimate != INFINITE => return Some(bound),
            Err(bound) if estimate != INFINITE => self.cut = self.cut.min(bound),
            _ => {}
        }
        self.run.iteration.cut_by_bound += 1;
        None
    }

    /// A bound raised to the next cost that a solution can have; `Err` if it is not within the
    /// limit, or not below the cost of the nearest goal.
    fn within_limit(&self, bound: u64) -> Result<Cost, u64> {
        let limit = self.goal.map_or(self.limit, |(least, ..)| least - 1);
        let bound = self.residue.round_up(bound);
        Cost::try_from(bound).ok().filter(|&bound| bound <= limit).ok_or(bound)
    }

    /// Stores a new state, whose key is at hand.
    fn add(&mut self, parent: u32, cost: Cost, value: H::Value, bound: Cost) -> Result<(), Full> {
        let memory = &mut self.run.memory;
        let number = self.store.add(&self.key, memory)?;
        self.parents.push(parent, memory)?;
        self.costs.push(cost, memory)?;
        self.values.push(value, memory)?;
        self.queue.push((bound, Reverse(cost)), number, memory)
    }
}
