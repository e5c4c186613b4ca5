//! The command line: subcommands, options, their help.

mod compare;
mod shared;
mod table;
mod trace;

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use crate::bytes;
use crate::interrupt::Interrupt;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, ValueEnum, ValueHint};
use clap_complete::Shell;
use deepen::{Cost, MAX_COST};
use deepen_puzzles::{
    Algorithm, Choice, PUZZLES, Pruned, Puzzle, PuzzleTask, Settings, find, with_puzzle,
};

pub(crate) use compare::CompareArguments;
pub(crate) use shared::{InstanceArguments, TableFormat};
pub(crate) use table::{CensusArguments, TableArguments, TableSubcommand, Which};
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
  deepen solve rotation boards.txt --heuristic zero --pruning none --stats
  deepen solve rotation boards.txt --algorithm bidirectional
  deepen solve knights boards.txt --max-cost none --all=10
  deepen solve knights boards.txt --max-cost none --count --algorithm bidirectional";

const SOLVE_NOTES: &str = "\
Answers are written as soon as they are known. If the input is bad, the answers before the bad
place are written all the same, and a message names the line and column.

A search that a limit stops is answered `?` in the judge's format, with a line on standard error
that says which instance, which limit, and how many moves are needed at least.

Ctrl-C ends the running search and says what it has proved; a second one ends the program at once.";

const VERIFY_EXAMPLES: &str = "\
Examples:
  deepen verify rotation boards.txt answers.txt
  ./contestant < boards.txt | deepen verify rotation boards.txt -
  deepen verify knights boards.txt answers.txt --max-cost 20
  deepen verify booksort cases.txt answers.txt --dialect uva-11212";

const VERIFY_NOTES: &str = "\
The answers are in the judge's format, as `deepen solve` writes them. Moves are replayed, the least
cost is searched for, and where the problem asks for the first answer in dictionary order, any
other is wrong. The first answer that is wrong is told with its line, and why it is wrong: the moves
do not lead to the goal, or others cost less, or others come first, and so on. What is right is told
with it. White space at line ends, blank lines, CRLF and a missing last line end do no harm.

One of the two files may be `-`, standard input. Both are read as they come, never as a whole.";

const VERIFY_STATUSES: &str = "\
Exit status, as checkers of contests have it:
  0    all answers are right
  1    an answer is wrong
  2    an answer can't be read, is missing or is too many, or there is no such file
  3    the checker itself failed: bad instances or usage, a time limit, trouble with a file
  130  interrupted";

const GENERATE_EXAMPLES: &str = "\
Examples:
  deepen generate rotation
  deepen generate rotation --distance 13 --count 10 --seed 1 > hardest.txt
  deepen generate knights --at-least 16 --count 20
  deepen generate knights --size 4x4 --distance 28
  deepen generate booksort --size 15 --distance 4 --dialect judge";

const GENERATE_NOTES: &str = "\
Instances are drawn one by one, each as likely as any other of the set-up and of the wanted
distance, whatever the distance; so the same may come twice. Without a distance impossible instances
are drawn, too, where a puzzle has any. The seed and the other arguments alone decide what is drawn:
the same command gives the same bytes on every machine.

How long it takes depends on how rare the distance is. Rotation boards are drawn by a table of
distances, thousands a second of any distance. For other puzzles instances are drawn at random,
searched (knights at 30 and more: looked up in a table of all boards) and rejected until one has the
distance; the 550 furthest knights boards are listed. That takes long for rare distances of other
sizes, and of long shelves, whose searches are long besides. Small distances are drawn by random
walks from the goal, of which so many are rejected that instances which many walks lead to, those
with many shortest solutions, are not favoured. --time-limit ends it, but for the making of a table;
then nothing is written but how far it got.

The dialect's header or end mark is written, too.";

const GENERATE_STATUSES: &str = "\
Exit status:
  0    all instances were written
  1    the time limit stopped it
  2    bad usage, or a distance that no instance has
  3    trouble with the output
  130  interrupted";

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
    /// Check answers: is each valid, and of least cost?
    #[command(
        after_help = VERIFY_EXAMPLES,
        after_long_help = format!("{VERIFY_NOTES}\n\n{VERIFY_EXAMPLES}\n\n{VERIFY_STATUSES}"),
    )]
    Verify(VerifyArguments),
    /// Count the states of a puzzle at each distance from the goal
    #[command(
        after_help = table::CENSUS_EXAMPLES,
        after_long_help = format!(
            "{}\n\n{}\n\n{}", table::CENSUS_NOTES, table::CENSUS_EXAMPLES, table::TABLE_STATUSES,
        ),
    )]
    Census(CensusArguments),
    /// Build, list, check and remove stored tables
    #[command(
        after_help = table::TABLE_EXAMPLES,
        after_long_help = format!(
            "{}\n\n{}\n\n{}", table::TABLE_NOTES, table::TABLE_EXAMPLES, table::TABLE_STATUSES,
        ),
    )]
    Table(TableArguments),
    /// Write random instances, of a wanted distance from the goal
    #[command(
        after_help = GENERATE_EXAMPLES,
        after_long_help = format!("{GENERATE_NOTES}\n\n{GENERATE_EXAMPLES}\n\n{GENERATE_STATUSES}"),
    )]
    Generate(GenerateArguments),
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

    #[command(flatten)]
    pub(crate) search: SearchArguments,

    /// How to search. Whichever it is, of the shortest solutions the first is given
    #[arg(long, value_name = "NAME", default_value = "ida", value_parser = shared::algorithm())]
    pub(crate) algorithm: Algorithm,

    /// Which moves are left out because others do the same
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub(crate) pruning: Pruning,

    /// Give all shortest solutions, or the first N, after the answer: a line of moves for each
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
        default_missing_value = "18446744073709551615")]
    pub(crate) all: Option<NonZeroU64>,

    /// Give the number of shortest solutions instead of the answer
    #[arg(long, conflicts_with = "all")]
    pub(crate) count: bool,

    /// Stop the search of each instance after so many expanded nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node_limit: Option<u64>,

    /// Stop a search before its states take more memory, such as `500MB` or `2GiB`
    #[arg(long, value_name = "SIZE", value_parser = bytes::parse, default_value = "1GiB")]
    pub(crate) memory_limit: u64,

    /// Stop the search of each instance after so long, such as `10s` or `1m 30s`
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// How many threads search, several instances or one together [default: as many as there are
    /// processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// How many subtrees each thread advances in turn, so that they wait for look-ups in large
    /// tables together; 1 is plain recursion [default: as suits the heuristic]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) lanes: Option<NonZeroUsize>,

    /// Show the work of each iteration, each instance and all of them on standard error
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The puzzle
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: String,

    /// The file with the instances, or `-` for standard input
    #[arg(value_name = "INSTANCES", value_hint = ValueHint::FilePath)]
    pub(crate) instances: PathBuf,

    /// The file with the answers, or `-` for standard input
    #[arg(value_name = "ANSWERS", value_hint = ValueHint::FilePath)]
    pub(crate) answers: PathBuf,

    #[command(flatten)]
    pub(crate) search: SearchArguments,

    /// Give up if the search of an instance takes longer, such as `10s` or `1m 30s`
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    /// The puzzle
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: String,

    /// How many instances
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) count: usize,

    /// Only instances that need exactly so many moves
    #[arg(long, value_name = "N", conflicts_with = "at_least", allow_negative_numbers = true)]
    pub(crate) distance: Option<Cost>,

    /// Only instances that need so many moves or more
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) at_least: Option<Cost>,

    /// What the instances are drawn by [default: a new one, told on standard error]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) setup: SetupArguments,

    /// Give up after so long, such as `10s` or `1m 30s`
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) time_limit: Option<Duration>,
}

// What is searched for, and how. (With `///` this would become the help of every subcommand.)
#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// The greatest cost to look for, or `none` [default: as the judge]
    #[arg(
        long, value_name = "N", value_parser = cost_limit, long_help = max_cost_help(),
        allow_negative_numbers = true,
    )]
    pub(crate) max_cost: Option<CostLimit>,

    #[command(flatten)]
    pub(crate) setup: SetupArguments,

    /// The lower bound to search with [default: the first that `deepen puzzles PUZZLE` lists]
    #[arg(long, value_name = "NAME")]
    pub(crate) heuristic: Option<String>,
}

// How a puzzle is set up.
#[derive(Debug, Args)]
pub(crate) struct SetupArguments {
    /// A judge's variant of the formats [default: the first that `deepen puzzles PUZZLE` lists]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,

    /// The board's size, such as 4x5, or the number of books, where a puzzle has several
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<String>,

    /// Another goal, where a puzzle can have one
    #[arg(long, value_name = "BOARD", long_help = option_help("goal", GOAL))]
    pub(crate) goal: Option<String>,

    /// How moves are named, where there are several customs
    #[arg(
        long, value_name = "NAME", hide_short_help = true,
        long_help = option_help("notation", NOTATION),
    )]
    pub(crate) notation: Option<String>,

    /// What the instances are to be made of, where they come in pairs
    #[arg(long, value_name = "INSTANCE", hide_short_help = true)]
    pub(crate) from: Option<String>,

    /// The file that defines the puzzle, or the name of one that is built in
    #[arg(long = "puzzle", value_name = "FILE", hide_short_help = true)]
    pub(crate) definition: Option<String>,

    /// Which turns count as one move
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) metric: Option<String>,

    /// The moves to use, such as U,F,R2
    #[arg(long, value_name = "NAMES", hide_short_help = true)]
    pub(crate) moves: Option<String>,

    /// How much memory the tables of a heuristic may take, such as 500MB
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub(crate) table_memory: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

// Where tables are kept.
#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    /// The folder for tables, or `none` [default: deepen/tables in your cache folder]
    ///
    /// Tables that take long to build, of more than four million entries, are written there when a
    /// heuristic first needs them, and read from there later. With `none` nothing is read or
    /// written. All other tables are built anew in every run, in less than a tenth of a second.
    #[arg(
        long, value_name = "FOLDER", value_hint = ValueHint::DirPath, env = "DEEPEN_TABLE_DIR",
        hide_env_values = true,
    )]
    pub(crate) table_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PuzzlesArguments {
    /// The puzzle to tell about
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: Option<String>,

    /// Write the definition of a puzzle that has one instead: as `tws` or `json`
    #[arg(long, value_name = "FORM", requires = "puzzle")]
    pub(crate) export: Option<String>,

    /// The file that defines the puzzle to export, or the name of one that is built in
    #[arg(long = "puzzle", value_name = "FILE", requires = "export")]
    pub(crate) definition: Option<String>,

    /// The size of the puzzle to export
    #[arg(long, value_name = "SIZE", requires = "export")]
    pub(crate) size: Option<String>,

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

impl SearchArguments {
    /// The greatest cost to look for, if there is a limit.
    pub(crate) fn limit<P: Puzzle>(&self, puzzle: &P) -> Option<Cost> {
        limit(self.max_cost, puzzle)
    }

    /// The index of the heuristic, if one is named.
    pub(crate) fn heuristic<P: Puzzle>(
        &self,
        subcommand: &str,
    ) -> Result<Option<usize>, clap::Error> {
        let choose = |name| choose(subcommand, "heuristic", P::INFO.heuristics, Some(name));
        self.heuristic.as_deref().map(choose).transpose()
    }
}

impl SetupArguments {
    /// The puzzle, set up. An interrupt stops the building of its tables.
    pub(crate) fn puzzle<P: Puzzle>(
        &self,
        subcommand: &str,
        interrupt: &Interrupt,
    ) -> Result<P, clap::Error> {
        choose(subcommand, "dialect", P::INFO.dialects, self.dialect.as_deref())?;
        let settings = Settings {
            dialect: self.dialect.clone(),
            options: self.options(),
            tables: self.store.tables(interrupt),
        };
        P::new(&settings).map_err(|error| wrong(subcommand, error.to_string()))
    }

    /// The options that a puzzle may have, as they are given.
    fn options(&self) -> BTreeMap<&'static str, String> {
        let given = [
            ("size", &self.size),
            ("goal", &self.goal),
            ("notation", &self.notation),
            ("from", &self.from),
            ("puzzle", &self.definition),
            ("metric", &self.metric),
            ("moves", &self.moves),
            ("table-memory", &self.table_memory),
        ];
        let named = |(name, value): (_, &Option<String>)| Some((name, value.clone()?));
        given.into_iter().filter_map(named).collect()
    }
}

/// What `--max-cost` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CostLimit {
    Unlimited,
    AtMost(Cost),
}

/// The greatest cost to look for, if there is a limit.
fn limit<P: Puzzle>(given: Option<CostLimit>, puzzle: &P) -> Option<Cost> {
    match given {
        None => puzzle.cost_limit(),
        Some(CostLimit::Unlimited) => None,
        Some(CostLimit::AtMost(cost)) => Some(cost),
    }
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

const GOAL: &str = "Another goal, where a puzzle can have one";
const NOTATION: &str = "How moves are named, where there are several customs";

/// What an option is for, and what it means to each puzzle that has it.
fn option_help(option: &str, about: &str) -> String {
    let meanings = PUZZLES.iter().flat_map(|info| {
        let choices = info.options.iter().filter(|choice| choice.name == option);
        choices.map(|choice| format!("{}: {}", info.name, choice.about))
    });
    let meanings: Vec<_> = meanings.collect();
    if meanings.is_empty() { about.into() } else { format!("{about}\n\n{}", meanings.join("\n")) }
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
