//! Heuristics: admissible lower bounds of the cost that is left, carried down the path.
//!
//! A search asks a heuristic in the cheapest way that the heuristic allows:
//!
//! 1. [`Heuristic::root`] works the value of the start out from scratch;
//! 2. [`Heuristic::node`] works out, once for each expanded state, what its children share;
//!    [`Heuristic::select`] may then leave out children that can't but be cut;
//! 3. [`Heuristic::before`] gives a child's value *before* its move is applied: a child that is
//!    cut is then never made;
//! 4. [`Heuristic::told`] may raise it by a look-up that needs not the child, only what
//!    [`before`](Heuristic::before) said of it ([`Heuristic::EARLY`]);
//! 5. [`Heuristic::ask`] works out, once the move is applied, where a look-up will read, if need be
//!    in a second step, [`Heuristic::aim`];
//! 6. [`Heuristic::after`] (or again [`told`](Heuristic::told), where there is an early look-up) may
//!    raise the value by what is read there: [`Heuristic::RAISES`] says so. While there is
//!    [`more`](Heuristic::more) to look up, 5 and 6 come again.
//!
//! *Large tables.* A look-up that misses the caches takes as long as a hundred other steps of a
//! search. So a search may advance several subtrees in turn and let time pass before 4 and 6: it
//! calls [`Heuristic::prefetch`] with what was asked for, and reads it a few turns later; and before
//! that, [`Heuristic::prefetch_aim`] a turn before [`Heuristic::aim`]. [`Heuristic::lanes`] says
//! whether that pays.
//!
//! Most heuristics are a plain function of the state: [`Function`] makes a heuristic of one.
//! [`Max`] takes the greater of two; [`Sum`] adds two up that count different moves.

use std::ops::ControlFlow;

use crate::space::{Cost, INFINITE, MAX_COST, Space, Visitor};

/// An admissible lower bound: never more than the least cost from a state to a goal, and
/// [`INFINITE`] only where no goal can be reached.
///
/// A bound that is too high costs the optimality of the answers; one that is needlessly low costs
/// time alone. It need not be consistent.
pub trait Heuristic<S: Space> {
    /// What is carried down the path: the bound, and whatever makes the next one cheap.
    type Value: Copy + Send;
    /// What the children of an expanded state share.
    type Node;

    /// Whether [`after`](Heuristic::after) may raise a bound. If so, a cut that would decide the
    /// next iteration's bound waits for it; a heuristic that has an `after` and does not say so
    /// costs needless iterations.
    const RAISES: bool = false;

    /// If the cost so far plus the bound of a child is either that of its parent or so much more,
    /// whatever the state and the move, then how much. (A bound of unit-cost moves that each change
    /// it by 1, up or down, has 2.) All such sums of a search then leave the same remainder, which
    /// is that of the costs of its solutions; the next bound needs not be searched for.
    const STEP: Option<Cost> = None;

    /// Whether IDA* with it is worth compiling once for every [`Region`](crate::Region) of a space.
    /// If not, as where speed is no matter, it is compiled once.
    const BY_REGIONS: bool = true;

    /// The value of a state, from scratch.
    fn root(&self, space: &S, state: &S::State) -> Self::Value;

    /// The bound that a value stands for.
    fn bound(&self, value: Self::Value) -> Cost;

    /// What the children of `state`, about to be expanded, share.
    fn node(&self, space: &S, state: &S::State, value: Self::Value) -> Self::Node;

    /// The value of the child that `mv` leads to, told from `state`, the parent. Its bound must be
    /// admissible but may be weak if [`after`](Heuristic::after) raises it.
    fn before(&self, space: &S, state: &S::State, node: &Self::Node, mv: S::Move) -> Self::Value;

    /// Whether [`selects`](Heuristic::selects) may hold.
    const SELECTS: bool = false;

    /// Whether, where so much is left, [`select`](Heuristic::select) is to show the moves.
    ///
    /// The children that it leaves out must all need more than is left, and should need no more
    /// than one more, or else the next iteration may be a needless one. They are never generated,
    /// and not counted.
    #[inline(always)]
    fn selects(&self, _node: &Self::Node, _left: Cost) -> bool {
        false
    }

    /// Shows the visitor the moves of `state`, in order, but for such as lead to children that need
    /// more than is left: for spaces of one region, where few moves remain and these are found
    /// faster than all are tried.
    ///
    /// # Errors
    ///
    /// `Break` when the visitor said so.
    #[inline(always)]
    fn select<V: Visitor<S>>(
        &self,
        space: &S,
        state: &mut S::State,
        _node: &Self::Node,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        space.for_each_move(state, visitor)
    }

    /// Whether [`failed`](Heuristic::failed) is to be told.
    const LEARNS: bool = false;

    /// Is told that no goal is within `left` of `state`, whose value is `value`, for a heuristic
    /// that remembers it: a *transposition table*.
    ///
    /// It is told by depth-first searches for the first solution when they come back from the
    /// state. Such a search goes through all moves in order, on one thread. A pruning that leaves the first of
    /// the shortest solutions makes it no less true: if the state lay on any, the first would come
    /// no later, and the search would have ended with it.
    #[inline(always)]
    fn failed(&self, _space: &S, _state: &S::State, _value: Self::Value, _left: Cost) {}

    /// Whether [`before`](Heuristic::before) says what to look up first, and
    /// [`told`](Heuristic::told) reads it, as all that is looked up further. A child that is cut by
    /// then is never made.
    const EARLY: bool = false;

    /// The value of a child once what [`before`](Heuristic::before) or [`ask`](Heuristic::ask) said
    /// was looked up; its bound is at least as high. Of a heuristic that is
    /// [`EARLY`](Heuristic::EARLY), called in place of [`after`](Heuristic::after).
    #[inline(always)]
    fn told(&self, _node: &Self::Node, value: Self::Value) -> Self::Value {
        value
    }

    /// Whether there is more to look up for the child, as far as it is not cut by what
    /// [`after`](Heuristic::after), or [`told`](Heuristic::told), said.
    #[inline(always)]
    fn more(&self, _value: Self::Value) -> bool {
        false
    }

    /// Whether [`ask`](Heuristic::ask) looks at the child for what is next: if not, an
    /// [`EARLY`](Heuristic::EARLY) heuristic may be given its parent instead.
    #[inline(always)]
    fn asks_child(&self, _node: &Self::Node, _value: Self::Value) -> bool {
        true
    }

    /// Says what will be looked up: `state` is the child, with `mv` applied, `value` what
    /// is known so far. The value it gives may note where the look-up will read, and stands for the
    /// same bound. Where the first look-up is [`EARLY`](Heuristic::EARLY), it is asked only for
    /// [`more`](Heuristic::more).
    #[inline(always)]
    fn ask(
        &self,
        _space: &S,
        _state: &S::State,
        _node: &Self::Node,
        value: Self::Value,
        _mv: S::Move,
    ) -> Self::Value {
        value
    }

    /// Whether [`aim`](Heuristic::aim) does anything.
    const AIMS: bool = false;

    /// Works out where a look-up will read from what [`before`](Heuristic::before) or
    /// [`ask`](Heuristic::ask) said, if it takes a look-up in another table to know.
    #[inline(always)]
    fn aim(&self, value: Self::Value) -> Self::Value {
        value
    }

    /// Brings near what [`aim`](Heuristic::aim) will read, without waiting for it.
    #[inline(always)]
    fn prefetch_aim(&self, _value: Self::Value) {}

    /// Brings what was [asked](Heuristic::ask) for near, without waiting for it. Nothing depends on
    /// it but time.
    #[inline(always)]
    fn prefetch(&self, _value: Self::Value) {}

    /// Whether searches are compiled to advance several subtrees in turn: if not, nobody asks
    /// [`lanes`](Heuristic::lanes).
    const LANES: bool = false;

    /// How many subtrees to advance in turn, so that they wait for look-ups together; 1 if waiting
    /// is no matter.
    fn lanes(&self) -> usize {
        1
    }

    /// The value of the child once `mv` is applied: `state` is the child, `value` what
    /// [`ask`](Heuristic::ask) said. Its bound is at least as high; whoever raises it says so in
    /// [`RAISES`](Heuristic::RAISES).
    #[inline(always)]
    fn after(
        &self,
        _space: &S,
        _state: &S::State,
        _node: &Self::Node,
        value: Self::Value,
        _mv: S::Move,
    ) -> Self::Value {
        value
    }
}

/// A heuristic that is another one, which a method gives, but for some constant.
macro_rules! forward {
    ($type:ty, $inner:ident, LANES = $lanes:expr) => {
        impl<S: Space, H: Heuristic<S>> Heuristic<S> for $type {
            type Value = H::Value;
            type Node = H::Node;

            const RAISES: bool = H::RAISES;
            const STEP: Option<Cost> = H::STEP;
            const SELECTS: bool = H::SELECTS;
            const BY_REGIONS: bool = H::BY_REGIONS;
            const LEARNS: bool = H::LEARNS;
            const LANES: bool = $lanes;
            const EARLY: bool = H::EARLY;
            const AIMS: bool = H::AIMS;

            #[inline(always)]
            fn aim(&self, value: H::Value) -> H::Value {
                self.$inner().aim(value)
            }
            #[inline(always)]
            fn prefetch_aim(&self, value: H::Value) {
                self.$inner().prefetch_aim(value);
            }
            #[inline(always)]
            fn told(&self, node: &H::Node, value: H::Value) -> H::Value {
                self.$inner().told(node, value)
            }
            #[inline(always)]
            fn more(&self, value: H::Value) -> bool {
                self.$inner().more(value)
            }
            #[inline(always)]
            fn asks_child(&self, node: &H::Node, value: H::Value) -> bool {
                self.$inner().asks_child(node, value)
            }
            #[inline(always)]
            fn root(&self, space: &S, state: &S::State) -> H::Value {
                self.$inner().root(space, state)
            }
            #[inline(always)]
            fn selects(&self, node: &H::Node, left: Cost) -> bool {
                self.$inner().selects(node, left)
            }
            #[inline(always)]
            fn select<V: Visitor<S>>(
                &self,
                space: &S,
                state: &mut S::State,
                node: &H::Node,
                visitor: &mut V,
            ) -> ControlFlow<()> {
                self.$inner().select(space, state, node, visitor)
            }
            #[inline(always)]
            fn failed(&self, space: &S, state: &S::State, value: H::Value, left: Cost) {
                self.$inner().failed(space, state, value, left);
            }
            #[inline(always)]
            fn bound(&self, value: H::Value) -> Cost {
                self.$inner().bound(value)
            }
            #[inline(always)]
            fn node(&self, space: &S, state: &S::State, value: H::Value) -> H::Node {
                self.$inner().node(space, state, value)
            }
            #[inline(always)]
            fn before(&self, space: &S, state: &S::State, node: &H::Node, mv: S::Move) -> H::Value {
                self.$inner().before(space, state, node, mv)
            }
            #[inline(always)]
            fn ask(
                &self,
                space: &S,
                state: &S::State,
                node: &H::Node,
                value: H::Value,
                mv: S::Move,
            ) -> H::Value {
                self.$inner().ask(space, state, node, value, mv)
            }
            #[inline(always)]
            fn prefetch(&self, value: H::Value) {
                self.$inner().prefetch(value);
            }
            fn lanes(&self) -> usize {
                self.$inner().lanes()
            }
            #[inline(always)]
            fn after(
                &self,
                space: &S,
                state: &S::State,
                node: &H::Node,
                value: H::Value,
                mv: S::Move,
            ) -> H::Value {
                self.$inner().after(space, state, node, value, mv)
            }
        }
    };
}

// A heuristic may be borrowed, to be part of several.
forward!(&H, borrowed, LANES = H::LANES);

trait Borrowed<H> {
    fn borrowed(&self) -> &H;
}

impl<H> Borrowed<H> for &H {
    #[inline(always)]
    fn borrowed(&self) -> &H {
        self
    }
}

/// A heuristic with which a search may advance several subtrees in turn ([`Ida::lanes`]), even if
/// it does not gain by it.
///
/// [`Ida::lanes`]: crate::Ida::lanes
#[derive(Debug, Clone, Copy)]
pub struct InLanes<H>(pub H);

impl<H> InLanes<H> {
    #[inline(always)]
    fn heuristic(&self) -> &H {
        &self.0
    }
}

forward!(InLanes<H>, heuristic, LANES = true);

/// The zero heuristic, which knows nothing: with it IDA* is plain iterative deepening.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<S: Space> Heuristic<S> for Zero {
    type Value = ();
    type Node = ();

    const BY_REGIONS: bool = false;

    #[inline(always)]
    fn root(&self, _: &S, _: &S::State) {}
    #[inline(always)]
    fn bound(&self, (): ()) -> Cost {
        0
    }
    #[inline(always)]
    fn node(&self, _: &S, _: &S::State, (): ()) {}
    #[inline(always)]
    fn before(&self, _: &S, _: &S::State, (): &(), _: S::Move) {}
}

/// A heuristic from a function of the state, worked out from scratch for each child.
///
/// ```
/// use deepen::heuristic::Function;
/// let to_seven = Function(|at: &u32| 7_u32.abs_diff(*at).div_ceil(3));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Function<F>(pub F);

impl<S: Space, F: Fn(&S::State) -> Cost> Heuristic<S> for Function<F> {
    type Value = Cost;
    type Node = ();

    const RAISES: bool = true;
    const BY_REGIONS: bool = false;

    #[inline(always)]
    fn root(&self, _: &S, state: &S::State) -> Cost {
        (self.0)(state)
    }
    #[inline(always)]
    fn bound(&self, value: Cost) -> Cost {
        value
    }
    #[inline(always)]
    fn node(&self, _: &S, _: &S::State, _: Cost) {}
    #[inline(always)]
    fn before(&self, _: &S, _: &S::State, (): &(), _: S::Move) -> Cost {
        0
    }
    #[inline(always)]
    fn after(&self, _: &S, state: &S::State, (): &(), _: Cost, _: S::Move) -> Cost {
        (self.0)(state)
    }
}

/// The look-ups of a child whose move is made, one after the other, until `enough` holds of the
/// bound. What is [`EARLY`](Heuristic::EARLY) has been looked up.
#[inline(always)]
pub(crate) fn look_up<S: Space, H: Heuristic<S>>(
    heuristic: &H,
    space: &S,
    state: &S::State,
    node: &H::Node,
    mut value: H::Value,
    mv: S::Move,
    enough: impl Fn(Cost) -> bool,
) -> H::Value {
    let mut goes_on = !H::EARLY || heuristic.more(value);
    while goes_on {
        value = heuristic.aim(heuristic.ask(space, state, node, value, mv));
        value = read(heuristic, space, state, node, value, mv);
        goes_on = heuristic.more(value) && !enough(heuristic.bound(value));
    }
    value
}

/// Reads what was asked for. (What is [`EARLY`](Heuristic::EARLY) needs no state.)
#[inline(always)]
pub(crate) fn read<S: Space, H: Heuristic<S>>(
    heuristic: &H,
    space: &S,
    state: &S::State,
    node: &H::Node,
    value: H::Value,
    mv: S::Move,
) -> H::Value {
    if H::EARLY {
        heuristic.told(node, value)
    } else {
        heuristic.after(space, state, node, value, mv)
    }
}

/// What a part of a heuristic made of two asks for first.
#[inline(always)]
fn first_ask<S: Space, H: Heuristic<S>>(
    heuristic: &H,
    space: &S,
    state: &S::State,
    node: &H::Node,
    value: H::Value,
    mv: S::Move,
) -> H::Value {
    if H::EARLY { value } else { heuristic.ask(space, state, node, value, mv) }
}

/// All that a part of a heuristic made of two looks up.
#[inline(always)]
fn all_after<S: Space, H: Heuristic<S>>(
    heuristic: &H,
    space: &S,
    state: &S::State,
    node: &H::Node,
    mut value: H::Value,
    mv: S::Move,
) -> H::Value {
    value = read(heuristic, space, state, node, value, mv);
    while heuristic.more(value) {
        value = heuristic.aim(heuristic.ask(space, state, node, value, mv));
        value = read(heuristic, space, state, node, value, mv);
    }
    value
}

/// A heuristic made of two, whose bound is a function of their bounds.
macro_rules! of_two {
    ($(#[$doc:meta])* $name:ident, $bound:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<A, B>(pub A, pub B);

        impl<S: Space, A: Heuristic<S>, B: Heuristic<S>> Heuristic<S> for $name<A, B> {
            type Value = (A::Value, B::Value);
            type Node = (A::Node, B::Node);

            const RAISES: bool = A::RAISES || B::RAISES;
            const BY_REGIONS: bool = A::BY_REGIONS && B::BY_REGIONS;
            const LANES: bool = A::LANES || B::LANES;
            const AIMS: bool = A::AIMS || B::AIMS;

            #[inline(always)]
            fn aim(&self, value: Self::Value) -> Self::Value {
                (self.0.aim(value.0), self.1.aim(value.1))
            }

            #[inline(always)]
            fn prefetch_aim(&self, value: Self::Value) {
                self.0.prefetch_aim(value.0);
                self.1.prefetch_aim(value.1);
            }

            #[inline(always)]
            fn root(&self, space: &S, state: &S::State) -> Self::Value {
                (self.0.root(space, state), self.1.root(space, state))
            }
            #[inline(always)]
            fn bound(&self, value: Self::Value) -> Cost {
                let bound: fn(Cost, Cost) -> Cost = $bound;
                bound(self.0.bound(value.0), self.1.bound(value.1))
            }
            #[inline(always)]
            fn node(&self, space: &S, state: &S::State, value: Self::Value) -> Self::Node {
                (self.0.node(space, state, value.0), self.1.node(space, state, value.1))
            }
            #[inline(always)]
            fn before(
                &self,
                space: &S,
                state: &S::State,
                node: &Self::Node,
                mv: S::Move,
            ) -> Self::Value {
                (self.0.before(space, state, &node.0, mv), self.1.before(space, state, &node.1, mv))
            }
            #[inline(always)]
            fn ask(
                &self,
                space: &S,
                state: &S::State,
                node: &Self::Node,
                value: Self::Value,
                mv: S::Move,
            ) -> Self::Value {
                (
                    first_ask(&self.0, space, state, &node.0, value.0, mv),
                    first_ask(&self.1, space, state, &node.1, value.1, mv),
                )
            }
            #[inline(always)]
            fn prefetch(&self, value: Self::Value) {
                self.0.prefetch(value.0);
                self.1.prefetch(value.1);
            }
            fn lanes(&self) -> usize {
                self.0.lanes().max(self.1.lanes())
            }
            #[inline(always)]
            fn after(
                &self,
                space: &S,
                state: &S::State,
                node: &Self::Node,
                value: Self::Value,
                mv: S::Move,
            ) -> Self::Value {
                (
                    all_after(&self.0, space, state, &node.0, value.0, mv),
                    all_after(&self.1, space, state, &node.1, value.1, mv),
                )
            }
        }
    };
}

of_two! {
    /// The greater of two heuristics: admissible if both are.
    Max, |one, two| one.max(two)
}

of_two! {
    /// The sum of two heuristics: admissible if no move counts in both, as with pattern databases
    /// that each count the moves of other pieces (Korf and Felner 2002). Whoever adds two
    /// heuristics up vouches for that. A dead end of either is one of the sum.
    Sum, |one, two| match (one, two) {
        (INFINITE, _) | (_, INFINITE) => INFINITE,
        (one, two) => one.saturating_add(two).min(MAX_COST),
    }
}
