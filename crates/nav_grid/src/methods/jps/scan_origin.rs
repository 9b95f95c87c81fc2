//! Where scans begin.

use crate::rules::Cost;

/// Where looks begin.
#[derive(Clone, Copy)]
pub(crate) struct ScanOrigin {
    /// The node that is being expanded.
    pub(crate) number: u32,
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// The cell's bit in the rows, and in the columns.
    pub(crate) in_row: usize,
    pub(crate) in_column: usize,
    /// What it costs to be here.
    pub(crate) cost: Cost,
}
