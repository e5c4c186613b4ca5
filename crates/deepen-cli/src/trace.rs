//! `deepen trace`: one search, iteration by iteration.

use std::collections::BTreeMap;

use deepen::{
    Control, Cost, DepthCounts, DepthProfile, Iteration, Limits, Observer, Progress, Stop, Verdict,
};
use deepen_puzzles::{Method, Puzzle, PuzzleTask, solve_any, solve_profiled, with_puzzle};
use serde_json::json;

use crate::Status;
use crate::arguments::{Format, Profiled, Pruning, TableFormat, TraceArguments, choose, wrong};
use crate::columns::{Align, Column, Record, line, table, titles};
use crate::failure::Failure;
use crate::instances;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::plot::{self, Plot, Point, Series};
use crate::progress::Watch;
use crate::report::{Report, count_moves};

const COMMAND: &str = "trace";

/// Traces the search of an instance.
pub(crate) fn run(arguments: &TraceArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.instances.puzzle;
    with_puzzle(puzzle, Trace { arguments, output })
        // Only if the arguments and the registry disagree about what there is.
        .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into()))
}

struct Trace<'a> {
    arguments: &'a TraceArguments,
    output: &'a Output,
}

impl PuzzleTask for Trace<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let Trace { arguments, output } = self;
        let (method, name) = method::<P>(arguments)?;
        let interrupt = Interrupt::listen();
        let puzzle: P = arguments.instances.setup.puzzle(COMMAND, &interrupt)?;
        let number = arguments.instance.get();
        let read = instances::read(&puzzle, &arguments.instances, number, output, &interrupt)?;
        let Some(instance) = read.get(number - 1) else {
            let there_are = format!("there is no instance {number}: the input has {}", read.len());
            return Err(wrong(COMMAND, there_are).into());
        };
        let picture = arguments.plot.as_deref().map(plot::create).transpose()?;

        let search_name = format!("{} instance {number}: {name}", P::INFO.name);
        let profile = arguments.depth_profile.map(|_| DepthProfile::new());
        let index = number as u64 - 1;
        let mut tracer = Tracer {
            layout: Layout::of(arguments, method.algorithm.is_depth_first()),
            iterations: Vec::new(),
            profile: profile.as_ref(),
            output,
            watch: Watch::new(number as u64, output, &interrupt.cancel),
        };
        tracer.write(&match arguments.format {
            TableFormat::Text => format!("{search_name}\n\n{}", tracer.layout.head()),
            _ => String::new(),
        })?;
        let limits = Limits { time: arguments.time_limit, ..arguments.limits.limits(&puzzle) };
        let mut control =
            Control { limits, cancel: interrupt.cancel.clone(), observer: Some(&mut tracer) };
        let outcome = match &profile {
            Some(profile) => solve_profiled(&puzzle, instance, method, &mut control, profile),
            None => solve_any(&puzzle, instance, method, &mut control),
        };
        let Tracer { layout, iterations, watch, .. } = tracer;
        watch.finish()?;

        let total = outcome.statistics.total();
        let complete = !matches!(outcome.verdict, Verdict::Solved(_) | Verdict::Stopped { .. });
        let report =
            Report { puzzle: &puzzle, format: Format::Json, limit: arguments.limits.cost(&puzzle) };
        if arguments.format == TableFormat::Text {
            output.write(&layout.row("total", &total, None))?;
        }
        if let Some(which) = arguments.depth_profile {
            output.write(&depths(&wanted(which, &iterations, complete), arguments.format))?;
        }
        match arguments.format {
            TableFormat::Text => {
                let sentence = report.sentence(instance, &outcome.verdict);
                output.write(&format!("\n{sentence}\n"))?;
            }
            TableFormat::Json => output.write(&report.answer(index, instance, &outcome))?,
            TableFormat::Csv => {}
        }
        if let Some((file, path)) = picture {
            let iterations: Vec<_> = iterations.iter().map(|(it, _)| *it).collect();
            plot::write(file, path, &picture_of(P::INFO.name, search_name, &iterations))?;
        }
        match outcome.verdict {
            Verdict::Stopped { stop: Stop::Cancelled, lower_bound } => {
                let known = count_moves(lower_bound);
                Err(Failure::Interrupted(format!("instance {number}: at least {known}")))
            }
            Verdict::Stopped { .. } => {
                if arguments.format == TableFormat::Csv {
                    let words = report.in_words(&outcome.verdict);
                    output.note(&format!("instance {number}: {words}"))?;
                }
                Ok(Status::LimitReached)
            }
            _ => Ok(Status::Answered),
        }
    }
}

/// How to search, and how that is called.
fn method<P: Puzzle>(arguments: &TraceArguments) -> Result<(Method, String), Failure> {
    let algorithm = arguments.algorithm;
    let heuristic =
        choose(COMMAND, "heuristic", P::INFO.heuristics, arguments.heuristic.as_deref())?;
    let mut name = algorithm.name().to_string();
    let refuse = |what: &str, why: &str| {
        Err(wrong(COMMAND, format!("{what} is not for {}, which {why}", algorithm.name())).into())
    };
    if algorithm.is_guided() {
        name = name + ", heuristic " + P::INFO.heuristics[heuristic].name;
    } else if arguments.heuristic.is_some() {
        return refuse("--heuristic", "asks none");
    }
    let pruning = arguments.pruning.unwrap_or(Pruning::Auto);
    if algorithm.is_depth_first() {
        name = name + ", pruning " + pruning.name();
    } else if arguments.pruning.is_some() {
        return refuse("--pruning", "stores states in its place");
    }
    if arguments.depth_profile.is_some() && !algorithm.is_guided() && !algorithm.is_depth_first() {
        return refuse("--depth-profile", "goes layer by layer: its iterations are the depths");
    }
    Ok((Method { algorithm, heuristic, pruned: pruning.into(), lanes: None }, name))
}

/// An iteration with its nodes by depth, if they are counted.
type Traced = (Iteration, Vec<DepthCounts>);

/// Writes a row whenever an iteration ends.
struct Tracer<'a> {
    layout: Layout,
    iterations: Vec<Traced>,
    profile: Option<&'a DepthProfile>,
    output: &'a Output,
    watch: Watch<'a>,
}

impl Tracer<'_> {
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.watch.clear();
        self.output.write(text)?;
        self.output.flush()
    }
}

impl Observer for Tracer<'_> {
    fn iteration(&mut self, iteration: &Iteration) {
        let before = self.iterations.last().map(|(before, _)| before);
        let text = self.layout.iteration(iteration, before);
        self.iterations
            .push((*iteration, self.profile.map(DepthProfile::take).unwrap_or_default()));
        if let Err(failure) = self.write(&text) {
            self.watch.fail(failure);
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.watch.progress(progress);
    }
}

/// How iterations are written.
struct Layout {
    format: TableFormat,
    /// Whether the search leaves moves out, rather than storing states.
    prunes: bool,
    /// Whether the table of depths takes their place.
    only_depths: bool,
}

impl Layout {
    fn of(arguments: &TraceArguments, prunes: bool) -> Self {
        let format = arguments.format;
        let only_depths = format == TableFormat::Csv && arguments.depth_profile.is_some();
        Layout { format, prunes, only_depths }
    }

    fn columns(&self) -> [Column; 9] {
        let right = |title, width| Column { title, align: Align::Right, width };
        [
            right("bound", 5),
            right("expanded", 12),
            right("generated", 12),
            right("by bound", 12),
            right(if self.prunes { "by pruning" } else { "duplicates" }, 12),
            right("cuts/node", 9),
            right("growth", 7),
            right("branching", 9),
            right("seconds", 10),
        ]
    }

    fn head(&self) -> String {
        titles(&self.columns())
    }

    /// The line of an iteration that came after another.
    fn iteration(&self, iteration: &Iteration, before: Option<&Iteration>) -> String {
        match self.format {
            TableFormat::Text => self.row(&iteration.bound.to_string(), iteration, before),
            TableFormat::Json => record(iteration, before).json(),
            TableFormat::Csv if self.only_depths => String::new(),
            TableFormat::Csv => {
                let record = record(iteration, before);
                let names = if before.is_none() { record.csv_names() } else { String::new() };
                names + &record.csv()
            }
        }
    }

    fn row(&self, name: &str, iteration: &Iteration, before: Option<&Iteration>) -> String {
        let it = iteration;
        let ratio = |ratio: Option<f64>| ratio.map_or("-".into(), |ratio| format!("{ratio:.3}"));
        line(
            &self.columns(),
            &[
                name.to_string(),
                it.expanded.to_string(),
                it.generated.to_string(),
                it.cut_by_bound.to_string(),
                if self.prunes { it.cut_by_pruning } else { it.duplicates }.to_string(),
                ratio(cuts(it)),
                ratio(before.and_then(|before| growth(before, it))),
                ratio(branching_factor(it.generated, it.bound)),
                format!("{:.6}", it.elapsed.as_secs_f64()),
            ],
        )
    }
}

fn record(iteration: &Iteration, before: Option<&Iteration>) -> Record {
    Record(vec![
        ("bound", json!(iteration.bound)),
        ("expanded", json!(iteration.expanded)),
        ("generated", json!(iteration.generated)),
        ("cut_by_bound", json!(iteration.cut_by_bound)),
        ("cut_by_pruning", json!(iteration.cut_by_pruning)),
        ("duplicates", json!(iteration.duplicates)),
        ("cuts_per_expanded", json!(cuts(iteration))),
        ("growth", json!(before.and_then(|before| growth(before, iteration)))),
        ("branching_factor", json!(branching_factor(iteration.generated, iteration.bound))),
        ("seconds", json!(iteration.elapsed.as_secs_f64())),
    ])
}

/// Children and moves cut per expanded node.
fn cuts(iteration: &Iteration) -> Option<f64> {
    quotient(iteration.cut_by_bound + iteration.cut_by_pruning, iteration.expanded)
}

/// By how much the nodes grow when the bound rises by one: the heuristic branching factor (Korf,
/// Reid and Edelkamp, *Time complexity of iterative-deepening-A**, 2001).
fn growth(before: &Iteration, iteration: &Iteration) -> Option<f64> {
    let rise = iteration.bound.checked_sub(before.bound).filter(|&rise| rise > 0)?;
    let ratio = quotient(iteration.expanded, before.expanded)?;
    Some(ratio.powf(f64::from(rise).recip()))
}

/// The effective branching factor (Nilsson 1971): the b for which b + b² + … + b^depth is the
/// number of nodes.
fn branching_factor(nodes: u64, depth: u32) -> Option<f64> {
    if nodes == 0 || depth == 0 {
        return None;
    }
    let nodes = quotient(nodes, 1)?;
    let enough = |b: f64| {
        let mut sum = 0.0;
        let mut power = 1.0;
        for _ in 0..depth {
            power *= b;
            sum += power;
            // What is to come changes nothing.
            if sum >= nodes || power < f64::EPSILON {
                break;
            }
        }
        sum >= nodes
    };
    // The sum grows with b, and is the number itself at the latest if there is but one term.
    let (mut low, mut high) = (0.0, nodes);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if enough(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// A ratio of counts, which need not be told to the last digit.
fn quotient(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

/// The iterations whose depths are shown.
fn wanted(which: Profiled, iterations: &[Traced], complete: bool) -> Vec<&Traced> {
    match which {
        Profiled::All => iterations.iter().collect(),
        Profiled::Last => {
            let incomplete = usize::from(!complete && iterations.len() > 1);
            iterations.iter().rev().nth(incomplete).into_iter().collect()
        }
    }
}

/// The nodes at each depth of some iterations.
fn depths(iterations: &[&Traced], format: TableFormat) -> String {
    let rows = iterations.iter().flat_map(|(iteration, counts)| {
        (0_u32..).zip(counts).map(|(depth, counts)| (iteration.bound, depth, *counts))
    });
    let records: Vec<_> = rows
        .map(|(bound, depth, DepthCounts { expanded, generated })| {
            Record(vec![
                ("bound", json!(bound)),
                ("depth", json!(depth)),
                ("expanded", json!(expanded)),
                ("generated", json!(generated)),
            ])
        })
        .collect();
    match format {
        TableFormat::Json => records.iter().map(Record::json).collect(),
        TableFormat::Csv => {
            let names = records.first().map(Record::csv_names).unwrap_or_default();
            names + &records.iter().map(Record::csv).collect::<String>()
        }
        TableFormat::Text => {
            let right = |title, width| Column { title, align: Align::Right, width };
            let columns = [
                right("bound", 5),
                right("depth", 5),
                right("expanded", 12),
                right("generated", 12),
            ];
            let cells = |record: &Record| record.0.iter().map(|(_, n)| n.to_string()).collect();
            format!("\n{}", table(&columns, &records.iter().map(cells).collect::<Vec<_>>()))
        }
    }
}

/// The picture of the iterations of a search.
fn picture_of(puzzle: &str, search: String, iterations: &[Iteration]) -> Plot {
    let series = |name: &str, count: fn(&Iteration) -> u64| {
        // (Bidirectional search has a row for each side; together they raise the bound.)
        let mut counts: BTreeMap<Cost, u64> = BTreeMap::new();
        for iteration in iterations {
            *counts.entry(iteration.bound).or_default() += count(iteration);
        }
        let point = |(at, count)| Point { at, count, stopped: false };
        Series { name: name.into(), points: counts.into_iter().map(point).collect() }
    };
    Plot {
        title: format!("{puzzle}: the nodes of each iteration"),
        subtitle: search,
        across: "bound of the iteration".into(),
        up: "nodes".into(),
        series: vec![series("generated", |it| it.generated), series("expanded", |it| it.expanded)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: Option<f64>, expected: f64) {
        let value = value.unwrap();
        assert!((value - expected).abs() < 1e-9 * expected.max(1.0), "{value}, not {expected}");
    }

    #[test]
    fn a_uniform_tree_has_its_own_branching_factor() {
        for (b, depth) in [(1_u64, 1), (1, 12), (2, 10), (3, 7), (8, 13), (13, 1)] {
            let nodes = (1..=depth).map(|level| b.pow(level)).sum();
            close(branching_factor(nodes, depth), b as f64);
        }
        // Russell and Norvig's example: 52 nodes at depth 5, 1.92.
        assert_eq!(format!("{:.2}", branching_factor(52, 5).unwrap()), "1.92");
        // Fewer nodes than levels: the solution of b + b² = 1.
        close(branching_factor(1, 2), (5_f64.sqrt() - 1.0) / 2.0);
        assert_eq!((branching_factor(0, 5), branching_factor(5, 0)), (None, None));
    }

    #[test]
    fn growth_is_per_unit_of_cost() {
        let iteration = |bound, expanded| Iteration { bound, expanded, ..Iteration::default() };
        close(growth(&iteration(4, 10), &iteration(5, 30)), 3.0);
        close(growth(&iteration(4, 10), &iteration(6, 90)), 3.0);
        assert_eq!(growth(&iteration(4, 0), &iteration(5, 30)), None);
        assert_eq!(growth(&iteration(4, 3), &iteration(4, 30)), None);
    }

    #[test]
    fn the_last_complete_iteration_is_not_the_last_of_a_search_that_ended_early() {
        let traced = |bound| (Iteration { bound, ..Iteration::default() }, Vec::new());
        let iterations = [traced(3), traced(4), traced(5)];
        let bounds = |which, iterations: &[Traced], complete| {
            wanted(which, iterations, complete).iter().map(|(it, _)| it.bound).collect::<Vec<_>>()
        };
        assert_eq!(bounds(Profiled::Last, &iterations, true), [5]);
        assert_eq!(bounds(Profiled::Last, &iterations, false), [4]);
        assert_eq!(bounds(Profiled::Last, &iterations[..1], false), [3]);
        assert_eq!(bounds(Profiled::All, &iterations, false), [3, 4, 5]);
        assert!(bounds(Profiled::Last, &[], true).is_empty());
    }
}
