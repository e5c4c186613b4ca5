//! Knights ("骑士精神", SCOI 2005; Luogu P2324, BZOJ 1085, AcWing 195).
//!
//! A board is a bit for each cell and the blank's cell. The space lists the jumps into every cell
//! once, when it is made, and with each jump all that is asked about it later: its bits, its
//! letter, and by how much it changes the board's [`Signature`] when a white or a black knight
//! makes it. So a child's lower bound is told, before the child is made, by one bit of the board
//! and one look-up.
//!
//! The signature says how many knights are misplaced in each zone of the board, and whether the
//! blank is. All lower bounds but zero are tables of the signature.

mod table;

use std::collections::HashSet;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use deepen::heuristic::{Max, Zero};
use deepen::table::{BuildError, Indexed, Lookup, Perimeter, Reach, TableBuild, Width};
use deepen::{
    Alphabet, Automaton, Control, Cost, Heuristic, Packed, Residue, Reversible, Space, Stop,
    Verdict, Visitor,
};

use self::table::Numbered;
use crate::answer::{Answer, Claim};
use crate::input::{InputError, Place, ReadError, Tokens};
use crate::puzzle::{Choice, Field, Info, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::sample::{Wanted, by_search};
use crate::solve::Searches;
use crate::tables::{LazyTable, PuzzleTable, Tables};

/// The puzzle.
pub struct Knights {
    field: Field<Jumps>,
    perimeter: OnceLock<Perimeter>,
    /// The table of all boards; `None` if there are too many.
    table: OnceLock<Option<LazyTable<Numbered>>>,
    tables: Tables,
    /// Whether it is the standard game.
    standard: bool,
    zones: Bounds,
    tight: Bounds,
    contest: Bounds,
}

impl Knights {
    /// The boards near the goal.
    fn perimeter(&self) -> &Perimeter {
        self.perimeter.get_or_init(|| {
            Perimeter::new(&self.field.space, PERIMETER).expect("a goal, and moves back")
        })
    }

    /// The table of all boards, if there are not too many.
    fn table(&self) -> Option<&LazyTable<Numbered>> {
        let table = self.table.get_or_init(|| {
            let space = &self.field.space;
            let numbered = Numbered::new(space)?;
            let definition = format!(
                "knights {}x{}: distances to {}, order 1",
                space.rows,
                space.columns,
                space.text(space.goal),
            );
            let goals = vec![space.goal];
            Some(LazyTable::new(numbered, goals, definition, Width::Two, &self.tables))
        });
        table.as_ref()
    }

    /// All boards of a wanted distance, in the order of their numbers; none if there are too many
    /// boards to be numbered. (The table that is stored has no room for whole distances.)
    fn list(&self, wanted: Wanted) -> Result<Vec<Board>, BuildError> {
        let Some(LazyTable { space, .. }) = self.table() else { return Ok(Vec::new()) };
        let build = TableBuild { cancel: self.tables.cancel.clone(), ..TableBuild::default() };
        let table = build.build(space, [self.field.space.goal])?;
        let has = |&rank: &u64| table.distance(rank, 0).is_some_and(|d| wanted.contains(d));
        Ok((0..space.size()).filter(has).map(|rank| space.unrank(rank)).collect())
    }
}

/// From which distance on boards are listed if they are to be drawn: 550 of them are as far. In
/// seconds they are all found; drawing any boards would find one in a second.
const RARE: Cost = 38;

/// From which cost on searching many boards is worth the table of all.
const WORTH_TABLE: Cost = 30;

/// How much memory the boards near the goal may take, in bytes. In the standard game they lie
/// within 10 moves of it then, and are found in some milliseconds, which is less than the search of
/// some hundred boards gains.
const PERIMETER: Reach = Reach::Memory(440_000);

/// The most cells that a board can have.
const MAX_CELLS: usize = 64;

/// The goal of the contest.
const STANDARD: &str = "11111/01111/00*11/00001/00000";

/// The zones of the contest's board, a letter each: the corners, the cells a jump away from the
/// centre, the other cells of their colour, the other cells of the centre's colour. Knights in the
/// corners have two ways out alone, those that can jump to the centre three, the others four to
/// six.
const ZONES: &str = "cndnc/ndodn/do.od/ndodn/cndnc";

/// Where the knights come from, seen from the blank: rows down, columns to the right. In this
/// order, that of the cells row by row, they are tried.
const DIRECTIONS: [(isize, isize); 8] =
    [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// A board. Cells are numbered row by row from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The cells with a black knight; the blank's bit is 0.
    ones: u64,
    blank: u8,
}

/// A knight's jump into the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// The bits of both cells. Only that of the knight's can be set.
    cells: u64,
    from: u8,
    to: u8,
    /// The index of its direction.
    letter: u8,
    /// What the jump of a knight 0 and that of a knight 1 add to the signature (modulo 2^16).
    changes: [Signature; 2],
}

impl Board {
    #[inline(always)]
    fn jump(&mut self, jump: Jump, blank: u8) {
        if self.ones & jump.cells != 0 {
            self.ones ^= jump.cells;
        }
        self.blank = blank;
    }

    /// How many there are of each piece, in words.
    fn counts(self, space: &Jumps, blanks: usize) -> String {
        let ones = self.ones.count_ones() as usize;
        format!("{} of 0, {ones} of 1 and {blanks} of *", space.cells() - ones - blanks)
    }

    fn symbol(self, cell: usize) -> char {
        match self.ones >> cell & 1 {
            _ if usize::from(self.blank) == cell => '*',
            0 => '0',
            _ => '1',
        }
    }
}

/// A number that tells how many knights are misplaced in each zone, and whether the blank is: in
/// mixed radix, the counts as digits, and then 1 if the blank is where it belongs. A knight where
/// the blank belongs is in no zone.
type Signature = u16;

/// How many signatures there may be, a power of two.
const SIGNATURES: usize = 4096;

/// The space: boards of one size, with one goal.
pub struct Jumps {
    rows: usize,
    columns: usize,
    goal: Board,
    /// The cells of each zone, and what a misplaced knight there adds to the signature.
    zones: Vec<(u64, Signature)>,
    /// What a blank that is where it belongs adds to the signature.
    home: Signature,
    /// The jumps into each cell, in the order of [`DIRECTIONS`].
    into: Vec<Vec<Jump>>,
}

impl Jumps {
    fn new(rows: usize, columns: usize, goal: Board, zones: &[u64]) -> Self {
        let mut radix = 1;
        let zones = zones.iter().map(|&zone| {
            let weight = radix;
            radix *= count(zone) + 1;
            (zone, weight)
        });
        let zones = zones.collect();
        let mut space = Jumps { rows, columns, goal, zones, home: radix, into: Vec::new() };
        for to in 0..space.cells() {
            let jumps = (0..8).filter_map(|letter| space.jump(to, letter)).collect();
            space.into.push(jumps);
        }
        space
    }

    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// A board's rows, as a goal is given.
    fn text(&self, board: Board) -> String {
        let row = |row| (row * self.columns..(row + 1) * self.columns).map(|c| board.symbol(c));
        (0..self.rows).map(|r| row(r).collect()).collect::<Vec<String>>().join("/")
    }

    /// The jump into cell `to` from the direction of that index, if it stays on the board.
    fn jump(&self, to: usize, letter: u8) -> Option<Jump> {
        let (down, right) = DIRECTIONS[usize::from(letter)];
        let row = (to / self.columns).checked_add_signed(down)?;
        let column = (to % self.columns).checked_add_signed(right)?;
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let from = row * self.columns + column;
        let (from, to) = (narrow(from), narrow(to));
        let cells = 1 << from | 1 << to;
        let change = |ones: u64| {
            let before = Board { ones: ones << from, blank: to };
            let after = Board { ones: ones << to, blank: from };
            self.signature(after, cells).wrapping_sub(self.signature(before, cells))
        };
        let changes = [change(0), change(1)];
        Some(Jump { cells, from, to, letter, changes })
    }

    /// What some cells of a board and its blank add to the signature.
    fn signature(&self, board: Board, cells: u64) -> Signature {
        let blanks = 1 << board.blank | 1 << self.goal.blank;
        let misplaced = (board.ones ^ self.goal.ones) & !blanks & cells;
        let zones = self.zones.iter().map(|&(zone, weight)| weight * count(misplaced & zone));
        zones.sum::<Signature>() + if board.blank == self.goal.blank { self.home } else { 0 }
    }

    /// How many cells differ from the goal, that of the blank among them, and whether the blank is
    /// where it belongs.
    fn mismatch(&self, signature: Signature) -> (Signature, bool) {
        let digits =
            self.zones.iter().map(|&(zone, weight)| signature / weight % (count(zone) + 1));
        let home = signature >= self.home;
        (digits.sum::<Signature>() + if home { 0 } else { 2 }, home)
    }

    /// All boards that can be reached from `board`.
    fn reachable(&self, board: Board) -> HashSet<Board> {
        let mut reached = HashSet::from([board]);
        let mut waiting = vec![board];
        while let Some(board) = waiting.pop() {
            for &jump in &self.into[usize::from(board.blank)] {
                let mut next = board;
                next.jump(jump, jump.from);
                if reached.insert(next) {
                    waiting.push(next);
                }
            }
        }
        reached
    }

    /// How a cell is called: its file and its rank.
    fn cell_name(&self, cell: usize) -> String {
        format!("{}{}", file_name(cell % self.columns), self.rows - cell / self.columns)
    }
}

/// The name of a column: a to z, then aa, ab and so on.
fn file_name(column: usize) -> String {
    let last = char::from(b'a' + narrow(column % 26));
    match column / 26 {
        0 => last.to_string(),
        more => file_name(more - 1) + &last.to_string(),
    }
}

/// How many bits are set.
fn count(bits: u64) -> Signature {
    bits.count_ones() as Signature
}

/// A number below 256 as a byte.
fn narrow(number: usize) -> u8 {
    debug_assert!(number < 256);
    number as u8
}

impl Space for Jumps {
    type State = Board;
    type Move = Jump;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        self.into[usize::from(board.blank)].iter().try_for_each(|&jump| visitor.visit(board, jump))
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, jump: Jump) {
        board.jump(jump, jump.from);
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, jump: Jump) {
        board.jump(jump, jump.to);
    }

    fn is_goal(&self, board: &Board) -> bool {
        *board == self.goal
    }

    /// On a board with three rows and columns or more, and more than nine cells, a jump leads
    /// everywhere in the end, and each cell can be avoided on the way: any placement with two
    /// equal knights turns into any other (Wilson, *Graph puzzles, homotopy, and the alternating
    /// group*, 1974). On the others the blank walks along a path or around a ring, and few boards
    /// can be reached: all are listed.
    fn impossible(&self, board: &Board) -> Option<String> {
        if self.rows.min(self.columns) >= 3 && self.cells() > 9 {
            return None;
        }
        let reached = self.reachable(*board);
        let boards = if reached.len() == 1 { "board" } else { "boards" };
        let reason = format!(
            "only {} {boards} can be reached, and the goal is not among them",
            reached.len()
        );
        (!reached.contains(&self.goal)).then_some(reason)
    }

    /// The blank changes the colour of its square with every move.
    fn residue(&self, board: &Board) -> Residue {
        let square = |cell: u8| usize::from(cell) / self.columns + usize::from(cell) % self.columns;
        Residue::parity(square(board.blank) % 2 != square(self.goal.blank) % 2)
    }
}

impl Alphabet for Jumps {
    type Inverse = Automaton;
    type Pruning = Automaton;

    fn letters(&self) -> usize {
        DIRECTIONS.len()
    }

    #[inline(always)]
    fn letter(&self, jump: Jump) -> usize {
        usize::from(jump.letter)
    }

    /// A group for each cell of the blank: boards that number the cells in base 2.
    fn contexts(&self) -> Vec<Vec<Board>> {
        let digits = self.cells().next_power_of_two().trailing_zeros().max(1);
        let digit = |digit: u32, blank: usize| {
            let ones = (0..self.cells()).filter(|&cell| cell != blank && cell >> digit & 1 == 1);
            Board { ones: ones.map(|cell| 1 << cell).sum(), blank: narrow(blank) }
        };
        let group = |blank| (0..digits).map(|d| digit(d, blank)).collect();
        (0..self.cells()).map(group).collect()
    }
}

/// A key has the knights' bits, and above them the number of the blank's cell.
impl Packed for Jumps {
    fn key_bytes(&self) -> usize {
        let blank_bits = self.cells().next_power_of_two().trailing_zeros() as usize;
        (self.cells() + blank_bits).div_ceil(8)
    }

    #[inline(always)]
    fn pack(&self, board: &Board, key: &mut [u8]) {
        let packed = u128::from(board.ones) | u128::from(board.blank) << self.cells();
        key.copy_from_slice(&packed.to_le_bytes()[..key.len()]);
    }

    fn unpack(&self, key: &[u8]) -> Board {
        let packed = key.iter().rev().fold(0, |packed, &byte| packed << 8 | u128::from(byte));
        let blank = packed >> self.cells();
        Board { ones: (packed ^ blank << self.cells()) as u64, blank: blank as u8 }
    }
}

impl Reversible for Jumps {
    fn goals(&self) -> Option<Vec<Board>> {
        Some(vec![self.goal])
    }
}

/// A lower bound that is a function of the signature.
struct Bounds {
    bounds: [u8; SIGNATURES],
}

impl Bounds {
    /// The contest's bound. The last move can mend two cells, the knight's and the blank's; every
    /// other mends one at most.
    fn contest(space: &Jumps) -> Self {
        Self::new(space, |cells, _| cells.saturating_sub(1))
    }

    /// The contest's bound, and three more for a blank that stands where it belongs but has to
    /// leave. Leaving mends nothing and makes the blank's cell wrong; coming back can mend two; so
    /// there must be one move more than mismatched cells. The number of moves is then even, as the
    /// blank comes back, and so is the number of cells, as there are as many wrong 0s as 1s.
    fn raised(space: &Jumps) -> Self {
        Self::new(space, |cells, home| match (cells, home) {
            (0, true) => 0,
            (_, true) => cells + 2,
            (_, false) => cells.saturating_sub(1),
        })
    }

    /// The most that the number of mismatched cells can tell: the least number of moves of all
    /// boards with as many, and with the blank at home or not, in the standard game. Found by
    /// searching all of its boards, as a test does again.
    fn tightest(space: &Jumps) -> Self {
        const AWAY: [u8; 26] = [
            0, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17, 19, 21, 22, 24, 25, 27, 30,
            33, 35,
        ];
        const HOME: [u8; 13] = [0, 4, 6, 8, 10, 12, 14, 18, 20, 24, 26, 32, 36];
        Self::new(space, |cells, home| {
            let bound =
                if home { HOME.get(usize::from(cells / 2)) } else { AWAY.get(usize::from(cells)) };
            bound.copied().unwrap_or(0).into()
        })
    }

    /// The most that the signature can tell, likewise.
    fn of_zones() -> Self {
        let digits =
            include_bytes!("knights/zones.txt").iter().filter(|byte| !byte.is_ascii_whitespace());
        let mut bounds = [0; SIGNATURES];
        for (bound, digit) in bounds.iter_mut().zip(digits) {
            *bound = digit.saturating_sub(b'0');
        }
        Bounds { bounds }
    }

    /// A function of the number of mismatched cells, and of whether the blank is at home.
    fn new(space: &Jumps, bound: impl Fn(Signature, bool) -> Signature) -> Self {
        let mut bounds = [0; SIGNATURES];
        for (signature, of_signature) in (0..).zip(&mut bounds) {
            let (cells, home) = space.mismatch(signature);
            *of_signature = narrow(bound(cells, home).into());
        }
        Bounds { bounds }
    }
}

impl Heuristic<Jumps> for Bounds {
    type Value = Signature;
    type Node = Signature;

    fn root(&self, space: &Jumps, board: &Board) -> Signature {
        space.signature(*board, u64::MAX)
    }

    #[inline(always)]
    fn bound(&self, signature: Signature) -> Cost {
        self.bounds[usize::from(signature) % SIGNATURES].into()
    }

    #[inline(always)]
    fn node(&self, _: &Jumps, _: &Board, signature: Signature) -> Signature {
        signature
    }

    #[inline(always)]
    fn before(&self, _: &Jumps, board: &Board, signature: &Signature, jump: Jump) -> Signature {
        let [zero, one] = jump.changes;
        signature.wrapping_add(if board.ones & jump.cells == 0 { zero } else { one })
    }
}

impl Puzzle for Knights {
    type Space = Jumps;
    type Instance = Board;

    const INFO: Info = Info {
        name: "knights",
        summary: "Knights: jump into the blank until the colours stand where they belong",
        about: "\
A board of 5 by 5 cells holds twelve white knights 0, twelve black knights 1 and one blank *. A
knight jumps into the blank as in chess. The goal is reached with the fewest moves:

    1 1 1 1 1
    0 1 1 1 1
    0 0 * 1 1
    0 0 0 0 1
    0 0 0 0 0

Input: the number of boards, then each board's rows. Output: a line a board, the least number of
moves, or -1 if it is above the limit (15 unless set otherwise), or `impossible` if no moves lead to
the goal, which does not happen on the standard board.

A move is named by the cells that the knight leaves and enters, as in chess: b1c3. Files go from a
at the left (after z comes aa), ranks from 1 at the bottom. Moves are tried in the order of the
cells that the knight comes from, row by row from the top left: of all shortest answers the first in
this order is given.

Other boards: --size gives rows and columns, up to 64 cells in all; the goal is then as many 1s as
0s (or one more), with the blank between them, row by row. --goal gives any other goal, and the size
with it. Only boards of one or two rows or columns, and 3x3, can be impossible.

Without a limit on cost, far boards take minutes, or microseconds once `deepen table build knights`
has stored the table of all boards: it is then used unless another heuristic is named.

SCOI 2005 \"骑士精神\"; Luogu P2324, BZOJ 1085, AcWing 195.",
        example: "2\n10110\n01*11\n10111\n01001\n00000\n\n01011\n110*1\n01110\n01010\n00100\n",
        heuristics: &[
            Choice {
                name: "perimeter",
                about: "the zones', and the boards near the goal by heart",
            },
            Choice { name: "table", about: "exact: the distances of all boards, up to 28 cells" },
            Choice { name: "zones", about: "the most that the mismatched cells of each zone tell" },
            Choice { name: "tight", about: "the most that the number of mismatched cells tells" },
            Choice { name: "mismatch", about: "the contest's: mismatched cells - 1" },
            Choice { name: "zero", about: "nothing: plain iterative deepening" },
        ],
        dialects: &[Choice { name: "judge", about: "Luogu P2324 and all others" }],
        options: &[
            Choice {
                name: "size",
                about: "rows and columns, as in 3x4; up to 64 cells; 5x5 by default",
            },
            Choice { name: "goal", about: "the goal's rows, as in 11111/01111/00*11/00001/00000" },
        ],
    };

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        let size = settings.option("size").map(parse_size).transpose()?;
        let (rows, columns, goal) = match (settings.option("goal"), size) {
            (None, Some((rows, columns))) if (rows, columns) != (5, 5) => {
                let cells = rows * columns;
                let ones = (1_u64 << (cells / 2)) - 1;
                (rows, columns, Board { ones, blank: narrow(cells / 2) })
            }
            (goal, size) => parse_goal(goal.unwrap_or(STANDARD), size)?,
        };
        let standard = parse_goal(STANDARD, None)? == (rows, columns, goal);
        let zones = if standard {
            zones().to_vec()
        } else {
            vec![u64::MAX >> (64 - rows * columns) & !(1 << goal.blank)]
        };
        let space = Jumps::new(rows, columns, goal, &zones);
        let tight = || if standard { Bounds::tightest(&space) } else { Bounds::raised(&space) };
        Ok(Knights {
            zones: if standard { Bounds::of_zones() } else { tight() },
            tight: tight(),
            contest: Bounds::contest(&space),
            field: Field::new(space),
            perimeter: OnceLock::new(),
            table: OnceLock::new(),
            tables: settings.tables.clone(),
            standard,
        })
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Board, ReadError>> + 'a {
        let space = &self.field.space;
        let mut reader =
            Reader { tokens: Tokens::new(input), space, count: None, boards: 0, ended: false };
        let mut ended = false;
        std::iter::from_fn(move || {
            let board = if ended { None } else { reader.next().transpose() };
            ended = !matches!(board, Some(Ok(_)));
            board
        })
    }

    fn write(&self, boards: &[Board]) -> String {
        let space = &self.field.space;
        let row = |board: &Board, row: usize| -> String {
            let cells = row * space.columns..(row + 1) * space.columns;
            cells.map(|cell| board.symbol(cell)).chain(['\n']).collect()
        };
        let rows = boards.iter().flat_map(|board| (0..space.rows).map(move |r| row(board, r)));
        [format!("{}\n", boards.len())].into_iter().chain(rows).collect()
    }

    fn cost_limit(&self) -> Option<Cost> {
        Some(15)
    }

    fn field(&self, _: &Board) -> &Field<Jumps> {
        &self.field
    }

    fn start(&self, board: &Board) -> Board {
        *board
    }

    /// Without a limit the table, if there is one on the disk: far boards take minutes without it.
    fn default_heuristic(&self, limit: Option<Cost>) -> usize {
        let table = Self::INFO.heuristics.iter().position(|choice| choice.name == "table");
        let kept = self.table().is_some_and(PuzzleTable::is_kept);
        table.filter(|_| limit.is_none() && kept).unwrap_or(0)
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        self.table().map(|table| table as &dyn PuzzleTable).into_iter().collect()
    }

    fn instance(&self, _: &Board, start: Board) -> Board {
        start
    }

    fn instances(&self) -> Option<u128> {
        let Jumps { goal, .. } = self.field.space;
        let knights = self.field.space.cells() as u128 - 1;
        // Each binomial coefficient from the last.
        let ones = u128::from(goal.ones.count_ones());
        let choices = (0..ones).fold(1, |ways, chosen| ways * (knights - chosen) / (chosen + 1));
        Some(choices * (knights + 1))
    }

    fn random(&self, random: &mut Random) -> Board {
        let goal = self.field.space.goal;
        let mut pieces: Vec<char> =
            (0..self.field.space.cells()).map(|cell| goal.symbol(cell)).collect();
        random.shuffle(&mut pieces);
        let mut board = Board { ones: 0, blank: 0 };
        for (cell, piece) in pieces.into_iter().enumerate() {
            match piece {
                '1' => board.ones |= 1 << cell,
                '*' => board.blank = narrow(cell),
                _ => {}
            }
        }
        board
    }

    fn greatest_distance(&self) -> Option<Cost> {
        self.standard.then_some(39)
    }

    /// The furthest boards are so few that they are listed.
    fn sampler(
        &self,
        wanted: Wanted,
    ) -> impl FnMut(&mut Random, &mut Control) -> Result<Option<Board>, Stop> + '_ {
        let is_rare = self.standard && wanted.least() >= RARE;
        let listed = is_rare.then(|| self.list(wanted));
        let mut search = by_search(self, wanted);
        move |random, control| match &listed {
            Some(boards) => {
                let boards = boards.as_ref().map_err(|error| match error {
                    BuildError::Cancelled => Stop::Cancelled,
                    _ => Stop::Memory,
                })?;
                Ok((!boards.is_empty()).then(|| boards[random.index(boards.len())]))
            }
            None => search(random, control),
        }
    }

    fn sampling_heuristic(&self, limit: Cost) -> usize {
        usize::from(self.standard && limit >= WORTH_TABLE)
    }

    fn searches(&self) -> &dyn Searches<Self> {
        self
    }

    fn run<T: Task<Jumps>>(&self, _: &Board, heuristic: usize, task: T) -> T::Output {
        match heuristic {
            1 if let Some(numbered) = self.table()
                && let Ok(table) = numbered.get() =>
            {
                task.run(&self.field, &Lookup::new(&numbered.space, table, Board::clone))
            }
            0 | 1 => task.run(&self.field, &Max(&self.zones, self.perimeter())),
            2 => task.run(&self.field, &self.zones),
            3 => task.run(&self.field, &self.tight),
            4 => task.run(&self.field, &self.contest),
            _ => task.run(&self.field, &Zero),
        }
    }

    fn judge_answer(&self, _: u64, _: &Board, verdict: &Verdict<Jump>, _: Option<Cost>) -> String {
        match verdict {
            Verdict::Solved(solution) => format!("{}\n", solution.cost),
            Verdict::Impossible(_) => "impossible\n".into(),
            Verdict::AboveLimit { .. } | Verdict::Stopped { .. } => "-1\n".into(),
        }
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let expected = || format!("a number, -1 or `impossible` (answer to board {})", index + 1);
        let Some(token) = answers.next()? else { return Err(answers.end(expected()).into()) };
        let claim = match (token.text(), token.number()) {
            (_, Some(cost)) => Claim::Cost(cost),
            (Some("-1"), _) => Claim::AboveLimit(None),
            (Some("impossible"), _) => Claim::Impossible,
            _ => return Err(token.expected(expected()).into()),
        };
        let text = token.text().unwrap_or_default().to_string();
        Ok(Answer { claim, text, place: token.place })
    }

    fn move_name(&self, space: &Jumps, jump: Jump) -> String {
        space.cell_name(jump.from.into()) + &space.cell_name(jump.to.into())
    }

    /// The rows, with the ranks before them and the files below.
    fn draw(&self, space: &Jumps, board: &Board) -> String {
        let rank_width = space.rows.to_string().len();
        let file_width = file_name(space.columns - 1).len();
        let mut drawing = String::new();
        let mut line = |rank: String, cells: Vec<String>| {
            let mut line = format!("{rank:>rank_width$} ");
            for cell in cells {
                let cell = format!(" {cell:<file_width$}");
                line += &cell;
            }
            drawing += line.trim_end();
            drawing.push('\n');
        };
        for row in 0..space.rows {
            let cells = row * space.columns..(row + 1) * space.columns;
            let symbols = cells.map(|cell| board.symbol(cell).to_string()).collect();
            line((space.rows - row).to_string(), symbols);
        }
        line(String::new(), (0..space.columns).map(file_name).collect());
        drawing
    }
}

/// The cells of each zone of the standard game.
fn zones() -> [u64; 4] {
    let letters = ZONES.replace('/', "");
    ['c', 'n', 'o', 'd'].map(|zone| {
        letters
            .char_indices()
            .filter(|&(_, letter)| letter == zone)
            .map(|(cell, _)| 1 << cell)
            .sum()
    })
}

/// Rows and columns from `3x4`.
fn parse_size(text: &str) -> Result<(usize, usize), SettingsError> {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| digits && (1..=MAX_CELLS).contains(number))
    };
    let size = text.split_once('x').and_then(|(rows, columns)| {
        let (rows, columns) = (number(rows)?, number(columns)?);
        (rows * columns <= MAX_CELLS).then_some((rows, columns))
    });
    size.ok_or_else(|| {
        let text = text.escape_debug();
        SettingsError(format!(
            "expected a size as in 3x4, of {MAX_CELLS} cells at the most, found `{text}`"
        ))
    })
}

/// Rows, columns and board from `11111/01111/00*11/00001/00000`; of the given size, if there is
/// one.
fn parse_goal(
    text: &str,
    size: Option<(usize, usize)>,
) -> Result<(usize, usize, Board), SettingsError> {
    let error = |what: String| {
        Err(SettingsError(format!("expected {what} in the goal, found `{}`", text.escape_debug())))
    };
    let rows: Vec<&str> = text.split('/').collect();
    let (row_count, columns) = size.unwrap_or((rows.len(), rows[0].chars().count()));
    if rows.len() != row_count || rows.iter().any(|row| row.chars().count() != columns) {
        return error(match size {
            Some(_) => format!("{row_count} rows of {columns} cells, parted by `/`,"),
            None => "rows of one length, parted by `/`,".into(),
        });
    }
    if columns == 0 || row_count * columns > MAX_CELLS {
        return error(format!("1 to {MAX_CELLS} cells"));
    }
    let mut ones = 0;
    let mut blanks = Vec::new();
    for (cell, symbol) in rows.concat().chars().enumerate() {
        match symbol {
            '0' => {}
            '1' => ones |= 1 << cell,
            '*' => blanks.push(cell),
            _ => return error("0, 1 and one `*`".into()),
        }
    }
    match blanks[..] {
        [blank] => Ok((row_count, columns, Board { ones, blank: narrow(blank) })),
        _ => error("one `*`".into()),
    }
}

/// Reads the boards of an input.
struct Reader<'a, R> {
    tokens: Tokens<R>,
    space: &'a Jumps,
    /// The number of boards, once it is read.
    count: Option<Count>,
    /// How many boards were begun.
    boards: u64,
    /// Whether the input ended in the midst of a board.
    ended: bool,
}

struct Count {
    number: u64,
    /// What it is if it looks like the first row of a board.
    row: Option<String>,
}

impl<R: BufRead> Reader<'_, R> {
    fn next(&mut self) -> Result<Option<Board>, ReadError> {
        let number = match &self.count {
            Some(count) => count.number,
            None => self.count()?,
        };
        if self.boards == number {
            self.tokens.finish(&match number {
                1 => "nothing after the only board".to_string(),
                _ => format!("nothing after the {number} boards"),
            })?;
            return Ok(None);
        }
        self.boards += 1;
        match self.board(number) {
            Err(ReadError::Bad(error)) if self.boards == 1 || self.ended => {
                Err(self.with_hint(error).into())
            }
            board => board.map(Some),
        }
    }

    /// Reads the number of boards.
    fn count(&mut self) -> Result<u64, ReadError> {
        let expected = "the number of boards";
        let token = self.tokens.required(expected)?;
        let number = token.number().ok_or_else(|| token.expected(expected))?;
        let row = token.text().filter(|text| {
            text.len() == self.space.columns && text.bytes().all(|byte| matches!(byte, b'0' | b'1'))
        });
        self.count = Some(Count { number, row: row.map(str::to_string) });
        Ok(number)
    }

    /// Reads a board of `number`.
    fn board(&mut self, number: u64) -> Result<Board, ReadError> {
        let Jumps { rows, columns, .. } = *self.space;
        // (Worded only if it is needed: most boards are read without an error.)
        let boards = self.boards;
        let board_name = || format!("board {boards} of {number}");
        let mut board = Board { ones: 0, blank: 0 };
        let mut start = None;
        let mut first_blank = None;
        for row in 0..rows {
            let name = || format!("row {} of {rows}, {}", row + 1, board_name());
            let cells = || format!("{columns} cells, each 0, 1 or * ({})", name());
            let Some(token) = self.tokens.next()? else {
                self.ended = true;
                return Err(self.tokens.end(cells()).into());
            };
            start.get_or_insert(token.place);
            let text = token.text().ok_or_else(|| token.expected(cells()))?;
            for (column, symbol) in text.chars().enumerate() {
                if column == columns {
                    return Err(token.expected_at(column, cells()).into());
                }
                let cell = row * columns + column;
                match symbol {
                    '0' => {}
                    '1' => board.ones |= 1 << cell,
                    '*' => {
                        if let Some(Place { line, column: at }) = first_blank {
                            let expected = format!("0 or 1 ({}; its * is at {line}:{at})", name());
                            return Err(token.expected_at(column, expected).into());
                        }
                        let at = token.place.column + column as u64;
                        first_blank = Some(Place { column: at, ..token.place });
                        board.blank = narrow(cell);
                    }
                    _ => {
                        return Err(token
                            .expected_at(column, format!("0, 1 or * ({})", name()))
                            .into());
                    }
                }
            }
            let length = text.chars().count();
            if length < columns {
                return Err(token.expected_at(length, cells()).into());
            }
        }
        let blanks = usize::from(first_blank.is_some());
        let goal = self.space.goal;
        match start {
            Some(place) if blanks != 1 || board.ones.count_ones() != goal.ones.count_ones() => {
                let expected = goal.counts(self.space, 1);
                let expected = format!("{expected} in {}, as in the goal", board_name());
                let found = board.counts(self.space, blanks);
                Err(InputError { place, expected, found }.into())
            }
            _ => Ok(board),
        }
    }

    /// The error, and what may be its cause: the number of boards was left out.
    fn with_hint(&self, mut error: InputError) -> InputError {
        if let Some(Count { row: Some(row), .. }) = &self.count {
            let hint = format!(" (the number of boards must come first; `{row}` was taken for it)");
            error.expected += &hint;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zones_part_all_cells_but_the_centre() {
        let sum: u64 = zones().iter().sum();
        assert_eq!(sum, ((1 << 25) - 1) & !(1 << 12));
        assert_eq!(zones().map(count), [4, 8, 4, 8]);
    }

    #[test]
    fn the_table_of_zones_has_an_entry_for_each_signature() {
        let knights = Knights::new(&Settings::default()).unwrap();
        let entries = include_bytes!("knights/zones.txt").iter();
        let entries = entries.filter(|byte| !byte.is_ascii_whitespace()).count();
        assert_eq!(entries, usize::from(2 * knights.field.space.home));
    }

    #[test]
    fn the_furthest_boards_are_listed() {
        let knights = Knights::new(&Settings::default().with("size", "4x4")).unwrap();
        for (wanted, count) in
            [(Wanted::Exactly(28), 10), (Wanted::AtLeast(27), 59), (Wanted::Exactly(29), 0)]
        {
            let boards = knights.list(wanted).unwrap();
            assert_eq!(boards.len(), count);
            assert!(boards.iter().all(|board| board.ones.count_ones() == 8));
            let different: HashSet<&Board> = boards.iter().collect();
            assert_eq!(different.len(), count);
        }
    }

    #[test]
    fn files_go_on_after_z() {
        assert_eq!([0, 25, 26, 51, 52, 63].map(file_name), ["a", "z", "aa", "az", "ba", "bl"]);
    }
}
