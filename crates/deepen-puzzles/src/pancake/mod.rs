//! Pancakes: sorting by prefix reversals (Goodman, *American Mathematical Monthly*, 1975).
//!
//! A move flips some pancakes at the top of a stack ([`stack`]). The lower bound counts the
//! neighbours that are not next to each other in size ([`gap`]). Of up to eleven pancakes a table
//! holds all stacks ([`table`]).

mod gap;
mod read;
mod stack;
mod table;
#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::sync::OnceLock;

use deepen::heuristic::Zero;
use deepen::table::{Lookup, Width};
use deepen::{Cost, MAX_COST, Verdict};

use self::gap::Gap;
use self::read::Reader;
use self::stack::{Flips, MOST_PANCAKES, NUMBERS, Stack};
use self::table::Orders;
use crate::answer::{Answer, Claim};
use crate::input::{ReadError, Tokens};
use crate::permutation::{self, MOST_IN_TABLE};
use crate::puzzle::{Choice, Field, Info, Puzzle, Settings, SettingsError, Task};
use crate::random::Random;
use crate::solve::Searches;
use crate::tables::{LazyTable, PuzzleTable};

/// The puzzle.
pub struct Pancake {
    /// How many pancakes every stack has, if that is set.
    size: Option<u8>,
    /// By number of pancakes; made when first asked for.
    fields: Box<[OnceLock<Field<Flips>>]>,
    /// The tables, by number of pancakes.
    tables: Vec<LazyTable<Orders>>,
}

/// An instance: so many pancakes, and how they lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pancakes {
    number: u8,
    stack: Stack,
}

impl Pancakes {
    /// The stack with these pancakes under so many others.
    fn new(number: u8, under: impl Fn(u8) -> u8) -> Self {
        let mut stack = Stack::sorted(number);
        (0..number).for_each(|above| stack.put(above, under(above)));
        Pancakes { number, stack }
    }
}

/// How many pancakes a generated stack has unless another number is set.
const DRAWN: u8 = 10;

/// The most flips of an answer that are kept: many more than any stack needs.
const MOST_FLIPS: u64 = 1000;

/// The greatest distance of up to 13 pancakes (OEIS A058986).
const GREATEST: [Cost; 14] = [0, 0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15];

impl Pancake {
    /// The table of all stacks of so many pancakes, if there is one.
    fn table(&self, pancakes: u8) -> Option<&LazyTable<Orders>> {
        self.tables.get(usize::from(pancakes))
    }

    /// How many pancakes a generated stack has.
    fn drawn(&self) -> u8 {
        self.size.unwrap_or(DRAWN)
    }
}

fn parse_size(text: &str) -> Result<u8, SettingsError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && (1..=MOST_PANCAKES).contains(number));
    number.ok_or_else(|| {
        let text = text.escape_debug();
        SettingsError(format!(
            "expected a number of pancakes, 1 to {MOST_PANCAKES}, found `{text}`"
        ))
    })
}

impl Puzzle for Pancake {
    type Space = Flips;
    type Instance = Pancakes;

    const INFO: Info = Info {
        name: "pancake",
        summary: "Pancakes: sort a stack by flipping its top",
        about: "\
The pancakes 1 to n, of these sizes, lie in a stack in any order. A move flips any number of them
at the top of the stack as one. The stack is to be sorted with the fewest flips, the smallest on
top; of these answers the first in dictionary order is wanted.

A move is written as the number of pancakes that are flipped, from 2 on: `3` makes 5 2 4 1 3, the
top first, into 4 2 5 1 3.

Input: a line a stack, its pancakes from the top down, up to 64. Output: a line a stack, the number
of flips, then the flips. Beyond a limit on cost: `more than N`.

The bound `gap` counts neighbours whose sizes differ by more than one, the plate being one larger
than the largest pancake (Helmert 2010); every flip closes one gap at the most.",
        example: "5 2 4 1 3\n1 2 3\n8 1 6 3 10 5 2 9 4 7\n",
        heuristics: &[
            Choice { name: "gap", about: "neighbours whose sizes differ by more than one" },
            Choice { name: "table", about: "exact, for up to 11 pancakes; beyond, as `gap`" },
            Choice { name: "zero", about: "nothing: plain iterative deepening" },
        ],
        dialects: &[Choice { name: "lines", about: "a line a stack, the top first" }],
        options: &[Choice {
            name: "size",
            about: "how many pancakes each stack has, 1 to 64; any by default, and 10 if generated",
        }],
    };

    fn new(settings: &Settings) -> Result<Self, SettingsError> {
        settings.check(&Self::INFO)?;
        let size = settings.option("size").map(parse_size).transpose()?;
        let fields = (0..NUMBERS).map(|_| OnceLock::new()).collect();
        let table = |pancakes| {
            let definition = format!("pancake {pancakes}: distances of all stacks, order 1");
            let goals = vec![permutation::sorted(pancakes)];
            let orders = Orders::new(pancakes);
            LazyTable::new(orders, goals, definition, Width::Four, &settings.tables).both_ways()
        };
        let tables = (0..=MOST_IN_TABLE).map(table).collect();
        Ok(Pancake { size, fields, tables })
    }

    fn read<'a, R: BufRead + 'a>(
        &'a self,
        input: R,
    ) -> impl Iterator<Item = Result<Pancakes, ReadError>> + 'a {
        Reader::new(input, self.size)
    }

    fn write(&self, stacks: &[Pancakes]) -> String {
        let line = |pancakes: &Pancakes| {
            let stack = (0..pancakes.number).map(|above| pancakes.stack.under(above).to_string());
            stack.collect::<Vec<_>>().join(" ") + "\n"
        };
        stacks.iter().map(line).collect()
    }

    fn cost_limit(&self) -> Option<Cost> {
        None
    }

    fn field(&self, pancakes: &Pancakes) -> &Field<Flips> {
        let field = &self.fields[usize::from(pancakes.number)];
        field.get_or_init(|| Field::new(Flips { pancakes: pancakes.number }))
    }

    fn start(&self, pancakes: &Pancakes) -> Stack {
        pancakes.stack
    }

    fn tables(&self) -> Vec<&dyn PuzzleTable> {
        self.table(self.drawn()).map(|table| table as &dyn PuzzleTable).into_iter().collect()
    }

    fn instance(&self, like: &Pancakes, start: Stack) -> Pancakes {
        Pancakes { stack: start, ..*like }
    }

    fn instances(&self) -> Option<u128> {
        (1..=u128::from(self.drawn())).try_fold(1, u128::checked_mul)
    }

    fn random(&self, random: &mut Random) -> Pancakes {
        let number = self.drawn();
        let mut order: Vec<u8> = (1..=number).collect();
        random.shuffle(&mut order);
        Pancakes::new(number, |above| order[usize::from(above)])
    }

    /// The greatest of small stacks, and beyond a bound (Gates and Papadimitriou, *Bounds for
    /// sorting by prefix reversal*, 1979).
    fn greatest_distance(&self) -> Option<Cost> {
        let number = self.drawn();
        let known = GREATEST.get(usize::from(number)).copied();
        Some(known.unwrap_or(5 * (Cost::from(number) + 1) / 3))
    }

    fn searches(&self) -> &dyn Searches<Self> {
        self
    }

    fn run<T: Task<Flips>>(&self, pancakes: &Pancakes, heuristic: usize, task: T) -> T::Output {
        let field = self.field(pancakes);
        match heuristic {
            1 if let Some(orders) = self.table(pancakes.number)
                && let Ok(table) = orders.get() =>
            {
                let picture = |stack: &Stack| orders.space.pack(stack);
                task.run(field, &Lookup::new(&orders.space, table, picture))
            }
            0 | 1 => task.run(field, &Gap),
            _ => task.run(field, &Zero),
        }
    }

    fn judge_answer(
        &self,
        _: u64,
        _: &Pancakes,
        verdict: &Verdict<u8>,
        limit: Option<Cost>,
    ) -> String {
        let Verdict::Solved(solution) = verdict else {
            return format!("more than {}\n", limit.unwrap_or(MAX_COST));
        };
        let flips = solution.moves.iter().map(|&flipped| Cost::from(flipped));
        let words: Vec<String> =
            std::iter::once(solution.cost).chain(flips).map(|number| number.to_string()).collect();
        words.join(" ") + "\n"
    }

    fn read_answer<R: BufRead>(
        &self,
        index: u64,
        answers: &mut Tokens<R>,
    ) -> Result<Answer, ReadError> {
        let stack = format!("answer to stack {}", index + 1);
        let number = || format!("the number of flips or `more than` ({stack})");
        let Some(token) = answers.next()? else { return Err(answers.end(number()).into()) };
        let place = token.place;
        if token.text() == Some("more") {
            answers.word("than", || format!("`than` ({stack})"))?;
            let expected = format!("the limit, a number ({stack})");
            let limit = answers.number(0..=MAX_COST.into(), expected)?;
            let text = format!("more than {limit}");
            return Ok(Answer { claim: Claim::AboveLimit(Some(limit + 1)), text, place });
        }
        let cost = token.number().ok_or_else(|| token.expected(number()))?;
        let mut names = Vec::new();
        for flip in 1..=cost {
            let expected =
                || format!("a flip, a number from 2 on (flip {flip} of {cost}, {stack})");
            let Some(token) = answers.next()? else { return Err(answers.end(expected()).into()) };
            let flipped = token.number().ok_or_else(|| token.expected(expected()))?;
            if flip <= MOST_FLIPS {
                names.push(flipped.to_string());
            }
        }
        let words: Vec<_> =
            std::iter::once(cost.to_string()).chain(names.iter().cloned()).collect();
        let text = words.join(" ");
        let claim = if cost > MOST_FLIPS { Claim::Cost(cost) } else { Claim::Moves(names, None) };
        Ok(Answer { claim, text, place })
    }

    fn move_name(&self, _: &Flips, flipped: u8) -> String {
        flipped.to_string()
    }

    /// A line a pancake: its size, and a bar as long.
    fn draw(&self, space: &Flips, stack: &Stack) -> String {
        let width = space.pancakes.to_string().len();
        let bar = |size: u8| format!("{size:width$} {}\n", "=".repeat(size.into()));
        (0..space.pancakes).map(|above| bar(stack.under(above))).collect()
    }
}
