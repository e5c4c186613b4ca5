//! `deepen verify`: checks answers in the judge's format.
//!
//! Instances and answers are read side by side; each instance is searched and its answer judged,
//! and the first that is not right ends the program. Contests' checkers have exit statuses of
//! their own: whatever is not the answers' fault is the checker's ([`Failure::Checker`]), bad
//! usage among it, so that nobody's answers are refused for it.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use deepen::{Control, Limits, MAX_COST, Stop, Verdict};
use deepen_puzzles::{
    Judgement, Method, Puzzle, PuzzleTask, Tokens, Wrong, judge, solve, with_puzzle,
};

use crate::Status;
use crate::arguments::{VerifyArguments, wrong};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::progress::Watch;
use crate::report::count_moves;

const COMMAND: &str = "verify";

/// Checks the answers of a file.
pub(crate) fn run(arguments: &VerifyArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.puzzle;
    with_puzzle(puzzle, Verify { arguments, output })
        // Only if the arguments and the registry disagree about what there is.
        .unwrap_or_else(|| Err(checker(wrong(COMMAND, format!("no puzzle `{puzzle}`")))))
}

/// A failure to understand the command line; the checker's if it is meant for the checker.
pub(crate) fn own(failure: Failure, subcommand: Option<OsString>) -> Failure {
    if subcommand.is_some_and(|name| name == COMMAND) { checker(failure) } else { failure }
}

/// A failure of the checker.
fn checker(failure: impl Into<Failure>) -> Failure {
    match failure.into() {
        failure @ (Failure::ClosedPipe | Failure::Interrupted(_)) => failure,
        failure => Failure::Checker(Box::new(failure)),
    }
}

struct Verify<'a> {
    arguments: &'a VerifyArguments,
    output: &'a Output,
}

impl PuzzleTask for Verify<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let Verify { arguments, output } = self;
        let search = &arguments.search;
        let heuristic = search.heuristic::<P>(COMMAND).map_err(checker)?;
        let interrupt = Interrupt::listen();
        let puzzle: P = search.setup.puzzle(COMMAND, &interrupt).map_err(checker)?;
        let limit = search.limit(&puzzle);
        let heuristic = heuristic.unwrap_or_else(|| puzzle.default_heuristic(limit));
        let is_stdin = |path: &Path| path.as_os_str() == "-";
        if is_stdin(&arguments.instances) && is_stdin(&arguments.answers) {
            let message = "only one of INSTANCES and ANSWERS can be standard input".into();
            return Err(checker(wrong(COMMAND, message)));
        }
        let settle = || output.flush();
        let open = |path: &Path, what| Input::open(Some(path), what, &settle, &interrupt);
        let instances = format!("instances of {}", P::INFO.name);
        let (instances, name) = open(&arguments.instances, &instances).map_err(checker)?;
        let (answers, answers_name) = open(&arguments.answers, "answers").map_err(missing)?;
        let mut answers = Tokens::new(answers);
        let limits = Limits {
            cost: limit.unwrap_or(MAX_COST),
            time: arguments.time_limit,
            ..Limits::default()
        };
        let mut checked: u64 = 0;
        for (index, instance) in (0..).zip(puzzle.read(instances)) {
            let instance = match instance {
                Ok(instance) => instance,
                Err(error) => return Err(checker(input::failure(error, name))),
            };
            let number = index + 1;
            // Before the search, which is in vain if there is nothing to compare with.
            let answer = match puzzle.read_answer(index, &mut answers) {
                Ok(answer) => answer,
                Err(error) => return Err(unreadable(input::failure(error, answers_name))),
            };
            let mut watch = Watch::new(number, output, &interrupt.cancel);
            let mut control =
                Control { limits, cancel: interrupt.cancel.clone(), observer: Some(&mut watch) };
            let method = Method { heuristic, ..Method::default() };
            let verdict = solve(&puzzle, &instance, method, &mut control).verdict;
            watch.finish()?;
            if interrupt.happened() {
                let known = format!("{} were right so far", count_answers(checked));
                return Err(Failure::Interrupted(known));
            }
            match judge(&puzzle, (index, &instance), &answer, &verdict, limit) {
                Judgement::Right => checked += 1,
                Judgement::Wrong(wrong) => {
                    return Err(Failure::WrongAnswer(told(&wrong, &answers_name, number)));
                }
                Judgement::Unknown => return Err(checker(stopped(&verdict, &name, number))),
                Judgement::Refuted => {
                    let message = format!(
                        "{answers_name}:{}: instance {number}: `{}` leads to the goal at a cost \
                         that the search calls impossible; please report this",
                        answer.place.line, answer.text,
                    );
                    return Err(checker(Failure::GaveUp(message)));
                }
            }
        }
        let expected = format!("nothing after {}", count_answers(checked));
        answers
            .finish(&expected)
            .map_err(|error| unreadable(input::failure(error, answers_name)))?;
        output.write(&match checked {
            1 => "the answer is right\n".into(),
            _ => format!("all {} are right\n", count_answers(checked)),
        })?;
        Ok(Status::Answered)
    }
}

/// Why answers could not be opened. That there are none is their fault.
fn missing(failure: Failure) -> Failure {
    match failure {
        Failure::File { ref error, .. } if error.kind() == io::ErrorKind::NotFound => {
            Failure::NoAnswers(Box::new(failure))
        }
        failure => checker(failure),
    }
}

/// Why answers could not be read. What they are is their fault, trouble with the file is not.
fn unreadable(failure: Failure) -> Failure {
    match failure {
        Failure::Input { .. } => failure,
        failure => checker(failure),
    }
}

/// What stopped the search of an instance.
fn stopped<M>(verdict: &Verdict<M>, name: &str, number: u64) -> Failure {
    let (stop, lower_bound) = match verdict {
        Verdict::Stopped { stop, lower_bound } => (*stop, *lower_bound),
        verdict => (Stop::Cancelled, verdict.lower_bound().unwrap_or(0)),
    };
    let known = count_moves(lower_bound);
    Failure::GaveUp(format!("{name}: instance {number}: stopped: {stop}; at least {known}"))
}

/// What is wrong with an answer, and what is right.
fn told(wrong: &Wrong, name: &str, number: u64) -> String {
    let Wrong { place, fault, found, right } = wrong;
    let right = right.as_ref().map(|right| format!(", right is `{right}`")).unwrap_or_default();
    format!("{name}:{}: instance {number}: {fault}: found `{found}`{right}", place.line)
}

/// So many answers, in words.
fn count_answers(count: u64) -> String {
    match count {
        1 => "1 answer".into(),
        _ => format!("{count} answers"),
    }
}
