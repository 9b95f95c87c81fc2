//! Flow fields, judged by weighted fields and Dijkstra's search.

use crate::worlds::{any_question, tries};
use mapgen::Kind;
use nav_grid::{
    Area, Cell, CornerRule, Direction, Directions, Grid, Metric, Rules, Terrain,
    fields::{CostField, FieldLimits, FieldQuery, FieldStatus, Flow, FlowField, FlowMaker},
    map::Bodies,
    query::{Counters, Fault, Feature},
    rules::{BodyPolicy, Cost},
};
use nav_judge::{cells, settled};
use proptest::prelude::*;

const EVEN: [Metric; 2] = [Metric::Unit, Metric::FourWay];

/// Returns the steps to neighbours that are one step nearer, and to neighbours that are as far, by
/// the documented rules.
fn flow_by(
    grid: &Grid,
    cell: Cell,
    rules: Rules,
    distance: impl Fn(Cell) -> Option<Cost>,
) -> Option<(Directions, Directions)> {
    let own = distance(cell)?;
    let leading_to = |wanted: Option<Cost>| -> Directions {
        let steps = grid.steps(cell, rules).into_iter();
        let far = |way: &Direction| cell.step(*way).and_then(&distance);
        steps
            .filter(|way| wanted.is_some() && far(way) == wanted)
            .collect()
    };
    Some((leading_to(own.checked_sub(1)), leading_to(Some(own))))
}

/// Returns the steps past corners that a field with a limit on cost does not know, from its
/// furthest places.
fn past_the_limit(
    cell: Cell,
    query: &FieldQuery,
    distance: impl Fn(Cell) -> Option<Cost>,
) -> Directions {
    let is_furthest = distance(cell) == Some(query.limits.cost);
    let passes_unknown = |way: &Direction| {
        let to = cell.step(*way);
        let corners = to.map(|to| [Cell { x: to.x, ..cell }, Cell { y: to.y, ..cell }]);
        corners.is_some_and(|corners| corners.into_iter().any(|at| distance(at).is_none()))
    };
    let strict = query.rules.corners == CornerRule::Strict;
    let ways = Direction::ALL.into_iter();
    ways.filter(|way| is_furthest && strict && way.is_diagonal())
        .filter(passes_unknown)
        .collect()
}

/// Compares every look at a field with the costs of a slower one.
fn judge(grid: &Grid, query: &FieldQuery, field: &FlowField) {
    let mut judge = CostField::new();
    assert_eq!(judge.compute(grid, query).status, FieldStatus::Whole);
    let distance = |cell: Cell| {
        let here = cell.floor == query.target.floor;
        judge.cost(cell).filter(|_| here)
    };
    for cell in cells(grid.size()) {
        let expected = flow_by(grid, cell, query.rules, distance);
        let looked = field.look(cell).map(|flow| (flow.nearer, flow.level));
        assert_eq!(field.nearer(cell), looked.map(|(nearer, _)| nearer));
        let unknown = past_the_limit(cell, query, distance);
        let known = expected.map(|(nearer, level)| (nearer, Directions(level.0 & !unknown.0)));
        // A field of a window with exits stores the legal steps.
        let is_right = looked == known || grid.has_exits() && looked == expected;
        assert!(
            is_right,
            "{looked:?}, not {known:?}, from {cell} by {query:?}"
        );
        assert_eq!(field.reaches(cell), expected.is_some(), "from {cell}");
        let at_target = looked.map(|(nearer, _)| nearer.is_empty());
        assert!(at_target != Some(true) || cell == query.target);
    }
    assert_eq!(field.query(), Some(query));
    assert!(field.is_current(grid));
}

/// Returns the waves that a field needs, and the cells that it reaches. The waves are the steps to
/// the furthest cell, a wave for the target and a last wave that finds nothing, unless the limit on
/// cost comes first.
fn work(grid: &Grid, query: &FieldQuery) -> (u32, u32) {
    let mut judge = CostField::new();
    judge.compute(grid, query);
    let costs = cells(grid.size())
        .filter(|cell| cell.floor == query.target.floor)
        .filter_map(|cell| judge.cost(cell));
    let (count, furthest) = costs.fold((0, 0), |(count, most), cost| (count + 1, cost.max(most)));
    let waves = (furthest + 2).min(query.limits.cost.saturating_add(1));
    (waves, count)
}

/// Returns the same walls and exits without costs and links.
fn without_layers(grid: &Grid) -> Grid {
    let mut plain = Grid::build(grid.size(), |cell| grid.is_walkable(cell)).unwrap();
    for cell in cells(grid.size()) {
        plain.set_exits(cell, grid.exits(cell)).unwrap();
    }
    plain
}

proptest! {
    #![proptest_config(tries(80, 400))]

    #[test]
    fn random_worlds(
        (mut world, mut query) in any_question(),
        four_way: bool,
        radius in 0..=28_u16,
        cost in prop_oneof![Just(Cost::MAX), 0..40_u32],
        rows_below in prop_oneof![Just(0), 1..=50_u16],
    ) {
        // A whole window takes more rows than other searches need.
        world.ground.size.height += rows_below;
        query.goal.y += rows_below / 2;
        let (all, bodies) = (world.grid(), world.bodies());
        let query = settled(query, &all);
        let rules = Rules { metric: EVEN[usize::from(four_way)], ..query.rules };
        let query = FieldQuery::new(query.goal)
            .with_rules(rules)
            .with_limits(FieldLimits { cost, ..FieldLimits::window(radius) });
        let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
        for grid in [&all, &without_layers(&all)] {
            let crowded = maker.make(Terrain::from(grid).with_bodies(&bodies), &query, &mut field);
            let outcome = maker.make(grid, &query, &mut field);
            if outcome.status == FieldStatus::Whole {
                let Counters { expanded, touched, .. } = outcome.counters;
                prop_assert_eq!((expanded, touched), work(grid, &query));
            }
            let mindful = rules.bodies != BodyPolicy::Ignore;
            if mindful && outcome.status == FieldStatus::Whole {
                let refused = FieldStatus::Unsupported(Feature::Bodies);
                prop_assert_eq!(crowded.status, refused);
            } else if !mindful {
                prop_assert_eq!(crowded, outcome);
            }
            if outcome.status == FieldStatus::Whole {
                judge(grid, &query, &field);
            } else {
                prop_assert!(cells(grid.size()).all(|cell| field.look(cell).is_none()));
            }
        }
    }
}

/// Below a ledge that may be jumped down and not climbed, the target is 2, 3 or 5 steps further
/// away. A difference of 2 or 5 equals one step nearer modulo 3.
#[test]
fn ledge() {
    let mut grid = Grid::open(30, 9).unwrap();
    let below = Area::new(Cell::new(0, 5), Cell::new(25, 5));
    let up = [Direction::NorthWest, Direction::North, Direction::NorthEast];
    let no_climbing = Directions(!up.into_iter().collect::<Directions>().0);
    grid.set_exits(below, no_climbing).unwrap();
    let query = FieldQuery::new(Cell::new(15, 0)).with_limits(FieldLimits::window(28));
    let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
    for metric in EVEN {
        let query = query.with_rules(Rules::new(metric, CornerRule::Strict));
        assert_eq!(
            maker.make(&grid, &query, &mut field).status,
            FieldStatus::Whole
        );
        judge(&grid, &query, &field);
        let mut weighted = CostField::new();
        weighted.compute(&grid, &query);
        let misleading = |rest: u32| {
            let mut cells = cells(grid.size());
            cells.any(|cell| {
                let own = weighted.cost(cell).unwrap();
                let mut ends = grid.steps(cell, query.rules).into_iter();
                ends.any(|way| {
                    let end = weighted.cost(cell.step(way).unwrap()).unwrap();
                    end > own + 1 && (end - own) % 3 == rest
                })
            })
        };
        assert!(misleading(0) && misleading(2));
    }
}

#[test]
fn unsupported_is_empty() {
    let mut grid = Grid::from_fn(60, 60, |cell| cell != Cell::new(1, 1)).unwrap();
    grid.set_cost(Cell::new(50, 50), 3).unwrap();
    let bodies = Bodies::new(grid.size());
    let target = Cell::new(20, 20);
    let good = FieldQuery::new(target).with_limits(FieldLimits::window(20));
    let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
    let by = |metric| good.with_rules(Rules::new(metric, CornerRule::Strict));
    let at = |x, y| FieldQuery {
        target: Cell::new(x, y),
        ..good
    };
    let minding = |policy| good.with_rules(good.rules.with_bodies(policy));
    let unsupported = FieldStatus::Unsupported;
    let metrics = [Metric::Octile, Metric::Grid, Metric::TwoThree];
    let by_metric = metrics.map(|metric| (by(metric), unsupported(Feature::Metric(metric))));
    let cases = [
        (
            good.with_limits(FieldLimits::window(29)),
            unsupported(Feature::Window),
        ),
        (at(40, 40), unsupported(Feature::Costs)),
        (at(1, 1), FieldStatus::Invalid(Fault::Blocked)),
        (at(60, 1), FieldStatus::Invalid(Fault::OutsideMap)),
        (minding(BodyPolicy::AvoidAll), unsupported(Feature::Bodies)),
        (
            minding(BodyPolicy::AvoidNear(2)),
            unsupported(Feature::Bodies),
        ),
    ];
    let terrain = Terrain::from(&grid).with_bodies(&bodies);
    for (query, status) in cases.into_iter().chain(by_metric) {
        let good = good.with_rules(good.rules.with_bodies(BodyPolicy::Ignore));
        let whole = maker.make(terrain, &good, &mut field);
        assert_eq!(whole.status, FieldStatus::Whole);
        assert!(field.look(target).is_some());
        assert_eq!(maker.make(terrain, &query, &mut field).status, status);
        assert!(field.query().is_none() && !field.is_current(&grid));
        assert!(cells(grid.size()).all(|cell| field.look(cell).is_none()));
    }
    let query = minding(BodyPolicy::AvoidAll);
    let alone = maker.make(&grid, &query, &mut field);
    assert_eq!(alone.status, FieldStatus::Whole, "no bodies were passed");
}

#[test]
fn apart_from_maker() {
    let mut grid = mapgen::generate(Kind::Caves, 64, 64, 3).unwrap();
    let target = grid.walkable_cells().nth(700).unwrap();
    let query = FieldQuery::new(target).with_limits(FieldLimits::window(20));
    let mut fields = vec![FlowField::new(); 3];
    let mut maker = FlowMaker::new();
    for (field, way) in fields.iter_mut().zip(Direction::ALL) {
        let target = target.step(way).filter(|&cell| grid.is_walkable(cell));
        let target = target.unwrap_or(query.target);
        maker.make(&grid, &FieldQuery { target, ..query }, field);
    }
    for field in &fields {
        judge(&grid, field.query().unwrap(), field);
    }
    grid.set_walkable(target, false).unwrap();
    assert!(fields.iter().all(|field| !field.is_current(&grid)));
    fields[0].clear();
    assert!(fields[0].query().is_none());
    assert!(cells(grid.size()).all(|cell| fields[0].look(cell).is_none()));
    assert!(FlowField::new().look(Cell::new(0, 0)).is_none());
}

#[test]
fn memory() {
    assert!(size_of::<FlowField>() <= 1152, "{}", size_of::<FlowField>());
    assert_eq!(size_of::<Flow>(), 2);
    let mut grid = Grid::open(90, 90).unwrap();
    let query = FieldQuery::new(Cell::new(45, 45)).with_limits(FieldLimits::window(28));
    let (mut maker, mut field) = (FlowMaker::new(), FlowField::new());
    maker.make(&grid, &query, &mut field);
    assert_eq!(field.heap_bytes(), 0);
    grid.set_exits(Cell::new(45, 40), Directions::NONE).unwrap();
    maker.make(&grid, &query, &mut field);
    assert_eq!(field.heap_bytes(), 57 * 64);
}
