//! Text, JSON and the tables of `--stats`.

use serde_json::{Value, json};
use snapbox::str;

use crate::{CENTRE, EASY, HARD, SLOW, SOLVED, deepen, solve};

/// The lines of JSON, with the seconds taken out once they were looked at.
fn json_lines(arguments: &[&str], input: &str, exit_status: i32) -> Vec<Value> {
    let run = solve(&["--format", "json"], input).args(arguments).assert().code(exit_status);
    let output = String::from_utf8(run.stderr_eq("").get_output().stdout.clone()).unwrap();
    let line = |line| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let seconds = value.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() >= 0.0);
        value
    };
    output.lines().map(line).collect()
}

#[test]
fn json_tells_a_solution() {
    let solved = [
        json!({"index": 0, "status": "solved", "cost": 2, "moves": ["A", "C"], "lower_bound": 2,
            "expanded": 2, "generated": 4}),
        json!({"index": 1, "status": "solved", "cost": 0, "moves": [], "lower_bound": 0,
            "expanded": 0, "generated": 0}),
    ];
    assert_eq!(json_lines(&CENTRE, &(EASY.to_string() + SOLVED), 0), solved);
}

#[test]
fn json_tells_what_lies_above_the_limit() {
    let above = json!({"index": 0, "status": "above-limit", "cost": null, "moves": null,
        "lower_bound": 2, "expanded": 0, "generated": 0});
    assert_eq!(json_lines(&[&CENTRE[..], &["--max-cost", "1"]].concat(), EASY, 0), [above]);
}

#[test]
fn json_tells_what_stopped_a_search() {
    let lines =
        json_lines(&[&CENTRE[..], &["--node-limit", "3"]].concat(), &(HARD.to_string() + EASY), 1);
    let stopped = json!({"index": 0, "status": "stopped", "cost": null, "moves": null,
        "lower_bound": lines[0]["lower_bound"], "reason": "node limit reached", "expanded": 3,
        "generated": lines[0]["generated"]});
    assert_eq!(lines[0], stopped);
    assert!(lines[0]["lower_bound"].as_u64().unwrap() > 0);
    assert_eq!(lines[1]["status"], "solved");
    let lines = json_lines(&[&SLOW[..], &["--time-limit", "200ms"]].concat(), HARD, 1);
    assert_eq!(lines[0]["reason"], "time limit reached");
}

/// Blank or tile, the blank first or last: moves mean nothing without it.
#[test]
fn json_tells_by_which_conventions_the_moves_are_to_be_read() {
    let board = "8 2 0/4 6 1/3 7 5\n";
    for (arguments, notation, goal, first) in [
        (&[][..], "blank", "0 1 2/3 4 5/6 7 8", "L"),
        (&["--notation", "tile-runs"], "tile-runs", "0 1 2/3 4 5/6 7 8", "R"),
        (&["--goal", "last"], "blank", "1 2 3/4 5 6/7 8 0", "L"),
    ] {
        let run = deepen(&["solve", "tiles", "--format", "json"]).args(arguments).stdin(board);
        let output = run.assert().success().get_output().stdout.clone();
        let value: Value = serde_json::from_slice(&output).unwrap();
        assert_eq!([&value["notation"], &value["goal"]], [notation, goal], "{arguments:?}");
        assert_eq!(value["moves"][0], first, "{arguments:?}");
    }
}

#[test]
fn text_draws_the_moves_step_by_step() {
    solve(&["--format", "text"], EASY.to_string() + SOLVED)
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
Instance 1

    1   1
    1   1
3 2 3 2 3 1 3
    2   2
3 1 2 2 2 3 1
    2   1
    3   3

1. A

    1   1
    3   1
3 2 2 2 3 1 3
    2   2
3 1 2 2 2 3 1
    3   1
    1   3

2. C

    1   1
    3   1
3 3 2 2 2 3 1
    2   2
3 1 2 2 2 3 1
    3   1
    1   3

Solved in 2 moves, the fewest possible: A C

Instance 2

    2   2
    2   2
2 2 1 1 1 2 2
    1   1
3 3 1 1 1 3 3
    3   3
    3   3

Solved already, no moves needed.


"#]]);
}

#[test]
fn text_tells_why_there_is_no_solution() {
    solve(&["--format", "text", "--max-cost", "1"], EASY).assert().success().stdout_eq(str![[r#"
Instance 1

    1   1
    1   1
3 2 3 2 3 1 3
    2   2
3 1 2 2 2 3 1
    2   1
    3   3

Above the limit of 1 move, at least 2 moves needed.


"#]]);
    solve(&CENTRE, EASY)
        .args(["--format", "text", "--node-limit", "1"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
Instance 1

    1   1
    1   1
3 2 3 2 3 1 3
    2   2
3 1 2 2 2 3 1
    2   1
    3   3

Stopped: node limit reached; at least 2 moves.


"#]]);
}

#[test]
fn stats_are_a_table_on_standard_error() {
    solve(&CENTRE, EASY.to_string() + HARD)
        .args(["--stats", "--max-cost", "5"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
AC
2
More than 5 moves needed

"#]])
        .stderr_eq(str![[r#"
instance 1: solved in 2 moves, the fewest possible
 bound       expanded      generated   cut by bound cut by pruning      seconds
     2              2              4              2              0     [..]
 total              2              4              2              0     [..]

instance 2: above the limit of 5 moves, at least 6 moves needed
 bound       expanded      generated   cut by bound cut by pruning      seconds
     5              2             15             14              1     [..]
 total              2             15             14              1     [..]

2 instances in all
 bound       expanded      generated   cut by bound cut by pruning      seconds
 total              4             19             16              1     [..]

"#]]);
}

#[test]
fn stats_are_told_before_bad_input_is() {
    solve(&CENTRE, EASY.to_string() + "x").args(["--stats"]).assert().code(2).stderr_eq(str![[
        r#"
instance 1: solved in 2 moves, the fewest possible
 bound       expanded      generated   cut by bound cut by pruning      seconds
     2              2              4              2              0     [..]
 total              2              4              2              0     [..]

1 instance in all
 bound       expanded      generated   cut by bound cut by pruning      seconds
 total              2              4              2              0     [..]
<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `x`

"#
    ]]);
}
