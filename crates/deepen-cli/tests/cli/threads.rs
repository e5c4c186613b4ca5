//! Several instances at once: the same bytes as one after the other.

use crate::deepen;

/// What the command prints with so many threads, and its exit status.
fn printed(threads: &str, arguments: &[&str], input: &str) -> (Vec<u8>, Vec<u8>, Option<i32>) {
    let command = deepen(arguments).args(["--threads", threads]).stdin(input.to_string());
    let output = command.output().unwrap();
    (output.stdout, output.stderr, output.status.code())
}

#[test]
fn any_number_of_threads_prints_the_same_bytes() {
    let knights = include_str!("../../../../testdata/knights/hard.txt");
    let booksort = include_str!("../../../../testdata/booksort/hard.txt");
    // Some searches hit the limit, and the input ends badly.
    let bad = knights.to_string() + "garbage";
    for (arguments, input) in [
        (vec!["solve", "knights"], knights),
        (vec!["solve", "knights", "--format", "text", "--node-limit", "50"], bad.as_str()),
        (vec!["solve", "booksort", "--heuristic", "breakpoints"], booksort),
        (vec!["solve", "booksort", "--format", "text"], booksort),
    ] {
        let alone = printed("1", &arguments, input);
        assert!(alone.0.len() > 1000);
        for threads in ["2", "3", "8"] {
            assert!(alone == printed(threads, &arguments, input), "{threads} {arguments:?}");
        }
    }
}

/// The same, without the seconds that it took.
fn timeless(threads: &str, arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let (output, _, status) = printed(threads, arguments, input);
    let output = String::from_utf8(output).unwrap();
    let (before, after) = output.split_once("\"seconds\":").unwrap();
    let end = after.find(|next: char| !next.is_ascii_digit() && !".e-".contains(next)).unwrap();
    (before.to_string() + &after[end..], status)
}

/// A long search, which the threads share.
#[test]
fn one_long_search_prints_the_same_bytes() {
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n";
    let arguments = ["solve", "tiles", "--heuristic", "linear-conflict", "--format", "json"];
    let alone = timeless("1", &arguments, board);
    assert_eq!(alone.1, Some(0));
    for threads in ["2", "3", "8"] {
        assert_eq!(alone, timeless(threads, &arguments, board), "{threads}");
    }
    for lanes in ["1", "4", "8"] {
        let arguments = [&arguments[..], &["--lanes", lanes]].concat();
        assert_eq!(alone, timeless("2", &arguments, board), "{lanes} lanes");
    }
    // A limit strikes at the same node.
    let arguments = [&arguments[..], &["--node-limit", "2345678"]].concat();
    let alone = timeless("1", &arguments, board);
    assert_eq!(alone.1, Some(1));
    for threads in ["2", "3", "8"] {
        assert_eq!(alone, timeless(threads, &arguments, board), "{threads}");
    }
}

#[test]
fn no_thread_at_all_is_refused() {
    deepen(&["solve", "rotation", "--threads", "0"]).assert().code(2);
}
