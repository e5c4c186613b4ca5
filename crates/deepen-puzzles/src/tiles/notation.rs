//! How moves are written: named after the way of the blank or after that of the tile, one by one or
//! with equal ones in a row counted.

use super::board::Direction;
use crate::puzzle::SettingsError;

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notation {
    pub(super) named: Named,
    pub(super) repeated: Repeated,
}

/// What moves are named after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// The way that the blank moves.
    Blank,
    /// The way that the tile moves.
    Tile,
}

/// How a move that is made several times in a row is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    /// Several times.
    Each,
    /// Once, with how often it is made after it.
    Counted,
}

/// By the name on the command line.
const NOTATIONS: [(&str, Notation); 4] = [
    ("blank", Notation { named: Named::Blank, repeated: Repeated::Each }),
    ("tile", Notation { named: Named::Tile, repeated: Repeated::Each }),
    ("blank-runs", Notation { named: Named::Blank, repeated: Repeated::Counted }),
    ("tile-runs", Notation { named: Named::Tile, repeated: Repeated::Counted }),
];

impl Notation {
    /// That of a name, or the default.
    pub(super) fn parse(name: Option<&str>) -> Result<Notation, SettingsError> {
        let Some(name) = name else { return Ok(NOTATIONS[0].1) };
        let known = NOTATIONS.iter().find(|(known, _)| *known == name);
        known.map(|&(_, notation)| notation).ok_or_else(|| {
            let names = NOTATIONS.map(|(known, _)| format!("`{known}`")).join(", ");
            SettingsError(format!("no notation `{}`; there is {names}", name.escape_debug()))
        })
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        let known = NOTATIONS.iter().find(|(_, known)| *known == self);
        known.map_or("", |(name, _)| name)
    }

    /// The letter of a move, told by the way of the blank.
    pub(super) fn letter(self, direction: Direction) -> char {
        let direction = match self.named {
            Named::Blank => direction,
            Named::Tile => direction.opposite(),
        };
        ['U', 'L', 'R', 'D'][direction as usize]
    }

    /// Moves in a row.
    pub(super) fn write(self, directions: impl Iterator<Item = Direction>) -> String {
        let letters: Vec<char> = directions.map(|direction| self.letter(direction)).collect();
        match self.repeated {
            Repeated::Each => letters.into_iter().collect(),
            Repeated::Counted => {
                let run = |run: &[char]| match run.len() {
                    1 => run[0].to_string(),
                    length => format!("{}{length}", run[0]),
                };
                letters.chunk_by(|one, next| one == next).map(run).collect()
            }
        }
    }
}

/// The letters of moves in a row, written in any notation: `R2UL` as `RRUL`. There are no more than
/// `most` of them, and white space between them does not matter.
///
/// # Errors
///
/// The place of the character, counted from 0, that is not a part of this.
pub(super) fn letters(text: &str, most: usize) -> Result<Vec<char>, usize> {
    let mut letters = Vec::new();
    let mut characters = text.chars().enumerate().peekable();
    while let Some((place, letter)) = characters.next() {
        if letter.is_ascii_whitespace() {
            continue;
        }
        if !matches!(letter, 'U' | 'L' | 'R' | 'D') {
            return Err(place);
        }
        let mut count: Option<usize> = None;
        while let Some((_, digit)) = characters.next_if(|(_, next)| next.is_ascii_digit()) {
            let digit = digit as usize - '0' as usize;
            count = Some(count.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        let count = count.unwrap_or(1);
        if count == 0 || count > most - letters.len() {
            return Err(place);
        }
        letters.extend(std::iter::repeat_n(letter, count));
    }
    Ok(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_and_read_back() {
        use Direction::{Down, Left, Right, Up};
        let moves = [Right, Right, Up, Up, Left, Down];
        for (name, text) in [
            ("blank", "RRUULD"),
            ("tile", "LLDDRU"),
            ("blank-runs", "R2U2LD"),
            ("tile-runs", "L2D2RU"),
        ] {
            let notation = Notation::parse(Some(name)).unwrap();
            assert_eq!(notation.name(), name);
            assert_eq!(notation.write(moves.into_iter()), text);
            let read = letters(text, 6).unwrap();
            assert!(read.into_iter().eq(moves.map(|direction| notation.letter(direction))));
        }
        assert_eq!(Notation::parse(None), Notation::parse(Some("blank")));
        assert!(Notation::parse(Some("Blank")).is_err());
    }

    #[test]
    fn letters_are_read_in_any_form_up_to_the_most() {
        let read = |text| letters(text, 12).map(|letters| letters.into_iter().collect::<String>());
        assert_eq!(read("R2U1L").unwrap(), "RRUL");
        assert_eq!(read(" R R\tU L").unwrap(), "RRUL");
        assert_eq!(read("R2R10").unwrap(), "R".repeat(12));
        assert_eq!(read("").unwrap(), "");
        for (text, place) in [
            ("2R", 0),
            ("RX", 1),
            ("U R0", 2),
            ("R2R11", 2),
            ("R99999999999999999999999", 0),
            ("Ré", 1),
            ("r", 0),
        ] {
            assert_eq!(read(text), Err(place), "{text}");
        }
    }
}
