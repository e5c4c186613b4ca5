//! Where a puzzle's definition comes from: a file, one that is built in, or its size.

use super::Twisted;
use crate::solve::Searches;
use std::fmt::Write;
use std::io::Read;
use std::sync::Arc;

use super::letters::{Metric, letters};
use super::model::Definition;
use super::space::Twists;
use super::{kpuzzle, scrambles, tws};
use crate::input::ReadError;
use crate::puzzle::{Choice, Info, Settings, SettingsError, find};

/// What gives a puzzle its name, its options and its definition.
pub trait Origin: 'static {
    /// What there is to know of it.
    const INFO: Info;

    /// Its definition as a file, and the name of the file.
    ///
    /// # Errors
    ///
    /// If the options make no sense or the file can't be read.
    fn source(settings: &Settings) -> Result<Source, String>;

    /// See [`Puzzle::searches`](crate::Puzzle::searches): compiled with the origin.
    fn searches(puzzle: &Twisted<Self>) -> &dyn Searches<Twisted<Self>>
    where
        Self: Sized;
}

/// A definition as a text.
pub struct Source {
    /// What errors in it are told to be in.
    pub(super) file: String,
    /// What tables of it are called.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
}

/// What the settings say of a search.
pub(super) struct Setup {
    pub(super) name: String,
    metric: Metric,
    moves: Option<String>,
    /// How much memory tables may take, in bytes.
    pub(super) memory: u64,
}

/// The longest file, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// How much memory tables may take unless it is said, in bytes.
const MEMORY: u64 = 512 << 20;

/// Reads the definition that the settings name.
///
/// # Errors
///
/// If the settings make no sense, or the file can't be read or is wrong.
pub(super) fn setup(source: Source, settings: &Settings) -> Result<(Definition, Setup), String> {
    let Source { file, name, text } = source;
    let is_json = text.trim_ascii_start().starts_with(b"{");
    let read = if is_json {
        let whole = String::from_utf8(text);
        let text = whole
            .map_err(|_| format!("{file}: expected text in UTF-8, found bytes that are none"))?;
        kpuzzle::read(&text)
    } else {
        tws::read(text.as_slice())
    };
    let definition = read.map_err(|error| match error {
        ReadError::Bad(error) => format!("{file}:{error}"),
        ReadError::Io(error) => format!("{file}: {error}"),
    })?;
    if let Some(illegal) = scrambles::illegal(&definition, &definition.solved) {
        let found = scrambles::tell(illegal, &definition, &definition.solved);
        return Err(format!("{file}: expected a legal solved state, found {found}"));
    }
    let metric = match settings.option("metric") {
        None => Metric::Half,
        Some(name) => match find(METRICS, name) {
            Ok(0) => Metric::Half,
            Ok(_) => Metric::Quarter,
            Err(known) => {
                return Err(format!("no metric `{}`; there is {known}", name.escape_debug()));
            }
        },
    };
    let memory = settings.option("table-memory").map_or(Ok(MEMORY), parse_memory)?;
    let moves = settings.option("moves").map(str::to_string);
    Ok((definition, Setup { name, metric, moves, memory }))
}

/// The metrics.
const METRICS: &[Choice] = &[
    Choice { name: "half", about: "every power of a move is one move" },
    Choice { name: "quarter", about: "a move and its inverse are one move, other powers are more" },
];

impl Setup {
    /// The space of the definition.
    pub(super) fn space(&self, definition: &Arc<Definition>) -> Result<Twists, SettingsError> {
        let letters = letters(definition, self.metric, self.moves.as_deref());
        let space = letters.and_then(|letters| Twists::new(definition, letters, self.metric));
        space.map_err(|error| SettingsError(format!("{}: {error}", self.name)))
    }
}

/// Reads an amount of memory such as `500MB` or `2GiB`, in bytes.
fn parse_memory(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 7] = [
        ("gib", 1 << 30),
        ("mib", 1 << 20),
        ("kib", 1 << 10),
        ("gb", 1_000_000_000),
        ("mb", 1_000_000),
        ("kb", 1000),
        ("b", 1),
    ];
    let lower = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find_map(|&(name, size)| Some((lower.strip_suffix(name)?, size)));
    let (number, size) = unit.unwrap_or((&lower, 1));
    let (whole, part) = number.trim_end().split_once('.').unwrap_or((number.trim_end(), "0"));
    let scale = 10_u64.checked_pow(part.len() as u32);
    let bytes = || {
        let whole = super::lines::number(whole)?.checked_mul(size)?;
        let part = super::lines::number(part)?.checked_mul(size)? / scale?;
        whole.checked_add(part)
    };
    bytes().ok_or_else(|| {
        let text = text.escape_debug();
        format!("expected an amount of memory such as `500MB` or `2GiB`, found `{text}`")
    })
}

/// What all twisty puzzles can be told.
const TABLE_MEMORY: Choice = Choice {
    name: "table-memory",
    about: "how much the tables of a heuristic may take; 512MiB by default",
};

const HEURISTICS: &[Choice] = &[
    Choice { name: "small", about: "pattern databases that are built in a second or two" },
    Choice {
        name: "pdb",
        about: "pattern databases that fill --table-memory; default once stored",
    },
    Choice { name: "zero", about: "nothing: plain iterative deepening" },
];

/// A file, or a puzzle that is built in.
#[derive(Debug)]
pub struct Files;

/// The puzzles that are built in.
const BUILT_IN: &[(&str, &str)] = &[
    ("2x2x2", include_str!("definitions/2x2x2.tws")),
    ("3x3x3", include_str!("definitions/3x3x3.tws")),
    ("floppy", include_str!("definitions/floppy.tws")),
    ("pyraminx", include_str!("definitions/pyraminx.tws")),
    ("skewb", include_str!("definitions/skewb.tws")),
];

impl Origin for Files {
    fn searches(puzzle: &Twisted<Self>) -> &dyn Searches<Twisted<Self>> {
        puzzle
    }

    const INFO: Info = Info {
        name: "twisty",
        summary: "Twisty puzzles: cubes and others, from a file in the language .tws or KPuzzle JSON",
        about: "\
A twisty puzzle has sets of pieces (corners, edges) that change places and turn. A file defines the
sets, the solved state and the moves, in the language .tws (see docs/twisty.md) or as KPuzzle JSON;
--puzzle names the file, or one that is built in: 2x2x2 (a corner held still), 3x3x3, floppy,
pyraminx (without tips), skewb. A move brings its powers with it: X, X2, X', and so on. Moves whose
names end in v, and x, y, z, turn the whole puzzle and are not searched.

Input: scrambles, one after the other. A line of moves such as R U2 F' is made from the solved
state. `Scramble NAME` is followed by a block that says what each slot holds, counted from 1, and
`ScrambleState NAME` by one that counts from 0, as in the language; `ScrambleAlg NAME` by lines of
moves up to `End`. A line that begins with { is a KPuzzle pattern.

Output: a line a scramble, the moves of the first shortest solution in the order of the file's
moves and of their powers, parted by blanks; `-` if no move is needed, `impossible` if none help;
beyond a limit N, `N+1 or more`, the sum worked out.",
        example: "R U R' U'\nF R2 U' F2 R U2\nScrambleState twisted\nCORNERS\n0 1 2 3 4 5 6 7\n1 2 0 0 0 0 0 0\nEnd\n",
        heuristics: HEURISTICS,
        dialects: &[Choice { name: "judge", about: "a line of moves a scramble" }],
        options: &[
            Choice {
                name: "puzzle",
                about: "a file, or 2x2x2 (default), 3x3x3, floppy, pyraminx, skewb",
            },
            Choice {
                name: "metric",
                about: "half (default): every power is one move; quarter: X and X' are",
            },
            Choice {
                name: "moves",
                about: "the moves to use, such as U,F,R2: each with its powers",
            },
            TABLE_MEMORY,
        ],
    };

    fn source(settings: &Settings) -> Result<Source, String> {
        let puzzle = settings.option("puzzle").unwrap_or("2x2x2");
        if let Some((name, text)) = BUILT_IN.iter().find(|(name, _)| *name == puzzle) {
            return Ok(Source { file: (*name).into(), name: (*name).into(), text: (*text).into() });
        }
        let path = std::path::Path::new(puzzle);
        let unreadable = |error: std::io::Error| {
            let names = BUILT_IN.map_names();
            format!("can't read {}: {error} (built in are {names})", puzzle.escape_debug())
        };
        let mut text = Vec::new();
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(format!(
                "{puzzle}: expected a file of at most {MOST_BYTES} bytes, found a longer one"
            ));
        }
        let name =
            path.file_stem().map_or("twisty".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Source { file: puzzle.into(), name, text })
    }
}

/// The names of a list, parted by commas.
trait Named {
    fn map_names(&self) -> String;
}

impl Named for [(&str, &str)] {
    fn map_names(&self) -> String {
        self.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// A ring of numbers.
#[derive(Debug)]
pub struct Rings;

/// The most numbers that a ring has.
const MOST_NUMBERS: usize = 128;

impl Origin for Rings {
    fn searches(puzzle: &Twisted<Self>) -> &dyn Searches<Twisted<Self>> {
        puzzle
    }

    const INFO: Info = Info {
        name: "topspin",
        summary: "TopSpin: a ring of numbers, neighbours of which are turned round",
        about: "\
The numbers 1 to N stand in a ring. A move turns K neighbours round: F1 the numbers in places 1 to
K, F2 those in places 2 to K + 1, and so on round the ring, so there are N moves. The ring is to be
brought into order with the fewest moves. (Turning the ring costs nothing in the real thing; here
places are fixed and each of them can be turned round, which is the same but for where 1 ends.)

It is a twisty puzzle whose definition is worked out from its size, so scrambles are read and
answers written as for twisty; the set of pieces is called RING.",
        example: "F1 F3 F5\nF2 F4\n",
        heuristics: HEURISTICS,
        dialects: &[Choice { name: "judge", about: "a line of moves a scramble" }],
        options: &[
            Choice {
                name: "size",
                about: "how many numbers, and how many a move turns round; 20,4 by default",
            },
            TABLE_MEMORY,
        ],
    };

    fn source(settings: &Settings) -> Result<Source, String> {
        let size = settings.option("size").unwrap_or("20,4");
        let parse = || {
            let (numbers, turned) = size.split_once(',')?;
            let [numbers, turned] = [numbers, turned].map(super::lines::number);
            let (numbers, turned) = (numbers? as usize, turned? as usize);
            let fits = (3..=MOST_NUMBERS).contains(&numbers) && (2..numbers).contains(&turned);
            fits.then_some((numbers, turned))
        };
        let (numbers, turned) = parse().ok_or_else(|| {
            format!(
                "expected N,K: how many numbers, 3 to {MOST_NUMBERS}, and how many a move turns \
                 round, 2 to N - 1; found `{}`",
                size.escape_debug()
            )
        })?;
        let mut text = format!("Name topspin\nSet RING {numbers} 1\nSolved\nEnd\n");
        for first in 0..numbers {
            let mut ring: Vec<usize> = (0..numbers).collect();
            for place in 0..turned {
                ring[(first + place) % numbers] = (first + turned - 1 - place) % numbers;
            }
            let ring: Vec<String> = ring.iter().map(ToString::to_string).collect();
            let ring = ring.join(" ");
            let _ = write!(text, "MoveTransformation F{}\nRING\n{ring}\nEnd\n", first + 1);
        }
        let name = format!("topspin {numbers},{turned}");
        Ok(Source { file: name.clone(), name, text: text.into() })
    }
}
