//! The first tick that differs is named, with the agent and the component.

use bevy_app::{FixedUpdate, Update};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, NavSystems};
use nav_drawn::Rooms;
use nav_drawn::tape::{Tape, replay_with};

/// The tick that is tampered with.
const TICK: u32 = 700;

/// Changes one bit of the place of an agent after the steps of a tick.
pub fn flip(id: u32) -> impl FnMut(Query<(&AgentId, &mut CellPosition)>, Local<u32>) {
    move |mut agents, mut ticks| {
        *ticks += 1;
        if *ticks != TICK {
            return;
        }
        for (_, mut place) in agents.iter_mut().filter(|(other, _)| other.0 == id) {
            place.bypass_change_detection().offset[1] ^= 1 << 4;
        }
    }
}

/// Returns a trace of 800 ticks, and the number of a chaser and of a target in it.
fn recorded(tamper: bool) -> (Vec<u8>, u32, u32) {
    let rooms = Rooms {
        bodies: true,
        ..Rooms::default()
    };
    let mut app = rooms.app();
    let tape = Tape::start(&mut app);
    // Numbers follow the order of spawns: the map and six targets come first.
    let (target, chaser) = (3, 21);
    if tamper {
        let after = flip(chaser)
            .after(NavSystems::Step)
            .before(NavSystems::Report);
        app.add_systems(FixedUpdate, after);
    }
    let mut session = rooms.session(app, 50, 5);
    session.run(800);
    let (trace, _) = tape.finish(&mut session.stage.world.app);
    (trace, chaser, target)
}

pub fn assert_names(difference: &nav_trace::Difference, id: u32) {
    assert_eq!((difference.tick, difference.untold), (TICK.into(), 0));
    let [part] = &difference.parts[..] else {
        panic!("one part differs: {difference}");
    };
    assert_eq!(
        (part.agent, &*part.part),
        (Some(AgentId(id)), "CellPosition")
    );
    let (recorded, replayed) = (part.recorded.clone(), part.replayed.clone());
    assert!(
        recorded.is_some() && replayed.is_some() && recorded != replayed,
        "{difference}"
    );
}

#[test]
fn changed_bit_in_replay() {
    let (trace, chaser, target) = recorded(false);
    for id in [chaser, target] {
        let difference = replay_with(&trace, |app| {
            let after = flip(id).after(NavSystems::Step).before(NavSystems::Report);
            app.add_systems(Update, after);
        });
        assert_names(&difference.unwrap_err(), id);
    }
    assert_eq!(nav_drawn::tape::replay(&trace), Ok(800));
}

#[test]
fn changed_bit_in_recording() {
    let (trace, chaser, _) = recorded(true);
    let difference = nav_drawn::tape::replay(&trace).unwrap_err();
    assert_names(&difference, chaser);
    let text = difference.to_string();
    assert!(text.starts_with("tick 700 differs: digest "), "{text}");
    assert!(text.contains("\n  agent 21 (entity "), "{text}");
    assert!(
        text.contains("): CellPosition was CellPosition { "),
        "{text}"
    );
}

#[test]
fn missing_component() {
    let (trace, chaser, _) = recorded(false);
    let strip =
        move |agents: Query<(Entity, &AgentId)>, mut commands: Commands, mut ticks: Local<u32>| {
            *ticks += 1;
            let of_chaser = agents
                .iter()
                .filter(|(_, id)| *ticks == 9 && id.0 == chaser);
            for (agent, _) in of_chaser {
                commands.entity(agent).insert(nav::Destination);
            }
        };
    let strip = strip.after(NavSystems::Step).before(NavSystems::Report);
    let difference = replay_with(&trace, |app| {
        app.add_systems(Update, strip);
    });
    let difference = difference.unwrap_err();
    assert_eq!(difference.tick, 9);
    let part = &difference.parts[0];
    assert_eq!((&*part.part, part.was_there), ("Destination", false));
}

#[test]
fn whole_crowd_differs() {
    let (trace, ..) = recorded(false);
    let shift = |mut places: Query<&mut CellPosition>| {
        for mut place in &mut places {
            place.bypass_change_detection().offset[0] ^= 1;
        }
    };
    let difference = replay_with(&trace, |app| {
        app.add_systems(
            Update,
            shift.after(NavSystems::Step).before(NavSystems::Report),
        );
    });
    let difference = difference.unwrap_err();
    assert_eq!(difference.tick, 1);
    let all = difference.parts.len();
    assert!(difference.untold > 0 || all == 56, "{difference}");
    assert!(
        difference
            .parts
            .iter()
            .all(|part| part.part == "CellPosition")
    );
}
