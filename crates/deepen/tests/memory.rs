//! Limits on memory, held against what is really allocated: every allocation of this process is
//! counted. There is one test, so that nothing else allocates meanwhile.

#![allow(unsafe_code, clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use deepen::heuristic::Zero;
use deepen::{
    Astar, Bfs, Bidirectional, Control, Cost, Limits, Outcome, Packed, Reversible, Space, Stop,
    Verdict, Visitor,
};

/// The system's allocator, counted.
struct Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does everything.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), SeqCst) + layout.size();
        PEAK.fetch_max(now, SeqCst);
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), SeqCst);
        // SAFETY: passed on.
        unsafe { System.dealloc(at, layout) }
    }
    // `realloc` is the default: a new allocation, a copy, and the old one freed, which counts both.
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// Words of 48 bits; a move flips one, at a cost that may depend on it. The goal is too far.
struct Bits {
    costs: [Cost; 3],
}

impl Space for Bits {
    type State = u64;
    type Move = u32;
    fn for_each_move<V: Visitor<Self>>(&self, at: &mut u64, v: &mut V) -> ControlFlow<()> {
        (0..48).try_for_each(|bit| v.visit(at, bit))
    }
    fn apply(&self, at: &mut u64, bit: u32) {
        *at ^= 1 << bit;
    }
    fn undo(&self, at: &mut u64, bit: u32) {
        *at ^= 1 << bit;
    }
    fn cost(&self, bit: u32) -> Cost {
        self.costs[bit as usize % 3]
    }
    fn is_goal(&self, at: &u64) -> bool {
        *at == (1 << 48) - 1
    }
}

impl Packed for Bits {
    fn key_bytes(&self) -> usize {
        6
    }
    fn pack(&self, at: &u64, key: &mut [u8]) {
        key.copy_from_slice(&at.to_le_bytes()[..6]);
    }
    fn unpack(&self, key: &[u8]) -> u64 {
        key.iter().rev().fold(0, |at, &byte| at << 8 | u64::from(byte))
    }
}

impl Reversible for Bits {
    fn goals(&self) -> Option<Vec<u64>> {
        Some(vec![(1 << 48) - 1])
    }
}

/// A search that keeps to what the control says.
type Search<'a> = &'a dyn Fn(&mut Control) -> Outcome<u32>;

/// Runs a search; its outcome, and the most bytes that were allocated meanwhile.
fn measure(search: Search, memory: u64) -> (Outcome<u32>, u64) {
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    let mut control = Control { limits, ..Control::default() };
    let before = NOW.load(SeqCst);
    PEAK.store(before, SeqCst);
    let outcome = search(&mut control);
    let peak = PEAK.load(SeqCst) - before;
    (outcome, peak as u64)
}

#[test]
fn no_more_is_allocated_than_the_limit_allows_and_what_is_told_was_allocated() {
    // Besides the containers: iterations, goals, a path.
    const SLACK: u64 = 64 << 10;
    for costs in [[1, 1, 1], [1, 2, 3], [1, 1000, 1_000_000]] {
        let space = &Bits { costs };
        let searches: [(&str, Search); 3] = [
            ("bfs", &|control| Bfs::new(space).solve(&0, control)),
            ("astar", &|control| Astar::new(space, &Zero).solve(&0, control)),
            ("bidirectional", &|control| Bidirectional::new(space).solve(&0, control)),
        ];
        for (name, search) in searches {
            let mut stored = 0;
            for limit in [0, 1000, 300_000, 1_000_000, 10_000_000, 23_000_000] {
                let (outcome, peak) = measure(search, limit);
                let Verdict::Stopped { stop: Stop::Memory, lower_bound } = outcome.verdict else {
                    panic!("{name} {:?}", outcome.verdict)
                };
                assert!(lower_bound <= 16 * costs.iter().sum::<Cost>());
                let told = outcome.statistics.memory;
                assert!(told <= limit);
                assert!(peak <= limit + limit / 10 + SLACK, "{name} {costs:?}: {peak} > {limit}");
                assert!(peak <= told + told / 10 + SLACK, "{name} {costs:?}: {peak}, told {told}");
                assert!(told <= peak + peak / 10, "{name} {costs:?}: {peak}, told {told}");
                // The limit is made use of: the index is the only thing that doubles.
                assert!(limit < 1_000_000 || told >= limit / 2, "{name} {costs:?}: {told}");
                assert!(outcome.statistics.stored >= stored);
                stored = outcome.statistics.stored;
            }
            assert!(stored > 300_000, "{name} {costs:?}: {stored}");
        }
    }
}
