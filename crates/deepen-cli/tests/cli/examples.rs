//! What is shipped for every puzzle: example files and the examples of `deepen puzzles`.

use std::path::{Path, PathBuf};
use std::process::Command;

use deepen_puzzles::PUZZLES;

use crate::deepen;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn the_example_files_have_the_judges_answers() {
    for info in PUZZLES {
        let input = examples().join(info.name).with_extension("txt");
        let answers = std::fs::read_to_string(input.with_extension("out")).unwrap();
        let input = input.to_str().unwrap();
        deepen(&["solve", info.name, input]).assert().success().stdout_eq(answers).stderr_eq("");
    }
}

#[test]
fn the_example_files_are_solved_alike_with_every_format_heuristic_and_pruning() {
    for info in PUZZLES {
        let input = examples().join(info.name).with_extension("txt");
        let answers = std::fs::read_to_string(input.with_extension("out")).unwrap();
        // (The zero heuristic alone may take for ever, and large pattern databases take minutes.)
        let is_quick = |name: &str| !matches!(name, "zero" | "pdb");
        for heuristic in info.heuristics.iter().filter(|choice| is_quick(choice.name)) {
            for pruning in ["none", "inverse", "auto"] {
                deepen(&["solve", info.name, input.to_str().unwrap()])
                    .args(["--heuristic", heuristic.name, "--pruning", pruning])
                    .assert()
                    .success()
                    .stdout_eq(&answers);
            }
        }
        for format in ["text", "json"] {
            let arguments = ["solve", info.name, input.to_str().unwrap(), "--format", format];
            deepen(&arguments).assert().success().stderr_eq("");
        }
    }
}

/// A shell gets the page's last section as it stands.
#[cfg(unix)]
#[test]
fn the_example_on_a_puzzles_page_can_be_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_deepen"));
    let path = std::env::join_paths(
        [program.parent().unwrap().to_path_buf()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    for info in PUZZLES {
        let page = Command::new(program).args(["puzzles", info.name]).output().unwrap();
        let page = String::from_utf8(page.stdout).unwrap();
        let (_, example) = page.split_once("\nExample:\n").unwrap();
        let shell = Command::new("sh").args(["-c", example]).env("PATH", &path).output().unwrap();
        assert!(shell.status.success(), "{}: {shell:?}", info.name);
        assert!(!shell.stdout.is_empty() && shell.stderr.is_empty(), "{}: {shell:?}", info.name);
    }
}
