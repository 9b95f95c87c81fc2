//! The mosaic search: scenarios, and Dijkstra's search as the judge of drawn ones.

use nav_grid::{
    Area, Bodies, BodyPolicy, Cell, CornerRule, Dijkstra, Direction, Directions, Edit, Feature,
    Footprint, Grid, Heuristic, Limits, Link, Metric, Mosaic, MosaicSearch, Path, Query, Rules,
    Search, Size, Status, Terrain,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Asks both searches, which must agree on status and cost, and returns the status.
fn judge(grid: &Grid, mosaic: &Mosaic, search: &mut MosaicSearch, query: &Query) -> Status {
    let mut path = Path::new();
    let truth = Dijkstra::new().search(grid, query, &mut path);
    let answer = search.search(Terrain::from(grid).with_mosaic(mosaic), query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
    assert_eq!(answer.cost, truth.cost, "{query:?} on {grid:?}");
    if truth.status == Status::Found {
        assert_eq!(path.walk(grid, query.start, query.rules), Ok(truth.cost));
        assert_eq!(path.end(), Some(query.goal));
    } else {
        assert!(path.is_empty());
    }
    answer.status
}

fn far(start: (u16, u16), goal: (u16, u16)) -> Query {
    Query::new(start.into(), goal.into())
        .with_rules(Rules::new(Metric::Octile, CornerRule::Strict))
        .with_limits(Limits::UNBOUNDED)
}

#[test]
fn open_ground_takes_a_crossing_a_block() {
    let grid = Grid::open(640, 640).unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    let query = far((1, 1), (638, 600));
    let mut path = Path::new();
    let terrain = Terrain::from(&grid).with_mosaic(&mosaic);
    let outcome = MosaicSearch::new().search(terrain, &query, &mut path);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(outcome.cost, Metric::Octile.open_ground(637, 599));
    assert_eq!(path.walk(&grid, query.start, query.rules), Ok(outcome.cost));
    assert!(outcome.counters.expanded <= 20, "{:?}", outcome.counters);
}

#[test]
fn a_wall_is_walked_around_at_its_very_end() {
    let mut grid = Grid::open(200, 200).unwrap();
    grid.set_walkable(Area::new(Cell::new(100, 0), Cell::new(100, 170)), false)
        .unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    for metric in Metric::ALL {
        for corners in CornerRule::ALL {
            let query = far((20, 20), (180, 30)).with_rules(Rules::new(metric, corners));
            judge(&grid, &mosaic, &mut MosaicSearch::new(), &query);
        }
    }
}

#[test]
fn cheap_ground_beside_a_block_is_worth_a_detour() {
    let mut grid = Grid::open(128, 128).unwrap();
    let mud = Area::new(Cell::new(0, 0), Cell::new(127, 126));
    grid.set_cost(mud, 20).unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    // Both ends are inside one block, and the way leads out of it.
    let query = far((70, 100), (120, 101));
    let terrain = Terrain::from(&grid).with_mosaic(&mosaic);
    let mut path = Path::new();
    MosaicSearch::new().search(terrain, &query, &mut path);
    assert!(path.iter().any(|cell| cell.y == 127));
    judge(&grid, &mosaic, &mut MosaicSearch::new(), &query);
}

#[test]
fn a_walled_in_goal_is_out_of_reach() {
    let mut grid = Grid::open(150, 150).unwrap();
    for (x, y) in [
        (90, 90),
        (91, 90),
        (92, 90),
        (90, 91),
        (92, 91),
        (90, 92),
        (91, 92),
        (92, 92),
    ] {
        grid.set_walkable(Cell::new(x, y), false).unwrap();
    }
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    let mut search = MosaicSearch::new();
    let query = far((3, 3), (91, 91));
    assert_eq!(
        judge(&grid, &mosaic, &mut search, &query),
        Status::Unreachable
    );
    let window = query.with_limits(Limits::window(30));
    assert_eq!(judge(&grid, &mosaic, &mut search, &window), Status::TooFar);
}

#[test]
fn a_map_that_is_not_prepared_or_was_edited_is_not_served() {
    let mut grid = Grid::open(80, 80).unwrap();
    let mut mosaic = Mosaic::new(&grid, Footprint::ONE);
    let query = far((1, 1), (70, 70));
    let mut path = Path::new();
    let mut search = MosaicSearch::new();
    let unprepared = Status::Unsupported(Feature::Preparation);
    assert_eq!(search.search(&grid, &query, &mut path).status, unprepared);

    grid.set_walkable(Cell::new(30, 30), false).unwrap();
    let outdated = Terrain::from(&grid).with_mosaic(&mosaic);
    assert_eq!(
        search.search(outdated, &query, &mut path).status,
        unprepared
    );

    mosaic.repair(&grid);
    let repaired = Terrain::from(&grid).with_mosaic(&mosaic);
    assert_eq!(
        search.search(repaired, &query, &mut path).status,
        Status::Found
    );
    let large = Rules::default().with_footprint(Footprint::new(2).unwrap());
    let outcome = search.search(repaired, &query.with_rules(large), &mut path);
    assert_eq!(outcome.status, unprepared, "it is for bodies of one cell");
}

#[test]
fn bodies_are_not_served() {
    let grid = Grid::open(80, 80).unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    let bodies = Bodies::new(grid.size());
    let rules = Rules::default().with_bodies(BodyPolicy::AvoidAll);
    let query = far((1, 1), (70, 70)).with_rules(rules);
    let terrain = grid.with_bodies(&bodies).with_mosaic(&mosaic);
    let outcome = MosaicSearch::new().search(terrain, &query, &mut Path::new());
    assert_eq!(outcome.status, Status::Unsupported(Feature::Bodies));
}

#[test]
fn a_budget_counts_crossings() {
    let grid = Grid::open(640, 64).unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    let terrain = Terrain::from(&grid).with_mosaic(&mosaic);
    let limits = |expansions| Limits {
        expansions,
        ..Limits::UNBOUNDED
    };
    let mut ask = |expansions| {
        let query = far((1, 30), (638, 30)).with_limits(limits(expansions));
        MosaicSearch::new()
            .search(terrain, &query, &mut Path::new())
            .status
    };
    assert_eq!(ask(9), Status::BudgetSpent);
    assert_eq!(ask(10), Status::Found);
}

/// What a map is made of: rectangles, since those are what blocks are made of, and sprinkles.
#[derive(Clone, Debug)]
struct World {
    size: Size,
    walls: Vec<Area>,
    mud: Vec<(Area, u8)>,
    exits: Vec<(Area, u8)>,
    links: Vec<(Cell, Cell, u16)>,
    prepared: bool,
}

impl World {
    fn grid(&self, footprint: Footprint) -> Grid {
        let mut grid = Grid::build(self.size, |_| true).unwrap();
        for &wall in &self.walls {
            grid.set_walkable(wall, false).unwrap();
        }
        for &(area, cost) in &self.mud {
            for cell in area
                .cells()
                .filter(|&cell| self.walls.iter().all(|wall| !wall.contains(cell)))
            {
                grid.set_cost(cell, cost).unwrap();
            }
        }
        for &(area, exits) in &self.exits {
            grid.set_exits(area, Directions(exits)).unwrap();
        }
        for &(from, to, cost) in &self.links {
            grid.set_link(Link::new(from, to).with_cost(cost)).unwrap();
        }
        if self.prepared {
            grid.prepare_footprint(footprint);
        }
        grid
    }
}

fn any_cell(size: Size) -> impl Strategy<Value = Cell> {
    (0..size.width, 0..size.height, 0..size.floors).prop_map(|(x, y, floor)| Cell { x, y, floor })
}

/// Long walls, blots, and single cells.
fn any_area(size: Size) -> impl Strategy<Value = Area> {
    let sides = prop_oneof![
        Just((0, 0)),
        (0..=80_u16).prop_map(|long| (long, 0)),
        (0..=80_u16).prop_map(|long| (0, long)),
        (0..=40_u16, 0..=40_u16)
    ];
    (any_cell(size), sides).prop_map(move |(cell, (dx, dy))| {
        let x = (cell.x + dx).min(size.width - 1);
        let y = (cell.y + dy).min(size.height - 1);
        Area::new(cell, Cell { x, y, ..cell })
    })
}

fn any_world() -> impl Strategy<Value = World> {
    let size = (
        1..=140_u16,
        1..=100_u16,
        prop_oneof![4 => Just(1_u8), 1 => 2..=3_u8],
    )
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors));
    size.prop_flat_map(|size| {
        let some = |most: usize| prop_oneof![1 => Just(0..=0), 1 => Just(1..=most)];
        let walls = vec(any_area(size), 0..=24);
        let mud = some(6).prop_flat_map(move |n| vec((any_area(size), 1..=9_u8), n));
        let exits = some(4).prop_flat_map(move |n| vec((any_area(size), any::<u8>()), n));
        let links =
            some(5).prop_flat_map(move |n| vec((any_cell(size), any_cell(size), 1..=90_u16), n));
        (walls, mud, exits, links, any::<bool>()).prop_map(
            move |(walls, mud, exits, links, prepared)| World {
                size,
                walls,
                mud,
                exits,
                links,
                prepared,
            },
        )
    })
}

fn any_query(size: Size) -> impl Strategy<Value = Query> {
    (
        (any_cell(size), any_cell(size)),
        (select(&Metric::ALL[..]), select(&CornerRule::ALL[..])),
        select(&Heuristic::ALL[..]),
        prop_oneof![2 => Just(u16::MAX), 1 => 5..=70_u16],
    )
        .prop_map(|((start, goal), (metric, corners), heuristic, radius)| {
            Query::new(start, goal)
                .with_rules(Rules::new(metric, corners))
                .with_heuristic(heuristic)
                .with_limits(Limits::window(radius))
        })
}

fn any_footprint() -> impl Strategy<Value = Footprint> {
    prop_oneof![3 => Just(1), 1 => 2..=4_u8].prop_map(|side| Footprint::new(side).unwrap())
}

fn any_case() -> impl Strategy<Value = (World, Footprint, Vec<Query>)> {
    (any_world(), any_footprint()).prop_flat_map(|(world, footprint)| {
        let queries = vec(any_query(world.size), 1..4);
        (Just(world), Just(footprint), queries)
    })
}

fn any_edit(size: Size) -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any_area(size), any::<bool>()).prop_map(|(area, open)| Edit::Walkable(area, open)),
        (any_area(size), 1..=5_u8).prop_map(|(area, cost)| Edit::Cost(area, cost)),
        (any_area(size), any::<u8>())
            .prop_map(|(area, exits)| Edit::Exits(area, Directions(exits))),
        (any_cell(size), any_cell(size)).prop_map(|(from, to)| Edit::Link(Link::new(from, to))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn drawn_maps_and_queries((world, footprint, queries) in any_case()) {
        let grid = world.grid(footprint);
        let mosaic = Mosaic::new(&grid, footprint);
        let mut search = MosaicSearch::new();
        for query in queries {
            let rules = query.rules.with_footprint(footprint);
            judge(&grid, &mosaic, &mut search, &query.with_rules(rules));
        }
    }

    #[test]
    fn a_repaired_mosaic_is_as_good_as_new(
        (world, footprint, edits) in (any_world(), any_footprint()).prop_flat_map(|(world, footprint)| {
            let edits = vec(any_edit(world.size), 1..6);
            (Just(world), Just(footprint), edits)
        })
    ) {
        let mut grid = world.grid(footprint);
        let mut mosaic = Mosaic::new(&grid, footprint);
        for edit in edits {
            grid.apply(&edit).unwrap();
            if grid.version() % 2 == 0 {
                mosaic.repair(&grid);
            }
        }
        mosaic.repair(&grid);
        prop_assert_eq!(mosaic, Mosaic::new(&grid, footprint));
    }
}

#[test]
fn a_ledge_inside_open_ground_is_jumped_down_only() {
    let mut grid = Grid::open(100, 100).unwrap();
    let down = [Direction::SouthWest, Direction::South, Direction::SouthEast];
    let ledge = Area::new(Cell::new(0, 50), Cell::new(99, 50));
    grid.set_exits(ledge, down.into_iter().collect()).unwrap();
    let mosaic = Mosaic::new(&grid, Footprint::ONE);
    let mut search = MosaicSearch::new();
    let down = far((10, 10), (80, 90));
    assert_eq!(judge(&grid, &mosaic, &mut search, &down), Status::Found);
    let up = far((80, 90), (10, 10));
    assert_eq!(judge(&grid, &mosaic, &mut search, &up), Status::Unreachable);
}
