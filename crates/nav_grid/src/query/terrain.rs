//! The terrain of a search: a map, its indexes, and the bodies on it that block.

use super::path_query::PathQuery;
use crate::{
    cell::Cell,
    index::{MapIndexes, PortalGraph, Regions},
    map::{Area, Bodies, Grid, around},
    rules::{BodyPolicy, Footprint, Rules},
};

/// The input of a search: a map, its indexes, and the bodies on it.
///
/// Made from a `&Grid`, without indexes, or from an [`&IndexedMap`](crate::IndexedMap), with its
/// indexes. Searches accept both directly; `Terrain` is needed to add [bodies](Self::with_bodies).
///
/// ```
/// use nav_grid::{Cell, Footprint, Grid, Terrain, map::Bodies};
///
/// let grid = Grid::open(9, 9)?;
/// let mut bodies = Bodies::new(grid.size());
/// bodies.occupy(Cell::new(4, 4), Footprint::ONE);
/// let terrain = Terrain::from(&grid).with_bodies(&bodies);
/// assert!(terrain.bodies().is_some());
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    pub(crate) grid: &'a Grid,
    /// `None` if there are none.
    pub(crate) bodies: Option<&'a Bodies>,
    pub(crate) indexes: Option<&'a MapIndexes>,
}

impl<'a> Terrain<'a> {
    /// Adds bodies, which block walkers by their [`BodyPolicy`]. Bodies of a map of another size
    /// count where the maps overlap.
    #[must_use]
    pub const fn with_bodies(self, bodies: &'a Bodies) -> Self {
        Self {
            bodies: Some(bodies),
            ..self
        }
    }

    /// The same with the map as agents of some rules [find](Grid::for_rules) it.
    #[inline]
    pub(crate) fn for_rules(self, rules: Rules) -> Self {
        let grid = self.grid.for_rules(rules);
        Self { grid, ..self }
    }

    /// The map.
    #[inline]
    pub const fn grid(self) -> &'a Grid {
        self.grid
    }

    /// The bodies, if they were added.
    #[inline]
    pub const fn bodies(self) -> Option<&'a Bodies> {
        self.bodies
    }

    /// Whether a body blocks the walker of a query at a cell, by its policy.
    #[doc(hidden)]
    pub fn is_blocked(self, query: &PathQuery, place: Cell) -> bool {
        self.body_filter(query)
            .is_some_and(|filter| filter.blocks(place, query.rules.footprint))
    }

    /// The connected components for walkers of some rules, if they are up to date.
    pub(crate) fn regions(self, rules: Rules) -> Option<&'a Regions> {
        self.indexes?.regions.ready(self.grid, rules)
    }

    /// The graph of portals for walkers of some rules, if it is up to date.
    pub(crate) fn portals(self, rules: Rules) -> Option<&'a PortalGraph> {
        self.indexes?.portals.ready(self.grid, rules)
    }

    /// The bodies that block a query, if any can.
    pub(crate) fn body_filter(self, query: &PathQuery) -> Option<BodyFilter<'a>> {
        self.bodies
            .and_then(|bodies| BodyFilter::new(bodies, query))
    }
}

impl<'a> From<&'a Grid> for Terrain<'a> {
    /// The map without indexes and bodies.
    #[inline]
    fn from(grid: &'a Grid) -> Self {
        Self {
            grid,
            bodies: None,
            indexes: None,
        }
    }
}

/// The bodies that block a query, by its policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFilter<'a> {
    pub(crate) bodies: &'a Bodies,
    /// Where bodies count; everywhere if `None`.
    near: Option<Area>,
    /// The cells of the walker itself.
    own: Option<Area>,
    /// The cells of the body at the goal.
    goal: Area,
}

impl<'a> BodyFilter<'a> {
    pub(crate) fn new(bodies: &'a Bodies, query: &PathQuery) -> Option<Self> {
        let own = query.rules.footprint.area(query.start);
        let near = match query.rules.bodies {
            BodyPolicy::Ignore => return None,
            BodyPolicy::AvoidNear(distance) => Some(own.grown(distance.into(), distance.into())),
            BodyPolicy::AvoidAll => None,
        };
        Some(Self {
            bodies,
            near,
            own: Some(own),
            goal: query.goal_body.area(query.goal),
        })
    }

    /// All bodies except the one at the target of a field.
    pub(crate) fn around_target(bodies: &'a Bodies, target: Cell, target_body: Footprint) -> Self {
        Self {
            bodies,
            near: None,
            own: None,
            goal: target_body.area(target),
        }
    }

    /// The cells where a body blocks, of the 64 cells of row `y` from column `x`.
    pub(crate) fn counted(&self, x: i32, y: i32, floor: u8) -> u64 {
        let strip = |area| strip(area, x, y, floor);
        let counted = self.near.map_or(u64::MAX, strip);
        counted & !self.own.map_or(0, strip) & !strip(self.goal)
    }

    /// The neighbours of a cell where a body of a size fits and no other is in its way, as a move
    /// table index.
    pub(crate) fn surroundings(&self, grid: &Grid, cell: Cell, footprint: Footprint) -> usize {
        let mut rows = grid.rows_around(cell, footprint);
        let occupied = self.bodies.rows_around(cell, footprint);
        for ((row, occupied), y) in rows.iter_mut().zip(occupied).zip(i32::from(cell.y) - 1..) {
            if occupied != 0 {
                *row &= !(occupied & self.counted(i32::from(cell.x) - 1, y, cell.floor) as u16);
            }
        }
        usize::from(around(rows, footprint))
    }

    /// Whether a body on a cell blocks.
    pub(crate) fn is_in_the_way(&self, cell: Cell) -> bool {
        self.bodies.is_occupied(cell)
            && self.counted(cell.x.into(), cell.y.into(), cell.floor) & 1 == 1
    }

    /// Whether a body blocks one of the cells that a walker covers.
    pub(crate) fn blocks(&self, anchor: Cell, footprint: Footprint) -> bool {
        let mut covered = footprint.area(anchor).cells();
        covered.any(|cell| self.is_in_the_way(cell))
    }
}

/// The cells of an area, of the 64 cells of row `y` from column `x`.
fn strip(area: Area, x: i32, y: i32, floor: u8) -> u64 {
    let (first, last) = (area.first(), area.last());
    if floor != first.floor || y < first.y.into() || i32::from(last.y) < y {
        return 0;
    }
    let below = |column: i32| match column - x {
        ..=0 => 0,
        bits @ 1..64 => !(u64::MAX << bits),
        64.. => u64::MAX,
    };
    below(i32::from(last.x) + 1) & !below(first.x.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn strips_of_rectangle() {
        let square = Footprint::new(3).unwrap().area(Cell::new(5, 5));
        let naive = |x: i32, y: i32| {
            (0..64).fold(0_u64, |bits, column| {
                let inside = (5..=7).contains(&(x + column)) && (5..=7).contains(&y);
                bits | u64::from(inside) << column
            })
        };
        for y in 3..=9 {
            for x in -62..=9 {
                assert_eq!(strip(square, x, y, 0), naive(x, y), "{x},{y}");
            }
        }
    }

    #[test]
    fn blocked_by_policy() {
        let grid = Grid::open(30, 30).unwrap();
        let mut bodies = Bodies::new(grid.size());
        bodies.occupy(Cell::new(10, 10), Footprint::ONE);
        bodies.occupy(Cell::new(20, 20), Footprint::ONE);
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let blocked = |policy, side, at| {
            let rules = Rules::default().with_bodies(policy);
            let rules = rules.with_footprint(Footprint::new(side).unwrap());
            let query = PathQuery::new(Cell::new(12, 12), Cell::new(20, 20)).with_rules(rules);
            terrain.is_blocked(&query, Cell::from(at))
        };
        assert!(!blocked(BodyPolicy::Ignore, 1, (10, 10)));
        assert!(blocked(BodyPolicy::AvoidAll, 1, (10, 10)));
        assert!(blocked(BodyPolicy::AvoidNear(2), 1, (10, 10)));
        assert!(!blocked(BodyPolicy::AvoidNear(1), 1, (10, 10)));
        assert!(blocked(BodyPolicy::AvoidAll, 2, (9, 9)));
        assert!(!blocked(BodyPolicy::AvoidAll, 2, (8, 9)));
        // The body at the goal.
        assert!(!blocked(BodyPolicy::AvoidAll, 1, (20, 20)));
    }
}
