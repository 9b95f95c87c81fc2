//! Connected regions, judged by flooding cell by cell.

use crate::worlds::{any_rules, random_edit, tries};
use heap_meter::peak_during;
use nav_grid::{
    Area, Cell, Direction, Grid, Rules, Size,
    index::{Regions, SlicedIndex},
};
use nav_judge::{Ground, Xorshift};
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeMap;

/// Returns the label of every place. Labels flood from each place without one, in reading order.
fn flooded(grid: &Grid, rules: Rules) -> BTreeMap<Cell, u32> {
    let fits = |cell: &Cell| grid.fits(*cell, rules.footprint);
    let joined = |a, b| grid.allows_move(a, b, rules) || grid.allows_move(b, a, rules);
    let mut labels = BTreeMap::new();
    let mut next = 0;
    for start in grid.walkable_cells().filter(fits) {
        if labels.contains_key(&start) {
            continue;
        }
        let mut open = vec![start];
        labels.insert(start, next);
        while let Some(cell) = open.pop() {
            let near = Direction::ALL.into_iter().filter_map(|way| cell.step(way));
            let links = grid.links_from(cell).iter().map(|link| link.to);
            let back = grid.links_to(cell).iter().map(|link| link.from);
            for other in near.chain(links).chain(back).filter(fits) {
                if joined(cell, other) && !labels.contains_key(&other) {
                    labels.insert(other, next);
                    open.push(other);
                }
            }
        }
        next += 1;
    }
    labels
}

/// Compares regions with flooding, for all cells and some outside.
fn judge(regions: &Regions, grid: &Grid, rules: Rules) {
    let labels = flooded(grid, rules);
    let mut sizes = BTreeMap::new();
    for floor in 0..=grid.floors() {
        for y in 0..grid.height() + 2 {
            for x in 0..grid.width() + 2 {
                let cell = Cell::new(x, y).on_floor(floor);
                let label = labels.get(&cell).copied();
                assert_eq!(regions.label(cell), label, "{cell}");
                if let Some(label) = label {
                    *sizes.entry(label).or_insert(0_u32) += 1;
                }
            }
        }
    }
    assert_eq!(regions.sizes(), sizes.into_values().collect::<Vec<_>>());
    assert_eq!(regions.count(), regions.sizes().len());
    assert!(regions.is_current(grid));
}

fn any_map(width: u16, height: u16) -> impl Strategy<Value = Grid> {
    let size = (1..width, 1..height, 1..3_u8)
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors));
    size.prop_flat_map(|size| {
        let exits = prop_oneof![Just(None), (1..200_u32).prop_map(Some)];
        let fenced = prop_oneof![4 => Just(false), 1 => Just(true)];
        (Just(size), any::<u64>(), 0..60_u32, exits, fenced, 0..4_u32)
    })
    .prop_map(|(size, seed, percent, exits, fenced, links)| {
        let ground = Ground {
            exits,
            links,
            ..Ground::of_walls(size, seed, percent)
        };
        let mut grid = ground.grid();
        if fenced {
            // Two exits of eight: parts of few cells.
            let mut random = Xorshift::new(seed);
            let bytes = (0..size.cells()).map(|_| (random.below(256) & random.below(256)) as u8);
            grid.set_exit_bytes(bytes.collect()).unwrap();
        }
        grid
    })
}

proptest! {
    #![proptest_config(tries(150, 500))]

    #[test]
    fn small_maps(grid in any_map(14, 10), rules in any_rules()) {
        judge(&Regions::of(&grid, rules), &grid, rules);
    }
}

proptest! {
    #![proptest_config(tries(10, 60))]

    #[test]
    fn many_tiles(
        grid in any_map(210, 140),
        rules in any_rules(),
        prepared: bool,
    ) {
        let mut grid = grid;
        if prepared {
            grid.prepare_footprint(rules.footprint);
        }
        judge(&Regions::of(&grid, rules), &grid, rules);
    }

    #[test]
    fn repaired_as_new(
        grid in any_map(200, 100),
        edits in vec(vec(any::<u64>(), 0..4), 1..4),
        rules in any_rules(),
    ) {
        let mut grid = grid;
        let mut regions = Regions::of(&grid, rules);
        for edits in edits {
            for seed in edits {
                grid.apply(&random_edit(&grid, seed)).unwrap();
            }
            regions.repair(&grid);
            judge(&regions, &grid, rules);
        }
    }
}

proptest! {
    #![proptest_config(tries(12, 80))]

    /// Building and repairs may be cut anywhere, with edits in between.
    #[test]
    fn in_slices(
        grid in any_map(260, 140),
        edits in vec((vec(any::<u64>(), 0..3), 1..40_u32, 1..400_u32), 1..6),
        rules in any_rules(),
    ) {
        let mut grid = grid;
        let mut regions = Regions::begin(&grid, rules);
        for (edits, slices, work) in edits {
            for seed in edits {
                grid.apply(&random_edit(&grid, seed)).unwrap();
            }
            for _ in 0..slices {
                let is_done = regions.is_current(&grid);
                let done = regions.repair_within(&grid, work);
                prop_assert_eq!(done == 0, is_done);
                prop_assert!(done < work + 20_000, "{} of {}", done, work);
                if regions.due() > 0 {
                    prop_assert!(!regions.serves(&grid, rules));
                    prop_assert_eq!((regions.label(Cell::new(0, 0)), regions.count()), (None, 0));
                }
            }
        }
        regions.repair(&grid);
        judge(&regions, &grid, rules);
        prop_assert_eq!(regions.repair_within(&grid, 9), 0);
    }
}

#[test]
fn largest() {
    let grid = Grid::from_fn(7, 1, |cell| cell.x != 1 && cell.x != 4).unwrap();
    let regions = Regions::of(&grid, Rules::default());
    assert_eq!(
        (regions.sizes(), regions.largest()),
        (&[1, 2, 2][..], Some(1))
    );
    assert!(regions.same(Cell::new(2, 0), Cell::new(3, 0)));
    assert!(!regions.same(Cell::new(1, 0), Cell::new(1, 0)), "a wall");
    assert_eq!(regions.label(Cell::new(9, 0)), None);
    let walls = Grid::blocked(4, 4).unwrap();
    assert_eq!(Regions::of(&walls, Rules::default()).largest(), None);
}

/// An edit may renumber parts that touch the tile to the left, although that tile is not affected
/// otherwise.
#[test]
fn neighbours_of_edited_tile() {
    let is_open = |cell: Cell| !(64..72).contains(&cell.x) || cell.y == 63;
    let mut grid = Grid::from_fn(128, 64, is_open).unwrap();
    let mut regions = Regions::of(&grid, Rules::default());
    let wall = Area::new(Cell::new(72, 40), Cell::new(127, 40));
    grid.set_walkable(wall, false).unwrap();
    regions.repair(&grid);
    judge(&regions, &grid, Rules::default());
}

#[test]
fn another_map() {
    let mut regions = Regions::of(&Grid::open(300, 200).unwrap(), Rules::default());
    let other = Grid::from_fn(90, 70, |cell| cell.x != 70).unwrap();
    assert!(!regions.is_current(&other));
    regions.repair(&other);
    judge(&regions, &other, Rules::default());
}

/// Cells without exits are the largest number of regions that a tile can have.
#[test]
fn cells_without_exits() {
    let mut grid = Grid::open(130, 70).unwrap();
    grid.set_exit_bytes(vec![0; 130 * 70]).unwrap();
    let regions = Regions::of(&grid, Rules::default());
    assert_eq!(regions.count(), 130 * 70);
    judge(&regions, &grid, Rules::default());
}

#[test]
fn memory_of_large_map() {
    let grid = Grid::open(5000, 5000).unwrap();
    let regions = Regions::of(&grid, Rules::default());
    assert_eq!(regions.sizes(), [25_000_000]);
    let (_, bytes) = peak_during(|| regions.clone());
    assert!((1..1 << 20).contains(&bytes), "{bytes}");
}
