//! Long paths: no stack overflows, whatever the thread's own stack and the size of a frame.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::thread;

use deepen::heuristic::Zero;
use deepen::{Control, Cost, Heuristic, Ida, Space, Verdict, Visitor};

/// Counting down to 0 by one, with `LOCALS` bytes of local variables in the enumeration.
struct Down<const LOCALS: usize>;

impl<const LOCALS: usize> Space for Down<LOCALS> {
    type State = Cost;
    type Move = ();

    fn for_each_move<V: Visitor<Self>>(&self, at: &mut Cost, visitor: &mut V) -> ControlFlow<()> {
        let locals = black_box([1_u8; LOCALS]);
        visitor.visit(at, ())?;
        black_box(locals);
        ControlFlow::Continue(())
    }
    fn apply(&self, at: &mut Cost, (): ()) {
        *at -= 1;
    }
    fn undo(&self, at: &mut Cost, (): ()) {
        *at += 1;
    }
    fn is_goal(&self, at: &Cost) -> bool {
        *at == 0
    }
}

/// The perfect heuristic, with nodes of `8 * WORDS` bytes.
struct Perfect<const WORDS: usize>;

impl<const LOCALS: usize, const WORDS: usize> Heuristic<Down<LOCALS>> for Perfect<WORDS> {
    type Value = Cost;
    type Node = (Cost, [u64; WORDS]);

    fn root(&self, _: &Down<LOCALS>, at: &Cost) -> Cost {
        *at
    }
    fn bound(&self, value: Cost) -> Cost {
        value
    }
    fn node(&self, _: &Down<LOCALS>, _: &Cost, value: Cost) -> Self::Node {
        black_box((value, [0; WORDS]))
    }
    fn before(&self, _: &Down<LOCALS>, _: &Cost, node: &Self::Node, (): ()) -> Cost {
        black_box(node).0 - 1
    }
}

/// Solves a path of `length` moves on a thread with a stack of that size.
fn solves<const LOCALS: usize, const WORDS: usize>(length: Cost, stack: usize) {
    let search = move || {
        let ida = Ida::new(&Down::<LOCALS>, &Perfect::<WORDS>);
        let solution = ida.solve(&length, &mut Control::default()).verdict.solution().unwrap();
        assert_eq!((solution.cost, solution.moves.len()), (length, length as usize));
    };
    thread::Builder::new().stack_size(stack).spawn(search).unwrap().join().unwrap();
}

fn on_any_stack(solves: impl Fn(usize)) {
    [128 << 10, 1 << 20, 2 << 20, 8 << 20].into_iter().for_each(solves);
}

#[test]
fn paths_of_hundreds_of_thousands_of_moves_fit_on_any_stack() {
    on_any_stack(|stack| solves::<0, 0>(300_000, stack));
}

#[test]
fn large_nodes_fit_on_any_stack() {
    on_any_stack(|stack| solves::<0, 512>(5_000, stack));
    on_any_stack(|stack| solves::<0, 4096>(500, stack));
}

#[test]
fn large_local_variables_of_the_space_fit_on_any_stack() {
    on_any_stack(|stack| solves::<4096, 0>(5_000, stack));
    on_any_stack(|stack| solves::<8192, 0>(3_000, stack));
}

#[test]
fn a_small_stack_serves_many_iterations() {
    let search = || {
        let ida = Ida::new(&Down::<64>, &Zero);
        let outcome = ida.solve(&2_000, &mut Control::default());
        assert!(matches!(outcome.verdict, Verdict::Solved(s) if s.cost == 2_000));
        assert_eq!(outcome.statistics.iterations.len(), 2_001);
    };
    thread::Builder::new().stack_size(128 << 10).spawn(search).unwrap().join().unwrap();
}
