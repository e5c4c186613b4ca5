//! `deepen compare`: algorithms, heuristics and prunings side by side on the same instances.
//!
//! A *row* is a way to search. Instances are gone through one by one, each with every row, so that
//! an interrupted table still compares like with like.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use deepen::{Control, Cost, Limits, Outcome, Stop, Verdict};
use deepen_puzzles::{
    Algorithm, Info, Method, Puzzle, PuzzleTask, estimate, solve_any, with_puzzle,
};
use serde_json::json;

use crate::Status;
use crate::arguments::{CompareArguments, Pruning, TableFormat, choose, wrong};
use crate::bytes;
use crate::columns::{Align, Column, Record, table};
use crate::failure::Failure;
use crate::instances;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::plot::{self, Plot, Point, Series};
use crate::progress::Watch;

const COMMAND: &str = "compare";

/// Compares ways to search on the instances of a file.
pub(crate) fn run(arguments: &CompareArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.instances.puzzle;
    with_puzzle(puzzle, Compare { arguments, output })
        // Only if the arguments and the registry disagree about what there is.
        .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into()))
}

struct Compare<'a> {
    arguments: &'a CompareArguments,
    output: &'a Output,
}

impl PuzzleTask for Compare<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let Compare { arguments, output } = self;
        let mut rows = rows(arguments, &P::INFO)?;
        let interrupt = Interrupt::listen();
        let puzzle: P = arguments.instances.setup.puzzle(COMMAND, &interrupt)?;
        let instances =
            instances::read(&puzzle, &arguments.instances, usize::MAX, output, &interrupt)?;
        let picture = arguments.plot.as_deref().map(plot::create).transpose()?;

        let limits =
            Limits { time: Some(arguments.time_limit), ..arguments.limits.limits(&puzzle) };
        let searched = search_all(&puzzle, &instances, &mut rows, limits, output, &interrupt);
        output.write(&shown(&rows, arguments.format))?;
        if let Some((file, path)) = picture {
            let limits = limits_in_words(arguments, instances.len());
            plot::write(file, path, &picture_of(P::INFO.name, limits, &rows))?;
        }
        searched?;
        match disagreement(&rows) {
            Some(disagreement) => Err(Failure::Disagreement(disagreement)),
            None => Ok(Status::Answered),
        }
    }
}

/// A way to search, and what it found out.
struct Row {
    algorithm: Algorithm,
    /// Its index and name, if the algorithm asks one.
    heuristic: Option<(usize, &'static str)>,
    /// Which moves it leaves out, if the algorithm does that.
    pruning: Option<Pruning>,
    /// Of each instance in order, as far as it got.
    results: Vec<Found>,
}

/// What a search found out, and what it took.
#[derive(Debug, Clone, Copy)]
struct Found {
    verdict: Known,
    expanded: u64,
    generated: u64,
    stored: u64,
    memory: u64,
    time: Duration,
}

/// A verdict without its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Solved(Cost),
    Impossible,
    /// Above the limit on cost, with the lower bound.
    Above(Cost),
    /// With the lower bound.
    Stopped(Stop, Cost),
}

impl Found {
    fn new<M>(outcome: &Outcome<M>, time: Duration) -> Self {
        let verdict = match &outcome.verdict {
            Verdict::Solved(solution) => Known::Solved(solution.cost),
            Verdict::Impossible(_) => Known::Impossible,
            Verdict::AboveLimit { lower_bound } => Known::Above(*lower_bound),
            Verdict::Stopped { stop, lower_bound } => Known::Stopped(*stop, *lower_bound),
        };
        let (statistics, total) = (&outcome.statistics, outcome.statistics.total());
        Found {
            verdict,
            expanded: total.expanded,
            generated: total.generated,
            stored: statistics.stored,
            memory: statistics.memory,
            time,
        }
    }

    /// Whether no limit stopped it.
    fn is_answered(&self) -> bool {
        !matches!(self.verdict, Known::Stopped(..))
    }

    fn cost(&self) -> Option<Cost> {
        match self.verdict {
            Known::Solved(cost) => Some(cost),
            _ => None,
        }
    }
}

impl Row {
    fn method(&self) -> Method {
        Method {
            algorithm: self.algorithm,
            heuristic: self.heuristic.map_or(0, |(index, _)| index),
            pruned: self.pruning.unwrap_or(Pruning::None).into(),
            lanes: None,
        }
    }

    /// What it is called; the pruning only where there are several.
    fn name(&self, with_pruning: bool) -> String {
        let pruning = self.pruning.filter(|_| with_pruning).map(Pruning::name);
        let parts = [Some(self.algorithm.name()), self.heuristic.map(|(_, name)| name), pruning];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn solved(&self) -> usize {
        self.results.iter().filter(|found| found.cost().is_some()).count()
    }

    fn sum(&self, count: impl Fn(&Found) -> u64) -> u64 {
        self.results.iter().map(count).sum()
    }

    fn greatest(&self, count: impl Fn(&Found) -> u64) -> u64 {
        self.results.iter().map(count).max().unwrap_or(0)
    }

    fn seconds(&self) -> f64 {
        self.results.iter().map(|found| found.time).sum::<Duration>().as_secs_f64()
    }

    fn costs(&self) -> impl Iterator<Item = Cost> {
        self.results.iter().filter_map(Found::cost)
    }

    /// How many searches each limit has stopped.
    fn stops(&self) -> BTreeMap<String, u64> {
        let mut stops = BTreeMap::new();
        for found in &self.results {
            if let Known::Stopped(stop, _) = found.verdict {
                *stops.entry(stop.to_string()).or_insert(0) += 1;
            }
        }
        stops
    }

    fn stops_in_words(&self) -> String {
        let stops = self.stops();
        let words = stops.iter().map(|(stop, count)| format!("{stop}: {count}"));
        words.collect::<Vec<_>>().join(", ")
    }

    /// How much it took as a multiple of what `best` did, over the instances that `best` has
    /// answered; too little if some of them were stopped here.
    fn ratio(&self, best: &Row, amount: impl Fn(&Found) -> f64) -> Option<f64> {
        let pairs = self.results.iter().zip(&best.results);
        let answered = pairs.filter(|(_, best)| best.is_answered());
        let (ours, best) = answered.fold((0.0, 0.0), |(ours_sum, best_sum), (ours, best)| {
            (ours_sum + amount(ours), best_sum + amount(best))
        });
        (best > 0.0).then(|| ours / best)
    }
}

/// The rows that the arguments ask for.
fn rows(arguments: &CompareArguments, info: &Info) -> Result<Vec<Row>, clap::Error> {
    let all = arguments.heuristics == ["all"];
    let heuristics: Vec<_> = match &arguments.heuristics[..] {
        [] => vec![0],
        _ if all => (0..info.heuristics.len()).collect(),
        names => names
            .iter()
            .map(|name| choose(COMMAND, "heuristics", info.heuristics, Some(name)))
            .collect::<Result<_, _>>()?,
    };
    let algorithms = match &arguments.algorithms[..] {
        [] => &Algorithm::ALL[..],
        algorithms => algorithms,
    };
    let mut rows = Vec::new();
    for &algorithm in algorithms {
        let asked = heuristics.iter().map(|&index| Some((index, info.heuristics[index].name)));
        let asked: Vec<_> = if algorithm.is_guided() { asked.collect() } else { vec![None] };
        let prunings = arguments.prunings.iter().copied().map(Some);
        let prunings: Vec<_> =
            if algorithm.is_depth_first() { prunings.collect() } else { vec![None] };
        for heuristic in asked {
            for &pruning in &prunings {
                let row = Row { algorithm, heuristic, pruning, results: Vec::new() };
                let same = |other: &Row| other.name(true) == row.name(true);
                if !rows.iter().any(same) {
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

/// Searches all instances, each with every row.
fn search_all<P: Puzzle>(
    puzzle: &P,
    instances: &[P::Instance],
    rows: &mut [Row],
    limits: Limits,
    output: &Output,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let with_pruning = has_prunings(rows);
    let mut watch = Watch::new(1, output, &interrupt.cancel);
    for (number, instance) in (1..).zip(instances) {
        for row in &mut *rows {
            let search_name =
                format!("instance {number} of {}, {}", instances.len(), row.name(with_pruning));
            watch.turn_to(search_name.clone());
            let method = row.method();
            // What it looks up is not to be made in the time of the first search.
            estimate(puzzle, instance, method.heuristic);
            let began = Instant::now();
            let mut control =
                Control { limits, cancel: interrupt.cancel.clone(), observer: Some(&mut watch) };
            let outcome = solve_any(puzzle, instance, method, &mut control);
            let time = began.elapsed();
            if !matches!(outcome.verdict, Verdict::Stopped { stop: Stop::Cancelled, .. }) {
                row.results.push(Found::new(&outcome, time));
            }
            if interrupt.happened() {
                watch.finish()?;
                return Err(Failure::Interrupted(search_name));
            }
        }
    }
    watch.finish()
}

/// Whether there are rows that only their prunings tell apart.
fn has_prunings(rows: &[Row]) -> bool {
    rows.iter().filter_map(|row| row.pruning).any(|pruning| pruning != Pruning::Auto)
}

/// Where rows contradict each other: two that solved an instance at different costs, or one whose
/// proof excludes the other's solution.
fn disagreement(rows: &[Row]) -> Option<String> {
    let most = rows.iter().map(|row| row.results.len()).max().unwrap_or(0);
    (0..most).find_map(|index| {
        let found = |row: &Row| Some((row.name(true), row.results.get(index)?.verdict));
        let found: Vec<_> = rows.iter().filter_map(found).collect();
        let (solver, cost) = found.iter().find_map(|(name, known)| match known {
            Known::Solved(cost) => Some((name, *cost)),
            _ => None,
        })?;
        found.iter().find_map(|(name, known)| {
            let claim = match *known {
                Known::Solved(other) if other != cost => format!("at cost {other}"),
                Known::Impossible => "has proved that there is no solution".into(),
                Known::Above(bound) | Known::Stopped(_, bound) if bound > cost => {
                    format!("has proved that it costs at least {bound}")
                }
                _ => return None,
            };
            let number = index + 1;
            Some(format!("instance {number}: {solver} solves it at cost {cost}, {name} {claim}"))
        })
    })
}

/// The row that `amount` is to be held against: of those that answered most, the one of least.
fn best(rows: &[Row], amount: impl Fn(&Found) -> f64) -> Option<&Row> {
    let answered = |row: &Row| row.results.iter().filter(|found| found.is_answered()).count();
    let most = rows.iter().map(answered).max().filter(|&most| most > 0)?;
    let total = |row: &Row| row.results.iter().map(&amount).sum::<f64>();
    rows.iter().filter(|row| answered(row) == most).min_by(|a, b| total(a).total_cmp(&total(b)))
}

/// What a row's figures are multiples of.
struct Best<'a> {
    seconds: Option<&'a Row>,
    expanded: Option<&'a Row>,
}

impl<'a> Best<'a> {
    fn of(rows: &'a [Row]) -> Self {
        Best { seconds: best(rows, seconds), expanded: best(rows, expanded) }
    }

    fn ratios(&self, row: &Row) -> [Option<f64>; 2] {
        [
            self.seconds.and_then(|best| row.ratio(best, seconds)),
            self.expanded.and_then(|best| row.ratio(best, expanded)),
        ]
    }
}

fn seconds(found: &Found) -> f64 {
    found.time.as_secs_f64()
}

/// A count, to be divided by another.
fn expanded(found: &Found) -> f64 {
    found.expanded as f64
}

/// The table of the rows.
fn shown(rows: &[Row], format: TableFormat) -> String {
    let best = Best::of(rows);
    let records = || rows.iter().map(|row| record(row, &best));
    match format {
        TableFormat::Text => text(rows, &best),
        TableFormat::Json => records().map(|record| record.json()).collect(),
        TableFormat::Csv => {
            let names = records().next().map(|record| record.csv_names()).unwrap_or_default();
            names + &records().map(|record| record.csv()).collect::<String>()
        }
    }
}

/// How many of a row's instances were solved, proved to be unsolvable, and stopped.
fn tally(row: &Row) -> [usize; 3] {
    let answered = row.results.iter().filter(|found| found.is_answered()).count();
    [row.solved(), answered - row.solved(), row.results.len() - answered]
}

fn mean_cost(row: &Row) -> Option<f64> {
    let sum: u64 = row.costs().map(u64::from).sum();
    // An average is not told to the last digit.
    (row.solved() > 0).then(|| sum as f64 / row.solved() as f64)
}

fn record(row: &Row, best: &Best) -> Record {
    let [solved, unsolvable, stopped] = tally(row);
    let [seconds_ratio, expanded_ratio] = best.ratios(row);
    let stops = Some(row.stops_in_words()).filter(|words| !words.is_empty());
    Record(vec![
        ("algorithm", json!(row.algorithm.name())),
        ("heuristic", json!(row.heuristic.map(|(_, name)| name))),
        ("pruning", json!(row.pruning.map(Pruning::name))),
        ("instances", json!(row.results.len())),
        ("solved", json!(solved)),
        ("unsolvable", json!(unsolvable)),
        ("stopped", json!(stopped)),
        ("stopped_by", json!(stops)),
        ("mean_cost", json!(mean_cost(row))),
        ("max_cost", json!(row.costs().max())),
        ("expanded", json!(row.sum(|found| found.expanded))),
        ("generated", json!(row.sum(|found| found.generated))),
        ("stored", json!(row.greatest(|found| found.stored))),
        ("memory", json!(row.greatest(|found| found.memory))),
        ("seconds", json!(row.seconds())),
        ("seconds_ratio", json!(seconds_ratio)),
        ("expanded_ratio", json!(expanded_ratio)),
    ])
}

/// The table for people. Columns that would say nothing are left out.
fn text(rows: &[Row], best: &Best) -> String {
    let left = |title| Column { title, align: Align::Left, width: 0 };
    let right = |title| Column { title, align: Align::Right, width: 0 };
    let columns = [
        left("algorithm"),
        left("heuristic"),
        left("pruning"),
        right("solved"),
        right("unsolvable"),
        right("stopped"),
        right("mean"),
        right("max"),
        right("expanded"),
        right("generated"),
        right("stored"),
        right("memory"),
        right("seconds"),
        right("x seconds"),
        right("x expanded"),
    ];
    let cells = |row: &Row| {
        let none = || "-".to_string();
        let [solved, unsolvable, stopped] = tally(row);
        let [seconds_ratio, expanded_ratio] = best.ratios(row).map(|ratio| {
            ratio.map_or_else(none, |ratio| {
                let more = if stopped > 0 { ">" } else { "" };
                more.to_string() + &significant(ratio)
            })
        });
        vec![
            row.algorithm.name().to_string(),
            row.heuristic.map_or_else(none, |(_, name)| name.into()),
            row.pruning.map_or_else(none, |pruning| pruning.name().into()),
            solved.to_string(),
            unsolvable.to_string(),
            stopped.to_string(),
            mean_cost(row).map_or_else(none, |mean| format!("{mean:.2}")),
            row.costs().max().map_or_else(none, |cost| cost.to_string()),
            row.sum(|found| found.expanded).to_string(),
            row.sum(|found| found.generated).to_string(),
            row.greatest(|found| found.stored).to_string(),
            bytes::show(row.greatest(|found| found.memory)),
            format!("{:.6}", row.seconds()),
            seconds_ratio,
            expanded_ratio,
        ]
    };
    let cells: Vec<_> = rows.iter().map(cells).collect();
    let any_unsolvable = rows.iter().any(|row| tally(row)[1] > 0);
    let kept = |title: &str| match title {
        "pruning" => has_prunings(rows),
        "unsolvable" => any_unsolvable,
        _ => true,
    };
    let places: Vec<_> = (0..columns.len()).filter(|&place| kept(columns[place].title)).collect();
    let columns: Vec<_> = places.iter().map(|&place| columns[place]).collect();
    let cells: Vec<Vec<_>> =
        cells.iter().map(|row| places.iter().map(|&place| row[place].clone()).collect()).collect();
    let mut text = table(&columns, &cells);
    let stopped: Vec<_> = rows.iter().filter(|row| !row.stops().is_empty()).collect();
    if !stopped.is_empty() {
        text += "\nStopped:\n";
    }
    for row in stopped {
        let (name, stops) = (row.name(has_prunings(rows)), row.stops_in_words());
        let _ = writeln!(text, "  {name}: {stops}");
    }
    text
}

/// A ratio with three digits.
fn significant(ratio: f64) -> String {
    match ratio {
        ..10.0 => format!("{ratio:.2}"),
        10.0..100.0 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

/// What the searches were allowed, for the picture.
fn limits_in_words(arguments: &CompareArguments, instances: usize) -> String {
    let instances = match instances {
        1 => "1 instance".into(),
        instances => format!("{instances} instances"),
    };
    let time = humantime::format_duration(arguments.time_limit);
    let memory = bytes::show(arguments.limits.memory_limit);
    let nodes = arguments.limits.node_limit.map(|nodes| format!(", {nodes} nodes"));
    format!("{instances}; at most {time}, {memory}{} a search", nodes.unwrap_or_default())
}

/// The picture of the expanded nodes over the cost of the solution.
fn picture_of(puzzle: &str, limits: String, rows: &[Row]) -> Plot {
    let with_pruning = has_prunings(rows);
    let most = rows.iter().map(|row| row.results.len()).max().unwrap_or(0);
    // Of each instance, from whoever has solved it.
    let costs: Vec<_> =
        (0..most).map(|index| rows.iter().find_map(|row| row.results.get(index)?.cost())).collect();
    let series = |row: &Row| {
        let points = row.results.iter().zip(&costs).filter_map(|(found, cost)| {
            let stopped = !found.is_answered();
            cost.map(|at| Point { at, count: found.expanded, stopped })
        });
        Series { name: row.name(with_pruning), points: points.collect() }
    };
    Plot {
        title: format!("{puzzle}: nodes needed for a shortest solution"),
        subtitle: limits,
        across: "cost of the solution".into(),
        up: "expanded nodes".into(),
        series: rows.iter().map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: Algorithm, verdicts: &[Known]) -> Row {
        let found = |&verdict: &Known| Found {
            verdict,
            expanded: 10,
            generated: 20,
            stored: 0,
            memory: 0,
            time: Duration::from_secs(1),
        };
        let results = verdicts.iter().map(found).collect();
        Row { algorithm, heuristic: None, pruning: None, results }
    }

    #[test]
    fn a_contradiction_is_told() {
        use Known::{Above, Impossible, Solved, Stopped};
        let told = |one: Known, other: Known| {
            let rows = [
                row(Algorithm::Bfs, &[Solved(3), one]),
                row(Algorithm::Astar, &[Solved(3), other]),
            ];
            disagreement(&rows)
        };
        let fine = [
            (Solved(7), Solved(7)),
            (Solved(7), Stopped(Stop::Time, 7)),
            (Stopped(Stop::Nodes, 2), Solved(2)),
            (Impossible, Impossible),
            (Impossible, Above(9)),
            (Above(9), Above(10)),
            (Impossible, Stopped(Stop::Memory, 4)),
        ];
        for (one, other) in fine {
            assert_eq!((told(one, other), told(other, one)), (None, None), "{one:?}, {other:?}");
        }
        let wrong = [
            (Solved(7), Solved(8)),
            (Solved(7), Impossible),
            (Solved(7), Above(8)),
            (Solved(7), Stopped(Stop::Time, 8)),
        ];
        for (one, other) in wrong {
            assert!(told(one, other).is_some() && told(other, one).is_some(), "{one:?}, {other:?}");
        }
        assert_eq!(
            told(Solved(7), Solved(8)).unwrap(),
            "instance 2: bfs solves it at cost 7, astar at cost 8"
        );
        // A row that an interrupt ended.
        let rows =
            [row(Algorithm::Bfs, &[Solved(3), Solved(7)]), row(Algorithm::Astar, &[Solved(3)])];
        assert_eq!(disagreement(&rows), None);
    }

    #[test]
    fn ratios_are_over_what_the_best_row_has_answered() {
        let stopped = Known::Stopped(Stop::Nodes, 1);
        let mut rows = [
            row(Algorithm::Ida, &[Known::Solved(1), Known::Solved(2)]),
            row(Algorithm::Bfs, &[Known::Solved(1), stopped]),
            row(Algorithm::Astar, &[stopped, stopped]),
        ];
        rows[1].results[0].expanded = 5;
        rows[2].results.pop();
        let best = Best::of(&rows);
        assert_eq!(best.expanded.unwrap().algorithm, Algorithm::Ida);
        assert_eq!(best.ratios(&rows[0]), [Some(1.0), Some(1.0)]);
        assert_eq!(best.ratios(&rows[1]), [Some(1.0), Some(0.75)]);
        // One that an interrupt ended is held against what the other had done by then.
        assert_eq!(best.ratios(&rows[2]), [Some(1.0), Some(1.0)]);
        assert_eq!(tally(&rows[1]), [1, 0, 1]);
        assert_eq!(Best::of(&rows[2..]).ratios(&rows[2]), [None, None]);
    }
}
