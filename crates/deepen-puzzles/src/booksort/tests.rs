use std::collections::HashMap;
use std::fs::read_to_string;
use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{
    Alphabet, Automaton, Control, Each, Heuristic, Ida, InversePruning, LearnedPruning, Limits,
    Pruning, Space, Verdict, moves_of,
};

use super::breakpoints::{Breakpoints, Successors};
use super::cycle::Cycle;
use super::glue::Glued;
use super::patterns::Patterns;
use super::*;
use crate::solve::{Method, Pruned, solve};
use crate::tables::PuzzleTable;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/booksort/");

const PRUNINGS: [Pruned; 3] = [Pruned::Nothing, Pruned::Inverse, Pruned::Learned];

fn booksort() -> Booksort {
    Booksort::new(&Settings::default()).unwrap()
}

fn uva() -> Booksort {
    let dialect = Some("uva-11212".into());
    Booksort::new(&Settings { dialect, ..Settings::default() }).unwrap()
}

fn books(order: &[u8]) -> Books {
    let number = u8::try_from(order.len()).unwrap();
    let mut shelf = Shelf::sorted(number);
    (1..).zip(order).for_each(|(place, &book)| shelf.put(place, book));
    Books { number, shelf }
}

fn in_order(books: &Books) -> Vec<u8> {
    (1..=books.number.into()).map(|place| books.shelf.book(place)).collect()
}

fn reversed(number: u8) -> Books {
    books(&(1..=number).rev().collect::<Vec<_>>())
}

/// A small generator of numbers (`SplitMix64`), the same ones for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ x >> 31) % end as u64).unwrap()
    }

    fn shuffled(&mut self, number: u8) -> Vec<u8> {
        let mut order: Vec<u8> = (1..=number).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// What a block move does, written down plainly: cuts books out and puts them in elsewhere.
fn put_after(order: &[u8], from: usize, to: usize, after: usize) -> Vec<u8> {
    let mut rest = order.to_vec();
    let block: Vec<u8> = rest.drain(from..=to).collect();
    let place = after - block.len() + 1;
    rest.splice(place..place, block);
    rest
}

/// The moves (from, to, after), places from 0, in dictionary order.
fn all_moves(number: usize) -> Vec<(usize, usize, usize)> {
    let mut moves = Vec::new();
    for from in 0..number {
        for to in from..number {
            moves.extend((to + 1..number).map(|after| (from, to, after)));
        }
    }
    moves
}

/// The distance of every order of so many books, breadth first.
fn distances(number: u8) -> HashMap<Vec<u8>, Cost> {
    let sorted: Vec<u8> = (1..=number).collect();
    let all = all_moves(sorted.len());
    let mut distances = HashMap::from([(sorted.clone(), 0)]);
    let mut layer = vec![sorted];
    for distance in 1.. {
        let mut next = Vec::new();
        for order in &layer {
            for &(from, to, after) in &all {
                let moved = put_after(order, from, to, after);
                if !distances.contains_key(&moved) {
                    distances.insert(moved.clone(), distance);
                    next.push(moved);
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

fn distance(puzzle: &Booksort, books: &Books, heuristic: usize, pruned: Pruned) -> Cost {
    let method = Method { heuristic, pruned, ..Method::default() };
    solve(puzzle, books, method, &mut Control::default()).verdict.solution().unwrap().cost
}

/// All answers to an input under a limit, up to the first error, and the error.
fn answers(puzzle: &Booksort, input: &str, limit: Option<Cost>) -> (String, Option<String>) {
    let mut output = String::new();
    for (index, books) in (0..).zip(puzzle.read(input.as_bytes())) {
        let books = match books {
            Ok(books) => books,
            Err(error) => return (output, Some(error.to_string())),
        };
        let mut control = Control::default();
        if let Some(cost) = limit {
            control.limits = Limits { cost, ..Limits::default() };
        }
        let outcome = solve(puzzle, &books, Method::default(), &mut control);
        output += &puzzle.judge_answer(index, &books, &outcome.verdict, limit);
    }
    (output, None)
}

#[test]
fn breadth_first_counts_are_the_published_ones() {
    let counts = read_to_string(format!("{TESTDATA}transposition_counts.csv")).unwrap();
    for line in counts.lines().skip(1).take(7) {
        let mut numbers = line.split(',').map(|number| number.parse::<usize>().unwrap());
        let distances = distances(u8::try_from(numbers.next().unwrap()).unwrap());
        for (distance, count) in (0..).zip(numbers) {
            assert_eq!(distances.values().filter(|&&d| d == distance).count(), count, "{line}");
        }
    }
}

/// Beyond nine books it takes seconds; the counts of ten came out as well.
#[test]
fn tables_hold_the_known_counts_and_the_distance_of_every_order() {
    let puzzle = booksort();
    let counts = read_to_string(format!("{TESTDATA}transposition_counts.csv")).unwrap();
    for line in counts.lines().skip(1).take(8) {
        let mut numbers = line.split(',').map(|number| number.parse::<u64>().unwrap());
        let number = u8::try_from(numbers.next().unwrap()).unwrap();
        let table = puzzle.table(number).unwrap();
        assert!(numbers.eq(table.get().unwrap().census().iter().copied()), "{line}");
        if number <= 8 {
            for (order, known) in distances(number) {
                let rank = table.space.rank(&table.space.pack(&books(&order).shelf));
                assert_eq!(table.get().unwrap().distance(rank, 0), Some(known), "{order:?}");
            }
        }
    }
    assert!(puzzle.table(11).is_some() && puzzle.table(12).is_none());
}

#[test]
fn every_order_of_up_to_seven_books_is_solved_with_every_heuristic() {
    let puzzle = booksort();
    for number in 1..=7 {
        for (order, known) in distances(number) {
            for heuristic in 0..Booksort::INFO.heuristics.len() {
                let found = distance(&puzzle, &books(&order), heuristic, Pruned::Learned);
                assert_eq!(found, known, "{order:?}, heuristic {heuristic}");
            }
        }
    }
}

#[test]
fn every_order_of_eight_books_is_solved_and_no_bound_exceeds_its_distance() {
    let puzzle = booksort();
    for (order, known) in distances(8) {
        let books = books(&order);
        for pruned in PRUNINGS {
            assert_eq!(distance(&puzzle, &books, 0, pruned), known, "{order:?}, {pruned:?}");
        }
        let bounds = bounds(&puzzle, &books);
        assert!(bounds.iter().all(|&bound| bound <= known), "{order:?}: {bounds:?}, {known}");
    }
}

/// The bounds of every heuristic but zero.
fn bounds(puzzle: &Booksort, books: &Books) -> [Cost; 3] {
    let (space, shelf) = (&puzzle.field(books).space, &books.shelf);
    [
        Cycle.bound(Cycle.root(space, shelf)),
        Breakpoints.bound(Breakpoints.root(space, shelf)),
        Successors.bound(Successors.root(space, shelf)),
    ]
}

#[test]
fn no_bound_exceeds_the_distance_of_fewer_books() {
    let puzzle = booksort();
    for number in 1..=7 {
        for (order, known) in distances(number) {
            let bounds = bounds(&puzzle, &books(&order));
            assert!(bounds.iter().all(|&bound| bound <= known), "{order:?}: {bounds:?}, {known}");
            // A bound of 0 is left to no order but the sorted one.
            assert!(bounds.iter().all(|&bound| (bound == 0) == (known == 0)), "{order:?}");
        }
    }
}

/// The breakpoints, both ends counted.
fn plain_breakpoints(order: &[u8]) -> usize {
    let end = u8::try_from(order.len() + 1).unwrap();
    let ends: Vec<u8> = [0].into_iter().chain(order.iter().copied()).chain([end]).collect();
    ends.windows(2).filter(|pair| pair[1] != pair[0] + 1).count()
}

/// The bounds, counted from the definitions in the open.
fn plain_bounds(order: &[u8]) -> [Cost; 3] {
    let number = order.len();
    let wrong = |pair: &&[u8]| pair[1] != pair[0] + 1;
    let successors = order.windows(2).filter(wrong).count();
    let ends = [0].into_iter().chain(order.iter().copied());
    let ends: Vec<u8> = ends.chain([u8::try_from(number + 1).unwrap()]).collect();
    let breakpoints = plain_breakpoints(order);
    // Walk the graph itself: from a book across the gap to its left, then to the successor of the
    // book there.
    let mut unseen: Vec<u8> = ends[1..].to_vec();
    let mut odd = 0;
    while let Some(&start) = unseen.first() {
        let mut book = start;
        let mut length = 0;
        loop {
            unseen.retain(|&other| other != book);
            let at = ends.iter().position(|&other| other == book).unwrap();
            book = ends[at - 1] + 1;
            length += 1;
            if book == start {
                break;
            }
        }
        odd += length % 2;
    }
    let bounds = [(number + 1 - odd) / 2, breakpoints.div_ceil(3), successors.div_ceil(3)];
    bounds.map(|bound| Cost::try_from(bound).unwrap())
}

fn told_bounds<H: Heuristic<Shelves>>(heuristic: &H, space: &Shelves, shelf: &Shelf) -> Vec<Cost> {
    let root = heuristic.root(space, shelf);
    let node = heuristic.node(space, shelf, root);
    let told = |&swap| heuristic.bound(heuristic.before(space, shelf, &node, swap));
    moves_of(space, shelf).iter().map(told).collect()
}

/// Tests each bound of an order and what is told of its children, every `step`th at least, against
/// the plain count.
fn compare_bounds(puzzle: &Booksort, shelf: &[u8], step: usize) {
    let books = books(shelf);
    assert_eq!(bounds(puzzle, &books), plain_bounds(shelf), "{shelf:?}");
    let space = &puzzle.field(&books).space;
    let told = [
        told_bounds(&Cycle, space, &books.shelf),
        told_bounds(&Breakpoints, space, &books.shelf),
        told_bounds(&Successors, space, &books.shelf),
    ];
    let moves = all_moves(shelf.len());
    for (i, &(from, to, after)) in moves.iter().enumerate().step_by(step) {
        let child = plain_bounds(&put_after(shelf, from, to, after));
        assert_eq!(told.each_ref().map(|told| told[i]), child, "{shelf:?}, {from} {to} {after}");
    }
}

#[test]
fn bounds_told_before_a_move_are_those_counted_after_it() {
    let puzzle = booksort();
    let mut random = Random(1);
    for number in 1..=6 {
        for order in distances(number).keys() {
            compare_bounds(&puzzle, order, 1);
        }
    }
    for number in 7..=12 {
        for _ in 0..300 {
            let order = random.shuffled(number);
            compare_bounds(&puzzle, &order, 1);
        }
    }
    for number in [15, 16, 31, 32, 33, 63, 64] {
        for _ in 0..4 {
            let order = random.shuffled(number);
            compare_bounds(&puzzle, &order, 1 + usize::from(number) / 2);
        }
        // Few cycles change: near the sorted shelf.
        let mut order: Vec<u8> = (1..=number).collect();
        for _ in 0..3 {
            let moves = all_moves(order.len());
            let (from, to, after) = moves[random.below(moves.len())];
            order = put_after(&order, from, to, after);
            compare_bounds(&puzzle, &order, 1 + usize::from(number) / 2);
        }
    }
}

/// Tests that the moves found to raise the number of odd cycles are those that are told to, in
/// order.
fn compare_raising_moves(puzzle: &Booksort, shelf: &[u8]) {
    let books = books(shelf);
    let space = &puzzle.field(&books).space;
    let bound = Cycle.root(space, &books.shelf);
    let parent = Cycle.node(space, &books.shelf, bound);
    let mut moves = moves_of(space, &books.shelf);
    moves.retain(|&swap| Cycle.before(space, &books.shelf, &parent, swap) < bound);
    let mut selected = Vec::new();
    let mut select = Each(|_: &mut Shelf, swap| {
        selected.push(swap);
        ControlFlow::Continue(())
    });
    let parent = Cycle.node(space, &books.shelf, bound);
    let mut state = books.shelf;
    assert!(!Cycle.selects(&parent, bound + 1));
    assert_eq!(Cycle.selects(&parent, bound), shelf.len() < 63);
    if shelf.len() < 63 {
        assert!(Cycle.select(space, &mut state, &parent, &mut select).is_continue());
        assert_eq!(selected, moves, "{shelf:?}");
    }
}

#[test]
fn moves_that_raise_the_number_of_odd_cycles_are_found_by_themselves() {
    let puzzle = booksort();
    let mut random = Random(6);
    for number in 1..=7 {
        for order in distances(number).keys() {
            compare_raising_moves(&puzzle, order);
        }
    }
    for number in 8..=64 {
        (0..5).for_each(|_| compare_raising_moves(&puzzle, &random.shuffled(number)));
    }
}

#[test]
fn gluing_changes_no_distance_and_leaves_no_right_neighbours() {
    let puzzle = booksort();
    let table = puzzle.table(8).unwrap();
    let mut keys = HashMap::new();
    for number in 1..=8 {
        for (order, known) in distances(number) {
            let glued = Glued::new(number, &books(&order).shelf);
            let packed = glued.order(8);
            let left: Vec<u8> =
                (0..8_u8).map(|place| (packed >> (4 * place) & 15) as u8 + 1).collect();
            let breakpoints = plain_breakpoints(&left[..glued.number.into()]);
            assert_eq!(breakpoints, if known == 0 { 0 } else { usize::from(glued.number) + 1 });
            assert_eq!(breakpoints, plain_breakpoints(&order), "{order:?}");
            let distance = table.get().unwrap().distance(table.space.rank(&packed), 0);
            assert_eq!(distance, Some(known), "{order:?}");
            // The same key, the same shelf.
            assert_eq!(*keys.entry(glued.key()).or_insert(packed), packed);
        }
    }
    let mut random = Random(7);
    let most = Glued::new(26, &books(&random.shuffled(26)).shelf);
    assert_eq!(most.key().is_none(), most.number > 25);
    assert_eq!(Glued::new(64, &Shelf::sorted(64)).key(), Some(0));
}

/// Held against the plain bound, and where there is a table, against the table.
#[test]
fn what_is_remembered_changes_no_distance_and_no_first_solution() {
    let puzzle = booksort();
    let mut random = Random(8);
    let mut remembered = 0;
    for (number, count) in [(9, 300), (10, 200), (13, 20), (15, 10)] {
        for _ in 0..count {
            let books = books(&random.shuffled(number));
            let Field { space, .. } = puzzle.field(&books);
            let solved = |heuristic, pruned| {
                let method = Method { heuristic, pruned, ..Method::default() };
                solve(&puzzle, &books, method, &mut Control::default())
            };
            let plain = Ida::new(space, &Cycle).solve(&books.shelf, &mut Control::default());
            let outcome = solved(0, Pruned::Nothing);
            assert_eq!(outcome.verdict, plain.verdict);
            let nodes = [&outcome, &plain].map(|outcome| outcome.statistics.total().expanded);
            remembered += u64::from(nodes[0] < nodes[1]);
            assert!(nodes[0] <= nodes[1]);
            assert_eq!(solved(0, Pruned::Inverse).verdict, plain.verdict);
            assert_eq!(solved(0, Pruned::Learned).verdict, plain.verdict);
            if number <= 10 {
                assert_eq!(solved(3, Pruned::Learned).verdict, plain.verdict);
            }
        }
    }
    assert!(remembered > 20, "{remembered}");
}

#[test]
fn moves_do_what_they_say_and_are_taken_back_and_their_names_read_back() {
    let puzzle = booksort();
    let mut random = Random(2);
    for number in [1, 2, 3, 8, 15, 64] {
        let order = random.shuffled(number);
        let books = books(&order);
        let space = &puzzle.field(&books).space;
        let swaps = moves_of(space, &books.shelf);
        let moves = all_moves(order.len());
        assert_eq!((swaps.len(), space.letters()), (moves.len(), moves.len()));
        for (letter, (&swap, &(from, to, after))) in swaps.iter().zip(&moves).enumerate() {
            assert_eq!(space.letter(swap), letter);
            let mut shelf = books.shelf;
            space.apply(&mut shelf, swap);
            assert_eq!(in_order(&Books { shelf, ..books }), put_after(&order, from, to, after));
            space.undo(&mut shelf, swap);
            assert_eq!(shelf, books.shelf);
            let (from, to, after) = (from + 1, to + 1, after + 1);
            let name = puzzle.move_name(space, swap);
            let block = if from == to { from.to_string() } else { format!("{from}-{to}") };
            assert_eq!(name, format!("{block}>{after}"));
            // (Each look-up names all moves: with 43,680 of them, a sample will do.)
            if letter % (1 + swaps.len() / 100) == 0 {
                assert_eq!(puzzle.parse_move(space, &books.shelf, &name), Some(swap));
            }
        }
        for name in ["", "1", "2>1", "1-1>2", "1>1", "0>1", "1>65", "１>2"] {
            assert_eq!(puzzle.parse_move(space, &books.shelf, name), None, "{name}");
        }
    }
}

/// Of all shortest solutions the first in dictionary order: from every state the first move that
/// leads nearer.
fn first_solution(order: &[u8], distances: &HashMap<Vec<u8>, Cost>) -> Vec<String> {
    let mut order = order.to_vec();
    let mut names = Vec::new();
    while distances[&order] > 0 {
        let nearer = all_moves(order.len()).into_iter().find_map(|(from, to, after)| {
            let moved = put_after(&order, from, to, after);
            (distances[&moved] < distances[&order]).then_some((from, to, after, moved))
        });
        let (from, to, after, moved) = nearer.unwrap();
        let block = if from == to { String::new() } else { format!("-{}", to + 1) };
        names.push(format!("{}{block}>{}", from + 1, after + 1));
        order = moved;
    }
    names
}

#[test]
fn the_first_solution_in_dictionary_order_is_found_with_every_pruning_and_heuristic() {
    let puzzle = booksort();
    let mut random = Random(3);
    for number in 1..=6 {
        let distances = distances(number);
        for _ in 0..30 {
            let order = random.shuffled(number);
            let books = books(&order);
            let first = first_solution(&order, &distances);
            let space = &puzzle.field(&books).space;
            for pruned in PRUNINGS {
                for heuristic in 0..Booksort::INFO.heuristics.len() {
                    let method = Method { heuristic, pruned, ..Method::default() };
                    let outcome = solve(&puzzle, &books, method, &mut Control::default());
                    let named = outcome.verdict.map(|swap| puzzle.move_name(space, swap));
                    assert_eq!(named.solution().unwrap().moves, first, "{order:?}, {method:?}");
                }
            }
        }
    }
}

#[test]
fn the_patterns_forbid_what_the_learned_automaton_forbids() {
    for number in 1..=9 {
        let space = Shelves { books: number };
        // Just enough to learn all words of two moves.
        let letters = space.letters() as u64;
        let forbidden = [
            (Patterns::inverse(&space), Automaton::inverse(&space)),
            (Patterns::learned(&space), Automaton::learn(&space, letters * (letters + 1))),
        ];
        let swaps = moves_of(&space, &Shelf::sorted(number));
        for (patterns, automaton) in forbidden {
            let mut words = Vec::new();
            for &one in &swaps {
                let after =
                    patterns.step(&space, Pruning::<Shelves>::start(&patterns), one).unwrap();
                let barred =
                    swaps.iter().filter(|&&two| patterns.step(&space, after, two).is_none());
                words.extend(barred.map(|&two| vec![space.letter(one), space.letter(two)]));
            }
            assert_eq!(words, automaton.forbidden(), "{number} books");
        }
    }
}

#[test]
fn long_shelves_get_the_same_solution_with_every_pruning_and_bound() {
    let puzzle = booksort();
    let mut random = Random(5);
    for number in [10, 15, 16, 20, 33] {
        let all = all_moves(number);
        for moves in [2, 3, 3] {
            let mut order: Vec<u8> = (1..).take(number).collect();
            for _ in 0..moves {
                let (from, to, after) = all[random.below(all.len())];
                order = put_after(&order, from, to, after);
            }
            let books = books(&order);
            let solved = |heuristic, pruned| {
                let method = Method { heuristic, pruned, ..Method::default() };
                solve(&puzzle, &books, method, &mut Control::default()).verdict.solution().unwrap()
            };
            let plain = solved(0, Pruned::Nothing);
            assert_eq!(solved(0, Pruned::Inverse), plain, "{order:?}");
            assert_eq!(solved(0, Pruned::Learned), plain, "{order:?}");
            assert_eq!(solved(1, Pruned::Learned), plain, "{order:?}");
        }
    }
}

#[test]
fn reversed_shelves_need_half_of_one_more_than_their_books() {
    let puzzle = booksort();
    for number in 3..=15 {
        let expected = (Cost::from(number) + 1).div_ceil(2);
        assert_eq!(distance(&puzzle, &reversed(number), 0, Pruned::Learned), expected);
    }
}

#[test]
fn sixty_four_books_disordered_by_a_few_moves_are_sorted_again() {
    let puzzle = booksort();
    let mut random = Random(4);
    for moves in [1, 2, 2, 3, 3] {
        let mut order: Vec<u8> = (1..=64).collect();
        for _ in 0..moves {
            let all = all_moves(64);
            let (from, to, after) = all[random.below(all.len())];
            order = put_after(&order, from, to, after);
        }
        let start = books(&order);
        let outcome = solve(&puzzle, &start, Method::default(), &mut Control::default());
        let solution = outcome.verdict.solution().unwrap();
        // Three breakpoints a move at the most, and no more moves than were made.
        assert!((plain_bounds(&order)[1]..=moves).contains(&solution.cost));
        let mut shelf = start.shelf;
        let space = &puzzle.field(&start).space;
        solution.moves.iter().for_each(|&swap| space.apply(&mut shelf, swap));
        assert_eq!(shelf, Shelf::sorted(64));
    }
}

const SAMPLE: &str = "3\n6\n1 3 4 6 2 5\n5\n5 4 3 2 1\n10\n6 8 5 3 4 7 2 9 1 10\n";

#[test]
fn the_samples_come_out_in_both_dialects() {
    let judge = booksort();
    assert_eq!(judge.cost_limit(), Some(4));
    assert_eq!(answers(&judge, SAMPLE, Some(4)), ("2\n3\n5 or more\n".into(), None));
    assert_eq!(answers(&judge, SAMPLE, Some(2)), ("2\n3 or more\n3 or more\n".into(), None));
    assert_eq!(answers(&judge, "1\n3 1 2 3", Some(4)), ("0\n".into(), None));
    assert_eq!(
        answers(&judge, Booksort::INFO.example, Some(4)),
        ("2\n3\n5 or more\n".into(), None)
    );
    let uva = uva();
    assert_eq!(uva.cost_limit(), None);
    let cases = "6\n2 4 1 5 3 6\n5\n3 4 5 1 2\n0\n";
    assert_eq!(answers(&uva, cases, None), ("Case 1: 2\nCase 2: 1\n".into(), None));
    assert_eq!(answers(&uva, cases, Some(1)), ("Case 1: 2 or more\nCase 2: 1\n".into(), None));
    // The final 0 may be missing.
    assert_eq!(answers(&uva, "5\n3 4 5 1 2", None), ("Case 1: 1\n".into(), None));
    assert_eq!(answers(&uva, "", None), (String::new(), None));
    assert_eq!(answers(&uva, "0", None), (String::new(), None));
}

#[test]
fn answers_are_exact_without_a_limit_and_one_more_beyond_it() {
    // Reversed shelves of 11 and 13 books need 6 and 7 moves.
    let shelves = "2 11 11 10 9 8 7 6 5 4 3 2 1 13 13 12 11 10 9 8 7 6 5 4 3 2 1";
    let judge = booksort();
    assert_eq!(answers(&judge, shelves, Some(6)), ("6\n7 or more\n".into(), None));
    let above = Verdict::AboveLimit { lower_bound: 9 };
    let answer = judge.judge_answer(0, &reversed(3), &above, Some(MAX_COST));
    assert_eq!(answer, "4294967295 or more\n");
}

#[test]
fn the_shipped_judge_input_has_the_expected_answers() {
    let read = |name| read_to_string(format!("{TESTDATA}{name}")).unwrap();
    assert_eq!(answers(&booksort(), &read("judge.txt"), Some(4)), (read("judge.out"), None));
}

#[test]
fn harmless_variations_of_white_space_are_accepted() {
    let input = format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n\r\n  ").trim_end());
    assert_eq!(answers(&booksort(), &input, Some(4)), ("2\n3\n5 or more\n".into(), None));
    assert_eq!(answers(&booksort(), "0\n\n", Some(4)), (String::new(), None));
}

#[test]
fn malformed_inputs_are_refused_with_their_place() {
    let judge = booksort();
    for (input, error) in [
        ("", "1:1: expected the number of shelves, found the end of the input"),
        (" \n ", "2:2: expected the number of shelves, found the end of the input"),
        ("x", "1:1: expected the number of shelves, found `x`"),
        ("-1", "1:1: expected the number of shelves, found `-1`"),
        ("１", "1:1: expected the number of shelves, found `１`"),
        (
            "99999999999999999999",
            "1:1: expected the number of shelves, found `99999999999999999999`",
        ),
        (
            "1\n",
            "2:1: expected the number of books, 1 to 64 (shelf 1 of 1), found the end of the input",
        ),
        ("1\n0", "2:1: expected the number of books, 1 to 64 (shelf 1 of 1), found `0`"),
        ("1\n65 1", "2:1: expected the number of books, 1 to 64 (shelf 1 of 1), found `65`"),
        (
            "1 4294967297",
            "1:3: expected the number of books, 1 to 64 (shelf 1 of 1), found `4294967297`",
        ),
        (
            "1\n3\n1 2",
            "3:4: expected a book from 1 to 3 (place 3 of 3, shelf 1), found the end of the input",
        ),
        ("1\n3\n1 2 4", "3:5: expected a book from 1 to 3 (place 3 of 3, shelf 1), found `4`"),
        ("1\n3\n0 2 1", "3:1: expected a book from 1 to 3 (place 1 of 3, shelf 1), found `0`"),
        ("1\n3\n1 257 2", "3:3: expected a book from 1 to 3 (place 2 of 3, shelf 1), found `257`"),
        ("1\n3\n1 ３ 2", "3:3: expected a book from 1 to 3 (place 2 of 3, shelf 1), found `３`"),
        (
            "1\n4\n1 2 4\n2",
            "4:1: expected a book that is not on the shelf yet (place 4 of 4, shelf 1), found `2`, \
             which is at place 2 already",
        ),
        ("0\n0", "2:1: expected nothing after the last shelf, found `0`"),
    ] {
        assert_eq!(answers(&judge, input, Some(4)), (String::new(), Some(error.into())), "{input}");
    }
    // The answers before the error come out.
    for (input, error) in [
        (
            "18446744073709551615\n2\n2 1\n",
            "4:1: expected the number of books, 1 to 64 (shelf 2 of 18446744073709551615), found \
             the end of the input",
        ),
        ("1\n2\n2 1\n7", "4:1: expected nothing after the last shelf, found `7`"),
        (
            "2\n2\n2 1\n2\n1 1",
            "5:3: expected a book that is not on the shelf yet (place 2 of 2, shelf 2), found \
             `1`, which is at place 1 already",
        ),
    ] {
        assert_eq!(answers(&judge, input, Some(4)), ("1\n".into(), Some(error.into())), "{input}");
    }
    let uva = uva();
    for (input, error) in [
        (
            "2\n2 1\n65",
            "3:1: expected the number of books, 1 to 64 (shelf 2, or 0 at the end), found `65`",
        ),
        ("2\n2 1\n0\n0", "4:1: expected nothing after the final 0, found `0`"),
        (
            "2\n2 1\n2\n1",
            "4:2: expected a book from 1 to 2 (place 2 of 2, shelf 2), found the end of the input",
        ),
    ] {
        let answered = "Case 1: 1\n".to_string();
        assert_eq!(answers(&uva, input, None), (answered, Some(error.into())), "{input}");
    }
}

#[test]
fn nothing_is_read_after_an_error() {
    let puzzle = booksort();
    let mut shelves = puzzle.read("2 x 1 1".as_bytes());
    assert!(matches!(shelves.next(), Some(Err(_))));
    assert!(shelves.next().is_none());
}

#[test]
fn drawings_show_the_breakpoints() {
    let draw = |order: &[u8]| {
        let puzzle = booksort();
        let books = books(order);
        puzzle.draw(&puzzle.field(&books).space, &books.shelf)
    };
    assert_eq!(draw(&[1, 3, 4, 6, 2, 5]), " 1|3 4|6|2|5|\n");
    assert_eq!(draw(&[3, 1, 2]), "|3|1 2|\n");
    assert_eq!(draw(&[1, 2, 3]), " 1 2 3\n");
    assert_eq!(draw(&[2, 3, 4, 5, 6, 7, 8, 9, 10, 1]), "| 2  3  4  5  6  7  8  9 10| 1|\n");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let goal = Settings::default().with("goal", "1 2");
    assert_eq!(Booksort::new(&goal).err().unwrap().0, "booksort has no goal to set");
    let size = Settings::default().with("size", "65");
    let error = Booksort::new(&size).err().unwrap().0;
    assert_eq!(error, "expected a number of books, 1 to 64, found `65`");
    let dialect = Settings { dialect: Some("poj".into()), ..Settings::default() };
    let error = Booksort::new(&dialect).err().unwrap().0;
    assert_eq!(error, "no dialect `poj`; there is `judge`, `uva-11212`, `pairs`");
}

fn pairs() -> Booksort {
    let dialect = Some("pairs".into());
    Booksort::new(&Settings { dialect, ..Settings::default() }).unwrap()
}

/// The first solutions of an input, played on lists of names.
fn played(puzzle: &Booksort, input: &str, from: &[&str]) -> Vec<(Cost, String)> {
    let play = |books: Result<Books, ReadError>| {
        let books = books.unwrap();
        let outcome = solve(puzzle, &books, Method::default(), &mut Control::default());
        let solution = outcome.verdict.solution().unwrap();
        let mut names = from.to_vec();
        for swap in &solution.moves {
            names[swap.first as usize - 1..swap.third as usize - 1]
                .rotate_left((swap.second - swap.first) as usize);
        }
        (solution.cost, names.join(" "))
    };
    puzzle.read(input.as_bytes()).map(play).collect()
}

#[test]
fn the_moves_make_the_first_genome_into_the_second() {
    let puzzle = pairs();
    assert_eq!(puzzle.cost_limit(), None);
    let first = ["cox1", "nad4", "7", "rrnL", "ü", "atp6"];
    let mut random = Random(9);
    let distances = distances(6);
    for _ in 0..100 {
        let order = random.shuffled(6);
        let second = order.iter().map(|&gene| first[usize::from(gene) - 1]).collect::<Vec<_>>();
        let second = second.join(" ");
        let there = played(&puzzle, &format!("{}\n\n{second}\n", first.join(" ")), &first);
        assert_eq!(there, [(distances[&order], second.clone())]);
        // It is as far back.
        let from: Vec<&str> = second.split(' ').collect();
        let back = played(&puzzle, &format!("{second}\n{}", first.join(" ")), &from);
        assert_eq!(back, [(distances[&order], first.join(" "))]);
    }
}

#[test]
fn shelves_are_made_of_the_one_that_is_set() {
    let mut random = Random(10);
    for _ in 0..50 {
        let (from, into) = (random.shuffled(7), random.shuffled(7));
        let text = |order: &[u8]| order.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let puzzle = Booksort::new(&Settings::default().with("from", text(&from))).unwrap();
        let input = format!("1\n7\n{}\n", text(&into));
        let books: Vec<Books> = puzzle.read(input.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(puzzle.write(&books), input);
        let names = text(&from);
        let names: Vec<&str> = names.split(' ').collect();
        let [(cost, end)] = &played(&puzzle, &input, &names)[..] else { panic!("one shelf") };
        assert_eq!(end, &text(&into));
        let pair = format!("{}\n{}", text(&from), text(&into));
        assert_eq!(played(&pairs(), &pair, &names), [(*cost, end.clone())]);
    }
    let error =
        |from: &str| Booksort::new(&Settings::default().with("from", from)).err().unwrap().0;
    for (from, found) in [("", ""), ("1 3", "3"), ("1 1", "1"), ("0", "0"), ("2 +1", "+1")] {
        assert_eq!(
            error(from),
            format!("expected the books 1 to n, each once and up to 64, found `{found}`")
        );
    }
    let both = Settings::default().with("from", "2 1").with("size", "3");
    let error = Booksort::new(&both).err().unwrap().0;
    assert_eq!(error, "from has 2 books, but size is 3");
    let dialect = Some("pairs".into());
    let pairs = Settings { dialect, ..Settings::default().with("from", "2 1") };
    let error = Booksort::new(&pairs).err().unwrap().0;
    assert_eq!(error, "pairs of genomes have no other to begin from");
}

#[test]
fn genomes_that_are_no_pair_are_refused_with_their_place() {
    let puzzle = pairs();
    let many =
        |number: usize| (1..=number).map(|gene| gene.to_string()).collect::<Vec<_>>().join(" ");
    let too_many = format!("{}\n{}", many(65), many(65));
    for (input, error) in [
        (
            "a b\n",
            "2:1: expected the second genome, on a line of its own (pair 1), found the end of the \
             input",
        ),
        ("a b\na c", "1:3: expected a gene of the second genome too (pair 1), found `b`"),
        ("a b\n\nb a c", "3:5: expected a gene of the first genome (pair 1), found `c`"),
        (
            "a b a\n",
            "1:5: expected a gene that is not there yet (first genome of pair 1), found `a`, which \
             is at place 1 already",
        ),
        (
            "a b\nb b",
            "2:3: expected a gene that is not there yet (second genome of pair 1), found `b`, which \
             is at place 1 already",
        ),
        (
            too_many.as_str(),
            "1:184: expected no more than 64 genes (first genome of pair 1), found `65`",
        ),
    ] {
        assert_eq!(answers(&puzzle, input, None), (String::new(), Some(error.into())), "{input}");
    }
    let good = "a b\nb a\n\nx\nx\nc d";
    let (found, error) = answers(&puzzle, good, None);
    assert_eq!((found.as_str(), error.is_some()), ("1\n0\n", true));
    let dialect = Some("pairs".into());
    let sized = Settings { dialect, ..Settings::default().with("size", "3") };
    let error = "1:1: expected genomes of 3 genes (pair 1), found 2";
    let sized = Booksort::new(&sized).unwrap();
    assert_eq!(answers(&sized, "a b\nb a", None), (String::new(), Some(error.into())));
}
