//! The arguments of `deepen trace`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use deepen_puzzles::Algorithm;

use super::Pruning;
use super::shared::{InstanceArguments, LimitArguments, TableFormat, algorithm};

pub(crate) const EXAMPLES: &str = "\
Examples:
  deepen trace rotation boards.txt
  deepen trace rotation boards.txt --instance 3 --heuristic centre --pruning none
  deepen trace knights boards.txt --max-cost none --plot nodes.svg
  deepen trace rotation boards.txt --depth-profile --format csv > depths.csv
  deepen trace rotation boards.txt --algorithm astar";

pub(crate) const NOTES: &str = "\
A line an iteration, as soon as it has ended. The last one ends early, with the first solution or
when a limit strikes.

  bound       no path that costs more is followed; with breadth-first searches, the costs that the
              layer's children have at most
  expanded    nodes whose moves were enumerated
  generated   children that were considered, those that the bound cut included
  by bound    children cut since cost and heuristic exceed the bound
  by pruning  moves left out since others do the same; in place of this, for searches that store
              states, duplicates: children that were stored before
  cuts/node   children and moves cut, by bound and by pruning, per expanded node (moves that a
              state does not have, such as off the board, are not counted)
  growth      the nodes expanded, divided by those of the iteration before: Korf's heuristic
              branching factor. Where the bound rises by more than one, the root of that degree
  branching   the effective branching factor: the number b for which a tree of this bound's depth
              has as many nodes below its root as were generated, b + b^2 + ... + b^bound; in the
              line of totals, of all nodes. Without a heuristic, children that are cut lie deeper
              than the bound, and make it too great while the bound is small
  seconds     the time, without what comes between iterations

--depth-profile adds a table of the nodes expanded and generated at each depth, in moves from the
start, of the last complete iteration (the last, if none is complete), or of all. As CSV the table
is written in place of the iterations. Counting slows the search down; its counts stay the same.

As JSON, an iteration's object has no `depth`, a depth's has one, and the last object, with
`status`, is that of `deepen solve --format json`.";

#[derive(Debug, Args)]
pub(crate) struct TraceArguments {
    #[command(flatten)]
    pub(crate) instances: InstanceArguments,

    /// Which instance of the file is searched, counted from 1
    #[arg(long, value_name = "K", default_value = "1", allow_negative_numbers = true)]
    pub(crate) instance: NonZeroUsize,

    /// How to go about the search
    #[arg(long, value_name = "NAME", value_parser = algorithm(), default_value = "ida")]
    pub(crate) algorithm: Algorithm,

    /// The lower bound to search with [default: the first that `deepen puzzles PUZZLE` lists]
    #[arg(long, value_name = "NAME")]
    pub(crate) heuristic: Option<String>,

    /// Which moves ida and iddfs leave out because others do the same [default: auto]
    #[arg(long, value_name = "WHICH")]
    pub(crate) pruning: Option<Pruning>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// Stop the search after so long, such as `10s` or `1m 30s`
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Show the nodes at each depth, of the last complete iteration or all
    #[arg(
        long, value_name = "WHICH", num_args = 0..=1, require_equals = true,
        default_missing_value = "last",
    )]
    pub(crate) depth_profile: Option<Profiled>,

    /// How the table is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,

    /// Draw the nodes of each iteration, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,
}

/// Which iterations' nodes are shown at each depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profiled {
    /// The last that was complete
    Last,
    /// All
    All,
}
