//! The chase with `bevy_flowfield_tiles_plugin`.
//!
//! Settings: a route for each actor, as the README of the crate says, and the plugin's systems.
//! Routes and fields are made in the background by one thread, so ticks last 50 ms on the wall
//! while there is work, and the processor time of a tick is that of all threads. The plugin makes
//! the fields of one route in every second update of the app: updates run a millisecond apart,
//! since with 20 a second the queue would never end.

mod costs;

use bevy::{
    ecs::schedule::ScheduleLabel,
    prelude::*,
    tasks::{Task, futures::check_ready},
};
use bevy_flowfield_tiles_plugin::prelude::*;
use course::{Cell, Course, Deadline, Failure, Pace, Peer, TICK, Throttle};
use std::time::Duration;

/// The pause between updates within a tick: short against the 50 ms of a tick, and long enough that
/// the main thread leaves most of its time to the background.
const PAUSE: Duration = Duration::from_millis(1);

/// Updates after which nothing is left: one collects the last fields, the next one begins an empty
/// task, and the third collects that.
const QUIET_UPDATES: u32 = 3;

/// Where an actor is and wants to go, as `Pathing` of the crate's README.
#[derive(Component)]
struct Follower {
    pace: Pace,
    cell: Cell,
    target: usize,
    throttle: Throttle,
    pollable_route: Option<Task<Option<Vec<RouteStep>>>>,
    /// A route whose first field is not made yet. Until then the actor goes by the one before.
    next_route: Vec<RouteStep>,
    route: Vec<RouteStep>,
}

/// The cells of the targets.
#[derive(Resource)]
struct Targets(Vec<Cell>);

#[derive(Resource)]
struct Ground(course::Map);

#[derive(Resource, Default)]
struct Tick(u32);

/// The schedule of a tick. `Update` runs several times in one.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct GameTick;

/// Asks for a route to the target.
fn aim(
    tiles: Single<&FlowFieldTiles>,
    targets: Res<Targets>,
    tick: Res<Tick>,
    mut followers: Query<&mut Follower>,
) {
    for mut follower in &mut followers {
        let (cell, target) = (follower.cell, targets.0[follower.target]);
        let is_due = follower.pace.is_due(tick.0);
        if !is_due || follower.pollable_route.is_some() || cell.chebyshev(target) <= 1 {
            continue;
        }
        let used_up = follower.route.is_empty() && follower.next_route.is_empty();
        if follower.throttle.search(tick.0, cell, target, used_up) {
            let (from, to) = (costs::place(cell), costs::place(target));
            follower.pollable_route = tiles.get_route_2d(from, to);
        }
    }
}

/// Takes the routes that are ready.
fn poll(mut followers: Query<&mut Follower>) {
    for mut follower in &mut followers {
        let Some(task) = follower.pollable_route.as_mut() else {
            continue;
        };
        if let Some(route) = check_ready(task) {
            follower.pollable_route = None;
            follower.next_route = route.unwrap_or_default();
        }
    }
}

/// Takes a step by the field of the sector.
fn walk(
    tiles: Single<&FlowFieldTiles>,
    map: Res<Ground>,
    targets: Res<Targets>,
    mut tick: ResMut<Tick>,
    mut followers: Query<&mut Follower>,
) {
    for mut follower in &mut followers {
        let (cell, target) = (follower.cell, targets.0[follower.target]);
        if !follower.pace.is_due(tick.0) || cell.chebyshev(target) <= 1 {
            continue;
        }
        if let Some(direction) = direction(&tiles, &mut follower, target) {
            follower.cell = slide(&map.0, cell, direction);
            follower.pace.step(tick.0);
        }
    }
    tick.0 += 1;
}

/// Returns the direction of the field that an actor follows, or none while there is no field.
fn direction(tiles: &FlowFieldTiles, actor: &mut Follower, target: Cell) -> Option<(i16, i16)> {
    let place = costs::place(actor.cell);
    let (sector, cell) = tiles
        .get_dimensions()
        .get_sector_and_field_cell_from_xy(place)?;
    let is_made = |step: &RouteStep| tiles.read_flowfield(step).is_some();
    if actor.next_route.first().is_some_and(is_made) {
        actor.route = std::mem::take(&mut actor.next_route);
    }
    let passed = actor
        .route
        .iter()
        .take_while(|step| *step.get_sector() != sector);
    let passed = passed.count();
    actor.route.drain(..passed);
    let field = tiles.read_flowfield(actor.route.first()?)?;
    if field.has_los(&cell) {
        let sign = |from: u16, to: u16| (i32::from(to) - i32::from(from)).signum() as i16;
        return Some((sign(actor.cell.x, target.x), sign(actor.cell.y, target.y)));
    }
    // Rows count downwards, and y upwards.
    let flow = field.get_2d_dir(&cell)?;
    Some((flow.x as i16, -flow.y as i16))
}

/// Returns the end of a step in a direction, or along a wall that is in the way.
///
/// Fields lead past the corners of walls, where the other peers may not go; so may these actors.
fn slide(map: &course::Map, cell: Cell, (dx, dy): (i16, i16)) -> Cell {
    let ends = [(dx, dy), (dx, 0), (0, dy)].map(|(dx, dy)| Cell {
        x: cell.x.wrapping_add_signed(dx),
        y: cell.y.wrapping_add_signed(dy),
    });
    let end = ends.into_iter().find(|&end| map.is_free(end));
    end.unwrap_or(cell)
}

struct FlowField {
    app: App,
    chasers: Vec<Entity>,
}

impl FlowField {
    fn new(course: &Course) -> Result<Self, Failure> {
        let mut app = App::new();
        // One thread for the background, and the schedules on the main one.
        let pools = TaskPoolPlugin {
            task_pool_options: TaskPoolOptions::with_num_threads(1),
        };
        app.add_plugins((pools, FlowFieldTilesPlugin))
            .insert_resource(Ground(course.map.clone()))
            .insert_resource(Targets(Vec::new()))
            .init_resource::<Tick>()
            .add_systems(Update, poll)
            .add_systems(GameTick, (aim, walk).chain());
        app.world_mut().spawn(costs::tiles(&course.map)?);
        let chasers = course.chasers.iter().zip(0..);
        let followers = chasers.map(|(chaser, number)| Follower {
            pace: Pace::staggered(number),
            cell: chaser.start,
            target: chaser.target,
            throttle: Throttle::default(),
            pollable_route: None,
            next_route: Vec::new(),
            route: Vec::new(),
        });
        let followers: Vec<_> = followers.collect();
        let chasers = app.world_mut().spawn_batch(followers).collect();
        Ok(Self { app, chasers })
    }

    /// Whether routes are asked for, or fields not made.
    fn has_work(&mut self) -> bool {
        let world = self.app.world_mut();
        let mut followers = world.query::<&Follower>();
        let asks = followers
            .iter(world)
            .any(|follower| follower.pollable_route.is_some());
        let mut tiles = world.query::<&FlowFieldTiles>();
        // The background holds the lock while it makes fields.
        let is_queued = |tiles: &FlowFieldTiles| {
            let queue = tiles.flow_queue.try_read();
            queue.map_or(true, |queue| !queue.is_empty())
        };
        asks || tiles.iter(world).any(is_queued)
    }
}

impl Peer for FlowField {
    fn tick(&mut self, targets: &[Cell]) {
        let deadline = Deadline::after(TICK);
        let mut known = self.app.world_mut().resource_mut::<Targets>();
        known.0.clear();
        known.0.extend_from_slice(targets);
        self.app.world_mut().run_schedule(GameTick);
        let mut quiet = 0;
        while quiet < QUIET_UPDATES && !deadline.has_passed() {
            self.app.update();
            std::thread::sleep(PAUSE);
            quiet = if self.has_work() { 0 } else { quiet + 1 };
        }
    }

    fn cells(&mut self, cells: &mut Vec<Cell>) {
        let world = self.app.world();
        let chasers = self.chasers.iter();
        cells.extend(chasers.filter_map(|&one| Some(world.get::<Follower>(one)?.cell)));
    }
}

fn main() -> Result<(), Failure> {
    course::run("bevy_flowfield_tiles_plugin 0.16.0", FlowField::new)
}
