//! Screens of a map, which list the agents near a cell.

use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use bevy_time::TimeUpdateStrategy;
use nav::{
    CellPosition, Chaser, Chasing, NavMap, OnMap, Screens,
    screens::{Screen, ScreenSizeError},
};
use nav_grid::{Cell, Grid, Size};
use nav_tests::TestWorld;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

fn with_screens(mut world: TestWorld, screens: Screens) -> TestWorld {
    let map = world.map;
    world.world().entity_mut(map).insert(screens);
    world
}

/// Makes a world whose first map has screens of 10×5.
fn small() -> TestWorld {
    with_screens(TestWorld::open(64, 32), Screens::of(10, 5).unwrap())
}

fn screen(column: u16, row: u16) -> Screen {
    Screen {
        column,
        row,
        floor: 0,
    }
}

fn sorted(agents: impl Iterator<Item = Entity>) -> Vec<Entity> {
    let mut agents: Vec<Entity> = agents.collect();
    agents.sort_unstable();
    agents
}

fn in_screen(world: &TestWorld, column: u16, row: u16) -> Vec<Entity> {
    let screens = world.get::<Screens>(world.map);
    sorted(screens.in_screen(screen(column, row)))
}

/// Runs a frame without a tick.
fn frame(world: &mut TestWorld) {
    world
        .world()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(0));
    world.app.update();
    world
        .world()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
}

#[test]
fn default_size_of_screens() {
    let screens = Screens::default();
    assert_eq!((screens.columns(), screens.rows()), (23, 14));
    assert_eq!(screens.screen_of(Cell::new(22, 13)), screen(0, 0));
    assert_eq!(screens.screen_of(Cell::new(23, 13)), screen(1, 0));
    assert_eq!(screens.screen_of(Cell::new(22, 14)), screen(0, 1));
    let upstairs = screens.screen_of(Cell::new(100, 100).on_floor(3));
    assert_eq!(
        upstairs,
        Screen {
            floor: 3,
            ..screen(4, 7)
        }
    );
    let screens = Screens::of(10, 5).unwrap();
    assert_eq!(screens.screen_of(Cell::new(39, 20)), screen(3, 4));
}

#[test]
fn screens_without_cells() {
    for (columns, rows) in [(0, 14), (23, 0), (0, 0)] {
        let refused = Screens::of(columns, rows);
        assert_eq!(refused, Err(ScreenSizeError { columns, rows }));
    }
    let error = Screens::of(0, 14).unwrap_err().to_string();
    assert_eq!(error, "a screen of 0x14 cells has none");
}

#[test]
fn despawned_agents_leave() {
    let mut world = small();
    let [first, second, third] = [(1, 1), (2, 2), (3, 3)].map(|at| world.target(at));
    world.tick(1);
    let index = world.world().despawn_no_free(first).unwrap();
    assert_eq!(in_screen(&world, 0, 0), sorted([second, third].into_iter()));
    for _ in 0..3 {
        frame(&mut world);
    }
    // Long before the next tick another entity has its index.
    let heir = (CellPosition::new(40, 20), OnMap(world.map));
    let heir = world.world().spawn_at(index, heir).unwrap().id();
    assert_eq!(heir.index(), first.index());
    world.world().despawn(third);
    world.tick(1);
    assert_eq!(in_screen(&world, 0, 0), [second]);
    assert_eq!(in_screen(&world, 4, 4), [heir]);
    world.world().entity_mut(second).remove::<CellPosition>();
    world.world().entity_mut(heir).remove::<OnMap>();
    assert!(world.get::<Screens>(world.map).is_empty());
}

#[test]
fn copy_is_empty() {
    let mut world = small();
    world.target((5, 3));
    world.tick(1);
    let copy = world.get::<Screens>(world.map).clone();
    assert_eq!((copy.columns(), copy.rows(), copy.len()), (10, 5, 0));
    assert_eq!(copy.heap_bytes(), 0);
}

#[test]
fn only_size_is_saved() {
    let mut world = small();
    world.target((5, 3));
    world.tick(1);
    let saved = serde_json::to_string(world.get::<Screens>(world.map)).unwrap();
    assert_eq!(saved, r#"{"columns":10,"rows":5}"#);
    let loaded: Screens = serde_json::from_str(&saved).unwrap();
    assert!(loaded.is_empty());
    assert_eq!((loaded.columns(), loaded.rows()), (10, 5));
    serde_json::from_str::<Screens>(r#"{"columns":0,"rows":5}"#).unwrap_err();
}

#[test]
fn screens_keep_their_memory() {
    let mut world = small();
    let agents: Vec<Entity> = (0..200).map(|n| world.target((n % 64, n % 32))).collect();
    // There and back again, until every screen had its largest number of agents.
    let mut sizes = Vec::new();
    for _ in 0..8 {
        for &agent in &agents {
            let Cell { x, y, .. } = world.cell(agent);
            world.put(agent, (63 - x, 31 - y));
        }
        world.tick(1);
        sizes.push(world.get::<Screens>(world.map).heap_bytes());
    }
    assert_eq!(sizes[3], sizes[7]);
}

/// Compares the screens of every map with a look at all agents.
fn check(world: &mut TestWorld, random: &mut Xoshiro256PlusPlus) {
    let world = world.world();
    let mut agents = world.query_filtered::<(Entity, &CellPosition, &OnMap), Allow<Disabled>>();
    let everybody: Vec<(Entity, Cell, Entity)> = agents
        .iter(world)
        .map(|(agent, position, on_map)| (agent, position.cell, on_map.0))
        .collect();
    let mut maps = world.query::<(Entity, &Screens, Option<&NavMap>)>();
    for (map, screens, nav_map) in maps.iter(world) {
        let Some(size) = nav_map.map(|map| map.grid().size()) else {
            assert!(screens.is_empty());
            continue;
        };
        let here: Vec<(Entity, Cell)> = everybody
            .iter()
            .filter(|&&(_, cell, on)| on == map && size.contains(cell))
            .map(|&(agent, cell, _)| (agent, cell))
            .collect();
        let scan = |of: &dyn Fn(Cell) -> bool| {
            let those = here.iter().filter(|&&(_, cell)| of(cell));
            sorted(those.map(|&(agent, _)| agent))
        };
        assert_eq!(screens.len(), here.len());
        let last = screens.screen_of(Cell::new(size.width, size.height).on_floor(size.floors));
        for _ in 0..40 {
            let at = Screen {
                column: random.random_range(0..=last.column),
                row: random.random_range(0..=last.row),
                floor: random.random_range(0..=last.floor),
            };
            let inside = scan(&|cell| screens.screen_of(cell) == at);
            assert_eq!(sorted(screens.in_screen(at)), inside);
            let around = scan(&|cell| {
                let of = screens.screen_of(cell);
                let near = of.column.abs_diff(at.column) <= 1 && of.row.abs_diff(at.row) <= 1;
                near && of.floor == at.floor
            });
            assert_eq!(sorted(screens.around(at)), around);
            let (center, radius) = (anywhere(random), random.random_range(0..30));
            let within =
                scan(&|cell| cell.floor == center.floor && cell.chebyshev(center) <= radius);
            assert_eq!(sorted(screens.within(center, radius)), within);
        }
        let all = (0..size.floors)
            .flat_map(|floor| screens.within(Cell::new(0, 0).on_floor(floor), u16::MAX));
        assert_eq!(sorted(all), scan(&|_| true));
    }
}

/// Draws a cell, now and then off the map.
fn anywhere(random: &mut Xoshiro256PlusPlus) -> Cell {
    let (x, y) = (random.random_range(0..60), random.random_range(0..40));
    Cell::new(x, y).on_floor(random.random_range(0..3))
}

fn a_map(random: &mut Xoshiro256PlusPlus) -> NavMap {
    let (width, height) = (random.random_range(1..60), random.random_range(1..40));
    let size = Size::new(width, height).with_floors(random.random_range(1..3));
    NavMap::new(Grid::build(size, |_| true).unwrap())
}

fn some_screens(random: &mut Xoshiro256PlusPlus) -> Screens {
    match random.random_range(0..4) {
        0 => Screens::of(1, 1).unwrap(),
        1 => Screens::of(100, u16::MAX).unwrap(),
        2 => Screens::of(random.random_range(1..9), random.random_range(1..9)).unwrap(),
        _ => Screens::default(),
    }
}

fn one<T: Copy>(of: &[T], random: &mut Xoshiro256PlusPlus) -> T {
    of[random.random_range(0..of.len() as u32) as usize]
}

/// Applies a random change to an agent between ticks.
fn happen_to_agent(world: &mut World, maps: &[Entity], random: &mut Xoshiro256PlusPlus) {
    let mut agents = world.query_filtered::<Entity, (With<CellPosition>, Allow<Disabled>)>();
    let agents = sorted(agents.iter(world));
    let place = CellPosition::at(anywhere(random));
    let on_map = OnMap(one(maps, random));
    if agents.len() < 40 {
        world.spawn((place, on_map));
        return;
    }
    let agent = one(&agents, random);
    match random.random_range(0..12) {
        0 => _ = world.despawn(agent),
        1 => _ = world.spawn((place, on_map)),
        2 => _ = world.spawn((place, on_map, Chaser::default(), Chasing(agent))),
        3 => {
            // A new entity takes its index.
            if let Some(heir) = world.despawn_no_free(agent) {
                world.spawn_at(heir, (place, on_map)).unwrap();
            }
        }
        4 => _ = world.entity_mut(agent).insert(on_map),
        5 => _ = world.entity_mut(agent).insert((place, on_map)),
        6 => _ = world.entity_mut(agent).remove::<OnMap>(),
        7 => {
            _ = world
                .entity_mut(agent)
                .remove::<CellPosition>()
                .insert(place);
        }
        8 => _ = world.entity_mut(agent).insert(Disabled),
        9 => _ = world.entity_mut(agent).remove::<Disabled>(),
        10 => _ = world.entity_mut(agent).insert(CellPosition::OUTSIDE),
        _ => _ = world.entity_mut(agent).insert(place),
    }
}

/// Applies a random change to a map between ticks.
fn happen_to_map(world: &mut World, maps: &mut [Entity], random: &mut Xoshiro256PlusPlus) {
    let n = random.random_range(0..maps.len() as u32) as usize;
    let (map, other) = (maps[n], one(maps, random));
    match random.random_range(0..9) {
        0 => _ = world.entity_mut(map).insert(a_map(random)),
        1 => _ = world.entity_mut(map).insert(some_screens(random)),
        2 => _ = world.entity_mut(map).remove::<Screens>(),
        3 => _ = world.entity_mut(map).remove::<NavMap>(),
        4 => {
            world.despawn(map);
            maps[n] = world.spawn((a_map(random), some_screens(random))).id();
        }
        5 => {
            // Two maps exchange their screens.
            let [first, second] = [map, other].map(|map| world.entity_mut(map).take::<Screens>());
            world.entity_mut(map).insert(second.unwrap_or_default());
            world.entity_mut(other).insert(first.unwrap_or_default());
        }
        6 => {
            let aside = world.entity_mut(map).take::<Screens>();
            happen_to_agent(world, maps, random);
            world.entity_mut(map).insert(aside.unwrap_or_default());
        }
        7 => {
            if let Some(mut screens) = world.get_mut::<Screens>(map) {
                let aside = std::mem::take(&mut *screens);
                for _ in 0..4 {
                    happen_to_agent(world, maps, random);
                }
                *world.get_mut::<Screens>(map).unwrap() = aside;
            }
        }
        _ => {
            // The map is replaced by an equal one.
            if let Some(copy) = world.get::<NavMap>(map).cloned() {
                world.entity_mut(map).insert(copy);
            }
        }
    }
}

#[test]
fn same_as_naive_look() {
    for seed in 0..6 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut world = with_screens(TestWorld::open(50, 30), Screens::default());
        let mut maps = vec![world.map];
        for _ in 0..3 {
            let map = (a_map(&mut random), some_screens(&mut random));
            maps.push(world.world().spawn(map).id());
        }
        maps.push(world.world().spawn(a_map(&mut random)).id());
        let mut last = (world.map, None);
        for tick in 0..150 {
            for _ in 0..random.random_range(0..20) {
                happen_to_agent(world.world(), &maps, &mut random);
            }
            if tick % 4 == 0 {
                happen_to_map(world.world(), &mut maps, &mut random);
            }
            for _ in 0..random.random_range(0..5) / 3 {
                frame(&mut world);
            }
            if tick % 16 == 5 {
                // Inserts screens that were removed ticks ago.
                let (map, aside) = last;
                if let Some(aside) = aside.filter(|_| maps.contains(&map)) {
                    world.world().entity_mut(map).insert::<Screens>(aside);
                }
                let map = one(&maps, &mut random);
                last = (map, world.world().entity_mut(map).take::<Screens>());
            }
            world.app.update();
            check(&mut world, &mut random);
        }
    }
}
