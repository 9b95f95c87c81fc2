//! Fields of several targets lead to the nearest.

use super::*;
use nav_grid::rules::Cost;

proptest! {
    #![proptest_config(tries(25, 160))]

    /// The nearest target is the one with the least distance and handicap of all, each asked alone.
    #[test]
    fn nearest_of_all(world in any_wide(), rules in any_rules(), seed in any::<u64>(), count in 1..12_usize) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let unit = map.indexes().portals()[0].metric().straight();
        let mut random = Xorshift::new(seed);
        let mut field = PortalField::new();
        for _ in 0..2 {
            let targets: Vec<(Cell, Cost)> = (0..count)
                .map(|number| (random.cell(world.size), number as u32 % 3 * unit))
                .collect();
            let mut alone: Vec<PortalField> = Vec::new();
            let mut numbers: Vec<usize> = Vec::new();
            for (number, &(cell, _)) in targets.iter().enumerate() {
                let mut one = PortalField::new();
                if one.aim(terrain, rules, cell).is_ok() {
                    alone.push(one);
                    numbers.push(number);
                }
            }
            let aimed = field.aim_at_all(terrain, rules, &targets);
            prop_assert_eq!(aimed.is_ok(), !alone.is_empty());
            if aimed.is_err() {
                prop_assert_eq!(field.nearest(terrain, targets[0].0), None);
                continue;
            }
            for _ in 0..30 {
                let start = random.cell(world.size);
                let costs: Vec<Option<Cost>> = numbers
                    .iter()
                    .zip(&mut alone)
                    .map(|(&number, one)| Some(one.distance(terrain, start)? + targets[number].1))
                    .collect();
                let best = costs.iter().flatten().min().copied();
                let nearest = field.nearest(terrain, start);
                prop_assert_eq!(nearest.map(|(_, cost)| cost), best, "from {}", start);
                if let Some((owner, cost)) = nearest {
                    let place = numbers.iter().position(|&number| number == owner);
                    prop_assert_eq!(costs[place.unwrap()], Some(cost), "from {} to {}", start, owner);
                }
            }
        }
    }
}
