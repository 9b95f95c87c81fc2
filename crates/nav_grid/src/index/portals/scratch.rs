//! Memory for building and repairing the graph of portals.

use super::{cluster::Spot, crossing::ClusterCrossing, gate::Gate, wave::ClusterWave};

/// Memory for building and repairing.
#[derive(Debug, Default)]
pub(crate) struct BuildScratch {
    pub(crate) wave: ClusterWave,
    pub(crate) crossings: Vec<ClusterCrossing>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) table: Vec<u16>,
    pub(crate) parts: Vec<u16>,
    /// The pairs of gates whose distance is in the table.
    pub(crate) known: Vec<bool>,
    /// Of how many pairs with each gate it is not.
    pub(crate) waiting: Vec<u32>,
    /// The spots of the gates that the old table is about.
    pub(crate) before: Vec<Spot>,
    /// The distances of the gates from the cell that changed.
    pub(crate) through: Vec<u32>,
}
