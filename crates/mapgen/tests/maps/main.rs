//! The promises about every kind of map: the same bytes everywhere, its look, any size.

mod bundled;

use mapgen::{GenerateError, Kind, KindError, generate, provenance};
use nav_grid::{Cell, Direction, Grid, map::text};

const KINDS: [Kind; 6] = [
    Kind::Open,
    Kind::Clutter { percent: 20 },
    Kind::Rooms,
    Kind::Caves,
    Kind::Maze,
    Kind::Mixed,
];

/// Kinds all of whose walkable cells are connected.
const CONNECTED: [Kind; 5] = [
    Kind::Open,
    Kind::Rooms,
    Kind::Caves,
    Kind::Maze,
    Kind::Mixed,
];

fn made(kind: Kind, width: u16, height: u16, seed: u64) -> Grid {
    generate(kind, width, height, seed).unwrap()
}

/// FNV-1a, 64 bits.
fn digest(grid: &Grid) -> u64 {
    text::write(grid, "")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// The maps that scenarios, tests and benches name by kind, size and seed must never change
/// without notice: a search that got slower and a map that changed look the same.
///
/// If this fails after a change to a maker, the maps under `assets/maps` and every recorded digest
/// of a run are stale as well. Make them again in the same commit and say so in the changelog. If
/// it fails without such a change, something that differs between machines got in: a float, a
/// `usize` drawn, an unordered map.
#[test]
fn same_bytes_everywhere() {
    let digests = KINDS.map(|kind| {
        let digest = digest(&made(kind, 200, 150, 42));
        format!("{} {digest:016x}", kind.name())
    });
    let golden = [
        "open f16447009f0dd1b5",
        "clutter a28b2610c44ae55c",
        "rooms de8026dc4cf69e3d",
        "caves fe2ed93561d20c16",
        "maze b199a1bf82da443e",
        "mixed d0dde58f2740c322",
    ];
    assert_eq!(digests, golden);
}

#[test]
fn another_seed() {
    for kind in KINDS {
        let same = digest(&made(kind, 64, 64, 1)) == digest(&made(kind, 64, 64, 2));
        assert_eq!(same, kind == Kind::Open, "{kind:?}");
    }
}

#[test]
fn small_sizes() {
    for kind in KINDS {
        for width in 1..=8 {
            for height in 1..=8 {
                for seed in 0..4 {
                    let grid = made(kind, width, height, seed);
                    assert_eq!((grid.width(), grid.height()), (width, height));
                    if CONNECTED.contains(&kind) {
                        assert_connected(&grid, kind, seed);
                    }
                }
            }
        }
    }
}

#[test]
fn narrow_sizes() {
    for kind in KINDS {
        for (width, height) in [(1, 3000), (3000, 1), (2, 777), (777, 3), (1024, 17)] {
            let grid = made(kind, width, height, 5);
            if CONNECTED.contains(&kind) {
                assert_connected(&grid, kind, 5);
            }
        }
    }
}

#[test]
fn large_maps_connected() {
    for kind in CONNECTED {
        for (seed, side) in (0..).zip([16, 40, 65, 100, 128, 200, 333]) {
            assert_connected(&made(kind, side, side + 3, seed), kind, seed);
        }
        assert_connected(&made(kind, 640, 480, 9), kind, 9);
    }
}

#[track_caller]
fn assert_connected(grid: &Grid, kind: Kind, seed: u64) {
    let (width, height) = (grid.width(), grid.height());
    let mut reached = Grid::blocked(width, height).unwrap();
    let start = grid.walkable_cells().next();
    let mut stack: Vec<Cell> = start.into_iter().collect();
    while let Some(cell) = stack.pop() {
        if reached.set_walkable(cell, true).unwrap() == 1 {
            stack.extend(
                straight_neighbours(cell)
                    .filter(|&next| grid.is_walkable(next) && !reached.is_walkable(next)),
            );
        }
    }
    assert!(
        grid.walkable_count() > 0,
        "{kind:?} {width}x{height} {seed}"
    );
    assert_eq!(reached, *grid, "{kind:?} {width}x{height} {seed}");
}

fn straight_neighbours(cell: Cell) -> impl Iterator<Item = Cell> {
    Direction::ALL
        .into_iter()
        .step_by(2)
        .filter_map(move |direction| cell.step(direction))
}

#[test]
fn share_of_clutter() {
    for percent in [0, 1, 10, 20, 35, 50, 99, 100] {
        let grid = made(Kind::Clutter { percent }, 400, 250, 3);
        let blocked = 100_000 - grid.walkable_count();
        // Five standard deviations at most.
        let expected = u64::from(percent) * 1000;
        assert!(blocked.abs_diff(expected) < 800, "{percent}: {blocked}");
        if percent % 100 == 0 {
            assert_eq!(blocked, expected);
        }
    }
}

#[test]
fn mazes_are_trees() {
    for (width, height) in [(65, 65), (64, 30), (5, 1), (2, 9)] {
        let grid = made(Kind::Maze, width, height, 8);
        let touching: usize = grid
            .walkable_cells()
            .map(|cell| {
                straight_neighbours(cell)
                    .filter(|&next| grid.is_walkable(next))
                    .count()
            })
            .sum();
        // A connected graph is a tree if it has one edge fewer than nodes.
        assert_eq!(touching as u64 / 2 + 1, grid.walkable_count());
    }
}

#[test]
fn share_of_ground() {
    for (kind, least, most) in [
        (Kind::Rooms, 78, 90),
        (Kind::Caves, 45, 65),
        (Kind::Maze, 45, 52),
        (Kind::Mixed, 65, 85),
    ] {
        for seed in 0..5 {
            let share = made(kind, 256, 256, seed).walkable_count() * 100 / (256 * 256);
            assert!((least..=most).contains(&share), "{kind:?} {seed}: {share}");
        }
    }
}

#[test]
fn refused() {
    for kind in KINDS {
        for (width, height) in [(0, 5), (5, 0), (Grid::SIDE_MAX + 1, 5)] {
            let error = generate(kind, width, height, 1).unwrap_err();
            assert!(matches!(error, GenerateError::Size(_)), "{kind:?}");
        }
    }
    assert_eq!(
        generate(Kind::Clutter { percent: 101 }, 5, 5, 1)
            .unwrap_err()
            .to_string(),
        "101 percent of the cells cannot be blocked; expected 0 to 100"
    );
}

#[test]
fn kinds_by_name() {
    for (kind, name) in KINDS.into_iter().zip(Kind::NAMES) {
        assert_eq!(Kind::from_name(name, None), Ok(kind));
        assert_eq!(kind.name(), name);
    }
    assert_eq!(
        Kind::from_name("clutter", Some(35)),
        Ok(Kind::Clutter { percent: 35 })
    );
    let sentence = |result: Result<Kind, KindError>| result.unwrap_err().to_string();
    assert_eq!(
        sentence(Kind::from_name("cave", None)),
        "unknown kind of map 'cave'; expected one of open, clutter, rooms, caves, maze, mixed"
    );
    assert_eq!(
        sentence(Kind::from_name("rooms", Some(3))),
        "a map of kind rooms takes no percentage; only clutter does"
    );
    assert_eq!(
        sentence(Kind::from_name("clutter", Some(101))),
        "101 percent of the cells cannot be blocked; expected 0 to 100"
    );
}

#[test]
fn provenance_is_command() {
    assert_eq!(
        provenance(Kind::Mixed, 512, 256, 7),
        "chase generate mixed --size 512x256 --seed 7"
    );
    assert_eq!(
        provenance(Kind::Clutter { percent: 35 }, 9, 8, u64::MAX),
        "chase generate clutter --percent 35 --size 9x8 --seed 18446744073709551615"
    );
}
