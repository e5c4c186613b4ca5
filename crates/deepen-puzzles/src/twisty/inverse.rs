//! The inverse position as a second thing to look up.
//!
//! Where all pieces are different, a position is what one sequence of moves makes of the solved
//! state; its *inverse* is what the inverse sequence makes. It takes as many moves, but a pattern
//! database sees other things of it.
//!
//! A move before an inverse position is not a move behind it, so coordinates can't be followed: they
//! are worked out from the state. What stands in a slot tells what stands in one slot of the inverse
//! position, and so of one that a rotation then turns. So each coordinate is numbered by a key that
//! is a sum, over the slots, of what a small table says of the piece and its orientation.

use std::cmp::Reverse;
use std::sync::Arc;

use super::coordinate::{Keys, NOWHERE, Numbers};
use super::model::{ANY, Part, Transformation};
use super::product::{MOST, Product};
use super::space::{State, Twists};
use super::symmetry::Symmetry;

/// Whether positions have inverses, as far as the moves change them: all pieces are different, none
/// may be turned in any way, and all moves can be made everywhere.
pub(super) fn exist(space: &Twists) -> bool {
    let solved = space.solved();
    let mut moved = space.fields.iter().filter(|field| field.moved);
    !space.is_guarded()
        && moved.all(|field| {
            let mut seen = [false; 256];
            field.slots().all(|slot| {
                let known = &mut seen[usize::from(solved.pieces[slot])];
                !std::mem::replace(known, true) && solved.turns[slot] != ANY
            })
        })
}

/// The inverse of a position, if there [are](exist) such.
pub(super) fn inverse(space: &Twists, state: &State) -> State {
    let sets = &space.definition().sets;
    let solved = &space.definition().solved;
    let pattern = space.pattern(state);
    let moved = (0..sets.len()).filter(|&set| space.fields[set].moved);
    let parts = moved.map(|set| {
        let (row, home) = (&pattern.rows[set], &solved.rows[set]);
        let pieces = row.pieces.iter().zip(&row.orientations);
        let (from, turn): (Vec<u8>, Vec<u8>) = pieces
            .map(|(&piece, &turn)| {
                let from = home.pieces.iter().position(|&other| other == piece).unwrap_or_default();
                let orientations = sets[set].orientations;
                (from as u8, (turn + orientations - home.orientations[from]) % orientations)
            })
            .unzip();
        (set, Part { from, turn })
    });
    space.state(&solved.after(&Transformation::new(parts).inverse(sets), sets))
}

/// The most values that a key has.
const MOST_KEYS: usize = 1 << 20;
/// The most coordinates of a product whose inverse is looked up.
pub(super) const MOST_COORDINATES: usize = 4;

/// What the inverses of a product share, however they are turned.
pub(super) struct Inverses<'a> {
    product: &'a Product,
    keys: Vec<Keys<'a>>,
    by_key: Arc<[ByKey]>,
}

/// The numbers of a coordinate by its keys. They are fewer by far than keys, so each row of keys is
/// moved to where the numbers in it fit between those of others: a *displaced* table, as of parsers.
struct ByKey {
    /// Where the key is in [`Sums`], and how many bits it has.
    shift: u32,
    bits: u32,
    /// By the upper half of the key, where its row begins.
    rows: Vec<u32>,
    numbers: Numbers,
}

/// Rows of more numbers than that stay where they are: they would not stay in the caches anyway.
const MOST_MOVED: usize = 1 << 15;

impl ByKey {
    /// Of a key that is shifted so far; [`NOWHERE`] is the number of what is none.
    fn new(by_key: &[u32], shift: u32) -> Self {
        let bits = by_key.len().next_power_of_two().ilog2();
        let columns = 1 << (bits / 2);
        let filled = |row: &[u32]| -> Vec<usize> {
            (0..row.len()).filter(|&column| row[column] != NOWHERE).collect()
        };
        let filled: Vec<Vec<usize>> = by_key.chunks(columns).map(filled).collect();
        let moves = filled.iter().map(Vec::len).sum::<usize>() <= MOST_MOVED;
        // The fullest first: others fit between them.
        let mut order: Vec<usize> = (0..filled.len()).collect();
        order.sort_by_key(|&row| Reverse(filled[row].len()));
        let mut rows = vec![0; filled.len()];
        let mut numbers: Vec<u32> = Vec::new();
        for row in order {
            let is_free = |at: usize| numbers.get(at).is_none_or(|&number| number == NOWHERE);
            let fits = |&begin: &usize| filled[row].iter().all(|column| is_free(begin + column));
            let end = numbers.len();
            let stays = !moves && !filled[row].is_empty();
            let begin = if stays { row * columns } else { (0..end).find(fits).unwrap_or(end) };
            rows[row] = begin as u32;
            for &column in &filled[row] {
                let at = begin + column;
                numbers.resize(numbers.len().max(at + 1), NOWHERE);
                numbers[at] = by_key[row * columns + column];
            }
        }
        // What is none reads as something, so that whoever asks for it does no harm.
        numbers.resize(numbers.len() + columns, NOWHERE);
        let numbers = numbers.into_iter().map(|it| if it == NOWHERE { 0 } else { it }).collect();
        ByKey { shift, bits, rows, numbers: Numbers::new(numbers) }
    }

    #[inline(always)]
    fn number(&self, sums: Sums) -> u32 {
        let key = (sums >> self.shift) as usize & ((1 << self.bits) - 1);
        let (row, column) = (key >> (self.bits / 2), key & ((1 << (self.bits / 2)) - 1));
        self.numbers.at(self.rows[row] as usize + column)
    }
}

/// Works out the coordinates of a product from a state: those of its inverse, turned.
pub(super) struct Inverse {
    /// The sets that it looks at: the first slot, how many there are, and where their rows begin.
    slots: Vec<Slots>,
    /// For each slot a row: for each piece and orientation what it adds to the keys.
    adds: Vec<Sums>,
    by_key: Arc<[ByKey]>,
}

/// The keys of some coordinates, each in its place.
type Sums = u64;

#[derive(Debug, Clone, Copy)]
struct Slots {
    first: usize,
    number: usize,
    orientations: u16,
    row: usize,
    /// How long a row is.
    values: usize,
}

impl<'a> Inverses<'a> {
    /// `None` if some keys were too many.
    pub(super) fn new(space: &Twists, product: &'a Product) -> Option<Self> {
        let keys = product.coordinates.iter().map(|coordinate| coordinate.keys(space, MOST_KEYS));
        let (keys, numbers): (Vec<_>, Vec<_>) =
            keys.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let mut bits = 0;
        let by_key = numbers.iter().map(|numbers| {
            let by_key = ByKey::new(numbers, bits);
            bits += by_key.bits;
            by_key
        });
        let by_key: Arc<[ByKey]> = by_key.collect();
        let fits = by_key.len() <= MOST_COORDINATES && bits <= Sums::BITS;
        fits.then_some(Inverses { product, keys, by_key })
    }

    /// Those that are turned so.
    pub(super) fn turned(&self, space: &Twists, symmetry: &Symmetry) -> Inverse {
        let (mut slots, mut adds) = (Vec::new(), Vec::new());
        for (set, field) in space.fields.iter().enumerate() {
            let of_set = || {
                let coordinates = self.product.coordinates.iter().zip(&self.keys);
                let coordinates = coordinates.zip(self.by_key.iter());
                coordinates.filter(|((coordinate, _), _)| coordinate.view().field == set)
            };
            if of_set().next().is_none() {
                continue;
            }
            let solved = &space.definition().solved;
            let (row, orientations) = (&solved.rows[set], u16::from(field.set.orientations));
            let pieces = 1 + usize::from(row.pieces.iter().copied().max().unwrap_or(0));
            let values = pieces * usize::from(orientations);
            let number = field.set.pieces;
            let first_row = adds.len();
            slots.push(Slots { first: field.start, number, orientations, row: first_row, values });
            adds.resize(first_row + number * values, 0);
            for slot in 0..number {
                for (home, &piece) in row.pieces.iter().enumerate() {
                    for turn in 0..orientations {
                        // In the inverse, the piece of this slot stands at that home, turned back.
                        let by = turn + orientations - u16::from(row.orientations[home]);
                        let back = u16::from(row.orientations[slot]) + 2 * orientations - by;
                        let mut pattern = solved.clone();
                        pattern.rows[set].pieces[home] = row.pieces[slot];
                        pattern.rows[set].orientations[home] = (back % orientations) as u8;
                        let turned = symmetry.turn(space, &space.state(&pattern));
                        let to = symmetry.slot(set, home);
                        let there = field.start + to;
                        let sums = of_set().map(|((_, keys), by_key)| {
                            let add = keys.of(to, turned.pieces[there], turned.turns[there]);
                            Sums::from(add) << by_key.shift
                        });
                        let value = usize::from(piece) * usize::from(orientations);
                        let place = first_row + slot * values + value + usize::from(turn);
                        adds[place] = sums.sum();
                    }
                }
            }
        }
        Inverse { slots, adds, by_key: self.by_key.clone() }
    }
}

impl Inverse {
    /// The numbers of the coordinates, for a state that can be reached.
    #[inline(always)]
    pub(super) fn numbers(&self, state: &State) -> [u32; MOST] {
        let mut keys: Sums = 0;
        for slots in &self.slots {
            let all = slots.first..slots.first + slots.number;
            let pieces = state.pieces[all.clone()].iter().zip(&state.turns[all]);
            // (In chunks it would take divisions.)
            let mut row = slots.row;
            for (&piece, &turn) in pieces {
                let value = usize::from(piece) * usize::from(slots.orientations);
                keys += self.adds[row + value + usize::from(turn)];
                row += slots.values;
            }
        }
        let mut numbers = [NOWHERE; MOST];
        for (number, by_key) in numbers.iter_mut().zip(self.by_key.iter()) {
            *number = by_key.number(keys);
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use deepen::Space;

    use super::*;
    use crate::random::Random;
    use crate::twisty::choose::choose;
    use crate::twisty::letters::{Metric, letters};
    use crate::twisty::space::Turn;
    use crate::twisty::tws;

    fn space(text: &str) -> Twists {
        let definition = Arc::new(tws::read(text.as_bytes()).unwrap());
        let letters = letters(&definition, Metric::Half, None).unwrap();
        Twists::new(&definition, letters, Metric::Half).unwrap()
    }

    /// The moves of a sequence backwards, each taken back, lead to the inverse of where it leads;
    /// and the coordinates of that, turned in every way, are told from the position itself.
    #[test]
    fn inverses_are_where_the_moves_backwards_lead() {
        let mut random = Random::new(7);
        for (text, memory, least) in [
            (include_str!("definitions/2x2x2.tws"), 1 << 20, 1),
            (include_str!("definitions/3x3x3.tws"), 1 << 26, 96),
            (include_str!("definitions/skewb.tws"), 1 << 20, 1),
            // The home of a piece has another number, and solved pieces are turned.
            (
                "Set A 4 3\nStartState\nA\n7 2 5 0\n1 0 2 0\nEnd\n\
                 MoveTransformation R\nA\n1 2 3 0\n0 1 2 1\nEnd\n\
                 MoveTransformation S\nA\n1 0 2 3\n2 2 0 0\nEnd\n\
                 MoveTransformation zv\nA\n1 2 3 0\n1 1 1 1\nEnd\n",
                1 << 20,
                1,
            ),
        ] {
            let space = space(text);
            assert!(exist(&space));
            let symmetries = Symmetry::all(&space);
            let products = choose(&space, memory);
            let mut looked_up = 0;
            for _ in 0..20 {
                let (mut state, mut back) = (space.solved().clone(), space.solved().clone());
                let letters: Vec<u16> =
                    (0..20).map(|_| random.index(space.letters.len()) as u16).collect();
                for &letter in &letters {
                    space.apply(&mut state, Turn(letter));
                }
                for &letter in letters.iter().rev() {
                    space.undo(&mut back, Turn(letter));
                }
                assert!(space.pattern(&inverse(&space, &state)) == space.pattern(&back));
                for (product, symmetry) in
                    products.iter().flat_map(|one| symmetries.iter().map(move |two| (one, two)))
                {
                    let Some(inverses) = Inverses::new(&space, product) else { continue };
                    let looks = inverses.turned(&space, symmetry);
                    let picture = product.picture(&space, &symmetry.turn(&space, &back)).unwrap();
                    let number = product.coordinates.len();
                    assert_eq!(looks.numbers(&state)[..number], picture[..number]);
                    looked_up += 1;
                }
            }
            assert!(looked_up >= 20 * least, "{looked_up}");
        }
        // Equal pieces have no inverse.
        let equal = "Set A 3 1\nStartState\nA\n0 1 1\nEnd\nMoveTransformation R\nA\n1 2 0\nEnd\n";
        assert!(!exist(&space(equal)));
    }
}
