//! Repaired graphs equal fresh ones.

use super::*;
use crate::worlds::random_edit;
use nav_grid::index::SlicedIndex;

proptest! {
    #![proptest_config(tries(12, 160))]

    /// A repaired graph equals a fresh one, and gives the same answers.
    #[test]
    fn random_worlds(
        world in any_wide(),
        rules in any_rules(),
        prepared in any::<bool>(),
        seeds in vec(any::<u64>(), 1..10),
    ) {
        let mut grid = world.grid();
        if prepared {
            grid.prepare_footprint(rules.footprint);
        }
        let mut map = built(&grid, rules);
        for seed in seeds {
            let mut random = Xorshift::new(seed);
            for number in 0..=u64::from(random.below(3)) {
                map.apply(&random_edit(map.grid(), seed ^ number)).unwrap();
            }
            let serves = |map: &IndexedMap| map.indexes().portals()[0].serves(map.grid(), rules);
            let version = map.indexes().portals()[0].version();
            prop_assert!(!serves(&map) || version == map.grid().version());
            map.repair();
            prop_assert!(serves(&map));
            let fresh = built(map.grid(), rules);
            prop_assert!(map.indexes().portals() == fresh.indexes().portals());

            let ends = (random.cell(world.size), random.cell(world.size));
            let query = settled(far(ends.0, ends.1, rules), map.grid());
            let (mut path, mut same) = (Path::new(), Path::new());
            prop_assert_eq!(
                PortalSearch::new().search(&map, &query, &mut path),
                PortalSearch::new().search(&fresh, &query, &mut same)
            );
            prop_assert_eq!(path, same);
        }
    }
}

/// Where corners are cut, a cell at the corner of a cluster has neighbours in three others.
#[test]
fn where_four_clusters_meet() {
    let rules = Rules::new(Metric::Octile, CornerRule::Cut);
    for seed in 0..by_tier(4, 12) {
        let kind = Kind::Clutter { percent: 50 };
        let grid = mapgen::generate(kind, 64, 64, seed).unwrap();
        let mut map = built(&grid, rules);
        for cell in Area::new(Cell::new(30, 30), Cell::new(33, 33)).cells() {
            for _ in 0..2 {
                let open = map.grid().is_walkable(cell);
                map.set_walkable(cell, !open).unwrap();
                map.repair();
                let fresh = built(map.grid(), rules);
                assert!(
                    map.indexes().portals() == fresh.indexes().portals(),
                    "{cell}, seed {seed}"
                );
            }
        }
    }
}
