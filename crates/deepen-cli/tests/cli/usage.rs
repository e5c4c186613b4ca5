//! Help, the lists, and command lines that make no sense.

use deepen_puzzles::PUZZLES;
use snapbox::str;

use crate::{EASY, deepen, solve};

#[test]
fn no_argument_shows_help_and_fails() {
    deepen(&[]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
Provably shortest solutions of puzzles, by iterative deepening (IDA*)

Usage: deepen <COMMAND>

Commands:
  solve        Solve the instances of a file, each with the fewest moves
  compare      Run the algorithms side by side and tell what each took
  trace        Show one search iteration by iteration
  verify       Check answers: is each valid, and of least cost?
  census       Count the states of a puzzle at each distance from the goal
  table        Build, list, check and remove stored tables
  generate     Write random instances, of a wanted distance from the goal
  puzzles      List the puzzles, or tell all about one
  completions  Print a script that completes the command line in a shell
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help (see more with '--help')
  -V, --version  Print version

Examples:
  deepen puzzles                            what there is
  deepen puzzles rotation                   its rules, formats and options, and an example
  deepen solve rotation boards.txt          answers as the judge wants them
  deepen solve rotation --format text       boards from standard input, drawn move by move

"#]]);
}

#[test]
fn help_shows_examples_and_exit_statuses() {
    deepen(&["--help"]).assert().success().stderr_eq("").stdout_eq(str![[r#"
Provably shortest solutions of puzzles, by iterative deepening (IDA*)

Usage: deepen <COMMAND>

Commands:
  solve        Solve the instances of a file, each with the fewest moves
  compare      Run the algorithms side by side and tell what each took
  trace        Show one search iteration by iteration
  verify       Check answers: is each valid, and of least cost?
  census       Count the states of a puzzle at each distance from the goal
  table        Build, list, check and remove stored tables
  generate     Write random instances, of a wanted distance from the goal
  puzzles      List the puzzles, or tell all about one
  completions  Print a script that completes the command line in a shell
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help
          Print help (see a summary with '-h')

  -V, --version
          Print version

Examples:
  deepen puzzles                            what there is
  deepen puzzles rotation                   its rules, formats and options, and an example
  deepen solve rotation boards.txt          answers as the judge wants them
  deepen solve rotation --format text       boards from standard input, drawn move by move

Exit status:
  0    everything was answered
  1    a limit (--node-limit, --time-limit) stopped some search
  2    bad input or usage
  3    trouble with a file or the output
  130  interrupted

"#]]);
}

#[test]
fn the_short_help_of_solve_is_a_line_or_two_an_option() {
    deepen(&["solve", "-h"]).assert().success().stderr_eq("").stdout_eq(str![[r#"
Solve the instances of a file, each with the fewest moves

Usage: deepen solve [OPTIONS] <PUZZLE> [FILE]

Arguments:
  <PUZZLE>  The puzzle [possible values: knights, booksort, rotation, pancake, tiles, twisty,
            topspin]
  [FILE]    The file with the instances; standard input if there is none or it is `-`

Options:
      --format <FORMAT>      How the answers are written [default: judge] [possible values: judge,
                             text, json]
      --max-cost <N>         The greatest cost to look for, or `none` [default: as the judge]
      --dialect <NAME>       A judge's variant of the formats [default: the first that `deepen
                             puzzles PUZZLE` lists]
      --size <SIZE>          The board's size, such as 4x5, or the number of books, where a puzzle
                             has several
      --goal <BOARD>         Another goal, where a puzzle can have one
      --table-dir <FOLDER>   The folder for tables, or `none` [default: deepen/tables in your cache
                             folder] [env: DEEPEN_TABLE_DIR]
      --heuristic <NAME>     The lower bound to search with [default: the first that `deepen puzzles
                             PUZZLE` lists]
      --algorithm <NAME>     How to search. Whichever it is, of the shortest solutions the first is
                             given [default: ida] [possible values: ida, astar, bfs, iddfs,
                             bidirectional]
      --pruning <WHICH>      Which moves are left out because others do the same [default: auto]
                             [possible values: none, inverse, auto]
      --all[=<N>]            Give all shortest solutions, or the first N, after the answer: a line
                             of moves for each
      --count                Give the number of shortest solutions instead of the answer
      --node-limit <N>       Stop the search of each instance after so many expanded nodes
      --memory-limit <SIZE>  Stop a search before its states take more memory, such as `500MB` or
                             `2GiB` [default: 1GiB]
      --time-limit <TIME>    Stop the search of each instance after so long, such as `10s` or `1m
                             30s`
      --threads <N>          How many threads search, several instances or one together [default: as
                             many as there are processors]
      --stats                Show the work of each iteration, each instance and all of them on
                             standard error
  -h, --help                 Print help (see more with '--help')

Examples:
  deepen solve rotation boards.txt
  deepen solve rotation < boards.txt
  deepen solve rotation boards.txt --format text
  deepen solve rotation boards.txt --format json --time-limit 10s
  deepen solve rotation boards.txt --heuristic zero --pruning none --stats
  deepen solve rotation boards.txt --algorithm bidirectional
  deepen solve knights boards.txt --max-cost none --all=10
  deepen solve knights boards.txt --max-cost none --count --algorithm bidirectional

"#]]);
}

#[test]
#[allow(clippy::too_many_lines)]
fn the_long_help_of_solve_tells_all() {
    deepen(&["solve", "--help"]).assert().success().stderr_eq("").stdout_eq(str![[r#"
Solve the instances of a file, each with the fewest moves

Usage: deepen solve [OPTIONS] <PUZZLE> [FILE]

Arguments:
  <PUZZLE>
          The puzzle

          Possible values:
...
          - rotation: Rotation Game: fill the centre of a # with one symbol
...

  [FILE]
          The file with the instances; standard input if there is none or it is `-`

Options:
      --format <FORMAT>
          How the answers are written

          Possible values:
          - judge: As the judge wants them
          - text:  Boards, drawn move by move, and the verdict in words
          - json:  A JSON object a line
          
          [default: judge]

      --max-cost <N>
          The greatest cost to look for, or `none`; what needs more is answered so without a
          solution
          
          [default: as the judge: knights 15, booksort 4, rotation none, pancake none, tiles none,
          twisty none, topspin none]

      --dialect <NAME>
          A judge's variant of the formats [default: the first that `deepen puzzles PUZZLE` lists]

      --size <SIZE>
          The board's size, such as 4x5, or the number of books, where a puzzle has several

      --goal <BOARD>
...
          tiles: where the blank is: first (default) or last; or a board, `1 2 3/4 5 6/7 8 0`
...

      --notation <NAME>
          How moves are named, where there are several customs
...
          tiles: what moves are named after: blank (default) or tile; blank-runs, tile-runs
...

      --from <INSTANCE>
          What the instances are to be made of, where they come in pairs

      --puzzle <FILE>
          The file that defines the puzzle, or the name of one that is built in

      --metric <NAME>
          Which turns count as one move

      --moves <NAMES>
          The moves to use, such as U,F,R2

      --table-memory <SIZE>
          How much memory the tables of a heuristic may take, such as 500MB

      --table-dir <FOLDER>
          The folder for tables, or `none` [default: deepen/tables in your cache folder]
          
          Tables that take long to build, of more than four million entries, are written there when
          a heuristic first needs them, and read from there later. With `none` nothing is read or
          written. All other tables are built anew in every run, in less than a tenth of a second.
          
          [env: DEEPEN_TABLE_DIR]

      --heuristic <NAME>
          The lower bound to search with [default: the first that `deepen puzzles PUZZLE` lists]

      --algorithm <NAME>
          How to search. Whichever it is, of the shortest solutions the first is given

          Possible values:
          - ida:           IDA*: depth first, deeper and deeper; next to no memory
          - astar:         A*: what looks nearest first; stores what it meets
          - bfs:           breadth first: layer by layer; stores everything
          - iddfs:         plain iterative deepening: IDA* without a heuristic
          - bidirectional: breadth first from the start and from the goals
          
          [default: ida]

      --pruning <WHICH>
          Which moves are left out because others do the same

          Possible values:
          - none:    None
          - inverse: Those that take the last move back
          - auto:    Those that an automaton, learned from short sequences of moves, shows to be
            superfluous
          
          [default: auto]

      --all[=<N>]
          Give all shortest solutions, or the first N, after the answer: a line of moves for each

      --count
          Give the number of shortest solutions instead of the answer

      --node-limit <N>
          Stop the search of each instance after so many expanded nodes

      --memory-limit <SIZE>
          Stop a search before its states take more memory, such as `500MB` or `2GiB`
          
          [default: 1GiB]

      --time-limit <TIME>
          Stop the search of each instance after so long, such as `10s` or `1m 30s`

      --threads <N>
          How many threads search, several instances or one together [default: as many as there are
          processors]

      --lanes <N>
          How many subtrees each thread advances in turn, so that they wait for look-ups in large
          tables together; 1 is plain recursion [default: as suits the heuristic]

      --stats
          Show the work of each iteration, each instance and all of them on standard error

  -h, --help
          Print help (see a summary with '-h')

Answers are written as soon as they are known. If the input is bad, the answers before the bad
place are written all the same, and a message names the line and column.

A search that a limit stops is answered `?` in the judge's format, with a line on standard error
that says which instance, which limit, and how many moves are needed at least.

Ctrl-C ends the running search and says what it has proved; a second one ends the program at once.

Examples:
  deepen solve rotation boards.txt
  deepen solve rotation < boards.txt
  deepen solve rotation boards.txt --format text
  deepen solve rotation boards.txt --format json --time-limit 10s
  deepen solve rotation boards.txt --heuristic zero --pruning none --stats
  deepen solve rotation boards.txt --algorithm bidirectional
  deepen solve knights boards.txt --max-cost none --all=10
  deepen solve knights boards.txt --max-cost none --count --algorithm bidirectional

Exit status:
  0    everything was answered
  1    a limit (--node-limit, --time-limit) stopped some search
  2    bad input or usage
  3    trouble with a file or the output
  130  interrupted

"#]]);
}

#[test]
fn version() {
    let version = concat!("deepen ", env!("CARGO_PKG_VERSION"), "\n");
    deepen(&["--version"]).assert().success().stderr_eq("").stdout_eq(version);
}

#[test]
fn puzzles_are_listed() {
    let list = deepen(&["puzzles"]).assert().success().stderr_eq("").get_output().stdout.clone();
    let list = String::from_utf8(list).unwrap();
    for (info, line) in PUZZLES.iter().zip(list.lines()) {
        assert!(line.starts_with(info.name) && line.ends_with(info.summary), "{line}");
    }
}

#[test]
fn the_page_of_a_puzzle_tells_all() {
    deepen(&["puzzles", "rotation"]).assert().success().stderr_eq("").stdout_eq(str![[r#"
rotation: Rotation Game: fill the centre of a # with one symbol

A board in the shape of # has 24 cells, with eight each of 1, 2 and 3. The moves A to H shift one
of its four lines of seven cells by one; the cell that falls out at one end comes in at the other.
The centre's eight cells are to hold one symbol, with the fewest moves, and of these answers the
first in dictionary order is wanted.

Input: 24 numbers a board, cells from top to bottom and left to right; a 0 ends the boards (so does
the end of the input). Output: two lines a board, the moves or `No moves needed`, then the symbol
in the centre. Beyond a limit on cost, one line: `More than N moves needed`.

ICPC Shanghai 2004; POJ 2286, UVa 1343, HDU 1667, AcWing 181.

Heuristics (--heuristic):
...
  centre  the contest's: 8 - most frequent symbol's count
...

Dialects (--dialect):
  judge  POJ 2286 and all others (default)

Greatest cost (--max-cost):
  none (default)

Example:
deepen solve rotation <<END
1 1 1 1 3 2 3 2 3 1 3 2 2 3 1 2 2 2 3 1 2 1 3 3
0
END

"#]]);
}

#[test]
fn puzzles_are_listed_as_json() {
    let list =
        deepen(&["puzzles", "--format", "json"]).assert().success().get_output().stdout.clone();
    let list = String::from_utf8(list).unwrap();
    assert_eq!(list.lines().count(), PUZZLES.len());
    for (info, line) in PUZZLES.iter().zip(list.lines()) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["name"], info.name);
        assert_eq!(value["about"], info.about);
        assert_eq!(value["heuristics"].as_array().unwrap().len(), info.heuristics.len());
        assert_eq!(value["heuristics"][0]["name"], info.heuristics[0].name);
    }
}

#[test]
fn completions_know_the_puzzles() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = deepen(&["completions", shell]).assert().success().stderr_eq("");
        let script = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert!(script.contains("solve") && script.contains("deepen"), "{shell}");
    }
    // (The scripts for the other shells know options and subcommands alone.)
    for shell in ["bash", "zsh"] {
        let output = deepen(&["completions", shell]).assert();
        let script = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        for info in PUZZLES {
            assert!(script.contains(info.name), "{shell}: {}", info.name);
        }
    }
}

#[test]
fn an_unknown_puzzle() {
    deepen(&["solve", "rotatoin"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'rotatoin' for '<PUZZLE>'
  [possible values: [..]rotation[..]]

  tip: a similar value exists: 'rotation'

For more information, try '--help'.

"#]]);
    deepen(&["puzzles", "rotatoin"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'rotatoin' for '[PUZZLE]'
  [possible values: [..]rotation[..]]

  tip: a similar value exists: 'rotation'

For more information, try '--help'.

"#]]);
}

#[test]
fn an_unknown_heuristic() {
    solve(&["--heuristic", "dors"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'dors' for '--heuristic <NAME>'
  [possible values: [..]doors[..]]

  tip: a similar value exists: 'doors'

For more information, try '--help'.

"#]]);
}

#[test]
fn an_unknown_dialect() {
    solve(&["--dialect", "uva"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'uva' for '--dialect <NAME>'
  [possible values: judge]

For more information, try '--help'.

"#]]);
}

#[test]
fn a_size_where_there_is_none_to_choose() {
    solve(&["--size", "3x3"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: rotation has no size to set

Usage: deepen solve [OPTIONS] <PUZZLE> [FILE]

For more information, try '--help'.

"#]]);
}

#[test]
fn a_goal_where_there_is_none_to_choose() {
    solve(&["--goal", "111"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: rotation has no goal to set

Usage: deepen solve [OPTIONS] <PUZZLE> [FILE]

For more information, try '--help'.

"#]]);
}

#[test]
fn a_cost_limit_that_is_none() {
    solve(&["--max-cost", "-1"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value '-1' for '--max-cost <N>': expected a whole number up to 4294967294, or `none`

For more information, try '--help'.

"#]]);
    solve(&["--max-cost", "4294967295"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value '4294967295' for '--max-cost <N>': expected a whole number up to 4294967294, or `none`

For more information, try '--help'.

"#]]);
}

#[test]
fn a_time_limit_without_a_unit() {
    solve(&["--time-limit", "10"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value '10' for '--time-limit <TIME>': time unit needed, for example 10sec or 10ms

For more information, try '--help'.

"#]]);
}

#[test]
fn a_node_limit_that_is_none() {
    solve(&["--node-limit", "many"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'many' for '--node-limit <N>': invalid digit found in string

For more information, try '--help'.

"#]]);
}

#[test]
fn an_unknown_format_and_an_unknown_pruning() {
    solve(&["--format", "jsn"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'jsn' for '--format <FORMAT>'
  [possible values: judge, text, json]

  tip: a similar value exists: 'json'

For more information, try '--help'.

"#]]);
    solve(&["--pruning", "full"], EASY).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'full' for '--pruning <WHICH>'
  [possible values: none, inverse, auto]

For more information, try '--help'.

"#]]);
}
