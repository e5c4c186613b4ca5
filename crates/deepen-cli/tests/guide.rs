//! The guides show what the commands in them print, and the pictures that they draw.
//!
//! Their `console` blocks are run in order, by the shell, in an empty folder. Times, memory and what
//! is a multiple of times may differ; all else must be the same. With
//! `SNAPSHOTS=overwrite` what differs is written into the English guide, and from there, the next
//! time, into the Chinese one.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::{Data, assert_data_eq};

const OPEN: &str = "```console";
const CLOSE: &str = "```";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// What a command of the guide prints, on both streams.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_deepen")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("DEEPEN_TABLE_DIR", "none")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The text without what differs from run to run: seconds, which alone have six digits after the
/// point, the multiple of them that may follow, memory with its unit, and the spaces that align.
fn lasting(text: &str) -> String {
    let is_seconds = |word: &str| word.split_once('.').is_some_and(|(_, digits)| digits.len() == 6);
    let mut lasting = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let is_multiple = place > 0 && is_seconds(words[place - 1]);
            let is_unit = |word: &&&str| matches!(**word, "B" | "KiB" | "MiB" | "GiB");
            let is_memory = words[place..].iter().take(2).any(|word| is_unit(&word));
            if !(is_seconds(word) || is_multiple || is_memory) {
                lasting.push_str(word);
                lasting.push(' ');
            }
        }
        lasting.push('\n');
    }
    lasting
}

/// Runs the commands of a guide in an empty folder, which is returned, and compares what they print
/// with what it shows.
fn run_guide(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();

    let path = docs().join(name);
    let guide = read(&path);
    let mut printed = String::new();
    let mut lines = guide.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(printed, "{line}").unwrap();
        if line != OPEN {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != CLOSE) {
            writeln!(printed, "{line}").unwrap();
            let mut command =
                line.strip_prefix("$ ").expect("a block begins with a command").to_owned();
            while let Some(line) = lines.next_if(|line| line.starts_with("> ") || *line == ">") {
                writeln!(printed, "{line}").unwrap();
                command = format!("{command}\n{}", line.get(2..).unwrap_or_default());
            }
            let mut shown = String::new();
            while let Some(line) = lines.next_if(|line| *line != CLOSE && !line.starts_with("$ ")) {
                writeln!(shown, "{line}").unwrap();
            }
            let now = run(&command, &folder);
            printed.push_str(if lasting(&now) == lasting(&shown) { &shown } else { &now });
        }
    }
    assert_data_eq!(printed, Data::read_from(&path, None).raw());
    folder
}

#[test]
fn the_commands_of_the_guide_to_twisty_puzzles_print_what_it_shows() {
    run_guide("twisty.md");
}

#[test]
fn the_commands_of_the_guide_print_what_it_shows() {
    let folder = run_guide("guide.md");
    for picture in ["ida.svg", "compare.svg"] {
        let shown = Data::read_from(&docs().join(picture), None);
        assert_data_eq!(read(&folder.join(picture)), shown.raw());
    }
}

#[test]
fn both_guides_show_the_same() {
    let path = docs().join("guide.zh.md");
    let [english, chinese] = [read(&docs().join("guide.md")), read(&path)];
    let mut shown = english.split(OPEN);
    let mut expected = String::new();
    for (place, part) in chinese.split(OPEN).enumerate() {
        let block = shown.next().expect("no more blocks than in English");
        if place == 0 {
            expected.push_str(part);
        } else {
            let (block, _) = block.split_once(CLOSE).unwrap();
            let (_, prose) = part.split_once(CLOSE).unwrap();
            write!(expected, "{OPEN}{block}{CLOSE}{prose}").unwrap();
        }
    }
    assert!(shown.next().is_none(), "fewer blocks than in English");
    assert_data_eq!(expected, Data::read_from(&path, None).raw());

    let pictures = |guide: &str| -> Vec<String> {
        let parts = guide.split("![").skip(1);
        parts.map(|part| part.split(['(', ')']).nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(pictures(&english), pictures(&chinese));
}
