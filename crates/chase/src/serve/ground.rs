//! The ground of a map, as clients draw it.

use axum::body::Bytes;
use nav_grid::{Cell, Grid};

/// Returns the ground of a map, one byte per cell: 0 for walls, otherwise the cost of a step.
pub(super) fn ground_of(grid: &Grid) -> Bytes {
    let rows = (0..grid.floors()).flat_map(|floor| (0..grid.height()).map(move |y| (floor, y)));
    let cells =
        rows.flat_map(|(floor, y)| (0..grid.width()).map(move |x| Cell::new(x, y).on_floor(floor)));
    let byte = |cell| {
        if grid.is_walkable(cell) {
            grid.cost(cell).max(1)
        } else {
            0
        }
    };
    cells.map(byte).collect::<Vec<u8>>().into()
}
