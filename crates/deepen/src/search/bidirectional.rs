//! Bidirectional breadth-first search (Pohl 1971).
//!
//! One search goes from the start, another from all goals at once; in turn, the one with fewer
//! states to expand expands its next layer. Where a state of the one is reached by the other, the
//! two costs sum up to that of a solution. Each search has half the depth to go, so both together
//! store about the square root of the states that a single one would. It works in a
//! [`Reversible`] space, where a move can be taken back by a move of the same cost.
//!
//! # When it may stop
//!
//! Let f and b be the least costs of states that are still to be expanded, from the start and from
//! the goals. All cheaper states have been expanded. *Every solution whose cost is the least, and at
//! most f + b, has been met.* For, on its way, take the first state at f or more from the start. The
//! state before was expanded, so this one is stored from the start, at its least cost. What is left
//! from it is at most b, so the next state on the way is less than b from the goals (or this one is
//! a goal itself) and was expanded; so this one is stored from the goals as well, at its least cost.
//! Until a solution is met, f + b + 1 is therefore a lower bound; and once f + b has reached the
//! cost of the cheapest that was met, that is the least. Nothing in this needs equal costs: where
//! they differ, the two are uniform-cost searches.
//!
//! # The first in dictionary order
//!
//! When f + b has reached the least cost, each solution of that cost crosses from one side to the
//! other at its first state of cost f or more, which is stored on both. From these meeting states
//! the way back to the start is marked. Then every solution of least cost is a walk over marked
//! states at their costs, and on over states stored from the goals, whose costs are what is left.
//! In each state the moves are tried in order: so the first walk is the first solution in
//! dictionary order, and the others follow in order. Counting is adding up the ways to each state
//! along the same walk, without walking each way.
//!
//! If all moves cost 1 and the last layer is expanded from the start, the first meeting is enough
//! for the first solution: states of a layer come in the order of their least words
//! ([`Bfs`](crate::Bfs)).
//!
//! # Memory
//!
//! A state costs its key and the index, if all moves cost the same. States through which no
//! solution within the limit on cost can go are not stored.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::control::Control;
use super::frontier::{Frontier, Reached};
use super::run::{End, Run, above_limit, expand, key_of};
use super::store::{Full, Memory, bytes_of};
use super::verdict::{Count, Outcome, Proof, Shortest, Solution, Stop, Verdict};
use crate::space::{Cost, Residue, Reversible, moves_of};

/// Bidirectional breadth-first search on a space.
///
/// It returns, among all solutions of least cost, the first in dictionary order.
#[derive(Debug)]
pub struct Bidirectional<'a, S> {
    space: &'a S,
}

impl<'a, S: Reversible> Bidirectional<'a, S> {
    /// Bidirectional breadth-first search on `space`.
    pub fn new(space: &'a S) -> Self {
        Bidirectional { space }
    }

    /// Searches from `start`.
    pub fn solve(&self, start: &S::State, control: &mut Control) -> Outcome<S::Move> {
        let mut search = Search::new(self.space, start, control, Wanted::First);
        let verdict = search.solve(start, |_| Ok(ControlFlow::Break(())));
        search.outcome(verdict)
    }

    /// Searches from `start` and hands `found` every solution of least cost, in dictionary order,
    /// until it breaks. The verdict's solution is the first.
    pub fn solve_all(
        &self,
        start: &S::State,
        control: &mut Control,
        mut found: impl FnMut(&[S::Move]) -> ControlFlow<()>,
    ) -> Shortest<S::Move> {
        let mut search = Search::new(self.space, start, control, Wanted::All);
        let (mut number, mut complete) = (0, true);
        let verdict = search.solve(start, |moves| {
            number += 1;
            let flow = found(moves);
            complete = flow.is_continue();
            Ok(flow)
        });
        let complete = complete && !matches!(verdict, Verdict::Stopped { .. });
        Shortest { outcome: search.outcome(verdict), found: number, complete }
    }

    /// Searches from `start` and counts all solutions of least cost, without going through them:
    /// sequences of moves that differ anywhere count as different.
    pub fn count(&self, start: &S::State, control: &mut Control) -> Count<S::Move> {
        let mut search = Search::new(self.space, start, control, Wanted::All);
        let mut verdict = search.solve(start, |_| Ok(ControlFlow::Break(())));
        let count = match &verdict {
            Verdict::Solved(Solution { cost: 0, .. }) => Ok(1),
            Verdict::Solved(solution) => search.count(start, solution.cost),
            _ => Ok(0),
        };
        let count = count.unwrap_or_else(|Full| {
            let lower_bound = verdict.lower_bound().unwrap_or(0);
            verdict = Verdict::Stopped { stop: Stop::Memory, lower_bound };
            0
        });
        Count { outcome: search.outcome(verdict), count }
    }
}

/// Which solutions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    First,
    All,
}

/// The two sides.
const FROM_START: usize = 0;
const FROM_GOALS: usize = 1;

struct Search<'a, 'c, 'o, S: Reversible> {
    space: &'a S,
    residue: Residue,
    limit: Cost,
    wanted: Wanted,
    run: Run<'c, 'o>,
    sides: [Frontier; 2],
    /// The least cost of a solution that was met.
    least: Option<Cost>,
    /// The states where solutions of that cost were met, as numbers on the side of the start.
    meetings: Vec<u32>,
    /// The cost from which on a solution is followed on the side of the goals.
    split: Cost,
    /// The least cost of a path, or of a solution that was met, that was given up because of the
    /// limit.
    cut: u64,
    key: Vec<u8>,
}

/// A state that is being expanded, on one of the sides.
#[derive(Clone, Copy)]
struct Parent {
    side: usize,
    cost: Cost,
    /// The least cost of a state that is to be expanded on the other side.
    across: Cost,
}

impl<'a, 'c, 'o, S: Reversible> Search<'a, 'c, 'o, S> {
    fn new(space: &'a S, start: &S::State, control: &'c mut Control<'o>, wanted: Wanted) -> Self {
        let run = Run::start(control);
        Search {
            space,
            residue: space.residue(start),
            limit: run.meter.cost_limit(),
            wanted,
            run,
            sides: [(), ()].map(|()| Frontier::new(space.key_bytes())),
            least: None,
            meetings: Vec::new(),
            split: 0,
            cut: u64::MAX,
            key: vec![0; space.key_bytes()],
        }
    }

    fn outcome(self, verdict: Verdict<S::Move>) -> Outcome<S::Move> {
        let stored = self.sides.iter().map(|side| u64::from(side.store.len())).sum();
        self.run.outcome(verdict, stored, true)
    }

    /// Searches, and hands out the solutions of least cost.
    fn solve(
        &mut self,
        start: &S::State,
        mut found: impl FnMut(&[S::Move]) -> Result<ControlFlow<()>, End>,
    ) -> Verdict<S::Move> {
        if let Some(reason) = self.space.impossible(start) {
            return Verdict::Impossible(Proof::Space(reason));
        }
        let Some(goals) = self.space.goals() else {
            return Verdict::Stopped { stop: Stop::Irreversible, lower_bound: 0 };
        };
        if self.space.is_goal(start) {
            let _ = found(&[]);
            return Verdict::Solved(Solution { moves: Vec::new(), cost: 0 });
        }
        let stopped = |stop, lower_bound| Verdict::Stopped { stop, lower_bound };
        if self.seed(start, goals).is_err() {
            return stopped(Stop::Memory, 1);
        }
        if let Err(verdict) = self.meet() {
            return verdict;
        }
        let Some(cost) = self.least else {
            return match self.cut {
                u64::MAX => Verdict::Impossible(Proof::Exhausted),
                cut => above_limit(self.residue, cut),
            };
        };
        let mut first = None;
        let walked = self.walk(start, cost, |moves| {
            first.get_or_insert_with(|| moves.to_vec());
            found(moves)
        });
        match (walked, first) {
            (Err(End::Stop(stop)), _) => stopped(stop, cost),
            (_, Some(moves)) => Verdict::Solved(Solution { moves, cost }),
            (_, None) => stopped(Stop::Irreversible, cost),
        }
    }

    /// Stores the start and the goals.
    fn seed(&mut self, start: &S::State, goals: Vec<S::State>) -> Result<(), Full> {
        let memory = &mut self.run.memory;
        let list = bytes_of(&goals);
        memory.take(list)?;
        let [from_start, from_goals] = &mut self.sides;
        from_start.reach(&key_of(self.space, start), 0, memory)?;
        for goal in &goals {
            self.space.pack(goal, &mut self.key);
            from_goals.reach(&self.key, 0, memory)?;
        }
        drop(goals);
        memory.give(list);
        Ok(())
    }

    /// Expands layers until the least cost is known, and all that was asked for can be walked.
    fn meet(&mut self) -> Result<(), Verdict<S::Move>> {
        loop {
            let memory = &mut self.run.memory;
            let fronts = self.sides.each_mut().map(|side| side.least(memory));
            let [Some(front), Some(back)] = fronts else {
                // One side has seen everything. Its states are all known at their least costs.
                self.split = fronts[FROM_START].unwrap_or(Cost::MAX);
                return Ok(());
            };
            let sum = u64::from(front) + u64::from(back);
            if self.least.is_some_and(|least| u64::from(least) <= sum) {
                self.split = front;
                return Ok(());
            }
            let lower_bound = self.residue.round_up(sum + 1);
            if self.least.is_none() && lower_bound > self.limit.into() {
                // What was given up because of the limit may be cheaper.
                return Err(above_limit(self.residue, self.cut.min(sum + 1)));
            }
            let lower_bound = Cost::try_from(lower_bound).unwrap_or(Cost::MAX);
            let side =
                if self.sides[0].open() <= self.sides[1].open() { FROM_START } else { FROM_GOALS };
            let (cost, across) = if side == FROM_START { (front, back) } else { (back, front) };
            self.run.begin(lower_bound);
            match self.layer(Parent { side, cost, across }) {
                Ok(()) => self.run.end(),
                Err(End::Enough) => return Ok(()),
                Err(End::Stop(stop)) => {
                    let lower_bound = lower_bound.min(self.least.unwrap_or(Cost::MAX));
                    return Err(Verdict::Stopped { stop, lower_bound });
                }
            }
        }
    }

    /// Expands the states of one cost on one side.
    fn layer(&mut self, parent: Parent) -> Result<(), End> {
        let Parent { side, cost, .. } = parent;
        while let Some(number) = self.sides[side].pop(cost, &mut self.run.memory) {
            self.run.spend()?;
            let space = self.space;
            let mut state = space.unpack(self.sides[side].store.key(number));
            expand(space, &mut state, |child, mv| self.child(child, mv, parent))?;
        }
        Ok(())
    }

    #[inline]
    fn child(&mut self, state: &mut S::State, mv: S::Move, parent: Parent) -> Result<(), End> {
        let Parent { side, cost, across } = parent;
        let step = self.space.cost(mv);
        if step == 0 {
            return Err(End::Stop(Stop::ZeroCostMove));
        }
        self.run.iteration.generated += 1;
        self.sides[side].admit(step, &mut self.run.memory)?;
        let limit = self.least.unwrap_or(self.limit);
        let sum = u64::from(cost) + u64::from(step);
        let Some(reached) = Cost::try_from(sum).ok().filter(|&reached| reached <= limit) else {
            self.run.iteration.cut_by_bound += 1;
            self.cut = self.cut.min(sum);
            return Ok(());
        };
        self.space.apply(state, mv);
        self.space.pack(state, &mut self.key);
        self.space.undo(state, mv);
        // What was reached at no greater cost before was looked up on the other side then.
        if self.sides[side].knows(&self.key, reached) {
            self.run.iteration.duplicates += 1;
            return Ok(());
        }
        let other = &self.sides[1 - side];
        let met = other.store.find(&self.key).map(|number| {
            let solution = sum + u64::from(other.cost(number));
            (solution, number)
        });
        // Unless it is met, a solution through it costs at least this.
        let beyond = sum + u64::from(across) + 1;
        let meets = met.is_some_and(|(solution, _)| solution <= u64::from(limit));
        if !meets {
            self.cut = met.map_or(self.cut, |(solution, _)| self.cut.min(solution));
            if beyond > u64::from(limit) {
                self.run.iteration.cut_by_bound += 1;
                self.cut = self.cut.min(beyond);
                return Ok(());
            }
        }
        let reached = self.sides[side].reach(&self.key, reached, &mut self.run.memory)?;
        let (Reached::New(here) | Reached::Better(here)) = reached else {
            return Ok(()); // Not after what was asked above.
        };
        match met {
            Some((solution, there)) if meets => {
                let number = if side == FROM_START { here } else { there };
                self.met(solution as Cost, number)?;
                // From the start, states are reached in the order of their least words.
                let [from_start, from_goals] = &self.sides;
                let ordered = from_start.is_layered() && from_goals.is_layered();
                if self.wanted == Wanted::First && side == FROM_START && ordered && step == 1 {
                    self.split = cost + 1;
                    return Err(End::Enough);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Notes a solution that was met in a state.
    fn met(&mut self, cost: Cost, number: u32) -> Result<(), Full> {
        if self.least.is_none_or(|least| cost < least) {
            self.least = Some(cost);
            self.meetings.clear();
        }
        self.run.memory.push(&mut self.meetings, number)
    }

    /// Marks the states on the side of the start that lie on a way to a meeting.
    fn mark(&mut self) -> Result<Marks, Full> {
        let memory = &mut self.run.memory;
        let side = &self.sides[FROM_START];
        let mut marks = Marks::new(side.store.len(), memory)?;
        let mut waiting = Vec::new();
        for &number in &self.meetings {
            if marks.set(number) {
                memory.push(&mut waiting, number)?;
            }
        }
        while let Some(number) = waiting.pop() {
            let space = self.space;
            let cost = side.cost(number);
            let mut state = space.unpack(side.store.key(number));
            for mv in moves_of(space, &state) {
                space.apply(&mut state, mv);
                space.pack(&state, &mut self.key);
                space.undo(&mut state, mv);
                if let Some(before) = side.store.find(&self.key)
                    && u64::from(side.cost(before)) + u64::from(space.cost(mv)) == u64::from(cost)
                    && marks.set(before)
                {
                    memory.push(&mut waiting, before)?;
                }
            }
        }
        Ok(marks)
    }

    /// Where a solution of that cost can go on from a state reached at `cost`.
    fn children(
        &mut self,
        marks: &Marks,
        state: &mut S::State,
        cost: Cost,
        least: Cost,
        mut child: impl FnMut(S::Move, Cost, Place),
    ) {
        let space = self.space;
        for mv in moves_of(space, state) {
            let Some(reached) = cost.checked_add(space.cost(mv)).filter(|&sum| sum <= least) else {
                continue;
            };
            space.apply(state, mv);
            space.pack(state, &mut self.key);
            space.undo(state, mv);
            let [from_start, from_goals] = &self.sides;
            let place = if cost < self.split {
                let number = from_start
                    .store
                    .find(&self.key)
                    .filter(|&number| from_start.cost(number) == reached && marks.has(number));
                number.map(|number| (FROM_START, number))
            } else {
                let number = from_goals.store.find(&self.key);
                let number = number.filter(|&number| from_goals.cost(number) == least - reached);
                number.map(|number| (FROM_GOALS, number))
            };
            if let Some(place) = place {
                child(mv, reached, place);
            }
        }
    }

    /// Walks the solutions of that cost, in dictionary order.
    fn walk(
        &mut self,
        start: &S::State,
        least: Cost,
        mut found: impl FnMut(&[S::Move]) -> Result<ControlFlow<()>, End>,
    ) -> Result<(), End> {
        let marks = self.mark()?;
        if self.wanted == Wanted::All {
            self.run.end();
            self.run.begin(least);
        }
        let mut state = start.clone();
        let mut path: Vec<S::Move> = Vec::new();
        // For each state on the path, its cost and the moves that are still to be tried, the last
        // one first.
        let mut steps: Vec<(Cost, Vec<S::Move>)> = Vec::new();
        let mut cost = 0;
        loop {
            if cost == least {
                if found(&path)?.is_break() {
                    return Ok(());
                }
            } else {
                if self.wanted == Wanted::All {
                    self.run.spend()?;
                }
                let mut moves = Vec::new();
                self.children(&marks, &mut state, cost, least, |mv, _, _| moves.push(mv));
                self.run.iteration.generated +=
                    if self.wanted == Wanted::All { moves.len() as u64 } else { 0 };
                moves.reverse();
                steps.push((cost, moves));
            }
            // On to the next move, or back to where there is one.
            loop {
                let depth = steps.len();
                let Some((at, moves)) = steps.last_mut() else { return Ok(()) };
                if path.len() == depth
                    && let Some(last) = path.pop()
                {
                    self.space.undo(&mut state, last);
                }
                if let Some(mv) = moves.pop() {
                    cost = *at + self.space.cost(mv);
                    self.space.apply(&mut state, mv);
                    path.push(mv);
                    break;
                }
                steps.pop();
            }
        }
    }

    /// Counts the solutions of that cost: the ways to each state, in the order of costs.
    fn count(&mut self, start: &S::State, least: Cost) -> Result<u128, Full> {
        let marks = self.mark()?;
        let mut ways: BTreeMap<(Cost, Place), u128> = BTreeMap::new();
        self.space.pack(start, &mut self.key);
        if let Some(number) = self.sides[FROM_START].store.find(&self.key) {
            ways.insert((0, (FROM_START, number)), 1);
        }
        let mut solutions = 0_u128;
        while let Some(((cost, (side, number)), count)) = ways.pop_first() {
            self.run.memory.give(if cost == 0 { 0 } else { WAYS_BYTES });
            if cost == least {
                solutions = solutions.saturating_add(count);
                continue;
            }
            let mut state = self.space.unpack(self.sides[side].store.key(number));
            let mut fresh = 0;
            self.children(&marks, &mut state, cost, least, |_, reached, place| {
                let sum = ways.entry((reached, place)).or_insert_with(|| {
                    fresh += 1;
                    0
                });
                *sum = sum.saturating_add(count);
            });
            self.run.memory.take(fresh * WAYS_BYTES)?;
        }
        Ok(solutions)
    }
}

/// A stored state: on which side, and its number there.
type Place = (usize, u32);

/// What an entry of the map of ways takes, its nodes included.
const WAYS_BYTES: usize = 2 * size_of::<((Cost, Place), u128)>();

/// A bit for each state of a side.
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    fn new(len: u32, memory: &mut Memory) -> Result<Self, Full> {
        let mut words = Vec::new();
        let count = len.div_ceil(64) as usize;
        memory.grow(&mut words, count)?;
        words.resize(count, 0);
        Ok(Marks { words })
    }

    fn has(&self, number: u32) -> bool {
        self.words[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Sets a bit; whether it was not set.
    fn set(&mut self, number: u32) -> bool {
        let fresh = !self.has(number);
        self.words[number as usize / 64] |= 1 << (number % 64);
        fresh
    }
}
