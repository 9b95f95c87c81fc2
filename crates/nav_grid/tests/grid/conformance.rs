//! Methods for cheapest paths are compared with Dijkstra's search, and budgets with searches
//! without one: on random maps with everything, and on every small map.

use crate::worlds::{World, any_case, any_question, tries};
use nav_grid::{
    Area, Cell, CornerRule, Direction, Directions, Edit, Footprint, Grid, Limits, Link, Metric,
    Path, PathQuery, Rules, Search, Size, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, JumpPointSearch},
    rules::Heuristic,
};
use nav_judge::{
    Ground, Xorshift, by_tier, cells, judge_budget, judge_exact_methods as judge, judge_way_out,
    metrics, settled,
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

fn random_edit(grid: &Grid, seed: u64) -> Edit {
    let mut random = Xorshift::new(seed);
    let cells: Vec<Cell> = cells(grid.size()).collect();
    let (first, second) = (random.one_of(&cells), random.one_of(&cells));
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
