//! The moves that are searched: the powers of the puzzle's moves, with their names.
//!
//! Each move X brings its powers X, X2, X3, … up to what does nothing, in this order; those past
//! half way are named backwards, so a quarter turn has X, X2 and X'. In the half-turn metric each
//! power is a move and costs 1; in the quarter-turn metric only X and X' are moves. Rotations of
//! the whole puzzle are not searched.

use super::model::{Definition, Transformation, power_name, split_power};

/// The most moves that a search can have.
pub(super) const MOST_LETTERS: usize = 1024;

/// Which powers count as one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// All.
    Half,
    /// X and X' alone.
    Quarter,
}

/// A move that is searched.
#[derive(Debug, Clone)]
pub(super) struct Letter {
    pub(super) name: String,
    /// The index of the move that it is a power of, among those that are searched.
    pub(super) base: usize,
    /// Which power of that move, from 1.
    pub(super) exponent: u32,
    /// How often that move must be done to do nothing.
    pub(super) order: u32,
    pub(super) transformation: Transformation,
}

/// The letters of a definition; of all its moves, or of those of a list such as `U,F,R2`.
///
/// # Errors
///
/// If the list names what is no move, there are too many, or names get into each other's way.
pub(super) fn letters(
    definition: &Definition,
    metric: Metric,
    only: Option<&str>,
) -> Result<Vec<Letter>, String> {
    let mut letters: Vec<Letter> = Vec::new();
    let mut add = |base: usize, name: &str, step: u32| -> Result<(), String> {
        let generator = definition.word(name).ok_or_else(|| format!("`{name}` is no move"))?;
        let sets = &definition.sets;
        let order = generator.order(sets).unwrap_or(u32::MAX);
        let exponents =
            || (1..order).map(|times| u64::from(times) * u64::from(step) % u64::from(order));
        let wanted: Vec<u64> = match metric {
            _ if order > MOST_LETTERS as u32 => vec![0; MOST_LETTERS + 1],
            Metric::Half => {
                let mut powers: Vec<u64> = exponents().filter(|&power| power > 0).collect();
                powers.sort_unstable();
                powers.dedup();
                powers
            }
            Metric::Quarter if step > 1 => {
                let name = power_name(name, step.into());
                return Err(format!("`{name}` is no move in the quarter-turn metric"));
            }
            Metric::Quarter if order == 2 => vec![1],
            Metric::Quarter => vec![1, u64::from(order) - 1],
        };
        if letters.len() + wanted.len() > MOST_LETTERS {
            let what = "moves to search, all powers counted";
            return Err(format!("more than {MOST_LETTERS} {what}; choose some with --moves"));
        }
        let mut power = Transformation::default();
        let mut at = 0;
        for exponent in wanted {
            while at < exponent {
                power = power.then(&generator, sets);
                at += 1;
            }
            let signed = i64::try_from(exponent).unwrap_or(i64::MAX);
            let signed =
                if 2 * exponent > u64::from(order) { signed - i64::from(order) } else { signed };
            let name = power_name(name, signed);
            if definition.names.contains_key(&name)
                && definition.word(&name).as_ref() != Some(&power)
            {
                return Err(format!("`{name}` names a power of a move, and another move"));
            }
            // What does the same as a move that is there already is that move.
            if letters.iter().any(|letter| letter.transformation == power) {
                continue;
            }
            let transformation = power.clone();
            letters.push(Letter { name, base, exponent: exponent as u32, order, transformation });
        }
        Ok(())
    };
    match only {
        None => {
            let moves = definition.moves.iter().filter(|mv| !mv.is_rotation());
            for (base, mv) in moves.enumerate() {
                add(base, &mv.name, 1)?;
            }
        }
        Some(list) => {
            for (base, name) in list.split(',').map(str::trim).enumerate() {
                let unknown = || format!("`{}` is no move of the puzzle", name.escape_debug());
                let known = |name: &str| definition.names.contains_key(name);
                let (name, exponent) = split_power(name, &known).ok_or_else(unknown)?;
                let order = definition.word(name).and_then(|does| does.order(&definition.sets));
                let order = i64::from(order.unwrap_or(u32::MAX));
                // (A move and its inverse have the same powers.)
                let step = match (metric, exponent.rem_euclid(order)) {
                    (_, 0) => return Err(format!("a power of `{name}` that does nothing")),
                    (_, step) if step == 1 || step == order - 1 => 1,
                    (_, step) => step,
                };
                add(base, name, u32::try_from(step).unwrap_or(1))?;
            }
        }
    }
    if letters.is_empty() {
        return Err("no moves to search: all are rotations of the whole puzzle".into());
    }
    Ok(letters)
}
