//! The chase with `bevy_northstar`, by its plugin.
//!
//! Settings: the plugin's systems, eight directions without cut corners, no collision, no
//! `parallel` (one thread). The mode is `AStar`, the fastest mode of the crate here. With `refined`
//! as second argument it is the default, `Refined`, in the default chunks of 16 cells: those of 8
//! and of 32 cells took longer.

use bevy::prelude::*;
use bevy_northstar::prelude::*;
use course::{Cell, Course, Failure, Pace, Peer, Throttle};

/// Ticks before a step in which a chaser asks for a path: the plugin takes up to three updates
/// until a new path has its first step ready, and a chaser that asks later loses a part of its
/// period.
const AHEAD: u32 = 2;

#[derive(Component)]
struct Follower {
    pace: Pace,
    target: usize,
    throttle: Throttle,
}

/// The cells of the targets.
#[derive(Resource)]
struct Targets(Vec<Cell>);

#[derive(Resource, Default)]
struct Tick(u32);

fn cell(position: &AgentPos) -> Cell {
    Cell {
        x: position.0.x as u16,
        y: position.0.y as u16,
    }
}

/// Asks for a path to the target, before the plugin's systems.
fn aim(
    mut commands: Commands,
    targets: Res<Targets>,
    tick: Res<Tick>,
    mut followers: Query<(Entity, &mut Follower, &AgentPos, Option<&Path>)>,
) {
    for (entity, mut follower, position, path) in &mut followers {
        let (cell, target) = (cell(position), targets.0[follower.target]);
        let is_near = follower.pace.is_due(tick.0 + AHEAD);
        if !is_near || cell.chebyshev(target) <= 1 {
            continue;
        }
        let used_up = path.is_none_or(Path::is_empty);
        if follower.throttle.search(tick.0, cell, target, used_up) {
            let goal = Pathfind::new_2d(u32::from(target.x), u32::from(target.y));
            // The step that the plugin holds ready is of the path before.
            commands
                .entity(entity)
                .remove::<(NextPos, Path, PathfindingFailed)>()
                .insert(goal);
        }
    }
}

/// Takes the step that the plugin holds ready, after its systems.
fn walk(
    mut commands: Commands,
    targets: Res<Targets>,
    mut tick: ResMut<Tick>,
    mut followers: Query<(Entity, &mut Follower, &mut AgentPos, &NextPos)>,
) {
    for (entity, mut follower, mut position, next) in &mut followers {
        let target = targets.0[follower.target];
        if follower.pace.is_due(tick.0) && cell(&position).chebyshev(target) > 1 {
            position.0 = next.0;
            follower.pace.step(tick.0);
            commands.entity(entity).remove::<NextPos>();
        }
    }
    tick.0 += 1;
}

struct Northstar {
    app: App,
    chasers: Vec<Entity>,
}

impl Northstar {
    fn new(course: &Course, mode: PathfindMode) -> Result<Self, Failure> {
        let mut app = App::new();
        let pools = TaskPoolPlugin {
            task_pool_options: TaskPoolOptions::with_num_threads(1),
        };
        app.add_plugins((pools, NorthstarPlugin::<OrdinalNeighborhood>::default()))
            .insert_resource(NorthstarPluginSettings {
                max_pathfinding_agents_per_frame: paths_a_tick(course),
                max_collision_avoidance_agents_per_frame: usize::MAX,
                pathfind_settings: PathfindSettings { default_mode: mode },
            })
            .insert_resource(Targets(Vec::new()))
            .init_resource::<Tick>()
            .add_systems(Update, (aim.before(PathingSet), walk.after(PathingSet)));

        let side = u32::from(course.map.side());
        let settings = GridSettingsBuilder::new_2d(side, side)
            .default_impassable()
            .add_neighbor_filter(filter::NoCornerCutting)
            .build();
        let mut grid = OrdinalGrid::new(&settings);
        for Cell { x, y } in course.map.free_cells() {
            grid.set_nav(UVec3::new(x.into(), y.into(), 0), Nav::Passable(1));
        }
        grid.build();
        app.world_mut().spawn(grid);

        let chasers = course.chasers.iter().zip(0..);
        let followers = chasers.map(|(chaser, number)| {
            let start = chaser.start;
            let follower = Follower {
                pace: Pace::staggered(number),
                target: chaser.target,
                throttle: Throttle::default(),
            };
            (
                follower,
                AgentPos(UVec3::new(start.x.into(), start.y.into(), 0)),
            )
        });
        let followers: Vec<_> = followers.collect();
        let chasers = app.world_mut().spawn_batch(followers).collect();
        Ok(Self { app, chasers })
    }
}

/// Paths that the plugin answers in a tick: its default of 128 for up to a thousand chasers, and in
/// proportion beyond. With fewer than are asked for, the last ones never get any.
fn paths_a_tick(course: &Course) -> usize {
    128 * course.chasers.len().div_ceil(1_000)
}

impl Peer for Northstar {
    fn tick(&mut self, targets: &[Cell]) {
        let mut known = self.app.world_mut().resource_mut::<Targets>();
        known.0.clear();
        known.0.extend_from_slice(targets);
        self.app.update();
    }

    fn cells(&mut self, cells: &mut Vec<Cell>) {
        let world = self.app.world();
        let chasers = self.chasers.iter();
        cells.extend(chasers.filter_map(|&one| world.get::<AgentPos>(one).map(cell)));
    }
}

fn main() -> Result<(), Failure> {
    let is_refined = std::env::args().nth(2).as_deref() == Some("refined");
    let (name, mode) = match is_refined {
        true => ("bevy_northstar 0.8.0, Refined", PathfindMode::Refined),
        false => ("bevy_northstar 0.8.0, AStar", PathfindMode::AStar),
    };
    course::run(name, |course| Northstar::new(course, mode))
}
