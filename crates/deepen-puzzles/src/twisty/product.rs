//! Products of coordinates: the spaces that tables are of.
//!
//! A state is a number for each of some coordinates; its rank is the number that they are digits
//! of. A product of coordinates that tell all of a puzzle is the puzzle itself, only with states
//! among them that can't be reached; any other is a coarser picture of it.

use std::ops::ControlFlow;
use std::sync::Arc;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::coordinate::{Coordinate, NOWHERE};
use super::space::{State, Twists};

/// The most coordinates that a product has.
pub(super) const MOST: usize = 8;

/// A product of coordinates.
pub(super) struct Product {
    pub(super) coordinates: Vec<Arc<Coordinate>>,
    /// What a step of each coordinate adds to the rank.
    pub(super) strides: Vec<u64>,
    size: u64,
    letters: usize,
    inverses: Vec<u16>,
    /// Whether some moves can't be made everywhere.
    guarded: bool,
}

impl Product {
    /// The product of at most [`MOST`] coordinates; `None` if it is too large for a number.
    pub(super) fn new(space: &Twists, coordinates: Vec<Arc<Coordinate>>) -> Option<Self> {
        let mut strides = vec![0; coordinates.len()];
        let mut size = 1_u64;
        for (stride, coordinate) in strides.iter_mut().zip(&coordinates).rev() {
            *stride = size;
            size = size.checked_mul(coordinate.size().into())?;
        }
        let guarded = coordinates.iter().any(|coordinate| coordinate.next().contains(&NOWHERE));
        (coordinates.len() <= MOST).then(|| Product {
            coordinates,
            strides,
            size,
            letters: space.letters.len(),
            inverses: space.moves.inverses.clone(),
            guarded,
        })
    }

    /// The rank of the picture with these numbers.
    #[inline(always)]
    pub(super) fn rank_of(&self, numbers: &[u32]) -> u64 {
        let digits = numbers.iter().zip(&self.strides);
        digits.map(|(&number, &stride)| u64::from(number) * stride).sum()
    }

    /// The picture of a state, if it can be reached.
    pub(super) fn picture(&self, space: &Twists, state: &State) -> Option<[u32; MOST]> {
        let mut picture = [0; MOST];
        for (number, coordinate) in picture.iter_mut().zip(&self.coordinates) {
            *number = coordinate.number(space, state)?;
        }
        Some(picture)
    }

    #[inline(always)]
    fn follow(&self, picture: &mut [u32; MOST], letter: u16) {
        for (number, coordinate) in picture.iter_mut().zip(&self.coordinates) {
            *number = coordinate.next()[*number as usize * self.letters + usize::from(letter)];
        }
    }

    fn can_be_made(&self, picture: &[u32; MOST], letter: u16) -> bool {
        let mut numbers = picture.iter().zip(&self.coordinates);
        numbers.all(|(&number, coordinate)| {
            coordinate.next()[number as usize * self.letters + usize::from(letter)] != NOWHERE
        })
    }
}

impl Space for Product {
    type State = [u32; MOST];
    type Move = u16;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        picture: &mut [u32; MOST],
        visitor: &mut V,
    ) -> ControlFlow<()> {
        for letter in 0..self.letters as u16 {
            if !self.guarded || self.can_be_made(picture, letter) {
                visitor.visit(picture, letter)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn apply(&self, picture: &mut [u32; MOST], letter: u16) {
        self.follow(picture, letter);
    }

    #[inline(always)]
    fn undo(&self, picture: &mut [u32; MOST], letter: u16) {
        self.follow(picture, self.inverses[usize::from(letter)]);
    }

    /// The solved state's picture has number 0 in all coordinates.
    fn is_goal(&self, picture: &[u32; MOST]) -> bool {
        picture.iter().all(|&number| number == 0)
    }
}

impl Indexed for Product {
    fn size(&self) -> u64 {
        self.size
    }

    #[inline(always)]
    fn rank(&self, picture: &[u32; MOST]) -> u64 {
        self.rank_of(picture)
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> [u32; MOST] {
        let mut picture = [0; MOST];
        let mut rest = rank;
        for (number, &stride) in picture.iter_mut().zip(&self.strides) {
            *number = (rest / stride) as u32;
            rest %= stride;
        }
        picture
    }
}
