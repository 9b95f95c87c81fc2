//! A run of a scenario in one size.

use super::{child, shape};
use nav_cli::Failure;
use nav_sim::{Report, Scenario};
use serde::{Deserialize, Serialize};

/// A run in one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Columns and rows of the map; `null` for a map from a file.
    pub size: Option<[u16; 2]>,
    /// The report of the run, with the numbers of chasers and threads.
    pub report: Report,
}

impl Point {
    /// Runs `scenario` in a child process of this program, and waits for it.
    ///
    /// # Errors
    ///
    /// The run failed, or no child process could be started.
    pub fn run(scenario: &Scenario) -> Result<Self, Failure> {
        Ok(Self {
            size: shape::size(scenario),
            report: child::run(scenario)?,
        })
    }
}
