//! Pattern databases as a heuristic: the greatest of some look-ups.
//!
//! Each look-up is a table, read for the state as it is or as a rotation of the puzzle turns it
//! ([`Symmetry`]). Which rotations pay is found out with some hundred sample states: the look-up
//! that raises the mean of the greatest value most is added until the gain is small.
//!
//! The coordinates of all look-ups are carried down the path. While the tables are small, the first
//! look-up is made before a move is, the others after. Of large tables all are made after, and are
//! fetched while other subtrees are searched.

use std::fmt::Write;
use std::sync::OnceLock;

use deepen::table::{Distances, Indexed, Table, Width};
use deepen::{Cost, Heuristic, INFINITE};
use xxhash_rust::xxh3::xxh3_128;

use super::coordinate::NOWHERE;
use super::product::Product;
use super::space::{State, Turn, Twists};
use super::symmetry::Symmetry;
use crate::random::Random;
use crate::tables::{LazyTable, PuzzleTable, Tables};

/// The most coordinates that are carried down.
const MOST_TRACKED: usize = 24;
/// The most look-ups for a state.
const MOST_LOOKUPS: usize = 8;
/// How much a further look-up must raise the mean value.
const GAIN: f64 = 0.05;
/// How many sample states there are, and how many moves from the solved state each is.
const SAMPLES: usize = 400;
const SAMPLE_MOVES: usize = 60;

/// The tables that were chosen for a puzzle.
pub(super) struct Chosen {
    pub(super) tables: Vec<LazyTable<Product>>,
    /// Which tables are looked up after which rotations; known when they are built.
    lookups: OnceLock<Vec<(usize, usize)>>,
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
        Some(Patterns::new(space, &tables, symmetries, lookups))
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
fn lookups(
    space: &Twists,
    tables: &[(&Product, &Table)],
    symmetries: &[Symmetry],
) -> Vec<(usize, usize)> {
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
    let mut values = Vec::new();
    for (index, (product, table)) in tables.iter().enumerate() {
        for (turned, symmetry) in symmetries.iter().enumerate() {
            let value = |state: &State| {
                let picture = product.picture(space, &symmetry.turn(space, state));
                picture.and_then(|picture| table.distance(product.rank(&picture), 0)).unwrap_or(0)
            };
            values.push(((index, turned), states.iter().map(value).collect::<Vec<Cost>>()));
        }
    }
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    let mut greatest = vec![0; SAMPLES];
    while chosen.len() < MOST_LOOKUPS {
        let gain = |values: &[Cost]| -> u64 {
            let pairs = values.iter().zip(&greatest);
            pairs.map(|(value, known)| u64::from(value.saturating_sub(*known))).sum()
        };
        // The first of those that gain most.
        let best = values.iter().rev().max_by_key(|(_, values)| gain(values));
        let Some((lookup, best)) = best else { break };
        let carried = [chosen.as_slice(), &[*lookup]].concat();
        let tracked: usize =
            carried.iter().map(|(table, _)| tables[*table].0.coordinates.len()).sum();
        let enough = (gain(best) as f64) < GAIN * SAMPLES as f64;
        if tracked > MOST_TRACKED || enough && !chosen.is_empty() {
            break;
        }
        for (known, value) in greatest.iter_mut().zip(best) {
            *known = (*known).max(*value);
        }
        chosen = carried;
    }
    chosen
}

/// A coordinate that is carried down the path.
#[derive(Clone, Copy)]
struct Tracked<'a> {
    next: &'a [u32],
    /// What each letter is for it.
    letters: &'a [u16],
}

/// A look-up.
#[derive(Clone, Copy)]
struct Lookup<'a> {
    product: &'a Product,
    distances: Distances<'a>,
    /// Its coordinates among those that are carried down.
    first: usize,
    last: usize,
}

/// The heuristic.
pub(super) struct Patterns<'a> {
    letters: usize,
    tracked: Vec<Tracked<'a>>,
    lookups: Vec<Lookup<'a>>,
    products: Vec<&'a Product>,
    symmetries: Vec<&'a Symmetry>,
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
        lookups: &[(usize, usize)],
    ) -> Self {
        let mut patterns = Patterns {
            letters: space.letters.len(),
            tracked: Vec::new(),
            lookups: Vec::new(),
            products: Vec::new(),
            symmetries: Vec::new(),
            waits: tables.iter().map(|(_, table)| table.size()).sum::<usize>() > CACHED,
        };
        for &(index, turned) in lookups {
            let (product, table) = tables[index];
            let symmetry = &symmetries[turned];
            let first = patterns.tracked.len();
            for coordinate in &product.coordinates {
                patterns
                    .tracked
                    .push(Tracked { next: coordinate.next(), letters: &symmetry.letters });
            }
            let last = patterns.tracked.len();
            patterns.lookups.push(Lookup { product, distances: table.distances(), first, last });
            patterns.products.push(product);
            patterns.symmetries.push(symmetry);
        }
        patterns
    }

    /// Follows the coordinates of a look-up.
    #[inline(always)]
    fn follow(&self, lookup: &Lookup, from: &Value, to: &mut Value, turn: Turn) {
        for index in lookup.first..lookup.last {
            let tracked = &self.tracked[index];
            let letter = usize::from(tracked.letters[usize::from(turn.0)]);
            to.numbers[index] = tracked.next[from.numbers[index] as usize * self.letters + letter];
        }
    }

    #[inline(always)]
    fn rank(lookup: &Lookup, value: &Value) -> u64 {
        lookup.product.rank_of(&value.numbers[lookup.first..lookup.last])
    }

    /// Looks up, where the coordinates are known.
    #[inline(always)]
    fn look(lookup: &Lookup, value: &mut Value) {
        let distance = lookup.distances.at(Self::rank(lookup, value), 0).unwrap_or(INFINITE);
        value.bound = value.bound.max(distance);
    }
}

/// What is carried down: the coordinates and the bound.
#[derive(Clone, Copy)]
pub(super) struct Value {
    bound: Cost,
    numbers: [u32; MOST_TRACKED],
}

impl Heuristic<Twists> for Patterns<'_> {
    type Value = Value;
    /// The value of the parent.
    type Node = Value;

    const RAISES: bool = true;
    const LANES: bool = true;

    fn root(&self, space: &Twists, state: &State) -> Value {
        let mut value = Value { bound: 0, numbers: [0; MOST_TRACKED] };
        let lookups = self.lookups.iter().zip(&self.products).zip(&self.symmetries);
        for ((lookup, product), symmetry) in lookups {
            let Some(picture) = product.picture(space, &symmetry.turn(space, state)) else {
                return Value { bound: INFINITE, ..value };
            };
            value.numbers[lookup.first..lookup.last]
                .copy_from_slice(&picture[..lookup.last - lookup.first]);
            let distance = lookup.distances.at(product.rank(&picture), 0).unwrap_or(INFINITE);
            value.bound = value.bound.max(distance);
        }
        debug_assert!(!value.numbers.contains(&NOWHERE));
        value
    }

    #[inline(always)]
    fn bound(&self, value: Value) -> Cost {
        value.bound
    }

    #[inline(always)]
    fn node(&self, _: &Twists, _: &State, value: Value) -> Value {
        value
    }

    #[inline(always)]
    fn before(&self, _: &Twists, _: &State, parent: &Value, turn: Turn) -> Value {
        // A move brings the state at most one nearer.
        let bound =
            if parent.bound == INFINITE { INFINITE } else { parent.bound.saturating_sub(1) };
        let mut value = Value { bound, numbers: parent.numbers };
        if !self.waits
            && let Some(first) = self.lookups.first()
        {
            self.follow(first, parent, &mut value, turn);
            Self::look(first, &mut value);
        }
        value
    }

    #[inline(always)]
    fn ask(&self, _: &Twists, _: &State, parent: &Value, value: Value, turn: Turn) -> Value {
        let mut value = value;
        for lookup in &self.lookups[usize::from(!self.waits)..] {
            self.follow(lookup, parent, &mut value, turn);
        }
        value
    }

    #[inline(always)]
    fn prefetch(&self, value: Value) {
        for lookup in &self.lookups {
            lookup.distances.prefetch(Self::rank(lookup, &value));
        }
    }

    fn lanes(&self) -> usize {
        if self.waits { LANES } else { 1 }
    }

    #[inline(always)]
    fn after(&self, _: &Twists, _: &State, _: &Value, value: Value, _: Turn) -> Value {
        let mut value = value;
        for lookup in &self.lookups[usize::from(!self.waits)..] {
            Self::look(lookup, &mut value);
        }
        value
    }
}
