//! Fields around a target, judged by Dijkstra's search from every start.

use crate::worlds::{any_question, tries};
use nav_grid::{
    Cell, Direction, Directions, Footprint, Grid, Limits, Metric, Path, PathQuery, Rules, Search,
    Status, Terrain,
    fields::{CostField, FieldLimits, FieldQuery, FieldStatus},
    map::Bodies,
    methods::Dijkstra,
    query::{Fault, Feature},
    rules::BodyPolicy,
};
use nav_judge::{Xorshift, cells, settled, walk};
use proptest::prelude::*;

/// Makes the field query about a query's goal. It covers everything except bodies near a walker,
/// which it does not know.
fn about_goal(query: &PathQuery, limits: FieldLimits) -> FieldQuery {
    let bodies = match query.rules.bodies {
        BodyPolicy::AvoidNear(_) => BodyPolicy::AvoidAll,
        other => other,
    };
    FieldQuery::new(query.goal)
        .with_target_body(query.goal_body)
        .with_rules(query.rules.with_bodies(bodies))
        .with_limits(limits)
}

/// Returns whether a start makes no difference to walkers that avoid bodies. A walker's own body is
/// not in its way: with few exits it may have to go around a corner of the cell that it stood on.
fn is_plain_start(terrain: Terrain<'_>, query: &FieldQuery, start: Cell) -> bool {
    let footprint = query.rules.footprint;
    let occupied = |bodies: &Bodies| {
        let mut covered = footprint.area(start).cells();
        covered.any(|cell| bodies.is_occupied(cell))
    };
    let leaves_at_once =
        footprint == Footprint::ONE && terrain.grid().exits(start) == Directions::ALL;
    leaves_at_once
        || query.rules.bodies == BodyPolicy::Ignore
        || !terrain.bodies().is_some_and(occupied)
}

/// Returns the documented rank of a move among equally good ones.
fn tie_order(from: Cell, to: Cell, by_link: bool) -> (u32, Cell) {
    let order = [
        Direction::North,
        Direction::East,
        Direction::South,
        Direction::West,
        Direction::NorthEast,
        Direction::SouthEast,
        Direction::SouthWest,
        Direction::NorthWest,
    ];
    let rank = order
        .iter()
        .position(|&way| from.direction_to(to) == Some(way));
    match rank {
        Some(rank) if !by_link => (rank as u32, to),
        _ => (8, to),
    }
}

/// Judges a field over all of a map from a sample of starts.
fn judge_costs(terrain: Terrain<'_>, query: &FieldQuery, field: &CostField, seed: u64) {
    let grid = terrain.grid();
    let all: Vec<Cell> = cells(grid.size()).collect();
    let mut random = Xorshift::new(seed);
    let (mut dijkstra, mut path) = (Dijkstra::new(), Path::new());
    for _ in 0..10 {
        let start = all[random.below(all.len() as u32) as usize];
        if !grid.fits(start, query.rules.footprint) {
            assert_eq!((field.cost(start), field.next(grid, start)), (None, None));
            continue;
        }
        let search = PathQuery::new(start, query.target)
            .with_rules(query.rules)
            .with_goal_body(query.target_body)
            .with_limits(Limits::UNBOUNDED);
        let truth = dijkstra.search(terrain, &search, &mut path);
        let cost = match truth.status {
            Status::Found | Status::AlreadyThere => Some(truth.cost),
            _ => None,
        };
        let followed = field.follow(grid, start, &mut path);
        assert_eq!(followed, field.cost(start));
        if is_plain_start(terrain, query, start) {
            assert_eq!(followed, cost, "from {start} to {}", query.target);
        }
        if let Some(cost) = followed {
            assert_eq!(path.end().unwrap_or(start), query.target);
            assert_eq!(walk(terrain, &search, &path), Ok(cost));
            assert_eq!(path.peek(), field.next(grid, start));
        } else {
            assert!(path.is_empty());
        }
    }
}

/// Judges the next step of every cell, bodies aside.
fn judge_ties(
    grid: &Grid,
    query: &FieldQuery,
    cost: impl Fn(Cell) -> Option<u32>,
    next: impl Fn(Cell) -> Option<Cell>,
) {
    let rules = query.rules;
    for cell in cells(grid.size()) {
        let Some(total) = cost(cell).filter(|&cost| cost > 0) else {
            assert_eq!(next(cell), None);
            continue;
        };
        let steps = Direction::ALL.into_iter().filter_map(|way| {
            let to = cell.step(way)?;
            let step = grid.step_cost(cell, way, rules)?;
            (cost(to)? + step == total).then_some((tie_order(cell, to, false), to))
        });
        let links = grid.links_from(cell).iter().filter_map(|link| {
            let step = u32::from(link.cost) * rules.metric.straight();
            let good = cost(link.to)? + step == total;
            good.then_some((tie_order(cell, link.to, true), link.to))
        });
        let best = steps.chain(links).min().map(|(_, to)| to);
        assert_eq!(next(cell), best, "from {cell} to {}", query.target);
    }
}

/// Judges the moves that are ranked for every cell, bodies aside.
fn judge_ranks(grid: &Grid, query: &FieldQuery, field: &CostField) {
    let rules = query.rules;
    for cell in cells(grid.size()) {
        let Some(here) = field.cost(cell) else {
            assert_eq!(field.look(grid, cell), None);
            continue;
        };
        let flow = field.look(grid, cell).expect("a cell with a cost");
        // The extra cost of going in a direction over the cheapest way.
        let dearer = |way| {
            let rest = field.cost(cell.step(way)?)?;
            Some(grid.step_cost(cell, way, rules)? + rest - here)
        };
        let ways = |holds: fn(u32, u32) -> bool| -> Directions {
            let two = 2 * rules.metric.straight();
            let ways = Direction::ALL.into_iter();
            ways.filter(|&way| here > 0 && dearer(way).is_some_and(|dearer| holds(dearer, two)))
                .collect()
        };
        assert_eq!(flow.best, ways(|dearer, _| dearer == 0), "from {cell}");
        let sides = ways(|dearer, two| dearer > 0 && dearer < two);
        assert_eq!(flow.sides, sides, "from {cell}");
        let by_link = field.next(grid, cell).filter(|_| flow.best.is_empty());
        assert_eq!(flow.link, by_link, "from {cell}");
    }
}

proptest! {
    #![proptest_config(tries(80, 400))]

    #[test]
    fn costs((world, query) in any_question(), seed: u64) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let query = about_goal(&settled(query, &grid), FieldLimits::UNBOUNDED);
        let mut field = CostField::new();
        for terrain in [Terrain::from(&grid).with_bodies(&bodies), Terrain::from(&grid)] {
            let outcome = field.compute(terrain, &query);
            if let FieldStatus::Invalid(fault) = outcome.status {
                prop_assert_eq!(fault, Fault::Blocked);
                prop_assert!(!grid.fits(query.target, query.rules.footprint));
                continue;
            }
            prop_assert_eq!(outcome.status, FieldStatus::Whole);
            prop_assert!(field.is_current(&grid));
            judge_costs(terrain, &query, &field, seed);
        }
        judge_ties(&grid, &query, |cell| field.cost(cell), |cell| field.next(&grid, cell));
        judge_ranks(&grid, &query, &field);
    }

    /// A limit removes cells and changes no cost of the others.
    #[test]
    fn limits(
        (world, query) in any_question(),
        share in 0..120_u32,
    ) {
        let grid = world.grid();
        let query = about_goal(&settled(query, &grid), FieldLimits::UNBOUNDED);
        let (mut whole, mut part) = (CostField::new(), CostField::new());
        let reached = whole.compute(&grid, &query).counters.expanded;
        let all = || cells(grid.size());
        prop_assert_eq!(all().filter_map(|cell| whole.cost(cell)).count() as u32, reached);

        let dearest = all().filter_map(|cell| whole.cost(cell)).max().unwrap_or(0);
        let cost = (u64::from(dearest) * u64::from(share) / 100) as u32;
        let limits = FieldLimits { cost, ..FieldLimits::UNBOUNDED };
        part.compute(&grid, &query.with_limits(limits));
        for cell in all() {
            prop_assert_eq!(part.cost(cell), whole.cost(cell).filter(|&known| known <= cost));
            if part.cost(cell).is_some() {
                prop_assert_eq!(part.next(&grid, cell), whole.next(&grid, cell));
            }
        }

        let count = (u64::from(reached) * u64::from(share) / 100) as u32;
        let limits = FieldLimits { cells: count, ..FieldLimits::UNBOUNDED };
        let outcome = part.compute(&grid, &query.with_limits(limits));
        let known: Vec<_> = all().filter(|&cell| part.cost(cell).is_some()).collect();
        if reached > 0 {
            prop_assert_eq!(known.len() as u32, count.min(reached));
            let spent = outcome.status == FieldStatus::CellsSpent;
            prop_assert_eq!(spent, count < reached);
        }
        let straight = query.rules.metric.straight();
        let left = all().filter(|&cell| part.cost(cell).is_none());
        let least = left.filter_map(|cell| whole.cost(cell)).min().unwrap_or(u32::MAX);
        for cell in known {
            prop_assert_eq!(part.cost(cell), whole.cost(cell));
            prop_assert!(part.cost(cell).unwrap() < least.saturating_add(straight));
        }
    }

    /// In a window the field agrees with a plain relaxation of all cells.
    #[test]
    fn windows(
        (world, query) in any_question(),
        radius in prop_oneof![4 => 0..=28_u16, 1 => 29..=40_u16],
    ) {
        let grid = world.grid();
        let query = about_goal(&settled(query, &grid), FieldLimits::window(radius));
        let mut field = CostField::new();
        field.compute(&grid, &query);
        relaxed(&grid, &query, &field);
    }
}

/// Judges costs in a window, bodies aside, by making ways cheaper until none can be.
fn relaxed(grid: &Grid, query: &FieldQuery, field: &CostField) {
    let rules = query.rules;
    let inside = |cell: &Cell| {
        cell.chebyshev(query.target) <= query.limits.radius && grid.fits(*cell, rules.footprint)
    };
    let places: Vec<Cell> = cells(grid.size()).filter(inside).collect();
    let mut costs = std::collections::BTreeMap::from([(query.target, 0)]);
    if !inside(&query.target) {
        costs.clear();
    }
    let mut cheaper = !costs.is_empty();
    while cheaper {
        cheaper = false;
        for &cell in places.iter().chain(places.iter().rev()) {
            let near = Direction::ALL.into_iter().filter_map(|way| cell.step(way));
            let links = grid.links_from(cell).iter().map(|link| link.to);
            for to in near.chain(links) {
                let Some(total) = costs
                    .get(&to)
                    .zip(grid.move_cost(cell, to, rules))
                    .map(|(cost, step)| cost + step)
                else {
                    continue;
                };
                if costs.get(&cell).is_none_or(|&known| total < known) {
                    costs.insert(cell, total);
                    cheaper = true;
                }
            }
        }
    }
    for cell in cells(grid.size()) {
        assert_eq!(field.cost(cell), costs.get(&cell).copied(), "{cell}");
    }
}

#[test]
fn target_in_wall() {
    let grid = Grid::from_fn(9, 9, |cell| cell.x != 4).unwrap();
    let mut field = CostField::new();
    field.compute(&grid, &FieldQuery::new(Cell::new(0, 0)));
    for (target, fault) in [((4, 4), Fault::Blocked), ((9, 0), Fault::OutsideMap)] {
        let query = FieldQuery::new(target.into());
        let status = FieldStatus::Invalid(fault);
        assert_eq!(field.compute(&grid, &query).status, status);
        for cell in cells(grid.size()) {
            assert_eq!((field.cost(cell), field.next(&grid, cell)), (None, None));
        }
        assert!(field.query().is_none() && !field.is_current(&grid));
    }
}

/// Chasers in a row behind each other all find the way, past each other.
#[test]
fn walkers_are_bodies() {
    let grid = Grid::open(20, 9).unwrap();
    let mut bodies = Bodies::new(grid.size());
    let target = Cell::new(10, 4);
    for x in [10, 12, 13, 14] {
        bodies.occupy(Cell::new(x, 4), Footprint::ONE);
    }
    let query = FieldQuery::new(target).with_rules(
        Rules::new(Metric::FourWay, nav_grid::CornerRule::Strict).with_bodies(BodyPolicy::AvoidAll),
    );
    let mut field = CostField::new();
    field.compute(Terrain::from(&grid).with_bodies(&bodies), &query);
    for (x, cost) in [(12, 2), (13, 5), (14, 6), (15, 7)] {
        let cell = Cell::new(x, 4);
        assert_eq!(field.cost(cell), Some(cost), "{cell}");
    }
    assert_eq!(field.next(&grid, Cell::new(13, 4)), Some(Cell::new(13, 3)));

    let near = query.with_rules(query.rules.with_bodies(BodyPolicy::AvoidNear(4)));
    let refused = FieldStatus::Unsupported(Feature::Bodies);
    assert_eq!(
        field
            .compute(Terrain::from(&grid).with_bodies(&bodies), &near)
            .status,
        refused
    );
    assert_eq!(field.compute(&grid, &near).status, FieldStatus::Whole);
}

#[test]
fn memory_on_large_map() {
    let grid = Grid::open(5000, 5000).unwrap();
    let mut field = CostField::new();
    let query = FieldQuery::new(Cell::new(2500, 2500));
    let outcome = field.compute(&grid, &query.with_limits(FieldLimits::window(40)));
    assert_eq!(outcome.counters.touched, 81 * 81);
    assert!(field.heap_bytes() < 400 * 1024, "{}", field.heap_bytes());
}
