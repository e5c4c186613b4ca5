//! The lower bounds.

use deepen::{Heuristic, Space, moves_of};

use super::*;

/// The Manhattan distance and linear conflict, from their definitions.
fn plain_bounds(columns: usize, board: &[u8], goal: &[u8]) -> (Cost, Cost) {
    let place = |cell: usize| [cell / columns, cell % columns];
    let home = |number: u8| place(goal.iter().position(|&other| other == number).unwrap());
    let mut manhattan = 0;
    for (cell, &number) in board.iter().enumerate().filter(|&(_, &number)| number > 0) {
        let (here, there) = (place(cell), home(number));
        manhattan += here[0].abs_diff(there[0]) + here[1].abs_diff(there[1]);
    }
    let mut leave = 0;
    for axis in [0, 1] {
        let lines = if axis == 0 { board.len() / columns } else { columns };
        for line in 0..lines {
            let cells = (0..board.len()).filter(|&cell| place(cell)[axis] == line);
            let tiles = cells.map(|cell| board[cell]).filter(|&number| number > 0);
            let tiles = tiles.map(home).filter(|home| home[axis] == line);
            let places: Vec<usize> = tiles.map(|home| home[1 - axis]).collect();
            // The most that may stay with each tile as the last of them.
            let mut stay = vec![1; places.len()];
            for last in 0..places.len() {
                let before = (0..last).filter(|&tile| places[tile] < places[last]);
                stay[last] += before.map(|tile| stay[tile]).max().unwrap_or(0);
            }
            leave += places.len() - stay.into_iter().max().unwrap_or(0);
        }
    }
    (manhattan as Cost, (manhattan + 2 * leave) as Cost)
}

/// What rows alone and columns alone need, counted breadth first from the goal: by what kinds of
/// tiles each line has, in order.
fn plain_walk(lines: usize, cells: usize, home: usize) -> HashMap<Vec<Vec<usize>>, Cost> {
    let goal: Vec<Vec<usize>> =
        (0..lines).map(|line| vec![line; cells - usize::from(line == home)]).collect();
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![goal];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in &layer {
            let blank = state.iter().position(|line| line.len() < cells).unwrap();
            for line in (0..lines).filter(|line| line.abs_diff(blank) == 1) {
                for place in 0..cells {
                    let mut slid = state.clone();
                    let kind = slid[line].remove(place);
                    slid[blank].push(kind);
                    slid[blank].sort_unstable();
                    distances.entry(slid.clone()).or_insert_with(|| {
                        next.push(slid);
                        distance
                    });
                }
            }
        }
        if next.is_empty() {
            return distances;
        }
        layer = next;
    }
    unreachable!()
}

/// The kinds of tiles in each row, or in each column.
fn kinds(columns: usize, board: &[u8], goal: &[u8], axis: usize) -> Vec<Vec<usize>> {
    let place = |cell: usize| [cell / columns, cell % columns][axis];
    let lines = [board.len() / columns, columns][axis];
    let mut kinds = vec![Vec::new(); lines];
    for (cell, &number) in board.iter().enumerate().filter(|&(_, &number)| number > 0) {
        kinds[place(cell)].push(place(goal.iter().position(|&other| other == number).unwrap()));
    }
    for line in &mut kinds {
        line.sort_unstable();
    }
    kinds
}

/// What a heuristic says of a board; and the same of its children, before they are made and from
/// scratch, must not differ, nor by more than one from the board's.
fn checked<H: Heuristic<Tiles>>(heuristic: &H, space: &Tiles, board: &Board) -> Cost {
    let value = heuristic.root(space, board);
    let bound = heuristic.bound(value);
    let node = heuristic.node(space, board, value);
    for slide in moves_of(space, board) {
        let told = heuristic.bound(heuristic.before(space, board, &node, slide));
        let mut child = *board;
        space.apply(&mut child, slide);
        assert_eq!(told, heuristic.bound(heuristic.root(space, &child)), "{board:?} {slide:?}");
        assert!(told.abs_diff(bound) <= 1, "{board:?} {slide:?}");
    }
    bound
}

/// The bounds of a board: Manhattan, linear conflict, walking distance.
fn bounds(puzzle: &SlidingTiles, instance: &SlidingInstance) -> (Cost, Cost, Option<Cost>) {
    let kit = puzzle.kit(instance.size);
    let (space, board) = (&kit.field.space, &instance.board);
    let conflict = match kit.conflict() {
        Conflict::Small(conflict) => checked(conflict, space, board),
        Conflict::Middle(conflict) => checked(conflict, space, board),
        Conflict::Large(conflict) => checked(conflict, space, board),
    };
    let manhattan = checked(kit.manhattan(), space, board);
    // (It takes long to find out that a board is too large.)
    let walking = if instance.size.cells() <= 16 { kit.walking() } else { None };
    (manhattan, conflict, walking.map(|walking| checked(walking, space, board)))
}

/// A board after so many random slides.
fn walk(space: &Tiles, board: &mut Board, slides: usize, dice: &mut Dice) {
    for _ in 0..slides {
        let moves = moves_of(space, board);
        space.apply(board, moves[dice.below(moves.len())]);
    }
}

#[test]
fn no_bound_exceeds_any_distance_of_small_boards_and_none_is_zero_but_at_the_goal() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (1, 6), (6, 1)] {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            for (board, distance) in distances(columns, &goal) {
                let (manhattan, conflict, walking) =
                    bounds(&puzzle, &instance(rows, columns, &board));
                let walking = walking.unwrap_or(manhattan);
                assert!(conflict <= distance && walking <= distance, "{board:?} {goal:?}");
                assert!(manhattan <= conflict && manhattan <= walking, "{board:?} {goal:?}");
                assert_eq!(manhattan == 0, distance == 0, "{board:?} {goal:?}");
                // Each slide changes each by one.
                assert!([manhattan, conflict, walking].iter().all(|h| h % 2 == distance % 2));
            }
        }
    }
}

/// Ten million boards of 2 × 5 and 3 × 4 (a minute): `cargo test --release -- --ignored bounds`.
#[test]
#[ignore = "takes a minute"]
fn no_bound_exceeds_any_distance_of_larger_boards() {
    for (rows, columns, every) in [(2, 5, 1), (5, 2, 1), (3, 4, 53), (4, 3, 53)] {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let size = Size::new(rows, columns).unwrap();
            let table = puzzle.kit(size).table.as_ref().unwrap();
            let build = deepen::table::TableBuild::default();
            let distances = build.build(&table.space, [table.space.goal()]).unwrap();
            for rank in (0..distances.entries()).step_by(every) {
                let board = table.space.unpack(table.space.unrank(rank));
                let distance = distances.distance(rank, 0).unwrap();
                let (manhattan, conflict, walking) =
                    bounds(&puzzle, &SlidingInstance { size, board });
                assert!(manhattan <= conflict && conflict <= distance, "{board:?}");
                assert!(walking.is_some_and(|walking| walking <= distance), "{board:?}");
            }
        }
    }
}

#[test]
fn bounds_are_those_of_their_definitions_on_boards_of_all_sizes() {
    let mut dice = Dice(1);
    for (rows, columns) in [
        (1, 2),
        (1, 7),
        (7, 1),
        (2, 2),
        (2, 6),
        (3, 3),
        (3, 4),
        (4, 3),
        (3, 5),
        (4, 4),
        (4, 5),
        (5, 4),
        (5, 5),
        (3, 7),
        (7, 3),
        (5, 7),
        (7, 5),
        (6, 6),
        (2, 18),
        (12, 3),
        (4, 9),
        (1, 36),
        (36, 1),
    ] {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let goal_board = instance(rows, columns, &goal);
            let space = &puzzle.field(&goal_board).space;
            for round in 0..40 {
                let mut board = goal_board;
                walk(space, &mut board.board, round * 10, &mut dice);
                let plain = plain_bounds(columns, &numbers(&board), &goal);
                let (manhattan, conflict, _) = bounds(&puzzle, &board);
                assert_eq!((manhattan, conflict), plain, "{rows}x{columns} {board:?} {goal:?}");
            }
        }
    }
}

#[test]
fn linear_conflict_is_the_same_however_it_is_carried() {
    let mut dice = Dice(2);
    for (rows, columns) in [(2, 2), (3, 3), (4, 4), (2, 6), (5, 4), (3, 6)] {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let goal = instance(rows, columns, &goal);
            let space = &puzzle.field(&goal).space;
            let (small, middle): (Coded<u64>, Coded<u128>) =
                (Coded::new(space).unwrap(), Coded::new(space).unwrap());
            let plain = Plain::new(space);
            for round in 0..100 {
                let mut board = goal.board;
                walk(space, &mut board, round, &mut dice);
                let bound = checked(&plain, space, &board);
                assert_eq!(checked(&small, space, &board), bound);
                assert_eq!(checked(&middle, space, &board), bound);
            }
        }
    }
    for (rows, columns, small, middle) in [
        (4, 5, true, true),
        (3, 7, false, false),
        (5, 5, false, true),
        (6, 6, false, true),
        (5, 7, false, false),
        (2, 8, false, false),
    ] {
        let size = Size::new(rows, columns).unwrap();
        let space = Tiles::new(rows, columns, size.blank_first());
        assert_eq!(Coded::<u64>::new(&space).is_some(), small, "{size}");
        assert_eq!(Coded::<u128>::new(&space).is_some(), middle, "{size}");
    }
}

#[test]
fn walking_distance_is_what_rows_and_columns_need() {
    assert_eq!(plain_walk(4, 4, 0).len(), 24_964);
    let mut dice = Dice(3);
    for (rows, columns) in [(2, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3), (4, 4)] {
        for goal in goals(rows, columns) {
            let puzzle = with_goal(rows, columns, &goal);
            let goal_board = instance(rows, columns, &goal);
            let blank = goal.iter().position(|&number| number == 0).unwrap();
            let walks = [
                plain_walk(rows, columns, blank / columns),
                plain_walk(columns, rows, blank % columns),
            ];
            for round in 0..60 {
                let mut board = goal_board;
                walk(&puzzle.field(&board).space, &mut board.board, round * 5, &mut dice);
                let (.., walking) = bounds(&puzzle, &board);
                let kinds = |axis| kinds(columns, &numbers(&board), &goal, axis);
                let known: Cost = (0..2).map(|axis| walks[axis][&kinds(axis)]).sum();
                assert_eq!(walking, Some(known), "{board:?}");
            }
        }
    }
}

#[test]
fn walking_distance_is_left_to_boards_that_are_not_too_large() {
    for (rows, columns, is_small) in
        [(4, 4, true), (3, 5, true), (6, 2, true), (4, 5, false), (5, 5, false), (6, 6, false)]
    {
        let size = Size::new(rows, columns).unwrap();
        let space = Tiles::new(rows, columns, size.blank_first());
        assert_eq!(Walking::new(&space).is_some(), is_small, "{size}");
    }
}
