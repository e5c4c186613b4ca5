//! Reading boards, goals and answers.

use super::*;
use crate::answer::{Fault, Judgement, judge};
use crate::solve::{Method, solve};

/// What is wrong with an input.
fn error(puzzle: &SlidingTiles, input: &str) -> String {
    puzzle.read(input.as_bytes()).find_map(Result::err).unwrap().to_string()
}

/// What is wrong with options.
fn settings_error(options: &[(&'static str, &str)]) -> String {
    let with = |settings: Settings, &(name, value): &(_, &str)| settings.with(name, value);
    let settings = options.iter().fold(Settings::default(), with);
    SlidingTiles::new(&settings).err().unwrap().0
}

#[test]
fn boards_of_all_forms_and_sizes_are_read_from_one_input() {
    let input = "\u{feff}8 2 0/4 6 1/3 7 5\r\n\
                 \n  8 2 0 4 6 1 3 7 5  \n\
                 1 8 2 0 4 6 1 3 7 5\n\
                 99999999999999999999999 8 2 0 4 6 1 3 7 5\n\
                 7 8 2 0 / 4 6 1 / 3 7 5 /\n\
                 0 3/2 1\n0 3 2 1\n17 0 3 2 1\n\
                 5 4 3/2 1 0\n1 5 4 3/2 1 0\n\
                 1 2/0 3/4 5\n3/2/1/0\n9 3/2/1/0\n\
                 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    let puzzle = tiles(&[]);
    let boards = read(&puzzle, input);
    let eight = instance(3, 3, &[8, 2, 0, 4, 6, 1, 3, 7, 5]);
    let three = instance(2, 2, &[0, 3, 2, 1]);
    let five = instance(2, 3, &[5, 4, 3, 2, 1, 0]);
    let tower = instance(3, 2, &[1, 2, 0, 3, 4, 5]);
    let pole = instance(4, 1, &[3, 2, 1, 0]);
    let fifteen = instance(4, 4, &(0..16).collect::<Vec<_>>());
    let expected =
        [vec![eight; 5], vec![three; 3], vec![five; 2], vec![tower, pole, pole, fifteen]];
    assert_eq!(boards, expected.concat());
    assert_eq!(read(&puzzle, &puzzle.write(&boards)), boards);

    let line = tiles(&[("size", "1x4")]);
    let boards = read(&line, "3 2 1 0\n1 3 2 1 0\n");
    assert_eq!(boards, [instance(1, 4, &[3, 2, 1, 0]); 2]);
    assert_eq!(read(&line, &line.write(&boards)), boards);
    let flat = tiles(&[("size", "2x8")]);
    let all: Vec<String> = (0..16).map(|number| number.to_string()).collect();
    assert_eq!(read(&flat, &all.join(" "))[0].size.to_string(), "2x8");
}

#[test]
fn what_is_wrong_with_a_board_is_told_with_its_place() {
    let any = tiles(&[]);
    let eight = tiles(&[("size", "3x3")]);
    for (puzzle, input, message) in [
        (
            &any,
            "0 1 2\n",
            "1:1: expected the numbers of a square board, or of one with a `/` after \
            each row, or one more with an index in front (board 1), found 3 numbers",
        ),
        (
            &any,
            "0 1 2 3\n\n  7\n",
            "3:3: expected the numbers of a square board, or of one with a \
            `/` after each row, or one more with an index in front (board 2), found 1 number",
        ),
        (
            &any,
            "1 2/3/0 4\n",
            "1:1: expected the numbers of a square board, or of one with a `/` \
            after each row, or one more with an index in front (board 1), found rows of 2, 1, 2",
        ),
        (
            &eight,
            "0 1 2 3\n",
            "1:1: expected the 9 numbers of a board of 3x3, or one more with an \
            index in front (board 1), found 4 numbers",
        ),
        (
            &eight,
            "0 1/2 3\n",
            "1:1: expected the 9 numbers of a board of 3x3, or one more with an \
            index in front (board 1), found rows of 2, 2",
        ),
        (&any, "0 1 2 4\n", "1:7: expected a number from 0 to 3 (cell 4 of 4, board 1), found `4`"),
        (
            &any,
            "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 57\n",
            "1:39: expected a number from 0 to 15 (cell 16 of 16, after the index, board 1), found `57`",
        ),
        (
            &any,
            "0 1/1 3\n",
            "1:5: expected a number not used yet (cell 3 of 4, board 1), found `1`, \
            which is in cell 2 already",
        ),
        (&any, "0 1\t2 3x\n", "1:8: expected a number or `/` (board 1), found `3x`"),
        (&any, "0 -1 2 3\n", "1:3: expected a number or `/` (board 1), found `-1`"),
        (&any, "0 1 / / 2 3\n", "1:7: expected a number or `/` (board 1), found `/`"),
        (&any, "/0 1\n", "1:1: expected a number or `/` (board 1), found `/0`"),
        (&any, "0 １ 2 3\n", "1:3: expected a number or `/` (board 1), found `１`"),
        (&any, "# a comment\n", "1:1: expected a number or `/` (board 1), found `#`"),
    ] {
        assert_eq!(error(puzzle, input), message);
    }
    let long = vec!["7"; 1000].join(" ");
    let message = "1:75: expected no more than 36 numbers (board 1), found `7`";
    assert_eq!(error(&any, &long), message);
    // What came before is read, and nothing after.
    let mut boards = any.read(&b"0 1 2 3\n0 1\n0 1 2 3\n"[..]);
    assert!(boards.next().unwrap().is_ok() && boards.next().unwrap().is_err());
    assert!(boards.next().is_none());
}

/// Whatever comes, it is read or refused, and what was read reads back.
#[test]
fn any_text_is_read_or_refused() {
    let puzzle = tiles(&[]);
    let mut dice = Dice(4);
    let (mut boards, mut errors) = (0, 0);
    for _ in 0..20_000 {
        // A right text, with some characters replaced.
        let mut text: Vec<char> = "0 1/3 2\n7 3 2 1 0\n5 4 3 / 2 1 0\n1/0/2\n".chars().collect();
        for _ in 0..dice.below(4) {
            let place = dice.below(text.len());
            text[place] = ['0', '1', '2', '3', '4', ' ', '/', '\n', 'x', 'é'][dice.below(10)];
        }
        let text: String = text.into_iter().collect();
        let read: Vec<_> = puzzle.read(text.as_bytes()).map_while(Result::ok).collect();
        let again: Result<Vec<_>, _> = puzzle.read(puzzle.write(&read).as_bytes()).collect();
        assert_eq!(again.unwrap(), read, "{text}");
        boards += read.len();
        errors += puzzle.read(text.as_bytes()).filter(Result::is_err).count();
        let _ = puzzle.read_answer(0, &mut Tokens::new(text.as_bytes()));
    }
    assert!(boards > 10_000 && errors > 5_000, "{boards} {errors}");
}

/// A line is a board when it ends: the next is not waited for.
#[test]
fn a_board_is_read_before_the_next_line_comes() {
    struct Lines(u32);
    impl std::io::Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            assert!(self.0 > 0, "another line is waited for");
            self.0 -= 1;
            std::io::Read::read(&mut &b"0 1 2 3\n"[..], buffer)
        }
    }
    let puzzle = tiles(&[]);
    let mut boards = puzzle.read(std::io::BufReader::new(Lines(2)));
    assert!(boards.next().unwrap().is_ok() && boards.next().unwrap().is_ok());
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for (options, message) in [
        (&[("size", "6x7")][..], "expected a size as in 4x4, of 36 cells at the most, found `6x7`"),
        (&[("size", "4")], "expected a size as in 4x4, of 36 cells at the most, found `4`"),
        (&[("size", "0x4")], "expected a size as in 4x4, of 36 cells at the most, found `0x4`"),
        (&[("size", "+4x4")], "expected a size as in 4x4, of 36 cells at the most, found `+4x4`"),
        (
            &[("notation", "arrows")],
            "no notation `arrows`; there is `blank`, `tile`, `blank-runs`, `tile-runs`",
        ),
        (&[("goal", "middle")], "expected a number or `/` (the goal), found `middle`"),
        (&[("goal", "")], "expected `first`, `last` or a board, found ``"),
        (
            &[("goal", "0 1/2 3\n0 1/2 3")],
            "expected `first`, `last` or a board, found `0 1/2 3\\n0 1/2 3`",
        ),
        (
            &[("goal", "0 1/2 3"), ("size", "3x3")],
            "expected the 9 numbers of a board of 3x3, or one \
            more with an index in front (the goal), found rows of 2, 2",
        ),
        (&[("from", "x")], "tiles has no from to set"),
    ] {
        assert_eq!(settings_error(options), message);
    }
}

#[test]
fn answers_read_back_in_every_notation() {
    let input = "8 2 0/4 6 1/3 7 5\n0 2 1/3 4 5/6 7 8\n0 1 2/3 4 5/6 7 8\n1 0 2/3 4 5/6 7 8\n";
    for notation in ["blank", "tile", "blank-runs", "tile-runs"] {
        let puzzle = tiles(&[("notation", notation)]);
        let boards = read(&puzzle, input);
        let mut output = String::new();
        let verdicts: Vec<_> = boards
            .iter()
            .map(|board| solve(&puzzle, board, Method::default(), &mut Control::default()).verdict)
            .collect();
        for ((index, board), verdict) in (0..).zip(&boards).zip(&verdicts) {
            output += &puzzle.judge_answer(index, board, verdict, None);
        }
        let last = if notation.starts_with("blank") { "L" } else { "R" };
        assert!(output.ends_with(&format!("\nimpossible\n0\n1 {last}\n")), "{output}");
        let mut answers = Tokens::new(output.as_bytes());
        for ((index, board), verdict) in (0..).zip(&boards).zip(&verdicts) {
            let answer = puzzle.read_answer(index, &mut answers).unwrap();
            let judged = judge(&puzzle, (index, board), &answer, verdict, None);
            assert_eq!(judged, Judgement::Right, "{answer:?}");
        }
        assert_eq!(answers.peek().unwrap(), None);
    }
}

/// What becomes of an answer to a board, under a limit.
fn judged(input: &str, answer: &str, limit: Option<Cost>) -> Result<Judgement, String> {
    let puzzle = tiles(&[]);
    let board = read(&puzzle, input)[0];
    let mut control = Control::default();
    control.limits.cost = limit.unwrap_or(deepen::MAX_COST);
    let verdict = solve(&puzzle, &board, Method::default(), &mut control).verdict;
    let read = puzzle.read_answer(0, &mut Tokens::new(answer.as_bytes()));
    read.map(|answer| judge(&puzzle, (0, &board), &answer, &verdict, limit))
        .map_err(|error| error.to_string())
}

#[test]
fn any_shortest_solution_is_right_and_others_are_not() {
    // Two tiles about the corner: six moves one way round the block, six the other.
    let board = "3 2/1 0\n";
    let wrong = |answer, limit| match judged(board, answer, limit) {
        Ok(Judgement::Wrong(wrong)) => wrong.fault,
        other => panic!("{answer}: {other:?}"),
    };
    for right in ["6 ULDRUL", "6 LURDLU", "6 L U R D L U", "6 U1L1DRUL", "6", "6\n"] {
        assert_eq!(judged(board, right, None), Ok(Judgement::Right), "{right}");
    }
    assert_eq!(wrong("8 ULDRULRL", None), Fault::Longer { cost: 8, least: 6 });
    assert_eq!(wrong("6 ULDRUR", None), Fault::NoGoal);
    assert_eq!(wrong("2 UU", None), Fault::NoGoal);
    assert_eq!(wrong("5", None), Fault::TooLittle(6));
    assert_eq!(wrong("impossible", None), Fault::Possible);
    assert_eq!(judged(board, "more than 5", Some(5)), Ok(Judgement::Right));
    assert_eq!(wrong("more than 4", Some(5)), Fault::OtherLimit);
    assert_eq!(wrong("6 ULDRUL", Some(5)), Fault::BeyondLimit);
}

#[test]
fn what_is_no_answer_is_told_with_its_place() {
    let message = |answer| judged("3 2/1 0\n", answer, None).unwrap_err();
    let number = "a number of moves, `impossible` or `more than N` (answer to board 1)";
    assert_eq!(message("x"), format!("1:1: expected {number}, found `x`"));
    assert_eq!(message("\n"), format!("2:1: expected {number}, found the end of the input"));
    assert_eq!(
        message("5 ULDRUL"),
        "1:1: expected 5 moves, as their number says (answer to board 1), found 6 moves"
    );
    let moves = "expected moves, U, D, L or R (answer to board 1)";
    assert_eq!(message("6 ULXRUL"), format!("1:5: {moves}, found `X`"));
    assert_eq!(message("6 U99999999999"), format!("1:3: {moves}, found `U`"));
    assert!(message("more moves").starts_with("1:6: expected `than`"));
    // A line is all that is read of an endless one.
    let long = "1 ".to_string() + &"U".repeat(1_000_000) + "\n1 U";
    let puzzle = tiles(&[]);
    let mut answers = Tokens::new(long.as_bytes());
    assert!(puzzle.read_answer(0, &mut answers).is_err());
    assert!(puzzle.read_answer(1, &mut answers).is_ok());
}

#[test]
fn drawings_are_aligned() {
    let puzzle = tiles(&[]);
    let board = instance(3, 4, &[10, 2, 0, 4, 6, 1, 3, 7, 5, 9, 8, 11]);
    let drawing = puzzle.draw(&puzzle.field(&board).space, &board.board);
    assert_eq!(drawing, "10  2  .  4\n 6  1  3  7\n 5  9  8 11\n");
}
