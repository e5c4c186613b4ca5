//! Shelves of books and the moves between them.
//!
//! A shelf stands between two bookends, numbered 0 and n + 1, so that every place has a neighbour
//! and no bound needs a special case at the ends. The gap before place `p` is called gap `p`: gap 1
//! is at the left end, gap n + 1 at the right end. A move is named by the three gaps that it cuts.

use std::ops::ControlFlow;

use deepen::{Alphabet, Space, Visitor};

use super::patterns::Patterns;

/// The most books that a shelf may have.
pub(super) const MOST_BOOKS: usize = 64;

/// The books by place: the bookend 0, the books at places 1 to n, the bookend n + 1. What follows
/// is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shelf([u8; MOST_BOOKS + 2]);

impl Shelf {
    /// The sorted shelf.
    pub(super) fn sorted(books: u8) -> Self {
        let mut shelf = Shelf([0; MOST_BOOKS + 2]);
        (0..=books + 1).for_each(|place| shelf.put(place, place));
        shelf
    }

    /// The book at a place.
    #[inline(always)]
    pub(super) fn book(&self, place: u8) -> u8 {
        self.0[usize::from(place)]
    }

    /// Puts a book at a place.
    pub(super) fn put(&mut self, place: u8, book: u8) {
        self.0[usize::from(place)] = book;
    }

    /// Whether the right neighbour is missing in a gap: whether it is a *breakpoint*.
    #[inline(always)]
    pub(super) fn is_breakpoint(&self, gap: u8) -> bool {
        self.would_break(gap, gap)
    }

    /// Whether the book before the gap `left` and the one after the gap `right` would make a
    /// breakpoint, side by side.
    #[inline(always)]
    pub(super) fn would_break(&self, left: u8, right: u8) -> bool {
        self.book(right) != self.book(left - 1) + 1
    }
}

/// A move: two neighbouring blocks change places. The one lies between the gaps `first` and
/// `second`, the other between `second` and `third`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// The gap before the left block.
    pub first: u8,
    /// The gap between the blocks.
    pub second: u8,
    /// The gap after the right block.
    pub third: u8,
    /// Its running number in dictionary order.
    pub letter: u16,
}

/// The space: shelves of so many books and the block moves, in dictionary order of their gaps.
pub struct Shelves {
    /// How many books, 1 to 64.
    pub books: u8,
}

impl Space for Shelves {
    type State = Shelf;
    type Move = Swap;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        shelf: &mut Shelf,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let end = self.books + 1;
        let mut letter = 0;
        for first in 1..end {
            for second in first + 1..end {
                for third in second + 1..=end {
                    visitor.visit(shelf, Swap { first, second, third, letter })?;
                    letter += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn apply(&self, shelf: &mut Shelf, swap: Swap) {
        let blocks = &mut shelf.0[usize::from(swap.first)..usize::from(swap.third)];
        blocks.rotate_left(usize::from(swap.second - swap.first));
    }

    #[inline(always)]
    fn undo(&self, shelf: &mut Shelf, swap: Swap) {
        let blocks = &mut shelf.0[usize::from(swap.first)..usize::from(swap.third)];
        blocks.rotate_right(usize::from(swap.second - swap.first));
    }

    #[inline(always)]
    fn is_goal(&self, shelf: &Shelf) -> bool {
        (1..=self.books).all(|place| shelf.book(place) == place)
    }
}

impl Alphabet for Shelves {
    type Pruning = Patterns;

    fn letters(&self) -> usize {
        let gaps = usize::from(self.books) + 1;
        gaps * (gaps - 1) * (gaps - 2) / 6
    }

    #[inline(always)]
    fn letter(&self, swap: Swap) -> usize {
        usize::from(swap.letter)
    }

    /// All books of the sorted shelf are different: it alone tells all words apart.
    fn contexts(&self) -> Vec<Vec<Shelf>> {
        vec![vec![Shelf::sorted(self.books)]]
    }
}
