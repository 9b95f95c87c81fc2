//! The chase with `bevy_landmass`: free movement on a navigation mesh.
//!
//! Settings: the recommended ones for the radius of an agent. With `alone` as second argument that
//! radius is next to nothing, so that agents hardly avoid each other, as the chasers of the other
//! peers. Far targets are points, set by the throttle that all peers share: with
//! `AgentTarget2d::Entity` each step of a target onto another polygon can have all its chasers
//! search.

mod mesh;

use bevy_app::{App, FixedUpdate, TaskPoolOptions, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_landmass::{Agent2d, NavMeshHandle, TargetReachedCondition, prelude::*};
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use course::{Cell, Course, Failure, MOVE_TICKS, Peer, TICK, Throttle};
use std::{f32::consts::SQRT_2, sync::Arc};

/// Radius of an agent in cells, so that several fit through a gap of one cell. With 0.25 a tick
/// takes nearly twice as long, and 39 percent of the agents arrive instead of 69.
const RADIUS: f32 = 0.1;

/// Radius of an agent that avoids nobody: with the recommended neighbourhood of ten times as much,
/// hardly any agent is ever near another one. With a radius of 0 none would have a wall near,
/// either.
const NO_RADIUS: f32 = 0.001;

/// Up to here an agent follows each step of its target, in columns or rows: its path mostly ends on
/// the same polygons, so that it needs no search. With the throttle alone a tenth of the agents
/// stands where the target was. A guess.
const NEAR: u16 = 10;

/// How near an agent goes to its target, in cells: one, as the chasers of the other peers.
const REACH: f32 = 1.0;

/// How far from the mesh an agent may be, in cells. With the recommended fifth of its radius, a
/// fourth of the agents leaves the mesh at corners and stands for the rest of the run. Below a
/// cell, so that no agent is found behind a wall.
const SAMPLE_DISTANCE: f32 = 0.5;

#[derive(Component)]
struct Follower {
    target: usize,
    throttle: Throttle,
}

/// The cells of the targets.
#[derive(Resource)]
struct Targets(Vec<Cell>);

#[derive(Resource, Default)]
struct Tick(u32);

fn centre(cell: Cell) -> Vec2 {
    Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5)
}

fn cell(place: &Transform) -> Cell {
    let place = place.translation;
    Cell {
        x: place.x as u16,
        y: place.y as u16,
    }
}

fn aim(
    targets: Res<Targets>,
    mut tick: ResMut<Tick>,
    mut followers: Query<(&mut Follower, &Transform, &AgentState, &mut AgentTarget2d)>,
) {
    for (mut follower, place, state, mut aim) in &mut followers {
        let (cell, target) = (cell(place), targets.0[follower.target]);
        let used_up = matches!(state, AgentState::ReachedTarget);
        let is_near = cell.chebyshev(target) <= NEAR;
        if is_near || follower.throttle.search(tick.0, cell, target, used_up) {
            *aim = AgentTarget2d::Point(centre(target));
        }
    }
    tick.0 += 1;
}

/// Moves agents as the crate's example `basic` does.
fn walk(
    time: Res<Time>,
    mut agents: Query<(&mut Transform, &mut Velocity2d, &AgentDesiredVelocity2d)>,
) {
    for (mut place, mut velocity, desired) in &mut agents {
        velocity.velocity = desired.velocity();
        place.translation += velocity.velocity.extend(0.0) * time.delta_secs();
    }
}

struct Landmass {
    app: App,
    chasers: Vec<Entity>,
}

impl Landmass {
    fn new(
        course: &Course,
        radius: f32,
        options: ArchipelagoOptions<TwoD>,
    ) -> Result<Self, Failure> {
        let mut app = App::new();
        let pools = TaskPoolPlugin {
            task_pool_options: TaskPoolOptions::with_num_threads(1),
        };
        app.add_plugins((
            pools,
            TimePlugin,
            AssetPlugin::default(),
            Landmass2dPlugin::default(),
        ))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Targets(Vec::new()))
        .init_resource::<Tick>()
        .add_systems(bevy_app::FixedFirst, aim)
        .add_systems(FixedUpdate, walk);

        let world = app.world_mut();
        let archipelago = world.spawn(Archipelago2d::new(options)).id();
        for mesh in mesh::meshes(&course.map) {
            let nav_mesh = Arc::new(mesh.validate()?);
            let mut meshes = world.resource_mut::<Assets<NavMesh2d>>();
            let mesh = meshes.add(NavMesh2d { nav_mesh });
            world.spawn(Island2dBundle {
                island: Island,
                archipelago_ref: ArchipelagoRef2d::new(archipelago),
                nav_mesh: NavMeshHandle(mesh),
            });
        }

        // That of a diagonal step: at 5 cells a second in every direction, targets that walk
        // diagonally would get away.
        let speed = SQRT_2 / (TICK * MOVE_TICKS).as_secs_f32();
        let agents = course.chasers.iter().map(|chaser| {
            let agent = Agent2dBundle {
                agent: Agent2d::default(),
                settings: AgentSettings {
                    radius,
                    desired_speed: speed,
                    max_speed: speed,
                },
                archipelago_ref: ArchipelagoRef2d::new(archipelago),
            };
            let follower = Follower {
                target: chaser.target,
                throttle: Throttle::default(),
            };
            let place = Transform::from_translation(centre(chaser.start).extend(0.0));
            let reached = TargetReachedCondition::Distance(Some(REACH));
            (agent, follower, place, reached)
        });
        let agents: Vec<_> = agents.collect();
        let chasers = world.spawn_batch(agents).collect();
        Ok(Self { app, chasers })
    }
}

impl Peer for Landmass {
    fn tick(&mut self, targets: &[Cell]) {
        let mut known = self.app.world_mut().resource_mut::<Targets>();
        known.0.clear();
        known.0.extend_from_slice(targets);
        self.app.update();
    }

    fn cells(&mut self, cells: &mut Vec<Cell>) {
        let world = self.app.world();
        let chasers = self.chasers.iter();
        cells.extend(chasers.filter_map(|&one| world.get::<Transform>(one).map(cell)));
    }
}

fn main() -> Result<(), Failure> {
    let is_alone = std::env::args().nth(2).as_deref() == Some("alone");
    let (name, radius) = match is_alone {
        true => ("bevy_landmass 0.13.0, no avoidance", NO_RADIUS),
        false => ("bevy_landmass 0.13.0", RADIUS),
    };
    let options = ArchipelagoOptions {
        point_sample_distance: SAMPLE_DISTANCE,
        ..ArchipelagoOptions::from_agent_radius(radius)
    };
    course::run(name, |course| Landmass::new(course, radius, options))
}
