//! Bytes that the plugin keeps at the end of a run.

use nav::{NavMap, NavMemory};
use serde::{Deserialize, Serialize};

/// Bytes that the plugin keeps at the end of a run; all 0 if they were not
/// [recorded](crate::Recorder::nav).
///
/// What is on the heap counts with its spare room, so it may depend on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavState {
    /// Of one chaser: the state in its components, see [`NavMemory::STATE_BYTES`].
    pub state_bytes: u64,
    /// Of all chasers: the waypoints of their paths.
    pub paths_bytes: u64,
    /// Of all targets that several chase: their fields.
    pub fields_bytes: u64,
    /// Of all bodies: the tables of occupied cells.
    pub bodies_bytes: u64,
    /// Of the map's grid, with the boards that were prepared for footprints. Indexes that
    /// methods may need are not in it.
    pub map_bytes: u64,
    /// Number of cells of the map, on all floors.
    pub map_cells: u64,
}

impl NavState {
    /// From what the plugin keeps in a world, and the only map there. O(1).
    pub fn new(memory: NavMemory, map: &NavMap) -> Self {
        let grid = map.grid();
        Self {
            state_bytes: NavMemory::STATE_BYTES as u64,
            paths_bytes: memory.paths as u64,
            fields_bytes: memory.fields as u64,
            bodies_bytes: memory.bodies as u64,
            map_bytes: grid.heap_bytes() as u64,
            map_cells: grid.size().cells(),
        }
    }

    /// Bytes of the map a cell; 0 without cells.
    pub(super) fn map_bytes_per_cell(&self) -> f64 {
        self.map_bytes as f64 / self.map_cells.max(1) as f64
    }
}
