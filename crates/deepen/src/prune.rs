//! Pruning by the sequence of moves: which move may follow which.
//!
//! Many sequences of moves do the same: a move and its inverse do nothing, two moves that touch
//! different places can be swapped, and longer coincidences are everywhere. A search need follow
//! only one of each set of equal sequences. An [`Automaton`] remembers enough of the moves played
//! to forbid the others (Taylor and Korf, *Pruning duplicate nodes in depth-first search*, 1993).
//!
//! # How it is learned
//!
//! Words of one letter, two letters and so on are played from every context of the
//! [`Alphabet`]. A word is *redundant* if, wherever it can be played, some lesser word leads to
//! the same end: one that costs less, or as much and comes earlier in the dictionary. The least
//! shortest solution contains no redundant word: exchanging it for the lesser one would give a
//! lesser solution. So forbidding all redundant words keeps, of every set of shortest solutions,
//! the first. The forbidden words become a finite automaton as in Aho and Corasick's string
//! matching, whose table the search walks along, one look-up a move.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use crate::space::{Alphabet, Each, Space};

/// Says which moves may follow the moves played so far.
///
/// A pruning must leave, of every set of solutions of least cost, the first in dictionary order.
pub trait Pruning<S: Space> {
    /// What is known of it at compile time.
    const FORBIDS: Forbids = Forbids::Unknown;

    /// What it needs to know of the moves played so far.
    type State: Copy + Send;

    /// Before the first move.
    fn start(&self) -> Self::State;

    /// After one more move; `None` if that move is left out here.
    fn step(&self, space: &S, state: Self::State, mv: S::Move) -> Option<Self::State>;
}

/// What a pruning is known to forbid before it is made. [`Region`](crate::Region)s that know the
/// move before leave out what takes it back, instead of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbids {
    /// Nothing is known.
    Unknown,
    /// Every move that takes the one before it back, and perhaps others.
    Back,
    /// Every move that takes the one before it back, and no other.
    BackAlone,
}

/// A pruning that forbids every move that takes the one before it back, and no other.
pub trait InversePruning<S: Space>: Pruning<S> {
    /// That of a space.
    fn inverse(space: &S) -> Self;
}

/// A pruning that can be worked out from the space alone.
pub trait LearnedPruning<S: Space>: InversePruning<S> {
    /// After how many expansions of a search it pays to have [`learned`](LearnedPruning::learned),
    /// which may take long to make.
    const PAYS_AFTER: u64;

    /// Forbids what pays.
    fn learned(space: &S) -> Self;

    /// What a search begins with: forbids what is found in no time, and at least every move that
    /// takes the one before it back.
    fn begun(space: &S) -> Self
    where
        Self: Sized,
    {
        Self::inverse(space)
    }
}

/// No pruning: every move is tried.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything;

impl<S: Space> Pruning<S> for Everything {
    type State = ();

    #[inline(always)]
    fn start(&self) {}

    #[inline(always)]
    fn step(&self, _: &S, (): (), _: S::Move) -> Option<()> {
        Some(())
    }
}

/// A finite automaton over the letters of an [`Alphabet`], which forbids redundant words.
///
/// # Example
///
/// Three lamps, each with its switch. Switching one twice does nothing, and the order is all one:
///
/// ```
/// use deepen::{Alphabet, Automaton, Control, Ida, LEARNING_EFFORT, Space, Visitor, heuristic::Zero};
/// use std::ops::ControlFlow;
///
/// struct Lamps;
///
/// impl Space for Lamps {
///     type State = [bool; 3];
///     type Move = usize;
///
///     fn for_each_move<V: Visitor<Self>>(&self, lamps: &mut [bool; 3], visitor: &mut V) -> ControlFlow<()> {
///         (0..3).try_for_each(|lamp| visitor.visit(lamps, lamp))
///     }
///     fn apply(&self, lamps: &mut [bool; 3], lamp: usize) {
///         lamps[lamp] ^= true;
///     }
///     fn undo(&self, lamps: &mut [bool; 3], lamp: usize) {
///         lamps[lamp] ^= true;
///     }
///     fn is_goal(&self, lamps: &[bool; 3]) -> bool {
///         *lamps == [true; 3]
///     }
/// }
///
/// impl Alphabet for Lamps {
///     type Inverse = Automaton;
///     type Pruning = Automaton;
///     fn letters(&self) -> usize {
///         3
///     }
///     fn letter(&self, lamp: usize) -> usize {
///         lamp
///     }
///     fn contexts(&self) -> Vec<Vec<[bool; 3]>> {
///         vec![vec![[false; 3]]] // what is equal from here is equal from everywhere
///     }
/// }
///
/// let learned = Automaton::learn(&Lamps, LEARNING_EFFORT);
/// assert_eq!(learned.forbidden(), [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]);
///
/// let search = Ida::new(&Lamps, &Zero).pruning(&learned);
/// let solution = search.solve(&[false; 3], &mut Control::default()).verdict.solution().unwrap();
/// assert_eq!(solution.moves, [0, 1, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct Automaton {
    letters: usize,
    /// For each state a row, for each letter the place of the next state's row, or [`DEAD`].
    next: Vec<u32>,
    forbidden: Vec<Vec<usize>>,
}

const DEAD: u32 = u32::MAX;

/// How many moves [`Automaton::learn`] makes at the most unless told otherwise: some tens of
/// milliseconds.
pub const LEARNING_EFFORT: u64 = 1 << 19;

impl Automaton {
    /// Forbids every move that takes the one before it back.
    ///
    /// # Panics
    ///
    /// If the space breaks the contract of [`Alphabet::contexts`].
    pub fn inverse<S: Alphabet>(space: &S) -> Self {
        // A pair must lead back from every context in which it can be played.
        let mut verdicts: HashMap<[usize; 2], bool> = HashMap::new();
        for context in space.contexts() {
            for (first, ends) in successors(space, &context) {
                for (second, ends) in successors(space, &ends.states) {
                    let back = ends.states == context;
                    *verdicts.entry([first, second]).or_insert(true) &= back;
                }
            }
        }
        let back = verdicts.into_iter().filter(|(_, back)| *back);
        let mut pairs: Vec<_> = back.map(|(pair, _)| pair.to_vec()).collect();
        pairs.sort_unstable();
        Self::forbid(space.letters(), pairs)
    }

    /// Learns the redundant words up to the greatest length for which at most `effort` moves need
    /// be made.
    ///
    /// # Panics
    ///
    /// If the space breaks the contract of [`Alphabet::contexts`].
    pub fn learn<S: Alphabet>(space: &S, effort: u64) -> Self {
        Self::forbid(space.letters(), Learning::new(space).run(effort))
    }

    /// Forbids the given words of letters `0..letters`, none of them empty.
    ///
    /// Whoever chooses the words vouches for it that each can be exchanged, wherever it can be
    /// played, for a lesser one that leads to the same end.
    ///
    /// # Panics
    ///
    /// If the automaton has too many states for a number of 32 bits.
    pub fn forbidding(letters: usize, forbidden: Vec<Vec<usize>>) -> Self {
        Self::forbid(letters, forbidden)
    }

    fn forbid(letters: usize, forbidden: Vec<Vec<usize>>) -> Self {
        // The trie of the forbidden words. A node stands for the longest suffix of the moves
        // played that begins a forbidden word.
        let mut children: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new()];
        let mut dead = vec![false];
        for word in &forbidden {
            let mut node = 0;
            for &letter in word {
                let fresh = children.len();
                node = *children[node].entry(letter).or_insert(fresh);
                if node == fresh {
                    children.push(BTreeMap::new());
                    dead.push(false);
                }
            }
            dead[node] = true;
        }
        // Breadth first, each node's row copied from that of its longest proper suffix.
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); children.len()];
        let mut suffix = vec![0; children.len()];
        let mut order = vec![0];
        let mut at = 0;
        while at < order.len() {
            let node = order[at];
            at += 1;
            dead[node] |= dead[suffix[node]];
            if dead[node] {
                continue; // Nothing follows.
            }
            let mut row = if node == 0 { vec![0; letters] } else { rows[suffix[node]].clone() };
            for (&letter, &child) in &children[node] {
                suffix[child] = if node == 0 { 0 } else { row[letter] };
                row[letter] = child;
                order.push(child);
            }
            rows[node] = row;
        }
        // Only living nodes become states.
        let mut place = vec![DEAD; children.len()];
        let mut states = 0;
        for &node in order.iter().filter(|&&node| !dead[node]) {
            place[node] = u32::try_from(states * letters).unwrap_or(DEAD);
            states += 1;
        }
        assert!(states * letters < DEAD as usize, "the automaton is too large");
        let living = order.iter().filter(|&&node| !dead[node]);
        let next = living.flat_map(|&node| rows[node].iter().map(|&n| place[n])).collect();
        Automaton { letters, next, forbidden }
    }

    /// The forbidden words, as letters, the shortest first; none contains another.
    pub fn forbidden(&self) -> &[Vec<usize>] {
        &self.forbidden
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.next.len() / self.letters.max(1)
    }
}

impl<S: Alphabet> Pruning<S> for Automaton {
    const FORBIDS: Forbids = Forbids::Back;

    /// The place of the state's row in the table.
    type State = u32;

    #[inline(always)]
    fn start(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn step(&self, space: &S, state: u32, mv: S::Move) -> Option<u32> {
        let next = self.next[state as usize + space.letter(mv)];
        (next != DEAD).then_some(next)
    }
}

impl<S: Alphabet> InversePruning<S> for Automaton {
    fn inverse(space: &S) -> Self {
        Automaton::inverse(space)
    }
}

impl<S: Alphabet> LearnedPruning<S> for Automaton {
    /// They take about a third as long as learning.
    const PAYS_AFTER: u64 = 1 << 18;

    fn learned(space: &S) -> Self {
        Automaton::learn(space, LEARNING_EFFORT)
    }
}

/// Where the members of a context stand after a word, and what the word costs.
struct Ends<S: Space> {
    states: Vec<S::State>,
    cost: u64,
}

/// The ends after each letter that can be played from `states`, in order.
fn successors<S: Alphabet>(space: &S, states: &[S::State]) -> Vec<(usize, Ends<S>)> {
    let mut all: Vec<(usize, Ends<S>)> = Vec::new();
    for (member, state) in states.iter().enumerate() {
        let mut at = 0;
        let mut each = Each(|state: &mut S::State, mv| {
            let letter = space.letter(mv);
            if member == 0 {
                let states = Vec::with_capacity(states.len());
                all.push((letter, Ends { states, cost: u64::from(space.cost(mv)) }));
            }
            let same = all.get(at).is_some_and(|(known, _)| *known == letter);
            assert!(same, "the members of a context differ in their moves");
            space.apply(state, mv);
            all[at].1.states.push(state.clone());
            space.undo(state, mv);
            at += 1;
            ControlFlow::Continue(())
        });
        let _ = space.for_each_move(&mut state.clone(), &mut each);
        assert!(at == all.len(), "the members of a context differ in their moves");
    }
    all
}

/// A word that was played, and where.
struct Word {
    letters: Vec<usize>,
    cost: u64,
    /// In how many contexts it can be played, and in how many of them a lesser word does as much.
    playable: usize,
    beaten: usize,
}

impl Word {
    fn is_redundant(&self) -> bool {
        self.playable > 0 && self.beaten == self.playable
    }

    fn order(&self, other: &Word) -> Ordering {
        (self.cost, &self.letters).cmp(&(other.cost, &other.letters))
    }
}

/// The enumeration of words by length.
struct Learning<'a, S: Alphabet> {
    space: &'a S,
    words: Vec<Word>,
    /// The least word that leads to an end, by context.
    least: HashMap<(usize, Vec<S::State>), usize>,
    /// The words of the greatest length so far: for each context where it stands.
    frontier: Vec<(usize, Vec<Place<S>>)>,
}

/// Where a word leads in one context.
struct Place<S: Space> {
    context: usize,
    states: Vec<S::State>,
}

impl<'a, S: Alphabet> Learning<'a, S> {
    fn new(space: &'a S) -> Self {
        let mut learning =
            Learning { space, words: Vec::new(), least: HashMap::new(), frontier: Vec::new() };
        let contexts = space.contexts().into_iter().enumerate();
        let places = contexts.map(|(context, states)| Place { context, states }).collect();
        learning.add(Vec::new(), 0, places);
        learning
    }

    fn run(mut self, effort: u64) -> Vec<Vec<usize>> {
        let mut spent = 0_u64;
        while !self.frontier.is_empty() {
            // A word has at most as many successors as there are letters.
            let members = self.frontier.iter().flat_map(|(_, places)| places);
            let members: u64 = members.map(|place| place.states.len() as u64).sum();
            spent = spent.saturating_add(members.saturating_mul(self.space.letters() as u64));
            if spent > effort {
                break;
            }
            self.lengthen();
        }
        // The shortest first; those that contain another are forbidden with it.
        let mut forbidden: HashSet<Vec<usize>> = HashSet::new();
        let redundant = self.words.into_iter().filter(Word::is_redundant);
        let minimal = redundant.map(|word| word.letters).filter(|word| {
            let mut ends = (1..=word.len()).flat_map(|end| (0..end).map(move |start| start..end));
            !ends.any(|part| forbidden.contains(&word[part])) && forbidden.insert(word.clone())
        });
        minimal.collect()
    }

    /// Plays every word that is one letter longer and whose parts are not redundant.
    fn lengthen(&mut self) {
        let worthy: HashSet<&[usize]> = self
            .frontier
            .iter()
            .map(|(word, _)| &self.words[*word])
            .filter(|word| !word.is_redundant())
            .map(|word| word.letters.as_slice())
            .collect();
        let mut longer: Vec<(Vec<usize>, u64, Vec<Place<S>>)> = Vec::new();
        for (word, places) in &self.frontier {
            let word = &self.words[*word];
            let mut by_letter: BTreeMap<usize, (u64, Vec<Place<S>>)> = BTreeMap::new();
            for Place { context, states } in places {
                for (letter, ends) in successors(self.space, states) {
                    let place = Place { context: *context, states: ends.states };
                    by_letter.entry(letter).or_insert((ends.cost, Vec::new())).1.push(place);
                }
            }
            for (letter, (cost, places)) in by_letter {
                let letters: Vec<usize> = word.letters.iter().copied().chain([letter]).collect();
                if letters.len() == 1 || worthy.contains(&letters[1..]) {
                    longer.push((letters, word.cost + cost, places));
                }
            }
        }
        self.frontier.clear();
        for (letters, cost, places) in longer {
            self.add(letters, cost, places);
        }
    }

    /// Notes a word and compares it with those that lead to the same ends.
    fn add(&mut self, letters: Vec<usize>, cost: u64, places: Vec<Place<S>>) {
        let id = self.words.len();
        self.words.push(Word { letters, cost, playable: places.len(), beaten: 0 });
        for place in &places {
            let least = self.least.entry((place.context, place.states.clone())).or_insert(id);
            if *least == id {
                continue;
            }
            let loser = match self.words[*least].order(&self.words[id]) {
                Ordering::Less => id,
                _ => std::mem::replace(least, id),
            };
            self.words[loser].beaten += 1;
        }
        if !self.words[id].is_redundant() {
            self.frontier.push((id, places));
        }
    }
}
