//! The reachable cell nearest to a goal that cannot be reached.

use crate::{
    cell::Cell,
    index::{Regions, SlicedIndex},
    query::{PathQuery, Terrain},
};

/// The cell nearest to the goal of a query that is in the region of the start and where the body
/// of the walker may stand. This may be the goal itself.
///
/// Looks on the floor of the goal, however far. Nearest by columns or rows, whichever are more,
/// then by straight distance, then by the cost from the start on open ground, then in reading
/// order. Bodies count by the [policy](crate::rules::BodyPolicy) of the query. The limits of the
/// query do not apply.
///
/// `None` if there is no such cell, if the goal is not on the map, if the start is in no region, or
/// if the regions do not serve this map and the rules of the query. Where exits
/// and links lead in one direction only, or a path may
/// [not end with a link](PathQuery::ends_with_step), a cell in the region of the start may still be
/// out of reach.
///
/// # Complexity
///
/// O(tiles) up to the first ring of [tiles](crate::map::Tile) around the goal with such a cell, up
/// to 100 ns each, and O(rows) of the tiles with some: 1 µs nearby, 0.4 ms for a goal 2000 cells
/// deep in a block. At most 16,384 tiles, on the largest map. Does not allocate.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, PathQuery, Rules, index::Regions, planner::nearest_reachable};
///
/// // The goal is in a wall, beyond which lies nothing that the start can reach.
/// let grid = Grid::from_fn(20, 9, |cell| cell.x != 9 && cell.x != 10)?;
/// let regions = Regions::of(&grid, Rules::default());
/// let query = PathQuery::new(Cell::new(2, 4), Cell::new(10, 4));
/// let instead = nearest_reachable(&grid, &regions, &query);
/// assert_eq!(instead, Some(Cell::new(8, 4)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
pub fn nearest_reachable<'a>(
    terrain: impl Into<Terrain<'a>>,
    regions: &Regions,
    query: &PathQuery,
) -> Option<Cell> {
    look_for_reachable(terrain.into(), regions, query).0
}

/// The same cell, and the number of tiles and rows that were read, as
/// [scans](crate::query::Counters::scanned).
pub(super) fn look_for_reachable(
    terrain: Terrain<'_>,
    regions: &Regions,
    query: &PathQuery,
) -> (Option<Cell>, u32) {
    let region = match regions.label(query.start) {
        Some(region) if regions.serves(terrain.grid, query.rules) => region,
        _ => return (None, 0),
    };
    let body_filter = terrain.body_filter(query);
    let (start, metric) = (query.start, query.rules.metric);
    regions.nearest(region, query.goal, |cell| {
        let is_blocked =
            body_filter.is_some_and(|filter| filter.blocks(cell, query.rules.footprint));
        let (dx, dy) = (cell.x.abs_diff(start.x), cell.y.abs_diff(start.y));
        (!is_blocked).then(|| metric.open_ground(dx, dy))
    })
}
