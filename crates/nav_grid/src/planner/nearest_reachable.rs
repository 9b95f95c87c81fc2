//! The reachable cell nearest to a goal that cannot be reached.

use crate::{
    cell::Cell,
    index::Regions,
    query::{BodyFilter, PathQuery, Terrain},
};

/// The most rings that [`nearest_reachable`] looks at.
pub const RINGS_MAX: u8 = 100;

/// The cell nearest to the goal of a query that is in the start's region and on which the
/// walker's body may stand: the goal itself if it will do.
///
/// Looks at the goal, then at the square rings around it, 1 to `rings` of them, at most
/// [`RINGS_MAX`], on the goal's floor. Of the cells of a ring those nearest to the goal as the
/// crow flies come first, equally near ones in reading order. Bodies in the way count as the
/// query's [policy](crate::rules::BodyPolicy) says; the limits of the query do not count.
///
/// `None` if there is no such cell, if the start is in no region, or if the regions do not
/// [serve](Regions::serve) this map and the query's rules. Where exits and links lead in one
/// direction only, or a path may [not end with a link](PathQuery::ends_with_step), a cell of the
/// start's region may be out of its reach all the same.
///
/// # Complexity
///
/// O(rings²) look-ups of regions, of which most take a few ns; nothing is allocated.
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
/// let instead = nearest_reachable(&grid, &regions, &query, 20);
/// assert_eq!(instead, Some(Cell::new(8, 4)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
pub fn nearest_reachable<'a>(
    terrain: impl Into<Terrain<'a>>,
    regions: &Regions,
    query: &PathQuery,
    rings: u8,
) -> Option<Cell> {
    let terrain = terrain.into();
    if !regions.serve(terrain.grid, query.rules) {
        return None;
    }
    let region = regions.label(query.start)?;
    let body_filter = terrain
        .bodies
        .and_then(|bodies| BodyFilter::new(bodies, query));
    let suits = |cell: &Cell| {
        regions.label(*cell) == Some(region)
            && body_filter.as_ref().is_none_or(|body_filter| {
                let mut covered = query.rules.footprint.area(*cell).cells();
                !covered.any(|cell| body_filter.is_in_the_way(cell))
            })
    };
    let rings = 0..=u16::from(rings.min(RINGS_MAX));
    rings
        .flat_map(|ring| (0..=ring).map(move |aside| (ring, aside)))
        .find_map(|(ring, aside)| equally_near(query.goal, ring, aside).find(suits))
}

/// The cells of a ring that are `aside` columns or rows off the middle of one of its sides, in
/// reading order.
fn equally_near(center: Cell, ring: u16, aside: u16) -> impl Iterator<Item = Cell> {
    let (ring, aside) = (i32::from(ring), i32::from(aside));
    let offsets = [
        (-aside, -ring),
        (aside, -ring),
        (-ring, -aside),
        (ring, -aside),
        (-ring, aside),
        (ring, aside),
        (-aside, ring),
        (aside, ring),
    ];
    offsets.into_iter().filter_map(move |(dx, dy)| {
        let x = u16::try_from(i32::from(center.x) + dx).ok()?;
        let y = u16::try_from(i32::from(center.y) + dy).ok()?;
        Some(Cell { x, y, ..center })
    })
}
