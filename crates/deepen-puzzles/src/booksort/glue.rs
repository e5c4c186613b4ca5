//! Shelves with their right neighbours glued together.
//!
//! Books that stand in the right order side by side, the bookends among them, may be glued into
//! one: it changes no distance (Christie, *Genome rearrangement problems*, 1998). What is left has
//! no right neighbours, and many shelves become the same.

use super::shelf::{NUMBERS, Shelf};
use crate::permutation::Order;

/// A shelf without right neighbours.
pub(super) struct Glued {
    /// How many books are left.
    pub(super) number: u8,
    /// By place, from 0: the book, counted from 0.
    books: [u8; NUMBERS],
}

/// A glued shelf in a number, if it is no longer than [`MOST_IN_KEY`].
pub(super) type Key = u128;

/// The most books of a key: five bits each.
pub(super) const MOST_IN_KEY: u8 = 25;

impl Glued {
    /// Glues the shelf of so many books together.
    #[inline(always)]
    pub(super) fn new(number: u8, shelf: &Shelf) -> Self {
        let end = u32::from(number) + 1;
        // Of each strip of books in order the first one stays, but for those glued to a bookend.
        let mut stays = [0_u8; NUMBERS];
        let mut last = 0;
        for gap in 1..end {
            if shelf.is_breakpoint(gap) {
                last = usize::from(shelf.book(gap));
                stays[last] = 1;
            }
        }
        if !shelf.is_breakpoint(end) {
            stays[last] = 0;
        }
        let mut names = [0_u8; NUMBERS];
        let mut name = 0;
        for book in 1..=usize::from(number) {
            names[book] = name;
            name += stays[book];
        }
        let mut books = [0; NUMBERS];
        let mut place = 0_u8;
        for at in 1..end {
            let book = usize::from(shelf.book(at));
            books[usize::from(place)] = names[book];
            place += stays[book];
        }
        Glued { number: place, books }
    }

    /// As an order of so many books, no fewer than these, with all others at their places.
    #[inline(always)]
    pub(super) fn order(&self, number: u8) -> Order {
        let book = |place| if place < self.number { self.books[usize::from(place)] } else { place };
        (0..number).fold(0, |order, place| order | u64::from(book(place)) << (4 * place))
    }

    /// As a key. The last book is never at its place, so no other number of books has the same.
    #[inline(always)]
    pub(super) fn key(&self) -> Option<Key> {
        let book = |place: u8| Key::from(self.books[usize::from(place)] ^ place) << (5 * place);
        (self.number <= MOST_IN_KEY).then(|| (0..self.number).map(book).sum())
    }
}
