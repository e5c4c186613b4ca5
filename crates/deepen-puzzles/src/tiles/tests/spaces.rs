//! The space and the table.

use std::collections::HashSet;

use deepen::{Packed, Space, moves_of};

use super::*;

#[test]
fn slides_do_what_they_say_in_order_and_are_taken_back() {
    let puzzle = tiles(&[]);
    let mut dice = Dice(1);
    for (rows, columns) in [(1, 2), (5, 1), (2, 2), (3, 4), (4, 4), (5, 5), (4, 9), (6, 6)] {
        for _ in 0..50 {
            let board = instance(rows, columns, &dice.shuffled(rows * columns));
            let space = &puzzle.field(&board).space;
            let mut slid = board;
            let moves = moves_of(space, &board.board).into_iter().map(|slide| {
                space.apply(&mut slid.board, slide);
                let after = numbers(&slid);
                space.undo(&mut slid.board, slide);
                assert_eq!(slid, board);
                (puzzle.move_name(space, slide).chars().next().unwrap(), after)
            });
            assert_eq!(moves.collect::<Vec<_>>(), slides(columns, &numbers(&board)));
        }
    }
}

#[test]
fn keys_lead_back_to_their_boards() {
    let puzzle = tiles(&[]);
    let mut dice = Dice(2);
    for (rows, columns, bytes) in [(1, 2, 1), (3, 3, 5), (4, 4, 8), (5, 5, 25), (6, 6, 36)] {
        let mut keys = HashSet::new();
        for round in 1..=100 {
            let board = instance(rows, columns, &dice.shuffled(rows * columns));
            let space = &puzzle.field(&board).space;
            let mut key = vec![0xa5; bytes];
            assert_eq!(space.key_bytes(), bytes);
            space.pack(&board.board, &mut key);
            assert_eq!(space.unpack(&key), board.board);
            keys.insert(key);
            assert!(keys.len() == round || rows * columns < 10);
        }
    }
}

#[test]
fn the_parity_tells_what_can_be_reached() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (1, 5), (5, 1)] {
        let numbers: Vec<u8> = (0..u8::try_from(rows * columns).unwrap()).collect();
        let all = permutations(&numbers);
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let reached = distances(columns, &goal);
            for board in &all {
                let instance = instance(rows, columns, board);
                let impossible = puzzle.field(&instance).space.impossible(&instance.board);
                assert_eq!(impossible.is_none(), reached.contains_key(board), "{board:?} {goal:?}");
            }
        }
    }
}

#[test]
fn the_table_has_every_board_that_can_be_solved_and_its_distance() {
    for (rows, columns) in [(1, 2), (1, 6), (6, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]
    {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let table = puzzle.kit(Size::new(rows, columns).unwrap()).table.as_ref().unwrap();
            let distances = distances(columns, &goal);
            assert_eq!(table.space.size(), distances.len() as u64);
            let built = table.get().unwrap();
            for (board, known) in &distances {
                let board = instance(rows, columns, board).board;
                let packed = table.space.pack(&board);
                let rank = table.space.rank(&packed);
                assert_eq!(table.space.unrank(rank), packed);
                assert_eq!(table.space.unpack(packed), board);
                assert_eq!(built.distance(rank, 0), Some(*known), "{board:?} {goal:?}");
            }
        }
    }
}

#[test]
fn censuses_are_the_known_ones() {
    // (The 8-puzzle's are published; the others are from a plain search elsewhere.)
    for (size, goal, boards, greatest, furthest) in [
        ("3x3", "first", 181_440, 31, 2),
        ("3x3", "last", 181_440, 31, 2),
        ("2x2", "first", 12, 6, 1),
        ("2x3", "last", 360, 21, 1),
        ("2x4", "first", 20_160, 36, 1),
        ("2x5", "first", 1_814_400, 55, 2),
    ] {
        let puzzle = tiles(&[("size", size), ("goal", goal)]);
        let census = puzzle.tables()[0].get().unwrap().census();
        assert_eq!(census.iter().sum::<u64>(), boards, "{size}");
        assert_eq!((census.len() - 1, census[census.len() - 1]), (greatest, furthest), "{size}");
        assert_eq!(puzzle.greatest_distance(), Some(greatest as Cost), "{size}");
    }
    assert!(tiles(&[]).kit(DRAWN).table.is_none(), "the 15-puzzle is too large");
}

/// Half a minute and 240 MB.
#[test]
#[ignore = "takes half a minute"]
fn the_census_of_three_by_four_is_complete() {
    for size in ["3x4", "4x3"] {
        let puzzle = tiles(&[("size", size)]);
        let census = puzzle.tables()[0].get().unwrap().census();
        assert_eq!(census.iter().sum::<u64>(), 239_500_800);
        assert_eq!(puzzle.greatest_distance(), Some(census.len() as Cost - 1));
    }
}

#[test]
fn far_boards_of_small_sizes_are_drawn_alike() {
    let puzzle = tiles(&[("size", "3x3")]);
    let mut draw = puzzle.sampler(Wanted::Exactly(31));
    let mut random = Random::new(1);
    let mut drawn: HashMap<Vec<u8>, u32> = HashMap::new();
    for _ in 0..100 {
        let board = draw(&mut random, &mut Control::default()).unwrap().unwrap();
        *drawn.entry(numbers(&board)).or_default() += 1;
    }
    assert_eq!(drawn.len(), 2);
    assert!(drawn.values().all(|&times| times > 30), "{drawn:?}");
    let mut draw = puzzle.sampler(Wanted::Exactly(32));
    assert_eq!(draw(&mut random, &mut Control::default()), Ok(None));
}

#[test]
fn generated_boards_are_all_permutations() {
    let puzzle = tiles(&[("size", "1x3")]);
    assert_eq!(puzzle.instances(), Some(6));
    let mut random = Random::new(2);
    let drawn: HashSet<Vec<u8>> = (0..100).map(|_| numbers(&puzzle.random(&mut random))).collect();
    assert_eq!(drawn.len(), 6);
}
