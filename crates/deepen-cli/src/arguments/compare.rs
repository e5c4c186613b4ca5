//! The arguments of `deepen compare`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use deepen_puzzles::Algorithm;

use super::Pruning;
use super::shared::{InstanceArguments, LimitArguments, TableFormat, algorithm};

pub(crate) const EXAMPLES: &str = "\
Examples:
  deepen compare rotation boards.txt
  deepen compare rotation boards.txt --algorithms ida,astar --heuristics all
  deepen compare rotation boards.txt --algorithms ida --prunings none,inverse,auto
  deepen compare knights boards.txt --time-limit 1m --memory-limit 2GiB --plot nodes.svg
  deepen compare booksort cases.txt --format csv > table.csv";

pub(crate) const NOTES: &str = "\
Each instance is searched with each algorithm in turn; those that ask a heuristic (ida, astar) with
each heuristic, and those that go depth first (ida, iddfs) with each pruning. Of the algorithm
there is nothing else: no second search for the first solution in dictionary order.

  solved      instances solved, each at least cost
  unsolvable  instances proved to have no solution, or none within the limit on cost (left out if
              there are none)
  stopped     instances that a limit stopped
  mean, max   the mean and the greatest cost of the instances solved
  expanded    nodes whose moves were enumerated, in all searches, those stopped included
  generated   children that were considered, likewise
  stored      the most states stored at a time
  memory      the most memory taken at a time by stored states and what belongs to them
  seconds     the time of all searches. What a heuristic looks up is made before
  x seconds   the time, as a multiple of the best row's
  x expanded  the expanded nodes, likewise

The best row is, of those that no limit stopped on the most instances, the one with the least time
(or nodes). Multiples are over the instances on which it was not stopped; where a row was stopped, it would have taken
more, so `>` stands before its multiple. As JSON and CSV, look at `stopped`.

--plot draws the expanded nodes over the cost of the solution: a line a row, through the means over
the instances of a cost. A hollow mark with an arrow is a search that was stopped, whose instance
another row has solved.

Ctrl-C ends the running search and prints the table so far; a second one ends the program at once.";

pub(crate) const EXIT_STATUSES: &str = "\
Exit status:
  0    the table is complete, whatever was stopped
  2    bad input or usage
  3    trouble with a file or the output
  70   the algorithms disagree on the least cost: a mistake in deepen
  130  interrupted";

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) instances: InstanceArguments,

    /// The algorithms, parted by commas [default: all]
    #[arg(long, value_name = "NAMES", value_parser = algorithm(), value_delimiter = ',')]
    pub(crate) algorithms: Vec<Algorithm>,

    /// The lower bounds, parted by commas, or `all` [default: the first that `deepen puzzles
    /// PUZZLE` lists]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) heuristics: Vec<String>,

    /// Which moves ida and iddfs leave out because others do the same, parted by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "auto")]
    pub(crate) prunings: Vec<Pruning>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// Stop a search after so long, such as `500ms` or `1m 30s`
    #[arg(
        long, value_name = "TIME", value_parser = humantime::parse_duration,
        default_value = "10s",
    )]
    pub(crate) time_limit: Duration,

    /// How the table is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,

    /// Draw the nodes over the cost of the solution, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,
}
