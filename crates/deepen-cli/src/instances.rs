//! Reading instances before anything is done with them.

use deepen_puzzles::Puzzle;

use crate::arguments::InstanceArguments;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::interrupt::Interrupt;
use crate::output::Output;

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
