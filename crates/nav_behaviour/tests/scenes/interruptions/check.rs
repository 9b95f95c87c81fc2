//! The conditions that hold after an event in any state.

use super::scene::{AWAY, Event, POST, STATES, Scene, State};
use nav::{CellPosition, GoTo, NavMap, OnMap, PathCursor};
use nav_behaviour::Returning;
use nav_grid::{Cell, Rules};
use nav_judge::by_tier;

/// Ticks after which no invalid path may be left. A chaser looks at its path at least this often.
const SETTLED: u64 = 12;

/// Ticks after which every agent must be at its goal: the longest way has 60 cells of five ticks.
const DONE: u64 = 600;

/// Whether each step leads nearer on the shortest way: not on fields over portals, and not past
/// bodies.
fn is_straight(state: State, event: Event) -> bool {
    !matches!(state, State::FarField | State::Detour | State::KeepingAway)
        && event != Event::BodyInTheWay
}

fn check(state: State, event: Event) {
    let mut scene = Scene::new(state);
    let before = scene.world.cell(scene.npc);
    scene.happen(event);
    let npc = scene.npc;
    if event == Event::ChaserDespawned {
        scene.world.tick(SETTLED);
        scene.check_walks();
        assert!(scene.world.app.world().get_entity(npc).is_err());
        return;
    }
    let mut at = scene.world.cell(npc);
    for tick in 1..=DONE {
        scene.world.tick(1);
        let now = scene.world.cell(npc);
        if now != at {
            let goal = scene.goal().expect("a step to nowhere");
            // The target stopped just now. A chaser that cuts it off sees this when another step is
            // overdue.
            let is_led = state == State::CuttingOff && tick <= SETTLED;
            if is_straight(state, event) && !is_led {
                let (from, to) = (scene.distance(at, goal.0), scene.distance(now, goal.0));
                // After a knock-back, a step back onto the path is allowed while it is legal.
                let is_way_back = event == Event::KnockBack && to == from;
                assert!(
                    to < from || is_way_back,
                    "{at} to {now} by a stale path, tick {tick}"
                );
            }
        }
        at = now;
        if tick >= SETTLED {
            let world = scene.world.app.world();
            let cursor = scene.world.get::<PathCursor>(npc);
            let map = world.get::<NavMap>(world.get::<OnMap>(npc).unwrap().0);
            let path = cursor.path();
            let is_legal =
                map.is_some_and(|map| path.walk(map.grid(), at, Rules::default()).is_ok());
            assert!(path.is_empty() || is_legal, "a stale path, tick {tick}");
        }
    }
    scene.check_walks();
    let is_still = |scene: &mut Scene| {
        scene.world.tick(20);
        scene.world.cell(npc) == at
    };
    assert!(is_still(&mut scene), "it does not come to rest");
    let reaches = |scene: &Scene, goal: Cell| {
        let is_near = match state {
            State::KeepingAway => {
                let steps = scene.distance(at, goal).unwrap();
                (AWAY - 1..=AWAY).any(|away| steps == u32::from(away))
            }
            _ => at.chebyshev(goal) <= 1,
        };
        is_near && scene.target().is_some()
    };
    let map = scene.world.get::<OnMap>(npc).0;
    let player = scene.world.app.world().get::<CellPosition>(scene.player);
    let player = player.map(|place| place.cell);
    let stays = match event {
        Event::Stun | Event::MapDespawned | Event::ChaserRemoved => true,
        Event::Switch => state == State::Paused,
        // The events below do not end a walk.
        _ if matches!(state, State::Walking | State::Returning) => false,
        Event::EndOfStun if state == State::Paused => false,
        Event::TargetDespawned | Event::TargetToOtherMap | Event::ChaserToOtherMap => true,
        _ => matches!(state, State::Idle | State::Paused | State::Waiting),
    };
    let from = match event {
        Event::Teleport => Cell::new(14, 34),
        Event::KnockBack => Cell::new(before.x - 1, before.y + 1),
        _ => before,
    };
    if stays {
        assert_eq!(at, from, "it went on");
    } else if event == Event::Switch {
        assert!(reaches(&scene, player.unwrap()), "at {at}");
    } else if state == State::Walking {
        assert_eq!(at, POST);
        assert!(scene.world.app.world().get::<GoTo>(npc).is_none());
    } else if state == State::Returning {
        assert_eq!(at, scene.back);
        assert!(scene.world.app.world().get::<Returning>(npc).is_none());
    } else if state == State::Detour {
        // Some of a pack find no place beside the target.
        assert!(at.chebyshev(player.unwrap()) <= 3, "at {at}");
    } else {
        assert!(reaches(&scene, player.unwrap()), "at {at} on {map}");
    }
}

pub fn check_all(event: Event) {
    let mut failures = Vec::new();
    // In the default tier every third state, beginning with another state for each event.
    let states = STATES.into_iter().cycle().skip(event as usize % 3);
    for state in states.take(STATES.len()).step_by(by_tier(3, 1)) {
        let result = std::panic::catch_unwind(|| check(state, event));
        if result.is_err() {
            failures.push(state);
        }
    }
    assert!(failures.is_empty(), "{event:?} in {failures:?}");
}
