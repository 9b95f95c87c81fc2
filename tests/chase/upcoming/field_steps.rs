//! The steps of shared fields: they lead to the target on a shortest way.

use bevy_ecs::{prelude::*, system::SystemState};
use mapgen::Kind;
use nav::{Guidance, UpcomingPath};
use nav_grid::{Cell, Grid, Rules};
use nav_tests::TestWorld;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns the step of a chaser's field from each cell that has one.
fn ways(world: &mut TestWorld, chaser: Entity, grid: &Grid) -> BTreeMap<Cell, Cell> {
    let mut state = SystemState::<UpcomingPath>::new(world.world());
    let upcoming = state.get(world.app.world()).expect("the plugin is there");
    // One row and column more than the map has.
    let cells = (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| Cell::new(x, y)));
    upcoming.field_steps(chaser, cells).collect()
}

/// Returns the number of steps to a cell from every cell with a way to it.
fn steps_to(grid: &Grid, goal: Cell) -> BTreeMap<Cell, u32> {
    let mut steps = BTreeMap::from([(goal, 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        let next = steps[&cell] + 1;
        for way in grid.steps(cell, Rules::default()) {
            let Some(to) = cell.step(way) else { continue };
            // Steps of the default rules may be taken in both directions.
            steps.entry(to).or_insert_with(|| {
                queue.push_back(to);
                next
            });
        }
    }
    steps
}

#[test]
fn field_steps_are_shortest() {
    for (kind, seed) in [(Kind::Rooms, 3), (Kind::Clutter { percent: 30 }, 5)] {
        let grid = mapgen::generate(kind, 36, 36, seed).unwrap();
        // The largest connected part of the map.
        let mut steps = BTreeMap::new();
        let mut known = BTreeSet::new();
        for cell in grid.walkable_cells() {
            if !known.contains(&cell) {
                let part = steps_to(&grid, cell);
                known.extend(part.keys().copied());
                steps = if part.len() > steps.len() {
                    part
                } else {
                    steps
                };
            }
        }
        let mut ground: Vec<Cell> = steps.keys().copied().collect();
        // The target in the middle, so that its field covers the map.
        ground.sort_by_key(|cell| cell.chebyshev(Cell::new(18, 18)));
        let (target, last) = (ground[0], ground[ground.len() - 1]);
        let steps = steps_to(&grid, target);
        let mut world = TestWorld::on(grid.clone());
        let player = world.target((target.x, target.y));
        let chasers = [ground[40], last].map(|at| world.chaser((at.x, at.y), player));
        world.tick(1);
        for chaser in chasers {
            assert_eq!(world.cursor(chaser).guidance(), Some(Guidance::SharedField));
            let ways = ways(&mut world, chaser, &grid);
            for (from, to) in &ways {
                assert_eq!(steps[to] + 1, steps[from], "{from} to {to}");
            }
            let near = |cell: &&Cell| cell.chebyshev(target) <= 16 && **cell != target;
            for cell in steps.keys().filter(near).filter(|cell| steps[cell] < 16) {
                assert!(ways.contains_key(cell), "nothing from {cell}");
            }
            assert!(!ways.contains_key(&target));
        }
    }
}

#[test]
fn no_steps_without_field() {
    let grid = Grid::open(20, 20).unwrap();
    let mut world = TestWorld::on(grid.clone());
    let player = world.target((15, 10));
    let alone = world.chaser((3, 10), player);
    world.tick(2);
    assert!(ways(&mut world, alone, &grid).is_empty());
    assert!(ways(&mut world, player, &grid).is_empty());
    // From the next tick on two chasers share a field.
    world.chaser((3, 12), player);
    world.seconds(1);
    assert!(!ways(&mut world, alone, &grid).is_empty());
    world.world().entity_mut(alone).despawn();
    assert!(ways(&mut world, alone, &grid).is_empty());
}
