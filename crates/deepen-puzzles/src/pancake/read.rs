//! Reading stacks, a line each.

use std::io::BufRead;

use super::Pancakes;
use super::stack::{MOST_PANCAKES, NUMBERS, Stack};
use crate::input::{InputError, ReadError, Token, Tokens};

/// The stacks of an input.
pub(super) struct Reader<R> {
    tokens: Tokens<R>,
    /// How many pancakes each stack must have, if that is set.
    size: Option<u8>,
    read: u64,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R, size: Option<u8>) -> Self {
        Reader { tokens: Tokens::new(input), size, read: 0, ended: false }
    }

    fn stack(&mut self) -> Result<Option<Pancakes>, ReadError> {
        let Some(first) = self.tokens.peek()?.copied() else {
            return Ok(None);
        };
        self.read += 1;
        let most = self.size.unwrap_or(MOST_PANCAKES);
        let mut stack = Stack::sorted(MOST_PANCAKES);
        let mut places = [0_u8; NUMBERS];
        let mut largest: Option<(u8, u8, Token)> = None;
        let mut number = 0;
        while let Some(&token) = self.tokens.peek()?
            && token.place.line == first.place.line
        {
            self.tokens.next()?;
            let here = || format!("place {} of stack {}", number + 1, self.read);
            let pancake = token.number().and_then(|pancake| u8::try_from(pancake).ok());
            let Some(pancake) = pancake.filter(|pancake| (1..=most).contains(pancake)) else {
                let expected = format!("a pancake from 1 to {most} ({})", here());
                return Err(token.expected(expected).into());
            };
            let seen = std::mem::replace(&mut places[usize::from(pancake)], number + 1);
            if seen != 0 {
                let expected = format!("a pancake that is not in the stack yet ({})", here());
                let error = token.expected(expected);
                let found = format!("{}, which is at place {seen} already", error.found);
                return Err(InputError { found, ..error }.into());
            }
            stack.put(number, pancake);
            number += 1;
            if largest.is_none_or(|(largest, ..)| pancake > largest) {
                largest = Some((pancake, number, token));
            }
        }
        if let Some(size) = self.size.filter(|&size| size != number) {
            let expected = format!("{size} pancakes (stack {})", self.read);
            let found = format!("{number}");
            return Err(InputError { place: first.place, expected, found }.into());
        }
        if let Some((largest, place, token)) = largest
            && largest > number
        {
            let expected = format!(
                "a pancake from 1 to {number}, as many as there are (place {place} of stack {})",
                self.read
            );
            return Err(token.expected(expected).into());
        }
        Ok(Some(Pancakes::new(number, |above| stack.under(above))))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Pancakes, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let stack = self.stack().transpose();
        self.ended = !matches!(stack, Some(Ok(_)));
        stack
    }
}
