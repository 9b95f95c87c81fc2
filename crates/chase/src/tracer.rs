//! The option `--trace`: writes a trace of a run to a file.

use bevy_app::App;
use nav_cli::{Failure, FileError, InFile, OutFile};
use nav_sim::sim::Simulation;
use nav_trace::{TraceError, TracePlugin};
use std::{
    cell::Cell,
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

/// A trace file that records a run.
pub(super) struct Tracer {
    path: PathBuf,
    /// Until it is in its place.
    file: Cell<Option<OutFile>>,
    handle: File,
}

impl Tracer {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let file = OutFile::create(path)?;
        Ok(Self {
            path: path.to_owned(),
            handle: file.handle()?,
            file: Cell::new(Some(file)),
        })
    }

    /// Starts recording, before the app has any agents.
    pub(super) fn start(&self, app: &mut App) -> Result<(), Failure> {
        app.add_plugins(TracePlugin::default());
        let cloned = self.handle.try_clone();
        let file = cloned.map_err(|source| FileError::write(&self.path, source))?;
        let started = nav_trace::start(app.world_mut(), BufWriter::new(file));
        trace_error(started, &self.path, FileError::write)
    }

    /// Finishes the trace.
    pub(super) fn finish(&self, simulation: &mut Simulation) -> Result<(), Failure> {
        let totals = nav_trace::finish(simulation.world_mut());
        trace_error(totals, &self.path, FileError::write)?;
        Ok(self.file.take().map_or(Ok(()), OutFile::finish)?)
    }
}

/// Names the file in the error of a trace. `failed` creates the error if the file itself fails.
pub(super) fn trace_error<T>(
    result: Result<T, TraceError>,
    path: &Path,
    failed: fn(&Path, io::Error) -> FileError,
) -> Result<T, Failure> {
    match result {
        Err(TraceError::Io(source)) => Err(failed(path, source).into()),
        other => other.in_file(path),
    }
}
