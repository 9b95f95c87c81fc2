//! The oracle judges bounded A*: every small map completely, larger ones at random.

use nav_grid::{
    Cell, CornerRule, Grid, Limits, Metric, Path, PathQuery, Rules, Search, Status,
    methods::{BoundedAStar, Dijkstra},
    rules::Heuristic,
};
use proptest::prelude::*;

struct Judge {
    astar: BoundedAStar,
    dijkstra: Dijkstra,
    found: Path,
    shortest: Path,
}

impl Judge {
    fn new() -> Self {
        Self {
            astar: BoundedAStar::new(),
            dijkstra: Dijkstra::new(),
            found: Path::new(),
            shortest: Path::new(),
        }
    }

    /// Both must agree on the status, and on the cost as far as the heuristic promises.
    fn compare(&mut self, grid: &Grid, query: &PathQuery) {
        let truth = self.dijkstra.search(grid, query, &mut self.shortest);
        let answer = self.astar.search(grid, query, &mut self.found);
        assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
        if truth.status != Status::Found {
            return;
        }
        assert_eq!(self.found.end(), Some(query.goal));
        for (outcome, path) in [(answer, &self.found), (truth, &self.shortest)] {
            assert_eq!(
                path.walk(grid, query.start, query.rules),
                Ok(outcome.cost),
                "{query:?}"
            );
        }
        if query.heuristic.is_admissible(query.rules.metric) {
            assert_eq!(answer.cost, truth.cost, "{query:?} on {grid:?}");
        } else {
            let (worst, scale) = overestimate(query.heuristic, query.rules.metric);
            let (cost, best) = (u64::from(answer.cost), u64::from(truth.cost));
            assert!(
                cost * scale <= best * worst,
                "{cost} against {best}: {query:?} on {grid:?}"
            );
        }
    }
}

/// The factor, as a fraction, by which an inadmissible guess may exceed the true cost.
fn overestimate(heuristic: Heuristic, metric: Metric) -> (u64, u64) {
    match (heuristic, metric) {
        (Heuristic::Manhattan | Heuristic::Octile, Metric::Unit) => (2, 1),
        (Heuristic::Manhattan, Metric::Grid) => (20, 14),
        (Heuristic::Manhattan, Metric::TwoThree) => (4, 3),
        (Heuristic::Octile, Metric::Grid) => (15, 14),
        (Heuristic::Manhattan, Metric::Octile) => (2 * 2378, 3363),
        other => panic!("{other:?} has no stated bound"),
    }
}

fn all_rules() -> impl Iterator<Item = Rules> {
    Metric::ALL.into_iter().flat_map(|metric| {
        CornerRule::ALL
            .into_iter()
            .map(move |corners| Rules::new(metric, corners))
    })
}

#[test]
fn every_map_of_at_most_three_by_four_cells() {
    let mut judge = Judge::new();
    let shapes = (1..=4u16).flat_map(|w| (1..=4u16).map(move |h| (w, h)));
    for (width, height) in shapes.filter(|&(w, h)| w.min(h) <= 3) {
        for bits in 0..1u32 << (width * height) {
            let grid = Grid::from_fn(width, height, |cell| {
                bits >> (cell.y * width + cell.x) & 1 == 1
            });
            let grid = grid.unwrap();
            let cells: Vec<Cell> = grid.walkable_cells().collect();
            for &start in &cells {
                for &goal in &cells {
                    for rules in all_rules() {
                        judge.compare(&grid, &PathQuery::new(start, goal).with_rules(rules));
                    }
                }
            }
        }
    }
}

fn any_grid() -> impl Strategy<Value = Grid> {
    (1..=70u16, 1..=24u16, 0..=55u32, any::<u64>()).prop_map(|(width, height, percent, seed)| {
        let mut state = seed | 1;
        Grid::from_fn(width, height, |_| {
            // Xorshift: the map follows from the printed seed alone.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u32 % 100 >= percent
        })
        .unwrap()
    })
}

fn any_cell(grid: &Grid) -> impl Strategy<Value = Cell> + use<> {
    // One past the edge now and then: ends off the map must agree too.
    (0..=grid.width(), 0..=grid.height()).prop_map(|(x, y)| Cell::new(x, y))
}

fn any_query() -> impl Strategy<Value = (Grid, PathQuery)> {
    any_grid().prop_flat_map(|grid| {
        let metric = prop::sample::select(&Metric::ALL[..]);
        let corners = prop::sample::select(&CornerRule::ALL[..]);
        let heuristic = prop::sample::select(&Heuristic::ALL[..]);
        let radius = prop_oneof![1..=30u16, Just(u16::MAX)];
        let ends = (any_cell(&grid), any_cell(&grid));
        (Just(grid), ends, metric, corners, heuristic, radius).prop_map(
            |(grid, (start, goal), metric, corners, heuristic, radius)| {
                let query = PathQuery::new(start, goal)
                    .with_rules(Rules::new(metric, corners))
                    .with_heuristic(heuristic)
                    .with_limits(Limits::window(radius));
                (grid, query)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn random_maps_rules_and_windows((grid, query) in any_query()) {
        Judge::new().compare(&grid, &query);
    }

    /// A budget only ever turns an answer into `BudgetSpent`, never into a wrong one.
    #[test]
    fn a_budget_never_lies((grid, query) in any_query(), expansions in 0..200u32) {
        let limits = Limits { expansions, ..query.limits };
        let mut path = Path::new();
        let free = BoundedAStar::new().search(&grid, &query, &mut path);
        let capped =
            BoundedAStar::new().search(&grid, &query.with_limits(limits), &mut path);
        prop_assert!(capped.counters.expanded <= expansions);
        if capped.status == Status::BudgetSpent {
            prop_assert!(free.counters.expanded > expansions || free.status == Status::Found);
        } else {
            prop_assert_eq!(capped, free);
        }
    }
}
