//! An agent with every component of every behaviour.

use bevy_ecs::prelude::*;
use nav::{Destination, GoTo, NavTime, Paused, Period, go_to::WalkEnd};
use nav_behaviour::{
    Activity, Approach, CatchUp, ChaseRecord, Confused, Flee, Formation, FormationShape, GiveUp,
    GivenUp, Home, Intercept, Interrupted, KeepDistance, Leash, LeashFrom, Memory, Notice,
    Noticeable, Patrol, PatrolOrder, PatrolStop, Returning, Searching, StepAside, StuckWatch,
    Threat, ViewCone, Wander,
};
use nav_grid::{Cell, Direction};
use nav_tests::TestWorld;
use serde_json::json;

/// Inserts every component of every behaviour in an agent, none with its default values.
pub fn give_all_behaviours(world: &mut TestWorld, agent: Entity) {
    let wait = Period::from_millis(300);
    let stop = PatrolStop {
        cell: Cell::new(7, 2),
        wait,
    };
    let walks = (
        GoTo(Cell::new(5, 3)),
        Home(Cell::new(4, 3)),
        Patrol::new(PatrolOrder::PingPong, [stop, stop]),
        WalkEnd,
        Destination,
    );
    let leash = Leash {
        from: LeashFrom::Home,
        notices_on_return: true,
        ..Leash::new(9)
    };
    let give_up = GiveUp {
        unreachable: Some(wait),
        out_of_reach: Some(wait),
        ignores_for: wait,
    };
    let record = ChaseRecord {
        began_at: Some(Cell::new(3, 3)),
        out_of_reach_since: NavTime(11),
        failing_since: Some(NavTime(12)),
        target: Some(agent),
    };
    let notice = Notice {
        needs_sight: true,
        whom: 3,
        calls: 6,
        ..Notice::new(9)
    };
    let paused = Paused {
        until: Some(NavTime(13)),
        next_step: NavTime(18),
    };
    let looks = (
        notice,
        Noticeable { factions: 5 },
        paused,
        memory(agent, wait),
    );
    let given_up: GivenUp = serde_json::from_value(json!({
        "targets": [{ "id": 16, "cell": Cell::new(2, 1), "footprint": 2, "until": NavTime(17) }],
    }))
    .unwrap();
    let gives_up = (give_up, given_up);
    let chases = (Activity::Chasing, leash, gives_up, record, Returning);
    let formation: Formation = serde_json::from_value(json!({
        "shape": FormationShape::Ring,
        "spacing": 2,
        "heading": Direction::South,
        "trail": [Cell::new(1, 1)],
    }))
    .unwrap();
    let watch: StuckWatch = serde_json::from_value(json!({
        "window": wait,
        "least_percent": 30,
        "began": [Cell::new(1, 1), Cell::new(2, 2), NavTime(14)],
        "chances": 2,
        "failed": 1,
        "steps_aside": true,
    }))
    .unwrap();
    let intercept: Intercept = serde_json::from_value(json!({
        "lead": 9,
        "trail": [[Cell::new(1, 1), NavTime(15)]],
        "aim": Cell::new(3, 3),
    }))
    .unwrap();
    let step_aside: StepAside = serde_json::from_value(json!({
        "period": wait,
        "aside": { "from": Cell::new(1, 2), "to": Cell::new(2, 3), "until": NavTime(19) },
        "looks_at": NavTime(20),
    }))
    .unwrap();
    let squad = (
        (choices(agent, wait), flights(agent, wait)),
        formation,
        watch,
        (intercept, ways(wait)),
        KeepDistance { least: 3 },
        step_aside,
    );
    world
        .world()
        .entity_mut(agent)
        .insert((walks, chases, looks, squad));
}

/// A view to the side, and a search.
fn memory(agent: Entity, wait: Period) -> (ViewCone, Memory, Searching) {
    let cone: ViewCone = serde_json::from_value(json!({
        "degrees": 95,
        "facing": Direction::NorthWest,
        "at": Cell::new(2, 7),
    }))
    .unwrap();
    let memory: Memory = serde_json::from_value(json!({
        "range": 17,
        "follows": wait,
        "looks_around": wait,
        "target": agent,
        "seen": [Cell::new(6, 7), NavTime(31)],
    }))
    .unwrap();
    let searching: Searching = serde_json::from_value(json!({ "since": NavTime(32) })).unwrap();
    (cone, memory, searching)
}

/// A threat list with a taunt, and a walk about.
fn choices(agent: Entity, wait: Period) -> (Threat, Wander) {
    let threat: Threat = serde_json::from_value(json!({
        "entries": [{ "target": agent, "amount": 21 }],
        "taunt": { "target": agent, "until": NavTime(22) },
        "chased": agent,
        "has_changed": true,
    }))
    .unwrap();
    let wander: Wander = serde_json::from_value(json!({
        "around": Cell::new(6, 2),
        "radius": 4,
        "least_pause": wait,
        "greatest_pause": wait,
        "began_at": Cell::new(6, 3),
        "walks": 23,
        "leaves_at": NavTime(24),
    }))
    .unwrap();
    (threat, wander)
}

/// A side of a target and a pace, both under way.
fn ways(wait: Period) -> (Approach, CatchUp) {
    let approach: Approach = serde_json::from_value(json!({
        "side": "Beside",
        "trail": [Cell::new(7, 1)],
        "heading": Direction::East,
        "aim": Cell::new(7, 2),
        "began": NavTime(29),
    }))
    .unwrap();
    let catch_up: CatchUp = serde_json::from_value(json!({
        "behind": 4,
        "percent": 130,
        "gait": "Faster",
        "periods": [wait, wait],
    }))
    .unwrap();
    (approach, catch_up)
}

/// A flight, a confusion, and what they interrupted.
fn flights(agent: Entity, wait: Period) -> (Flee, Confused, Interrupted) {
    let flee: Flee = serde_json::from_value(json!({
        "from": { "Danger": agent },
        "distance": 25,
        "until": { "Over": wait },
        "began": NavTime(26),
        "is_cornered": true,
        "end": "OutOfSight",
    }))
    .unwrap();
    let confused: Confused = serde_json::from_value(json!({
        "period": wait,
        "began": NavTime(27),
        "steps": 28,
    }))
    .unwrap();
    let interrupted: Interrupted = serde_json::from_value(json!({
        "target": agent,
        "group": agent,
        "go_to": Cell::new(6, 1),
    }))
    .unwrap();
    (flee, confused, interrupted)
}
