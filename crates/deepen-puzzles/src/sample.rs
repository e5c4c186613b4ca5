//! Drawing instances at random: uniformly, also among those of a wanted distance.
//!
//! A [`Puzzle`] draws instances of the set-up uniformly ([`Puzzle::random`]), and has a *sampler*
//! for wanted distances ([`Puzzle::sampler`]): a function that tries once, and when it does draw an
//! instance, each with such a distance is as likely as any other. Tried until it does, it is thus
//! uniform. The sampler here works for any puzzle, in one of two ways:
//!
//! - *Rejection.* Draw any instance, search it, and take it if its distance is wanted. Quick where
//!   that is not rare.
//! - *Walks.* For one small distance d: make d random moves from a goal, and search where they lead.
//!   If it is nearer, reject it. Else it was reached by one of as many walks as it has shortest
//!   solutions, c; take it with probability 1/c. Every walk is as likely as any other, if a move
//!   that a state does not have is rejected and not replaced; so every instance is.
//!
//! An instance at distance d is drawn by one in so many tries as there are instances, or at most
//! walks; whichever are fewer is done.

use deepen::{Alphabet, Control, Cost, Reversible, Space, Stop, Verdict, moves_of};

use crate::puzzle::Puzzle;
use crate::random::Random;
use crate::solve::{Method, count, solve};

/// The distances from the goal that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any, and also none at all: the instance may be impossible.
    Any,
    /// One alone.
    Exactly(Cost),
    /// That or any greater one.
    AtLeast(Cost),
}

impl Wanted {
    /// The least distance that is wanted.
    pub fn least(self) -> Cost {
        match self {
            Wanted::Any => 0,
            Wanted::Exactly(distance) | Wanted::AtLeast(distance) => distance,
        }
    }

    /// Whether that distance is wanted.
    pub fn contains(self, distance: Cost) -> bool {
        match self {
            Wanted::Any => true,
            Wanted::Exactly(wanted) => distance == wanted,
            Wanted::AtLeast(least) => distance >= least,
        }
    }
}

/// The sampler for any puzzle whose moves cost 1.
pub(crate) fn by_search<P: Puzzle>(
    puzzle: &P,
    wanted: Wanted,
) -> impl FnMut(&mut Random, &mut Control) -> Result<Option<P::Instance>, Stop> + '_ {
    move |random, control| {
        let instance = puzzle.random(random);
        match wanted {
            Wanted::Any => Ok(Some(instance)),
            Wanted::Exactly(distance) if walks_are_fewer(puzzle, &instance, distance) => {
                walk(puzzle, &instance, distance, random, control)
            }
            _ => reject(puzzle, instance, wanted, control),
        }
    }
}

/// Whether there are fewer walks of that length from a goal than instances.
fn walks_are_fewer<P: Puzzle>(puzzle: &P, like: &P::Instance, length: Cost) -> bool {
    let space = &puzzle.field(like).space;
    let goals = space.goals().map_or(0, |goals| goals.len() as u128);
    let walks = (space.letters() as u128).saturating_pow(length).saturating_mul(goals);
    goals > 0 && puzzle.instances().is_none_or(|instances| walks < instances)
}

fn reject<P: Puzzle>(
    puzzle: &P,
    instance: P::Instance,
    wanted: Wanted,
    control: &mut Control,
) -> Result<Option<P::Instance>, Stop> {
    // Nothing more needs to be known of a distance than whether it is wanted.
    control.limits.cost = match wanted {
        Wanted::Any => return Ok(Some(instance)),
        Wanted::Exactly(distance) => distance,
        Wanted::AtLeast(distance) => distance.saturating_sub(1),
    };
    let space = &puzzle.field(&instance).space;
    let start = puzzle.start(&instance);
    if let Wanted::Exactly(distance) = wanted
        && space.residue(&start).round_up(distance.into()) != u64::from(distance)
    {
        return Ok(None);
    }
    let taken = match solve(puzzle, &instance, Method::default(), control).verdict {
        Verdict::Solved(solution) => wanted.contains(solution.cost),
        Verdict::AboveLimit { lower_bound } => {
            matches!(wanted, Wanted::AtLeast(distance) if lower_bound >= distance)
        }
        Verdict::Impossible(_) => false,
        Verdict::Stopped { stop, .. } => return Err(stop),
    };
    Ok(taken.then_some(instance))
}

fn walk<P: Puzzle>(
    puzzle: &P,
    like: &P::Instance,
    length: Cost,
    random: &mut Random,
    control: &mut Control,
) -> Result<Option<P::Instance>, Stop> {
    let space = &puzzle.field(like).space;
    let goals = space.goals().unwrap_or_default();
    let mut state = goals[random.index(goals.len())].clone();
    for _ in 0..length {
        let letter = random.index(space.letters());
        let Some(mv) = moves_of(space, &state).into_iter().find(|&mv| space.letter(mv) == letter)
        else {
            return Ok(None);
        };
        space.apply(&mut state, mv);
    }
    let instance = puzzle.instance(like, state);
    control.limits.cost = length;
    let counted = count(puzzle, &instance, Method::default(), control);
    match counted.outcome.verdict {
        Verdict::Stopped { stop, .. } => Err(stop),
        Verdict::Solved(solution) if solution.cost == length => {
            let solutions = u64::try_from(counted.count).unwrap_or(u64::MAX);
            Ok((random.below(solutions) == 0).then_some(instance))
        }
        _ => Ok(None),
    }
}
