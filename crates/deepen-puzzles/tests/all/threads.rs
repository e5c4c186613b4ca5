//! Threads and lanes on every puzzle: the outcome is that of the plain search, to the last count.

use std::time::Duration;

use deepen::heuristic::InLanes;
use deepen::{
    Alphabet, Control, Heuristic, Ida, Iteration, LearnedPruning, Limits, Outcome, Statistics,
    Threads, Verdict,
};
use deepen_puzzles::{
    Booksort, Field, Knights, MoveOf, Pancake, Puzzle, Random, Rotation, Settings, SlidingTiles,
    Task, Topspin, Twisty, find,
};

/// Numbers of threads and lanes.
const WAYS: [(usize, usize); 4] = [(1, 8), (2, 1), (3, 4), (8, 1)];

/// What a search found out, without the times it took. The moves are told by their names.
type Timeless = (Verdict<String>, Vec<Iteration>);

fn timeless<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    outcome: Outcome<MoveOf<P>>,
) -> Timeless {
    let Statistics { iterations, .. } = outcome.statistics;
    let timeless = |it| Iteration { elapsed: Duration::ZERO, ..it };
    let space = &puzzle.field(instance).space;
    let verdict = outcome.verdict.map(|mv| puzzle.move_name(space, mv));
    (verdict, iterations.into_iter().map(timeless).collect())
}

/// A search whose iterations are split however short they are.
struct Split<'a, State> {
    start: &'a State,
    threads: usize,
    lanes: usize,
    limits: Limits,
}

impl<S> Task<S> for Split<'_, S::State>
where
    S: Alphabet<State: Send, Move: Send, Inverse: Sync, Pruning: Sync> + Sync,
{
    type Output = Outcome<S::Move>;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Outcome<S::Move> {
        let learned = || field.learned();
        // Early, so that it is used.
        let pays = S::Pruning::PAYS_AFTER.min(100);
        let heuristic = InLanes(heuristic);
        let ida = Ida::new(&field.space, &heuristic)
            .pruning(field.begun())
            .later(pays, &learned)
            .lanes(self.lanes)
            .shard_from(50);
        let mut control = Control { limits: self.limits, ..Control::default() };
        ida.solve_in(&Threads::new(self.threads), self.start, &mut control)
    }
}

fn same<P: Puzzle>(puzzle: &P, instance: &P::Instance, heuristic: usize, limits: Limits) {
    let start = puzzle.start(instance);
    let outcome = |threads, lanes| {
        let split = Split { start: &start, threads, lanes, limits };
        timeless(puzzle, instance, puzzle.run(instance, heuristic, split))
    };
    let alone = outcome(1, 1);
    for (threads, lanes) in WAYS {
        let together = outcome(threads, lanes);
        assert_eq!(alone, together, "{instance:?}, {threads} threads, {lanes} lanes");
    }
}

/// Searches random instances with every heuristic.
fn all_same<P: Puzzle>(size: Option<&str>, number: usize, nodes: u64) {
    let heuristics: Vec<_> = (0..P::INFO.heuristics.len()).collect();
    same_with::<P>(&heuristics, size, number, nodes);
}

/// Searches random instances with some heuristics.
fn same_with<P: Puzzle>(heuristics: &[usize], size: Option<&str>, number: usize, nodes: u64) {
    let mut settings = Settings::default();
    if let Some(size) = size {
        settings.options.insert("size", size.into());
    }
    let puzzle = P::new(&settings).unwrap();
    let mut random = Random::new(1);
    for index in 0..number {
        let instance = puzzle.random(&mut random);
        for &heuristic in heuristics {
            // Some are cut short.
            let nodes = if index % 3 == 0 { nodes / 3 + 7 * index as u64 } else { nodes };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            same(&puzzle, &instance, heuristic, limits);
        }
    }
}

#[test]
fn knights_has_the_same_outcome() {
    all_same::<Knights>(Some("4x4"), 20, 5000);
}

#[test]
fn booksort_has_the_same_outcome() {
    all_same::<Booksort>(Some("8"), 12, 5000);
    all_same::<Booksort>(Some("14"), 6, 5000);
}

#[test]
fn rotation_has_the_same_outcome() {
    all_same::<Rotation>(None, 12, 5000);
}

#[test]
fn pancake_has_the_same_outcome() {
    all_same::<Pancake>(Some("9"), 10, 5000);
}

#[test]
fn tiles_has_the_same_outcome() {
    let names = ["manhattan", "linear-conflict", "zero"];
    let heuristics = names.map(|name| find(SlidingTiles::INFO.heuristics, name).unwrap());
    same_with::<SlidingTiles>(&heuristics, Some("3x3"), 12, 5000);
    same_with::<SlidingTiles>(&heuristics[..2], Some("4x4"), 6, 10_000);
}

/// Several look-ups for each child, some of them of the inverse position.
#[test]
fn twisty_has_the_same_outcome() {
    let settings = Settings::default().with("puzzle", "3x3x3").with("table-memory", "2MB");
    let cube = Twisty::new(&settings).unwrap();
    let settings = Settings::default().with("size", "12,4").with("table-memory", "20KB");
    let ring = Topspin::new(&settings).unwrap();
    let mut random = Random::new(1);
    for index in 0..6 {
        let limits = Limits { nodes: Some(20_000 - 3000 * index), ..Limits::default() };
        same(&cube, &cube.random(&mut random), 0, limits);
        same(&ring, &ring.random(&mut random), 0, limits);
    }
}
