//! The cells within a cost, asked for at once.

use super::{
    drawn_ground::{drawn, ground},
    naive_costs,
};
use bevy_ecs::system::SystemState;
use nav::requests::{FindPathError, NavQuery};
use nav_drawn::Draw;
use nav_grid::{
    Cell, Grid, Path, Rules,
    fields::FieldLimits,
    query::{Fault, QueryEnd},
};
use nav_tests::{TestWorld, by_tier};
use std::collections::BTreeMap;

fn within(cost: u32) -> FieldLimits {
    FieldLimits {
        cost,
        ..FieldLimits::UNBOUNDED
    }
}

#[test]
fn cells_equal_naive_costs() {
    for seed in 0..by_tier(24, 400) {
        let draw = &mut Draw::new(seed);
        let layers = [0; 3].map(|_| draw.percent(40));
        let grid = ground(draw, layers);
        let mut world = TestWorld::on(grid.clone());
        let map = world.map;
        let mut state = SystemState::<NavQuery>::new(world.world());
        let mut ways = state.get_mut(world.world()).expect("a valid parameter");
        for _ in 0..4 {
            let request = drawn(draw, &grid);
            let cost = draw.below(30) as u32 * request.rules.metric.straight();
            let expected = naive_costs(&grid, &request, cost);
            let reach = ways.reach(map, request.from, request.rules, within(cost));
            let reach = reach.expect("a place of the map");
            let cells = reach.cells().iter();
            let found: BTreeMap<Cell, u32> = cells.map(|at| (at.cell, at.cost)).collect();
            assert_eq!(
                found, expected,
                "seed {seed}, layers {layers:?}, {request:?}"
            );
            let mut path = Path::new();
            for (&cell, &cost) in &expected {
                assert_eq!(reach.path_to(cell, &mut path), Some(cost));
                let walked = path.walk(&grid, request.from, request.rules);
                assert_eq!(walked, Ok(cost), "seed {seed}: to {cell}");
            }
        }
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let grid = Grid::from_fn(4, 4, |cell| cell.x < 3).expect("a map of this size");
    let mut world = TestWorld::on(grid);
    let (map, nothing) = (world.map, world.world().spawn_empty().id());
    let mut state = SystemState::<NavQuery>::new(world.world());
    let mut ways = state.get_mut(world.world()).expect("a valid parameter");
    let [here, wall, off] = [(0, 0), (3, 0), (9, 0)].map(Cell::from);
    let invalid = |fault| FindPathError::Invalid(QueryEnd::Start, fault);
    for (map, from, expected) in [
        (nothing, here, FindPathError::NoMap),
        (map, wall, invalid(Fault::Blocked)),
        (map, off, invalid(Fault::OutsideMap)),
    ] {
        let reach = ways.reach(map, from, Rules::default(), within(5));
        assert_eq!(reach.map(|_| ()), Err(expected), "{from}");
    }
    let all = ways.reach(map, here, Rules::default(), FieldLimits::UNBOUNDED);
    assert_eq!(all.map(|reach| reach.cells().len()), Ok(12));
}
