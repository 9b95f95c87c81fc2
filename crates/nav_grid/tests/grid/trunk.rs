//! Searches along marked main roads.

use crate::{
    scenes::{OCTILE, far},
    worlds::{World, any_case, any_cell, random_edit, tries},
};
use nav_grid::{
    Area, Cell, CornerRule, Direction, Grid, IndexedMap, Link, Method, Metric, Path, PathQuery,
    Rules, Search, Size, Status, Terrain,
    methods::{BoundedAStar, Dijkstra, RoadLineError, TrunkSearch, road_cells_along},
    rules::BodyPolicy,
};
use nav_judge::{Xorshift, served_last_step, settled, walk};
use proptest::{collection::vec, prelude::*, sample::select};

fn with_roads(grid: Grid, rules: Rules, roads: impl IntoIterator<Item = Cell>) -> IndexedMap {
    let mut map = IndexedMap::new(grid);
    map.insert_roads(rules, roads).unwrap();
    map
}

fn line(corners: &[(u16, u16)]) -> Vec<Cell> {
    corners.iter().copied().map(Cell::from).collect()
}

/// Makes a square of roads 200 cells a side, with a middle road from top to bottom.
fn square() -> IndexedMap {
    let grid = Grid::open(300, 300).unwrap();
    let around = line(&[(50, 50), (250, 50), (250, 250), (50, 250), (50, 50)]);
    let middle = line(&[(150, 50), (150, 250)]);
    let roads = road_cells_along(&grid, OCTILE, [around, middle]).unwrap();
    with_roads(grid, OCTILE, roads)
}

#[test]
fn few_crossings() {
    let map = square();
    let roads = map.indexes().roads().unwrap();
    assert_eq!(roads.cell_count(), 800 + 199);
    // Three cells at each of the two forks; straight corners have a way across.
    assert!(roads.crossing_count() <= 20, "{}", roads.crossing_count());
}

#[test]
fn link_beside_cheaper_step() {
    let mut grid = Grid::open(60, 5).unwrap();
    // The ledge lets no step lead back west, so that the road has no way there but the link.
    grid.set_exits(Cell::new(30, 2), [Direction::East].into_iter().collect())
        .unwrap();
    let link = Link::new(Cell::new(29, 2), Cell::new(30, 2));
    grid.set_link(link.with_cost(6)).unwrap();
    let road: Vec<Cell> = grid.walkable_cells().filter(|cell| cell.y == 2).collect();
    let map = with_roads(grid, OCTILE, road);
    let query = far((0, 2), (59, 2));
    let mut path = Path::new();
    let outcome = TrunkSearch::new().search(&map, &query, &mut path);
    assert_eq!(outcome.method, Method::Trunk);
    assert_eq!(outcome.cost, Metric::Octile.open_ground(59, 0));
    assert_eq!(path.walk(map.grid(), query.start, OCTILE), Ok(outcome.cost));
}

#[test]
fn roads_off_map() {
    let mut map = square();
    let error = map
        .insert_roads(OCTILE, line(&[(3, 3), (300, 3), (3, 300)]))
        .unwrap_err();
    assert_eq!(
        (error.cell, error.size),
        (Cell::new(300, 3), Size::new(300, 300))
    );
    assert_eq!(
        error.to_string(),
        "no road can lead over 300,3, which is outside the grid of 300x300 cells"
    );
    assert_eq!(map.indexes().roads().unwrap().cell_count(), 800 + 199);
}

#[test]
fn line_through_wall() {
    let mut grid = Grid::open(50, 50).unwrap();
    grid.set_walkable(Area::new(Cell::new(25, 0), Cell::new(25, 49)), false)
        .unwrap();
    let road = line(&[(1, 1), (9, 1), (40, 1)]);
    let error: RoadLineError = road_cells_along(&grid, OCTILE, [road]).unwrap_err();
    let ends = (Cell::new(9, 1), Cell::new(40, 1));
    assert_eq!((error.from, error.to), ends);
    assert_eq!(error.status, Status::Unreachable);
}

/// Roads in all directions, through walls or not.
#[derive(Clone, Debug)]
enum Marks {
    /// First cell, direction, length.
    Lines(Vec<(Cell, usize, usize)>),
    /// Columns and rows between them.
    Lattice(u16, u16),
}

impl Marks {
    fn cells(&self, size: Size) -> Vec<Cell> {
        match self {
            Self::Lines(lines) => {
                let cells = lines.iter().flat_map(|&(first, direction, length)| {
                    let next = move |cell: &Cell| cell.step(Direction::ALL[direction]);
                    std::iter::successors(Some(first), next).take(length)
                });
                cells.filter(|&cell| size.contains(cell)).collect()
            }
            Self::Lattice(columns, rows) => nav_judge::cells(size)
                .filter(|cell| cell.x % columns == 1 || cell.y % rows == 1)
                .collect(),
        }
    }
}

fn any_roads() -> impl Strategy<Value = (World, Vec<PathQuery>, Marks)> {
    any_case().prop_flat_map(|(world, queries)| {
        let lines = vec((any_cell(world.size()), 0..8_usize, 1..60_usize), 0..12);
        let marks = prop_oneof![
            1 => lines.prop_map(Marks::Lines),
            3 => (2..15_u16, 2..9_u16).prop_map(|(columns, rows)| Marks::Lattice(columns, rows)),
        ];
        (Just(world), Just(queries), marks)
    })
}

proptest! {
    #![proptest_config(tries(80, 1200))]

    /// A goal is found exactly where a direct search finds it, at no less cost, by a legal path
    /// that visits no cell twice.
    #[test]
    fn drawn_roads((world, queries, marks) in any_roads()) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let mut search = TrunkSearch::new();
        let (mut path, mut other) = (Path::new(), Path::new());
        for query in queries {
            let query = settled(query, &grid);
            let query = query.with_rules(query.rules.with_bodies(BodyPolicy::Ignore));
            let map = with_roads(grid.clone(), query.rules, marks.cells(world.size()));
            // The map has bodies, which the rules ignore.
            let terrain = Terrain::from(&map).with_bodies(&bodies);
            let query = served_last_step(&mut search, terrain, &query);
            let answer = search.search(terrain, &query, &mut path);
            let truth = BoundedAStar::new().search(&grid, &query, &mut other);
            prop_assert_eq!(answer.status, truth.status);
            prop_assert!(answer.cost >= truth.cost);
            if answer.status == Status::Found {
                prop_assert_eq!(path.end(), Some(query.goal));
                prop_assert_eq!(walk((&grid).into(), &query, &path), Ok(answer.cost));
                let radius = query.limits.radius;
                prop_assert!(path.iter().all(|cell| cell.chebyshev(query.start) <= radius));
                let mut cells: Vec<Cell> = path.iter().chain([query.start]).collect();
                cells.sort_unstable();
                cells.dedup();
                prop_assert!(!grid.links().is_empty() || cells.len() == path.len() + 1);
            }
        }
    }

    #[test]
    fn repaired_as_new(
        (world, _, marks) in any_roads(),
        seeds in vec(any::<u64>(), 1..6),
    ) {
        let marked = marks.cells(world.size());
        let mut repaired = with_roads(world.grid(), OCTILE, marked.iter().copied());
        for seed in seeds {
            repaired.apply(&random_edit(repaired.grid(), seed)).unwrap();
        }
        repaired.repair();
        let fresh = with_roads(repaired.grid().clone(), OCTILE, marked);
        prop_assert_eq!(repaired.indexes().roads(), fresh.indexes().roads());
    }

    /// From road to road the path is the cheapest one on roads: its cost equals that on a map of
    /// roads alone.
    #[test]
    fn cheapest_along_roads(
        seed in any::<u64>(),
        road_percent in 25..75_u32,
        metric in select(&Metric::ALL[..]),
    ) {
        let mut random = Xorshift::new(seed);
        let mut only_roads = Grid::from_fn(40, 30, |_| random.below(100) < road_percent).unwrap();
        let marked: Vec<Cell> = only_roads.walkable_cells().collect();
        let mut grid = Grid::open(40, 30).unwrap();
        for &cell in &marked {
            let cost = 1 + random.below(5) as u8;
            grid.set_cost(cell, cost).unwrap();
            only_roads.set_cost(cell, cost).unwrap();
        }
        // When corners are cut, steps do not depend on the cells beside the road.
        let rules = Rules::new(metric, CornerRule::Cut);
        let map = with_roads(grid, rules, marked.iter().copied());
        let (mut search, mut path, mut other) = (TrunkSearch::new(), Path::new(), Path::new());
        for _ in 0..20 {
            let query = far(random.one_of(&marked), random.one_of(&marked)).with_rules(rules);
            let answer = search.search(&map, &query, &mut path);
            let truth = Dijkstra::new().search(&only_roads, &query, &mut other);
            let along_roads = answer.method == Method::Trunk && answer.status == Status::Found;
            prop_assert!(!along_roads || truth.status == Status::Found);
            if truth.status == Status::Found && query.start.chebyshev(query.goal) > 1 {
                prop_assert!(along_roads);
                prop_assert_eq!(answer.cost, truth.cost);
                prop_assert_eq!(path.walk(&only_roads, query.start, rules), Ok(answer.cost));
            }
        }
    }
}
