//! All orders of a few books, numbered.
//!
//! An order is a number of four bits a book, so that swapping two blocks is a handful of shifts.

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::shelf::Shelf;
use crate::permutation::{self, Order};

/// The space of all orders of so many books.
pub(super) struct Orders {
    books: u8,
    /// The gaps of each move, counted from 0.
    moves: Vec<Cuts>,
}

/// A move: the three gaps that it cuts.
#[derive(Clone, Copy, PartialEq)]
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
        *order == permutation::sorted(self.books)
    }
}

impl Indexed for Orders {
    fn size(&self) -> u64 {
        permutation::orders(self.books)
    }

    #[inline(always)]
    fn rank(&self, order: &Order) -> u64 {
        permutation::rank(self.books, *order)
    }

    fn unrank(&self, rank: u64) -> Order {
        permutation::unrank(self.books, rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::booksort::shelf::Shelves;
    use crate::permutation::MOST_IN_TABLE;
    use deepen::moves_of;

    #[test]
    fn moves_do_to_an_order_what_they_do_to_a_shelf() {
        for books in 1..=MOST_IN_TABLE {
            let (orders, shelves) = (Orders::new(books), Shelves { books });
            let (mut order, mut shelf) = (permutation::sorted(books), Shelf::sorted(books));
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
