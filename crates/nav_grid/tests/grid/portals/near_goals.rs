//! Goals no further away than the next cluster.

use super::*;

/// Draws goals some steps away, among walls, exits and bends.
fn near_ends(grid: &Grid) -> Vec<(Cell, Cell)> {
    let open: Vec<Cell> = grid.walkable_cells().collect();
    let mut random = Xorshift::new(1);
    let near = |&(start, goal): &(Cell, Cell)| start != goal && start.chebyshev(goal) <= 24;
    (0..by_tier(600, 2000))
        .map(|_| (random.one_of(&open), random.one_of(&open)))
        .filter(near)
        .collect()
}

#[test]
fn cheapest() {
    let mut grid = mapgen::generate(Kind::Clutter { percent: 25 }, 90, 90, 3).unwrap();
    let ends = near_ends(&grid);
    assert!(ends.len() > 50);
    for exits in [false, true] {
        if exits {
            let ledge = Area::new(Cell::new(10, 40), Cell::new(70, 40));
            grid.set_exits(ledge, downward()).unwrap();
        }
        for (metric, corners) in [
            (Metric::Octile, CornerRule::Strict),
            (Metric::Grid, CornerRule::Cut),
            (Metric::Unit, CornerRule::Strict),
            (Metric::FourWay, CornerRule::Strict),
        ] {
            let rules = Rules::new(metric, corners);
            let map = built(&grid, rules);
            let terrain = Terrain::from(&map);
            let (mut search, mut path) = (PortalSearch::new(), Path::new());
            for &(start, goal) in &ends {
                let query = far(start, goal, rules);
                let truth = Dijkstra::new().search(&grid, &query, &mut path);
                let answer = search.search(terrain, &query, &mut path);
                assert_eq!(answer.status, truth.status);
                // No cheaper way leads further than 32 columns or rows from the start.
                let straight = f64::from(metric.straight());
                let steps = f64::from(answer.cost) / straight + f64::from(start.chebyshev(goal));
                if steps <= 64.0 {
                    assert_eq!(answer.cost, truth.cost, "{query:?}");
                }
                if answer.status == Status::Found {
                    assert_eq!(walk(terrain, &query, &path), Ok(answer.cost));
                }
            }
        }
    }
}

#[test]
fn within_limits() {
    let grid = mapgen::generate(Kind::Clutter { percent: 25 }, 90, 90, 3).unwrap();
    let rules = Rules::new(Metric::Octile, CornerRule::Strict);
    let map = built(&grid, rules);
    let terrain = Terrain::from(&map);
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let mut dearer = 0;
    for (start, goal) in near_ends(&grid) {
        let query = far(start, goal, rules);
        let free = search.search(terrain, &query, &mut path);
        if free.status != Status::Found {
            continue;
        }
        for expansions in [0, 1, 9, 40, free.counters.expanded] {
            let limits = Limits {
                expansions,
                ..Limits::UNBOUNDED
            };
            let answer = search.search(terrain, &query.with_limits(limits), &mut path);
            assert!(answer.counters.expanded <= expansions);
            if answer.status == Status::Found {
                assert_eq!(walk(terrain, &query, &path), Ok(answer.cost));
                assert!(answer.cost >= free.cost);
                dearer += u32::from(answer.cost > free.cost);
            }
            if expansions >= free.counters.expanded {
                assert_eq!(answer, free);
            }
        }
        // The way over portals may cost more than the limit, but the cheapest way does not.
        let tight = query.with_limits(Limits::UNBOUNDED.with_cost(free.cost));
        let answer = search.search(terrain, &tight, &mut path);
        assert_eq!((answer.status, answer.cost), (Status::Found, free.cost));
        let least = Dijkstra::new().search(&grid, &query, &mut path).cost;
        let short = query.with_limits(Limits::UNBOUNDED.with_cost(least - 1));
        let answer = search.search(terrain, &short, &mut path);
        assert_eq!(
            (answer.status, path.is_empty()),
            (Status::BudgetSpent, true)
        );
    }
    assert!(dearer > 0, "a cheaper path takes expansions");
}
