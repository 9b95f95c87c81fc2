//! Bevy's `Transform` of agents: shows chasers where they are and reads where players go. Behind
//! the feature `transform`.

use crate::{
    Body, CellPosition, Chaser, MoveTimer, NavClock, NavMap, NavSystems, NavTime, OnMap,
    WorldPosition, plugin::require_nav, systems::update_cells,
};
use bevy_app::{App, FixedMainScheduleOrder, FixedUpdate, Plugin, Update};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use nav_grid::{Cell, Footprint, Frame, map::UpAxis};

/// Synchronises Bevy's `Transform` with the cells of agents.
///
/// Add it beside [`NavPlugin`](crate::NavPlugin). It serves agents with [`CellToTransform`] or
/// [`TransformToCell`]. Other agents cost nothing.
///
/// # When it runs
///
/// - In [`NavSystems::Observe`], in the schedule of the navigation: a player whose `Transform`
///   changed gets its world position and cell.
/// - In [`NavSystems::Report`], in the same schedule: an agent that entered another cell in this
///   tick begins to walk there.
/// - In [`ShowTransforms`], in `Update`: every `Transform` moves to where its agent is at the
///   moment of the frame. That is the last tick plus the overstep of the fixed clock. A chaser that
///   stepped walks until the tick of its next step.
///
/// A walk begins in the tick of the step. All rules already see the chaser in its new cell while it
/// is shown on the way there.
///
/// # Cost
///
/// Each shown agent takes 56 bytes. A tick checks whether its cell changed, and computes a walk for
/// each step. A frame reads its walk and its `Transform`, and writes the latter while the agent
/// walks. None of this is saved or part of the [`digest`](crate::digest): after loading, every
/// agent is in its cell.
///
/// # Example
///
/// ```
/// use bevy_app::{App, TaskPoolPlugin};
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use bevy_transform::components::Transform;
/// use nav::{prelude::*, transform::{CellToTransform, NavTransformPlugin, TransformToCell}};
///
/// let mut app = App::new();
/// app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
///     .add_plugins((NavPlugin::default(), NavTransformPlugin::default()))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let world = app.world_mut();
/// let map = world.spawn(NavMap::new(Grid::open(16, 16)?)).id();
/// let at = Transform::from_xyz(9.3, 0.0, 4.1);
/// let player = world.spawn((TransformToCell, at, OnMap(map))).id();
/// let npc = (Chaser::default(), Chasing(player), CellToTransform::default());
/// let npc = world.spawn((npc, OnMap(map), CellPosition::new(2, 4))).id();
/// for _ in 0..1000 {
///     app.update();
/// }
/// assert_eq!(app.world().get::<CellPosition>(player).unwrap().cell, Cell::new(9, 4));
/// assert_eq!(app.world().get::<Transform>(npc).unwrap().translation.x, 8.0);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavTransformPlugin {
    /// The schedule of the navigation: the same as in [`NavPlugin`](crate::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

/// The set in `Update` that moves the `Transform`s of agents.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShowTransforms;

impl NavTransformPlugin {
    /// The plugin for navigation in the given schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavTransformPlugin {
    /// The plugin for navigation in [`FixedUpdate`].
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for NavTransformPlugin {
    fn build(&self, app: &mut App) {
        let fixed = app.world().get_resource::<FixedMainScheduleOrder>();
        let is_fixed = fixed.is_some_and(|order| order.labels.contains(&self.schedule));
        let read = read_transforms.in_set(NavSystems::Observe);
        let begin = begin_walks.in_set(NavSystems::Report);
        app.insert_resource(ShowsBetweenTicks(is_fixed))
            .add_systems(self.schedule, (read.before(update_cells), begin))
            .add_systems(Update, show.in_set(ShowTransforms).after(NavSystems::All));
        #[cfg(feature = "reflect")]
        app.register_type::<CellToTransform>()
            .register_type::<TransformToCell>();
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "NavTransformPlugin");
    }
}

/// Makes the `Transform` of an agent follow its [`CellPosition`].
///
/// The translation becomes the centre of all cells that the agent covers, at the height of its
/// floor, by the [`Frame`] of the map. Needs [`NavTransformPlugin`].
///
/// How many cells that are is the footprint of its [`Body`], or of its [rules](Chaser::rules)
/// without one. For an agent larger than a cell it is another place than its [`WorldPosition`] and
/// the points of an [`UpcomingPath`](crate::UpcomingPath), which are those of its upper left cell.
///
/// The plugin owns the translation, in world coordinates, so the entity must have no parent. It
/// leaves the scale alone, and the rotation too unless [`faces`](Self::faces) is set. An agent that
/// is no chaser moves to its cell at once.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(CellPosition, Transform, CellWalk)]
pub struct CellToTransform {
    /// Whether a chaser walks from cell to cell in the time between two move ticks; on by default.
    ///
    /// Otherwise it appears in its new cell at once. A move beyond the neighbouring columns and
    /// rows, by a teleport for instance, is always shown at once. Over stairs a chaser walks.
    pub smooth: bool,
    /// Whether a chaser turns, at once, in the direction of its step; off by default.
    ///
    /// Where y points up, the forward direction (−z) of the `Transform` turns. Where z points up,
    /// as in games seen from above, its y axis turns.
    pub faces: bool,
}

impl Default for CellToTransform {
    fn default() -> Self {
        Self {
            smooth: true,
            faces: false,
        }
    }
}

/// Makes the [`WorldPosition`] of a player follow its `Transform`, and so its [`CellPosition`].
///
/// For targets that move continuously. Needs [`NavTransformPlugin`]. Has no effect on a [`Chaser`].
///
/// When the `Transform` changed, its translation is read in [`NavSystems::Observe`], in world
/// coordinates, so the entity must have no parent. Its height selects the floor if the
/// [`Frame`] has heights.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(Transform, WorldPosition)]
pub struct TransformToCell;

/// Whether ticks are those of the fixed clock, which leaves frames between them.
#[derive(Resource, Clone, Copy)]
struct ShowsBetweenTicks(bool);

/// The walk of a shown agent from the centre of its cells to their centre after a step.
// Decision 22: docs/decisions/0022-transforms-walk-after-the-step.md
#[derive(Component, Clone, Copy, Debug, Default)]
struct CellWalk {
    from: [f32; 3],
    to: [f32; 3],
    start: NavTime,
    end: NavTime,
    /// The destination; `None` before the agent is shown for the first time.
    stand: Option<Stand>,
}

/// The cells of a shown agent, from which its place follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stand {
    /// The upper left of its cells.
    cell: Cell,
    footprint: Footprint,
    map: Entity,
}

impl Stand {
    /// Returns the centre of its cells in the world.
    fn centre(self, frame: &Frame) -> [f32; 3] {
        let Cell { x, y, floor } = self.cell;
        let beyond = u16::from(self.footprint.side() - 1);
        let last = Cell::new(x.saturating_add(beyond), y.saturating_add(beyond)).on_floor(floor);
        let (first, last) = (frame.world_of(self.cell), frame.world_of(last));
        std::array::from_fn(|axis| f64::midpoint(first[axis], last[axis]) as f32)
    }
}

impl CellWalk {
    /// The place at a moment: the beginning of the walk before it, and the end after it.
    fn at(&self, now: NavTime) -> [f32; 3] {
        if now >= self.end {
            return self.to;
        }
        let passed = now.0.saturating_sub(self.start.0) as f64;
        let part = (passed / (self.end.0 - self.start.0) as f64) as f32;
        std::array::from_fn(|axis| {
            let (from, to) = (self.from[axis], self.to[axis]);
            from + (to - from) * part
        })
    }
}

type MovedPlayer = (
    With<TransformToCell>,
    Without<Chaser>,
    Or<(Changed<Transform>, Added<TransformToCell>)>,
);

/// Copies changed `Transform`s of players into their world positions.
fn read_transforms(mut players: Query<(&Transform, &mut WorldPosition), MovedPlayer>) {
    for (transform, mut world) in &mut players {
        let place = transform.translation.to_array().map(f64::from);
        world.set_if_neq(WorldPosition(place));
    }
}

type ShownAgent = (
    &'static CellToTransform,
    &'static CellPosition,
    &'static OnMap,
    (Option<&'static Body>, Option<&'static Chaser>),
    Option<&'static MoveTimer>,
    &'static mut CellWalk,
    &'static mut Transform,
);

type MovedAgent = Or<(
    Changed<CellPosition>,
    Changed<OnMap>,
    Changed<Body>,
    Changed<Chaser>,
    Added<CellToTransform>,
)>;

/// Begins the walks of agents that entered another cell in this tick.
fn begin_walks(
    clock: Res<NavClock>,
    maps: Query<&NavMap>,
    mut agents: Query<ShownAgent, MovedAgent>,
) {
    let now = clock.now();
    let tick = clock.tick().max(1);
    for (settings, position, on_map, (body, chaser), timer, mut walk, mut transform) in &mut agents
    {
        let Ok(map) = maps.get(on_map.0) else {
            continue;
        };
        let own = body.map(|body| body.footprint);
        let of_rules = chaser.map(|chaser| chaser.rules.footprint);
        let stand = Stand {
            cell: position.cell,
            footprint: own.or(of_rules).unwrap_or_default(),
            map: on_map.0,
        };
        let before = walk.stand;
        if before == Some(stand) {
            continue;
        }
        let frame = map.frame();
        let to = stand.centre(frame);
        // An agent that grows or shrinks is shown at its centre at once.
        let is_step = before.is_some_and(|before| {
            let step = Stand {
                cell: stand.cell,
                ..before
            };
            step == stand && before.cell.chebyshev(stand.cell) <= 1
        });
        if is_step && settings.faces {
            face(&mut transform, walk.to, to, frame.axes().up);
        }
        let walks = timer.filter(|_| is_step && settings.smooth);
        // The next step is taken in the first later tick at or after its move tick.
        let ticks = walks.map_or(0, |timer| {
            let left = timer.next_step.0.saturating_sub(now.0);
            left.div_ceil(tick).max(1)
        });
        *walk = CellWalk {
            from: if walks.is_some() { walk.at(now) } else { to },
            to,
            start: now,
            end: NavTime(now.0.saturating_add(ticks.saturating_mul(tick))),
            stand: Some(stand),
        };
    }
}

/// Turns a `Transform` in the horizontal direction from one place to another.
fn face(transform: &mut Transform, from: [f32; 3], to: [f32; 3], up: UpAxis) {
    let mut way = Transform::from_translation(to.into()).translation;
    way -= Transform::from_translation(from.into()).translation;
    match up {
        UpAxis::Y => way.y = 0.0,
        UpAxis::Z => way.z = 0.0,
    }
    if way.x == 0.0 && way.y == 0.0 && way.z == 0.0 {
        // Straight up or down a ladder.
        return;
    }
    match up {
        UpAxis::Y => transform.look_to(way, Transform::IDENTITY.up()),
        UpAxis::Z => transform.look_to(Transform::IDENTITY.forward(), way),
    }
}

/// Moves every `Transform` to where its agent is at the moment of the frame.
fn show(
    clock: Res<NavClock>,
    fixed: Option<Res<Time<Fixed>>>,
    between: Res<ShowsBetweenTicks>,
    mut agents: Query<(&CellWalk, &mut Transform), With<CellToTransform>>,
) {
    let overstep = fixed.filter(|_| between.0).map(|time| time.overstep());
    let nanos = overstep.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    let now = NavTime(clock.now().0.saturating_add(nanos));
    for (walk, mut transform) in &mut agents {
        if walk.stand.is_some() {
            let moved = transform.with_translation(walk.at(now).into());
            transform.set_if_neq(moved);
        }
    }
}
