//! Coordinates: small pictures of one set of pieces, numbered, with a table of where moves lead.
//!
//! A [`View`] says what of a set is looked at: some of its pieces, each by itself or several as if
//! they were the same, and whether their orientations, or those of all slots, count. What is left of
//! the solved state and what the moves make of it, is numbered as it is found; then each move is a
//! column of a table, and following a coordinate down a path is one look-up a move. Numbers say
//! nothing but which picture is meant, so there is nothing to work out by formulas, and pictures
//! that can't be reached have none.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::model::ANY;
use super::space::{State, Twists};

/// What of a set is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct View {
    /// Which set.
    pub(super) field: usize,
    /// For each of its pieces, in the order of their numbers, the class that it counts as; 0 is
    /// what is not looked at. Empty: all are of class 0.
    pub(super) classes: Vec<u8>,
    pub(super) turns: Turns,
}

/// Which orientations count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Turns {
    /// None.
    Ignored,
    /// Those of the pieces that are looked at.
    Seen,
    /// Those of all pieces.
    All,
}

impl View {
    /// The view as a text: part of what a table is of.
    pub(super) fn text(&self, space: &Twists) -> String {
        let classes: Vec<String> = self.classes.iter().map(u8::to_string).collect();
        let turns = match self.turns {
            Turns::Ignored => "places",
            Turns::Seen => "places and turns",
            Turns::All => "all turns",
        };
        let name = &space.fields[self.field].set.name;
        format!("{name} {turns} [{}]", classes.join(" "))
    }

    /// The view of all that a set is: two coordinates if both places and turns matter.
    pub(super) fn whole(space: &Twists, field: usize) -> Vec<View> {
        let kinds = kinds(space, field);
        let places =
            View { field, classes: (1..=kinds.len() as u8).collect(), turns: Turns::Ignored };
        let turns = View { field, classes: Vec::new(), turns: Turns::All };
        let slots = space.fields[field].slots();
        let values = &space.solved().turns[slots];
        let any = values.contains(&ANY);
        let all_any = values.iter().all(|&turn| turn == ANY);
        if space.fields[field].set.orientations == 1 || all_any {
            return vec![places];
        }
        if kinds.len() == 1 {
            return vec![turns];
        }
        // Turns by slot tell the whole with the places only if they don't depend on them.
        if any {
            return vec![View { turns: Turns::Seen, ..places }];
        }
        vec![places, turns]
    }
}

/// The different pieces of a set, in order.
pub(super) fn kinds(space: &Twists, field: usize) -> Vec<u8> {
    let mut kinds = space.solved().pieces[space.fields[field].slots()].to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Where a move leads that can't be made.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A numbered view.
#[derive(Debug)]
pub(super) struct Coordinate {
    view: View,
    /// How many pictures there are.
    size: u32,
    /// For each picture and letter the picture it leads to.
    next: Vec<u32>,
    numbers: HashMap<u128, u32, FixedState>,
    /// The class and whether the orientation counts, by piece.
    class: Box<[(u8, bool); 256]>,
}

/// The most pictures, and the most bytes of where moves lead, that a coordinate may have.
const MOST_BYTES: usize = 64 << 20;

impl Coordinate {
    /// Numbers a view; `None` if it has too many pictures.
    pub(super) fn new(space: &Twists, view: View) -> Option<Self> {
        let letters = space.letters.len();
        let most = MOST_BYTES / 4 / letters;
        let field = &space.fields[view.field];
        let mut class = Box::new([(0, view.turns == Turns::All); 256]);
        for (&kind, &of) in kinds(space, view.field).iter().zip(&view.classes) {
            class[usize::from(kind)] =
                (of, view.turns != Turns::Ignored && (of > 0 || view.turns == Turns::All));
        }
        let mut coordinate =
            Coordinate { view, size: 0, next: Vec::new(), numbers: HashMap::default(), class };
        // Whether a picture fits into a number.
        let values = coordinate.values(space);
        u128::checked_pow(values, field.set.pieces as u32)?;
        let guarded = space.is_guarded() && coordinate.tells_all(space);
        let gathers: Vec<Option<Gather>> =
            (0..letters).map(|letter| coordinate.gather(space, letter)).collect();
        // The first power of each move leads to all others.
        let first = |letter: usize| {
            let base = space.letters[letter].base;
            (0..letter).find(|&other| space.letters[other].base == base)
        };
        let firsts: Vec<Option<usize>> = (0..letters).map(first).collect();
        let mut pictures: Vec<Picture> = Vec::new();
        let start = coordinate.picture(space, space.solved());
        coordinate.numbers.insert(coordinate.key(space, &start), 0);
        pictures.push(start);
        let mut at = 0;
        while at < pictures.len() {
            for letter in 0..letters {
                let Some(gather) = &gathers[letter] else {
                    coordinate.next.push(at as u32);
                    continue;
                };
                if firsts[letter].is_some() && !guarded {
                    coordinate.next.push(NOWHERE);
                    continue;
                }
                let picture = gather.apply(&pictures[at]);
                if guarded && !coordinate.is_legal(space, &picture) {
                    coordinate.next.push(NOWHERE);
                    continue;
                }
                let fresh = pictures.len() as u32;
                let number =
                    *coordinate.numbers.entry(coordinate.key(space, &picture)).or_insert(fresh);
                coordinate.next.push(number);
                if number == fresh {
                    if pictures.len() >= most {
                        return None;
                    }
                    pictures.push(picture);
                }
            }
            at += 1;
        }
        coordinate.size = pictures.len() as u32;
        if !guarded {
            coordinate.fill(space, &firsts, &gathers, &pictures);
        }
        Some(coordinate)
    }

    /// Fills in where the further powers lead.
    fn fill(
        &mut self,
        space: &Twists,
        firsts: &[Option<usize>],
        gathers: &[Option<Gather>],
        pictures: &[Picture],
    ) {
        let letters = firsts.len();
        for (letter, first) in firsts.iter().enumerate() {
            let (Some(first), Some(gather)) = (first, &gathers[letter]) else { continue };
            let (power, step) = (space.letters[letter].exponent, space.letters[*first].exponent);
            for at in 0..self.size as usize {
                let number = if power.is_multiple_of(step) {
                    (0..power / step).fold(at, |at, _| self.next[at * letters + first] as usize)
                        as u32
                } else {
                    let key = self.key(space, &gather.apply(&pictures[at]));
                    self.numbers.get(&key).copied().unwrap_or(NOWHERE)
                };
                self.next[at * letters + letter] = number;
            }
        }
    }

    /// How many pictures there are.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// What is looked at.
    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Where the moves lead, a row for each picture.
    pub(super) fn next(&self) -> &[u32] {
        &self.next
    }

    /// The number of a state's picture; `None` if the solved state can't be brought there.
    pub(super) fn number(&self, space: &Twists, state: &State) -> Option<u32> {
        let picture = self.picture(space, state);
        self.numbers.get(&self.key(space, &picture)).copied()
    }

    /// How many values a slot can have.
    fn values(&self, space: &Twists) -> u128 {
        let classes = u128::from(self.view.classes.iter().copied().max().unwrap_or(0)) + 1;
        classes * (u128::from(space.fields[self.view.field].set.orientations) + 1)
    }

    fn picture(&self, space: &Twists, state: &State) -> Picture {
        let slots = space.fields[self.view.field].slots();
        let pieces = state.pieces[slots.clone()].iter().zip(&state.turns[slots]);
        pieces
            .map(|(&piece, &turn)| {
                let (class, turns) = self.class[usize::from(piece)];
                (class, if turns { turn } else { ANY })
            })
            .collect()
    }

    fn key(&self, space: &Twists, picture: &Picture) -> u128 {
        let orientations = space.fields[self.view.field].set.orientations;
        let values = self.values(space);
        picture.iter().fold(0, |key, &(class, turn)| {
            key * values
                + u128::from(class) * (u128::from(orientations) + 1)
                + u128::from(turn.min(orientations))
        })
    }

    fn gather(&self, space: &Twists, letter: usize) -> Option<Gather> {
        let part = space.letters[letter].transformation.parts.get(&self.view.field)?;
        let orientations = space.fields[self.view.field].set.orientations;
        Some(Gather { from: part.from.clone(), turn: part.turn.clone(), orientations })
    }

    /// Whether it tells all different pieces apart.
    pub(super) fn tells_all(&self, space: &Twists) -> bool {
        let mut classes = self.view.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        classes.len() == kinds(space, self.view.field).len() && !classes.is_empty()
    }

    fn is_legal(&self, space: &Twists, picture: &Picture) -> bool {
        space.definition().illegal.iter().filter(|illegal| illegal.set == self.view.field).all(
            |illegal| {
                let class = picture[usize::from(illegal.slot)].0;
                !illegal.pieces.iter().any(|&piece| {
                    let (of, _) = self.class[usize::from(piece)];
                    of != 0 && of == class
                })
            },
        )
    }
}

/// The class and the orientation in each slot; [`ANY`] where it does not count.
type Picture = Vec<(u8, u8)>;

/// What a move does to a picture.
struct Gather {
    from: Vec<u8>,
    turn: Vec<u8>,
    orientations: u8,
}

impl Gather {
    fn apply(&self, picture: &Picture) -> Picture {
        let slots = self.from.iter().zip(&self.turn);
        slots
            .map(|(&from, &by)| {
                let (class, turn) = picture[usize::from(from)];
                let sum = u16::from(turn) + u16::from(by);
                (class, if turn == ANY { ANY } else { (sum % u16::from(self.orientations)) as u8 })
            })
            .collect()
    }
}

/// Coordinates that were numbered already.
#[derive(Default)]
pub(super) struct Numbered(HashMap<View, Option<Arc<Coordinate>>>);

impl Numbered {
    /// The coordinate of a view, if it is not too large.
    pub(super) fn get(&mut self, space: &Twists, view: &View) -> Option<Arc<Coordinate>> {
        if let Some(known) = self.0.get(view) {
            return known.clone();
        }
        let coordinate = Coordinate::new(space, view.clone()).map(Arc::new);
        self.0.insert(view.clone(), coordinate.clone());
        coordinate
    }
}
