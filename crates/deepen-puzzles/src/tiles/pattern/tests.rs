//! Pattern databases against searches that know nothing of them, and against published lengths.

use deepen::{Control, Cost, Heuristic, Ida};

use super::*;
use crate::tiles::back::Back;
use crate::tiles::board::Board;
use crate::tiles::tile::Tile;

/// A board of these tiles.
fn board(tiles: &[usize]) -> Board {
    Board::new(&tiles.iter().map(|&tile| Tile::new(tile).unwrap()).collect::<Vec<_>>())
}

/// The space whose goal has the tiles in order and the blank in some cell.
fn space(rows: usize, columns: usize, blank: usize) -> Tiles {
    let mut tiles: Vec<usize> = (1..rows * columns).collect();
    tiles.insert(blank, 0);
    Tiles::new(rows, columns, board(&tiles))
}

/// Boards of so many cells and the lengths of their solutions, from a file.
fn instances(text: &str, cells: usize) -> Vec<(Board, Cost)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let numbers: Vec<usize> =
                line.split_whitespace().map(|number| number.parse().unwrap()).collect();
            (board(&numbers[..cells]), numbers[cells] as Cost)
        })
        .collect()
}

fn korf_15() -> Vec<(Board, Cost)> {
    instances(include_str!("../../../../../testdata/tiles/korf100.txt"), 16)
}

fn korf_24() -> Vec<(Board, Cost)> {
    instances(include_str!("../../../../../testdata/tiles/korf24.txt"), 25)
}

/// The length of the solution that IDA* finds, and how many nodes it expands.
fn solve(space: &Tiles, heuristic: &PatternHeuristic, start: &Board) -> (Cost, u64) {
    fn run<H: Heuristic<Tiles>>(space: &Tiles, heuristic: &H, start: &Board) -> (Cost, u64) {
        let pruning = Back;
        let ida = Ida::new(space, heuristic).pruning(&pruning);
        let outcome = ida.solve(start, &mut Control::default());
        let expanded = outcome.statistics.iterations.iter().map(|i| i.expanded).sum();
        (outcome.verdict.solution().unwrap().cost, expanded)
    }
    match heuristic {
        PatternHeuristic::Near(near) => run(space, near, start),
        PatternHeuristic::Far(far) => run(space, far, start),
        PatternHeuristic::Wide(wide) => run(space, wide, start),
    }
}

/// `cargo test --release -p deepen-puzzles --lib measure_15 -- --ignored --nocapture`: building and
/// Korf's hundred instances, with each partition of 4 × 4.
#[test]
#[ignore = "a measurement"]
fn measure_15() {
    let only = std::env::var("PARTITION").ok();
    for partition in PARTITIONS.iter().filter(|p| p.name != "pdb-6666") {
        if only.as_ref().is_some_and(|only| only != partition.name) {
            continue;
        }
        measure(&space(4, 4, 0), *partition, &korf_15());
    }
}

/// The same with some of Korf's 24-puzzles: numbers 40, 38, 25, 44, 32, counted from 1.
#[test]
#[ignore = "a measurement"]
fn measure_24() {
    let numbers = std::env::var("NUMBERS").unwrap_or("40 38".into());
    let numbers = numbers.split_whitespace().map(|number| number.parse::<usize>().unwrap());
    let all = korf_24();
    let some: Vec<_> = numbers.map(|number| all[number - 1]).collect();
    measure(&space(5, 5, 0), Partition::named("pdb-6666", 5, 5).unwrap(), &some);
}

fn measure(space: &Tiles, partition: Partition, instances: &[(Board, Cost)]) {
    let began = std::time::Instant::now();
    let patterns = Patterns::new(space, partition, &Tables::default()).unwrap();
    println!("{}: {:?} before building", partition.name, began.elapsed());
    let heuristic = patterns.heuristic(space).unwrap();
    println!("  {:?} with building", began.elapsed());
    for table in &patterns.tables {
        let (size, census) = (table.get().unwrap().size(), table.get().unwrap().census().to_vec());
        let states: u64 = census.iter().sum();
        println!("  {}: {size} bytes, {states} states, {}", table.definition(), census.len() - 1);
    }
    let began = std::time::Instant::now();
    let mut total = 0;
    for (start, length) in instances {
        let began = std::time::Instant::now();
        let (found, expanded) = solve(space, &heuristic, start);
        assert_eq!(found, *length);
        if instances.len() < 10 {
            println!("  {length}: {expanded} nodes, {:?}", began.elapsed());
        }
        total += expanded;
    }
    let took = began.elapsed();
    let rate = total as f64 / took.as_secs_f64() / 1e6;
    println!("  {total} nodes expanded, {took:?}, {rate:.1} M/s");
}
