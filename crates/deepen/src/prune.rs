//! Pruning by the sequence of moves: which move may follow which.
pub use self::everything::{Everything, Pruning};
mod everything {
    use crate::space::Space;

    /// Says which moves may follow the moves played so far.
    ///
    /// A pruning must leave, of every solution of least cost, the first in dictionary order.
    pub trait Pruning<S: Space> {
        /// What it needs to know of the moves played so far.
        type State: Copy;
        /// Before the first move.
        fn start(&self) -> Self::State;
        /// After one more move; `None` if that move is left out here.
        fn step(&self, space: &S, state: Self::State, mv: S::Move) -> Option<Self::State>;
    }

    /// No pruning: every move is tried.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct Everything;

    impl<S: Space> Pruning<S> for Everything {
        type State = ();
        #[inline(always)]
        fn start(&self) {}
        #[inline(always)]
        fn step(&self, _: &S, (): (), _: S::Move) -> Option<()> {
            Some(())
        }
    }
}
