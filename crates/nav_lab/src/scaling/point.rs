//! One run of a scenario in one size.

use super::{child, shape};
use crate::LabError;
use chase::{Report, Scenario};
use serde::{Deserialize, Serialize};

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Columns and rows of the map; `null` of a map that is not made for the run.
    pub size: Option<[u16; 2]>,
    /// What the run did and what it cost, number of chasers and threads included.
    pub report: Report,
}

impl Point {
    /// Runs `scenario` in a child process of this program, and waits for it.
    ///
    /// # Errors
    ///
    /// The run failed, or no child process can be started.
    pub fn run(scenario: &Scenario) -> Result<Self, LabError> {
        Ok(Self {
            size: shape::size(scenario),
            report: child::run(scenario)?,
        })
    }
}
