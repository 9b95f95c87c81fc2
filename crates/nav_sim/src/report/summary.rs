//! The report as text for a terminal.

use super::{contents::Report, expansions::Bucket};
use crate::percentile::Spread;
use std::fmt::{self, Display, Formatter};

/// Longest bar of the histogram, in characters: with the words beside it, it fits 80
/// columns.
const BAR_MAX: u64 = 40;

impl Report {
    /// Returns the report as text for a terminal.
    pub fn summary(&self) -> impl Display + '_ {
        Summary(self)
    }
}

struct Summary<'a>(&'a Report);

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.run(f)?;
        self.ends(f)?;
        self.ways(f)?;
        self.tick_times(f)?;
        self.searches(f)?;
        self.expansions(f)?;
        let report = self.0;
        let counts = [report.fields, report.steps, report.reached].map(Grouped);
        let [fields, steps, arrivals] = counts;
        writeln!(
            f,
            "fields      {fields}; chasers that share one need no search
steps       {steps}
arrivals    {arrivals}"
        )?;
        self.memory(f)?;
        writeln!(f, "digest      {}", report.digest)
    }
}

impl Summary<'_> {
    fn run(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.0;
        let Report {
            hz,
            seed,
            threads,
            setup_ms,
            method,
            ..
        } = report;
        let (ticks, most) = (Grouped(report.ticks), Grouped(report.expanded_max));
        let [chasers, targets] = [report.chasers, report.targets].map(|n| Grouped(n.into()));
        let seconds = report.ticks as f64 / f64::from((*hz).max(1));
        let budget = match report.budget {
            Some(limit) => {
                let allowed = Grouped(limit.into());
                format!("{allowed} expansions a tick, at most {most} taken")
            }
            None => format!("the default, at most {most} expansions in a tick"),
        };
        writeln!(
            f,
            "run         {ticks} ticks at {hz} Hz, {seconds:.1} s simulated, {threads} threads
world       {chasers} chasers, {targets} targets, seed {seed}
method      {method}
budget      {budget}
setup       {setup_ms:.1} ms"
        )
    }

    fn tick_times(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Spread {
            mean,
            p50,
            p99,
            max,
        } = self.0.tick_ms;
        writeln!(
            f,
            "tick        mean {mean:.3} ms, p50 {p50:.3} ms, p99 {p99:.3} ms, max {max:.3} ms"
        )?;
        if mean > 0.0 {
            let rate = 1000.0 / mean;
            let real_time = rate / f64::from(self.0.hz.max(1));
            writeln!(
                f,
                "speed       {rate:.0} ticks/s, {real_time:.1} times real time"
            )?;
        }
        for (name, time) in self.0.sets.rows() {
            let (mean, p99, share) = (time.mean_us, time.p99_us, 100.0 * time.share);
            writeln!(
                f,
                "  {name:<11} mean {mean:>9.1} us, p99 {p99:>9.1} us {share:>7.2} %"
            )?;
        }
        Ok(())
    }

    /// Writes the state of the chases at the end, the purpose of most runs.
    fn ends(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ends = &self.0.ends;
        let is_all = ends.beside < ends.total() && ends.all_who_can_are_beside();
        let all_who_can = if is_all { ", all who can be" } else { "" };
        let [beside, total] = [ends.beside, ends.total()].map(Grouped);
        writeln!(
            f,
            "at the end  {beside} of {total} chasers beside their target{all_who_can}"
        )?;
        let ways = &ends.on_the_way;
        let rows = [
            ("wait, every place they can get to is taken", ends.no_place),
            ("wait behind others who wait", ends.behind),
            ("have no way to their target", ends.no_way),
            ("on their way by a shared field", ways.shared_field),
            ("on their way by a far field", ways.far_field),
            ("on their way by a path of their own", ways.own_path),
            ("on their way round bodies that stay", ways.detour),
            ("go straight until it is their turn", ways.straight),
            ("have nothing to follow now", ways.nothing),
        ];
        counts(f, &rows)
    }

    /// Writes what chasers followed in the course of the run.
    fn ways(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.0.ways.is_empty() {
            writeln!(
                f,
                "ways         in reach  by field far field  own path    detour  straight   nothing"
            )?;
        }
        for at in &self.0.ways {
            let ways = &at.ways;
            write!(f, "{:<11}", format!("  {:.0} s", at.seconds))?;
            for count in [
                at.in_reach,
                ways.shared_field,
                ways.far_field,
                ways.own_path,
                ways.detour,
                ways.straight,
                ways.nothing,
            ] {
                write!(f, " {:>9}", Grouped(count))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn searches(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let searches = &self.0.searches;
        writeln!(f, "searches    {}", Grouped(searches.total()))?;
        counts(f, &searches.rows(self.0.found_at_once))?;
        if let Some(refusal) = &self.0.refusal {
            writeln!(f, "  {refusal}")?;
        }
        Ok(())
    }

    fn expansions(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let expansions = &self.0.expansions;
        let numbers = [expansions.p50, expansions.p99, expansions.max];
        let [p50, p99, max] = numbers.map(|number| Grouped(number.into()));
        let mean = expansions.mean;
        writeln!(
            f,
            "expansions  mean {mean:.1}, p50 {p50}, p99 {p99}, max {max}"
        )?;
        let counts = expansions.histogram.iter().map(|bucket| bucket.count);
        let most = counts.max().unwrap_or(0);
        let mut first = 0;
        for &Bucket { upto, count } in &expansions.histogram {
            let (from, to) = (Grouped(first.into()), Grouped(upto.into()));
            let range = if first == upto {
                to.to_string()
            } else {
                format!("{from}-{to}")
            };
            let bar = bar(count, most);
            let space = if bar.is_empty() { "" } else { " " };
            writeln!(f, "  {range:<13} {:>15}{space}{bar}", Grouped(count))?;
            first = upto.saturating_add(1);
        }
        Ok(())
    }

    /// Writes the memory of the process, and that of the plugin.
    fn memory(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.0;
        if let Some(bytes) = report.peak_rss_bytes {
            write!(f, "memory      {:.1} MiB at most", mebibytes(bytes))?;
            if let Some(bytes) = report.rss_bytes {
                write!(f, ", {:.1} MiB at the end", mebibytes(bytes))?;
            }
            if let Some(bytes) = report.bytes_per_chaser {
                write!(f, ", {} bytes a chaser", Grouped(bytes.round() as u64))?;
            }
            writeln!(f)?;
        }
        let nav = &report.nav;
        let chasers = f64::from(report.chasers.max(1));
        let parts = [nav.paths_bytes, nav.fields_bytes, nav.bodies_bytes];
        let [paths, fields, bodies] = parts.map(|bytes| bytes as f64 / chasers);
        writeln!(
            f,
            "nav state   {} bytes a chaser, paths {paths:.1}, fields {fields:.1}, bodies {bodies:.1}; \
             map {:.2} bytes a cell",
            nav.state_bytes,
            nav.map_bytes_per_cell()
        )?;
        match (nav.map_parts, nav.map_parts_due) {
            (0, _) => Ok(()),
            (_, 0) => writeln!(f, "map         prepared"),
            (all, _) => writeln!(
                f,
                "map         {} of {} parts prepared",
                Grouped(all - nav.map_parts_due),
                Grouped(all)
            ),
        }
    }
}

/// Writes a line for each count that is not 0.
fn counts(f: &mut Formatter<'_>, rows: &[(&str, u64)]) -> fmt::Result {
    for (name, count) in rows.iter().filter(|(_, count)| *count > 0) {
        writeln!(f, "  {name:<42} {:>9}", Grouped(*count))?;
    }
    Ok(())
}

/// Returns a bar of up to [`BAR_MAX`] characters, rounded up so that rare events stay visible.
fn bar(count: u64, most: u64) -> String {
    let length = (u128::from(count) * u128::from(BAR_MAX)).div_ceil(u128::from(most.max(1)));
    "#".repeat(length as usize)
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A number with commas between thousands.
struct Grouped(u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::percentile::Spread;
    use crate::report::{
        Digest, Ends, ExpansionCounts, NavState, Searches, SetTime, Sets, Ways, WaysAt,
    };
    use nav_grid::Method;

    fn report() -> Report {
        let mut expansions = ExpansionCounts::default();
        for (number, times) in [(0, 2), (4, 600), (12, 1000), (150, 7)] {
            (0..times).for_each(|_| expansions.count(number));
        }
        Report {
            ticks: 1200,
            hz: 20,
            chasers: 2000,
            targets: 16,
            seed: 1,
            threads: 2,
            method: Method::Sweep,
            budget: Some(20_000),
            expanded_max: 19_321,
            setup_ms: 41.26,
            tick_ms: Spread {
                mean: 0.8,
                p50: 0.75,
                p99: 1.5,
                max: 12.3456,
            },
            sets: Sets::default()
                .with(
                    "search",
                    SetTime {
                        mean_us: 600.0,
                        p99_us: 12_345.6,
                        share: 0.75,
                    },
                )
                .with(
                    "other",
                    SetTime {
                        mean_us: 200.0,
                        p99_us: 250.0,
                        share: 0.25,
                    },
                ),
            searches: Searches {
                found: 1600,
                budget_spent: 7,
                already_there: 2,
                unsupported: 1,
                ..Searches::default()
            },
            found_at_once: 2,
            refusal: Some("the method sweep cannot serve links".to_owned()),
            expansions: expansions.summarize(),
            fields: 321,
            steps: 1_234_567,
            reached: 1999,
            ends: Ends {
                beside: 1500,
                no_place: 400,
                behind: 0,
                no_way: 1,
                on_the_way: Ways {
                    shared_field: 90,
                    own_path: 9,
                    ..Ways::default()
                },
            },
            ways: vec![WaysAt {
                seconds: 1.0,
                in_reach: 12,
                ways: Ways {
                    shared_field: 1900,
                    own_path: 80,
                    nothing: 8,
                    ..Ways::default()
                },
            }],
            digest: Digest(0x0123_4567_89ab_cdef),
            peak_rss_bytes: Some(25 << 20),
            rss_bytes: Some(24 << 20),
            bytes_per_chaser: Some(1234.4),
            nav: NavState {
                state_bytes: 64,
                paths_bytes: 90_000,
                fields_bytes: 24_000,
                bodies_bytes: 81_100,
                map_bytes: 65_536,
                map_cells: 1 << 18,
                map_parts: 320,
                map_parts_due: 12,
            },
        }
    }

    #[test]
    fn summary_text() {
        let golden = "\
run         1,200 ticks at 20 Hz, 60.0 s simulated, 2 threads
world       2,000 chasers, 16 targets, seed 1
method      sweep
budget      20,000 expansions a tick, at most 19,321 taken
setup       41.3 ms
at the end  1,500 of 2,000 chasers beside their target
  wait, every place they can get to is taken       400
  have no way to their target                        1
  on their way by a shared field                    90
  on their way by a path of their own                9
ways         in reach  by field far field  own path    detour  straight   nothing
  1 s              12     1,900         0        80         0         0         8
tick        mean 0.800 ms, p50 0.750 ms, p99 1.500 ms, max 12.346 ms
speed       1250 ticks/s, 62.5 times real time
  observe     mean       0.0 us, p99       0.0 us    0.00 %
  aim_fields  mean       0.0 us, p99       0.0 us    0.00 %
  decide      mean       0.0 us, p99       0.0 us    0.00 %
  join_fields mean       0.0 us, p99       0.0 us    0.00 %
  search      mean     600.0 us, p99   12345.6 us   75.00 %
  step        mean       0.0 us, p99       0.0 us    0.00 %
  report      mean       0.0 us, p99       0.0 us    0.00 %
  other       mean     200.0 us, p99     250.0 us   25.00 %
searches    1,610
  answered at once, such as a straight way           2
  searched, and led to the target                1,598
  gave up at the limit on expansions                 7
  began on their goal                                2
  not for this method                                1
  the method sweep cannot serve links
expansions  mean 9.6, p50 12, p99 12, max 150
  0                           2 #
  1                           0
  2                           0
  3-5                       600 ########################
  6-10                        0
  11-20                   1,000 ########################################
  21-50                       0
  51-100                      0
  101-150                     7 #
fields      321; chasers that share one need no search
steps       1,234,567
arrivals    1,999
memory      25.0 MiB at most, 24.0 MiB at the end, 1,234 bytes a chaser
nav state   64 bytes a chaser, paths 45.0, fields 12.0, bodies 40.5; map 0.25 bytes a cell
map         308 of 320 parts prepared
digest      0123456789abcdef
";
        assert_eq!(report().summary().to_string(), golden);
    }

    #[test]
    fn summary_of_an_empty_run() {
        let empty = Report {
            ticks: 0,
            tick_ms: Spread::default(),
            sets: Sets::default(),
            searches: Searches::default(),
            refusal: None,
            expansions: ExpansionCounts::default().summarize(),
            peak_rss_bytes: None,
            bytes_per_chaser: None,
            chasers: 0,
            nav: NavState::default(),
            ..report()
        };
        let text = empty.summary().to_string();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }

    #[test]
    fn json_round_trip() {
        let json = serde_json::to_value(report()).unwrap();
        let object = json.as_object().unwrap();
        let mut fields: Vec<&str> = object.keys().map(String::as_str).collect();
        fields.sort_unstable();
        let expected = [
            "budget",
            "bytes_per_chaser",
            "chasers",
            "digest",
            "ends",
            "expanded_max",
            "expansions",
            "fields",
            "found_at_once",
            "hz",
            "method",
            "nav",
            "peak_rss_bytes",
            "reached",
            "refusal",
            "rss_bytes",
            "searches",
            "seed",
            "sets",
            "setup_ms",
            "steps",
            "targets",
            "threads",
            "tick_ms",
            "ticks",
            "ways",
        ];
        assert_eq!(fields, expected);
        assert_eq!(json["digest"], "0123456789abcdef");
        assert_eq!(json["expansions"]["histogram"][5]["upto"], 20);
        let read: Report = serde_json::from_value(json).unwrap();
        assert_eq!(read, report());
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(Grouped(number).to_string(), text);
        }
    }
}
