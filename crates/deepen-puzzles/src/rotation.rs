//! Rotation Game (ICPC Shanghai 2004; POJ 2286, UVa 1343, HDU 1667).
//!
//! The 24 cells of a board in the shape of # are packed two bits each into a word, and a move,
//! which shifts the seven cells of a line by one, is a handful of masks and shifts.
//!
//! All lower bounds are minima over the colours, of what that colour needs at least to fill the
//! centre. The default one is exact: a colour has only 735,471 placements, and a table of their
//! distances, built in a few hundredths of a second when first asked for, leaves nothing to search.
//! The others count how many of a colour's eight are in the centre, and how many right before it.

use std::io::BufRead;
use std::ops::ControlFlow;

use deepen::heuristic::Zero;
use deepen::table::{BuildError, Indexed, Table, Width};
use deepen::{
    Alphabet, Automaton, CancelToken, Control, Cost, Heuristic, INFINITE, Packed, Reversible,
    Space, Stop, Verdict, Visitor,
};
use rayon::prelude::*;

use crate::answer::{Answer, Claim, Told};
use crate::input::{InputError, ReadError, Tokens};
use crate::puzzle::{Choice, Field, Info, InstanceCounts, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::sample::Wanted;
use crate::solve::Searches;
use crate::tables::{LazyTable, PuzzleTable};

/// The puzzle.
pub struct Rotation {
    field: Field<Lines>,
    /// The distances of all placements of one colour.
    table: LazyTable<OneColour>,
}

/// The cells of each move's line, in the order in which a cell takes the symbol of the next one;
/// the first cell's symbol goes to the last.
const LINES: [[u8; 7]; 8] = [
    [0, 2, 6, 11, 15, 20, 22],
    [1, 3, 8, 12, 17, 21, 23],
    [10, 9, 8, 7, 6, 5, 4],
    [19, 18, 17, 16, 15, 14, 13],
    [23, 21, 17, 12, 8, 3, 1],
    [22, 20, 15, 11, 6, 2, 0],
    [13, 14, 15, 16, 17, 18, 19],
    [4, 5, 6, 7, 8, 9, 10],
];

/// The move that takes each move back.
const INVERSE: [u8; 8] = [5, 4, 7, 6, 1, 0, 3, 2];

/// All cells.
const CELLS: [u8; 24] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];

/// All cells, a bit each.
const ALL_CELLS: u32 = (1 << 24) - 1;

/// The cells of the centre.
const CENTRE: [u8; 8] = [6, 7, 8, 11, 12, 15, 16, 17];

/// The cells from which a symbol enters the centre, one for each move: the sixth of its line.
const DOOR: [u8; 8] = [20, 21, 5, 14, 3, 2, 18, 9];

/// How each cell is drawn: row by row, `.` for none.
const SHAPE: [&str; 7] =
    ["..a.b..", "..c.d..", "efghijk", "..l.m..", "nopqrst", "..u.v..", "..w.x.."];

/// A board: bit `i` of the lower half holds the low bit of cell `i`'s symbol (1, 2 or 3), bit `i`
/// of the upper half the high bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(u64);

impl Board {
    /// The board with these symbols, cell 0 first.
    fn new(symbols: [u8; 24]) -> Self {
        let planes = |symbol: u8| u64::from(symbol & 1) | u64::from(symbol >> 1) << 32;
        Board((0..).zip(symbols).map(|(cell, symbol)| planes(symbol) << cell).sum())
    }

    /// The board with these cells of each colour.
    fn of_placements([one, two, three]: [u32; 3]) -> Self {
        Board(u64::from(one | three) | u64::from(two | three) << 32)
    }

    /// The symbol of a cell.
    #[inline(always)]
    fn symbol(self, cell: u8) -> u32 {
        let planes = self.0 >> cell;
        (planes & 1 | planes >> 31 & 2) as u32
    }

    /// The cells of each colour, a bit a cell.
    #[inline(always)]
    fn placements(self) -> [u32; 3] {
        let (low, high) = (self.0 as u32, (self.0 >> 32) as u32);
        [low & !high, high & !low, low & high]
    }

    #[inline(always)]
    fn turn(&mut self, mv: u8) {
        let turn = &TURNS[usize::from(mv)];
        let mut cells = self.0 & turn.rest;
        for part in &turn.parts {
            cells |= (self.0 & part.cells) << part.left >> part.right;
        }
        self.0 = cells;
    }
}

/// A move in masks: the cells that stay, and those that go equally far the same way.
struct Turn {
    rest: u64,
    parts: [Part; 4],
}

#[derive(Clone, Copy)]
struct Part {
    cells: u64,
    left: u8,
    right: u8,
}

const TURNS: [Turn; 8] = {
    let mut turns =
        [const { Turn { rest: 0, parts: [Part { cells: 0, left: 0, right: 0 }; 4] } }; 8];
    let both = 1 << 32 | 1;
    let mut mv = 0;
    while mv < 8 {
        let mut rest = u64::MAX;
        let mut i = 0;
        while i < 7 {
            let (to, from) = (LINES[mv][i], LINES[mv][(i + 1) % 7]);
            rest &= !(both << to);
            let left = to.saturating_sub(from);
            let right = from.saturating_sub(to);
            // The first part that is empty or shifts as far.
            let mut p = 0;
            loop {
                let part = &mut turns[mv].parts[p];
                if part.cells == 0 || (part.left == left && part.right == right) {
                    *part = Part { cells: part.cells | both << from, left, right };
                    break;
                }
                p += 1;
            }
            i += 1;
        }
        turns[mv].rest = rest;
        mv += 1;
    }
    turns
};

/// The space: boards and the moves A to H, in this order.
pub struct Lines;

impl Space for Lines {
    type State = Board;
    /// `0..8` for A to H.
    type Move = u8;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        visitor.visit(board, 0)?;
        visitor.visit(board, 1)?;
        visitor.visit(board, 2)?;
        visitor.visit(board, 3)?;
        visitor.visit(board, 4)?;
        visitor.visit(board, 5)?;
        visitor.visit(board, 6)?;
        visitor.visit(board, 7)
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, mv: u8) {
        board.turn(mv);
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, mv: u8) {
        board.turn(INVERSE[usize::from(mv)]);
    }

    fn is_goal(&self, board: &Board) -> bool {
        CENTRE.iter().all(|&cell| board.symbol(cell) == board.symbol(CENTRE[0]))
    }
}

impl Alphabet for Lines {
    type Inverse = Automaton;
    type Pruning = Automaton;

    fn letters(&self) -> usize {
        8
    }

    #[inline(always)]
    fn letter(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    /// One group: three boards that number the cells with three digits of base 4.
    fn contexts(&self) -> Vec<Vec<Board>> {
        let digit = |shift: u8| Board::new(CELLS.map(|cell| cell >> shift & 3));
        vec![[0, 2, 4].map(digit).to_vec()]
    }
}

/// The low bits of the cells, then the high bits: six bytes.
impl Packed for Lines {
    fn key_bytes(&self) -> usize {
        6
    }

    #[inline]
    fn pack(&self, board: &Board, key: &mut [u8]) {
        let bits = board.0 & 0xff_ffff | (board.0 >> 32) << 24;
        key.copy_from_slice(&bits.to_le_bytes()[..6]);
    }

    #[inline]
    fn unpack(&self, key: &[u8]) -> Board {
        let mut bytes = [0; 8];
        bytes[..6].copy_from_slice(key);
        let bits = u64::from_le_bytes(bytes);
        Board(bits & 0xff_ffff | (bits >> 24) << 32)
    }
}

/// Each move has an inverse. A goal is a colour for the centre, and any eight of the other cells
/// for one of the other two.
impl Reversible for Lines {
    fn goals(&self) -> Option<Vec<Board>> {
        let rim: Vec<u8> = CELLS.into_iter().filter(|cell| !CENTRE.contains(cell)).collect();
        let mut goals = Vec::new();
        for colour in 1..=3 {
            let [one, other] = [colour % 3 + 1, (colour + 1) % 3 + 1];
            for placement in (0..1_u32 << rim.len()).filter(|mask| mask.count_ones() == 8) {
                let mut symbols = [colour; 24];
                for (place, &cell) in rim.iter().enumerate() {
                    symbols[usize::from(cell)] =
                        if placement >> place & 1 == 1 { one } else { other };
                }
                goals.push(Board::new(symbols));
            }
        }
        Some(goals)
    }
}

/// The space of the placements of one colour: the symbols 0 and 1, eight of which are 1.
struct OneColour;

impl OneColour {
    fn board(placement: u32) -> Board {
        Board(u64::from(placement))
    }

    /// The number of a placement among all with eight cells: they are ordered by their upper
    /// twelve cells, and those that agree in these by their lower twelve.
    #[inline(always)]
    fn rank(placement: u32) -> u64 {
        let (low, high) = (placement as usize & 0xfff, placement as usize >> 12 & 0xfff);
        u64::from(HIGH_RANKS[high] + u32::from(LOW_RANKS[low]))
    }
}

/// The number of each mask of twelve cells among those of as many cells.
static LOW_RANKS: [u16; 1 << 12] = {
    let mut ranks = [0; 1 << 12];
    let mut counts = [0; 13];
    let mut mask = 0_usize;
    while mask < 1 << 12 {
        let ones = mask.count_ones() as usize;
        ranks[mask] = counts[ones];
        counts[ones] += 1;
        mask += 1;
    }
    ranks
};

/// How many masks of twelve cells have so many cells.
const OF_TWELVE: [u32; 13] = [1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1];

/// Where the masks of so many cells begin in [`LOW_MASKS`].
const LOW_STARTS: [usize; 13] = {
    let mut starts = [0; 13];
    let mut ones = 0;
    while ones < 12 {
        starts[ones + 1] = starts[ones] + OF_TWELVE[ones] as usize;
        ones += 1;
    }
    starts
};

/// The masks of twelve cells, by how many cells they have and then by their rank.
static LOW_MASKS: [u16; 1 << 12] = {
    let mut masks = [0; 1 << 12];
    let mut mask = 0_usize;
    while mask < 1 << 12 {
        masks[LOW_STARTS[mask.count_ones() as usize] + LOW_RANKS[mask] as usize] = mask as u16;
        mask += 1;
    }
    masks
};

/// How many placements of eight cells come before those with each mask of upper twelve cells; the
/// last is the number of all.
static HIGH_RANKS: [u32; (1 << 12) + 1] = {
    let mut ranks = [0; (1 << 12) + 1];
    let mut mask = 0_usize;
    while mask < 1 << 12 {
        let ones = mask.count_ones() as usize;
        ranks[mask + 1] = ranks[mask] + if ones <= 8 { OF_TWELVE[8 - ones] } else { 0 };
        mask += 1;
    }
    ranks
};

/// One guess in so many placements at the upper twelve cells.
const GUESS: usize = 1 << 8;

/// For every so manieth placement: its upper twelve cells. Those of another are not far above.
static HIGH_GUESSES: [u16; (HIGH_RANKS[1 << 12] as usize).div_ceil(GUESS)] = {
    let mut guesses = [0; (HIGH_RANKS[1 << 12] as usize).div_ceil(GUESS)];
    let mut high = 0;
    let mut guess = 0;
    while guess < guesses.len() {
        while HIGH_RANKS[high + 1] as usize <= guess * GUESS {
            high += 1;
        }
        guesses[guess] = high as u16;
        guess += 1;
    }
    guesses
};

impl Space for OneColour {
    type State = Board;
    /// The cells that change.
    type Move = u32;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        (0..8).try_for_each(|mv| {
            let mut turned = *board;
            turned.turn(mv);
            visitor.visit(board, (turned.0 ^ board.0) as u32)
        })
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, changes: u32) {
        board.0 ^= u64::from(changes);
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, changes: u32) {
        board.0 ^= u64::from(changes);
    }

    fn is_goal(&self, board: &Board) -> bool {
        CENTRE.iter().all(|&cell| board.symbol(cell) == 1)
    }
}

impl Indexed for OneColour {
    fn size(&self) -> u64 {
        u64::from(HIGH_RANKS[1 << 12])
    }

    #[inline(always)]
    fn rank(&self, board: &Board) -> u64 {
        Self::rank(board.0 as u32)
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> Board {
        let mut high = usize::from(HIGH_GUESSES[rank as usize / GUESS]);
        while u64::from(HIGH_RANKS[high + 1]) <= rank {
            high += 1;
        }
        let first = LOW_STARTS[8 - high.count_ones() as usize];
        let low = LOW_MASKS[first + rank as usize - HIGH_RANKS[high] as usize];
        Self::board((high as u32) << 12 | u32::from(low))
    }
}

/// How many boards there are at each distance; `None` if it was cancelled.
///
/// A board is three placements that share no cell. Each set of three is counted once, from the one
/// of lowest rank, and stands for six boards.
fn count_boards(table: &Table, cancel: &CancelToken) -> Option<Vec<u64>> {
    // The ways to give eight of sixteen cells to one colour and the others to another; of each two
    // that differ in the colours alone, one.
    let halves: Vec<u16> = (0..1 << 15).filter(|half: &u16| half.count_ones() == 8).collect();
    let distance = |rank| table.distance(rank, 0).unwrap_or(INFINITE) as usize;
    let count_from = |first: u64| {
        let mut counts = [0_u64; DISTANCES];
        if cancel.is_cancelled() {
            return None;
        }
        let placement = OneColour.unrank(first).0 as u32;
        let nearest = distance(first);
        let free: Vec<u32> = (0..24).filter(|cell| placement >> cell & 1 == 0).collect();
        // The cells of each byte of a half.
        let spread = |byte: usize, cells: &[u32]| {
            cells.iter().enumerate().map(|(bit, cell)| (byte as u32 >> bit & 1) << cell).sum()
        };
        let low: [u32; 256] = std::array::from_fn(|byte| spread(byte, &free[..8]));
        let high: [u32; 256] = std::array::from_fn(|byte| spread(byte, &free[8..]));
        let all = low[255] | high[255];
        for half in &halves {
            let second = low[usize::from(half & 255)] | high[usize::from(half >> 8)];
            let (second, third) = (OneColour::rank(second), OneColour::rank(all ^ second));
            if second > first && third > first {
                counts[nearest.min(distance(second)).min(distance(third))] += 6;
            }
        }
        Some(counts)
    };
    let add = |mut a: [u64; DISTANCES], b: [u64; DISTANCES]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        Some(a)
    };
    let ranks = (0..OneColour.size()).into_par_iter();
    let counts = ranks.map(count_from).try_reduce(|| [0; DISTANCES], add)?;
    let greatest = counts.iter().rposition(|&count| count > 0)?;
    Some(counts[..=greatest].to_vec())
}

/// More than the distances that a placement of a colour can have.
const DISTANCES: usize = 16;

/// The exact distance: that of the nearest colour.
struct Colours<'a>(&'a Table);

impl Colours<'_> {
    #[inline(always)]
    fn least(&self, board: Board) -> Cost {
        let distance =
            |placement| self.0.distance(OneColour::rank(placement), 0).unwrap_or(INFINITE);
        let [one, two, three] = board.placements();
        distance(one).min(distance(two)).min(distance(three))
    }
}

impl Heuristic<Lines> for Colours<'_> {
    type Value = Cost;
    type Node = ();

    const RAISES: bool = true;

    fn root(&self, _: &Lines, board: &Board) -> Cost {
        self.least(*board)
    }

    #[inline(always)]
    fn bound(&self, value: Cost) -> Cost {
        value
    }

    #[inline(always)]
    fn node(&self, _: &Lines, _: &Board, _: Cost) {}

    #[inline(always)]
    fn before(&self, _: &Lines, _: &Board, (): &(), _: u8) -> Cost {
        0
    }

    #[inline(always)]
    fn after(&self, _: &Lines, board: &Board, (): &(), _: Cost, _: u8) -> Cost {
        self.least(*board)
    }
}

/// Draws boards of a wanted distance by the table.
///
/// A board's distance is the least over its colours, so one of its colours has a wanted distance.
/// A try takes a placement of a wanted distance for a random colour, and parts the other cells
/// between the other two at random. If one of them is nearer than wanted, the board is rejected.
/// If one distance alone is wanted, a board may be drawn by each colour that has it, and is then
/// taken once in so many times; if a least distance is wanted, by all three, and so all boards
/// alike. Far fewer boards are rejected than of boards drawn without the table.
///
/// Of the greatest distance too many still would be: it has 192 boards. Where so few placements
/// are as far as wanted, the boards that they make are listed instead.
struct Sampler<'a> {
    table: &'a Table,
    wanted: Wanted,
    /// The placements of wanted distances.
    placements: Vec<u32>,
    /// The boards, if they are listed.
    boards: Option<Vec<Board>>,
}

/// How many placements are few: their pairs are gone through in a fraction of a second.
const FEW: usize = 12_000;

impl<'a> Sampler<'a> {
    fn new(table: &'a Table, wanted: Wanted) -> Self {
        let placements = |is_wanted: &dyn Fn(Cost) -> bool| -> Vec<u32> {
            let has = |&rank: &u64| table.distance(rank, 0).is_some_and(is_wanted);
            let ranks = (0..OneColour.size()).filter(has);
            ranks.map(|rank| OneColour.unrank(rank).0 as u32).collect()
        };
        let far = placements(&|distance| distance >= wanted.least());
        let placements = placements(&|distance| wanted.contains(distance));
        let mut sampler = Sampler { table, wanted, placements, boards: None };
        if far.len() <= FEW {
            sampler.boards = Some(sampler.list(&far));
        }
        sampler
    }

    fn distance(&self, placement: u32) -> Cost {
        self.table.distance(OneColour::rank(placement), 0).unwrap_or(INFINITE)
    }

    /// All boards of a wanted distance whose colours all have one of these placements.
    fn list(&self, placements: &[u32]) -> Vec<Board> {
        let mut boards = Vec::new();
        for &one in placements {
            for &two in placements.iter().filter(|&two| one & two == 0) {
                let three = !(one | two) & ALL_CELLS;
                let distances = [one, two, three].map(|placement| self.distance(placement));
                if distances.iter().min().is_some_and(|&least| self.wanted.contains(least)) {
                    boards.push(Board::of_placements([one, two, three]));
                }
            }
        }
        boards
    }

    /// Tries once.
    fn draw(&self, random: &mut Random) -> Option<Board> {
        if let Some(boards) = &self.boards {
            return (!boards.is_empty()).then(|| boards[random.index(boards.len())]);
        }
        let first = self.placements[random.index(self.placements.len())];
        let mut free = CELLS.into_iter().filter(|cell| first >> cell & 1 == 0);
        let mut others = [(); 16].map(|()| free.next().unwrap_or_default());
        // Eight of them, as the first eight after a whole shuffle.
        for place in 0..8 {
            others.swap(place, place + random.index(16 - place));
        }
        let second = others[..8].iter().fold(0, |cells, cell| cells | 1_u32 << cell);
        let third = !(first | second) & ALL_CELLS;
        let distances = [first, second, third].map(|placement| self.distance(placement));
        if distances.iter().any(|&distance| distance < self.wanted.least()) {
            return None;
        }
        if let Wanted::Exactly(wanted) = self.wanted {
            let alike = distances.iter().filter(|&&distance| distance == wanted).count();
            if random.index(alike) > 0 {
                return None;
            }
        }
        let mut placements = [first, second, third];
        placements.rotate_right(random.index(3));
        Some(Board::of_placements(placements))
    }
}

/// A count for each symbol, a byte each.
type Counts = u32;

#[inline(always)]
fn one(symbol: u32) -> Counts {
    1 << (8 * symbol)
}

fn count(board: Board, cells: [u8; 8]) -> Counts {
    cells.iter().map(|&cell| one(board.symbol(cell))).sum()
}

/// The least over the colours of what `need` says of the colour's count in each of two `Counts`.
#[inline(always)]
fn least(a: Counts, b: Counts, need: impl Fn(Counts, Counts) -> Cost) -> Cost {
    let of = |symbol: u32| need(a >> (8 * symbol) & 255, b >> (8 * symbol) & 255);
    of(1).min(of(2)).min(of(3))
}

/// The contest's bound: a move brings one symbol into the centre, so a colour needs 8 moves less
/// the number of its symbols there.
struct Centre;

impl Heuristic<Lines> for Centre {
    /// The symbols in the centre.
    type Value = Counts;
    type Node = Counts;

    fn root(&self, _: &Lines, board: &Board) -> Counts {
        count(*board, CENTRE)
    }

    #[inline(always)]
    fn bound(&self, centre: Counts) -> Cost {
        least(centre, 0, |centre, _| 8 - centre)
    }

    #[inline(always)]
    fn node(&self, _: &Lines, _: &Board, centre: Counts) -> Counts {
        centre
    }

    #[inline(always)]
    fn before(&self, _: &Lines, board: &Board, centre: &Counts, mv: u8) -> Counts {
        let line = &LINES[usize::from(mv)];
        centre - one(board.symbol(line[2])) + one(board.symbol(line[5]))
    }
}

/// The contest's bound, and one more for a colour with no symbol right before the centre: its
/// first move can't bring any in.
struct Doors;

impl Heuristic<Lines> for Doors {
    /// The symbols in the centre, and those right before it.
    type Value = (Counts, Counts);
    type Node = (Counts, Counts);

    fn root(&self, _: &Lines, board: &Board) -> (Counts, Counts) {
        (count(*board, CENTRE), count(*board, DOOR))
    }

    #[inline(always)]
    fn bound(&self, (centre, doors): (Counts, Counts)) -> Cost {
        least(centre, doors, |centre, doors| 8 - centre + Cost::from(doors == 0 && centre < 8))
    }

    #[inline(always)]
    fn node(&self, _: &Lines, _: &Board, value: (Counts, Counts)) -> (Counts, Counts) {
        value
    }

    #[inline(always)]
    fn before(
        &self,
        _: &Lines,
        board: &Board,
        (centre, doors): &(Counts, Counts),
        mv: u8,
    ) -> (Counts, Counts) {
        let at = |i: usize| one(board.symbol(LINES[usize::from(mv)][i]));
        (centre - at(2) + at(5), doors - at(1) + at(2) - at(5) + at(6))
    }
}

impl Puzzle for Rotation {
    type Space = Lines;
    type Instance = Board;

    const INFO: Info = Info {
        name: "rotation",
        summary: "Rotation Game: fill the centre of a # with one symbol",
        about: "\
A board in the shape of # has 24 cells, with eight each of 1, 2 and 3. The moves A to H shift one
of its four lines of seven cells by one; the cell that falls out at one end comes in at the other.
The centre's eight cells are to hold one symbol, with the fewest moves, and of these answers the
first in dictionary order is wanted.

Input: 24 numbers a board, cells from top to bottom and left to right; a 0 ends the boards (so does
the end of the input). Output: two lines a board, the moves or `No moves needed`, then the symbol
in the centre. Beyond a limit on cost, one line: `More than N moves needed`.

ICPC Shanghai 2004; POJ 2286, UVa 1343, HDU 1667, AcWing 181.",
        example: "1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3\n0\n",
        heuristics: &[
            Choice { name: "table", about: "exact: the distances of all placements of a colour" },
            Choice { name: "centre", about: "the contest's: 8 - most frequent symbol's count" },
            Choice { name: "doors", about: "centre, and one more if no symbol can enter at once" },
            Choice { name: "zero", about: "nothing: plain iterative deepening" },
        ],
        dialects: &[Choice { name: "judge", about: "POJ 2286 and all others" }],
        options: &[],
    };

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        let goal = OneColour::board(CENTRE.iter().fold(0, |cells, cell| cells | 1 << cell));
        let definition = "rotation: distances of all placements of a colour, order 1".into();
        let (width, tables) = (Width::Eight, &settings.tables);
        let table = LazyTable::new(OneColour, vec![goal], definition, width, tables).both_ways();
        Ok(Rotation { field: Field::new(Lines), table })
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Board, ReadError>> + 'a {
        let mut reader = Reader { tokens: Tokens::new(input), boards: 0 };
        let mut ended = false;
        std::iter::from_fn(move || {
            let board = if ended { None } else { reader.next().transpose() };
            ended = !matches!(board, Some(Ok(_)));
            board
        })
    }

    fn write(&self, boards: &[Board]) -> String {
        let symbols = |board: &Board| CELLS.map(|cell| board.symbol(cell).to_string()).join(" ");
        let boards = boards.iter().map(symbols);
        boards.chain(["0".into()]).map(|line| line + "\n").collect()
    }

    fn cost_limit(&self) -> Option<Cost> {
        None
    }

    fn field(&self, _: &Board) -> &Field<Lines> {
        &self.field
    }

    fn start(&self, board: &Board) -> Board {
        *board
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        vec![&self.table]
    }

    fn count_instances(&self, cancel: &CancelToken) -> InstanceCounts {
        match self.table.get() {
            Ok(table) => count_boards(table, cancel)
                .map_or(InstanceCounts::Stopped(Stop::Cancelled), InstanceCounts::Counted),
            Err(BuildError::Cancelled) => InstanceCounts::Stopped(Stop::Cancelled),
            Err(_) => InstanceCounts::Stopped(Stop::Memory),
        }
    }

    fn instance(&self, _: &Board, start: Board) -> Board {
        start
    }

    /// 24! / (8!)^3.
    fn instances(&self) -> Option<u128> {
        Some(9_465_511_770)
    }

    fn random(&self, random: &mut Random) -> Board {
        let mut symbols = CELLS.map(|cell| cell / 8 + 1);
        random.shuffle(&mut symbols);
        Board::new(symbols)
    }

    fn greatest_distance(&self) -> Option<Cost> {
        Some(13)
    }

    fn sampler(
        &self,
        wanted: Wanted,
    ) -> impl FnMut(&mut Random, &mut Control) -> Result<Option<Board>, Stop> + '_ {
        // (Any boards are drawn without the table.)
        let sampler = (wanted != Wanted::Any)
            .then(|| self.table.get().map(|table| Sampler::new(table, wanted)));
        move |random, _| match &sampler {
            None => Ok(Some(self.random(random))),
            Some(Ok(sampler)) => Ok(sampler.draw(random)),
            Some(Err(BuildError::Cancelled)) => Err(Stop::Cancelled),
            Some(Err(_)) => Err(Stop::Memory),
        }
    }

    fn searches(&self) -> &dyn Searches<Self> {
        self
    }

    fn run<T: Task<Lines>>(&self, _: &Board, heuristic: usize, task: T) -> T::Output {
        match heuristic {
            0 if let Ok(table) = self.table.get() => task.run(&self.field, &Colours(table)),
            // (What cancelled the table cancels the search.)
            0 | 1 => task.run(&self.field, &Centre),
            2 => task.run(&self.field, &Doors),
            _ => task.run(&self.field, &Zero),
        }
    }

    fn judge_answer(
        &self,
        _: u64,
        board: &Board,
        verdict: &Verdict<u8>,
        limit: Option<Cost>,
    ) -> String {
        let Verdict::Solved(solution) = verdict else {
            return format!("More than {} moves needed\n", limit.unwrap_or(deepen::MAX_COST));
        };
        let mut board = *board;
        solution.moves.iter().for_each(|&mv| board.turn(mv));
        let moves: String = solution.moves.iter().map(|&mv| char::from(b'A' + mv)).collect();
        let moves = if moves.is_empty() { "No moves needed" } else { &moves };
        format!("{moves}\n{}\n", board.symbol(CENTRE[0]))
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let board = format!("answer to board {}", index + 1);
        let letters = || format!("moves A to H or `No moves needed` ({board})");
        let Some(token) = answers.next()? else { return Err(answers.end(letters()).into()) };
        let words = |answers: &mut Tokens<R>, words: &[&str]| {
            words
                .iter()
                .try_for_each(|word| answers.word(word, || format!("`{word}` ({board})")).map(drop))
        };
        let is_move = |letter: &u8| matches!(letter, b'A'..=b'H');
        let place = token.place;
        let (names, mut text) = match token.text() {
            Some("No") => {
                words(answers, &["moves", "needed"])?;
                (Some(Vec::new()), "No moves needed".to_string())
            }
            Some("More") => {
                words(answers, &["than"])?;
                let expected = format!("the limit, a number ({board})");
                let limit = answers.number(0..=deepen::MAX_COST.into(), expected)?;
                words(answers, &["moves", "needed"])?;
                let text = format!("More than {limit} moves needed");
                return Ok(Answer { claim: Claim::AboveLimit(Some(limit + 1)), text, place });
            }
            Some(text) if text.as_bytes().iter().all(is_move) => {
                (Some(text.chars().map(String::from).collect()), text.to_string())
            }
            // Too long to be kept, and five times longer than any answer that is right.
            None if token.start().1.iter().all(is_move) => {
                (None, String::from_utf8_lossy(token.start().1).into_owned())
            }
            _ => return Err(token.expected(letters()).into()),
        };
        let symbol = || format!("the symbol in the centre, 1, 2 or 3 ({board})");
        let Some(second) = answers.next()? else { return Err(answers.end(symbol()).into()) };
        let Some(told @ ("1" | "2" | "3")) = second.text() else {
            return Err(second.expected(symbol()).into());
        };
        let what = "the symbol in the centre";
        let told = Told { what, text: told.to_string(), place: second.place };
        let claim = if let Some(names) = names {
            Claim::Moves(names, Some(told))
        } else {
            text.push('…');
            Claim::Cost(token.start().0 as u64)
        };
        Ok(Answer { claim, text, place })
    }

    fn told_of_goal(&self, board: &Board) -> Option<String> {
        Some(board.symbol(CENTRE[0]).to_string())
    }

    fn move_name(&self, _: &Lines, mv: u8) -> String {
        char::from(b'A' + mv).to_string()
    }

    fn draw(&self, _: &Lines, board: &Board) -> String {
        let cell = |c: u8| match c {
            b'.' => " ".to_string(),
            c => board.symbol(c - b'a').to_string(),
        };
        let row = |row: &str| row.bytes().map(cell).collect::<Vec<_>>().join(" ");
        SHAPE.iter().map(|shape| row(shape).trim_end().to_string() + "\n").collect()
    }
}

/// Reads the boards of an input.
struct Reader<R> {
    tokens: Tokens<R>,
    boards: u64,
}

impl<R: BufRead> Reader<R> {
    fn next(&mut self) -> Result<Option<Board>, ReadError> {
        let Some(first) = self.tokens.peek()? else {
            return Ok(None);
        };
        if first.text() == Some("0") {
            self.tokens.next()?;
            self.tokens.finish("nothing after the final 0")?;
            return Ok(None);
        }
        let place = first.place;
        self.boards += 1;
        let mut symbols = [0; 24];
        let mut counts = [0; 4];
        for (cell, symbol) in (1..).zip(&mut symbols) {
            let expected = || format!("1, 2 or 3 (cell {cell} of 24, board {})", self.boards);
            let Some(token) = self.tokens.next()? else {
                return Err(self.tokens.end(expected()).into());
            };
            *symbol = match token.text() {
                Some("1") => 1,
                Some("2") => 2,
                Some("3") => 3,
                _ => return Err(token.expected(expected()).into()),
            };
            counts[usize::from(*symbol)] += 1;
        }
        if counts != [0, 8, 8, 8] {
            let [_, ones, twos, threes] = counts;
            let expected = format!("eight each of 1, 2 and 3 in board {}", self.boards);
            let found = format!("{ones}, {twos} and {threes}");
            return Err(InputError { place, expected, found }.into());
        }
        Ok(Some(Board::new(symbols)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepen::moves_of;
    use std::collections::{HashMap, HashSet};

    /// The distance of every placement of one colour, a bit a cell, by plain breadth-first search
    /// over the lines as lists of cells.
    fn one_colour_distances() -> HashMap<u32, Cost> {
        let goal = CENTRE.iter().fold(0, |placement, cell| placement | 1 << cell);
        let mut distances = HashMap::from([(goal, 0)]);
        let mut layer = vec![goal];
        for distance in 1.. {
            let mut next = Vec::new();
            for placement in layer {
                for line in LINES {
                    let mut moved = placement;
                    for (to, from) in line.iter().zip(line.iter().cycle().skip(1)) {
                        moved = moved & !(1 << to) | (placement >> from & 1) << to;
                    }
                    distances.entry(moved).or_insert_with(|| {
                        next.push(moved);
                        distance
                    });
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        distances
    }

    #[test]
    fn the_table_holds_the_distances_of_all_placements_of_a_colour() {
        let rotation = Rotation::new(&Settings::default()).unwrap();
        let table = rotation.table.get().unwrap();
        let known = [
            1, 8, 44, 208, 876, 3220, 10498, 30236, 73982, 146466, 208170, 178588, 72941, 10045,
            188,
        ];
        assert_eq!(table.census(), known);
        for (placement, distance) in one_colour_distances() {
            let rank = OneColour::rank(placement);
            assert_eq!(table.distance(rank, 0), Some(distance));
            assert_eq!(OneColour.unrank(rank), OneColour::board(placement));
        }
    }

    #[test]
    fn bounds_are_admissible_and_carried_rightly_on_all_placements_of_a_colour() {
        let distances = one_colour_distances();
        assert_eq!(distances.len(), 735_471);
        for (placement, &distance) in &distances {
            // Without other symbols a bound is that of this colour alone.
            let mut board = Board::new(CELLS.map(|cell| (placement >> cell & 1) as u8));
            let (centre, doors) = (Centre.root(&Lines, &board), Doors.root(&Lines, &board));
            assert!(Centre.bound(centre) <= distance);
            assert!(Doors.bound(doors) <= distance);
            for mv in moves_of(&Lines, &board) {
                let told = (
                    Centre.before(&Lines, &board, &centre, mv),
                    Doors.before(&Lines, &board, &doors, mv),
                );
                let parent = board;
                Lines.apply(&mut board, mv);
                assert_eq!(told, (Centre.root(&Lines, &board), Doors.root(&Lines, &board)));
                Lines.undo(&mut board, mv);
                assert_eq!(board, parent);
            }
        }
    }

    /// The distances of the three colours of a board, by the table, which another test checks.
    fn colours(table: &Table, board: Board) -> [Cost; 3] {
        [1, 2, 3].map(|symbol| {
            let cells = CELLS.iter().filter(|&&cell| board.symbol(cell) == symbol);
            let placement = cells.fold(0, |cells, cell| cells | 1 << cell);
            table.distance(OneColour::rank(placement), 0).unwrap()
        })
    }

    #[test]
    fn the_furthest_boards_are_all_listed() {
        let rotation = Rotation::new(&Settings::default()).unwrap();
        let known = include_str!("../../../testdata/rotation/depth13.txt");
        let known: HashSet<Board> = rotation.read(known.as_bytes()).map(Result::unwrap).collect();
        for wanted in [Wanted::Exactly(13), Wanted::AtLeast(13)] {
            let boards = Sampler::new(rotation.table.get().unwrap(), wanted).boards.unwrap();
            assert_eq!(boards.len(), 192);
            assert_eq!(HashSet::from_iter(boards), known);
        }
        assert_eq!(
            Sampler::new(rotation.table.get().unwrap(), Wanted::Exactly(14)).boards,
            Some(Vec::new())
        );
    }

    #[test]
    fn boards_are_drawn_at_the_wanted_distances() {
        let rotation = Rotation::new(&Settings::default()).unwrap();
        let table = rotation.table.get().unwrap();
        let mut random = Random::new(1);
        for distance in 0..=13 {
            for wanted in [Wanted::Exactly(distance), Wanted::AtLeast(distance)] {
                let sampler = Sampler::new(table, wanted);
                let mut boards = std::iter::repeat_with(|| sampler.draw(&mut random)).flatten();
                for board in boards.by_ref().take(20) {
                    let least = colours(table, board).into_iter().min().unwrap();
                    assert!(wanted.contains(least), "{board:?} for {wanted:?}");
                }
            }
        }
    }

    /// Boards are sorted by which of their colours have the wanted distance, and which are
    /// one further: the classes in which a wrong sampler would draw too much or too little.
    #[test]
    fn the_sampler_draws_as_drawing_any_board_and_rejecting_does() {
        const DRAWN: usize = 20_000;
        let rotation = Rotation::new(&Settings::default()).unwrap();
        let table = rotation.table.get().unwrap();
        let mut random = Random::new(2);
        for wanted in [Wanted::Exactly(10), Wanted::AtLeast(10), Wanted::AtLeast(0)] {
            let mut counts: HashMap<[Cost; 3], [f64; 2]> = HashMap::new();
            let mut count = |board, by: usize| {
                let class = colours(table, board).map(|distance| match distance {
                    ..8 => 8,
                    12.. => 12,
                    between => between,
                });
                counts.entry(class).or_default()[by] += 1.0;
            };
            let sampler = Sampler::new(table, wanted);
            let drawn = std::iter::repeat_with(|| sampler.draw(&mut random)).flatten();
            drawn.take(DRAWN).for_each(|board| count(board, 0));
            let drawn = std::iter::repeat_with(|| rotation.random(&mut random));
            let is_wanted = |board: &Board| {
                let least = colours(table, *board).into_iter().min();
                least.is_some_and(|least| wanted.contains(least))
            };
            drawn.filter(is_wanted).take(DRAWN).for_each(|board| count(board, 1));
            // Chi-square of two samples of one size; its mean is the number of classes less one,
            // its variance twice that.
            let classes: Vec<_> = counts.values().filter(|[a, b]| a + b >= 20.0).collect();
            let sum: f64 = classes.iter().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
            let degrees = classes.len() as f64;
            assert!(classes.len() >= 7, "{wanted:?}: {counts:?}");
            assert!(sum < degrees + 5.0 * (2.0 * degrees).sqrt(), "{wanted:?}: {sum}, {counts:?}");
        }
    }
}
