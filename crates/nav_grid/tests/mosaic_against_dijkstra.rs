//! Dijkstra's search judges the search over blocks on drawn maps.

mod worlds;

use nav_grid::{
    Area, Cell, Directions, Edit, Footprint, Grid, IndexedMap, Limits, Link, Path, PathQuery,
    Search, Size, Status, Terrain,
    methods::{Dijkstra, MosaicSearch},
    query::Feature,
    rules::BodyPolicy,
};
use nav_judge::{served_last_step, settled};
use proptest::{collection::vec, prelude::*};
use worlds::{any_case, any_cell, any_footprint, any_query};

/// Asks both searches, which must agree on status and cost. Returns the query that they agree on.
fn judge(map: &IndexedMap, search: &mut MosaicSearch, query: &PathQuery) -> PathQuery {
    let grid = map.grid();
    let query = &served_last_step(search, map, query);
    let mut path = Path::new();
    let truth = Dijkstra::new().search(grid, query, &mut path);
    let answer = search.search(map, query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
    assert_eq!(answer.cost, truth.cost, "{query:?} on {grid:?}");
    if truth.status == Status::Found {
        assert_eq!(nav_judge::walk(grid.into(), query, &path), Ok(truth.cost));
        assert_eq!(path.end(), Some(query.goal));
    } else {
        assert!(path.is_empty());
    }
    *query
}

fn built(grid: Grid, footprint: Footprint) -> IndexedMap {
    let mut map = IndexedMap::new(grid);
    map.build_mosaic(footprint);
    map
}

/// A map of rectangles, since those are what blocks are made of.
#[derive(Clone, Debug)]
struct Quarters {
    size: Size,
    walls: Vec<Area>,
    mud: Vec<(Area, u8)>,
    exits: Vec<(Area, u8)>,
    links: Vec<(Cell, Cell, u16)>,
    prepared: bool,
}

impl Quarters {
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

fn any_quarters() -> impl Strategy<Value = Quarters> {
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
            move |(walls, mud, exits, links, prepared)| Quarters {
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

fn any_quarters_case() -> impl Strategy<Value = (Quarters, Footprint, Vec<PathQuery>)> {
    (any_quarters(), any_footprint()).prop_flat_map(|(world, footprint)| {
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

fn any_edited_quarters() -> impl Strategy<Value = (Quarters, Footprint, Vec<(Edit, bool)>)> {
    (any_quarters(), any_footprint()).prop_flat_map(|(world, footprint)| {
        let edits = vec((any_edit(world.size), any::<bool>()), 1..6);
        (Just(world), Just(footprint), edits)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn maps_of_large_blocks((world, footprint, queries) in any_quarters_case()) {
        let map = built(world.grid(footprint), footprint);
        let mut search = MosaicSearch::new();
        for query in queries {
            let rules = query.rules.with_footprint(footprint);
            judge(&map, &mut search, &query.with_rules(rules));
        }
    }

    #[test]
    fn maps_with_everything((world, queries) in any_case()) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let mut search = MosaicSearch::new();
        let mut path = Path::new();
        for query in queries {
            let query = settled(query, &grid);
            let map = built(grid.clone(), query.rules.footprint);
            let query = judge(&map, &mut search, &query);
            let crowded = Terrain::from(&map).with_bodies(&bodies);
            let answer = search.search(crowded, &query, &mut path);
            let refused = answer.status == Status::Unsupported(Feature::Bodies);
            prop_assert_eq!(refused, query.rules.bodies != BodyPolicy::Ignore);
        }
    }

    /// A budget only ever turns an answer into `BudgetSpent`, never into a wrong one.
    #[test]
    fn budgets((world, footprint, queries) in any_quarters_case(), expansions in 0..60_u32) {
        let map = built(world.grid(footprint), footprint);
        let terrain = Terrain::from(&map);
        let (mut path, mut other) = (Path::new(), Path::new());
        for query in queries {
            let query = query.with_rules(query.rules.with_footprint(footprint));
            let free = MosaicSearch::new().search(terrain, &query, &mut path);
            let limits = Limits { expansions, ..query.limits };
            let tight = query.with_limits(limits);
            let capped = MosaicSearch::new().search(terrain, &tight, &mut other);
            prop_assert!(capped.counters.expanded <= expansions);
            if capped.status == Status::BudgetSpent {
                prop_assert!(free.counters.expanded > expansions);
            } else {
                prop_assert_eq!(capped, free);
                prop_assert_eq!(&other, &path);
            }
        }
    }

    #[test]
    fn a_repaired_mosaic_is_as_good_as_new(
        (world, footprint, edits) in any_edited_quarters(),
    ) {
        let mut map = built(world.grid(footprint), footprint);
        for (edit, repairs) in edits {
            map.apply(&edit).unwrap();
            if repairs {
                map.repair();
            }
        }
        map.repair();
        let fresh = built(map.grid().clone(), footprint);
        prop_assert_eq!(map.mosaic(), fresh.mosaic());
    }
}
