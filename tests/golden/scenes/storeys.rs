//! Floors, links, and places in world coordinates.

use crate::golden::{
    chance::{Chance, ground_around},
    recorder::Recorder,
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, Chaser, NavMap, OnMap, WorldPosition, links::OnLink};
use nav_grid::{
    Cell, Frame, Grid, Limits, Link, Size,
    map::{Axes, FloorHeights},
    rules::{LinkKind, LinkKinds},
};

/// Columns and rows of a floor.
const SIDE: u16 = 48;

/// Three floors of rooms with two stairs from each to the next, and a hole to jump down.
fn tower() -> Grid {
    let kind = Kind::Rooms;
    let floors =
        [1, 2, 3].map(|seed| mapgen::generate(kind, SIDE, SIDE, seed).expect("a map of this size"));
    let size = Size::new(SIDE, SIDE).with_floors(3);
    let mut grid = Grid::build(size, |cell| {
        floors[usize::from(cell.floor)].is_walkable(Cell::new(cell.x, cell.y))
    })
    .expect("a map of this size");
    let near = |x, y, floor| {
        let near = |cell: &Cell| cell.chebyshev(Cell::new(x, y).on_floor(floor));
        let cells = grid.walkable_cells().filter(|cell| cell.floor == floor);
        cells.min_by_key(near).expect("a floor with room")
    };
    let mut links = Vec::new();
    for floor in 0..2 {
        for (x, y) in [(12, 12), (36, 30)] {
            let stairs = Link::new(near(x, y, floor), near(x, y + 1, floor + 1)).with_cost(3);
            // The second one is a ladder.
            let stairs = if x == 36 {
                let kind = LinkKind::new(1).expect("at most 15");
                stairs.with_kind(kind).with_millis(700).with_capacity(2)
            } else {
                stairs
            };
            links.extend([stairs, stairs.reversed()]);
        }
    }
    links.push(Link::new(near(24, 40, 2), near(24, 40, 0)));
    for link in links {
        grid.set_link(link).expect("on the map");
    }
    grid
}

pub fn storeys(recorder: &mut Recorder) {
    let grid = tower();
    let mut chance = Chance::new(6);
    let frame = Frame::new([-3.25, 10.0, 7.5], 0.7, Axes::Y_UP).expect("finite numbers");
    let frame = frame
        .with_heights(FloorHeights::Storeys(3.2))
        .expect("a height");
    let ground: Vec<Cell> = [0, 1, 2]
        .into_iter()
        .flat_map(|floor| ground_around(&grid, Cell::new(24, 24).on_floor(floor), 18))
        .collect();
    let mut scene = recorder.open(Grid::open(1, 1).expect("a map"));
    scene.map = scene
        .world()
        .spawn(NavMap::with_frame(grid, frame.clone()))
        .id();
    let map = scene.map;
    let place = |cell: Cell| WorldPosition(frame.world_of(cell));
    let start = chance.one_of(&ground);
    let player = scene.world().spawn((place(start), OnMap(map))).id();
    let other = scene.target(chance.one_of(&ground));
    let tuning = Chaser {
        limits: Limits {
            expansions: 4000,
            ..Limits::window(60)
        },
        repath_distance: 0.8,
        ..Chaser::default()
    };
    let chasers: Vec<Entity> = (0..140)
        .map(|n| {
            let target = [player, other][n % 2];
            let chaser = scene.chaser_with(tuning, chance.one_of(&ground), target);
            if n % 4 == 0 {
                scene.insert(chaser, Body::soft(nav_grid::Footprint::ONE));
            }
            chaser
        })
        .collect();

    let floors = |scene: &nav_testing::Scene| -> Vec<u8> {
        let floors = chasers.iter().map(|&chaser| scene.cell(chaser).floor);
        floors.collect()
    };
    // Some may not take ladders.
    for &chaser in chasers.iter().step_by(10) {
        let links = LinkKinds::ALL.without(LinkKind::new(1).expect("at most 15"));
        scene.tune(chaser, |chaser| {
            chaser.rules = chaser.rules.with_links(links);
        });
    }
    let (mut changes, mut climbs) = (0, 0);
    let (mut from, mut to) = (place(start).0, place(start).0);
    for tick in 0..200 {
        // The player goes straight from one place to another, through walls and ceilings, in parts
        // of a cell.
        let part = f64::from(tick % 25) / 25.0;
        if tick % 25 == 0 {
            (from, to) = (to, place(chance.one_of(&ground)).0);
        }
        let at = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * part);
        *scene.get_mut::<WorldPosition>(player) = WorldPosition(at);
        let before = floors(&scene);
        recorder.tick(&mut scene);
        let after = floors(&scene);
        let on_link = |&&chaser: &&Entity| scene.app.world().get::<OnLink>(chaser).is_some();
        climbs += chasers.iter().filter(on_link).count();
        changes += before.iter().zip(&after).filter(|(a, b)| a != b).count();
    }
    assert!(changes > 10, "links were taken {changes} times");
    assert!(climbs > 10, "{climbs} ticks on ladders");
    assert_ne!(scene.cell(player), start);
}
