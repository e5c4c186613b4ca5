//! What no move changes: proofs, at once, that a state can't be solved.
//!
//! Tested in this order, so that the message says the simplest reason:
//!
//! 1. sets that no move touches must be as in the solved state;
//! 2. a piece can only be in slots to which moves bring it (the slots of a set fall into *parts*);
//! 3. the sum of the orientations of a part, modulo what divides all that moves add to it;
//! 4. the parities of the permutations of the parts: those of a state must be a combination of
//!    those of the moves;
//! 5. the group that the moves generate (Schreier–Sims), where it is not too large.
//!
//! Identical pieces could be told apart in more than one way, so parts with any have no parity and
//! are left out of the group; pieces that may be turned in any way have no sum. What remains is
//! still necessary, and illegal positions only make it harder to get somewhere.
//!
//! Parities also tell which lengths solutions can have: if some product of parities changes with
//! every move, it says whether a state is an even or an odd number of moves away.

use std::sync::OnceLock;

use deepen::Residue;

use super::group::{Group, Permutation};
use super::model::{ANY, greatest_common_divisor};
use super::space::{State, Twists};
use crate::random::Random;

/// How many looks at points working out the group may take: about a second.
const EFFORT: u64 = 1 << 31;
/// The most points that the group may act on.
const MOST_POINTS: usize = 4096;

/// Slots between which moves bring pieces.
#[derive(Debug)]
struct Part {
    /// The set.
    field: usize,
    /// Its slots, in the state.
    slots: Vec<usize>,
    /// What the sum of the orientations is invariant modulo; 1 if nothing.
    modulus: u64,
    /// Whether all its pieces are different.
    distinct: bool,
}

/// The invariants of a puzzle's moves.
#[derive(Debug)]
pub(super) struct Invariants {
    parts: Vec<Part>,
    /// Combinations of parities that moves make, each with a highest bit of its own; bit i is part i.
    parities: Vec<u128>,
    /// The parts whose parities, multiplied, change with every move; 0 if there are none.
    alternating: u128,
    group: OnceLock<Option<Group>>,
}

impl Invariants {
    pub(super) fn new(space: &Twists) -> Self {
        let mut parts = Vec::new();
        for (index, field) in space.fields.iter().enumerate().filter(|(_, field)| field.moved) {
            // Union of slots by the moves.
            let mut part_of: Vec<usize> = (0..field.set.pieces).collect();
            let transformations = || {
                space.letters.iter().filter_map(|letter| letter.transformation.parts.get(&index))
            };
            for part in transformations() {
                for (slot, &from) in part.from.iter().enumerate() {
                    let (one, two) = (part_of[slot], part_of[usize::from(from)]);
                    let (least, other) = (one.min(two), one.max(two));
                    part_of.iter_mut().filter(|of| **of == other).for_each(|of| *of = least);
                }
            }
            for root in 0..field.set.pieces {
                let slots: Vec<usize> =
                    (0..field.set.pieces).filter(|&slot| part_of[slot] == root).collect();
                if slots.is_empty() {
                    continue;
                }
                let mut modulus = u64::from(field.set.orientations);
                for part in transformations() {
                    let sum: u64 = slots.iter().map(|&slot| u64::from(part.turn[slot])).sum();
                    modulus = greatest_common_divisor(modulus, sum);
                }
                let slots: Vec<usize> = slots.iter().map(|&slot| field.start + slot).collect();
                let any = |&slot: &usize| space.solved().turns[slot] == ANY;
                if slots.iter().any(any) {
                    modulus = 1;
                }
                let mut pieces: Vec<u8> =
                    slots.iter().map(|&slot| space.solved().pieces[slot]).collect();
                pieces.sort_unstable();
                pieces.dedup();
                let distinct = pieces.len() == slots.len();
                parts.push(Part { field: index, slots, modulus, distinct });
            }
        }
        let mut invariants =
            Invariants { parts, parities: Vec::new(), alternating: 0, group: OnceLock::new() };
        let moves: Vec<u128> = (0..space.letters.len())
            .map(|letter| {
                let mut state = space.solved().clone();
                space.moves.apply(&mut state, letter as u16);
                invariants.parity(space, &state)
            })
            .collect();
        for &parity in &moves {
            let rest = reduce(&invariants.parities, parity);
            if rest != 0 {
                invariants.parities.push(rest);
                invariants.parities.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        invariants.alternating = alternating(&moves);
        invariants
    }

    /// The slots of a set, in the state, by part.
    pub(super) fn slots_of(&self, field: usize) -> impl Iterator<Item = &[usize]> {
        self.parts.iter().filter(move |part| part.field == field).map(|part| part.slots.as_slice())
    }

    /// The parities of a state's parts, as bits.
    fn parity(&self, space: &Twists, state: &State) -> u128 {
        let parts = self.parts.iter().take(127).enumerate().filter(|(_, part)| part.distinct);
        let parities = parts.map(|(index, part)| {
            let mut place = [0; 256];
            for (at, &slot) in part.slots.iter().enumerate() {
                place[usize::from(space.solved().pieces[slot])] = at;
            }
            let from = |at: usize| place[usize::from(state.pieces[part.slots[at]])];
            let mut seen = vec![false; part.slots.len()];
            let mut odd = false;
            for start in 0..part.slots.len() {
                let mut at = start;
                let mut length = 0;
                while !std::mem::replace(&mut seen[at], true) {
                    at = from(at);
                    length += 1;
                }
                odd ^= length > 0 && length % 2 == 0;
            }
            u128::from(odd) << index
        });
        parities.fold(0, |all, parity| all | parity)
    }

    /// Why a state can't be solved, if that is certain.
    pub(super) fn broken(&self, space: &Twists, state: &State) -> Option<String> {
        let name = |part: &Part| &space.fields[part.field].set.name;
        let solved = space.solved();
        for field in space.fields.iter().filter(|field| !field.moved) {
            let slots = field.slots();
            if state.pieces[slots.clone()] != solved.pieces[slots.clone()]
                || state.turns[slots.clone()] != solved.turns[slots]
            {
                let name = &field.set.name;
                return Some(format!(
                    "{name} is not as in the solved state, and no move changes it"
                ));
            }
        }
        for part in &self.parts {
            let [mut has, mut should] = [state, solved]
                .map(|state| part.slots.iter().map(|&slot| state.pieces[slot]).collect::<Vec<_>>());
            has.sort_unstable();
            should.sort_unstable();
            if has != should {
                let stray = has.iter().find(|piece| !should.contains(piece)).unwrap_or(&has[0]);
                let (piece, name) = (u16::from(*stray) + 1, name(part));
                return Some(format!("piece {piece} of {name} is where no moves can bring it"));
            }
        }
        for part in self.parts.iter().filter(|part| part.modulus > 1) {
            let [has, should] = [state, solved].map(|state| {
                part.slots.iter().map(|&slot| u64::from(state.turns[slot])).sum::<u64>()
            });
            let modulus = part.modulus;
            let over = (has % modulus + modulus - should % modulus) % modulus;
            if over != 0 {
                let name = name(part);
                return Some(format!(
                    "a piece of {name} is twisted: the sum of their orientations is off by {over} \
                     modulo {modulus}, and no move changes that"
                ));
            }
        }
        let parity = self.parity(space, state);
        if reduce(&self.parities, parity) != 0 {
            let odd = self.parts.iter().enumerate().filter(|(index, _)| parity >> index & 1 == 1);
            let mut odd: Vec<&str> = odd.map(|(_, part)| name(part).as_str()).collect();
            odd.dedup();
            return Some(format!(
                "two pieces are swapped: the permutation of {} alone is odd, which no moves bring about",
                odd.join(" and of ")
            ));
        }
        let group = self.group(space)?;
        let is_member = group.contains(self.permutation(space, state));
        (!is_member).then(|| "the position is not in the group that the moves generate".to_string())
    }

    /// Which lengths solutions have.
    pub(super) fn residue(&self, space: &Twists, state: &State) -> Residue {
        if self.alternating == 0 {
            return Residue::ANY;
        }
        Residue::parity((self.parity(space, state) & self.alternating).count_ones() % 2 == 1)
    }

    /// The group of the moves on the parts whose pieces are all different, if it was feasible.
    pub(super) fn group(&self, space: &Twists) -> Option<&Group> {
        let make = || {
            let degree = self.points(space).last().map_or(0, |points| points.end);
            if degree > MOST_POINTS {
                return None;
            }
            let firsts = space.letters.iter().enumerate().filter(|(index, letter)| {
                *index == 0 || space.letters[index - 1].base != letter.base
            });
            let generators: Vec<Permutation> = firsts
                .map(|(index, _)| {
                    let mut state = space.solved().clone();
                    space.moves.apply(&mut state, index as u16);
                    self.permutation(space, &state)
                })
                .collect();
            // (Moves chosen in other ways than by their first power have all powers as letters.)
            Group::new(degree, &generators, EFFORT)
        };
        self.group.get_or_init(make).as_ref()
    }

    /// The points that each distinct part has: one for each slot and orientation.
    fn points(&self, space: &Twists) -> Vec<std::ops::Range<usize>> {
        let mut end = 0;
        let points = self.grouped().map(|part| {
            let start = end;
            end += part.slots.len() * usize::from(Self::orientations(space, part));
            start..end
        });
        points.collect()
    }

    fn grouped(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.distinct)
    }

    /// The orientations that the group tells apart: one, if some piece may be turned in any way.
    fn orientations(space: &Twists, part: &Part) -> u8 {
        let any = part.slots.iter().any(|&slot| space.solved().turns[slot] == ANY);
        if any { 1 } else { space.fields[part.field].set.orientations }
    }

    /// What leads from the solved state to this one, as a permutation of the points.
    fn permutation(&self, space: &Twists, state: &State) -> Permutation {
        let solved = space.solved();
        let mut permutation = Vec::new();
        for (part, points) in self.grouped().zip(self.points(space)) {
            let orientations = u16::from(Self::orientations(space, part));
            let mut place = [0; 256];
            for (at, &slot) in part.slots.iter().enumerate() {
                place[usize::from(solved.pieces[slot])] = at;
            }
            for &slot in &part.slots {
                let from = place[usize::from(state.pieces[slot])];
                let turn = if orientations == 1 {
                    0
                } else {
                    let before = u16::from(solved.turns[part.slots[from]]);
                    (u16::from(state.turns[slot]) + orientations - before) % orientations
                };
                for orientation in 0..orientations {
                    let to = from * usize::from(orientations)
                        + usize::from((orientation + turn) % orientations);
                    permutation.push((points.start + to) as u16);
                }
            }
        }
        permutation.into()
    }

    /// A reachable state, each as likely as any other; `None` if that can't be drawn.
    pub(super) fn random(&self, space: &Twists, random: &mut Random) -> Option<State> {
        let complete = |part: &Part| {
            let any = part.slots.iter().any(|&slot| space.solved().turns[slot] == ANY);
            part.distinct && !any
        };
        if space.is_guarded() || !self.parts.iter().all(complete) {
            return None;
        }
        let element = self.group(space)?.random(random);
        let solved = space.solved();
        let mut state = solved.clone();
        for (part, points) in self.grouped().zip(self.points(space)) {
            let orientations = usize::from(Self::orientations(space, part));
            for (at, &slot) in part.slots.iter().enumerate() {
                let to = usize::from(element[points.start + at * orientations]) - points.start;
                let from = part.slots[to / orientations];
                state.pieces[slot] = solved.pieces[from];
                let turn = usize::from(solved.turns[from]) + to % orientations;
                state.turns[slot] = (turn % orientations) as u8;
            }
        }
        Some(state)
    }

    /// How many states there are, if that is known.
    pub(super) fn states(&self, space: &Twists) -> Option<u128> {
        let complete = |part: &Part| {
            let any = part.slots.iter().any(|&slot| space.solved().turns[slot] == ANY);
            part.distinct && !any
        };
        let known = !space.is_guarded() && self.parts.iter().all(complete);
        if known { self.group(space)?.order() } else { None }
    }
}

/// What is left of a combination when those of the list are taken off; the list has different
/// highest bits, the highest first.
fn reduce(list: &[u128], parity: u128) -> u128 {
    list.iter().fold(parity, |rest, &known| rest.min(rest ^ known))
}

/// A set of bits of which each number of the list has an odd number; 0 if there is none.
fn alternating(list: &[u128]) -> u128 {
    // Each number is an equation with right side 1, kept as the highest bit of all.
    const RIGHT: u128 = 1 << 127;
    let mut rows: Vec<u128> = Vec::new();
    for &number in list {
        let mut row = number | RIGHT;
        for &known in &rows {
            let pivot = (known & !RIGHT).trailing_zeros();
            if row >> pivot & 1 == 1 {
                row ^= known;
            }
        }
        match row & !RIGHT {
            0 if row == RIGHT => return 0,
            0 => {}
            left => {
                let pivot = left.trailing_zeros();
                for known in &mut rows {
                    if *known >> pivot & 1 == 1 {
                        *known ^= row;
                    }
                }
                rows.push(row);
            }
        }
    }
    // The bits without an equation of their own are left out.
    rows.iter()
        .filter(|row| **row & RIGHT != 0)
        .fold(0, |bits, row| bits | 1 << (row & !RIGHT).trailing_zeros())
}
