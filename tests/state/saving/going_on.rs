//! Loaded worlds continue like the original.

use super::scene::{fresh, load, loaded, mid_chase, save, walk};
use bevy_ecs::prelude::*;
use nav::{
    Body, Chaser, Chasing, Guidance, NavBudget, NavMap, NavPlugin, OnMap, PathCursor,
    groups::{ChasingGroup, InGroup, TargetGroup},
    links::OnLink,
};
use nav_behaviour::{Intercept, KeepDistance};
use nav_grid::{Cell, Grid, Link, Size};
use nav_tests::{
    TestWorld, by_tier, sample,
    scenes::{app_with_behaviours, far_sighted, place},
};
use std::ops::Range;

/// Spawns chasers that share fields over the portals of a map.
fn far_chase(ticks: u64) -> (TestWorld, Vec<Entity>) {
    let grid = mapgen::generate(mapgen::Kind::Rooms, 160, 96, 11).unwrap();
    let ground: Vec<_> = grid.walkable_cells().collect();
    let mut world = TestWorld::on(grid);
    prepare_portals(&mut world);
    let pick = |n: usize| place(&ground, n);
    let targets: Vec<Entity> = (0..3).map(|n| world.target(pick(n))).collect();
    for n in 0..40 {
        let chaser = world.chaser_with(far_sighted(), pick(n + 10), targets[n % 3]);
        if n % 2 == 0 {
            let body = Body::solid(nav_grid::Footprint::ONE);
            world.world().entity_mut(chaser).insert(body);
        }
    }
    for tick in 0..ticks {
        walk(&mut world, &targets, tick);
    }
    (world, targets)
}

fn prepare_portals(world: &mut TestWorld) {
    let mut maps = world.world().query::<&mut NavMap>();
    for mut map in maps.iter_mut(world.world()) {
        map.build_portals(nav_grid::Rules::default());
    }
}

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

#[test]
fn far_chase_continues() {
    for saved_at in [1, 30, 101] {
        let (mut original, targets) = far_chase(saved_at);
        let far = |world: &mut World| {
            let mut cursors = world.query::<&PathCursor>();
            let guidance = cursors.iter(world).filter_map(PathCursor::guidance);
            guidance
                .filter(|&guidance| guidance == Guidance::FarField)
                .count()
        };
        assert!(far(original.world()) > 8, "{saved_at}");
        go_on(&mut original, &targets, saved_at..saved_at + 150, |_| {});
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

/// The game put chasers onto another map since the last tick, and one of them back. No tick has
/// processed them there.
#[test]
fn chasers_on_another_map() {
    for is_gone in [false, true] {
        let (mut original, targets, chasers) = mid_chase(50);
        let (old, copy) = (original.map, original.get::<NavMap>(original.map).clone());
        let other = original.world().spawn(copy).id();
        for &agent in targets.iter().chain(&chasers) {
            original.insert(agent, OnMap(other));
        }
        if is_gone {
            original.world().despawn(old);
        } else {
            original.insert(chasers[3], OnMap(old));
        }
        original.map = other;
        let new = original.chaser((3, 3), targets[0]);
        let saved = save(original.world());
        let mut loaded = fresh();
        let entities = load(loaded.world(), &saved);
        for tick in 0..100 {
            assert_eq!(loaded.digest(), original.digest(), "{is_gone}, {tick}");
            if tick == 0 && !is_gone {
                original.insert(new, OnMap(old));
                original.insert(chasers[4], OnMap(old));
                loaded.insert(entities[&new], OnMap(entities[&old]));
                loaded.insert(entities[&chasers[4]], OnMap(entities[&old]));
            }
            original.tick(1);
            loaded.tick(1);
        }
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

/// Moves a runner round a course with long straights. Chasers behind it cut it off, follow it and
/// keep away from it. A lap is 120 cells.
fn run_on(world: &mut TestWorld, runner: Entity, tick: u64) {
    if tick.is_multiple_of(2) {
        let place = (tick / 2 % 120) as u16;
        let at = match place {
            0..40 => (5 + place, 5),
            40..60 => (45, place - 35),
            60..100 => (105 - place, 25),
            _ => (5, 125 - place),
        };
        world.put(runner, at);
    }
    world.tick(1);
}

#[test]
fn behaviours_continue() {
    let mut led = 0;
    for saved_at in sample([30, 1, 24, 333, 60, 90, 181, 250], 3) {
        let mut original = TestWorld::with_app(app_with_behaviours(), Grid::open(60, 40).unwrap());
        let runner = original.target((5, 5));
        for n in 0..24_u16 {
            let archer = Chaser {
                stop_distance: 6,
                stop_hysteresis: 2,
                ..Chaser::default()
            };
            let at = (24 + n % 6, 20 + n / 6);
            if n % 3 == 0 {
                let npc = original.chaser_with(archer, at, runner);
                original.insert(npc, (KeepDistance { least: 4 }, Body::default()));
            } else {
                let npc = original.chaser(at, runner);
                if n % 3 == 1 {
                    original.insert(npc, Intercept::new(5 + n));
                }
            }
        }
        for tick in 0..saved_at {
            run_on(&mut original, runner, tick);
        }
        let mut leading = original.world().query::<&Intercept>();
        let leading = leading.iter(original.world());
        led += leading.filter(|one| one.aim().is_some()).count();
        let (mut loaded, entities) = loaded(&mut original);
        assert_eq!(loaded.digest(), original.digest(), "as saved");
        for tick in saved_at..saved_at + 200 {
            run_on(&mut original, runner, tick);
            run_on(&mut loaded, entities[&runner], tick);
            assert_eq!(loaded.digest(), original.digest(), "{saved_at} to {tick}");
        }
    }
    assert!(led > by_tier(4, 8), "{led} were on the way to a cell ahead");
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
