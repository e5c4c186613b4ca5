//! Small facts of twisty puzzles: the languages and their refusals, conventions worked out by hand,
//! states and symmetries.

mod reduced;

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use deepen::{Packed, Space, moves_of};

use super::choose::choose;
use super::kpuzzle;
use super::letters::{Metric, letters};
use super::model::{ANY, Definition};
use super::scrambles::Scrambles;
use super::space::{State, Twists};
use super::symmetry::Symmetry;
use super::tws;
use super::write;
use crate::input::ReadError;
use crate::random::Random;

const BUILT_IN: [&str; 5] = [
    include_str!("definitions/2x2x2.tws"),
    include_str!("definitions/3x3x3.tws"),
    include_str!("definitions/floppy.tws"),
    include_str!("definitions/pyraminx.tws"),
    include_str!("definitions/skewb.tws"),
];

fn define(text: &str) -> Definition {
    tws::read(text.as_bytes()).unwrap()
}

fn space_of(definition: Definition) -> Twists {
    let definition = Arc::new(definition);
    let letters = letters(&definition, Metric::Half, None).unwrap();
    Twists::new(&definition, letters, Metric::Half).unwrap()
}

fn space(text: &str) -> Twists {
    space_of(define(text))
}

fn names(space: &Twists) -> Vec<&str> {
    space.letters.iter().map(|letter| letter.name.as_str()).collect()
}

/// The state after moves, by name.
fn after(space: &Twists, moves: &str) -> State {
    let definition = space.definition();
    let pattern = moves.split_whitespace().fold(definition.solved.clone(), |pattern, word| {
        pattern.after(&definition.word(word).unwrap(), &definition.sets)
    });
    space.state(&pattern)
}

/// Why a definition is refused.
fn refusal(text: &str) -> String {
    match tws::read(text.as_bytes()) {
        Err(ReadError::Bad(error)) => error.to_string(),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("not refused: {text}"),
    }
}

const RING: &str = "Set A 3 2\nSolved\nEnd\n";

/// A move M of the old form takes the piece of slot 3 to slot 1, that of 1 to 2 and that of 2 to 3:
/// `p = 3 1 2`. Its orientations `1 0 0` are those of the pieces 1, 2, 3, so piece 1 is turned,
/// which comes to slot 2: by slot `0 1 0`.
#[test]
fn an_old_move_turns_by_piece_and_a_new_one_by_slot() {
    let old = define(&format!("{RING}Move M\nA\n3 1 2\n1 0 0\nEnd\n"));
    let new = define(&format!("{RING}MoveTransformation M\nA\n2 0 1\n0 1 0\nEnd\n"));
    assert_eq!(old.moves, new.moves);
    assert_eq!(old.solved, new.solved);
    let pattern = old.solved.after(&old.moves[0].transformation, &old.sets);
    assert_eq!(pattern.rows[0].pieces, [2, 0, 1]);
    assert_eq!(pattern.rows[0].orientations, [0, 1, 0]);
    // Once more: slot 1 gets piece 2 from slot 3, slot 2 gets piece 3 from slot 1, and turned; slot
    // 3 gets piece 1 from slot 2, where it was turned.
    let twice = pattern.after(&old.moves[0].transformation, &old.sets);
    assert_eq!(twice.rows[0].pieces, [1, 2, 0]);
    assert_eq!(twice.rows[0].orientations, [0, 1, 1]);
    // All three are turned once in a round, so the move has order 6, and its powers are named so.
    let space = space_of(old);
    assert_eq!(names(&space), ["M", "M2", "M3", "M2'", "M'"]);
}

/// A state A, then a move B, as the language defines it: `p[i] = A.p[B.p[i]]`,
/// `o[i] = (A.o[B.p[i]] + B.o[i]) mod m`.
#[test]
fn states_and_moves_compose_passively() {
    let text =
        "Set A 3 3\nStartState\nA\n0 1 2\n2 1 0\nEnd\nMoveTransformation B\nA\n1 2 0\n1 0 2\nEnd\n";
    let definition = define(text);
    let pattern = definition.solved.after(&definition.moves[0].transformation, &definition.sets);
    assert_eq!(pattern.rows[0].pieces, [1, 2, 0]);
    // 1 + 1, 0 + 0, 2 + 2 modulo 3.
    assert_eq!(pattern.rows[0].orientations, [2, 0, 1]);
    let space = space(text);
    let mut state = space.solved().clone();
    space.apply(&mut state, moves_of(&space, space.solved())[0]);
    assert_eq!(space.pattern(&state), pattern);
}

#[test]
fn both_languages_say_the_same() {
    for text in BUILT_IN {
        let first = define(text);
        let again = define(&write::tws(&first));
        let json = kpuzzle::read(&write::kpuzzle(&first).unwrap()).unwrap();
        for other in [&again, &json] {
            assert_eq!(first.name, other.name);
            assert_eq!(first.sets, other.sets);
            assert_eq!(first.solved, other.solved);
            assert_eq!(first.moves, other.moves);
            assert_eq!(first.sequences, other.sequences);
        }
    }
    let text = "Set A 4 3\nSolved\nA\n1 1 5 2\n? ? 0 2\nEnd\nMove M\nA\n2 1 3 4\n1 2 0 0\nEnd\n\
        MoveSequence LATER FIRST M2\nMoveAlias FIRST M\nIllegal A 2 5\n";
    let first = define(text);
    let again = define(&write::tws(&first));
    assert_eq!((&first.sets, &first.solved), (&again.sets, &again.solved));
    assert_eq!((&first.moves, &first.illegal), (&again.moves, &again.illegal));
    assert_eq!(first.sequences, again.sequences);
    assert_eq!(write::kpuzzle(&first), None);
    let legal = define(&text.replace("Illegal A 2 5\n", ""));
    let json = kpuzzle::read(&write::kpuzzle(&legal).unwrap()).unwrap();
    assert_eq!((legal.solved, legal.moves), (json.solved, json.moves));
}

#[test]
fn derived_moves_are_worked_out() {
    let text = r#"{ "orbits": [{"orbitName": "A", "numPieces": 4, "numOrientations": 2}],
        "defaultPattern": {"A": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}},
        "moves": {"X": {"A": {"permutation": [1, 0, 2, 3], "orientationDelta": [1, 0, 0, 0]}},
                  "Y": {"A": {"permutation": [1, 2, 3, 0]}}},
        "derivedMoves": {"C": "[Y: X]", "D": "[X, Y2]", "E": "(X Y)3'", "F": "C D'"} }"#;
    let definition = kpuzzle::read(text).unwrap();
    let same = |name: &str, words: &str| {
        let word = |word| definition.word(word).unwrap();
        let words = words.split(' ').map(word);
        let all = words.reduce(|a, b| a.then(&b, &definition.sets)).unwrap();
        assert_eq!(definition.word(name).unwrap(), all, "{name}");
    };
    same("C", "Y X Y'");
    same("D", "X Y2 X' Y2'");
    same("E", "Y' X' Y' X' Y' X'");
    same("F", "C Y2 X Y2' X'");
    for (wrong, told) in [
        ("[X: Y", "a sequence of moves whose brackets match"),
        ("X)", "a sequence of moves whose brackets match"),
        ("Z", "the name of a move, found `Z`"),
        ("(X)99999999", "a sequence of at most"),
        ("F", "the name of a move, found `F`, a sequence that this one is a part of"),
    ] {
        let text = text.replace("C D'", wrong);
        let error = kpuzzle::read(&text).unwrap_err().to_string();
        assert!(error.contains(told), "{wrong}: {error}");
    }
    let deep = format!("{}X{}", "(".repeat(100_000), ")".repeat(100_000));
    let error = kpuzzle::read(&text.replace("C D'", &deep)).unwrap_err().to_string();
    assert!(error.contains("brackets at most 64 deep"), "{error}");
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn what_is_wrong_with_a_definition_is_told_with_its_place() {
    let ring = |rest: &str| format!("{RING}{rest}");
    let moved = "Move M\nA\n2 1 3\nEnd\n";
    for (text, told) in [
        (String::new(), "1:1: expected `Set`, found the end of the input"),
        ("Solved\nEnd\n".into(), "1:1: expected `Set`, found `Solved`"),
        (
            "Name a b\n".into(),
            "1:8: expected the end of the line after the puzzle's name, found `b`",
        ),
        ("Set\n".into(), "1:4: expected the name of a set, found the end of the line"),
        ("Set 5 3 1\n".into(), "1:5: expected the name of a set, found `5`, which can't be a name"),
        ("Set A 0 1\n".into(), "1:7: expected how many pieces, 1 to 255, found `0`"),
        ("Set A 256 1\n".into(), "1:7: expected how many pieces, 1 to 255, found `256`"),
        ("Set A 3 128\n".into(), "1:9: expected how many orientations, 1 to 127, found `128`"),
        (
            "Set A 3 2 1\n".into(),
            "1:11: expected the end of the line after the orientations, found `1`",
        ),
        (
            "Set A 3 2\nSet A 3 2\n".into(),
            "2:5: expected a new name, found `A`, which is the name of a set already",
        ),
        (
            "Set A 3 2\nsolved\n".into(),
            "2:1: expected `Set`, `Solved` or `StartState`, found `solved`",
        ),
        ("Set A 3 2\nSolved\nB\n".into(), "3:1: expected the name of a set, or `End`, found `B`"),
        (
            "Set A 3 2\nSolved\nA\n1 2\nEnd\n".into(),
            "4:4: expected piece (of A, 1 to 255) 3 of 3, found the end of the line",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 2 3 4\nEnd\n".into(),
            "4:7: expected the end of the line after 3 piece (of A, 1 to 255)s, found `4`",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 0 3\nEnd\n".into(),
            "4:3: expected piece (of A, 1 to 255) 2 of 3, found `0`",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 2 3\n0 2 0\nEnd\n".into(),
            "5:3: expected orientation (of A, 0 to 1, or `?`) 2 of 3, found `2`",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 1 3\n? 0 0\nEnd\n".into(),
            "5:1: expected identical pieces of A all with `?` or none, found one of each (slot 2)",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 2 3\nA\n1 2 3\nEnd\n".into(),
            "5:1: expected a set that the block does not have yet, found `A`, which it has",
        ),
        (
            "Set A 3 2\nSolved\n".into(),
            "3:1: expected the name of a set, or `End`, found the end of the input",
        ),
        (ring(""), "4:1: expected a move, found the end of the input"),
        (
            ring("Turn M\n"),
            "4:1: expected `Move`, `MoveTransformation`, `MoveAlias`, `MoveSequence` or `Illegal`, found `Turn`",
        ),
        (
            ring("Move M\nA\n1 1 3\nEnd\n"),
            "6:3: expected each slot of A once, found `1`, which was there before",
        ),
        (ring("Move M\nA\n1 2 4\nEnd\n"), "6:5: expected slot (of A, 1 to 3) 3 of 3, found `4`"),
        (
            ring("MoveTransformation M\nA\n1 2 3\nEnd\n"),
            "6:5: expected slot (of A, 0 to 2) 3 of 3, found `3`",
        ),
        (
            ring("Move M\nA\n2 1 3\n? 0 0\nEnd\n"),
            "7:1: expected orientation (of A, 0 to 1) 1 of 3, found `?`",
        ),
        (
            ring("Move M\nEnd\n"),
            "4:6: expected a move that does something, found `M`, which does nothing",
        ),
        (
            ring(&format!("{moved}{moved}")),
            "8:6: expected a new name, found `M`, which is taken already",
        ),
        (
            ring(&format!("{moved}MoveAlias M M\n")),
            "8:11: expected a new name, found `M`, which is taken already",
        ),
        (ring(&format!("{moved}MoveAlias N O\n")), "8:13: expected the name of a move, found `O`"),
        (
            ring(&format!("{moved}MoveSequence N\n")),
            "8:15: expected the name of a move, found the end of the line",
        ),
        (
            ring(&format!("{moved}MoveSequence N M N\n")),
            "8:18: expected the name of a move, found `N`, a sequence that this one is a part of",
        ),
        (
            ring(&format!("{moved}MoveSequence N O\nMoveSequence O M N\n")),
            "9:18: expected the name of a move, found `N`, a sequence that this one is a part of",
        ),
        (ring(&format!("{moved}Illegal B 1 1\n")), "8:9: expected the name of a set, found `B`"),
        (ring(&format!("{moved}Illegal A 4 1\n")), "8:11: expected a slot, 1 to 3, found `4`"),
        (
            ring(&format!("{moved}Illegal A 3\n")),
            "8:12: expected a piece, 1 to 255, found the end of the line",
        ),
        (ring(&format!("# é\n{moved}Illegal é 3\n")), "9:9: expected the name of a set, found `é`"),
    ] {
        assert_eq!(refusal(&text), told, "{text}");
    }
    let error = tws::read(&b"Set A 3 2\nSet \xff"[..]).unwrap_err().to_string();
    assert_eq!(error, "2:5: expected text in UTF-8, found bytes that are none");
}

#[test]
fn what_is_wrong_with_json_is_told_with_its_place() {
    let pattern = r#""defaultPattern": {"A": {"pieces": [0, 1], "orientation": [0, 0]}}"#;
    let orbits = r#""orbits": [{"orbitName": "A", "numPieces": 2, "numOrientations": 4}]"#;
    let moves = r#""moves": {"M": {"A": {"permutation": [1, 0], "orientationDelta": [0, 0]}}}"#;
    let whole = |a: &str, b: &str, c: &str| format!("{{{a},\n{b},\n{c}}}");
    assert!(kpuzzle::read(&whole(orbits, pattern, moves)).is_ok());
    let old = r#""orbits": {"A": {"numPieces": 2, "numOrientations": 4}}"#;
    assert!(kpuzzle::read(&whole(old, pattern, moves)).is_ok());
    for (text, told) in [
        ("{".into(), "1:2: expected `\"`, the name of a member, found the end of the input"),
        ("[]".into(), "1:1: expected an object: the definition of a puzzle, found a list of 0"),
        ("{} x".into(), "1:4: expected the end of the JSON value, found `x`"),
        ("{\"a\": tru}".into(), "1:7: expected a JSON value, found `tru`"),
        ("{\"a\": \"\\x\"}".into(), "1:9: expected a JSON escape, found `x`"),
        (
            "{\"orbit\": 1}".into(),
            "1:2: expected one of `name`, `orbits`, `defaultPattern`, `moves`, `derivedMoves`, found `orbit`",
        ),
        (
            format!("{{{orbits}}}"),
            "1:1: expected an object with `defaultPattern`, found an object of 1",
        ),
        (
            whole(&orbits.replace('2', "0"), pattern, moves),
            "1:45: expected how many pieces, 1 to 255, found `0`",
        ),
        (
            whole(&orbits.replace('4', "128"), pattern, moves),
            "1:67: expected how many orientations, 1 to 127, found `128`",
        ),
        (
            whole(orbits, &pattern.replace("[0, 1]", "[0]"), moves),
            "2:36: expected 2 numbers: the piece in each slot, found a list of 1",
        ),
        (
            whole(orbits, pattern, &moves.replace("[1, 0]", "[1, 1]")),
            "3:42: expected a permutation: each slot once, found `1`",
        ),
        (
            whole(orbits, pattern, &moves.replace("[1, 0]", "[1, 2]")),
            "3:42: expected a number from 0 to 1: the slot that each piece comes from, found `2`",
        ),
        (
            whole(orbits, pattern, &moves.replace("[1, 0]", "[0, 1]")),
            "3:11: expected a move that does something, found `M`, which does nothing",
        ),
        (
            whole(orbits, pattern, r#""moves": {}"#),
            "3:10: expected an object with at least one move, found an object of 0",
        ),
        (
            whole(orbits, pattern, &moves.replace("\"M\"", "\"M M\"")),
            "3:11: expected the name of a move, found `M M`, which can't be a name",
        ),
        (
            whole(orbits, &pattern.replace("[0, 0]", "[0, 0], \"orientationMod\": [1, 2]"), moves),
            "2:89: expected 0, 1 or 4 (others are not supported), found `2`",
        ),
        (
            format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)),
            "1:65: expected values at most 64 deep, found `[`",
        ),
    ] {
        let error = kpuzzle::read(&text).unwrap_err().to_string();
        assert_eq!(error, told, "{text}");
    }
}

#[test]
fn scrambles_are_read_in_every_form() {
    let definition = define(BUILT_IN[1]);
    let read = |text: &str| -> Result<Vec<_>, String> {
        let scrambles = Scrambles::new(text.as_bytes(), &definition);
        scrambles.map(|scramble| scramble.map_err(|error| error.to_string())).collect()
    };
    let corners = "2 5 3 4 1 6 7 8\n2 1 0 0";
    let text = format!(
        "R U2 F'\n\n# a comment\nScrambleAlg A\nR U2\nF' End\nScramble B\nCORNERS\n1 2 3 4 5 6 7 8\nEnd\n\
         {{\"EDGES\": {{\"pieces\": [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], \"orientation\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}}}\n\
         ScrambleState C\nEDGES\n1 0 2 3 4 5 6 7 8 9 10 11\nEnd\nStartState D\nEnd\nx R U x'\nF' R3' L2'\nScramble E\nCORNERS\n{corners} 1 0 0 0\nEnd"
    );
    let all = read(&text).unwrap();
    assert_eq!(all.len(), 9);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[2], all[5]);
    assert_eq!(*all[2].pattern, definition.solved);
    assert_eq!(all[3], all[4]);
    assert_eq!(all[6], read("R F").unwrap()[0]);
    assert_eq!(all[7], read("F' R L2").unwrap()[0]);
    for (text, told) in [
        ("R Q", "1:3: expected the name of a move, found `Q`"),
        (
            "Scramble A\nCORNERS\n1 2 3 4 5 6 7 7\nEnd",
            "3:1: expected the pieces of CORNERS, as in the solved state, found piece 7 2 times instead of 1",
        ),
        (
            "Scramble A\nCORNERS\n1 2 3 4 5 6 7 8\n? 0 0 0 0 0 0 0\nEnd",
            "3:1: expected an orientation of each piece of CORNERS, found any for piece 1, which must be turned in one way",
        ),
        ("Scramble\n", "1:9: expected a name, found the end of the line"),
        ("ScrambleAlg A\nR U", "3:1: expected a move, or `End`, found the end of the input"),
        ("{\"EDGES\": 1}", "1:11: expected an object: the pieces of an orbit, found `1`"),
    ] {
        assert_eq!(read(text).unwrap_err(), told);
    }
}

/// A definition of ten megabytes, one with a thousand moves, sets of 255 pieces: read in no time.
#[test]
fn large_files_are_read() {
    let began = Instant::now();
    let mut text = format!("{RING}Move M\nA\n2 3 1\nEnd\n");
    // Each sequence is made of later ones; and one has a million moves.
    for number in 0..200_000 {
        writeln!(text, "MoveSequence S{number} M S{}", number + 1).unwrap();
    }
    writeln!(text, "MoveSequence S200000 M2{}", " M".repeat(1_000_000)).unwrap();
    while text.len() < 10 << 20 {
        text += "# a comment, as long as this\n";
    }
    let definition = define(&text);
    // The length of S199998 is 2 + 1,000,002, that is 2 modulo 3.
    assert_eq!(definition.word("S199998"), definition.word("M2"));
    // A thousand moves: of order 2 they are as many to search, of order 3 too many.
    let thousand = |order: usize| {
        let mut text = "Set A 255 127\nSolved\nEnd\n".to_string();
        for number in 0..1000 {
            let mut row: Vec<usize> = (0..255).collect();
            row.swap(number / 250, number % 250 + 5);
            if order == 3 {
                row.swap(number / 250, number % 250 + 4);
            }
            let row: Vec<String> = row.iter().map(ToString::to_string).collect();
            write!(text, "MoveTransformation M_{number}_\nA\n{}\nEnd\n", row.join(" ")).unwrap();
        }
        define(&text)
    };
    let definition = thousand(3);
    assert_eq!(definition.moves.len(), 1000);
    let told = letters(&definition, Metric::Half, None).unwrap_err();
    assert!(told.contains("more than 1024 moves to search"), "{told}");
    assert_eq!(letters(&definition, Metric::Half, Some("M_0_,M_1_")).unwrap().len(), 4);
    let definition = thousand(2);
    let all = letters(&definition, Metric::Half, None).unwrap();
    assert_eq!(all.len(), 1000);
    Twists::new(&Arc::new(definition), all, Metric::Half).unwrap();
    let mut text = String::new();
    for number in 0..258 {
        writeln!(text, "Set A{number} 255 1").unwrap();
    }
    let told = refusal(&text);
    assert!(
        told.starts_with("258:10: expected at most 65536 pieces in all sets together"),
        "{told}"
    );
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn what_would_take_too_much_memory_is_refused_before() {
    let mut text = String::new();
    for number in 0..257 {
        writeln!(text, "Set A{number} 255 1").unwrap();
    }
    text += "Solved\nEnd\nMove M\n";
    for number in 0..257 {
        let row: Vec<String> = (1..=255).map(|slot| (slot % 255 + 1).to_string()).collect();
        writeln!(text, "A{number}\n{}", row.join(" ")).unwrap();
    }
    text += "End\n";
    for number in 0..10_000 {
        writeln!(text, "MoveSequence S{number} M M").unwrap();
    }
    assert!(refusal(&text).contains("expected moves and sequences of at most 1073741824 bytes"));
    let large = define("Set A 255 1\nSet B 2 1\nSolved\nEnd\nMove M\nB\n2 1\nEnd\n");
    let large = Arc::new(large);
    let told = Twists::new(&large, letters(&large, Metric::Half, None).unwrap(), Metric::Half);
    assert!(told.unwrap_err().contains("257 slots, which take 272"));
}

#[test]
fn moves_are_chosen_and_counted() {
    let definition = define(BUILT_IN[1]);
    let chosen = |metric, only: Option<&str>| {
        let letters = letters(&definition, metric, only)?;
        Ok::<_, String>(letters.into_iter().map(|letter| letter.name).collect::<Vec<_>>().join(" "))
    };
    let all = "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'";
    assert_eq!(chosen(Metric::Half, None).unwrap(), all);
    assert_eq!(chosen(Metric::Half, Some("U,F',R2")).unwrap(), "U U2 U' F F2 F' R2");
    assert_eq!(chosen(Metric::Quarter, Some("U,F")).unwrap(), "U U' F F'");
    assert_eq!(chosen(Metric::Half, Some("U2,U")).unwrap(), "U2 U U'");
    assert!(
        chosen(Metric::Quarter, Some("R2")).unwrap_err().contains("`R2` is no move in the quarter")
    );
    assert!(chosen(Metric::Half, Some("Q")).unwrap_err().contains("`Q` is no move of the puzzle"));
    assert!(chosen(Metric::Half, Some("U4")).unwrap_err().contains("does nothing"));
    // A move that ends in a digit has a caret before the number.
    let ring = define(
        "Set A 5 1\nSolved\nEnd\nMove M1\nA\n2 3 4 5 1\nEnd\nMove v\nA\n2 1 3 4 5\nEnd\nMove Rv\nA\n1 3 2 4 5\nEnd\n",
    );
    let letters = letters(&ring, Metric::Half, None).unwrap();
    let names: Vec<_> = letters.iter().map(|letter| letter.name.as_str()).collect();
    assert_eq!(names, ["M1", "M1^2", "M1^2'", "M1'", "v"]);
    assert!(
        names
            .iter()
            .zip(&letters)
            .all(|(name, letter)| ring.word(name).unwrap() == letter.transformation)
    );
}

fn random_state(space: &Twists, random: &mut Random) -> State {
    let mut state = space.solved().clone();
    for _ in 0..40 {
        let moves = moves_of(space, &state);
        space.apply(&mut state, moves[random.index(moves.len())]);
    }
    state
}

const MANY_LANES: &str = "Set A 40 5\nSet B 7 2\nSet C 17 1\nSolved\nA\n\
    1 1 1 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36\n\
    ? ? ? ? ? 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4\nEnd\n\
    MoveTransformation M\nA\n\
    39 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38\n\
    1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0 0 4\nB\n1 0 2 3 4 5 6\n1 0 0 0 0 0 0\nEnd\n\
    MoveTransformation N\nA\n\
    1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 17 16 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 39 38\n\
    C\n16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0\nEnd\n";

/// Shuffles and the portable code do the same, which is what patterns say.
#[test]
fn moves_are_the_same_however_they_are_made() {
    let mut random = Random::new(3);
    for text in BUILT_IN.into_iter().chain([MANY_LANES]) {
        let space = space(text);
        for _ in 0..50 {
            let state = random_state(&space, &mut random);
            for turn in moves_of(&space, &state) {
                let [mut one, mut two] = [state.clone(), state.clone()];
                space.apply(&mut one, turn);
                space.moves.gather(&mut two, turn.0);
                assert!(one == two);
                let letter = &space.letters[usize::from(turn.0)];
                let sets = &space.definition().sets;
                let pattern = space.pattern(&state).after(&letter.transformation, sets);
                assert!(space.state(&pattern) == one);
                space.undo(&mut one, turn);
                assert!(one == state);
            }
            let mut key = vec![0xff; space.key_bytes()];
            space.pack(&state, &mut key);
            assert!(space.unpack(&key) == state);
        }
    }
    assert!(space(MANY_LANES).solved().turns.contains(&ANY));
}

/// A symmetry turns the state after a move into the turned state after the turned move.
#[test]
fn symmetries_go_with_moves() {
    let space = space(BUILT_IN[1]);
    let symmetries = Symmetry::all(&space);
    assert_eq!(symmetries.len(), 24);
    let mut random = Random::new(4);
    for symmetry in &symmetries {
        assert!(symmetry.turn(&space, space.solved()) == *space.solved());
        for _ in 0..5 {
            let mut state = random_state(&space, &mut random);
            let mut turned = symmetry.turn(&space, &state);
            for turn in moves_of(&space, &state) {
                space.apply(&mut state, turn);
                let letter = symmetry.letters[usize::from(turn.0)];
                space.moves.apply(&mut turned, letter);
                assert!(symmetry.turn(&space, &state) == turned);
            }
        }
    }
}

#[test]
fn what_no_moves_can_reach_is_told_at_once_and_why() {
    let space = space(BUILT_IN[1]);
    let told = |moves: &str, change: fn(&mut State)| {
        let mut state = after(&space, moves);
        change(&mut state);
        space.impossible(&state)
    };
    let (corners, edges) = (space.fields[0].start, space.fields[1].start);
    assert_eq!((corners, edges), (0, 16));
    assert_eq!(told("R U F", |_| ()), None);
    assert_eq!(
        told("x y x y' z", |_| ()).unwrap(),
        "CENTERS is not as in the solved state, and no move changes it"
    );
    assert!(
        told("R", |state| state.turns[0] = (state.turns[0] + 1) % 3)
            .unwrap()
            .contains("a piece of CORNERS is twisted")
    );
    assert!(
        told("R", |state| state.turns[17] ^= 1).unwrap().contains("a piece of EDGES is twisted")
    );
    let swapped = told("R U", |state| state.pieces.swap(0, 1)).unwrap();
    assert!(
        swapped.contains("two pieces are swapped: the permutation of CORNERS alone is odd"),
        "{swapped}"
    );
    assert_eq!(
        told("R U", |state| {
            state.pieces.swap(0, 1);
            state.pieces.swap(16, 17);
        }),
        None
    );
}

/// The group of R and U does not have all even permutations of the corners that they move.
#[test]
fn what_the_group_lacks_is_impossible() {
    let definition = Arc::new(define(BUILT_IN[0]));
    let letters = letters(&definition, Metric::Half, Some("U,R")).unwrap();
    let space = Twists::new(&definition, letters, Metric::Half).unwrap();
    // Six corners: 120 permutations (PGL(2,5)) with 3^5 twists.
    assert_eq!(space.invariants().states(&space), Some(120 * 243));
    let mut state = space.solved().clone();
    // A three-cycle of corners that U and R move.
    (state.pieces[0], state.pieces[1], state.pieces[2]) = (1, 2, 0);
    assert_eq!(
        space.impossible(&state).unwrap(),
        "the position is not in the group that the moves generate"
    );
    let mut random = Random::new(5);
    for _ in 0..100 {
        let state = space.invariants().random(&space, &mut random).unwrap();
        assert_eq!(space.impossible(&state), None);
    }
}

#[test]
fn groups_have_their_published_orders() {
    let states = |text| {
        let space = space(text);
        space.invariants().states(&space)
    };
    assert_eq!(states(BUILT_IN[0]), Some(3_674_160));
    assert_eq!(states(BUILT_IN[1]), Some(43_252_003_274_489_856_000));
    assert_eq!(states(BUILT_IN[2]), Some(192));
    assert_eq!(states(BUILT_IN[3]), Some(933_120));
    assert_eq!(states(BUILT_IN[4]), Some(3_149_280));
    assert_eq!(states(MANY_LANES), None);
}

/// Each table is within what it may take, and all sets are looked at.
#[test]
fn tables_fit_into_their_memory() {
    use deepen::table::Indexed;
    for text in BUILT_IN.into_iter().chain([MANY_LANES]) {
        let space = space(text);
        for entries in [1000, 1 << 20, 1 << 27] {
            let products = choose(&space, entries);
            assert!(!products.is_empty());
            assert!(products.iter().map(Indexed::size).sum::<u64>() <= entries);
        }
    }
}
