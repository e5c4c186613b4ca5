//! `deepen generate`: random instances in the judge's format.
//!
//! Instances are drawn one after the other from one source of random numbers, by the puzzle's
//! sampler, and written together at the end, since some formats begin with their number.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant};

use deepen::{Control, Limits, Observer, Progress, Stop};
use deepen_puzzles::{Puzzle, PuzzleTask, Random, Wanted, with_puzzle};

use crate::Status;
use crate::arguments::{GenerateArguments, wrong};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::progress::StatusLine;
use crate::report::count_moves;

const COMMAND: &str = "generate";

/// Writes random instances.
pub(crate) fn run(arguments: &GenerateArguments, output: &Output) -> Result<Status, Failure> {
    let puzzle = &arguments.puzzle;
    with_puzzle(puzzle, Generate { arguments, output })
        // Only if the arguments and the registry disagree about what there is.
        .unwrap_or_else(|| Err(wrong(COMMAND, format!("no puzzle `{puzzle}`")).into()))
}

struct Generate<'a> {
    arguments: &'a GenerateArguments,
    output: &'a Output,
}

impl PuzzleTask for Generate<'_> {
    type Output = Result<Status, Failure>;

    fn run<P: Puzzle>(self) -> Result<Status, Failure> {
        let Generate { arguments, output } = self;
        let interrupt = Interrupt::listen();
        let puzzle: P = arguments.setup.puzzle(COMMAND, &interrupt)?;
        let wanted = match (arguments.distance, arguments.at_least) {
            (Some(distance), _) => Wanted::Exactly(distance),
            (None, Some(distance)) => Wanted::AtLeast(distance),
            (None, None) => Wanted::Any,
        };
        if let Some(greatest) = puzzle.greatest_distance()
            && wanted.least() > greatest
        {
            let most = count_moves(greatest);
            let message = format!("no instance of that size needs more than {most}");
            return Err(wrong(COMMAND, message).into());
        }
        let seed = arguments.seed.map_or_else(
            || {
                let seed = fresh_seed();
                output.note(&format!("seed {seed} (--seed {seed} gives the same again)"))?;
                Ok::<_, Failure>(seed)
            },
            Ok,
        )?;
        let mut draw = Draw {
            wanted: arguments.count,
            drawn: 0,
            tries: 0,
            began: Instant::now(),
            line: StatusLine::new(),
        };
        let drawn = draw.all(&puzzle, wanted, seed, arguments.time_limit, &interrupt);
        draw.line.clear();
        match drawn {
            Ok(instances) => {
                output.write(&puzzle.write(&instances))?;
                Ok(Status::Answered)
            }
            Err(Stop::Cancelled) => Err(Failure::Interrupted(draw.so_far())),
            Err(stop) => Err(Failure::GaveUp(format!("{stop}: {}", draw.so_far()))),
        }
    }
}

/// A number that nobody can foretell: what hash tables are keyed with.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// How far it is.
struct Draw {
    wanted: usize,
    drawn: usize,
    tries: u64,
    began: Instant,
    line: StatusLine,
}

impl Draw {
    /// Draws all instances.
    fn all<P: Puzzle>(
        &mut self,
        puzzle: &P,
        wanted: Wanted,
        seed: u64,
        time_limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Vec<P::Instance>, Stop> {
        let mut random = Random::new(seed);
        let mut sampler = puzzle.sampler(wanted);
        let mut instances = Vec::new();
        while instances.len() < self.wanted {
            if interrupt.happened() {
                return Err(Stop::Cancelled);
            }
            let elapsed = self.began.elapsed();
            let time = time_limit.map(|limit| limit.saturating_sub(elapsed));
            if time == Some(Duration::ZERO) {
                return Err(Stop::Time);
            }
            self.line.show(|| text(self.drawn, self.wanted, self.tries, elapsed));
            self.tries += 1;
            let mut control = Control {
                limits: Limits { time, ..Limits::default() },
                cancel: interrupt.cancel.clone(),
                observer: Some(self),
            };
            instances.extend(sampler(&mut random, &mut control)?);
            self.drawn = instances.len();
        }
        Ok(instances)
    }

    fn so_far(&self) -> String {
        text(self.drawn, self.wanted, self.tries, self.began.elapsed())
    }
}

impl Observer for Draw {
    fn progress(&mut self, _: &Progress) {
        let (drawn, wanted, tries, began) = (self.drawn, self.wanted, self.tries, self.began);
        self.line.show(|| text(drawn, wanted, tries, began.elapsed()));
    }
}

/// How far it is, in words.
fn text(drawn: usize, wanted: usize, tries: u64, elapsed: Duration) -> String {
    let tries = if tries == 1 { "1 try".into() } else { format!("{tries} tries") };
    format!("{drawn} of {wanted} instances drawn in {tries}, {} s", elapsed.as_secs())
}
