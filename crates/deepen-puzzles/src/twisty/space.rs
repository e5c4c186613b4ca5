//! The state space of a twisty puzzle.
//!
//! A state holds for each slot the piece and its orientation, a byte each, in two arrays of fixed
//! size: nothing is allocated. Each set begins at a multiple of sixteen slots, a *lane*, so that a
//! move can be made sixteen slots at a time where the machine has byte shuffles ([`compose`]). A
//! move touches the lanes of the sets that it changes, and no others.
//!
//! # Illegal positions
//!
//! A move that leads to an illegal position is not a move of that state. Whether it does is told
//! from the pieces that it brings to the guarded slots, before it is made. Which words of moves can
//! be played then depends on the state, so swapping two moves that commute is not always possible;
//! what stays true everywhere is that successive powers of one move can be replaced by one, which
//! passes through fewer positions. With illegal positions only such words are left out.
//!
//! [`compose`]: super::compose

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use deepen::{
    Alphabet, Automaton, InversePruning, LearnedPruning, Packed, Pruning, Residue, Reversible,
    Space, Visitor,
};

use super::compose::{LANE, Moves};
use super::invariants::Invariants;
use super::letters::{Letter, Metric};
use super::model::{ANY, Definition, Pattern, Row, Set};

/// The most slots that a state has, each set rounded up to whole lanes.
pub(super) const CAPACITY: usize = 256;

/// A state: the piece of each slot and how it is turned.
#[derive(Clone)]
#[repr(C, align(32))]
pub struct State {
    pub(super) pieces: [u8; CAPACITY],
    pub(super) turns: [u8; CAPACITY],
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.turns == other.turns
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.pieces);
        hasher.write(&self.turns);
    }
}

impl State {
    const EMPTY: State = State { pieces: [0; CAPACITY], turns: [0; CAPACITY] };
}

/// A move: its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn(pub(super) u16);

/// Where a set is in a state, and how its slots are packed.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) set: Set,
    /// Its first slot.
    pub(super) start: usize,
    /// Whether any move changes it.
    pub(super) moved: bool,
    /// Its pieces, each once, in order; and the place of each in that list.
    kinds: Vec<u8>,
    codes: Box<[u8; 256]>,
    /// How many bits a slot takes in a key.
    bits: u32,
}

impl Field {
    /// Its slots in a state.
    pub(super) fn slots(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.set.pieces
    }
}

/// The pieces that must not be brought to a slot.
#[derive(Debug, Clone)]
struct Guard {
    /// Where the piece comes from.
    from: u8,
    forbidden: Box<[bool; 256]>,
}

/// The space.
#[derive(Debug)]
pub struct Twists {
    pub(super) fields: Vec<Field>,
    pub(super) letters: Vec<Letter>,
    pub(super) metric: Metric,
    pub(super) moves: Moves,
    /// For each letter what it must not do; empty if nothing is illegal.
    guards: Vec<Vec<Guard>>,
    goal: State,
    /// How many slots are in use.
    used: usize,
    key_bytes: usize,
    invariants: OnceLock<Invariants>,
    definition: std::sync::Arc<Definition>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Twists {
    /// The space of a definition and these letters.
    ///
    /// # Errors
    ///
    /// If the states would be too large.
    pub(super) fn new(
        definition: &std::sync::Arc<Definition>,
        letters: Vec<Letter>,
        metric: Metric,
    ) -> Result<Self, String> {
        let lanes = |set: &Set| set.pieces.div_ceil(LANE);
        let used: usize = definition.sets.iter().map(|set| lanes(set) * LANE).sum();
        if used > CAPACITY {
            return Err(format!(
                "the puzzle has {} slots, which take {used} when each set is rounded up to a \
                 multiple of {LANE}; at most {CAPACITY} can be searched",
                definition.slots()
            ));
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut start = 0;
        for (index, set) in definition.sets.iter().enumerate() {
            let row = &definition.solved.rows[index];
            let mut kinds = row.pieces.clone();
            kinds.sort_unstable();
            kinds.dedup();
            let mut codes = Box::new([0; 256]);
            kinds.iter().zip(0..).for_each(|(&kind, code)| codes[usize::from(kind)] = code);
            let moved = |letter: &Letter| letter.transformation.parts.contains_key(&index);
            let moved = letters.iter().any(moved);
            // (One code more, where a piece may be turned in any way.)
            let any = row.orientations.contains(&ANY);
            let turns = u32::from(set.orientations) + u32::from(any);
            let values = kinds.len() as u32 * turns;
            let bits =
                if moved { (values - 1).checked_ilog2().map_or(0, |log| log + 1) } else { 0 };
            fields.push(Field { set: set.clone(), start, moved, kinds, codes, bits });
            start += lanes(set) * LANE;
        }
        let bits: u32 = fields.iter().map(|field| field.bits * field.set.pieces as u32).sum();
        let moves = Moves::new(&fields, &letters);
        let guards = Self::guards(definition, &fields, &letters);
        let mut space = Twists {
            fields,
            letters,
            metric,
            moves,
            guards,
            goal: State::EMPTY,
            used,
            key_bytes: bits.div_ceil(8) as usize,
            invariants: OnceLock::new(),
            definition: definition.clone(),
        };
        space.goal = space.state(&definition.solved);
        Ok(space)
    }

    fn guards(definition: &Definition, fields: &[Field], letters: &[Letter]) -> Vec<Vec<Guard>> {
        if definition.illegal.is_empty() {
            return Vec::new();
        }
        let guards = letters.iter().map(|letter| {
            let guards = definition.illegal.iter().filter_map(|illegal| {
                let part = letter.transformation.parts.get(&illegal.set)?;
                let from =
                    fields[illegal.set].start + usize::from(part.from[usize::from(illegal.slot)]);
                let mut forbidden = Box::new([false; 256]);
                illegal.pieces.iter().for_each(|&piece| forbidden[usize::from(piece)] = true);
                Some(Guard { from: from as u8, forbidden })
            });
            guards.collect()
        });
        guards.collect()
    }

    /// The state of a pattern.
    pub(super) fn state(&self, pattern: &Pattern) -> State {
        let mut state = State::EMPTY;
        for (field, row) in self.fields.iter().zip(&pattern.rows) {
            state.pieces[field.slots()].copy_from_slice(&row.pieces);
            state.turns[field.slots()].copy_from_slice(&row.orientations);
        }
        state
    }

    /// The pattern of a state.
    pub(super) fn pattern(&self, state: &State) -> Pattern {
        let row = |field: &Field| Row {
            pieces: state.pieces[field.slots()].to_vec(),
            orientations: state.turns[field.slots()].to_vec(),
        };
        Pattern { rows: self.fields.iter().map(row).collect() }
    }

    /// The solved state.
    pub(super) fn solved(&self) -> &State {
        &self.goal
    }

    /// What defines the puzzle.
    pub(super) fn definition(&self) -> &Definition {
        &self.definition
    }

    /// What no move changes.
    pub(super) fn invariants(&self) -> &Invariants {
        self.invariants.get_or_init(|| Invariants::new(self))
    }

    /// Whether positions may be illegal.
    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    fn is_legal(&self, state: &State, letter: usize) -> bool {
        let mut guards = self.guards[letter].iter();
        guards.all(|guard| {
            let piece = state.pieces[usize::from(guard.from)];
            !guard.forbidden[usize::from(piece)]
        })
    }

    /// The letter that takes a letter back.
    pub(super) fn inverse(&self, letter: u16) -> u16 {
        self.moves.inverses[usize::from(letter)]
    }
}

impl Space for Twists {
    type State = State;
    type Move = Turn;

    #[inline(always)]
    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut State,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        if self.is_guarded() {
            for letter in 0..self.letters.len() {
                if self.is_legal(state, letter) {
                    visitor.visit(state, Turn(letter as u16))?;
                }
            }
            return ControlFlow::Continue(());
        }
        (0..self.letters.len()).try_for_each(|letter| visitor.visit(state, Turn(letter as u16)))
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, turn: Turn) {
        self.moves.apply(state, turn.0);
    }

    #[inline(always)]
    fn undo(&self, state: &mut State, turn: Turn) {
        self.moves.apply(state, self.inverse(turn.0));
    }

    #[inline(always)]
    fn is_goal(&self, state: &State) -> bool {
        state.pieces[..self.used] == self.goal.pieces[..self.used]
            && state.turns[..self.used] == self.goal.turns[..self.used]
    }

    fn impossible(&self, state: &State) -> Option<String> {
        self.invariants().broken(self, state)
    }

    fn residue(&self, state: &State) -> Residue {
        self.invariants().residue(self, state)
    }
}

impl Alphabet for Twists {
    type Inverse = Words;
    type Pruning = Words;

    fn letters(&self) -> usize {
        self.letters.len()
    }

    #[inline(always)]
    fn letter(&self, turn: Turn) -> usize {
        turn.0.into()
    }

    /// One state whose pieces are all different: two words that lead it to the same end do so from
    /// every state.
    fn contexts(&self) -> Vec<Vec<State>> {
        let mut state = State::EMPTY;
        for field in &self.fields {
            field.slots().zip(0..).for_each(|(slot, piece)| state.pieces[slot] = piece);
        }
        vec![vec![state]]
    }
}

/// The most pairs of letters that are tried before a search begins.
const PAIRS: u64 = 1 << 16;

/// Which words are left out.
#[derive(Debug)]
pub struct Words(Automaton);

impl Words {
    /// Forbids those successive powers of one move that one of its powers replaces.
    fn powers(space: &Twists) -> Self {
        let mut words = Vec::new();
        let letters = || space.letters.iter().enumerate();
        for (one, first) in letters() {
            let same = letters().filter(|(_, second)| second.base == first.base);
            match space.metric {
                Metric::Half => words.extend(same.map(|(two, _)| vec![one, two])),
                Metric::Quarter => {
                    words
                        .extend(same.filter(|&(two, _)| two != one).map(|(two, _)| vec![one, two]));
                    let most = first.order as usize - 1;
                    words.extend((2..=8).contains(&most).then(|| vec![one; most]));
                    words.extend((most == 1).then(|| vec![one; 2]));
                }
            }
        }
        words.sort_by_key(|word| (word.len(), word.clone()));
        Words(Automaton::forbidding(space.letters.len(), words))
    }
}

impl Pruning<Twists> for Words {
    type State = u32;

    #[inline(always)]
    fn start(&self) -> u32 {
        Pruning::<Twists>::start(&self.0)
    }

    #[inline(always)]
    fn step(&self, space: &Twists, state: u32, turn: Turn) -> Option<u32> {
        self.0.step(space, state, turn)
    }
}

impl InversePruning<Twists> for Words {
    fn inverse(space: &Twists) -> Self {
        let letters = space.letters.len();
        let back = |letter: usize| vec![letter, space.inverse(letter as u16).into()];
        Words(Automaton::forbidding(letters, (0..letters).map(back).collect()))
    }
}

impl LearnedPruning<Twists> for Words {
    const PAYS_AFTER: u64 = <Automaton as LearnedPruning<Twists>>::PAYS_AFTER;

    fn learned(space: &Twists) -> Self {
        if space.is_guarded() {
            return Words::powers(space);
        }
        Words(Automaton::learn(space, deepen::LEARNING_EFFORT))
    }

    /// Finds out which pairs of moves commute, which is nearly all there is to gain.
    fn begun(space: &Twists) -> Self {
        if space.is_guarded() {
            return Words::powers(space);
        }
        let letters = space.letters.len() as u64;
        let pairs = letters * (letters + 1);
        if pairs > PAIRS { Words::inverse(space) } else { Words(Automaton::learn(space, pairs)) }
    }
}

/// Keys hold the sets that moves change; the others are as in the solved state wherever a search
/// goes.
impl Packed for Twists {
    fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    fn pack(&self, state: &State, key: &mut [u8]) {
        let mut bytes = key.iter_mut();
        let (mut bits, mut filled) = (0_u64, 0);
        for field in self.fields.iter().filter(|field| field.bits > 0) {
            let turns = u64::from(field.set.orientations);
            let values = turns + u64::from(self.has_any(field));
            for slot in field.slots() {
                let turn = u64::from(state.turns[slot]).min(turns);
                let code = u64::from(field.codes[usize::from(state.pieces[slot])]);
                bits |= (code * values + turn) << filled;
                filled += field.bits;
                while filled >= 8 {
                    if let Some(byte) = bytes.next() {
                        *byte = bits as u8;
                    }
                    bits >>= 8;
                    filled -= 8;
                }
            }
        }
        if let Some(byte) = bytes.next() {
            *byte = bits as u8;
        }
    }

    fn unpack(&self, key: &[u8]) -> State {
        let mut state = self.goal.clone();
        let mut bytes = key.iter();
        let (mut bits, mut filled) = (0_u64, 0);
        for field in self.fields.iter().filter(|field| field.bits > 0) {
            let turns = u64::from(field.set.orientations);
            let values = turns + u64::from(self.has_any(field));
            for slot in field.slots() {
                while filled < field.bits {
                    bits |= bytes.next().map_or(0, |&byte| u64::from(byte)) << filled;
                    filled += 8;
                }
                let value = bits & ((1 << field.bits) - 1);
                bits >>= field.bits;
                filled -= field.bits;
                state.pieces[slot] = field.kinds[(value / values) as usize];
                let turn = value % values;
                state.turns[slot] = if turn == turns { ANY } else { turn as u8 };
            }
        }
        state
    }
}

impl Twists {
    /// Whether some pieces of a set may be turned in any way.
    pub(super) fn has_any(&self, field: &Field) -> bool {
        self.goal.turns[field.slots()].contains(&ANY)
    }
}

/// A power of a move takes it back, and costs the same.
impl Reversible for Twists {
    fn goals(&self) -> Option<Vec<State>> {
        Some(vec![self.goal.clone()])
    }
}
