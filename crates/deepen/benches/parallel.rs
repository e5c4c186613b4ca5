//! What it brings to search with several threads, and to advance several subtrees in turn when every
//! child needs a look-up that misses the caches.
//!
//! `cargo bench -p deepen --bench parallel` searches the 15-puzzle with Manhattan distance, raised
//! here and there by a random table:
//!
//! - *lanes*: a table of 512 MB, in one thread, by plain recursion and with 4 to 32 lanes, with the
//!   pages of memory that the system gives unasked and with huge ones. It tells how many million
//!   nodes each expands a second of processor time, and as a multiple of plain recursion.
//! - *threads*: a table of 64 KB, with one thread, then as many as there are processors. It tells
//!   how many million nodes they expand a second, and as a multiple of one thread. Mind that this is
//!   time by the clock: nothing else should run.
//!
//! Each number is the best of several rounds. The counts of nodes are checked to be the same. With
//! `-- WORD` behind the command, only the parts are measured whose title has it, as `huge`.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use deepen::table::prefetch;
use deepen::{Control, Cost, Heuristic, Ida, Limits, Pruning, Space, Threads, Visitor};
use memmap2::MmapMut;

const ROUNDS: usize = 3;
const TABLE: usize = 512 << 20;
const SMALL_TABLE: usize = 64 << 10;
const LANES: [usize; 5] = [1, 4, 8, 16, 32];

/// A board: four bits a cell, that of the first cell lowest, and the blank's cell.
#[derive(Debug, Clone, Copy)]
struct Board {
    cells: u64,
    blank: u8,
}

impl Board {
    fn tile(self, cell: u8) -> u8 {
        (self.cells >> (4 * cell) & 15) as u8
    }
}

struct Fifteen {
    /// By cell: the cells beside it.
    neighbours: [Vec<u8>; 16],
}

impl Fifteen {
    fn new() -> Self {
        let beside = |a: u8, b: u8| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4) == 1;
        let of = |cell: usize| (0..16).filter(|&other| beside(cell as u8, other)).collect();
        Fifteen { neighbours: std::array::from_fn(of) }
    }
}

/// From where to where the blank goes.
type Move = (u8, u8);

impl Space for Fifteen {
    type State = Board;
    type Move = Move;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(&self, board: &mut Board, v: &mut V) -> ControlFlow<()> {
        let blank = board.blank;
        for &to in &self.neighbours[usize::from(blank)] {
            v.visit(board, (blank, to))?;
        }
        ControlFlow::Continue(())
    }
    #[inline(always)]
    fn apply(&self, board: &mut Board, (from, to): Move) {
        let tile = board.cells >> (4 * to) & 15;
        board.cells ^= tile << (4 * to) | tile << (4 * from);
        board.blank = to;
    }
    #[inline(always)]
    fn undo(&self, board: &mut Board, (from, to): Move) {
        self.apply(board, (to, from));
    }
    fn is_goal(&self, board: &Board) -> bool {
        board.cells == 0xfedc_ba98_7654_3210
    }
}

/// The blank does not go back to where it was.
struct Forward;

impl Pruning<Fifteen> for Forward {
    type State = u8;
    fn start(&self) -> u8 {
        16
    }
    #[inline(always)]
    fn step(&self, _: &Fifteen, last: u8, (from, to): Move) -> Option<u8> {
        (to != last).then_some(from)
    }
}

/// Manhattan distance, and twice as much more as the table says.
struct Random {
    table: MmapMut,
    distances: [[u8; 16]; 16],
    /// One less than the size of the table.
    mask: u32,
    lanes: usize,
}

#[derive(Clone, Copy)]
struct Value {
    manhattan: u8,
    raised: u8,
    place: u32,
}

impl Random {
    fn new(lanes: usize, table: MmapMut) -> Self {
        let distance = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
        let of = |tile| std::array::from_fn(|cell| distance(tile, cell) as u8);
        let mut distances = std::array::from_fn(of);
        distances[0] = [0; 16];
        Random { mask: (table.len() - 1) as u32, table, distances, lanes }
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 29).wrapping_mul(0xd1b5_4a32_d192_ed03)
}

impl Heuristic<Fifteen> for Random {
    type Value = Value;
    type Node = Value;
    const RAISES: bool = true;
    const LANES: bool = true;

    fn root(&self, _: &Fifteen, board: &Board) -> Value {
        let cells = 0..16_u8;
        let distance = |cell| self.distances[usize::from(board.tile(cell))][usize::from(cell)];
        Value { manhattan: cells.map(distance).sum(), raised: 0, place: 0 }
    }
    #[inline(always)]
    fn bound(&self, value: Value) -> Cost {
        Cost::from(value.manhattan + value.raised)
    }
    #[inline(always)]
    fn node(&self, _: &Fifteen, _: &Board, value: Value) -> Value {
        value
    }
    #[inline(always)]
    fn before(&self, _: &Fifteen, board: &Board, node: &Value, (from, to): Move) -> Value {
        let distances = &self.distances[usize::from(board.tile(to))];
        let manhattan = node.manhattan + distances[usize::from(from)] - distances[usize::from(to)];
        Value { manhattan, raised: 0, place: 0 }
    }
    #[inline(always)]
    fn ask(&self, _: &Fifteen, board: &Board, _: &Value, value: Value, _: Move) -> Value {
        Value { place: (mix(board.cells) >> 35) as u32 & self.mask, ..value }
    }
    #[inline(always)]
    fn prefetch(&self, value: Value) {
        prefetch(&self.table, value.place as usize);
    }
    #[inline(always)]
    fn after(&self, _: &Fifteen, _: &Board, _: &Value, value: Value, _: Move) -> Value {
        Value { raised: self.table[value.place as usize] / 64 / 3 * 2, ..value }
    }
    fn lanes(&self) -> usize {
        self.lanes
    }
}

/// A table of random bytes.
fn table(size: usize, huge: bool) -> MmapMut {
    let mut table = MmapMut::map_anon(size).expect("memory");
    #[cfg(target_os = "linux")]
    if huge && let Err(error) = table.advise(memmap2::Advice::HugePage) {
        println!("no huge pages: {error}");
    }
    (0..).zip(&mut table[..]).for_each(|(index, byte)| *byte = (mix(index) >> 40) as u8);
    table
}

/// The processor time of this thread, or where that is not told, the time.
fn now(began: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

/// Searches, and tells how many nodes were expanded.
fn search(random: &Random, cost: Cost, threads: usize) -> u64 {
    // The first of Korf's boards (1985), the blank's cell turned into the first.
    let cells = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3_u64];
    let cells = (0..).zip(cells).map(|(cell, tile)| tile << (4 * cell)).sum();
    let start = Board { cells, blank: 9 };
    let limits = Limits { cost, ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let space = Fifteen::new();
    let search = Ida::new(&space, random).pruning(&Forward);
    search.solve_in(&Threads::new(threads), &start, &mut control).statistics.total().expanded
}

/// Tells how fast each of the numbers of lanes or threads is, if this is asked for.
fn compare(what: &str, numbers: &[usize], mut run: impl FnMut(usize) -> (u64, Duration)) {
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    if asked.is_some_and(|asked| !what.contains(&asked)) {
        return;
    }
    let mut best = vec![0.0_f64; numbers.len()];
    let mut nodes = None;
    for _ in 0..ROUNDS {
        for (best, &number) in best.iter_mut().zip(numbers) {
            let (expanded, took) = run(number);
            assert_eq!(*nodes.get_or_insert(expanded), expanded);
            *best = best.max(expanded as f64 / took.as_secs_f64() / 1e6);
        }
    }
    println!("{what}: {} nodes", nodes.unwrap_or(0));
    for (speed, number) in best.iter().zip(numbers) {
        println!("{number:3}: {speed:5.1} M nodes/s, {:.2} times", speed / best[0]);
    }
}

fn main() {
    // `cargo test --benches` asks only whether it runs.
    let small = std::env::args().any(|argument| argument == "--test");
    let cost = if small { 45 } else { 55 };
    let began = Instant::now();
    let mut random = Random::new(1, table(SMALL_TABLE, false));
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    compare("threads", &[1, processors], |threads| {
        let began = Instant::now();
        (search(&random, cost, threads), began.elapsed())
    });
    for (pages, huge) in [("usual", false), ("huge", true)] {
        random = Random::new(1, table(TABLE, huge));
        compare(&format!("lanes, {pages} pages"), &LANES, |lanes| {
            random.lanes = lanes;
            let before = now(began);
            let expanded = search(&random, cost, 1);
            (expanded, now(began).saturating_sub(before))
        });
    }
}
