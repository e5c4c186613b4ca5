//! `deepen puzzles`: what puzzles there are, and all about one.

use std::fmt::Write;

use deepen::Cost;
use deepen_puzzles::{Choice, Info, PUZZLES, Puzzle, PuzzleTask, Settings, with_puzzle};
use serde::Serialize;

use crate::Status;
use crate::arguments::{ListFormat, PuzzlesArguments, default_limit, wrong};
use crate::failure::Failure;
use crate::output::Output;
use crate::report::to_json;

pub(crate) fn run(arguments: &PuzzlesArguments, output: &Output) -> Result<Status, Failure> {
    if let (Some(puzzle), Some(form)) = (&arguments.puzzle, &arguments.export) {
        let text = with_puzzle(puzzle, Export { form, arguments })
            .unwrap_or_else(|| Err(format!("no puzzle `{puzzle}`")));
        output.write(&text.map_err(|error| wrong("puzzles", error))?)?;
        return Ok(Status::Answered);
    }
    let wanted = |info: &&Info| arguments.puzzle.as_deref().is_none_or(|name| name == info.name);
    let puzzles = PUZZLES.iter().filter(wanted);
    let text = match arguments.format {
        ListFormat::Json => puzzles.map(|info| to_json(&Record::new(info))).collect(),
        ListFormat::Text if arguments.puzzle.is_some() => puzzles.map(page).collect(),
        ListFormat::Text => list(),
    };
    output.write(&text)?;
    Ok(Status::Answered)
}

/// The definition of a puzzle.
struct Export<'a> {
    form: &'a str,
    arguments: &'a PuzzlesArguments,
}

impl PuzzleTask for Export<'_> {
    type Output = Result<String, String>;

    fn run<P: Puzzle>(self) -> Result<String, String> {
        let mut settings = Settings::default();
        let given = [("puzzle", &self.arguments.definition), ("size", &self.arguments.size)];
        for (name, value) in given {
            if let Some(value) = value {
                settings = settings.with(name, value);
            }
        }
        P::new(&settings).map_err(|error| error.to_string())?.export(self.form)
    }
}

/// A line a puzzle.
fn list() -> String {
    let rows = PUZZLES.iter().map(|info| (info.name, info.summary.to_string()));
    columns("", &rows.collect::<Vec<_>>()) + "\nAll about one of them: deepen puzzles PUZZLE\n"
}

/// All about a puzzle.
fn page(info: &Info) -> String {
    let Info { name, summary, about, example, .. } = info;
    let mut page = format!("{name}: {summary}\n\n{}\n", about.trim_end());
    let mut section = |title: &str, rows: String| {
        let _ = write!(page, "\n{title}\n{rows}");
    };
    section("Heuristics (--heuristic):", choices(info.heuristics));
    section("Dialects (--dialect):", choices(info.dialects));
    for option in info.options {
        let Choice { name, about } = option;
        let initial = name.chars().take(1).map(|c| c.to_ascii_uppercase());
        let title = initial.chain(name.chars().skip(1).map(|c| if c == '-' { ' ' } else { c }));
        section(&format!("{} (--{name}):", title.collect::<String>()), indented(about));
    }
    let limit = default_limit(name).map_or("none".into(), |limit| limit.to_string());
    section("Greatest cost (--max-cost):", indented(&format!("{limit} (default)")));
    // Not indented, so that a shell takes it as it stands.
    section("Example:", format!("deepen solve {name} <<END\n{}\nEND\n", example.trim_end()));
    page
}

fn choices(choices: &[Choice]) -> String {
    let rows = choices.iter().enumerate().map(|(index, choice)| {
        let default = if index == 0 { " (default)" } else { "" };
        (choice.name, format!("{}{default}", choice.about))
    });
    columns("  ", &rows.collect::<Vec<_>>())
}

/// Names and what they mean, in two columns.
fn columns(indent: &str, rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let row = |(name, about): &(&str, String)| format!("{indent}{name:width$}  {about}\n");
    rows.iter().map(row).collect::<Vec<_>>().concat()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_string() + "\n").collect()
}

/// A puzzle's line of JSON.
#[derive(Serialize)]
struct Record {
    name: &'static str,
    summary: &'static str,
    about: &'static str,
    heuristics: Vec<Named>,
    dialects: Vec<Named>,
    options: Vec<Named>,
    cost_limit: Option<Cost>,
    example: &'static str,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    about: &'static str,
}

impl Record {
    fn new(info: &Info) -> Self {
        let named = |choices: &[Choice]| {
            choices.iter().map(|choice| Named { name: choice.name, about: choice.about }).collect()
        };
        Record {
            name: info.name,
            summary: info.summary,
            about: info.about,
            heuristics: named(info.heuristics),
            dialects: named(info.dialects),
            options: named(info.options),
            cost_limit: default_limit(info.name),
            example: info.example,
        }
    }
}
