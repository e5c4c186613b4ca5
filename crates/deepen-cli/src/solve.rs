//! `deepen solve`: reads instances, searches them, and writes the answers as they come.
//!
//! Instances are gathered while more of them are at hand, and solved together when there are
//! enough or when the input would have to be waited for.

use std::cell::{Cell, RefCell};
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::thread;

use deepen::{
    Control, Cost, Count, Limits, MAX_COST, Observer, Outcome, Shortest, Space, Statistics, Stop,
    Threads, Verdict,
};
use deepen_puzzles::{Method, MoveOf, Puzzle, PuzzleTask, count, solve_all, solve_in, with_puzzle};

use crate::Status;
use crate::arguments::{Format, SolveArguments, wrong};
use crate::batch;
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
        let interrupt = Interrupt::listen();
        let heuristic = arguments.search.heuristic::<P>(COMMAND)?;
        let puzzle: P = arguments.search.setup.puzzle(COMMAND, &interrupt)?;
        let limit = arguments.search.limit(&puzzle);
        let heuristic = heuristic.unwrap_or_else(|| puzzle.default_heuristic(limit));
        let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
        let session = Session {
            method: Method {
                heuristic,
                pruned: arguments.pruning.into(),
                algorithm: arguments.algorithm,
                lanes: arguments.lanes,
            },
            wanted: Wanted::new(arguments),
            limits: Limits {
                cost: limit.unwrap_or(MAX_COST),
                nodes: arguments.node_limit,
                time: arguments.time_limit,
                memory: Some(arguments.memory_limit),
            },
            report: Report { puzzle: &puzzle, format: arguments.format, limit },
            threads: Threads::new(threads.map_or(1, NonZeroUsize::get)),
            output: self.output,
            interrupt,
            waiting: RefCell::new(Vec::new()),
            answered: Cell::new(0),
            status: Cell::new(Status::Answered),
            total: arguments.stats.then(RefCell::default),
        };
        let ended = session.run(arguments);
        // However it ended: what is known is told before why no more is.
        self.output.flush()?;
        if let Some(total) = &session.total {
            self.output.note(&total.borrow().table())?;
        }
        ended.map(|()| session.status.get())
    }
}

/// One run through an input.
struct Session<'a, P: Puzzle> {
    method: Method,
    wanted: Wanted,
    limits: Limits,
    report: Report<'a, P>,
    threads: Threads,
    output: &'a Output,
    interrupt: Interrupt,
    /// Instances that were read and not solved yet.
    waiting: RefCell<Vec<P::Instance>>,
    /// How many were solved.
    answered: Cell<u64>,
    status: Cell<Status>,
    /// Only if the work is to be shown.
    total: Option<RefCell<Total>>,
}

/// Which of the shortest solutions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    First,
    /// All, or at most so many.
    All(NonZeroU64),
    /// None of them, but their number.
    Count,
}

impl Wanted {
    fn new(arguments: &SolveArguments) -> Self {
        match arguments.all {
            Some(most) => Wanted::All(most),
            None if arguments.count => Wanted::Count,
            None => Wanted::First,
        }
    }
}

/// How many instances a thread has in store, so that none is idle for long.
const STORE: usize = 1024;

impl<P: Puzzle> Session<'_, P> {
    fn run(&self, arguments: &SolveArguments) -> Result<(), Failure> {
        let instances =
            format!("instances of {name} (see `deepen puzzles {name}`)", name = P::INFO.name);
        let settle = || {
            self.settle()?;
            self.output.flush()
        };
        let (input, name) =
            Input::open(arguments.file.as_deref(), &instances, &settle, &self.interrupt)?;
        for instance in self.report.puzzle.read(input) {
            let instance = match instance {
                Ok(instance) => instance,
                Err(error) => {
                    self.settle()?;
                    return Err(input::failure(error, name));
                }
            };
            self.waiting.borrow_mut().push(instance);
            if self.threads.number() == 1
                || self.wanted != Wanted::First
                || self.waiting.borrow().len() >= self.threads.number() * STORE
            {
                self.settle()?;
            }
        }
        self.settle()
    }

    /// Solves what is waiting, and writes the answers in order.
    fn settle(&self) -> Result<(), Failure> {
        let instances = self.waiting.take();
        let first = self.answered.get();
        self.answered.set(first + instances.len() as u64);
        if self.wanted != Wanted::First {
            return (first..).zip(&instances).try_for_each(|(index, instance)| {
                let answer = self.shortest(index, instance)?;
                self.deliver(&answer)
            });
        }
        let (method, limits, cancel) = (self.method, self.limits, &self.interrupt.cancel);
        let (report, threads) = (&self.report, &self.threads);
        let with_work = self.total.is_some();
        let solved = |index: usize, instance: &P::Instance, observer: Option<&mut dyn Observer>| {
            let mut control = Control { limits, cancel: cancel.clone(), observer };
            let outcome = solve_in(threads, report.puzzle, instance, method, &mut control);
            Answer::new(report, first + index as u64, instance, outcome, with_work)
        };
        if let [instance] = instances.as_slice() {
            let mut watch = Watch::new(first + 1, self.output, cancel);
            let answer = solved(0, instance, Some(&mut watch));
            watch.finish()?;
            return self.deliver(&answer);
        }
        batch::in_order(
            threads.number(),
            &instances,
            |index, instance| solved(index, instance, None),
            |answer| self.deliver(&answer),
            || self.output.flush(),
            || cancel.cancel(),
        )
    }

    /// Goes through the shortest solutions of an instance, or counts them. They are written as they
    /// are found; what is left to write is returned.
    fn shortest(&self, index: u64, instance: &P::Instance) -> Result<Answer, Failure> {
        let cancel = &self.interrupt.cancel;
        let mut watch = Watch::new(index + 1, self.output, cancel);
        let mut control =
            Control { limits: self.limits, cancel: cancel.clone(), observer: Some(&mut watch) };
        let (report, with_work) = (&self.report, self.total.is_some());
        let answer = |outcome| Answer::new(report, index, instance, outcome, with_work);
        let most = match self.wanted {
            Wanted::All(most) => most,
            Wanted::First | Wanted::Count => {
                let Count { outcome, count } =
                    count(report.puzzle, instance, self.method, &mut control);
                watch.finish()?;
                let text = report.counted(index, instance, &outcome, count);
                return Ok(Answer { text, ..answer(outcome) });
            }
        };
        let (mut told, mut trouble) = (0, None);
        let mut tell = |moves: &[MoveOf<P>]| {
            let text = report.one_of_all(index, told, instance, moves);
            told += 1;
            trouble = self.output.write(&text).err();
            match trouble {
                None if told < most.get() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let Shortest { outcome, found, complete } =
            solve_all(report.puzzle, instance, self.method, &mut control, &mut tell);
        watch.finish()?;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let text = report.end_of_all(index, instance, &outcome, found, complete);
        Ok(Answer { text, ..answer(outcome) })
    }

    /// Writes the answer to an instance.
    fn deliver(&self, answer: &Answer) -> Result<(), Failure> {
        let Answer { number, text, .. } = answer;
        let to_judge = self.report.format == Format::Judge;
        let interrupted = matches!(answer.stopped, Some((Stop::Cancelled, _)));
        // A judge's answer says nothing of an interrupt.
        if !(to_judge && interrupted) {
            self.output.write(text)?;
        }
        if let Some(total) = &self.total {
            total.borrow_mut().add(&answer.statistics);
            self.output.note(&statistics::table(*number, &answer.words, &answer.statistics))?;
        }
        match answer.stopped {
            Some((Stop::Cancelled, lower_bound)) => {
                let known = count_moves(lower_bound);
                Err(Failure::Interrupted(format!("instance {number}: at least {known}")))
            }
            // It came too late to stop this search.
            _ if self.interrupt.happened() => {
                Err(Failure::Interrupted(format!("instance {number} was the last answered")))
            }
            Some(_) => {
                self.status.set(Status::LimitReached);
                if to_judge {
                    self.output.note(&format!("instance {number}: {}", answer.words))?;
                }
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// The answer to an instance, ready to be written.
struct Answer {
    /// The instance's number, from 1.
    number: u64,
    text: String,
    statistics: Statistics,
    /// What stopped the search, and the lower bound that it proved.
    stopped: Option<(Stop, Cost)>,
    /// The verdict; empty where nobody asks for it.
    words: String,
}

impl Answer {
    /// `with_work` if the work is to be shown.
    fn new<P: Puzzle>(
        report: &Report<P>,
        index: u64,
        instance: &P::Instance,
        outcome: Outcome<<P::Space as Space>::Move>,
        with_work: bool,
    ) -> Self {
        let stopped = match outcome.verdict {
            Verdict::Stopped { stop, lower_bound } => Some((stop, lower_bound)),
            _ => None,
        };
        let wordy = with_work || stopped.is_some();
        Answer {
            number: index + 1,
            text: report.answer(index, instance, &outcome),
            stopped,
            words: if wordy { report.in_words(&outcome.verdict) } else { String::new() },
            statistics: outcome.statistics,
        }
    }
}
