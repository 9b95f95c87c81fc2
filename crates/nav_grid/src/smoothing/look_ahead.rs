//! Look-ahead: the farthest waypoint of a path that can be reached in a straight line.

use super::{
    line_of_sight::{LineCost, LineOfSight},
    straighten::Straightener,
};
use crate::{
    cell::Cell,
    path::{Path, PathStep, WalkCost},
    query::{PathQuery, Terrain},
};

/// A waypoint ahead to which a walker can go straight along a [line of sight](super::LineOfSight).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VisibleWaypoint {
    /// Number of the waypoint in walking order, from 0; also the number of waypoints before it.
    pub index: usize,
    /// The cell of the waypoint.
    pub cell: Cell,
}

impl Path {
    /// The farthest waypoint along the path to which the walker can go straight, at most `distance`
    /// columns and rows away. The line to it is [clear](crate::smoothing::LineOfSight), leads over
    /// no dearer ground than the path, and costs no more under the query's metric and the octile
    /// one.
    ///
    /// `query` is the query of the path, with the walker's present cell as its start. `None` if
    /// there is no such waypoint: the path is empty, a link or a broken step comes next, or bodies
    /// stand around the walker.
    ///
    /// Ends at a link, at a step that the map or the rules forbid now, and after 256
    /// waypoints.
    ///
    /// # Complexity
    ///
    /// A line of at most `2 * distance` cells for each waypoint within the distance. No memory.
    ///
    /// # Example
    ///
    /// ```
    /// use nav_grid::{Cell, Path, PathQuery, map::text};
    ///
    /// let grid = text::read(b"......\n....#.\n......\n")?;
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(5, 2));
    /// let cells = [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2)];
    /// let path: Path = cells.into_iter().map(Cell::from).collect();
    /// let ahead = path.look_ahead(&grid, &query, 8).unwrap();
    /// assert_eq!(ahead.cell, Cell::new(4, 2), "the wall hides the last one");
    /// assert_eq!(path.look_ahead(&grid, &query, 2).unwrap().index, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn look_ahead<'a>(
        &self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        distance: u16,
    ) -> Option<VisibleWaypoint> {
        look_ahead(terrain, query, self.iter(), distance)
    }
}

/// The farthest cell along a walk to which the walker can go straight, under the conditions of
/// [`Path::look_ahead`]. For walks without a path, such as along a field.
///
/// `cells` are those of the walk in walking order, without the walker's own. Only the cells that
/// are looked at are taken from the iterator.
pub fn look_ahead<'a>(
    terrain: impl Into<Terrain<'a>>,
    query: &PathQuery,
    cells: impl IntoIterator<Item = Cell>,
    distance: u16,
) -> Option<VisibleWaypoint> {
    let terrain = terrain.into().for_rules(query.rules);
    let sight = LineOfSight::new(terrain, query);
    let mut so_far = LineCost {
        walk_cost: WalkCost::default(),
        dearest: 0,
    };
    let (mut from, mut farthest) = (query.start, None);
    let cells = cells.into_iter().take(Straightener::REACH);
    for (index, cell) in cells.enumerate() {
        let step = PathStep::between(terrain.grid, from, cell, query.rules);
        let Some(step) = step.filter(|step| !step.by_link) else {
            break;
        };
        so_far.walk_cost = so_far.walk_cost.plus(step.walk_cost);
        so_far.dearest = so_far.dearest.max(step.ground);
        let near = query.start.chebyshev(cell) <= distance;
        if near && sight.trace(query.start, cell, so_far, |_| {}).is_some() {
            farthest = Some(VisibleWaypoint { index, cell });
        }
        from = cell;
    }
    farthest
}
