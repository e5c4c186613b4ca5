//! Arguments that several subcommands have.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use deepen::{Cost, Limits, MAX_COST};
use deepen_puzzles::{ALGORITHMS, Algorithm, Puzzle, find};

use super::{CostLimit, SetupArguments, cost_limit, limit, max_cost_help, puzzle_names};
use crate::bytes;

// Which puzzle, and where its instances are.
#[derive(Debug, Args)]
pub(crate) struct InstanceArguments {
    /// The puzzle
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: String,

    /// The file with the instances; standard input if there is none or it is `-`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) setup: SetupArguments,
}

// What may stop a search, besides time.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// The greatest cost to look for, or `none` [default: as the judge]
    #[arg(
        long, value_name = "N", value_parser = cost_limit, long_help = max_cost_help(),
        allow_negative_numbers = true,
    )]
    pub(crate) max_cost: Option<CostLimit>,

    /// Stop a search after so many expanded nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) node_limit: Option<u64>,

    /// Stop a search before its states take more memory, such as `500MB` or `2GiB`
    #[arg(long, value_name = "SIZE", value_parser = bytes::parse, default_value = "1GiB")]
    pub(crate) memory_limit: u64,
}

impl LimitArguments {
    /// The limit on cost, if there is one.
    pub(crate) fn cost<P: Puzzle>(&self, puzzle: &P) -> Option<Cost> {
        limit(self.max_cost, puzzle)
    }

    /// The limits, but for time.
    pub(crate) fn limits<P: Puzzle>(&self, puzzle: &P) -> Limits {
        Limits {
            cost: self.cost(puzzle).unwrap_or(MAX_COST),
            nodes: self.node_limit,
            time: None,
            memory: Some(self.memory_limit),
        }
    }
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// A JSON object a line
    Json,
    /// Comma-separated values, with a line of names
    Csv,
}

/// Reads the name of an algorithm.
pub(crate) fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    let name = |choice: &deepen_puzzles::Choice| PossibleValue::new(choice.name).help(choice.about);
    PossibleValuesParser::new(ALGORITHMS.iter().map(name))
        .try_map(|name| find(ALGORITHMS, &name).map(|index| Algorithm::ALL[index]))
}
