//! The command `deepen`.
//!
//! A subcommand is a file: [`solve`], [`compare`], [`trace`], [`verify`], [`generate`], [`census`],
//! [`table`], [`puzzles`], [`completions`]. They work on any puzzle through the traits of
//! `deepen-puzzles` and know no search. Around them: [`arguments`] is the command line, [`input`] and
//! [`output`] are the two streams, [`instances`] what is read at once, [`report`], [`columns`] and
//! [`plot`] how things are shown, [`store`] where tables are kept, [`interrupt`] is Ctrl-C,
//! [`progress`] the line on the terminal, and [`failure`] everything that ends the program early,
//! with its exit status. [`batch`] works on several instances at once.
//!
//! Nothing here panics when it can't write: streams are written to by functions that say so.

mod arguments;
mod batch;
mod bytes;
mod census;
mod columns;
mod compare;
mod completions;
mod failure;
mod generate;
mod input;
mod instances;
mod interrupt;
mod output;
mod plot;
mod progress;
mod puzzles;
mod report;
mod solve;
mod statistics;
mod store;
mod table;
mod trace;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Subcommand};
use failure::Failure;
use output::Output;

/// How a program that did not fail ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Everything asked for was answered.
    Answered,
    /// A limit stopped some search.
    LimitReached,
}

fn main() -> ExitCode {
    match run() {
        Ok(Status::Answered) => ExitCode::SUCCESS,
        Ok(Status::LimitReached) => ExitCode::from(1),
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.exit_status())
        }
    }
}

fn run() -> Result<Status, Failure> {
    let output = Output::new();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help and version, to clap, are errors that go to standard output.
        Err(help) if !help.use_stderr() => {
            output.write(&help.render().to_string())?;
            output.flush()?;
            return Ok(Status::Answered);
        }
        Err(error) => return Err(verify::own(error.into(), std::env::args_os().nth(1))),
    };
    let status = match arguments.subcommand {
        Subcommand::Solve(arguments) => solve::run(&arguments, &output)?,
        Subcommand::Compare(arguments) => compare::run(&arguments, &output)?,
        Subcommand::Trace(arguments) => trace::run(&arguments, &output)?,
        Subcommand::Verify(arguments) => verify::run(&arguments, &output)?,
        Subcommand::Census(arguments) => census::run(&arguments, &output)?,
        Subcommand::Table(arguments) => table::run(&arguments, &output)?,
        Subcommand::Generate(arguments) => generate::run(&arguments, &output)?,
        Subcommand::Puzzles(arguments) => puzzles::run(&arguments, &output)?,
        Subcommand::Completions(arguments) => completions::run(&arguments, &output)?,
    };
    output.flush()?;
    Ok(status)
}
