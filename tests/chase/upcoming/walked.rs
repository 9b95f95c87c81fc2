//! Chasers walk their points, whatever they follow.

use super::{
    scene::{KINDS, drawn, places},
    watch::{Watched, was_said, watch},
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, Chaser, Guidance, NavMap};
use nav_grid::{Area, Cell, Footprint, Link, Metric, Rules};
use nav_tests::scenes::far_sighted;
use nav_tests::{TestWorld, by_tier, sample};

#[test]
fn ghost_on_own_path() {
    for kind in KINDS {
        for seed in 1..=by_tier(1, 4) {
            let mut world = drawn(kind, seed);
            let [from, to] = places(&world, 2, Footprint::ONE)[..] else {
                panic!("two places");
            };
            let target = world.target(to);
            let chaser = world.chaser_with(far_sighted(), from, target);
            let watched = watch(&mut world, &[chaser], 60);
            assert!(was_said(&watched, Guidance::OwnPath), "{kind:?} {seed}");
        }
    }
}

#[test]
fn chasers_on_shared_field() {
    for kind in KINDS {
        let mut shared = 0;
        for seed in 1..=by_tier(2, 4) {
            let mut world = drawn(kind, seed);
            let places = places(&world, 9, Footprint::ONE);
            let target = world.target(places[0]);
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser(place, target))
                .collect();
            let watched = watch(&mut world, &chasers, 40);
            shared += u32::from(was_said(&watched, Guidance::SharedField));
        }
        assert!(shared > by_tier(0, 1), "{kind:?}");
    }
}

#[test]
fn far_then_near_field() {
    for (kind, seed) in sample(KINDS.into_iter().zip(5..), 2) {
        let mut world = TestWorld::on(mapgen::generate(kind, 160, 96, seed).expect("a map"));
        let map = world.map;
        world.get_mut::<NavMap>(map).build_portals(Rules::default());
        let places = places(&world, 13, Footprint::ONE);
        let target = world.target(places[0]);
        let chasers: Vec<Entity> = places[1..]
            .iter()
            .map(|&place| world.chaser_with(far_sighted(), place, target))
            .collect();
        let watched = watch(&mut world, &chasers, 150);
        assert!(was_said(&watched, Guidance::FarField), "{kind:?}");
        assert!(was_said(&watched, Guidance::SharedField), "{kind:?}");
    }
}

/// Ground with costs, exits and links, on which 48 chasers share a weighted field.
#[test]
fn weighted_ground_and_links() {
    for (kind, seed) in [(Kind::Rooms, 1), (Kind::Caves, 2), (Kind::Mixed, 3)] {
        let mut world = drawn(kind, seed);
        let places = places(&world, 61, Footprint::ONE);
        let map = world.map;
        let mut ground = world.get_mut::<NavMap>(map);
        for (n, &cell) in (0..).zip(&places) {
            let last = Cell::new((cell.x + 3).min(47), (cell.y + 2).min(39));
            ground.set_cost(Area::new(cell, last), n % 7 + 1).unwrap();
        }
        for pair in places[1..40].chunks_exact(2) {
            let link = Link::new(pair[0], pair[1]).with_cost(2);
            ground.set_link(link).unwrap();
        }
        let mut tuning = Chaser::default();
        tuning.rules.metric = Metric::Octile;
        ground.prepare(tuning.rules);
        let target = world.target(places[0]);
        let chasers: Vec<Entity> = places[1..]
            .iter()
            .map(|&place| world.chaser_with(tuning, place, target))
            .collect();
        let watched = watch(&mut world, &chasers, 30);
        assert!(was_said(&watched, Guidance::SharedField), "{kind:?}");
        let took_a_link = |of: &Watched| {
            let mut steps = of.visited.windows(2);
            steps.any(|step| step[0].chebyshev(step[1]) > 1)
        };
        assert!(watched.iter().any(took_a_link), "{kind:?}");
    }
}

#[test]
fn large_ghosts() {
    for side in [2, 3] {
        let footprint = Footprint::new(side).unwrap();
        for count in [1, 6] {
            let mut world = drawn(Kind::Clutter { percent: 5 }, u64::from(side));
            let map = world.map;
            world.get_mut::<NavMap>(map).prepare_footprint(footprint);
            let places = places(&world, count + 1, footprint);
            let target = world.target(places[0]);
            let mut tuning = far_sighted();
            tuning.rules.footprint = footprint;
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser_with(tuning, place, target))
                .collect();
            let watched = watch(&mut world, &chasers, 40);
            let guidance = if count == 1 {
                Guidance::OwnPath
            } else {
                Guidance::SharedField
            };
            assert!(was_said(&watched, guidance), "{side}, {count}");
        }
    }
}

#[test]
fn lone_body() {
    let mut world = drawn(Kind::Rooms, 9);
    let places = places(&world, 2, Footprint::ONE);
    let target = world.target(places[0]);
    let chaser = world.chaser_with(far_sighted(), places[1], target);
    world
        .world()
        .entity_mut(chaser)
        .insert(Body::solid(Footprint::ONE));
    let watched = watch(&mut world, &[chaser], 60);
    assert!(was_said(&watched, Guidance::OwnPath));
}
