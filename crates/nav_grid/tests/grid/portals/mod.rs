//! Portals: paths and fields over them compared with the oracle, repaired graphs with fresh ones.

mod costs;
mod fields;
mod many_targets;
mod near_goals;
mod repairs;
mod slices;

use crate::{
    scenes::{self, downward, with_portals as built},
    worlds::{any_rules, tries},
};
use mapgen::Kind;
use nav_grid::{
    Area, Cell, CornerRule, Grid, IndexedMap, Limits, Metric, Path, PathQuery, Rules, Search, Size,
    Status, Terrain,
    fields::{FieldError, FieldMove, PortalField},
    methods::{Dijkstra, PortalSearch},
    query::{Fallback, Feature},
};
use nav_judge::{Ground, Xorshift, by_tier, cells, settled, walk};
use proptest::{collection::vec, prelude::*};

/// Draws a map of several clusters, with or without step costs, exits and links.
fn any_wide() -> impl Strategy<Value = Ground> {
    let size = prop_oneof![
        1 => (2..=30_u16, 2..=30_u16, 1..=4_u8),
        3 => (20..=100_u16, 20..=100_u16, 1..=2_u8)
    ];
    let exits = prop_oneof![2 => Just(None), 1 => Just(Some(12))];
    let costs = prop_oneof![2 => Just(false), 1 => Just(true)];
    (size, any::<u64>(), 0..45_u32, (costs, exits), 0..12_u32).prop_map(
        |((width, height, floors), seed, walls_percent, (costs, exits), links)| Ground {
            costs,
            exits,
            links,
            honest: seed % 3 == 0,
            ..Ground::of_walls(
                Size::new(width, height).with_floors(floors),
                seed,
                walls_percent,
            )
        },
    )
}

fn far(start: Cell, goal: Cell, rules: Rules) -> PathQuery {
    scenes::far(start, goal).with_rules(rules)
}

/// Checks that a path is legal and costs what the answer says, no less than the best one and not
/// much more. Without a path the answer must be the oracle's.
fn judge(terrain: Terrain<'_>, query: &PathQuery, search: &mut PortalSearch) {
    let mut path = Path::new();
    let truth = Dijkstra::new().search(terrain.grid(), query, &mut path);
    let answer = search.search(terrain, query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?}");
    if answer.status == Status::Found {
        assert_eq!(path.end(), Some(query.goal));
        assert_eq!(walk(terrain, query, &path), Ok(answer.cost), "{query:?}");
        assert!(answer.cost >= truth.cost);
        // Exits on every twelfth cell make the way to the middle of a portal long, and step costs
        // up to 64 make it costly.
        let factor = if terrain.grid().has_costs() { 8 } else { 1 };
        let slack = 40 * factor * query.rules.metric.straight();
        assert!(
            answer.cost <= truth.cost * 2 + slack,
            "{} of {}: {query:?}",
            answer.cost,
            truth.cost
        );
    }
    let closest = query.with_fallback(Fallback::ClosestReached);
    let partial = search.search(terrain, &closest, &mut path);
    if partial.status.has_path() {
        assert_eq!(walk(terrain, query, &path), Ok(partial.cost));
        let (start, goal) = (query.start, query.goal);
        let end = path.end().unwrap_or(start);
        let away = |cell: Cell| {
            let (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
            query.rules.metric.open_ground(columns, rows)
        };
        let comes_nearer = away(end) < away(start);
        assert!(partial.status == Status::Found || comes_nearer, "{query:?}");
    }
}

proptest! {
    #![proptest_config(tries(40, 160))]

    #[test]
    fn random_worlds(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let (mut random, mut search) = (Xorshift::new(seed), PortalSearch::new());
        for _ in 0..6 {
            let (start, goal) = (random.cell(world.size), random.cell(world.size));
            let query = settled(far(start, goal, rules), &grid);
            judge((&map).into(), &query, &mut search);
        }
    }
}

/// A field is of one map: on another one of the same size and version it has no distances.
#[test]
fn other_map() {
    let open = built(&Grid::open(100, 100).unwrap(), Rules::default());
    let walls = Grid::from_fn(100, 100, |cell| cell.x % 3 > 0 || cell.y % 5 > 0).unwrap();
    let walls = built(&walls, Rules::default());
    let (start, target) = (Cell::new(1, 1), Cell::new(91, 90));
    for (one, other) in [(&open, &walls), (&walls, &open)] {
        let mut field = PortalField::new();
        field.aim(one, Rules::default(), target).unwrap();
        assert_eq!(field.distance(other, start), None);
        assert!(field.distance(one, start).is_some());
        assert_eq!(field.distance(other, start), None);
        field.aim(other, Rules::default(), target).unwrap();
        assert!(field.distance(other, start).is_some());
    }
}

#[test]
fn refused() {
    let grid = Grid::open(100, 100).unwrap();
    let mut map = built(&grid, Rules::default());
    let query = far(Cell::new(1, 1), Cell::new(90, 90), Rules::default());
    let answer = |map: &IndexedMap, query: PathQuery| {
        let mut path = Path::new();
        let outcome = PortalSearch::new().search(map, &query, &mut path);
        outcome.status
    };
    let field = |map: &IndexedMap, rules, target| PortalField::new().aim(map, rules, target);
    let unprepared = Status::Unsupported(Feature::Preparation);
    let no_field = Err(FieldError::Unsupported(Feature::Preparation));
    let target = query.goal;

    assert_eq!(answer(&map, query), Status::Found);
    assert_eq!(field(&map, query.rules, target), Ok(()));
    let window = query.with_limits(Limits::window(95));
    let too_small = Status::Unsupported(Feature::Window);
    assert_eq!(answer(&map, window), too_small);
    let bare = IndexedMap::new(grid);
    assert_eq!(field(&bare, query.rules, target), no_field);
    let octile = Rules::new(Metric::Octile, CornerRule::Strict);
    assert_eq!(answer(&map, query.with_rules(octile)), unprepared);
    assert_eq!(field(&map, octile, target), no_field);
    let outside = field(&map, query.rules, Cell::new(100, 0)).unwrap_err();
    assert_eq!(
        outside.to_string(),
        "a field cannot be aimed at 100,0: it is outside the map"
    );

    map.set_walkable(Cell::new(5, 5), false).unwrap();
    assert_eq!(answer(&map, query), unprepared);
    assert_eq!(field(&map, query.rules, target), no_field);
    map.repair();
    assert_eq!(answer(&map, query), Status::Found);
}
