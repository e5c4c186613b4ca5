//! Reading shelves, in the dialects of both judges.

use std::io::BufRead;

use super::Books;
use super::shelf::{MOST_BOOKS, NUMBERS, Shelf};
use crate::input::{InputError, ReadError, Tokens};

/// A judge's form of input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// POJ 3460: the number of shelves comes first.
    Judge,
    /// UVa 11212: a 0 comes last.
    Uva,
}

/// The shelves of an input.
pub(super) struct Reader<R> {
    tokens: Tokens<R>,
    dialect: Dialect,
    /// How many books each shelf may have, at the least and at the most.
    sizes: (u8, u8),
    /// How many shelves the input says it has; known once the first was asked for.
    shelves: Option<u64>,
    read: u64,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads shelves of any number of books, or of that alone.
    pub(super) fn new(input: R, dialect: Dialect, size: Option<u8>) -> Self {
        let sizes = size.map_or((1, MOST_BOOKS), |size| (size, size));
        let tokens = Tokens::new(input);
        Reader { tokens, dialect, sizes, shelves: None, read: 0, ended: false }
    }

    /// The number of books of a shelf, which `name` tells; or a 0, where that is the end.
    fn number(&mut self, name: &str) -> Result<u8, ReadError> {
        let (least, most) = self.sizes;
        let sizes = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        let expected = format!("the number of books, {sizes} ({name})");
        let token = self.tokens.required(expected.as_str())?;
        let number = token.number().and_then(|number| u8::try_from(number).ok());
        let is_right = |&number: &u8| {
            (least..=most).contains(&number) || number == 0 && self.dialect == Dialect::Uva
        };
        number.filter(is_right).ok_or_else(|| token.expected(expected).into())
    }

    fn books(&mut self) -> Result<Option<Books>, ReadError> {
        let number = match self.dialect {
            Dialect::Judge => self.number_after_count()?,
            Dialect::Uva => self.number_before_zero()?,
        };
        let Some(number) = number else {
            return Ok(None);
        };
        let mut start = Shelf::sorted(number);
        let mut places = [0_u8; NUMBERS];
        for place in 1..=number {
            let here = format!("place {place} of {number}, shelf {}", self.read);
            let expected = format!("a book from 1 to {number} ({here})");
            let token = self.tokens.required(expected.as_str())?;
            let book = token.number().and_then(|book| u8::try_from(book).ok());
            let Some(book) = book.filter(|book| (1..=number).contains(book)) else {
                return Err(token.expected(expected).into());
            };
            let seen = std::mem::replace(&mut places[usize::from(book)], place);
            if seen != 0 {
                let expected = format!("a book that is not on the shelf yet ({here})");
                let error = token.expected(expected);
                let found = format!("{}, which is at place {seen} already", error.found);
                return Err(InputError { found, ..error }.into());
            }
            start.put(place, book);
        }
        Ok(Some(Books { number, shelf: start }))
    }

    /// The next shelf's number of books, where the number of shelves comes first.
    fn number_after_count(&mut self) -> Result<Option<u8>, ReadError> {
        let shelves = match self.shelves {
            Some(shelves) => shelves,
            None => self.tokens.number(0..=u64::MAX, "the number of shelves")?,
        };
        self.shelves = Some(shelves);
        if self.read == shelves {
            self.tokens.finish("nothing after the last shelf")?;
            return Ok(None);
        }
        self.read += 1;
        let name = format!("shelf {} of {shelves}", self.read);
        self.number(&name).map(Some)
    }

    /// The next shelf's number of books, where a 0 or the end of the input comes last.
    fn number_before_zero(&mut self) -> Result<Option<u8>, ReadError> {
        if self.tokens.peek()?.is_none() {
            return Ok(None);
        }
        self.read += 1;
        let name = format!("shelf {}, or 0 at the end", self.read);
        let number = self.number(&name)?;
        if number == 0 {
            self.tokens.finish("nothing after the final 0")?;
            return Ok(None);
        }
        Ok(Some(number))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Books, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let books = self.books().transpose();
        self.ended = !matches!(books, Some(Ok(_)));
        books
    }
}
