//! Each event in all states.

use super::{
    check::check_all,
    scene::{Event, Scene, State},
};
use nav::Chaser;
use nav_tests::STEP_TICKS;

#[test]
fn a_stun_stops_whatever_it_is_doing() {
    check_all(Event::Stun);
}

#[test]
fn the_end_of_a_stun_goes_on_from_how_things_are() {
    check_all(Event::EndOfStun);
}

#[test]
fn a_teleport_leaves_no_path_behind() {
    check_all(Event::Teleport);
}

#[test]
fn a_knock_back_by_one_cell_leaves_no_path_behind() {
    check_all(Event::KnockBack);
}

#[test]
fn a_switch_of_targets_leads_to_the_new_one_at_once() {
    check_all(Event::Switch);
}

#[test]
fn a_target_that_is_gone_is_not_run_after() {
    check_all(Event::TargetDespawned);
}

#[test]
fn an_npc_that_is_gone_leaves_nothing_behind() {
    check_all(Event::ChaserDespawned);
}

#[test]
fn a_map_that_is_gone_stops_all_who_are_on_it() {
    check_all(Event::MapDespawned);
}

#[test]
fn a_chase_goes_on_over_another_map_by_its_ways() {
    check_all(Event::BothToOtherMap);
}

#[test]
fn an_npc_on_another_map_does_not_walk_its_old_path() {
    check_all(Event::ChaserToOtherMap);
}

#[test]
fn a_target_on_another_map_is_not_run_after() {
    check_all(Event::TargetToOtherMap);
}

#[test]
fn whoever_is_no_chaser_any_longer_stays() {
    check_all(Event::ChaserRemoved);
}

#[test]
fn a_wall_across_the_path_is_gone_round() {
    check_all(Event::PathCut);
}

#[test]
fn a_body_in_the_way_holds_nobody_up() {
    check_all(Event::BodyInTheWay);
}

#[test]
fn whoever_is_a_chaser_again_goes_by_no_old_path() {
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
