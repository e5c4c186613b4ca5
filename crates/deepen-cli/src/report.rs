//! Answers in the formats that all puzzles share: the judge's, text for people, JSON.

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

    fn text(&self, index: u64, instance: &P::Instance, verdict: &Verdict<Move<P>>) -> String {
        let space = &self.puzzle.field(instance).space;
        let mut state = self.puzzle.start(instance);
        let mut text = format!("Instance {}\n\n{}\n", index + 1, self.puzzle.draw(space, &state));
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

    fn json(
        &self,
        index: u64,
        instance: &P::Instance,
        Outcome { verdict, statistics, .. }: &Outcome<Move<P>>,
    ) -> String {
        let (status, cost, reason) = match verdict {
            Verdict::Solved(solution) => ("solved", Some(solution.cost), None),
            Verdict::Impossible(proof) => ("impossible", None, Some(proof.to_string())),
            Verdict::AboveLimit { .. } => ("above-limit", None, None),
            Verdict::Stopped { stop, .. } => ("stopped", None, Some(stop.to_string())),
        };
        let total = statistics.total();
        to_json(&Record {
            index,
            status,
            cost,
            moves: self.moves(instance, verdict),
            lower_bound: verdict.lower_bound(),
            reason,
            expanded: total.expanded,
            generated: total.generated,
            seconds: total.elapsed.as_secs_f64(),
        })
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
