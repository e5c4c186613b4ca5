//! The command from the outside: what it prints, and how it ends.

// Helpers of tests unwrap as tests do; snapshots are written with hashes by the tool that updates
// them (SNAPSHOTS=overwrite).
#![allow(clippy::unwrap_used, clippy::needless_raw_string_hashes)]

mod compare;
mod examples;
mod formats;
mod input;
mod limits;
mod shortest;
#[cfg(unix)]
mod streams;
mod threads;
mod trace;
mod usage;
mod verify;

use snapbox::cmd::Command;

/// A board two moves from its goal, its answer, and a board that needs none.
const EASY: &str = "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3\n";
const EASY_ANSWER: &str = "AC\n2\n";
const SOLVED: &str = "2 2 2 2 2 2 1 1 1 2 2 1 1 3 3 1 1 1 3 3 3 3 3 3\n";
/// A board that needs 13 moves. Without a lower bound or pruning it takes hours.
const HARD: &str = "1 2 3 2 2 1 1 1 1 1 3 3 2 2 3 3 2 2 3 3 1 2 3 1\n";
/// A lower bound that leaves some searching to do, whatever the default is.
const CENTRE: [&str; 2] = ["--heuristic", "centre"];
const SLOW: [&str; 4] = ["--heuristic", "zero", "--pruning", "none"];

/// The command, with an empty input and no word of how wide the terminal is.
fn deepen(arguments: &[&str]) -> Command {
    Command::new(env!("CARGO_BIN_EXE_deepen"))
        .args(arguments)
        .env_remove("COLUMNS")
        .env("DEEPEN_TABLE_DIR", "none")
        .stdin("")
}

/// `deepen solve rotation` with further arguments and an input.
fn solve(arguments: &[&str], input: impl AsRef<[u8]>) -> Command {
    deepen(&["solve", "rotation"]).args(arguments).stdin(input.as_ref().to_vec())
}

/// Comma-separated values in which nothing is quoted: the names and the rows.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let cells = |line: &str| line.split(',').map(String::from).collect();
    let mut lines = text.lines().map(cells);
    let names: Vec<String> = lines.next().unwrap();
    let rows: Vec<Vec<String>> = lines.collect();
    assert!(rows.iter().all(|row| row.len() == names.len()), "{text}");
    (names, rows)
}

/// The name of a file that a test may write.
fn scratch(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().unwrap().into()
}
