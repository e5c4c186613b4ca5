//! `deepen solve`: reads instances, searches each in turn, and writes the answers as they come.

use deepen::{Control, Limits, MAX_COST, Stop, Verdict};
use deepen_puzzles::{Method, Puzzle, PuzzleTask, Settings, solve, with_puzzle};

use crate::Status;
use crate::arguments::{CostLimit, Format, SolveArguments, choose, wrong};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::progress::Watch;
use crate::report::{Report, count_moves};
use crate::statistics::{self, Total};

const COMMAND: &str = "solve";

/// Solves the instances of a file.
pub(crate) fn run(arguments: &SolveArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.puzzle;
    with_puzzle(puzzle, Solve { arguments, output })
        // Only if the arguments and the registry disagree about what there is.
        .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into()))
}

struct Solve<'a> {
    arguments: &'a SolveArguments,
    output: &'a Output,
}

impl PuzzleTask for Solve<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let arguments = self.arguments;
        let heuristic =
            choose(COMMAND, "heuristic", P::INFO.heuristics, arguments.heuristic.as_deref())?;
        choose(COMMAND, "dialect", P::INFO.dialects, arguments.dialect.as_deref())?;
        let settings = Settings {
            dialect: arguments.dialect.clone(),
            size: arguments.size.clone(),
            goal: arguments.goal.clone(),
        };
        let puzzle = P::new(&settings).map_err(|error| wrong(COMMAND, error.to_string()))?;
        let limit = match arguments.max_cost {
            None => puzzle.cost_limit(),
            Some(CostLimit::Unlimited) => None,
            Some(CostLimit::AtMost(cost)) => Some(cost),
        };
        let mut session = Session {
            method: Method { heuristic, pruned: arguments.pruning.into(), ..Method::default() },
            limits: Limits {
                cost: limit.unwrap_or(MAX_COST),
                nodes: arguments.node_limit,
                time: arguments.time_limit,
                memory: None,
            },
            report: Report { puzzle: &puzzle, format: arguments.format, limit },
            total: arguments.stats.then(Total::default),
            output: self.output,
            interrupt: Interrupt::listen(),
        };
        let status = session.run(arguments);
        // However it ended: what is known is told before why no more is.
        self.output.flush()?;
        if let Some(total) = session.total {
            self.output.note(&total.table())?;
        }
        status
    }
}

/// One run through an input.
struct Session<'a, P> {
    method: Method,
    limits: Limits,
    report: Report<'a, P>,
    /// Only if the work is to be shown.
    total: Option<Total>,
    output: &'a Output,
    interrupt: Interrupt,
}

impl<P: Puzzle> Session<'_, P> {
    fn run(&mut self, arguments: &SolveArguments) -> Result<Status, Failure> {
        let instances =
            format!("instances of {name} (see `deepen puzzles {name}`)", name = P::INFO.name);
        let interrupt = self.interrupt.clone();
        let (input, name) =
            Input::open(arguments.file.as_deref(), &instances, self.output, &interrupt)?;
        let mut status = Status::Answered;
        for (index, instance) in (0..).zip(self.report.puzzle.read(input)) {
            let instance = match instance {
                Ok(instance) => instance,
                Err(error) => return Err(input::failure(error, name)),
            };
            if self.answer(index, &instance)? == Status::LimitReached {
                status = Status::LimitReached;
            }
        }
        Ok(status)
    }

    /// Solves one instance and writes its answer.
    fn answer(&mut self, index: u64, instance: &P::Instance) -> Result<Status, Failure> {
        let number = index + 1;
        let mut watch = Watch::new(number, self.output, &self.interrupt.cancel);
        let mut control = Control {
            limits: self.limits,
            cancel: self.interrupt.cancel.clone(),
            observer: Some(&mut watch),
        };
        let outcome = solve(self.report.puzzle, instance, self.method, &mut control);
        watch.finish()?;

        let stop = match outcome.verdict {
            Verdict::Stopped { stop, .. } => Some(stop),
            _ => None,
        };
        let to_judge = self.report.format == Format::Judge;
        // A judge's answer says nothing of an interrupt.
        if !(to_judge && stop == Some(Stop::Cancelled)) {
            self.output.write(&self.report.answer(index, instance, &outcome))?;
        }
        if let Some(total) = &mut self.total {
            total.add(&outcome.statistics);
            let verdict = self.report.in_words(&outcome.verdict);
            self.output.note(&statistics::table(number, &verdict, &outcome.statistics))?;
        }
        match outcome.verdict {
            Verdict::Stopped { stop: Stop::Cancelled, lower_bound } => {
                let known = count_moves(lower_bound);
                Err(Failure::Interrupted(format!("instance {number}: at least {known}")))
            }
            // It came too late to stop this search.
            _ if self.interrupt.happened() => {
                Err(Failure::Interrupted(format!("instance {number} was the last answered")))
            }
            Verdict::Stopped { .. } => {
                if to_judge {
                    let words = self.report.in_words(&outcome.verdict);
                    self.output.note(&format!("instance {number}: {words}"))?;
                }
                Ok(Status::LimitReached)
            }
            _ => Ok(Status::Answered),
        }
    }
}
