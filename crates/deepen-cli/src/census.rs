//! `deepen census`: how many states there are at each distance from the goal.

use std::fmt::Write;

use deepen::table::BuildError;
use deepen_puzzles::{Puzzle, PuzzleTask, with_puzzle};
use serde::Serialize;

use crate::Status;
use crate::arguments::{CensusArguments, ListFormat, wrong};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;

const COMMAND: &str = "census";

/// Tally the states of a puzzle.
pub(crate) fn run(arguments: &CensusArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.puzzle;
    with_puzzle(puzzle, Census { arguments, output })
        .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into()))
}

struct Census<'a> {
    arguments: &'a CensusArguments,
    output: &'a Output,
}

/// The states of one space, as JSON has them.
#[derive(Serialize)]
struct Tally<'a> {
    definition: &'a str,
    states: u64,
    counts: &'a [u64],
    greatest_distance: usize,
    mean_distance: f64,
    unreachable: u64,
}

impl PuzzleTask for Census<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let interrupt = Interrupt::listen();
        let puzzle: P = self.arguments.setup.puzzle(COMMAND, &interrupt)?;
        let tables = puzzle.tables();
        if tables.is_empty() {
            let message = format!("{} has no table of this size", P::INFO.name);
            return Err(wrong(COMMAND, message).into());
        }
        for table in tables {
            let definition = table.definition();
            let built = table.get().map_err(|error| match error {
                BuildError::Cancelled => Failure::Interrupted("the census is not complete".into()),
                error => Failure::Table(format!("{definition}: {error}")),
            })?;
            let counts = Tally::new(definition, built.entries(), built.census());
            let text = match self.arguments.format {
                ListFormat::Text => counts.table(),
                ListFormat::Json => serde_json::to_string(&counts).unwrap_or_default() + "\n",
            };
            self.output.write(&text)?;
        }
        Ok(Status::Answered)
    }
}

impl<'a> Tally<'a> {
    fn new(definition: &'a str, entries: u64, counts: &'a [u64]) -> Self {
        let reached: u64 = counts.iter().sum();
        let sum: f64 = (0_u32..).zip(counts).map(|(d, &count)| f64::from(d) * count as f64).sum();
        Tally {
            definition,
            states: reached,
            counts,
            greatest_distance: counts.len().saturating_sub(1),
            mean_distance: sum / reached.max(1) as f64,
            unreachable: entries - reached,
        }
    }

    fn table(&self) -> String {
        let mut table = format!("{}\n\ndistance          states\n", self.definition);
        for (distance, count) in self.counts.iter().enumerate() {
            let _ = writeln!(table, "{distance:>8}  {count:>14}");
        }
        let _ = writeln!(table, "   total  {:>14}\n", self.states);
        let _ = writeln!(
            table,
            "greatest distance {}, mean {:.3}",
            self.greatest_distance, self.mean_distance
        );
        if self.unreachable > 0 {
            let _ = writeln!(table, "{} further states do not reach the goal", self.unreachable);
        }
        table
    }
}
