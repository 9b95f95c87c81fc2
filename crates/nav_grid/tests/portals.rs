//! Portals: paths over them are held to the oracle, repaired graphs to fresh ones.

mod worlds;

use nav_grid::{
    BodyPolicy, Cell, Charts, Dijkstra, Fallback, Feature, Grid, Limits, Metric, Path, PortalPath,
    Portals, Query, Rules, Search, Status, Terrain,
};
use proptest::prelude::*;
use worlds::{any_case, settled, walk};

fn charted(grid: &Grid, rules: Rules) -> Charts {
    let mut charts = Charts::default();
    charts.portals = Some(Portals::new(grid, rules));
    charts
}

/// The query of a drawn case, as the portals can serve it.
fn far(query: Query) -> Query {
    let rules = query.rules.with_bodies(BodyPolicy::Ignore);
    query.with_rules(rules).with_limits(Limits::UNBOUNDED)
}

/// A path is legal and costs what is said, no less than the best one and not much more; where
/// there is none, the answer is the oracle's.
fn judge(terrain: Terrain<'_>, query: &Query, search: &mut PortalPath) {
    let mut path = Path::new();
    let truth = Dijkstra::new().search(terrain.grid, query, &mut path);
    let answer = search.search(terrain, query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?}");
    if answer.status == Status::Found {
        assert_eq!(path.end(), Some(query.goal));
        // A step may lead where a dearer link does.
        let walked = walk(terrain, query, &path).unwrap();
        assert_eq!(walked, answer.cost, "{query:?}");
        assert!(answer.cost >= truth.cost);
        // A way through a portal passes its middle cell, which may be four cells aside.
        let straight = query.rules.metric.straight();
        assert!(
            answer.cost <= truth.cost * 2 + 40 * straight,
            "{} of {}: {query:?}",
            answer.cost,
            truth.cost
        );
    }
    let closest = query.with_fallback(Fallback::ClosestReached);
    let partial = search.search(terrain, &closest, &mut path);
    if partial.status.has_path() {
        assert_eq!(walk(terrain, query, &path), Ok(partial.cost));
    }
}

fn without_costs(grid: &mut Grid) {
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for cell in cells {
        grid.set_cost(cell, 1).unwrap();
    }
    grid.compact();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_worlds((world, queries) in any_case()) {
        let mut grid = world.grid();
        without_costs(&mut grid);
        let mut search = PortalPath::new();
        for &query in &queries {
            let query = settled(far(query), &grid);
            let charts = charted(&grid, query.rules);
            judge(grid.with_charts(&charts), &query, &mut search);
        }
    }
}

#[test]
fn what_portals_cannot_serve_is_refused() {
    let mut grid = Grid::open(100, 100).unwrap();
    let charts = charted(&grid, Rules::default());
    let query = Query::new(Cell::new(1, 1), Cell::new(90, 90)).with_limits(Limits::UNBOUNDED);
    let refusal = |grid: &Grid, charts: &Charts, query: Query| {
        let mut path = Path::new();
        PortalPath::new()
            .search(grid.with_charts(charts), &query, &mut path)
            .status
    };
    assert_eq!(refusal(&grid, &charts, query), Status::Found);
    let window = query.with_limits(Limits::window(95));
    let unprepared = Status::Unsupported(Feature::Preparation);
    assert_eq!(
        refusal(&grid, &charts, window),
        Status::Unsupported(Feature::Window)
    );
    assert_eq!(refusal(&grid, &Charts::default(), query), unprepared);
    let octile = query.with_rules(Rules {
        metric: Metric::Octile,
        ..Rules::default()
    });
    assert_eq!(refusal(&grid, &charts, octile), unprepared);
    grid.set_walkable(Cell::new(5, 5), false).unwrap();
    assert_eq!(refusal(&grid, &charts, query), unprepared);
    grid.set_cost(Cell::new(5, 5), 3).unwrap();
    assert_eq!(
        refusal(&grid, &charts, query),
        Status::Unsupported(Feature::Costs)
    );
}
