use std::collections::HashMap;

use deepen::table::Indexed;
use deepen::{Control, Heuristic, Ida, Limits, Packed, Space, moves_of};

use super::*;
use crate::solve::{Method, Pruned, solve};

const PRUNINGS: [Pruned; 3] = [Pruned::Nothing, Pruned::Inverse, Pruned::Learned];

fn pancake() -> Pancake {
    Pancake::new(&Settings::default()).unwrap()
}

fn pancakes(order: &[u8]) -> Pancakes {
    Pancakes::new(u8::try_from(order.len()).unwrap(), |above| order[usize::from(above)])
}

fn in_order(pancakes: &Pancakes) -> Vec<u8> {
    (0..pancakes.number).map(|above| pancakes.stack.under(above)).collect()
}

/// What a flip does, written down plainly.
fn flip(order: &[u8], flipped: usize) -> Vec<u8> {
    order[..flipped].iter().rev().chain(&order[flipped..]).copied().collect()
}

/// The distance of every stack of so many pancakes, breadth first.
fn distances(number: u8) -> HashMap<Vec<u8>, Cost> {
    let sorted: Vec<u8> = (1..=number).collect();
    let mut distances = HashMap::from([(sorted.clone(), 0)]);
    let mut layer = vec![sorted];
    for distance in 1.. {
        let mut next = Vec::new();
        for order in &layer {
            for flipped in 2..=order.len() {
                let child = flip(order, flipped);
                if !distances.contains_key(&child) {
                    distances.insert(child.clone(), distance);
                    next.push(child);
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

/// Of all shortest solutions the first in dictionary order: from every state the first flip that
/// leads nearer.
fn first_solution(order: &[u8], distances: &HashMap<Vec<u8>, Cost>) -> Vec<u8> {
    let mut order = order.to_vec();
    let mut flips = Vec::new();
    while distances[&order] > 0 {
        let nearer = |&flipped: &usize| distances[&flip(&order, flipped)] < distances[&order];
        let flipped = (2..=order.len()).find(nearer).unwrap();
        order = flip(&order, flipped);
        flips.push(u8::try_from(flipped).unwrap());
    }
    flips
}

fn solved(puzzle: &Pancake, order: &[u8], method: Method) -> Vec<u8> {
    let outcome = solve(puzzle, &pancakes(order), method, &mut Control::default());
    outcome.verdict.solution().unwrap().moves
}

/// The gaps, counted from the definition.
fn gaps(order: &[u8]) -> Cost {
    let plate = u8::try_from(order.len()).unwrap() + 1;
    let below = order[1..].iter().copied().chain([plate]);
    let wrong = order.iter().zip(below).filter(|&(&one, other)| one.abs_diff(other) > 1);
    wrong.map(|_| 1).sum()
}

fn shuffled(number: u8, random: &mut Random) -> Vec<u8> {
    let mut order: Vec<u8> = (1..=number).collect();
    random.shuffle(&mut order);
    order
}

#[test]
fn gaps_told_before_a_flip_are_those_counted_after_it_and_never_more_than_the_distance() {
    let puzzle = pancake();
    for number in 1..=8 {
        for (order, distance) in distances(number) {
            let start = pancakes(&order);
            let space = &puzzle.field(&start).space;
            let value = Gap.root(space, &start.stack);
            assert_eq!(value, gaps(&order));
            assert!(value <= distance, "{order:?}");
            assert_eq!(value == 0, distance == 0, "{order:?}");
            assert_eq!(space.is_goal(&start.stack), distance == 0, "{order:?}");
            for flipped in moves_of(space, &start.stack) {
                let told = Gap.before(space, &start.stack, &value, flipped);
                assert_eq!(told, gaps(&flip(&order, flipped.into())), "{order:?}, {flipped}");
            }
        }
    }
}

#[test]
fn every_stack_of_up_to_seven_is_solved_with_the_first_of_its_shortest_solutions() {
    let puzzle = pancake();
    for number in 1..=7 {
        let distances = distances(number);
        for order in distances.keys() {
            let first = first_solution(order, &distances);
            for pruned in PRUNINGS {
                let method = Method { pruned, ..Method::default() };
                assert_eq!(solved(&puzzle, order, method), first, "{order:?}, {pruned:?}");
            }
            for heuristic in [1, 2] {
                if heuristic == 1 || number < 7 {
                    let method = Method { heuristic, ..Method::default() };
                    assert_eq!(solved(&puzzle, order, method), first, "{order:?}, {heuristic}");
                }
            }
        }
    }
}

#[test]
fn the_greatest_distances_are_the_published_ones_up_to_ten() {
    let puzzle = pancake();
    for number in 1..=10 {
        let table = puzzle.table(number).unwrap().get().unwrap();
        let census = table.census();
        assert_eq!(census.len() - 1, GREATEST[usize::from(number)] as usize, "{number} pancakes");
        assert_eq!(census.iter().sum::<u64>(), (1..=u64::from(number)).product());
    }
    assert!(puzzle.table(11).is_some() && puzzle.table(12).is_none());
    let greatest = |size: &str| {
        Pancake::new(&Settings::default().with("size", size)).unwrap().greatest_distance()
    };
    assert_eq!(["1", "13", "14", "64"].map(greatest), [Some(0), Some(15), Some(25), Some(108)]);
}

#[test]
fn tables_hold_the_distance_of_every_stack() {
    let puzzle = pancake();
    for number in 1..=8 {
        let orders = puzzle.table(number).unwrap();
        for (order, distance) in distances(number) {
            let packed = orders.space.pack(&pancakes(&order).stack);
            let rank = orders.space.rank(&packed);
            assert_eq!(orders.get().unwrap().distance(rank, 0), Some(distance), "{order:?}");
        }
    }
}

#[test]
fn flips_do_what_they_say_and_take_themselves_back_and_their_names_read_back() {
    let puzzle = pancake();
    let mut random = Random::new(1);
    for number in 1..=MOST_PANCAKES {
        let order = shuffled(number, &mut random);
        let start = pancakes(&order);
        let space = &puzzle.field(&start).space;
        let flips = moves_of(space, &start.stack);
        assert!(flips.iter().copied().eq(2..=number));
        let orders = (number <= MOST_IN_TABLE).then(|| Orders::new(number));
        for flipped in flips {
            let mut stack = start.stack;
            space.apply(&mut stack, flipped);
            let child = flip(&order, flipped.into());
            assert_eq!(in_order(&Pancakes { stack, ..start }), child);
            if let Some(orders) = &orders {
                let mut packed = orders.pack(&start.stack);
                orders.apply(&mut packed, flipped);
                assert_eq!(packed, orders.pack(&stack));
            }
            let mut key = vec![0; space.key_bytes()];
            space.pack(&stack, &mut key);
            assert_eq!(space.unpack(&key), stack);
            space.undo(&mut stack, flipped);
            assert_eq!(stack, start.stack);
            let name = puzzle.move_name(space, flipped);
            assert_eq!(puzzle.parse_move(space, &stack, &name), Some(flipped));
        }
        for name in ["", "1", "65", "02", "２"] {
            assert_eq!(puzzle.parse_move(space, &start.stack, name), None);
        }
    }
}

#[test]
fn long_stacks_are_sorted_with_no_fewer_flips_than_gaps_and_alike_with_every_pruning() {
    let puzzle = pancake();
    let mut random = Random::new(2);
    for number in [14, 20, 30, 40, 64] {
        for _ in 0..if number < 64 { 10 } else { 1 } {
            let order = shuffled(number, &mut random);
            let flips = solved(&puzzle, &order, Method::default());
            let cost = u32::try_from(flips.len()).unwrap();
            // (Known of random stacks: few need more than a flip or two beyond the gaps.)
            assert!((gaps(&order)..=gaps(&order) + 3).contains(&cost), "{order:?}");
            let sorted = flips.iter().fold(order.clone(), |order, &k| flip(&order, k.into()));
            assert!(sorted.is_sorted());
            for pruned in [Pruned::Nothing, Pruned::Inverse] {
                if number < 40 {
                    let method = Method { pruned, ..Method::default() };
                    assert_eq!(solved(&puzzle, &order, method), flips, "{order:?}, {pruned:?}");
                }
            }
        }
    }
}

/// The gap heuristic with all flips shown.
struct Shown;

impl Heuristic<Flips> for Shown {
    type Value = Cost;
    type Node = Cost;

    fn root(&self, space: &Flips, stack: &Stack) -> Cost {
        Gap.root(space, stack)
    }
    fn bound(&self, gaps: Cost) -> Cost {
        gaps
    }
    fn node(&self, _: &Flips, _: &Stack, gaps: Cost) -> Cost {
        gaps
    }
    fn before(&self, space: &Flips, stack: &Stack, gaps: &Cost, flipped: u8) -> Cost {
        Gap.before(space, stack, gaps, flipped)
    }
}

#[test]
fn the_flips_that_the_bound_leaves_out_would_have_been_cut() {
    let puzzle = pancake();
    let mut random = Random::new(3);
    for number in [1, 2, 3, 5, 8, 16, 30] {
        for _ in 0..20 {
            let start = pancakes(&shuffled(number, &mut random));
            let space = &puzzle.field(&start).space;
            let selected = Ida::new(space, &Gap).solve(&start.stack, &mut Control::default());
            let shown = Ida::new(space, &Shown).solve(&start.stack, &mut Control::default());
            assert_eq!(selected.verdict, shown.verdict);
            let counts = selected.statistics.iterations.iter().zip(&shown.statistics.iterations);
            for (selected, shown) in counts {
                assert_eq!((selected.bound, selected.expanded), (shown.bound, shown.expanded));
                assert!(selected.generated <= shown.generated);
            }
            assert_eq!(selected.statistics.iterations.len(), shown.statistics.iterations.len());
        }
    }
}

/// All answers to an input under a limit, up to the first error, and the error.
fn answers(puzzle: &Pancake, input: &str, limit: Option<Cost>) -> (String, Option<String>) {
    let mut output = String::new();
    for (index, stack) in (0..).zip(puzzle.read(input.as_bytes())) {
        let stack = match stack {
            Ok(stack) => stack,
            Err(error) => return (output, Some(error.to_string())),
        };
        let mut control = Control::default();
        if let Some(cost) = limit {
            control.limits = Limits { cost, ..Limits::default() };
        }
        let outcome = solve(puzzle, &stack, Method::default(), &mut control);
        output += &puzzle.judge_answer(index, &stack, &outcome.verdict, limit);
    }
    (output, None)
}

#[test]
fn answers_are_the_number_of_flips_and_the_flips() {
    let puzzle = pancake();
    // (By a breadth-first search in another language.)
    let input = "5 2 4 1 3\n\n 1 2 3\r\n2 7 4 1 6 3 5\n1\n2 1";
    let expected = "5 2 4 3 5 3\n0\n7 5 3 6 5 3 7 5\n0\n1 2\n";
    assert_eq!(answers(&puzzle, input, None), (expected.into(), None));
    assert_eq!(answers(&puzzle, "3 1 2\n", Some(1)), ("more than 1\n".into(), None));
    assert_eq!(answers(&puzzle, "", None), (String::new(), None));
}

#[test]
fn malformed_stacks_are_refused_with_their_place() {
    let puzzle = pancake();
    let sixty_five: Vec<String> = (1..=65).map(|pancake| pancake.to_string()).collect();
    for (input, error) in [
        ("x", "1:1: expected a pancake from 1 to 64 (place 1 of stack 1), found `x`"),
        ("0 1", "1:1: expected a pancake from 1 to 64 (place 1 of stack 1), found `0`"),
        ("1 -2", "1:3: expected a pancake from 1 to 64 (place 2 of stack 1), found `-2`"),
        ("2 １", "1:3: expected a pancake from 1 to 64 (place 2 of stack 1), found `１`"),
        ("1 257 2", "1:3: expected a pancake from 1 to 64 (place 2 of stack 1), found `257`"),
        (
            "1 4 2",
            "1:3: expected a pancake from 1 to 3, as many as there are (place 2 of stack 1), found `4`",
        ),
        (
            "3 2 3",
            "1:5: expected a pancake that is not in the stack yet (place 3 of stack 1), found `3`, \
             which is at place 1 already",
        ),
        (
            sixty_five.join(" ").as_str(),
            "1:184: expected a pancake from 1 to 64 (place 65 of stack 1), found `65`",
        ),
    ] {
        assert_eq!(answers(&puzzle, input, None), (String::new(), Some(error.into())), "{input}");
    }
    let error = "3:3: expected a pancake from 1 to 64 (place 2 of stack 2), found `a`";
    assert_eq!(answers(&puzzle, "2 1\n\n1 a 3\n1 2", None), ("1 2\n".into(), Some(error.into())));
    let three = Pancake::new(&Settings::default().with("size", "3")).unwrap();
    for (input, error) in [
        ("1 2 3\n2 1", "2:1: expected 3 pancakes (stack 2), found 2"),
        ("1 2 3\n2 1 3 4", "2:7: expected a pancake from 1 to 3 (place 4 of stack 2), found `4`"),
    ] {
        assert_eq!(answers(&three, input, None), ("0\n".into(), Some(error.into())));
    }
}

#[test]
fn answers_are_read() {
    let puzzle = pancake();
    let read = |text: &str| {
        let mut tokens = Tokens::new(text.as_bytes());
        let answer = puzzle.read_answer(2, &mut tokens);
        answer.map(|answer| (answer.claim, answer.text)).map_err(|error| error.to_string())
    };
    let names =
        |names: &[&str]| Claim::Moves(names.iter().map(|&name| name.into()).collect(), None);
    assert_eq!(read("0\n"), Ok((names(&[]), "0".into())));
    assert_eq!(read("2 5 3\n1 2"), Ok((names(&["5", "3"]), "2 5 3".into())));
    assert_eq!(read("more than 7"), Ok((Claim::AboveLimit(Some(8)), "more than 7".into())));
    let many = format!("1001 {}", "2 ".repeat(1001));
    assert_eq!(read(&many).unwrap().0, Claim::Cost(1001));
    for (text, error) in [
        (
            "",
            "1:1: expected the number of flips or `more than` (answer to stack 3), found the end of \
             the input",
        ),
        ("x", "1:1: expected the number of flips or `more than` (answer to stack 3), found `x`"),
        ("more 3", "1:6: expected `than` (answer to stack 3), found `3`"),
        (
            "2 3 y",
            "1:5: expected a flip, a number from 2 on (flip 2 of 2, answer to stack 3), found `y`",
        ),
        (
            "2 3",
            "1:4: expected a flip, a number from 2 on (flip 2 of 2, answer to stack 3), found the \
             end of the input",
        ),
    ] {
        assert_eq!(read(text), Err(error.into()), "{text}");
    }
}

#[test]
fn drawings_are_bars() {
    let puzzle = pancake();
    let draw = |order: &[u8]| {
        let start = pancakes(order);
        puzzle.draw(&puzzle.field(&start).space, &start.stack)
    };
    assert_eq!(draw(&[3, 1, 2]), "3 ===\n1 =\n2 ==\n");
    assert!(draw(&[10, 1, 2, 3, 4, 5, 6, 7, 8, 9]).starts_with("10 ==========\n 1 =\n"));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let error = |option, value: &str| {
        Pancake::new(&Settings::default().with(option, value)).err().unwrap().0
    };
    assert_eq!(error("goal", "1 2"), "pancake has no goal to set");
    for size in ["0", "65", "+3", "", "x"] {
        let expected = format!("expected a number of pancakes, 1 to 64, found `{size}`");
        assert_eq!(error("size", size), expected);
    }
}
