//! The reachable cell nearest to a goal that cannot be reached.

use crate::{
    cell::Cell,
    index::Regions,
    query::{BodyFilter, PathQuery, Terrain},
};

/// The most rings that [`nearest_reachable`] visits.
///
/// A guess: 40,401 cells, 631 units of work at once.
pub const RINGS_MAX: u8 = 100;

/// The cell nearest to the goal of a query that is in the region of the start and where the body
/// of the walker may stand. This may be the goal itself.
///
/// Visits the goal, then 1 to `rings` square rings around it, at most [`RINGS_MAX`], on the floor
/// of the goal. Cells of a ring are ordered by straight distance from the goal, then in reading
/// order. Bodies count by the [policy](crate::rules::BodyPolicy) of the query. The limits of the
/// query do not apply.
///
/// `None` if there is no such cell, if the start is in no region, or if the regions do not
/// [serve](Regions::serve) this map and the rules of the query. Where exits and links lead in one
/// direction only, or a path may [not end with a link](PathQuery::ends_with_step), a cell in the
/// region of the start may still be out of reach.
///
/// # Complexity
///
/// O(rings²) look-ups of regions, most of which take a few ns. Does not allocate.
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
    let bodies = terrain.bodies;
    let body_filter = bodies.and_then(|bodies| BodyFilter::new(bodies, query));
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

/// The cells of a ring at `aside` columns or rows from the middle of a side, in reading order.
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
