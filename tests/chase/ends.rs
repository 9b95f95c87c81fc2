//! The ends of chases that cannot reach their target, and the messages about them.

use nav::Chaser;
use nav_grid::{Cell, Grid, Limits, Rules, query::Fallback};
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
