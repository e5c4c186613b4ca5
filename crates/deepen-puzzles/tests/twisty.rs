//! Twisty puzzles: published counts, conventions, and what is refused.

#![allow(clippy::unwrap_used)]

use deepen::{CancelToken, Control, Space, Verdict, moves_of};
use deepen_puzzles::{Method, Puzzle, Settings, Topspin, Twisty, solve};

fn twisty(options: &[(&'static str, &str)]) -> Twisty {
    let settings =
        options.iter().fold(Settings::default(), |s, (name, value)| s.with(name, *value));
    Twisty::new(&settings).unwrap()
}

fn census(puzzle: &impl Puzzle, last: Option<u32>) -> Vec<u64> {
    puzzle.count_layers(last, 1 << 30, &CancelToken::new()).unwrap().counts.unwrap()
}

/// Published: 3,674,160 positions.
#[test]
fn the_2x2x2_in_half_turns() {
    let counts = census(&twisty(&[]), None);
    let published = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert_eq!(counts, published);
}

/// Published: the greatest distance is 14.
#[test]
fn the_2x2x2_in_quarter_turns() {
    let counts = census(&twisty(&[("metric", "quarter")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (14, 3_674_160));
}

/// Published: 933,120 positions, greatest distance 11.
#[test]
fn the_pyraminx() {
    let counts = census(&twisty(&[("puzzle", "pyraminx")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (11, 933_120));
}

/// Published: 3,149,280 positions, greatest distance 11.
#[test]
fn the_skewb() {
    let counts = census(&twisty(&[("puzzle", "skewb")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (11, 3_149_280));
}

/// Published: 192 positions, greatest distance 8.
#[test]
fn the_floppy_cube() {
    let counts = census(&twisty(&[("puzzle", "floppy")]), None);
    assert_eq!(counts, [1, 4, 10, 24, 53, 64, 31, 4, 1]);
}

/// Published, in half turns.
#[test]
fn the_3x3x3_to_depth_6() {
    let counts = census(&twisty(&[("puzzle", "3x3x3")]), Some(5));
    assert_eq!(counts, [1, 18, 243, 3240, 43239, 574908]);
}
