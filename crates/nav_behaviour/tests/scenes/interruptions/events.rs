//! Each event in all states.

use super::{
    check::check_all,
    scene::{Event, Scene, State},
};
use crate::scene::STEP_TICKS;
use nav::Chaser;

#[test]
fn stun() {
    check_all(Event::Stun);
}

#[test]
fn end_of_stun() {
    check_all(Event::EndOfStun);
}

#[test]
fn teleport() {
    check_all(Event::Teleport);
}

#[test]
fn knock_back() {
    check_all(Event::KnockBack);
}

#[test]
fn switch_of_targets() {
    check_all(Event::Switch);
}

#[test]
fn target_despawned() {
    check_all(Event::TargetDespawned);
}

#[test]
fn npc_despawned() {
    check_all(Event::ChaserDespawned);
}

#[test]
fn map_despawned() {
    check_all(Event::MapDespawned);
}

#[test]
fn map_replaced() {
    check_all(Event::BothToOtherMap);
}

#[test]
fn npc_on_other_map() {
    check_all(Event::ChaserToOtherMap);
}

#[test]
fn target_on_other_map() {
    check_all(Event::TargetToOtherMap);
}

#[test]
fn chaser_removed() {
    check_all(Event::ChaserRemoved);
}

#[test]
fn wall_across_path() {
    check_all(Event::PathCut);
}

#[test]
fn body_in_the_way() {
    check_all(Event::BodyInTheWay);
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
