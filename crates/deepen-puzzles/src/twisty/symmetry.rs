//! Rotations of the whole puzzle as symmetries.
//!
//! A rotation r turns a move m into the move r⁻¹ m r, and a state s into the state r⁻¹ s r, which is
//! as far from the solved state if the rotation turns the moves into one another. A table then says
//! something of the turned state that it may not say of the state itself, so it can be looked up
//! once for each rotation.

use std::collections::HashMap;

use super::model::{ANY, Pattern, Transformation};
use super::space::{State, Twists};

/// The most rotations that are looked at.
const MOST: usize = 120;

/// A symmetry.
#[derive(Debug, Clone)]
pub(super) struct Symmetry {
    rotation: Transformation,
    /// For each set and piece what it becomes, and by how much more it is then turned.
    becomes: Vec<HashMap<u8, (u8, u8)>>,
    /// What each letter becomes.
    pub(super) letters: Vec<u16>,
}

impl Symmetry {
    /// The symmetry of a rotation; `None` if it does not turn the moves into one another, or the
    /// solved state into itself with its pieces renamed.
    fn new(space: &Twists, rotation: Transformation) -> Option<Self> {
        let sets = &space.definition().sets;
        let back = rotation.inverse(sets);
        let index: HashMap<Vec<_>, u16> = (0..)
            .zip(&space.letters)
            .map(|(index, letter)| (key(&letter.transformation), index))
            .collect();
        let letters = space.letters.iter().map(|letter| {
            let turned = back.then(&letter.transformation, sets).then(&rotation, sets);
            index.get(&key(&turned)).copied()
        });
        let letters = letters.collect::<Option<_>>()?;
        let solved = &space.definition().solved;
        let turned = solved.after(&rotation, sets);
        let mut becomes = Vec::new();
        for (field, (before, after)) in
            space.fields.iter().zip(solved.rows.iter().zip(&turned.rows))
        {
            let mut map = HashMap::new();
            if field.moved {
                let orientations = field.set.orientations;
                for slot in 0..field.set.pieces {
                    let by = match (before.orientations[slot], after.orientations[slot]) {
                        (ANY, ANY) => ANY,
                        (ANY, _) | (_, ANY) => return None,
                        (before, after) => (before + orientations - after) % orientations,
                    };
                    let to = (before.pieces[slot], by);
                    if *map.entry(after.pieces[slot]).or_insert(to) != to {
                        return None;
                    }
                }
            }
            becomes.push(map);
        }
        Some(Symmetry { rotation, becomes, letters })
    }

    /// All symmetries that the rotations of a puzzle generate, the identity first.
    pub(super) fn all(space: &Twists) -> Vec<Symmetry> {
        let definition = space.definition();
        let sets = &definition.sets;
        // Of a rotation only what it does to the sets that are moved matters.
        let moved = |does: &Transformation| Transformation {
            parts: does
                .parts
                .iter()
                .filter(|(set, _)| space.fields[**set].moved)
                .map(|(&set, part)| (set, part.clone()))
                .collect(),
        };
        let rotations = definition.moves.iter().filter(|mv| mv.is_rotation());
        let rotations: Vec<Transformation> =
            rotations.map(|mv| moved(&mv.transformation)).collect();
        let mut found = vec![Transformation::default()];
        let mut at = 0;
        while at < found.len() && found.len() < MOST {
            for rotation in &rotations {
                let next = found[at].then(rotation, sets);
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found.into_iter().filter_map(|rotation| Symmetry::new(space, rotation)).collect()
    }

    /// The slot of a set to which what stands in that slot comes.
    pub(super) fn slot(&self, set: usize, slot: usize) -> usize {
        let part = self.rotation.parts.get(&set);
        let to = part.and_then(|part| part.from.iter().position(|&from| usize::from(from) == slot));
        to.unwrap_or(slot)
    }

    /// What a piece of a set becomes.
    pub(super) fn piece(&self, field: usize, piece: u8) -> u8 {
        self.becomes[field].get(&piece).map_or(piece, |&(to, _)| to)
    }

    /// What a state becomes.
    pub(super) fn turn(&self, space: &Twists, state: &State) -> State {
        let sets = &space.definition().sets;
        let mut pattern: Pattern = space.pattern(state).after(&self.rotation, sets);
        for ((row, becomes), set) in pattern.rows.iter_mut().zip(&self.becomes).zip(sets) {
            for (piece, turn) in row.pieces.iter_mut().zip(&mut row.orientations) {
                if let Some(&(to, by)) = becomes.get(piece) {
                    *piece = to;
                    if *turn != ANY {
                        *turn = ((u16::from(*turn) + u16::from(by)) % u16::from(set.orientations))
                            as u8;
                    }
                }
            }
        }
        space.state(&pattern)
    }
}

/// A transformation as something to look up.
fn key(transformation: &Transformation) -> Vec<(usize, Vec<u8>, Vec<u8>)> {
    let parts = transformation.parts.iter();
    parts.map(|(&set, part)| (set, part.from.clone(), part.turn.clone())).collect()
}
