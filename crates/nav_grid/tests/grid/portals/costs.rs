//! Paths and fields over portals where cells have step costs.

use super::*;

/// Generates ground with patches of a cost, and a road of cost 1 along some rows and columns.
fn patches(kind: Kind, side: u16, seed: u64, dearest: u8) -> Grid {
    let mut grid = mapgen::generate(kind, side, side, seed).unwrap();
    let mut random = Xorshift::new(seed);
    for _ in 0..u32::from(side) {
        let corner = random.cell(grid.size());
        let reach = 2 + random.below(14) as u16;
        let far = Cell::new(
            (corner.x + reach).min(side - 1),
            (corner.y + reach / 2).min(side - 1),
        );
        let cost = 1 + random.below(dearest.into()) as u8;
        for cell in Area::new(corner, far).cells() {
            if grid.is_walkable(cell) && cell.x % 48 != 5 && cell.y % 48 != 7 {
                grid.set_cost(cell, cost).unwrap();
            }
        }
    }
    grid
}

/// Returns the mean and the greatest ratio of the costs of paths to the best ones, over drawn
/// queries.
fn excess(grid: &Grid, rules: Rules, queries: u32) -> (f64, f64) {
    let map = built(grid, rules);
    let terrain = Terrain::from(&map);
    let open: Vec<Cell> = grid.walkable_cells().collect();
    let (mut best, mut found, mut worst) = (0, 0, 1.0_f64);
    let (mut search, mut path) = (PortalSearch::new(), Path::new());
    let mut random = Xorshift::new(9);
    for _ in 0..queries {
        let query = settled(far(random.one_of(&open), random.one_of(&open), rules), grid);
        let truth = Dijkstra::new().search(grid, &query, &mut path);
        let answer = search.search(terrain, &query, &mut path);
        assert_eq!(answer.status, truth.status, "{query:?}");
        if truth.status == Status::Found && truth.cost > 0 {
            assert_eq!(walk(terrain, &query, &path), Ok(answer.cost), "{query:?}");
            assert!(answer.cost >= truth.cost);
            best += u64::from(truth.cost);
            found += u64::from(answer.cost);
            worst = worst.max(f64::from(answer.cost) / f64::from(truth.cost));
        }
    }
    (found as f64 / best as f64, worst)
}

#[test]
fn near_the_best() {
    // In clutter a portal stands for crossings on both sides of a wall, too.
    let clutter = Kind::Clutter { percent: 20 };
    for (kind, dearest, mean_max, most_max) in [
        (Kind::Rooms, 1, 1.02, 1.15),
        (Kind::Caves, 1, 1.02, 1.15),
        (Kind::Mixed, 1, 1.02, 1.15),
        (clutter, 1, 1.035, 1.15),
        (Kind::Open, 64, 1.04, 1.4),
        (Kind::Rooms, 8, 1.04, 1.4),
        (Kind::Caves, 2, 1.04, 1.4),
        (clutter, 64, 1.04, 1.4),
    ] {
        let grid = patches(kind, 160, 5, dearest);
        for metric in [Metric::Unit, Metric::Octile] {
            let rules = Rules::new(metric, CornerRule::Strict);
            let (mean, most) = excess(&grid, rules, by_tier(12, 60));
            let about = format!("{kind:?} {dearest} {metric:?}: {mean:.4} {most:.4}");
            assert!(mean <= mean_max && most <= most_max, "{about}");
        }
    }
}

/// A swamp of the costliest ground, through which ways inside a cluster cost more than 16 bits
/// hold.
#[test]
fn dear_serpentine() {
    let size = Size::new(96, 32);
    let walkable = |cell: Cell| {
        let gap = if cell.x % 4 == 1 { 0 } else { 31 };
        cell.x.is_multiple_of(2) || cell.y == gap
    };
    let mut grid = Grid::build(size, walkable).unwrap();
    grid.set_cost_bytes(vec![64; 96 * 32]).unwrap();
    let rules = Rules::new(Metric::Grid, CornerRule::Strict);
    let map = built(&grid, rules);
    let terrain = Terrain::from(&map);
    let query = far(Cell::new(0, 16), Cell::new(94, 16), rules);
    let mut path = Path::new();
    let truth = Dijkstra::new().search(&grid, &query, &mut path);
    let answer = PortalSearch::new().search(terrain, &query, &mut path);
    assert_eq!((answer.status, answer.cost), (Status::Found, truth.cost));
    assert_eq!(walk(terrain, &query, &path), Ok(answer.cost));
    let mut field = PortalField::new();
    field.aim(terrain, rules, query.goal).unwrap();
    assert_eq!(field.distance(terrain, query.start), Some(truth.cost));
    let mut at = query.start;
    while let Some(FieldMove::Step(direction)) = field.next_move(terrain, at) {
        at = at.step(direction).unwrap();
    }
    assert_eq!(at, query.goal);
}

/// The way goes around costly ground, and the way there differs from the way back.
#[test]
fn way_and_way_back() {
    let mut grid = Grid::open(100, 40).unwrap();
    grid.set_cost(Area::new(Cell::new(40, 0), Cell::new(45, 35)), 9)
        .unwrap();
    grid.set_cost(Cell::new(5, 20), 50).unwrap();
    let rules = Rules::new(Metric::FourWay, CornerRule::Strict);
    let map = built(&grid, rules);
    let cost = |from, to| {
        let query = far(from, to, rules);
        let mut path = Path::new();
        let answer = PortalSearch::new().search(&map, &query, &mut path);
        assert!(
            path.iter()
                .all(|cell| cell == from || cell == to || grid.cost(cell) == 1)
        );
        answer.cost
    };
    let (west, east) = (Cell::new(5, 20), Cell::new(90, 20));
    let around = 85 + 2 * 16;
    assert_eq!(cost(west, east), around);
    assert_eq!(cost(east, west), around + 49);
}
