//! Goals of a search by sight: the cells from which a walker sees its target.

use super::{expand::guess_max, goal_set::GoalSet};
use crate::{
    cell::Cell,
    map::{Area, Grid},
    query::{Counters, Fault, PathQuery, QueryEnd, Status, Terrain},
    rules::{Cost, Estimate, Footprint, Rules},
    window::SearchWindow,
};

/// Cells of a line of sight that count as a unit of work: each takes a look at its
/// surroundings, as an expansion does, and nothing is queued.
const CELLS_PER_LOOK: u32 = 4;

/// The most cells around a target of which regions are asked one by one whether any can be reached:
/// 64×64, some 20 µs; a distance of 31 cells has no more.
const CELLS_ASKED_MAX: u64 = 4096;

/// The places from which a walker sees a target no further away than a distance: a shot, a spell.
///
/// For [`NearestGoal::search_sight`](super::NearestGoal::search_sight). A walker at such a place is
/// as a chaser with a bow within reach: on the floor of the target, with a [clear line](Grid::sees)
/// from the cell of its body that is nearest to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SightGoal {
    /// The cell to see.
    pub target: Cell,
    /// The greatest distance, in columns and rows.
    pub distance: u16,
}

impl SightGoal {
    /// Whether a body at a place sees the target near enough.
    ///
    /// O(cells on the line).
    pub fn holds_at(self, grid: &Grid, place: Cell, rules: Rules) -> bool {
        let eye = eye(place, self.target, rules.footprint);
        eye.floor == self.target.floor
            && eye.chebyshev(self.target) <= self.distance
            && grid.sees(eye, self.target, rules)
    }

    /// The places of a body from which the target is near enough, as an area that may leave the
    /// map.
    fn area(self, footprint: Footprint) -> Area {
        let behind = self.distance;
        let before = behind.saturating_add(u16::from(footprint.side()) - 1);
        Area::from(self.target).grown(before, behind)
    }

    /// Returns the answer to a query if it needs no search. A start inside a wall is left first.
    pub(super) fn answer_at_once(
        self,
        (whole, terrain): (&Grid, Terrain<'_>),
        query: &PathQuery,
        window: &SearchWindow,
    ) -> Option<Status> {
        let (start, rules) = (query.start, query.rules);
        if !whole.contains(self.target) {
            return Some(Status::Invalid(QueryEnd::Goal, Fault::OutsideMap));
        }
        let in_wall = !terrain.grid.fits(start, rules.footprint);
        if !in_wall && self.holds_at(whole, start, rules) {
            return Some(Status::AlreadyThere);
        }
        let area = self.area(rules.footprint);
        let (columns, rows) = away(start, area);
        if columns.max(rows) > query.limits.radius {
            return Some(Status::TooFar);
        }
        let area = area.clipped(whole.size());
        let (first, last) = (area.first(), area.last());
        let count = u64::from(last.x - first.x + 1) * u64::from(last.y - first.y + 1);
        let regions = terrain.regions(rules).filter(|_| !in_wall);
        let is_apart = count <= CELLS_ASKED_MAX
            && regions.is_some_and(|regions| !area.cells().any(|cell| regions.same(start, cell)));
        let is_on_floor = window.contains(Cell {
            floor: self.target.floor,
            ..start
        });
        (is_apart || !is_on_floor).then_some(Status::Unreachable)
    }

    /// The highest admissible guess on a map with shortcuts.
    pub(super) fn highest_guess(
        self,
        grid: &Grid,
        query: &PathQuery,
        window: &SearchWindow,
    ) -> Cost {
        let estimate = Estimate::new(query.heuristic, query.rules.metric);
        let area = self.area(query.rules.footprint);
        guess_max(grid, query.rules.metric, estimate, Some(window), |from| {
            guess(from, area, estimate)
        })
    }
}

/// The goals of a [`SightGoal`], looked at when the search comes to them. The first one wins.
pub(super) struct SightGoals<'a> {
    /// The map with walls of every class: sight goes over ground that the walker may not enter.
    grid: &'a Grid,
    goal: SightGoal,
    rules: Rules,
    area: Area,
}

impl<'a> SightGoals<'a> {
    pub(super) fn new(grid: &'a Grid, goal: SightGoal, rules: Rules) -> Self {
        Self {
            grid,
            goal,
            rules,
            area: goal.area(rules.footprint),
        }
    }
}

impl GoalSet for SightGoals<'_> {
    #[inline]
    fn guess(&mut self, cell: Cell, estimate: Estimate, _: (&SearchWindow, &mut Counters)) -> Cost {
        guess(cell, self.area, estimate)
    }

    fn number_of(&self, cell: Cell, counters: &mut Counters) -> Option<u32> {
        if away(cell, self.area) != (0, 0) {
            return None;
        }
        let length = u32::from(cell.chebyshev(self.goal.target));
        counters.scanned += 1 + length / CELLS_PER_LOOK;
        let holds = self.goal.holds_at(self.grid, cell, self.rules);
        holds.then_some(0)
    }

    fn any_before(&self, _: u32, _: &mut Counters, _: impl Fn(Cell) -> bool) -> bool {
        false
    }
}

/// The cell of a body that is nearest to a target.
fn eye(place: Cell, target: Cell, footprint: Footprint) -> Cell {
    let last = footprint.area(place).last();
    Cell {
        x: target.x.clamp(place.x, last.x),
        y: target.y.clamp(place.y, last.y),
        ..place
    }
}

/// The estimated cost from a cell to the nearest of an area.
fn guess(from: Cell, area: Area, estimate: Estimate) -> Cost {
    let (columns, rows) = away(from, area);
    estimate.cost(columns, rows)
}

/// The columns and rows between a cell and the nearest of an area. Floors do not count.
fn away(from: Cell, area: Area) -> (u16, u16) {
    let (first, last) = (area.first(), area.last());
    let between =
        |at: u16, first: u16, last: u16| first.saturating_sub(at).max(at.saturating_sub(last));
    (
        between(from.x, first.x, last.x),
        between(from.y, first.y, last.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_to_area() {
        let area = Area::new(Cell::new(10, 20), Cell::new(14, 22));
        let cases = [
            ((3, 20), (7, 0)),
            ((14, 25), (0, 3)),
            ((12, 21), (0, 0)),
            ((20, 1), (6, 19)),
        ];
        for (from, expected) in cases {
            assert_eq!(away(from.into(), area), expected, "{from:?}");
        }
    }

    #[test]
    fn large_body_sees_from_nearest_cell() {
        let mut grid = Grid::open(20, 9).unwrap();
        let (rules, target) = (Rules::default(), Cell::new(12, 4));
        let rules = rules.with_footprint(Footprint::new(3).unwrap());
        let goal = SightGoal {
            target,
            distance: 5,
        };
        let holds = |grid: &Grid, x, y| goal.holds_at(grid, Cell::new(x, y), rules);
        assert!(holds(&grid, 5, 4) && holds(&grid, 17, 4));
        assert!(!holds(&grid, 4, 4) && !holds(&grid, 18, 4));
        grid.set_walkable(Area::new(Cell::new(9, 0), Cell::new(9, 7)), false)
            .unwrap();
        assert!(!holds(&grid, 5, 4), "through the wall");
    }
}
