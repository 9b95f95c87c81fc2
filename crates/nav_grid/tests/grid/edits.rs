//! Edits of a live map: their effects, their refusals, and the versions that show them.

use crate::worlds::{random_edit, tries};
use nav_grid::{
    Area, Cell, CornerRule, Direction, Directions, Footprint, Grid, Limits, Link, Metric, Path,
    PathQuery, Rules, Search, Size,
    map::{EditError, Tile},
    methods::JumpPointSearch,
};
use proptest::prelude::*;

const UNIT: Rules = Rules::new(Metric::Unit, CornerRule::Strict);

fn area(left: u16, top: u16, right: u16, bottom: u16) -> Area {
    Area::new(Cell::new(left, top), Cell::new(right, bottom))
}

fn tile(column: u8, row: u8) -> Tile {
    Tile {
        floor: 0,
        row,
        column,
    }
}

#[test]
fn link_set_and_removed() {
    let mut grid = Grid::build(Size::new(5, 5).with_floors(2), |_| true).unwrap();
    let (foot, head) = (Cell::new(1, 1), Cell::new(3, 1).on_floor(1));
    assert_eq!(grid.set_link(Link::new(foot, head).with_cost(3)), Ok(None));
    assert_eq!(
        grid.set_link(Link::new(foot, head)),
        Ok(Some(Link::new(foot, head).with_cost(3)))
    );
    let grid_metric = Rules::new(Metric::Grid, CornerRule::Strict);
    assert_eq!(grid.move_cost(foot, head, grid_metric), Some(10));
    assert!(!grid.allows_move(head, foot, UNIT));
    assert_eq!(grid.links_from(foot), grid.links_to(head));

    grid.set_walkable(head, false).unwrap();
    assert!(!grid.allows_move(foot, head, UNIT), "it ends in a wall");
    grid.set_walkable(head, true).unwrap();
    assert_eq!(grid.remove_link(foot, head), Some(Link::new(foot, head)));
    assert_eq!(grid.remove_link(foot, head), None);
    assert!(grid.links_from(foot).is_empty());
}

#[test]
fn link_between_neighbours() {
    let mut grid = Grid::open(3, 1).unwrap();
    let (left, right) = (Cell::new(0, 0), Cell::new(1, 0));
    grid.set_cost(right, 9).unwrap();
    grid.set_link(Link::new(left, right).with_cost(4)).unwrap();
    assert_eq!(grid.move_cost(left, right, UNIT), Some(4));
    grid.set_link(Link::new(left, right).with_cost(40)).unwrap();
    assert_eq!(grid.move_cost(left, right, UNIT), Some(9));
}

#[test]
fn refused() {
    let mut grid = Grid::open(4, 4).unwrap();
    let before = grid.clone();
    let outside = area(2, 2, 4, 3);
    let upstairs = Cell::new(0, 0).on_floor(1);
    let errors = [
        grid.set_walkable(outside, false).unwrap_err(),
        grid.set_walkable(upstairs, false).unwrap_err(),
        grid.set_cost(outside, 3).unwrap_err(),
        grid.set_cost(Cell::new(0, 0), 65).unwrap_err(),
        grid.set_exits(outside, Directions::NONE).unwrap_err(),
        grid.set_link(Link::new(Cell::new(0, 0), upstairs))
            .unwrap_err(),
        grid.set_link(Link::new(Cell::new(0, 0), Cell::new(3, 3)).with_cost(0))
            .unwrap_err(),
    ];
    assert_eq!(
        errors.map(|error: EditError| error.to_string()),
        [
            "2,2..4,3 is outside the grid of 4x4 cells",
            "0,0,1 is outside the grid of 4x4 cells",
            "2,2..4,3 is outside the grid of 4x4 cells",
            "step cost 65 is out of range: it must be 0, for blocked, to 64",
            "2,2..4,3 is outside the grid of 4x4 cells",
            "0,0,1 is outside the grid of 4x4 cells",
            "the link from 0,0 to 3,3 costs 0: it must cost at least 1",
        ]
    );
    assert_eq!((&grid, grid.version()), (&before, 0));
}

#[test]
fn versions_of_tiles() {
    let mut grid = Grid::open(300, 300).unwrap();
    grid.set_walkable(Cell::new(100, 100), false).unwrap();
    assert_eq!(grid.version(), 1);
    assert_eq!(grid.tile_version(tile(1, 1)), 1);
    assert_eq!(grid.tiles_edited_since(0).collect::<Vec<_>>(), [tile(1, 1)]);
    // The last column of a tile: a walker right of it may have been going to cut the corner. And
    // the first: an 8x8 body covers it from the tile to the left.
    grid.set_walkable(Cell::new(63, 30), false).unwrap();
    grid.set_walkable(Cell::new(192, 30), false).unwrap();
    assert_eq!(
        grid.tiles_edited_since(1).collect::<Vec<_>>(),
        [tile(0, 0), tile(1, 0), tile(2, 0), tile(3, 0)]
    );
}

#[test]
fn without_change() {
    let mut grid = Grid::open(70, 70).unwrap();
    assert_eq!(grid.set_walkable(area(0, 0, 69, 69), true), Ok(0));
    assert_eq!(grid.set_cost(area(0, 0, 69, 69), 1), Ok(0));
    assert_eq!(grid.set_exits(Cell::new(1, 1), Directions::ALL), Ok(0));
    assert_eq!(grid.remove_link(Cell::new(0, 0), Cell::new(900, 900)), None);
    assert_eq!(grid.version(), 0);
}

#[test]
fn memory_of_layers() {
    let mut grid = Grid::open(512, 512).unwrap();
    let uniform = grid.heap_bytes();
    assert!(uniform < 40 << 10);
    grid.set_cost(Cell::new(5, 5), 2).unwrap();
    grid.set_exits(Cell::new(5, 5), Directions::NONE).unwrap();
    assert_eq!(grid.heap_bytes(), uniform + 2 * 512 * 512);
    grid.set_cost(Cell::new(5, 5), 1).unwrap();
    grid.set_exits(Cell::new(5, 5), Directions::ALL).unwrap();
    assert!(!grid.has_costs() && !grid.has_exits());
}

const SIZE: Size = Size::new(90, 40).with_floors(2);

proptest! {
    #![proptest_config(tries(40, 300))]

    /// Prepared footprints follow every edit: they agree with counting cells.
    #[test]
    fn prepared_footprints(seeds in prop::collection::vec(any::<u64>(), 1..12)) {
        let mut prepared = Grid::build(SIZE, |_| true).unwrap();
        let mut plain = prepared.clone();
        for footprint in Footprint::all() {
            prepared.prepare_footprint(footprint);
        }
        for seed in seeds {
            let edit = random_edit(&plain, seed);
            prop_assert_eq!(prepared.apply(&edit), plain.apply(&edit));
        }
        prop_assert_eq!(&prepared, &plain);
        for footprint in Footprint::all() {
            for cell in Area::new(Cell::new(0, 0), Cell::new(89, 39)).cells() {
                let free = footprint.area(cell).cells().all(|cell| plain.is_walkable(cell));
                prop_assert_eq!(prepared.fits(cell, footprint), free);
                let rules = UNIT.with_footprint(footprint);
                prop_assert_eq!(prepared.steps(cell, rules), plain.steps(cell, rules));
            }
        }
    }

    /// Where an edit changes the moves of a body, the version of its tile changes.
    #[test]
    fn versions_miss_nothing(first: u64, second: u64, side in 1..=8_u8) {
        let mut grid = Grid::build(SIZE, |cell| (cell.x * 7 + cell.y * 3) % 11 != 0).unwrap();
        grid.apply(&random_edit(&grid, first)).unwrap();
        let before = grid.clone();
        grid.apply(&random_edit(&grid, second)).unwrap();
        let rules = UNIT.with_footprint(Footprint::new(side).unwrap());
        for floor in 0..SIZE.floors {
            for cell in Area::new(Cell::new(0, 0).on_floor(floor), Cell::new(89, 39)).cells() {
                let moves = |grid: &Grid| {
                    let steps = Direction::ALL.map(|way| {
                        // The step from deep inside a wall depends on the nearest ground.
                        let to = cell.step(way)?;
                        grid.step_cost(cell, way, rules).filter(|_| grid.fits(to, rules.footprint))
                    });
                    let leads_out = !grid.fits(cell, rules.footprint)
                        && steps.iter().flatten().count() == 1;
                    ((!leads_out).then_some(steps), grid.links_from(cell).to_vec())
                };
                if moves(&before) != moves(&grid) {
                    prop_assert!(grid.tile_version(Tile::of(cell)) > before.version());
                }
            }
        }
    }
}

/// Jumps are kept in words of 64 cells: a wider body has places in the words before that of the
/// edited cell.
#[test]
fn jumps_of_large_bodies() {
    let size = Size::new(140, 140);
    for footprint in Footprint::all() {
        for corners in CornerRule::ALL {
            let rules = Rules::new(Metric::Octile, corners).with_footprint(footprint);
            let mut grid = Grid::open(size.width, size.height).unwrap();
            grid.prepare_footprint(footprint);
            grid.prepare_jumps(Rules::new(Metric::Unit, corners).with_footprint(footprint));
            for (at, walkable) in [63, 64, 65, 128]
                .into_iter()
                .flat_map(|at| [(at, false), (at, true)])
            {
                let edges = [Cell::new(at, 70), Cell::new(70, at), Cell::new(at, at)];
                let areas = edges.map(Area::from);
                for area in areas {
                    grid.set_walkable(area, walkable).unwrap();
                }
                let mut anew =
                    Grid::from_fn(size.width, size.height, |cell| grid.is_walkable(cell)).unwrap();
                anew.prepare_footprint(footprint);
                anew.prepare_jumps(Rules::new(Metric::Unit, corners).with_footprint(footprint));
                let (mut one, mut other) = (Path::new(), Path::new());
                for (start, goal) in [
                    ((30, 60), (110, 66)),
                    ((60, 30), (66, 110)),
                    ((30, 30), (110, 110)),
                ] {
                    let query =
                        PathQuery::new(Cell::new(start.0, start.1), Cell::new(goal.0, goal.1))
                            .with_rules(rules)
                            .with_limits(Limits::UNBOUNDED);
                    let repaired = JumpPointSearch::new().search(&grid, &query, &mut one);
                    let fresh = JumpPointSearch::new().search(&anew, &query, &mut other);
                    let about =
                        format!("{footprint}, {corners:?}, {at} {walkable}, from {start:?}");
                    assert_eq!((repaired, &one), (fresh, &other), "{about}");
                }
            }
        }
    }
}
