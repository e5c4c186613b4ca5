//! JSON as values with their places, so that what is wrong with one can be told with its place.

use std::iter::Peekable;
use std::str::Chars;

use super::lines::{Word, shown};
use crate::input::{InputError, Place, ReadError};

/// How deep values may be nested.
const DEPTH: usize = 64;

/// A value and where it begins.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// A value.
#[derive(Debug)]
pub(super) enum Value {
    /// `null`, `true` or `false`.
    Word(&'static str),
    /// A whole number from 0.
    Number(u64),
    /// Any other number.
    OtherNumber(Box<str>),
    Text(Box<str>),
    List(Vec<Node>),
    Object(Vec<(Key, Node)>),
}

/// The name of a member.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) text: Box<str>,
    pub(super) place: Place,
}

impl Key {
    /// The name as a word.
    pub(super) fn word(&self) -> Word<'_> {
        Word { text: &self.text, place: self.place }
    }
}

impl Node {
    /// An error at this value.
    pub(super) fn expected(&self, expected: impl Into<String>) -> ReadError {
        let found = match &self.value {
            Value::Word(word) => shown(word),
            Value::Number(number) => format!("`{number}`"),
            Value::OtherNumber(text) => shown(text),
            Value::Text(text) => format!("the text {}", shown(text)),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Object(members) => format!("an object of {}", members.len()),
        };
        InputError { place: self.place, expected: expected.into(), found }.into()
    }

    /// The value as an object.
    pub(super) fn object(&self, expected: &str) -> Result<&[(Key, Node)], ReadError> {
        match &self.value {
            Value::Object(members) => Ok(members),
            _ => Err(self.expected(format!("an object: {expected}"))),
        }
    }

    /// The value as a list.
    pub(super) fn list(&self, expected: &str) -> Result<&[Node], ReadError> {
        match &self.value {
            Value::List(list) => Ok(list),
            _ => Err(self.expected(format!("a list: {expected}"))),
        }
    }

    /// The value as a text.
    pub(super) fn text(&self, expected: &str) -> Result<Word<'_>, ReadError> {
        match &self.value {
            Value::Text(text) => Ok(Word { text, place: self.place }),
            _ => Err(self.expected(format!("a text: {expected}"))),
        }
    }

    /// The value as a number of a range.
    pub(super) fn number(
        &self,
        range: std::ops::RangeInclusive<u64>,
        expected: impl FnOnce() -> String,
    ) -> Result<u64, ReadError> {
        match self.value {
            Value::Number(number) if range.contains(&number) => Ok(number),
            _ => Err(self.expected(expected())),
        }
    }
}

/// Reads a value; nothing but white space may follow. `line` is the number of its first line.
///
/// # Errors
///
/// If it is none.
pub(super) fn read(text: &str, line: u64) -> Result<Node, ReadError> {
    let mut reader = Reader { chars: text.chars().peekable(), place: Place { line, column: 1 } };
    let node = reader.value(0)?;
    reader.blanks();
    match reader.chars.peek() {
        None => Ok(node),
        Some(_) => Err(reader.error("the end of the JSON value")),
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    place: Place,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        self.place.column += 1;
        if c == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        }
        Some(c)
    }

    fn blanks(&mut self) {
        while self.chars.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\r' | '\n')) {
            self.next();
        }
    }

    fn error(&mut self, expected: impl Into<String>) -> ReadError {
        let found = self.chars.peek().map(|c| shown(&c.to_string()));
        let found = found.unwrap_or_else(|| "the end of the input".into());
        InputError { place: self.place, expected: expected.into(), found }.into()
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.blanks();
        self.chars.peek() == Some(&wanted) && self.next().is_some()
    }

    fn value(&mut self, depth: usize) -> Result<Node, ReadError> {
        self.blanks();
        let place = self.place;
        if depth == DEPTH {
            return Err(self.error(format!("values at most {DEPTH} deep")));
        }
        let value = match self.chars.peek() {
            Some('{') => {
                self.next();
                let mut members: Vec<(Key, Node)> = Vec::new();
                let mut more = !self.eat('}');
                while more {
                    self.blanks();
                    let place = self.place;
                    let text = self.string("`\"`, the name of a member")?;
                    if !self.eat(':') {
                        return Err(self.error("`:`"));
                    }
                    let value = self.value(depth + 1)?;
                    members.push((Key { text, place }, value));
                    more = self.eat(',');
                    if !more && !self.eat('}') {
                        return Err(self.error("`,` or `}`"));
                    }
                }
                Value::Object(members)
            }
            Some('[') => {
                self.next();
                let mut list = Vec::new();
                let mut more = !self.eat(']');
                while more {
                    list.push(self.value(depth + 1)?);
                    more = self.eat(',');
                    if !more && !self.eat(']') {
                        return Err(self.error("`,` or `]`"));
                    }
                }
                Value::List(list)
            }
            Some('"') => Value::Text(self.string("a text")?),
            Some(c) if c.is_ascii_digit() || *c == '-' => self.digits(),
            Some(c) if c.is_ascii_lowercase() => {
                let place = self.place;
                let mut word = String::new();
                while let Some(c) = self.chars.peek().filter(|c| c.is_ascii_lowercase()) {
                    word.push(*c);
                    self.next();
                }
                let known = ["null", "true", "false"].into_iter().find(|known| *known == word);
                let expected = || Word { text: &word, place }.expected("a JSON value");
                Value::Word(known.ok_or_else(expected)?)
            }
            _ => return Err(self.error("a JSON value")),
        };
        Ok(Node { place, value })
    }

    fn digits(&mut self) -> Value {
        let mut text = String::new();
        let is_part = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        while let Some(c) = self.chars.peek().filter(is_part) {
            text.push(*c);
            self.next();
        }
        let plain = text == "0" || !text.starts_with('0');
        match super::lines::number(&text).filter(|_| plain) {
            Some(number) => Value::Number(number),
            None => Value::OtherNumber(text.into()),
        }
    }

    fn string(&mut self, expected: &str) -> Result<Box<str>, ReadError> {
        if self.chars.peek() != Some(&'"') {
            return Err(self.error(expected));
        }
        self.next();
        let mut text = String::new();
        loop {
            match self.chars.peek() {
                Some('"') => {
                    self.next();
                    return Ok(text.into());
                }
                Some('\\') => {
                    self.next();
                    let escape = self.escape()?;
                    text.push(escape);
                }
                Some(&c) if !c.is_control() => {
                    text.push(c);
                    self.next();
                }
                _ => return Err(self.error("the rest of a text, with a `\"` at its end")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ReadError> {
        let escaped = match self.chars.peek() {
            Some(&c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.next();
                let first = self.hexadecimal()?;
                if (0xd800..0xdc00).contains(&first)
                    && self.eat_exactly('\\')
                    && self.eat_exactly('u')
                {
                    let second = self.hexadecimal()?;
                    let code = 0x10000 + ((first - 0xd800) << 10) + (second & 0x3ff);
                    return char::from_u32(code).ok_or_else(|| self.error("a character"));
                }
                return char::from_u32(first).ok_or_else(|| self.error("a character"));
            }
            _ => return Err(self.error("a JSON escape")),
        };
        self.next();
        Ok(escaped)
    }

    fn eat_exactly(&mut self, wanted: char) -> bool {
        self.chars.peek() == Some(&wanted) && self.next().is_some()
    }

    fn hexadecimal(&mut self) -> Result<u32, ReadError> {
        (0..4).try_fold(0, |code, _| {
            let digit = self.chars.peek().and_then(|c| c.to_digit(16));
            let digit = digit.ok_or_else(|| self.error("a hexadecimal digit"))?;
            self.next();
            Ok(code << 4 | digit)
        })
    }
}

/// A text in JSON's quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
