//! Limits on cost, nodes and time.

use snapbox::str;

use crate::{CENTRE, EASY, EASY_ANSWER, HARD, SLOW, SOLVED, solve};

#[test]
fn beyond_the_cost_limit_is_an_answer() {
    let input = HARD.to_string() + EASY;
    let answers = "More than 2 moves needed\n".to_string() + EASY_ANSWER;
    solve(&["--max-cost", "2"], &input).assert().success().stdout_eq(answers).stderr_eq("");
    solve(&["--max-cost", "none"], EASY).assert().success().stdout_eq(EASY_ANSWER);
    solve(&["--max-cost", "0"], SOLVED).assert().success().stdout_eq("No moves needed\n1\n");
}

#[test]
fn a_node_limit_stops_a_search_and_goes_on_with_the_next() {
    let input = HARD.to_string() + EASY + HARD;
    solve(&CENTRE, input)
        .args(["--node-limit", "1000"])
        .assert()
        .code(1)
        .stdout_eq("?\nAC\n2\n?\n")
        .stderr_eq(str![[r#"
instance 1: stopped: node limit reached; at least 8 moves
instance 3: stopped: node limit reached; at least 8 moves

"#]]);
}

#[test]
fn a_time_limit_stops_a_search_and_goes_on_with_the_next() {
    let input = HARD.to_string() + EASY;
    solve(&SLOW, input)
        .args(["--time-limit", "500ms"])
        .assert()
        .code(1)
        .stdout_eq("?\nAC\n2\n")
        .stderr_eq(str![[r#"
instance 1: stopped: time limit reached; at least [..]

"#]]);
}

#[test]
fn no_node_may_be_expanded() {
    let input = EASY.to_string() + SOLVED;
    solve(&CENTRE, input)
        .args(["--node-limit", "0"])
        .assert()
        .code(1)
        .stdout_eq("?\nNo moves needed\n1\n")
        .stderr_eq(str![[r#"
instance 1: stopped: node limit reached; at least 2 moves

"#]]);
}
