//! Repaired graphs are those made afresh.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    /// A repaired graph is one made afresh, and answers as that does.
    #[test]
    fn repairs(
        world in any_wide(),
        rules in any_rules(),
        prepared in any::<bool>(),
        seeds in vec(any::<u64>(), 1..10),
    ) {
        let mut grid = world.grid();
        if prepared {
            grid.prepare_footprint(rules.footprint);
        }
        let mut portals = PortalGraph::new(&grid, rules);
        for seed in seeds {
            let mut random = Xorshift::new(seed);
            for _ in 0..=random.below(3) {
                edit(&mut grid, &mut random, world.exits);
            }
            prop_assert!(!portals.serves(&grid, rules) || portals.version() == grid.version());
            portals.repair(&grid);
            prop_assert!(portals.serves(&grid, rules));
            let fresh = PortalGraph::new(&grid, rules);
            prop_assert!(portals == fresh);

            let (mut one, mut other) = (MapIndexes::default(), MapIndexes::default());
            one.portals = Some(portals);
            other.portals = Some(fresh);
            let ends = (any_of(&mut random, world.size), any_of(&mut random, world.size));
            let query = settled(far(ends.0, ends.1, rules), &grid);
            let (mut path, mut same) = (Path::new(), Path::new());
            prop_assert_eq!(
                PortalSearch::new().search(grid.with_charts(&one), &query, &mut path),
                PortalSearch::new().search(grid.with_charts(&other), &query, &mut same)
            );
            prop_assert_eq!(path, same);
            portals = one.portals.unwrap();
        }
    }
}

/// Mostly a cell or two; now and then an area, a link or exits.
fn edit(grid: &mut Grid, random: &mut Xorshift, exits: bool) {
    let size = grid.size();
    let cell = any_of(random, size);
    match random.below(12) {
        0 => {
            let far = Cell {
                x: (cell.x + 40).min(size.width - 1),
                y: (cell.y + 9).min(size.height - 1),
                ..cell
            };
            let open = random.below(2) == 0;
            grid.set_walkable(Area::new(cell, far), open).unwrap();
        }
        1 | 2 => {
            let link = Link::new(cell, any_of(random, size));
            grid.set_link(link.with_cost(1 + random.below(20) as u16))
                .unwrap();
        }
        3 => {
            if let Some(&link) = grid.links().first() {
                grid.remove_link(link.from, link.to);
            }
        }
        4 if exits => {
            grid.set_exits(cell, Directions(random.below(256) as u8))
                .unwrap();
        }
        _ => {
            grid.set_walkable(cell, !grid.is_walkable(cell)).unwrap();
        }
    }
}

/// Every cell of a map of four clusters is toggled on its own.
#[test]
fn each_cell_of_a_map_opens_and_closes() {
    for percent in [0, 35] {
        let kind = Kind::Clutter { percent };
        let mut grid = mapgen::generate(kind, 40, 38, 3).unwrap();
        let rules = Rules::new(Metric::Octile, CornerRule::Strict);
        let mut portals = PortalGraph::new(&grid, rules);
        for cell in cells(grid.size()).step_by(3) {
            grid.set_walkable(cell, !grid.is_walkable(cell)).unwrap();
            portals.repair(&grid);
            assert!(portals == PortalGraph::new(&grid, rules), "{cell}");
        }
    }
}
