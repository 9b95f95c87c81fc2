//! The table of all runs.

use super::{
    list::Cliff,
    measure::{Crowd, LongestTick, Run, Setting, measure},
};
use nav_cli::Failure;
use nav_sim::{
    percentile::Spread,
    report::{Digest, Sets},
};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The ratio of 99th percentiles above which a row is marked: the p99 of 100,000
/// undisturbed chasers is 15 to 20 ms on two cores, so that three times as much does not fit a tick
/// of 50 ms.
pub const OVER: f64 = 3.0;

/// The times of crowds, disturbed and not: a row for each run.
///
/// Its JSON is one object with the fields below. [`Display`] prints it as a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CliffTable {
    /// Chasers of each run.
    pub chasers: u32,
    /// Simulated time of each run, in seconds.
    pub seconds: f64,
    /// Seed of all runs.
    pub seed: u64,
    /// Threads available to all runs.
    pub threads: u32,
    /// Number of times that each run was repeated; of each tick the shortest time counts.
    pub runs: u32,
    /// Rows: each crowd, and then the cliffs that it is compared with.
    pub rows: Vec<CliffRow>,
}

/// A run in the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CliffRow {
    /// The name of the cliff, or of the undisturbed crowd.
    pub name: String,
    /// The game's actions.
    pub does: String,
    /// Times of ticks.
    pub tick_ms: Spread,
    /// 99th percentile in those of the undisturbed crowd; `null` for that crowd itself.
    pub ratio: Option<f64>,
    /// Whether the ratio is above [`OVER`].
    pub over: bool,
    /// Times by set.
    pub sets: Sets,
    /// The longest tick, which in most runs is the first one.
    pub longest: LongestTick,
    /// Its time, in means.
    pub longest_by_mean: f64,
    /// The longest tick after the first second; `null` in a shorter run. One tick of a run of 12
    /// seconds does not move the 99th percentile, so that a jump in a single tick shows only here.
    pub later: Option<LongestTick>,
    /// Digest of the final state.
    pub digest: Digest,
    /// Most memory that the process held during the run, in bytes; `null` where the system does not
    /// count it. Includes what earlier runs left behind, so that the figure of a run after others
    /// may be too large.
    pub peak_rss_bytes: Option<u64>,
}

impl CliffRow {
    /// Creates a row from a run, and the 99th percentile of the undisturbed crowd in milliseconds.
    fn new(cliff: &Cliff, run: Run, undisturbed: Option<f64>) -> Self {
        let ratio = undisturbed.map(|p99| run.tick_ms.p99 / p99);
        Self {
            name: cliff.name.to_owned(),
            does: cliff.does.to_owned(),
            tick_ms: run.tick_ms,
            ratio,
            over: ratio.is_some_and(|ratio| ratio > OVER),
            sets: run.sets,
            longest_by_mean: run.longest.ms / run.tick_ms.mean,
            longest: run.longest,
            later: run.later,
            digest: run.digest,
            peak_rss_bytes: run.peak_rss_bytes,
        }
    }
}

impl CliffTable {
    /// Creates a table without rows.
    pub fn new(setting: &Setting) -> Self {
        Self {
            chasers: setting.chasers,
            seconds: setting.seconds,
            seed: setting.seed,
            threads: setting.threads(),
            runs: setting.runs,
            rows: Vec::new(),
        }
    }

    /// Runs `cliffs` and adds a row for each. The undisturbed crowd that several share runs once,
    /// before them. Calls `show` with each row as soon as it is measured, because all of them take
    /// more than a minute.
    ///
    /// # Errors
    ///
    /// A map has no room for the agents, or the error of `show`.
    pub fn measure(
        &mut self,
        cliffs: &[Cliff],
        setting: &Setting,
        mut show: impl FnMut(&CliffRow) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for crowd in Crowd::ALL {
            let of_crowd = cliffs.iter().filter(|cliff| cliff.crowd == crowd);
            let mut runs = vec![Cliff::undisturbed(crowd)];
            runs.extend(of_crowd);
            if runs.len() == 1 {
                continue;
            }
            let map = crowd.map(setting)?;
            let mut undisturbed = None;
            for cliff in &runs {
                let run = measure(cliff, setting, map.clone())
                    .map_err(|error| format!("{}: {error}", cliff.name))?;
                let row = CliffRow::new(cliff, run, undisturbed);
                undisturbed.get_or_insert(row.tick_ms.p99);
                show(&row)?;
                self.rows.push(row);
            }
        }
        Ok(())
    }
}

impl Display for CliffTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} with {} chasers, {} s, seed {}, threads {}, runs {}; milliseconds a tick;\nby mean: \
             the longest by the mean; later: the longest after the first second;\nMiB: the most \
             memory; of crowd: p99 by that of the undisturbed crowd\n",
            Crowd::SCENARIO,
            self.chasers,
            self.seconds,
            self.seed,
            self.threads,
            self.runs
        )?;
        writeln!(
            f,
            "{:<12}  {:<47} {:>9} {:>9} {:>9} {:>7} {:>9} {:>7} {:>8}",
            "name", "does", "mean", "p99", "longest", "by mean", "later", "MiB", "of crowd"
        )?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl Display for CliffRow {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Spread { mean, p99, max, .. } = self.tick_ms;
        write!(
            f,
            "{:<12}  {:<47} {mean:>9.3} {p99:>9.3} {max:>9.3} {:>7.1}",
            self.name, self.does, self.longest_by_mean
        )?;
        match &self.later {
            Some(later) => write!(f, " {:>9.3}", later.ms)?,
            None => write!(f, " {:>9}", "-")?,
        }
        match self.peak_rss_bytes {
            Some(bytes) => write!(f, " {:>7.1}", bytes as f64 / f64::from(1 << 20))?,
            None => write!(f, " {:>7}", "-")?,
        }
        if let Some(ratio) = self.ratio {
            write!(f, " {ratio:>8.2}")?;
        }
        if self.over {
            write!(f, "  over")?;
        }
        Ok(())
    }
}
