//! Questions that several scenes ask: which chasers are beside their target, and which move.

use bevy_ecs::prelude::*;
use nav::{Body, Chaser, NavMap};
use nav_grid::{Cell, Limits, Method, Rules, rules::BodyPolicy};
use nav_testing::Cells;
use nav_tests::{
    TestWorld,
    apart::Bodies,
    oracle::{Goal, in_reach, nearest_place},
};

/// Counts the chasers within reach of a target.
pub fn count_in_reach(world: &TestWorld, chasers: &[Entity], target: Entity) -> usize {
    let is_near = |&&chaser: &&Entity| world.is_within_reach(chaser, target);
    chasers.iter().filter(is_near).count()
}

/// Returns the cells of the chasers that are not within reach of a target.
pub fn not_in_reach(world: &TestWorld, chasers: &[Entity], target: Entity) -> Vec<String> {
    let far = chasers
        .iter()
        .filter(|&&chaser| !world.is_within_reach(chaser, target));
    far.map(|&chaser| world.cell(chaser).to_string()).collect()
}

/// Returns a free place in reach of its target that a solid chaser could walk to, over cells that
/// are free of other bodies now.
pub fn could_be(bodies: &Bodies, chaser: Entity, target: Entity) -> Option<Cell> {
    let world = &bodies.world;
    let tuning = world.get::<Chaser>(chaser);
    let taken = bodies.cells();
    let goal = Goal::at(world.cell(target));
    let free = |at: Cell| {
        tuning.rules.footprint.area(at).cells().all(|cell| {
            let holder = taken.get(&(cell.floor, cell.y, cell.x));
            cell != goal.cell && holder.is_none_or(|&holder| holder == chaser)
        })
    };
    let grid = world.get::<NavMap>(world.map).grid();
    let wanted = |at| in_reach(grid, tuning.rules, tuning.stop_distance, at, goal);
    nearest_place(grid, tuning.rules, world.cell(chaser), free, wanted)
}

/// Runs some seconds and returns the steps and searches made in them.
pub fn work_of(bodies: &mut Bodies, seconds: u64) -> (u64, u64) {
    let before = bodies.world.diagnostics().total;
    bodies.tick(seconds * nav_tests::TICK_RATE);
    let after = bodies.world.diagnostics().total;
    (
        after.steps - before.steps,
        after.searches() - before.searches(),
    )
}

/// Spawns an idle body.
pub fn guard(bodies: &mut Bodies, at: impl Cells) -> Entity {
    let guard = bodies.world.target(at);
    bodies.world.insert(guard, Body::default());
    bodies.agents.push(guard);
    guard
}

/// Makes a chaser with a search method and a body policy, and with more expansions than it needs.
pub fn tuned(method: Method, bodies: BodyPolicy) -> Chaser {
    let limits = Limits {
        expansions: 20_000,
        // The limit must hold the whole map.
        radius: if method == Method::Portal { 64 } else { 20 },
        ..Limits::default()
    };
    Chaser {
        rules: Rules::default().with_bodies(bodies),
        limits,
        method,
        ..Chaser::default()
    }
}

/// Builds the indexes that a method needs of the first map, for default rules.
pub fn prepare(world: &mut TestWorld, method: Method) {
    let map = world.map;
    let mut map = world.get_mut::<NavMap>(map);
    nav_tests::scenes::prepare(&mut map, method, Rules::default());
}

/// Returns all pairs of a method and a policy that work together.
pub fn tunings() -> impl Iterator<Item = (Method, BodyPolicy)> {
    let policies = [
        BodyPolicy::Ignore,
        BodyPolicy::AvoidNear(2),
        BodyPolicy::AvoidAll,
    ];
    let methods = [
        Method::Auto,
        Method::AStar,
        Method::Sweep,
        Method::Jps,
        Method::Portal,
        Method::Mosaic,
        Method::Dijkstra,
    ];
    methods.into_iter().flat_map(move |method| {
        let serves = move |policy: &BodyPolicy| {
            *policy == BodyPolicy::Ignore || !matches!(method, Method::Portal | Method::Mosaic)
        };
        policies
            .into_iter()
            .filter(serves)
            .map(move |policy| (method, policy))
    })
}
