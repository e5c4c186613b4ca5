//! What all searches that store states have in common: limits, counting, iterations, and the way
//! back from a state to the start.

use std::ops::ControlFlow;
use std::time::Instant;

use super::control::{Control, Meter};
use super::store::{Column, Full, Memory, Store};
use super::verdict::{Iteration, Outcome, Statistics, Stop, Verdict};
use crate::space::{Cost, Each, Packed, Residue, moves_of};

/// Why an expansion ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// All that was asked for is found.
    Enough,
    /// The search was stopped.
    Stop(Stop),
}

impl From<Full> for End {
    fn from(_: Full) -> Self {
        End::Stop(Stop::Memory)
    }
}

/// A running search's limits, memory and counts.
pub(crate) struct Run<'c, 'o> {
    pub(crate) meter: Meter<'c, 'o>,
    pub(crate) memory: Memory,
    /// The running iteration; its expansions and time are counted when it ends.
    pub(crate) iteration: Iteration,
    /// When it began, and how many expansions there were then; `None` between iterations.
    began: Option<(Instant, u64)>,
    statistics: Statistics,
}

impl<'c, 'o> Run<'c, 'o> {
    pub(crate) fn start(control: &'c mut Control<'o>) -> Self {
        let meter = Meter::start(control);
        let memory = Memory::new(meter.memory_limit());
        let (iteration, statistics) = (Iteration::default(), Statistics::default());
        Run { meter, memory, iteration, began: None, statistics }
    }

    /// Begins an iteration, if it is another than the running one.
    pub(crate) fn begin(&mut self, bound: Cost) {
        if self.began.is_some() && self.iteration.bound == bound {
            return;
        }
        self.end();
        self.meter.bound = bound;
        self.iteration = Iteration { bound, ..Iteration::default() };
        self.began = Some((Instant::now(), self.meter.expanded()));
    }

    /// Ends the running iteration, if there is one.
    pub(crate) fn end(&mut self) {
        if let Some((began, before)) = self.began.take() {
            self.iteration.expanded = self.meter.expanded() - before;
            self.iteration.elapsed = began.elapsed();
            self.meter.iteration(&self.iteration);
            self.statistics.iterations.push(self.iteration);
        }
    }

    /// Counts an expansion that is about to be made.
    pub(crate) fn spend(&mut self) -> Result<(), End> {
        match self.meter.spend() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(stop) => Err(End::Stop(stop)),
        }
    }

    /// The outcome, of a search that held so many states.
    pub(crate) fn outcome<M>(
        mut self,
        verdict: Verdict<M>,
        stored: u64,
        is_first: bool,
    ) -> Outcome<M> {
        self.end();
        let statistics = Statistics { stored, memory: self.memory.peak(), ..self.statistics };
        Outcome { verdict, statistics, is_first }
    }
}

/// The key of a state.
pub(crate) fn key_of<S: Packed>(space: &S, state: &S::State) -> Vec<u8> {
    let mut key = vec![0; space.key_bytes()];
    space.pack(state, &mut key);
    key
}

/// Shows `child` each child of the stored state `number`, with the move that led there; the state
/// is given back as it was.
pub(crate) fn expand<S: Packed>(
    space: &S,
    state: &mut S::State,
    mut child: impl FnMut(&mut S::State, S::Move) -> Result<(), End>,
) -> Result<(), End> {
    let mut result = Ok(());
    let mut each = Each(|state: &mut S::State, mv| {
        result = child(state, mv);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let _ = space.for_each_move(state, &mut each);
    result
}

/// The verdict on a proved lower bound that is above the limit on cost.
pub(crate) fn above_limit<M>(residue: Residue, bound: u64) -> Verdict<M> {
    Verdict::above(residue.round_up(bound))
}

/// The number that is the parent of the start.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The moves that lead from the start to a stored state, by the parents of states. From a parent,
/// the first of the cheapest moves to its child is taken.
pub(crate) fn path_to<S: Packed>(
    space: &S,
    store: &Store,
    parents: &Column<u32>,
    number: u32,
) -> Vec<S::Move> {
    let mut path = Vec::new();
    let mut child = number;
    let mut key = vec![0; space.key_bytes()];
    while parents.get(child) != NOBODY {
        let parent = parents.get(child);
        let mut state = space.unpack(store.key(parent));
        let mut cheapest: Option<S::Move> = None;
        for mv in moves_of(space, &state) {
            if cheapest.is_none_or(|cheapest| space.cost(mv) < space.cost(cheapest)) {
                space.apply(&mut state, mv);
                space.pack(&state, &mut key);
                space.undo(&mut state, mv);
                if key == store.key(child) {
                    cheapest = Some(mv);
                }
            }
        }
        path.extend(cheapest);
        child = parent;
    }
    path.reverse();
    path
}
