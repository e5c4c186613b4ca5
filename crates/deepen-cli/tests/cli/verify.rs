//! `deepen verify`: right answers, every kind of wrong one, unreadable ones, and its own failures.

use std::path::{Path, PathBuf};

use crate::{EASY, HARD, SOLVED, deepen};

/// A file of instances; `name` must be unique among the tests.
fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verify {name}.txt"));
    std::fs::write(&path, text).unwrap();
    path
}

/// Checks answers from standard input, and expects an exit status and a message.
struct Check<'a> {
    puzzle: &'a str,
    instances: PathBuf,
    arguments: &'a [&'a str],
}

impl Check<'_> {
    fn expect(&self, answers: impl AsRef<[u8]>, status: i32, message: &str) {
        let answers = answers.as_ref().to_vec();
        let message = if message.is_empty() { String::new() } else { format!("{message}\n") };
        let run = deepen(&["verify", self.puzzle, self.instances.to_str().unwrap(), "-"])
            .args(self.arguments)
            .stdin(answers)
            .assert()
            .code(status)
            .stderr_eq(message);
        if status != 0 {
            run.stdout_eq("");
        }
    }

    fn right(&self, answers: impl AsRef<[u8]>) {
        self.expect(answers, 0, "");
    }
}

/// Two boards; the second has two shortest ways to two goals.
fn rotation(name: &str) -> Check<'static> {
    let two_ways = "1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3\n";
    let instances = file(name, [EASY, two_ways].concat());
    Check { puzzle: "rotation", instances, arguments: &[] }
}

fn standard_knights(name: &str, arguments: &'static [&'static str]) -> Check<'static> {
    let text = "3\n10110 01*11 10111 01001 00000\n01011 110*1 01110 01010 00100\n\
                11111 01111 00*11 00001 00000\n";
    Check { puzzle: "knights", instances: file(name, text), arguments }
}

#[test]
fn the_examples_answers_are_right() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (puzzle, count) in
        [("rotation", 6), ("knights", 3), ("booksort", 4), ("tiles", 7), ("pancake", 4)]
    {
        let instances = examples.join(puzzle).with_extension("txt");
        let answers = instances.with_extension("out");
        deepen(&["verify", puzzle, instances.to_str().unwrap(), answers.to_str().unwrap()])
            .assert()
            .success()
            .stdout_eq(format!("all {count} answers are right\n"))
            .stderr_eq("");
    }
}

#[test]
fn harmless_white_space_does_no_harm() {
    let check = rotation("white space");
    check.right("AC\n2\nDDHH\n2\n");
    check.right("AC\r\n2\r\nDDHH\r\n2\r\n");
    check.right("AC  \n2\t\n\n\nDDHH\n2");
    check.right("\u{feff}AC\n2\nDDHH\n2\n \n");
}

#[test]
fn instances_may_come_from_standard_input() {
    let answers = file("answers", "AC\n2\n");
    deepen(&["verify", "rotation", "-", answers.to_str().unwrap()])
        .stdin(EASY)
        .assert()
        .success()
        .stdout_eq("the answer is right\n")
        .stderr_eq("");
}

#[test]
fn no_instances_have_no_answers() {
    let check = Check { puzzle: "rotation", instances: file("none", "0\n"), arguments: &[] };
    check.right("");
    check.expect("AC\n2\n", 2, "<stdin>:1:1: expected nothing after 0 answers, found `AC`");
}

#[test]
fn each_kind_of_wrong_moves_is_told_apart() {
    let check = rotation("wrong");
    for (answer, line, message) in [
        ("DDH\n2", 3, "the moves do not lead to the goal: found `DDH`, right is `DDHH`"),
        ("DDHA\n2", 3, "the moves do not lead to the goal: found `DDHA`, right is `DDHH`"),
        (
            "No moves needed\n2",
            3,
            "the moves do not lead to the goal: found `No moves needed`, right is `DDHH`",
        ),
        (
            "DDHHAF\n2",
            3,
            "the moves lead to the goal at a cost of 6, but 4 is enough: found `DDHHAF`, right is \
             `DDHH`",
        ),
        (
            "HHDD\n2",
            3,
            "the moves are optimal, but not the first in dictionary order: found `HHDD`, right is \
             `DDHH`",
        ),
        (
            "\nDDHH\n\n3",
            6,
            "the moves are right, but not the symbol in the centre: found `3`, right is `2`",
        ),
        (
            "More than 3 moves needed",
            3,
            "the least cost is not above the limit: found `More than 3 moves needed`, right is \
             `DDHH`",
        ),
    ] {
        let message = format!("<stdin>:{line}: instance 2: {message}");
        check.expect(format!("AC\n2\n{answer}\n"), 1, &message);
    }
}

#[test]
fn moves_too_many_to_be_kept_are_a_wrong_answer() {
    // They do lead to the goal.
    let moves = "AF".repeat(100) + "AC";
    let found = moves[..64].to_string();
    rotation("long").expect(
        moves + "\n2\n",
        1,
        &format!("<stdin>:1: instance 1: the least cost is 2: found `{found}…`, right is `AC`"),
    );
}

#[test]
fn beyond_the_limit_no_moves_are_right() {
    let limited = Check { arguments: &["--max-cost", "3"], ..rotation("limit") };
    limited.right("AC\n2\nMore than 3 moves needed\n");
    limited.expect(
        "AC\n2\nDDHH\n2\n",
        1,
        "<stdin>:3: instance 2: the least cost is above the limit: found `DDHH`, right is `More \
         than 3 moves needed`",
    );
    limited.expect(
        "AC\n2\nMore than 2 moves needed\n",
        1,
        "<stdin>:3: instance 2: the limit is another: found `More than 2 moves needed`, right is \
         `More than 3 moves needed`",
    );
}

#[test]
fn numbers_of_knights_moves() {
    let check = standard_knights("knights", &[]);
    check.right("7\n-1\n0\n");
    for (answers, message) in [
        ("6\n-1\n0", "1: instance 1: the least cost is at least 7: found `6`, right is `7`"),
        ("9\n-1\n0", "1: instance 1: the least cost is 7: found `9`, right is `7`"),
        (
            "-1\n-1\n0",
            "1: instance 1: the least cost is not above the limit: found `-1`, right is `7`",
        ),
        ("impossible 5", "1: instance 1: it is not impossible: found `impossible`, right is `7`"),
        ("7\n18\n0", "2: instance 2: the least cost is above the limit: found `18`, right is `-1`"),
        ("7\n14\n0", "2: instance 2: the least cost is at least 16: found `14`, right is `-1`"),
        ("7 -1 1", "1: instance 3: the least cost is 0: found `1`, right is `0`"),
    ] {
        check.expect(answers, 1, &format!("<stdin>:{message}"));
    }
    standard_knights("knights 18", &["--max-cost", "none"]).right("7\n18\n0\n");
}

#[test]
fn boards_that_are_impossible() {
    let check = Check {
        puzzle: "knights",
        instances: file("impossible", "2\n111 1*0 000\n111 10* 000\n"),
        arguments: &["--size", "3x3"],
    };
    check.right("0\nimpossible\n");
    for (answer, found) in [("-1", "-1"), ("2", "2")] {
        check.expect(
            format!("0\n{answer}\n"),
            1,
            &format!(
                "<stdin>:2: instance 2: no moves lead to the goal: found `{found}`, right is \
                 `impossible`"
            ),
        );
    }
}

#[test]
fn numbers_of_booksort_in_both_dialects() {
    let shelves = "6\n1 3 4 6 2 5\n5\n5 4 3 2 1\n10\n6 8 5 3 4 7 2 9 1 10\n";
    let judge = Check {
        puzzle: "booksort",
        instances: file("booksort", format!("3\n{shelves}")),
        arguments: &[],
    };
    judge.right("2\n3\n5 or more\n");
    judge.expect(
        "2\n3\n5\n",
        1,
        "<stdin>:3: instance 3: the least cost is above the limit: found `5`, right is `5 or more`",
    );
    judge.expect(
        "2\n3\n6 or more\n",
        1,
        "<stdin>:3: instance 3: the limit is another: found `6 or more`, right is `5 or more`",
    );
    judge.expect(
        "2\n5 or more\n5 or more\n",
        1,
        "<stdin>:2: instance 2: the least cost is not above the limit: found `5 or more`, right \
         is `3`",
    );
    let message = "<stdin>:3:5: expected `more` (answer to shelf 3), found the end of the input";
    judge.expect("2\n3\n5 or", 2, message);

    let uva = Check {
        puzzle: "booksort",
        instances: file("uva", format!("{shelves}0\n")),
        arguments: &["--dialect", "uva-11212"],
    };
    uva.right("Case 1: 2\nCase 2: 3\nCase 3: 5\n");
    uva.expect(
        "Case 1: 2\nCase 2: 4\n",
        1,
        "<stdin>:2: instance 2: the least cost is 3: found `Case 2: 4`, right is `Case 2: 3`",
    );
    let message = "<stdin>:2:6: expected `2:` (answer to case 2), found `3:`";
    uva.expect("Case 1: 2\nCase 3: 3\n", 2, message);
}

#[test]
fn answers_that_cannot_be_read() {
    let check = rotation("unreadable");
    let moves = "expected moves A to H or `No moves needed` (answer to board 2)";
    let symbol = "expected the symbol in the centre, 1, 2 or 3 (answer to board 2)";
    for (rest, message) in [
        ("", format!("3:1: {moves}, found the end of the input")),
        ("ddhh\n2\n", format!("3:1: {moves}, found `ddhh`")),
        ("DDHI\n2\n", format!("3:1: {moves}, found `DDHI`")),
        // What `solve` writes for a search that was stopped.
        ("?\n", format!("3:1: {moves}, found `?`")),
        ("D D H H\n2\n", format!("3:3: {symbol}, found `D`")),
        ("DDHH\n4\n", format!("4:1: {symbol}, found `4`")),
        ("DDHH\n", format!("4:1: {symbol}, found the end of the input")),
        ("No move needed\n", "3:4: expected `moves` (answer to board 2), found `move`".to_string()),
        ("DDHH\n2\nAC", "5:1: expected nothing after 2 answers, found `AC`".to_string()),
    ] {
        check.expect(format!("AC\n2\n{rest}"), 2, &format!("<stdin>:{message}"));
    }
    for (answers, found) in [("7\n+1\n", "+1"), ("7\n-2\n", "-2"), ("7\nten\n", "ten")] {
        let expected = "expected a number, -1 or `impossible` (answer to board 2)";
        let message = format!("<stdin>:2:1: {expected}, found `{found}`");
        standard_knights("unreadable knights", &[]).expect(answers, 2, &message);
    }
}

#[test]
fn a_missing_answer_file_is_no_answer() {
    let instances = file("missing", EASY);
    let run = deepen(&["verify", "rotation", instances.to_str().unwrap(), "no/such/file.txt"]);
    let run = run.assert().code(2).stdout_eq("");
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.starts_with("error: no/such/file.txt: "), "{told}");
}

#[test]
fn what_is_not_the_answers_fault_is_the_checkers() {
    let bad = Check { instances: file("bad", [EASY, "1 2 x"].concat()), ..rotation("good") };
    let bad_name = bad.instances.display().to_string();
    let message = "2:5: expected 1, 2 or 3 (cell 3 of 24, board 2), found `x`";
    bad.expect("AC\n2\nDDHH\n2\n", 3, &format!("{bad_name}:{message}"));
    // A wrong answer before the bad place comes first.
    bad.expect(
        "A\n2\n",
        1,
        "<stdin>:1: instance 1: the moves do not lead to the goal: found `A`, right is `AC`",
    );

    let slow = Check {
        instances: file("slow", HARD),
        arguments: &["--heuristic", "zero", "--time-limit", "300ms"],
        ..rotation("slow too")
    };
    let slow_name = slow.instances.display();
    let message = "instance 1: stopped: time limit reached; at least [..] moves";
    slow.expect("ACACADADDBCDE\n3\n", 3, &format!("{slow_name}: {message}"));
    // What is known to be wrong needs no end of the search.
    slow.expect(
        "ACACADADDBCD\n3\n",
        1,
        "<stdin>:1: instance 1: the moves do not lead to the goal: found `ACACADADDBCD`",
    );

    for arguments in [
        &["rotation", "-", "-"][..],
        &["rotation", "no/such/file.txt", "-"],
        &["rotation"],
        &["rotation", "-", "x", "--what"],
        &["rotation", "-", "x", "--size", "3x3"],
        &["rotation", "-", "x", "--dialect", "y"],
        &["rotation", "-", "x", "--heuristic", "y"],
        &["rotatoin", "-", "x"],
    ] {
        let run = deepen(&["verify"]).args(arguments).assert().code(3).stdout_eq("");
        assert!(run.get_output().stderr.starts_with(b"error: "), "{arguments:?}");
    }
}

/// Whatever `solve` says of the instances is right; each line changed, left out or doubled is not.
#[test]
fn every_mutation_of_right_answers_is_refused() {
    let nine = "1 3 2 1 3 1 3 2 1 1 2 3 2 3 1 2 1 2 3 2 2 3 1 3\n";
    let boards = [nine, EASY, SOLVED].concat();
    let shelves = "7\n2 4 1 7 5 3 6\n4\n4 3 2 1\n3\n1 2 3\n0\n";
    let small = "3\n1011\n01*0\n0101\n1010\n1110\n1100\n10*0\n0011\n1111\n1110\n*100\n0000\n";
    for (puzzle, text, options) in [
        // (A lower bound that takes no time to make.)
        ("rotation", boards.as_str(), &["--heuristic", "doors"][..]),
        ("booksort", shelves, &["--dialect", "uva-11212"]),
        ("booksort", &format!("3\n{}", &shelves[..shelves.len() - 2]), &[]),
        ("pancake", "2 4 1 3\n1 2 3\n3 1 2\n", &["--max-cost", "3"]),
        ("knights", small, &["--size", "4x4", "--max-cost", "12"]),
    ] {
        let instances = file(&format!("mutations {puzzle} {}", options.len()), text);
        let check = Check { puzzle, instances: instances.clone(), arguments: options };
        let solve = deepen(&["solve", puzzle, instances.to_str().unwrap()]).args(options);
        let answers = String::from_utf8(solve.output().unwrap().stdout).unwrap();
        check.right(&answers);

        let refused = |mutated: &str| {
            let run = deepen(&["verify", puzzle, instances.to_str().unwrap(), "-"])
                .args(options)
                .stdin(mutated.to_string())
                .output()
                .unwrap();
            assert!(matches!(run.status.code(), Some(1 | 2)), "{mutated}: {run:?}");
            assert!(run.stderr.starts_with(b"<stdin>:"), "{mutated}: {run:?}");
        };
        let lines: Vec<&str> = answers.lines().collect();
        let with = |index: usize, new: &[&str]| {
            [&lines[..index], new, &lines[index + 1..]].concat().join("\n") + "\n"
        };
        for (index, line) in lines.iter().enumerate() {
            refused(&with(index, &[]));
            refused(&with(index, &[line, line]));
            for (at, byte) in line.bytes().enumerate().filter(|(_, b)| b.is_ascii_alphanumeric()) {
                // The next letter or digit.
                let mut changed = line.as_bytes().to_vec();
                changed[at] = byte + 1;
                refused(&with(index, &[std::str::from_utf8(&changed).unwrap()]));
                // Two neighbours the other way round.
                let mut swapped = line.as_bytes().to_vec();
                if at + 1 < line.len() && byte != line.as_bytes()[at + 1] {
                    swapped.swap(at, at + 1);
                    refused(&with(index, &[std::str::from_utf8(&swapped).unwrap()]));
                }
            }
        }
    }
}

/// The most memory of a checker of that many answers, in KiB, looked at before the last is read.
#[cfg(target_os = "linux")]
fn peak_memory(answers: usize) -> u64 {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let instances = file(&format!("many {answers}"), SOLVED.repeat(answers + 1));
    let mut checker = Command::new(env!("CARGO_BIN_EXE_deepen"))
        .args(["verify", "rotation", instances.to_str().unwrap(), "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = checker.stdin.take().unwrap();
    input.write_all("No moves needed\n1\n".repeat(answers).as_bytes()).unwrap();
    // More than any buffer on the way: all before has been read when this is written.
    input.write_all(" ".repeat(1 << 20).as_bytes()).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", checker.id())).unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let peak = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    input.write_all(b"No moves needed\n1\n").unwrap();
    drop(input);
    assert!(checker.wait().unwrap().success());
    std::fs::remove_file(instances).unwrap();
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_thousand_answers_need_no_more_memory_than_a_few() {
    let (few, many) = (peak_memory(10_000), peak_memory(100_000));
    assert!(many <= few + 512, "{few} KiB, then {many} KiB");
}
