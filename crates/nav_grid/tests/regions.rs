//! Connected regions, judged by flooding.

use nav_grid::{
    Cell, CornerRule, Direction, Directions, Footprint, Grid, Link, Metric, Regions, Rules, Size,
};
use proptest::{collection::vec, prelude::*, sample::select};
use std::collections::BTreeSet;

/// All that can be reached from a cell, or from which it can be reached, over any number of
/// such moves.
fn flood(grid: &Grid, rules: Rules, start: Cell, cells: &[Cell]) -> BTreeSet<Cell> {
    let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(cell) = open.pop() {
        let near = Direction::ALL.into_iter().filter_map(|way| cell.step(way));
        let far = grid.links().iter().flat_map(|link| [link.from, link.to]);
        for other in near.chain(far).filter(|other| cells.contains(other)) {
            let joined =
                grid.allows_move(cell, other, rules) || grid.allows_move(other, cell, rules);
            if joined && seen.insert(other) {
                open.push(other);
            }
        }
    }
    seen
}

fn any_map() -> impl Strategy<Value = Grid> {
    let size = (1..14_u16, 1..10_u16, 1..3_u8)
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors));
    size.prop_flat_map(|size| {
        let cell = (0..size.width, 0..size.height, 0..size.floors).prop_map(|(x, y, floor)| Cell {
            x,
            y,
            floor,
        });
        (
            Just(size),
            vec(0..10_u8, size.cells() as usize),
            vec((cell.clone(), any::<u8>()), 0..12),
            vec((cell.clone(), cell), 0..4),
        )
    })
    .prop_map(|(size, walls, exits, links)| {
        let mut walls = walls.into_iter();
        let mut grid = Grid::build(size, |_| walls.next() > Some(3)).unwrap();
        for (cell, exits) in exits {
            grid.set_exits(cell, Directions(exits)).unwrap();
        }
        let links = links.into_iter().map(|(from, to)| Link::new(from, to));
        grid.set_links(links).unwrap();
        grid
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, ..ProptestConfig::default() })]

    #[test]
    fn a_region_is_what_flooding_reaches(
        grid in any_map(),
        metric in select(&Metric::ALL[..]),
        corners in select(&CornerRule::ALL[..]),
        side in 1..4_u8,
    ) {
        let footprint = Footprint::new(side).unwrap();
        let rules = Rules::new(metric, corners).with_footprint(footprint);
        let regions = Regions::of(&grid, rules);
        let cells: Vec<Cell> =
            grid.walkable_cells().filter(|&cell| grid.fits(cell, footprint)).collect();
        let mut next = 0;
        let mut done = BTreeSet::new();
        for &cell in &cells {
            if done.contains(&cell) {
                continue;
            }
            let flooded = flood(&grid, rules, cell, &cells);
            for &member in &flooded {
                prop_assert_eq!(regions.label(member), Some(next));
            }
            prop_assert_eq!(regions.sizes()[next as usize] as usize, flooded.len());
            next += 1;
            done.extend(flooded);
        }
        prop_assert_eq!(regions.count(), next as usize);
    }
}

#[test]
fn the_largest_region_is_the_first_of_its_size() {
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
