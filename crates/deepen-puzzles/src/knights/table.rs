//! All boards of a size, numbered.
//!
//! Boards are ordered by the blank's cell, then by the other cells taken together, without a gap:
//! first by their upper half, then by their lower half. How many boards come before each upper
//! half, and the number of each lower half among those of as many black knights, is looked up. Of
//! the standard game's 24 cells a half has 12, and the look-ups take a few tens of kilobytes.

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::{Board, Jumps, narrow};

/// The most cells that a half may have.
const MOST_CELLS: usize = 14;

/// The most boards that a table is made of.
const MOST_BOARDS: u64 = 1 << 30;

/// One guess in so many boards at the upper half: see [`Numbers::guesses`].
const GUESS: usize = 1 << 8;

/// The space of [`Jumps`] for tables: the same boards, numbered, and the same jumps, with no more
/// to each than its cells.
pub(super) struct Numbered {
    goal: Board,
    /// The cells from which a knight can jump into each cell.
    into: Vec<Vec<u8>>,
    numbers: Numbers,
}

/// How the boards with the blank in one cell are numbered.
struct Numbers {
    /// How many cells the lower half has.
    low_cells: usize,
    /// By lower half: its number among those with as many ones.
    low_ranks: Vec<u32>,
    /// By number of ones, and then by number: the lower half.
    low_masks: Vec<Vec<u16>>,
    /// By upper half: how many boards come before; the last is the number of all.
    high_ranks: Vec<u32>,
    /// For every so manieth board ([`GUESS`]): its upper half. That of another is not far above.
    guesses: Vec<u16>,
    /// By upper half: how many ones the lower half has.
    low_ones: Vec<u8>,
}

impl Numbers {
    /// Numbers the ways to fill so many cells with so many ones; `None` if there are too many.
    fn new(cells: usize, ones: usize) -> Option<Self> {
        let low_cells = cells / 2;
        let high_cells = cells - low_cells;
        if high_cells > MOST_CELLS {
            return None;
        }
        let mut low_masks = vec![Vec::new(); cells + 1];
        let mut low_ranks = Vec::new();
        for mask in 0..1_u16 << low_cells {
            let equals = &mut low_masks[mask.count_ones() as usize];
            low_ranks.push(equals.len() as u32);
            equals.push(mask);
        }
        let mut high_ranks = vec![0];
        let mut low_ones = Vec::new();
        let mut guesses = Vec::new();
        let mut rank = 0;
        for mask in 0..1_u16 << high_cells {
            let left = ones.checked_sub(mask.count_ones() as usize);
            rank += left.map_or(0, |left| low_masks[left].len());
            low_ones.push(narrow(left.unwrap_or(0)));
            high_ranks.push(u32::try_from(rank).ok()?);
            guesses.resize(rank.div_ceil(GUESS), mask);
        }
        Some(Numbers { low_cells, low_ranks, low_masks, high_ranks, guesses, low_ones })
    }

    fn size(&self) -> u64 {
        self.high_ranks.last().map_or(0, |&size| size.into())
    }

    #[inline(always)]
    fn rank(&self, ones: u64) -> u64 {
        let low = ones & ((1 << self.low_cells) - 1);
        let high = ones >> self.low_cells;
        u64::from(self.high_ranks[high as usize] + self.low_ranks[low as usize])
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> u64 {
        let rank = rank as usize;
        let mut high = usize::from(self.guesses[rank / GUESS]);
        while self.high_ranks[high + 1] as usize <= rank {
            high += 1;
        }
        let masks = &self.low_masks[usize::from(self.low_ones[high])];
        let low = masks[rank - self.high_ranks[high] as usize];
        (high as u64) << self.low_cells | u64::from(low)
    }
}

impl Numbered {
    /// Numbers the boards of a space; `None` if there are too many for a table.
    pub(super) fn new(jumps: &Jumps) -> Option<Self> {
        let numbers = Numbers::new(jumps.cells() - 1, jumps.goal.ones.count_ones() as usize)?;
        let into = jumps.into.iter().map(|into| into.iter().map(|jump| jump.from).collect());
        let numbered = Numbered { goal: jumps.goal, into: into.collect(), numbers };
        (numbered.size() <= MOST_BOARDS).then_some(numbered)
    }
}

impl Space for Numbered {
    type State = Board;
    /// The cells that the knight leaves and enters.
    type Move = (u8, u8);

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        board: &mut Board,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let to = board.blank;
        self.into[usize::from(to)].iter().try_for_each(|&from| visitor.visit(board, (from, to)))
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, (from, to): (u8, u8)) {
        let knight = board.ones >> from & 1;
        board.ones = board.ones & !(1 << from) | knight << to;
        board.blank = from;
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, (from, to): (u8, u8)) {
        self.apply(board, (to, from));
    }

    fn is_goal(&self, board: &Board) -> bool {
        *board == self.goal
    }
}

impl Indexed for Numbered {
    fn size(&self) -> u64 {
        self.into.len() as u64 * self.numbers.size()
    }

    #[inline(always)]
    fn rank(&self, board: &Board) -> u64 {
        let below = board.ones & ((1 << board.blank) - 1);
        let above = board.ones >> 1 >> board.blank << board.blank;
        u64::from(board.blank) * self.numbers.size() + self.numbers.rank(below | above)
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> Board {
        let blank = rank / self.numbers.size();
        let ones = self.numbers.unrank(rank % self.numbers.size());
        let below = ones & ((1 << blank) - 1);
        Board { ones: (ones ^ below) << 1 | below, blank: blank as u8 }
    }
}
