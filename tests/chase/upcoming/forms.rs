//! The four forms of a path, and when a game sees them.

use super::scene::{KINDS, ahead, ask, cells, drawn, places};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Chaser, NavMap, PathCursor, UpcomingPath};
use nav_grid::{
    Cell, Footprint, Grid, Path, PathQuery, path::TurningPoints, smoothing::LineOfSight,
};
use nav_tests::TestWorld;
use nav_tests::scenes::far_sighted;

#[test]
fn corners_stand_for_all_cells() {
    for kind in KINDS {
        let mut world = drawn(kind, 3);
        let places = places(&world, 6, Footprint::ONE);
        let target = world.target(places[0]);
        for &place in &places[1..] {
            world.chaser(place, target);
        }
        let chasers: Vec<Entity> = world
            .world()
            .query_filtered::<Entity, With<Chaser>>()
            .iter(world.app.world())
            .collect();
        world.tick(1);
        for chaser in chasers {
            for distance in [1, 4, 200] {
                let points = cells(&ahead(&mut world, chaser, distance));
                let turns: TurningPoints = ask(&mut world, |of| {
                    let turns = of.corners(chaser, distance);
                    turns
                        .map(|point| nav_grid::path::TurningPoint {
                            cell: point.cell,
                            by_link: point.by_link,
                        })
                        .collect()
                });
                let mut path = Path::new();
                turns.expand(world.cell(chaser), &mut path).unwrap();
                assert_eq!(path.iter().collect::<Vec<_>>(), points);
            }
        }
    }
}

/// Returns whether a line runs in none of the eight directions.
fn is_bent(from: Cell, to: Cell) -> bool {
    let (across, down) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    across != 0 && down != 0 && across != down
}

#[test]
fn farthest_visible_is_in_sight() {
    let mut bent = 0;
    for kind in KINDS {
        for count in [1, 5] {
            let mut world = drawn(kind, 6);
            let places = places(&world, count + 1, Footprint::ONE);
            let target = world.target(places[0]);
            let chasers: Vec<Entity> = places[1..]
                .iter()
                .map(|&place| world.chaser_with(far_sighted(), place, target))
                .collect();
            world.tick(1);
            for chaser in chasers {
                let (from, points) = (world.cell(chaser), ahead(&mut world, chaser, 12));
                let far = ask(&mut world, |of| of.farthest_visible(chaser, 12));
                assert_eq!(far.is_none(), points.is_empty());
                let Some(far) = far else { continue };
                assert!(points.contains(&far));
                let grid = world.get::<NavMap>(world.map).grid();
                let query = PathQuery::new(from, far.cell);
                assert!(LineOfSight::new(grid, &query).sees(from, far.cell));
                let path: Path = cells(&points).into_iter().collect();
                let expected = path.look_ahead(grid, &query, 12).map(|point| point.cell);
                assert_eq!(Some(far.cell), expected);
                bent += usize::from(is_bent(from, far.cell));
            }
        }
    }
    assert!(bent > 0, "or it shows little");
}

#[test]
fn all_forms_end_alike() {
    let mut world = drawn(Kind::Rooms, 5);
    let mut checked = 0;
    for pair in places(&world, 40, Footprint::ONE).chunks(2) {
        let target = world.target(pair[0]);
        let chaser = world.chaser_with(far_sighted(), pair[1], target);
        world.tick(2);
        for steps in [0, 1, 7, 300] {
            let cells = ahead(&mut world, chaser, steps);
            let (turns, ends, farthest) = ask(&mut world, |of| {
                let turns: Vec<_> = of.corners(chaser, steps).collect();
                let ends: Vec<_> = of.smoothed(chaser, steps).collect();
                (turns, ends, of.farthest_visible(chaser, steps))
            });
            assert!(farthest.is_none_or(|farthest| ends.first() == Some(&farthest)));
            // Both lead to the same cell, by points of the way in the same order.
            assert_eq!(ends.last(), cells.last());
            let mut rest = cells.iter();
            assert!(
                ends.iter().all(|end| rest.any(|cell| cell == end)),
                "{ends:?}"
            );
            let grid = world.get::<NavMap>(world.map).grid().clone();
            let mut from = world.cell(chaser);
            for end in &ends {
                let query = PathQuery::new(from, world.cell(target));
                let sight = LineOfSight::new(&grid, &query);
                assert!(end.by_link || sight.sees(from, end.cell), "{from} {end:?}");
                from = end.cell;
            }
            if steps == 300 && !cells.is_empty() {
                assert!(ends.len() <= turns.len(), "{ends:?}");
                checked += u32::from(ends.len() < turns.len());
            }
        }
    }
    assert!(
        checked >= 8,
        "{checked} ways have fewer ends of lines than turns"
    );
}

/// A system of the game asks in the tick, after the plugin's systems.
#[test]
fn game_sees_current_cells() {
    #[derive(Resource, Default)]
    struct Told(Vec<(Cell, Option<Cell>)>);
    let mut app = nav_tests::app();
    app.add_plugins(nav::NavPlugin::default());
    app.init_resource::<Told>().add_systems(
        bevy_app::FixedUpdate,
        (|upcoming: UpcomingPath,
          chasers: Query<(Entity, &nav::CellPosition), With<PathCursor>>,
          mut told: ResMut<Told>| {
            for (chaser, position) in &chasers {
                let next = upcoming.cells(chaser, 1).next().map(|point| point.cell);
                told.0.push((position.cell, next));
            }
        })
        .after(nav::NavSystems::Report),
    );
    let mut world = TestWorld::with_app(app, Grid::open(20, 20).unwrap());
    let target = world.target((15, 10));
    world.chaser((3, 4), target);
    world.seconds(5);
    let told = &world.app.world().resource::<Told>().0;
    let mut steps = told.windows(2).filter(|pair| pair[0].0 != pair[1].0);
    assert!(steps.all(|pair| pair[0].1 == Some(pair[1].0)), "{told:?}");
    assert!(told.last().is_some_and(|last| last.1.is_none()));
}
