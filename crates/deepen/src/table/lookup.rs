//! A table as a heuristic.

use super::Indexed;
use super::entries::{Distances, Table, Width};
use crate::heuristic::Heuristic;
use crate::space::{Cost, Each, INFINITE, Space};
use std::ops::ControlFlow;

/// The distance that a table holds of a picture of the state: perfect if the picture is the state
/// itself, a lower bound if it leaves something out.
///
/// `picture` turns a state of the searched space into one of the table's space.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'a, T, F> {
    space: &'a T,
    width: Width,
    distances: Distances<'a>,
    lanes: usize,
    picture: F,
}

/// What a [`Lookup`] says of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The distance; before the look-up, 0.
    distance: Cost,
    /// Where it will be looked up.
    rank: u64,
}

impl<'a, T: Indexed, F> Lookup<'a, T, F> {
    /// Looks up in `table`, which was built for `space`.
    ///
    /// # Panics
    ///
    /// If the table has another size than the space.
    pub fn new(space: &'a T, table: &'a Table, picture: F) -> Self {
        assert_eq!(space.size(), table.entries(), "the table is of another space");
        Lookup {
            space,
            width: table.width(),
            distances: table.distances(),
            lanes: table.lanes(),
            picture,
        }
    }

    /// The distance of a state of which nothing is known; [`INFINITE`] if no goal can be reached.
    pub fn distance<State>(&self, state: &State) -> Cost
    where
        F: Fn(&State) -> T::State,
    {
        self.exact((self.picture)(state))
    }

    fn exact(&self, mut state: T::State) -> Cost {
        match self.width {
            Width::Four | Width::Eight => {
                self.distances.at(self.space.rank(&state), 0).unwrap_or(INFINITE)
            }
            // From here the distance is not known; count the steps downhill.
            Width::Two => {
                let here = self.distances.remainder(self.space.rank(&state));
                if here == 3 {
                    return INFINITE;
                }
                let told = |rank, nearer| self.distances.remainder(rank) == nearer;
                self.downhill(&mut state, here, 3, told).unwrap_or(INFINITE)
            }
            // Nor is it known whether it is odd. Who takes it for the other goes uphill instead,
            // and comes to an end without having met a goal.
            Width::One => {
                let here = 2 * Cost::from(self.distances.bit(self.space.rank(&state)));
                let told = |rank, nearer| self.distances.bit(rank) == (nearer & 2 != 0);
                let even = self.downhill(&mut state.clone(), here, 4, told);
                let either = even.or_else(|| self.downhill(&mut state, here + 1, 4, told));
                either.unwrap_or(INFINITE)
            }
        }
    }

    /// How many steps lead down to a goal from a state whose distance is `here` modulo `modulus`:
    /// each to a child whose entry, by its number, tells the distance before that.
    fn downhill(
        &self,
        state: &mut T::State,
        mut here: Cost,
        modulus: Cost,
        told: impl Fn(u64, Cost) -> bool,
    ) -> Option<Cost> {
        let mut steps = 0;
        while !self.space.is_goal(state) {
            here = (here + modulus - 1) % modulus;
            let mut each = Each(|child: &mut T::State, mv| {
                self.space.apply(child, mv);
                if told(self.space.rank(child), here) {
                    return ControlFlow::Break(());
                }
                self.space.undo(child, mv);
                ControlFlow::Continue(())
            });
            if self.space.for_each_move(state, &mut each).is_continue() {
                return None;
            }
            steps += 1;
        }
        Some(steps)
    }
}

impl<S, T, F> Heuristic<S> for Lookup<'_, T, F>
where
    S: Space,
    T: Indexed,
    F: Fn(&S::State) -> T::State,
{
    type Value = Found;
    /// The parent's distance.
    type Node = Cost;

    const RAISES: bool = true;
    const LANES: bool = true;
    const BY_REGIONS: bool = false;

    fn root(&self, _: &S, state: &S::State) -> Found {
        Found { distance: self.distance(state), rank: 0 }
    }

    #[inline(always)]
    fn bound(&self, value: Found) -> Cost {
        value.distance
    }

    #[inline(always)]
    fn node(&self, _: &S, _: &S::State, value: Found) -> Cost {
        value.distance
    }

    #[inline(always)]
    fn before(&self, _: &S, _: &S::State, _: &Cost, _: S::Move) -> Found {
        Found { distance: 0, rank: 0 }
    }

    #[inline(always)]
    fn ask(&self, _: &S, state: &S::State, _: &Cost, value: Found, _: S::Move) -> Found {
        Found { rank: self.space.rank(&(self.picture)(state)), ..value }
    }

    #[inline(always)]
    fn prefetch(&self, value: Found) {
        self.distances.prefetch(value.rank);
    }

    fn lanes(&self) -> usize {
        self.lanes
    }

    #[inline(always)]
    fn after(&self, _: &S, _: &S::State, parent: &Cost, value: Found, _: S::Move) -> Found {
        Found { distance: self.distances.at(value.rank, *parent).unwrap_or(INFINITE), ..value }
    }
}
