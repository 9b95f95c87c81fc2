//! `nav_lab cliffs`: measures whether actions of a game make ticks much longer.

use crate::cliffs::{CLIFFS, Cliff, CliffTable, Setting};
use nav_cli::{
    Failure, JsonArgs, print,
    values::{above_zero, count, whole},
};
use nav_sim::scenario::limits;
use std::io::Write;

/// Measures whether actions of a game make ticks much longer
///
/// Each cliff is such an action. It disturbs a crowd, which also runs undisturbed: the scenario
/// crowd-100k, or the same chasers on another map.
/// Only ticks are timed, not the game's own writes between them.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct CliffsArgs {
    /// Cliffs to measure; all if left out
    #[arg(value_name = "NAME", value_parser = Cliff::of_name)]
    names: Vec<Cliff>,
    /// Number of chasers; the map and the number of targets grow with it. k stands for thousands
    /// and m for millions
    #[arg(long, value_name = "N", value_parser = count(1..=limits::TARGETS_MAX), default_value = "100k")]
    chasers: u32,
    /// Simulated time of each run, in seconds
    #[arg(long, value_name = "S", default_value_t = 12.0, value_parser = above_zero(limits::SECONDS_MAX))]
    seconds: f64,
    /// Seed of starts, targets and disturbances
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// Number of threads; as many as the machine runs at once if left out
    #[arg(long, value_name = "N", value_parser = whole(1..=limits::THREADS_MAX))]
    threads: Option<u32>,
    /// Number of times that each run is repeated. Its ticks are the same each time; of each the
    /// shortest time counts, so that other programs on the machine do not
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole(1..=100_u32)
    )]
    runs: u32,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn main(args: &CliffsArgs) -> Result<(), Failure> {
    let setting = Setting {
        chasers: args.chasers,
        seconds: args.seconds,
        seed: args.seed,
        threads: args.threads,
        runs: args.runs,
    };
    setting.check()?;
    let json = args.json.open()?;
    let shows = !json.takes_stdout();
    let mut table = CliffTable::new(&setting);
    if shows {
        print(|out| write!(out, "{table}"))?;
    }
    table.measure(&args.cliffs(), &setting, |row| {
        if shows {
            print(|out| writeln!(out, "{row}"))?;
        }
        Ok(())
    })?;
    json.write(&table)
}

impl CliffsArgs {
    /// Returns the cliffs to measure, each once, in the order of the list.
    fn cliffs(&self) -> Vec<Cliff> {
        let mut cliffs = CLIFFS.to_vec();
        cliffs.retain(|cliff| {
            self.names.is_empty() || self.names.iter().any(|named| named.name == cliff.name)
        });
        cliffs
    }
}
