//! What holds for every puzzle.

use deepen::Control;
use deepen_puzzles::{Method, PUZZLES, Puzzle, PuzzleTask, Settings, solve, with_puzzle};

fn for_every_puzzle<T: PuzzleTask<Output = ()> + Copy>(task: T) {
    assert!(!PUZZLES.is_empty());
    for info in PUZZLES {
        with_puzzle(info.name, task).unwrap();
    }
}

/// Every dialect of a puzzle, set up.
fn dialects<P: Puzzle>() -> impl Iterator<Item = P> {
    P::INFO.dialects.iter().map(|dialect| {
        P::new(&Settings { dialect: Some(dialect.name.into()), ..Settings::default() }).unwrap()
    })
}

#[test]
fn what_is_written_reads_back() {
    #[derive(Clone, Copy)]
    struct WriteAndRead;
    impl PuzzleTask for WriteAndRead {
        type Output = ();
        fn run<P: Puzzle>(self) {
            let puzzle = P::new(&Settings::default()).unwrap();
            let example: Result<Vec<_>, _> = puzzle.read(P::INFO.example.as_bytes()).collect();
            let example = example.unwrap();
            assert!(!example.is_empty());
            for puzzle in dialects::<P>() {
                for count in [0, 1, example.len()] {
                    let text = puzzle.write(&example[..count]);
                    let again: Result<Vec<_>, _> = puzzle.read(text.as_bytes()).collect();
                    assert_eq!(again.unwrap(), example[..count]);
                }
            }
        }
    }
    for_every_puzzle(WriteAndRead);
}

#[test]
fn the_example_is_solved_and_its_moves_read_back() {
    #[derive(Clone, Copy)]
    struct SolveAndReplay;
    impl PuzzleTask for SolveAndReplay {
        type Output = ();
        fn run<P: Puzzle>(self) {
            use deepen::Space;
            let puzzle = P::new(&Settings::default()).unwrap();
            for instance in puzzle.read(P::INFO.example.as_bytes()) {
                let instance = instance.unwrap();
                let space = &puzzle.field(&instance).space;
                let mut state = puzzle.start(&instance);
                let outcome = solve(&puzzle, &instance, Method::default(), &mut Control::default());
                for mv in outcome.verdict.solution().unwrap().moves {
                    let name = puzzle.move_name(space, mv);
                    assert!(!name.contains(char::is_whitespace));
                    let mv = puzzle.parse_move(space, &state, &name).unwrap();
                    space.apply(&mut state, mv);
                }
                assert!(space.is_goal(&state));
            }
        }
    }
    for_every_puzzle(SolveAndReplay);
}
