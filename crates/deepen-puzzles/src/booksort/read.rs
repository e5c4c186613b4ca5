//! Reading shelves, in the dialects of both judges.

use std::io::BufRead;

use super::Books;
use super::shelf::{MOST_BOOKS, NUMBERS, Shelf};
use crate::input::{InputError, ReadError, Token, Tokens};

/// A judge's form of input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// POJ 3460: the number of shelves comes first.
    Judge,
    /// UVa 11212: a 0 comes last.
    Uva,
    /// Two lines a case: the genes of one genome, and those of another.
    Pairs,
}

/// The shelves of an input.
pub(super) struct Reader<'a, R> {
    tokens: Tokens<R>,
    dialect: Dialect,
    /// How many books each shelf may have, at the least and at the most.
    sizes: (u8, u8),
    /// The shelf that is to be made into those that are read, if it is not the sorted one.
    from: Option<&'a [u8]>,
    /// How many shelves the input says it has; known once the first was asked for.
    shelves: Option<u64>,
    read: u64,
    ended: bool,
}

impl<'a, R: BufRead> Reader<'a, R> {
    /// Reads shelves of any number of books, or of that alone.
    pub(super) fn new(
        input: R,
        dialect: Dialect,
        size: Option<u8>,
        from: Option<&'a [u8]>,
    ) -> Self {
        let sizes = size.map_or((1, MOST_BOOKS), |size| (size, size));
        let tokens = Tokens::new(input);
        Reader { tokens, dialect, sizes, from, shelves: None, read: 0, ended: false }
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
            Dialect::Pairs => return self.pair(),
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
        if let Some(from) = self.from {
            // What is to come to which place.
            (1..).zip(from).for_each(|(place, &book)| start.put(place, places[usize::from(book)]));
        }
        Ok(Some(Books { number, shelf: start }))
    }

    /// The next pair of genomes: each gene of the one is numbered by its place in the other.
    fn pair(&mut self) -> Result<Option<Books>, ReadError> {
        let Some(first) = self.tokens.peek()?.map(|token| token.place) else {
            return Ok(None);
        };
        self.read += 1;
        let pair = format!("pair {}", self.read);
        let one = self.genome(&format!("first genome of {pair}"))?;
        if self.tokens.peek()?.is_none() {
            let expected = format!("the second genome, on a line of its own ({pair})");
            return Err(self.tokens.end(expected).into());
        }
        let two = self.genome(&format!("second genome of {pair}"))?;
        let mut places = Vec::new();
        for gene in &one {
            let place = two.iter().zip(1..).find(|(other, _)| other.text() == gene.text());
            let Some((_, place)) = place else {
                let expected = format!("a gene of the second genome too ({pair})");
                return Err(gene.expected(expected).into());
            };
            places.push(place);
        }
        if let Some(more) =
            two.iter().find(|gene| one.iter().all(|other| other.text() != gene.text()))
        {
            return Err(more.expected(format!("a gene of the first genome ({pair})")).into());
        }
        let number = places.len() as u8; // No genome has more than 64 genes.
        let (least, most) = self.sizes;
        if !(least..=most).contains(&number) {
            let expected = format!("genomes of {most} genes ({pair})");
            return Err(InputError { place: first, expected, found: number.to_string() }.into());
        }
        let mut start = Shelf::sorted(number);
        (1..).zip(places).for_each(|(gene, place)| start.put(gene, place));
        Ok(Some(Books { number, shelf: start }))
    }

    /// The genes on the line of the next token.
    fn genome(&mut self, name: &str) -> Result<Vec<Token>, ReadError> {
        let mut genes: Vec<Token> = Vec::new();
        while let Some(&gene) = self.tokens.peek()?
            && genes.first().is_none_or(|first| first.place.line == gene.place.line)
        {
            self.tokens.next()?;
            if gene.text().is_none() {
                return Err(gene.expected(format!("a gene's name, 1 to 64 bytes ({name})")).into());
            }
            if genes.len() == usize::from(MOST_BOOKS) {
                let expected = format!("no more than {MOST_BOOKS} genes ({name})");
                return Err(gene.expected(expected).into());
            }
            if let Some(seen) = genes.iter().position(|other| other.text() == gene.text()) {
                let error = gene.expected(format!("a gene that is not there yet ({name})"));
                let found = format!("{}, which is at place {} already", error.found, seen + 1);
                return Err(InputError { found, ..error }.into());
            }
            genes.push(gene);
        }
        Ok(genes)
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

impl<R: BufRead> Iterator for Reader<'_, R> {
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
