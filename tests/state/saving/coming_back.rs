//! Values that a save restores, and values that it does not.

use super::scene::{behaving, fresh, load, mid_chase, save};
use bevy_ecs::prelude::*;
use nav::{AgentId, Chaser, NavMap, PathCursor};
use nav_grid::Grid;
use nav_tests::TestWorld;

#[test]
fn every_component_comes_back() {
    let (mut original, _) = behaving();
    let save = save(original.world());
    let mut loaded = fresh();
    load(loaded.world(), &save);
    assert_eq!(loaded.digest(), original.digest());
}

#[test]
fn numbers_continue() {
    let (mut original, ..) = mid_chase(3);
    let save = save(original.world());
    let mut loaded = fresh();
    load(loaded.world(), &save);
    let new = |world: &mut TestWorld| {
        let agent = world.world().spawn(Chaser::default()).id();
        world.get::<AgentId>(agent).0
    };
    assert_eq!(new(&mut loaded), new(&mut original));
}

#[test]
fn indexes_come_back() {
    let rules = nav_grid::Rules::default();
    let mut map = NavMap::new(Grid::open(40, 40).unwrap());
    map.build_regions(rules);
    map.build_portals(rules);
    map.build_mosaic(rules.footprint);
    map.build_jumps(rules);
    map.insert_roads(rules, [nav_grid::Cell::new(3, 3)])
        .unwrap();
    let text = serde_json::to_string(&map).unwrap();
    let loaded: NavMap = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded.indexed().built(), map.indexed().built());
    assert!(loaded.indexes().portals_for(rules).is_some() && loaded.indexes().roads().is_some());
}

#[test]
fn removed_components_stay_away() {
    let (mut world, ..) = mid_chase(40);
    let mut chasers = world.world().query_filtered::<Entity, With<Chaser>>();
    let stripped = chasers.iter(world.world()).next().unwrap();
    world.world().entity_mut(stripped).remove::<PathCursor>();
    let saved = save(world.world());
    let mut other = fresh();
    let entities = load(other.world(), &saved);
    let chaser = other.app.world().entity(entities[&stripped]);
    assert!(chaser.contains::<Chaser>() && !chaser.contains::<PathCursor>());
    assert_eq!(other.digest(), world.digest());
}
