//! The arguments of `deepen table` and `deepen census`.

use clap::{Args, Subcommand};

use deepen::Cost;

use super::{ListFormat, SetupArguments, StoreArguments, puzzle_names};
use crate::bytes;

pub(crate) const TABLE_EXAMPLES: &str = "\
Examples:
  deepen table build knights        builds the table of all boards, if it is not there
  deepen table list
  deepen table verify
  deepen table remove knights";

pub(crate) const TABLE_NOTES: &str = "\
A stored table is a file that says what it is a table of and carries checksums; it appears under its
name only when it is complete. Two processes that need the same table build it once. A damaged or
foreign file is never believed: it is reported, and searches build the table in memory instead.";

pub(crate) const TABLE_STATUSES: &str = "\
Exit status:
  0    done
  2    bad usage
  3    trouble with a table or file
  130  interrupted; nothing half-made is left";

pub(crate) const CENSUS_EXAMPLES: &str = "\
Examples:
  deepen census knights
  deepen census knights --size 4x4
  deepen census rotation
  deepen census rotation --all-boards
  deepen census booksort --size 9 --format json
  deepen census twisty --puzzle skewb
  deepen census twisty --puzzle 3x3x3 --to 6";

pub(crate) const CENSUS_NOTES: &str = "\
All states are searched breadth first from the goal, over a table with a byte for each. States from
which the goal can't be reached are counted apart.

Twisty puzzles have tables that are not of all positions. Their positions are counted in a table
where it fits into the memory, else layer by layer, of which the last two are kept.";

#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    #[command(subcommand)]
    pub(crate) what: TableSubcommand,
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one in a run")]
pub(crate) enum TableSubcommand {
    /// Build a puzzle's tables, and store those that are worth it
    Build {
        /// The puzzle
        #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
        puzzle: String,
        #[command(flatten)]
        setup: SetupArguments,
    },
    /// List the stored tables
    List {
        /// How the list is written
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: ListFormat,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Check every byte of the stored tables
    Verify {
        #[command(flatten)]
        which: Which,
    },
    /// Remove stored tables
    Remove {
        /// All of them
        #[arg(long, conflicts_with = "name", required_unless_present = "name")]
        all: bool,
        #[command(flatten)]
        which: Which,
    },
}

// Which of the stored tables.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// How the name of a table's file begins, as `deepen table list` shows it
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CensusArguments {
    /// The puzzle
    #[arg(value_name = "PUZZLE", value_parser = puzzle_names())]
    pub(crate) puzzle: String,

    /// Count all boards, where the table is of less: rotation's of one colour
    #[arg(long)]
    pub(crate) all_boards: bool,

    /// Count no further than to that distance; for puzzles whose positions no table holds
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) to: Option<Cost>,

    /// How much memory counting may take, such as `500MB` or `4GiB`, where no table is used
    #[arg(long, value_name = "SIZE", value_parser = bytes::parse, default_value = "4GiB")]
    pub(crate) memory_limit: u64,

    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ListFormat,

    #[command(flatten)]
    pub(crate) setup: SetupArguments,
}
