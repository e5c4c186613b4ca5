//! Sliding tiles: the 8-, 15- and 24-puzzle, and boards of any other size of up to 36 cells.
//!
//! The blank changes places with a tile beside it ([`space`]). On boards of 4 × 4 the search knows
//! at compile time where the blank is. All lower bounds are carried down the path, and told before a
//! slide is made where they can be: the Manhattan distance ([`manhattan`]), linear conflict
//! ([`conflict`]), the walking distance ([`walking`]), additive pattern databases ([`pattern`]). Of
//! small boards a table holds all ([`table`]).
//!
//! Boards of different sizes may stand in one input ([`read`]); what belongs to a size is made when
//! the first of its boards is met ([`Kit`]).

mod back;
mod board;
mod conflict;
mod manhattan;
mod notation;
mod pattern;
mod read;
mod size;
mod space;
mod table;
#[cfg(test)]
mod tests;
mod tile;
mod walking;

use std::io::BufRead;
use std::sync::OnceLock;

use deepen::heuristic::Zero;
use deepen::table::{BuildError, Indexed, Lookup, Width};
use deepen::{Control, Cost, Stop, Verdict};

use self::board::{Board, Slide};
use self::conflict::{Coded, Plain};
use self::manhattan::Manhattan;
use self::notation::Notation;
use self::pattern::{PARTITIONS, Partition, PatternHeuristic, Patterns};
use self::read::Reader;
use self::size::{SIZES, Size};
use self::space::Tiles;
use self::table::Numbered;
use self::tile::Tile;
use self::walking::Walking;
use crate::answer::{Answer, Claim};
use crate::input::{InputError, ReadError, Tokens};
use crate::puzzle::{Choice, Field, Info, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::sample::{Wanted, by_search};
use crate::solve::Searches;
use crate::tables::{LazyTable, PuzzleTable, Tables, WORTH_STORING};

/// The puzzle.
pub struct SlidingTiles {
    /// The size that all boards have, if that is set.
    size: Option<Size>,
    goal: Goal,
    notation: Notation,
    tables: Tables,
    /// By [`Size::number`]; made when first asked for.
    kits: Box<[OnceLock<Box<Kit>>]>,
}

/// Which board is the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    First,
    Last,
    /// That one, whose size is set.
    Given(Board),
}

/// An instance: a board of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlidingInstance {
    size: Size,
    board: Board,
}

/// What belongs to the boards of one size: the space, and its heuristics, each made when first asked
/// for.
struct Kit {
    field: Field<Tiles>,
    manhattan: OnceLock<Manhattan>,
    conflict: OnceLock<Conflict>,
    /// `None` if the boards are too large.
    walking: OnceLock<Option<Walking>>,
    /// Likewise.
    table: Option<LazyTable<Numbered>>,
    /// By [`PARTITIONS`]; `None` if they are of boards of another size.
    patterns: [OnceLock<Option<Patterns>>; PARTITIONS.len()],
    size: Size,
    tables: Tables,
}

/// Linear conflict, for boards small and large.
enum Conflict {
    Small(Coded<u64>),
    Middle(Coded<u128>),
    Large(Plain),
}

impl Kit {
    fn new(size: Size, goal: Board, tables: &Tables) -> Self {
        let space = Tiles::new(size.rows, size.columns, goal);
        let table = Numbered::new(&space).map(|numbered| {
            let definition = format!("tiles {size}: distances to {}, order 1", size.text(&goal));
            let is_large = numbered.size() >= WORTH_STORING;
            let width = if is_large { Width::Two } else { Width::Eight };
            let goals = vec![numbered.goal()];
            LazyTable::new(numbered, goals, definition, width, tables)
        });
        Kit {
            patterns: PARTITIONS.map(|_| OnceLock::new()),
            size,
            tables: tables.clone(),
            field: Field::new(space),
            manhattan: OnceLock::new(),
            conflict: OnceLock::new(),
            walking: OnceLock::new(),
            table,
        }
    }

    fn manhattan(&self) -> &Manhattan {
        self.manhattan.get_or_init(|| Manhattan::new(&self.field.space))
    }

    fn conflict(&self) -> &Conflict {
        self.conflict.get_or_init(|| {
            let space = &self.field.space;
            let small = || Coded::new(space).map(Conflict::Small);
            let middle = || Coded::new(space).map(Conflict::Middle);
            small().or_else(middle).unwrap_or_else(|| Conflict::Large(Plain::new(space)))
        })
    }

    fn walking(&self) -> Option<&Walking> {
        self.walking.get_or_init(|| Walking::new(&self.field.space)).as_ref()
    }

    /// The pattern databases that serve where no heuristic is named: those that are soon built, or
    /// are stored.
    fn default_patterns(&self) -> Option<&Patterns> {
        let is_kept = |patterns: &&Patterns| patterns.tables().all(PuzzleTable::is_kept);
        self.patterns("pdb-663").or_else(|| self.patterns("pdb-6666").filter(is_kept))
    }

    /// The pattern databases of that name, if they are of boards of this size.
    fn patterns(&self, name: &str) -> Option<&Patterns> {
        let partition = Partition::named(name, self.size.rows, self.size.columns)?;
        let index = PARTITIONS.iter().position(|other| *other == partition)?;
        let patterns = || Patterns::new(&self.field.space, partition, &self.tables);
        self.patterns[index].get_or_init(patterns).as_ref()
    }

    /// All boards of a wanted distance, in the order of their numbers; `None` if there are too many
    /// boards to go through.
    fn list(&self, wanted: Wanted) -> Option<Result<Vec<Board>, BuildError>> {
        let table = self.table.as_ref().filter(|table| !table.is_stored())?;
        Some(table.get().map(|distances| {
            let has = |&rank: &u64| {
                distances.distance(rank, 0).is_some_and(|distance| wanted.contains(distance))
            };
            let numbered = &table.space;
            let boards = (0..distances.entries()).filter(has);
            boards.map(|rank| numbered.unpack(numbered.unrank(rank))).collect()
        }))
    }
}

/// The size of a generated board unless another is set.
const DRAWN: Size = Size { rows: 4, columns: 4 };

/// The most moves that are read in an answer, and the most characters.
const MOST_MOVES: usize = 10_000;

impl SlidingTiles {
    /// What belongs to a size.
    fn kit(&self, size: Size) -> &Kit {
        self.kits[size.number()].get_or_init(|| {
            let goal = match self.goal {
                Goal::First => size.blank_first(),
                Goal::Last => size.blank_last(),
                Goal::Given(goal) => goal,
            };
            Box::new(Kit::new(size, goal, &self.tables))
        })
    }

    /// The size of a generated board.
    fn drawn(&self) -> Size {
        self.size.unwrap_or(DRAWN)
    }
}

impl Puzzle for SlidingTiles {
    type Space = Tiles;
    type Instance = SlidingInstance;

    const INFO: Info = Info {
        name: "tiles",
        summary: "Sliding tiles: the 8-, 15- and 24-puzzle, and boards of any size to 36 cells",
        about: "\
Numbered tiles lie on a board with one cell blank. A move slides a tile beside the blank into it.
The tiles are to be brought in order, row by row, with the fewest moves: with the blank before them
all, as researchers have it (`--goal first`, the default), or after them all, as puzzlers do
(`--goal last`), or as a board that is given.

Input: a line a board, its numbers row by row, 0 for the blank. A line of 4, 9, 16, 25 or 36 numbers
is a square board; others need `--size`, or a `/` after each row but the last: `8 2 0/4 6 1/3 7 5`.
A line of one number more, or whose first row has one more than the others, begins with an index,
which is skipped. Boards of different sizes may follow one another.

Output: a line a board: the number of moves, and after a space the moves, if there are any. A move is
U, D, L or R (up, down, left, right), by the way that the blank moves (`--notation blank`, the
default) or the tile (`--notation tile`); with `blank-runs` and `tile-runs` equal moves in a row are
counted: `R2U2LD`. Half of all boards can't be solved, which is told by a parity: `impossible`.
Beyond a limit on cost: `more than N`.

Of all shortest solutions the first in dictionary order is given, the order being that the blank
moves up, left, right, down. `deepen verify` takes any, in single moves or in runs, and also the
number of moves alone.

Korf, Depth-first iterative-deepening (Artificial Intelligence 27, 1985); the goal and the input of
his hundred boards are the default here.",
        example: "8 2 0/4 6 1/3 7 5\n0 5 4 3 1 12 2 7 8 10 6 11 13 9 14 15\n",
        heuristics: &[
            Choice {
                name: "auto",
                about: "4x4: pdb-663; 5x5: pdb-6666, if stored; else walking-distance",
            },
            Choice { name: "pdb-663", about: "4x4: patterns of 6, 6 and 3 tiles; else as auto" },
            Choice { name: "pdb-555", about: "4x4: patterns of 5, 5 and 5 tiles; else as auto" },
            Choice { name: "pdb-78", about: "4x4: patterns of 7 and 8 tiles; else as auto" },
            Choice { name: "pdb-6666", about: "5x5: four patterns of 6 tiles; else as auto" },
            Choice {
                name: "walking-distance",
                about: "rows alone and columns alone, to 4x4, 3x5, 2x6; then linear-conflict",
            },
            Choice { name: "linear-conflict", about: "manhattan, and 2 for each tile in the way" },
            Choice { name: "manhattan", about: "how far each tile is from its place" },
            Choice { name: "table", about: "exact, for up to 12 cells; else as auto" },
            Choice { name: "zero", about: "nothing: plain iterative deepening" },
        ],
        dialects: &[Choice { name: "judge", about: "the length and the moves, a line a board" }],
        options: &[
            Choice {
                name: "size",
                about: "rows x columns, up to 36 cells; by default as each line says, and 4x4 if generated",
            },
            Choice {
                name: "goal",
                about: "where the blank is: first (default) or last; or a board, `1 2 3/4 5 6/7 8 0`",
            },
            Choice {
                name: "notation",
                about: "what moves are named after: blank (default) or tile; blank-runs, tile-runs",
            },
        ],
    };

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        let mut size = settings.option("size").map(read::size).transpose()?;
        let goal = match settings.option("goal") {
            None | Some("first") => Goal::First,
            Some("last") => Goal::Last,
            Some(text) => {
                let goal = read::goal(text, size)?;
                size = Some(goal.size);
                Goal::Given(goal.board)
            }
        };
        let notation = Notation::parse(settings.option("notation"))?;
        let kits = (0..SIZES).map(|_| OnceLock::new()).collect();
        Ok(SlidingTiles { size, goal, notation, tables: settings.tables.clone(), kits })
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<SlidingInstance, ReadError>> + 'a {
        Reader::new(input, self.size)
    }

    fn write(&self, instances: &[SlidingInstance]) -> String {
        let line = |instance: &SlidingInstance| {
            let text = instance.size.text(&instance.board);
            let is_told = Size::square(instance.size.cells()) == Some(instance.size);
            (if is_told { text.replace('/', " ") } else { text }) + "\n"
        };
        instances.iter().map(line).collect()
    }

    fn cost_limit(&self) -> Option<Cost> {
        None
    }

    fn field(&self, instance: &SlidingInstance) -> &Field<Tiles> {
        &self.kit(instance.size).field
    }

    fn start(&self, instance: &SlidingInstance) -> Board {
        instance.board
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        let kit = self.kit(self.drawn());
        let table = kit.table.iter().map(|table| table as &dyn PuzzleTable);
        let patterns = PARTITIONS.iter().filter_map(|partition| kit.patterns(partition.name));
        table.chain(patterns.flat_map(Patterns::tables)).collect()
    }

    fn instance(&self, like: &SlidingInstance, start: Board) -> SlidingInstance {
        SlidingInstance { board: start, ..*like }
    }

    fn instances(&self) -> Option<u128> {
        (1..=self.drawn().cells() as u128).try_fold(1, u128::checked_mul)
    }

    fn random(&self, random: &mut Random) -> SlidingInstance {
        let size = self.drawn();
        let mut tiles = size.blank_first().cells;
        random.shuffle(&mut tiles[..size.cells()]);
        SlidingInstance { size, board: Board::new(&tiles[..size.cells()]) }
    }

    /// With the blank in a corner in the end. The 15-puzzle's is from Brüngger and others, *The
    /// parallel search bench ZRAM and its applications*, 1999; the others were counted.
    fn greatest_distance(&self) -> Option<Cost> {
        let Size { rows, columns } = self.drawn();
        let goal = self.kit(self.drawn()).field.space.goal;
        let (row, column) = (usize::from(goal.blank) / columns, usize::from(goal.blank) % columns);
        let is_corner = (row == 0 || row == rows - 1) && (column == 0 || column == columns - 1);
        let greatest = match (rows.min(columns), rows.max(columns)) {
            (1, cells) => cells as Cost - 1,
            (2, 2) => 6,
            (2, 3) => 21,
            (2, 4) => 36,
            (2, 5) => 55,
            (3, 3) => 31,
            (3, 4) => 53,
            (4, 4) => 80,
            _ => return None,
        };
        is_corner.then_some(greatest)
    }

    /// Small boards are listed.
    fn sampler(
        &self,
        wanted: Wanted,
    ) -> impl FnMut(&mut Random, &mut Control) -> Result<Option<SlidingInstance>, Stop> + '_ {
        let size = self.drawn();
        let listed = if wanted == Wanted::Any { None } else { self.kit(size).list(wanted) };
        let mut search = by_search(self, wanted);
        move |random, control| match &listed {
            Some(Ok(boards)) if boards.is_empty() => Ok(None),
            Some(Ok(boards)) => {
                Ok(Some(SlidingInstance { size, board: boards[random.index(boards.len())] }))
            }
            Some(Err(BuildError::Cancelled)) => Err(Stop::Cancelled),
            Some(Err(_)) => Err(Stop::Memory),
            None => search(random, control),
        }
    }

    fn searches(&self) -> &dyn Searches<Self> {
        self
    }

    fn run<T: Task<Tiles>>(
        &self,
        instance: &SlidingInstance,
        heuristic: usize,
        task: T,
    ) -> T::Output {
        let kit = self.kit(instance.size);
        let field = &kit.field;
        let name = Self::INFO.heuristics[heuristic].name;
        let is_plain =
            matches!(name, "walking-distance" | "linear-conflict" | "manhattan" | "zero");
        let otherwise = || if is_plain { None } else { kit.default_patterns() };
        let patterns = kit.patterns(name).or_else(otherwise);
        match name {
            "table"
                if let Some(table) = &kit.table
                    && let Ok(distances) = table.get() =>
            {
                let picture = |board: &Board| table.space.pack(board);
                task.run(field, &Lookup::new(&table.space, distances, picture))
            }
            "zero" => task.run(field, &Zero),
            "manhattan" => task.run(field, kit.manhattan()),
            _ if let Some(patterns) = patterns
                && let Ok(heuristic) = patterns.heuristic(&field.space) =>
            {
                match &heuristic {
                    PatternHeuristic::Near(patterns) => task.run(field, patterns),
                    PatternHeuristic::Far(patterns) => task.run(field, patterns),
                    PatternHeuristic::Wide(patterns) => task.run(field, patterns),
                }
            }
            name if name != "linear-conflict"
                && let Some(walking) = kit.walking() =>
            {
                task.run(field, walking)
            }
            _ => match kit.conflict() {
                Conflict::Small(conflict) => task.run(field, conflict),
                Conflict::Middle(conflict) => task.run(field, conflict),
                Conflict::Large(conflict) => task.run(field, conflict),
            },
        }
    }

    fn judge_answer(
        &self,
        _: u64,
        _: &SlidingInstance,
        verdict: &Verdict<Slide>,
        limit: Option<Cost>,
    ) -> String {
        match verdict {
            Verdict::Solved(solution) if solution.moves.is_empty() => "0\n".into(),
            Verdict::Solved(solution) => {
                let directions = solution.moves.iter().map(|slide| slide.direction);
                format!("{} {}\n", solution.cost, self.notation.write(directions))
            }
            Verdict::Impossible(_) => "impossible\n".into(),
            Verdict::AboveLimit { .. } | Verdict::Stopped { .. } => {
                format!("more than {}\n", limit.unwrap_or(deepen::MAX_COST))
            }
        }
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let board = format!("answer to board {}", index + 1);
        let expected = || format!("a number of moves, `impossible` or `more than N` ({board})");
        let Some(token) = answers.next()? else { return Err(answers.end(expected()).into()) };
        let place = token.place;
        let text = token.text().unwrap_or_default().to_string();
        match (text.as_str(), token.number()) {
            ("impossible", _) => Ok(Answer { claim: Claim::Impossible, text, place }),
            ("more", _) => {
                answers.word("than", || format!("`than` ({board})"))?;
                let expected = format!("the limit, a number ({board})");
                let limit = answers.number(0..=deepen::MAX_COST.into(), expected)?;
                let text = format!("more than {limit}");
                Ok(Answer { claim: Claim::AboveLimit(Some(limit + 1)), text, place })
            }
            (_, Some(number)) => {
                let (rest, line) = answers.rest_of_line(MOST_MOVES)?;
                let line = String::from_utf8_lossy(&line);
                let letters = notation::letters(&line, MOST_MOVES).map_err(|at| {
                    let found = line.chars().skip(at).take(1).collect::<String>();
                    let place = crate::input::Place { column: rest.column + at as u64, ..rest };
                    let expected = format!("moves, U, D, L or R ({board})");
                    InputError { place, expected, found: format!("`{}`", found.escape_debug()) }
                })?;
                if letters.is_empty() {
                    return Ok(Answer { claim: Claim::Cost(number), text, place });
                }
                if letters.len() as u64 != number {
                    let expected = format!("{number} moves, as their number says ({board})");
                    let found = match letters.len() {
                        1 => "1 move".into(),
                        moves => format!("{moves} moves"),
                    };
                    return Err(InputError { place, expected, found }.into());
                }
                let text = text + " " + &letters.iter().collect::<String>();
                let names = letters.into_iter().map(String::from).collect();
                Ok(Answer { claim: Claim::Moves(names, None), text, place })
            }
            _ => Err(token.expected(expected()).into()),
        }
    }

    fn takes_any_shortest(&self) -> bool {
        true
    }

    fn conventions(&self, instance: &SlidingInstance) -> Vec<(&'static str, String)> {
        let goal = self.field(instance).space.goal;
        vec![("notation", self.notation.name().to_string()), ("goal", instance.size.text(&goal))]
    }

    fn move_name(&self, _: &Tiles, slide: Slide) -> String {
        self.notation.letter(slide.direction).to_string()
    }

    /// The rows, the blank as a point.
    fn draw(&self, space: &Tiles, board: &Board) -> String {
        let cells = space.cells();
        let width = (cells - 1).to_string().len();
        let cell = |tile: &Tile| match *tile {
            Tile::BLANK => format!("{:>width$}", "."),
            tile => format!("{:>width$}", tile.number()),
        };
        let row = |tiles: &[Tile]| tiles.iter().map(cell).collect::<Vec<_>>().join(" ") + "\n";
        board.cells[..cells].chunks(space.columns).map(row).collect()
    }
}
