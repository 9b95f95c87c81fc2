//! Fuzz targets by name.

use crate::{files, frames, maps, queries, saves, scenarios, scenes, traces};

/// Fuzz target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Map files of all formats.
    Maps,
    /// Maps with the files that they refer to.
    Files,
    /// Scenario files of the `MovingAI` benchmarks.
    Scenes,
    /// Scenarios of the program `chase`.
    Scenarios,
    /// Saves of navigation state.
    Saves,
    /// Traces of what a game did.
    Traces,
    /// Messages between server and client.
    Frames,
    /// Grids, edits and queries.
    Queries,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 8] = [
        Self::Maps,
        Self::Files,
        Self::Scenes,
        Self::Scenarios,
        Self::Saves,
        Self::Traces,
        Self::Frames,
        Self::Queries,
    ];

    /// Returns the name: that of the binary in `fuzz/` and of the folder with its corpus.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maps => "maps",
            Self::Files => "files",
            Self::Scenes => "scenes",
            Self::Scenarios => "scenarios",
            Self::Saves => "saves",
            Self::Traces => "traces",
            Self::Frames => "frames",
            Self::Queries => "queries",
        }
    }

    /// Runs the target with an input. Returns whether the input was meaningful.
    ///
    /// # Panics
    ///
    /// If the code under test is wrong.
    pub fn run(self, bytes: &[u8]) -> bool {
        match self {
            Self::Maps => maps::run(bytes),
            Self::Files => files::run(bytes),
            Self::Scenes => scenes::run(bytes),
            Self::Scenarios => scenarios::run(bytes),
            Self::Saves => saves::run(bytes),
            Self::Traces => traces::run(bytes),
            Self::Frames => frames::run(bytes),
            Self::Queries => queries::run(bytes),
        }
    }
}
