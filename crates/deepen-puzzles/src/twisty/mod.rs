//! Twisty puzzles from files: cubes and whatever else turns.
//!
//! A file in one of two languages ([`tws`], [`kpuzzle`]) becomes a [`Definition`](model::Definition);
//! its moves become [`letters`], and with these it is a state [`space`], whose moves are made by byte
//! shuffles ([`compose`]). What no move changes is found out ([`invariants`], [`group`]), so that
//! positions that can't be solved are refused at once. Lower bounds are pattern databases
//! ([`patterns`]) which are [chosen](choose) by themselves: tables of [products](product) of numbered
//! pictures of the sets ([`coordinate`]), looked up for the state and for what the rotations of the
//! puzzle make of it ([`symmetry`]).
//!
//! The puzzles that are built in are files like any other, in `definitions`. [`Topspin`] is a
//! puzzle of its own name whose definition is worked out from its size.

mod census;
mod choose;
mod compose;
mod coordinate;
mod group;
mod invariants;
mod inverse;
mod json;
mod kpuzzle;
mod letters;
mod lines;
mod model;
mod origin;
mod patterns;
mod product;
mod reduce;
mod scrambles;
mod sequences;
mod space;
mod symmetry;
#[cfg(test)]
mod tests;
mod tws;
mod write;

use std::fmt::Write;
use std::io::BufRead;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use deepen::heuristic::Zero;
use deepen::{CancelToken, Cost, MAX_COST, Verdict};

use self::choose::choose;
use self::model::{Definition, Pattern};
use self::origin::{Files, Origin, Rings, Source};
use self::patterns::Chosen;
pub use self::scrambles::Scramble;
use self::scrambles::Scrambles;
use self::space::{State, Turn, Twists};
use crate::answer::{Answer, Claim};
use crate::input::{ReadError, Tokens};
use crate::puzzle::{Field, Info, Layers, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::solve::Searches;
use crate::tables::{PuzzleTable, Tables};

/// Twisty puzzles, from a file or built in.
pub type Twisty = Twisted<Files>;

/// TopSpin: a ring of numbers, some neighbours of which can be turned round.
pub type Topspin = Twisted<Rings>;

/// A puzzle whose definition comes from `O`.
pub struct Twisted<O> {
    definition: Arc<Definition>,
    /// What counts of its positions are told to be of.
    name: String,
    field: Field<Twists>,
    /// How many entries its tables may have.
    entries: u64,
    tables: Tables,
    small: OnceLock<Chosen>,
    large: OnceLock<Chosen>,
    origin: PhantomData<fn() -> O>,
}

/// How many entries the tables have that are built without being asked for.
const SMALL: u64 = 8 << 20;

/// The index of the heuristics.
const LARGE: usize = 1;
const ZERO: usize = 2;

impl Twisty {
    /// The puzzle that a text in either language defines; `name` is what errors in it are told to
    /// be in, and what its tables are called.
    ///
    /// # Errors
    ///
    /// If the text is no definition, or the settings make no sense.
    pub fn define(name: &str, text: &[u8], settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        Self::of(Source { file: name.into(), name: name.into(), text: text.into() }, settings)
    }
}

impl<O: Origin> Twisted<O> {
    fn of(source: Source, settings: &Settings) -> Result<Self, SettingsError> {
        let (definition, setup) = origin::setup(source, settings).map_err(SettingsError)?;
        let definition = Arc::new(definition);
        let field = Field::new(setup.space(&definition)?);
        Ok(Twisted {
            definition,
            field,
            entries: setup.memory.saturating_mul(2),
            name: setup.name,
            tables: settings.tables.clone(),
            small: OnceLock::new(),
            large: OnceLock::new(),
            origin: PhantomData,
        })
    }

    fn small(&self) -> &Chosen {
        self.small.get_or_init(|| self.choose(self.entries.min(SMALL)))
    }

    fn large(&self) -> &Chosen {
        self.large.get_or_init(|| self.choose(self.entries))
    }

    fn choose(&self, entries: u64) -> Chosen {
        let space = &self.field.space;
        Chosen::new(space, choose(space, entries), &self.tables)
    }

    fn scramble(&self, state: &State) -> Scramble {
        Scramble { pattern: Arc::new(self.field.space.pattern(state)) }
    }
}

/// How many moves away from the solved state positions are drawn where they can't be drawn better.
const WALK: usize = 1000;

impl<O: Origin> Puzzle for Twisted<O> {
    type Space = Twists;
    type Instance = Scramble;

    const INFO: Info = O::INFO;

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        Self::of(O::source(settings).map_err(SettingsError)?, settings)
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Scramble, ReadError>> + 'a {
        Scrambles::new(input, &self.definition)
    }

    fn write(&self, scrambles: &[Scramble]) -> String {
        let blocks = scrambles.iter().zip(1..).map(|(scramble, number)| {
            let block = write::state_block(&scramble.pattern, &self.definition.sets, 0);
            format!("ScrambleState {number}\n{block}")
        });
        blocks.collect()
    }

    fn cost_limit(&self) -> Option<Cost> {
        None
    }

    fn field(&self, _: &Scramble) -> &Field<Twists> {
        &self.field
    }

    fn start(&self, scramble: &Scramble) -> State {
        self.field.space.state(&scramble.pattern)
    }

    fn default_heuristic(&self, _: Option<Cost>) -> usize {
        if self.entries > SMALL && self.tables.store.is_some() && self.large().is_kept() {
            LARGE
        } else {
            0
        }
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        self.large().tables.iter().map(|table| table as &dyn PuzzleTable).collect()
    }

    fn count_layers(
        &self,
        last: Option<Cost>,
        memory: u64,
        cancel: &CancelToken,
    ) -> Option<Layers> {
        Some(census::count(&self.field.space, &self.name, last, memory, cancel))
    }

    fn instance(&self, _: &Scramble, start: State) -> Scramble {
        self.scramble(&start)
    }

    fn instances(&self) -> Option<u128> {
        let space = &self.field.space;
        space.invariants().states(space)
    }

    /// From the group of the moves; where it is not feasible, or pieces are identical or positions
    /// illegal, by a thousand random moves.
    fn random(&self, random: &mut Random) -> Scramble {
        let space = &self.field.space;
        let state = space.invariants().random(space, random).unwrap_or_else(|| {
            let mut state = space.solved().clone();
            for _ in 0..WALK {
                let moves = deepen::moves_of(space, &state);
                if let Some(&turn) = moves.get(random.index(moves.len().max(1))) {
                    deepen::Space::apply(space, &mut state, turn);
                }
            }
            state
        });
        self.scramble(&state)
    }

    fn greatest_distance(&self) -> Option<Cost> {
        None
    }

    fn searches(&self) -> &dyn Searches<Self> {
        O::searches(self)
    }

    fn run<T: Task<Twists>>(&self, _: &Scramble, heuristic: usize, task: T) -> T::Output {
        let chosen = match heuristic {
            ZERO => return task.run(&self.field, &Zero),
            LARGE => self.large(),
            _ => self.small(),
        };
        match chosen.heuristic(&self.field.space) {
            Some(patterns) => task.run(&self.field, &patterns),
            None => task.run(&self.field, &Zero),
        }
    }

    fn judge_answer(
        &self,
        _: u64,
        _: &Scramble,
        verdict: &Verdict<Turn>,
        limit: Option<Cost>,
    ) -> String {
        let name = |turn: &Turn| self.field.space.letters[usize::from(turn.0)].name.as_str();
        match verdict {
            Verdict::Solved(solution) if solution.moves.is_empty() => "-\n".into(),
            Verdict::Solved(solution) => {
                solution.moves.iter().map(name).collect::<Vec<_>>().join(" ") + "\n"
            }
            Verdict::Impossible(_) => "impossible\n".into(),
            _ => format!("{} or more\n", u64::from(limit.unwrap_or(MAX_COST)) + 1),
        }
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let expected = format!("the moves of a solution (answer to scramble {})", index + 1);
        let first = answers.required(expected.as_str())?;
        let mut words = vec![word(&first, &expected)?];
        while let Some(token) = answers.peek()?.copied()
            && token.place.line == first.place.line
        {
            words.push(word(&token, &expected)?);
            answers.next()?;
        }
        let text = words.join(" ");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let claim = match *words.as_slice() {
            ["impossible"] => Claim::Impossible,
            ["-"] => Claim::Moves(Vec::new(), None),
            [number, "or", "more"] if first.number().is_some() => {
                Claim::AboveLimit(number.parse().ok())
            }
            _ => Claim::Moves(words.iter().map(ToString::to_string).collect(), None),
        };
        Ok(Answer { claim, text, place: first.place })
    }

    fn move_name(&self, space: &Twists, turn: Turn) -> String {
        space.letters[usize::from(turn.0)].name.clone()
    }

    /// Any name of what the move does is its name: `R3` is `R'`.
    fn parse_move(&self, space: &Twists, state: &State, name: &str) -> Option<Turn> {
        let does = self.definition.word(name)?;
        let moves = deepen::moves_of(space, state);
        moves.into_iter().find(|turn| space.letters[usize::from(turn.0)].transformation == does)
    }

    /// A line for the pieces of each set, and one for their orientations if they have any.
    fn draw(&self, space: &Twists, state: &State) -> String {
        let pattern: Pattern = space.pattern(state);
        let width = space.fields.iter().map(|field| field.set.name.len()).max().unwrap_or(0);
        let mut drawing = String::new();
        for (field, row) in space.fields.iter().zip(&pattern.rows) {
            let digits =
                row.pieces.iter().max().map_or(1, |&most| (u16::from(most) + 1).to_string().len());
            let mut line = |name: &str, values: Vec<String>| {
                let _ = write!(drawing, "{name:width$}");
                for value in values {
                    let _ = write!(drawing, " {value:>digits$}");
                }
                drawing.push('\n');
            };
            let pieces = row.pieces.iter().map(|&piece| (u16::from(piece) + 1).to_string());
            line(&field.set.name, pieces.collect());
            if field.set.orientations > 1 {
                let turn =
                    |&turn: &u8| if turn == model::ANY { "?".into() } else { turn.to_string() };
                line("", row.orientations.iter().map(turn).collect());
            }
        }
        drawing
    }

    fn export(&self, form: &str) -> Result<String, String> {
        match form {
            "tws" => Ok(write::tws(&self.definition)),
            "json" => write::kpuzzle(&self.definition)
                .ok_or_else(|| "KPuzzle JSON has no illegal positions; use tws".into()),
            _ => Err(format!("no form `{}`; there is `tws`, `json`", form.escape_debug())),
        }
    }
}

/// A token as a word of an answer.
fn word(token: &crate::input::Token, expected: &str) -> Result<String, ReadError> {
    Ok(token.text().ok_or_else(|| token.expected(expected))?.to_string())
}
