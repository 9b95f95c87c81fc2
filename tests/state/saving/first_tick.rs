//! What a game changes between the last tick and the save, or between loading and the first tick,
//! counts as in the world that went on.

use super::scene::{fresh, load, mid_chase, save, walk};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, NavMap, NavTimer};
use nav_grid::{
    Cell, Footprint, Grid, Rules,
    rules::{Class, ClassCosts},
};
use nav_tests::TestWorld;

/// A change of chasers, targets and the map.
type Change = fn(&mut World, chasers: &[Entity], map: Entity);

const CHANGES: [(&str, Change); 7] = [
    ("equal bodies", |world, chasers, _| {
        for &chaser in chasers {
            if let Some(&body) = world.get::<Body>(chaser) {
                world.entity_mut(chaser).insert(body);
            }
        }
    }),
    ("other bodies", |world, chasers, _| {
        for &chaser in &chasers[..4] {
            let body = Body::solid(Footprint::ONE);
            world.entity_mut(chaser).insert(body);
        }
    }),
    ("equal tunings", |world, chasers, _| {
        for &chaser in chasers {
            let tuning = *world.get::<Chaser>(chaser).unwrap();
            world.entity_mut(chaser).insert(tuning);
        }
    }),
    ("other tunings", |world, chasers, _| {
        for &chaser in &chasers[..6] {
            let mut tuning = world.get_mut::<Chaser>(chaser).unwrap();
            tuning.stop_distance += 1;
        }
    }),
    ("an equal map", |world, _, map| {
        let grid = world.get::<NavMap>(map).unwrap().grid().clone();
        world.entity_mut(map).insert(NavMap::new(grid));
    }),
    ("a wall", |world, _, map| {
        let mut map = world.get_mut::<NavMap>(map).unwrap();
        let cells: Vec<Cell> = map.grid().walkable_cells().step_by(9).collect();
        for cell in cells {
            map.set_walkable(cell, false).unwrap();
        }
    }),
    ("dear ground", |world, _, map| {
        let mut map = world.get_mut::<NavMap>(map).unwrap();
        let cells: Vec<Cell> = map.grid().walkable_cells().step_by(5).collect();
        for cell in cells {
            map.set_cost(cell, 9).unwrap();
        }
    }),
];

/// The moment of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// Between the last tick and the save.
    BeforeSave,
    /// Between the save and the next tick, in both worlds.
    AfterLoad,
}

#[test]
fn changes_before_the_first_tick() {
    check(Moment::AfterLoad);
}

#[test]
fn changes_before_the_save() {
    check(Moment::BeforeSave);
}

fn check(moment: Moment) {
    for (name, change) in CHANGES {
        for saved_at in [8, 50] {
            let (mut original, targets, chasers) = mid_chase(saved_at);
            for &chaser in chasers.iter().step_by(3) {
                original.insert(chaser, Body::default());
            }
            for tick in 0..20 {
                walk(&mut original, &targets, tick);
            }
            let map = original.map;
            if moment == Moment::BeforeSave {
                change(original.world(), &chasers, map);
            }
            let save = save(original.world());
            let mut loaded = fresh();
            let entities = load(loaded.world(), &save);
            let of = |entity: &Entity| entities[entity];
            let same: Vec<Entity> = targets.iter().map(of).collect();
            let loaded_chasers: Vec<Entity> = chasers.iter().map(of).collect();
            if moment == Moment::AfterLoad {
                change(original.world(), &chasers, map);
                change(loaded.world(), &loaded_chasers, of(&map));
            }
            for tick in saved_at..saved_at + 60 {
                walk(&mut original, &targets, tick);
                walk(&mut loaded, &same, tick);
                assert_eq!(
                    loaded.digest(),
                    original.digest(),
                    "{name} {moment:?}: {saved_at} to {tick}"
                );
            }
        }
    }
}

/// A chaser on the shore of a river learns to swim before the first tick.
#[test]
fn swimmer_sets_off() {
    let water = Class::new(1).unwrap();
    let mut grid = Grid::open(30, 15).unwrap();
    for y in 0..15 {
        for x in 12..16 {
            grid.set_class(Cell::new(x, y), water).unwrap();
        }
    }
    let mut world = TestWorld::on(grid);
    let target = world.target((25, 7));
    let walker = Chaser {
        rules: Rules {
            classes: ClassCosts::ALL.without(water),
            ..Rules::default()
        },
        ..Chaser::default()
    };
    let chaser = world.chaser_with(walker, (5, 7), target);
    world.seconds(30);
    assert!(world.get::<NavTimer>(chaser).failures() > 0, "on the shore");
    let save = save(world.world());
    let mut loaded = fresh();
    let entities = load(loaded.world(), &save);
    for (world, chaser, target) in [
        (&mut world, chaser, target),
        (&mut loaded, entities[&chaser], entities[&target]),
    ] {
        world.insert(chaser, Chaser::default());
        world.seconds(10);
        assert!(world.is_within_reach(chaser, target), "{world}");
    }
}
