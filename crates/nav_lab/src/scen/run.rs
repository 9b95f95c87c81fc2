//! Runs every query of a scenario file by every method, judges the answers and measures times.

use super::{
    Candidate, Line, MethodReport, ScenReport, Wrong, WrongAnswer,
    judge::{Accepted, Answer, Promise, judge},
};
use nav_grid::{Cell, Grid, IndexedMap, Path, Status, Terrain, rules::Cost};
use nav_sim::{clock::Stopwatch, percentile::Spread};

/// Asks every method every line that its window covers, twice. The first round judges the answers
/// and warms up the method's memory, the second one measures.
///
/// A time covers the search alone, with its path. Maps are prepared before, with `roads` as main
/// roads.
pub fn run(grid: &Grid, roads: &[Cell], lines: &[Line], methods: &[Candidate]) -> ScenReport {
    let asked: Vec<Asked> = methods
        .iter()
        .map(|candidate| Asked::ask(*candidate, grid, roads, lines))
        .collect();
    let best = best_costs(lines.len(), &asked);
    let mut report = ScenReport {
        lines: lines.len(),
        blocked: lines.iter().filter(|line| line.length.is_none()).count(),
        ..ScenReport::default()
    };
    for asked in asked {
        let name = asked.candidate.name;
        let judged = asked.judge(lines, &best, &mut report.wrong);
        report.methods.insert(name, judged);
    }
    report.wrong.sort_by_key(|wrong| wrong.line);
    report
}

/// The answers of a method.
struct Asked {
    candidate: Candidate,
    /// One per line; `None` where the window does not cover the line.
    answers: Vec<Option<Answer>>,
    /// Times of the answers to lines that have a path, without refusals.
    microseconds: Vec<f64>,
    prepare_ms: f64,
}

impl Asked {
    fn ask(candidate: Candidate, grid: &Grid, roads: &[Cell], lines: &[Line]) -> Self {
        let mut map = IndexedMap::new(grid.clone());
        let stopwatch = Stopwatch::start();
        (candidate.prepare)(&mut map, roads);
        let prepare_ms = 1e3 * stopwatch.elapsed().as_secs_f64();
        let terrain = Terrain::from(&map);
        let mut search = (candidate.searcher)();
        let mut path = Path::new();
        let promise = candidate.promise();
        let mut answers: Vec<Option<Answer>> = lines
            .iter()
            .map(|line| {
                promise.covers(line).then(|| {
                    let query = line.query.with_limits(candidate.limits);
                    let outcome = search(terrain, &query, &mut path);
                    Answer::new(map.grid(), line, outcome, &path)
                })
            })
            .collect();
        let mut microseconds = Vec::with_capacity(lines.len());
        for (line, answer) in lines.iter().zip(&mut answers) {
            let Some(answer) = answer else { continue };
            let query = line.query.with_limits(candidate.limits);
            let stopwatch = Stopwatch::start();
            let outcome = search(terrain, &query, &mut path);
            let elapsed = stopwatch.elapsed();
            if outcome != answer.outcome {
                answer.walked = Some(Err(Wrong::Changed));
            } else if line.length.is_some() && !matches!(outcome.status, Status::Unsupported(_)) {
                microseconds.push(1e6 * elapsed.as_secs_f64());
            }
        }
        Self {
            candidate,
            answers,
            microseconds,
            prepare_ms,
        }
    }

    fn judge(
        mut self,
        lines: &[Line],
        best: &[Option<Cost>],
        wrongs: &mut Vec<WrongAnswer>,
    ) -> MethodReport {
        let times = Spread::of(&mut self.microseconds);
        let mut report = MethodReport {
            exact: self.candidate.exact,
            mean_us: times.mean,
            p50_us: times.p50,
            p99_us: times.p99,
            prepare_ms: self.prepare_ms,
            ..MethodReport::default()
        };
        let mut expanded = 0;
        let mut ratios = Ratios::default();
        for ((line, answer), best) in lines.iter().zip(&self.answers).zip(best) {
            let Some(answer) = answer else {
                report.outside += 1;
                continue;
            };
            report.queries += 1;
            expanded += u64::from(answer.outcome.counters.expanded);
            match judge(line, answer, self.candidate.promise(), *best) {
                Ok(Accepted::Solved { ratio }) => {
                    report.solved += 1;
                    if let Some(ratio) = ratio {
                        ratios.add(ratio);
                    }
                }
                Ok(Accepted::NoPath) => report.no_path += 1,
                Ok(Accepted::GaveUp) => report.gave_up += 1,
                Ok(Accepted::Refused(feature)) => {
                    report.refused += 1;
                    report
                        .refusal
                        .get_or_insert_with(|| Status::Unsupported(feature).to_string());
                }
                Err(wrong) => {
                    report.wrong += 1;
                    wrongs.push(WrongAnswer {
                        line: line.number,
                        method: self.candidate.name,
                        why: wrong.to_string(),
                    });
                }
            }
        }
        let searched = report.queries - report.refused;
        report.expansions_mean = expanded as f64 / searched.max(1) as f64;
        (report.cost_ratio_mean, report.cost_ratio_max) = ratios.mean_and_max();
        report
    }
}

impl Candidate {
    fn promise(&self) -> Promise {
        Promise {
            exact: self.exact,
            limits: self.limits,
        }
    }
}

/// Returns for each line the cost of the cheapest path of all methods. A path that can be walked
/// proves its cost, whichever method found it.
fn best_costs(lines: usize, asked: &[Asked]) -> Vec<Option<Cost>> {
    let mut best = vec![None; lines];
    for asked in asked {
        for (best, answer) in best.iter_mut().zip(&asked.answers) {
            let cost = answer.and_then(|answer| answer.cost());
            *best = [*best, cost].into_iter().flatten().min();
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

    /// Returns mean and maximum; `None` without ratios.
    fn mean_and_max(&self) -> (Option<f64>, Option<f64>) {
        let any = self.count > 0;
        let mean = any.then(|| self.sum / self.count as f64);
        (mean, any.then_some(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{METHODS, Searcher, lines, methods::RULES};
    use super::*;
    use nav_formats::scen::{ScenLine, Scenario};
    use nav_grid::{
        Limits, Method, Metric, Outcome, Search,
        methods::{BoundedAStar, PortalSearch},
        query::Feature,
    };

    /// A yard of 5×5 cells with a blocked cell, and queries across it.
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
        Outcome::new(Method::Line, status).with_cost(cost)
    }

    fn candidate(exact: bool, searcher: fn() -> Searcher) -> Candidate {
        Candidate {
            name: "line",
            method: Method::Line,
            exact,
            limits: Limits::UNBOUNDED,
            prepare: |_, _| {},
            searcher,
        }
    }

    /// A method that zigzags along the upper edge.
    fn zigzag() -> Searcher {
        Box::new(|_, _, path| {
            *path = [(1, 1), (2, 0), (3, 1), (4, 0)]
                .map(Cell::from)
                .into_iter()
                .collect();
            outcome(Status::Found, 4 * 3363)
        })
    }

    /// A method that answers every second query only.
    fn moody() -> Searcher {
        let mut search = BoundedAStar::new();
        let mut awake = false;
        Box::new(move |terrain, query, path| {
            awake = !awake;
            if awake {
                return search.search(terrain, query, path);
            }
            outcome(Status::Unreachable, 0)
        })
    }

    fn picky() -> Searcher {
        Box::new(|_, _, _| outcome(Status::Unsupported(Feature::Metric(Metric::Octile)), 0))
    }

    #[test]
    fn every_method_solves_a_yard() {
        let (grid, lines) = yard(&[4.0, 4.0]);
        let report = run(&grid, &[], &lines, METHODS);
        assert!(report.wrong.is_empty(), "{:?}", report.wrong);
        assert_eq!(report.methods.len(), METHODS.len());
        let astar = &report.methods["astar"];
        assert_eq!((astar.queries, astar.solved, astar.wrong), (2, 2, 0));
        assert_eq!(astar.cost_ratio_max, Some(1.0));
        assert!(astar.expansions_mean >= 4.0);
    }

    #[test]
    fn main_roads() {
        let (grid, lines) = yard(&[4.0, 4.0]);
        let trunk = [Candidate::of_name("trunk").unwrap()];
        let report = run(&grid, &[], &lines, &trunk);
        let refused = &report.methods["trunk"];
        assert_eq!((refused.refused, refused.solved, refused.wrong), (2, 0, 0));
        let upper: Vec<Cell> = (0..5).map(|x| Cell::new(x, 0)).collect();
        let report = run(&grid, &upper, &lines, &trunk);
        let solved = &report.methods["trunk"];
        assert_eq!((solved.refused, solved.solved, solved.wrong), (0, 2, 0));
        assert_eq!(solved.cost_ratio_max, Some(1.0));
    }

    #[test]
    fn measured_detours() {
        let (grid, lines) = yard(&[4.0]);
        let ratio = |exact| {
            let report = run(&grid, &[], &lines, &[candidate(exact, zigzag)]);
            report.methods["line"].cost_ratio_mean
        };
        assert!((ratio(false).unwrap() - 2f64.sqrt()).abs() < 1e-6);
        assert_eq!(ratio(true), None, "nothing is solved");
    }

    #[test]
    fn wrong_listed_length() {
        // The file lists the length of the detour. A shorter path proves the file wrong.
        let (grid, lines) = yard(&[4.0 * 2f64.sqrt()]);
        let methods = [METHODS[0], candidate(true, zigzag)];
        let report = run(&grid, &[], &lines, &methods);
        assert_eq!(report.methods["astar"].wrong, 1);
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
    fn second_answer() {
        let (grid, lines) = yard(&[4.0; 3]);
        let report = run(&grid, &[], &lines, &[candidate(true, moody)]);
        let judged = &report.methods["line"];
        assert_eq!((judged.solved, judged.wrong), (0, 3));
        assert_eq!(
            report.wrong[0].why,
            "the answer was another one when asked again"
        );
    }

    #[test]
    fn unsupported_is_not_wrong() {
        let (grid, lines) = yard(&[4.0]);
        let report = run(&grid, &[], &lines, &[METHODS[0], candidate(true, picky)]);
        assert!(report.wrong.is_empty());
        let picky = &report.methods["line"];
        assert_eq!((picky.queries, picky.solved, picky.refused), (1, 0, 1));
        assert_eq!(
            picky.refusal.as_deref(),
            Some("the method cannot serve the metric Octile")
        );
        assert_eq!((picky.mean_us, picky.cost_ratio_mean), (0.0, None));
    }

    #[test]
    fn lines_inside_the_window() {
        let (grid, lines) = yard(&[4.0; 2]);
        let radius = |radius| METHODS[0].within(Limits::window(radius));
        let asked = |radius: Candidate| run(&grid, &[], &lines, &[radius]).methods["astar"].clone();
        let narrow = asked(radius(3));
        assert_eq!((narrow.queries, narrow.outside), (0, 2));
        let wide = asked(radius(4));
        assert_eq!((wide.queries, wide.outside, wide.solved), (2, 0, 2));
    }

    #[test]
    fn map_is_prepared() {
        let (grid, lines) = yard(&[4.0]);
        let report = run(
            &grid,
            &[],
            &lines,
            &[candidate(true, far_searcher).prepared(|map, _| map.build_portals(RULES))],
        );
        assert_eq!(report.methods["line"].solved, 1);
    }

    /// A method that answers where portals are built.
    fn far_searcher() -> Searcher {
        let mut search = PortalSearch::new();
        Box::new(move |terrain, query, path| {
            search.search(terrain, &query.with_limits(Limits::UNBOUNDED), path)
        })
    }
}
