//! Writing a trace anew after its bytes were changed, with checksums that are right.

use crate::{
    blocks::{BlockWriter, Kind, unchecked},
    record::{Start, TickRecord, parse, to_bytes},
    sketch::Sketch,
};
use std::io;

/// What a trace says of the state after a tick, or at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    /// The digest of the state.
    pub digest: u64,
    /// The sketch of its parts: [`Self::SKETCH_BYTES`] in a trace that can be replayed, nothing at the start.
    pub sketch: Vec<u8>,
}

impl StateRecord {
    /// The size of a sketch.
    pub const SKETCH_BYTES: usize = Sketch::BYTES;
}

/// Writes what is found of a trace in some bytes as a trace, with right checksums: for tests of what becomes of
/// contents that make no sense. Records that can be read are changed by a function, which is given the number of
/// the tick, 0 for the start, and what the trace says of the state.
///
/// # Errors
///
/// A record of 4 GiB and more.
pub fn rewrite(trace: &[u8], mut change: impl FnMut(u64, &mut StateRecord)) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = BlockWriter::begin(&mut out)?;
    for ((kind, contents), tick) in unchecked(trace).zip(0..) {
        let changed = match kind {
            Kind::Start => start(contents, |state| change(tick, state))?,
            Kind::Tick => record(contents, |state| change(tick, state))?,
            Kind::End => None,
        };
        writer.write(kind, changed.as_deref().unwrap_or(contents))?;
    }
    Ok(out)
}

/// The start of a trace, changed, if it can be read.
fn start(contents: &[u8], change: impl FnOnce(&mut StateRecord)) -> io::Result<Option<Vec<u8>>> {
    let Some(mut start) = parse::<Start>(contents) else {
        return Ok(None);
    };
    let mut state = StateRecord {
        digest: start.save.digest(),
        sketch: Vec::new(),
    };
    change(&mut state);
    start.save = start.save.with_digest(state.digest);
    to_bytes(&start).map(Some)
}

/// The record of a tick, changed, if it can be read.
fn record(contents: &[u8], change: impl FnOnce(&mut StateRecord)) -> io::Result<Option<Vec<u8>>> {
    let Some(mut record) = parse::<TickRecord>(contents) else {
        return Ok(None);
    };
    let mut state = StateRecord {
        digest: record.digest,
        sketch: record.sketch,
    };
    change(&mut state);
    (record.digest, record.sketch) = (state.digest, state.sketch);
    to_bytes(&record).map(Some)
}
