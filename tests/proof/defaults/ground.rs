//! Ground on which the way leads out of the window, or is hard to find inside it.

use bevy_ecs::prelude::*;
use nav::{Body, Chaser, NavMap};
use nav_grid::{Area, Cell, Grid, Limits, Link, Size};
use nav_testing::Scene;
use nav_tests::TestWorld;

/// Makes two floors of open ground, with stairs up and down in one column.
fn house(width: u16, stairs: u16) -> Grid {
    let mut grid = Grid::build(Size::new(width, 9).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(stairs, 4), Cell::new(stairs, 4).on_floor(1));
    grid.set_link(stairs).unwrap();
    grid.set_link(stairs.reversed()).unwrap();
    grid
}

#[test]
fn target_straight_above() {
    for (away, count) in [(5, 1), (5, 2), (33, 1), (33, 2)] {
        let mut world = TestWorld::on(house(60, 10 + away));
        let target = world.target(Cell::new(10, 4).on_floor(1));
        let chasers: Vec<Entity> = (0..count)
            .map(|n| world.chaser((10, 4 + n), target))
            .collect();
        world.seconds(u64::from(away) + 20);
        for chaser in chasers {
            world.assert_within_reach(chaser, target);
        }
    }
}

#[test]
fn house_with_its_door_behind() {
    let rows = [
        ".......................",
        ".......................",
        "....###########........",
        "....#.........#........",
        "....#.........#........",
        "......C.......#.......T",
        "....#.........#........",
        "....#.........#........",
        "....###########........",
        ".......................",
        ".......................",
    ];
    for (dear, linked) in [(false, false), (true, false), (false, true)] {
        let mut scene = Scene::new(&rows);
        if dear {
            scene.set_cost((12, 0), 2);
        }
        if linked {
            scene.link((0, 0), (0, 1), 1);
        }
        scene.seconds(20);
        assert!(scene.is_beside('C', 'T'), "dear {dear}, linked {linked}");
    }
}

#[test]
fn limit_bounds_each_search() {
    let mut world = TestWorld::open(100, 9);
    let target = world.target((90, 4));
    let chaser = Chaser {
        limits: Limits {
            cost: 30,
            ..Limits::default()
        },
        ..Chaser::default()
    };
    let chaser = world.chaser_with(chaser, (5, 4), target);
    world.seconds(60);
    // Each search leads as far as its limit allows.
    world.assert_within_reach(chaser, target);
}

/// Deep inside a block, a chaser takes the shortest way onto ground, and continues from there.
#[test]
fn block_falls_on_chaser() {
    for solid in [false, true] {
        let mut world = TestWorld::open(40, 30);
        let target = world.target((33, 12));
        let chaser = world.chaser((12, 12), target);
        if solid {
            world.insert(chaser, Body::default());
        }
        world.tick(1);
        let at = world.cell(chaser);
        let grid = || Area::new(Cell::new(6, 6), Cell::new(18, 18));
        world.edit(grid(), false);
        let mut seen = vec![at];
        for _ in 0..30 * nav_tests::STEP_TICKS {
            world.tick(1);
            let now = world.cell(chaser);
            if Some(&now) != seen.last() {
                seen.push(now);
            }
        }
        assert!(world.is_beside(chaser, target), "solid: {solid}, {seen:?}");
        let inside = seen.iter().filter(|cell| grid().contains(**cell)).count();
        let depth = usize::from(18 - at.x).min(usize::from(at.y - 6)) + 1;
        assert!(inside <= depth, "solid: {solid}, {seen:?}");
    }
}

#[test]
fn plain_maps_stay_plain() {
    let grid = Grid::from_fn(90, 60, |cell| cell.x != 45 || cell.y == 58).unwrap();
    let mut world = TestWorld::on(Grid::open(1, 1).unwrap());
    let map = world.world().spawn(NavMap::plain(grid)).id();
    let target = world
        .world()
        .spawn((nav::CellPosition::new(50, 5), nav::OnMap(map)))
        .id();
    let parts = (
        Chaser::default(),
        nav::Chasing(target),
        nav::CellPosition::new(40, 5),
        nav::OnMap(map),
    );
    world.world().spawn(parts);
    world.seconds(10);
    let map = world.world().get::<NavMap>(map).unwrap();
    assert!(
        map.indexes()
            .portals_for(nav_grid::Rules::default())
            .is_none()
    );
}
