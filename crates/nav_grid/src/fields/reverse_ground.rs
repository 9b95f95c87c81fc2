//! The ground as walks backwards from a target see it: from which cells steps lead to one.

use super::query::FieldQuery;
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    query::{BodyFilter, Terrain},
    rules::{BodyPolicy, COST_MAX, Cost, Footprint, Rules},
    window::SearchWindow,
};

/// The ground for walks backwards from the target.
pub(super) struct ReverseGround<'a> {
    pub(super) grid: &'a Grid,
    pub(super) rules: Rules,
    body_filter: Option<BodyFilter<'a>>,
    pub(super) window: SearchWindow,
    pub(super) limit: Cost,
}

impl<'a> ReverseGround<'a> {
    pub(super) fn new(terrain: Terrain<'a>, query: &FieldQuery) -> Self {
        let minded = query.rules.bodies != BodyPolicy::Ignore;
        let bodies = terrain.bodies.filter(|_| minded);
        Self {
            grid: terrain.grid,
            rules: query.rules,
            body_filter: bodies
                .map(|bodies| BodyFilter::around_target(bodies, query.target, query.target_body)),
            window: SearchWindow::around(query.target, query.limits.radius, terrain.grid),
            limit: query.limits.cost.min(COST_MAX),
        }
    }

    /// Whether others than those who begin there may stand on a cell.
    pub(super) fn is_passable(&self, cell: Cell) -> bool {
        self.body_filter.as_ref().is_none_or(|body_filter| {
            let mut covered = self.rules.footprint.area(cell).cells();
            !covered.any(|cell| body_filter.is_in_the_way(cell))
        })
    }

    /// The directions in which lie the cells from which a step leads to `cell`.
    #[inline]
    pub(super) fn arrivals(&self, cell: Cell) -> Directions {
        let Rules { footprint, .. } = self.rules;
        let legal = self.rules.move_table();
        let places = self.grid.surroundings(cell, footprint);
        let arrivals = match &self.body_filter {
            None => legal[places],
            Some(body_filter) => {
                let passable = body_filter.surroundings(self.grid, cell, footprint);
                // Who begins on a place that somebody stands on is that somebody.
                let begins = |direction: &Direction| {
                    let place = place_of(*direction);
                    places & place != 0 && legal[passable | place].contains(*direction)
                };
                Directions::ALL.into_iter().filter(begins).collect()
            }
        };
        let mut arrivals = arrivals.intersection(self.window.inside(cell.x, cell.y));
        if self.grid.has_exits() {
            arrivals = arrivals
                .into_iter()
                .filter(|&direction| self.may_leave(cell, direction, footprint))
                .collect();
        }
        arrivals
    }

    /// Whether the cell in a direction may be left toward `cell`.
    fn may_leave(&self, cell: Cell, direction: Direction, footprint: Footprint) -> bool {
        cell.step(direction).is_some_and(|from| {
            let exits = self.grid.exits_of_body(from, footprint);
            exits.contains(direction.opposite())
        })
    }
}

/// The bit of a direction in a move table's index.
const fn place_of(direction: Direction) -> usize {
    const READING_ORDER: [usize; 8] = [1, 2, 4, 7, 6, 5, 3, 0];
    1 << READING_ORDER[direction as usize]
}
