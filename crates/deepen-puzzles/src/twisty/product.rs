//! Products of coordinates: the spaces that tables are of.
//!
//! A state is a number for each of some coordinates; its rank is the number that they are digits
//! of, or where the product is *reduced* ([`Reduction`]) one that symmetric states share. A product
//! of coordinates that tell all of a puzzle is the puzzle itself, only with states among them that
//! can't be reached; any other is a coarser picture of it.

use std::ops::ControlFlow;
use std::sync::Arc;

use deepen::table::Indexed;
use deepen::{Space, Visitor};

use super::coordinate::{Coordinate, NOWHERE};
use super::reduce::{Reduction, Rotations};
use super::space::{State, Twists};

/// The most coordinates that a product has.
pub(super) const MOST: usize = 8;

/// A product of coordinates.
pub(super) struct Product {
    pub(super) coordinates: Vec<Arc<Coordinate>>,
    /// What a step of each coordinate adds to the rank, if it is not reduced.
    strides: Vec<u64>,
    pictures: u64,
    reduction: Option<Reduction>,
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
        let guarded = coordinates.iter().any(|coordinate| coordinate.is_guarded());
        (coordinates.len() <= MOST).then(|| Product {
            coordinates,
            strides,
            pictures: size,
            reduction: None,
            letters: space.letters.len(),
            inverses: space.moves.inverses.clone(),
            guarded,
        })
    }

    /// The same product reduced by the symmetries that it has; `None` if it has none.
    pub(super) fn reduced(&self, space: &Twists, rotations: &Rotations) -> Option<Self> {
        let reduction = Reduction::new(rotations, &self.coordinates)?;
        let product = Self::new(space, reduction.coordinates())?;
        Some(Product { reduction: Some(reduction), ..product })
    }

    /// How it is reduced.
    pub(super) fn reduction(&self) -> Option<&Reduction> {
        self.reduction.as_ref()
    }

    /// How many pictures there are, whether or not they share their numbers.
    pub(super) fn pictures(&self) -> u64 {
        self.pictures
    }

    /// The rank of a picture: from the coordinates' numbers, so many as there are coordinates.
    #[inline(always)]
    pub(super) fn rank_of(&self, numbers: &[u32]) -> u64 {
        if let Some(reduction) = &self.reduction {
            return reduction.rank(numbers);
        }
        let digits = numbers.iter().zip(&self.strides);
        digits.map(|(&number, &stride)| u64::from(number) * stride).sum()
    }

    /// Has what [`rank_of`](Product::rank_of) needs brought near.
    #[inline(always)]
    pub(super) fn prefetch(&self, numbers: &[u32]) {
        if let Some(reduction) = &self.reduction {
            reduction.prefetch(numbers);
        }
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
            *number = coordinate.next().at(*number as usize * self.letters + usize::from(letter));
        }
    }

    fn can_be_made(&self, picture: &[u32; MOST], letter: u16) -> bool {
        let mut numbers = picture.iter().zip(&self.coordinates);
        numbers.all(|(&number, coordinate)| {
            coordinate.next().at(number as usize * self.letters + usize::from(letter)) != NOWHERE
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
        self.reduction.as_ref().map_or(self.pictures, Reduction::size)
    }

    #[inline(always)]
    fn rank(&self, picture: &[u32; MOST]) -> u64 {
        self.rank_of(&picture[..self.coordinates.len()])
    }

    #[inline(always)]
    fn unrank(&self, rank: u64) -> [u32; MOST] {
        let mut picture = [0; MOST];
        if let Some(reduction) = &self.reduction {
            reduction.unrank(rank, &mut picture[..self.coordinates.len()]);
            return picture;
        }
        let mut rest = rank;
        for (number, &stride) in picture.iter_mut().zip(&self.strides) {
            *number = (rest / stride) as u32;
            rest %= stride;
        }
        picture
    }

    #[inline(always)]
    fn for_each_twin(&self, rank: u64, twin: impl FnMut(u64)) {
        if let Some(reduction) = &self.reduction {
            reduction.for_each_twin(rank, twin);
        }
    }
}
