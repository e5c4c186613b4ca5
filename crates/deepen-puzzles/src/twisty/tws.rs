//! The language `.tws`: puzzles as lines of words.
//!
//! ```text
//! file    = [Name N] Set+ Solved { Move | Illegal | MoveAlias | MoveSequence }
//! Set     = "Set" NAME count orientations
//! Solved  = ("Solved" | "StartState") block
//! Move    = ("Move" | "MoveTransformation") NAME block
//! block   = { SETNAME newline pieces [newline orientations] } "End"
//! Illegal = "Illegal" SETNAME position id...
//! MoveAlias NEW OLD        MoveSequence NAME m1 m2 ...
//! ```
//!
//! `Solved`, `Move` and `Illegal` count from 1, `StartState` and `MoveTransformation` from 0. The
//! orientations of a `Move` go by piece, all others by slot. Here all become alike: from 0, by slot.
//! Names that sequences refer to may come later, so sequences are worked out at the end.

use std::collections::HashMap;
use std::io::BufRead;

use super::lines::{Lines, Word, shown};
use super::model::{
    ANY, Definition, Illegal, MOST_ORIENTATIONS, MOST_PIECES, MOST_SLOTS, Move, Part, Pattern, Row,
    Set, Transformation, can_be_name,
};
use super::sequences::{Named, Names};
use crate::input::{InputError, Place, ReadError};

/// How a block's numbers are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A state, counted from 1.
    OldState,
    /// A state, counted from 0.
    State,
    /// A move, counted from 1, its orientations by piece.
    OldMove,
    /// A move, counted from 0, its orientations by slot.
    Move,
}

impl Form {
    fn base(self) -> u64 {
        u64::from(matches!(self, Form::OldState | Form::OldMove))
    }

    fn is_state(self) -> bool {
        matches!(self, Form::OldState | Form::State)
    }
}

/// The rows of a block, by set; `None` where a set is left out.
pub(super) struct Block {
    pub(super) rows: Vec<Option<PlacedRow>>,
}

/// A set's rows, and where they are.
pub(super) struct PlacedRow {
    pub(super) row: Row,
    pub(super) pieces: Place,
    /// Where the orientations are; the pieces if they are left out.
    pub(super) orientations: Place,
}

/// Checks that a name can be one.
fn name<'a>(
    word: Option<Word<'a>>,
    what: &str,
    lines: &Lines<impl BufRead>,
) -> Result<Word<'a>, ReadError> {
    let expected = format!("the name of {what}");
    let word = word.ok_or_else(|| lines.end_of_line(expected.as_str()))?;
    if !can_be_name(word.text) {
        return Err(word.refused(expected, "which can't be a name"));
    }
    Ok(word)
}

/// Checks that a line has no more words.
fn finish(word: Option<Word>, after: &str) -> Result<(), ReadError> {
    word.map_or(Ok(()), |word| Err(word.expected(format!("the end of the line after {after}"))))
}

/// A number of a range.
fn number(
    word: Option<Word>,
    range: std::ops::RangeInclusive<u64>,
    expected: &str,
    lines: &Lines<impl BufRead>,
) -> Result<u64, ReadError> {
    let word = word.ok_or_else(|| lines.end_of_line(expected))?;
    word.number().filter(|number| range.contains(number)).ok_or_else(|| word.expected(expected))
}

/// The numbers of the line as a row of exactly that many.
fn row(
    lines: &Lines<impl BufRead>,
    length: usize,
    what: &str,
    read: impl Fn(&Word) -> Option<u8>,
) -> Result<(Vec<u8>, Place), ReadError> {
    let mut row = Vec::with_capacity(length);
    let mut place = Place { line: 0, column: 0 };
    for word in lines.words() {
        if row.len() == length {
            return Err(word.expected(format!("the end of the line after {length} {what}s")));
        }
        if row.is_empty() {
            place = word.place;
        }
        let expected = || format!("{what} {} of {length}", row.len() + 1);
        let value = read(&word).ok_or_else(|| word.expected(expected()))?;
        row.push(value);
    }
    if row.len() < length {
        return Err(lines.end_of_line(format!("{what} {} of {length}", row.len() + 1)));
    }
    Ok((row, place))
}

/// Reads a block up to its `End`. (The line before it is the current one.)
pub(super) fn block<R: BufRead>(
    lines: &mut Lines<R>,
    sets: &[Set],
    by_name: &HashMap<String, usize>,
    form: Form,
) -> Result<Block, ReadError> {
    let mut rows: Vec<Option<PlacedRow>> = sets.iter().map(|_| None).collect();
    loop {
        let expected = "the name of a set, or `End`";
        if !lines.advance()? {
            return Err(lines.end(expected));
        }
        let mut words = lines.words();
        let Some(word) = words.next() else { continue };
        finish(words.next(), &shown(word.text))?;
        if word.text == "End" {
            return Ok(Block { rows });
        }
        let &index = by_name.get(word.text).ok_or_else(|| word.expected(expected))?;
        if rows[index].is_some() {
            return Err(word.refused("a set that the block does not have yet", "which it has"));
        }
        drop(words);
        rows[index] = Some(set_rows(lines, &sets[index], form)?);
    }
}

/// The rows of one set in a block.
fn set_rows<R: BufRead>(
    lines: &mut Lines<R>,
    set: &Set,
    form: Form,
) -> Result<PlacedRow, ReadError> {
    let Set { name, pieces, orientations } = set;
    if !lines.advance()? {
        return Err(lines.end(format!("the pieces of {name}")));
    }
    let base = form.base();
    let most = if form.is_state() { MOST_PIECES } else { *pieces as u64 } - 1 + base;
    let what = if form.is_state() { "piece" } else { "slot" };
    let what = format!("{what} (of {name}, {base} to {most})");
    let (row_pieces, place) = row(lines, *pieces, &what, |word| {
        let number = word.number().filter(|&number| (base..=most).contains(&number))?;
        Some((number - base) as u8)
    })?;
    if !form.is_state() {
        let mut seen = vec![false; *pieces];
        for (word, &from) in lines.words().zip(&row_pieces) {
            if std::mem::replace(&mut seen[usize::from(from)], true) {
                let expected = format!("each slot of {name} once");
                return Err(word.refused(expected, "which was there before"));
            }
        }
    }
    let mut turns = vec![0; *pieces];
    let mut turns_place = place;
    if lines.advance()? {
        let is_row = {
            let mut words = lines.words();
            let first = words.next();
            first.is_some_and(|word| word.number().is_some() || word.text == "?")
                || words.next().is_some()
        };
        lines.hold();
        if is_row {
            lines.advance()?;
            let most = u64::from(*orientations) - 1;
            let or = if form.is_state() { ", or `?`" } else { "" };
            let what = format!("orientation (of {name}, 0 to {most}{or})");
            (turns, turns_place) = row(lines, *pieces, &what, |word| match word.text {
                "?" if form.is_state() => Some(ANY),
                _ => word.number().filter(|&number| number <= most).map(|number| number as u8),
            })?;
        }
    }
    if form == Form::OldMove {
        turns = row_pieces.iter().map(|&from| turns[usize::from(from)]).collect();
    }
    let row = Row { pieces: row_pieces, orientations: turns };
    Ok(PlacedRow { row, pieces: place, orientations: turns_place })
}

/// Reads a definition.
///
/// # Errors
///
/// If it is none: where, what should be there, and what is.
pub(super) fn read(reader: impl BufRead) -> Result<Definition, ReadError> {
    let mut lines = Lines::new(reader);
    let (name, sets, by_name) = head(&mut lines)?;
    let solved = solved(&mut lines, &sets, &by_name)?;
    let mut body = Body {
        sets: &sets,
        by_name: &by_name,
        moves: Vec::new(),
        illegal: Vec::new(),
        names: Names::default(),
    };
    while lines.advance()? {
        body.statement(&mut lines)?;
    }
    let Body { moves, illegal, names, .. } = body;
    if moves.is_empty() {
        return Err(lines.end("a move"));
    }
    names.definition(name, sets, solved, moves, illegal)
}

type Head = (Option<String>, Vec<Set>, HashMap<String, usize>);

/// Reads the name and the sets.
fn head<R: BufRead>(lines: &mut Lines<R>) -> Result<Head, ReadError> {
    let mut title = None;
    let mut sets: Vec<Set> = Vec::new();
    let mut by_name = HashMap::new();
    let mut slots = 0;
    loop {
        let expected = if sets.is_empty() { "`Set`" } else { "`Set`, `Solved` or `StartState`" };
        if !lines.advance()? {
            return Err(lines.end(expected));
        }
        let mut words = lines.words();
        let Some(word) = words.next() else { continue };
        match word.text {
            "Name" if title.is_none() && sets.is_empty() => {
                let name = words.next().ok_or_else(|| lines.end_of_line("the puzzle's name"))?;
                finish(words.next(), "the puzzle's name")?;
                title = Some(name.text.to_string());
            }
            "Set" => {
                let named = name(words.next(), "a set", lines)?;
                if by_name.insert(named.text.to_string(), sets.len()).is_some() {
                    return Err(named.refused("a new name", "which is the name of a set already"));
                }
                let count = words.next();
                let most = format!("how many pieces, 1 to {MOST_PIECES}");
                let pieces = number(count, 1..=MOST_PIECES, &most, lines)? as usize;
                let most = format!("how many orientations, 1 to {MOST_ORIENTATIONS}");
                let turns = number(words.next(), 1..=MOST_ORIENTATIONS, &most, lines)? as u8;
                finish(words.next(), "the orientations")?;
                slots += pieces;
                if slots > MOST_SLOTS
                    && let Some(count) = count
                {
                    let most = format!("at most {MOST_SLOTS} pieces in all sets together");
                    return Err(count.refused(most, &format!("{slots} together")));
                }
                sets.push(Set { name: named.text.into(), pieces, orientations: turns });
            }
            "Solved" | "StartState" if !sets.is_empty() => {
                drop(words);
                lines.hold();
                return Ok((title, sets, by_name));
            }
            _ => return Err(word.expected(expected)),
        }
    }
}

/// Reads the solved state.
fn solved<R: BufRead>(
    lines: &mut Lines<R>,
    sets: &[Set],
    by_name: &HashMap<String, usize>,
) -> Result<Pattern, ReadError> {
    lines.advance()?;
    let mut words = lines.words();
    let keyword = words.next().map_or("", |word| word.text);
    let form = if keyword == "Solved" { Form::OldState } else { Form::State };
    finish(words.next(), &shown(keyword))?;
    drop(words);
    let block = block(lines, sets, by_name, form)?;
    let mut rows = Vec::new();
    for (set, placed) in sets.iter().zip(block.rows) {
        let Some(PlacedRow { row, orientations, .. }) = placed else {
            let pieces = (0..set.pieces).map(|slot| slot as u8).collect();
            rows.push(Row { pieces, orientations: vec![0; set.pieces] });
            continue;
        };
        let mut any = [None; 256];
        for (slot, (&piece, &turn)) in row.pieces.iter().zip(&row.orientations).enumerate() {
            if *any[usize::from(piece)].get_or_insert(turn == ANY) != (turn == ANY) {
                let expected = format!("identical pieces of {} all with `?` or none", set.name);
                let found = format!("one of each (slot {})", slot as u64 + form.base());
                return Err(InputError { place: orientations, expected, found }.into());
            }
        }
        rows.push(row);
    }
    Ok(Pattern { rows })
}

/// What comes after the solved state.
struct Body<'a> {
    sets: &'a [Set],
    by_name: &'a HashMap<String, usize>,
    moves: Vec<Move>,
    illegal: Vec<Illegal>,
    names: Names,
}

impl Body<'_> {
    fn statement<R: BufRead>(&mut self, lines: &mut Lines<R>) -> Result<(), ReadError> {
        let mut words = lines.words();
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword.text {
            "Move" | "MoveTransformation" => {
                let old = keyword.text == "Move";
                let word = name(words.next(), "a move", lines)?;
                finish(words.next(), "the move's name")?;
                let named = self.names.name_move(word, self.moves.len())?;
                let form = if old { Form::OldMove } else { Form::Move };
                drop(words);
                let block = block(lines, self.sets, self.by_name, form)?;
                self.add_move(named, block)
            }
            "Illegal" => {
                let expected = "the name of a set";
                let set = words.next().ok_or_else(|| lines.end_of_line(expected))?;
                let &index = self.by_name.get(set.text).ok_or_else(|| set.expected(expected))?;
                let pieces = self.sets[index].pieces as u64;
                let slot =
                    number(words.next(), 1..=pieces, &format!("a slot, 1 to {pieces}"), lines)?;
                let piece = format!("a piece, 1 to {MOST_PIECES}");
                let first = number(words.next(), 1..=MOST_PIECES, &piece, lines)?;
                let mut pieces = vec![(first - 1) as u8];
                for word in words {
                    pieces.push((number(Some(word), 1..=MOST_PIECES, &piece, lines)? - 1) as u8);
                }
                pieces.sort_unstable();
                pieces.dedup();
                self.illegal.push(Illegal { set: index, slot: (slot - 1) as u8, pieces });
                Ok(())
            }
            "MoveAlias" => {
                let new = name(words.next(), "the alias", lines)?;
                let old = words.next().ok_or_else(|| lines.end_of_line("the name of a move"))?;
                finish(words.next(), "the old name")?;
                let old = vec![self.names.keep(old)];
                self.names.name_sequence(new, old)
            }
            "MoveSequence" => {
                let new = name(words.next(), "the sequence", lines)?;
                let words: Vec<Named> = words.map(|word| self.names.keep(word)).collect();
                if words.is_empty() {
                    return Err(lines.end_of_line("the name of a move"));
                }
                self.names.name_sequence(new, words)
            }
            _ => Err(keyword.expected(
                "`Move`, `MoveTransformation`, `MoveAlias`, `MoveSequence` or `Illegal`",
            )),
        }
    }

    fn add_move(&mut self, named: Named, block: Block) -> Result<(), ReadError> {
        let parts = block.rows.into_iter().enumerate().filter_map(|(set, placed)| {
            let Row { pieces, orientations } = placed?.row;
            Some((set, Part { from: pieces, turn: orientations }))
        });
        let transformation = Transformation::new(parts);
        if transformation.is_identity() {
            return Err(self.names.idle(named));
        }
        let name = self.names.text(named);
        self.moves.push(Move { name, transformation });
        Ok(())
    }
}
