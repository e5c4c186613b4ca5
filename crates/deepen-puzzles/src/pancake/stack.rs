//! Stacks of pancakes and the flips between them.

use std::ops::ControlFlow;

use deepen::{Alphabet, Automaton, Packed, Reversible, Space, Visitor};

use crate::permutation::{bits_for, pack_bits, unpack_bits};

/// The most pancakes that a stack may have.
pub(super) const MOST_PANCAKES: u8 = 64;

/// How long a table must be to have an entry for each pancake and the plate.
pub(super) const NUMBERS: usize = MOST_PANCAKES as usize + 1;

/// The pancakes from the top down, the smallest being 1, and under them the plate, which counts as
/// one size larger than the largest. What follows is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack([u8; LENGTH]);

/// The pancakes and the plate, and what is left of eight bytes.
const LENGTH: usize = NUMBERS.next_multiple_of(8);

impl Stack {
    /// The sorted stack.
    pub(super) fn sorted(pancakes: u8) -> Self {
        let mut stack = Stack([0; LENGTH]);
        (1..=pancakes + 1).for_each(|size| stack.put(size - 1, size));
        stack
    }

    /// What lies under so many pancakes: a pancake or the plate.
    #[inline(always)]
    pub(super) fn under(&self, pancakes: u8) -> u8 {
        self.0[usize::from(pancakes)]
    }

    /// How many pancakes lie above one, or above the plate, that is there.
    #[inline(always)]
    pub(super) fn above(&self, pancake: u8) -> u8 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let everywhere = ONES * u64::from(pancake);
        let mut above = 0;
        for &eight in self.0.as_chunks::<8>().0 {
            // The lowest byte that is 0 borrows first.
            let differs = u64::from_le_bytes(eight) ^ everywhere;
            let equal = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
            if equal != 0 {
                return above + (equal.trailing_zeros() / 8) as u8;
            }
            above += 8;
        }
        above
    }

    /// Puts a pancake under so many.
    pub(super) fn put(&mut self, under: u8, pancake: u8) {
        self.0[usize::from(under)] = pancake;
    }
}

/// The space: stacks of so many pancakes. A move tells how many of them are flipped, from 2 on.
pub struct Flips {
    /// How many pancakes, 1 to 64.
    pub pancakes: u8,
}

impl Space for Flips {
    type State = Stack;
    type Move = u8;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut Stack,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        (2..=self.pancakes).try_for_each(|flipped| visitor.visit(state, flipped))
    }

    #[inline(always)]
    fn apply(&self, state: &mut Stack, flipped: u8) {
        state.0[..usize::from(flipped)].reverse();
    }

    #[inline(always)]
    fn undo(&self, state: &mut Stack, flipped: u8) {
        self.apply(state, flipped);
    }

    #[inline(always)]
    fn is_goal(&self, state: &Stack) -> bool {
        (0..self.pancakes).all(|above| state.under(above) == above + 1)
    }
}

impl Alphabet for Flips {
    type Inverse = Automaton;
    type Pruning = Automaton;

    fn letters(&self) -> usize {
        usize::from(self.pancakes) - 1
    }

    #[inline(always)]
    fn letter(&self, flipped: u8) -> usize {
        usize::from(flipped) - 2
    }

    /// All pancakes of the sorted stack are different: it alone tells all words apart.
    fn contexts(&self) -> Vec<Vec<Stack>> {
        vec![vec![Stack::sorted(self.pancakes)]]
    }
}

/// The pancakes from the top down, each in as few bits as tell all apart.
impl Packed for Flips {
    fn key_bytes(&self) -> usize {
        (usize::from(self.pancakes) * bits_for(self.pancakes) as usize).div_ceil(8)
    }

    #[inline]
    fn pack(&self, state: &Stack, key: &mut [u8]) {
        let pancakes = (0..self.pancakes).map(|above| state.under(above) - 1);
        pack_bits(bits_for(self.pancakes), pancakes, key);
    }

    #[inline]
    fn unpack(&self, key: &[u8]) -> Stack {
        let mut state = Stack::sorted(self.pancakes);
        let pancakes = unpack_bits(bits_for(self.pancakes), key);
        (0..self.pancakes).zip(pancakes).for_each(|(above, pancake)| state.put(above, pancake + 1));
        state
    }
}

/// A flip takes itself back.
impl Reversible for Flips {
    fn goals(&self) -> Option<Vec<Stack>> {
        Some(vec![Stack::sorted(self.pancakes)])
    }
}
