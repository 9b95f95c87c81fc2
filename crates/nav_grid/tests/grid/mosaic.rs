//! Searches over blocks of uniform ground, on maps that are made of rectangles.

use crate::{
    scenes::far,
    worlds::{any_cell, any_footprint, any_query, random_edit, tries},
};
use nav_grid::{
    Area, Cell, Directions, Footprint, Grid, IndexedMap, Link, Metric, Path, PathQuery, Rules,
    Search, Size, Status,
    methods::{Dijkstra, MosaicSearch},
    rules::LinkKinds,
};
use nav_judge::{judge_budget, served_last_step, walk};
use proptest::{collection::vec, prelude::*};

/// Runs both searches, which must agree on status and cost.
fn judge(map: &IndexedMap, search: &mut MosaicSearch, query: &PathQuery) {
    let grid = map.grid();
    let query = &served_last_step(search, map, query);
    let mut path = Path::new();
    let truth = Dijkstra::new().search(grid, query, &mut path);
    let answer = search.search(map, query, &mut path);
    assert_eq!(answer.status, truth.status, "{query:?} on {grid:?}");
    assert_eq!(answer.cost, truth.cost, "{query:?} on {grid:?}");
    if truth.status == Status::Found {
        assert_eq!(walk(grid.into(), query, &path), Ok(truth.cost));
        assert_eq!(path.end(), Some(query.goal));
    } else {
        assert!(path.is_empty());
    }
}

fn built(grid: Grid, footprint: Footprint) -> IndexedMap {
    let mut map = IndexedMap::new(grid);
    map.build_mosaic(footprint);
    map
}

/// A map of rectangles, which become blocks.
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
        let is_open = |cell: &Cell| self.walls.iter().all(|wall| !wall.contains(*cell));
        for &(area, cost) in &self.mud {
            for cell in area.cells().filter(is_open) {
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

/// Draws long walls, blots, and single cells.
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
    let floors = prop_oneof![4 => Just(1_u8), 1 => 2..=3_u8];
    let size = (1..=140_u16, 1..=100_u16, floors)
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

fn any_case() -> impl Strategy<Value = (Quarters, Footprint, Vec<PathQuery>)> {
    (any_quarters(), any_footprint()).prop_flat_map(|(world, footprint)| {
        let queries = vec(any_query(world.size), 1..4);
        (Just(world), Just(footprint), queries)
    })
}

proptest! {
    #![proptest_config(tries(100, 600))]

    #[test]
    fn large_blocks((world, footprint, queries) in any_case()) {
        let map = built(world.grid(footprint), footprint);
        let mut search = MosaicSearch::new();
        for query in queries {
            let rules = Rules {
                footprint,
                links: LinkKinds::ALL,
                ..query.rules
            };
            judge(&map, &mut search, &query.with_rules(rules));
        }
    }

    #[test]
    fn budgets((world, footprint, queries) in any_case(), expansions in 0..60_u32) {
        let map = built(world.grid(footprint), footprint);
        for query in queries {
            let rules = Rules {
                footprint,
                links: LinkKinds::ALL,
                ..query.rules
            };
            let query = query.with_rules(rules);
            judge_budget::<MosaicSearch>((&map).into(), &query, expansions);
        }
    }

    #[test]
    fn repaired_as_new(
        (world, footprint, _) in any_case(),
        edits in vec(any::<(u64, bool)>(), 1..6),
    ) {
        let mut map = built(world.grid(footprint), footprint);
        for (seed, repairs) in edits {
            map.apply(&random_edit(map.grid(), seed)).unwrap();
            if repairs {
                map.repair();
            }
        }
        map.repair();
        let fresh = built(map.grid().clone(), footprint);
        prop_assert_eq!(map.indexes().mosaic(), fresh.indexes().mosaic());
    }
}

#[test]
fn one_crossing_a_block() {
    let map = built(Grid::open(640, 640).unwrap(), Footprint::ONE);
    let query = far((1, 1), (638, 600));
    let mut path = Path::new();
    let outcome = MosaicSearch::new().search(&map, &query, &mut path);
    assert_eq!(outcome.status, Status::Found);
    assert_eq!(outcome.cost, Metric::Octile.open_ground(637, 599));
    assert_eq!(walk((&map).into(), &query, &path), Ok(outcome.cost));
    let counters = outcome.counters;
    // Forty blocks lie on the way, and as many are looked at beside it.
    assert!(counters.expanded <= 80, "{counters:?}");
    // A block gets costs before it is expanded.
    assert!(counters.touched >= counters.expanded, "{counters:?}");
}
