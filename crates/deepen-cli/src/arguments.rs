//! The command line: subcommands, options, their help.

mod compare;
mod shared;
mod trace;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, ValueEnum, ValueHint};
use clap_complete::Shell;
use deepen::{Cost, MAX_COST};
use deepen_puzzles::{Choice, PUZZLES, Pruned, Puzzle, PuzzleTask, Settings, find, with_puzzle};

pub(crate) use compare::CompareArguments;
pub(crate) use shared::{InstanceArguments, TableFormat};
pub(crate) use trace::{Profiled, TraceArguments};

const EXAMPLES: &str = "\
Examples:
  deepen puzzles                            what there is
  deepen puzzles rotation                   its rules, formats and options, and an example
  deepen solve rotation boards.txt          answers as the judge wants them
  deepen solve rotation --format text       boards from standard input, drawn move by move";

const EXIT_STATUSES: &str = "\
Exit status:
  0    everything was answered
  1    a limit (--node-limit, --time-limit) stopped some search
  2    bad input or usage
  3    trouble with a file or the output
  130  interrupted";

const SOLVE_EXAMPLES: &str = "\
Examples:
  deepen solve rotation boards.txt
  deepen solve rotation < boards.txt
  deepen solve rotation boards.txt --format text
  deepen solve rotation boards.txt --format json --time-limit 10s
  deepen solve rotation boards.txt --heuristic zero --pruning none --stats";

const SOLVE_NOTES: &str = "\
Answers are written as soon as they are known. If the input is bad, the answers before the bad
place are written all the same, and a message names the line and column.

A search that a limit stops is answered `?` in the judge's format, with a line on standard error
that says which instance, which limit, and how many moves are needed at least.

Ctrl-C ends the running search and says what it has proved; a second one ends the program at once.";

/// Provably shortest solutions of puzzles, by iterative deepening (IDA*).
#[derive(Debug, Parser)]
#[command(
    name = "deepen",
    version,
    arg_required_else_help = true,
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"),
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) subcommand: Subcommand,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Solve the instances of a file, each with the fewest moves
    #[command(
        after_help = SOLVE_EXAMPLES,
        after_long_help = format!("{SOLVE_NOTES}\n\n{SOLVE_EXAMPLES}\n\n{EXIT_STATUSES}"),
    )]
    Solve(SolveArguments),
    /// Run the algorithms side by side and tell what each took
    #[command(
        after_help = compare::EXAMPLES,
        after_long_help =
            format!("{}\n\n{}\n\n{}", compare::NOTES, compare::EXAMPLES, compare::EXIT_STATUSES),
    )]
    Compare(CompareArguments),
    /// Show one search iteration by iteration
    #[command(
        after_help = trace::EXAMPLES,
        after_long_help = format!("{}\n\n{}\n\n{EXIT_STATUSES}", trace::NOTES, trace::EXAMPLES),
    )]
    Trace(TraceArguments),
    /// List the puzzles, or tell all about one
    Puzzles(PuzzlesArguments),
    /// Print a script that completes the command line in a shell
    Completions(CompletionsArguments),
}

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// The puzzle
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: String,

    /// The file with the instances; standard input if there is none or it is `-`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    /// How the answers are written
    #[arg(long, value_name = "FORMAT", default_value = "judge")]
    pub(crate) format: Format,

    /// The greatest cost to look for, or `none` [default: as the judge]
    #[arg(
        long, value_name = "N", value_parser = cost_limit, long_help = max_cost_help(),
        allow_negative_numbers = true,
    )]
    pub(crate) max_cost: Option<CostLimit>,

    /// A judge's variant of the formats [default: the first that `deepen puzzles PUZZLE` lists]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,

    /// The board's size, such as 4x5, where a puzzle has several
    #[arg(long, value_name = "RxC")]
    pub(crate) size: Option<String>,

    /// Another goal, where a puzzle can have one
    #[arg(long, value_name = "BOARD")]
    pub(crate) goal: Option<String>,

    /// The lower bound to search with [default: the first that `deepen puzzles PUZZLE` lists]
    #[arg(long, value_name = "NAME")]
    pub(crate) heuristic: Option<String>,

    /// Which moves are left out because others do the same
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub(crate) pruning: Pruning,

    /// Stop the search of each instance after so many expanded nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node_limit: Option<u64>,

    /// Stop the search of each instance after so long, such as `10s` or `1m 30s`
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// How many instances are searched at once [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Show the work of each iteration, each instance and all of them on standard error
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PuzzlesArguments {
    /// The puzzle to tell about
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: Option<String>,

    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As the judge wants them
    Judge,
    /// Boards, drawn move by move, and the verdict in words
    Text,
    /// A JSON object a line
    Json,
}

/// How a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Text,
    /// A JSON object a line
    Json,
}

/// Which moves are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pruning {
    /// None
    None,
    /// Those that take the last move back
    Inverse,
    /// Those that an automaton, learned from short sequences of moves, shows to be superfluous
    Auto,
}

impl Pruning {
    /// What it is called on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Pruning::None => "none",
            Pruning::Inverse => "inverse",
            Pruning::Auto => "auto",
        }
    }
}

impl From<Pruning> for Pruned {
    fn from(pruning: Pruning) -> Self {
        match pruning {
            Pruning::None => Pruned::Nothing,
            Pruning::Inverse => Pruned::Inverse,
            Pruning::Auto => Pruned::Learned,
        }
    }
}

/// What `--max-cost` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CostLimit {
    Unlimited,
    AtMost(Cost),
}

fn cost_limit(text: &str) -> Result<CostLimit, String> {
    if text == "none" {
        return Ok(CostLimit::Unlimited);
    }
    match text.parse() {
        Ok(cost) if cost <= MAX_COST => Ok(CostLimit::AtMost(cost)),
        _ => Err(format!("expected a whole number up to {MAX_COST}, or `none`")),
    }
}

fn puzzle_names() -> PossibleValuesParser {
    let names = PUZZLES.iter().map(|info| PossibleValue::new(info.name).help(info.summary));
    PossibleValuesParser::new(names)
}

fn max_cost_help() -> String {
    let defaults = PUZZLES.iter().map(|info| {
        let limit = default_limit(info.name);
        format!("{} {}", info.name, limit.map_or("none".into(), |limit| limit.to_string()))
    });
    format!(
        "The greatest cost to look for, or `none`; what needs more is answered so without a \
         solution\n\n[default: as the judge: {}]",
        defaults.collect::<Vec<_>>().join(", ")
    )
}

/// The greatest cost that the judge of the puzzle of that name asks for, if there is a limit.
pub(crate) fn default_limit(puzzle: &str) -> Option<Cost> {
    struct Limit;
    impl PuzzleTask for Limit {
        type Output = Option<Cost>;
        fn run<P: Puzzle>(self) -> Option<Cost> {
            P::new(&Settings::default()).ok()?.cost_limit()
        }
    }
    with_puzzle(puzzle, Limit).flatten()
}

/// The index of the choice of that name, or of the first if there is no name. The subcommand and
/// the option that names it are for the message.
pub(crate) fn choose(
    subcommand: &str,
    option: &str,
    choices: &[Choice],
    name: Option<&str>,
) -> Result<usize, clap::Error> {
    let Some(name) = name else { return Ok(0) };
    find(choices, name).map_err(|_| {
        // What clap would say if it knew the choices, which differ from puzzle to puzzle.
        let names: Vec<_> = choices.iter().map(|choice| choice.name.to_string()).collect();
        let similar = |choice: &&String| strsim::jaro(choice, name);
        let similar = names
            .iter()
            .filter(|choice| similar(choice) > SIMILAR)
            .max_by(|a, b| similar(a).total_cmp(&similar(b)))
            .cloned();
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(&command(subcommand));
        let option = format!("--{option} <NAME>");
        error.insert(ContextKind::InvalidArg, ContextValue::String(option));
        error.insert(ContextKind::InvalidValue, ContextValue::String(name.into()));
        error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
        if let Some(similar) = similar {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(similar));
        }
        error
    })
}

/// How similar a name must be to be suggested, as clap has it.
const SIMILAR: f64 = 0.7;

/// An error in the arguments of a subcommand.
pub(crate) fn wrong(subcommand: &str, message: String) -> clap::Error {
    command(subcommand).error(ErrorKind::ValueValidation, message)
}

/// The subcommand as clap knows it.
fn command(name: &str) -> clap::Command {
    let mut all = Arguments::command();
    all.build();
    all.find_subcommand(name).cloned().unwrap_or(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
