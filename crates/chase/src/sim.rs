//! Placeholder for the simulation: the seam that `chase run` calls, without anything behind it.

use crate::{Progress, Report, Scenario};
use nav_grid::Grid;

/// Runs `scenario` on `grid`, the map it names.
///
/// # Errors
///
/// Always, until the simulation takes this module's place.
pub fn run(
    _scenario: &Scenario,
    _grid: Grid,
    _progress: &mut dyn Progress,
) -> Result<Report, SimError> {
    Err(SimError)
}

/// A run could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this build has no simulation")]
pub struct SimError;
