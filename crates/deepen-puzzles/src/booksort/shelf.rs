//! Shelves of books and the moves between them.
//!
//! A shelf stands between two bookends, numbered 0 and n + 1, so that every place has a neighbour
//! and no bound needs a special case at the ends. The gap before place `p` is called gap `p`: gap 1
//! is at the left end, gap n + 1 at the right end. A move is named by the three gaps that it cuts.

use std::ops::ControlFlow;

use deepen::{Alphabet, Packed, Reversible, Space, Visitor};

use super::patterns::Patterns;
use crate::permutation::{bits_for, pack_bits, unpack_bits};

/// The most books that a shelf may have.
pub(super) const MOST_BOOKS: u8 = 64;

/// How long a table must be to have an entry for each place, or gap, or book, the bookends among
/// them.
pub(super) const NUMBERS: usize = MOST_BOOKS as usize + 2;

/// The books by place: the bookend 0, the books at places 1 to n, the bookend n + 1. What follows
/// is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shelf([u8; NUMBERS]);

impl Shelf {
    /// The sorted shelf.
    pub(super) fn sorted(books: u8) -> Self {
        let mut shelf = Shelf([0; NUMBERS]);
        (0..=books + 1).for_each(|place| shelf.put(place, place));
        shelf
    }

    /// The book at a place.
    #[inline(always)]
    pub(super) fn book(&self, place: u32) -> u8 {
        self.0[place as usize]
    }

    /// Puts a book at a place.
    pub(super) fn put(&mut self, place: u8, book: u8) {
        self.0[usize::from(place)] = book;
    }

    /// Whether the right neighbour is missing in a gap: whether it is a *breakpoint*.
    #[inline(always)]
    pub(super) fn is_breakpoint(&self, gap: u32) -> bool {
        self.would_break(gap, gap)
    }

    /// Whether the book before the gap `left` and the one after the gap `right` would make a
    /// breakpoint, side by side.
    #[inline(always)]
    pub(super) fn would_break(&self, left: u32, right: u32) -> bool {
        self.book(right) != self.book(left - 1) + 1
    }
}

/// A move: two neighbouring blocks change places. The one lies between the gaps `first` and
/// `second`, the other between `second` and `third`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// The gap before the left block.
    pub first: u32,
    /// The gap between the blocks.
    pub second: u32,
    /// The gap after the right block.
    pub third: u32,
}

/// The space: shelves of so many books and the block moves, in dictionary order of their gaps.
pub struct Shelves {
    /// How many books, 1 to 64.
    pub books: u8,
}

impl Shelves {
    /// How many gaps there are, those at both ends among them.
    #[inline(always)]
    pub(super) fn gaps(&self) -> u32 {
        u32::from(self.books) + 1
    }
}

impl Space for Shelves {
    type State = Shelf;
    type Move = Swap;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut Shelf,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let end = self.gaps();
        for first in 1..end {
            for second in first + 1..end {
                for third in second + 1..=end {
                    visitor.visit(state, Swap { first, second, third })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn apply(&self, state: &mut Shelf, swap: Swap) {
        let blocks = &mut state.0[swap.first as usize..swap.third as usize];
        blocks.rotate_left((swap.second - swap.first) as usize);
    }

    #[inline(always)]
    fn undo(&self, state: &mut Shelf, swap: Swap) {
        let blocks = &mut state.0[swap.first as usize..swap.third as usize];
        blocks.rotate_right((swap.second - swap.first) as usize);
    }

    #[inline(always)]
    fn is_goal(&self, state: &Shelf) -> bool {
        (1..=self.books).all(|place| state.book(place.into()) == place)
    }
}

/// How many pairs of so many gaps there are.
fn pairs(gaps: usize) -> usize {
    gaps * gaps.saturating_sub(1) / 2
}

/// How many triples of so many gaps there are.
fn triples(gaps: usize) -> usize {
    pairs(gaps) * gaps.saturating_sub(2) / 3
}

impl Alphabet for Shelves {
    type Inverse = Patterns;
    type Pruning = Patterns;

    fn letters(&self) -> usize {
        triples(self.gaps() as usize)
    }

    #[inline(always)]
    fn letter(&self, Swap { first, second, third }: Swap) -> usize {
        let [gaps, first, second, third] =
            [self.gaps(), first, second, third].map(|gap| gap as usize);
        // Those with an earlier first gap, with that and an earlier second, with both and an
        // earlier third.
        let earlier_first = triples(gaps) - triples(gaps + 1 - first);
        let earlier_second = pairs(gaps - first) - pairs(gaps + 1 - second);
        earlier_first + earlier_second + (third - second - 1)
    }

    /// All books of the sorted shelf are different: it alone tells all words apart.
    fn contexts(&self) -> Vec<Vec<Shelf>> {
        vec![vec![Shelf::sorted(self.books)]]
    }
}

/// The books from left to right, each in as few bits as tell all apart: eight bytes for 15 books.
impl Packed for Shelves {
    fn key_bytes(&self) -> usize {
        (usize::from(self.books) * bits_for(self.books) as usize).div_ceil(8)
    }

    #[inline]
    fn pack(&self, state: &Shelf, key: &mut [u8]) {
        let books = (1..=self.books.into()).map(|place| state.book(place) - 1);
        pack_bits(bits_for(self.books), books, key);
    }

    #[inline]
    fn unpack(&self, key: &[u8]) -> Shelf {
        let mut state = Shelf::sorted(self.books);
        let books = unpack_bits(bits_for(self.books), key);
        (1..=self.books).zip(books).for_each(|(place, book)| state.put(place, book + 1));
        state
    }
}

/// Swapping the blocks back takes a move back.
impl Reversible for Shelves {
    fn goals(&self) -> Option<Vec<Shelf>> {
        Some(vec![Shelf::sorted(self.books)])
    }
}
