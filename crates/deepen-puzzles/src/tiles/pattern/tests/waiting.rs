//! How much of a search's time is waiting for look-ups.
//!
//! A search by recursion is done once with all answers noted, in order, and then again with the
//! answers read from the notes: it works out where each look-up would read, and never waits. However
//! well another search hides the waiting, it can't be faster but by doing less.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::*;
use crate::tiles::board::Slide;
use crate::tiles::pattern::additive::{STEP, changed};

/// Look-ups answered from notes.
struct Noted<'a, M> {
    additive: Additive<'a, M>,
    notes: RefCell<Vec<bool>>,
    /// How many notes were read.
    read: Cell<usize>,
    /// Whether notes are read; else they are taken.
    reads: Cell<bool>,
}

impl<M: Sets> Noted<'_, M> {
    #[inline(always)]
    fn look_up(&self, side: usize, node: &Value<M>, value: &mut Value<M>, at: (usize, u64)) {
        let greater = if self.reads.get() {
            black_box(at);
            let read = self.read.get();
            self.read.set(read + 1);
            let greater = self.notes.borrow()[read];
            value.change(side, at.0, greater);
            greater
        } else {
            let greater = self.additive.read(side, value, at.0, at.1);
            self.notes.borrow_mut().push(greater);
            greater
        };
        value.sums[side] = changed(node.sums[side], greater);
    }
}

impl<M: Sets> Heuristic<Tiles> for Noted<'_, M> {
    type Value = Value<M>;
    type Node = Value<M>;
    const RAISES: bool = true;
    const STEP: Option<Cost> = STEP;
    const BY_REGIONS: bool = false;

    fn root(&self, space: &Tiles, board: &Board) -> Value<M> {
        self.additive.root(space, board)
    }
    #[inline(always)]
    fn bound(&self, value: Value<M>) -> Cost {
        self.additive.bound(value)
    }
    #[inline(always)]
    fn node(&self, _: &Tiles, _: &Board, value: Value<M>) -> Value<M> {
        value
    }
    #[inline(always)]
    fn before(&self, _: &Tiles, board: &Board, node: &Value<M>, slide: Slide) -> Value<M> {
        let mut value = *node;
        let at = self.additive.pass(0, &mut value, board, (board.tile(slide.to), slide));
        self.look_up(0, node, &mut value, at);
        value.sums[1] = node.sums[1].saturating_sub(1);
        value
    }
    #[inline(always)]
    fn after(
        &self,
        _: &Tiles,
        board: &Board,
        node: &Value<M>,
        mut value: Value<M>,
        slide: Slide,
    ) -> Value<M> {
        let at = self.additive.pass(1, &mut value, board, (board.tile(slide.from), slide));
        self.look_up(1, node, &mut value, at);
        value
    }
}

/// The time of a search, and how many nodes it expands.
fn search<H: Heuristic<Tiles>>(
    space: &Tiles,
    heuristic: &H,
    start: &Board,
    lanes: usize,
) -> (Duration, u64) {
    let began = Instant::now();
    let search = Ida::new(space, heuristic).pruning(&Back).lanes(lanes);
    let outcome = search.solve(start, &mut Control::default());
    (began.elapsed(), outcome.statistics.total().expanded)
}

/// Compares recursion, eight lanes, and recursion with the answers noted.
fn compare<M: Sets>(space: &Tiles, name: &str, start: &Board) {
    let partition = Partition::named(name, space.rows, space.columns).unwrap();
    let patterns = Patterns::new(space, partition, &Tables::default()).unwrap();
    let late = Late(Additive::<M>::new(space, &patterns).unwrap());
    let noted = Noted {
        additive: Additive::<M>::new(space, &patterns).unwrap(),
        notes: RefCell::default(),
        read: Cell::new(0),
        reads: Cell::new(false),
    };
    let (_, nodes) = search(space, &noted, start, 1);
    noted.reads.set(true);
    let mut best = [f64::MAX; 3];
    for _ in 0..5 {
        noted.read.set(0);
        let runs = [
            search(space, &late, start, 1),
            search(space, &late, start, 8),
            search(space, &noted, start, 1),
        ];
        for (best, (took, expanded)) in best.iter_mut().zip(runs) {
            assert_eq!(expanded, nodes);
            *best = best.min(took.as_nanos() as f64 / nodes as f64);
        }
        assert_eq!(noted.read.get(), noted.notes.borrow().len());
    }
    let [plain, lanes, noted] = best;
    println!("{name}: {nodes} nodes; in ns each, by recursion {plain:.0},");
    println!("  in eight lanes {lanes:.0} ({:.2} times as fast),", plain / lanes);
    println!("  by recursion if nothing were to be waited for {noted:.0} ({:.2})", plain / noted);
}

/// `cargo test --release -p deepen-puzzles --lib measure_waiting -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_waiting() {
    let far = board(&[15, 10, 8, 12, 11, 14, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0]);
    compare::<u64>(&space(4, 4, 0), "pdb-78", &far);
    compare::<u128>(&space(5, 5, 0), "pdb-6666", &korf_24()[39].0);
}

/// The search with the answers noted is the same.
#[test]
fn notes_answer_as_tables_do() {
    let space = space(4, 4, 0);
    let (start, _) = *korf_15().iter().min_by_key(|(_, length)| *length).unwrap();
    compare::<u64>(&space, "pdb-663", &start);
}
