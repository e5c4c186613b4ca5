mod bounds;
mod formats;
mod solving;
mod spaces;

use std::collections::HashMap;

use super::*;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tiles/");

/// The puzzle with options.
fn tiles(options: &[(&'static str, &str)]) -> SlidingTiles {
    let settings = options
        .iter()
        .fold(Settings::default(), |settings, (name, value)| settings.with(name, *value));
    SlidingTiles::new(&settings).unwrap()
}

/// The index of a heuristic.
fn heuristic(name: &str) -> usize {
    crate::puzzle::find(SlidingTiles::INFO.heuristics, name).unwrap()
}

/// The boards of an input.
fn read(puzzle: &SlidingTiles, input: &str) -> Vec<SlidingInstance> {
    puzzle.read(input.as_bytes()).collect::<Result<_, _>>().unwrap()
}

fn instance(rows: usize, columns: usize, numbers: &[u8]) -> SlidingInstance {
    let tiles: Vec<Tile> = numbers.iter().filter_map(|&number| Tile::new(number.into())).collect();
    assert_eq!(tiles.len(), rows * columns);
    SlidingInstance { size: Size::new(rows, columns).unwrap(), board: Board::new(&tiles) }
}

fn numbers(instance: &SlidingInstance) -> Vec<u8> {
    let cells = &instance.board.cells[..instance.size.cells()];
    cells.iter().map(|tile| u8::try_from(tile.number()).unwrap()).collect()
}

/// A small generator of numbers (`SplitMix64`), the same ones for ever.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ x >> 31) % end as u64).unwrap()
    }

    fn shuffled(&mut self, cells: usize) -> Vec<u8> {
        let mut numbers: Vec<u8> = (0..u8::try_from(cells).unwrap()).collect();
        for last in (1..cells).rev() {
            numbers.swap(last, self.below(last + 1));
        }
        numbers
    }
}

/// The slides of a board, by the way of the blank, written down plainly.
fn slides(columns: usize, board: &[u8]) -> Vec<(char, Vec<u8>)> {
    let blank = board.iter().position(|&number| number == 0).unwrap();
    let mut slides = Vec::new();
    let mut add = |letter, to: usize| {
        let mut slid = board.to_vec();
        slid.swap(blank, to);
        slides.push((letter, slid));
    };
    if blank >= columns {
        add('U', blank - columns);
    }
    if !blank.is_multiple_of(columns) {
        add('L', blank - 1);
    }
    if blank % columns < columns - 1 {
        add('R', blank + 1);
    }
    if blank + columns < board.len() {
        add('D', blank + columns);
    }
    slides
}

/// The distances of all boards from a goal, breadth first.
fn distances(columns: usize, goal: &[u8]) -> HashMap<Vec<u8>, Cost> {
    let mut distances = HashMap::from([(goal.to_vec(), 0)]);
    let mut layer = vec![goal.to_vec()];
    for distance in 1.. {
        let mut next = Vec::new();
        for board in &layer {
            for (_, slid) in slides(columns, board) {
                if !distances.contains_key(&slid) {
                    distances.insert(slid.clone(), distance);
                    next.push(slid);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

/// All permutations of some numbers.
fn permutations(numbers: &[u8]) -> Vec<Vec<u8>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &number) in numbers.iter().enumerate() {
        let rest = [&numbers[..place], &numbers[place + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|rest| [&[number], &rest[..]].concat()));
    }
    all
}

/// Goals of a size: the blank first, last and elsewhere among shuffled tiles.
fn goals(rows: usize, columns: usize) -> [Vec<u8>; 3] {
    let cells = u8::try_from(rows * columns).unwrap();
    let last = (1..cells).chain([0]).collect();
    [(0..cells).collect(), last, Dice(u64::from(cells)).shuffled(cells.into())]
}

/// The puzzle whose goal is that board.
fn with_goal(rows: usize, columns: usize, goal: &[u8]) -> SlidingTiles {
    let goal = instance(rows, columns, goal);
    let (size, goal) = (goal.size.to_string(), goal.size.text(&goal.board));
    tiles(&[("size", &size), ("goal", &goal)])
}
