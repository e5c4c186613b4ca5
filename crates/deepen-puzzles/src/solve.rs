//! Solving an instance of any puzzle.

use deepen::{Alphabet, Control, Everything, Heuristic, Ida, Outcome, Space};

use crate::puzzle::{Field, Puzzle, Task};

/// Which moves a search leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pruned {
    /// None.
    Nothing,
    /// Those that take the last move back.
    Inverse,
    /// Those that take the last move back, and once a search has grown long, those that the
    /// learned automaton forbids.
    #[default]
    Learned,
}

/// After how many expansions the automaton is learned: they take about as long as learning it.
const WORTH_LEARNING: u64 = 1 << 18;

/// How to search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Method {
    /// The heuristic's index in [`Info::heuristics`](crate::Info::heuristics).
    pub heuristic: usize,
    /// Which moves to leave out.
    pub pruned: Pruned,
}

/// Searches for the least solution of an instance.
pub fn solve<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
) -> Outcome<<P::Space as Space>::Move> {
    let start = puzzle.start(instance);
    let task = Solve { start: &start, pruned: method.pruned, control };
    puzzle.run(instance, method.heuristic, task)
}

struct Solve<'a, 'c, State> {
    start: &'a State,
    pruned: Pruned,
    control: &'a mut Control<'c>,
}

impl<S: Alphabet> Task<S> for Solve<'_, '_, S::State> {
    type Output = Outcome<S::Move>;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Outcome<S::Move> {
        let ida = Ida::new(&field.space, heuristic);
        match self.pruned {
            Pruned::Nothing => ida.pruning(&Everything).solve(self.start, self.control),
            Pruned::Inverse => ida.pruning(field.inverse()).solve(self.start, self.control),
            Pruned::Learned => {
                let learned = || field.learned();
                let ida = ida.pruning(field.inverse()).later(WORTH_LEARNING, &learned);
                ida.solve(self.start, self.control)
            }
        }
    }
}
