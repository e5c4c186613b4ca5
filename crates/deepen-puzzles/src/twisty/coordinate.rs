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

/// A list of numbers in as little memory as they need: what is looked at all the time is to stay in
/// the caches.
#[derive(Debug)]
pub(super) enum Numbers {
    /// If none is larger.
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Numbers {
    pub(super) fn new(numbers: Vec<u32>) -> Self {
        let narrow = numbers.iter().map(|&number| u16::try_from(number));
        narrow.collect::<Result<_, _>>().map_or(Numbers::Wide(numbers), Numbers::Narrow)
    }

    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> u32 {
        match self {
            Numbers::Narrow(numbers) => numbers[index].into(),
            Numbers::Wide(numbers) => numbers[index],
        }
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Numbers::Narrow(numbers) => size_of_val(&numbers[..]),
            Numbers::Wide(numbers) => size_of_val(&numbers[..]),
        }
    }
}

/// A numbered view.
#[derive(Debug)]
pub(super) struct Coordinate {
    view: View,
    /// How many pictures there are.
    size: u32,
    /// For each picture and letter the picture it leads to.
    next: Numbers,
    numbers: HashMap<u128, u32, FixedState>,
    /// The class and whether the orientation counts, by piece.
    class: Box<[(u8, bool); 256]>,
    orientations: u8,
}

/// The most bytes that the table of where moves lead may have.
const MOST_BYTES: usize = 64 << 20;

/// The most pictures that a coordinate may have.
pub(super) fn most_pictures(space: &Twists) -> usize {
    MOST_BYTES / 4 / space.letters.len()
}

impl Coordinate {
    /// Numbers a view; `None` if it has more pictures than that, or they don't fit into a key.
    pub(super) fn new(space: &Twists, view: View, most: usize) -> Option<Self> {
        let letters = space.letters.len();
        let field = &space.fields[view.field];
        let mut class = Box::new([(0, view.turns == Turns::All); 256]);
        for (&kind, &of) in kinds(space, view.field).iter().zip(&view.classes) {
            let turned = view.turns == Turns::All || view.turns == Turns::Seen && of > 0;
            class[usize::from(kind)] = (of, turned);
        }
        let orientations = field.set.orientations;
        let numbers = HashMap::default();
        let mut coordinate = Coordinate {
            view,
            size: 0,
            next: Numbers::new(Vec::new()),
            numbers,
            class,
            orientations,
        };
        let mut next = Vec::new();
        let classes = u32::from(coordinate.view.classes.iter().copied().max().unwrap_or(0)) + 1;
        let values = classes * (u32::from(orientations) + 1);
        let bits = values.next_power_of_two().trailing_zeros();
        if values > 256 || bits as usize * field.set.pieces > 128 {
            return None;
        }
        let guarded = space.is_guarded() && coordinate.tells_all(space);
        let gathers: Vec<Option<Gather>> =
            (0..letters).map(|letter| coordinate.gather(space, letter, values)).collect();
        // The first power of each move leads to all others.
        let first = |letter: usize| {
            let base = space.letters[letter].base;
            (0..letter).find(|&other| space.letters[other].base == base)
        };
        let firsts: Vec<Option<usize>> = (0..letters).map(first).collect();
        let slots = field.set.pieces;
        let mut pictures: Vec<u8> = coordinate.picture(space, space.solved());
        coordinate.numbers.insert(key(&pictures, bits), 0);
        let mut picture = vec![0; slots];
        let (mut at, mut count) = (0, 1);
        while at < count {
            for letter in 0..letters {
                let Some(gather) = &gathers[letter] else {
                    next.push(at as u32);
                    continue;
                };
                if firsts[letter].is_some() && !guarded {
                    next.push(NOWHERE);
                    continue;
                }
                gather.apply(&pictures[at * slots..][..slots], &mut picture);
                if guarded && !coordinate.is_legal(space, &picture) {
                    next.push(NOWHERE);
                    continue;
                }
                let number = *coordinate.numbers.entry(key(&picture, bits)).or_insert(count as u32);
                next.push(number);
                if number as usize == count {
                    if count >= most {
                        return None;
                    }
                    count += 1;
                    pictures.extend_from_slice(&picture);
                }
            }
            at += 1;
        }
        coordinate.size = count as u32;
        if !guarded {
            fill(&mut next, space, &firsts, &gathers);
        }
        coordinate.next = Numbers::new(next);
        Some(coordinate)
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
    pub(super) fn next(&self) -> &Numbers {
        &self.next
    }

    /// Whether some moves can't be made everywhere.
    pub(super) fn is_guarded(&self) -> bool {
        matches!(&self.next, Numbers::Wide(next) if next.contains(&NOWHERE))
    }

    /// The number of a state's picture; `None` if the solved state can't be brought there.
    pub(super) fn number(&self, space: &Twists, state: &State) -> Option<u32> {
        self.numbers.get(&key(&self.picture(space, state), self.bits())).copied()
    }

    /// For each slot the class of its piece and the orientation, as one number.
    fn picture(&self, space: &Twists, state: &State) -> Vec<u8> {
        let slots = space.fields[self.view.field].slots();
        let pieces = state.pieces[slots.clone()].iter().zip(&state.turns[slots]);
        pieces.map(|(&piece, &turn)| self.value(piece, turn)).collect()
    }

    /// The class of a piece and its orientation, as one number.
    fn value(&self, piece: u8, turn: u8) -> u8 {
        let (class, turns) = self.class[usize::from(piece)];
        // What does not count is written as one orientation more than there are.
        let turn = if turns { turn.min(self.orientations) } else { self.orientations };
        class * (self.orientations + 1) + turn
    }

    /// Keys of the pictures, and by key the number of the picture, [`NOWHERE`] if there is none;
    /// `None` if there are more keys than so many.
    pub(super) fn keys(&self, space: &Twists, most: usize) -> Option<(Keys<'_>, Vec<u32>)> {
        let field = &space.fields[self.view.field];
        let turns = 0..=self.orientations;
        let mut digits = [None; 256];
        let mut base = 0;
        for &kind in &kinds(space, self.view.field) {
            for turn in turns.clone() {
                let digit = &mut digits[usize::from(self.value(kind, turn))];
                if digit.is_none() && (turn < self.orientations || space.has_any(field)) {
                    *digit = Some(base);
                    base += 1;
                }
            }
        }
        let size = (0..field.set.pieces).try_fold(1_usize, |size, _| {
            size.checked_mul(base as usize).filter(|&size| size <= most)
        })?;
        let keys = Keys { coordinate: self, base, digits };
        let mut numbers = vec![NOWHERE; size];
        let bits = self.bits();
        for (&picture, &number) in &self.numbers {
            let values = (0..field.set.pieces).map(|slot| {
                let shift = bits as usize * (field.set.pieces - 1 - slot);
                keys.of_value(slot, (picture >> shift & ((1 << bits) - 1)) as u8)
            });
            let key = values.sum::<u32>();
            numbers[key as usize] = number;
        }
        Some((keys, numbers))
    }

    /// How many bits a slot takes in a picture's number.
    fn bits(&self) -> u32 {
        let classes = u32::from(self.view.classes.iter().copied().max().unwrap_or(0)) + 1;
        let values = classes * (u32::from(self.orientations) + 1);
        values.next_power_of_two().trailing_zeros()
    }

    fn gather(&self, space: &Twists, letter: usize, values: u32) -> Option<Gather> {
        let part = space.letters[letter].transformation.parts.get(&self.view.field)?;
        let orientations = u32::from(self.orientations);
        let turned = |by: u32| {
            let mut turned = [0; 256];
            for value in 0..values {
                let (class, turn) = (value / (orientations + 1), value % (orientations + 1));
                let turn = if turn == orientations { turn } else { (turn + by) % orientations };
                turned[value as usize] = (class * (orientations + 1) + turn) as u8;
            }
            turned
        };
        let turned = (0..orientations).map(turned).collect();
        Some(Gather { from: part.from.clone(), turn: part.turn.clone(), turned })
    }

    /// Whether it tells all different pieces apart.
    fn tells_all(&self, space: &Twists) -> bool {
        let mut classes = self.view.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        classes.len() == kinds(space, self.view.field).len() && !classes.is_empty()
    }

    fn is_legal(&self, space: &Twists, picture: &[u8]) -> bool {
        let here = space.definition().illegal.iter().filter(|it| it.set == self.view.field);
        here.into_iter().all(|illegal| {
            let class = picture[usize::from(illegal.slot)] / (self.orientations + 1);
            !illegal.pieces.iter().any(|&piece| {
                let (of, _) = self.class[usize::from(piece)];
                of != 0 && of == class
            })
        })
    }
}

/// Fills in where the further powers lead: each is reached by steps of the first. (The powers of a
/// move that are letters are all multiples of the least of them.)
fn fill(next: &mut [u32], space: &Twists, firsts: &[Option<usize>], gathers: &[Option<Gather>]) {
    for (letter, first) in firsts.iter().enumerate() {
        let (Some(first), Some(_)) = (first, &gathers[letter]) else { continue };
        let steps = space.letters[letter].exponent / space.letters[*first].exponent;
        for at in 0..next.len() / firsts.len() {
            let step = |at: usize, _| next[at * firsts.len() + first] as usize;
            next[at * firsts.len() + letter] = (0..steps).fold(at, step) as u32;
        }
    }
}

/// Keys of a coordinate's pictures, each a sum over the slots.
pub(super) struct Keys<'a> {
    coordinate: &'a Coordinate,
    base: u32,
    /// The digit of each class and orientation.
    digits: [Option<u32>; 256],
}

impl Keys<'_> {
    /// What a piece that stands in a slot, turned so, adds to the key.
    pub(super) fn of(&self, slot: usize, piece: u8, turn: u8) -> u32 {
        self.of_value(slot, self.coordinate.value(piece, turn))
    }

    fn of_value(&self, slot: usize, value: u8) -> u32 {
        self.digits[usize::from(value)].unwrap_or(0) * self.base.pow(slot as u32)
    }
}

/// A picture as a number to look up.
fn key(picture: &[u8], bits: u32) -> u128 {
    picture.iter().fold(0, |key, &value| key << bits | u128::from(value))
}

/// What a move does to a picture.
struct Gather {
    from: Vec<u8>,
    turn: Vec<u8>,
    /// For each turn what becomes of each value.
    turned: Vec<[u8; 256]>,
}

impl Gather {
    fn apply(&self, picture: &[u8], into: &mut [u8]) {
        for ((to, &from), &by) in into.iter_mut().zip(&self.from).zip(&self.turn) {
            *to = self.turned[usize::from(by)][usize::from(picture[usize::from(from)])];
        }
    }
}

/// Coordinates that were numbered already.
#[derive(Default)]
pub(super) struct Numbered(HashMap<View, Option<Arc<Coordinate>>>);

impl Numbered {
    /// The coordinate of a view, if it is not too large.
    pub(super) fn get(
        &mut self,
        space: &Twists,
        view: &View,
        most: usize,
    ) -> Option<Arc<Coordinate>> {
        if let Some(known) = self.0.get(view) {
            return known.clone();
        }
        let coordinate = Coordinate::new(space, view.clone(), most).map(Arc::new);
        self.0.insert(view.clone(), coordinate.clone());
        coordinate
    }
}
