//! All stacks of a few pancakes, numbered: an order is a number of four bits a pancake, the top
//! lowest.

use std::ops::ControlFlow;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::stack::Stack;
use crate::permutation::{self, Order};

/// The space of all stacks of so many pancakes.
pub(super) struct Orders {
    pancakes: u8,
}

impl Orders {
    pub(super) fn new(pancakes: u8) -> Self {
        Orders { pancakes }
    }

    /// The order of a stack's pancakes.
    #[inline(always)]
    pub(super) fn pack(&self, stack: &Stack) -> Order {
        let pancake = |above| u64::from(stack.under(above)) - 1;
        (0..self.pancakes).fold(0, |packed, above| packed | pancake(above) << (4 * above))
    }
}

impl Space for Orders {
    type State = Order;
    /// How many pancakes are flipped.
    type Move = u8;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        order: &mut Order,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        (2..=self.pancakes).try_for_each(|flipped| visitor.visit(order, flipped))
    }

    #[inline(always)]
    fn apply(&self, order: &mut Order, flipped: u8) {
        // All sixteen nibbles are reversed: bytes first, then the two nibbles of each.
        let bytes = order.swap_bytes();
        let reversed = bytes >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (bytes & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let below = (1_u64 << (4 * flipped)) - 1;
        *order = *order & !below | reversed >> (4 * (16 - flipped));
    }

    #[inline(always)]
    fn undo(&self, order: &mut Order, flipped: u8) {
        self.apply(order, flipped);
    }

    fn is_goal(&self, order: &Order) -> bool {
        *order == permutation::sorted(self.pancakes)
    }
}

impl Indexed for Orders {
    fn size(&self) -> u64 {
        permutation::orders(self.pancakes)
    }

    #[inline(always)]
    fn rank(&self, order: &Order) -> u64 {
        permutation::rank(self.pancakes, *order)
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> Order {
        permutation::unrank(self.pancakes, rank)
    }
}
