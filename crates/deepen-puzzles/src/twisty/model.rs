//! What a puzzle is, whatever file it comes from: sets of pieces, the solved state, moves.
//!
//! A puzzle has *sets* of pieces (the corners, the edges). The pieces of a set stand in as many
//! *slots*, each turned in one of the set's orientations. All is said *passively*: a state names
//! for each slot the piece that stands there, a [`Transformation`] for each slot the slot that its
//! piece comes from. A state A, then a move B:
//!
//! - slot i then holds the piece that stood in slot `B.from[i]`,
//! - turned by `B.turn[i]` more than there, modulo the set's orientations.
//!
//! Everything here counts from 0. Pieces of a state may be identical; an orientation may be
//! [`ANY`].

use std::collections::{BTreeMap, HashMap};

/// The most pieces that a set has.
pub(super) const MOST_PIECES: u64 = 255;
/// The most orientations that a piece has.
pub(super) const MOST_ORIENTATIONS: u64 = 127;
/// The most slots of all sets together.
pub(super) const MOST_SLOTS: usize = 1 << 16;
/// The most memory that the moves and sequences of a definition may take, in bytes.
pub(super) const MOST_MEMORY: u64 = 1 << 30;

/// The orientation of a piece that may be turned in any way.
pub(super) const ANY: u8 = 0x80;

/// A set of pieces that change places among themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set {
    /// Its name.
    pub(super) name: String,
    /// How many pieces, and slots, it has.
    pub(super) pieces: usize,
    /// How many ways there are to turn a piece.
    pub(super) orientations: u8,
}

/// What a set's slots hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The piece in each slot.
    pub(super) pieces: Vec<u8>,
    /// How it is turned, or [`ANY`].
    pub(super) orientations: Vec<u8>,
}

/// A state: a row for each set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) rows: Vec<Row>,
}

/// What a move does to one set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The slot that the piece of each slot comes from.
    pub(super) from: Vec<u8>,
    /// How much it is turned on its way.
    pub(super) turn: Vec<u8>,
}

/// What a move does. Sets that it leaves alone have no part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Transformation {
    pub(super) parts: BTreeMap<usize, Part>,
}

impl Part {
    /// What leaves so many pieces where they are.
    pub(super) fn identity(pieces: usize) -> Self {
        Part { from: (0..pieces).map(|slot| slot as u8).collect(), turn: vec![0; pieces] }
    }

    fn is_identity(&self) -> bool {
        self.turn.iter().all(|&turn| turn == 0)
            && (0..).zip(&self.from).all(|(slot, &from)| slot == usize::from(from))
    }

    /// This, and then `next`, in a set of so many orientations.
    fn then(&self, next: &Part, orientations: u8) -> Self {
        let from = next.from.iter().map(|&from| self.from[usize::from(from)]).collect();
        let turn = next.from.iter().zip(&next.turn);
        let turn = turn.map(|(&from, &turn)| {
            ((u16::from(self.turn[usize::from(from)]) + u16::from(turn)) % u16::from(orientations))
                as u8
        });
        Part { from, turn: turn.collect() }
    }
}

impl Transformation {
    /// The transformation of these parts, those that do nothing left out.
    pub(super) fn new(parts: impl IntoIterator<Item = (usize, Part)>) -> Self {
        let parts = parts.into_iter().filter(|(_, part)| !part.is_identity());
        Transformation { parts: parts.collect() }
    }

    /// Whether it does nothing.
    pub(super) fn is_identity(&self) -> bool {
        self.parts.is_empty()
    }

    /// This, and then `next`.
    pub(super) fn then(&self, next: &Self, sets: &[Set]) -> Self {
        let only = self.parts.iter().filter(|(set, _)| !next.parts.contains_key(set));
        let only = only.map(|(&set, part)| (set, part.clone()));
        let both = next.parts.iter().map(|(&set, part)| match self.parts.get(&set) {
            Some(first) => (set, first.then(part, sets[set].orientations)),
            None => (set, part.clone()),
        });
        Self::new(only.chain(both))
    }

    /// What takes it back.
    pub(super) fn inverse(&self, sets: &[Set]) -> Self {
        let parts = self.parts.iter().map(|(&set, part)| {
            let mut inverse = Part::identity(part.from.len());
            for (slot, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
                inverse.from[usize::from(from)] = slot as u8;
                let orientations = sets[set].orientations;
                inverse.turn[usize::from(from)] = (orientations - turn) % orientations;
            }
            (set, inverse)
        });
        Transformation { parts: parts.collect() }
    }

    /// How many times it must be done to do nothing; `None` if too often for a number of 32 bits.
    pub(super) fn order(&self, sets: &[Set]) -> Option<u32> {
        let mut order = 1_u64;
        for (&set, part) in &self.parts {
            let mut seen = vec![false; part.from.len()];
            for start in 0..part.from.len() {
                let (mut slot, mut length, mut turn) = (start, 0_u64, 0_u64);
                while !std::mem::replace(&mut seen[slot], true) {
                    length += 1;
                    turn += u64::from(part.turn[slot]);
                    slot = usize::from(part.from[slot]);
                }
                if length > 0 {
                    let orientations = u64::from(sets[set].orientations);
                    let turns = orientations / greatest_common_divisor(orientations, turn);
                    let cycle = length * turns;
                    order = order / greatest_common_divisor(order, cycle) * cycle;
                    u32::try_from(order).ok()?;
                }
            }
        }
        u32::try_from(order).ok()
    }

    /// It, so many times; backwards if negative.
    pub(super) fn power(&self, exponent: i64, sets: &[Set]) -> Self {
        let mut square = if exponent < 0 { self.inverse(sets) } else { self.clone() };
        let mut rest = exponent.unsigned_abs();
        let mut power = Transformation::default();
        while rest > 0 {
            if rest % 2 == 1 {
                power = power.then(&square, sets);
            }
            square = square.then(&square, sets);
            rest /= 2;
        }
        power
    }
}

pub(super) fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { greatest_common_divisor(b, a % b) }
}

impl Pattern {
    /// The state after a transformation.
    pub(super) fn after(&self, transformation: &Transformation, sets: &[Set]) -> Self {
        let mut pattern = self.clone();
        for (&set, part) in &transformation.parts {
            let before = &self.rows[set];
            let row = &mut pattern.rows[set];
            for (slot, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
                row.pieces[slot] = before.pieces[usize::from(from)];
                row.orientations[slot] = match before.orientations[usize::from(from)] {
                    ANY => ANY,
                    turned => {
                        let sum = u16::from(turned) + u16::from(turn);
                        (sum % u16::from(sets[set].orientations)) as u8
                    }
                };
            }
        }
        pattern
    }
}

/// A move with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) name: String,
    pub(super) transformation: Transformation,
}

impl Move {
    /// Whether it turns the whole puzzle: it is not searched.
    pub(super) fn is_rotation(&self) -> bool {
        is_rotation(&self.name)
    }
}

/// Whether a word can be a name: it must not be taken for anything else, in either language.
pub(super) fn can_be_name(text: &str) -> bool {
    let strange = |c: char| c.is_whitespace() || c.is_control() || "()[],:".contains(c);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    !is_number
        && !matches!(text, "End" | "?" | "-")
        && !text.starts_with(['#', '{'])
        && !text.contains(strange)
}

/// Whether a move of that name turns the whole puzzle.
pub(super) fn is_rotation(name: &str) -> bool {
    matches!(name, "x" | "y" | "z") || name.len() > 1 && name.ends_with('v')
}

/// A position that must not come up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Illegal {
    pub(super) set: usize,
    pub(super) slot: u8,
    /// The pieces that must not stand there.
    pub(super) pieces: Vec<u8>,
}

/// A name for a sequence of moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sequence {
    pub(super) name: String,
    /// The words of the sequence, as they stand.
    pub(super) words: Vec<String>,
    /// What it does.
    pub(super) transformation: Transformation,
}

/// A puzzle as a file defines it.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) name: Option<String>,
    pub(super) sets: Vec<Set>,
    pub(super) solved: Pattern,
    /// The moves, and among them the rotations of the whole puzzle.
    pub(super) moves: Vec<Move>,
    pub(super) illegal: Vec<Illegal>,
    pub(super) sequences: Vec<Sequence>,
    /// Where a name stands: among the moves, or after them among the sequences.
    pub(super) names: HashMap<String, usize>,
}

impl Definition {
    /// What a named move or sequence does.
    fn named(&self, name: &str) -> Option<&Transformation> {
        let &index = self.names.get(name)?;
        let sequence = || &self.sequences[index - self.moves.len()].transformation;
        Some(self.moves.get(index).map_or_else(sequence, |mv| &mv.transformation))
    }

    /// What a word such as `R`, `R2`, `R'` or `R2'` does; `None` if there is no such move.
    pub(super) fn word(&self, word: &str) -> Option<Transformation> {
        if let Some(transformation) = self.named(word) {
            return Some(transformation.clone());
        }
        let (name, exponent) = split_power(word, &|name| self.names.contains_key(name))?;
        Some(self.named(name)?.power(exponent, &self.sets))
    }

    /// How many slots all sets have.
    pub(super) fn slots(&self) -> usize {
        self.sets.iter().map(|set| set.pieces).sum()
    }
}

/// Splits a word into the name of a move and an exponent: `R2'` is `R`, -2. A caret may stand
/// between them, and must where the name ends in a digit.
pub(super) fn split_power<'a>(
    word: &'a str,
    is_name: &dyn Fn(&str) -> bool,
) -> Option<(&'a str, i64)> {
    let (unsigned, sign) = match word.strip_suffix('\'') {
        Some(rest) => (rest, -1),
        None => (word, 1),
    };
    if is_name(unsigned) {
        return Some((unsigned, sign));
    }
    let name = unsigned.trim_end_matches(|c: char| c.is_ascii_digit());
    let exponent: u32 = unsigned[name.len()..].parse().ok()?;
    let name = name.strip_suffix('^').unwrap_or(name);
    is_name(name).then_some((name, sign * i64::from(exponent)))
}

/// The name of a power: X, X2, …, and backwards X', X2', …; with a caret before the number if the
/// name ends in a digit.
pub(super) fn power_name(name: &str, exponent: i64) -> String {
    let caret = if name.ends_with(|c: char| c.is_ascii_digit()) { "^" } else { "" };
    let number = match exponent.unsigned_abs() {
        1 => String::new(),
        number => format!("{caret}{number}"),
    };
    format!("{name}{number}{}", if exponent < 0 { "'" } else { "" })
}
