//! The system parameter by which points ahead are read.

use super::{
    point::{Ahead, PointAhead},
    settings::{AheadForm, AheadSettings},
    straightened::{StraightenedAhead, farthest_straight},
    walk::{Walk, Walker},
};
use crate::{
    Body, CellPosition, Chaser, Chasing, NavClock, NavMap, OnMap, PathCursor,
    components::Tuning,
    systems::{
        fields::Fields,
        search::LongSearch,
        storage::{chaser::ChaseKey, targets::Targets},
        target_view::TargetViews,
    },
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::path::turns;

/// The next points of chasers, in cells and in world coordinates, whatever they follow: for clients, for
/// animation, and for scripts that look ahead.
///
/// A system parameter of any system. It reads what the last tick left, so the place for such systems is
/// after [`NavSystems::Step`](crate::NavSystems::Step), in the same schedule or a later one. A system that
/// also writes components of chasers or maps needs a `ParamSet`.
///
/// # What it gives
///
/// | [`guidance`](PathCursor::guidance) | points |
/// |---|---|
/// | own path | its waypoints |
/// | shared field, far field | the cells by which the field leads, as each move tick takes them |
/// | detour | for a chaser inside its target the cell that it steps to; otherwise the way by the shared field, as if nobody stood in it, if there is one |
/// | none, but queued for a search | the straight way, until a wall or the answer to the search |
/// | none | the way by the shared field that it joins at its next move tick, or nothing |
///
/// From one to another, as where a path comes into a shared field, points go on if what comes next is
/// made already. They end where it is not: where a field has to be made or another search is due, where a
/// path ends out of reach, and where the chaser would be within reach. They never enter the cell of the
/// target.
///
/// # How long it holds
///
/// Until the target moves, the map is edited, the tuning changes, or a body is in the way: bodies are not
/// looked at. Until then a chaser goes from point to point, one at each move tick, and stops only where
/// the points end for good. While the target has moved and fields or paths have not followed yet, the
/// points are those to where it was. A chaser that got another target since the last tick is shown as it
/// was before.
///
/// After loading a world, and for a chaser that was spawned since the last tick, there may be no points
/// before the next one.
///
/// # Complexity
///
/// A look-up of the chaser and its target, and for each point what a step looks up: O(1), or O(log n) in
/// links. Only who asks pays. Nothing is allocated, but for [stop distances](Chaser::stop_distance) above 1 near a target
/// behind a wall.
///
/// # Example
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::{PointsAhead, prelude::*};
///
/// fn tell(chasers: Query<Entity, With<Chaser>>, ahead: PointsAhead) {
///     for chaser in &chasers {
///         // As the game set it for all, and the turning points of the next ten steps.
///         for point in ahead.points(chaser) {
///             println!("{chaser} comes by {:?}", point.world);
///         }
///         for turn in ahead.turns_ahead(chaser, 10) {
///             println!("{chaser} turns at {:?}", turn.world);
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(tell);
/// ```
#[derive(SystemParam)]
pub struct PointsAhead<'w, 's> {
    settings: Res<'w, AheadSettings>,
    clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    fields: Res<'w, Fields>,
    long_search: Res<'w, LongSearch>,
    maps: Query<'w, 's, &'static NavMap>,
    chasers: Query<'w, 's, Columns>,
}

/// What is read of a chaser.
type Columns = (
    &'static Chaser,
    &'static Tuning,
    &'static Chasing,
    &'static OnMap,
    &'static CellPosition,
    &'static PathCursor,
    Has<Body>,
);

impl PointsAhead<'_, '_> {
    /// The points of a chaser as the [`AheadSettings`] of the game say: so many steps ahead, each cell of
    /// them, or turning points, or straightened, or the farthest one that it could walk to straight.
    pub fn points(&self, chaser: Entity) -> impl Iterator<Item = PointAhead> + '_ {
        let AheadSettings { steps, points } = *self.settings;
        let is = |form| (points == form).then_some(());
        let cells = is(AheadForm::Cells).map(|()| self.ahead(chaser, steps));
        let turns = is(AheadForm::Turns).map(|()| self.turns_ahead(chaser, steps));
        let ends = is(AheadForm::Straightened).map(|()| self.straightened_ahead(chaser, steps));
        let farthest = is(AheadForm::Farthest).and_then(|()| self.straight_ahead(chaser, steps));
        let (cells, turns) = (cells.into_iter().flatten(), turns.into_iter().flatten());
        let ends = ends.into_iter().flatten();
        cells.chain(turns).chain(ends).chain(farthest)
    }

    /// The cells of the next `distance` steps of a chaser, links among them, in the order in which it
    /// comes to them; fewer where they [end](Self#what-it-gives). Nothing for an entity that chases
    /// nobody.
    pub fn ahead(&self, chaser: Entity, distance: u16) -> Ahead<'_> {
        Ahead {
            walk: self.walk(chaser),
            left: distance,
        }
    }

    /// The turning points of the next `distance` steps: where the direction changes, both ends of every
    /// link, and the last cell. Between two of them the way is straight in one of the eight
    /// directions, or a link.
    pub fn turns_ahead(
        &self,
        chaser: Entity,
        distance: u16,
    ) -> impl Iterator<Item = PointAhead> + '_ {
        self.walk(chaser).into_iter().flat_map(move |walk| {
            let (map, from, rules) = (walk.nav_map(), walk.at(), walk.rules());
            let cells = walk.take(distance.into());
            turns(map.grid(), from, rules, cells)
                .map(|turn| PointAhead::new(map.frame(), turn.cell, turn.by_link))
        })
    }

    /// The farthest of the next `distance` steps to which the chaser could go straight, in any
    /// direction: see [`look_ahead`](nav_grid::smoothing::look_ahead()). Such a line costs no more than the way by the cells, leads over no
    /// dearer ground, and crosses no link. `None` if there is no point, or a link comes next.
    ///
    /// Allocates nothing. Looks at up to `distance` lines of up to twice as many cells.
    pub fn straight_ahead(&self, chaser: Entity, distance: u16) -> Option<PointAhead> {
        let (_, point) = farthest_straight(&self.walk(chaser)?, distance)?;
        Some(point)
    }

    /// The next `distance` steps straightened: from the chaser, and then from each point, the farthest one
    /// to which it could go [straight](Self::straight_ahead), and both ends of every link. They lead to
    /// where the steps lead, at no more cost.
    ///
    /// Allocates nothing. Looks from each point at up to as many lines as there are steps left.
    pub fn straightened_ahead(&self, chaser: Entity, distance: u16) -> StraightenedAhead<'_> {
        StraightenedAhead(self.ahead(chaser, distance))
    }

    /// The walk of a chaser that sees its target.
    fn walk(&self, entity: Entity) -> Option<Walk<'_>> {
        let (chaser, tuning, chasing, on_map, position, cursor, has_body) =
            self.chasers.get(entity).ok()?;
        let now = self.clock.now();
        let key = ChaseKey {
            tuning: *tuning,
            target: chasing.0,
            map: on_map.0,
        };
        let views = TargetViews::new(&self.targets, &self.fields, &self.maps, now);
        let view = views.view_of(key)?;
        let walker = Walker {
            chaser,
            cursor,
            position,
            has_body,
            is_searching: self.long_search.chaser() == Some(entity),
        };
        Some(Walk::new(&self.fields, view, walker, now))
    }
}
