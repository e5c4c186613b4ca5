//! `deepen completions`: a script that completes the command line in a shell.

use clap::CommandFactory;

use crate::Status;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &CompletionsArguments, output: &Output) -> Result<Status, Failure> {
    // Into memory first: the generator panics if it can't write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "deepen", &mut script);
    output.write(&String::from_utf8_lossy(&script))?;
    Ok(Status::Answered)
}
