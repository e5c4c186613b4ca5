//! Solving an instance of any puzzle: the first of all shortest solutions, all of them, or how
//! many there are.

use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use deepen::heuristic::Zero;
use deepen::{
    Alphabet, Astar, Bfs, Bidirectional, Control, Cost, Count, DepthProfile, Heuristic, Ida,
    LearnedPruning, Limits, Outcome, Pruning, Reversible, Shortest, Solution, Space, Statistics,
    Threads, Verdict,
};

use crate::puzzle::{Choice, Field, Puzzle, Task};

/// How to go about a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// IDA*.
    #[default]
    Ida,
    /// A*.
    Astar,
    /// Breadth-first search.
    Bfs,
    /// Plain iterative deepening: IDA* without a heuristic.
    Iddfs,
    /// Bidirectional breadth-first search.
    Bidirectional,
}

/// The algorithms by name, in the order of [`Algorithm::ALL`].
pub const ALGORITHMS: &[Choice] = &[
    Choice { name: "ida", about: "IDA*: depth first, deeper and deeper; next to no memory" },
    Choice { name: "astar", about: "A*: what looks nearest first; stores what it meets" },
    Choice { name: "bfs", about: "breadth first: layer by layer; stores everything" },
    Choice { name: "iddfs", about: "plain iterative deepening: IDA* without a heuristic" },
    Choice { name: "bidirectional", about: "breadth first from the start and from the goals" },
];

impl Algorithm {
    /// All of them, in the order of [`ALGORITHMS`].
    pub const ALL: [Algorithm; 5] = [
        Algorithm::Ida,
        Algorithm::Astar,
        Algorithm::Bfs,
        Algorithm::Iddfs,
        Algorithm::Bidirectional,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        ALGORITHMS[self as usize].name
    }

    /// Whether it goes depth first, and so leaves moves out by what was played before.
    pub fn is_depth_first(self) -> bool {
        matches!(self, Algorithm::Ida | Algorithm::Iddfs)
    }

    /// Whether it asks a heuristic.
    pub fn is_guided(self) -> bool {
        matches!(self, Algorithm::Ida | Algorithm::Astar)
    }
}

/// Which moves a depth-first search leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pruned {
    /// None.
    Nothing,
    /// Those that take the last move back.
    Inverse,
    /// Those that take the last move back, and once a search has grown so long that it pays, all
    /// that the space's own pruning forbids.
    #[default]
    Learned,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Method {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic's index in [`Info::heuristics`](crate::Info::heuristics).
    pub heuristic: usize,
    /// Which moves to leave out; for the algorithms that go depth first.
    pub pruned: Pruned,
    /// How many subtrees IDA* advances in turn in each thread ([`Ida::lanes`]); as the heuristic
    /// says if it is not told.
    pub lanes: Option<NonZeroUsize>,
}

/// The move of a puzzle.
pub type MoveOf<P> = <<P as Puzzle>::Space as Space>::Move;

/// Searches for the first solution of an instance in dictionary order, among all of least cost.
///
/// An algorithm that does not find the first by itself is followed by one iteration of IDA*, with
/// the method's heuristic and pruning, at the least cost; the statistics, and the limits, include
/// it.
pub fn solve<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
) -> Outcome<MoveOf<P>> {
    solve_in(&Threads::new(1), puzzle, instance, method, control)
}

/// As [`solve`], with IDA* in several threads ([`Ida::solve_in`]). The outcome is the same.
pub fn solve_in<P: Puzzle>(
    threads: &Threads,
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
) -> Outcome<MoveOf<P>> {
    puzzle.searches().solve_in(threads, instance, method, control)
}

/// Searches for any solution of least cost with the algorithm alone: what it takes is what the
/// algorithm takes. [`Outcome::is_first`] says whether the solution is the first.
pub fn solve_any<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
) -> Outcome<MoveOf<P>> {
    puzzle.searches().solve_any(instance, method, control)
}

/// As [`solve`], and hands `found` all solutions of least cost in dictionary order, until it
/// breaks. Of the prunings only taking moves back is used.
///
/// IDA* and bidirectional search go through them by themselves; after the others IDA* does, at the
/// least cost.
pub fn solve_all<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
    found: &mut dyn FnMut(&[MoveOf<P>]) -> ControlFlow<()>,
) -> Shortest<MoveOf<P>> {
    puzzle.searches().solve_all(instance, method, control, found)
}

/// Counts all solutions of least cost.
///
/// Bidirectional search adds them up; the others go through them as [`solve_all`] does.
pub fn count<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
) -> Count<MoveOf<P>> {
    if method.algorithm == Algorithm::Bidirectional {
        let (space, start) = (&puzzle.field(instance).space, puzzle.start(instance));
        return Bidirectional::new(space).count(&start, control);
    }
    let mut go_on = |_: &[_]| ControlFlow::Continue(());
    let Shortest { outcome, found, .. } = solve_all(puzzle, instance, method, control, &mut go_on);
    Count { outcome, count: found.into() }
}

/// As [`solve_any`], with the nodes counted by depth as well if the algorithm is
/// [guided](Algorithm::is_guided) or goes [depth first](Algorithm::is_depth_first).
pub fn solve_profiled<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    method: Method,
    control: &mut Control,
    profile: &DepthProfile,
) -> Outcome<MoveOf<P>> {
    puzzle.searches().solve_profiled(instance, method, control, profile)
}

/// What the heuristic of that index says of an instance. Whatever it looks up is made now, if it
/// was not before: searches that are to be timed are better off after it.
pub fn estimate<P: Puzzle>(puzzle: &P, instance: &P::Instance, heuristic: usize) -> Cost {
    puzzle.searches().estimate(instance, heuristic)
}

/// The searches of a puzzle. They are the same for all puzzles; but they are large, so each puzzle
/// has its own compiled with it ([`Puzzle::searches`]), instead of everyone who calls them.
pub trait Searches<P: Puzzle> {
    /// See [`solve_in`].
    fn solve_in(
        &self,
        threads: &Threads,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
    ) -> Outcome<MoveOf<P>>;

    /// See [`solve_any`].
    fn solve_any(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
    ) -> Outcome<MoveOf<P>>;

    /// See [`solve_all`].
    fn solve_all(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
        found: &mut dyn FnMut(&[MoveOf<P>]) -> ControlFlow<()>,
    ) -> Shortest<MoveOf<P>>;

    /// See [`solve_profiled`].
    fn solve_profiled(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
        profile: &DepthProfile,
    ) -> Outcome<MoveOf<P>>;

    /// See [`estimate`].
    fn estimate(&self, instance: &P::Instance, heuristic: usize) -> Cost;
}

impl<P: Puzzle> Searches<P> for P {
    fn solve_in(
        &self,
        threads: &Threads,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
    ) -> Outcome<MoveOf<P>> {
        let start = self.start(instance);
        let solve = Solve { start: &start, method, control };
        self.run(instance, method.heuristic, SolveIn { threads, solve })
    }

    fn solve_any(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
    ) -> Outcome<MoveOf<P>> {
        let start = self.start(instance);
        self.run(instance, method.heuristic, SolveAny(Solve { start: &start, method, control }))
    }

    fn solve_all(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
        found: &mut dyn FnMut(&[MoveOf<P>]) -> ControlFlow<()>,
    ) -> Shortest<MoveOf<P>> {
        let start = self.start(instance);
        let solve = Solve { start: &start, method, control };
        self.run(instance, method.heuristic, SolveAll { solve, found })
    }

    fn solve_profiled(
        &self,
        instance: &P::Instance,
        method: Method,
        control: &mut Control,
        profile: &DepthProfile,
    ) -> Outcome<MoveOf<P>> {
        let start = self.start(instance);
        let solve = Solve { start: &start, method, control };
        self.run(instance, method.heuristic, SolveProfiled { solve, profile })
    }

    fn estimate(&self, instance: &P::Instance, heuristic: usize) -> Cost {
        let start = self.start(instance);
        self.run(instance, heuristic, Estimate { start: &start })
    }
}

struct Solve<'a, 'c, State> {
    start: &'a State,
    method: Method,
    control: &'a mut Control<'c>,
}

/// A space that can be searched in every way.
trait Searchable:
    Alphabet<State: Send, Move: Send, Inverse: Sync, Pruning: Sync> + Reversible + Sync
{
}

impl<S> Searchable for S where
    S: Alphabet<State: Send, Move: Send, Inverse: Sync, Pruning: Sync> + Reversible + Sync
{
}

struct SolveIn<'a, 'c, State> {
    threads: &'a Threads,
    solve: Solve<'a, 'c, State>,
}

impl<S: Searchable> Task<S> for SolveIn<'_, '_, S::State> {
    type Output = Outcome<S::Move>;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Outcome<S::Move> {
        let SolveIn { threads, mut solve } = self;
        let began = Instant::now();
        let first = solve.search(field, heuristic, threads);
        let cost = match &first.verdict {
            Verdict::Solved(solution) if !first.is_first => solution.cost,
            _ => return first,
        };
        let limits = solve.charge(&first.statistics, began.elapsed());
        let second = solve.deepen(field, heuristic, threads, cost);
        solve.control.limits = limits;
        Outcome { statistics: both(first.statistics, second.statistics), ..second }
    }
}

struct SolveAny<'a, 'c, State>(Solve<'a, 'c, State>);

impl<S: Searchable> Task<S> for SolveAny<'_, '_, S::State> {
    type Output = Outcome<S::Move>;

    fn run<H: Heuristic<S> + Sync>(mut self, field: &Field<S>, heuristic: &H) -> Outcome<S::Move> {
        self.0.search(field, heuristic, &Threads::new(1))
    }
}

struct SolveProfiled<'a, 'c, State> {
    solve: Solve<'a, 'c, State>,
    profile: &'a DepthProfile,
}

impl<S: Searchable> Task<S> for SolveProfiled<'_, '_, S::State> {
    type Output = Outcome<S::Move>;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Outcome<S::Move> {
        let SolveProfiled { mut solve, profile } = self;
        // Counting is for one thread.
        match solve.method.algorithm {
            Algorithm::Iddfs => solve.deepen_plainly(field, &profile.count(&Zero), 0),
            Algorithm::Ida => solve.deepen_plainly(field, &profile.count(heuristic), 0),
            Algorithm::Astar => {
                let heuristic = profile.count(heuristic);
                Astar::new(&field.space, &heuristic).solve(solve.start, solve.control)
            }
            Algorithm::Bfs | Algorithm::Bidirectional => {
                solve.search(field, heuristic, &Threads::new(1))
            }
        }
    }
}

struct Estimate<'a, State> {
    start: &'a State,
}

impl<S: Alphabet> Task<S> for Estimate<'_, S::State> {
    type Output = Cost;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Cost {
        heuristic.bound(heuristic.root(&field.space, self.start))
    }
}

struct SolveAll<'a, 'c, State, Move> {
    solve: Solve<'a, 'c, State>,
    found: &'a mut dyn FnMut(&[Move]) -> ControlFlow<()>,
}

impl<S: Searchable> Task<S> for SolveAll<'_, '_, S::State, S::Move> {
    type Output = Shortest<S::Move>;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Shortest<S::Move> {
        let SolveAll { mut solve, found } = self;
        match solve.method.algorithm {
            Algorithm::Ida => return solve.deepen_all(field, heuristic, 0, found),
            Algorithm::Iddfs => return solve.deepen_all(field, &Zero, 0, found),
            Algorithm::Bidirectional => {
                let search = Bidirectional::new(&field.space);
                return search.solve_all(solve.start, solve.control, found);
            }
            Algorithm::Astar | Algorithm::Bfs => {}
        }
        let began = Instant::now();
        let first = solve.search(field, heuristic, &Threads::new(1));
        let Verdict::Solved(Solution { cost, .. }) = first.verdict else {
            let complete = !matches!(first.verdict, Verdict::Stopped { .. });
            return Shortest { outcome: first, found: 0, complete };
        };
        let limits = solve.charge(&first.statistics, began.elapsed());
        let all = solve.deepen_all(field, heuristic, cost, found);
        solve.control.limits = limits;
        let statistics = both(first.statistics, all.outcome.statistics);
        Shortest { outcome: Outcome { statistics, ..all.outcome }, ..all }
    }
}

impl<State> Solve<'_, '_, State> {
    /// Searches with the algorithm alone.
    fn search<S, H>(
        &mut self,
        field: &Field<S>,
        heuristic: &H,
        threads: &Threads,
    ) -> Outcome<S::Move>
    where
        S: Searchable<State = State>,
        H: Heuristic<S> + Sync,
    {
        let space = &field.space;
        match self.method.algorithm {
            Algorithm::Ida => self.deepen(field, heuristic, threads, 0),
            Algorithm::Iddfs => self.deepen(field, &Zero, threads, 0),
            Algorithm::Astar => Astar::new(space, heuristic).solve(self.start, self.control),
            Algorithm::Bfs => Bfs::new(space).solve(self.start, self.control),
            Algorithm::Bidirectional => Bidirectional::new(space).solve(self.start, self.control),
        }
    }

    /// Searches with IDA*, from a bound on.
    fn deepen<S, H>(
        &mut self,
        field: &Field<S>,
        heuristic: &H,
        threads: &Threads,
        bound: Cost,
    ) -> Outcome<S::Move>
    where
        S: Searchable<State = State>,
        H: Heuristic<S> + Sync,
    {
        let ida = self.ida(field, heuristic, bound);
        match self.method.pruned {
            Pruned::Nothing => self.deepen_plainly(field, heuristic, bound),
            Pruned::Inverse => {
                ida.pruning(field.inverse()).solve_in(threads, self.start, self.control)
            }
            Pruned::Learned => {
                let learned = || field.learned();
                let ida = ida.pruning(field.begun()).later(S::Pruning::PAYS_AFTER, &learned);
                ida.solve_in(threads, self.start, self.control)
            }
        }
    }

    /// The same where speed is no matter, in one thread.
    fn deepen_plainly<S, H>(
        &mut self,
        field: &Field<S>,
        heuristic: &H,
        bound: Cost,
    ) -> Outcome<S::Move>
    where
        S: Alphabet<State = State>,
        H: Heuristic<S>,
    {
        let ida = self.ida(field, heuristic, bound);
        let (nothing, begun, learned) = (Chosen::Nothing, OnceCell::new(), OnceCell::new());
        let learned = || learned.get_or_init(|| Chosen::Learned(field.learned()));
        match self.method.pruned {
            Pruned::Nothing => ida.pruning(&nothing).solve(self.start, self.control),
            Pruned::Inverse => {
                let inverse = begun.get_or_init(|| Chosen::Inverse(field.inverse()));
                ida.pruning(inverse).solve(self.start, self.control)
            }
            Pruned::Learned => {
                let begun = begun.get_or_init(|| Chosen::Learned(field.begun()));
                let ida = ida.pruning(begun).later(S::Pruning::PAYS_AFTER, &learned);
                ida.solve(self.start, self.control)
            }
        }
    }

    /// Goes through all solutions with IDA*, from a bound on.
    fn deepen_all<S, H>(
        &mut self,
        field: &Field<S>,
        heuristic: &H,
        bound: Cost,
        found: &mut dyn FnMut(&[S::Move]) -> ControlFlow<()>,
    ) -> Shortest<S::Move>
    where
        S: Alphabet<State = State>,
        H: Heuristic<S>,
    {
        let pruning = match self.method.pruned {
            Pruned::Nothing => Chosen::Nothing,
            Pruned::Inverse | Pruned::Learned => Chosen::Inverse(field.inverse()),
        };
        let ida = self.ida(field, heuristic, bound);
        ida.pruning(&pruning).solve_all(self.start, self.control, found)
    }

    fn ida<'f, S: Alphabet, H: Heuristic<S>>(
        &self,
        field: &'f Field<S>,
        heuristic: &'f H,
        bound: Cost,
    ) -> Ida<'f, S, H> {
        let ida = Ida::new(&field.space, heuristic).from_bound(bound);
        match self.method.lanes {
            Some(lanes) => ida.lanes(lanes.get()),
            None => ida,
        }
    }

    /// Takes from the limits what a first search has used; gives back what they were.
    fn charge(&mut self, statistics: &Statistics, elapsed: Duration) -> Limits {
        let limits = self.control.limits;
        let expanded = statistics.total().expanded;
        self.control.limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(expanded)),
            time: limits.time.map(|time| time.saturating_sub(elapsed)),
            ..limits
        };
        limits
    }
}

/// What two searches took, one after the other.
fn both(first: Statistics, second: Statistics) -> Statistics {
    Statistics {
        iterations: [first.iterations, second.iterations].concat(),
        stored: first.stored.max(second.stored),
        memory: first.memory.max(second.memory),
    }
}

/// A pruning that is chosen when the search begins: so that what need not be fast is compiled once.
enum Chosen<'a, S: Alphabet> {
    Nothing,
    Inverse(&'a S::Inverse),
    Learned(&'a S::Pruning),
}

/// What one of them knows of the moves played so far.
#[derive(Clone, Copy)]
enum Played<I, L> {
    Whatever,
    Inverse(I),
    Learned(L),
}

impl<S: Alphabet> Pruning<S> for Chosen<'_, S> {
    type State = Played<<S::Inverse as Pruning<S>>::State, <S::Pruning as Pruning<S>>::State>;

    fn start(&self) -> Self::State {
        match self {
            Chosen::Nothing => Played::Whatever,
            Chosen::Inverse(pruning) => Played::Inverse(pruning.start()),
            Chosen::Learned(pruning) => Played::Learned(pruning.start()),
        }
    }

    #[inline(always)]
    fn step(&self, space: &S, played: Self::State, mv: S::Move) -> Option<Self::State> {
        match (self, played) {
            (Chosen::Inverse(pruning), Played::Inverse(played)) => {
                pruning.step(space, played, mv).map(Played::Inverse)
            }
            (Chosen::Learned(pruning), Played::Learned(played)) => {
                pruning.step(space, played, mv).map(Played::Learned)
            }
            _ => Some(Played::Whatever),
        }
    }
}
