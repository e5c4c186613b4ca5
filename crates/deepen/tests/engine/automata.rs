//! Automata: they forbid only what is redundant, all of it up to a length, and never an answer.

use std::collections::HashMap;
use std::ops::ControlFlow;

use deepen::heuristic::{Function, Zero};
use deepen::{
    Alphabet, Automaton, Control, Cost, Everything, Heuristic, Ida, LEARNING_EFFORT, Pruning,
    Solution, Space, Visitor, moves_of,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::graph::{Edge, Graph};

/// Tokens that moves permute, everywhere alike; or, with a blank, by swapping it with a neighbour.
#[derive(Debug, Clone)]
struct Tokens {
    cells: usize,
    moves: Vec<Swap>,
}

#[derive(Debug, Clone)]
struct Swap {
    /// Only with the blank (token 0) in this cell.
    blank: Option<usize>,
    letter: usize,
    /// For each cell the cell whose token it gets.
    from: Vec<usize>,
    cost: Cost,
}

/// A move's index in [`Tokens::moves`].
type Index = usize;

impl Tokens {
    /// Moves that can be made everywhere, with their costs.
    fn permuted(moves: &[(Vec<usize>, Cost)]) -> Self {
        let moves = moves.iter().enumerate();
        let moves = moves.map(|(letter, (from, cost))| Swap {
            blank: None,
            letter,
            from: from.clone(),
            cost: *cost,
        });
        let moves: Vec<_> = moves.collect();
        Tokens { cells: moves[0].from.len(), moves }
    }

    /// A sliding puzzle; the blank goes up, left, right or down, at these costs.
    fn sliding(rows: usize, columns: usize, costs: [Cost; 4]) -> Self {
        let cells = rows * columns;
        let mut moves = Vec::new();
        for blank in 0..cells {
            let (row, column) = (blank / columns, blank % columns);
            let neighbours = [
                (row > 0).then(|| blank - columns),
                (column > 0).then(|| blank - 1),
                (column + 1 < columns).then(|| blank + 1),
                (row + 1 < rows).then(|| blank + columns),
            ];
            for (letter, neighbour) in neighbours.into_iter().enumerate() {
                let Some(to) = neighbour else { continue };
                let mut from: Vec<_> = (0..cells).collect();
                from.swap(blank, to);
                moves.push(Swap { blank: Some(blank), letter, from, cost: costs[letter] });
            }
        }
        Tokens { cells, moves }
    }

    fn goal(&self) -> Vec<u8> {
        (0..).take(self.cells).collect()
    }

    /// The whole space as a graph whose goal is the sorted state, and the states by number. An
    /// edge is to an edge of the graph what a move is to the space, in the same order.
    fn graph(&self) -> (Graph, Vec<Vec<u8>>) {
        let mut states = vec![self.goal()];
        let mut numbers = HashMap::from([(self.goal(), 0)]);
        let mut edges = Vec::new();
        // Moves are undone by moves, so all that leads to the goal can be reached from it.
        while edges.len() < states.len() {
            let state = states[edges.len()].clone();
            let of = |mv| {
                let mut to = state.clone();
                self.apply(&mut to, mv);
                let fresh = states.len();
                let number = *numbers.entry(to.clone()).or_insert(fresh);
                if number == fresh {
                    states.push(to);
                }
                (number, self.cost(mv))
            };
            edges.push(moves_of(self, &state).into_iter().map(of).collect());
        }
        (Graph::new(&edges, &[0]), states)
    }

    /// The letters of a solution of the graph.
    fn word_of(&self, states: &[Vec<u8>], edges: &[Edge], graph: &Graph) -> Vec<usize> {
        let index = |e: &Edge| graph.edges[e.from].iter().position(|other| other == e).unwrap();
        let letter = |e: &Edge| self.letter(moves_of(self, &states[e.from])[index(e)]);
        edges.iter().map(letter).collect()
    }

    /// Where a word leads from a state, if it can be played.
    fn play(&self, state: &[u8], word: &[usize]) -> Option<Vec<u8>> {
        let mut state = state.to_vec();
        for letter in word {
            let mut moves = moves_of(self, &state).into_iter();
            let mv = moves.find(|&mv| self.letter(mv) == *letter)?;
            self.apply(&mut state, mv);
        }
        Some(state)
    }

    /// What a word costs.
    fn word_cost(&self, word: &[usize]) -> u64 {
        let cost = |letter| self.moves.iter().find(|mv| mv.letter == letter).unwrap().cost;
        word.iter().map(|&letter| u64::from(cost(letter))).sum()
    }
}

impl Space for Tokens {
    type State = Vec<u8>;
    type Move = Index;

    fn for_each_move<V: Visitor<Self>>(
        &self,
        state: &mut Vec<u8>,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        for (index, mv) in self.moves.iter().enumerate() {
            if mv.blank.is_none_or(|cell| state[cell] == 0) {
                visitor.visit(state, index)?;
            }
        }
        ControlFlow::Continue(())
    }
    fn apply(&self, state: &mut Vec<u8>, mv: Index) {
        *state = self.moves[mv].from.iter().map(|&cell| state[cell]).collect();
    }
    fn undo(&self, state: &mut Vec<u8>, mv: Index) {
        let after = state.clone();
        self.moves[mv].from.iter().zip(after).for_each(|(&cell, token)| state[cell] = token);
    }
    fn cost(&self, mv: Index) -> Cost {
        self.moves[mv].cost
    }
    fn is_goal(&self, state: &Vec<u8>) -> bool {
        state.is_sorted()
    }
}

impl Alphabet for Tokens {
    type Inverse = Automaton;
    type Pruning = Automaton;

    fn letters(&self) -> usize {
        self.moves.iter().map(|mv| mv.letter + 1).max().unwrap_or(0)
    }
    fn letter(&self, mv: Index) -> usize {
        self.moves[mv].letter
    }
    /// All tokens different; with a blank, one context for each of its cells.
    fn contexts(&self) -> Vec<Vec<Vec<u8>>> {
        let blanks = self.moves.iter().any(|mv| mv.blank.is_some());
        let context = |blank| {
            let mut state = self.goal();
            state.swap(0, blank);
            vec![state]
        };
        (0..if blanks { self.cells } else { 1 }).map(context).collect()
    }
}

fn rotation(cells: usize, by: usize) -> Vec<usize> {
    (0..cells).map(|cell| (cell + by) % cells).collect()
}

fn swapped(cells: usize, a: usize, b: usize) -> Vec<usize> {
    let mut from: Vec<_> = (0..cells).collect();
    from.swap(a, b);
    from
}

fn reversed(cells: usize, first: usize) -> Vec<usize> {
    (0..first).rev().chain(first..cells).collect()
}

/// A ring of six tokens, turned either way, with a turntable of three.
fn ring(costs: [Cost; 3]) -> Tokens {
    let moves = [rotation(6, 1), rotation(6, 5), reversed(6, 3)];
    Tokens::permuted(&moves.into_iter().zip(costs).collect::<Vec<_>>())
}

fn pancakes() -> Tokens {
    Tokens::permuted(&[2, 3, 4, 5].map(|first| (reversed(5, first), 1)))
}

fn swaps(costs: [Cost; 4]) -> Tokens {
    Tokens::permuted(&[0, 1, 2, 3].map(|cell| (swapped(5, cell, cell + 1), costs[cell])))
}

/// From every state of the space, the automata leave the answer as it is.
fn answers_stay<H: Heuristic<Tokens>>(space: &Tokens, heuristic: impl Fn(&Graph) -> H) {
    let (graph, states) = space.graph();
    let heuristic = heuristic(&graph);
    let ida = || Ida::new(space, &heuristic);
    let inverse = Automaton::inverse(space);
    let learned = Automaton::learn(space, LEARNING_EFFORT / 4);
    let start: HashMap<_, _> = states.iter().zip(0..).collect();
    for (state, number) in start {
        let (cost, edges) = graph.first_shortest(number).unwrap();
        let letters = space.word_of(&states, &edges, &graph);
        let check = |solution: Option<Solution<Index>>, by| {
            let solution = solution.unwrap();
            let moves: Vec<_> = solution.moves.iter().map(|&mv| space.letter(mv)).collect();
            assert_eq!((u64::from(solution.cost), &moves), (cost, &letters), "{state:?} {by}");
        };
        let mut control = Control::default();
        check(ida().pruning(&Everything).solve(state, &mut control).verdict.solution(), "all");
        check(ida().pruning(&inverse).solve(state, &mut control).verdict.solution(), "inverse");
        check(ida().pruning(&learned).solve(state, &mut control).verdict.solution(), "learned");
    }
}

/// A heuristic of the true distances, taken down to that share.
fn share(space: &Tokens, percent: Cost) -> impl Fn(&Graph) -> Function<Estimate> {
    let (graph, states) = space.graph();
    let table = states.into_iter().zip(graph.perfect());
    let table: HashMap<_, _> = table.map(|(state, cost)| (state, cost * percent / 100)).collect();
    move |_| {
        let table = table.clone();
        Function(Box::new(move |state: &Vec<u8>| table[state]))
    }
}

type Estimate = Box<dyn Fn(&Vec<u8>) -> Cost>;

#[test]
fn answers_stay_the_same_over_whole_spaces() {
    for space in [ring([1, 1, 1]), ring([2, 1, 3]), swaps([1; 4]), swaps([3, 1, 2, 1]), pancakes()]
    {
        answers_stay(&space, share(&space, 60));
        answers_stay(&space, share(&space, 100));
    }
    for costs in [[1; 4], [2, 1, 3, 1]] {
        let space = Tokens::sliding(2, 3, costs);
        answers_stay(&space, share(&space, 80));
        answers_stay(&space, share(&space, 100));
    }
    answers_stay(&pancakes(), |_| Zero);
}

/// The least word from each state to the sorted state, in letters.
struct Least {
    words: HashMap<Vec<u8>, (u64, Vec<usize>)>,
}

impl Least {
    /// The least words from one state to all others: those of the reflected space, in which the
    /// start is the goal, can't be had from the graph's own goal, so the goal is moved about.
    fn from(space: &Tokens, start: &[u8]) -> Self {
        let (graph, states) = space.graph();
        let number = states.iter().position(|state| state == start);
        let words = number.map(|number| {
            let to = |(end, state): (usize, &Vec<u8>)| {
                let mut graph = graph.clone();
                graph.goals = (0..states.len()).map(|other| other == end).collect();
                let (cost, edges) = graph.first_shortest(number).unwrap();
                (state.clone(), (cost, space.word_of(&states, &edges, &graph)))
            };
            states.iter().enumerate().map(to).collect()
        });
        Least { words: words.unwrap_or_default() }
    }
}

/// The least words from the first member of each context. A context that can't be reached from the
/// goal (a sliding puzzle of odd parity) has them by renaming its tokens.
fn least_words(space: &Tokens) -> Vec<(Vec<u8>, Least)> {
    let contexts = space.contexts().into_iter().map(|mut group| group.remove(0));
    let least = contexts.map(|context| {
        let rename = |state: &[u8]| -> Vec<u8> {
            state
                .iter()
                .map(|token| match token {
                    1 => 2,
                    2 => 1,
                    t => *t,
                })
                .collect()
        };
        let least = Least::from(space, &context);
        if !least.words.is_empty() {
            return (context, least);
        }
        let other = Least::from(space, &rename(&context)).words;
        let words = other.into_iter().map(|(end, word)| (rename(&end), word)).collect();
        (context, Least { words })
    });
    least.collect()
}

/// Whether some lesser word does the same wherever the word can be played; by definition.
fn is_redundant(space: &Tokens, least: &[(Vec<u8>, Least)], word: &[usize]) -> bool {
    let mut played = false;
    let beaten = least.iter().all(|(context, least)| {
        space.play(context, word).is_none_or(|end| {
            played = true;
            let (cost, letters) = &least.words[&end];
            (*cost, letters.as_slice()) < (space.word_cost(word), word)
        })
    });
    played && beaten
}

/// Whether the automaton lets a word pass.
fn passes(space: &Tokens, automaton: &Automaton, word: &[usize]) -> bool {
    let mv = |letter| space.moves.iter().position(|mv| mv.letter == letter).unwrap();
    let step = |state, &letter: &usize| automaton.step(space, state, mv(letter));
    word.iter().try_fold(Pruning::<Tokens>::start(automaton), step).is_some()
}

#[test]
fn every_forbidden_word_is_redundant() {
    let spaces = [
        ring([1, 1, 1]),
        ring([2, 1, 3]),
        swaps([3, 1, 2, 1]),
        pancakes(),
        Tokens::sliding(2, 3, [1; 4]),
        Tokens::sliding(2, 2, [2, 1, 1, 5]),
    ];
    for space in spaces {
        let least = least_words(&space);
        let learned = Automaton::learn(&space, 1 << 15);
        assert!(learned.forbidden().len() > 3 && learned.states() > 3);
        for word in learned.forbidden().iter().chain(Automaton::inverse(&space).forbidden()) {
            assert!(is_redundant(&space, &least, word), "{word:?}");
            assert!(!passes(&space, &learned, word), "{word:?}");
        }
    }
}

/// With moves of one cost a lesser word is no longer, so that none is learned too late.
#[test]
fn every_redundant_word_up_to_the_length_learned_is_forbidden() {
    for space in [ring([1; 3]), swaps([1; 4]), pancakes(), Tokens::sliding(2, 2, [1; 4])] {
        let least = least_words(&space);
        let learned = Automaton::learn(&space, 1 << 15);
        let mut words: Vec<Vec<usize>> = vec![vec![]];
        for _ in 0..5 {
            let longer = |word: &Vec<usize>| {
                let longer = |letter| [&word[..], &[letter]].concat();
                (0..space.letters()).map(longer).collect::<Vec<_>>()
            };
            words = words.iter().flat_map(longer).collect();
            for word in &words {
                let parts = (0..word.len()).flat_map(|i| (i + 1..=word.len()).map(move |j| (i, j)));
                let mut parts = parts.map(|(i, j)| &word[i..j]);
                let redundant = parts.any(|part| is_redundant(&space, &least, part));
                assert_eq!(passes(&space, &learned, word), !redundant, "{word:?}");
            }
        }
    }
}

/// The pairs of letters that the automaton of inverse moves forbids.
fn inverse_pairs(space: &Tokens) -> Vec<Vec<usize>> {
    Automaton::inverse(space).forbidden().to_vec()
}

#[test]
fn inverse_moves_are_found_with_unequal_costs_and_in_moves_that_undo_themselves() {
    assert_eq!(inverse_pairs(&ring([3, 1, 2])), [[0, 1], [1, 0], [2, 2]]);
    assert_eq!(inverse_pairs(&pancakes()), [[0, 0], [1, 1], [2, 2], [3, 3]]);
}

/// Up can't be played in the first row, nor the pair of down and up in the last: that does not
/// count against the pair.
#[test]
fn a_context_in_which_a_word_cannot_be_played_does_not_count_against_it() {
    for space in [Tokens::sliding(3, 3, [1; 4]), Tokens::sliding(2, 2, [1, 2, 3, 4])] {
        assert_eq!(inverse_pairs(&space), [[0, 3], [1, 2], [2, 1], [3, 0]]);
        let learned = Automaton::learn(&space, 1 << 12);
        assert_eq!(learned.forbidden()[..4], [[0, 3], [1, 2], [2, 1], [3, 0]]);
    }
}

#[test]
fn what_is_redundant_in_one_context_alone_is_not_forbidden() {
    let mut space = Tokens::sliding(1, 3, [1; 4]);
    assert_eq!(inverse_pairs(&space), [[1, 2], [2, 1]]);
    // From the middle, the move right turns the outer tokens round as well. Left and right is
    // still nothing with the blank in the middle, and right and left with the blank on the left.
    let right = space.moves.iter_mut().find(|mv| mv.blank == Some(1) && mv.letter == 2).unwrap();
    right.from = vec![2, 0, 1];
    assert!(inverse_pairs(&space).is_empty());
    let learned = Automaton::learn(&space, LEARNING_EFFORT);
    assert!(passes(&space, &learned, &[1, 2]) && passes(&space, &learned, &[2, 1]));
}

#[test]
fn moves_that_commute_are_kept_in_increasing_order_alone() {
    let space = Tokens::permuted(&[(swapped(4, 0, 1), 1), (swapped(4, 2, 3), 1)]);
    let learned = Automaton::learn(&space, LEARNING_EFFORT);
    assert_eq!(learned.forbidden(), [vec![0, 0], vec![1, 0], vec![1, 1]]);
    assert_eq!(learned.states(), 3);
}

#[test]
fn going_round_the_longer_way_is_forbidden() {
    let turns = [(rotation(7, 1), 1), (rotation(7, 6), 1)];
    let learned = Automaton::learn(&Tokens::permuted(&turns), LEARNING_EFFORT);
    assert_eq!(learned.forbidden(), [vec![0, 1], vec![1, 0], vec![0; 4], vec![1; 4]]);
    // If back costs three times as much, five steps forth are less than two back. They are found
    // late, when longer words that contain the two are known to be redundant as well.
    let turns = [(rotation(7, 1), 1), (rotation(7, 6), 3)];
    let learned = Automaton::learn(&Tokens::permuted(&turns), LEARNING_EFFORT);
    assert_eq!(learned.forbidden(), [vec![0, 1], vec![1, 0], vec![1, 1], vec![0; 6]]);
}

#[test]
fn a_move_dearer_than_what_does_the_same_is_forbidden_from_the_start() {
    let space = Tokens::permuted(&[(rotation(5, 2), 5), (rotation(5, 1), 2)]);
    let learned = Automaton::learn(&space, LEARNING_EFFORT);
    assert_eq!(learned.forbidden()[0], [0]);
    answers_stay(&space, |_| Zero);
}

#[test]
fn no_effort_forbids_nothing() {
    let automaton = Automaton::learn(&pancakes(), 0);
    assert!(automaton.forbidden().is_empty());
    assert!(passes(&pancakes(), &automaton, &[0, 0, 0]));
}

#[test]
fn what_the_pruning_leaves_out_is_counted() {
    let space = swaps([1; 4]);
    let inverse = Automaton::inverse(&space);
    let outcome = Ida::new(&space, &Zero)
        .pruning(&inverse)
        .solve(&vec![4, 3, 2, 1, 0], &mut Control::default());
    for iteration in &outcome.statistics.iterations[..9] {
        // Every expanded node but the root leaves out one move of its four.
        assert_eq!(iteration.cut_by_pruning, iteration.expanded - 1);
        assert_eq!(iteration.generated, 3 * iteration.expanded + 1);
    }
}

#[test]
#[should_panic(expected = "the members of a context differ in their moves")]
fn a_group_whose_members_differ_in_their_moves_is_refused() {
    #[derive(Debug)]
    struct Broken(Tokens);
    impl Space for Broken {
        type State = Vec<u8>;
        type Move = Index;
        fn for_each_move<V: Visitor<Self>>(
            &self,
            state: &mut Vec<u8>,
            visitor: &mut V,
        ) -> ControlFlow<()> {
            moves_of(&self.0, state).into_iter().try_for_each(|mv| visitor.visit(state, mv))
        }
        fn apply(&self, state: &mut Vec<u8>, mv: Index) {
            self.0.apply(state, mv);
        }
        fn undo(&self, state: &mut Vec<u8>, mv: Index) {
            self.0.undo(state, mv);
        }
        fn is_goal(&self, state: &Vec<u8>) -> bool {
            self.0.is_goal(state)
        }
    }
    impl Alphabet for Broken {
        type Inverse = Automaton;
        type Pruning = Automaton;

        fn letters(&self) -> usize {
            self.0.letters()
        }
        fn letter(&self, mv: Index) -> usize {
            self.0.letter(mv)
        }
        fn contexts(&self) -> Vec<Vec<Vec<u8>>> {
            vec![self.0.contexts().concat()]
        }
    }
    Automaton::learn(&Broken(Tokens::sliding(2, 2, [1; 4])), LEARNING_EFFORT);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn answers_stay_the_same_with_random_moves(
        moves in vec((Just((0..5).collect::<Vec<usize>>()).prop_shuffle(), 1..4_u32), 1..5),
    ) {
        let space = Tokens::permuted(&moves);
        answers_stay(&space, share(&space, 70));
    }
}
