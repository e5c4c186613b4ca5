//! `deepen table` and `deepen census`: what is kept, checked and counted.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::Command;
use snapbox::str;

use crate::deepen;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn deepen(&self, arguments: &[&str]) -> Command {
        deepen(arguments).env("DEEPEN_TABLE_DIR", &self.0)
    }

    fn tables(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "table")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A board of the least size whose table is stored, and how far it is.
const BOARD: &str = "1\n1111111\n11100*0\n0000000\n";
/// A board of that size far from its goal.
const FAR: &str = "1\n1001110\n*010101\n0100110\n";
const SOLVE: [&str; 8] =
    ["solve", "knights", "--size", "3x7", "--max-cost", "none", "--heuristic", "table"];

#[test]
fn a_table_is_built_listed_checked_and_removed() {
    let folder = Folder::new("built");
    folder.deepen(&["table", "list"]).assert().success().stdout_eq("");
    folder.deepen(&["table", "build", "knights", "--size", "3x7"]).assert().success().stdout_eq(
        str![[r#"
knights 3x7: distances to 1111111/111*000/0000000, order 1: 3879876 entries of [..] bits, [..] bytes, greatest distance [..], built in [..] s

"#]],
    );
    assert_eq!(folder.tables().len(), 1);
    folder
        .deepen(&["table", "build", "knights", "--size", "3x7"])
        .assert()
        .success()
        .stdout_eq("knights 3x7: [..], read in [..] s\n");
    folder.deepen(&["table", "list"]).assert().success().stdout_eq(str![[r#"
knights-3x7-[..]  [..] bytes  knights 3x7: distances to 1111111/111*000/0000000, order 1

"#]]);
    let list = folder.deepen(&["table", "list", "--format", "json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(list["entries"], 3879876);
    assert_eq!(list["error"], serde_json::Value::Null);
    folder.deepen(&["table", "verify"]).assert().success().stdout_eq("knights-3x7-[..]: good\n");
    folder.deepen(&["table", "remove"]).assert().code(2);
    folder.deepen(&["table", "remove", "booksort"]).assert().code(3);
    folder.deepen(&["table", "remove", "knights-3x7"]).assert().success();
    assert!(folder.tables().is_empty());
}

#[test]
fn a_search_keeps_its_table_and_believes_no_damaged_one() {
    let folder = Folder::new("damaged");
    // No heuristic that looks nothing up.
    let zones = ["solve", "knights", "--size", "3x7", "--max-cost", "none", "--heuristic", "zones"];
    let right = folder.deepen(&zones).stdin(BOARD).output().unwrap();
    assert!(right.status.success() && !folder.0.exists());
    let solve = || folder.deepen(&SOLVE).stdin(BOARD).assert().success();
    solve().stdout_eq(right.stdout.clone()).stderr_eq("");
    let table = folder.tables().remove(0);
    solve().stdout_eq(right.stdout.clone()).stderr_eq("");

    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&table, &bytes).unwrap();
    solve().stdout_eq(right.stdout.clone()).stderr_eq(str!["warning: [..]damaged[..]"]);
    folder.deepen(&["table", "verify"]).assert().code(3);
    folder.deepen(&["table", "list"]).assert().success();

    fs::write(&table, &bytes[..1000]).unwrap();
    solve().stdout_eq(right.stdout.clone()).stderr_eq(str!["warning: [..]"]);
    // It is left as it was, for whoever wants to look.
    assert_eq!(fs::read(&table).unwrap().len(), 1000);
    folder.deepen(&["table", "remove", "--all"]).assert().success();
    solve().stdout_eq(right.stdout).stderr_eq("");
}

#[test]
fn a_kept_table_is_used_where_there_is_no_limit() {
    let folder = Folder::new("kept");
    let solve = |more: &[&str]| {
        let arguments = ["solve", "knights", "--size", "3x7", "--format", "json"];
        let output = folder.deepen(&arguments).args(more).stdin(FAR).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let without = solve(&["--max-cost", "none"]);
    folder.deepen(&["table", "build", "knights", "--size", "3x7"]).assert().success();
    let with = solve(&["--max-cost", "none"]);
    assert_eq!(with["moves"], without["moves"]);
    // A perfect table leads straight to the goal.
    assert_eq!(with["expanded"], with["cost"]);
    assert_ne!(without["expanded"], without["cost"]);
    let named = solve(&["--max-cost", "none", "--heuristic", "zones"]);
    assert_ne!(named["expanded"], named["cost"]);
}

#[test]
fn solving_goes_on_without_a_folder_to_write_to() {
    let folder = Folder::new("in-the-way");
    fs::write(&folder.0, "a file where the folder should be").unwrap();
    let output = folder.deepen(&SOLVE).stdin(BOARD).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: "));
    folder.deepen(&["table", "build", "knights", "--size", "3x7"]).assert().code(3);
    fs::remove_file(&folder.0).unwrap();
}

#[test]
fn tables_not_worth_a_file_are_said_to_be_built_every_time() {
    deepen(&["table", "build", "rotation"]).assert().success().stdout_eq(str![[r#"
rotation: distances of all placements of a colour, order 1: 735471 entries, built in every run that needs them

"#]]);
    deepen(&["table", "list"]).assert().code(2);
}

#[test]
fn a_census_counts_the_states_at_each_distance() {
    // As the theory has them.
    deepen(&["census", "knights", "--size", "4x4"]).assert().success().stdout_eq(str![[r#"
knights 4x4: distances to 1111/1111/*000/0000, order 1

distance          states
       0               1
       1               3
       2               7
       3              14
       4              28
       5              58
       6             114
       7             228
       8             434
       9             810
      10            1430
      11            2382
      12            3728
      13            5425
      14            7368
      15            9416
      16           11057
      17           12034
      18           11983
      19           10906
      20            9122
      21            6911
      22            4644
      23            2693
      24            1369
      25             551
      26             185
      27              49
      28              10
   total          102960

greatest distance 28, mean [..]

"#]]);
    let census = deepen(&["census", "rotation", "--format", "json"]).output().unwrap();
    let census: serde_json::Value = serde_json::from_slice(&census.stdout).unwrap();
    let counts =
        [1, 8, 44, 208, 876, 3220, 10498, 30236, 73982, 146466, 208170, 178588, 72941, 10045, 188];
    assert_eq!(census["counts"], serde_json::json!(counts));
    deepen(&["census", "knights", "--size", "3x3"]).assert().success().stdout_eq(str![[r#"
...
629 further states do not reach the goal

"#]]);
}

#[test]
fn a_census_that_can_not_be_taken_is_refused() {
    deepen(&["census", "booksort", "--size", "64"]).assert().code(2);
    deepen(&["census", "knights", "--size", "8x8"]).assert().code(2);
    deepen(&["census", "knights", "--size", "4x4", "--all-boards"]).assert().code(2);
}
