//! KPuzzle JSON: the form in which the npm package `cubing` writes puzzles.
//!
//! ```json
//! { "name": "…",
//!   "orbits": [{ "orbitName": "CORNERS", "numPieces": 8, "numOrientations": 3 }],
//!   "defaultPattern": { "CORNERS": { "pieces": […], "orientation": […], "orientationMod": […] } },
//!   "moves": { "U": { "CORNERS": { "permutation": […], "orientationDelta": […] } } },
//!   "derivedMoves": { "L": "[z: U]" } }
//! ```
//!
//! All counts from 0 and goes by slot. An `orientationMod` of 1 means that a piece may be turned in
//! any way; 0 or the orbit's number of orientations, that it may not. A pattern (a state to be
//! solved) is the same as `defaultPattern`. Orbits that a move or pattern leaves out are left alone.

use std::collections::HashMap;

use super::json::{Key, Node, Value, read as read_json};
use super::lines::Word;
use super::model::{
    ANY, Definition, MOST_ORIENTATIONS, MOST_PIECES, MOST_SLOTS, Move, Part, Pattern, Row, Set,
    Transformation, can_be_name,
};
use super::sequences::{Named, Names};
use crate::input::ReadError;

/// How many words a derived move may have when it is written out.
const MOST_WORDS: usize = 1 << 20;
/// How deep its brackets may be nested.
const DEPTH: usize = 64;

/// The members of an object by name; each at most once, and no others.
fn members<'a, const N: usize>(
    object: &'a [(Key, Node)],
    names: [&str; N],
) -> Result<[Option<&'a Node>; N], ReadError> {
    let mut found = [None; N];
    for (key, value) in object {
        let expected = || format!("one of {}", names.map(|name| format!("`{name}`")).join(", "));
        let Some(index) = names.iter().position(|name| **name == *key.text) else {
            return Err(key.word().expected(expected()));
        };
        if found[index].replace(value).is_some() {
            return Err(key.word().refused("each name once", "which was there before"));
        }
    }
    Ok(found)
}

/// Reads a definition.
///
/// # Errors
///
/// If it is none: where, what should be there, and what is.
pub(super) fn read(text: &str) -> Result<Definition, ReadError> {
    let root = read_json(text, 1)?;
    let object = root.object("the definition of a puzzle")?;
    let names = ["name", "orbits", "defaultPattern", "moves", "derivedMoves"];
    let [name, orbits, pattern, moves, derived] = members(object, names)?;
    let required = |node: Option<_>, name: &str| {
        node.ok_or_else(|| root.expected(format!("an object with `{name}`")))
    };
    let name = name.map(|name| name.text("the puzzle's name")).transpose()?;
    let name = name.map(|name| name.text.to_string());
    let sets = read_orbits(required(orbits, "orbits")?)?;
    let by_name = by_name(&sets);
    let solved = read_rows(required(pattern, "defaultPattern")?, &sets, &by_name, None)?;
    let mut names = Names::default();
    let mut all = Vec::new();
    let moves = required(moves, "moves")?;
    for (key, value) in moves.object("the moves by name")? {
        let kept = names.name_move(move_name(key)?, all.len())?;
        let transformation = read_move(value, &sets, &by_name)?;
        if transformation.is_identity() {
            return Err(names.idle(kept));
        }
        all.push(Move { name: names.text(kept), transformation });
    }
    if all.is_empty() {
        return Err(moves.expected("an object with at least one move"));
    }
    if let Some(derived) = derived {
        for (key, value) in derived.object("sequences of moves by name")? {
            let name = move_name(key)?;
            let sequence = value.text("a sequence of moves")?;
            let words = Algorithm::read(sequence)?;
            let words: Vec<Named> = words
                .iter()
                .map(|word| names.keep(Word { text: word, place: value.place }))
                .collect();
            if words.is_empty() {
                return Err(value.expected("a sequence of at least one move"));
            }
            names.name_sequence(name, words)?;
        }
    }
    names.definition(name, sets, solved, all, Vec::new())
}

/// Checks that a name can be one.
fn move_name(key: &Key) -> Result<Word<'_>, ReadError> {
    let word = key.word();
    if !can_be_name(word.text) {
        return Err(word.refused("the name of a move", "which can't be a name"));
    }
    Ok(word)
}

fn by_name(sets: &[Set]) -> HashMap<String, usize> {
    sets.iter().map(|set| set.name.clone()).zip(0..).collect()
}

/// Reads the orbits: a list of objects, or, as it used to be, an object by name.
fn read_orbits(orbits: &Node) -> Result<Vec<Set>, ReadError> {
    let mut sets: Vec<Set> = Vec::new();
    let mut slots = 0;
    let mut add = |name: Word, pieces: Option<&Node>, turns: Option<&Node>, at: &Node| {
        if !can_be_name(name.text) {
            return Err(name.refused("the name of an orbit", "which can't be a name"));
        }
        if sets.iter().any(|set| set.name == name.text) {
            return Err(name.refused("a new name", "which is the name of an orbit already"));
        }
        let missing = |what| at.expected(format!("an orbit with `{what}`"));
        let pieces = pieces.ok_or_else(|| missing("numPieces"))?;
        let count =
            pieces.number(1..=MOST_PIECES, || format!("how many pieces, 1 to {MOST_PIECES}"))?;
        let turns = turns.ok_or_else(|| missing("numOrientations"))?;
        let turns = turns.number(1..=MOST_ORIENTATIONS, || {
            format!("how many orientations, 1 to {MOST_ORIENTATIONS}")
        })?;
        slots += count as usize;
        if slots > MOST_SLOTS {
            return Err(pieces.expected(format!("at most {MOST_SLOTS} pieces in all orbits")));
        }
        let name = name.text.to_string();
        sets.push(Set { name, pieces: count as usize, orientations: turns as u8 });
        Ok(())
    };
    match &orbits.value {
        Value::List(list) => {
            for orbit in list {
                let object = orbit.object("an orbit")?;
                let names = ["orbitName", "numPieces", "numOrientations"];
                let [name, pieces, turns] = members(object, names)?;
                let name = name.ok_or_else(|| orbit.expected("an orbit with `orbitName`"))?;
                add(name.text("the name of an orbit")?, pieces, turns, orbit)?;
            }
        }
        Value::Object(list) => {
            for (key, orbit) in list {
                let object = orbit.object("an orbit")?;
                let [pieces, turns] = members(object, ["numPieces", "numOrientations"])?;
                add(key.word(), pieces, turns, orbit)?;
            }
        }
        _ => return Err(orbits.expected("a list of orbits")),
    }
    if sets.is_empty() {
        return Err(orbits.expected("at least one orbit"));
    }
    Ok(sets)
}

/// The numbers of a list of exactly that many.
fn numbers(node: &Node, length: usize, below: u64, what: &str) -> Result<Vec<u8>, ReadError> {
    let list = node.list(what)?;
    if list.len() != length {
        return Err(node.expected(format!("{length} numbers: {what}")));
    }
    let number = |node: &Node| {
        let expected = || format!("a number from 0 to {}: {what}", below - 1);
        node.number(0..=below - 1, expected).map(|number| number as u8)
    };
    list.iter().map(number).collect()
}

/// The orbit that a member is of.
fn orbit<'a>(
    key: &Key,
    sets: &'a [Set],
    by_name: &HashMap<String, usize>,
) -> Result<(usize, &'a Set), ReadError> {
    let index = by_name.get(&*key.text).ok_or_else(|| key.word().expected("the name of an orbit"));
    index.map(|&index| (index, &sets[index]))
}

/// Reads a pattern. Orbits left out are as in `solved`, or, where that is none, all in order.
fn read_rows(
    node: &Node,
    sets: &[Set],
    by_name: &HashMap<String, usize>,
    solved: Option<&Pattern>,
) -> Result<Pattern, ReadError> {
    let mut rows: Vec<Option<Row>> = vec![None; sets.len()];
    for (key, value) in node.object("pieces and orientations by orbit")? {
        let (index, set) = orbit(key, sets, by_name)?;
        let object = value.object("the pieces of an orbit")?;
        let names = ["pieces", "orientation", "orientationMod"];
        let [pieces, turns, modulus] = members(object, names)?;
        let missing = |what| value.expected(format!("an object with `{what}`"));
        let pieces = pieces.ok_or_else(|| missing("pieces"))?;
        let pieces = numbers(pieces, set.pieces, MOST_PIECES, "the piece in each slot")?;
        let node = turns.ok_or_else(|| missing("orientation"))?;
        let orientations = u64::from(set.orientations);
        let mut turns = numbers(node, set.pieces, orientations, "how each is turned")?;
        if let Some(modulus) = modulus {
            let what = "what each orientation counts modulo";
            let moduli = numbers(modulus, set.pieces, orientations + 1, what)?;
            for (turn, modulus) in turns.iter_mut().zip(&moduli) {
                match u64::from(*modulus) {
                    1 => *turn = ANY,
                    other if other == 0 || other == orientations => {}
                    _ => {
                        let all = format!("0, 1 or {orientations} (others are not supported)");
                        return Err(modulus_error(
                            modulus_node(&value.value),
                            *modulus,
                            &all,
                            value,
                        ));
                    }
                }
            }
        }
        if solved.is_none() {
            let mut any = [None; 256];
            for (&piece, &turn) in pieces.iter().zip(&turns) {
                if *any[usize::from(piece)].get_or_insert(turn == ANY) != (turn == ANY) {
                    return Err(value.expected("the same `orientationMod` for identical pieces"));
                }
            }
        }
        if rows[index].replace(Row { pieces, orientations: turns }).is_some() {
            return Err(key.word().refused("each orbit once", "which was there before"));
        }
    }
    let rows = rows.into_iter().enumerate().map(|(index, row)| {
        row.or_else(|| Some(solved?.rows[index].clone())).unwrap_or_else(|| {
            let pieces = sets[index].pieces;
            Row {
                pieces: (0..pieces).map(|slot| slot as u8).collect(),
                orientations: vec![0; pieces],
            }
        })
    });
    Ok(Pattern { rows: rows.collect() })
}

/// The list that holds the moduli of an orbit.
fn modulus_node(value: &Value) -> &[Node] {
    let Value::Object(members) = value else { return &[] };
    let list = members.iter().find(|(key, _)| &*key.text == "orientationMod");
    match list.map(|(_, node)| &node.value) {
        Some(Value::List(list)) => list,
        _ => &[],
    }
}

fn modulus_error(list: &[Node], wrong: u8, expected: &str, orbit: &Node) -> ReadError {
    let is_wrong =
        |node: &&Node| matches!(node.value, Value::Number(number) if number == wrong.into());
    list.iter().find(is_wrong).unwrap_or(orbit).expected(expected)
}

fn read_move(
    node: &Node,
    sets: &[Set],
    by_name: &HashMap<String, usize>,
) -> Result<Transformation, ReadError> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (key, value) in node.object("what the move does to each orbit")? {
        let (index, set) = orbit(key, sets, by_name)?;
        if parts.iter().any(|(known, _)| *known == index) {
            return Err(key.word().refused("each orbit once", "which was there before"));
        }
        let object = value.object("a permutation and turns")?;
        let [slots, turns] = members(object, ["permutation", "orientationDelta"])?;
        let mut part = Part::identity(set.pieces);
        if let Some(node) = slots {
            let pieces = set.pieces as u64;
            part.from = numbers(node, set.pieces, pieces, "the slot that each piece comes from")?;
            let mut seen = vec![false; set.pieces];
            for (slot, node) in part.from.iter().zip(node.list("slots")?) {
                if std::mem::replace(&mut seen[usize::from(*slot)], true) {
                    return Err(node.expected("a permutation: each slot once"));
                }
            }
        }
        if let Some(node) = turns {
            let orientations = set.orientations.into();
            part.turn = numbers(node, set.pieces, orientations, "how much each piece is turned")?;
        }
        parts.push((index, part));
    }
    Ok(Transformation::new(parts))
}

/// Reads a pattern, a state to be solved. `line` is the number of its first line.
///
/// # Errors
///
/// If it is none.
pub(super) fn read_pattern(
    text: &str,
    line: u64,
    definition: &Definition,
) -> Result<(Node, Pattern), ReadError> {
    let node = read_json(text, line)?;
    let by_name = by_name(&definition.sets);
    let pattern = read_rows(&node, &definition.sets, &by_name, Some(&definition.solved))?;
    Ok((node, pattern))
}

/// A sequence of moves with brackets: `(A B)2`, `[A: B]` for A B A', `[A, B]` for A B A' B'.
struct Algorithm<'a> {
    rest: &'a str,
    whole: Word<'a>,
}

impl<'a> Algorithm<'a> {
    /// Its moves, written out.
    fn read(word: Word<'a>) -> Result<Vec<String>, ReadError> {
        let mut algorithm = Algorithm { rest: word.text, whole: word };
        let words = algorithm.sequence(0)?;
        if !algorithm.rest.is_empty() {
            return Err(algorithm.error("a sequence of moves whose brackets match"));
        }
        Ok(words)
    }

    fn error(&self, expected: &str) -> ReadError {
        self.whole.expected(expected)
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<String>, ReadError> {
        if depth > DEPTH {
            return Err(self.error(&format!("brackets at most {DEPTH} deep")));
        }
        let mut words: Vec<String> = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let added = match self.rest.chars().next() {
                None | Some(')' | ']' | ',' | ':') => return Ok(words),
                Some('(') => {
                    self.rest = &self.rest[1..];
                    let inner = self.sequence(depth + 1)?;
                    self.close(')')?;
                    self.repeated(inner)?
                }
                Some('[') => {
                    self.rest = &self.rest[1..];
                    let first = self.sequence(depth + 1)?;
                    let conjugate = self.rest.starts_with(':');
                    if !conjugate && !self.rest.starts_with(',') {
                        return Err(self.error("`:` or `,` between the brackets of a sequence"));
                    }
                    self.rest = &self.rest[1..];
                    let second = self.sequence(depth + 1)?;
                    self.close(']')?;
                    let mut all = [first.clone(), second.clone(), inverse(&first)].concat();
                    if !conjugate {
                        all.extend(inverse(&second));
                    }
                    self.repeated(all)?
                }
                Some(_) => {
                    let is_end = |c: char| c.is_whitespace() || "()[],:".contains(c);
                    let end = self.rest.find(is_end).unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    vec![word.to_string()]
                }
            };
            words.extend(added);
            if words.len() > MOST_WORDS {
                return Err(self.error(&format!("a sequence of at most {MOST_WORDS} moves")));
            }
        }
    }

    fn close(&mut self, bracket: char) -> Result<(), ReadError> {
        match self.rest.strip_prefix(bracket) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.error("a sequence of moves whose brackets match")),
        }
    }

    /// The moves as often as the number after the bracket says.
    fn repeated(&mut self, words: Vec<String>) -> Result<Vec<String>, ReadError> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let times = if digits.is_empty() { Some(1) } else { digits.parse::<usize>().ok() };
        let times = times.filter(|times| words.len().saturating_mul(*times) <= MOST_WORDS);
        let times = times
            .ok_or_else(|| self.error(&format!("a sequence of at most {MOST_WORDS} moves")))?;
        let words = match self.rest.strip_prefix('\'') {
            Some(rest) => {
                self.rest = rest;
                inverse(&words)
            }
            None => words,
        };
        Ok(vec![words; times].concat())
    }
}

fn inverse(words: &[String]) -> Vec<String> {
    let inverse = |word: &String| match word.strip_suffix('\'') {
        Some(word) => word.to_string(),
        None => format!("{word}'"),
    };
    words.iter().rev().map(inverse).collect()
}
