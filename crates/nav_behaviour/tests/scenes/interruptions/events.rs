//! Each event in all states.

use super::{
    check::check_all,
    scene::{EVENTS, Event, Scene, State},
};
use crate::scene::STEP_TICKS;
use nav::Chaser;

#[test]
fn in_any_state() {
    for event in EVENTS {
        check_all(event);
    }
}

#[test]
fn chaser_inserted_again() {
    let mut scene = Scene::new(State::OwnPath);
    let npc = scene.npc;
    scene.happen(Event::ChaserRemoved);
    let cursor = scene.world.cursor(npc);
    assert!(cursor.path().is_empty() && cursor.searched_for().is_none());
    scene.world.tick(20);
    let (at, player) = (scene.world.cell(npc), scene.player);
    scene.world.put(player, (at.x, 38));
    scene.world().entity_mut(npc).insert(Chaser::default());
    scene.world.tick(STEP_TICKS + 1);
    let now = scene.world.cell(npc);
    assert!(now.x == at.x && now.y > at.y, "{at} to {now}");
}
