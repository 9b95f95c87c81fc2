//! The upcoming path of a chaser, for systems of a game: the system parameter that returns it, and
//! the walk that it follows, for a target that stands and without bodies in the way.

use super::{
    fields::{FarSharer, FieldAnswer, Fields},
    guidance::{
        Guide, TargetView, TargetViews,
        reach::{Approach, overlaps},
    },
    search::LongSearch,
    storage::{columns::ChaseKey, targets::Targets},
};
use crate::{
    Body, CellPosition, Chaser, Chasing, NavClock, NavMap, OnMap, PathCursor, components::Tuning,
};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{
    Cell, Frame, PathQuery, Rules,
    path::{takes_link, turns},
    smoothing::look_ahead,
};

/// A point on the path of a chaser, from [`UpcomingPath`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathPoint {
    /// The cell; for a large chaser its upper left cell.
    pub cell: Cell,
    /// The centre of the cell in the world, at the height of its floor, by the [`Frame`] of the
    /// map.
    pub world: [f64; 3],
    /// Whether a link leads here from the point before, rather than the ground between.
    pub by_link: bool,
}

impl PathPoint {
    fn new(frame: &Frame, cell: Cell, by_link: bool) -> Self {
        Self {
            cell,
            world: frame.world_of(cell),
            by_link,
        }
    }
}

/// The path that chasers will take, in cells and in world coordinates, whatever guides them: for
/// clients, animation, and scripts that look ahead.
///
/// - [`cells`](Self::cells): every cell, each for a move tick.
/// - [`corners`](Self::corners): the cells where the direction changes.
/// - [`smoothed`](Self::smoothed): the ends of straight lines in any direction.
/// - [`farthest_visible`](Self::farthest_visible): the first of these ends, to steer by.
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
/// | detour, target on the chaser's cells | the cell that it steps to |
/// | detour | the way by the shared field, if any, as without bodies |
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
/// use nav::prelude::*;
///
/// fn show(chasers: Query<Entity, With<Chaser>>, upcoming: UpcomingPath) {
///     for chaser in &chasers {
///         for corner in upcoming.corners(chaser, 10) {
///             println!("{chaser} turns at {:?}", corner.world);
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
// Decision 21: docs/decisions/0021-points-ahead-are-walked-on-demand.md
#[derive(SystemParam)]
pub struct UpcomingPath<'w, 's> {
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

impl UpcomingPath<'_, '_> {
    /// The cells of the next `steps` steps of a chaser in order, links included.
    ///
    /// Fewer where they [end](Self#what-it-returns). None for an entity that chases nothing.
    pub fn cells(&self, chaser: Entity, steps: u16) -> impl Iterator<Item = PathPoint> + '_ {
        self.path(chaser, steps)
    }

    /// The turning points of the next `steps` steps: where the direction changes, both ends of
    /// every link, and the last cell.
    ///
    /// Between two of them the way is straight in one of the eight directions, or a link.
    pub fn corners(&self, chaser: Entity, steps: u16) -> impl Iterator<Item = PathPoint> + '_ {
        self.walk(chaser).into_iter().flat_map(move |walk| {
            let (map, from, rules) = (walk.view.map, walk.at, walk.rules());
            let cells = walk.take(steps.into());
            turns(map.grid(), from, rules, cells)
                .map(|turn| PathPoint::new(map.frame(), turn.cell, turn.by_link))
        })
    }

    /// The next `steps` steps straightened: from the chaser, and then from each point, the
    /// [farthest visible](Self::farthest_visible) one, and both ends of every link.
    ///
    /// They lead to the same place as the steps, at no more cost. Allocates nothing. Looks from
    /// each point at up to as many lines as there are steps left.
    pub fn smoothed(&self, chaser: Entity, steps: u16) -> impl Iterator<Item = PathPoint> + '_ {
        let mut cells = self.path(chaser, steps);
        std::iter::from_fn(move || {
            let walk = cells.walk.as_ref();
            let line = walk.and_then(|walk| farthest_visible(walk, cells.left));
            // Where no line leads on, the next step is a link or the last one.
            cells.nth(line.map_or(0, |(steps, _)| steps))
        })
    }

    /// The farthest of the next `steps` steps to which the chaser could go straight, in any
    /// direction: see [`look_ahead`](nav_grid::smoothing::look_ahead()).
    ///
    /// Such a line costs no more than the way by the cells, leads over no dearer ground, and
    /// crosses no link. `None` if there is no point, or a link comes next. Allocates nothing. Looks
    /// at up to `steps` lines of up to twice as many cells.
    pub fn farthest_visible(&self, chaser: Entity, steps: u16) -> Option<PathPoint> {
        let (_, point) = farthest_visible(&self.walk(chaser)?, steps)?;
        Some(point)
    }

    /// Pairs each of some cells from which the field of a chaser leads on with the cell to which it
    /// leads: a neighbour, or the end of a link. Beside the target that is the target's cell. For
    /// pictures of a field, and for tools.
    ///
    /// Skips cells off the map, cells that the field does not reach, and the cell where it ends.
    /// Returns nothing for an entity whose target has no field to share, because it has no other
    /// chaser or is too far away. The chaser need not follow the field itself. Fields over
    /// [portals](NavMap::build_portals) are ignored.
    ///
    /// O(1) for each cell; allocates nothing.
    pub fn field_steps<'a>(
        &'a self,
        chaser: Entity,
        cells: impl IntoIterator<Item = Cell> + 'a,
    ) -> impl Iterator<Item = (Cell, Cell)> + 'a {
        let chaser = self.chasers.get(chaser).ok();
        let view = chaser.and_then(|(_, tuning, chasing, on_map, ..)| {
            self.view(ChaseKey::new(tuning, chasing, on_map))
        });
        let view = view.and_then(|view| Some((view.field?, view)));
        let cells = view.is_some().then_some(cells).into_iter().flatten();
        cells.filter_map(move |from| {
            let (field, view) = view.as_ref()?;
            let guide = Guide::Near(*field);
            if !view.grid().contains(from) || guide.ends_at(view, from) {
                return None;
            }
            let ranked = guide.next(view, from, || field.rules())?;
            Some((from, ranked.first(from)?))
        })
    }

    fn path(&self, chaser: Entity, steps: u16) -> PathCells<'_> {
        PathCells {
            walk: self.walk(chaser),
            left: steps,
        }
    }

    /// The walk of a chaser; `None` if it sees no target.
    fn walk(&self, entity: Entity) -> Option<Walk<'_>> {
        let (chaser, tuning, chasing, on_map, position, cursor, has_body) =
            self.chasers.get(entity).ok()?;
        let view = self.view(ChaseKey::new(tuning, chasing, on_map))?;
        let walker = Walker {
            chaser,
            cursor,
            has_body,
            is_searching: self.long_search.asker() == Some(entity),
        };
        Some(Walk::new(view, walker, position.cell))
    }

    fn view(&self, key: ChaseKey) -> Option<TargetView<'_>> {
        let now = self.clock.now();
        TargetViews::new(&self.targets, &self.fields, &self.maps, now).view_of(key)
    }
}

/// The next cells of a walk.
struct PathCells<'a> {
    /// `None` for a chaser that sees no target.
    walk: Option<Walk<'a>>,
    left: u16,
}

impl Iterator for PathCells<'_> {
    type Item = PathPoint;

    fn next(&mut self) -> Option<PathPoint> {
        self.left = self.left.checked_sub(1)?;
        let walk = self.walk.as_mut()?;
        let from = walk.at;
        let to = walk.next()?;
        let map = walk.view.map;
        let by_link = takes_link(map.grid(), from, to, walk.rules());
        Some(PathPoint::new(map.frame(), to, by_link))
    }
}

/// The farthest of the next `steps` cells of a walk to which a straight line leads, and its
/// number from 0.
fn farthest_visible(walk: &Walk, steps: u16) -> Option<(usize, PathPoint)> {
    let map = walk.view.map;
    let query = PathQuery::new(walk.at, walk.view.cell()).with_rules(walk.rules());
    let cells = walk.clone().take(steps.into());
    let visible = look_ahead(map.indexed(), &query, cells, steps)?;
    let point = PathPoint::new(map.frame(), visible.cell, false);
    Some((visible.index, point))
}

/// A walk, cell by cell. Clone it to look ahead.
///
/// At each cell it asks the same as a move tick: the contact with the target, and then the guide.
#[derive(Clone)]
struct Walk<'a> {
    view: TargetView<'a>,
    walker: Walker<'a>,
    /// The present cell.
    at: Cell,
    follows: Follows,
}

/// The chaser of a walk.
#[derive(Clone)]
struct Walker<'a> {
    chaser: &'a Chaser,
    cursor: &'a PathCursor,
    has_body: bool,
    /// Whether its own search is running: then it waits where the search began.
    is_searching: bool,
}

/// The guidance of a walk.
#[derive(Clone, Copy, PartialEq)]
enum Follows {
    /// The guidance of the cursor; of a path, the waypoints from this number on.
    Own(usize),
    Near,
    Far,
    /// Nothing: the walk ends here.
    Nothing,
}

impl<'a> Walk<'a> {
    fn new(view: TargetView<'a>, walker: Walker<'a>, at: Cell) -> Self {
        let cursor = walker.cursor;
        let follows = if cursor.shares_near() {
            Follows::Near
        } else if cursor.shares_far() {
            Follows::Far
        } else if walker.is_searching && cursor.is_queued() {
            Follows::Nothing
        } else {
            Follows::Own(0)
        };
        Self {
            view,
            walker,
            at,
            follows,
        }
    }

    const fn rules(&self) -> Rules {
        self.walker.chaser.rules
    }

    /// The next cell; `None` where the walk ends.
    fn step(&mut self) -> Option<Cell> {
        let (at, rules) = (self.at, self.rules());
        let follows = std::mem::replace(&mut self.follows, Follows::Nothing);
        if follows == Follows::Nothing {
            return None;
        }
        // Only the first step may go alongside the target, which stands from then on.
        let cursor = self.walker.cursor;
        if self.walker.has_body && cursor.is_reached() && follows != Follows::Far {
            let along = self.view.step_along(cursor, at);
            if along.is_some() {
                return along;
            }
        }
        let approach = Approach::from(self.walker.chaser);
        if self.view.may_be_reached(at) && self.view.is_within_reach(approach, cursor, at) {
            let is_under = overlaps(rules, at, &self.view.target.seen);
            let aside = is_under.then(|| self.view.aside(at, rules));
            return aside.and_then(|aside| aside.first(at));
        }
        self.follows = self.guide_from(follows)?;
        let guide = match self.follows {
            Follows::Near => self.view.field.map(Guide::Near),
            Follows::Far => Some(Guide::Far),
            Follows::Own(waypoint) => {
                self.follows = Follows::Own(waypoint + 1);
                Guide::of(cursor, cursor.path().iter().nth(waypoint), &self.view)
            }
            Follows::Nothing => None,
        }?;
        let ranked = guide.next(&self.view, at, || rules)?;
        let to = self.view.clear_of_target(ranked, at, rules).first(at)?;
        if guide.ends_at(&self.view, at) {
            // The field is aimed again before more than the straight step is taken.
            self.follows = Follows::Nothing;
        }
        Some(to)
    }

    /// Returns the guidance of the walk from its present cell; `None` if that is not known yet.
    fn guide_from(&self, follows: Follows) -> Option<Follows> {
        let (target, view) = (self.view.target, &self.view);
        if follows == Follows::Near {
            let field = view.field.filter(|field| field.leads());
            return field.map(|_| Follows::Near);
        }
        let own = || matches!(follows, Follows::Own(_)).then_some(follows);
        let Some(field) = view.shared_field() else {
            return own();
        };
        match field.look(target, self.at) {
            FieldAnswer::Leads => return Some(Follows::Near),
            FieldAnswer::Pending => return None,
            FieldAnswer::Nothing if !field.sees_far() => return own(),
            FieldAnswer::Nothing => {}
        }
        let sharer = FarSharer {
            chaser: self.walker.chaser,
            cell: self.at,
            shares: follows == Follows::Far,
        };
        match view.fields.far_look(view, sharer) {
            FieldAnswer::Leads => Some(Follows::Far),
            FieldAnswer::Pending => None,
            FieldAnswer::Nothing => own(),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let to = self.step();
        match to {
            Some(to) => self.at = to,
            None => self.follows = Follows::Nothing,
        }
        to
    }
}
