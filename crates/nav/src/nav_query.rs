//! Paths at once: [`NavQuery`].

use crate::{FindPathError, NavMap, PathRequest, Route, Spot, Want};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{
    Cell, Path, Planner, Rules,
    fields::{FieldLimits, FieldStatus, ReachField, ReachedCells},
    methods::NearestGoal,
    query::QueryEnd,
    rules::Cost,
};

/// Answers [`PathRequest`]s at once, and pays for them in the system that asks: for loading, tools,
/// spawn checks and single clicks. Bodies do not count.
///
/// # Price
///
/// It does not count to the [budget](crate::NavBudget), so nothing bounds a tick that asks. A goal
/// within 28 cells takes some microseconds. Elsewhere a path by the portals of the map takes some
/// tens of microseconds to a millisecond. Without portals, or on ground that they do not serve, it
/// takes up to 100 ns for each cell of the map: some 25 ms for 512×512 cells. Call
/// [`NavMap::prepare`] at load. Each system that has this parameter keeps the scratch memory of its
/// searches: up to 20 bytes a cell of the largest map for searches without an index.
///
/// # Example
///
/// ```
/// use bevy_ecs::{prelude::*, system::RunSystemOnce};
/// use nav::prelude::*;
///
/// let mut world = World::new();
/// let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8)?;
/// let map = world.spawn(NavMap::new(grid)).id();
/// let (from, to) = (Cell::new(1, 1), Cell::new(7, 1));
/// let ask = move |mut ways: NavQuery| ways.distance(map, from, to, Default::default());
/// assert_eq!(world.run_system_once(ask).unwrap(), Ok(16));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(SystemParam)]
pub struct NavQuery<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    planner: Local<'s, Planner>,
    nearest: Local<'s, NearestGoal>,
    reach: Local<'s, ReachField>,
    path: Local<'s, Path>,
}

impl NavQuery<'_, '_> {
    /// Returns the path between two cells, without the first one. Allocates it.
    ///
    /// # Errors
    ///
    /// [`FindPathError`], as for the other functions.
    pub fn path(
        &mut self,
        map: Entity,
        from: Cell,
        to: Cell,
        rules: Rules,
    ) -> Result<Path, FindPathError> {
        let request = PathRequest::new(from, to).with_rules(rules);
        Ok(self.answer(map, &request)?.path)
    }

    /// Returns the cost of the path, in units of the metric.
    ///
    /// # Errors
    ///
    /// [`FindPathError`].
    pub fn cost(
        &mut self,
        map: Entity,
        from: Cell,
        to: Cell,
        rules: Rules,
    ) -> Result<Cost, FindPathError> {
        let request = PathRequest::new(from, to).with_rules(rules);
        let route = self.answer(map, &request.wanting(Want::Cost))?;
        Ok(route.outcome.cost)
    }

    /// Returns the number of steps of the path.
    ///
    /// # Errors
    ///
    /// [`FindPathError`].
    pub fn distance(
        &mut self,
        map: Entity,
        from: Cell,
        to: Cell,
        rules: Rules,
    ) -> Result<u32, FindPathError> {
        let request = PathRequest::new(from, to).with_rules(rules);
        Ok(self.answer(map, &request.wanting(Want::Cost))?.steps)
    }

    /// Returns whether there is a path. O(1) on maps with [regions](NavMap::build_regions), and
    /// without exits and links.
    ///
    /// # Errors
    ///
    /// [`FindPathError`], but for a goal out of reach.
    pub fn is_reachable(
        &mut self,
        map: Entity,
        from: Cell,
        to: Cell,
        rules: Rules,
    ) -> Result<bool, FindPathError> {
        let request = PathRequest::new(from, to).with_rules(rules);
        match self.answer(map, &request.wanting(Want::Reachability)) {
            Ok(_) => Ok(true),
            Err(FindPathError::Unreachable) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the route to the cheapest place from which a target is near enough: to shoot at it,
    /// or to walk the rest. Without steps if `from` is such a place.
    ///
    /// It expands cells from `from` on, in the order of their cost and distance, up to the first
    /// such place.
    ///
    /// # Errors
    ///
    /// [`FindPathError`].
    pub fn spot(
        &mut self,
        map: Entity,
        from: Cell,
        target: Cell,
        spot: Spot,
        rules: Rules,
    ) -> Result<Route, FindPathError> {
        let request = PathRequest::new(from, target).with_rules(rules);
        self.answer(map, &request.with_spot(Some(spot)))
    }

    /// Returns the answer to a request, with its goals, its limits, its fallback and what it wants.
    ///
    /// # Errors
    ///
    /// [`FindPathError`].
    pub fn answer(&mut self, map: Entity, request: &PathRequest) -> Result<Route, FindPathError> {
        let map = self.maps.get(map).map_err(|_| FindPathError::NoMap)?;
        let mut request = request.as_made();
        let scratch = (&mut *self.planner, &mut *self.nearest);
        let (outcome, goal) = request.answer_at_once(map, scratch, &mut self.path);
        request.result(outcome, &self.path, goal)
    }

    /// Returns all cells within some limits of a cell, each with its cost and the way back: the
    /// movement range of a unit, or a spell that spreads.
    ///
    /// The cells within 20 steps take some 10 µs on open ground under a metric with equal steps.
    /// Elsewhere some 0.1 µs a cell. Without limits it has the whole map.
    ///
    /// # Errors
    ///
    /// [`FindPathError::NoMap`], and [`FindPathError::Invalid`] if the walker cannot stand at
    /// `from`.
    pub fn reach(
        &mut self,
        map: Entity,
        from: Cell,
        rules: Rules,
        limits: FieldLimits,
    ) -> Result<&ReachedCells, FindPathError> {
        let map = self.maps.get(map).map_err(|_| FindPathError::NoMap)?;
        let outcome = self.reach.compute(map.grid(), from, rules, limits);
        match outcome.status {
            FieldStatus::Invalid(fault) => Err(FindPathError::Invalid(QueryEnd::Start, fault)),
            _ => Ok(self.reach.reached()),
        }
    }
}
