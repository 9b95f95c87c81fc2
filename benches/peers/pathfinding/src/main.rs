//! The chase with an app on the crate `pathfinding`: A* for each chaser, as many servers do it.
//!
//! Settings: steps cost 10 and 14 and the heuristic is exact on open ground. With a cost of 1 for
//! every step, ties make A* expand more cells.

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use course::{Cell, Course, Failure, Map, Pace, Peer, Throttle};
use pathfinding::prelude::astar;

/// Costs of a straight and of a diagonal step: the whole numbers of most games, 1 and √2.
const STRAIGHT: u32 = 10;
const DIAGONAL: u32 = 14;

#[derive(Component)]
struct Follower {
    pace: Pace,
    cell: Cell,
    target: usize,
    throttle: Throttle,
    /// The cells ahead, the next one last.
    path: Vec<Cell>,
}

#[derive(Resource)]
struct Ground(Map);

/// The cells of the targets.
#[derive(Resource)]
struct Targets(Vec<Cell>);

#[derive(Resource, Default)]
struct Tick(u32);

fn follow(
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
        let used_up = follower.path.is_empty();
        if follower.throttle.search(tick.0, cell, target, used_up) {
            follower.path = search(&map.0, cell, target);
        }
        if let Some(next) = follower.path.pop() {
            follower.cell = next;
            follower.pace.step(tick.0);
        }
    }
    tick.0 += 1;
}

fn search(map: &Map, start: Cell, goal: Cell) -> Vec<Cell> {
    let found = astar(
        &start,
        |&cell| map.steps(cell).map(move |end| (end, cost(cell, end))),
        |&cell| cost(cell, goal),
        |&cell| cell == goal,
    );
    let mut path = found.map_or(Vec::new(), |(path, _)| path);
    path.reverse();
    // Its own cell.
    path.pop();
    path
}

/// Returns the cost of the way between two cells on open ground.
fn cost(from: Cell, to: Cell) -> u32 {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let diagonal = u32::from(dx.min(dy));
    DIAGONAL * diagonal + STRAIGHT * (u32::from(dx.max(dy)) - diagonal)
}

struct Plain {
    app: App,
    chasers: Vec<Entity>,
}

impl Plain {
    fn new(course: &Course) -> Result<Self, Failure> {
        let mut app = App::new();
        app.insert_resource(Ground(course.map.clone()))
            .insert_resource(Targets(Vec::new()))
            .init_resource::<Tick>()
            .add_systems(Update, follow);
        let chasers = course.chasers.iter().zip(0..);
        let followers = chasers.map(|(chaser, number)| Follower {
            pace: Pace::staggered(number),
            cell: chaser.start,
            target: chaser.target,
            throttle: Throttle::default(),
            path: Vec::new(),
        });
        let followers: Vec<_> = followers.collect();
        let chasers = app.world_mut().spawn_batch(followers).collect();
        Ok(Self { app, chasers })
    }
}

impl Peer for Plain {
    fn tick(&mut self, targets: &[Cell]) {
        let mut known = self.app.world_mut().resource_mut::<Targets>();
        known.0.clear();
        known.0.extend_from_slice(targets);
        self.app.update();
    }

    fn cells(&mut self, cells: &mut Vec<Cell>) {
        let world = self.app.world();
        let followers = self.chasers.iter();
        cells.extend(followers.filter_map(|&one| Some(world.get::<Follower>(one)?.cell)));
    }
}

fn main() -> Result<(), Failure> {
    course::run("pathfinding 4.16.0", Plain::new)
}
