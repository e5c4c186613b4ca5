//! Reading boards: a line each, and the goal that is given on the command line.
//!
//! Numbers are parted by white space. A `/` ends a row, with or without space about it. How many
//! numbers there are tells what they are: as many as a board has cells, or one more, and then the
//! first is an index, which is skipped.

use std::io::BufRead;

use super::SlidingInstance;
use super::board::{Board, MOST_CELLS};
use super::size::Size;
use super::tile::Tile;
use crate::input::{InputError, Place, ReadError, Token, Tokens};
use crate::puzzle::SettingsError;

/// The boards of an input.
pub(super) struct Reader<R> {
    tokens: Tokens<R>,
    /// The size of all boards, if that is set.
    size: Option<Size>,
    /// How many boards were begun.
    read: u64,
    ended: bool,
}

/// A number of a line, and where it is.
#[derive(Debug, Clone, Copy)]
struct Number {
    /// `None` if it is too large for any board, and can only be an index.
    value: Option<usize>,
    token: Token,
    /// Which of the token's characters is its first.
    character: usize,
}

impl Number {
    fn expected(&self, expected: String) -> InputError {
        // (What comes before it in the token are digits and `/`, a byte each.)
        let text = self.token.text().and_then(|text| text.get(self.character..));
        let digits = text.and_then(|text| text.split('/').next()).unwrap_or_default();
        let error = self.token.expected_at(self.character, expected);
        InputError { found: format!("`{digits}`"), ..error }
    }
}

/// The numbers of a line, by rows.
struct Line {
    /// Where the line begins.
    place: Place,
    rows: Vec<Vec<Number>>,
}

impl Line {
    fn numbers(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// An error about the whole line.
    fn expected(&self, expected: String) -> InputError {
        let found = match (self.rows.len(), self.numbers()) {
            (1, 1) => "1 number".into(),
            (1, numbers) => format!("{numbers} numbers"),
            _ => {
                let lengths = self.rows.iter().map(|row| row.len().to_string());
                format!("rows of {}", lengths.collect::<Vec<_>>().join(", "))
            }
        };
        InputError { place: self.place, expected, found }
    }

    /// The size that it has, and whether an index comes first.
    fn size(&self, wanted: Option<Size>, name: &str) -> Result<(Size, bool), InputError> {
        let numbers = self.numbers();
        let size = match (&self.rows[..], wanted) {
            ([_], Some(size)) => Some(size),
            ([_], None) => Size::square(numbers).or_else(|| Size::square(numbers.max(1) - 1)),
            (rows, _) => Size::new(rows.len(), rows[rows.len() - 1].len()),
        };
        let fits = |size: &Size| {
            wanted.is_none_or(|wanted| wanted == *size)
                && (numbers == size.cells() || numbers == size.cells() + 1)
                && self.rows.iter().skip(1).all(|row| row.len() == size.columns)
        };
        let size = size.filter(fits).ok_or_else(|| {
            let expected = match wanted {
                Some(size) => format!("the {} numbers of a board of {size}", size.cells()),
                None => "the numbers of a square board, or of one with a `/` after each row".into(),
            };
            self.expected(format!("{expected}, or one more with an index in front ({name})"))
        })?;
        Ok((size, numbers > size.cells()))
    }

    /// The board, without the index.
    fn board(&self, wanted: Option<Size>, name: &str) -> Result<SlidingInstance, InputError> {
        let (size, index) = self.size(wanted, name)?;
        let cells = size.cells();
        let mut tiles = [Tile::BLANK; MOST_CELLS];
        let mut places = [None; MOST_CELLS];
        for (cell, number) in self.rows.iter().flatten().skip(usize::from(index)).enumerate() {
            let here = || {
                let skipped = if index { ", after the index" } else { "" };
                format!("cell {} of {cells}{skipped}, {name}", cell + 1)
            };
            let tile = number.value.filter(|&value| value < cells).and_then(Tile::new);
            let Some(tile) = tile else {
                let expected = format!("a number from 0 to {} ({})", cells - 1, here());
                return Err(number.expected(expected));
            };
            if let Some(before) = places[tile.number()].replace(cell + 1) {
                let error = number.expected(format!("a number not used yet ({})", here()));
                let found = format!("{}, which is in cell {before} already", error.found);
                return Err(InputError { found, ..error });
            }
            tiles[cell] = tile;
        }
        Ok(SlidingInstance { size, board: Board::new(&tiles[..cells]) })
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads boards of any size, or of that alone.
    pub(super) fn new(input: R, size: Option<Size>) -> Self {
        Reader { tokens: Tokens::new(input), size, read: 0, ended: false }
    }

    /// The next board, if there is one.
    fn board(&mut self) -> Result<Option<SlidingInstance>, ReadError> {
        self.read += 1;
        self.one(&format!("board {}", self.read))
    }

    /// The board of the next line that has any numbers.
    fn one(&mut self, name: &str) -> Result<Option<SlidingInstance>, ReadError> {
        let Some(first) = self.tokens.next()? else { return Ok(None) };
        let line = self.line(first, name)?;
        Ok(Some(line.board(self.size, name)?))
    }

    /// The line that a token begins.
    fn line(&mut self, first: Token, name: &str) -> Result<Line, ReadError> {
        let place = first.place;
        let mut line = Line { place, rows: vec![Vec::new()] };
        let mut next = Some(first);
        while let Some(token) = next {
            Self::add(&mut line, token, name)?;
            next = self.tokens.next_in_line(place.line)?;
        }
        if let Some([]) = line.rows.last().map(Vec::as_slice) {
            line.rows.pop(); // What ended with a `/`.
        }
        Ok(line)
    }

    /// Adds the numbers of a token, and the rows that it ends.
    fn add(line: &mut Line, token: Token, name: &str) -> Result<(), InputError> {
        // (What is too long for a token is no number, or a column without a space.)
        let bad = |character| token.expected_at(character, format!("a number or `/` ({name})"));
        let text = token.text().ok_or_else(|| bad(0))?;
        let mut character = 0;
        for (place, digits) in text.split('/').enumerate() {
            if place > 0 {
                let row = line.rows.last().map_or(0, Vec::len);
                if row == 0 || line.rows.len() == MOST_CELLS {
                    return Err(bad(character - 1));
                }
                line.rows.push(Vec::new());
            }
            if !digits.is_empty() {
                if let Some(wrong) = digits.chars().position(|digit| !digit.is_ascii_digit()) {
                    return Err(bad(character + wrong));
                }
                if line.numbers() > MOST_CELLS {
                    let expected = format!("no more than {MOST_CELLS} numbers ({name})");
                    return Err(token.expected_at(character, expected));
                }
                let value = digits.parse().ok();
                if let Some(row) = line.rows.last_mut() {
                    row.push(Number { value, token, character });
                }
            }
            character += digits.len() + 1;
        }
        Ok(())
    }
}

/// The goal that is given as a board, of any size or of that alone.
pub(super) fn goal(text: &str, size: Option<Size>) -> Result<SlidingInstance, SettingsError> {
    let mut reader = Reader::new(text.as_bytes(), size);
    let goal = reader.one("the goal").map_err(|error| match error {
        ReadError::Bad(InputError { expected, found, .. }) => {
            SettingsError(format!("expected {expected}, found {found}"))
        }
        ReadError::Io(error) => SettingsError(error.to_string()),
    })?;
    if let (Some(goal), Ok(None)) = (goal, reader.tokens.next()) {
        return Ok(goal);
    }
    let text = text.escape_debug();
    Err(SettingsError(format!("expected `first`, `last` or a board, found `{text}`")))
}

/// The size of rows and columns, as in `3x4`.
pub(super) fn size(text: &str) -> Result<Size, SettingsError> {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    let size = text.split_once('x');
    let size = size.and_then(|(rows, columns)| Size::new(number(rows)?, number(columns)?));
    size.ok_or_else(|| {
        let text = text.escape_debug();
        SettingsError(format!(
            "expected a size as in 4x4, of {MOST_CELLS} cells at the most, found `{text}`"
        ))
    })
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<SlidingInstance, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let board = self.board().transpose();
        self.ended = !matches!(board, Some(Ok(_)));
        board
    }
}
