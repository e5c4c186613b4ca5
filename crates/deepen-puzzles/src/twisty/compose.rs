//! Making moves: a gather of the pieces and of their orientations, and turning them.
//!
//! Slot i takes what slot `from[i]` of the same set had. Its orientation grows by `turn[i]` modulo
//! m, which is done without a branch and so that [`ANY`](super::model::ANY), -128 as a signed byte,
//! stays what it is: subtract `m - turn` with saturation, then take the lesser, as unsigned bytes,
//! of the result and the result plus m. Of a negative result the sum is the lesser, of one from 0
//! on the result itself; and -128 saturates to -128, whose sum with m is greater.
//!
//! The portable code goes slot by slot. On `x86_64` with SSSE3 a byte shuffle gathers a lane of
//! sixteen slots at a time; a set of more than one lane takes from each of its lanes and puts them
//! together.

use super::letters::Letter;
use super::space::{CAPACITY, Field, State};

/// How many slots a lane has.
pub(super) const LANE: usize = 16;

/// What one move does to one set.
#[derive(Debug, Clone)]
struct Step {
    /// The set's first slot.
    start: u8,
    /// How many lanes it has.
    lanes: u8,
    /// Its orientations.
    modulus: u8,
    /// Where its gathers begin, see [`Moves::gathers`].
    gathers: u32,
}

/// A lane of bytes.
type Bytes = [u8; LANE];

/// All moves.
#[derive(Debug)]
pub(super) struct Moves {
    steps: Vec<Step>,
    /// For each letter where its steps end.
    ends: Vec<u32>,
    /// For each step and each of its lanes: `m - turn` of each slot, and then, for each lane of the
    /// set, which of its bytes go to which slot; 128 where the slot takes from another lane.
    gathers: Vec<Bytes>,
    /// For each letter what takes it back.
    pub(super) inverses: Vec<u16>,
    /// Whether the machine shuffles bytes.
    shuffles: bool,
}

/// A slot that takes from another lane.
const ELSEWHERE: u8 = 128;

impl Moves {
    pub(super) fn new(fields: &[Field], letters: &[Letter]) -> Self {
        let mut moves = Moves {
            steps: Vec::new(),
            ends: Vec::new(),
            gathers: Vec::new(),
            inverses: Vec::new(),
            shuffles: has_shuffles(),
        };
        let sets: Vec<_> = fields.iter().map(|field| field.set.clone()).collect();
        for letter in letters {
            for (&set, part) in &letter.transformation.parts {
                let field = &fields[set];
                let lanes = field.set.pieces.div_ceil(LANE);
                let modulus = field.set.orientations;
                let gathers = moves.gathers.len() as u32;
                for lane in 0..lanes {
                    let slots = lane * LANE..(lane + 1) * LANE;
                    let turn = |slot: usize| part.turn.get(slot).copied().unwrap_or(0);
                    let from = |slot: usize| part.from.get(slot).map_or(slot, |&slot| slot.into());
                    let lifts = slots.clone().map(|slot| modulus - turn(slot));
                    moves.gathers.push(collect(lifts));
                    for source in 0..lanes {
                        let byte = |slot| {
                            let from = from(slot);
                            if from / LANE == source { (from % LANE) as u8 } else { ELSEWHERE }
                        };
                        moves.gathers.push(collect(slots.clone().map(byte)));
                    }
                }
                moves.steps.push(Step {
                    start: field.start as u8,
                    lanes: lanes as u8,
                    modulus,
                    gathers,
                });
            }
            moves.ends.push(moves.steps.len() as u32);
            let inverse = letter.transformation.inverse(&sets);
            let inverse = letters.iter().position(|other| other.transformation == inverse);
            // Powers of a move come with their inverses.
            moves.inverses.push(inverse.unwrap_or_default() as u16);
        }
        moves
    }

    fn steps(&self, letter: u16) -> &[Step] {
        let letter = usize::from(letter);
        let begin = letter.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[begin as usize..self.ends[letter] as usize]
    }

    /// Makes a move.
    #[inline(always)]
    pub(super) fn apply(&self, state: &mut State, letter: u16) {
        #[cfg(target_arch = "x86_64")]
        if self.shuffles {
            #[allow(unsafe_code)]
            // SAFETY: `shuffles` says that the machine has SSSE3.
            unsafe {
                self.shuffle(state, letter);
            }
            return;
        }
        self.gather(state, letter);
    }

    /// Makes a move, slot by slot.
    pub(super) fn gather(&self, state: &mut State, letter: u16) {
        for step in self.steps(letter) {
            let (start, lanes) = (usize::from(step.start), usize::from(step.lanes));
            let slots = start..start + lanes * LANE;
            let mut pieces = [0; CAPACITY];
            let mut turns = [0; CAPACITY];
            pieces[..lanes * LANE].copy_from_slice(&state.pieces[slots.clone()]);
            turns[..lanes * LANE].copy_from_slice(&state.turns[slots]);
            let mut gathers = &self.gathers[step.gathers as usize..];
            for lane in 0..lanes {
                let lifts = gathers[0];
                for (source, bytes) in gathers[1..=lanes].iter().enumerate() {
                    for slot in 0..LANE {
                        if bytes[slot] != ELSEWHERE {
                            let from = source * LANE + usize::from(bytes[slot]);
                            let to = start + lane * LANE + slot;
                            state.pieces[to] = pieces[from];
                            state.turns[to] = turned(turns[from], lifts[slot], step.modulus);
                        }
                    }
                }
                gathers = &gathers[1 + lanes..];
            }
        }
    }

    /// Makes a move with byte shuffles.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[target_feature(enable = "ssse3")]
    unsafe fn shuffle(&self, state: &mut State, letter: u16) {
        use std::arch::x86_64::{
            __m128i, _mm_add_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_or_si128, _mm_set1_epi8,
            _mm_setzero_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm_subs_epi8,
        };
        let load = |bytes: &[u8]| -> __m128i {
            let bytes = &bytes[..LANE];
            // SAFETY: there are sixteen bytes.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        };
        let store = |bytes: &mut [u8], value: __m128i| {
            let bytes = &mut bytes[..LANE];
            // SAFETY: as above.
            unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
        };
        for step in self.steps(letter) {
            let (start, lanes) = (usize::from(step.start), usize::from(step.lanes));
            let gathers = &self.gathers[step.gathers as usize..][..lanes * (1 + lanes)];
            let modulus = _mm_set1_epi8(step.modulus.cast_signed());
            let turned = |turns, lifts| {
                let less = _mm_subs_epi8(turns, lifts);
                _mm_min_epu8(less, _mm_add_epi8(less, modulus))
            };
            if let [lifts, bytes] = gathers {
                let bytes = load(bytes);
                let pieces = _mm_shuffle_epi8(load(&state.pieces[start..]), bytes);
                let turns = _mm_shuffle_epi8(load(&state.turns[start..]), bytes);
                store(&mut state.pieces[start..], pieces);
                store(&mut state.turns[start..], turned(turns, load(lifts)));
                continue;
            }
            let mut before = [[_mm_setzero_si128(); 2]; CAPACITY / LANE];
            for (lane, before) in before.iter_mut().enumerate().take(lanes) {
                let slot = start + lane * LANE;
                *before = [load(&state.pieces[slot..]), load(&state.turns[slot..])];
            }
            for (lane, gathers) in gathers.chunks_exact(1 + lanes).enumerate() {
                let [mut pieces, mut turns] = [_mm_setzero_si128(); 2];
                for (bytes, before) in gathers[1..].iter().zip(&before) {
                    let bytes = load(bytes);
                    pieces = _mm_or_si128(pieces, _mm_shuffle_epi8(before[0], bytes));
                    turns = _mm_or_si128(turns, _mm_shuffle_epi8(before[1], bytes));
                }
                let slot = start + lane * LANE;
                store(&mut state.pieces[slot..], pieces);
                store(&mut state.turns[slot..], turned(turns, load(&gathers[0])));
            }
        }
    }
}

/// The orientation after a turn of `modulus - lift`.
#[inline(always)]
fn turned(turn: u8, lift: u8, modulus: u8) -> u8 {
    let less = turn.cast_signed().saturating_sub(lift.cast_signed()).cast_unsigned();
    less.min(less.wrapping_add(modulus))
}

fn collect(bytes: impl Iterator<Item = u8>) -> Bytes {
    let mut lane = [0; LANE];
    lane.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
    lane
}

#[cfg(target_arch = "x86_64")]
fn has_shuffles() -> bool {
    std::arch::is_x86_feature_detected!("ssse3")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_shuffles() -> bool {
    false
}
