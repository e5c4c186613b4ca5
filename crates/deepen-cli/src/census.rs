//! `deepen census`: how many states there are at each distance from the goal.

use std::fmt::Write;

use deepen::Stop;
use deepen::table::BuildError;
use deepen_puzzles::{InstanceCounts, Puzzle, PuzzleTask, with_puzzle};
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
        let Census { arguments, .. } = self;
        if let Some(layers) =
            puzzle.count_layers(arguments.to, arguments.memory_limit, &interrupt.cancel)
        {
            let counts = layers.counts.map_err(|stop| match stop {
                Stop::Cancelled => incomplete(),
                Stop::Memory => Failure::GaveUp(
                    "more positions than fit into --memory-limit; count fewer layers with --to"
                        .into(),
                ),
                stop => Failure::Table(stop.to_string()),
            })?;
            return self.write(&Tally::new(&layers.definition, counts.iter().sum(), &counts));
        }
        if arguments.to.is_some() {
            let message = format!("{} is counted by its table, wholly: no --to", P::INFO.name);
            return Err(wrong(COMMAND, message).into());
        }
        let tables = puzzle.tables();
        let tables: Vec<_> = tables.into_iter().filter(|table| table.is_of_states()).collect();
        if tables.is_empty() {
            let message = format!("{} has no table of this size", P::INFO.name);
            return Err(wrong(COMMAND, message).into());
        }
        if self.arguments.all_boards {
            let counts = match puzzle.count_instances(&interrupt.cancel) {
                InstanceCounts::Counted(counts) => counts,
                InstanceCounts::Untold => {
                    let message = format!("the table of {} is of all boards", P::INFO.name);
                    return Err(wrong(COMMAND, message).into());
                }
                InstanceCounts::Stopped(Stop::Cancelled) => return Err(incomplete()),
                InstanceCounts::Stopped(stop) => return Err(Failure::Table(stop.to_string())),
            };
            let definition = format!("{}: all boards", P::INFO.name);
            return self.write(&Tally::new(&definition, counts.iter().sum(), &counts));
        }
        for table in tables {
            let definition = table.definition();
            let built = table.get().map_err(|error| match error {
                BuildError::Cancelled => incomplete(),
                error => Failure::Table(format!("{definition}: {error}")),
            })?;
            self.write(&Tally::new(definition, built.entries(), built.census()))?;
        }
        Ok(Status::Answered)
    }
}

impl Census<'_> {
    fn write(&self, tally: &Tally) -> Result<Status, Failure> {
        let text = match self.arguments.format {
            ListFormat::Text => tally.table(),
            ListFormat::Json => serde_json::to_string(tally).unwrap_or_default() + "\n",
        };
        self.output.write(&text)?;
        Ok(Status::Answered)
    }
}

fn incomplete() -> Failure {
    Failure::Interrupted("the census is not complete".into())
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
