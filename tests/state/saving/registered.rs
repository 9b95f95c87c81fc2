//! Components of a game that are registered as state.

use super::scene::{empty, load, save};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::{entity::MapEntities, prelude::*};
use nav::{
    CellPosition, Chasing, NavPlugin, NavSystems,
    saving::{self, NavSave, RestoreError, SaveError},
    state::{StateAppExt, StateRole},
};
use nav_drawn::tape::Tape;
use nav_tests::TestWorld;
use nav_trace::{Replay, TraceError};
use serde::{Deserialize, Serialize};

/// A component of the game: the agent that this one hates, and how much.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, MapEntities)]
#[component(map_entities)]
struct Grudge(#[entities] Entity, u32);

/// A component of the game: the mood of an agent, which decides nothing.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Mood(u32);

fn register(app: &mut App) {
    app.register_saved_state::<Grudge>("Grudge", StateRole::Decides)
        .register_saved_state::<Mood>("Mood", StateRole::Shown);
}

fn game() -> TestWorld {
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    register(&mut app);
    TestWorld::with_app(app, &["C.....T", "..1...."])
}

#[test]
fn come_back() {
    let mut world = game();
    let (chaser, target) = (world.agent('C'), world.agent('T'));
    let mut agent = world.world().entity_mut(chaser);
    agent.insert((Grudge(target, 3), Mood(7)));
    let (text, digest) = (save(world.world()), world.digest());
    let mut other = empty(game());
    let old: Vec<Entity> = ['C', 'T', '1'].map(|name| other.agent(name)).into();
    for agent in old {
        other.world().despawn(agent);
    }
    let entities = load(other.world(), &text);
    assert_eq!(other.digest(), digest);
    let restored = other.world().entity(entities[&chaser]);
    assert_eq!(restored.get(), Some(&Grudge(entities[&target], 3)));
    assert_eq!(restored.get(), Some(&Mood(7)));
}

#[test]
fn digest_covers_decisions() {
    let mut world = game();
    let (chaser, target, idle) = (world.agent('C'), world.agent('T'), world.agent('1'));
    let mut digest_with = |grudge: Grudge, mood: u32| {
        let mut agent = world.world().entity_mut(chaser);
        agent.insert((grudge, Mood(mood)));
        world.digest()
    };
    let digest = digest_with(Grudge(target, 3), 7);
    assert_ne!(digest_with(Grudge(target, 4), 7), digest);
    assert_ne!(digest_with(Grudge(idle, 3), 7), digest);
    assert_eq!(digest_with(Grudge(target, 3), 8), digest);
}

#[test]
fn unknown_is_named() {
    let mut world = game();
    let target = world.agent('T');
    world.insert('C', Grudge(target, 3));
    let saved: NavSave = serde_json::from_str(&save(world.world())).unwrap();
    let mut other = empty(TestWorld::open(1, 1));
    let error = saved.restore(other.world()).unwrap_err();
    let component = "Grudge".into();
    assert_eq!(error, RestoreError::Unknown { component });
    assert_eq!(
        error.to_string(),
        "the save has the component Grudge, which this app does not register: add the plugin that does"
    );
}

/// Makes agents hate their targets more in every tick, as a system of the game.
fn brood(mut agents: Query<(&Chasing, &mut Grudge)>) {
    for (chasing, mut grudge) in &mut agents {
        *grudge = Grudge(chasing.0, grudge.1 + 1);
    }
}

fn add_brooding(app: &mut App, schedule: impl bevy_ecs::schedule::ScheduleLabel) {
    register(app);
    app.add_systems(schedule, brood.in_set(NavSystems::Act));
}

#[test]
fn trace_replays_what_acts() {
    let mut app = nav_testing::app();
    app.add_plugins(NavPlugin::default());
    add_brooding(&mut app, FixedUpdate);
    let tape = Tape::start(&mut app);
    let mut world = TestWorld::with_app(app, &["C.....T", "..1...."]);
    let idle = world.agent('1');
    world.insert('C', Grudge(idle, 0));
    world.tick(20);
    *world.get_mut::<CellPosition>(idle) = CellPosition::new(5, 1);
    world.tick(20);
    let (trace, _) = tape.finish(&mut world.app);

    let refused = Replay::open(&trace[..]).err();
    let is_named = matches!(&refused, Some(TraceError::OtherComponents { component }) if component == "Grudge");
    assert!(is_named, "{refused:?}");
    let add = |app: &mut App| add_brooding(app, bevy_app::Update);
    let mut replay = Replay::open_with(&trace[..], add).unwrap();
    while let Some(tick) = replay.tick().unwrap() {
        assert_eq!(tick.difference, None);
    }
    assert_eq!(nav::digest(replay.world_mut()), world.digest());
}

/// A component that decides, and of which saves know nothing.
#[derive(Component, Clone, Hash)]
struct Oath(u8);

#[test]
fn half_a_world_is_not_saved() {
    let mut world = TestWorld::open(9, 9);
    world.app.register_state::<Oath>("Oath", StateRole::Decides);
    let player = world.target((3, 3));
    assert!(saving::save(world.world()).is_ok(), "nobody has one");
    world.insert(player, Oath(3));
    let refused = saving::save(world.world()).unwrap_err();
    assert_eq!(refused, SaveError::NotSaved { component: "Oath" });
    assert!(refused.to_string().contains("`serialize`"), "{refused}");
}
