//! Booksort: sorting by transpositions (BAPC 2006 qualification; POJ 3460, UVa 11212).
//!
//! A move cuts out a block of neighbouring books and puts it elsewhere. The search works on a
//! shelf with bookends ([`shelf`]); the lower bounds count wrong neighbours ([`breakpoints`]) or
//! cycles ([`cycle`]), and tell from the three gaps that a move cuts how they change. What the search
//! has found out raises the latter ([`memory`]), once right neighbours are glued together ([`glue`]).
//! Which move may follow which is told by how their gaps lie to each other ([`patterns`]). Of up to
//! eleven books a table holds all orders ([`table`]).

mod breakpoints;
mod cycle;
mod glue;
mod memory;
mod patterns;
mod read;
mod shelf;
mod table;
#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::sync::OnceLock;

use deepen::heuristic::Zero;
use deepen::table::{Lookup, Width};
use deepen::{Cost, MAX_COST, Verdict};

use self::breakpoints::{Breakpoints, Successors};
use self::memory::{IN_SMALL_TABLE, Remembered};
use self::read::{Dialect, Reader};
use self::shelf::{MOST_BOOKS, NUMBERS, Shelf, Shelves, Swap};
use self::table::Orders;
use crate::answer::{Answer, Claim};
use crate::input::{ReadError, Tokens};
use crate::permutation::{self, MOST_IN_TABLE};
use crate::puzzle::{Choice, Field, Info, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::solve::Searches;
use crate::tables::{LazyTable, PuzzleTable};

/// The puzzle.
pub struct Booksort {
    dialect: Dialect,
    /// How many books every shelf has, if that is set.
    size: Option<u8>,
    /// The shelf that is to be made into those that are read; the sorted one if none is set.
    from: Option<Vec<u8>>,
    /// By number of books; made when first asked for.
    fields: Box<[OnceLock<Field<Shelves>>]>,
    /// The tables, by number of books.
    tables: Vec<LazyTable<Orders>>,
}

impl Booksort {
    /// The table of all orders of so many books, if there is one.
    fn table(&self, books: u8) -> Option<&LazyTable<Orders>> {
        self.tables.get(usize::from(books))
    }
}

/// An instance: so many books, and how they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Books {
    number: u8,
    shelf: Shelf,
}

/// How many books a generated shelf has unless another number is set.
const DRAWN: u8 = 10;

impl Booksort {
    /// How many books a generated shelf has.
    fn drawn(&self) -> u8 {
        self.size.unwrap_or(DRAWN)
    }
}

fn parse_size(text: &str) -> Result<u8, SettingsError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && (1..=MOST_BOOKS).contains(number));
    number.ok_or_else(|| {
        let text = text.escape_debug();
        SettingsError(format!("expected a number of books, 1 to {MOST_BOOKS}, found `{text}`"))
    })
}

/// The books of a shelf that is given in one text.
fn parse_from(text: &str) -> Result<Vec<u8>, SettingsError> {
    let expected = |found: &str| {
        let found = found.escape_debug();
        SettingsError(format!(
            "expected the books 1 to n, each once and up to {MOST_BOOKS}, found `{found}`"
        ))
    };
    let books: Vec<&str> = text.split_whitespace().collect();
    let mut seen = [false; NUMBERS];
    let mut shelf = Vec::new();
    for word in &books {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let book = word.parse().ok().filter(|&book: &u8| digits && book > 0);
        let book = book.filter(|&book| usize::from(book) <= books.len().min(MOST_BOOKS.into()));
        let book = book.ok_or_else(|| expected(word))?;
        if std::mem::replace(&mut seen[usize::from(book)], true) {
            return Err(expected(word));
        }
        shelf.push(book);
    }
    if shelf.is_empty() { Err(expected(text)) } else { Ok(shelf) }
}

impl Puzzle for Booksort {
    type Space = Shelves;
    type Instance = Books;

    const INFO: Info = Info {
        name: "booksort",
        summary: "Booksort: sort a shelf by moving blocks of books",
        about: "\
The books 1 to n stand on a shelf in any order. A move takes a block of neighbouring books out and
puts it in elsewhere, or, what is the same, two neighbouring blocks change places. The shelf is to
be sorted with the fewest moves: their number is known as the transposition distance.

A move is written `2-4>6`: the books at places 2 to 4 are put after the book at place 6, places
being counted from 1 on the shelf before the move; `2>6` moves a single book. The dictionary order
of moves is that of these three numbers.

Input: the number of shelves; for each the number of books, 1 to 64, then the books from left to
right. Output: a line a shelf, the number of moves, or beyond a limit of 4 moves `5 or more`; with
another limit N, `N+1 or more`, the sum worked out.

The dialect `uva-11212` has no number of shelves; a 0 ends the input (so does its end). Output:
`Case 1: 2` and so on. There is no limit unless one is given.

Of two genomes with the same genes the transposition distance is asked for in the dialect `pairs`:
two lines a case, each the names of up to 64 genes, numbers or others. The moves make the first into
the second. With `--from` all cases of the other dialects are told from one shelf: the moves make it
into each. Either way each book is renamed to the place that it is to have.

BAPC 2006 qualification; POJ 3460, AcWing 180, Luogu P10488; UVa 11212.",
        example: "3\n6\n1 3 4 6 2 5\n5\n5 4 3 2 1\n10\n6 8 5 3 4 7 2 9 1 10\n",
        heuristics: &[
            Choice {
                name: "cycle",
                about: "the cycle graph's: (n + 1 - odd cycles) / 2; it remembers",
            },
            Choice { name: "breakpoints", about: "wrong neighbours / 3, both ends counted" },
            Choice { name: "successors", about: "the contest's: wrong neighbours / 3, no ends" },
            Choice { name: "table", about: "exact, for up to 11 books; beyond, as `cycle`" },
            Choice { name: "zero", about: "nothing: plain iterative deepening" },
        ],
        dialects: &[
            Choice { name: "judge", about: "POJ 3460: the number of shelves first, limit 4" },
            Choice { name: "uva-11212", about: "UVa 11212: a 0 at the end, `Case k: d`, no limit" },
            Choice { name: "pairs", about: "two lines a case, one genome and another; no limit" },
        ],
        options: &[
            Choice {
                name: "size",
                about: "how many books each shelf has, 1 to 64; any by default, and 10 if generated",
            },
            Choice {
                name: "from",
                about: "the shelf, such as `3 1 2`, to be made into each that is read; by default \
                        each is made into the sorted one",
            },
        ],
    };

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let dialect = match settings.check(&Self::INFO)? {
            0 => Dialect::Judge,
            1 => Dialect::Uva,
            _ => Dialect::Pairs,
        };
        let size = settings.option("size").map(parse_size).transpose()?;
        let from = settings.option("from").map(parse_from).transpose()?;
        if from.is_some() && dialect == Dialect::Pairs {
            return Err(SettingsError("pairs of genomes have no other to begin from".into()));
        }
        // With a shelf to begin from, all have as many books.
        let size = match (size, &from) {
            (size, None) => size,
            (Some(size), Some(from)) if usize::from(size) != from.len() => {
                let number = from.len();
                return Err(SettingsError(format!("from has {number} books, but size is {size}")));
            }
            (_, Some(from)) => u8::try_from(from.len()).ok(),
        };
        let fields = (0..NUMBERS).map(|_| OnceLock::new()).collect();
        let table = |books| {
            let orders = Orders::new(books);
            let definition = format!("booksort {books}: distances of all orders, order 1");
            let goals = vec![permutation::sorted(books)];
            LazyTable::new(orders, goals, definition, Width::Four, &settings.tables).both_ways()
        };
        let tables = (0..=MOST_IN_TABLE).map(table).collect();
        Ok(Booksort { dialect, size, from, fields, tables })
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Books, ReadError>> + 'a {
        Reader::new(input, self.dialect, self.size, self.from.as_deref())
    }

    fn write(&self, shelves: &[Books]) -> String {
        let case = |books: &Books| {
            let places = || (1..=books.number).map(|place| books.shelf.book(place.into()));
            let line = |books: &mut dyn Iterator<Item = u8>| {
                books.map(|book| book.to_string()).collect::<Vec<_>>().join(" ") + "\n"
            };
            match (self.dialect, &self.from) {
                (Dialect::Pairs, _) => line(&mut places()) + &line(&mut (1..=books.number)),
                (_, None) => format!("{}\n{}", books.number, line(&mut places())),
                (_, Some(from)) => {
                    let mut into = vec![0; from.len()];
                    places().zip(from).for_each(|(to, &book)| into[usize::from(to) - 1] = book);
                    format!("{}\n{}", books.number, line(&mut into.into_iter()))
                }
            }
        };
        let text: String = shelves.iter().map(case).collect();
        match self.dialect {
            Dialect::Judge => format!("{}\n{text}", shelves.len()),
            Dialect::Uva => text + "0\n",
            Dialect::Pairs => text,
        }
    }

    fn cost_limit(&self) -> Option<Cost> {
        match self.dialect {
            Dialect::Judge => Some(4),
            Dialect::Uva | Dialect::Pairs => None,
        }
    }

    fn field(&self, books: &Books) -> &Field<Shelves> {
        let field = &self.fields[usize::from(books.number)];
        field.get_or_init(|| Field::new(Shelves { books: books.number }))
    }

    fn start(&self, books: &Books) -> Shelf {
        books.shelf
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        self.table(self.drawn()).map(|table| table as &dyn PuzzleTable).into_iter().collect()
    }

    fn instance(&self, like: &Books, start: Shelf) -> Books {
        Books { shelf: start, ..*like }
    }

    fn instances(&self) -> Option<u128> {
        (1..=u128::from(self.drawn())).try_fold(1, u128::checked_mul)
    }

    fn random(&self, random: &mut Random) -> Books {
        let number = self.drawn();
        let mut order: Vec<u8> = (1..=number).collect();
        random.shuffle(&mut order);
        let mut start = Shelf::sorted(number);
        (1..).zip(order).for_each(|(place, book)| start.put(place, book));
        Books { number, shelf: start }
    }

    /// The greatest of small shelves, and from nine books on a bound (Eriksson and others, *Sorting
    /// a bridge hand*, 2001), which is exact up to fifteen.
    fn greatest_distance(&self) -> Option<Cost> {
        match usize::from(self.drawn()) {
            number @ ..9 => Some([0, 0, 1, 2, 3, 3, 4, 4, 5][number]),
            number => Some((2 * number as Cost - 2) / 3),
        }
    }

    fn searches(&self) -> &dyn Searches<Self> {
        self
    }

    fn run<T: Task<Shelves>>(&self, books: &Books, heuristic: usize, task: T) -> T::Output {
        let field = self.field(books);
        match heuristic {
            1 => task.run(field, &Breakpoints),
            2 => task.run(field, &Successors),
            3 if let Some(orders) = self.table(books.number)
                && let Ok(table) = orders.get() =>
            {
                let picture = |shelf: &Shelf| orders.space.pack(shelf);
                task.run(field, &Lookup::new(&orders.space, table, picture))
            }
            0 | 3 => {
                let small = &self.tables[usize::from(IN_SMALL_TABLE)];
                task.run(field, &Remembered::new(small))
            }
            _ => task.run(field, &Zero),
        }
    }

    fn judge_answer(
        &self,
        index: u64,
        _: &Books,
        verdict: &Verdict<Swap>,
        limit: Option<Cost>,
    ) -> String {
        let answer = match verdict {
            Verdict::Solved(solution) => solution.cost.to_string(),
            _ => format!("{} or more", u64::from(limit.unwrap_or(MAX_COST)) + 1),
        };
        match self.dialect {
            Dialect::Judge | Dialect::Pairs => answer + "\n",
            Dialect::Uva => format!("Case {}: {answer}\n", index + 1),
        }
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let case = index + 1;
        let mut begin = None;
        let mut text = String::new();
        if self.dialect == Dialect::Uva {
            let number = format!("{case}:");
            let expected = |word: &str| format!("`{word}` (answer to case {case})");
            begin = Some(answers.word("Case", || expected("Case"))?.place);
            answers.word(&number, || expected(&number))?;
            text = format!("Case {number} ");
        }
        let expected = || format!("the number of moves (answer to shelf {case})");
        let Some(token) = answers.next()? else { return Err(answers.end(expected()).into()) };
        let number = token.number().ok_or_else(|| token.expected(expected()))?;
        text += token.text().unwrap_or_default();
        let mut claim = Claim::Cost(number);
        if answers.peek()?.is_some_and(|token| token.text() == Some("or")) {
            answers.next()?;
            answers.word("more", || format!("`more` (answer to shelf {case})"))?;
            text += " or more";
            claim = Claim::AboveLimit(Some(number));
        }
        Ok(Answer { claim, text, place: begin.unwrap_or(token.place) })
    }

    fn move_name(&self, _: &Shelves, swap: Swap) -> String {
        let (from, to, after) = (swap.first, swap.second - 1, swap.third - 1);
        if from == to { format!("{from}>{after}") } else { format!("{from}-{to}>{after}") }
    }

    /// The books from left to right, with a bar in each gap that is a breakpoint.
    fn draw(&self, space: &Shelves, state: &Shelf) -> String {
        let width = space.books.to_string().len();
        let bar = |gap| if state.is_breakpoint(gap) { "|" } else { " " };
        let book = |place| format!("{}{:width$}", bar(place), state.book(place));
        let books: String = (1..=space.books.into()).map(book).collect();
        (books + bar(u32::from(space.books) + 1)).trim_end().to_string() + "\n"
    }
}
