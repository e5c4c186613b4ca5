//! Reading states to be solved: scramble files, plain sequences of moves, KPuzzle patterns.
//!
//! | begins with | what follows |
//! |---|---|
//! | `Scramble NAME` | a block that counts from 1 |
//! | `ScrambleState NAME`, `StartState NAME` | a block that counts from 0 |
//! | `ScrambleAlg NAME` | lines of moves up to `End` |
//! | `{` | a KPuzzle pattern, on that line alone |
//! | anything else | a line of moves, made from the solved state |
//!
//! Rotations of the whole puzzle may be among the moves.

use std::io::BufRead;
use std::sync::Arc;

use super::kpuzzle;
use super::lines::{Lines, Word};
use super::model::{ANY, Definition, Illegal, Pattern};
use super::tws::{self, Block, Form};
use crate::input::{InputError, Place, ReadError};

/// A state to be solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scramble {
    pub(super) pattern: Arc<Pattern>,
}

/// The scrambles of an input.
pub(super) struct Scrambles<'a, R> {
    lines: Lines<R>,
    definition: &'a Definition,
    by_name: std::collections::HashMap<String, usize>,
    ended: bool,
}

/// The first illegal position that a state has.
pub(super) fn illegal<'a>(definition: &'a Definition, pattern: &Pattern) -> Option<&'a Illegal> {
    definition.illegal.iter().find(|illegal| {
        let piece = pattern.rows[illegal.set].pieces[usize::from(illegal.slot)];
        illegal.pieces.contains(&piece)
    })
}

/// An illegal position in words, as the file counts.
pub(super) fn tell(illegal: &Illegal, definition: &Definition, pattern: &Pattern) -> String {
    let piece = pattern.rows[illegal.set].pieces[usize::from(illegal.slot)];
    let set = &definition.sets[illegal.set].name;
    format!(
        "an illegal one: piece {} in slot {} of {set}",
        u16::from(piece) + 1,
        u16::from(illegal.slot) + 1
    )
}

impl<'a, R: BufRead> Scrambles<'a, R> {
    /// Reads states of a puzzle.
    pub(super) fn new(reader: R, definition: &'a Definition) -> Self {
        let by_name = definition.sets.iter().map(|set| set.name.clone()).zip(0..).collect();
        Scrambles { lines: Lines::new(reader), definition, by_name, ended: false }
    }

    fn scramble(&mut self) -> Result<Option<Scramble>, ReadError> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        let mut words = self.lines.words();
        let Some(first) = words.next() else { return Ok(None) };
        let form = match first.text {
            "Scramble" => Some(Form::OldState),
            "ScrambleState" | "StartState" => Some(Form::State),
            _ => None,
        };
        let place = first.place;
        if form.is_some() || first.text == "ScrambleAlg" {
            words.next().ok_or_else(|| self.lines.end_of_line("a name"))?;
            if let Some(word) = words.next() {
                return Err(word.expected("the end of the line after the name"));
            }
            drop(words);
            let pattern = match form {
                Some(form) => {
                    let block =
                        tws::block(&mut self.lines, &self.definition.sets, &self.by_name, form)?;
                    self.state(block, place)?
                }
                None => self.algorithm()?,
            };
            return Ok(Some(Scramble { pattern: Arc::new(pattern) }));
        }
        let is_json = first.text.starts_with('{');
        drop(words);
        let pattern = if is_json {
            let text = self.lines.text();
            let (node, pattern) = kpuzzle::read_pattern(text, place.line, self.definition)?;
            self.check(pattern, |_| node.place)?
        } else {
            let mut pattern = self.definition.solved.clone();
            for word in self.lines.words() {
                pattern = self.after(&pattern, word)?;
            }
            pattern
        };
        Ok(Some(Scramble { pattern: Arc::new(pattern) }))
    }

    /// The moves of the lines up to `End`.
    fn algorithm(&mut self) -> Result<Pattern, ReadError> {
        let mut pattern = self.definition.solved.clone();
        loop {
            if !self.lines.advance()? {
                return Err(self.lines.end("a move, or `End`"));
            }
            let mut words = self.lines.words();
            while let Some(word) = words.next() {
                if word.text == "End" {
                    return match words.next() {
                        Some(word) => Err(word.expected("the end of the line after `End`")),
                        None => Ok(pattern),
                    };
                }
                pattern = self.after(&pattern, word)?;
            }
        }
    }

    /// The state after a move that a word names.
    fn after(&self, pattern: &Pattern, word: Word) -> Result<Pattern, ReadError> {
        let does = self.definition.word(word.text);
        let does = does.ok_or_else(|| word.expected("the name of a move"))?;
        let pattern = pattern.after(&does, &self.definition.sets);
        match illegal(self.definition, &pattern) {
            None => Ok(pattern),
            Some(illegal) => {
                let but = tell(illegal, self.definition, &pattern);
                Err(word.refused("a move to a legal position", &format!("which leads to {but}")))
            }
        }
    }

    /// The state that a block describes.
    fn state(&self, block: Block, start: Place) -> Result<Pattern, ReadError> {
        let mut pattern = self.definition.solved.clone();
        let mut places = vec![start; pattern.rows.len()];
        for (index, placed) in block.rows.into_iter().enumerate() {
            if let Some(placed) = placed {
                places[index] = placed.pieces;
                pattern.rows[index] = placed.row;
            }
        }
        self.check(pattern, |set| places[set])
    }

    /// Makes sure that a state is one of this puzzle's pieces, and legal.
    fn check(
        &self,
        mut pattern: Pattern,
        place: impl Fn(usize) -> Place,
    ) -> Result<Pattern, ReadError> {
        let definition = self.definition;
        for (index, set) in definition.sets.iter().enumerate() {
            let (row, solved) = (&mut pattern.rows[index], &definition.solved.rows[index]);
            let [mut has, mut should] = [row, solved].map(|row| row.pieces.clone());
            has.sort_unstable();
            should.sort_unstable();
            let place = place(index);
            if has != should {
                let expected = format!("the pieces of {}, as in the solved state", set.name);
                let differs = has.iter().zip(&should).find(|(has, should)| has != should);
                let found = differs.map_or(String::new(), |(one, other)| {
                    let least = one.min(other);
                    let count = |pieces: &[u8]| {
                        pieces.iter().map(|piece| usize::from(piece == least)).sum::<usize>()
                    };
                    let piece = u16::from(*least) + 1;
                    format!(
                        "piece {piece} {} times instead of {}",
                        count(&row.pieces),
                        count(&should)
                    )
                });
                return Err(InputError { place, expected, found }.into());
            }
            // Whether it may be turned in any way is told by the solved state.
            let mut any = [false; 256];
            for (&piece, &turn) in solved.pieces.iter().zip(&solved.orientations) {
                any[usize::from(piece)] = turn == ANY;
            }
            for (&piece, turn) in row.pieces.iter().zip(&mut row.orientations) {
                if any[usize::from(piece)] {
                    *turn = ANY;
                } else if *turn == ANY {
                    let expected = format!("an orientation of each piece of {}", set.name);
                    let piece = u16::from(piece) + 1;
                    let found = format!("any for piece {piece}, which must be turned in one way");
                    return Err(InputError { place, expected, found }.into());
                }
            }
        }
        match illegal(definition, &pattern) {
            None => Ok(pattern),
            Some(illegal) => {
                let found = tell(illegal, definition, &pattern);
                let place = place(illegal.set);
                Err(InputError { place, expected: "a legal position".into(), found }.into())
            }
        }
    }
}

impl<R: BufRead> Iterator for Scrambles<'_, R> {
    type Item = Result<Scramble, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let scramble = self.scramble().transpose();
        self.ended = !matches!(scramble, Some(Ok(_)));
        scramble
    }
}
