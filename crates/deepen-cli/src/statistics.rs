//! The tables of `--stats`: the work of each search, iteration by iteration, and of all.

use std::fmt::Write;

use deepen::{Iteration, Statistics};

/// The work of all searches so far.
#[derive(Default)]
pub(crate) struct Total {
    instances: u64,
    sum: Iteration,
}

impl Total {
    /// Adds a search.
    pub(crate) fn add(&mut self, statistics: &Statistics) {
        self.instances += 1;
        let (sum, search) = (&mut self.sum, statistics.total());
        sum.expanded += search.expanded;
        sum.generated += search.generated;
        sum.cut_by_bound += search.cut_by_bound;
        sum.cut_by_pruning += search.cut_by_pruning;
        sum.elapsed += search.elapsed;
    }

    /// The table of all.
    pub(crate) fn table(&self) -> String {
        let all = match self.instances {
            1 => "1 instance".into(),
            instances => format!("{instances} instances"),
        };
        format!("{all} in all\n{HEADER}\n{}", row("total", &self.sum))
    }
}

const HEADER: &str =
    " bound       expanded      generated   cut by bound cut by pruning      seconds";

/// The table of one search, which ended as `verdict` says.
pub(crate) fn table(number: u64, verdict: &str, statistics: &Statistics) -> String {
    let mut table = format!("instance {number}: {verdict}\n{HEADER}\n");
    for iteration in &statistics.iterations {
        let _ = writeln!(table, "{}", row(&iteration.bound.to_string(), iteration));
    }
    table + &row("total", &statistics.total()) + "\n"
}

fn row(bound: &str, iteration: &Iteration) -> String {
    let Iteration { expanded, generated, cut_by_bound, cut_by_pruning, elapsed, .. } = iteration;
    let seconds = elapsed.as_secs_f64();
    format!(
        "{bound:>6} {expanded:>14} {generated:>14} {cut_by_bound:>14} {cut_by_pruning:>14} \
         {seconds:>12.6}"
    )
}
