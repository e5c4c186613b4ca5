//! Pattern databases against searches that know nothing of them, and against published lengths.

mod waiting;

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;

use deepen::table::{Lookup, TableBuild};
use deepen::{Control, Cost, Heuristic, INFINITE, Ida, Space, moves_of};

use super::additive::{Sets, Value};
use super::picture::Picture;
use super::symmetry::cells_of;
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
    let boards = include_str!("../../../../../testdata/tiles/korf.txt");
    let lengths = include_str!("../../../../../testdata/tiles/korf.out");
    let lines = boards.lines().zip(lengths.lines());
    let lines: Vec<_> = lines.map(|(board, length)| format!("{board} {length}\n")).collect();
    instances(&lines.concat(), 16)
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

/// Numbers without rhyme, the same every time (an xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// The cells beside each cell.
fn beside(rows: usize, columns: usize, cell: usize) -> Vec<usize> {
    let near = |other: usize| {
        let rows = (cell / columns).abs_diff(other / columns);
        rows + (cell % columns).abs_diff(other % columns) == 1
    };
    (0..rows * columns).filter(|&other| near(other)).collect()
}

/// How many slides of its own a pattern needs, of the cells of its tiles and the blank, which are
/// bytes of the key. Slides of other tiles cost nothing, so what costs nothing is looked at first.
fn own_slides(rows: usize, columns: usize, goal: &[u8]) -> HashMap<Vec<u8>, Cost> {
    let mut least = HashMap::from([(goal.to_vec(), 0)]);
    let mut queue = VecDeque::from([(goal.to_vec(), 0)]);
    while let Some((cells, distance)) = queue.pop_front() {
        if least[&cells] < distance {
            continue;
        }
        let (&blank, tiles) = cells.split_last().unwrap();
        for cell in beside(rows, columns, blank.into()) {
            let mut child = cells.clone();
            *child.last_mut().unwrap() = cell as u8;
            let own = tiles.iter().position(|&tile| usize::from(tile) == cell);
            if let Some(own) = own {
                child[own] = blank;
            }
            let reached = distance + Cost::from(own.is_some());
            let known = least.entry(child.clone()).or_insert(INFINITE);
            if reached < *known {
                *known = reached;
                match own {
                    Some(_) => queue.push_back((child, reached)),
                    None => queue.push_front((child, reached)),
                }
            }
        }
    }
    least
}

#[test]
fn a_pattern_needs_as_many_slides_as_a_search_of_its_cells_and_the_blanks() {
    // In some of these the blank's home is cut off from most of the board.
    for (rows, columns, home, blank) in [
        (3, 3, &[1, 2, 3, 4][..], 0),
        (3, 3, &[1, 3, 5, 7], 4),
        (3, 3, &[1, 3, 8], 0),
        (2, 4, &[1, 2, 4], 0),
        (2, 4, &[1, 4, 6, 7], 0),
        (4, 2, &[3, 5, 6], 7),
        (3, 4, &[2, 6, 7], 3),
        (3, 5, &[1, 5, 9], 0),
        (4, 4, &[1, 4, 15], 0),
        (4, 4, &[5, 6, 9], 10),
    ] {
        let places = Arc::new(Places::new(rows, columns, home.len()));
        let mask = home.iter().fold(0, |mask, cell| mask | 1 << cell);
        let pattern = Pattern::new(places, mask, blank.into());
        let eight = TableBuild::default().build(&pattern, [pattern.goal()]).unwrap();
        let moves = pattern.moves();
        let goal = pattern.in_block(&pattern.goal());
        let one = TableBuild::default().build_blocks(&moves, [goal]).unwrap();
        assert!(eight.packed(Width::One).unwrap() == one);
        let lookup = Lookup::new(&pattern, &one, |picture: &Picture| *picture);

        let goal: Vec<u8> = home.iter().copied().chain([blank]).collect();
        let slides = own_slides(rows, columns, &goal);
        let arrangements: usize = (0..=home.len()).map(|placed| rows * columns - placed).product();
        assert_eq!(slides.len(), arrangements);
        let mut seen = vec![false; pattern.size() as usize];
        for (cells, slides) in slides {
            let (&blank, tiles) = cells.split_last().unwrap();
            let mask = tiles.iter().fold(0, |mask, cell| mask | 1 << cell);
            let tiles = tiles.iter().map(|&cell| cell.into());
            let picture = pattern.picture(mask, blank.into(), tiles);
            let rank = pattern.rank(&picture);
            assert_eq!(pattern.unrank(rank), picture);
            assert_eq!(eight.distance(rank, 0), Some(slides));
            if !std::mem::replace(&mut seen[rank as usize], true) && rank.is_multiple_of(16) {
                assert_eq!(lookup.distance(&picture), slides);
            }
        }
        let states = seen.iter().filter(|&&seen| seen).count() as u64;
        assert_eq!(one.census().iter().sum::<u64>(), states);
    }
}

#[test]
fn blocks_are_the_sets_of_cells_with_what_they_cut_the_rest_into() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (3, 5), (5, 3)] {
        for tiles in 0..(rows * columns).min(7) {
            let places = Places::new(rows, columns, tiles);
            let mut blocks = vec![];
            let masks = 0_u32..1 << (rows * columns);
            for mask in masks.filter(|mask| mask.count_ones() as usize == tiles) {
                let mut met = 0;
                for cell in (0..(rows * columns) as u32).filter(|cell| mask >> cell & 1 == 0) {
                    let component = places.component(mask, cell);
                    // No way out of it, and none within it that is longer than all of it.
                    for cell in cells_of(component) {
                        for other in beside(rows, columns, cell as usize) {
                            assert!((component | mask) >> other & 1 == 1);
                        }
                    }
                    let block = places.block(mask, cell);
                    assert_eq!(places.of_block(block), (mask, component));
                    if met & component == 0 {
                        blocks.push(block);
                    }
                    met |= component;
                }
            }
            blocks.sort_unstable();
            assert!(blocks.into_iter().eq(0..places.blocks()));
        }
    }
}

#[test]
fn a_symmetry_takes_neighbours_to_neighbours() {
    for (rows, columns, number) in [(3, 4, 4), (4, 4, 8), (5, 5, 8)] {
        let symmetries = symmetry::Symmetry::all(rows, columns);
        assert_eq!(symmetries.len(), number);
        for (index, symmetry) in symmetries.iter().enumerate() {
            assert!(!symmetries[..index].contains(symmetry));
            for cell in 0..rows * columns {
                let taken = symmetry.cell(cell as u32);
                assert_eq!(symmetry.source(taken), cell as u32);
                let near = beside(rows, columns, cell).into_iter();
                let mut near: Vec<_> = near.map(|near| symmetry.cell(near as u32)).collect();
                near.sort_unstable();
                let beside = beside(rows, columns, taken as usize).into_iter();
                assert!(near.into_iter().eq(beside.map(|near| near as u32)));
            }
        }
    }
}

#[test]
fn every_tile_is_in_one_pattern_and_what_is_alike_shares_a_table() {
    for partition in PARTITIONS {
        let (rows, columns, tables) = match partition.name {
            "pdb-6666" => (5, 5, 2),
            "pdb-78" => (4, 4, 2),
            _ => (4, 4, 3),
        };
        for blank in 0..rows * columns {
            let space = space(rows, columns, blank);
            let sides = partition.views(&space);
            for views in &sides {
                let mut tiles: Vec<_> =
                    views.iter().flat_map(|view| &view.tiles).map(|tile| tile.number()).collect();
                tiles.sort_unstable();
                assert!(tiles.into_iter().eq(1..rows * columns));
            }
            let mut keys: Vec<_> =
                sides.iter().flatten().map(|view| (view.home, view.blank)).collect();
            keys.sort_unstable();
            keys.dedup();
            if [0, columns - 1, (rows - 1) * columns, rows * columns - 1].contains(&blank) {
                assert_eq!(keys.len(), tables, "{}", partition.name);
                assert_ne!(sides[0], sides[1]);
            }
        }
    }
}

/// A partition's databases, built.
fn patterns(space: &Tiles, rows: usize, columns: usize, drawing: &'static str) -> Patterns {
    let partition = Partition::drawn(rows, columns, drawing);
    Patterns::new(space, partition, &Tables::default()).unwrap()
}

/// The value of a child, as a search comes by it.
fn step<H: Heuristic<Tiles>>(
    heuristic: &H,
    space: &Tiles,
    (board, value): (&mut Board, H::Value),
    slide: super::super::Slide,
) -> H::Value {
    let node = heuristic.node(space, board, value);
    let mut value = heuristic.before(space, board, &node, slide);
    if H::EARLY {
        heuristic.prefetch(value);
        let told = heuristic.told(&node, value);
        assert!(heuristic.bound(value) <= heuristic.bound(told));
        value = told;
    }
    space.apply(board, slide);
    let mut goes_on = !H::EARLY || heuristic.more(value);
    while goes_on {
        let asked = heuristic.ask(space, board, &node, value, slide);
        heuristic.prefetch(asked);
        assert_eq!(heuristic.bound(asked), heuristic.bound(value));
        value = if H::EARLY {
            heuristic.told(&node, asked)
        } else {
            heuristic.after(space, board, &node, asked, slide)
        };
        assert!(heuristic.bound(asked) <= heuristic.bound(value));
        goes_on = heuristic.more(value);
    }
    value
}

/// A breadth-first search from the goal over so many boards: a value carried down is what it is
/// from scratch, no more than the distance, and changes by one with every slide. How many boards
/// there were, and the sums of the distances and of the values.
fn holds<H: Heuristic<Tiles>, M: Sets + PartialEq + Debug>(
    space: &Tiles,
    heuristic: &H,
    value: impl Fn(H::Value) -> Value<M>,
    most: usize,
) -> (usize, Cost, Cost) {
    let root = heuristic.root(space, &space.goal);
    assert_eq!(heuristic.bound(root), 0);
    let mut met = HashMap::from([(space.goal, 0)]);
    let mut queue = VecDeque::from([(space.goal, 0, root)]);
    let (mut distances, mut bounds) = (0, 0);
    while let Some((board, distance, carried)) = queue.pop_front() {
        let bound = heuristic.bound(carried);
        assert!(bound <= distance);
        (distances, bounds) = (distances + distance, bounds + bound);
        if queue.len() % 128 == 0 {
            assert_eq!(value(heuristic.root(space, &board)), value(carried));
        }
        for slide in moves_of(space, &board) {
            let mut child = board;
            let child_value = step(heuristic, space, (&mut child, carried), slide);
            assert_eq!(heuristic.bound(child_value).abs_diff(bound), 1);
            if met.len() < most && !met.contains_key(&child) {
                met.insert(child, distance + 1);
                queue.push_back((child, distance + 1, child_value));
            }
        }
    }
    (met.len(), distances, bounds)
}

#[test]
fn no_bound_exceeds_the_distance_on_any_small_board() {
    for (rows, columns, drawing, blanks) in [
        (3, 3, ".aaaabbbb", &[0, 4, 1][..]),
        (3, 3, ".abbaabbc", &[8]),
        (2, 4, ".aabaabb", &[0, 7, 2]),
        (4, 2, ".abcabca", &[0, 5]),
        (3, 4, ".aabcaabccbb", &[11]),
    ] {
        for &blank in blanks {
            let space = space(rows, columns, blank);
            let patterns = patterns(&space, rows, columns, drawing);
            let near = Additive::<u64>::new(&space, &patterns).unwrap();
            let told = holds(&space, &near, |value| value, 181_440);
            match rows * columns {
                8 => assert_eq!(told.0, 20_160),
                _ => assert_eq!(told.0, 181_440),
            }
            // The same by the other form, and in larger numbers.
            let late = Late(Additive::<u64>::new(&space, &patterns).unwrap());
            assert_eq!(holds(&space, &late, |(value, _)| value, 5000).0, 5000);
            let wide = Late(Additive::<u128>::new(&space, &patterns).unwrap());
            assert_eq!(holds(&space, &wide, |(value, _)| value, 5000).0, 5000);
        }
    }
}

/// Along random walks, a value carried down is what it is from scratch.
fn walks<H: Heuristic<Tiles>, M: Sets + PartialEq + Debug>(
    space: &Tiles,
    heuristic: &H,
    value: impl Fn(H::Value) -> Value<M>,
) {
    let mut random = Random(9);
    for _ in 0..20 {
        let mut board = space.goal;
        let mut carried = heuristic.root(space, &board);
        for moves in 1..400 {
            let slides = moves_of(space, &board);
            let slide = slides[random.below(slides.len())];
            carried = step(heuristic, space, (&mut board, carried), slide);
            assert!(heuristic.bound(carried) <= moves);
            if moves % 32 == 0 {
                assert_eq!(value(heuristic.root(space, &board)), value(carried));
            }
        }
    }
}

#[test]
fn a_value_carried_down_is_what_it_is_from_scratch() {
    for blank in [0, 3, 15, 6] {
        let space = space(4, 4, blank);
        let patterns =
            Patterns::new(&space, Partition::named("pdb-555", 4, 4).unwrap(), &Tables::default());
        let patterns = patterns.unwrap();
        walks(&space, &Additive::<u64>::new(&space, &patterns).unwrap(), |value| value);
        let late = Late(Additive::<u64>::new(&space, &patterns).unwrap());
        walks(&space, &late, |(value, _)| value);
    }
    for (rows, columns, blank, drawing) in [
        (4, 5, 0, ".aaabaabbbcccddcccdd"),
        (5, 4, 19, ".aabaabbccddccddcccd"),
        (3, 5, 14, ".aabbaacbbddccc"),
    ] {
        let space = space(rows, columns, blank);
        let patterns = patterns(&space, rows, columns, drawing);
        let late = Late(Additive::<u128>::new(&space, &patterns).unwrap());
        walks(&space, &late, |(value, _)| value);
    }
}

#[test]
fn goals_may_have_the_tiles_in_any_order() {
    let tiles = [7, 2, 0, 1, 8, 4, 3, 6, 5];
    let space = Tiles::new(3, 3, board(&tiles));
    let patterns = patterns(&space, 3, 3, ".aaaabbbb");
    let near = Additive::<u64>::new(&space, &patterns).unwrap();
    let mixed = holds(&space, &near, |value| value, 362880);
    // The same goal with the tiles in order.
    let tiles = [1, 2, 0, 3, 4, 5, 6, 7, 8];
    let space = Tiles::new(3, 3, board(&tiles));
    let patterns = self::patterns(&space, 3, 3, ".aaaabbbb");
    let near = Additive::<u64>::new(&space, &patterns).unwrap();
    assert_eq!(holds(&space, &near, |value| value, 362880), mixed);
}

#[test]
fn a_pattern_that_can_not_be_brought_home_is_a_dead_end() {
    let space = space(2, 3, 0);
    let patterns = patterns(&space, 2, 3, ".aaaab");
    let near = Additive::<u64>::new(&space, &patterns).unwrap();
    // Two tiles changed places: no moves lead to the goal, and with four of five tiles in a pattern
    // it shows.
    let swapped = board(&[0, 2, 1, 3, 4, 5]);
    assert_eq!(near.bound(near.root(&space, &swapped)), INFINITE);
}

#[test]
fn korfs_instances_have_their_published_lengths() {
    let space = space(4, 4, 0);
    let partition = Partition::named("pdb-663", 4, 4).unwrap();
    let patterns = Patterns::new(&space, partition, &Tables::default()).unwrap();
    let heuristic = patterns.heuristic(&space).unwrap();
    let mut instances = korf_15();
    assert_eq!(instances.len(), 100);
    instances.sort_by_key(|&(_, length)| length);
    let some = if cfg!(debug_assertions) { 40 } else { 100 };
    for (start, length) in &instances[..some] {
        assert_eq!(solve(&space, &heuristic, start).0, *length);
    }
}

/// `cargo test --release -p deepen-puzzles --lib measure_15 -- --ignored --nocapture`: building, and
/// Korf's hundred instances, with each partition of 4 × 4, or with the one that `PARTITION` names.
/// `FORM` chooses the form of the heuristic: `near`, `far` or `wide`.
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

/// The same with some of Korf's 24-puzzles: numbers 40 and 38, counted from 1, or what `NUMBERS`
/// says.
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
    let additive = || Additive::new(space, &patterns).unwrap();
    let heuristic = match std::env::var("FORM").as_deref() {
        Ok("near") => PatternHeuristic::Near(additive()),
        Ok("far") => PatternHeuristic::Far(Late(additive())),
        Ok("wide") => PatternHeuristic::Wide(Late(Additive::new(space, &patterns).unwrap())),
        _ => patterns.heuristic(space).unwrap(),
    };
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
