//! A* on open ground: it expands its path only, which keeps to the straight line.

use nav_grid::{Cell, Grid, Outcome, Path, PathQuery, Search, methods::BoundedAStar};

fn ask(grid: &Grid, query: &PathQuery) -> (Outcome, Path) {
    let mut path = Path::new();
    let outcome = BoundedAStar::new().search(grid, query, &mut path);
    (outcome, path)
}

#[test]
fn open_ground_expands_path() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in grid
        .walkable_cells()
        .filter(|goal| (1..=20).contains(&goal.chebyshev(start)))
    {
        let (outcome, path) = ask(&grid, &PathQuery::new(start, goal));
        assert_eq!(outcome.counters.expanded as usize, path.len(), "to {goal}");
    }
}

#[test]
fn open_ground_straight_line() {
    let grid = Grid::open(64, 64).unwrap();
    let start = Cell::new(30, 30);
    for goal in [
        Cell::new(46, 34),
        Cell::new(14, 38),
        Cell::new(33, 11),
        Cell::new(50, 31),
    ] {
        let (_, path) = ask(&grid, &PathQuery::new(start, goal));
        let (dx, dy) = (f64::from(goal.x) - 30.0, f64::from(goal.y) - 30.0);
        for cell in path.iter() {
            let (x, y) = (f64::from(cell.x) - 30.0, f64::from(cell.y) - 30.0);
            let off = (x * dy - y * dx).abs() / dx.hypot(dy);
            assert!(
                off < 0.75,
                "{cell} on the way to {goal} is {off} cells off the line"
            );
        }
    }
}
