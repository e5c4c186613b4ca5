//! Instances drawn at random: each as likely as any other, of the wanted distance, and the same
//! for a seed. Distances are found by breadth-first searches over texts, which share nothing with
//! the engine.

use std::collections::HashMap;

use deepen::{CancelToken, Control, Cost, Stop};
use deepen_puzzles::{Booksort, Knights, Puzzle, Random, Rotation, Settings, Wanted};

fn sized<P: Puzzle>(size: &str) -> P {
    P::new(&Settings::default().with("size", size)).unwrap()
}

/// Draws so many instances, as they are written.
fn draw<P: Puzzle>(puzzle: &P, wanted: Wanted, count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut sampler = puzzle.sampler(wanted);
    let tries = std::iter::repeat_with(|| sampler(&mut random, &mut Control::default()).unwrap());
    tries.flatten().take(count).map(|instance| puzzle.write(&[instance])).collect()
}

/// Makes sure that what was drawn was drawn uniformly from `all`: that nothing else was, and that
/// chi-square is at most five standard deviations above its mean.
fn assert_uniform(drawn: &[String], all: &[String]) {
    let mut counts: HashMap<&String, f64> = all.iter().map(|text| (text, 0.0)).collect();
    assert_eq!(counts.len(), all.len());
    for text in drawn {
        *counts.get_mut(text).unwrap_or_else(|| panic!("not wanted: {text}")) += 1.0;
    }
    let expected = drawn.len() as f64 / all.len() as f64;
    assert!(expected >= 5.0);
    let sum: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    let degrees = all.len() as f64 - 1.0;
    let deviation = (2.0 * degrees).sqrt();
    assert!(sum < degrees + 5.0 * deviation, "{sum} for {degrees} degrees of freedom");
    // Nor is it more even than chance would have it.
    assert!(sum > degrees - 5.0 * deviation, "{sum} for {degrees} degrees of freedom");
}

/// What can be reached from a start, by distance.
fn layers<T: Clone + Eq + std::hash::Hash>(start: T, next: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut seen = std::collections::HashSet::from([start.clone()]);
    let mut layers = vec![vec![start]];
    while let Some(last) = layers.last().filter(|layer| !layer.is_empty()) {
        let new = last.iter().flat_map(&next).filter(|state| seen.insert(state.clone())).collect();
        layers.push(new);
    }
    layers.pop();
    layers
}

/// The shelves of so many books by distance, as they are written.
fn shelves(books: u8) -> Vec<Vec<String>> {
    let sorted: Vec<u8> = (1..=books).collect();
    let moves = |shelf: &Vec<u8>| {
        let mut all = Vec::new();
        for from in 0..shelf.len() {
            for to in from + 1..shelf.len() {
                for end in to + 1..=shelf.len() {
                    let parts = [&shelf[..from], &shelf[to..end], &shelf[from..to], &shelf[end..]];
                    all.push(parts.concat());
                }
            }
        }
        all
    };
    let text = |shelf: &Vec<u8>| {
        let books: Vec<String> = shelf.iter().map(u8::to_string).collect();
        format!("1\n{}\n{}\n", books.len(), books.join(" "))
    };
    layers(sorted, moves).iter().map(|layer| layer.iter().map(text).collect()).collect()
}

/// The boards of 4 by 4 knights by distance, as they are written.
fn boards() -> Vec<Vec<String>> {
    let goal = "11111111*0000000".to_string();
    let moves = |board: &String| {
        let blank = board.find('*').unwrap();
        let mut all = Vec::new();
        for from in 0..16_usize {
            let (rows, columns) = ((from / 4).abs_diff(blank / 4), (from % 4).abs_diff(blank % 4));
            if rows * columns == 2 {
                let mut cells = board.clone().into_bytes();
                cells.swap(from, blank);
                all.push(String::from_utf8(cells).unwrap());
            }
        }
        all
    };
    let text = |board: &String| {
        let rows: Vec<&str> = (0..4).map(|row| &board[row * 4..row * 4 + 4]).collect();
        format!("1\n{}\n", rows.join("\n"))
    };
    layers(goal, moves).iter().map(|layer| layer.iter().map(text).collect()).collect()
}

#[test]
fn any_instance_is_as_likely_as_any_other() {
    let all = shelves(4).concat();
    assert_eq!(all.len(), 24);
    assert_uniform(&draw(&sized::<Booksort>("4"), Wanted::Any, 5000, 1), &all);

    // Few boards of 2 by 3 can be reached from the goal: all of them are drawn.
    let mut all = Vec::new();
    for blank in 0..6 {
        for ones in (0..1 << 5_u32).filter(|ones: &u32| ones.count_ones() == 3) {
            let mut cells: Vec<char> =
                (0..5).map(|cell| if ones >> cell & 1 == 1 { '1' } else { '0' }).collect();
            cells.insert(blank, '*');
            let row = |row: usize| cells[row * 3..row * 3 + 3].iter().collect::<String>();
            all.push(format!("1\n{}\n{}\n", row(0), row(1)));
        }
    }
    assert_eq!(all.len(), 60);
    let knights = sized::<Knights>("2x3");
    assert_eq!(knights.instances(), Some(60));
    assert_uniform(&draw(&knights, Wanted::Any, 5000, 2), &all);
}

/// Drawn by rejection.
#[test]
fn any_instance_of_a_distance_is_as_likely_as_any_other() {
    let shelves = shelves(5);
    let booksort = sized::<Booksort>("5");
    assert_uniform(&draw(&booksort, Wanted::Exactly(2), 3000, 3), &shelves[2]);
    assert_uniform(&draw(&booksort, Wanted::AtLeast(2), 3000, 4), &shelves[2..].concat());
    assert_uniform(&draw(&booksort, Wanted::AtLeast(0), 3000, 5), &shelves.concat());
    assert_eq!(shelves.len(), 4);
}

/// Drawn by walks: of three shelves in four two or more walks lead to each, and from the cells of
/// a board two to four jumps.
#[test]
fn any_instance_of_a_small_distance_is_as_likely_as_any_other() {
    let drawn = draw(&sized::<Booksort>("7"), Wanted::Exactly(2), 10_000, 6);
    assert_uniform(&drawn, &shelves(7)[2]);
    let boards = boards();
    let drawn = draw(&sized::<Knights>("4x4"), Wanted::Exactly(5), 1000, 7);
    assert_uniform(&drawn, &boards[5]);
}

#[test]
fn instances_have_the_wanted_distance() {
    let distances: HashMap<String, Cost> = (0..)
        .zip(boards())
        .flat_map(|(distance, layer)| layer.into_iter().map(move |board| (board, distance)))
        .collect();
    assert_eq!(distances.len(), 102_960);
    let knights = sized::<Knights>("4x4");
    assert_eq!(knights.instances(), Some(102_960));
    for distance in [0, 1, 4, 7, 10, 15, 20, 24] {
        for text in draw(&knights, Wanted::Exactly(distance), 3, 8) {
            assert_eq!(distances[&text], distance);
        }
        for text in draw(&knights, Wanted::AtLeast(distance), 3, 9) {
            assert!(distances[&text] >= distance);
        }
    }
}

#[test]
fn impossible_instances_have_no_distance() {
    // One board of 630 is possible.
    let knights = sized::<Knights>("3x3");
    let mut sampler = knights.sampler(Wanted::AtLeast(1));
    let mut random = Random::new(10);
    for _ in 0..2000 {
        assert_eq!(sampler(&mut random, &mut Control::default()), Ok(None));
    }
    let goal = draw(&knights, Wanted::AtLeast(0), 1, 11);
    assert_eq!(goal, ["1\n111\n1*0\n000\n"]);
}

#[test]
fn a_search_that_is_stopped_is_told() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut control = Control { cancel, ..Control::default() };
    let knights = Knights::new(&Settings::default()).unwrap();
    let mut sampler = knights.sampler(Wanted::Exactly(30));
    let mut random = Random::new(12);
    let stopped =
        std::iter::repeat_with(|| sampler(&mut random, &mut control)).find_map(Result::err);
    assert_eq!(stopped, Some(Stop::Cancelled));
}

#[test]
fn the_numbers_of_instances_and_the_greatest_distances_are_known() {
    let rotation = Rotation::new(&Settings::default()).unwrap();
    let factorial = |n: u128| (1..=n).product::<u128>();
    assert_eq!(rotation.instances(), Some(factorial(24) / factorial(8).pow(3)));
    assert_eq!(Knights::new(&Settings::default()).unwrap().instances(), Some(67_603_900));
    assert_eq!(sized::<Knights>("8x8").instances(), Some(64 * 916_312_070_471_295_267));
    // OEIS A065603.
    for (books, diameter) in (1..).zip([0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9]) {
        let booksort = sized::<Booksort>(&books.to_string());
        assert_eq!(booksort.greatest_distance(), Some(diameter));
        assert_eq!(booksort.instances(), Some(factorial(books)));
    }
    assert_eq!(sized::<Booksort>("64").instances(), None);
}
