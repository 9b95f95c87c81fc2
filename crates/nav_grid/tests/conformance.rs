//! The oracle judges every method on maps with everything: costs, exits, floors, links, bodies
//! and footprints.

mod worlds;

use nav_grid::{
    Area, Cell, Direction, Directions, Edit, Footprint, Grid, IndexedMap, Limits, Link, Method,
    Outcome, Path, PathQuery, Planner, Rules, Search, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch, StraightLine, Sweep},
    query::{Fallback, Fault, Feature, QueryEnd},
    rules::BodyPolicy,
};
use proptest::{collection::vec, prelude::*};
use worlds::{Xorshift, any_case, cells, settled, walk};

/// Every method on one query; with what it should answer.
fn judge(terrain: Terrain<'_>, query: &PathQuery) {
    let mut shortest = Path::new();
    let truth = Dijkstra::new().search(terrain, query, &mut shortest);
    if truth.status == Status::Found {
        assert_eq!(shortest.end(), Some(query.goal));
        assert_eq!(walk(terrain, query, &shortest), Ok(truth.cost));
    }
    let closest = judge_exact(BoundedAStar::new(), terrain, query, truth);
    let swept = judge_exact(Sweep::new(), terrain, query, truth);
    let jumped = judge_exact(JumpPointSearch::new(), terrain, query, truth);
    let chosen = judge_exact(Planner::new(), terrain, query, truth);
    let mut map = IndexedMap::new(terrain.grid().clone());
    map.build_regions(query.rules);
    let mut indexed = Terrain::from(&map);
    if let Some(bodies) = terrain.bodies() {
        indexed = indexed.with_bodies(bodies);
    }
    let indexed = judge_exact(Planner::new(), indexed, query, truth);
    judge_straight(terrain, query, truth);
    if let Some(one) = closest {
        for other in [swept, jumped, chosen, indexed].into_iter().flatten() {
            assert_eq!(
                (one.status, one.cost),
                (other.status, other.cost),
                "{query:?}"
            );
        }
    }
}

/// The straight way is a cheapest one or none.
fn judge_straight(terrain: Terrain<'_>, query: &PathQuery, truth: Outcome) {
    let mut path = Path::new();
    let answer = StraightLine::new().search(terrain, query, &mut path);
    if answer.status == Status::BudgetSpent {
        assert!(path.is_empty());
        return;
    }
    assert_eq!((answer.status, answer.cost), (truth.status, truth.cost));
    assert_eq!(walk(terrain, query, &path), Ok(truth.cost));
}

/// A method that finds cheapest paths. Returns what it answers if it may stop short of the goal.
fn judge_exact<M: Search>(
    mut method: M,
    terrain: Terrain<'_>,
    query: &PathQuery,
    truth: Outcome,
) -> Option<Outcome> {
    let mut path = Path::new();
    let answer = method.search(terrain, query, &mut path);
    if let Status::Unsupported(feature) = answer.status {
        assert!(has(feature, terrain, query), "{query:?} has no {feature}");
        return None;
    }
    assert_eq!(
        (answer.status, answer.cost),
        (truth.status, truth.cost),
        "{}",
        answer.method
    );
    if truth.status == Status::Found {
        assert_eq!(path.end(), Some(query.goal));
        assert_eq!(
            walk(terrain, query, &path),
            Ok(truth.cost),
            "{}",
            answer.method
        );
    }
    // Partial paths are legal, too, and used memory answers as fresh memory does.
    let closest = query.with_fallback(Fallback::ClosestReached);
    let partial = method.search(terrain, &closest, &mut path);
    if let Status::Unsupported(feature) = partial.status {
        // What was answered without a search is searched for now.
        assert!(has(feature, terrain, query), "{query:?} has no {feature}");
        return None;
    }
    if no_path_ends_there(truth.status) && !comes_closest_anywhere(M::METHOD) {
        assert_eq!(partial.status, truth.status, "{}", answer.method);
        return None;
    }
    if partial.status.has_path() {
        assert_eq!(
            walk(terrain, query, &path),
            Ok(partial.cost),
            "{}",
            answer.method
        );
        if query.rules.bodies == BodyPolicy::Ignore {
            let walked = path.walk(terrain.grid(), query.start, query.rules);
            // It knows no query: a link beside the last step counts if it is cheaper.
            let any_last = query.with_last_step(false);
            assert_eq!(walked.ok(), walk(terrain, &any_last, &path).ok());
        }
    }
    Some(partial)
}

/// Whether a goal is known without a search to be one that no path in the window ends at.
fn no_path_ends_there(status: Status) -> bool {
    matches!(
        status,
        Status::TooFar | Status::Invalid(QueryEnd::Goal, Fault::Blocked)
    )
}

/// Whether a method leads as near as it can to such a goal, too.
fn comes_closest_anywhere(method: Method) -> bool {
    matches!(method, Method::Auto | Method::AStar | Method::Sweep)
}

/// Whether a refused query has what it was refused for.
fn has(feature: Feature, terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let grid = terrain.grid();
    match feature {
        Feature::Costs => grid.has_costs(),
        Feature::Exits => grid.has_exits(),
        Feature::Links => !grid.links().is_empty(),
        Feature::Metric(metric) => metric == query.rules.metric,
        Feature::Window => query.limits.radius > 28,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn random_worlds((world, queries) in any_case()) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for (number, &query) in queries.iter().enumerate() {
            // The first one keeps its ends, in walls or not.
            let query = if number == 0 { query } else { settled(query, &grid) };
            judge(Terrain::from(&grid).with_bodies(&bodies), &query);
            judge(Terrain::from(&grid), &query);
        }
    }

    /// A budget only ever turns an answer into `BudgetSpent`, never into a wrong one.
    #[test]
    fn budgets((world, queries) in any_case(), expansions in 0..200_u32) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let (mut path, mut other) = (Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &grid);
            let free = BoundedAStar::new().search(terrain, &query, &mut path);
            let limits = Limits { expansions, ..query.limits };
            let tight = query.with_limits(limits);
            let capped = BoundedAStar::new().search(terrain, &tight, &mut other);
            prop_assert!(capped.counters.expanded <= expansions);
            if capped.status == Status::BudgetSpent {
                prop_assert!(free.counters.expanded > expansions || free.status == Status::Found);
            } else {
                prop_assert_eq!(capped, free);
                prop_assert_eq!(&other, &path);
            }
        }
    }

    /// A map that was edited answers as one that was made as it is now, and rightly.
    #[test]
    fn edited_worlds(
        (world, queries) in any_case(),
        seeds in vec(any::<u64>(), 1..12),
    ) {
        let bodies = world.bodies();
        let mut edited = world.grid();
        for seed in seeds {
            let edit = random_edit(&edited, seed);
            edited.apply(&edit).expect("an edit of the map");
        }
        let mut afresh = Grid::build(world.size, |cell| edited.is_walkable(cell)).unwrap();
        for cell in cells(world.size) {
            if edited.is_walkable(cell) {
                afresh.set_cost(cell, edited.cost(cell)).unwrap();
            }
            afresh.set_exits(cell, edited.exits(cell)).unwrap();
        }
        for &link in edited.links() {
            afresh.set_link(link).unwrap();
        }
        prop_assert_eq!(&edited, &afresh);
        let (mut one, mut other) = (Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &edited);
            judge(Terrain::from(&edited).with_bodies(&bodies), &query);
            prop_assert_eq!(
                BoundedAStar::new().search(Terrain::from(&edited).with_bodies(&bodies), &query, &mut one),
                BoundedAStar::new().search(Terrain::from(&afresh).with_bodies(&bodies), &query, &mut other)
            );
            prop_assert_eq!(&one, &other);
        }
    }
}

fn random_edit(grid: &Grid, seed: u64) -> Edit {
    let mut random = Xorshift::new(seed);
    let cells: Vec<Cell> = cells(grid.size()).collect();
    let mut cell = || cells[random.below(cells.len() as u32) as usize];
    let (first, second) = (cell(), cell());
    let near = Cell {
        x: (first.x + 3).min(grid.width() - 1),
        y: (first.y + 3).min(grid.height() - 1),
        ..first
    };
    let area = Area::new(first, if random.below(2) == 0 { near } else { second });
    match random.below(6) {
        0 => Edit::Walkable(Area::new(first, near), false),
        1 => Edit::Walkable(area, true),
        2 => Edit::Cost(area, random.below(65) as u8),
        3 => Edit::Exits(area, Directions(random.below(256) as u8)),
        4 => Edit::Link(Link::new(first, second).with_cost(1 + random.below(40) as u16)),
        _ => {
            let links = grid.links();
            let link = links.get(random.below(links.len().max(1) as u32) as usize);
            let link = link.copied().unwrap_or(Link::new(first, second));
            Edit::Unlink {
                from: link.from,
                to: link.to,
            }
        }
    }
}

/// Every map of 3×3 cells, every exit mask of the middle cell's four straight steps, every pair
/// of cells, bodies of one and of four cells.
#[test]
fn every_small_map_with_exits_and_footprints() {
    for bits in 0..1_u32 << 9 {
        let walls = Grid::from_fn(3, 3, |cell| bits >> (cell.y * 3 + cell.x) & 1 == 1).unwrap();
        for mask in 0..16_u8 {
            let mut grid = walls.clone();
            let exits = Direction::ALL
                .into_iter()
                .filter(|&way| way.is_diagonal() || mask >> (way as u8 / 2) & 1 == 1);
            grid.set_exits(Cell::new(1, 1), exits.collect()).unwrap();
            for start in grid.walkable_cells() {
                for goal in grid.walkable_cells() {
                    for side in 1..=2 {
                        let rules =
                            Rules::default().with_footprint(Footprint::new(side).expect("1 or 2"));
                        judge(
                            Terrain::from(&grid),
                            &PathQuery::new(start, goal).with_rules(rules),
                        );
                    }
                }
            }
        }
    }
}
