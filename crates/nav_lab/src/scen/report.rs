//! Results of search methods on a scenario file, as a table and as JSON.

use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Most wrong answers printed in the table, which one screen shows with it. The JSON has them all.
const EXAMPLES_MAX: usize = 5;

/// Results of methods on a scenario file.
///
/// Its JSON is one object with the fields below. It prints as a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ScenReport {
    /// The map file.
    pub map: String,
    /// Results by method.
    pub methods: BTreeMap<&'static str, MethodReport>,
    /// The wrong answers, ordered by line.
    pub wrong: Vec<WrongAnswer>,
    /// The scenario file.
    pub scen: String,
    /// Lines that were asked.
    pub lines: usize,
    /// Lines with a blocked start or goal, which have no path.
    pub blocked: usize,
}

/// Results of one method. `solved`, `no_path`, `refused`, `gave_up` and `wrong` add up to
/// `queries`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MethodReport {
    /// Lines asked.
    pub queries: usize,
    /// Right answers with a path.
    pub solved: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Mean time of a search in microseconds, path included, with warm memory, over lines that have
    /// a path, without refusals. 0 without such lines, as for the next two.
    pub mean_us: f64,
    /// Median time, by nearest rank.
    pub p50_us: f64,
    /// 99th percentile of the time.
    pub p99_us: f64,
    /// Mean cost of paths as a multiple of the best ones. `None` if none was solved.
    pub cost_ratio_mean: Option<f64>,
    /// Greatest of these multiples.
    pub cost_ratio_max: Option<f64>,
    /// Mean number of expansions of a search, without refusals.
    pub expansions_mean: f64,
    /// Right answers without a path, because an end is blocked.
    pub no_path: usize,
    /// Refusals: the method cannot serve the query.
    pub refused: usize,
    /// The reason of the first refusal, as a sentence.
    pub refusal: Option<String>,
    /// Answers that reached the limit on expansions.
    pub gave_up: usize,
    /// Lines not asked, because shortest paths may leave its window.
    pub outside: usize,
    /// Whether the method promises cheapest paths.
    pub exact: bool,
    /// Time to prepare the map, in milliseconds.
    pub prepare_ms: f64,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongAnswer {
    /// Number of the line in the scenario file, from 1.
    pub line: usize,
    /// The method.
    pub method: &'static str,
    /// The error, see [`Wrong`](super::Wrong).
    pub why: String,
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.method, self.why)
    }
}

impl fmt::Display for ScenReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} lines, {} of them with a blocked end",
            self.lines, self.blocked
        )?;
        writeln!(
            f,
            "{:<9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}",
            "method",
            "solved",
            "wrong",
            "no path",
            "refused",
            "gave up",
            "outside",
            "mean us",
            "p50 us",
            "p99 us",
            "expanded",
            "cost mean",
            "cost max"
        )?;
        for (method, report) in &self.methods {
            writeln!(f, "{method:<9} {report}")?;
        }
        for (method, report) in &self.methods {
            if let Some(refusal) = &report.refusal {
                writeln!(f, "{method} refused: {refusal}")?;
            }
        }
        for wrong in self.wrong.iter().take(EXAMPLES_MAX) {
            writeln!(f, "{wrong}")?;
        }
        let more = self.wrong.len().saturating_sub(EXAMPLES_MAX);
        if more > 0 {
            writeln!(f, "and {more} more wrong answers")?;
        }
        Ok(())
    }
}

/// Prints a row of the table, without the name.
impl fmt::Display for MethodReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            self.solved,
            self.wrong,
            self.no_path,
            self.refused,
            self.gave_up,
            self.outside,
        ];
        for count in counts {
            write!(f, "{count:>7} ")?;
        }
        let searched = self.queries > self.refused;
        for (number, decimals) in [
            (self.mean_us, 2),
            (self.p50_us, 2),
            (self.p99_us, 2),
            (self.expansions_mean, 1),
        ] {
            if searched {
                write!(f, "{number:>10.decimals$} ")?;
            } else {
                write!(f, "{:>10} ", "-")?;
            }
        }
        let ratio =
            |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.5}"));
        write!(
            f,
            "{:>9} {:>9}",
            ratio(self.cost_ratio_mean),
            ratio(self.cost_ratio_max)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ScenReport {
        let solved = MethodReport {
            exact: true,
            queries: 910,
            solved: 906,
            wrong: 1,
            no_path: 2,
            gave_up: 1,
            outside: 12,
            mean_us: 123.456,
            p50_us: 100.0,
            p99_us: 1234.5,
            expansions_mean: 4321.25,
            cost_ratio_mean: Some(1.0),
            cost_ratio_max: Some(1.25),
            ..MethodReport::default()
        };
        let refused = MethodReport {
            queries: 910,
            refused: 910,
            refusal: Some("the method cannot serve links".to_owned()),
            ..MethodReport::default()
        };
        ScenReport {
            map: "arena.map".to_owned(),
            scen: "arena.scen".to_owned(),
            lines: 922,
            blocked: 2,
            methods: [("astar", solved), ("sweep", refused)].into(),
            wrong: vec![
                WrongAnswer {
                    line: 3,
                    method: "astar",
                    why: "the path costs 9, but another method has one for 7".to_owned(),
                };
                7
            ],
        }
    }

    #[test]
    fn table_text() {
        let golden = "\
922 lines, 2 of them with a blocked end
method     solved   wrong no path refused gave up outside    mean us     p50 us     p99 us   expanded cost mean  cost max
astar         906       1       2       0       1      12     123.46     100.00    1234.50     4321.2   1.00000   1.25000
sweep           0       0       0     910       0       0          -          -          -          -         -         -
sweep refused: the method cannot serve links
line 3: astar: the path costs 9, but another method has one for 7
line 3: astar: the path costs 9, but another method has one for 7
line 3: astar: the path costs 9, but another method has one for 7
line 3: astar: the path costs 9, but another method has one for 7
line 3: astar: the path costs 9, but another method has one for 7
and 2 more wrong answers
";
        assert_eq!(report().to_string(), golden);
    }

    #[test]
    fn programs_read_methods_by_name() {
        let json = serde_json::to_value(report()).unwrap();
        assert_eq!(json["map"], "arena.map");
        assert_eq!(json["methods"]["astar"]["solved"], 906);
        assert_eq!(
            json["methods"]["sweep"]["cost_ratio_max"],
            serde_json::Value::Null
        );
        assert_eq!(
            json["methods"]["sweep"]["refusal"],
            "the method cannot serve links"
        );
        assert_eq!(json["wrong"][0]["line"], 3);
    }
}
