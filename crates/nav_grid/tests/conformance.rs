//! The oracle judges every method on maps with everything: costs, exits, floors, links, bodies
//! and footprints.

mod worlds;

use nav_grid::{
    Area, Cell, Direction, Directions, Edit, Footprint, Grid, Limits, Link, Path, PathQuery, Rules,
    Search, Status, Terrain, methods::BoundedAStar,
};
use nav_judge::{Xorshift, cells, judge_exact_methods as judge, settled};
use proptest::{collection::vec, prelude::*};
use worlds::any_case;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn random_worlds((world, queries) in any_case()) {
        let (grid, bodies) = (world.grid(), world.bodies());
        for (number, &query) in queries.iter().enumerate() {
            // The first one keeps its ends, in walls or not.
            let query = if number == 0 { query } else { settled(query, &grid) };
            judge(Terrain::from(&grid).with_bodies(&bodies), &query);
            judge(Terrain::from(&grid), &query);
        }
    }

    /// A budget only ever turns an answer into `BudgetSpent`, never into a wrong one.
    #[test]
    fn budgets((world, queries) in any_case(), expansions in 0..200_u32) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let (mut path, mut other) = (Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &grid);
            let free = BoundedAStar::new().search(terrain, &query, &mut path);
            let limits = Limits { expansions, ..query.limits };
            let tight = query.with_limits(limits);
            let capped = BoundedAStar::new().search(terrain, &tight, &mut other);
            prop_assert!(capped.counters.expanded <= expansions);
            if capped.status == Status::BudgetSpent {
                prop_assert!(free.counters.expanded > expansions || free.status == Status::Found);
            } else {
                prop_assert_eq!(capped, free);
                prop_assert_eq!(&other, &path);
            }
        }
    }

    /// A map that was edited answers as one that was made as it is now, and rightly.
    #[test]
    fn edited_worlds(
        (world, queries) in any_case(),
        seeds in vec(any::<u64>(), 1..12),
    ) {
        let bodies = world.bodies();
        let mut edited = world.grid();
        for seed in seeds {
            let edit = random_edit(&edited, seed);
            edited.apply(&edit).expect("an edit of the map");
        }
        let mut afresh = Grid::build(world.size, |cell| edited.is_walkable(cell)).unwrap();
        for cell in cells(world.size) {
            if edited.is_walkable(cell) {
                afresh.set_cost(cell, edited.cost(cell)).unwrap();
            }
            afresh.set_exits(cell, edited.exits(cell)).unwrap();
        }
        for &link in edited.links() {
            afresh.set_link(link).unwrap();
        }
        prop_assert_eq!(&edited, &afresh);
        let (mut one, mut other) = (Path::new(), Path::new());
        for &query in &queries {
            let query = settled(query, &edited);
            judge(Terrain::from(&edited).with_bodies(&bodies), &query);
            prop_assert_eq!(
                BoundedAStar::new().search(Terrain::from(&edited).with_bodies(&bodies), &query, &mut one),
                BoundedAStar::new().search(Terrain::from(&afresh).with_bodies(&bodies), &query, &mut other)
            );
            prop_assert_eq!(&one, &other);
        }
    }
}

fn random_edit(grid: &Grid, seed: u64) -> Edit {
    let mut random = Xorshift::new(seed);
    let cells: Vec<Cell> = cells(grid.size()).collect();
    let mut cell = || cells[random.below(cells.len() as u32) as usize];
    let (first, second) = (cell(), cell());
    let near = Cell {
        x: (first.x + 3).min(grid.width() - 1),
        y: (first.y + 3).min(grid.height() - 1),
        ..first
    };
    let area = Area::new(first, if random.below(2) == 0 { near } else { second });
    match random.below(6) {
        0 => Edit::Walkable(Area::new(first, near), false),
        1 => Edit::Walkable(area, true),
        2 => Edit::Cost(area, random.below(65) as u8),
        3 => Edit::Exits(area, Directions(random.below(256) as u8)),
        4 => Edit::Link(Link::new(first, second).with_cost(1 + random.below(40) as u16)),
        _ => {
            let links = grid.links();
            let link = links.get(random.below(links.len().max(1) as u32) as usize);
            let link = link.copied().unwrap_or(Link::new(first, second));
            Edit::Unlink {
                from: link.from,
                to: link.to,
            }
        }
    }
}

/// Every map of 3×3 cells, every exit mask of the middle cell's four straight steps, every pair
/// of cells, bodies of one and of four cells.
#[test]
fn every_small_map_with_exits_and_footprints() {
    for bits in 0..1_u32 << 9 {
        let walls = Grid::from_fn(3, 3, |cell| bits >> (cell.y * 3 + cell.x) & 1 == 1).unwrap();
        for mask in 0..16_u8 {
            let mut grid = walls.clone();
            let exits = Direction::ALL
                .into_iter()
                .filter(|&way| way.is_diagonal() || mask >> (way as u8 / 2) & 1 == 1);
            grid.set_exits(Cell::new(1, 1), exits.collect()).unwrap();
            for start in grid.walkable_cells() {
                for goal in grid.walkable_cells() {
                    for side in 1..=2 {
                        let rules =
                            Rules::default().with_footprint(Footprint::new(side).expect("1 or 2"));
                        judge(
                            Terrain::from(&grid),
                            &PathQuery::new(start, goal).with_rules(rules),
                        );
                    }
                }
            }
        }
    }
}
