//! The points ahead of a chaser, and the system parameter that returns them.

use super::walk::{Walk, Walker};
use crate::{
    Body, CellPosition, Chaser, Chasing, NavClock, NavMap, OnMap, PathCursor,
    components::Tuning,
    systems::{
        fields::Fields,
        guidance::TargetViews,
        search::LongSearch,
        storage::{columns::ChaseKey, targets::Targets},
    },
};
use bevy_ecs::{prelude::*, system::SystemParam};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{
    Cell, Frame, PathQuery,
    path::{takes_link, turns},
    smoothing::look_ahead,
};

/// A point on the way of a chaser.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointAhead {
    /// The cell; for a large chaser its upper left cell.
    pub cell: Cell,
    /// The centre of the cell in the world, at the height of its floor, by the [`Frame`] of the
    /// map.
    pub world: [f64; 3],
    /// Whether a link leads here from the point before, rather than the ground between.
    pub by_link: bool,
}

impl PointAhead {
    fn new(frame: &Frame, cell: Cell, by_link: bool) -> Self {
        Self {
            cell,
            world: frame.world_of(cell),
            by_link,
        }
    }
}

/// What [`PointsAhead::points`] returns for every chaser: set once by the game for all its clients,
/// animation and scripts.
///
/// It affects only what is read. It steers no chaser and is not part of the
/// [digest](crate::digest()).
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Resource, Default))]
pub struct AheadSettings {
    /// The most steps to look ahead; 20 by default. 0 returns no points.
    ///
    /// 20 steps are five seconds at the default pace, and the default
    /// [radius](nav_grid::Limits::radius) of searches.
    pub steps: u16,
    /// Which points of these steps are returned.
    pub points: AheadForm,
}

impl Default for AheadSettings {
    fn default() -> Self {
        Self {
            steps: 20,
            points: AheadForm::Cells,
        }
    }
}

/// Which points of the steps ahead are returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
#[non_exhaustive]
pub enum AheadForm {
    /// Every cell, as [`PointsAhead::ahead`] returns them. The default: a chaser is at each of them
    /// at a move tick, which is all that drawing it needs.
    #[default]
    Cells,
    /// The turning points, as [`PointsAhead::turns_ahead`] returns them: the same way in fewer
    /// points.
    Turns,
    /// The ends of straight lines in any direction, as [`PointsAhead::straightened_ahead`] returns
    /// them: for chasers that are drawn off the centres of cells.
    Straightened,
    /// Only the farthest point to which the chaser could go straight, as
    /// [`PointsAhead::straight_ahead`] returns it: for steering, or as a point to look at.
    Farthest,
}

/// The next points of chasers, in cells and in world coordinates, whatever guides them: for
/// clients, animation, and scripts that look ahead.
///
/// A parameter of any system. It reads what the last tick left, so such systems run after
/// [`NavSystems::Step`](crate::NavSystems::Step), in the same schedule or a later one. A system
/// that also writes components of chasers or maps needs a `ParamSet`.
///
/// # What it returns
///
/// | [`guidance`](PathCursor::guidance) | points |
/// |---|---|
/// | own path | its waypoints |
/// | shared field, far field | the cells to which the field leads, one for each move tick |
/// | detour | if the target is on the chaser's cells, the cell that it steps to; otherwise the way by the shared field, if any, as without bodies |
/// | none, but queued for a search | the straight way, until a wall or the answer to the search |
/// | none | the way by the shared field that it joins at its next move tick, or nothing |
///
/// Points continue from one source into the next, from a path into a shared field for instance, if
/// the next one is made already. They end where a field must be made first, where another search is
/// due, where a path ends out of reach, and where the chaser would be within reach. They never
/// enter the cell of the target.
///
/// # How long points hold
///
/// Until the target moves, the map is edited, the tuning changes, or a body is in the way: points
/// ignore bodies. Until then a chaser takes one point at each move tick, and stops only where the
/// points end finally. While fields or paths lag behind a target that moved, the points lead to
/// where it was. A chaser whose target was changed since the last tick is shown with the old one.
///
/// After loading a world, and for a chaser that was spawned since the last tick, there may be no
/// points before the next tick.
///
/// # Complexity
///
/// A look-up of the chaser and its target, and for each point the look-up of a step: O(1), or O(log
/// n) in links. Only calls cost anything. Nothing is allocated, except for [stop
/// distances](Chaser::stop_distance) above 1 near a target behind a wall.
///
/// # Example
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::{PointsAhead, prelude::*};
///
/// fn show(chasers: Query<Entity, With<Chaser>>, ahead: PointsAhead) {
///     for chaser in &chasers {
///         // As `AheadSettings` say, and the turning points of the next ten steps.
///         for point in ahead.points(chaser) {
///             println!("{chaser} comes by {:?}", point.world);
///         }
///         for turn in ahead.turns_ahead(chaser, 10) {
///             println!("{chaser} turns at {:?}", turn.world);
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(show);
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

/// The components of a chaser that are read.
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
    /// The points of a chaser in the number and form that the game's [`AheadSettings`] say.
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

    /// The cells of the next `distance` steps of a chaser in order, links included.
    ///
    /// Fewer where they [end](Self#what-it-returns). None for an entity that chases nothing.
    pub fn ahead(&self, chaser: Entity, distance: u16) -> Ahead<'_> {
        Ahead {
            walk: self.walk(chaser),
            left: distance,
        }
    }

    /// The turning points of the next `distance` steps: where the direction changes, both ends of
    /// every link, and the last cell.
    ///
    /// Between two of them the way is straight in one of the eight directions, or a link.
    pub fn turns_ahead(
        &self,
        chaser: Entity,
        distance: u16,
    ) -> impl Iterator<Item = PointAhead> + '_ {
        self.walk(chaser).into_iter().flat_map(move |walk| {
            let (map, from, rules) = (walk.view.map, walk.at, walk.rules());
            let cells = walk.take(distance.into());
            turns(map.grid(), from, rules, cells)
                .map(|turn| PointAhead::new(map.frame(), turn.cell, turn.by_link))
        })
    }

    /// The farthest of the next `distance` steps to which the chaser could go straight, in any
    /// direction: see [`look_ahead`](nav_grid::smoothing::look_ahead()).
    ///
    /// Such a line costs no more than the way by the cells, leads over no dearer ground, and
    /// crosses no link. `None` if there is no point, or a link comes next. Allocates nothing. Looks
    /// at up to `distance` lines of up to twice as many cells.
    pub fn straight_ahead(&self, chaser: Entity, distance: u16) -> Option<PointAhead> {
        let (_, point) = farthest_straight(&self.walk(chaser)?, distance)?;
        Some(point)
    }

    /// The next `distance` steps straightened: from the chaser, and then from each point, the
    /// farthest one in a [straight line](Self::straight_ahead), and both ends of every link.
    ///
    /// They lead to the same place as the steps, at no more cost. Allocates nothing. Looks from
    /// each point at up to as many lines as there are steps left.
    pub fn straightened_ahead(
        &self,
        chaser: Entity,
        distance: u16,
    ) -> impl Iterator<Item = PointAhead> + '_ {
        let mut ahead = self.ahead(chaser, distance);
        std::iter::from_fn(move || {
            let line = ahead.walk.as_ref();
            let line = line.and_then(|walk| farthest_straight(walk, ahead.left));
            // Where no line leads on, the next step is a link or the last one.
            ahead.nth(line.map_or(0, |(steps, _)| steps))
        })
    }

    /// The walk of a chaser; `None` if it sees no target.
    fn walk(&self, entity: Entity) -> Option<Walk<'_>> {
        let (chaser, tuning, chasing, on_map, position, cursor, has_body) =
            self.chasers.get(entity).ok()?;
        let (key, now) = (ChaseKey::new(tuning, chasing, on_map), self.clock.now());
        let views = TargetViews::new(&self.targets, &self.fields, &self.maps, now);
        let walker = Walker {
            chaser,
            cursor,
            has_body,
            is_searching: self.long_search.asker() == Some(entity),
        };
        Some(Walk::new(views.view_of(key)?, walker, position.cell))
    }
}

/// The cells ahead of a chaser, in order: see [`PointsAhead::ahead`].
pub struct Ahead<'a> {
    /// `None` for a chaser that sees no target.
    walk: Option<Walk<'a>>,
    left: u16,
}

impl Iterator for Ahead<'_> {
    type Item = PointAhead;

    fn next(&mut self) -> Option<PointAhead> {
        self.left = self.left.checked_sub(1)?;
        let walk = self.walk.as_mut()?;
        let from = walk.at;
        let to = walk.next()?;
        let map = walk.view.map;
        let by_link = takes_link(map.grid(), from, to, walk.rules());
        Some(PointAhead::new(map.frame(), to, by_link))
    }
}

/// The farthest of the next `distance` cells of a walk to which a straight line leads, and its
/// number from 0.
fn farthest_straight(walk: &Walk, distance: u16) -> Option<(usize, PointAhead)> {
    let map = walk.view.map;
    let query = PathQuery::new(walk.at, walk.view.cell()).with_rules(walk.rules());
    let cells = walk.clone().take(distance.into());
    let visible = look_ahead(map.indexed(), &query, cells, distance)?;
    let point = PointAhead::new(map.frame(), visible.cell, false);
    Some((visible.index, point))
}
