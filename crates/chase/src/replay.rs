//! `chase replay`: replays a trace.

use crate::{
    replayed::{ReplayRange, replay},
    tracer::trace_error,
};
use nav_cli::{
    Failure, FileError, JsonArgs, JsonOut,
    values::{json_file, whole},
};
use nav_sim::scenario::all_threads;
use std::{
    fs::File,
    io::BufReader,
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
    /// Write the state after this tick as JSON, 0 for that at the start: a save that a game
    /// restores
    #[arg(long, value_name = "TICK", value_parser = whole(0..=u64::MAX))]
    dump: Option<u64>,
    /// File for that state; standard output, in place of the summary, if left out
    #[arg(long, value_name = "FILE", value_parser = json_file(), requires = "dump")]
    dump_to: Option<PathBuf>,
    /// Number of threads; as many as the machine runs at once if left out
    #[arg(long, value_name = "N", value_parser = whole(1..=256_u32))]
    threads: Option<u32>,
    #[command(flatten)]
    json: JsonArgs,
}

/// Replays a trace. Returns whether it runs as it was recorded.
pub(super) fn main(args: &ReplayArgs) -> Result<bool, Failure> {
    let path = &args.trace;
    let file = File::open(path).map_err(|source| FileError::read(path, source))?;
    let json = args.json.open()?;
    let dump_path = args.dump_to.as_deref().unwrap_or(Path::new("-"));
    let dump_to = args.dump.map(|_| JsonOut::open(dump_path)).transpose()?;
    let range = ReplayRange {
        until: args.until,
        dump: args.dump,
        threads: args.threads.unwrap_or_else(all_threads),
    };
    let replayed = replay(BufReader::new(file), range);
    let (report, state) = trace_error(replayed, path, FileError::read)?;
    let takes_stdout = dump_to.as_ref().is_some_and(JsonOut::takes_stdout);
    if let (Some(out), Some(tick)) = (dump_to, args.dump) {
        let state = state.ok_or_else(|| {
            let (path, ticks) = (path.display(), report.ticks);
            format!("{path}: there is no tick {tick} to dump: it has {ticks}")
        })?;
        out.write(&state)?;
    }
    if takes_stdout {
        json.write(&report)?;
    } else {
        json.report(&report, &report)?;
    }
    Ok(report.equal)
}
