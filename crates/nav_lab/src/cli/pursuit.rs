//! `nav_lab pursuit`: measures how well chasers stay beside targets that move.

use crate::pursuit::{PursuitTable, Setting};
use nav_cli::{Failure, JsonArgs, values::whole};
use nav_grid::Method;
use nav_sim::{Progress, Silent, methods::method_names, progress};
use std::ops::RangeInclusive;

/// Pursuits per row of the table. A default chaser steps every five ticks, so five pursuits let the
/// target step at every phase of the chasers' period.
const PURSUITS: u32 = 5;

/// Seconds of a pursuit: after an hour no share moves by a thousandth.
const SECONDS: RangeInclusive<u32> = 1..=3600;

/// Measures how well chasers stay beside targets that wander, stroll, circle a pillar or flee
///
/// The table compares them with imagined chasers that know at every step where the target is.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct PursuitArgs {
    /// Seconds of each pursuit that count, after five that do not; at most an hour
    #[arg(long, value_name = "S", default_value_t = 40, value_parser = whole(SECONDS))]
    seconds: u32,
    /// Seed of the first pursuit of each row
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// Method that answers the searches of all chasers
    #[arg(long, value_name = "NAME", value_parser = method_names())]
    method: Option<Method>,
    #[command(flatten)]
    json: JsonArgs,
    /// Show neither progress nor table
    #[arg(long)]
    quiet: bool,
}

pub(super) fn main(args: &PursuitArgs) -> Result<(), Failure> {
    let json = args.json.open()?;
    let mut setting = Setting::default();
    setting.chaser.method = args.method.unwrap_or(setting.chaser.method);
    let mut progress: Box<dyn Progress> = if args.quiet {
        Box::new(Silent)
    } else {
        progress::on_terminal()
    };
    let table = PursuitTable::measure(
        &setting,
        args.seconds,
        PURSUITS,
        args.seed,
        progress.as_mut(),
    );
    if args.quiet {
        json.write(&table)
    } else {
        json.report(&table, &table)
    }
}
