//! Pattern databases as a heuristic: the greatest of some look-ups.
//!
//! Each look-up is a table, read for the state as it is or as a rotation of the puzzle turns it
//! ([`Symmetry`]), or for the inverse of either ([`inverse`]). Which pay is found out with some
//! hundred sample states. IDA* expands about so many nodes as the mean of b⁻ʰ says, where b is how
//! many children a node has and h the bound (Korf, Reid and Edelkamp 2001). The look-up that lessens
//! it most is added until the gain is small.
//!
//! The coordinates of the look-ups that are no inverses are carried down the path. So the first is
//! made before a move is, and a child that it cuts is never made. The others follow one after the
//! other while the child is not cut; first come those that said most of the parent, and those that
//! can't raise the bound are left out: a move changes what a table says by at most one.
//!
//! *All the same.* If some look-ups all say h, and a solution had h moves, then each of these would
//! take all of them one nearer, and before the last all would say 1. So if no position one move from
//! the solved one is like that, the bound is h + 1. (Such are the three directions of the 3×3×3 that
//! a slice can have: a turn keeps one of them. Michiel de Bondt found this for Kociemba's solver.)

use std::fmt::Write;
use std::sync::OnceLock;

use deepen::table::{Distances, Table, Width};
use deepen::{Cost, Heuristic, INFINITE};
use xxhash_rust::xxh3::xxh3_128;

use super::coordinate::{NOWHERE, Numbers};
use super::inverse::{self, Inverse, Inverses};
use super::product::Product;
use super::space::{State, Turn, Twists};
use super::symmetry::Symmetry;
use crate::random::Random;
use crate::tables::{LazyTable, PuzzleTable, Tables};

/// The most coordinates that are carried down.
const MOST_TRACKED: usize = 12;
/// How many coordinates are carried: those, and behind them the ones of the inverse that is looked
/// up.
const NUMBERS: usize = MOST_TRACKED + inverse::MOST_COORDINATES;
/// The most look-ups for a state.
const MOST_LOOKUPS: usize = 8;
/// By how much a further look-up must lessen the nodes.
const GAIN: f64 = 0.03;
/// How many sample states there are, and how many moves from the solved state each is.
const SAMPLES: usize = 400;
const SAMPLE_MOVES: usize = 60;

/// A look-up that pays: a table, after a rotation, and perhaps of the inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    table: usize,
    symmetry: usize,
    inverse: bool,
}

/// The tables that were chosen for a puzzle.
pub(super) struct Chosen {
    pub(super) tables: Vec<LazyTable<Product>>,
    /// What is looked up; known when the tables are built.
    lookups: OnceLock<Vec<Choice>>,
    symmetries: OnceLock<Vec<Symmetry>>,
}

impl Chosen {
    pub(super) fn new(space: &Twists, products: Vec<Product>, tables: &Tables) -> Self {
        let lazy = |product: Product| {
            let definition = definition(space, &product);
            let goals = vec![[0; super::product::MOST]];
            LazyTable::new(product, goals, definition, Width::Four, tables).both_ways()
        };
        let tables = products.into_iter().map(lazy).collect();
        Chosen { tables, lookups: OnceLock::new(), symmetries: OnceLock::new() }
    }

    /// Whether all its tables are ready without building any.
    pub(super) fn is_kept(&self) -> bool {
        !self.tables.is_empty() && self.tables.iter().all(PuzzleTable::is_kept)
    }

    /// The heuristic; the tables are built now. `None` if one can't be.
    pub(super) fn heuristic(&self, space: &Twists) -> Option<Patterns<'_>> {
        let tables: Vec<(&Product, &Table)> = self
            .tables
            .iter()
            .map(|lazy| Some((&lazy.space, lazy.get().ok()?)))
            .collect::<Option<_>>()?;
        let symmetries = self.symmetries.get_or_init(|| Symmetry::all(space));
        let lookups = self.lookups.get_or_init(|| lookups(space, &tables, symmetries));
        (!lookups.is_empty()).then(|| Patterns::new(space, &tables, symmetries, lookups))
    }
}

/// What a table is of: the sets, moves and views that decide its entries, hashed.
fn definition(space: &Twists, product: &Product) -> String {
    // (The name that the definition says, not that of a file.)
    let name = space.definition().name.as_deref().unwrap_or("twisty");
    let views = product.coordinates.iter().map(|coordinate| coordinate.view().text(space));
    let views = views.collect::<Vec<_>>().join(" x ");
    let mut fields: Vec<usize> =
        product.coordinates.iter().map(|coordinate| coordinate.view().field).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut content = format!("order 1\n{views}\n");
    let reduction = product.reduction();
    if let Some(reduction) = reduction {
        let _ = writeln!(content, "reduced 1 {:?}", reduction.letters());
    }
    let symmetries = reduction.map(|reduction| reduction.letters().len());
    let symmetries = symmetries.map_or_else(String::new, |order| format!(", {order} symmetries"));
    for field in fields {
        let set = &space.fields[field];
        let solved =
            set.slots().map(|slot| (space.solved().pieces[slot], space.solved().turns[slot]));
        let _ = writeln!(content, "set {} {:?}", set.set.orientations, solved.collect::<Vec<_>>());
        for letter in &space.letters {
            let part = letter.transformation.parts.get(&field);
            let _ = writeln!(
                content,
                "{} {:?}",
                letter.base,
                part.map(|part| (&part.from, &part.turn))
            );
        }
        let illegal = space.definition().illegal.iter().filter(|illegal| illegal.set == field);
        let _ =
            writeln!(content, "{:?}", illegal.map(|it| (it.slot, &it.pieces)).collect::<Vec<_>>());
    }
    let hash = xxh3_128(content.as_bytes());
    format!("{name}: {views}{symmetries}, content {hash:032x}")
}

/// Which look-ups pay.
fn lookups(space: &Twists, tables: &[(&Product, &Table)], symmetries: &[Symmetry]) -> Vec<Choice> {
    let mut random = Random::new(1);
    let mut states = Vec::new();
    for _ in 0..SAMPLES {
        let mut state = space.solved().clone();
        for _ in 0..SAMPLE_MOVES {
            let letter = random.index(space.letters.len()) as u16;
            space.moves.apply(&mut state, letter);
        }
        states.push(state);
    }
    let mut samples = vec![(false, states.clone())];
    if inverse::exist(space) {
        samples.push((true, states.iter().map(|state| inverse::inverse(space, state)).collect()));
    }
    let mut values = Vec::new();
    for (inverse, states) in &samples {
        for (index, (product, table)) in tables.iter().enumerate() {
            if *inverse && Inverses::new(space, product).is_none() {
                continue;
            }
            for (turned, symmetry) in symmetries.iter().enumerate() {
                let value = |state: &State| {
                    let picture = product.picture(space, &symmetry.turn(space, state));
                    let entry = picture.map(|picture| product.rank_of(&picture));
                    entry.and_then(|entry| table.distance(entry, 0)).unwrap_or(0)
                };
                let choice = Choice { table: index, symmetry: turned, inverse: *inverse };
                values.push((choice, states.iter().map(value).collect::<Vec<Cost>>()));
            }
        }
    }
    let branching = (space.letters.len() as f64).max(2.0);
    let nodes = |bound: Cost| branching.powf(-f64::from(bound.min(u32::from(u8::MAX))));
    let mut chosen: Vec<Choice> = Vec::new();
    let mut known = vec![0; SAMPLES];
    let (mut tracked, mut ahead) = (0, true);
    while chosen.len() < MOST_LOOKUPS {
        let expected = |values: &[Cost]| -> f64 {
            known.iter().zip(values).map(|(&known, &value)| nodes(value.max(known))).sum()
        };
        // The first of those that gain most. The inverse costs more: it is asked when the position
        // itself has no more to say.
        let here = values.iter().filter(|(choice, _)| choice.inverse != ahead);
        let best = here.min_by(|(_, one), (_, two)| expected(one).total_cmp(&expected(two)));
        let Some((choice, best)) = best else { break };
        let more = if choice.inverse { 0 } else { tables[choice.table].0.coordinates.len() };
        let before: f64 = known.iter().copied().map(nodes).sum();
        let enough = expected(best) > (1.0 - GAIN) * before && !chosen.is_empty();
        if tracked + more > MOST_TRACKED || enough {
            if !std::mem::take(&mut ahead) {
                break;
            }
            continue;
        }
        tracked += more;
        for (known, value) in known.iter_mut().zip(best) {
            *known = (*known).max(*value);
        }
        chosen.push(*choice);
    }
    chosen
}

/// The look-ups of one table, of positions or of inverses, as bits, if they do not all say 1 of any
/// position one move from the solved one.
fn groups(
    space: &Twists,
    tables: &[(&Product, &Table)],
    symmetries: &[Symmetry],
    choices: &[Choice],
) -> Vec<u8> {
    let near = |letter: u16| {
        let mut state = space.solved().clone();
        space.moves.apply(&mut state, letter);
        state
    };
    // (The inverses of these positions are these positions.)
    let near: Vec<State> = (0..space.letters.len() as u16).map(near).collect();
    let says = |choice: &Choice, state: &State| {
        let (product, table) = tables[choice.table];
        let picture = product.picture(space, &symmetries[choice.symmetry].turn(space, state))?;
        table.distance(product.rank_of(&picture), 0)
    };
    let mut groups = Vec::new();
    for inverse in [false, true] {
        for table in 0..tables.len() {
            let group = (0..).zip(choices);
            let group: Vec<u8> = group
                .filter(|(_, choice)| choice.table == table && choice.inverse == inverse)
                .map(|(index, _)| index)
                .collect();
            let is_told_apart = |state| {
                group.iter().any(|&index| says(&choices[usize::from(index)], state) == Some(0))
            };
            if !group.is_empty() && near.iter().all(is_told_apart) {
                groups.push(group.iter().fold(0, |bits, index| bits | 1 << index));
            }
        }
    }
    groups
}

/// A coordinate that is carried down the path.
struct Tracked<'a> {
    next: &'a Numbers,
    /// What each letter is for it.
    letters: &'a [u16],
}

/// A look-up.
struct Lookup<'a> {
    product: &'a Product,
    distances: Distances<'a>,
    symmetry: &'a Symmetry,
    /// Its coordinates among those that are carried.
    first: usize,
    last: usize,
    /// If it is of the inverse position.
    inverse: Option<Inverse>,
    /// The greatest distance in its table.
    greatest: u8,
}

/// The heuristic.
pub(super) struct Patterns<'a> {
    letters: usize,
    tracked: Vec<Tracked<'a>>,
    /// Those that are of no inverse come first.
    lookups: Vec<Lookup<'a>>,
    /// How many these are.
    ahead: usize,
    /// Look-ups that can't all say the least number of moves, as bits.
    groups: Vec<u8>,
    /// Whether the tables are so large that look-ups are waited for.
    waits: bool,
}

/// Tables of more bytes than this are not in the caches when they are looked up.
const CACHED: usize = 16 << 20;
/// How many subtrees are then advanced in turn.
const LANES: usize = 8;

impl<'a> Patterns<'a> {
    fn new(
        space: &Twists,
        tables: &[(&'a Product, &'a Table)],
        symmetries: &'a [Symmetry],
        choices: &[Choice],
    ) -> Self {
        let mut patterns = Patterns {
            letters: space.letters.len(),
            tracked: Vec::new(),
            lookups: Vec::new(),
            ahead: choices.iter().filter(|choice| !choice.inverse).count(),
            groups: groups(space, tables, symmetries, choices),
            waits: tables.iter().map(|(_, table)| table.size()).sum::<usize>() > CACHED,
        };
        // What the look-ups of one table share.
        let mut inverses: Vec<_> = tables.iter().map(|_| None).collect();
        for choice in choices {
            let (product, table) = tables[choice.table];
            let symmetry = &symmetries[choice.symmetry];
            let first = patterns.tracked.len();
            if !choice.inverse {
                let letters = &symmetry.letters;
                let nexts = product.coordinates.iter().map(|coordinate| coordinate.next());
                patterns.tracked.extend(nexts.map(|next| Tracked { next, letters }));
            }
            let (first, last) = if choice.inverse {
                (MOST_TRACKED, MOST_TRACKED + product.coordinates.len())
            } else {
                (first, patterns.tracked.len())
            };
            let inverse = if choice.inverse {
                let shared =
                    inverses[choice.table].get_or_insert_with(|| Inverses::new(space, product));
                shared.as_ref().map(|inverses| inverses.turned(space, symmetry))
            } else {
                None
            };
            let greatest = said(table.census().len().saturating_sub(1) as Cost);
            let distances = table.distances();
            let lookup = Lookup { product, distances, symmetry, first, last, inverse, greatest };
            patterns.lookups.push(lookup);
        }
        patterns
    }

    /// Follows the coordinates of a look-up from the parent, whose they still are.
    #[inline(always)]
    fn follow(&self, lookup: &Lookup, numbers: &mut [u32; NUMBERS], letter: u16) {
        let coordinates = lookup.first..lookup.last;
        for (number, tracked) in
            numbers[coordinates.clone()].iter_mut().zip(&self.tracked[coordinates])
        {
            let letter = usize::from(tracked.letters[usize::from(letter)]);
            *number = tracked.next.at(*number as usize * self.letters + letter);
        }
    }

    /// Says where a look-up that is of no inverse will read.
    #[inline(always)]
    fn ask_ahead(&self, index: u8, value: &mut Value) {
        let lookup = &self.lookups[usize::from(index)];
        self.follow(lookup, &mut value.numbers, value.letter);
        value.followed |= 1 << index;
        value.asked = index;
    }

    /// Reads what was asked for, and says what is next, if anything can raise the bound.
    #[inline(always)]
    fn read(&self, node: &Node, mut value: Value) -> Value {
        let lookup = &self.lookups[usize::from(value.asked)];
        let distance = lookup.distances.at(value.rank, 0).unwrap_or(INFINITE);
        value.most[usize::from(value.asked)] = said(distance);
        value.read |= 1 << value.asked;
        value.bound = value.bound.max(distance);
        let useful = self.compare(&mut value);
        let mut turn = value.turn + 1;
        value.turn = DONE;
        while useful != 0 && usize::from(turn) < self.lookups.len() {
            if useful >> node.order[usize::from(turn)] & 1 != 0 {
                value.turn = turn;
                break;
            }
            turn += 1;
        }
        value
    }

    /// Raises the bound if all of a group say the same. Which look-ups may still raise it: bits.
    #[inline(always)]
    fn compare(&self, value: &mut Value) -> u8 {
        let mut reaching = at_least(value.most, value.bound);
        let mut beyond = at_least(value.most, value.bound.saturating_add(1));
        let is_whole = |bits: u8, group: u8| bits & group == group;
        let same = value.read & reaching & !beyond;
        if value.bound > 0 && self.groups.iter().any(|&group| is_whole(same, group)) {
            value.bound += 1;
            reaching = beyond;
            beyond = at_least(value.most, value.bound.saturating_add(1));
        }
        let groups = self.groups.iter().filter(|&&group| is_whole(reaching, group));
        groups.fold(beyond, |bits, group| bits | group) & !value.read
    }
}

/// The most that look-ups are told apart by; more counts as that, and never as too little to look
/// at.
const MOST_TOLD: u8 = 127;

/// What a look-up says, as it is compared with what others say.
#[inline(always)]
fn said(distance: Cost) -> u8 {
    distance.min(MOST_TOLD.into()) as u8
}

/// The look-ups that say so much or more, as bits. (What they say is compared in the bytes of one
/// number, the highest bit of each standing for the outcome, and these bits are then gathered.)
#[inline(always)]
fn at_least(most: [u8; MOST_LOOKUPS], bound: Cost) -> u8 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = ONES << 7;
    let bound = u64::from(said(bound));
    let outcomes = ((u64::from_le_bytes(most) | HIGHEST) - bound * ONES) & HIGHEST;
    ((outcomes >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// No more to look up.
const DONE: u8 = u8::MAX;

/// What is carried down: the bound, and what the look-ups are made of.
#[derive(Clone, Copy)]
pub(super) struct Value {
    /// Where is read.
    rank: u64,
    bound: Cost,
    /// The move that led here.
    letter: u16,
    /// The look-up that reads there, and its place in the parent's order.
    asked: u8,
    turn: u8,
    /// Bits of the look-ups whose coordinates are those of this state; the others' are the parent's.
    followed: u8,
    /// Bits of the look-ups that are made.
    read: u8,
    /// By look-up, what it says, or at most says if it is not made.
    most: [u8; MOST_LOOKUPS],
    numbers: [u32; NUMBERS],
}

/// What the children share.
pub(super) struct Node {
    bound: Cost,
    /// By look-up, what it says of a child at most.
    most: [u8; MOST_LOOKUPS],
    /// The look-ups in the order in which they are made.
    order: [u8; MOST_LOOKUPS],
    numbers: [u32; NUMBERS],
}

impl Heuristic<Twists> for Patterns<'_> {
    type Value = Value;
    type Node = Node;

    const RAISES: bool = true;
    const LANES: bool = true;
    const EARLY: bool = true;
    const AIMS: bool = true;

    fn root(&self, space: &Twists, state: &State) -> Value {
        let mut value = Value {
            rank: 0,
            bound: 0,
            letter: 0,
            asked: 0,
            turn: DONE,
            followed: u8::MAX,
            read: u8::MAX,
            most: [0; MOST_LOOKUPS],
            numbers: [0; NUMBERS],
        };
        for (lookup, most) in self.lookups.iter().zip(&mut value.most) {
            let picture = if let Some(inverse) = &lookup.inverse {
                Some(inverse.numbers(state))
            } else {
                lookup.product.picture(space, &lookup.symmetry.turn(space, state))
            };
            let Some(picture) = picture else { return Value { bound: INFINITE, ..value } };
            let numbers = &mut value.numbers[lookup.first..lookup.last];
            numbers.copy_from_slice(&picture[..lookup.last - lookup.first]);
            let rank = lookup.product.rank_of(&picture);
            let distance = lookup.distances.at(rank, 0).unwrap_or(INFINITE);
            *most = said(distance);
            value.bound = value.bound.max(distance);
        }
        debug_assert!(!value.numbers.contains(&NOWHERE));
        self.compare(&mut value);
        value
    }

    #[inline(always)]
    fn bound(&self, value: Value) -> Cost {
        value.bound
    }

    #[inline(always)]
    fn node(&self, _: &Twists, _: &State, value: Value) -> Node {
        let mut numbers = value.numbers;
        for (index, lookup) in self.lookups[..self.ahead].iter().enumerate() {
            if value.followed & 1 << index == 0 {
                self.follow(lookup, &mut numbers, value.letter);
            }
        }
        // Those that said most come first; of these, those that did say it and not something less.
        // But the first must not be of the inverse.
        let promise = |index: usize| (value.most[index], value.read >> index & 1);
        let mut order = [0; MOST_LOOKUPS];
        let mut greatest = 0;
        for index in 1..self.ahead {
            if promise(index) > promise(greatest) {
                greatest = index;
            }
        }
        order[0] = greatest as u8;
        let mut number = 1;
        for index in 0..self.lookups.len() {
            if index == greatest {
                continue;
            }
            let mut place = number;
            while place > 1 && promise(usize::from(order[place - 1])) < promise(index) {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = index as u8;
            number += 1;
        }
        let mut most = [0; MOST_LOOKUPS];
        for ((most, says), lookup) in most.iter_mut().zip(value.most).zip(&self.lookups) {
            // Of the inverse, a move may change it to anything.
            let more = if lookup.inverse.is_some() { MOST_TOLD } else { says + 1 };
            *most = more.min(lookup.greatest);
        }
        Node { bound: value.bound, most, order, numbers }
    }

    #[inline(always)]
    fn before(&self, _: &Twists, _: &State, node: &Node, turn: Turn) -> Value {
        let mut value = Value {
            rank: 0,
            // A move brings the state at most one nearer.
            bound: if node.bound == INFINITE { INFINITE } else { node.bound.saturating_sub(1) },
            letter: turn.0,
            asked: 0,
            turn: 0,
            followed: 0,
            read: 0,
            most: node.most,
            numbers: node.numbers,
        };
        self.ask_ahead(node.order[0], &mut value);
        value
    }

    #[inline(always)]
    fn told(&self, node: &Node, value: Value) -> Value {
        self.read(node, value)
    }

    #[inline(always)]
    fn more(&self, value: Value) -> bool {
        value.turn != DONE
    }

    #[inline(always)]
    fn asks_child(&self, node: &Node, value: Value) -> bool {
        usize::from(node.order[usize::from(value.turn)]) >= self.ahead
    }

    #[inline(always)]
    fn ask(&self, _: &Twists, state: &State, node: &Node, value: Value, _: Turn) -> Value {
        let mut value = value;
        let index = node.order[usize::from(value.turn)];
        let lookup = &self.lookups[usize::from(index)];
        if let Some(inverse) = &lookup.inverse {
            let numbers = &mut value.numbers[lookup.first..lookup.last];
            numbers.copy_from_slice(&inverse.numbers(state)[..lookup.last - lookup.first]);
            value.asked = index;
        } else {
            self.ask_ahead(index, &mut value);
        }
        value
    }

    #[inline(always)]
    fn aim(&self, value: Value) -> Value {
        let lookup = &self.lookups[usize::from(value.asked)];
        let rank = lookup.product.rank_of(&value.numbers[lookup.first..lookup.last]);
        Value { rank, ..value }
    }

    #[inline(always)]
    fn prefetch_aim(&self, value: Value) {
        let lookup = &self.lookups[usize::from(value.asked)];
        lookup.product.prefetch(&value.numbers[lookup.first..lookup.last]);
    }

    #[inline(always)]
    fn prefetch(&self, value: Value) {
        self.lookups[usize::from(value.asked)].distances.prefetch(value.rank);
    }

    fn lanes(&self) -> usize {
        if self.waits { LANES } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::twisty::choose::choose;
    use crate::twisty::letters::{Metric, letters};
    use crate::twisty::tws;

    #[test]
    fn what_look_ups_say_is_compared_all_at_once() {
        let mut random = Random::new(5);
        for _ in 0..1000 {
            let most: [u8; MOST_LOOKUPS] = std::array::from_fn(|_| match random.index(16) {
                15 => MOST_TOLD,
                number => number as u8,
            });
            for bound in [0..16, 126..130].into_iter().flatten() {
                let bits = (0..MOST_LOOKUPS).filter(|&index| most[index] >= said(bound));
                let bits = bits.fold(0, |bits, index| bits | 1 << index);
                assert_eq!(at_least(most, bound), bits);
            }
        }
    }

    /// No bound exceeds the number of moves that a position was made by, and look-ups that all say
    /// the same raise some.
    #[test]
    fn bounds_are_no_more_than_the_moves_made() {
        for metric in [Metric::Half, Metric::Quarter] {
            let text = include_str!("definitions/3x3x3.tws");
            let definition = Arc::new(tws::read(text.as_bytes()).unwrap());
            let letters = letters(&definition, metric, None).unwrap();
            let space = Twists::new(&definition, letters, metric).unwrap();
            let chosen = Chosen::new(&space, choose(&space, 1 << 21), &Tables::default());
            let heuristic = chosen.heuristic(&space).unwrap();
            assert!(!heuristic.groups.is_empty());
            let mut random = Random::new(3);
            let mut raised = 0;
            for walk in 0..20_000 {
                let mut state = space.solved().clone();
                let moves = 1 + walk % 14;
                for _ in 0..moves {
                    let letter = random.index(space.letters.len()) as u16;
                    space.moves.apply(&mut state, letter);
                }
                let value = heuristic.root(&space, &state);
                assert!(value.bound <= moves, "{} for {moves}", value.bound);
                let number = heuristic.lookups.len();
                raised += u32::from(!value.most[..number].contains(&(value.bound as u8)));
            }
            assert!(raised > 20, "{raised}");
        }
    }
}
