//! Every way in which an input can be wrong, and those in which it may differ harmlessly.

use snapbox::str;

use crate::{CENTRE, EASY, EASY_ANSWER, SLOW, SOLVED, deepen, solve};

/// After one good board, the rest of an input leads to this message, and the answer is out.
fn bad(rest: impl AsRef<[u8]>, message: &str) {
    let input = [EASY.as_bytes(), rest.as_ref()].concat();
    solve(&[], input).assert().code(2).stdout_eq(EASY_ANSWER).stderr_eq(message.to_string() + "\n");
}

#[test]
fn too_few_cells() {
    bad(
        "1 2 3\n",
        "<stdin>:3:1: expected 1, 2 or 3 (cell 4 of 24, board 2), found the end of the input",
    );
    bad("1 2 3\n0\n", "<stdin>:3:1: expected 1, 2 or 3 (cell 4 of 24, board 2), found `0`");
}

#[test]
fn a_bad_symbol() {
    bad("1 2 4 1", "<stdin>:2:5: expected 1, 2 or 3 (cell 3 of 24, board 2), found `4`");
    bad("1 2 x", "<stdin>:2:5: expected 1, 2 or 3 (cell 3 of 24, board 2), found `x`");
    bad("12", "<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `12`");
    bad("-1", "<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `-1`");
}

#[test]
fn wrong_counts() {
    bad(
        "1 ".repeat(24),
        "<stdin>:2:1: expected eight each of 1, 2 and 3 in board 2, found 24, 0 and 0",
    );
}

#[test]
fn garbage_after_the_end() {
    bad("0\n  x", "<stdin>:3:3: expected nothing after the final 0, found `x`");
    bad("0 0", "<stdin>:2:3: expected nothing after the final 0, found `0`");
}

#[test]
fn binary_noise() {
    bad(
        b"\x00\xff\xfe\x1b[31m\x80",
        "<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `/u{0}/xff/xfe/u{1b}[31m/x80`",
    );
}

#[test]
fn full_width_digits() {
    bad("１ ２ ３", "<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `１`");
}

#[test]
fn a_line_megabytes_long() {
    let found = "7".repeat(40) + "…";
    bad(
        "7".repeat(20 << 20),
        &format!("<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `{found}`"),
    );
}

#[test]
fn a_second_byte_order_mark() {
    bad("\u{feff}1", "<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `\u{feff}1`");
}

#[test]
fn bad_input_weighs_more_than_a_limit() {
    solve(&CENTRE, EASY.to_string() + "x")
        .args(["--node-limit", "1"])
        .assert()
        .code(2)
        .stdout_eq("?\n")
        .stderr_eq(str![[r#"
instance 1: stopped: node limit reached; at least 2 moves
<stdin>:2:1: expected 1, 2 or 3 (cell 1 of 24, board 2), found `x`

"#]]);
}

#[test]
fn bad_input_in_a_file_is_told_with_the_files_name() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad rotation.txt");
    std::fs::write(&path, EASY.to_string() + "1 2 x").unwrap();
    let name = path.to_str().unwrap();
    let message = format!("{name}:2:5: expected 1, 2 or 3 (cell 3 of 24, board 2), found `x`\n");
    deepen(&["solve", "rotation", name]).assert().code(2).stdout_eq(EASY_ANSWER).stderr_eq(message);
}

#[test]
fn no_boards_are_no_answers() {
    for input in ["", "\n\r\n \t", "0", "0\n", "\u{feff}"] {
        solve(&[], input).assert().success().stdout_eq("").stderr_eq("");
    }
}

#[test]
fn harmless_variations() {
    let answers = EASY_ANSWER.to_string() + "No moves needed\n1\n";
    let plain = EASY.to_string() + SOLVED;
    for input in [
        plain.clone() + "0\n",
        plain.clone() + "0",
        plain.clone(),
        plain.trim_end().to_string(),
        format!("\u{feff}{plain}0\n"),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "  \n\n \t\r\n"),
        plain.replace(' ', "\n"),
        plain.replace('\n', " "),
        plain.replace(' ', &" ".repeat(10_000)),
    ] {
        solve(&[], &input).assert().success().stdout_eq(&answers).stderr_eq("");
        solve(&["-"], &input).assert().success().stdout_eq(&answers).stderr_eq("");
    }
}

#[test]
fn a_missing_file() {
    let file = "no/such/file.txt";
    let output = deepen(&["solve", "rotation", file]).assert().code(3).stdout_eq("");
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.starts_with("error: no/such/file.txt: "), "{told}");
}

#[cfg(unix)]
#[test]
fn a_directory() {
    let directory = env!("CARGO_MANIFEST_DIR");
    let output = deepen(&["solve", "rotation", directory]).assert().code(3).stdout_eq("");
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.starts_with(&format!("error: {directory}: ")), "{told}");
}

#[test]
fn an_easy_board_needs_no_lower_bound() {
    solve(&SLOW, EASY).assert().success().stdout_eq(EASY_ANSWER);
}
