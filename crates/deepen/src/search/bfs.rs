//! Breadth-first search.
//!
//! All states that can be reached are stored, those of least cost are expanded first, and the
//! first goal that is met is nearest. Where moves cost differently this is uniform-cost search
//! (Dijkstra 1959): a goal that is met may be beaten by another, until no state is left to be
//! expanded from which a cheaper path could lead to a goal. So the cost is the least in any case.
//!
//! # The first in dictionary order
//!
//! Where all moves cost the same, the solution is the first in dictionary order. For: within a
//! layer, states are expanded in the order of their least words, the first of the shortest
//! sequences of moves that lead there. This holds of the start. If it holds of a layer, consider a
//! state of the next. Its least word is the least word of some state of this layer and a letter;
//! and that state is the first that leads there, with this letter first, as words of equal length
//! are compared by their beginnings first. So the state is stored when its least word comes up, and
//! the next layer is stored in the order of least words too. Goals are tested when they are
//! generated, that is, in this order as well.
//!
//! # Memory
//!
//! A state costs its key, four bytes for its parent's number, and the index; a queue is needed only
//! where moves cost differently. States that could be expanded only beyond the limit on cost are
//! not stored.

use super::control::Control;
use super::frontier::{Frontier, Reached};
use super::run::{End, NOBODY, Run, above_limit, expand, key_of, path_to};
use super::store::Column;
use super::verdict::{Outcome, Proof, Solution, Stop, Verdict};
use crate::space::{Cost, Packed, Residue};

/// Breadth-first search on a space.
///
/// It returns a solution of least cost; where all moves cost the same, the first in dictionary
/// order.
#[derive(Debug)]
pub struct Bfs<'a, S> {
    space: &'a S,
}

impl<'a, S: Packed> Bfs<'a, S> {
    /// Breadth-first search on `space`.
    pub fn new(space: &'a S) -> Self {
        Bfs { space }
    }

    /// Searches from `start`.
    pub fn solve(&self, start: &S::State, control: &mut Control) -> Outcome<S::Move> {
        let run = Run::start(control);
        let mut search = Search {
            space: self.space,
            residue: self.space.residue(start),
            limit: run.meter.cost_limit(),
            run,
            frontier: Frontier::new(self.space.key_bytes()),
            parents: Column::new(),
            goal: None,
            cut: u64::MAX,
            key: vec![0; self.space.key_bytes()],
        };
        let verdict = search.search(start);
        let Search { run, frontier, .. } = search;
        run.outcome(verdict, frontier.store.len().into(), frontier.is_layered())
    }
}

struct Search<'a, 'c, 'o, S: Packed> {
    space: &'a S,
    residue: Residue,
    limit: Cost,
    run: Run<'c, 'o>,
    frontier: Frontier,
    /// The number of the state from which each was reached.
    parents: Column<u32>,
    /// The nearest goal so far: its cost, its parent, and the move that leads there.
    goal: Option<(Cost, u32, S::Move)>,
    /// The least cost of a path that was given up because of the limit.
    cut: u64,
    key: Vec<u8>,
}

impl<S: Packed> Search<'_, '_, '_, S> {
    fn search(&mut self, start: &S::State) -> Verdict<S::Move> {
        if let Some(reason) = self.space.impossible(start) {
            return Verdict::Impossible(Proof::Space(reason));
        }
        if self.space.is_goal(start) {
            return Verdict::Solved(Solution { moves: Vec::new(), cost: 0 });
        }
        let key = key_of(self.space, start);
        let reached = self.frontier.reach(&key, 0, &mut self.run.memory);
        if reached.and_then(|_| self.parents.push(NOBODY, &mut self.run.memory)).is_err() {
            return Verdict::Stopped { stop: Stop::Memory, lower_bound: 1 };
        }
        while let Some(cost) = self.frontier.least(&mut self.run.memory) {
            // Whatever was not found yet goes on with a move from here or further on.
            let bound = cost.saturating_add(1);
            if self.goal.is_some_and(|(least, ..)| least <= bound) {
                break;
            }
            let lower_bound = self.residue.round_up(bound.into());
            if self.goal.is_none() && lower_bound > self.limit.into() {
                return Verdict::above(lower_bound);
            }
            self.run.begin(bound);
            match self.layer(cost) {
                Ok(()) => {}
                Err(End::Enough) => break,
                Err(End::Stop(stop)) => {
                    let goal = self.goal.map_or(Cost::MAX, |(least, ..)| least);
                    let lower_bound = Cost::try_from(lower_bound).unwrap_or(Cost::MAX).min(goal);
                    return Verdict::Stopped { stop, lower_bound };
                }
            }
        }
        match self.goal {
            Some((cost, parent, last)) => {
                let store = &self.frontier.store;
                let mut moves = path_to(self.space, store, &self.parents, parent);
                moves.push(last);
                debug_assert_eq!(cost, moves.iter().map(|&mv| self.space.cost(mv)).sum());
                Verdict::Solved(Solution { moves, cost })
            }
            None if self.cut == u64::MAX => Verdict::Impossible(Proof::Exhausted),
            None => above_limit(self.residue, self.cut),
        }
    }

    /// Expands the states of that cost.
    fn layer(&mut self, cost: Cost) -> Result<(), End> {
        while let Some(number) = self.frontier.pop(cost, &mut self.run.memory) {
            self.run.spend()?;
            let space = self.space;
            let mut state = space.unpack(self.frontier.store.key(number));
            expand(space, &mut state, |child, mv| self.child(child, mv, number, cost))?;
        }
        Ok(())
    }

    /// Deals with a child of the state `parent`, which is at `cost`.
    #[inline]
    fn child(
        &mut self,
        state: &mut S::State,
        mv: S::Move,
        parent: u32,
        cost: Cost,
    ) -> Result<(), End> {
        let step = self.space.cost(mv);
        if step == 0 {
            return Err(End::Stop(Stop::ZeroCostMove));
        }
        let iteration = &mut self.run.iteration;
        iteration.generated += 1;
        let limit = self.goal.map_or(self.limit, |(least, ..)| least - 1);
        let sum = u64::from(cost) + u64::from(step);
        let reached = match Cost::try_from(sum) {
            Ok(reached) if reached <= limit => reached,
            _ => {
                iteration.cut_by_bound += 1;
                self.cut = self.cut.min(sum);
                return self.admit(step);
            }
        };
        self.admit(step)?;
        self.space.apply(state, mv);
        let is_goal = self.space.is_goal(state);
        if !is_goal {
            self.space.pack(state, &mut self.key);
        }
        self.space.undo(state, mv);
        if is_goal {
            self.goal = Some((reached, parent, mv));
            return if step == 1 { Err(End::Enough) } else { Ok(()) };
        }
        if reached == limit {
            // Its children would cost too much.
            if self.frontier.store.find(&self.key).is_some() {
                self.run.iteration.duplicates += 1;
            } else {
                self.run.iteration.cut_by_bound += 1;
                self.cut = self.cut.min(sum + 1);
            }
            return Ok(());
        }
        match self.frontier.reach(&self.key, reached, &mut self.run.memory)? {
            Reached::New(_) => self.parents.push(parent, &mut self.run.memory)?,
            Reached::Better(number) => self.parents.set(number, parent),
            Reached::Known => self.run.iteration.duplicates += 1,
        }
        Ok(())
    }

    fn admit(&mut self, step: Cost) -> Result<(), End> {
        Ok(self.frontier.admit(step, &mut self.run.memory)?)
    }
}
