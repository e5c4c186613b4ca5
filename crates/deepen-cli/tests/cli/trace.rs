//! `deepen trace`: rows, depths, pictures, and what can go wrong.

use serde_json::{Value, json};
use snapbox::cmd::Command;
use snapbox::str;

use crate::{CENTRE, EASY, HARD, SLOW, SOLVED, csv, deepen, scratch};

fn trace(arguments: &[&str], input: impl AsRef<[u8]>) -> Command {
    deepen(&["trace", "rotation"]).args(arguments).stdin(input.as_ref().to_vec())
}

fn output(command: Command, exit_status: i32) -> String {
    let run = command.assert().code(exit_status).stderr_eq("");
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_table_tells_every_iteration() {
    trace(&["--heuristic", "centre", "--pruning", "inverse"], HARD)
        .args(["--node-limit", "2253"])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq(str![[r#"
rotation instance 1: ida, heuristic centre, pruning inverse

bound     expanded    generated     by bound   by pruning cuts/node  growth branching    seconds
    5            2           15           14            1     7.500       -     1.392   [..]
    6           26          183          158           25     7.038  13.000     2.150   [..]
    7          238         1667         1430          237     7.004   9.154     2.702   [..]
    8         1986        13903        11918         1985     7.001   8.345     3.141   [..]
    9            1            1            0            0     0.000   0.001     0.500   [..]
total         2253        15769        13520         2248     6.999       -     2.786   [..]

Stopped: node limit reached; at least 9 moves.

"#]]);
}

#[test]
fn the_solution_is_told_at_the_end() {
    trace(&CENTRE, EASY).assert().success().stderr_eq("").stdout_eq(str![[r#"
rotation instance 1: ida, heuristic centre, pruning auto

bound     expanded    generated     by bound   by pruning cuts/node  growth branching    seconds
    2            2            4            2            0     1.000       -     1.562   [..]
total            2            4            2            0     1.000       -     1.562   [..]

Solved in 2 moves, the fewest possible: A C

"#]]);
}

#[test]
fn searches_that_store_states_tell_duplicates() {
    trace(&["--algorithm", "bfs"], EASY).assert().success().stderr_eq("").stdout_eq(str![[r#"
rotation instance 1: bfs

bound     expanded    generated     by bound   duplicates cuts/node  growth branching    seconds
    1            1            8            0            0     0.000       -     8.000   [..]
    2            1            3            0            0     0.000   1.000     1.303   [..]
total            2           11            0            0     0.000       -     2.854   [..]

Solved in 2 moves, the fewest possible: A C

"#]]);
}

#[test]
fn a_row_comes_before_the_next_iteration_has_ended() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_deepen"))
        .args(["trace", "rotation", "--format", "csv"])
        .args(SLOW)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(HARD.as_bytes()).unwrap();
    let rows = BufReader::new(process.stdout.take().unwrap()).lines();
    // The thirteenth would take hours.
    let bounds: Vec<String> =
        rows.take(6).map(|row| row.unwrap().split(',').next().unwrap().into()).collect();
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(bounds, ["bound", "0", "1", "2", "3", "4"]);
}

#[test]
fn another_instance_is_asked_for_by_number() {
    let input = SOLVED.to_string() + EASY + "x";
    let told = output(trace(&["--instance", "2", "--format", "json"], &input), 0);
    let last = json_lines(&told).pop().unwrap();
    assert_eq!((&last["index"], &last["cost"]), (&json!(1), &json!(2)));
    trace(&["--instance", "3"], SOLVED.to_string() + EASY)
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
error: there is no instance 3: the input has 2

Usage: deepen trace [OPTIONS] <PUZZLE> [FILE]

For more information, try '--help'.

"#]]);
    trace(&["--instance", "0"], EASY).assert().code(2).stdout_eq("");
    trace(&["--instance", "3"], &input)
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq("<stdin>:3:1: expected 1, 2 or 3 (cell 1 of 24, board 3), found `x`\n");
}

#[test]
fn json_has_numbers_and_ends_with_the_answer_of_solve() {
    let told = output(trace(&CENTRE, HARD).args(["--format", "json", "--max-cost", "7"]), 0);
    let lines = json_lines(&told);
    assert_eq!(lines.len(), 4);
    for (line, bound) in lines.iter().zip(5..=7) {
        assert_eq!(line["bound"], bound);
        let counts = ["expanded", "generated", "cut_by_bound", "cut_by_pruning", "duplicates"];
        assert!(counts.iter().all(|name| line[name].is_u64()), "{line}");
        let ratios = ["cuts_per_expanded", "branching_factor", "seconds"];
        assert!(ratios.iter().all(|name| line[name].is_f64()), "{line}");
        assert_eq!(line["growth"].is_null(), bound == 5);
    }
    assert_eq!(lines[3]["status"], "above-limit");
    let sum: u64 = lines[..3].iter().map(|line| line["expanded"].as_u64().unwrap()).sum();
    assert_eq!(lines[3]["expanded"], sum);
}

#[test]
fn csv_says_the_same_as_json() {
    let arguments = [&CENTRE[..], &["--max-cost", "8"]].concat();
    let told = output(trace(&arguments, HARD).args(["--format", "json"]), 0);
    let (names, rows) = csv(&output(trace(&arguments, HARD).args(["--format", "csv"]), 0));
    let lines = json_lines(&told);
    assert_eq!(rows.len() + 1, lines.len());
    for (row, line) in rows.iter().zip(&lines) {
        for (name, cell) in names.iter().zip(row).filter(|(name, _)| *name != "seconds") {
            // (Reading a number as JSON may change its last digit.)
            let same = match line[name].as_f64() {
                Some(number) => (cell.parse::<f64>().unwrap() - number).abs() <= 1e-12 * number,
                None => cell.is_empty() && line[name].is_null(),
            };
            assert!(same, "{name}: {cell}, {}", line[name]);
        }
    }
}

#[test]
fn depths_add_up_to_their_iteration() {
    for arguments in [
        &["--heuristic", "centre"][..],
        &["--heuristic", "doors", "--pruning", "none"],
        &["--algorithm", "iddfs", "--pruning", "inverse"],
        &["--algorithm", "astar", "--heuristic", "centre"],
    ] {
        let limited = trace(arguments, HARD).args(["--max-cost", "7", "--format", "json"]);
        let plain = json_lines(&output(limited, 0));
        let all = trace(arguments, HARD).args(["--max-cost", "7", "--format", "json"]);
        let told = json_lines(&output(all.arg("--depth-profile=all"), 0));
        let of = |bound: &Value, name: &str| -> u64 {
            let depths = told.iter().filter(|line| line["bound"] == *bound);
            depths.filter_map(|line| line.get("depth").and(line[name].as_u64())).sum()
        };
        let iterations: Vec<_> = plain.iter().filter(|line| line["bound"].is_u64()).collect();
        assert!(iterations.len() > 1);
        for iteration in iterations {
            let bound = &iteration["bound"];
            for name in ["expanded", "generated"] {
                assert_eq!(iteration[name], of(bound, name), "{arguments:?}, {bound}, {name}");
            }
        }
    }
}

#[test]
fn the_depths_of_the_last_complete_iteration_are_a_table() {
    trace(&CENTRE, HARD)
        .args(["--pruning", "inverse", "--node-limit", "300", "--depth-profile"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
...
    7          238         1667         1430          237     7.004   9.154     2.702   [..]
    8           34          221          187           31     6.412   0.143     1.772   [..]
total          300         2086         1789          294     6.943       -     2.433   [..]

bound depth     expanded    generated
    7     0            1            0
    7     1            8            8
    7     2           56           56
    7     3          136          392
    7     4           37          952
    7     5            0          259

Stopped: node limit reached; at least 8 moves.

"#]]);
    let arguments = ["--max-cost", "5", "--depth-profile", "--format", "csv"];
    trace(&CENTRE, HARD).args(arguments).assert().success().stdout_eq(str![[r#"
bound,depth,expanded,generated
5,0,1,0
5,1,1,8
5,2,0,7

"#]]);
}

#[test]
fn what_an_algorithm_has_no_use_for_is_refused() {
    let refused = [
        (&["--algorithm", "bfs", "--heuristic", "doors"][..], "--heuristic is not for bfs"),
        (&["--algorithm", "iddfs", "--heuristic", "doors"], "--heuristic is not for iddfs"),
        (&["--algorithm", "astar", "--pruning", "none"], "--pruning is not for astar"),
        (&["--algorithm", "bfs", "--depth-profile"], "--depth-profile is not for bfs"),
        (&["--algorithm", "dfs"], "invalid value 'dfs' for '--algorithm <NAME>'"),
        (&["--heuristic", "dors"], "invalid value 'dors' for '--heuristic <NAME>'"),
        (&["--memory-limit", "much"], "invalid value 'much' for '--memory-limit <SIZE>'"),
    ];
    for (arguments, message) in refused {
        let run = trace(arguments, EASY).assert().code(2).stdout_eq("");
        let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(told.starts_with(&format!("error: {message}")), "{told}");
    }
}

#[test]
fn a_limit_on_memory_stops_a_search() {
    let arguments = ["--algorithm", "bfs", "--memory-limit", "1MB"];
    let told = output(trace(&arguments, HARD), 1);
    assert!(told.contains("Stopped: memory limit reached; at least "), "{told}");
}

#[test]
fn csv_leaves_the_verdict_to_standard_error() {
    trace(&CENTRE, HARD)
        .args(["--format", "csv", "--node-limit", "20"])
        .assert()
        .code(1)
        .stderr_eq("instance 1: stopped: node limit reached; at least 6 moves\n");
}

#[test]
fn a_board_that_is_solved_has_no_iterations() {
    let picture = scratch("solved.svg");
    trace(&["--plot", &picture, "--depth-profile"], SOLVED).assert().success().stdout_eq(str![[
        r#"
rotation instance 1: ida, heuristic table, pruning auto

bound     expanded    generated     by bound   by pruning cuts/node  growth branching    seconds
total            0            0            0            0         -       -         -   0.000000

bound depth     expanded    generated

Solved already, no moves needed.

"#
    ]]);
    assert!(std::fs::read_to_string(picture).unwrap().contains(">nothing to show</text>"));
}

#[test]
fn the_iterations_are_drawn() {
    let picture = scratch("trace.svg");
    trace(&CENTRE, HARD).args(["--max-cost", "8", "--plot", &picture]).assert().success();
    let svg = std::fs::read_to_string(picture).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let lines = document.descendants().filter(|node| node.has_tag_name("polyline"));
    let points = |line: roxmltree::Node| line.attribute("points").unwrap().split(' ').count();
    // Two series, and their lines in the legend.
    assert_eq!(lines.map(points).collect::<Vec<_>>(), [4, 4, 2, 2]);
    let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
    for text in ["bound of the iteration", "nodes", "generated", "expanded", "5", "8", "10,000"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn a_picture_that_can_not_be_written_is_told_before_the_search() {
    let run = trace(&SLOW, HARD).args(["--plot", "no/such/folder/x.svg"]).assert().code(3);
    let run = run.stdout_eq("");
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.starts_with("error: no/such/folder/x.svg: "), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_on_a_full_disk_is_told() {
    let run = trace(&["--plot", "/dev/full"], EASY).assert().code(3);
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.starts_with("error: /dev/full: No space left on device"), "{told}");
}
