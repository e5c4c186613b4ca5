//! Searches: lengths, moves and counts.

use std::fs::read_to_string;
use std::time::Duration;

use deepen::{DepthProfile, Verdict};

use super::*;
use crate::solve::{Method, Pruned, solve, solve_any, solve_profiled};

/// Korf's hundred boards, and of each: its length, the nodes generated and expanded.
fn korf(puzzle: &SlidingTiles) -> Vec<(SlidingInstance, [u64; 3])> {
    let boards = read(puzzle, &read_to_string(format!("{TESTDATA}korf.txt")).unwrap());
    let counts = read_to_string(format!("{TESTDATA}korf_counts.txt")).unwrap();
    let counts = counts.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut numbers = line.split_whitespace().skip(1).map(|number| number.parse().unwrap());
        [(); 3].map(|()| numbers.next().unwrap())
    });
    let all: Vec<_> = boards.into_iter().zip(counts).collect();
    assert_eq!(all.len(), 100);
    all
}

/// The hundred boards, but for those that take more expansions with the Manhattan distance.
fn easy(puzzle: &SlidingTiles, expanded: u64) -> Vec<(SlidingInstance, [u64; 3])> {
    korf(puzzle).into_iter().filter(|(_, counts)| counts[2] <= expanded).collect()
}

fn cost(puzzle: &SlidingTiles, board: &SlidingInstance, method: Method) -> Cost {
    let outcome = solve(puzzle, board, method, &mut Control::default());
    outcome.verdict.solution().unwrap().cost
}

fn korf_lengths(expanded: u64, heuristics: &[&str]) {
    let puzzle = tiles(&[]);
    let boards = easy(&puzzle, expanded);
    for name in heuristics {
        let method = Method { heuristic: heuristic(name), ..Method::default() };
        for (board, [length, ..]) in &boards {
            assert_eq!(u64::from(cost(&puzzle, board, method)), *length, "{name} {board:?}");
        }
    }
}

fn korf_counts(expanded: u64) {
    let puzzle = tiles(&[]);
    let method =
        Method { heuristic: heuristic("manhattan"), pruned: Pruned::Inverse, ..Method::default() };
    for (board, [length, generated, expanded]) in easy(&puzzle, expanded) {
        let outcome = solve(&puzzle, &board, method, &mut Control::default());
        let total = outcome.statistics.total();
        let cost = outcome.verdict.solution().unwrap().cost;
        assert_eq!((u64::from(cost), total.expanded), (length, expanded));
        assert_eq!(total.generated, generated);
    }
}

#[test]
fn korfs_easier_boards_have_their_lengths_with_every_heuristic() {
    korf_lengths(4_000_000, &["manhattan", "linear-conflict", "walking-distance"]);
    korf_lengths(20_000_000, &["linear-conflict", "walking-distance"]);
}

#[test]
fn korfs_easier_boards_have_his_counts() {
    korf_counts(4_000_000);
}

/// `cargo test --release -- --ignored korf`: some minutes, all hundred.
#[test]
#[ignore = "takes minutes"]
fn korfs_boards_have_their_lengths() {
    korf_lengths(u64::MAX, &["walking-distance"]);
}

#[test]
#[ignore = "takes minutes"]
fn korfs_boards_have_his_counts() {
    korf_counts(u64::MAX);
}

/// The depth profile is a search that is not compiled by regions.
#[test]
fn regions_make_no_difference_to_moves_and_counts() {
    let puzzle = tiles(&[]);
    for (board, _) in easy(&puzzle, 1_000_000) {
        for name in ["manhattan", "linear-conflict", "walking-distance"] {
            for pruned in [Pruned::Inverse, Pruned::Learned] {
                let method = Method { heuristic: heuristic(name), pruned, ..Method::default() };
                let by_regions = solve_any(&puzzle, &board, method, &mut Control::default());
                let profile = DepthProfile::default();
                let control = &mut Control::default();
                let at_once = solve_profiled(&puzzle, &board, method, control, &profile);
                assert_eq!(by_regions.verdict, at_once.verdict);
                let [one, other] = [by_regions, at_once].map(|outcome| {
                    let mut iterations = outcome.statistics.iterations;
                    for iteration in &mut iterations {
                        iteration.elapsed = Duration::ZERO;
                    }
                    // (A region counts what it leaves out when it is entered, and the last is not
                    // gone through to the end.)
                    iterations.last_mut().unwrap().cut_by_pruning = 0;
                    iterations
                });
                assert_eq!(one, other);
            }
        }
    }
}

/// All small boards are searched with every heuristic.
#[test]
fn every_small_board_is_solved_to_any_goal_or_known_to_be_impossible() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (1, 4), (4, 1)] {
        let all = permutations(&(0..u8::try_from(rows * columns).unwrap()).collect::<Vec<_>>());
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let distances = distances(columns, &goal);
            for (index, board) in all.iter().enumerate() {
                let names = SlidingTiles::INFO.heuristics.iter().map(|choice| choice.name);
                for (place, name) in names.enumerate() {
                    if name == "zero" && index % 50 != 0 {
                        continue;
                    }
                    let method = Method { heuristic: place, ..Method::default() };
                    let instance = instance(rows, columns, board);
                    let verdict =
                        solve(&puzzle, &instance, method, &mut Control::default()).verdict;
                    match verdict {
                        Verdict::Solved(solution) => {
                            assert_eq!(Some(&solution.cost), distances.get(board), "{board:?}");
                        }
                        Verdict::Impossible(_) => assert!(!distances.contains_key(board)),
                        other => panic!("{board:?}: {other:?}"),
                    }
                }
            }
        }
    }
}

/// Turned by half a turn, with the tiles counted backwards, the goal with the blank first becomes
/// that with the blank last.
#[test]
fn the_blank_first_is_the_blank_last_upside_down() {
    let (first, last) = (tiles(&[]), tiles(&[("goal", "last")]));
    for (board, [length, ..]) in easy(&first, 1_000_000) {
        let turned = numbers(&board).into_iter().rev().map(|number| (16 - number) % 16);
        let turned = instance(4, 4, &turned.collect::<Vec<_>>());
        assert_eq!(u64::from(cost(&last, &turned, Method::default())), length);
    }
}

/// With the tiles of board and goal renamed alike, nothing changes.
#[test]
fn any_goal_is_the_usual_one_with_other_names() {
    let mut dice = Dice(5);
    let usual = tiles(&[]);
    for (board, _) in easy(&usual, 1_000_000) {
        let names =
            [vec![0], dice.shuffled(15).into_iter().map(|name| name + 1).collect()].concat();
        let renamed = numbers(&board).into_iter().map(|number| names[usize::from(number)]);
        let renamed = instance(4, 4, &renamed.collect::<Vec<_>>());
        let puzzle = with_goal(4, 4, &names);
        for name in ["manhattan", "linear-conflict", "walking-distance"] {
            let method = Method { heuristic: heuristic(name), ..Method::default() };
            let [here, there] = [(&usual, &board), (&puzzle, &renamed)].map(|(puzzle, board)| {
                let outcome = solve(puzzle, board, method, &mut Control::default());
                let slides = outcome.verdict.solution().unwrap().moves;
                let ways: Vec<_> = slides.into_iter().map(|slide| slide.direction).collect();
                (ways, outcome.statistics.total().generated)
            });
            assert_eq!(here, there, "{name}");
        }
    }
}

#[test]
fn larger_boards_are_solved_with_every_heuristic() {
    let puzzle = tiles(&[]);
    let mut dice = Dice(6);
    for (rows, columns) in [(3, 5), (4, 5), (5, 5), (6, 6), (4, 9), (2, 18)] {
        let size = Size::new(rows, columns).unwrap();
        for slides in [10, 20, 30] {
            let mut board = size.blank_first();
            let instance = SlidingInstance { size, board };
            let space = &puzzle.field(&instance).space;
            for _ in 0..slides {
                let moves = deepen::moves_of(space, &board);
                deepen::Space::apply(space, &mut board, moves[dice.below(moves.len())]);
            }
            let instance = SlidingInstance { size, board };
            let costs = ["manhattan", "linear-conflict", "walking-distance", "table"].map(|name| {
                let method = Method { heuristic: heuristic(name), ..Method::default() };
                cost(&puzzle, &instance, method)
            });
            assert!(costs.iter().all(|&cost| cost == costs[0] && cost <= slides), "{costs:?}");
        }
    }
}
