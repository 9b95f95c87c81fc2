//! Loaded worlds continue like the original.

use super::scene::{fresh, load, mid_chase, save, walk};
use bevy_ecs::prelude::*;
use nav::{
    Body, Chaser, Chasing, NavBudget, NavPlugin, NavTimer,
    groups::{ChasingGroup, InGroup, TargetGroup},
    links::OnLink,
};
use nav_grid::{
    Cell, Grid, Link, Rules, Size,
    rules::{Class, ClassCosts},
};
use nav_tests::{TestWorld, sample, scenes::place};
use std::ops::Range;

/// Saves a world, and lets it and a loaded one go on. After each tick their digests are equal, and
/// `check` passes on both.
fn go_on(
    original: &mut TestWorld,
    targets: &[Entity],
    ticks: Range<u64>,
    check: impl Fn(&TestWorld),
) {
    let saved_at = ticks.start;
    let save = save(original.world());
    let mut loaded = fresh();
    let entities = load(loaded.world(), &save);
    let same: Vec<Entity> = targets.iter().map(|target| entities[target]).collect();
    for tick in ticks {
        walk(original, targets, tick);
        walk(&mut loaded, &same, tick);
        assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        check(&loaded);
        check(original);
    }
}

/// Chasers of a group go on looking for the nearest member, also where the budget has them wait for
/// that.
#[test]
fn groups_continue() {
    for (saved_at, budget) in [(1, None), (40, None), (60, Some(400))] {
        let grid = mapgen::generate(mapgen::Kind::Rooms, 160, 96, 11).unwrap();
        let ground: Vec<_> = grid.walkable_cells().collect();
        let mut original = TestWorld::on(grid);
        original.world().insert_resource(NavBudget::from(budget));
        let pick = |n: usize| place(&ground, n);
        let group = original.world().spawn(TargetGroup).id();
        let members: Vec<Entity> = (0..6).map(|n| original.target(pick(n))).collect();
        original.insert(&members[..], InGroup(group));
        for n in 0..40 {
            let seeker = original.chaser(pick(n + 10), members[0]);
            original.insert(seeker, ChasingGroup::new(group));
        }
        for tick in 0..saved_at {
            walk(&mut original, &members, tick);
        }
        go_on(&mut original, &members, saved_at..saved_at + 150, |_| {});
    }
}

/// Walkers on links, and walkers that wait for their turn, go on in both worlds.
#[test]
fn links_continue() {
    let size = Size::new(20, 9).with_floors(2);
    for saved_at in (20..68).step_by(3) {
        let mut grid = Grid::build(size, |_| true).unwrap();
        let ladder = Link::new(Cell::new(9, 4), Cell::new(9, 4).on_floor(1));
        let ladder = ladder.with_millis(700).with_capacity(2);
        grid.set_links([ladder, ladder.reversed()]).unwrap();
        let mut original = TestWorld::on(grid);
        let targets = [Cell::new(15, 4).on_floor(1), Cell::new(3, 4)].map(|at| original.target(at));
        for n in 0..24_u16 {
            let at = Cell::new(5 + n % 8, 1 + n / 4).on_floor((n % 2) as u8);
            let chaser = original.chaser(at, targets[usize::from(n % 2)]);
            if n % 3 > 0 {
                original.insert(chaser, Body::default());
            }
        }
        original.tick(saved_at);
        let mut on = original.world().query::<&OnLink>();
        let on = on.iter(original.world()).count();
        assert!(
            on > 0 || saved_at < 26,
            "nobody on the ladder at {saved_at}"
        );
        go_on(&mut original, &[], saved_at..saved_at + 60, |_| {});
    }
}

/// A map that was saved while it prepares itself is prepared at once in both worlds.
#[test]
fn preparing_continues() {
    let clutter = mapgen::Kind::Clutter { percent: 20 };
    let grid = mapgen::generate(clutter, 512, 512, 3).unwrap();
    let ground: Vec<_> = grid.walkable_cells().collect();
    let mut original = TestWorld::on(grid);
    let pick = |n: usize| place(&ground, n);
    let targets: Vec<Entity> = (0..3).map(|n| original.target(pick(n))).collect();
    for n in 0..40 {
        original.chaser(pick(n + 10), targets[n % 3]);
    }
    let saved_at = 8;
    for tick in 0..saved_at {
        walk(&mut original, &targets, tick);
    }
    let due = |world: &TestWorld| world.diagnostics().map_parts_due;
    assert!(due(&original) > 0);
    go_on(&mut original, &targets, saved_at..saved_at + 100, |world| {
        assert_eq!(due(world), 0);
    });
}

/// Returns the searches, failures and arrivals with their ticks, in the order of the messages.
fn told(world: &TestWorld, name: impl Fn(Entity) -> Entity) -> [Vec<(u64, Entity)>; 3] {
    let tick = |tick: u64| tick - (world.ticks() - 200);
    let found = world.found.iter().map(|(t, m)| (tick(*t), name(m.chaser)));
    let failed = world.failed.iter().map(|(t, m)| (tick(*t), name(m.chaser)));
    let reached = world
        .reached
        .iter()
        .map(|(t, m)| (tick(*t), name(m.chaser)));
    [found.collect(), failed.collect(), reached.collect()]
}

#[test]
fn chase_continues() {
    for saved_at in sample([123, 8, 50, 1, 200], 3) {
        let (mut original, targets, _) = mid_chase(saved_at);
        let save = save(original.world());

        let mut loaded = fresh();
        let entities = load(loaded.world(), &save);
        let same: Vec<Entity> = targets.iter().map(|target| entities[target]).collect();
        assert_eq!(loaded.digest(), original.digest(), "as saved");

        original.found.clear();
        original.failed.clear();
        original.reached.clear();
        for tick in saved_at..saved_at + 200 {
            walk(&mut original, &targets, tick);
            walk(&mut loaded, &same, tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }

        // Messages came in the same order, too.
        let heard = told(&original, |entity| entities[&entity]);
        assert!(told(&loaded, |entity| entity) == heard, "from {saved_at}");
        assert!(heard.iter().all(|kind| !kind.is_empty()));
    }
}

/// A change to a world; the function maps entities of the original.
type Act<'a> = dyn Fn(&mut TestWorld, &dyn Fn(Entity) -> Entity) + 'a;

/// The slot of a target depends on earlier targets, so a new target must find no data of a slot's
/// earlier owner. A single chaser gets no field, so none is made that would overwrite such data.
#[test]
fn reused_slot_has_no_fields() {
    let mut original = TestWorld::open(40, 32);
    let targets = [(3, 3), (30, 9), (20, 25)].map(|at| original.target(at));
    // Without any chaser the group would have no fields at all.
    let last = original.target((36, 28));
    original.chaser((30, 28), last);
    let [some, others] = [0, 1].map(|row| {
        let chasers = (0..8).map(|n| original.chaser((4 * n + 2, 15 + row), targets[0]));
        chasers.collect::<Vec<_>>()
    });
    for &chaser in some.iter().chain(&others) {
        original.world().entity_mut(chaser).remove::<Chasing>();
    }
    original.chase(&some[..], targets[0]);
    original.tick(10);
    original.chase(&others[..], targets[1]);
    original.tick(10);
    let saved = save(original.world());
    let mut loaded = fresh();
    let entities = load(loaded.world(), &saved);
    let mut both = [(&mut original, None), (&mut loaded, Some(entities))];
    let mut step = |act: &Act, ticks: u64| {
        for (world, entities) in &mut both {
            let same = |one: Entity| entities.as_ref().map_or(one, |of| of[&one]);
            act(world, &same);
            world.tick(ticks);
        }
        let [(original, _), (loaded, _)] = &mut both;
        assert_eq!(loaded.digest(), original.digest());
    };
    step(&|_, _| {}, 20);
    let let_go = |world: &mut TestWorld, same: &dyn Fn(Entity) -> Entity| {
        for &chaser in some.iter().chain(&others) {
            world.world().entity_mut(same(chaser)).remove::<Chasing>();
        }
    };
    step(&let_go, 2);
    step(
        &|world, same| world.chase(same(some[0]), same(targets[2])),
        1,
    );
    // Return to a target that had another slot.
    step(&let_go, 2);
    step(
        &|world, same| world.chase(same(some[0]), same(targets[0])),
        1,
    );
}

#[test]
fn plugin_added_later() {
    let (mut original, ..) = mid_chase(50);
    let save = save(original.world());
    let mut app = nav_tests::app();
    load(app.world_mut(), &save);
    app.add_plugins(NavPlugin::default());
    let mut loaded = TestWorld::with_app(app, Grid::open(1, 1).unwrap());
    for _ in 0..50 {
        original.tick(1);
        loaded.tick(1);
        assert_eq!(loaded.digest(), original.digest());
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
