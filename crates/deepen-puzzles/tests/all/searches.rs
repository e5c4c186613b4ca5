//! Every algorithm on every puzzle: against known answers, against plain breadth-first search, and
//! against one another.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use deepen::{Control, Cost, Limits, Outcome, Packed, Reversible, Space, Stop, Verdict, moves_of};
use deepen_puzzles::{
    ALGORITHMS, Algorithm, Booksort, Knights, Method, MoveOf, Pruned, Puzzle, PuzzleTask, Rotation,
    Settings, count, solve, solve_all, with_puzzle,
};

const SUITE: &str = include_str!("../../../../testdata/suite.txt");
const PRUNINGS: [Pruned; 3] = [Pruned::Nothing, Pruned::Inverse, Pruned::Learned];

fn settings(size: Option<&str>) -> Settings {
    size.map_or_else(Settings::default, |size| Settings::default().with("size", size))
}

fn within(limits: Limits) -> Control<'static> {
    Control { limits, ..Control::default() }
}

/// The names of the moves of a solution that leads to a goal.
fn names<P: Puzzle>(puzzle: &P, instance: &P::Instance, moves: &[MoveOf<P>]) -> Vec<String> {
    let space = &puzzle.field(instance).space;
    let mut state = puzzle.start(instance);
    for &mv in moves {
        space.apply(&mut state, mv);
    }
    assert!(space.is_goal(&state));
    moves.iter().map(|&mv| puzzle.move_name(space, mv)).collect()
}

/// All ways to use an algorithm on a puzzle.
fn methods<P: Puzzle>(algorithm: Algorithm) -> Vec<Method> {
    let heuristics = if algorithm.is_guided() { P::INFO.heuristics.len() } else { 1 };
    let prunings = match algorithm {
        Algorithm::Bfs | Algorithm::Bidirectional => &PRUNINGS[2..],
        _ => &PRUNINGS,
    };
    let with = |heuristic| {
        prunings.iter().map(move |&pruned| Method { algorithm, heuristic, pruned, lanes: None })
    };
    (0..heuristics).flat_map(with).collect()
}

/// A line of the suite.
#[derive(Clone, Copy)]
struct Line<'a> {
    size: Option<&'a str>,
    instance: &'a str,
    cost: Option<Cost>,
    count: Option<u128>,
    first: Option<&'a str>,
    solvers: &'a str,
}

/// Lines of one puzzle and size, so that its tables are built once.
struct Group<'a>(Vec<Line<'a>>);

impl PuzzleTask for Group<'_> {
    type Output = ();

    fn run<P: Puzzle>(self) {
        let puzzle = P::new(&settings(self.0[0].size)).unwrap();
        self.0.iter().for_each(|line| line.run(&puzzle));
    }
}

impl Line<'_> {
    fn run<P: Puzzle>(self, puzzle: &P) {
        let text = self.instance.replace('/', "\n") + "\n";
        let instances: Result<Vec<_>, _> = puzzle.read(text.as_bytes()).collect();
        let [instance] = &instances.unwrap()[..] else { panic!("one instance in {text}") };
        let mut first = self.first.map(|first| first.split_whitespace().map(Into::into).collect());
        let mut number = self.count;
        for algorithm in Algorithm::ALL {
            for method in methods::<P>(algorithm) {
                let default = method == Method { algorithm, ..Method::default() };
                let must = self.solvers == "all"
                    || default && self.solvers.split(' ').any(|name| name == algorithm.name());
                let nodes = if must { 10_000_000 } else { 10_000 };
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                self.check(puzzle, instance, method, limits, must, &mut first);
                if default && must {
                    self.check_all(puzzle, instance, method, &mut number, first.as_ref());
                }
            }
        }
    }

    fn check<P: Puzzle>(
        self,
        puzzle: &P,
        instance: &P::Instance,
        method: Method,
        limits: Limits,
        must: bool,
        first: &mut Option<Vec<String>>,
    ) {
        let context = format!("{} {} {method:?}", P::INFO.name, self.instance);
        let Outcome { verdict, statistics, .. } =
            solve(puzzle, instance, method, &mut within(limits));
        assert!(statistics.total().expanded <= limits.nodes.unwrap(), "{context}");
        match verdict {
            Verdict::Solved(solution) => {
                assert_eq!(Some(solution.cost), self.cost, "{context}");
                let names = names(puzzle, instance, &solution.moves);
                assert_eq!(first.get_or_insert_with(|| names.clone()), &names, "{context}");
            }
            Verdict::Impossible(_) => assert_eq!(self.cost, None, "{context}"),
            Verdict::Stopped { stop: Stop::Nodes, lower_bound } => {
                assert!(!must, "{context}: stopped");
                assert!(self.cost.is_none_or(|cost| lower_bound <= cost), "{context}");
            }
            other => panic!("{context}: {:?}", other.map(|_| ())),
        }
        // Below the least cost there is nothing.
        if let Some(limit) = self.cost.and_then(|cost| cost.checked_sub(1)) {
            let limits = Limits { cost: limit, ..limits };
            match solve(puzzle, instance, method, &mut within(limits)).verdict {
                Verdict::AboveLimit { lower_bound } => {
                    assert!(lower_bound > limit && Some(lower_bound) <= self.cost, "{context}");
                }
                Verdict::Stopped { lower_bound, .. } => {
                    assert!(!must && Some(lower_bound) <= self.cost, "{context}");
                }
                other => panic!("{context}: {:?}", other.map(|_| ())),
            }
        }
    }

    /// All shortest solutions, and their number.
    fn check_all<P: Puzzle>(
        self,
        puzzle: &P,
        instance: &P::Instance,
        method: Method,
        number: &mut Option<u128>,
        first: Option<&Vec<String>>,
    ) {
        let context = format!("{} {} {method:?}", P::INFO.name, self.instance);
        let mut all: Vec<Vec<String>> = Vec::new();
        let mut words: Vec<Vec<usize>> = Vec::new();
        let space = &puzzle.field(instance).space;
        let mut tell = |moves: &[MoveOf<P>]| {
            all.push(names(puzzle, instance, moves));
            words.push(moves.iter().map(|&mv| deepen::Alphabet::letter(space, mv)).collect());
            ControlFlow::Continue(())
        };
        let told = solve_all(puzzle, instance, method, &mut Control::default(), &mut tell);
        assert_eq!((told.found, told.complete), (all.len() as u64, true), "{context}");
        assert_eq!(told.outcome.verdict.lower_bound(), self.cost, "{context}");
        assert_eq!(all.first(), first.filter(|_| self.cost.is_some()), "{context}");
        assert!(words.is_sorted_by(|a, b| a < b), "in order and all different: {context}");
        let known = *number.get_or_insert(all.len() as u128);
        assert_eq!(all.len() as u128, known, "{context}");
        let counted = count(puzzle, instance, method, &mut Control::default());
        assert_eq!(counted.count, known, "{context}");
        assert_eq!(counted.outcome.verdict.lower_bound(), self.cost, "{context}");
    }
}

#[test]
fn the_suite_comes_out_with_every_algorithm_heuristic_and_pruning() {
    let mut groups: BTreeMap<(&str, &str), Vec<Line>> = BTreeMap::new();
    for line in SUITE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [puzzle, size, instance, cost, count, first, solvers] = fields[..] else {
            panic!("seven fields in {line}")
        };
        let line = Line {
            size: (size != "-").then_some(size),
            instance,
            cost: (cost != "impossible").then(|| cost.parse().unwrap()),
            count: (count != "?").then(|| count.parse().unwrap()),
            first: (first != "?").then_some(first),
            solvers,
        };
        groups.entry((puzzle, size)).or_default().push(line);
    }
    assert!(groups.values().map(Vec::len).sum::<usize>() > 20);
    for ((puzzle, _), lines) in groups {
        with_puzzle(puzzle, Group(lines)).unwrap();
    }
}

#[test]
fn every_algorithm_has_its_name() {
    for (algorithm, choice) in Algorithm::ALL.into_iter().zip(ALGORITHMS) {
        assert_eq!(algorithm.name(), choice.name);
    }
    assert_eq!(ALGORITHMS.len(), Algorithm::ALL.len());
}

/// A little generator of our own, so that the instances never change.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// The distances of all states of a small space from its goals, by plain breadth-first search.
fn distances<S: Reversible<State: std::hash::Hash + Eq>>(space: &S) -> HashMap<S::State, Cost> {
    let mut layer = space.goals().unwrap();
    let mut distances: HashMap<_, _> = layer.iter().map(|goal| (goal.clone(), 0)).collect();
    for distance in 1.. {
        let mut next = Vec::new();
        for mut state in layer {
            for mv in moves_of(space, &state) {
                space.apply(&mut state, mv);
                distances.entry(state.clone()).or_insert_with(|| {
                    next.push(state.clone());
                    distance
                });
                space.undo(&mut state, mv);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

/// Solves an instance with every algorithm that is not hopeless, and holds the answers against the
/// distance and against one another.
fn agree<P: Puzzle>(
    puzzle: &P,
    instance: &P::Instance,
    distance: Option<Cost>,
    random: &mut Random,
) {
    let mut first = None;
    for algorithm in Algorithm::ALL {
        let all = methods::<P>(algorithm);
        let method = all[random.below(all.len())];
        // Going depth first through every path may be hopeless: without a heuristic, with a weak
        // one, or on small boards far away, where all are weak.
        let deep = algorithm.is_guided() || algorithm == Algorithm::Iddfs;
        let hopeless = deep
            && (method.heuristic > 0
                || algorithm == Algorithm::Iddfs
                || distance.is_none_or(|distance| distance > 12));
        let nodes = if hopeless { 20_000 } else { 2_000_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = solve(puzzle, instance, method, &mut within(limits));
        match outcome.verdict {
            Verdict::Solved(solution) => {
                assert_eq!(Some(solution.cost), distance, "{instance:?} {method:?}");
                let names = names(puzzle, instance, &solution.moves);
                let first = first.get_or_insert_with(|| names.clone());
                assert_eq!(*first, names, "{instance:?} {method:?}");
            }
            Verdict::Impossible(_) => assert_eq!(distance, None, "{instance:?} {method:?}"),
            Verdict::Stopped { stop: Stop::Nodes, lower_bound } if hopeless => {
                assert!(distance.is_none_or(|distance| lower_bound <= distance));
            }
            other => panic!("{instance:?} {method:?} {:?}", other.map(|_| ())),
        }
    }
}

#[test]
fn all_agree_on_small_boards_of_knights() {
    let mut random = Random(1);
    for (rows, columns, boards) in [(3, 3, 50), (3, 4, 300), (4, 4, 100)] {
        let puzzle = Knights::new(&settings(Some(&format!("{rows}x{columns}")))).unwrap();
        let cells = rows * columns;
        let mut symbols = vec!['0'; cells];
        symbols[..cells / 2].fill('1');
        symbols[cells / 2] = '*';
        let mut all = None;
        for _ in 0..boards {
            random.shuffle(&mut symbols);
            let text: String = symbols.iter().collect();
            let rows: Vec<&str> =
                (0..rows).map(|r| &text[r * columns..(r + 1) * columns]).collect();
            let text = format!("1\n{}\n", rows.join("\n"));
            let instance = puzzle.read(text.as_bytes()).next().unwrap().unwrap();
            let space = &puzzle.field(&instance).space;
            let all = all.get_or_insert_with(|| distances(space));
            agree(&puzzle, &instance, all.get(&instance).copied(), &mut random);
        }
    }
}

/// So many moves at random from a state.
fn walk<S: Space>(space: &S, mut state: S::State, moves: usize, random: &mut Random) -> S::State {
    for _ in 0..moves {
        let all = moves_of(space, &state);
        space.apply(&mut state, all[random.below(all.len())]);
    }
    state
}

#[test]
fn all_agree_on_boards_of_the_contest_near_the_goal() {
    let mut random = Random(2);
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let goal = puzzle.read("1\n11111\n01111\n00*11\n00001\n00000\n".as_bytes());
    let goal = goal.map(Result::unwrap).next().unwrap();
    let space = &puzzle.field(&goal).space;
    for round in 0..500 {
        let board = walk(space, goal, round % 14, &mut random);
        let exact = solve(&puzzle, &board, Method::default(), &mut Control::default());
        let distance = exact.verdict.lower_bound();
        assert!(distance <= Some(13));
        agree(&puzzle, &board, distance, &mut random);
    }
}

#[test]
fn all_agree_on_short_shelves() {
    let mut random = Random(3);
    let puzzle = Booksort::new(&Settings::default()).unwrap();
    for number in 1..=7_usize {
        let mut books: Vec<usize> = (1..=number).collect();
        let mut all = None;
        for _ in 0..if number < 7 { 100 } else { 400 } {
            random.shuffle(&mut books);
            let order: Vec<_> = books.iter().map(ToString::to_string).collect();
            let text = format!("1\n{number}\n{}\n", order.join(" "));
            let instance = puzzle.read(text.as_bytes()).next().unwrap().unwrap();
            let space = &puzzle.field(&instance).space;
            let all = all.get_or_insert_with(|| distances(space));
            agree(&puzzle, &instance, Some(all[&puzzle.start(&instance)]), &mut random);
        }
    }
}

#[test]
fn all_agree_on_near_boards_of_the_rotation_game() {
    let mut random = Random(4);
    let puzzle = Rotation::new(&Settings::default()).unwrap();
    let any = puzzle.read("1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3".as_bytes());
    let any = any.map(Result::unwrap).next().unwrap();
    let space = &puzzle.field(&any).space;
    let goals = space.goals().unwrap();
    // 8 of the 16 cells around the centre, in each of the three colours.
    assert_eq!(goals.len(), 38_610);
    assert!(goals.iter().all(|goal| space.is_goal(goal)));
    for round in 0..60 {
        let goal = goals[random.below(goals.len())];
        let board = walk(space, goal, round % 6, &mut random);
        let exact = solve(&puzzle, &board, Method::default(), &mut Control::default());
        agree(&puzzle, &board, exact.verdict.lower_bound(), &mut random);
    }
}

/// Keys lead back to their states, and differ where states do.
fn keys_are_states<S: Reversible<State: PartialEq + std::fmt::Debug>>(
    space: &S,
    bytes: usize,
    random: &mut Random,
) {
    assert_eq!(space.key_bytes(), bytes);
    let goals = space.goals().unwrap();
    let mut seen: HashMap<Vec<u8>, S::State> = HashMap::new();
    for round in 0..if bytes > 20 { 40 } else { 1000 } {
        let goal = goals[random.below(goals.len())].clone();
        let state = walk(space, goal, round % 40, random);
        let mut key = vec![0xa5; bytes];
        space.pack(&state, &mut key);
        assert_eq!(space.unpack(&key), state);
        assert_eq!(*seen.entry(key).or_insert_with(|| state.clone()), state);
    }
    assert!(seen.len() > 1);
}

#[test]
fn keys_are_short_and_lead_back() {
    let mut random = Random(5);
    for (size, bytes) in [("5x5", 4), ("3x4", 2), ("1x4", 1), ("7x8", 8), ("8x8", 9)] {
        let puzzle = Knights::new(&settings(Some(size))).unwrap();
        let (rows, columns) = size.split_once('x').unwrap();
        let (rows, columns): (usize, usize) = (rows.parse().unwrap(), columns.parse().unwrap());
        let cells = rows * columns;
        let ones = "1".repeat(cells / 2) + "*" + &"0".repeat(cells - cells / 2 - 1);
        let text: Vec<&str> = (0..rows).map(|r| &ones[r * columns..(r + 1) * columns]).collect();
        let text = format!("1\n{}\n", text.join("\n"));
        let board = puzzle.read(text.as_bytes()).next().unwrap().unwrap();
        if size == "1x4" {
            let space = &puzzle.field(&board).space;
            let mut key = [0];
            space.pack(&board, &mut key);
            assert_eq!((space.key_bytes(), space.unpack(&key)), (1, board));
        } else {
            keys_are_states(&puzzle.field(&board).space, bytes, &mut random);
        }
    }
    let puzzle = Booksort::new(&Settings::default()).unwrap();
    for (number, bytes) in [(2, 1), (7, 3), (15, 8), (16, 8), (17, 11), (33, 25), (64, 48)] {
        let books: Vec<_> = (1..=number).map(|book: u8| book.to_string()).collect();
        let text = format!("1\n{number}\n{}\n", books.join(" "));
        let books = puzzle.read(text.as_bytes()).next().unwrap().unwrap();
        keys_are_states(&puzzle.field(&books).space, bytes, &mut random);
    }
    let puzzle = Rotation::new(&Settings::default()).unwrap();
    let any = puzzle.read("1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3".as_bytes());
    let any = any.map(Result::unwrap).next().unwrap();
    keys_are_states(&puzzle.field(&any).space, 6, &mut random);
}

#[test]
fn a_limit_on_memory_stops_what_stores_and_not_what_does_not() {
    let puzzle = Booksort::new(&Settings::default()).unwrap();
    let reversed = "1\n9\n9 8 7 6 5 4 3 2 1\n";
    let instance = puzzle.read(reversed.as_bytes()).next().unwrap().unwrap();
    let limits = Limits { memory: Some(10_000), nodes: Some(100_000), ..Limits::default() };
    for algorithm in Algorithm::ALL {
        let method = Method { algorithm, ..Method::default() };
        let outcome = solve(&puzzle, &instance, method, &mut within(limits));
        assert!(outcome.statistics.memory <= 10_000);
        match algorithm {
            Algorithm::Ida => assert_eq!(outcome.verdict.lower_bound(), Some(5)),
            Algorithm::Iddfs => {}
            _ => match outcome.verdict {
                Verdict::Stopped { stop: Stop::Memory, lower_bound } => assert!(lower_bound <= 5),
                other => panic!("{algorithm:?} {other:?}"),
            },
        }
    }
}

/// An answer that is not the first is no answer for a judge: if a limit strikes while the first is
/// looked for, the search is stopped.
#[test]
fn a_limit_between_the_two_searches_is_obeyed() {
    let puzzle = Rotation::new(&Settings::default()).unwrap();
    let board = "1 3 2 1 3 1 3 2 1 1 2 3 2 3 1 2 1 2 3 2 2 3 1 3";
    let board = puzzle.read(board.as_bytes()).next().unwrap().unwrap();
    let method = Method { algorithm: Algorithm::Astar, ..Method::default() };
    let whole = solve(&puzzle, &board, method, &mut Control::default());
    let expanded = whole.statistics.total().expanded;
    let [first, second] = &whole.statistics.iterations[..] else { panic!("two searches") };
    assert_eq!((first.bound, second.bound), (9, 9));
    for nodes in 0..expanded {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut control = within(limits);
        let outcome = solve(&puzzle, &board, method, &mut control);
        assert_eq!(outcome.verdict, Verdict::Stopped { stop: Stop::Nodes, lower_bound: 9 });
        assert_eq!(outcome.statistics.total().expanded, nodes);
        assert_eq!(control.limits, limits, "the caller's limits are as they were");
    }
}
