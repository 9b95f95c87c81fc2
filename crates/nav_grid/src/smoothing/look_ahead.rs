//! The farthest waypoint of a path that can be walked to in a straight line.

use super::{
    line_of_sight::{LineCost, LineOfSight},
    straighten::Straightener,
};
use crate::{
    cell::Cell,
    path::{Path, PathStep, WalkCost},
    query::{PathQuery, Terrain},
};

/// A waypoint ahead to which a walker can go straight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VisibleWaypoint {
    /// Number of the waypoint in walking order, from 0: so many waypoints before it can be
    /// popped.
    pub index: usize,
    /// The waypoint.
    pub cell: Cell,
}

impl Path {
    /// The waypoint farthest along the path, among those at most `distance` columns and rows from
    /// the walker, to which the walker can go straight: the line to it is in
    /// [sight](crate::smoothing::LineOfSight), costs no more than the path there, under the query's
    /// metric as well as the octile one, and leads over no dearer ground.
    ///
    /// `query` is that which the path answers, with the walker's present cell for its start.
    /// `None` if there is no such waypoint: the path is empty, a link or a broken step comes next,
    /// or bodies stand around the walker.
    ///
    /// Waypoints behind a link, behind a step that the map or the rules forbid now, and behind
    /// the next [`Straightener::REACH`] are not looked at.
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
    /// let path: Path = [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2)].into_iter().map(Cell::from).collect();
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

/// The cell farthest along a walk to which the walker can go straight, as
/// [`Path::look_ahead`] says of waypoints: for cells that are no path, as those by which a field leads.
///
/// `cells` are those of the walk in walking order, the walker's own not among them; only as many are
/// taken as are looked at.
pub fn look_ahead<'a>(
    terrain: impl Into<Terrain<'a>>,
    query: &PathQuery,
    cells: impl IntoIterator<Item = Cell>,
    distance: u16,
) -> Option<VisibleWaypoint> {
    let terrain = terrain.into();
    let sight = LineOfSight::new(terrain, query);
    let mut so_far = LineCost {
        walk_cost: WalkCost::default(),
        dearest: 0,
    };
    let (mut from, mut farthest) = (query.start, None);
    let cells = cells.into_iter().take(Straightener::REACH.into());
    for (index, cell) in cells.enumerate() {
        let step = PathStep::between(terrain.grid, from, cell, query.rules);
        let Some(step) = step.filter(|step| !step.by_link) else {
            break;
        };
        so_far.walk_cost = so_far.walk_cost.plus(step.walk_cost);
        so_far.dearest = so_far.dearest.max(step.factor);
        let near = query.start.chebyshev(cell) <= distance;
        if near && sight.trace(query.start, cell, so_far, |_| {}).is_some() {
            farthest = Some(VisibleWaypoint { index, cell });
        }
        from = cell;
    }
    farthest
}
