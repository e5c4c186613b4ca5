//! All shortest solutions, their number, and the other algorithms.

use snapbox::str;

use crate::{EASY, EASY_ANSWER, HARD, SLOW, deepen, solve};

/// The samples of knights: 7 moves in one way, 18 moves in 21 ways.
const NEAR: &str = "1\n10110\n01*11\n10111\n01001\n00000\n";
const FAR: &str = "1\n01011\n110*1\n01110\n01010\n00100\n";

fn knights(arguments: &[&str], input: &str) -> snapbox::cmd::Command {
    deepen(&["solve", "knights", "--max-cost", "none"]).args(arguments).stdin(input.to_string())
}

#[test]
fn shortest_solutions_are_counted() {
    for algorithm in ["ida", "bidirectional"] {
        let count = ["--count", "--algorithm", algorithm];
        knights(&count, NEAR).assert().success().stdout_eq("1\n");
        knights(&count, FAR).assert().success().stdout_eq("21\n");
    }
}

#[test]
fn all_shortest_solutions_come_in_order_and_each_is_one() {
    let output = knights(&["--all"], FAR).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "18");
    assert_eq!(lines.len(), 22);
    let first = knights(&["--format", "json"], FAR).output().unwrap();
    let first: serde_json::Value = serde_json::from_slice(&first.stdout).unwrap();
    let names: Vec<&str> = lines[1].split(' ').collect();
    assert_eq!(first["moves"], serde_json::json!(names));
    let mut different = lines[1..].to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 21);
}

#[test]
fn the_first_so_many_are_enough() {
    let all = knights(&["--all"], FAR).output().unwrap();
    let all = String::from_utf8(all.stdout).unwrap();
    let five: String = all.lines().take(6).map(|line| line.to_string() + "\n").collect();
    knights(&["--all=5"], FAR).assert().success().stdout_eq(five);
    deepen(&["solve", "knights", "--all=0"]).assert().code(2);
    deepen(&["solve", "knights", "--all", "--count"]).assert().code(2);
}

#[test]
fn json_tells_each_solution_and_their_number() {
    solve(&["--all", "--format", "json"], EASY).assert().success().stdout_eq(str![[r#"
{"index":0,"solution":0,"moves":["A","C"]}
{"index":0,"status":"solved","cost":2,"moves":["A","C"],"lower_bound":2,"expanded":2,"generated":15,"seconds":0.000042494,"count":1}

"#]]);
}

#[test]
fn what_has_no_solution_within_limits_is_answered_as_ever() {
    solve(&["--count", "--max-cost", "3"], HARD)
        .assert()
        .success()
        .stdout_eq("More than 3 moves needed\n");
    solve(&SLOW, HARD).args(["--all", "--node-limit", "10"]).assert().code(1).stdout_eq("?\n");
}

#[test]
fn every_algorithm_gives_the_judges_answer() {
    for algorithm in ["ida", "astar", "bfs", "iddfs", "bidirectional"] {
        solve(&["--algorithm", algorithm], EASY).assert().success().stdout_eq(EASY_ANSWER);
    }
    deepen(&["solve", "rotation", "--algorithm", "guessing"]).assert().code(2);
}

#[test]
fn memory_runs_out_in_an_orderly_way() {
    solve(&["--algorithm", "bfs", "--memory-limit", "3MB"], HARD)
        .assert()
        .code(1)
        .stdout_eq("?\n")
        .stderr_eq(str![[r#"
instance 1: stopped: [..]memory[..]; at least [..] moves

"#]]);
}
