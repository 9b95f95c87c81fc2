//! Asking, judging and measuring.

use super::{
    Candidate, Line, MethodReport, ScenReport, Wrong, WrongAnswer,
    judge::{Answer, Right, judge},
    report::Times,
};
use crate::clock::Stopwatch;
use nav_grid::{Cost, Feature, Grid, Path, Status};

/// Asks every method every line, twice: once to judge the answers, which also warms up what the
/// method keeps, and once to measure. A time is that of the search alone, its path included.
///
/// A method that cannot serve a line is not judged.
pub fn run(grid: &Grid, lines: &[Line], methods: &[Candidate]) -> ScenReport {
    let asked: Vec<(Candidate, Result<Asked, Feature>)> = methods
        .iter()
        .map(|candidate| (*candidate, Asked::ask(candidate, grid, lines)))
        .collect();
    let best = best_costs(lines.len(), &asked);
    let mut report = ScenReport {
        lines: lines.len(),
        blocked: lines.iter().filter(|line| line.length.is_none()).count(),
        ..ScenReport::default()
    };
    for (candidate, asked) in asked {
        match asked {
            Ok(asked) => {
                let judged = asked.judge(&candidate, lines, &best, &mut report.wrong);
                report.methods.insert(candidate.method, judged);
            }
            Err(feature) => {
                let status = Status::Unsupported(feature).to_string();
                report.unsupported.insert(candidate.method, status);
            }
        }
    }
    report.wrong.sort_by_key(|wrong| wrong.line);
    report
}

/// What a method answered.
struct Asked {
    answers: Vec<Answer>,
    /// Whether the second answer was the first one.
    same: Vec<bool>,
    /// Of the lines that have a path.
    microseconds: Vec<f64>,
    prepare_ms: f64,
}

impl Asked {
    fn ask(candidate: &Candidate, grid: &Grid, lines: &[Line]) -> Result<Self, Feature> {
        let stopwatch = Stopwatch::start();
        let mut search = (candidate.prepare)(grid);
        let prepare_ms = 1e3 * stopwatch.elapsed().as_secs_f64();
        let mut path = Path::new();
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            let outcome = search(grid, &line.query, &mut path);
            if let Status::Unsupported(feature) = outcome.status {
                return Err(feature);
            }
            answers.push(Answer::new(grid, line, outcome, &path));
        }
        let mut same = Vec::with_capacity(lines.len());
        let mut microseconds = Vec::with_capacity(lines.len());
        for (line, first) in lines.iter().zip(&answers) {
            let stopwatch = Stopwatch::start();
            let outcome = search(grid, &line.query, &mut path);
            let elapsed = stopwatch.elapsed();
            same.push(outcome == first.outcome);
            if line.length.is_some() {
                microseconds.push(1e6 * elapsed.as_secs_f64());
            }
        }
        Ok(Self {
            answers,
            same,
            microseconds,
            prepare_ms,
        })
    }

    fn judge(
        mut self,
        candidate: &Candidate,
        lines: &[Line],
        best: &[Option<Cost>],
        wrongs: &mut Vec<WrongAnswer>,
    ) -> MethodReport {
        let Times { mean, p50, p99 } = Times::from_all(&mut self.microseconds);
        let mut report = MethodReport {
            exact: candidate.exact,
            queries: lines.len(),
            mean_us: mean,
            p50_us: p50,
            p99_us: p99,
            prepare_ms: self.prepare_ms,
            ..MethodReport::default()
        };
        let mut expanded = 0;
        let mut ratios = Ratios::default();
        for (((line, answer), same), best) in
            lines.iter().zip(&self.answers).zip(self.same).zip(best)
        {
            expanded += u64::from(answer.outcome.counters.expanded);
            let verdict = judge(line, answer, candidate.exact, *best);
            let verdict = verdict.and_then(|right| same.then_some(right).ok_or(Wrong::Changed));
            match verdict {
                Ok(Right::Solved { ratio }) => {
                    report.solved += 1;
                    ratio.into_iter().for_each(|ratio| ratios.add(ratio));
                }
                Ok(Right::NoPath) => report.no_path += 1,
                Err(wrong) => {
                    report.wrong += 1;
                    wrongs.push(WrongAnswer {
                        line: line.number,
                        method: candidate.method,
                        why: wrong.to_string(),
                    });
                }
            }
        }
        report.expansions_mean = expanded as f64 / lines.len().max(1) as f64;
        (report.cost_ratio_mean, report.cost_ratio_max) = ratios.mean_and_max();
        report
    }
}

/// The cost of the cheapest path that any method has for a line. A path that can be walked proves
/// that it can be had for its cost, whoever found it.
fn best_costs(lines: usize, asked: &[(Candidate, Result<Asked, Feature>)]) -> Vec<Option<Cost>> {
    let mut best = vec![None; lines];
    for (_, asked) in asked {
        let answers = asked.iter().flat_map(|asked| &asked.answers);
        for (best, answer) in best.iter_mut().zip(answers) {
            *best = [*best, answer.cost()].into_iter().flatten().min();
        }
    }
    best
}

#[derive(Default)]
struct Ratios {
    sum: f64,
    count: usize,
    max: f64,
}

impl Ratios {
    fn add(&mut self, ratio: f64) {
        self.sum += ratio;
        self.count += 1;
        self.max = self.max.max(ratio);
    }

    /// `None` if there are none.
    fn mean_and_max(&self) -> (Option<f64>, Option<f64>) {
        let any = self.count > 0;
        let mean = any.then(|| self.sum / self.count as f64);
        (mean, any.then_some(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{METHODS, Searcher, lines};
    use super::*;
    use nav_grid::{
        BoundedAStar, Cell, Counters, Method, Metric, Outcome, Search,
        formats::scen::{ScenLine, Scenario},
    };

    /// A yard of 5×5 with a blocked cell, and queries across it.
    fn yard(lengths: &[f64]) -> (Grid, Vec<Line>) {
        let mut grid = Grid::open(5, 5).unwrap();
        grid.set_walkable(Cell::new(2, 2), false).unwrap();
        let line = |&optimal_length: &f64| ScenLine {
            bucket: 0,
            map: "yard.map".to_owned(),
            width: 5,
            height: 5,
            start: Cell::new(0, 0),
            goal: Cell::new(4, 0),
            optimal_length,
        };
        let scenario = Scenario {
            lines: lengths.iter().map(line).collect(),
        };
        let lines = lines(&grid, &scenario, None).unwrap();
        (grid, lines)
    }

    fn outcome(status: Status, cost: Cost) -> Outcome {
        Outcome {
            status,
            cost,
            counters: Counters::default(),
            method: Method::Line,
        }
    }

    fn candidate(exact: bool, prepare: fn(&Grid) -> Searcher) -> Candidate {
        Candidate {
            method: Method::Line,
            exact,
            prepare,
        }
    }

    /// Zigzags along the upper edge.
    fn zigzag(_: &Grid) -> Searcher {
        Box::new(|_, _, path| {
            *path = [(1, 1), (2, 0), (3, 1), (4, 0)]
                .map(Cell::from)
                .into_iter()
                .collect();
            outcome(Status::Found, 4 * 3363)
        })
    }

    /// Answers every other time only.
    fn moody(_: &Grid) -> Searcher {
        let mut search = BoundedAStar::new();
        let mut awake = false;
        Box::new(move |grid, query, path| {
            awake = !awake;
            if awake {
                return search.search(grid, query, path);
            }
            outcome(Status::Unreachable, 0)
        })
    }

    fn picky(_: &Grid) -> Searcher {
        Box::new(|_, _, _| outcome(Status::Unsupported(Feature::Metric(Metric::Octile)), 0))
    }

    #[test]
    fn every_method_solves_a_yard() {
        let (grid, lines) = yard(&[4.0, 4.0]);
        let report = run(&grid, &lines, METHODS);
        assert!(report.wrong.is_empty(), "{:?}", report.wrong);
        assert_eq!(report.methods.len() + report.unsupported.len(), METHODS.len());
        let astar = &report.methods[&Method::AStar];
        assert_eq!((astar.queries, astar.solved, astar.wrong), (2, 2, 0));
        assert_eq!(astar.cost_ratio_max, Some(1.0));
        assert!(astar.expansions_mean >= 4.0);
    }

    #[test]
    fn detours_are_measured_where_they_are_allowed() {
        let (grid, lines) = yard(&[4.0]);
        let ratio = |exact| {
            let report = run(&grid, &lines, &[candidate(exact, zigzag)]);
            report.methods[&Method::Line].cost_ratio_mean
        };
        assert!((ratio(false).unwrap() - 2f64.sqrt()).abs() < 1e-6);
        assert_eq!(ratio(true), None, "nothing is solved");
    }

    #[test]
    fn a_length_that_suits_a_detour_is_seen_through() {
        // The file lists the length of the detour: whoever does better proves it wrong.
        let (grid, lines) = yard(&[4.0 * 2f64.sqrt()]);
        let methods = [METHODS[0], candidate(true, zigzag)];
        let report = run(&grid, &lines, &methods);
        assert_eq!(report.methods[&Method::AStar].wrong, 1);
        let why: Vec<&str> = report.wrong.iter().map(|wrong| &*wrong.why).collect();
        assert_eq!(
            why,
            [
                "the path has length 4.00000, but 5.65685 is listed",
                "the path costs 13452, but another method has one for 9512",
            ]
        );
    }

    #[test]
    fn the_second_answer_must_be_the_first() {
        let (grid, lines) = yard(&[4.0; 3]);
        let report = run(&grid, &lines, &[candidate(true, moody)]);
        let judged = &report.methods[&Method::Line];
        assert_eq!((judged.solved, judged.wrong), (0, 3));
        assert_eq!(
            report.wrong[0].why,
            "the answer was another one when asked again"
        );
    }

    #[test]
    fn what_a_method_cannot_serve_is_not_wrong() {
        let (grid, lines) = yard(&[4.0]);
        let report = run(&grid, &lines, &[METHODS[0], candidate(true, picky)]);
        assert!(report.wrong.is_empty());
        assert!(!report.methods.contains_key(&Method::Line));
        assert_eq!(
            report.unsupported[&Method::Line],
            "the method cannot serve the metric Octile"
        );
    }
}
