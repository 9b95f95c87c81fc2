//! The jump point search of the crate `grid_pathfinding`.

use super::outcome;
use grid_pathfinding::PathingGrid;
use grid_util::{grid::ValueGrid, point::Point};
use nav_grid::{Cell, Grid, Metric, Outcome, Path, PathQuery, Status, query::Counters};

/// The jump point search of the crate `grid_pathfinding`, with its components and jump points
/// prepared.
///
/// It always searches the whole map and always cuts corners, as
/// [`CornerRule::Cut`](nav_grid::CornerRule::Cut): a diagonal step needs only its end walkable. Its
/// steps cost 70 and 99, which is octile up to 5 parts in 100,000. In version 0.3 a jump costs what
/// the step before it would (`pruned_neighborhood` charges the direction of arrival), so that its
/// paths may be longer than the shortest.
pub struct GridPathfinding {
    map: PathingGrid,
}

impl GridPathfinding {
    pub fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut map = PathingGrid::new(width.into(), height.into(), false);
        for y in 0..height {
            for x in 0..width {
                if !grid.is_walkable(Cell::new(x, y)) {
                    map.set(x.into(), y.into(), true);
                }
            }
        }
        map.generate_components();
        Self { map }
    }

    /// Answers queries of the octile metric, both ends of them walkable.
    pub fn search(&self, query: &PathQuery, path: &mut Path) -> Outcome {
        let point = |cell: Cell| Point::new(cell.x.into(), cell.y.into());
        let (start, goal) = (point(query.start), point(query.goal));
        let counters = Counters::default();
        path.clear();
        let Some(points) = self.map.get_path_single_goal(start, goal, false) else {
            return outcome(Status::Unreachable, 0, counters);
        };
        if start == goal {
            return outcome(Status::AlreadyThere, 0, counters);
        }
        let mut cost = 0;
        for pair in points.windows(2).rev() {
            let (from, to) = (pair[0], pair[1]);
            path.prepend(Cell::new(to.x as u16, to.y as u16));
            cost += Metric::Octile
                .open_ground(from.x.abs_diff(to.x) as u16, from.y.abs_diff(to.y) as u16);
        }
        outcome(Status::Found, cost, counters)
    }
}
