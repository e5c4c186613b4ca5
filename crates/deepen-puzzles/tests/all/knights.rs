//! Knights, against searches that share nothing with the engine.
//!
//! [`Small`] searches breadth-first over boards as text, for any small board. [`Standard`] does it
//! for all 67,603,900 boards of the contest's size, over numbered boards.

// The helpers are tests too.
use std::collections::{HashMap, VecDeque};
use std::sync::OnceLock;

use deepen::{Alphabet, Control, Cost, Each, Heuristic, Proof, Space, Verdict, moves_of};
use deepen_puzzles::{Field, Info, Knights, Method, Pruned, Puzzle, Settings, Task, find, solve};

const GOAL: &str = "11111/01111/00*11/00001/00000";
const PRUNINGS: [Pruned; 3] = [Pruned::Nothing, Pruned::Inverse, Pruned::Learned];
const INFO: Info = Knights::INFO;

type Board = <Knights as Puzzle>::Instance;

fn knights(size: &str) -> Knights {
    Knights::new(&Settings::default().with("size", size)).unwrap()
}

/// The standard game, whose table is built once for all tests.
fn standard() -> &'static Knights {
    static STANDARD: OnceLock<Knights> = OnceLock::new();
    STANDARD.get_or_init(|| Knights::new(&Settings::default()).unwrap())
}

fn knights_to(goal: &str) -> Knights {
    Knights::new(&Settings::default().with("goal", goal)).unwrap()
}

/// Reads boards that are written with `/` between their rows.
fn read(puzzle: &Knights, boards: &[String]) -> Vec<Board> {
    let text = format!("{}\n{}\n", boards.len(), boards.join("\n").replace('/', "\n"));
    puzzle.read(text.as_bytes()).map(Result::unwrap).collect()
}

fn board(puzzle: &Knights, text: &str) -> Board {
    read(puzzle, &[text.into()])[0]
}

fn heuristic(name: &str) -> usize {
    find(INFO.heuristics, name).unwrap()
}

/// The bound of a heuristic for a state.
fn bound(puzzle: &Knights, board: &Board, heuristic: usize) -> Cost {
    struct BoundOf<'a, T>(&'a T);
    impl<S: Alphabet> Task<S> for BoundOf<'_, S::State> {
        type Output = Cost;
        fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) -> Cost {
            heuristic.bound(heuristic.root(&field.space, self.0))
        }
    }
    puzzle.run(board, heuristic, BoundOf(board))
}

/// The verdict with moves by name, under no limit.
fn verdict(puzzle: &Knights, board: &Board, heuristic: usize, pruned: Pruned) -> Verdict<String> {
    let outcome = solve(
        puzzle,
        board,
        Method { heuristic, pruned, ..Method::default() },
        &mut Control::default(),
    );
    outcome.verdict.map(|mv| puzzle.move_name(&puzzle.field(board).space, mv))
}

/// The judge's answers to an input, under a limit on cost.
fn answers(puzzle: &Knights, input: &str, method: Method) -> String {
    let mut answers = String::new();
    for (index, board) in (0..).zip(puzzle.read(input.as_bytes())) {
        let board = board.unwrap();
        let mut control = Control::default();
        control.limits.cost = puzzle.cost_limit().unwrap();
        let verdict = solve(puzzle, &board, method, &mut control).verdict;
        answers += &puzzle.judge_answer(index, &board, &verdict, puzzle.cost_limit());
    }
    answers
}

/// Numbers without rhyme, the same every time (an xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end
    }
}

/// The cells a knight's move away from a cell, in order.
fn neighbours(rows: usize, columns: usize, cell: usize) -> Vec<usize> {
    let apart = |a: usize, b: usize| {
        (a / columns).abs_diff(b / columns) * (a % columns).abs_diff(b % columns)
    };
    (0..rows * columns).filter(|&other| apart(cell, other) == 2).collect()
}

/// All boards of a size from which a goal can be reached, with their distances.
struct Small {
    rows: usize,
    columns: usize,
    distances: HashMap<String, Cost>,
}

impl Small {
    fn new(goal: &str) -> Small {
        let rows = goal.split('/').count();
        let columns = goal.find('/').unwrap_or(goal.len());
        let mut small = Small { rows, columns, distances: HashMap::new() };
        let mut queue = VecDeque::from([(goal.to_string(), 0)]);
        small.distances.insert(goal.to_string(), 0);
        while let Some((board, distance)) = queue.pop_front() {
            for (next, _) in small.children(&board) {
                if !small.distances.contains_key(&next) {
                    small.distances.insert(next.clone(), distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
        small
    }

    /// The boards a move away, each with the cells that the knight leaves and enters.
    fn children(&self, board: &str) -> Vec<(String, (usize, usize))> {
        let place = |cell: usize| cell + cell / self.columns;
        let cells = self.rows * self.columns;
        let blank = (0..cells).find(|&cell| board.as_bytes()[place(cell)] == b'*').unwrap();
        let child = |from: usize| {
            let mut bytes = board.as_bytes().to_vec();
            bytes.swap(place(from), place(blank));
            (String::from_utf8(bytes).unwrap(), (from, blank))
        };
        neighbours(self.rows, self.columns, blank).into_iter().map(child).collect()
    }

    fn census(&self) -> Vec<usize> {
        let greatest = *self.distances.values().max().unwrap();
        let mut census = vec![0; greatest as usize + 1];
        self.distances.values().for_each(|&distance| census[distance as usize] += 1);
        census
    }
}

/// All boards of a size with `ones` ones and a blank.
fn all_boards(rows: usize, columns: usize, ones: u32) -> Vec<String> {
    let cells = rows * columns;
    let mut boards = Vec::new();
    for blank in 0..cells {
        for bits in (0..1_u32 << cells).filter(|bits| bits.count_ones() == ones) {
            if bits >> blank & 1 == 0 {
                boards.push(text(columns, cells, bits, blank));
            }
        }
    }
    boards
}

fn text(columns: usize, cells: usize, ones: u32, blank: usize) -> String {
    let mut text = String::new();
    for cell in 0..cells {
        if cell > 0 && cell % columns == 0 {
            text.push('/');
        }
        text.push(match ones >> cell & 1 {
            _ if cell == blank => '*',
            0 => '0',
            _ => '1',
        });
    }
    text
}

/// The distances of all boards of the standard game. A board is numbered by its blank's cell and
/// by the rank of its other cells among the words of 24 bits with twelve ones.
struct Standard {
    distances: Vec<u8>,
    /// The words by their rank.
    words: Vec<u32>,
    /// What the high and the low half of a word add to its rank.
    high: Vec<u32>,
    low: Vec<u32>,
    neighbours: Vec<Vec<usize>>,
    /// The boards at the least distances, which are too few to be met by chance.
    near: Vec<Vec<usize>>,
}

const RANKS: usize = 2_704_156;
const UNKNOWN: u8 = 255;

impl Standard {
    fn get() -> &'static Standard {
        static STANDARD: OnceLock<Standard> = OnceLock::new();
        STANDARD.get_or_init(Standard::new)
    }

    fn new() -> Standard {
        let words: Vec<u32> = (0..1 << 24).filter(|word: &u32| word.count_ones() == 12).collect();
        assert_eq!(words.len(), RANKS);
        // Words are ranked by their high half and then by their low half.
        let mut seen = [0; 13];
        let mut rank_low = |half: u32| {
            let seen: &mut u32 = &mut seen[half.count_ones() as usize];
            *seen += 1;
            *seen - 1
        };
        let low: Vec<u32> = (0..4096).map(&mut rank_low).collect();
        let mut before = 0;
        let mut rank_high = |half: u32| {
            let rank = before;
            before += seen[12 - half.count_ones() as usize];
            rank
        };
        let high = (0..4096).map(&mut rank_high).collect();
        let neighbours = (0..25).map(|cell| neighbours(5, 5, cell)).collect();
        let distances = vec![UNKNOWN; 25 * RANKS];
        let near = vec![Vec::new(); 12];
        let mut standard = Standard { distances, words, high, low, neighbours, near };
        standard.search();
        standard
    }

    fn search(&mut self) {
        const CHUNK: usize = 4 * 13; // A divisor of all there is to look through.
        let goal = self.number(GOAL);
        self.distances[goal] = 0;
        self.near[0].push(goal);
        let mut reached = 1;
        let mut distance = 0;
        while reached > 0 {
            reached = 0;
            for start in (0..self.distances.len()).step_by(CHUNK) {
                if !self.distances[start..start + CHUNK].contains(&distance) {
                    continue;
                }
                for number in start..start + CHUNK {
                    if self.distances[number] == distance {
                        reached += self.expand(number);
                    }
                }
            }
            distance += 1;
        }
    }

    /// Reaches the neighbours of a board, and says how many are new.
    fn expand(&mut self, number: usize) -> usize {
        let distance = self.distances[number] + 1;
        let mut reached = 0;
        for i in 0..self.neighbours[number / RANKS].len() {
            let next = self.child(number, self.neighbours[number / RANKS][i]);
            if self.distances[next] == UNKNOWN {
                self.distances[next] = distance;
                if let Some(near) = self.near.get_mut(usize::from(distance)) {
                    near.push(next);
                }
                reached += 1;
            }
        }
        reached
    }

    /// The ones of a board, as bits of its 25 cells.
    fn ones(&self, number: usize) -> u32 {
        let (blank, word) = (number / RANKS, self.words[number % RANKS]);
        let below = word & ((1 << blank) - 1);
        below | (word ^ below) << 1
    }

    fn number_of(&self, ones: u32, blank: usize) -> usize {
        let below = ones & ((1 << blank) - 1);
        let word = below | (ones ^ below) >> 1;
        let rank = self.high[word as usize >> 12] + self.low[word as usize & 4095];
        blank * RANKS + rank as usize
    }

    /// The board after the knight on `from` has jumped.
    fn child(&self, number: usize, from: usize) -> usize {
        let (ones, blank) = (self.ones(number), number / RANKS);
        let knight = ones >> from & 1;
        self.number_of(ones ^ (knight << from) ^ (knight << blank), from)
    }

    fn text(&self, number: usize) -> String {
        text(5, 25, self.ones(number), number / RANKS)
    }

    fn number(&self, text: &str) -> usize {
        let cells = text.replace('/', "");
        let ones = cells.bytes().enumerate().filter(|(_, byte)| *byte == b'1');
        self.number_of(ones.map(|(cell, _)| 1 << cell).sum(), cells.find('*').unwrap())
    }

    /// The first shortest solution in the order of the cells that knights come from.
    fn first_solution(&self, mut number: usize) -> Vec<String> {
        let name = |cell: usize| format!("{}{}", ["a", "b", "c", "d", "e"][cell % 5], 5 - cell / 5);
        let mut moves = Vec::new();
        while self.distances[number] > 0 {
            let blank = number / RANKS;
            let nearer =
                |&&from: &&usize| self.distances[self.child(number, from)] < self.distances[number];
            let from = *self.neighbours[blank].iter().find(nearer).unwrap();
            moves.push(name(from) + &name(blank));
            number = self.child(number, from);
        }
        moves
    }

    /// Some boards at a distance, by chance.
    fn sample(&self, distance: u8, count: usize, random: &mut Random) -> Vec<usize> {
        if let Some(near) = self.near.get(usize::from(distance)) {
            return (0..count).map(|_| near[random.below(near.len())]).collect();
        }
        let mut boards = Vec::new();
        let mut number = random.below(self.distances.len());
        while boards.len() < count {
            number = (number + 1) % self.distances.len();
            if self.distances[number] == distance {
                boards.push(number);
                number = random.below(self.distances.len());
            }
        }
        boards
    }
}

#[test]
fn the_samples_come_out() {
    let input = "2\n10110\n01*11\n10111\n01001\n00000\n01011\n110*1\n01110\n01010\n00100\n";
    let solved = "1\n11111\n01111\n00*11\n00001\n00000\n";
    let puzzle = standard();
    for (heuristic, choice) in INFO.heuristics.iter().enumerate() {
        for pruned in PRUNINGS {
            let method = Method { heuristic, pruned, ..Method::default() };
            assert_eq!(answers(puzzle, solved, method), "0\n");
            // Without any bound the second board takes a minute.
            if choice.name != "zero" {
                assert_eq!(answers(puzzle, input, method), "7\n-1\n");
            }
        }
    }
    assert_eq!(answers(puzzle, INFO.example, Method::default()), "7\n-1\n");
}

#[test]
fn the_shipped_file_gets_its_answers() {
    let input = include_str!("../../../../testdata/knights/judge.txt");
    let output = include_str!("../../../../testdata/knights/judge.out");
    let puzzle = Knights::new(&Settings::default()).unwrap();
    for name in ["tight", "zones", "mismatch", "perimeter"] {
        let method =
            Method { heuristic: heuristic(name), pruned: Pruned::Learned, ..Method::default() };
        assert_eq!(answers(&puzzle, input, method), output);
    }
    let method = Method { heuristic: heuristic("table"), ..Method::default() };
    assert_eq!(answers(standard(), input, method), output);
}

#[test]
fn harmless_variations_are_accepted() {
    let input = "\u{feff} 2\r\n\r\n10110 01*11\r\n10111\t01001\n00000  \n\n\n\
                 01011\n110*1\n01110\n01010\n00100";
    let puzzle = Knights::new(&Settings::default()).unwrap();
    assert_eq!(answers(&puzzle, input, Method::default()), "7\n-1\n");
    assert_eq!(answers(&puzzle, "0\n", Method::default()), "");
}

#[test]
fn the_counts_by_distance_are_the_known_ones() {
    let known = [
        1, 8, 14, 38, 148, 368, 1001, 2440, 6468, 14116, 32825, 64782, 137_262, 240_404, 455_522,
        716_458, 1_224_370, 1_720_894, 2_645_274, 3_327_210, 4_594_399, 5_148_132, 6_372_557,
        6_345_924, 6_997_217, 6_160_052, 6_002_337, 4_635_014, 3_942_462, 2_634_392, 1_921_476,
        1_086_234, 658_300, 300_838, 144_842, 49_078, 17_065, 3428, 488, 62,
    ];
    let standard = Standard::get();
    let mut census = [0; 256];
    standard.distances.iter().for_each(|&distance| census[usize::from(distance)] += 1);
    assert_eq!(census[..known.len()], known);
    assert_eq!(census.iter().sum::<usize>(), known.iter().sum());
    // All colours swapped, the blank in the centre: the puzzle in The 7th Guest.
    let swapped = standard.number("00000/10000/11*00/11110/11111");
    assert_eq!(standard.distances[swapped], 36);
}

/// What a heuristic looks at in a board of the standard game, as an index below `1 << 15`: its
/// features worked out here once more.
type Feature = fn(u32, usize) -> usize;

fn misplaced(ones: u32, blank: usize) -> u32 {
    const GOAL_ONES: u32 = 0b00000_10000_11000_11110_11111;
    (ones ^ GOAL_ONES) & !(1 << blank) & !(1 << 12)
}

fn mismatches(ones: u32, blank: usize) -> usize {
    let away = if blank == 12 { 0 } else { 2 };
    (misplaced(ones, blank).count_ones() as usize + away) * 2 + usize::from(blank == 12)
}

fn zones(ones: u32, blank: usize) -> usize {
    const CORNERS: u32 = 0b10001_00000_00000_00000_10001;
    const LIKE_CORNERS: u32 = 0b10101_01010_10101_01010_10101 & !CORNERS;
    const NEAR: u32 = 0b01010_10001_00000_10001_01010;
    const OTHERS: u32 = !(CORNERS | LIKE_CORNERS | NEAR);
    let misplaced = misplaced(ones, blank);
    let count = |zone: u32| (misplaced & zone).count_ones() as usize;
    let counts = (count(CORNERS) * 9 + count(NEAR)) * 45 + count(LIKE_CORNERS) * 5 + count(OTHERS);
    counts * 2 + usize::from(blank == 12)
}

#[test]
fn the_tables_of_bounds_are_the_tightest_there_are() {
    let standard = Standard::get();
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let mut random = Random(1);
    for (name, feature) in [("tight", mismatches as Feature), ("zones", zones)] {
        // The nearest board of each class.
        let mut nearest: Vec<Option<usize>> = vec![None; 1 << 15];
        for blank in 0..25 {
            for rank in 0..RANKS {
                let number = blank * RANKS + rank;
                let nearest = &mut nearest[feature(standard.ones(number), blank)];
                let distance = standard.distances[number];
                if nearest.is_none_or(|nearest| distance < standard.distances[nearest]) {
                    *nearest = Some(number);
                }
            }
        }
        let of_class =
            |number: usize| nearest[feature(standard.ones(number), number / RANKS)].unwrap();
        // The bound of each class is the distance of its nearest board, and other boards have the
        // bound of their class.
        let classes = nearest.iter().flatten().copied();
        let others = (0..200_000).map(|_| random.below(25 * RANKS));
        let numbers: Vec<usize> = classes.chain(others).collect();
        let texts: Vec<String> = numbers.iter().map(|&number| standard.text(number)).collect();
        for (&number, board) in numbers.iter().zip(read(&puzzle, &texts)) {
            let least = standard.distances[of_class(number)];
            assert_eq!(bound(&puzzle, &board, heuristic(name)), least.into(), "{name}");
        }
    }
}

#[test]
fn mismatch_is_the_contests_bound() {
    let standard = Standard::get();
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let mut random = Random(2);
    let numbers: Vec<usize> = (0..100_000).map(|_| random.below(25 * RANKS)).collect();
    let texts: Vec<String> = numbers.iter().map(|&number| standard.text(number)).collect();
    for (text, board) in texts.iter().zip(read(&puzzle, &texts)) {
        let differing = text.bytes().zip(GOAL.bytes()).filter(|(a, b)| a != b).count();
        let expected = u32::try_from(differing.saturating_sub(1)).unwrap();
        assert_eq!(bound(&puzzle, &board, heuristic("mismatch")), expected);
    }
}

#[test]
fn boards_of_every_distance_get_the_first_of_the_shortest_solutions() {
    let standard = Standard::get();
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let mut random = Random(3);
    // How far each heuristic comes in good time, with moves taken back and without.
    for (name, count, with, without) in
        [("zones", 6, 18, 24), ("tight", 6, 15, 18), ("mismatch", 4, 15, 16), ("zero", 3, 8, 11)]
    {
        for distance in 0..=without {
            for number in standard.sample(distance, count, &mut random) {
                let board = board(&puzzle, &standard.text(number));
                for pruned in PRUNINGS {
                    if pruned == Pruned::Nothing && distance > with {
                        continue;
                    }
                    let solution = verdict(&puzzle, &board, heuristic(name), pruned).solution();
                    let solution = solution.unwrap();
                    assert_eq!(solution.cost, distance.into());
                    assert_eq!(solution.moves, standard.first_solution(number), "{name}");
                }
            }
        }
    }
}

#[test]
fn the_farthest_boards_are_above_the_contests_limit() {
    let standard = Standard::get();
    let puzzle = Knights::new(&Settings::default()).unwrap();
    for distance in 16..=39 {
        for number in standard.sample(distance, 8, &mut Random(4)) {
            let input = format!("1\n{}\n", standard.text(number).replace('/', "\n"));
            assert_eq!(answers(&puzzle, &input, Method::default()), "-1\n");
        }
    }
}

#[test]
fn learned_pruning_changes_no_answer() {
    let standard = Standard::get();
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let mut random = Random(5);
    for distance in 1..=16 {
        for number in standard.sample(distance, 25, &mut random) {
            let board = board(&puzzle, &standard.text(number));
            let with = |pruned| verdict(&puzzle, &board, heuristic("tight"), pruned);
            assert_eq!(with(Pruned::Learned), with(Pruned::Nothing));
        }
    }
}

#[test]
fn small_boards_have_the_known_counts() {
    let counts = |goal: &str| {
        let census = Small::new(goal).census();
        (census.iter().sum::<usize>(), census.len() - 1)
    };
    assert_eq!(counts("111/1*0/000"), (1, 0));
    assert_eq!(counts("1111/11*0/0000"), (5544, 42));
    assert_eq!(counts("11111/11*00/00000"), (51_480, 33));
    let four = [
        1, 3, 7, 14, 28, 58, 114, 228, 434, 810, 1430, 2382, 3728, 5425, 7368, 9416, 11057, 12034,
        11983, 10906, 9122, 6911, 4644, 2693, 1369, 551, 185, 49, 10,
    ];
    assert_eq!(Small::new("1111/1111/*000/0000").census(), four);
}

#[test]
fn small_boards_have_the_documented_goals() {
    for (size, goal) in [
        ("3x3", "111/1*0/000"),
        ("3x4", "1111/11*0/0000"),
        ("3x5", "11111/11*00/00000"),
        ("4x4", "1111/1111/*000/0000"),
        ("5x5", GOAL),
        ("1x1", "*"),
    ] {
        let puzzle = knights(size);
        let board = board(&puzzle, goal);
        assert!(puzzle.field(&board).space.is_goal(&board), "{size}");
    }
}

/// Checks every bound, and the parity, on all boards of the goal's size.
fn check_bounds(goal: &str) {
    let puzzle = knights_to(goal);
    let small = Small::new(goal);
    let (texts, distances): (Vec<String>, Vec<Cost>) = small.distances.into_iter().unzip();
    for (board, distance) in read(&puzzle, &texts).iter().zip(distances) {
        let space = &puzzle.field(board).space;
        for (heuristic, choice) in INFO.heuristics.iter().enumerate() {
            let bound = bound(&puzzle, board, heuristic);
            assert!(bound <= distance, "{}: {bound} for {distance}", choice.name);
            // Within eight moves the boards are known by heart.
            if choice.name == "table" || (choice.name == "perimeter" && distance <= 8) {
                assert_eq!(bound, distance, "{}", choice.name);
            }
        }
        assert_eq!(space.residue(board).round_up(distance.into()), distance.into());
        assert_eq!(space.residue(board).round_up(u64::from(distance) + 1), u64::from(distance) + 2);
        assert_eq!(space.impossible(board), None);
    }
}

#[test]
fn no_bound_exceeds_a_distance_on_any_small_board() {
    check_bounds("1111/11*0/0000");
    check_bounds("1111/1111/*000/0000");
    check_bounds("11111/11*00/00000");
    check_bounds("1010/*101/0001");
    check_bounds("11*/101/000");
    check_bounds("1*01/0101");
}

#[test]
fn a_table_holds_all_boards_of_a_size() {
    for (size, census) in [
        ("3x3", vec![1]),
        ("3x4", Small::new("1111/11*0/0000").census()),
        ("3x5", Small::new("11111/11*00/00000").census()),
        ("4x4", Small::new("1111/1111/*000/0000").census()),
    ] {
        let puzzle = knights(size);
        let [table] = puzzle.tables()[..] else { panic!("one table") };
        assert_eq!(
            table.get().unwrap().census(),
            census.into_iter().map(|count| count as u64).collect::<Vec<_>>()
        );
    }
    let puzzle = knights("4x5");
    let [table] = puzzle.tables()[..] else { panic!("one table") };
    let census = table.get().unwrap().census();
    assert_eq!((census.iter().sum(), census.len()), (1_847_560_u64, 35));
}

#[test]
fn the_table_of_the_standard_game_holds_the_distances_of_all_boards() {
    let (puzzle, oracle) = (standard(), Standard::get());
    let [table] = puzzle.tables()[..] else { panic!("one table") };
    assert_eq!(table.entries(), 67_603_900);
    assert_eq!(table.definition(), format!("knights 5x5: distances to {GOAL}, order 1"));
    let table = table.get().unwrap();
    assert_eq!(table.size(), 16_900_975);
    let mut census = vec![0_u64; table.census().len()];
    oracle.distances.iter().for_each(|&distance| census[usize::from(distance)] += 1);
    assert_eq!(table.census(), census);
    let mut random = Random(12);
    for _ in 0..20_000 {
        let number = random.below(25 * RANKS);
        let board = board(puzzle, &oracle.text(number));
        let distance = bound(puzzle, &board, heuristic("table"));
        assert_eq!(distance, oracle.distances[number].into());
    }
}

#[test]
fn with_the_table_the_farthest_boards_are_solved_without_a_search() {
    let (puzzle, oracle) = (standard(), Standard::get());
    let farthest = include_str!("../../../../testdata/knights/depth39.txt");
    let rows: Vec<_> = farthest.lines().skip(1).collect();
    let boards: Vec<_> = puzzle.read(farthest.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(boards.len(), 62);
    for (board, rows) in boards.into_iter().zip(rows.chunks(5)) {
        let method = Method { heuristic: heuristic("table"), ..Method::default() };
        let outcome = solve(puzzle, &board, method, &mut Control::default());
        assert_eq!(outcome.statistics.total().expanded, 39);
        let space = &puzzle.field(&board).space;
        let named = outcome.verdict.map(|mv| puzzle.move_name(space, mv));
        let solution = named.solution().unwrap();
        assert_eq!(solution.cost, 39);
        assert_eq!(solution.moves, oracle.first_solution(oracle.number(&rows.concat())));
    }
}

#[test]
fn boards_of_too_many_cells_have_no_table_and_are_searched() {
    let puzzle = knights("5x6");
    assert!(puzzle.tables().is_empty());
    let goal = "111111/111111/111*00/000000/000000";
    let near = board(&puzzle, "11*111/111111/111100/000000/000000");
    assert_eq!(bound(&puzzle, &board(&puzzle, goal), heuristic("table")), 0);
    assert_eq!(bound(&puzzle, &near, heuristic("table")), 1);
}

#[test]
fn small_boards_are_solved_in_their_distance() {
    let mut random = Random(6);
    for goal in ["1111/11*0/0000", "1111/1111/*000/0000", "01010/11*01/00101"] {
        let puzzle = knights_to(goal);
        let small = Small::new(goal);
        let mut boards: Vec<_> = small.distances.iter().filter(|(_, d)| **d <= 14).collect();
        boards.sort();
        for _ in 0..200 {
            let (text, distance) = boards[random.below(boards.len())];
            let board = board(&puzzle, text);
            for name in ["tight", "mismatch"] {
                let solution =
                    verdict(&puzzle, &board, heuristic(name), Pruned::Learned).solution().unwrap();
                assert_eq!(solution.cost, *distance, "{text}");
            }
        }
    }
}

#[test]
fn boards_that_cannot_be_solved_are_told_apart_from_those_that_can() {
    for goal in ["111/1*0/000", "11*/101/000", "*01/101/100", "1*01/0101", "01/*1/01/10", "01*1"] {
        let puzzle = knights_to(goal);
        let small = Small::new(goal);
        let ones = u32::try_from(goal.matches('1').count()).unwrap();
        for text in all_boards(small.rows, small.columns, ones) {
            let board = board(&puzzle, &text);
            let found = verdict(&puzzle, &board, heuristic("tight"), Pruned::Learned);
            match small.distances.get(&text) {
                Some(&distance) => assert_eq!(found.lower_bound(), Some(distance), "{text}"),
                None => assert!(matches!(found, Verdict::Impossible(Proof::Space(_))), "{text}"),
            }
        }
    }
}

#[test]
fn the_answer_to_a_board_that_cannot_be_solved_says_so() {
    let puzzle = knights("3x3");
    let input = "3 111 1*0 000 110 1*1 000 11* 110 000";
    assert_eq!(answers(&puzzle, input, Method::default()), "0\nimpossible\nimpossible\n");
    let reason = |text: &str| match verdict(&puzzle, &board(&puzzle, text), 0, Pruned::Learned) {
        Verdict::Impossible(proof) => proof.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason("110/1*1/000"),
        "only 1 board can be reached, and the goal is not among them"
    );
    // The seven knights on the ring, 110 110 0 in turn, can stand in 7 ways for each blank.
    assert_eq!(
        reason("11*/110/000"),
        "only 56 boards can be reached, and the goal is not among them"
    );
}

/// The condition of Wilson's theorem, on which `impossible` rests.
#[test]
fn on_larger_boards_no_cell_is_indispensable() {
    for rows in 3..=21 {
        for columns in (3..=64 / rows).filter(|columns| rows * columns > 9) {
            let cells = rows * columns;
            let graph: Vec<_> = (0..cells).map(|cell| neighbours(rows, columns, cell)).collect();
            for removed in 0..cells {
                let mut reached = vec![false; cells];
                let start = usize::from(removed == 0);
                let mut waiting = vec![start];
                (reached[start], reached[removed]) = (true, true);
                while let Some(cell) = waiting.pop() {
                    for &next in
                        graph[cell].iter().filter(|&&next| !reached[next]).collect::<Vec<_>>()
                    {
                        reached[next] = true;
                        waiting.push(next);
                    }
                }
                assert!(
                    reached.iter().all(|&reached| reached),
                    "{rows}x{columns} without {removed}"
                );
            }
            assert!(graph.iter().any(|cells| cells.len() > 2), "{rows}x{columns} is a ring");
        }
    }
}

#[test]
fn every_board_of_three_by_four_can_be_solved_whatever_its_counts() {
    for ones in 0..=11 {
        let cells = "1".repeat(ones) + "*" + &"0".repeat(11 - ones);
        let goal = format!("{}/{}/{}", &cells[..4], &cells[4..8], &cells[8..]);
        let all = all_boards(3, 4, u32::try_from(ones).unwrap());
        assert_eq!(Small::new(&goal).distances.len(), all.len());
    }
}

#[test]
fn moves_come_in_order_read_back_and_can_be_taken_back() {
    let mut random = Random(7);
    for goal in [GOAL, "1111/11*0/0000", "1*01/0101", "*"] {
        let puzzle = knights_to(goal);
        let small = Small {
            distances: HashMap::new(),
            rows: goal.split('/').count(),
            columns: goal.find('/').unwrap_or(1),
        };
        let mut at = goal.to_string();
        for _ in 0..500 {
            let board = board(&puzzle, &at);
            let space = &puzzle.field(&board).space;
            let children = small.children(&at);
            let moves = moves_of(space, &board);
            assert_eq!(moves.len(), children.len());
            for (&mv, (child, (from, to))) in moves.iter().zip(&children) {
                let cell = |cell: usize| {
                    let file = char::from(b'a' + u8::try_from(cell % small.columns).unwrap());
                    format!("{file}{}", small.rows - cell / small.columns)
                };
                let name = puzzle.move_name(space, mv);
                assert_eq!(name, cell(*from) + &cell(*to));
                assert_eq!(puzzle.parse_move(space, &board, &name), Some(mv));
                let mut next = board;
                space.apply(&mut next, mv);
                assert_eq!(next, self::board(&puzzle, child));
                space.undo(&mut next, mv);
                assert_eq!(next, board);
            }
            assert_eq!(puzzle.parse_move(space, &board, "a1a1"), None);
            if !children.is_empty() {
                at.clone_from(&children[random.below(children.len())].0);
            }
        }
    }
}

/// The bounds of the children told before their moves, against those from scratch.
#[test]
fn bounds_carried_down_are_those_from_scratch() {
    struct Walk<'a, T>(&'a T, &'a mut Random);
    impl<S: Alphabet> Task<S> for Walk<'_, S::State> {
        type Output = ();
        fn run<H: Heuristic<S> + Sync>(self, field: &Field<S>, heuristic: &H) {
            let space = &field.space;
            let mut state = self.0.clone();
            let mut value = heuristic.root(space, &state);
            for _ in 0..2000 {
                let node = heuristic.node(space, &state, value);
                let mut each = Each(|state: &mut S::State, mv| {
                    let before = heuristic.before(space, state, &node, mv);
                    space.apply(state, mv);
                    let asked = heuristic.ask(space, state, &node, before, mv);
                    let after = heuristic.after(space, state, &node, asked, mv);
                    let fresh = heuristic.root(space, state);
                    assert_eq!(heuristic.bound(after), heuristic.bound(fresh));
                    space.undo(state, mv);
                    std::ops::ControlFlow::Continue(())
                });
                let _ = space.for_each_move(&mut state, &mut each);
                let moves = moves_of(space, &state);
                let mv = moves[self.1.below(moves.len())];
                value = heuristic.before(space, &state, &node, mv);
                space.apply(&mut state, mv);
                value = heuristic.ask(space, &state, &node, value, mv);
                value = heuristic.after(space, &state, &node, value, mv);
            }
        }
    }
    for goal in [
        GOAL,
        "1111/1111/*000/0000",
        "10101010/01010101/1*111000/10101010/00000000/11111111/01011001/00110011",
    ] {
        let other = knights_to(goal);
        let puzzle = if goal == GOAL { standard() } else { &other };
        let start = board(puzzle, goal);
        for heuristic in 0..INFO.heuristics.len() {
            puzzle.run(&start, heuristic, Walk(&start, &mut Random(8)));
        }
    }
}

#[test]
fn the_goal_is_its_own_image_under_a_half_turn_with_colours_swapped() {
    let image = |text: &str| -> String {
        text.chars()
            .rev()
            .map(|c| if let '0' | '1' = c { char::from(b'1' - (c as u8 - b'0')) } else { c })
            .collect()
    };
    assert_eq!(image(GOAL), GOAL);
    // So an image is as far from the goal, and has the same bounds.
    let standard = Standard::get();
    let puzzle = self::standard();
    let mut random = Random(9);
    for _ in 0..2000 {
        let number = random.below(25 * RANKS);
        let text = standard.text(number);
        let turned = image(&text);
        assert_eq!(standard.distances[number], standard.distances[standard.number(&turned)]);
        let (board, turned) = (board(puzzle, &text), board(puzzle, &turned));
        for heuristic in 0..INFO.heuristics.len() {
            assert_eq!(bound(puzzle, &board, heuristic), bound(puzzle, &turned, heuristic));
        }
    }
}

#[test]
fn a_drawing_has_ranks_and_files() {
    let puzzle = knights_to(GOAL);
    let start = board(&puzzle, "01011/110*1/01110/01010/00100");
    assert_eq!(
        puzzle.draw(&puzzle.field(&start).space, &start),
        "5  0 1 0 1 1\n4  1 1 0 * 1\n3  0 1 1 1 0\n2  0 1 0 1 0\n1  0 0 1 0 0\n   a b c d e\n"
    );
    let wide = "1".repeat(27) + "*";
    let puzzle = knights_to(&wide);
    let start = board(&puzzle, &wide);
    let drawing = puzzle.draw(&puzzle.field(&start).space, &start);
    let files: Vec<&str> = drawing.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(files[25..], ["z", "aa", "ab"]);
    let tall = ["0"; 9].join("/") + "/*";
    let puzzle = knights_to(&tall);
    let start = board(&puzzle, &tall);
    let drawing = puzzle.draw(&puzzle.field(&start).space, &start);
    assert!(drawing.starts_with("10  0\n 9  0\n"), "{drawing}");
    assert!(drawing.ends_with(" 1  *\n    a\n"), "{drawing}");
}

#[test]
fn wrong_inputs_are_refused_with_their_place() {
    let cases = [
        ("", "1:1: expected the number of boards, found the end of the input"),
        (" \r\n\n", "3:1: expected the number of boards, found the end of the input"),
        ("x\n", "1:1: expected the number of boards, found `x`"),
        ("-1\n", "1:1: expected the number of boards, found `-1`"),
        ("２\n", "1:1: expected the number of boards, found `２`"),
        (
            "99999999999999999999999\n",
            "1:1: expected the number of boards, found `99999999999999999999999`",
        ),
        ("10*10\n", "1:1: expected the number of boards, found `10*10`"),
        (
            "2\n10110\n01*11\n1011\n",
            "4:5: expected 5 cells, each 0, 1 or * (row 3 of 5, board 1 of 2), found `1011`",
        ),
        (
            "2\n10110 101101\n",
            "2:12: expected 5 cells, each 0, 1 or * (row 2 of 5, board 1 of 2), found `101101`",
        ),
        ("1\n10110\n01x11\n", "3:3: expected 0, 1 or * (row 2 of 5, board 1 of 1), found `01x11`"),
        ("1\n10\u{e9}10\n", "2:3: expected 0, 1 or * (row 1 of 5, board 1 of 1), found `10é10`"),
        (
            "1\n10110\n01*11\n1*111\n",
            "4:2: expected 0 or 1 (row 3 of 5, board 1 of 1; its * is at 3:3), found `1*111`",
        ),
        (
            "1\n**110\n",
            "2:2: expected 0 or 1 (row 1 of 5, board 1 of 1; its * is at 2:1), found `**110`",
        ),
        (
            "1\n10110\n01111\n10111\n01001\n00000\n",
            "2:1: expected 12 of 0, 12 of 1 and 1 of * in board 1 of 1, as in the goal, \
             found 12 of 0, 13 of 1 and 0 of *",
        ),
        (
            "1\n10110\n01*11\n10111\n01001\n00001\n",
            "2:1: expected 12 of 0, 12 of 1 and 1 of * in board 1 of 1, as in the goal, \
             found 11 of 0, 13 of 1 and 1 of *",
        ),
        (
            "1\n10110\n01*11\n10111\n01001\n",
            "6:1: expected 5 cells, each 0, 1 or * (row 5 of 5, board 1 of 1), \
             found the end of the input",
        ),
        (
            "10110\n01*11\n10111\n01001\n00000\n",
            "6:1: expected 5 cells, each 0, 1 or * (row 5 of 5, board 1 of 10110) \
             (the number of boards must come first; `10110` was taken for it), \
             found the end of the input",
        ),
        (
            "10110\n01*11\n10111\n01001\n00000\n11111 01*11 00111 00001 00000\n",
            "2:1: expected 12 of 0, 12 of 1 and 1 of * in board 1 of 10110, as in the goal \
             (the number of boards must come first; `10110` was taken for it), \
             found 10 of 0, 14 of 1 and 1 of *",
        ),
    ];
    let puzzle = Knights::new(&Settings::default()).unwrap();
    for (input, message) in cases {
        let results: Vec<_> = puzzle.read(input.as_bytes()).collect();
        assert_eq!(results.len(), 1, "{input}");
        assert_eq!(results[0].as_ref().unwrap_err().to_string(), message);
    }
}

#[test]
fn the_boards_before_a_mistake_are_read() {
    let good = "10110\n01*11\n10111\n01001\n00000\n";
    let puzzle = Knights::new(&Settings::default()).unwrap();
    for (input, boards, message) in [
        (
            format!("3\n{good}{good}"),
            2,
            "12:1: expected 5 cells, each 0, 1 or * (row 1 of 5, board 3 of 3), \
             found the end of the input",
        ),
        (
            format!("18446744073709551615\n{good}"),
            1,
            "7:1: expected 5 cells, each 0, 1 or * (row 1 of 5, board 2 of 18446744073709551615), \
             found the end of the input",
        ),
        (
            format!("00011\n{good}{good}1"),
            2,
            "12:2: expected 5 cells, each 0, 1 or * (row 1 of 5, board 3 of 11), found `1`",
        ),
        (
            format!("00011\n{good}{good}"),
            2,
            "12:1: expected 5 cells, each 0, 1 or * (row 1 of 5, board 3 of 11) \
             (the number of boards must come first; `00011` was taken for it), \
             found the end of the input",
        ),
        (format!("2\n{good}{good}7"), 2, "12:1: expected nothing after the 2 boards, found `7`"),
        (
            format!("1\n{good}{good}"),
            1,
            "7:1: expected nothing after the only board, found `10110`",
        ),
    ] {
        let mut results: Vec<_> = puzzle.read(input.as_bytes()).collect();
        let error = results.pop().unwrap().unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(results.len(), boards);
        assert!(results.iter().all(Result::is_ok));
    }
}

#[test]
fn noise_is_refused() {
    let puzzle = Knights::new(&Settings::default()).unwrap();
    let long = format!("1\n{}", "1".repeat(1 << 20));
    for input in [b"\xff\xfe\x00\x01".as_slice(), b"1\n\x00\xff", b"1\n1\xff110", long.as_bytes()] {
        let results: Vec<_> = puzzle.read(input).collect();
        assert!(matches!(results[..], [Err(_)]));
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let error = |size: Option<&str>, goal: Option<&str>| {
        let given = [("size", size), ("goal", goal)];
        let options = given.iter().filter_map(|&(name, value)| Some((name, value?.into())));
        let settings = Settings { options: options.collect(), ..Settings::default() };
        Knights::new(&settings).err().unwrap().0
    };
    for size in [
        "",
        "x",
        "5",
        "0x5",
        "5x0",
        "9x8",
        "65x1",
        "+5x5",
        "5x5x5",
        "a\nx5",
        "99999999999999999999x1",
    ] {
        let expected = format!(
            "expected a size as in 3x4, of 64 cells at the most, found `{}`",
            size.escape_debug()
        );
        assert_eq!(error(Some(size), None), expected);
    }
    let goal = |goal: &str| error(None, Some(goal));
    assert_eq!(
        goal("11/0"),
        "expected rows of one length, parted by `/`, in the goal, found `11/0`"
    );
    assert_eq!(goal(""), "expected 1 to 64 cells in the goal, found ``");
    assert_eq!(goal("11/00"), "expected one `*` in the goal, found `11/00`");
    assert_eq!(goal("1*/*0"), "expected one `*` in the goal, found `1*/*0`");
    assert_eq!(goal("12/*0"), "expected 0, 1 and one `*` in the goal, found `12/*0`");
    assert_eq!(
        error(Some("3x3"), Some("11/*0")),
        "expected 3 rows of 3 cells, parted by `/`, in the goal, found `11/*0`"
    );
}

#[test]
fn boards_of_64_cells_work() {
    for size in ["8x8", "1x64", "64x1", "2x32", "32x2", "4x16"] {
        let puzzle = knights(size);
        let (rows, columns) = size.split_once('x').unwrap();
        let (rows, columns): (usize, usize) = (rows.parse().unwrap(), columns.parse().unwrap());
        let cells = "1".repeat(32) + "*" + &"0".repeat(31);
        let small = Small { rows, columns, distances: HashMap::new() };
        let rows: Vec<&str> =
            (0..rows).map(|row| &cells[row * columns..(row + 1) * columns]).collect();
        let mut at = rows.join("/");
        let mut random = Random(10);
        for _ in 0..6 {
            let children = small.children(&at);
            if !children.is_empty() {
                at.clone_from(&children[random.below(children.len())].0);
            }
        }
        let board = board(&puzzle, &at);
        let outcomes = PRUNINGS.map(|pruned| verdict(&puzzle, &board, heuristic("tight"), pruned));
        assert!(matches!(&outcomes[0], Verdict::Solved(solution) if solution.cost <= 6), "{size}");
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    }
}
