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

#[test]
fn no_thread_at_all_is_refused() {
    deepen(&["solve", "rotation", "--threads", "0"]).assert().code(2);
}
