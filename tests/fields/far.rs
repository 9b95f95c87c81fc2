//! Chasers far from their target, which share its field over the portals of the map.

use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Chaser, Guidance, NavBudget, NavMap, diagnostics::NavMemory, extend::FieldAnchor};
use nav_grid::{Area, Cell, Footprint, Grid, Limits, Rules};
use nav_tests::{REPATH_TICKS, TestWorld, scenes::far_sighted};

fn shares_far(world: &TestWorld, chaser: Entity) -> bool {
    world.cursor(chaser).guidance() == Some(Guidance::FarField)
}

/// Makes a world with portals.
fn prepared(grid: Grid) -> TestWorld {
    let mut world = TestWorld::on(grid);
    let map = world.map;
    let mut nav_map = world.get_mut::<NavMap>(map);
    nav_map.build_portals(Rules::default());
    world
}

fn ground(kind: Kind) -> Grid {
    mapgen::generate(kind, 200, 120, 5).expect("a map of this size")
}

fn places(world: &TestWorld, count: usize) -> Vec<Cell> {
    nav_tests::scenes::places(world.grid(), count, Footprint::ONE)
}

/// Sets up a target at one end of a long field, and some chasers at the other.
fn across(count: u16) -> (TestWorld, Entity, Vec<Entity>) {
    let mut world = prepared(Grid::open(300, 40).expect("a map of this size"));
    let target = world.target((280, 20));
    let chasers = (0..count)
        .map(|n| world.chaser_with(far_sighted(), (5 + n % 4, 5 + n / 4), target))
        .collect();
    (world, target, chasers)
}

#[test]
fn eight_share_seven_search() {
    for (count, fields, searches) in [(7, 0, 7), (8, 1, 0), (60, 1, 0)] {
        let (mut world, target, chasers) = across(count);
        world.tick(1);
        let total = world.diagnostics().total;
        let counts = (total.fields, total.searches());
        assert_eq!(counts, (fields, searches), "{count}");
        assert_eq!(shares_far(&world, chasers[0]), fields == 1);
        world.seconds(75);
        for chaser in chasers {
            assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
        }
    }
}

#[test]
fn far_then_near_field() {
    let (mut world, target, chasers) = across(40);
    world.tick(40);
    let memory = NavMemory::of(world.world());
    assert_eq!(memory.paths, 0);
    assert!((4096..65_536).contains(&memory.fields), "{memory:?}");
    world.seconds(55);
    world.tick_until(|world| world.cell(chasers[0]).chebyshev(world.cell(target)) < 20);
    assert_eq!(
        world.cursor(chasers[0]).guidance(),
        Some(Guidance::SharedField)
    );
    assert_eq!(world.diagnostics().total.searches(), 0);
}

#[test]
fn without_portals_they_search() {
    let grid = Grid::open(300, 40).expect("a map of this size");
    let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
    *world.nav_map() = NavMap::plain(grid);
    let target = world.target((280, 20));
    for n in 0..20 {
        world.chaser_with(far_sighted(), (5, 5 + n), target);
    }
    world.tick(1);
    let total = world.diagnostics().total;
    assert_eq!((total.fields, total.searches()), (0, 20));
}

#[test]
fn narrow_window_shares() {
    let mut world = prepared(Grid::open(300, 40).expect("a map of this size"));
    let target = world.target((280, 20));
    for n in 0..20 {
        world.chaser((5, 5 + n), target);
    }
    world.tick(1);
    let total = world.diagnostics().total;
    assert_eq!((total.fields, total.searches()), (1, 0));
}

#[test]
fn windows_of_the_whole_map_share() {
    let grid = mapgen::generate(Kind::Mixed, 512, 512, 1).expect("a map of this size");
    let mut world = TestWorld::on(grid);
    let everywhere = Chaser {
        limits: Limits {
            expansions: 1_000_000,
            ..Limits::window(u16::MAX)
        },
        ..Chaser::default()
    };
    let places = places(&world, 404);
    let targets: Vec<Entity> = places[..4].iter().map(|&cell| world.target(cell)).collect();
    let chasers: Vec<Entity> = (places[4..].iter().zip(targets.iter().cycle()))
        .map(|(&cell, &target)| world.chaser_with(everywhere, cell, target))
        .collect();
    // Long enough to build the index of this map within the budget.
    world.seconds(10);
    let far = (chasers.iter())
        .filter(|&&chaser| shares_far(&world, chaser))
        .count();
    assert!(
        far > 300,
        "{far} of 400 share the far field of their target"
    );
}

#[test]
fn costly_ground_has_a_field() {
    let (mut world, target, chasers) = across(20);
    let map = world.map;
    let mud = Area::new(Cell::new(100, 10), Cell::new(110, 30));
    let mut nav_map = world.get_mut::<NavMap>(map);
    nav_map.set_cost(mud, 9).expect("a part of the map");
    world.tick(1);
    assert_eq!(world.diagnostics().total.searches(), 0);
    world.seconds(80);
    assert!(world.is_beside(chasers[0], target));
}

#[test]
fn aims_after_an_eighth() {
    let (mut world, target, chasers) = across(20);
    let anchor = |world: &TestWorld| world.get::<FieldAnchor>(target).far;
    let (mut aims, mut before) = (Vec::new(), anchor(&world));
    for tick in 0..600_u16 {
        if tick % 5 == 0 {
            let x = 280 - (tick / 5) % 120;
            world.put(target, (x, 20));
        }
        let far = |&chaser: &Entity| world.cell(chaser).chebyshev(world.cell(target));
        let least = chasers.iter().map(far).min().unwrap_or_default();
        world.tick(1);
        let now = anchor(&world);
        if let (Some((from, _)), Some((to, _))) = (before, now)
            && from != to
        {
            let drift = from.cell.chebyshev(to.cell);
            assert!(drift > least / 8, "{drift} of {least}");
            aims.push(world.ticks());
        }
        before = now;
    }
    let gaps = aims.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.clone().all(|gap| gap >= REPATH_TICKS), "{aims:?}");
    // 120 cells toward them: an eighth of 270, of 200, of 150 and so on.
    assert!((2..20).contains(&aims.len()), "{aims:?}");
    world.seconds(60);
    for chaser in chasers {
        assert!(world.is_beside(chaser, target));
    }
}

#[test]
fn closed_door_seen_by_all() {
    let grid = Grid::from_fn(300, 40, |cell| cell.x != 150 || [5, 35].contains(&cell.y));
    let mut world = prepared(grid.expect("a map of this size"));
    let target = world.target((280, 3));
    let chasers: Vec<Entity> = (0..20)
        .map(|n| world.chaser_with(far_sighted(), (5 + n, 5), target))
        .collect();
    world.seconds(10);
    world.edit((150, 5), false);
    world.seconds(90);
    for chaser in chasers {
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
    }
}

#[test]
fn large_bodies_share() {
    let mut world = TestWorld::on(Grid::open(300, 40).expect("a map of this size"));
    let mut large = far_sighted();
    large.rules.footprint = Footprint::new(3).expect("a size");
    let map = world.map;
    let mut nav_map = world.get_mut::<NavMap>(map);
    nav_map.build_portals(large.rules);
    let target = world.target((299, 39));
    let chasers: Vec<Entity> = (0..10)
        .map(|n| world.chaser_with(large, (5, n * 3), target))
        .collect();
    world.tick(1);
    assert!(shares_far(&world, chasers[0]));
    world.seconds(80);
    for chaser in chasers {
        assert!(world.cell(chaser).x >= 295, "{}", world.cell(chaser));
    }
}

/// Sets up five targets with thirteen chasers each, in rooms with 166 portals.
fn rationed(budget: u32) -> (TestWorld, Vec<Entity>) {
    let mut world = prepared(ground(Kind::Rooms));
    world.world().insert_resource(NavBudget::Units(budget));
    let mut chasers = Vec::new();
    for group in places(&world, 70).chunks(14) {
        let target = world.target(group[0]);
        let chaser = |&cell| world.chaser_with(far_sighted(), cell, target);
        chasers.extend(group[1..].iter().map(chaser));
    }
    (world, chasers)
}

#[test]
fn fields_wait_for_budget() {
    // Each of 166 portals counts once or twice, and a cluster around a chaser 64 times. Half of the
    // budget is for fields.
    let budget = 8000;
    let (mut world, chasers) = rationed(budget);
    let mut sharing = Vec::new();
    for _ in 0..16 {
        world.tick(1);
        let expanded = world.diagnostics().last_tick.expanded;
        assert!(expanded <= budget.into(), "{expanded}");
        let share = |&&chaser: &&Entity| shares_far(&world, chaser);
        sharing.push(chasers.iter().filter(share).count());
    }
    let last = sharing[sharing.len() - 1];
    assert!(0 < sharing[0] && sharing[0] < last, "{sharing:?}");
    assert!(last > 50, "{sharing:?}");
}

#[test]
fn searches_until_fields_reach_them() {
    let (mut world, chasers) = rationed(60);
    world.tick(100);
    let searched = |&&chaser: &&Entity| !world.searches(chaser).is_empty();
    assert!(chasers.iter().filter(searched).count() > 10);
}

#[test]
fn ready_before_anybody_chases() {
    let clutter = mapgen::generate(Kind::Clutter { percent: 20 }, 600, 600, 5);
    let grid = clutter.expect("a map of this size");
    // How many parts are due after a number of ticks, and how many there are.
    let parts = |budget: NavBudget, map: NavMap, ticks: u64| {
        let mut world = TestWorld::on(Grid::open(1, 1).expect("a map of this size"));
        world.world().insert_resource(budget);
        *world.nav_map() = map;
        world.tick(ticks);
        let diagnostics = world.diagnostics();
        (diagnostics.map_parts_due, diagnostics.map_parts)
    };
    let of = |budget, ticks| parts(budget, NavMap::new(grid.clone()), ticks);
    let (after_one, all) = of(NavBudget::default(), 1);
    assert!((1..all).contains(&after_one), "{after_one} of {all}");
    assert_eq!(of(NavBudget::default(), 8), (0, all));
    assert!(of(NavBudget::Units(2_000), 8).0 > after_one);
    assert_eq!(
        parts(NavBudget::default(), NavMap::plain(grid.clone()), 8),
        (0, 0)
    );
    // What the game builds is enough.
    let mut own = NavMap::new(grid.clone());
    let rules = Rules::default().with_footprint(Footprint::new(2).expect("a size"));
    own.build_regions(rules);
    let (due, built) = parts(NavBudget::default(), own, 8);
    assert!(due == 0 && built < all);
}
