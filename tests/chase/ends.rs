//! The ends of chases that cannot reach their target, and the messages about them.

use nav::{Body, ChaseState, Chaser, Chasing};
use nav_grid::{Cell, Footprint, Grid, Limits, Rules, query::Fallback};
use nav_tests::{TestWorld, pairs, sample};

/// Makes a closed room from row and column 25 to 35.
fn vault() -> Grid {
    Grid::from_fn(41, 41, |cell| {
        let (dx, dy) = (cell.x.abs_diff(30), cell.y.abs_diff(30));
        dx.max(dy) != 5
    })
    .unwrap()
}

#[test]
fn unreachable_target_reported_once() {
    let fallbacks = [Fallback::ClosestReached, Fallback::None];
    let kinds = pairs([false, true], fallbacks);
    for ((regions, fallback), count) in sample(pairs(kinds, [1, 5]), 3) {
        let mut world = TestWorld::on(vault());
        let map = world.map;
        if regions {
            let mut map = world.get_mut::<nav::NavMap>(map);
            map.build_regions(Rules::default());
        }
        let target = world.target((30, 30));
        let chaser = Chaser {
            fallback,
            ..Chaser::default()
        };
        let pack: Vec<_> = (0..count)
            .map(|n| world.chaser_with(chaser, (18 + n, 20), target))
            .collect();
        world.seconds(60);
        for chaser in pack {
            let failures = world.failures(chaser);
            assert!(
                failures.len() <= 1,
                "regions {regions}, {fallback:?}: {} messages",
                failures.len()
            );
        }
    }
}

#[test]
fn target_beyond_window_reported_once() {
    let mut world = TestWorld::open(200, 20);
    let target = world.target((100, 10));
    let chaser = world.chaser_with(Chaser::classic(), (10, 10), target);
    world.seconds(60);
    assert_eq!(world.failures(chaser).len(), 1, "messages in a minute");
    assert_eq!(
        world.cell(chaser),
        Cell::new(10, 10),
        "the classic chaser waits"
    );
    world.put(target, (20, 10));
    world.seconds(10);
    assert!(world.is_beside(chaser, target));
    world.put(target, (150, 10));
    world.seconds(60);
    assert_eq!(world.failures(chaser).len(), 2, "messages in two times");
}

#[test]
fn target_in_wall_reported_once() {
    let mut world = TestWorld::new(&["..............", "..........#...", ".............."]);
    let target = world.target((10, 1));
    let chaser = world.chaser((1, 1), target);
    world.seconds(60);
    assert!(
        world.failures(chaser).len() <= 1,
        "{} messages",
        world.failures(chaser).len()
    );
    // It goes as near as it can.
    assert_eq!(
        world.cell(chaser).chebyshev(Cell::new(10, 1)),
        1,
        "{}",
        world.cell(chaser)
    );
}

#[test]
fn other_map_reported_once() {
    let mut world = TestWorld::open(20, 20);
    let other = world.add_map(&["....."]);
    let target = world.target((2, 0));
    world.world().entity_mut(target).insert(nav::OnMap(other));
    let chaser = world.chaser((5, 5), target);
    world.seconds(60);
    assert_eq!(world.failures(chaser).len(), 1);
}

#[test]
fn default_chaser_leaves_window() {
    for count in [1, 6] {
        let mut world = TestWorld::open(200, 20);
        let target = world.target((120, 10));
        let pack: Vec<_> = (0..count)
            .map(|n| world.chaser((10, 5 + n), target))
            .collect();
        // 110 steps of a quarter second, and a search for each window.
        world.seconds(45);
        for &chaser in &pack {
            assert!(world.is_beside(chaser, target), "{}", world.cell(chaser));
            let searches = world.searches(chaser).len();
            assert!(searches <= 90, "{searches} searches in 45 s");
        }
    }
}

#[test]
fn packs_leave_their_window() {
    for body in [Body::default(), Body::solid(Footprint::ONE)] {
        let mut world = TestWorld::open(200, 20);
        let target = world.target((120, 10));
        let pack: Vec<_> = (0..12)
            .map(|n| world.chaser((10 + n % 3, 5 + n / 3), target))
            .collect();
        for &chaser in &pack {
            world.world().entity_mut(chaser).insert(body);
        }
        world.seconds(60);
        let near = pack.iter().filter(|&&npc| world.is_beside(npc, target));
        assert_eq!(near.count(), 8, "{body:?}");
        for &chaser in &pack {
            let at = world.cell(chaser);
            assert!(at.chebyshev(Cell::new(120, 10)) <= 2, "{body:?}: {at}");
            let searches = world.searches(chaser).len();
            assert!(searches <= 120, "{body:?}: {searches} searches in a minute");
        }
    }
}

#[test]
fn nearest_cell_of_window() {
    // The window of the chaser ends at column 30; a wall at column 26 is closed.
    let grid = Grid::from_fn(120, 21, |cell| cell.x != 26).unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((100, 10));
    let chaser = world.chaser((10, 10), target);
    world.seconds(30);
    assert_eq!(world.cell(chaser), Cell::new(25, 10));
    let before = world.searches(chaser).len();
    world.seconds(60);
    let searches = world.searches(chaser).len() - before;
    assert!(searches <= 2, "{searches} searches while nothing changes");
}

#[test]
fn regions_or_portals_lead_out() {
    // A wall between the two, open 45 rows below: the way leaves a window of radius 20.
    let grid = Grid::from_fn(60, 70, |cell| cell.x != 20 || cell.y == 55).unwrap();
    for portals in [false, true] {
        for count in [1, 10] {
            let mut world = TestWorld::on(grid.clone());
            let map = world.map;
            let mut map = world.get_mut::<nav::NavMap>(map);
            if portals {
                map.build_portals(Rules::default());
            } else {
                map.build_regions(Rules::default());
            }
            let target = world.target((26, 10));
            let pack: Vec<_> = (0..count)
                .map(|n| world.chaser((14, 5 + n), target))
                .collect();
            world.seconds(60);
            for chaser in pack {
                let at = world.cell(chaser);
                assert!(
                    world.is_beside(chaser, target),
                    "portals {portals}, {count}: {at}"
                );
            }
        }
    }
}

#[test]
fn target_in_thick_wall() {
    // The outer `thick` rings of the solid block around the target are wall.
    let cases = [
        (3, true),
        (30, false),
        (30, true),
        (3, false),
        (10, true),
        (1_u16, true),
    ];
    for (thick, has_regions) in sample(cases, 4) {
        let side = 2 * thick + 41;
        let middle = Cell::new(side / 2, side / 2);
        let grid = Grid::from_fn(side, side, |cell| cell.chebyshev(middle) >= thick).unwrap();
        let mut world = TestWorld::on(grid);
        if has_regions {
            world.nav_map().build_regions(Rules::default());
        }
        let target = world.target(middle);
        let chaser = Chaser {
            fallback: Fallback::NearestReachable,
            limits: Limits::window(100),
            ..Chaser::default()
        };
        let chaser = world.chaser_with(chaser, (0, side / 2), target);
        world.seconds(60);
        assert_eq!(world.cell(chaser).chebyshev(middle), thick, "{thick} rings");
        let before = world.searches(chaser).len();
        world.seconds(60);
        let searches = world.searches(chaser).len() - before;
        assert!(
            searches <= 1,
            "{thick} rings: {searches} searches in a minute"
        );
    }
}

#[test]
fn chase_ended_while_waiting() {
    let mut world = TestWorld::on(vault());
    let target = world.target((30, 30));
    let chaser = world.chaser((20, 20), target);
    world.seconds(10);
    world.world().entity_mut(chaser).remove::<Chasing>();
    world.seconds(1);
    let searches = world.searches(chaser).len();
    world.seconds(30);
    assert_eq!(world.searches(chaser).len(), searches);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Idle);
}

#[test]
fn classic_chaser_of_a_target_in_a_wall() {
    let mut grid = Grid::open(30, 10).unwrap();
    grid.set_walkable(Cell::new(20, 5), false).unwrap();
    for chaser in [Chaser::classic(), Chaser::default()] {
        let mut world = TestWorld::on(grid.clone());
        let target = world.target((20, 5));
        let chaser = world.chaser_with(chaser, (10, 5), target);
        world.seconds(10);
        let away = world.cell(chaser).chebyshev(Cell::new(20, 5));
        assert_eq!(away, 1, "at {}", world.cell(chaser));
    }
}
