//! `deepen generate`: the same bytes for a seed, wanted distances, formats, limits.

use snapbox::str;

use crate::deepen;

/// What `deepen generate` writes with these arguments.
fn generate(arguments: &[&str]) -> String {
    let run = deepen(&["generate"]).args(arguments).assert().success().stderr_eq("");
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// These must never change: files are told by the command that wrote them.
#[test]
fn a_seed_gives_the_same_bytes_for_ever() {
    let seeded = |arguments: &[&str]| {
        deepen(&["generate"]).args(arguments).args(["--seed", "1"]).assert().success().stderr_eq("")
    };
    seeded(&["rotation", "--count", "2"]).stdout_eq(str![[r#"
3 2 2 2 3 2 1 1 3 3 1 2 2 3 1 2 1 1 2 3 3 1 1 3
3 1 1 2 3 2 2 3 1 1 3 1 1 2 2 1 2 3 1 2 3 3 3 2
0

"#]]);
    seeded(&["rotation", "--distance", "13", "--count", "2"]).stdout_eq(str![[r#"
3 2 1 3 3 1 2 1 2 1 2 3 1 2 3 2 3 2 3 1 1 3 2 1
1 1 3 2 3 2 3 2 2 3 2 3 1 1 1 3 1 1 1 3 3 2 2 2
0

"#]]);
    seeded(&["rotation", "--distance", "12"]).stdout_eq(str![[r#"
3 1 2 2 3 2 1 3 3 3 1 3 1 2 3 2 1 1 2 1 3 2 1 2
0

"#]]);
    seeded(&["rotation", "--at-least", "11"]).stdout_eq(str![[r#"
1 3 3 1 2 1 1 2 2 1 2 3 3 2 3 2 1 3 1 2 3 1 3 2
0

"#]]);
    seeded(&["booksort", "--count", "2"]).stdout_eq(str![[r#"
2
10
4 5 2 8 3 6 7 10 1 9
10
4 3 8 10 2 9 5 7 1 6

"#]]);
    seeded(&["booksort", "--size", "15", "--distance", "4"]).stdout_eq(str![[r#"
1
15
1 13 14 11 6 2 10 9 7 8 12 3 4 5 15

"#]]);
    seeded(&["booksort", "--size", "7", "--at-least", "4", "--dialect", "uva-11212"]).stdout_eq(
        str![[r#"
7
4 3 7 6 2 1 5
0

"#]],
    );
    seeded(&["knights", "--count", "2"]).stdout_eq(str![[r#"
2
10001
01000
110*0
11111
00110
01001
10101
*1011
10111
00000

"#]]);
    seeded(&["knights", "--distance", "14"]).stdout_eq(str![[r#"
1
1011*
00011
00011
01111
00100

"#]]);
    seeded(&["knights", "--distance", "4"]).stdout_eq(str![[r#"
1
11111
01111
00001
0*001
00100

"#]]);
    seeded(&["knights", "--at-least", "16", "--size", "3x4"]).stdout_eq(str![[r#"
1
*011
1010
0110

"#]]);
}

#[test]
fn the_threads_do_not_matter() {
    let arguments = ["generate", "knights", "--distance", "13", "--count", "5", "--seed", "3"];
    let all = deepen(&arguments).output().unwrap().stdout;
    assert!(!all.is_empty());
    deepen(&arguments)
        .env("RAYON_NUM_THREADS", "1")
        .assert()
        .success()
        .stdout_eq(String::from_utf8(all).unwrap());
}

#[test]
fn a_new_seed_is_told_and_gives_the_same_again() {
    let arguments = ["generate", "booksort", "--count", "3"];
    let run = deepen(&arguments).assert().success().stderr_eq(str![[r#"
seed [..] (--seed [..] gives the same again)

"#]]);
    let told = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    let seed = told.split_whitespace().nth(1).unwrap();
    let drawn = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(generate(&["booksort", "--count", "3", "--seed", seed]), drawn);
    // (Two new seeds are alike once in 2^64 times.)
    assert_ne!(deepen(&arguments).output().unwrap().stderr, told.into_bytes());
}

/// What is drawn can be read and solved at the wanted distance, and what `solve` says of it is
/// right: in every dialect.
#[test]
fn what_is_drawn_is_solved_and_verified() {
    for (puzzle, setup, distance, answer) in [
        ("rotation", &[][..], "7", None),
        ("booksort", &["--size", "12"], "3", Some("3")),
        ("booksort", &["--size", "12", "--dialect", "uva-11212"], "7", Some("7")),
        ("knights", &[], "12", Some("12")),
        ("knights", &["--size", "4x4"], "15", Some("15")),
        ("tiles", &["--size", "3x3", "--goal", "last", "--notation", "tile-runs"], "24", None),
        ("tiles", &["--size", "3x4"], "9", None),
    ] {
        let drawn = [puzzle, "--count", "10", "--seed", "4", "--distance", distance];
        let instances = generate(&[&drawn[..], setup].concat());
        let solved = deepen(&["solve", puzzle]).args(setup).stdin(instances.clone());
        let answers = String::from_utf8(solved.assert().success().get_output().stdout.clone());
        let answers = answers.unwrap();
        if puzzle == "tiles" {
            let costs: Vec<&str> =
                answers.lines().map(|line| line.split(' ').next().unwrap()).collect();
            assert_eq!(costs, [distance; 10]);
        } else if let Some(answer) = answer {
            assert_eq!(answers.lines().count(), 10);
            let costs = answers.lines().map(|line| line.rsplit(' ').next().unwrap());
            costs.for_each(|cost| assert_eq!(cost, answer, "{puzzle}"));
        } else {
            let moves: Vec<&str> = answers.lines().step_by(2).collect();
            assert_eq!(moves.len(), 10);
            assert!(moves.iter().all(|moves| moves.len().to_string() == distance), "{moves:?}");
        }
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated.txt");
        std::fs::write(&path, answers).unwrap();
        deepen(&["verify", puzzle, "-", path.to_str().unwrap()])
            .args(setup)
            .stdin(instances)
            .assert()
            .success()
            .stdout_eq("all 10 answers are right\n");
    }
}

#[test]
fn none_are_a_file_without_instances() {
    for (arguments, text) in [
        (&["rotation"][..], "0\n"),
        (&["booksort"], "0\n"),
        (&["booksort", "--dialect", "uva-11212"], "0\n"),
        (&["knights"], "0\n"),
    ] {
        let none = generate(&[arguments, &["--count", "0", "--seed", "1"]].concat());
        assert_eq!(none, text);
    }
}

#[test]
fn a_distance_that_no_instance_has() {
    for (arguments, most) in [
        (&["rotation", "--distance", "14"][..], 13),
        (&["rotation", "--at-least", "14"], 13),
        (&["knights", "--distance", "40"], 39),
        (&["booksort", "--size", "15", "--distance", "10"], 9),
        (&["booksort", "--size", "64", "--at-least", "43"], 42),
    ] {
        let message = format!("error: no instance of that size needs more than {most} moves\n...");
        deepen(&["generate"]).args(arguments).assert().code(2).stdout_eq("").stderr_eq(message);
    }
}

#[test]
fn a_time_limit_ends_a_hopeless_wish() {
    let hopeless = ["--distance", "38", "--size", "64", "--time-limit", "300ms", "--seed", "1"];
    deepen(&["generate", "booksort"]).args(hopeless).assert().code(1).stdout_eq("").stderr_eq(
        str![[r#"
time limit reached: 0 of 1 instances drawn in [..], 0 s

"#]],
    );
}

#[test]
fn wishes_that_make_no_sense() {
    for arguments in [
        &["rotation", "--distance", "3", "--at-least", "3"][..],
        &["rotation", "--distance", "-1"],
        &["rotation", "--count", "many"],
        &["rotation", "--seed", "-1"],
        &["rotation", "--size", "3x3"],
        &["booksort", "--size", "65"],
        &["booksort", "--size", "3x3"],
        &["knights", "--size", "5"],
    ] {
        let run = deepen(&["generate"]).args(arguments).assert().code(2).stdout_eq("");
        assert!(run.get_output().stderr.starts_with(b"error: "), "{arguments:?}");
    }
}

#[test]
fn a_set_number_of_books_is_asked_of_every_shelf() {
    let input = "2\n3\n3 2 1\n4\n4 3 2 1\n";
    deepen(&["solve", "booksort", "--size", "3"])
        .stdin(input)
        .assert()
        .code(2)
        .stderr_eq("<stdin>:4:1: expected the number of books, 3 (shelf 2 of 2), found `4`\n");
}
