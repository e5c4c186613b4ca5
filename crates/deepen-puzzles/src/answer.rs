//! Judging answers: what an answer in a judge's format claims, held against a search of our own.
//!
//! A puzzle reads an [`Answer`] ([`Puzzle::read_answer`]) without knowing what is right. [`judge`]
//! then compares its [`Claim`] with the verdict of a search, and where they differ, finds out what
//! kind of mistake it is. Moves are replayed, so that an answer is believed to be better than the
//! search's only if it is, and a mistake of ours is not taken for one of the answer's.

use deepen::{Cost, Space, Verdict};

use crate::input::Place;
use crate::puzzle::Puzzle;

/// An answer as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it says.
    pub claim: Claim,
    /// Its words, up to what it tells of the goal, parted by single spaces.
    pub text: String,
    /// Where it begins.
    pub place: Place,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The least cost; the moves are not told.
    Cost(u64),
    /// The names of the moves of a solution, and what is told of the goal that they reach.
    Moves(Vec<String>, Option<Told>),
    /// The least cost is above the limit; and how much it is at least, if that is told.
    AboveLimit(Option<u64>),
    /// No moves lead to the goal.
    Impossible,
}

/// What an answer tells of the goal that its moves reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What this is, as a noun phrase.
    pub what: &'static str,
    /// What is told.
    pub text: String,
    /// Where.
    pub place: Place,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong(Wrong),
    /// The search was stopped before it knew.
    Unknown,
    /// The moves are valid, and better than what the search says is possible: the search is wrong.
    Refuted,
}

/// A wrong answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Where it is wrong.
    pub place: Place,
    /// Why.
    pub fault: Fault,
    /// What was found.
    pub found: String,
    /// What is right, where it is known.
    pub right: Option<String>,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The moves end elsewhere, or one of them can't be made.
    #[error("the moves do not lead to the goal")]
    NoGoal,
    /// The moves lead to the goal, but others cost less.
    #[error("the moves lead to the goal at a cost of {cost}, but {least} is enough")]
    Longer {
        /// What the moves cost.
        cost: u64,
        /// The least cost.
        least: Cost,
    },
    /// The moves are optimal, but others come first.
    #[error("the moves are optimal, but not the first in dictionary order")]
    NotFirst,
    /// The moves are right, but not what is told of the goal.
    #[error("the moves are right, but not {0}")]
    Goal(&'static str),
    /// The cost is less than the least.
    #[error("the least cost is at least {0}")]
    TooLittle(Cost),
    /// The cost is more than the least.
    #[error("the least cost is {0}")]
    TooMuch(Cost),
    /// The least cost is above the limit, and that is the answer.
    #[error("the least cost is above the limit")]
    BeyondLimit,
    /// The least cost is not above the limit.
    #[error("the least cost is not above the limit")]
    WithinLimit,
    /// The least cost is above the limit, but the limit is another.
    #[error("the limit is another")]
    OtherLimit,
    /// There is no solution.
    #[error("no moves lead to the goal")]
    Impossible,
    /// There is a solution, or may be one above the limit.
    #[error("it is not impossible")]
    Possible,
}

/// Judges the answer to the instance of that index (from 0), by the verdict of a search and the
/// limit on cost that it was found under.
pub fn judge<P: Puzzle>(
    puzzle: &P,
    (index, instance): (u64, &P::Instance),
    answer: &Answer,
    verdict: &Verdict<<P::Space as Space>::Move>,
    limit: Option<Cost>,
) -> Judgement {
    let fault = match &answer.claim {
        Claim::Moves(names, told) => {
            match judge_moves(puzzle, instance, names, told.as_ref(), verdict) {
                Ok(fault) => fault,
                Err(judgement) => return judgement,
            }
        }
        Claim::Cost(claimed) => match *verdict {
            Verdict::Solved(ref solution) if *claimed == u64::from(solution.cost) => None,
            Verdict::Solved(ref solution) if *claimed > u64::from(solution.cost) => {
                Some(Fault::TooMuch(solution.cost))
            }
            Verdict::Solved(ref solution) => Some(Fault::TooLittle(solution.cost)),
            Verdict::AboveLimit { lower_bound } | Verdict::Stopped { lower_bound, .. }
                if *claimed < u64::from(lower_bound) =>
            {
                Some(Fault::TooLittle(lower_bound))
            }
            Verdict::AboveLimit { .. } => Some(Fault::BeyondLimit),
            Verdict::Impossible(_) => Some(Fault::Impossible),
            Verdict::Stopped { .. } => return Judgement::Unknown,
        },
        Claim::AboveLimit(at_least) => match verdict {
            Verdict::AboveLimit { .. } => {
                let right = limit.map(|limit| u64::from(limit) + 1);
                (at_least.is_some() && *at_least != right).then_some(Fault::OtherLimit)
            }
            Verdict::Solved(_) => Some(Fault::WithinLimit),
            Verdict::Impossible(_) => Some(Fault::Impossible),
            Verdict::Stopped { .. } => return Judgement::Unknown,
        },
        Claim::Impossible => match verdict {
            Verdict::Impossible(_) => None,
            Verdict::Solved(_) | Verdict::AboveLimit { .. } => Some(Fault::Possible),
            Verdict::Stopped { .. } => return Judgement::Unknown,
        },
    };
    let Some(fault) = fault else { return Judgement::Right };
    let stopped = matches!(verdict, Verdict::Stopped { .. });
    let right = (!stopped).then(|| puzzle.judge_answer(index, instance, verdict, limit));
    // What an answer tells of the goal are its last lines, and all before is one.
    let wrong = match (&answer.claim, &fault) {
        (Claim::Moves(_, Some(told)), Fault::Goal(_)) => Wrong {
            place: told.place,
            found: told.text.clone(),
            right: right.and_then(|right| right.lines().last().map(str::to_string)),
            fault,
        },
        _ => Wrong {
            place: answer.place,
            found: answer.text.clone(),
            right: right.and_then(|right| right.lines().next().map(str::to_string)),
            fault,
        },
    };
    Judgement::Wrong(wrong)
}

/// What is wrong with moves, if anything is; or the judgement where nothing can be said of it.
fn judge_moves<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    names: &[String],
    told: Option<&Told>,
    verdict: &Verdict<<P::Space as Space>::Move>,
) -> Result<Option<Fault>, Judgement> {
    let space = &puzzle.field(instance).space;
    if let Verdict::Solved(solution) = verdict
        && solution.moves.len() == names.len()
        && solution.moves.iter().zip(names).all(|(&mv, name)| puzzle.move_name(space, mv) == *name)
    {
        let mut goal = puzzle.start(instance);
        solution.moves.iter().for_each(|&mv| space.apply(&mut goal, mv));
        let wrong = told.filter(|told| puzzle.told_of_goal(&goal).as_deref() != Some(&told.text));
        return Ok(wrong.map(|told| Fault::Goal(told.what)));
    }
    let Some(cost) = replay(puzzle, instance, names) else {
        return Ok(Some(Fault::NoGoal));
    };
    match *verdict {
        Verdict::Solved(ref solution) if cost > u64::from(solution.cost) => {
            Ok(Some(Fault::Longer { cost, least: solution.cost }))
        }
        Verdict::Solved(ref solution) if cost == u64::from(solution.cost) => {
            Ok((!puzzle.takes_any_shortest()).then_some(Fault::NotFirst))
        }
        Verdict::AboveLimit { lower_bound } if cost >= u64::from(lower_bound) => {
            Ok(Some(Fault::BeyondLimit))
        }
        Verdict::Stopped { lower_bound, .. } if cost >= u64::from(lower_bound) => {
            Err(Judgement::Unknown)
        }
        _ => Err(Judgement::Refuted),
    }
}

/// What the moves of these names cost, if they lead to a goal.
fn replay<P: Puzzle>(puzzle: &P, instance: &P::Instance, names: &[String]) -> Option<u64> {
    let space = &puzzle.field(instance).space;
    let mut state = puzzle.start(instance);
    let mut cost = 0;
    for name in names {
        let mv = puzzle.parse_move(space, &state, name)?;
        space.apply(&mut state, mv);
        cost += u64::from(space.cost(mv));
    }
    space.is_goal(&state).then_some(cost)
}
