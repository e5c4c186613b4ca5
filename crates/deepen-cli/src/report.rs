//! Answers in the formats that all puzzles share: the judge's, text for people, JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use deepen::{Cost, Outcome, Solution, Space, Verdict};
use deepen_puzzles::Puzzle;
use serde::Serialize;

use crate::arguments::Format;

/// The move of a puzzle.
type Move<P> = <<P as Puzzle>::Space as Space>::Move;

/// Writes answers.
pub(crate) struct Report<'a, P> {
    pub(crate) puzzle: &'a P,
    pub(crate) format: Format,
    /// The limit on cost that verdicts were found under.
    pub(crate) limit: Option<Cost>,
}

impl<P: Puzzle> Report<'_, P> {
    /// The answer to the instance of that index, from 0, with its line ends.
    pub(crate) fn answer(
        &self,
        index: u64,
        instance: &P::Instance,
        outcome: &Outcome<Move<P>>,
    ) -> String {
        let verdict = &outcome.verdict;
        match self.format {
            // The judge has no word for it, and a wrong answer is worse than none.
            Format::Judge if matches!(verdict, Verdict::Stopped { .. }) => "?\n".into(),
            Format::Judge => self.puzzle.judge_answer(index, instance, verdict, self.limit),
            Format::Text => self.text(index, instance, verdict),
            Format::Json => self.json(index, instance, outcome),
        }
    }

    /// The verdict in words, without the moves.
    pub(crate) fn in_words(&self, verdict: &Verdict<Move<P>>) -> String {
        match verdict {
            Verdict::Solved(Solution { cost: 0, .. }) => "solved already, no moves needed".into(),
            Verdict::Solved(Solution { moves, cost }) if moves.len() as u64 == u64::from(*cost) => {
                format!("solved in {}, the fewest possible", count_moves(*cost))
            }
            Verdict::Solved(Solution { moves, cost }) => {
                format!("solved in {} moves of cost {cost}, the least possible", moves.len())
            }
            Verdict::Impossible(proof) => format!("impossible, {proof}"),
            Verdict::AboveLimit { lower_bound } => match self.limit {
                Some(limit) => format!(
                    "above the limit of {}, at least {} needed",
                    count_moves(limit),
                    count_moves(*lower_bound)
                ),
                None => format!("at least {} needed", count_moves(*lower_bound)),
            },
            Verdict::Stopped { stop, lower_bound } => {
                format!("stopped: {stop}; at least {}", count_moves(*lower_bound))
            }
        }
    }

    /// The number of an instance, and its drawing.
    fn drawing(&self, index: u64, instance: &P::Instance) -> String {
        let (space, start) = (&self.puzzle.field(instance).space, self.puzzle.start(instance));
        format!("Instance {}\n\n{}", index + 1, self.puzzle.draw(space, &start))
    }

    fn text(&self, index: u64, instance: &P::Instance, verdict: &Verdict<Move<P>>) -> String {
        let space = &self.puzzle.field(instance).space;
        let mut state = self.puzzle.start(instance);
        let mut text = self.drawing(index, instance) + "\n";
        if let Verdict::Solved(solution) = verdict {
            for (number, &mv) in (1..).zip(&solution.moves) {
                let name = self.puzzle.move_name(space, mv);
                space.apply(&mut state, mv);
                let _ = writeln!(text, "{number}. {name}\n\n{}", self.puzzle.draw(space, &state));
            }
        }
        text + &self.sentence(instance, verdict) + "\n\n"
    }

    /// The verdict as a sentence, with the moves.
    pub(crate) fn sentence(&self, instance: &P::Instance, verdict: &Verdict<Move<P>>) -> String {
        let words = self.in_words(verdict);
        let (first, rest) = words.split_at(1);
        let sentence = first.to_uppercase() + rest;
        match self.moves(instance, verdict) {
            Some(moves) if !moves.is_empty() => sentence + ": " + &moves.join(" "),
            _ => sentence + ".",
        }
    }

    fn json(&self, index: u64, instance: &P::Instance, outcome: &Outcome<Move<P>>) -> String {
        to_json(&self.record(index, instance, outcome, None))
    }

    /// The record of an instance, with the number of its shortest solutions if that is known.
    fn record(
        &self,
        index: u64,
        instance: &P::Instance,
        Outcome { verdict, statistics, .. }: &Outcome<Move<P>>,
        count: Option<u128>,
    ) -> Record {
        let (status, cost, reason) = match verdict {
            Verdict::Solved(solution) => ("solved", Some(solution.cost), None),
            Verdict::Impossible(proof) => ("impossible", None, Some(proof.to_string())),
            Verdict::AboveLimit { .. } => ("above-limit", None, None),
            Verdict::Stopped { stop, .. } => ("stopped", None, Some(stop.to_string())),
        };
        let total = statistics.total();
        Record {
            index,
            status,
            cost,
            moves: self.moves(instance, verdict),
            lower_bound: verdict.lower_bound(),
            reason,
            expanded: total.expanded,
            generated: total.generated,
            seconds: total.elapsed.as_secs_f64(),
            count,
            conventions: self.puzzle.conventions(instance).into_iter().collect(),
        }
    }

    /// One of the shortest solutions of the instance of that index; the solution's own is `number`,
    /// from 0. The judge's answer, or the drawing, comes before the first.
    pub(crate) fn one_of_all(
        &self,
        index: u64,
        number: u64,
        instance: &P::Instance,
        moves: &[Move<P>],
    ) -> String {
        let space = &self.puzzle.field(instance).space;
        let names: Vec<_> = moves.iter().map(|&mv| self.puzzle.move_name(space, mv)).collect();
        let line = names.join(" ") + "\n";
        match self.format {
            Format::Json => to_json(&OneOfAll { index, solution: number, moves: names }),
            _ if number > 0 => line,
            Format::Judge => {
                let cost = moves.iter().map(|&mv| space.cost(mv)).sum();
                let verdict = Verdict::Solved(Solution { moves: moves.to_vec(), cost });
                self.puzzle.judge_answer(index, instance, &verdict, self.limit) + &line
            }
            Format::Text => self.drawing(index, instance) + "\n" + &line,
        }
    }

    /// What comes after the shortest solutions: `found` were told, and they are all if `complete`.
    pub(crate) fn end_of_all(
        &self,
        index: u64,
        instance: &P::Instance,
        outcome: &Outcome<Move<P>>,
        found: u64,
        complete: bool,
    ) -> String {
        let verdict = &outcome.verdict;
        match self.format {
            _ if found == 0 => self.answer(index, instance, outcome),
            Format::Judge => String::new(),
            Format::Json => {
                let count = complete.then_some(found.into());
                to_json(&self.record(index, instance, outcome, count))
            }
            Format::Text => {
                let solutions = if found == 1 { "solution" } else { "solutions" };
                let all = if complete { "all that there are" } else { "perhaps not all" };
                let words = self.in_words(verdict);
                format!("\n{found} shortest {solutions}, {all}: {words}.\n\n")
            }
        }
    }

    /// The number of shortest solutions, where they could be counted; else the answer.
    pub(crate) fn counted(
        &self,
        index: u64,
        instance: &P::Instance,
        outcome: &Outcome<Move<P>>,
        count: u128,
    ) -> String {
        let solved = matches!(outcome.verdict, Verdict::Solved(_));
        match self.format {
            Format::Json => {
                to_json(&self.record(index, instance, outcome, solved.then_some(count)))
            }
            _ if !solved => self.answer(index, instance, outcome),
            Format::Judge => format!("{count}\n"),
            Format::Text => {
                let words = self.in_words(&outcome.verdict);
                let drawing = self.drawing(index, instance);
                format!("{drawing}\nShortest solutions: {count}, {words}.\n\n")
            }
        }
    }

    /// The names of the moves of a solution.
    fn moves(&self, instance: &P::Instance, verdict: &Verdict<Move<P>>) -> Option<Vec<String>> {
        let Verdict::Solved(solution) = verdict else { return None };
        let space = &self.puzzle.field(instance).space;
        Some(solution.moves.iter().map(|&mv| self.puzzle.move_name(space, mv)).collect())
    }
}

/// An instance's line of JSON.
#[derive(Serialize)]
struct Record {
    index: u64,
    status: &'static str,
    cost: Option<Cost>,
    moves: Option<Vec<String>>,
    lower_bound: Option<Cost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    expanded: u64,
    generated: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u128>,
    #[serde(flatten)]
    conventions: BTreeMap<&'static str, String>,
}

/// A line of JSON for one of the shortest solutions of an instance.
#[derive(Serialize)]
struct OneOfAll {
    index: u64,
    solution: u64,
    moves: Vec<String>,
}

/// A line of JSON, with its line end.
pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    // Structs of numbers and strings always have a JSON form.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// So many moves, in words.
pub(crate) fn count_moves(count: Cost) -> String {
    match count {
        1 => "1 move".into(),
        _ => format!("{count} moves"),
    }
}
