//! `chase replay`: replays a trace.

use super::{
    json::JsonOut,
    options::{json_file, whole},
    output::print,
};
use crate::{
    Error,
    replay::{ReplayRange, replay},
};
use std::{
    fs::File,
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Replays a trace that `run --trace` or a game wrote, and reports whether it runs as recorded
///
/// The exit code is 1 if it does not: then the first tick that differs is named, and the agents and
/// components that differ in it.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct ReplayArgs {
    /// Trace file
    trace: PathBuf,
    /// Last tick to replay; all of them if left out
    #[arg(long, value_name = "TICK", value_parser = whole(0..=u64::MAX))]
    until: Option<u64>,
    /// Write the state after this tick as JSON, 0 for that at the start: a save that a game restores
    #[arg(long, value_name = "TICK", value_parser = whole(0..=u64::MAX))]
    dump: Option<u64>,
    /// File for that state; standard output, in place of the summary, if left out
    #[arg(long, value_name = "FILE", value_parser = json_file(), requires = "dump")]
    dump_to: Option<PathBuf>,
    /// Number of threads; as many as the machine runs at once if left out
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u32))]
    threads: Option<u32>,
    /// Write the result as JSON to this file; - is standard output, in place of the text
    #[arg(long, value_name = "FILE", value_parser = json_file())]
    json: Option<PathBuf>,
}

/// Replays a trace. Returns whether it runs as it was recorded.
pub(super) fn main(args: &ReplayArgs) -> Result<bool, Error> {
    let path = &args.trace;
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    let json = args.json.as_deref().map(JsonOut::open).transpose()?;
    let dump_to = args.dump_to.as_deref().unwrap_or(Path::new("-"));
    let dump_to = args.dump.map(|_| JsonOut::open(dump_to)).transpose()?;
    let range = ReplayRange {
        until: args.until,
        dump: args.dump,
        threads: args.threads.unwrap_or_else(crate::scenario::all_threads),
    };
    let replayed = replay(BufReader::new(file), range);
    let (report, state) = replayed.map_err(|error| Error::trace(path, error, Error::read))?;
    let is_stdout = |out: &Option<JsonOut>| matches!(out, Some(JsonOut::Stdout));
    let on_stdout = is_stdout(&json) || is_stdout(&dump_to);
    if let (Some(out), Some(tick)) = (dump_to, args.dump) {
        let state = state.ok_or_else(|| Error::NoSuchTick {
            path: path.clone(),
            tick,
            ticks: report.ticks,
        })?;
        out.write(&state)?;
    }
    if let Some(json) = json {
        json.write(&report)?;
    }
    if !on_stdout {
        print(|out| write!(out, "{report}"))?;
    }
    Ok(report.equal)
}
