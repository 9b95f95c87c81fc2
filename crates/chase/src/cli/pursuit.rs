//! `chase run pursuit`: measures how well chasers stay beside targets that move.

use super::{json::JsonOut, stdout::print};
use crate::{
    Error, Progress,
    pursuit::{PursuitTable, Setting},
    scenario::within,
};
use nav_grid::Method;
use std::{io::Write, path::PathBuf};

/// Seconds of a pursuit that count, by default; at most an hour.
const SECONDS: f64 = 40.0;
/// Pursuits in a row of the table: with each, the target steps at another moment of the chasers' beat.
const PURSUITS: u32 = 5;

/// What of the options of `chase run` goes with pursuits.
pub(super) struct PursuitArgs<'a> {
    pub(super) seconds: Option<f64>,
    pub(super) seed: Option<u64>,
    pub(super) method: Option<Method>,
    pub(super) json: Option<&'a PathBuf>,
    pub(super) quiet: bool,
}

pub(super) fn main(args: &PursuitArgs, progress: &mut dyn Progress) -> Result<(), Error> {
    let seconds = args.seconds.unwrap_or(SECONDS);
    within("seconds", seconds, 1.0..=3600.0).map_err(Error::Options)?;
    let json = args.json.map(|path| JsonOut::open(path)).transpose()?;
    let seed = args.seed.unwrap_or_default();
    let mut setting = Setting::default();
    setting.chaser.method = args.method.unwrap_or(setting.chaser.method);
    let seconds = seconds.round() as u32;
    let table = PursuitTable::measure(&setting, seconds, PURSUITS, seed, progress);
    let on_stdout = matches!(json, Some(JsonOut::Stdout));
    if let Some(json) = json {
        json.write(&table)?;
    }
    if args.quiet || on_stdout {
        return Ok(());
    }
    print(|out| write!(out, "{table}"))
}
