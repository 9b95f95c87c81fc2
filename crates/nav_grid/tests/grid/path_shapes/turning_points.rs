//! Paths as the cells at which they turn.

use super::{path, turn};
use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Direction, Grid, Link, Path, Rules, Search,
    methods::Dijkstra,
    path::{TurningPoint, TurningPoints, TurningPointsError},
};
use nav_judge::{Xorshift, cells, settled};
use proptest::{collection::vec, prelude::*};

fn compacted(grid: &Grid, start: Cell, path: &Path) -> Vec<TurningPoint> {
    let mut turns = TurningPoints::new();
    turns.compact(grid, start, Rules::default(), path);
    turns.iter().collect()
}

#[test]
fn where_direction_changes() {
    let grid = Grid::open(9, 9).unwrap();
    let start = Cell::new(0, 0);
    let bent = path(&[(1, 0), (2, 0), (3, 1), (4, 2), (4, 3)]);
    assert_eq!(
        compacted(&grid, start, &bent),
        [turn(2, 0), turn(4, 2), turn(4, 3)]
    );
    assert_eq!(compacted(&grid, start, &path(&[(1, 0)])), [turn(1, 0)]);
    assert_eq!(compacted(&grid, start, &Path::new()), []);
}

#[test]
fn ends_of_link() {
    let mut grid = Grid::open(9, 9).unwrap();
    let (door, room) = (Cell::new(2, 0), Cell::new(5, 0));
    grid.set_link(Link::new(door, room)).unwrap();
    let straight_on = path(&[(1, 0), (2, 0), (5, 0), (6, 0)]);
    let by_link = TurningPoint {
        cell: room,
        by_link: true,
    };
    assert_eq!(
        compacted(&grid, Cell::new(0, 0), &straight_on),
        [turn(2, 0), by_link, turn(6, 0)]
    );
}

#[test]
fn link_to_neighbour() {
    let mut grid = Grid::open(9, 9).unwrap();
    let (from, to) = (Cell::new(1, 0), Cell::new(2, 0));
    grid.set_link(Link::new(from, to).with_cost(2)).unwrap();
    let waypoints = path(&[(1, 0), (2, 0), (3, 0)]);
    let turns = || compacted(&grid, Cell::new(0, 0), &waypoints).len();
    assert_eq!(turns(), 1);
    grid.set_cost(to, 5).unwrap();
    assert_eq!(compacted(&grid, Cell::new(0, 0), &waypoints).len(), 3);
}

#[test]
fn refused() {
    let turns: TurningPoints = [turn(3, 3), turn(4, 7)].into_iter().collect();
    let mut expanded = path(&[(8, 8)]);
    let error = turns.expand(Cell::new(0, 0), &mut expanded).unwrap_err();
    let TurningPointsError {
        index, from, to, ..
    } = error;
    assert_eq!((index, from, to), (1, Cell::new(3, 3), Cell::new(4, 7)));
    assert!(expanded.is_empty());
    // A point must not lie on the point before, or on another floor.
    for point in [
        turn(0, 0),
        TurningPoint {
            cell: Cell::new(0, 2).on_floor(1),
            ..turn(0, 0)
        },
    ] {
        let turns: TurningPoints = [point].into_iter().collect();
        assert!(turns.expand(Cell::new(0, 0), &mut expanded).is_err());
    }
}

proptest! {
    #![proptest_config(tries(120, 256))]

    /// The waypoints may be steps, links or nonsense.
    #[test]
    fn round_trip((world, queries) in any_case(), seed: u64) {
        let grid = world.grid();
        let (mut turns, mut again, mut found) =
            (TurningPoints::new(), Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &grid);
            Dijkstra::new().search(&grid, &query, &mut found);
            let strayed = stray(&grid, query.start, seed);
            for path in [&found, &strayed] {
                turns.compact(&grid, query.start, query.rules, path);
                prop_assert!(turns.len() <= path.len());
                prop_assert_eq!(turns.expand(query.start, &mut again), Ok(()));
                prop_assert_eq!(&again, path);
            }
        }
    }

    /// Points from outside lead to an error at worst.
    #[test]
    fn any_points(points in vec(any::<(u16, u16, u8, bool)>(), 0..8)) {
        let turns: TurningPoints = points
            .into_iter()
            .map(|(x, y, floor, by_link)| TurningPoint { cell: Cell { x, y, floor }, by_link })
            .collect();
        let mut path = Path::new();
        let expanded = turns.expand(Cell::new(0, 0), &mut path);
        prop_assert!(expanded.is_ok() || path.is_empty());
    }
}

/// Draws waypoints: mostly to a neighbour, sometimes anywhere, sometimes nowhere.
fn stray(grid: &Grid, start: Cell, seed: u64) -> Path {
    let mut random = Xorshift::new(seed);
    let cells: Vec<Cell> = cells(grid.size()).collect();
    let mut at = start;
    let mut next = || {
        let way = Direction::ALL.get(random.below(10) as usize);
        at = match way {
            Some(&way) => at.step(way).unwrap_or(at),
            None => cells[random.below(cells.len() as u32) as usize],
        };
        at
    };
    (0..40).map(|_| next()).collect()
}
