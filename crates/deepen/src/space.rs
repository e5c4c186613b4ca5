//! State spaces: what a puzzle tells the engine.
//!
//! A [`Space`] is the description of a puzzle: which moves a state has, in which order, what each
//! does and costs, and which states are goals. A search owns *one* state; [`Space::apply`] and
//! [`Space::undo`] change it in place, so that nothing is allocated per node.
//!
//! Moves are enumerated by *internal iteration*: the space calls the visitor once a move, which
//! lets the compiler turn the enumeration and everything the search does with a child into one
//! straight piece of code. The order in which the moves are visited is the *dictionary order* of
//! the space: searches return the first solution in that order among all of least cost.
//!
//! # Regions
//!
//! A space whose moves depend on where the state stands (the blank's cell of a sliding puzzle)
//! may split its states into [`Region`]s, zero-sized types that know at compile time which moves
//! there are and to which region each leads. The search function is then compiled once for each
//! region and calls itself from region to region, with no dispatch left at run time. A space with
//! nothing to gain ignores all this: its only region is [`Anywhere`].

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::prune::{InversePruning, LearnedPruning};

/// The cost of a move, a path, or what a heuristic says is left: a whole number.
///
/// Valid costs are `0..=`[`MAX_COST`]; the costs of moves are at least 1.
pub type Cost = u32;

/// The greatest cost that a path can have. What costs more is reported as above the cost limit.
pub const MAX_COST: Cost = Cost::MAX - 1;

/// What a heuristic says of a dead end: from here no goal can be reached.
pub const INFINITE: Cost = Cost::MAX;

/// A state space: its states, moves and goals.
///
/// # Example
///
/// Count up from any number to 7 by steps of one (cost 1) or three (cost 2):
///
/// ```
/// use deepen::{Control, Cost, Ida, Space, Visitor, heuristic::Zero};
/// use std::ops::ControlFlow;
///
/// struct Count;
///
/// impl Space for Count {
///     type State = u32;
///     type Move = u32; // how far the step goes
///
///     fn for_each_move<V: Visitor<Self>>(&self, at: &mut u32, visitor: &mut V) -> ControlFlow<()> {
///         visitor.visit(at, 1)?;
///         visitor.visit(at, 3)
///     }
///     fn apply(&self, at: &mut u32, step: u32) {
///         *at += step;
///     }
///     fn undo(&self, at: &mut u32, step: u32) {
///         *at -= step;
///     }
///     fn cost(&self, step: u32) -> Cost {
///         if step == 1 { 1 } else { 2 }
///     }
///     fn is_goal(&self, at: &u32) -> bool {
///         *at == 7
///     }
/// }
///
/// let solution = Ida::new(&Count, &Zero).solve(&0, &mut Control::default()).verdict.solution().unwrap();
/// assert_eq!((solution.cost, solution.moves), (5, vec![1, 3, 3]));
/// ```
pub trait Space: Sized {
    /// A state, changed in place by [`apply`](Space::apply) and [`undo`](Space::undo).
    type State: Clone;
    /// A move (operator): a small value that says how a state changes into the next.
    type Move: Copy + PartialEq;

    /// Whether every [`Region`] that is entered by a move leaves out, for visitors that say so
    /// ([`Visitor::WITHOUT_BACK`]), the one move that takes that move back.
    const LEAVES_OUT_BACK: bool = false;

    /// Shows the visitor every move of `state`, in dictionary order, and stops early with `Break`
    /// as soon as the visitor does.
    ///
    /// The state is handed through to the visitor, which may change it but gives it back as it
    /// was. After a `Break` the state may differ.
    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut Self::State,
        visitor: &mut V,
    ) -> ControlFlow<()>;

    /// Makes a move that [`for_each_move`](Space::for_each_move) showed of this state.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);

    /// Takes the last applied move back.
    fn undo(&self, state: &mut Self::State, mv: Self::Move);

    /// The cost of a move, at least 1. A search that meets a move of cost 0 stops and says so
    /// ([`Stop::ZeroCostMove`](crate::Stop::ZeroCostMove)): it could go on for ever.
    #[inline(always)]
    fn cost(&self, _mv: Self::Move) -> Cost {
        1
    }

    /// Whether the state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Why no goal can be reached from `state`, where the space can tell without a search (a
    /// parity, say); `None` where it can't, or where a goal may be reachable.
    ///
    /// Asked once a search. The reason is a clause such as "the permutation is odd".
    fn impossible(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// Which costs a solution from `state` can have at all. Asked once a search; bounds that
    /// can't be the cost of a solution are skipped.
    fn residue(&self, _state: &Self::State) -> Residue {
        Residue::ANY
    }

    /// Enters the region of `state`, to which the move `last` has led if there was one: calls
    /// `entrance` with the region. Only spaces with regions of their own override this.
    #[inline(always)]
    fn enter<E: Entrance<Self>>(
        &self,
        _state: &Self::State,
        _last: Option<Self::Move>,
        entrance: E,
    ) -> E::Output {
        entrance.enter::<Anywhere>()
    }
}

/// What is done with each move of a state.
pub trait Visitor<S: Space> {
    /// Whether a move that takes the one before it back need not be shown by a [`Region`] that
    /// knows the move before ([`Space::LEAVES_OUT_BACK`]).
    const WITHOUT_BACK: bool = false;

    /// Here, in the order of the moves, one is not shown because it takes the one before it back.
    #[inline(always)]
    fn leave_out(&mut self) {}

    /// Deals with a move that leads from `state` into region `R`.
    ///
    /// # Errors
    ///
    /// `Break` ends the enumeration.
    fn visit_into<R: Region<S>>(&mut self, state: &mut S::State, mv: S::Move) -> ControlFlow<()>;

    /// Deals with a move, in a space of one region.
    ///
    /// # Errors
    ///
    /// `Break` ends the enumeration.
    #[inline(always)]
    fn visit(&mut self, state: &mut S::State, mv: S::Move) -> ControlFlow<()> {
        self.visit_into::<Anywhere>(state, mv)
    }
}

/// A part of a space in which all states have the same moves, as a zero-sized type.
///
/// The visited moves, their order and effects must be those of [`Space::for_each_move`].
pub trait Region<S: Space> {
    /// Whether a search expands a state of it as a part of the expansion before: faster for a
    /// region of a single move, which must lead into one that is not expanded so.
    const IN_PLACE: bool = false;

    /// As [`Space::for_each_move`], for a state known to be in this region.
    ///
    /// # Errors
    ///
    /// `Break` when the visitor said so.
    fn for_each_move<V: Visitor<S>>(
        space: &S,
        state: &mut S::State,
        visitor: &mut V,
    ) -> ControlFlow<()>;

    /// As [`Space::apply`], for a move into this region. But what the region tells of the state
    /// need not be written into it: a search that goes on in the region does not ask, and
    /// heuristics that are told all before the move ([`Heuristic::RAISES`] is `false`) must not.
    ///
    /// [`Heuristic::RAISES`]: crate::Heuristic::RAISES
    #[inline(always)]
    fn apply(space: &S, state: &mut S::State, mv: S::Move) {
        space.apply(state, mv);
    }

    /// Takes a move into this region back that [`apply`](Region::apply) made.
    #[inline(always)]
    fn undo(space: &S, state: &mut S::State, mv: S::Move) {
        space.undo(state, mv);
    }

    /// As [`Space::is_goal`], for a state that was led into this region by
    /// [`apply`](Region::apply).
    #[inline(always)]
    fn is_goal(space: &S, state: &S::State) -> bool {
        space.is_goal(state)
    }
}

/// The region of all states.
#[derive(Debug, Clone, Copy)]
pub struct Anywhere;

impl<S: Space> Region<S> for Anywhere {
    #[inline(always)]
    fn for_each_move<V: Visitor<S>>(
        space: &S,
        state: &mut S::State,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        space.for_each_move(state, visitor)
    }
}

/// What is done on entering a region; see [`Space::enter`].
pub trait Entrance<S: Space> {
    /// What comes out.
    type Output;
    /// Goes on in region `R`.
    fn enter<R: Region<S>>(self) -> Self::Output;
}

/// A visitor from a closure, for spaces of one region or where the region does not matter.
pub struct Each<F>(pub F);

impl<S: Space, F: FnMut(&mut S::State, S::Move) -> ControlFlow<()>> Visitor<S> for Each<F> {
    #[inline(always)]
    fn visit_into<R: Region<S>>(&mut self, state: &mut S::State, mv: S::Move) -> ControlFlow<()> {
        (self.0)(state, mv)
    }
}

impl<F> fmt::Debug for Each<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Each").finish_non_exhaustive()
    }
}

/// The moves of a state, in dictionary order.
pub fn moves_of<S: Space>(space: &S, state: &S::State) -> Vec<S::Move> {
    let mut moves = Vec::new();
    let mut each = Each(|_: &mut S::State, mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    let _ = space.for_each_move(&mut state.clone(), &mut each);
    moves
}

/// The set of costs `remainder`, `remainder + modulus`, …: what the costs of solutions are known
/// to be. (A blank that changes its colour of square with every move, as on a chessboard, makes
/// every solution even or every solution odd.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residue {
    modulus: Cost,
    remainder: Cost,
}

impl Residue {
    /// Any cost.
    pub const ANY: Residue = Residue { modulus: 1, remainder: 0 };

    /// The costs that leave the same remainder as `remainder` when divided by `modulus`.
    ///
    /// # Panics
    ///
    /// If `modulus` is 0.
    pub const fn new(modulus: Cost, remainder: Cost) -> Residue {
        Residue { modulus, remainder: remainder % modulus }
    }

    /// Even costs, or odd ones.
    pub const fn parity(odd: bool) -> Residue {
        Residue { modulus: 2, remainder: odd as Cost }
    }

    /// The least cost of the set that is at least `cost`.
    pub fn round_up(self, cost: u64) -> u64 {
        let modulus = u64::from(self.modulus);
        let over = (cost + modulus - u64::from(self.remainder)) % modulus;
        if over == 0 { cost } else { cost + modulus - over }
    }
}

/// A space whose moves have names that mean the same in every state: the letters that move
/// sequences are words of. It is what move-sequence automata are learned from
/// ([`Automaton`](crate::Automaton)).
pub trait Alphabet: Space<State: Eq + Hash> {
    /// How to leave out what takes the last move back: [`Automaton`](crate::Automaton), unless the
    /// space knows a way of its own.
    type Inverse: InversePruning<Self>;

    /// How to prune here: likewise.
    type Pruning: LearnedPruning<Self>;

    /// How many letters there are.
    fn letters(&self) -> usize;

    /// The letter of a move, `0..letters()`. Within a state moves are visited in increasing order
    /// of their letters, and moves of one letter cost the same.
    fn letter(&self, mv: Self::Move) -> usize;

    /// States by which words can be told apart, in groups.
    ///
    /// Each state of the space must belong to a group such that a word can be played from the
    /// state exactly if it can be played from each member of the group, and two words that lead
    /// each member to equal ends do so from the state. Members need not be reachable, nor have the
    /// right counts of pieces: for a puzzle that moves 24 stickers around, three states that
    /// number the cells with three base-3 digits are one group that tells all words apart.
    fn contexts(&self) -> Vec<Vec<Self::State>>;
}

/// A space whose states can be written as keys of a few bytes, for searches that store them.
///
/// Keys are what is stored, so their length decides how far the memory goes.
pub trait Packed: Space {
    /// How many bytes a key has: the same for all states.
    fn key_bytes(&self) -> usize;

    /// Writes the key of a state over `key`, which is [`key_bytes`](Packed::key_bytes) long.
    /// States differ exactly if their keys do.
    fn pack(&self, state: &Self::State, key: &mut [u8]);

    /// The state of a key: the inverse of [`pack`](Packed::pack).
    fn unpack(&self, key: &[u8]) -> Self::State;
}

/// A space that can be searched from its goals as well.
pub trait Reversible: Packed {
    /// All goals. They need not be reachable.
    ///
    /// From any two states, moves must lead from the one to the other at a cost exactly if they do
    /// so the other way round at the same cost. `None` if this is not so, or if the goals can't be
    /// listed: bidirectional search then refuses ([`Stop::Irreversible`](crate::Stop::Irreversible)).
    fn goals(&self) -> Option<Vec<Self::State>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_round_up_to_their_next_member() {
        assert_eq!(
            (0..5).map(|c| Residue::parity(true).round_up(c)).collect::<Vec<_>>(),
            [1, 1, 3, 3, 5]
        );
        assert_eq!(
            (0..5).map(|c| Residue::parity(false).round_up(c)).collect::<Vec<_>>(),
            [0, 2, 2, 4, 4]
        );
        assert_eq!(Residue::ANY.round_up(7), 7);
        assert_eq!([0, 2, 3, 7].map(|c| Residue::new(5, 12).round_up(c)), [2, 2, 7, 7]);
    }
}
