//! Fuzzing the readers: whatever the bytes, reading them neither panics nor runs on, and what was
//! read reads back the same when it is written. Answers are read from the same bytes.

use deepen_puzzles::{Puzzle, PuzzleTask, Settings, Tokens, Twisty, with_puzzle};

/// Reads `data` as an input of that puzzle, in each of its dialects.
pub fn read_and_write_back(puzzle: &str, data: &[u8]) {
    with_puzzle(puzzle, ReadAndWriteBack(data)).expect("a registered puzzle");
}

struct ReadAndWriteBack<'a>(&'a [u8]);

impl PuzzleTask for ReadAndWriteBack<'_> {
    type Output = ();

    fn run<P: Puzzle>(self) {
        for dialect in P::INFO.dialects {
            let settings = Settings { dialect: Some(dialect.name.into()), ..Settings::default() };
            let puzzle = P::new(&settings).expect("a dialect of the puzzle");
            let read: Vec<_> = puzzle.read(self.0).map_while(Result::ok).collect();
            let text = puzzle.write(&read);
            let again: Result<Vec<_>, _> = puzzle.read(text.as_bytes()).collect();
            assert_eq!(again.expect("what was written is right"), read);
            let mut answers = Tokens::new(self.0);
            let mut index = 0;
            while answers.peek().is_ok_and(|token| token.is_some())
                && puzzle.read_answer(index, &mut answers).is_ok()
            {
                index += 1;
            }
        }
    }
}

/// Reads `data` as the definition of a twisty puzzle. What was read says the same when it is written
/// in either language, and read again.
pub fn define(data: &[u8]) {
    let Ok(puzzle) = Twisty::define("fuzz", data, &Settings::default()) else { return };
    for form in ["tws", "json"] {
        let Ok(text) = puzzle.export(form) else { continue };
        let again = Twisty::define("fuzz", text.as_bytes(), &Settings::default());
        let again = again.expect("what was written is right");
        assert_eq!(again.export("tws"), puzzle.export("tws"));
    }
}
