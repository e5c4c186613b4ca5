//! Reading a text line by line: the words of each line with their places.
//!
//! Both the definitions of puzzles and the scrambles are lines of words parted by white space. A
//! line that begins with `#` is a comment; blank lines mean nothing. Lines are read as the input
//! comes; CRLF and a byte-order mark at the start do no harm.

use std::io::{BufRead, Read};

use crate::input::{InputError, Place, ReadError};

/// The longest line, in bytes. It is kept in memory while it is read.
pub(super) const LINE_BYTES: u64 = 1 << 24;

/// The lines of an input.
pub(super) struct Lines<R> {
    reader: R,
    line: String,
    number: u64,
    held: bool,
}

/// A word of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    /// Its characters.
    pub(super) text: &'a str,
    /// Where it begins.
    pub(super) place: Place,
}

impl Word<'_> {
    /// An error at this word.
    pub(super) fn expected(&self, expected: impl Into<String>) -> ReadError {
        self.error(expected).into()
    }

    fn error(&self, expected: impl Into<String>) -> InputError {
        InputError { place: self.place, expected: expected.into(), found: shown(self.text) }
    }

    /// An error at this word, with more to say of what it is.
    pub(super) fn refused(&self, expected: impl Into<String>, but: &str) -> ReadError {
        let error = self.error(expected);
        let found = format!("{}, {but}", error.found);
        InputError { found, ..error }.into()
    }

    /// The word as a whole number of ASCII digits, if it is one.
    pub(super) fn number(&self) -> Option<u64> {
        number(self.text)
    }
}

/// A whole number of ASCII digits.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A text in backquotes; escaped where it is not printable, shortened where it is long.
pub(super) fn shown(text: &str) -> String {
    const CHARACTERS: usize = 40;
    let mut shown: String = text
        .chars()
        .take(CHARACTERS)
        .map(|c| if c.is_control() { c.escape_unicode().to_string() } else { c.to_string() })
        .collect();
    if text.chars().nth(CHARACTERS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub(super) fn new(reader: R) -> Self {
        Lines { reader, line: String::new(), number: 0, held: false }
    }

    /// Goes to the next line that says something; whether there is one.
    ///
    /// # Errors
    ///
    /// If the input can't be read, or is not text.
    pub(super) fn advance(&mut self) -> Result<bool, ReadError> {
        if std::mem::take(&mut self.held) {
            return Ok(true);
        }
        loop {
            let mut bytes = std::mem::take(&mut self.line).into_bytes();
            bytes.clear();
            (&mut self.reader).take(LINE_BYTES).read_until(b'\n', &mut bytes)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            self.number += 1;
            if bytes.len() as u64 == LINE_BYTES && !bytes.ends_with(b"\n") {
                let expected = format!("a line of at most {LINE_BYTES} bytes");
                return Err(self.error(1, expected, "a longer one"));
            }
            if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                bytes.drain(..3);
            }
            self.line = String::from_utf8(bytes).map_err(|error| {
                let valid = error.utf8_error().valid_up_to();
                let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
                let column = before.chars().count() as u64 + 1;
                self.error(column, "text in UTF-8", "bytes that are none")
            })?;
            if !self.line.starts_with('#') && self.words().next().is_some() {
                return Ok(true);
            }
        }
    }

    /// Gives the line again when the next is asked for.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// The whole line.
    pub(super) fn text(&self) -> &str {
        self.line.trim_end()
    }

    /// The words of the line.
    pub(super) fn words(&self) -> impl Iterator<Item = Word<'_>> {
        words(&self.line, self.number)
    }

    /// An error in this line.
    pub(super) fn error(
        &self,
        column: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ReadError {
        let place = Place { line: self.number.max(1), column };
        InputError { place, expected: expected.into(), found: found.into() }.into()
    }

    /// An error at the end of this line.
    pub(super) fn end_of_line(&self, expected: impl Into<String>) -> ReadError {
        let column = self.text().chars().count() as u64 + 1;
        self.error(column, expected, "the end of the line")
    }

    /// An error at the end of the input.
    pub(super) fn end(&self, expected: impl Into<String>) -> ReadError {
        let place = Place { line: self.number + 1, column: 1 };
        let found = "the end of the input".into();
        InputError { place, expected: expected.into(), found }.into()
    }
}

/// The words of a text of one line, which has that number.
pub(super) fn words(text: &str, line: u64) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    let mut column = 1;
    std::iter::from_fn(move || {
        let trimmed = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        column += (rest.len() - trimmed.len()) as u64;
        let end = trimmed.find(|c: char| c.is_ascii_whitespace()).unwrap_or(trimmed.len());
        let (text, after) = trimmed.split_at(end);
        rest = after;
        let word = Word { text, place: Place { line, column } };
        column += text.chars().count() as u64;
        (!text.is_empty()).then_some(word)
    })
}
