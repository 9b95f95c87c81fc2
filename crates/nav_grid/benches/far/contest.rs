//! Asking, judging and timing one contestant.

use crate::set::Set;
use nav_formats::scen::ScenLine;
use nav_grid::{
    CornerRule, Limits, Metric, Outcome, Path, PathQuery, Rules, Search, Status, Terrain,
    rules::Cost,
};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Greatest difference between a true length and the one in a file, in cells.
const ROUNDING: f64 = 0.01;

/// The promise about an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// A cheapest path.
    Cheapest,
    /// A path that can be walked.
    Path,
}

type Answering<'a> = dyn FnMut(&PathQuery, &mut Path) -> Outcome + 'a;

/// A search that takes part in the comparison.
pub struct Contestant<'a> {
    pub name: &'static str,
    pub corners: CornerRule,
    promise: Promise,
    /// The number of lines of a file that it is asked.
    share: usize,
    answer: Box<Answering<'a>>,
}

impl<'a> Contestant<'a> {
    /// Makes a contestant of one of our methods.
    pub fn ours<S: Search + Default + 'a>(
        name: &'static str,
        corners: CornerRule,
        promise: Promise,
        terrain: Terrain<'a>,
    ) -> Self {
        let mut search = S::default();
        Self::peer(name, corners, promise, move |query, path| {
            search.search(terrain, query, path)
        })
    }

    /// Makes a contestant of another crate's search.
    pub fn peer(
        name: &'static str,
        corners: CornerRule,
        promise: Promise,
        answer: impl FnMut(&PathQuery, &mut Path) -> Outcome + 'a,
    ) -> Self {
        Self {
            name,
            corners,
            promise,
            share: usize::MAX,
            answer: Box::new(answer),
        }
    }

    /// Limits the lines of a file that it is asked.
    pub fn asked(self, share: usize) -> Self {
        Self {
            share: share.min(self.share),
            ..self
        }
    }

    /// Asks twice: the first answers are judged, the second ones are timed and must be the same.
    pub fn run(mut self, set: &Set) -> Run {
        let mut path = Path::new();
        let mut results = vec![None; set.lines.len()];
        for index in set.share(self.share) {
            let line = &set.lines[index];
            let query = self.query(line);
            let outcome = (self.answer)(&query, &mut path);
            results[index] = Some(Answer {
                cost: self.judge(set, line, &outcome, &path),
                time: Duration::ZERO,
            });
        }
        for (line, answer) in set.lines.iter().zip(&mut results) {
            let Some(answer) = answer else { continue };
            let query = self.query(line);
            let (outcome, time) = timed(|| (self.answer)(black_box(&query), &mut path));
            assert_eq!(outcome.cost, answer.cost, "{}: {line:?}", self.name);
            answer.time = time;
        }
        Run {
            name: self.name,
            corners: self.corners,
            promise: self.promise,
            answers: results,
        }
    }

    fn query(&self, line: &ScenLine) -> PathQuery {
        PathQuery::new(line.start, line.goal)
            .with_rules(Rules::new(Metric::Octile, self.corners))
            .with_limits(Limits::UNBOUNDED)
    }

    /// Returns the cost of an answer, which must be right.
    fn judge(&self, set: &Set, line: &ScenLine, outcome: &Outcome, path: &Path) -> Cost {
        let name = self.name;
        assert!(
            matches!(outcome.status, Status::Found | Status::AlreadyThere),
            "{name}: {line:?}: {}",
            outcome.status
        );
        let rules = self.query(line).rules;
        let walked = path.walk(set.map.grid(), line.start, rules);
        assert_eq!(walked, Ok(outcome.cost), "{name}: {line:?}");
        assert_eq!(path.end().unwrap_or(line.start), line.goal, "{name}");
        if self.corners == CornerRule::Strict {
            let over = Metric::Octile.length(outcome.cost) - line.optimal_length;
            assert!(over > -ROUNDING, "{name}: {line:?}: shorter by {over}");
            let exact = self.promise == Promise::Cheapest;
            assert!(
                !exact || over < ROUNDING,
                "{name}: {line:?}: longer by {over}"
            );
        }
        outcome.cost
    }
}

/// A right answer.
#[derive(Clone, Copy)]
pub struct Answer {
    pub cost: Cost,
    pub time: Duration,
}

/// The results of a contestant on a map.
pub struct Run {
    pub name: &'static str,
    pub corners: CornerRule,
    promise: Promise,
    /// One per line, `None` if it was not asked.
    answers: Vec<Option<Answer>>,
}

/// A comparison of two runs on the lines that both were asked.
pub struct Comparison {
    /// The time of the other one as a multiple of this one's.
    pub time: f64,
    /// The costs of the other one's paths as multiples of this one's: on average, and at most.
    pub cost: (f64, f64),
}

impl Run {
    /// Returns the number of lines that it was asked.
    pub fn asked(&self) -> usize {
        self.answers.iter().flatten().count()
    }

    /// Returns the average time of an answer, in microseconds.
    pub fn mean_us(&self) -> f64 {
        let sum: Duration = self
            .answers
            .iter()
            .flatten()
            .map(|answer| answer.time)
            .sum();
        1e6 * sum.as_secs_f64() / self.asked() as f64
    }

    /// Compares `other` with this one, which promises cheapest paths by the same rules, so no path
    /// of `other` may cost less.
    pub fn compare(&self, other: &Self) -> Comparison {
        let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
        let (mut ratios, mut greatest, mut count) = (0.0, 1.0_f64, 0);
        for (index, (one, two)) in self.answers.iter().zip(&other.answers).enumerate() {
            let (Some(one), Some(two)) = (one, two) else {
                continue;
            };
            assert!(two.cost >= one.cost, "{}: line {index}", other.name);
            let exact = other.promise == Promise::Cheapest;
            assert!(
                !exact || two.cost == one.cost,
                "{}: line {index}",
                other.name
            );
            ours += one.time;
            theirs += two.time;
            let ratio = f64::from(two.cost.max(1)) / f64::from(one.cost.max(1));
            ratios += ratio;
            greatest = greatest.max(ratio);
            count += 1;
        }
        Comparison {
            time: theirs.as_secs_f64() / ours.as_secs_f64(),
            cost: (ratios / f64::from(count), greatest),
        }
    }

    /// Returns the share of lines asked of both on which the costs are equal.
    pub fn agreement(&self, other: &Self) -> f64 {
        let both = self.answers.iter().zip(&other.answers);
        let both = both.filter_map(|(one, two)| Some((one.as_ref()?, two.as_ref()?)));
        let same: Vec<bool> = both.map(|(one, two)| one.cost == two.cost).collect();
        same.iter().filter(|same| **same).count() as f64 / same.len().max(1) as f64
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a stopwatch is what a benchmark is for"
)]
fn timed<T>(answer: impl FnOnce() -> T) -> (T, Duration) {
    let before = Instant::now();
    let answer = answer();
    (answer, before.elapsed())
}
