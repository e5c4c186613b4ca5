//! Reading instances: tokens with their places, and errors that say where and what.
//!
//! All judge formats are sequences of tokens parted by white space, so one [`Tokens`] reads them
//! all. It reads as the input comes, keeps no more than the start of one token, and knows the
//! line and column of each. A byte-order mark at the start is skipped; CRLF, blank lines and
//! spaces at line ends are white space like any other.

use std::fmt;
use std::io::{self, BufRead};

/// A place in a text: line and column, both from 1. Columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why an instance could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input itself could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text is not what it should be.
    #[error(transparent)]
    Bad(#[from] InputError),
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct InputError {
    /// Where.
    pub place: Place,
    /// What should be there, as a noun phrase.
    pub expected: String,
    /// What is there, as a noun phrase; tokens in backquotes.
    pub found: String,
}

/// A run of characters that are not white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The first [`TOKEN_BYTES`] bytes.
    bytes: [u8; TOKEN_BYTES],
    /// How many bytes it has; more than are kept where it is longer.
    length: usize,
    /// Where it begins.
    pub place: Place,
}

/// How much of a token is kept, in bytes. No valid token is longer.
pub const TOKEN_BYTES: usize = 64;

impl Token {
    /// The token, if it is text and not longer than [`TOKEN_BYTES`].
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes.get(..self.length)?).ok()
    }

    /// The token as a whole number of ASCII digits, if it is one.
    pub fn number(&self) -> Option<u64> {
        let digits = self.bytes.get(..self.length)?;
        digits.iter().try_fold(0_u64, |number, byte| {
            let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
            number.checked_mul(10)?.checked_add(digit.into())
        })
    }

    /// How many bytes it has, and those of them that are kept.
    pub fn start(&self) -> (usize, &[u8]) {
        (self.length, &self.bytes[..self.length.min(TOKEN_BYTES)])
    }

    /// An error at this token.
    pub fn expected(&self, expected: impl Into<String>) -> InputError {
        self.expected_at(0, expected)
    }

    /// An error at a character of this token, counted from 0.
    pub fn expected_at(&self, character: usize, expected: impl Into<String>) -> InputError {
        let column = self.place.column + character as u64;
        let place = Place { column, ..self.place };
        InputError { place, expected: expected.into(), found: self.shown() }
    }

    fn append(&mut self, text: &[u8]) {
        let kept = self.length.min(TOKEN_BYTES);
        let fits = text.len().min(TOKEN_BYTES - kept);
        self.bytes[kept..kept + fits].copy_from_slice(&text[..fits]);
        self.length += text.len();
    }

    /// The token in backquotes; escaped where it is not printable, shortened where it is long.
    fn shown(&self) -> String {
        const CHARACTERS: usize = 40;
        let kept = &self.bytes[..self.length.min(TOKEN_BYTES)];
        let mut pieces = Vec::new();
        for chunk in kept.utf8_chunks() {
            pieces.extend(chunk.valid().chars().map(|c| match c {
                c if c.is_control() || c.is_whitespace() => c.escape_unicode().to_string(),
                c => c.to_string(),
            }));
            pieces.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        let cut = self.length > TOKEN_BYTES || pieces.len() > CHARACTERS;
        pieces.truncate(CHARACTERS);
        let shown = pieces.concat() + if cut { "…" } else { "" };
        format!("`{shown}`")
    }
}

/// The tokens of an input.
pub struct Tokens<R> {
    reader: R,
    place: Place,
    begun: bool,
    peeked: Option<Token>,
}

/// Where the next token is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Everywhere,
    /// On the present line.
    Line,
}

impl<R: BufRead> Tokens<R> {
    /// The tokens of `reader`.
    pub fn new(reader: R) -> Self {
        Tokens { reader, place: Place { line: 1, column: 1 }, begun: false, peeked: None }
    }

    /// The next token, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// If the input can't be read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> io::Result<Option<Token>> {
        match self.peeked.take() {
            Some(token) => Ok(Some(token)),
            None => self.scan(Reach::Everywhere),
        }
    }

    /// The next token if it is on that line, the present one: its end is not waited for.
    ///
    /// # Errors
    ///
    /// If the input can't be read.
    pub fn next_in_line(&mut self, line: u64) -> io::Result<Option<Token>> {
        match self.peeked {
            Some(token) if token.place.line == line => self.next(),
            Some(_) => Ok(None),
            None if self.place.line != line => Ok(None),
            None => self.scan(Reach::Line),
        }
    }

    /// What follows on the present line, where no token was peeked at: its place and its first
    /// `most` bytes. For what may be longer than a token.
    ///
    /// # Errors
    ///
    /// If the input can't be read.
    pub fn rest_of_line(&mut self, most: usize) -> io::Result<(Place, Vec<u8>)> {
        let place = self.place;
        let mut rest = Vec::new();
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let used = end.unwrap_or(buffer.len());
            let characters = buffer[..used].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
            self.place.column += characters as u64;
            rest.extend_from_slice(&buffer[..used.min(most - rest.len())]);
            self.reader.consume(used);
            if end.is_some() || used == 0 {
                return Ok((place, rest));
            }
        }
    }

    /// The next token, which stays the next.
    ///
    /// # Errors
    ///
    /// If the input can't be read.
    pub fn peek(&mut self) -> io::Result<Option<&Token>> {
        if self.peeked.is_none() {
            self.peeked = self.scan(Reach::Everywhere)?;
        }
        Ok(self.peeked.as_ref())
    }

    /// The next token; the end of the input is an error.
    ///
    /// # Errors
    ///
    /// If there is none, or the input can't be read.
    pub fn required(&mut self, expected: impl Into<String>) -> Result<Token, ReadError> {
        let token = self.next()?;
        token.ok_or_else(|| self.end(expected).into())
    }

    /// The next token as a number of `range`.
    ///
    /// # Errors
    ///
    /// If it is not one, or the input can't be read.
    pub fn number(
        &mut self,
        range: std::ops::RangeInclusive<u64>,
        expected: impl Into<String>,
    ) -> Result<u64, ReadError> {
        let expected = expected.into();
        let token = self.required(expected.as_str())?;
        match token.number() {
            Some(number) if range.contains(&number) => Ok(number),
            _ => Err(token.expected(expected).into()),
        }
    }

    /// Takes the next token if it is that word.
    ///
    /// # Errors
    ///
    /// If it is not, or the input can't be read. (What was expected is only worked out then.)
    pub fn word(
        &mut self,
        word: &str,
        expected: impl FnOnce() -> String,
    ) -> Result<Token, ReadError> {
        match self.next()? {
            Some(token) if token.text() == Some(word) => Ok(token),
            Some(token) => Err(token.expected(expected()).into()),
            None => Err(self.end(expected()).into()),
        }
    }

    /// Makes sure that nothing follows.
    ///
    /// # Errors
    ///
    /// If something does, or the input can't be read.
    pub fn finish(&mut self, expected: &str) -> Result<(), ReadError> {
        match self.next()? {
            None => Ok(()),
            Some(token) => Err(token.expected(expected).into()),
        }
    }

    /// An error at the end of the input.
    pub fn end(&self, expected: impl Into<String>) -> InputError {
        let found = "the end of the input".into();
        InputError { place: self.place, expected: expected.into(), found }
    }

    fn scan(&mut self, reach: Reach) -> io::Result<Option<Token>> {
        let mut token: Option<Token> = None;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(token);
            }
            let mut used = 0;
            if !self.begun {
                self.begun = true;
                // (A mark split over two reads of one or two bytes is reported as a bad token.)
                if buffer.starts_with(b"\xef\xbb\xbf") {
                    used = 3;
                }
            }
            if token.is_none() {
                let blank = buffer[used..].iter().take_while(|byte| byte.is_ascii_whitespace());
                for &byte in blank {
                    if byte == b'\n' && reach == Reach::Line {
                        self.reader.consume(used);
                        return Ok(None);
                    }
                    used += 1;
                    self.place.column += 1;
                    if byte == b'\n' {
                        self.place = Place { line: self.place.line + 1, column: 1 };
                    }
                }
            }
            let rest = &buffer[used..];
            let end = rest.iter().position(u8::is_ascii_whitespace);
            let text = &rest[..end.unwrap_or(rest.len())];
            if !text.is_empty() {
                let place = self.place;
                let fresh = || Token { bytes: [0; TOKEN_BYTES], length: 0, place };
                token.get_or_insert_with(fresh).append(text);
                let characters = text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
                self.place.column += characters as u64;
            }
            used += text.len();
            self.reader.consume(used);
            if end.is_some() && token.is_some() {
                return Ok(token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &[u8]) -> Vec<(String, u64, u64)> {
        let mut tokens = Tokens::new(io::BufReader::with_capacity(4, text));
        let mut all = Vec::new();
        while let Some(token) = tokens.next().unwrap() {
            all.push((token.shown(), token.place.line, token.place.column));
        }
        all
    }

    fn token(text: &str, line: u64, column: u64) -> (String, u64, u64) {
        (format!("`{text}`"), line, column)
    }

    #[test]
    fn tokens_know_their_places_over_crlf_blank_lines_and_a_byte_order_mark() {
        assert_eq!(
            tokens("\u{feff}ab  c\r\n\r\n \té1 x".as_bytes()),
            [token("ab", 1, 1), token("c", 1, 5), token("é1", 3, 3), token("x", 3, 6)]
        );
    }

    #[test]
    fn long_and_binary_tokens_are_shown_short_and_escaped() {
        let long = vec![b'7'; 5_000_000];
        assert_eq!(tokens(&long), [token(&("7".repeat(40) + "…"), 1, 1)]);
        assert_eq!(tokens(b"a\xff\x00\x1b"), [token("a\\xff\\u{0}\\u{1b}", 1, 1)]);
    }

    #[test]
    fn a_line_is_read_to_its_end_and_no_further() {
        let text = "\u{feff} ab cdefgh \r\n\nij\tkl";
        let mut tokens = Tokens::new(io::BufReader::with_capacity(4, text.as_bytes()));
        let next = |tokens: &mut Tokens<_>, line| {
            tokens.next_in_line(line).unwrap().map(|token| (token.shown(), token.place.column))
        };
        assert_eq!(next(&mut tokens, 1), Some(("`ab`".into(), 2)));
        assert_eq!(next(&mut tokens, 2), None, "another line");
        assert_eq!(next(&mut tokens, 1), Some(("`cdefgh`".into(), 5)));
        assert_eq!((next(&mut tokens, 1), next(&mut tokens, 1)), (None, None));
        assert_eq!(tokens.peek().unwrap().unwrap().shown(), "`ij`");
        assert_eq!(next(&mut tokens, 1), None);
        assert_eq!(next(&mut tokens, 3), Some(("`ij`".into(), 1)));
        let place = Place { line: 3, column: 3 };
        assert_eq!(tokens.rest_of_line(2).unwrap(), (place, b"\tk".to_vec()));
        assert_eq!((next(&mut tokens, 3), tokens.next().unwrap()), (None, None));
        assert_eq!(tokens.place.column, 6);

        let mut tokens = Tokens::new(io::BufReader::with_capacity(4, &b"abcdefgh 12345\nx"[..]));
        tokens.next().unwrap();
        assert_eq!(tokens.rest_of_line(100).unwrap().1, b" 12345");
        assert_eq!(tokens.next().unwrap().unwrap().place, Place { line: 2, column: 1 });
    }

    #[test]
    fn only_ascii_digits_are_numbers() {
        for text in ["１", "-1", "+1", "1.", "0x1", "99999999999999999999"] {
            let token = Tokens::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(token.number(), None, "{text}");
        }
    }
}
