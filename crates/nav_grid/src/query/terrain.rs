//! The terrain of a search: a map, its indexes, and the bodies on it.

use super::{body_filter::BodyFilter, path_query::PathQuery};
use crate::{
    cell::Cell,
    index::MapIndexes,
    map::{Bodies, Grid},
};

/// What a search looks at: a map, what was prepared of it, and who stands on it.
///
/// Made from a `&Grid`, without indexes, or from an [`&IndexedMap`](crate::IndexedMap), with its
/// own. Searches take either as it is; `Terrain` is needed to add [bodies](Self::with_bodies).
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
    /// `None` stands for nobody.
    pub(crate) bodies: Option<&'a Bodies>,
    pub(crate) indexes: Option<&'a MapIndexes>,
}

impl<'a> Terrain<'a> {
    /// The same with bodies that may be in the way, for walkers that count them:
    /// [`BodyPolicy`](crate::rules::BodyPolicy). Bodies of a map of another size count where the
    /// maps overlap.
    #[must_use]
    pub const fn with_bodies(self, bodies: &'a Bodies) -> Self {
        Self {
            bodies: Some(bodies),
            ..self
        }
    }

    /// The map.
    #[inline]
    pub const fn grid(self) -> &'a Grid {
        self.grid
    }

    /// Who stands on it, if that was given.
    #[inline]
    pub const fn bodies(self) -> Option<&'a Bodies> {
        self.bodies
    }

    /// Whether somebody stands in the way of the walker of a query at a place, by its policy.
    pub fn is_blocked(self, query: &PathQuery, place: Cell) -> bool {
        let bodies = self.bodies;
        let filter = bodies.and_then(|bodies| BodyFilter::new(bodies, query));
        let mut area = query.rules.footprint.area(place).cells();
        filter.is_some_and(|filter| area.any(|cell| filter.is_in_the_way(cell)))
    }
}

impl<'a> From<&'a Grid> for Terrain<'a> {
    /// The map without indexes, and nobody on it.
    #[inline]
    fn from(grid: &'a Grid) -> Self {
        Self {
            grid,
            bodies: None,
            indexes: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BodyPolicy, Footprint, Rules};

    #[test]
    fn bodies_block_by_the_policy_of_a_query() {
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
