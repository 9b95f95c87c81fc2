//! Methods for cheapest paths are compared with Dijkstra's search, and budgets with searches
//! without one: on random maps with everything, and on every small map.

use crate::{
    scenes::indexed,
    worlds::{World, any_case, any_question, random_edit, tries},
};
use nav_grid::{
    Cell, CornerRule, Direction, Footprint, Grid, Limits, Metric, Path, PathQuery, Planner, Rules,
    Search, Size, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch},
    rules::{Class, ClassCosts, Heuristic},
};
use nav_judge::{
    Ground, Terms, by_tier, cells, judge_all_methods, judge_budget, judge_exact_methods as judge,
    judge_way_out, metrics, settled,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Judges queries with and without bodies.
pub fn judge_world(world: &World, queries: &[PathQuery]) {
    let (grid, bodies) = (world.grid(), world.bodies());
    for (number, &query) in queries.iter().enumerate() {
        // The first one keeps its ends, in walls or not.
        let query = if number == 0 {
            query
        } else {
            settled(query, &grid)
        };
        judge(Terrain::from(&grid).with_bodies(&bodies), &query);
        judge(Terrain::from(&grid), &query);
    }
}

/// Compares an edited map with a fresh map of the same state, and both with the truth.
pub fn judge_edited(world: &World, queries: &[PathQuery], seeds: &[u64]) {
    let bodies = world.bodies();
    let mut edited = world.grid();
    for &seed in seeds {
        let edit = random_edit(&edited, seed);
        edited.apply(&edit).expect("an edit of the map");
    }
    let mut afresh = Grid::build(world.size(), |cell| edited.is_walkable(cell)).unwrap();
    for cell in cells(world.size()) {
        if edited.is_walkable(cell) {
            afresh.set_cost(cell, edited.cost(cell)).unwrap();
        }
        afresh.set_exits(cell, edited.exits(cell)).unwrap();
    }
    for &link in edited.links() {
        afresh.set_link(link).unwrap();
    }
    assert_eq!(&edited, &afresh);
    let [edited, afresh] = [&edited, &afresh].map(|grid| Terrain::from(grid).with_bodies(&bodies));
    let (mut one, mut other) = (Path::new(), Path::new());
    for &query in queries {
        let query = settled(query, edited.grid());
        judge(edited, &query);
        assert_eq!(
            BoundedAStar::new().search(edited, &query, &mut one),
            BoundedAStar::new().search(afresh, &query, &mut other)
        );
        assert_eq!(&one, &other);
    }
}

proptest! {
    #![proptest_config(tries(300, 4000))]

    #[test]
    fn random_worlds((world, queries) in any_case()) {
        judge_world(&world, &queries);
    }

    #[test]
    fn edited_worlds((world, queries) in any_case(), seeds in vec(any::<u64>(), 1..12)) {
        judge_edited(&world, &queries, &seeds);
    }

    /// With all indexes, before edits and after, where some classes are forbidden or cost more.
    #[test]
    fn every_method(
        (mut world, queries) in any_case(),
        classes in any_classes(),
        seeds in vec(any::<u64>(), 0..6),
    ) {
        if classes != ClassCosts::ALL {
            world.ground.classes = 4;
        }
        let (rules, bodies) = (queries[0].rules.with_classes(classes), world.bodies());
        let (mut map, mut planner) = (indexed(&world.grid(), rules), Planner::new());
        for edited in [false, true] {
            for seed in seeds.iter().filter(|_| edited) {
                let edit = random_edit(map.grid(), *seed);
                map.apply(&edit).expect("an edit of the map");
            }
            map.repair();
            for query in &queries {
                let query = settled(query.with_rules(rules), map.grid());
                let terrain = Terrain::from(&map).with_bodies(&bodies);
                judge_all_methods(&mut planner, terrain, &query, TERMS);
                judge_all_methods(&mut planner, (&map).into(), &query, TERMS);
            }
        }
    }

    #[test]
    fn budgets(
        (world, query) in any_question(),
        guess in select(&Heuristic::ALL[..]),
        expansions in 0..200_u32,
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let query = settled(query, &grid);
        judge_budget::<JumpPointSearch>(terrain, &query, expansions);
        judge_budget::<Dijkstra>(terrain, &query, expansions);
        judge_budget::<BoundedAStar>(terrain, &query.with_heuristic(guess), expansions);
    }
}

/// Exits on every fourth cell make the way to the middle of a portal long, and step costs dear.
const TERMS: Terms = Terms {
    portal_slack: 320,
    is_prepared: true,
};

/// Draws kinds of agents.
fn any_classes() -> impl Strategy<Value = ClassCosts> {
    let class = |number| Class::new(number).unwrap();
    prop_oneof![
        3 => Just(ClassCosts::ALL),
        1 => Just(ClassCosts::ALL.without(class(1))),
        1 => Just(ClassCosts::ALL.without(class(2)).with(class(3), 3)),
        1 => Just(ClassCosts::ALL.with(class(0), 2).with(class(1), 15)),
        1 => Just(ClassCosts::only([class(0), class(3)])),
    ]
}

/// Returns the factor, as a fraction, by which an inadmissible guess may exceed the true cost: that
/// of a way straight along a diagonal. `None` without such a bound.
fn overestimate(heuristic: Heuristic, metric: Metric) -> Option<(u64, u64)> {
    let straight = u64::from(metric.straight());
    let diagonal = metric.diagonal().map_or(2 * straight, u64::from);
    match heuristic {
        _ if heuristic.is_admissible(metric) => Some((1, 1)),
        Heuristic::Manhattan => Some((2 * straight, diagonal)),
        Heuristic::Octile | Heuristic::Euclidean => {
            Some(((straight * 3363).div_ceil(2378), diagonal))
        }
        Heuristic::EuclideanSquared => None,
        other => panic!("{other:?} has no stated bound"),
    }
}

/// Checks that a path of A* costs no more than its guess promises.
fn judge_guess(grid: &Grid, query: &PathQuery) {
    let (mut found, mut shortest) = (Path::new(), Path::new());
    let truth = Dijkstra::new().search(grid, query, &mut shortest);
    let answer = BoundedAStar::new().search(grid, query, &mut found);
    if judge_way_out(truth, answer, grid.into(), query, &found) {
        return;
    }
    assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
    if truth.status != Status::Found {
        return;
    }
    assert_eq!(found.end(), Some(query.goal));
    for (outcome, path) in [(answer, &found), (truth, &shortest)] {
        let walked = path.walk(grid, query.start, query.rules);
        assert_eq!(walked, Ok(outcome.cost), "{query:?}");
    }
    let bound = overestimate(query.heuristic, query.rules.metric);
    let (cost, best) = (u64::from(answer.cost), u64::from(truth.cost));
    let is_right = best <= cost && bound.is_none_or(|(worst, scale)| cost * scale <= best * worst);
    assert!(is_right, "{cost} for {best}: {query:?} on {grid:?}");
    let jumps = JumpPointSearch::new().search(grid, query, &mut found);
    if !matches!(jumps.status, Status::Unsupported(_)) {
        assert_eq!(jumps.status, Status::Found, "{query:?} on {grid:?}");
        let walked = found.walk(grid, query.start, query.rules);
        assert_eq!(walked, Ok(jumps.cost), "{query:?}");
        let is_least = query.heuristic.is_admissible(query.rules.metric);
        assert!(jumps.cost >= truth.cost, "{query:?}");
        assert!(
            !is_least || jumps.cost == truth.cost,
            "{query:?} on {grid:?}"
        );
    }
}

fn all_rules() -> impl Iterator<Item = Rules> {
    let corners = |metric| CornerRule::ALL.map(|corners| Rules::new(metric, corners));
    metrics().into_iter().flat_map(corners)
}

proptest! {
    #![proptest_config(tries(1000, 4000))]

    #[test]
    fn every_guess(
        (width, height, seed, walls_percent) in (1..=70_u16, 1..=24_u16, any::<u64>(), 0..=55_u32),
        // Beyond the edge now and then: ends off the map must agree, too.
        ends in [(0..=70_u16, 0..=24_u16), (0..=70, 0..=24)],
        rules in select(all_rules().collect::<Vec<_>>()),
        guess in select(&Heuristic::ALL[..]),
        radius in prop_oneof![1..=30_u16, Just(u16::MAX)],
    ) {
        let grid = Ground::of_walls(Size::new(width, height), seed, walls_percent).grid();
        let end = |(x, y): (u16, u16)| Cell::new(x.min(width), y.min(height));
        let query = PathQuery::new(end(ends[0]), end(ends[1]))
            .with_rules(rules)
            .with_heuristic(guess)
            .with_limits(Limits::window(radius));
        judge_guess(&grid, &query);
    }
}

/// Every map, every pair of its cells, all rules. The smallest maps have every guess as well.
#[test]
fn every_smallest_map() {
    // Soak: 3×4.
    let cells_max = by_tier(8, 12);
    let shapes = (1..=4_u16).flat_map(|width| (1..=4_u16).map(move |height| (width, height)));
    for (width, height) in shapes.filter(|&(width, height)| width * height <= cells_max) {
        let guesses = if width * height <= 4 {
            &Heuristic::ALL[..]
        } else {
            &[Heuristic::OpenGround]
        };
        for bits in 0..1_u32 << (width * height) {
            let is_open = |cell: Cell| bits >> (cell.y * width + cell.x) & 1 == 1;
            let grid = Grid::from_fn(width, height, is_open).unwrap();
            let cells: Vec<Cell> = grid.walkable_cells().collect();
            for (&start, &goal) in cells
                .iter()
                .flat_map(|one| cells.iter().map(move |two| (one, two)))
            {
                for rules in all_rules() {
                    for &guess in guesses {
                        let query = PathQuery::new(start, goal).with_rules(rules);
                        judge_guess(&grid, &query.with_heuristic(guess));
                    }
                }
            }
        }
    }
}

/// Every map of 3×3 cells, every pair of its cells, bodies of one and of four cells, and exits of
/// the middle cell: in soak every mask of its four straight steps, and else one of them for each
/// map, and all steps.
#[test]
fn every_map_of_exits() {
    for bits in 0..1_u32 << 9 {
        let walls = Grid::from_fn(3, 3, |cell| bits >> (cell.y * 3 + cell.x) & 1 == 1).unwrap();
        let some = by_tier(bits % 15, 0)..=by_tier(bits % 15, 15);
        for mask in some.chain(by_tier(Some(15), None)) {
            let mut grid = walls.clone();
            let exits = Direction::ALL
                .into_iter()
                .filter(|&way| way.is_diagonal() || mask >> (way as u8 / 2) & 1 == 1);
            grid.set_exits(Cell::new(1, 1), exits.collect()).unwrap();
            for start in grid.walkable_cells() {
                for goal in grid.walkable_cells() {
                    for side in 1..=2 {
                        let footprint = Footprint::new(side).expect("1 or 2");
                        let rules = Rules::default().with_footprint(footprint);
                        let query = PathQuery::new(start, goal).with_rules(rules);
                        judge(Terrain::from(&grid), &query);
                    }
                }
            }
        }
    }
}
