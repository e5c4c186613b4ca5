//! Setting a puzzle up, and reading its instances before anything is done with them.

use deepen_puzzles::{Puzzle, Settings};

use crate::arguments::{InstanceArguments, choose, wrong};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::interrupt::Interrupt;
use crate::output::Output;

/// The puzzle set up as the arguments of the subcommand say.
pub(crate) fn puzzle<P: Puzzle>(
    subcommand: &str,
    arguments: &InstanceArguments,
) -> Result<P, Failure> {
    choose(subcommand, "dialect", P::INFO.dialects, arguments.dialect.as_deref())?;
    let settings = Settings {
        dialect: arguments.dialect.clone(),
        size: arguments.size.clone(),
        goal: arguments.goal.clone(),
    };
    Ok(P::new(&settings).map_err(|error| wrong(subcommand, error.to_string()))?)
}

/// Reads the instances, `most` at the most.
pub(crate) fn read<P: Puzzle>(
    puzzle: &P,
    arguments: &InstanceArguments,
    most: usize,
    output: &Output,
    interrupt: &Interrupt,
) -> Result<Vec<P::Instance>, Failure> {
    let wanted = format!("instances of {name} (see `deepen puzzles {name}`)", name = P::INFO.name);
    let settle = || output.flush();
    let (input, name) = Input::open(arguments.file.as_deref(), &wanted, &settle, interrupt)?;
    let instances: Result<Vec<_>, _> = puzzle.read(input).take(most).collect();
    instances.map_err(|error| input::failure(error, name))
}
