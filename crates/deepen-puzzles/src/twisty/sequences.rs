//! Names of moves, aliases and sequences, and what they stand for.
//!
//! A sequence may refer to names that come later, so its words are kept until all names are known
//! ([`Names::definition`]). They are then worked out in the order in which they depend on each
//! other; a sequence that is a part of itself is refused.

use std::collections::{BTreeSet, HashMap};

use super::lines::{Word, shown};
use super::model::{
    Definition, Illegal, MOST_MEMORY, Move, Pattern, Sequence, Set, Transformation, split_power,
};
use crate::input::{InputError, Place, ReadError};

/// A sequence as it stands in the file.
struct Written {
    name: Named,
    words: Vec<Named>,
}

/// A word that is kept, by its number among all different ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    word: u32,
    line: u32,
    column: u32,
}

/// All names, and all different words that sequences are made of.
#[derive(Default)]
pub(super) struct Names {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    /// What a name, by the number of its word, stands for.
    taken: HashMap<u32, Meaning>,
    written: Vec<Written>,
}

/// What a name of moves stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Move(usize),
    Sequence(usize),
}

impl Names {
    /// Keeps a word.
    pub(super) fn keep(&mut self, word: Word) -> Named {
        let fresh = self.texts.len() as u32;
        let number = if let Some(&number) = self.numbers.get(word.text) {
            number
        } else {
            self.numbers.insert(word.text.to_string(), fresh);
            self.texts.push(word.text.to_string());
            fresh
        };
        let Place { line, column } = word.place;
        Named { word: number, line: line as u32, column: column as u32 }
    }

    /// The text of a word that is kept.
    pub(super) fn text(&self, named: Named) -> String {
        self.texts[named.word as usize].clone()
    }

    /// Names the move of that index.
    pub(super) fn name_move(&mut self, word: Word, index: usize) -> Result<Named, ReadError> {
        let named = self.keep(word);
        self.take(named, Meaning::Move(index))?;
        Ok(named)
    }

    /// Names a sequence.
    pub(super) fn name_sequence(&mut self, word: Word, words: Vec<Named>) -> Result<(), ReadError> {
        let name = self.keep(word);
        self.take(name, Meaning::Sequence(self.written.len()))?;
        self.written.push(Written { name, words });
        Ok(())
    }

    fn take(&mut self, named: Named, meaning: Meaning) -> Result<(), ReadError> {
        match self.taken.insert(named.word, meaning) {
            None => Ok(()),
            Some(_) => Err(self.error(named, "a new name", ", which is taken already")),
        }
    }

    /// That a move does nothing.
    pub(super) fn idle(&self, named: Named) -> ReadError {
        self.error(named, "a move that does something", ", which does nothing")
    }

    fn error(&self, named: Named, expected: impl Into<String>, but: &str) -> ReadError {
        let place = Place { line: named.line.into(), column: named.column.into() };
        let found = shown(&self.texts[named.word as usize]) + but;
        InputError { place, expected: expected.into(), found }.into()
    }

    /// The definition of these parts.
    ///
    /// # Errors
    ///
    /// If a sequence is made of what is no move, or of itself, or all takes too much memory.
    pub(super) fn definition(
        self,
        name: Option<String>,
        sets: Vec<Set>,
        solved: Pattern,
        moves: Vec<Move>,
        illegal: Vec<Illegal>,
    ) -> Result<Definition, ReadError> {
        let sequences = Working { sets: &sets, moves: &moves, names: self }.out()?;
        let moves_first = moves.iter().map(|mv| &mv.name);
        let names = moves_first.chain(sequences.iter().map(|sequence| &sequence.name));
        let names = names.cloned().zip(0..).collect();
        Ok(Definition { name, sets, solved, moves, illegal, sequences, names })
    }
}

/// Works out what the sequences do.
struct Working<'a> {
    sets: &'a [Set],
    moves: &'a [Move],
    names: Names,
}

/// How far a sequence is worked out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Untouched,
    Begun,
    Done,
}

impl Working<'_> {
    /// What a word refers to, and how many times.
    fn meaning(&self, named: Named) -> Result<(Meaning, i64), ReadError> {
        if let Some(&meaning) = self.names.taken.get(&named.word) {
            return Ok((meaning, 1));
        }
        let known = |name: &str| {
            let number = self.names.numbers.get(name)?;
            self.names.taken.get(number).copied()
        };
        let split =
            split_power(&self.names.texts[named.word as usize], &|name| known(name).is_some());
        let meaning = split.and_then(|(name, exponent)| Some((known(name)?, exponent)));
        meaning.ok_or_else(|| self.names.error(named, "the name of a move", ""))
    }

    fn out(self) -> Result<Vec<Sequence>, ReadError> {
        // A sequence moves at most all slots that some move moves.
        let moved: BTreeSet<usize> =
            self.moves.iter().flat_map(|mv| mv.transformation.parts.keys().copied()).collect();
        let parts = self.moves.iter().flat_map(|mv| mv.transformation.parts.values());
        let move_slots: u64 = parts.map(|part| part.from.len() as u64).sum();
        let moved: u64 = moved.iter().map(|&set| self.sets[set].pieces as u64).sum();
        let memory = 2 * (move_slots + moved * self.names.written.len() as u64);
        if memory > MOST_MEMORY
            && let Some(last) = self.names.written.last()
        {
            let expected = format!("moves and sequences of at most {MOST_MEMORY} bytes");
            return Err(self.names.error(
                last.name,
                expected,
                &format!(", with which they need {memory}"),
            ));
        }
        let mut progress = vec![Progress::Untouched; self.names.written.len()];
        let mut worked: Vec<Transformation> =
            vec![Transformation::default(); self.names.written.len()];
        // Depth first, with the sequence and how far it is on a stack of its own.
        for root in 0..self.names.written.len() {
            let mut stack = if progress[root] == Progress::Done { vec![] } else { vec![(root, 0)] };
            progress[root] = if stack.is_empty() { Progress::Done } else { Progress::Begun };
            while let Some((sequence, at)) = stack.pop() {
                let Some(&named) = self.names.written[sequence].words.get(at) else {
                    progress[sequence] = Progress::Done;
                    continue;
                };
                let (meaning, exponent) = self.meaning(named)?;
                let does = match meaning {
                    Meaning::Move(index) => &self.moves[index].transformation,
                    Meaning::Sequence(index) => match progress[index] {
                        Progress::Done => &worked[index],
                        Progress::Begun => {
                            let but = ", a sequence that this one is a part of";
                            return Err(self.names.error(named, "the name of a move", but));
                        }
                        Progress::Untouched => {
                            progress[index] = Progress::Begun;
                            stack.push((sequence, at));
                            stack.push((index, 0));
                            continue;
                        }
                    },
                };
                let does =
                    if exponent == 1 { does.clone() } else { does.power(exponent, self.sets) };
                worked[sequence] = worked[sequence].then(&does, self.sets);
                stack.push((sequence, at + 1));
            }
        }
        let text = |named: &Named| self.names.text(*named);
        let sequences =
            self.names.written.iter().zip(worked).map(|(written, transformation)| Sequence {
                name: text(&written.name),
                words: written.words.iter().map(text).collect(),
                transformation,
            });
        Ok(sequences.collect())
    }
}
