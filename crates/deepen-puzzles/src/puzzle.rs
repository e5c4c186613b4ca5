//! What every puzzle is: the one shape that the commands work on.
//!
//! A [`Puzzle`] is a type. It describes itself ([`Info`]), reads instances, opens a space with one
//! of its heuristics to any [`Task`], and writes answers and drawings. Everything else (searching,
//! formats that all puzzles share, the commands) is written once, generically, over this trait;
//! a command reaches a puzzle by its name through [`with_puzzle`](crate::with_puzzle).

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::BufRead;
use std::sync::OnceLock;

use deepen::{
    Alphabet, CancelToken, Control, Cost, Heuristic, InversePruning, LearnedPruning, Reversible,
    Stop, Verdict, moves_of,
};

use crate::answer::Answer;
use crate::input::{ReadError, Tokens};
use crate::random::Random;
use crate::sample::{Wanted, by_search};
use crate::solve::Searches;
use crate::tables::{PuzzleTable, Tables};

/// What there is to know of a puzzle before it is opened.
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// The rules, the input and output formats, the notation of moves, in some paragraphs.
    pub about: &'static str,
    /// An input that can be solved as it stands.
    pub example: &'static str,
    /// The heuristics; the first is the default.
    pub heuristics: &'static [Choice],
    /// The dialects of the judges; the first is the default.
    pub dialects: &'static [Choice],
    /// The options that it has besides, such as `size`, and what each means.
    pub options: &'static [Choice],
}

/// One of several things that go by a name.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The name.
    pub name: &'static str,
    /// One line: what it is.
    pub about: &'static str,
}

/// How a puzzle is to be set up.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The dialect's name; the first of [`Info::dialects`] if none is given.
    pub dialect: Option<String>,
    /// What is set of [`Info::options`], by name.
    pub options: BTreeMap<&'static str, String>,
    /// Where tables are kept, and who is told of them.
    pub tables: Tables,
}

/// A setting that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

impl Settings {
    /// The same with an option set.
    #[must_use]
    pub fn with(mut self, option: &'static str, value: impl Into<String>) -> Self {
        self.options.insert(option, value.into());
        self
    }

    /// What an option is set to, if it is.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// The index in [`Info::dialects`] of the wanted dialect; refuses options that the puzzle does
    /// not have.
    ///
    /// # Errors
    ///
    /// If there is no such dialect or option.
    pub fn check(&self, info: &Info) -> Result<usize, SettingsError> {
        for option in self.options.keys() {
            if find(info.options, option).is_err() {
                return Err(SettingsError(format!("{} has no {option} to set", info.name)));
            }
        }
        match &self.dialect {
            None => Ok(0),
            Some(name) => find(info.dialects, name)
                .map_err(|known| SettingsError(format!("no dialect `{name}`; there is {known}"))),
        }
    }
}

/// The index of the choice of that name, or the names that there are.
///
/// # Errors
///
/// The names that there are, parted by commas, if there is no choice of that name.
pub fn find(choices: &[Choice], name: &str) -> Result<usize, String> {
    choices.iter().position(|choice| choice.name == name).ok_or_else(|| {
        choices.iter().map(|choice| format!("`{}`", choice.name)).collect::<Vec<_>>().join(", ")
    })
}

/// A puzzle.
pub trait Puzzle: Sized + Send + Sync {
    /// Its state space.
    type Space: Alphabet<State: Send + Sync, Move: Send + Sync, Inverse: Send + Sync, Pruning: Send + Sync>
        + Reversible
        + Send
        + Sync;
    /// An instance: what is read, and is to be solved.
    type Instance: Clone + PartialEq + Debug + Send + Sync;

    /// What there is to know of it.
    const INFO: Info;

    /// Sets it up.
    ///
    /// # Errors
    ///
    /// If the settings make no sense; the message says which and why.
    fn new(settings: &Settings) -> Result<Self, SettingsError>;

    /// Reads instances as the input comes; after an error nothing more.
    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Self::Instance, ReadError>> + 'a;

    /// An input in the judge's format, which reads back as these instances.
    fn write(&self, instances: &[Self::Instance]) -> String;

    /// The greatest cost that the judge asks for; `None` if there is no limit.
    fn cost_limit(&self) -> Option<Cost>;

    /// The space of an instance.
    fn field(&self, instance: &Self::Instance) -> &Field<Self::Space>;

    /// The state that an instance starts from.
    fn start(&self, instance: &Self::Instance) -> <Self::Space as deepen::Space>::State;

    /// The index in [`Info::heuristics`] of the heuristic to use where none is named, for solutions
    /// up to that limit on cost: the first, unless a table that is kept already serves better.
    fn default_heuristic(&self, _limit: Option<Cost>) -> usize {
        0
    }

    /// The tables that its heuristics may look up, none of them made ready by this.
    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        Vec::new()
    }

    /// How many instances there are at each distance, where this is more than its tables tell and
    /// can be counted all the same.
    fn count_instances(&self, _cancel: &CancelToken) -> InstanceCounts {
        InstanceCounts::Untold
    }

    /// How many positions there are at each distance, to `last` if that is given, counted in at most
    /// so many bytes, where this is not what the tables tell.
    fn count_layers(
        &self,
        _last: Option<Cost>,
        _memory: u64,
        _cancel: &CancelToken,
    ) -> Option<Layers> {
        None
    }

    /// The puzzle's definition in a language for such, of that name.
    ///
    /// # Errors
    ///
    /// If it has none, or that language can't say it.
    fn export(&self, _form: &str) -> Result<String, String> {
        Err(format!("{} is not defined by a file", Self::INFO.name))
    }

    /// The instance with another start, of the space of `like`.
    fn instance(
        &self,
        like: &Self::Instance,
        start: <Self::Space as deepen::Space>::State,
    ) -> Self::Instance;

    /// How many instances there are of the size that [`random`](Puzzle::random) draws; `None` if
    /// they are too many for a number.
    fn instances(&self) -> Option<u128>;

    /// Draws an instance, each of the set-up as likely as any other: the impossible ones, too.
    fn random(&self, random: &mut Random) -> Self::Instance;

    /// A distance that no instance of that size exceeds, but for the impossible ones, where it is
    /// known.
    fn greatest_distance(&self) -> Option<Cost>;

    /// A function that tries once to draw an instance of a wanted distance, and where it does, draws
    /// each as likely as any other. The time, and what cancels it, are those of its control.
    fn sampler(
        &self,
        wanted: Wanted,
    ) -> impl FnMut(&mut Random, &mut Control) -> Result<Option<Self::Instance>, Stop> + '_ {
        by_search(self, wanted)
    }

    /// The index of the heuristic with which many random instances are searched fastest up to that
    /// cost. It makes no difference to what is drawn.
    fn sampling_heuristic(&self, _limit: Cost) -> usize {
        0
    }

    /// Its searches, compiled here: every puzzle says `self`.
    fn searches(&self) -> &dyn Searches<Self>;

    /// Gives the task the heuristic of that index in [`Info::heuristics`] for an instance.
    fn run<T: Task<Self::Space>>(
        &self,
        instance: &Self::Instance,
        heuristic: usize,
        task: T,
    ) -> T::Output;

    /// The judge's answer to the instance of that index (from 0), with its line ends. `limit` is
    /// the limit on cost that the verdict was found under. Never called for a stopped search.
    fn judge_answer(
        &self,
        index: u64,
        instance: &Self::Instance,
        verdict: &Verdict<<Self::Space as deepen::Space>::Move>,
        limit: Option<Cost>,
    ) -> String;

    /// Reads an answer in the judge's format to the instance of that index (from 0).
    ///
    /// # Errors
    ///
    /// If it is none, or there is none.
    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError>;

    /// What a judge's answer tells of the goal that its moves reach, if it does.
    fn told_of_goal(&self, _: &<Self::Space as deepen::Space>::State) -> Option<String> {
        None
    }

    /// Whether the judge takes any of the shortest solutions; else it wants the first.
    fn takes_any_shortest(&self) -> bool {
        false
    }

    /// What must be known to understand the moves of a solution of this instance, where there are
    /// several customs, by name.
    fn conventions(&self, _: &Self::Instance) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The name of a move in the puzzle's notation: no white space, and different for the
    /// different moves of a state.
    fn move_name(&self, space: &Self::Space, mv: <Self::Space as deepen::Space>::Move) -> String;

    /// The move of `state` with that name.
    fn parse_move(
        &self,
        space: &Self::Space,
        state: &<Self::Space as deepen::Space>::State,
        name: &str,
    ) -> Option<<Self::Space as deepen::Space>::Move> {
        moves_of(space, state).into_iter().find(|&mv| self.move_name(space, mv) == name)
    }

    /// A drawing of a state in characters, some lines, each with its line end.
    fn draw(&self, space: &Self::Space, state: &<Self::Space as deepen::Space>::State) -> String;
}

/// How many instances there are at each distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstanceCounts {
    /// So many at distance 0, 1 and so on.
    Counted(Vec<u64>),
    /// The tables tell, or nothing does.
    Untold,
    /// Counting was stopped.
    Stopped(Stop),
}

/// How many positions there are at each distance from the solved one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layers {
    /// What they are positions of.
    pub definition: String,
    /// So many at distance 0, 1 and so on; or what stopped the counting.
    pub counts: Result<Vec<u64>, Stop>,
}

/// Something to be done on a space with a heuristic, both of which the caller names.
pub trait Task<S: Alphabet> {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Self::Output;
}

/// A space with its prunings, each made when first asked for.
pub struct Field<S: Alphabet> {
    /// The space.
    pub space: S,
    inverse: OnceLock<S::Inverse>,
    begun: OnceLock<S::Pruning>,
    learned: OnceLock<S::Pruning>,
}

impl<S: Alphabet> Field<S> {
    /// The field of a space.
    pub fn new(space: S) -> Self {
        Field { space, inverse: OnceLock::new(), begun: OnceLock::new(), learned: OnceLock::new() }
    }

    /// What forbids taking the last move back.
    pub fn inverse(&self) -> &S::Inverse {
        self.inverse.get_or_init(|| InversePruning::inverse(&self.space))
    }

    /// What searches begin with until it pays to have [learned](Field::learned) more.
    pub fn begun(&self) -> &S::Pruning {
        self.begun.get_or_init(|| LearnedPruning::begun(&self.space))
    }

    /// What forbids all that it pays to forbid.
    pub fn learned(&self) -> &S::Pruning {
        self.learned.get_or_init(|| LearnedPruning::learned(&self.space))
    }
}
