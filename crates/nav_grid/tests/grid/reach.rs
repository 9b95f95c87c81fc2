//! The cells within a cost of a start, compared with a naive search.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Grid, Link, Metric, Path, Rules,
    fields::{FieldLimits, FieldOutcome, FieldStatus, ReachField},
    query::{Fault, Progress},
    rules::{BodyPolicy, CornerRule},
};
use nav_judge::settled;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Returns the least cost of each cell within some limits, by relaxing all moves until nothing
/// changes.
pub fn naive(grid: &Grid, start: Cell, rules: Rules, limits: FieldLimits) -> BTreeMap<Cell, u32> {
    let mut costs = BTreeMap::from([(start, 0)]);
    let mut changed = vec![start];
    while let Some(cell) = changed.pop() {
        let cost = costs[&cell];
        let steps = grid.steps(cell, rules).into_iter();
        let steps = steps.filter_map(|direction| cell.step(direction));
        let links = grid.links_from(cell).iter().map(|link| link.to);
        for next in steps.chain(links) {
            let Some(step) = grid.move_cost(cell, next, rules) else {
                continue;
            };
            let total = cost + step;
            let is_inside = start.chebyshev(next) <= limits.radius && total <= limits.cost;
            if is_inside && costs.get(&next).is_none_or(|&known| total < known) {
                costs.insert(next, total);
                changed.push(next);
            }
        }
    }
    costs
}

fn judge(reach: &ReachField, grid: &Grid, start: Cell, rules: Rules) {
    let mut path = Path::new();
    for reached in reach.reached().cells() {
        assert_eq!(
            reach.reached().path_to(reached.cell, &mut path),
            Some(reached.cost)
        );
        assert_eq!(path.walk(grid, start, rules), Ok(reached.cost));
        assert_eq!(path.end().unwrap_or(start), reached.cell);
    }
    let is_sorted = |pair: &[_]| matches!(pair, [one, other] if one < other);
    let cells: Vec<Cell> = reach
        .reached()
        .cells()
        .iter()
        .map(|reached| reached.cell)
        .collect();
    assert!(cells.windows(2).all(is_sorted));
}

proptest! {
    #![proptest_config(tries(60, 4000))]

    #[test]
    fn random_worlds((world, queries) in any_case(), cost in prop_oneof![0..60_u32, 0..900_u32]) {
        let grid = world.grid();
        let mut reach = ReachField::new();
        for query in queries {
            let rules = query.rules.with_bodies(BodyPolicy::Ignore);
            let start = settled(query, &grid).start;
            let limits = FieldLimits { cost, radius: query.limits.radius, ..FieldLimits::UNBOUNDED };
            let outcome = reach.compute(&grid, start, rules, limits);
            if !grid.fits(start, rules.footprint) {
                prop_assert_eq!(outcome.status, FieldStatus::Invalid(Fault::Blocked));
                prop_assert!(reach.reached().cells().is_empty());
                continue;
            }
            prop_assert_eq!(outcome.status, FieldStatus::Whole);
            let expected = naive(&grid, start, rules, limits);
            let found: BTreeMap<Cell, u32> =
                reach.reached().cells().iter().map(|reached| (reached.cell, reached.cost)).collect();
            prop_assert_eq!(&found, &expected);
            judge(&reach, &grid, start, rules);

            // The cheapest cells alone.
            let few = FieldLimits { cells: expected.len() as u32 / 2, ..limits };
            reach.compute(&grid, start, rules, few);
            prop_assert_eq!(reach.reached().cells().len(), expected.len() / 2);
            for reached in reach.reached().cells() {
                prop_assert_eq!(expected.get(&reached.cell), Some(&reached.cost));
            }
        }
    }
}

#[test]
fn work_of_a_turn() {
    let grid = Grid::open(200, 200).unwrap();
    let mut reach = ReachField::new();
    let limits = FieldLimits {
        cost: 20,
        ..FieldLimits::UNBOUNDED
    };
    let outcome = reach.compute(&grid, Cell::new(100, 100), Rules::default(), limits);
    assert_eq!(reach.reached().cells().len(), 41 * 41);
    assert!(outcome.counters.work() <= 21 + 41 * 41 / 64);
}

/// Computes in slices of `work`, each of which takes little more.
fn in_slices(
    reach: &mut ReachField,
    grid: &Grid,
    of: (Cell, Rules, FieldLimits),
    work: u32,
) -> FieldOutcome {
    reach.begin(grid, of.0, of.1, of.2);
    loop {
        let before = reach.work();
        match reach.resume(grid, work) {
            Progress::Done(outcome) => return outcome,
            Progress::Suspended => {
                assert_eq!(reach.work() - before, work);
                assert!(reach.reached().cells().is_empty(), "not done yet");
            }
            Progress::Stale | Progress::Idle => panic!("the map is not edited"),
        }
    }
}

#[test]
fn slices_answer_alike() {
    let mut grid = mapgen::generate(mapgen::Kind::Clutter { percent: 25 }, 60, 60, 3).unwrap();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    grid.set_link(Link::new(cells[5], cells[1500]).with_cost(2))
        .unwrap();
    let rules = Rules::new(Metric::Grid, CornerRule::Strict);
    let limits = FieldLimits {
        cost: 300,
        ..FieldLimits::UNBOUNDED
    };
    let (mut whole, mut sliced) = (ReachField::new(), ReachField::new());
    let expected = whole.compute(&grid, cells[0], rules, limits);
    judge(&whole, &grid, cells[0], rules);
    for work in [1, 7, 500] {
        let outcome = in_slices(&mut sliced, &grid, (cells[0], rules, limits), work);
        assert_eq!(outcome, expected, "{work}");
        assert_eq!(sliced.reached(), whole.reached(), "{work}");
    }
}

#[test]
fn edits_end_the_field() {
    let mut grid = Grid::open(90, 90).unwrap();
    let mut reach = ReachField::new();
    reach.begin(
        &grid,
        Cell::new(3, 3),
        Rules::default(),
        FieldLimits::UNBOUNDED,
    );
    assert_eq!(reach.resume(&grid, 9), Progress::Suspended);
    grid.set_walkable(Cell::new(50, 50), false).unwrap();
    assert_eq!(reach.resume(&grid, 9), Progress::Stale);
    assert!(reach.reached().cells().is_empty());
    assert_eq!(reach.resume(&grid, 9), Progress::Idle);
}
