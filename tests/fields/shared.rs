//! Chasers that share the fields of their targets, and searches that keep to a budget.

use bevy_ecs::prelude::*;
use nav::{ChaseState, Chaser, Guidance, NavBudget, NavMap, Period, extend::FieldAnchor};
use nav_grid::{Cell, Directions, Grid, Limits, Method, Metric};
use nav_tests::{REPATH_TICKS, TestWorld};

fn many(world: &mut TestWorld, target: Entity, count: u16) -> Vec<Entity> {
    let place = |n: u16| (2 + n % 3, 2 + n / 3);
    (0..count).map(|n| world.chaser(place(n), target)).collect()
}

#[test]
fn two_share_one_searches() {
    for (count, fields, searches) in [(1, 0, 1), (2, 1, 0), (40, 1, 0)] {
        let mut world = TestWorld::open(40, 40);
        let target = world.target((20, 20));
        let chasers = many(&mut world, target, count);
        world.tick(1);
        let total = world.diagnostics().total;
        assert_eq!(
            (total.fields, total.searches()),
            (fields, searches),
            "{count}"
        );
        let shares = world.cursor(chasers[0]).guidance() == Some(Guidance::SharedField);
        assert_eq!(shares, fields == 1);
        world.seconds(10);
        assert!(world.is_beside(chasers[0], target));
    }
}

#[test]
fn sharing_chasers_keep_no_path() {
    let mut world = TestWorld::open(60, 60);
    let target = world.target((20, 20));
    many(&mut world, target, 60);
    world.tick(20);
    let memory = nav::diagnostics::NavMemory::of(world.world());
    assert_eq!(memory.paths, 0);
    assert!((1000..2048).contains(&memory.fields), "{memory:?}");
}

#[test]
fn exits_count_as_memory() {
    let fields = |exits| {
        let mut grid = Grid::open(60, 60).expect("a map of this size");
        grid.set_exits(Cell::new(22, 22), exits)
            .expect("a cell of the map");
        let mut world = TestWorld::on(grid);
        let target = world.target((20, 20));
        many(&mut world, target, 9);
        world.tick(1);
        assert_eq!(world.diagnostics().total.fields, 1);
        nav::diagnostics::NavMemory::of(world.world()).fields
    };
    let sizes = [Directions::ALL, Directions::NONE].map(fields);
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}

#[test]
fn thousands_join_in_one_tick() {
    let mut world = TestWorld::open(60, 60);
    let targets = [(20, 20), (30, 30)].map(|at| world.target(at));
    let place = |n: u16| (15 + n % 20, 15 + n / 20 % 20);
    let chasers: Vec<Entity> = (0..18_000)
        .map(|n| world.chaser(place(n), targets[usize::from(n % 2)]))
        .collect();
    world.tick(1);
    let tick = world.diagnostics().last_tick;
    assert_eq!((tick.fields, tick.searches()), (2, 0));
    for chaser in chasers {
        let cursor = world.cursor(chaser);
        let shares = cursor.guidance() == Some(Guidance::SharedField);
        assert!(shares || cursor.state() == ChaseState::Reached);
    }
}

#[test]
fn aimed_once_per_interval() {
    let mut world = TestWorld::open(1, 1);
    // Far fields are counted as well, so there must be none.
    *world.nav_map() = NavMap::plain(Grid::open(60, 60).unwrap());
    let target = world.target((20, 20));
    many(&mut world, target, 30);
    let mut aimed = Vec::new();
    for tick in 0..100_u16 {
        world.put(target, (20 + tick / 4, 20));
        let before = world.diagnostics().total.fields;
        world.tick(1);
        if world.diagnostics().total.fields > before {
            aimed.push(world.ticks());
        }
    }
    let gaps: Vec<u64> = aimed.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|&gap| gap >= REPATH_TICKS), "{aimed:?}");
    assert!(aimed.len() >= 8, "{aimed:?}");
}

#[test]
fn fields_are_aimed_in_turns() {
    for (columns, across, down) in [(10, 22, 22), (100, 2, 0), (1, 0, 2)] {
        let mut world = TestWorld::open(250, 250);
        let targets: Vec<Entity> = (0..100)
            .map(|n| {
                let (x, y) = (20 + n % columns * across, 20 + n / columns * down);
                let target = world.target((x, y));
                for n in 0..3 {
                    // Too far away for the steps of the target to change its direction.
                    world.chaser((x - 15 + n, y - 15), target);
                }
                target
            })
            .collect();
        world.tick(1);
        assert_eq!(world.diagnostics().last_tick.fields, 100);
        let mut most = 0;
        for tick in 0..100 {
            for &target in &targets {
                let cell = world.cell(target);
                world.put(target, (cell.x + u16::from(tick % 4 == 0), cell.y));
            }
            world.tick(1);
            most = most.max(world.diagnostics().last_tick.fields);
        }
        // Without turns all hundred would be aimed every tenth tick.
        assert!(most <= 30, "{most}");
        assert!(world.diagnostics().total.fields >= 100 * (100 / REPATH_TICKS - 2));
    }
}

#[test]
fn closed_door_seen_by_all() {
    let mut world = TestWorld::new(&["............", "#####.####.#", "............"]);
    let target = world.target((5, 2));
    let chasers: Vec<Entity> = (0..4).map(|x| world.chaser((x, 0), target)).collect();
    world.tick(6);
    world.edit((5, 1), false);
    world.seconds(10);
    for chaser in chasers {
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
    }
}

#[test]
fn replaced_map_seen_by_all() {
    let open = ["............"; 3];
    let mut world = TestWorld::new(&open);
    let target = world.target((11, 0));
    let chasers: Vec<Entity> = (0..4).map(|x| world.chaser((x, 0), target)).collect();
    world.tick(2);
    let walled = Grid::from_fn(12, 3, |cell| cell.x != 6 || cell.y == 2);
    let map = world.map;
    let walled = NavMap::new(walled.expect("a map of this size"));
    assert_eq!(
        walled.grid().version(),
        world.get::<NavMap>(map).grid().version()
    );
    world.world().entity_mut(map).insert(walled);
    world.seconds(10);
    for chaser in chasers {
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
    }
}

#[test]
fn chaser_beyond_field_searches() {
    let mut world = TestWorld::open(80, 10);
    let target = world.target((50, 5));
    let near: Vec<Entity> = (0..4).map(|x| world.chaser((40 + x, 5), target)).collect();
    let far = Chaser {
        limits: Limits::window(60),
        ..Chaser::default()
    };
    let far = world.chaser_with(far, (2, 5), target);
    world.tick(1);
    assert!(
        near.iter()
            .all(|&chaser| world.cursor(chaser).path().is_empty())
    );
    assert!(!world.cursor(far).path().is_empty());
    assert_eq!(world.searches(far), [1]);
    world.seconds(15);
    assert!(world.is_beside(far, target));
}

#[test]
fn costly_ground_needs_more_chasers() {
    for (count, shared) in [(20, false), (60, true)] {
        let mut world = TestWorld::open(40, 40);
        let map = world.map;
        let mud = nav_grid::Area::new(Cell::new(12, 0), Cell::new(14, 30));
        let mut nav_map = world.get_mut::<NavMap>(map);
        nav_map.set_cost(mud, 9).expect("a part of the map");
        let target = world.target((20, 20));
        let chasers = many(&mut world, target, count);
        world.tick(1);
        let sharing = world.cursor(chasers[0]).guidance() == Some(Guidance::SharedField);
        assert_eq!(sharing, shared, "{count}");
        world.seconds(15);
        assert!(world.is_beside(chasers[0], target));
    }
}

#[test]
fn other_metrics_and_methods() {
    let mut octile = Chaser::default();
    octile.rules.metric = Metric::Octile;
    let named = Chaser {
        method: Method::AStar,
        ..Chaser::default()
    };
    for chaser in [octile, named, Chaser::classic()] {
        let mut world = TestWorld::open(40, 40);
        let target = world.target((20, 20));
        for n in 0..5 {
            world.chaser_with(chaser, (4, 10 + n), target);
        }
        world.tick(1);
        assert_eq!(world.diagnostics().total.found, 5);
    }
}

#[test]
fn fields_within_half_a_budget() {
    // Each field may take 81 waves: two fit half of the budget at first, later ones what is left.
    let budget = 400;
    let mut world = TestWorld::open(120, 120);
    world.world().insert_resource(NavBudget::Units(budget));
    let mut chases = Vec::new();
    for n in 0..36_u16 {
        let (x, y) = (10 + n % 6 * 20, 10 + n / 6 * 20);
        let target = world.target((x, y));
        for n in 0..4 {
            chases.push((world.chaser((x - 9 + n, y - 9), target), target));
        }
    }
    for _ in 0..100 {
        let before = world.diagnostics().total.fields;
        world.tick(1);
        let made = world.diagnostics().total.fields - before;
        assert!(made <= 8, "{made}");
        let expanded = world.diagnostics().last_tick.expanded;
        assert!(expanded <= budget.into(), "{expanded}");
    }
    assert!(world.diagnostics().total.fields >= 30);
    for &(chaser, target) in &chases {
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
    }
    // All targets move on at once, and the fields follow one after another.
    for &(_, target) in chases.iter().step_by(4) {
        let cell = world.cell(target);
        world.put(target, (cell.x + 6, cell.y + 5));
    }
    for _ in 0..200 {
        world.tick(1);
        let expanded = world.diagnostics().last_tick.expanded;
        assert!(expanded <= budget.into(), "{expanded}");
    }
    for (chaser, target) in chases {
        assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
    }
    assert_eq!(world.diagnostics().total.searches(), 0);
}

/// Sets up a chaser in a maze, far from its target, whose search takes many ticks of the budget.
fn far_off() -> (TestWorld, Entity) {
    let mut world =
        TestWorld::on(mapgen::generate(mapgen::Kind::Maze, 65, 65, 3).expect("a map of this size"));
    world.world().insert_resource(NavBudget::Units(100));
    let target = world.target((63, 63));
    let far = Chaser {
        limits: Limits::UNBOUNDED,
        method: Method::AStar,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(far, (1, 1), target);
    (world, chaser)
}

#[test]
fn moved_during_sliced_search() {
    let (mut world, chaser) = far_off();
    world.tick(4);
    let map = world.get::<NavMap>(world.map);
    let mut cell = world.cell(chaser);
    for _ in 0..3 {
        let ways = map.grid().steps(cell, nav_grid::Rules::default());
        let way = ways.into_iter().last();
        cell = way.and_then(|way| cell.step(way)).expect("a way out");
    }
    assert_ne!(cell, world.cell(chaser));
    world.put(chaser, cell);
    let mut most = 0;
    world.tick_until(|world| {
        most = most.max(world.diagnostics().last_tick.expanded);
        !world.cursor(chaser).path().is_empty()
    });
    assert!(most <= 100, "{most} expansions");
    let path = world.cursor(chaser).path();
    assert_eq!(path.end(), Some(Cell::new(63, 63)));
    let grid = world.get::<NavMap>(world.map).grid();
    let walked = path.walk(grid, world.cell(chaser), nav_grid::Rules::default());
    assert!(walked.is_ok(), "{walked:?}");
}

/// Counts the fields and searches of 600 chasers after 40 strolling targets, tuned by their number.
fn strolled(tuning: impl Fn(u16) -> Chaser) -> (u64, u64) {
    let mut world = TestWorld::open(120, 120);
    let at = |n: u16| (10 + n % 8 * 14, 15 + n / 8 * 22);
    let targets: Vec<Entity> = (0..40).map(|n| world.target(at(n))).collect();
    for n in 0..600 {
        let (x, y) = at(n % 40);
        let place = (x + n / 40 % 5, y + n / 200 + 4);
        world.chaser_with(tuning(n), place, targets[usize::from(n % 40)]);
    }
    for step in 0..20_u16 {
        for (n, &target) in (0..).zip(&targets) {
            let (x, y) = at(n);
            world.put(target, (x + step % 6, y - step / 2));
        }
        world.seconds(1);
    }
    let total = world.diagnostics().total;
    (total.fields, total.searches())
}

#[test]
fn nearly_equal_tunings_share() {
    let (fields, searches) = strolled(|_| Chaser::default());
    let (jittered_fields, jittered_searches) = strolled(|n| Chaser {
        repath_interval: Period::from_micros(500_000 + u32::from(n)),
        repath_distance: 0.5 + f32::from(n) / 10_000.0,
        ..Chaser::default()
    });
    assert!(fields > 400, "{fields} fields");
    assert!(
        jittered_fields * 5 <= fields * 6,
        "{jittered_fields} fields and not {fields}"
    );
    assert!(
        jittered_searches * 5 <= searches * 6 + 100,
        "{jittered_searches} searches and not {searches}"
    );
}

#[test]
fn joining_chaser_tightens_field() {
    let quick = |repath_distance| Chaser {
        repath_interval: Period::from_millis(200),
        repath_distance,
        ..Chaser::default()
    };
    let follows = |world: &TestWorld, target| {
        let anchor = world.get::<FieldAnchor>(target);
        (anchor.interval, anchor.repath_distance)
    };
    let mut world = TestWorld::open(40, 40);
    let target = world.target((20, 20));
    let pack: Vec<Entity> = (0..4)
        .map(|n| world.chaser_with(quick(4.0), (10, 12 + n), target))
        .collect();
    world.tick(6);
    let millis = Period::from_millis;
    assert_eq!(follows(&world, target), (millis(200), 4.0));
    // A chaser joins a field that is in use.
    let fields = world.diagnostics().total.fields;
    world.chaser_with(quick(2.0), (12, 12), target);
    world.tick(6);
    assert_eq!(follows(&world, target), (millis(200), 2.0));
    assert_eq!(world.diagnostics().total.fields, fields, "it is the same");
    // A chaser on the field is tuned again.
    *world.get_mut::<Chaser>(pack[0]) = Chaser {
        repath_interval: millis(100),
        ..quick(1.0)
    };
    world.tick(1);
    assert_eq!(follows(&world, target), (millis(100), 1.0));
}
