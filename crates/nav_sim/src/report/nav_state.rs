//! Memory that the plugin keeps at the end of a run.

use nav::{NavMap, diagnostics::NavMemory};
use serde::{Deserialize, Serialize};

/// Bytes that the plugin keeps at the end of a run. All 0 if not recorded.
///
/// Heap memory includes spare capacity, so it may depend on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavState {
    /// Per chaser: the state in its components, see [`NavMemory::STATE_BYTES`].
    pub state_bytes: u64,
    /// All chasers: the waypoints of their paths.
    pub paths_bytes: u64,
    /// All targets with several chasers: their fields.
    pub fields_bytes: u64,
    /// All bodies: the tables of occupied cells.
    pub bodies_bytes: u64,
    /// The grid of the map, with the boards prepared for footprints. Indexes of methods are not
    /// included.
    pub map_bytes: u64,
    /// Cells of the map, on all floors.
    pub map_cells: u64,
    /// Parts of its regions and portals: see [`NavDiagnostics`](nav::NavDiagnostics::map_parts).
    pub map_parts: u64,
    /// Those that are still to be built.
    pub map_parts_due: u64,
}

impl NavState {
    /// Creates it from the memory of the plugin and the only map of the world. O(1).
    pub fn new(memory: NavMemory, map: &NavMap) -> Self {
        let (grid, progress) = (map.grid(), map.progress());
        Self {
            state_bytes: NavMemory::STATE_BYTES as u64,
            paths_bytes: memory.paths as u64,
            fields_bytes: memory.fields as u64,
            bodies_bytes: memory.bodies as u64,
            map_bytes: grid.heap_bytes() as u64,
            map_cells: grid.size().cells(),
            map_parts: progress.of as u64,
            map_parts_due: progress.due as u64,
        }
    }

    /// Returns the bytes of the map per cell; 0 without cells.
    pub(super) fn map_bytes_per_cell(&self) -> f64 {
        self.map_bytes as f64 / self.map_cells.max(1) as f64
    }
}
