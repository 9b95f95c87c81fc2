//! The option `--trace`: writes a trace of a run to a file.

use super::output::OutFile;
use crate::{Error, sim::Simulation};
use bevy_app::App;
use nav_trace::{TraceError, TracePlugin};
use std::{
    cell::Cell,
    fs::File,
    io::BufWriter,
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
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let file = OutFile::create(path)?;
        Ok(Self {
            path: path.to_owned(),
            handle: file.handle()?,
            file: Cell::new(Some(file)),
        })
    }

    /// Starts recording, before the app has any agents.
    pub(super) fn start(&self, app: &mut App) -> Result<(), Error> {
        app.add_plugins(TracePlugin::default());
        let file = self.handle.try_clone();
        let file = file.map_err(|source| Error::write(&self.path, source))?;
        nav_trace::start(app.world_mut(), BufWriter::new(file)).map_err(|error| self.failed(error))
    }

    /// Finishes the trace.
    pub(super) fn finish(&self, simulation: &mut Simulation) -> Result<(), Error> {
        let totals = nav_trace::finish(simulation.world_mut());
        totals.map_err(|error| self.failed(error))?;
        self.file.take().map_or(Ok(()), OutFile::finish)
    }

    fn failed(&self, error: TraceError) -> Error {
        Error::trace(&self.path, error, Error::write)
    }
}
