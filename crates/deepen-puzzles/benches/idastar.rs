//! The engine beside the `pathfinding` crate's `idastar`: same puzzle, heuristic and instances.
//!
//! `cargo bench --bench idastar` times three ways to solve the instances of each puzzle:
//!
//! - `pathfinding`: `idastar` on the puzzle's states, the contest's heuristic from scratch;
//! - `contest`: our engine with the same heuristic, leaving out the inverse of the last move;
//! - `default`: our engine as the command uses it.

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use deepen::{Alphabet, Control, Cost, Heuristic, moves_of};
use deepen_puzzles::{
    Field, Method, Pruned, Puzzle, PuzzleTask, Settings, Task, find, solve, with_puzzle,
};

/// The puzzle, the contest's heuristic, and boards that take `idastar` up to a second.
const CASES: [(&str, &str, &str); 3] = [
    ("knights", "mismatch", include_str!("../../../testdata/knights/bench.txt")),
    ("booksort", "successors", include_str!("../../../testdata/booksort/bench.txt")),
    ("rotation", "centre", include_str!("../../../testdata/rotation/bench.txt")),
];

fn benches(criterion: &mut Criterion) {
    for (name, heuristic, text) in CASES {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        with_puzzle(name, Bench { group: &mut group, heuristic, text }).expect("a puzzle");
        group.finish();
    }
}

struct Bench<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    heuristic: &'static str,
    text: &'static str,
}

impl PuzzleTask for Bench<'_, '_> {
    type Output = ();

    fn run<P: Puzzle>(self) {
        let puzzle = P::new(&Settings::default()).expect("the default settings");
        let instances: Result<Vec<_>, _> = puzzle.read(self.text.as_bytes()).collect();
        let instances = instances.expect("good instances");
        let contest = find(P::INFO.heuristics, self.heuristic).expect("a heuristic");
        let method = Method { heuristic: contest, pruned: Pruned::Inverse, ..Method::default() };
        let ours = |method| {
            let solved = instances.iter().map(|instance| {
                let outcome = solve(&puzzle, instance, method, &mut Control::default());
                outcome.verdict.solution().expect("a solution").cost
            });
            solved.collect::<Vec<_>>()
        };
        let theirs = || {
            let solved = instances
                .iter()
                .map(|instance| puzzle.run(instance, contest, Pathfinding(puzzle.start(instance))));
            solved.collect::<Vec<_>>()
        };
        assert_eq!(ours(method), theirs());
        self.group.bench_function("pathfinding", |bencher| bencher.iter(|| black_box(theirs())));
        self.group.bench_function("contest", |bencher| bencher.iter(|| black_box(ours(method))));
        let method = Method::default();
        self.group.bench_function("default", |bencher| bencher.iter(|| black_box(ours(method))));
    }
}

/// The cost that `idastar` finds from a state.
struct Pathfinding<State>(State);

impl<S: Alphabet> Task<S> for Pathfinding<S::State> {
    type Output = Cost;

    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Cost {
        let space = &field.space;
        let path = pathfinding::prelude::idastar(
            &self.0,
            |state| {
                let state = state.clone();
                moves_of(space, &state).into_iter().map(move |mv| {
                    let mut child = state.clone();
                    space.apply(&mut child, mv);
                    (child, space.cost(mv))
                })
            },
            |state| heuristic.bound(heuristic.root(space, state)),
            |state| space.is_goal(state),
        );
        path.expect("a path").1
    }
}

criterion_group!(all, benches);
criterion_main!(all);
