//! Rotation Game against an oracle that searches nothing: a table of the distances of one colour.

use deepen::{CancelToken, Control, Limits, Stop, Verdict};
use deepen_puzzles::{
    InstanceCounts, Method, Pruned, Puzzle, ReadError, Rotation, Settings, solve,
};

const SAMPLES: &str = include_str!("../../../../examples/rotation.txt");
const ANSWERS: &str = include_str!("../../../../examples/rotation.out");
const HARDEST: &str = include_str!("../../../../testdata/rotation/depth13.txt");

/// The lines of the moves A to H: each cell takes the symbol of the next.
const LINES: [[usize; 7]; 8] = [
    [0, 2, 6, 11, 15, 20, 22],
    [1, 3, 8, 12, 17, 21, 23],
    [10, 9, 8, 7, 6, 5, 4],
    [19, 18, 17, 16, 15, 14, 13],
    [23, 21, 17, 12, 8, 3, 1],
    [22, 20, 15, 11, 6, 2, 0],
    [13, 14, 15, 16, 17, 18, 19],
    [4, 5, 6, 7, 8, 9, 10],
];
const CENTRE: usize = 6;

fn turned(cells: &[u8; 24], mv: usize) -> [u8; 24] {
    let mut after = *cells;
    for i in 0..7 {
        after[LINES[mv][i]] = cells[LINES[mv][(i + 1) % 7]];
    }
    after
}

/// The distances of all placements of one colour, by the mask of its cells; 255 elsewhere.
struct Oracle(Vec<u8>);

impl Oracle {
    fn new() -> Self {
        let mut distances = vec![255; 1 << 24];
        let goal =
            [6, 7, 8, 11, 12, 15, 16, 17].iter().fold(0_usize, |mask, cell| mask | 1 << cell);
        distances[goal] = 0;
        let mut layer = vec![goal];
        let mut counts = vec![];
        while !layer.is_empty() {
            counts.push(layer.len());
            let mut next = Vec::new();
            for mask in layer {
                let cells = std::array::from_fn(|cell| (mask >> cell & 1) as u8);
                for mv in 0..8 {
                    let moved = Self::mask(&turned(&cells, mv), 1);
                    if distances[moved] == 255 {
                        distances[moved] = counts.len() as u8;
                        next.push(moved);
                    }
                }
            }
            layer = next;
        }
        // The counts of the theory: all 735,471 placements.
        let known = [
            1, 8, 44, 208, 876, 3220, 10498, 30236, 73982, 146466, 208170, 178588, 72941, 10045,
            188,
        ];
        assert_eq!(counts, known);
        Oracle(distances)
    }

    fn mask(cells: &[u8; 24], colour: u8) -> usize {
        (0..24).filter(|&cell| cells[cell] == colour).fold(0, |mask, cell| mask | 1 << cell)
    }

    fn distance(&self, cells: &[u8; 24], colour: u8) -> u8 {
        self.0[Self::mask(cells, colour)]
    }

    /// The judge's answer: at each step the first move that brings a nearest colour nearer.
    fn answer(&self, cells: &[u8; 24]) -> String {
        let mut cells = *cells;
        let least = (1..=3).map(|colour| self.distance(&cells, colour)).min().unwrap();
        let mut colours: Vec<u8> =
            (1..=3).filter(|&colour| self.distance(&cells, colour) == least).collect();
        let mut moves = String::new();
        for left in (0..least).rev() {
            let nearer = |after: &[u8; 24]| -> Vec<u8> {
                colours.iter().copied().filter(|&c| self.distance(after, c) == left).collect()
            };
            let mv = (0..8).find(|&mv| !nearer(&turned(&cells, mv)).is_empty()).unwrap();
            cells = turned(&cells, mv);
            colours = nearer(&cells);
            moves.push(char::from(b'A' + mv as u8));
        }
        if moves.is_empty() {
            moves += "No moves needed";
        }
        format!("{moves}\n{}\n", cells[CENTRE])
    }
}

fn rotation() -> Rotation {
    Rotation::new(&Settings::default()).unwrap()
}

fn answers(text: &str, method: Method) -> String {
    let rotation = rotation();
    let answer = |board: Result<_, ReadError>| {
        let board = board.unwrap();
        let outcome = solve(&rotation, &board, method, &mut Control::default());
        rotation.judge_answer(0, &board, &outcome.verdict, None)
    };
    rotation.read(text.as_bytes()).map(answer).collect()
}

fn error(text: &str) -> String {
    let rotation = rotation();
    rotation.read(text.as_bytes()).find_map(Result::err).expect("an error").to_string()
}

fn text(cells: &[u8; 24]) -> String {
    cells.map(|cell| cell.to_string()).join(" ") + "\n"
}

/// A board, shuffled by a little generator of our own so that it never changes.
fn shuffled(seed: u64) -> [u8; 24] {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut cells = std::array::from_fn(|cell| (cell / 8 + 1) as u8);
    for last in (1..24).rev() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        cells.swap(last, (random % (last as u64 + 1)) as usize);
    }
    cells
}

#[test]
fn the_samples_come_out_with_every_heuristic_and_pruning() {
    for heuristic in 0..3 {
        for pruned in [Pruned::Nothing, Pruned::Inverse, Pruned::Learned] {
            assert_eq!(
                answers(SAMPLES, Method { heuristic, pruned, ..Method::default() }),
                ANSWERS
            );
        }
    }
}

#[test]
fn the_first_shortest_answer_is_found_on_random_and_on_hardest_boards() {
    let oracle = Oracle::new();
    let mut boards: Vec<[u8; 24]> = (1..=400).map(shuffled).collect();
    boards.extend(HARDEST.lines().step_by(24).map(|line| {
        let cells: Vec<u8> = line.split(' ').map(|cell| cell.parse().unwrap()).collect();
        <[u8; 24]>::try_from(cells).unwrap()
    }));
    let input: String = boards.iter().map(text).collect();
    let expected: String = boards.iter().map(|board| oracle.answer(board)).collect();
    assert_eq!(answers(&input, Method::default()), expected);
}

#[test]
fn blind_deepening_finds_the_same_on_near_boards() {
    let oracle = Oracle::new();
    let mut cells = std::array::from_fn(|cell| {
        if [6, 7, 8, 11, 12, 15, 16, 17].contains(&cell) { 1 } else { 2 + (cell % 2) as u8 }
    });
    let halves: [u8; 24] = cells;
    assert_eq!(halves.map(u32::from).iter().sum::<u32>(), 8 + 16 + 24);
    for mv in [0, 2, 5, 7, 1] {
        cells = turned(&cells, mv);
        for pruned in [Pruned::Nothing, Pruned::Inverse, Pruned::Learned] {
            let method = Method { heuristic: 3, pruned, ..Method::default() };
            assert_eq!(answers(&text(&cells), method), oracle.answer(&cells));
        }
    }
}

#[test]
fn a_cost_limit_below_the_distance_proves_a_bound() {
    let rotation = rotation();
    let board = rotation.read(HARDEST.as_bytes()).next().unwrap().unwrap();
    let limits = Limits { cost: 8, ..Limits::default() };
    let verdict = |heuristic| {
        let method = Method { heuristic, ..Method::default() };
        solve(&rotation, &board, method, &mut Control { limits, ..Control::default() }).verdict
    };
    assert_eq!(verdict(0), Verdict::AboveLimit { lower_bound: 13 });
    assert_eq!(verdict(1), Verdict::AboveLimit { lower_bound: 9 });
    let answer = rotation.judge_answer(0, &board, &verdict(0), Some(8));
    assert_eq!(answer, "More than 8 moves needed\n");
}

#[test]
fn harmless_variations_are_read() {
    let loose = SAMPLES.replace('\n', " \r\n\r\n\t");
    let joined = SAMPLES.replace('\n', " ");
    let bare = SAMPLES.trim_end().trim_end_matches('0');
    let marked = format!("\u{feff}{}", SAMPLES.trim_end());
    for input in [&loose, &joined, bare, &marked] {
        assert_eq!(answers(input, Method::default()), ANSWERS);
    }
    assert_eq!(answers("", Method::default()), "");
    assert_eq!(answers("0", Method::default()), "");
}

#[test]
fn wrong_input_is_told_with_its_place() {
    let board = SAMPLES.lines().next().unwrap();
    let cases = [
        (
            "1 2 3\n1 2".into(),
            "2:4: expected 1, 2 or 3 (cell 6 of 24, board 1), found the end of the input",
        ),
        (format!("{board}\n1 2 4"), "2:5: expected 1, 2 or 3 (cell 3 of 24, board 2), found `4`"),
        (
            board.replacen("1 1 1", "1 1 2", 1),
            "1:1: expected eight each of 1, 2 and 3 in board 1, found 7, 9 and 8",
        ),
        (
            board.replacen("1 1 1", "1 0 1", 1),
            "1:3: expected 1, 2 or 3 (cell 2 of 24, board 1), found `0`",
        ),
        (format!("{board}\n0\n {board}"), "3:2: expected nothing after the final 0, found `1`"),
        ("１ 2".into(), "1:1: expected 1, 2 or 3 (cell 1 of 24, board 1), found `１`"),
        ("1 \u{0} 2".into(), "1:3: expected 1, 2 or 3 (cell 2 of 24, board 1), found `\\u{0}`"),
        (
            format!("1 {}", "2".repeat(3_000_000)),
            "1:3: expected 1, 2 or 3 (cell 2 of 24, board 1), found `2222222222222222222222222222222222222222…`",
        ),
        ("-1 2".into(), "1:1: expected 1, 2 or 3 (cell 1 of 24, board 1), found `-1`"),
    ];
    for (input, message) in cases {
        assert_eq!(error(&input), message);
    }
}

#[test]
fn the_boards_before_a_mistake_are_read() {
    let input = SAMPLES.replace("\n0\n", "\nx\n");
    let read: Vec<bool> = rotation().read(input.as_bytes()).map(|board| board.is_ok()).collect();
    assert_eq!(read, [true, true, true, true, true, true, false]);
}

#[test]
fn the_names_of_moves_read_back() {
    let rotation = rotation();
    let board = rotation.read(SAMPLES.as_bytes()).next().unwrap().unwrap();
    let space = &rotation.field(&board).space;
    for (mv, name) in (0..8).zip(["A", "B", "C", "D", "E", "F", "G", "H"]) {
        assert_eq!(rotation.move_name(space, mv), name);
        assert_eq!(rotation.parse_move(space, &board, name), Some(mv));
    }
    assert_eq!(rotation.parse_move(space, &board, "I"), None);
}

#[test]
fn a_board_is_drawn_in_its_shape() {
    let rotation = rotation();
    let board = rotation.read(SAMPLES.as_bytes()).next().unwrap().unwrap();
    let drawing =
        "    1   1\n    1   1\n3 2 3 2 3 1 3\n    2   2\n3 1 2 2 2 3 1\n    2   1\n    3   3\n";
    assert_eq!(rotation.draw(&rotation.field(&board).space, &board), drawing);
}

#[test]
fn all_boards_are_counted_as_the_theory_has_them() {
    let known = vec![
        38610, 308880, 1698840, 8030880, 33820248, 124134840, 400278348, 1098954804, 2316756348,
        3172593156, 1992066648, 312776400, 4053576, 192,
    ];
    let counted = rotation().count_instances(&CancelToken::new());
    assert_eq!(counted, InstanceCounts::Counted(known));
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let stopped = rotation().count_instances(&cancelled);
    assert_eq!(stopped, InstanceCounts::Stopped(Stop::Cancelled));
}
