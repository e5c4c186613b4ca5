//! The stack that the recursion runs on: how many expansions fit on what is left of it, and when the
//! search goes on on another.
//!
//! How much an expansion takes is measured on the first two of a search that stand one below the
//! other. From then on no more fuel is granted than expansions fit, so the stack need not be looked at
//! more often than the clock.

/// The stack that a search is on, and what is known of its use.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    /// Its lowest address.
    end: usize,
    /// How many further stacks are in use.
    pub(super) further: usize,
    /// How much of it an expansion takes, or 0 if this was not measured yet.
    frame: usize,
    /// Until then: where the last expansion stood, or 0.
    last: usize,
}

impl Stack {
    /// The present one.
    pub(super) fn here() -> Self {
        Stack { end: stack_end(), further: 0, frame: 0, last: 0 }
    }

    /// The further stack that the search has gone on on, which is the present one now.
    pub(super) fn continued(self) -> Self {
        Stack { end: stack_end(), further: self.further + 1, last: 0, ..self }
    }

    /// The stack that it came back to, with what was learned since.
    pub(super) fn back_on(self, before: Stack) -> Self {
        Stack { end: before.end, further: before.further, last: 0, ..self }
    }

    pub(super) fn frame_is_known(&self) -> bool {
        self.frame > 0
    }

    /// How many expansions fit on what is left, each a move below the one before it.
    pub(super) fn fitting(&mut self) -> u64 {
        let here = stack_address();
        if !self.frame_is_known() {
            // Every expansion comes here, so the first that is not at the place of the one before
            // is a move below it. Twice as much, for frames are not all alike.
            self.frame = 2 * self.last.saturating_sub(here);
            self.last = here;
        }
        let frame = self.frame.max(1);
        (here.saturating_sub(self.end).saturating_sub(RED_ZONE) / frame) as u64
    }

    /// How large a further stack is to be, in bytes.
    pub(super) fn further_size(&self) -> usize {
        STACK_SIZE.max(self.frame.saturating_mul(2 * LEAST_FITTING as usize)) + RED_ZONE
    }
}

/// When fewer expansions fit, the search goes on on a new stack.
pub(super) const LEAST_FITTING: u64 = 64;
/// The size of each further stack, in bytes, besides what is kept free; more if frames are large.
const STACK_SIZE: usize = if cfg!(test) { 1 << 20 } else { 32 << 20 };
/// How many further stacks a path may use: 4 GiB in all.
pub(super) const MAX_STACKS: usize = if cfg!(test) { 4 } else { 128 };
/// What is kept free on every stack at least, in bytes, for the calls at the end of a path.
const RED_ZONE: usize = 1 << 20;

/// Where this function's caller has its frame.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

/// The end of the present stack, where it is known.
fn stack_end() -> usize {
    if cfg!(all(loom, test)) {
        return 0; // Loom runs threads on small stacks of its own, whose ends are not known.
    }
    // Where it is not known, the search goes on on a stack whose end is.
    stacker::remaining_stack().map_or(usize::MAX, |remaining| stack_address() - remaining)
}
