//! `deepen compare`: the table in its formats, limits, the picture, and what can go wrong.

use serde_json::{Value, json};
use snapbox::cmd::Command;
use snapbox::str;

use crate::{EASY, HARD, SOLVED, csv, deepen, scratch};

fn compare(arguments: &[&str], input: impl AsRef<[u8]>) -> Command {
    deepen(&["compare", "rotation"]).args(arguments).stdin(input.as_ref().to_vec())
}

fn rows(command: Command) -> Vec<Value> {
    let run = command.args(["--format", "json"]).assert().success().stderr_eq("");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_table_has_a_row_for_each_way_to_search() {
    let arguments = ["--heuristics", "centre", "--algorithms", "ida,iddfs,bfs,bidirectional,astar"];
    compare(&arguments, [EASY, SOLVED].concat()).assert().success().stderr_eq("").stdout_eq(str![[
        r#"
algorithm     heuristic solved stopped mean max expanded generated[..]stored[..]memory[..]seconds[..]x seconds[..]x expanded
ida           centre         2       0 1.00   2        2         4[..]0[..]0 B [..] 1.00
iddfs         -              2       0 1.00   2       14        90[..]0[..]0 B [..] 7.00
bfs           -              2       0 1.00   2        2        11[..]11[..]KiB [..] 1.00
bidirectional -              2       0 1.00   2[..]MiB [..]
astar         centre         2       0 1.00   2        3        19[..]18[..]KiB [..] 1.50

"#
    ]]);
}

#[test]
fn all_heuristics_and_several_prunings_are_rows() {
    let arguments =
        ["--algorithms", "ida,astar,iddfs", "--heuristics", "all", "--prunings", "none,inverse"];
    let names =
        |row: &Value| [&row["algorithm"], &row["heuristic"], &row["pruning"]].map(Value::clone);
    let found: Vec<_> = rows(compare(&arguments, EASY)).iter().map(names).collect();
    let heuristics = ["table", "centre", "doors", "zero"];
    let ida = heuristics
        .iter()
        .flat_map(|h| ["none", "inverse"].map(|p| [json!("ida"), json!(h), json!(p)]));
    let astar = heuristics.iter().map(|h| [json!("astar"), json!(h), Value::Null]);
    let iddfs = ["none", "inverse"].map(|p| [json!("iddfs"), Value::Null, json!(p)]);
    assert_eq!(found, ida.chain(astar).chain(iddfs).collect::<Vec<_>>());
    // Twice the same is once.
    assert_eq!(rows(compare(&["--algorithms", "bfs,bfs"], EASY)).len(), 1);
}

#[test]
fn every_algorithm_is_there_unless_some_are_named() {
    let mut names: Vec<_> = rows(compare(&[], EASY))
        .iter()
        .map(|row| row["algorithm"].as_str().unwrap().to_string())
        .collect();
    names.sort();
    assert_eq!(names, ["astar", "bfs", "bidirectional", "ida", "iddfs"]);
}

#[test]
fn json_has_names_and_numbers() {
    let arguments = ["--algorithms", "ida,bfs", "--heuristics", "centre"];
    let mut rows = rows(compare(&arguments, [EASY, SOLVED].concat()));
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        assert!(row.remove("seconds").unwrap().as_f64().unwrap() > 0.0);
        assert!(row.remove("seconds_ratio").unwrap().as_f64().unwrap() >= 1.0);
    }
    assert!(rows[1]["memory"].as_u64().unwrap() > 9 * 6);
    rows[1].as_object_mut().unwrap().remove("memory");
    let expected = [
        json!({"algorithm": "ida", "heuristic": "centre", "pruning": "auto", "instances": 2,
            "solved": 2, "unsolvable": 0, "stopped": 0, "stopped_by": null, "mean_cost": 1.0,
            "max_cost": 2, "expanded": 2, "generated": 4, "stored": 0, "memory": 0,
            "expanded_ratio": 1.0}),
        json!({"algorithm": "bfs", "heuristic": null, "pruning": null, "instances": 2,
            "solved": 2, "unsolvable": 0, "stopped": 0, "stopped_by": null, "mean_cost": 1.0,
            "max_cost": 2, "expanded": 2, "generated": 11, "stored": 11,
            "expanded_ratio": 1.0}),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn csv_says_the_same_as_json() {
    let arguments = ["--algorithms", "ida,bfs,astar", "--node-limit", "100"];
    let input = [EASY, HARD].concat();
    let lines = rows(compare(&arguments, &input));
    let run = compare(&arguments, &input).args(["--format", "csv"]).assert().success();
    let (names, rows) = csv(&String::from_utf8_lossy(&run.get_output().stdout));
    assert_eq!(rows.len(), 3);
    for (row, line) in rows.iter().zip(&lines) {
        assert_eq!(row.len(), line.as_object().unwrap().len());
        for (name, cell) in names.iter().zip(row).filter(|(name, _)| !name.contains("seconds")) {
            let expected = match &line[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            assert_eq!(cell, &expected, "{name}");
        }
    }
}

#[test]
fn limits_show_as_stopped() {
    let arguments = ["--algorithms", "ida,bfs", "--node-limit", "100"];
    compare(&arguments, [EASY, HARD].concat()).assert().success().stderr_eq("").stdout_eq(str![[
        r#"
algorithm heuristic solved stopped mean max expanded[..]
ida       table          2       0 7.50  13 [..] 1.00
bfs       -              1       1 2.00   2      102 [..] >[..] >[..]

Stopped:
  bfs: node limit reached: 1

"#
    ]]);
    let stopped_by = |arguments: &[&str]| {
        let rows = rows(compare(arguments, HARD));
        (rows[0]["stopped"].clone(), rows[0]["stopped_by"].clone(), rows[0]["mean_cost"].clone())
    };
    assert_eq!(
        stopped_by(&["--algorithms", "iddfs", "--prunings", "none", "--time-limit", "100ms"]),
        (json!(1), json!("time limit reached: 1"), Value::Null)
    );
    assert_eq!(
        stopped_by(&["--algorithms", "bfs", "--memory-limit", "1MB"]),
        (json!(1), json!("memory limit reached: 1"), Value::Null)
    );
}

#[test]
fn what_lies_above_the_limit_on_cost_is_told_apart() {
    let arguments = ["--algorithms", "ida,bfs", "--max-cost", "3"];
    compare(&arguments, [EASY, HARD].concat()).assert().success().stdout_eq(str![[r#"
algorithm heuristic solved unsolvable stopped mean max [..]
ida       table          1          1       0 2.00   2 [..]
bfs       -              1          1       0 2.00   2 [..]

"#]]);
}

#[test]
fn no_instances_are_no_results() {
    let rows = rows(compare(&["--algorithms", "ida"], ""));
    assert_eq!((&rows[0]["instances"], &rows[0]["expanded_ratio"]), (&json!(0), &Value::Null));
    compare(&[], "").assert().success();
}

/// The algorithms share no more than the space, and the puzzles' example files are not alike.
#[test]
fn the_examples_of_every_puzzle_are_solved_alike() {
    for info in deepen_puzzles::PUZZLES {
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
        let input = format!("{examples}{}.txt", info.name);
        // (Some tables take long to build.)
        let heuristics = info.heuristics.iter().map(|choice| choice.name);
        let heuristics: Vec<_> =
            heuristics.filter(|&name| !matches!(name, "table" | "pdb")).collect();
        let arguments = ["--node-limit", "20000", "--heuristics", &heuristics.join(",")];
        let rows = rows(deepen(&["compare", info.name, &input]).args(arguments));
        assert!(rows.iter().all(|row| row["solved"].as_u64().unwrap() > 0), "{rows:?}");
    }
}

#[test]
fn the_picture_has_a_series_for_each_row() {
    let picture = scratch("compare.svg");
    let arguments = ["--algorithms", "ida,bfs,astar", "--node-limit", "100", "--plot", &picture];
    compare(&arguments, [EASY, EASY, HARD].concat()).assert().success();
    let svg = std::fs::read_to_string(picture).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
    for text in [
        "rotation: nodes needed for a shortest solution",
        "3 instances; at most 10s, 1.00 GiB, 100 nodes a search",
        "cost of the solution",
        "expanded nodes",
        "ida table",
        "bfs",
        "astar table",
        "one instance (lines: means)",
        "stopped; needs more",
        "2",
        "13",
        "100",
    ] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn bad_input_is_told_before_anything_is_searched() {
    let picture = scratch("never.svg");
    compare(&["--plot", &picture], EASY.to_string() + "x")
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq("<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `x`\n");
    assert!(!std::path::Path::new(&picture).exists());
}

#[test]
fn wrong_names_are_told() {
    let wrong = [
        (&["--algorithms", "ida,idb"][..], "invalid value 'idb' for '--algorithms <NAMES>'"),
        (&["--heuristics", "centre,dors"], "invalid value 'dors' for '--heuristics <NAME>'"),
        (&["--prunings", "all"], "invalid value 'all' for '--prunings <NAMES>'"),
        (&["--time-limit", "1"], "invalid value '1' for '--time-limit <TIME>'"),
        (&["--size", "3x3"], "rotation has no size to set"),
    ];
    for (arguments, message) in wrong {
        let run = compare(arguments, EASY).assert().code(2).stdout_eq("");
        let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(told.starts_with(&format!("error: {message}")), "{told}");
    }
}

#[test]
fn a_picture_that_can_not_be_written_is_told_before_the_searches() {
    let run = compare(&["--plot", "no/such/folder/x.svg"], HARD).assert().code(3).stdout_eq("");
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.starts_with("error: no/such/folder/x.svg: "), "{told}");
}

#[cfg(unix)]
mod interrupts {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use super::{EASY, HARD, SOLVED};
    use crate::{SLOW, csv};

    /// Runs a subcommand on boards of which the last takes hours, and interrupts it.
    fn interrupted(subcommand: &str, arguments: &[&str], input: &str) -> (String, String) {
        let mut process = Command::new(env!("CARGO_BIN_EXE_deepen"))
            .args([subcommand, "rotation", "--format", "csv"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        // Enough to read the boards and get stuck at the last.
        thread::sleep(Duration::from_millis(700));
        let kill = format!("kill -INT {}", process.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (stdout, stderr)
    }

    #[test]
    fn the_table_so_far_is_printed() {
        let input = [EASY, SOLVED, HARD].concat();
        let arguments =
            ["--algorithms", "ida,iddfs,bfs", "--time-limit", "1h", "--prunings", "none"];
        let (table, told) = interrupted("compare", &arguments, &input);
        assert_eq!(told, "interrupted: instance 3 of 3, iddfs none\n");
        let (names, rows) = csv(&table);
        let solved = names.iter().position(|name| name == "solved").unwrap();
        let stopped = names.iter().position(|name| name == "stopped").unwrap();
        let counts: Vec<_> = rows.iter().map(|row| [&row[solved][..], &row[stopped]]).collect();
        assert_eq!(counts, [["3", "0"], ["2", "0"], ["2", "0"]]);
    }

    #[test]
    fn a_trace_ends_with_the_iterations_so_far() {
        let (table, told) = interrupted("trace", &SLOW, HARD);
        let (_, rows) = csv(&table);
        assert!(rows.len() > 5, "{table}");
        let bound = &rows.last().unwrap()[0];
        assert_eq!(told, format!("interrupted: instance 1: at least {bound} moves\n"));
    }
}
