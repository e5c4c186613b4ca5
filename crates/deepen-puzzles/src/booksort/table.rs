//! All orders of a few books, numbered.
//!
//! An order is a number of four bits a book, that of the first place lowest, so that swapping two
//! blocks is a handful of shifts. Orders are numbered as in a dictionary, by how many of the books
//! not yet placed are less than the next (Lehmer's code).

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::shelf::Shelf;

/// The most books of which a table is made: 3,628,800 orders.
pub(super) const MOST_IN_TABLE: u8 = 10;

/// The space of all orders of so many books.
pub(super) struct Orders {
    books: u8,
    /// The gaps of each move, counted from 0.
    moves: Vec<Cuts>,
}

/// Four bits a place: the book there, counted from 0.
pub(super) type Order = u64;

/// A move: the three gaps that it cuts.
#[derive(Clone, Copy)]
pub(super) struct Cuts {
    first: u8,
    second: u8,
    third: u8,
}

impl Orders {
    pub(super) fn new(books: u8) -> Self {
        let mut moves = Vec::new();
        for first in 0..books {
            for second in first + 1..books {
                moves.extend((second + 1..=books).map(|third| Cuts { first, second, third }));
            }
        }
        Orders { books, moves }
    }

    pub(super) fn sorted(&self) -> Order {
        (0..self.books).map(|place| u64::from(place) << (4 * place)).sum()
    }

    /// The order of a shelf's books.
    #[inline(always)]
    pub(super) fn pack(&self, state: &Shelf) -> Order {
        let book = |place: u8| u64::from(state.book(u32::from(place) + 1)) - 1;
        (0..self.books).fold(0, |packed, place| packed | book(place) << (4 * place))
    }
}

impl Space for Orders {
    type State = Order;
    type Move = Cuts;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        order: &mut Order,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        self.moves.iter().try_for_each(|&cuts| visitor.visit(order, cuts))
    }

    #[inline(always)]
    fn apply(&self, order: &mut Order, Cuts { first, second, third }: Cuts) {
        let below = |gap: u8| (1_u64 << (4 * gap)) - 1;
        let left = *order & (below(second) ^ below(first));
        let right = *order & (below(third) ^ below(second));
        *order ^= left ^ right ^ left << (4 * (third - second)) ^ right >> (4 * (second - first));
    }

    #[inline(always)]
    fn undo(&self, order: &mut Order, Cuts { first, second, third }: Cuts) {
        self.apply(order, Cuts { first, second: first + third - second, third });
    }

    fn is_goal(&self, order: &Order) -> bool {
        *order == self.sorted()
    }
}

impl Indexed for Orders {
    fn size(&self) -> u64 {
        (1..=u64::from(self.books)).product()
    }

    #[inline(always)]
    fn rank(&self, order: &Order) -> u64 {
        let mut left = (1_u32 << self.books) - 1;
        let mut rank = 0;
        for place in 0..self.books {
            let book = *order >> (4 * place) & 15;
            let less = left & ((1 << book) - 1);
            rank = rank * u64::from(self.books - place) + u64::from(less.count_ones());
            left ^= 1 << book;
        }
        rank
    }

    fn unrank(&self, mut rank: u64) -> Order {
        let mut digits = [0; MOST_IN_TABLE as usize];
        for place in (0..self.books).rev() {
            let radix = u64::from(self.books - place);
            digits[usize::from(place)] = rank % radix;
            rank /= radix;
        }
        // The books not yet placed, in order.
        let mut left = self.sorted();
        let mut order = 0;
        for place in 0..self.books {
            let digit = 4 * digits[usize::from(place)];
            order |= (left >> digit & 15) << (4 * place);
            let below = (1 << digit) - 1;
            left = left & below | left >> 4 & !below;
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::booksort::shelf::Shelves;
    use deepen::moves_of;

    #[test]
    fn orders_are_numbered_in_dictionary_order_without_a_gap() {
        for books in 1..=8 {
            let orders = Orders::new(books);
            let lists = (0..orders.size()).map(|rank| {
                let order = orders.unrank(rank);
                assert_eq!(orders.rank(&order), rank);
                let list: Vec<u64> = (0..books).map(|place| order >> (4 * place) & 15).collect();
                let mut sorted = list.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..books.into()));
                list
            });
            assert!(lists.collect::<Vec<_>>().is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn moves_do_to_an_order_what_they_do_to_a_shelf() {
        for books in 1..=MOST_IN_TABLE {
            let (orders, shelves) = (Orders::new(books), Shelves { books });
            let (mut order, mut shelf) = (orders.sorted(), Shelf::sorted(books));
            for step in 0..100 {
                let mut both =
                    moves_of(&orders, &order).into_iter().zip(moves_of(&shelves, &shelf));
                assert_eq!(both.len(), moves_of(&shelves, &shelf).len());
                for (cuts, swap) in both.clone() {
                    let before = order;
                    orders.apply(&mut order, cuts);
                    shelves.apply(&mut shelf, swap);
                    assert_eq!(orders.pack(&shelf), order);
                    orders.undo(&mut order, cuts);
                    shelves.undo(&mut shelf, swap);
                    assert_eq!(order, before);
                }
                let count = both.len();
                if let Some((cuts, swap)) = both.nth(step * 37 % count.max(1)) {
                    orders.apply(&mut order, cuts);
                    shelves.apply(&mut shelf, swap);
                }
            }
        }
    }
}
