//! Twisty puzzles: published counts, conventions, and what is refused.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use deepen::{CancelToken, Control, Packed, Reversible, Space, Verdict, moves_of};
use deepen_puzzles::{
    Algorithm, Method, Pruned, Puzzle, Random, Settings, Topspin, Twisty, estimate, solve,
};

fn twisty(options: &[(&'static str, &str)]) -> Twisty {
    let settings =
        options.iter().fold(Settings::default(), |s, (name, value)| s.with(name, *value));
    Twisty::new(&settings).unwrap()
}

fn census(puzzle: &impl Puzzle, last: Option<u32>) -> Vec<u64> {
    puzzle.count_layers(last, 1 << 30, &CancelToken::new()).unwrap().counts.unwrap()
}

/// Published: 3,674,160 positions.
#[test]
fn the_2x2x2_in_half_turns() {
    let counts = census(&twisty(&[]), None);
    let published = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert_eq!(counts, published);
}

/// Published: the greatest distance is 14.
#[test]
fn the_2x2x2_in_quarter_turns() {
    let counts = census(&twisty(&[("metric", "quarter")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (14, 3_674_160));
}

/// Published: 933,120 positions, greatest distance 11.
#[test]
fn the_pyraminx() {
    let counts = census(&twisty(&[("puzzle", "pyraminx")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (11, 933_120));
}

/// Published: 3,149,280 positions, greatest distance 11.
#[test]
fn the_skewb() {
    let counts = census(&twisty(&[("puzzle", "skewb")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (11, 3_149_280));
}

/// Published: 192 positions, greatest distance 8.
#[test]
fn the_floppy_cube() {
    let counts = census(&twisty(&[("puzzle", "floppy")]), None);
    assert_eq!(counts, [1, 4, 10, 24, 53, 64, 31, 4, 1]);
}

/// Published, in half turns.
#[test]
fn the_3x3x3_to_depth_6() {
    let counts = census(&twisty(&[("puzzle", "3x3x3")]), Some(5));
    assert_eq!(counts, [1, 18, 243, 3240, 43239, 574908]);
}

/// Published: the squares group of the 3x3x3 has 663,552 positions, the furthest 15 moves away.
#[test]
fn the_squares_group_of_the_3x3x3() {
    let counts = census(&twisty(&[("puzzle", "3x3x3"), ("moves", "U2,D2,L2,R2,F2,B2")]), None);
    assert_eq!((counts.len() - 1, counts.iter().sum()), (15, 663_552));
}

/// All positions by breadth-first search over a map, which shares nothing with the searches.
fn distances<P: Puzzle>(puzzle: &P) -> HashMap<<P::Space as Space>::State, u32>
where
    <P::Space as Space>::State: Eq + Hash,
{
    let space = &puzzle.field(&puzzle.random(&mut Random::new(1))).space;
    let solved = space.goals().unwrap().remove(0);
    let mut distances = HashMap::from([(solved.clone(), 0)]);
    let mut queue = VecDeque::from([solved]);
    while let Some(mut state) = queue.pop_front() {
        let distance = distances[&state];
        for mv in moves_of(space, &state) {
            space.apply(&mut state, mv);
            if !distances.contains_key(&state) {
                distances.insert(state.clone(), distance + 1);
                queue.push_back(state.clone());
            }
            space.undo(&mut state, mv);
        }
    }
    distances
}

/// Every heuristic, algorithm and pruning finds a shortest solution of every `step`-th position.
fn solves_as_far_as_it_is<P: Puzzle>(puzzle: &P, step: usize) -> Vec<u64> {
    let all = distances(puzzle);
    let like = puzzle.random(&mut Random::new(1));
    let space = &puzzle.field(&like).space;
    let mut counts = Vec::new();
    let mut sorted: Vec<_> = all.iter().collect();
    let key = |state: &<P::Space as Space>::State| {
        let mut key = vec![0; space.key_bytes()];
        space.pack(state, &mut key);
        key
    };
    sorted.sort_by_key(|(state, _)| key(state));
    for (index, (state, &distance)) in sorted.into_iter().enumerate() {
        counts.resize(counts.len().max(distance as usize + 1), 0);
        counts[distance as usize] += 1;
        if index % step != 0 {
            continue;
        }
        let instance = puzzle.instance(&like, state.clone());
        let mut first = None;
        // (Without a heuristic only what is near.)
        let heuristics = if distance <= 6 { 3 } else { 2 };
        for heuristic in 0..heuristics {
            for pruned in [Pruned::Nothing, Pruned::Inverse, Pruned::Learned] {
                let method = Method { heuristic, pruned, ..Method::default() };
                let outcome = solve(puzzle, &instance, method, &mut Control::default());
                let solution = outcome.verdict.solution().unwrap();
                assert_eq!(solution.cost, distance);
                let names: Vec<String> =
                    solution.moves.iter().map(|&mv| puzzle.move_name(space, mv)).collect();
                assert_eq!(*first.get_or_insert(names.clone()), names);
                let bound = estimate(puzzle, &instance, heuristic);
                assert!(bound <= distance, "heuristic {heuristic}");
            }
        }
    }
    counts
}

/// A puzzle from a text.
fn from_text(text: &str, name: &str, options: &[(&'static str, &str)]) -> Twisty {
    let file = std::env::temp_dir().join(format!("deepen-{}-{name}", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let puzzle = twisty(&[options, &[("puzzle", file.to_str().unwrap())]].concat());
    std::fs::remove_file(file).unwrap();
    puzzle
}

#[test]
fn lengths_are_those_of_a_breadth_first_search() {
    let floppy = twisty(&[("puzzle", "floppy")]);
    assert_eq!(solves_as_far_as_it_is(&floppy, 1), census(&floppy, None));
    let corners = twisty(&[("moves", "U,R2")]);
    assert_eq!(solves_as_far_as_it_is(&corners, 3), census(&corners, None));
    let quarter = twisty(&[("moves", "U,R"), ("metric", "quarter")]);
    assert_eq!(solves_as_far_as_it_is(&quarter, 2003), census(&quarter, None));
    // Tables that are not of everything.
    let little = twisty(&[("moves", "U,R"), ("table-memory", "500")]);
    assert_eq!(solves_as_far_as_it_is(&little, 2003), census(&little, None));
    let ring = Topspin::new(&Settings::default().with("size", "7,3")).unwrap();
    assert_eq!(solves_as_far_as_it_is(&ring, 101), census(&ring, None));
}

/// Tables that are not of everything, in a space small enough to know all distances.
#[test]
fn bounds_of_topspin_are_no_more_than_the_distances() {
    let settings = Settings::default().with("size", "8,4").with("table-memory", "2KB");
    let ring = Topspin::new(&settings).unwrap();
    let like = ring.random(&mut Random::new(1));
    let all = distances(&ring);
    // Turning four round is an even permutation, so half of them.
    assert_eq!(all.len(), 40_320 / 2);
    let mut sum = 0;
    for (state, distance) in all {
        let bound = estimate(&ring, &ring.instance(&like, state), 0);
        assert!(bound <= distance, "{bound} for {distance}");
        sum += bound;
    }
    assert!(sum > 40_320, "{sum}");
}

/// Identical pieces, pieces that may be turned in any way, and illegal positions.
#[test]
fn special_pieces_and_positions_are_searched_right() {
    let moves =
        "Move M\nA\n2 3 4 1 5 6\n1 0 0 2 0 0\nEnd\nMove N\nA\n1 2 4 5 6 3\n0 1 1 1 0 0\nEnd\n";
    let same = format!("Set A 6 3\nSolved\nA\n1 1 2 2 7 3\n? ? 0 1 ? 2\nEnd\n{moves}");
    let puzzle = from_text(&same, "same", &[]);
    assert_eq!(solves_as_far_as_it_is(&puzzle, 97), census(&puzzle, None));
    let guarded = format!(
        "Set A 6 1\nSolved\nEnd\n{}Illegal A 1 3 4\nIllegal A 6 1\n",
        moves.replace("1 0 0 2 0 0\n", "").replace("0 1 1 1 0 0\n", "")
    );
    let free = from_text(&guarded.replace("Illegal", "# "), "free", &[]);
    let all = census(&free, None);
    for metric in ["half", "quarter"] {
        let puzzle = from_text(&guarded, &format!("guarded-{metric}"), &[("metric", metric)]);
        let counts = census(&puzzle, None);
        assert!(counts.iter().sum::<u64>() < all.iter().sum());
        assert_eq!(solves_as_far_as_it_is(&puzzle, 1), counts);
    }
    let told = |text: &str| {
        let scrambles: Result<Vec<_>, _> =
            from_text(&guarded, "told", &[]).read(text.as_bytes()).collect();
        scrambles.unwrap_err().to_string()
    };
    assert_eq!(
        told("M M'\nM2"),
        "2:1: expected a move to a legal position, found `M2`, which leads to an illegal one: piece 3 in slot 1 of A"
    );
    assert_eq!(
        told("ScrambleState S\nA\n2 0 1 3 4 5\nEnd\n"),
        "3:1: expected a legal position, found an illegal one: piece 3 in slot 1 of A"
    );
}

#[test]
fn both_languages_give_the_same_census() {
    for name in ["floppy", "pyraminx"] {
        let puzzle = twisty(&[("puzzle", name)]);
        for form in ["tws", "json"] {
            let text = puzzle.export(form).unwrap();
            let again = from_text(&text, &format!("{name}.{form}"), &[]);
            assert_eq!(census(&again, None), census(&puzzle, None));
            assert_eq!(again.export(form).unwrap(), text);
        }
    }
    assert!(twisty(&[]).export("svg").unwrap_err().contains("no form `svg`"));
}

#[test]
fn scrambles_that_no_moves_solve_are_impossible() {
    let puzzle = twisty(&[("puzzle", "3x3x3")]);
    let verdict = |text: &str| {
        let instance = puzzle.read(text.as_bytes()).next().unwrap().unwrap();
        solve(&puzzle, &instance, Method::default(), &mut Control::default()).verdict
    };
    for (text, told) in [
        ("x", "CENTERS is not as in the solved state"),
        (
            "Scramble A\nCORNERS\n1 2 3 4 5 6 7 8\n1 0 0 0 0 0 0 0\nEnd",
            "a piece of CORNERS is twisted",
        ),
        ("Scramble A\nEDGES\n2 1 3 4 5 6 7 8 9 10 11 12\nEnd", "two pieces are swapped"),
    ] {
        match verdict(text) {
            Verdict::Impossible(reason) => assert!(reason.to_string().contains(told), "{reason}"),
            verdict => panic!("{verdict:?}"),
        }
    }
    let answer = puzzle.judge_answer(
        0,
        &puzzle.read("x".as_bytes()).next().unwrap().unwrap(),
        &verdict("x"),
        None,
    );
    assert_eq!(answer, "impossible\n");
    assert_eq!(verdict("x R U x'").solution().unwrap().cost, 2);
}

#[test]
fn scrambles_of_the_3x3x3_are_solved_with_small_tables() {
    let puzzle = twisty(&[("puzzle", "3x3x3")]);
    let text = "R U F2 L' D B2 R2\nU R2 F B R B2 R U2\n";
    let lengths = puzzle.read(text.as_bytes()).map(|instance| {
        let instance = instance.unwrap();
        let [guided, plain] = [
            Method::default(),
            Method { algorithm: Algorithm::Bidirectional, ..Method::default() },
        ]
        .map(|method| solve(&puzzle, &instance, method, &mut Control::default()).verdict);
        let (guided, plain) = (guided.solution().unwrap(), plain.solution().unwrap());
        assert_eq!(guided.moves, plain.moves);
        guided.cost
    });
    assert_eq!(lengths.collect::<Vec<_>>(), [7, 8]);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let told = |options: &[(&'static str, &str)]| {
        let settings =
            options.iter().fold(Settings::default(), |s, (name, value)| s.with(name, *value));
        Twisty::new(&settings).err().unwrap().to_string()
    };
    assert!(told(&[("puzzle", "no/such/file")]).starts_with("can't read no/such/file: "));
    assert!(told(&[("metric", "slice")]).contains("no metric `slice`; there is `half`, `quarter`"));
    assert!(told(&[("moves", "U,Q")]).contains("`Q` is no move of the puzzle"));
    assert!(told(&[("table-memory", "much")]).contains("expected an amount of memory"));
    for size in ["20", "2,2", "20,20", "20,1", "500,4", "20,4,1"] {
        let told = Topspin::new(&Settings::default().with("size", size)).err().unwrap().to_string();
        assert!(told.contains(&format!("found `{size}`")), "{told}");
    }
}
