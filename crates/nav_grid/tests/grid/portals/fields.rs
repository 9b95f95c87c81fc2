//! Fields lead to their targets, and do not depend on earlier look-ups.

use super::*;

proptest! {
    #![proptest_config(tries(25, 160))]

    /// The moves of a field lead to its target, at the distance that it returned or less.
    #[test]
    fn lead_to_target(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let (mut random, mut field) = (Xorshift::new(seed), PortalField::new());
        let metric = map.indexes().portals()[0].metric();
        for _ in 0..2 {
            let target = random.cell(world.size);
            let target = settled(far(target, target, rules), &grid).goal;
            if !grid.fits(target, rules.footprint) {
                prop_assert!(field.aim(terrain, rules, target).is_err());
                continue;
            }
            field.aim(terrain, rules, target).unwrap();
            for _ in 0..8 {
                let start = random.cell(world.size);
                let query = far(start, target, Rules { metric, ..rules });
                let mut path = Path::new();
                let truth = Dijkstra::new().search(&grid, &query, &mut path);
                let Some(distance) = field.distance(terrain, start) else {
                    prop_assert!(!truth.status.has_path(), "{start} to {target}");
                    prop_assert!(start != target);
                    continue;
                };
                prop_assert!(truth.status == Status::Found || start == target);
                prop_assert!(distance >= truth.cost);
                let mut at = start;
                let mut walked: Vec<Cell> = Vec::new();
                while let Some(next) = field.next_move(terrain, at) {
                    at = match next {
                        FieldMove::Step(direction) => at.step(direction).unwrap(),
                        FieldMove::Link(to) => to,
                    };
                    walked.push(at);
                    prop_assert!(walked.len() < 20_000, "{start} to {target} in circles");
                }
                prop_assert_eq!(at, target);
                let cost = walk(terrain, &query, &walked.into_iter().collect()).unwrap();
                prop_assert!(cost <= distance, "{} {}", cost, distance);
            }
        }
    }

    /// Barred links count as if they were not there.
    #[test]
    fn barred_links(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let mut grid = world.grid();
        let (map, mut random) = (built(&grid, rules), Xorshift::new(seed));
        let Some(link) = grid.links().get(seed as usize % grid.links().len().max(1)) else {
            return Ok(());
        };
        let barred = link.to;
        for link in grid.links_to(barred).to_vec() {
            grid.remove_link(link.from, link.to);
        }
        let other = built(&grid, rules);
        let (mut field, mut without) = (PortalField::new(), PortalField::new());
        // Aimed before, with all links.
        _ = field.aim(&map, rules, barred);
        let aimed = field.aim_barring(&map, rules, barred, &[barred]);
        prop_assert_eq!(aimed, without.aim(&other, rules, barred));
        for _ in 0..8 {
            let start = random.cell(world.size);
            prop_assert_eq!(field.distance(&map, start), without.distance(&other, start));
            prop_assert_eq!(field.next_move(&map, start), without.next_move(&other, start));
        }
    }

    /// Slices and earlier look-ups do not change the distance of a cell.
    #[test]
    fn in_slices(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let (mut random, mut sliced) = (Xorshift::new(seed), PortalField::new());
        for _ in 0..3 {
            let target = random.cell(world.size);
            if sliced.aim(terrain, rules, target).is_err() {
                continue;
            }
            for _ in 0..8 {
                let start = random.cell(world.size);
                let mut slices = 0;
                while !sliced.prepare_within(terrain, start, 7) {
                    prop_assert!(!sliced.is_prepared(terrain, start) && slices < 10_000);
                    slices += 1;
                }
                prop_assert!(sliced.is_prepared(terrain, start));
                let mut alone = PortalField::new();
                alone.aim(terrain, rules, target).unwrap();
                let both = [&mut sliced, &mut alone].map(|field| field.distance(terrain, start));
                prop_assert_eq!(both[0], both[1], "from {} to {}", start, target);
            }
        }
    }

    /// The costs of a prepared cell, and of the cells to which it leads on, do not depend on other
    /// look-ups. Each step that a field calls nearer shortens the way by its cost.
    #[test]
    fn prepared_cells(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let metric = map.indexes().portals()[0].metric();
        let mut random = Xorshift::new(seed);
        let target = random.cell(world.size);
        let target = settled(far(target, target, rules), &grid).goal;
        let mut whole = PortalField::new();
        if whole.aim(terrain, rules, target).is_err() {
            return Ok(());
        }
        for cell in cells(world.size) {
            whole.prepare(terrain, cell);
        }
        for _ in 0..20 {
            let cell = random.cell(world.size);
            let mut field = PortalField::new();
            field.aim(terrain, rules, target).unwrap();
            field.prepare(terrain, cell);
            prop_assert!(field.is_prepared(terrain, cell));
            let onward = field.look(terrain, cell);
            prop_assert_eq!(onward, whole.look(terrain, cell));
            let Some(onward) = onward else {
                prop_assert_eq!(whole.distance(terrain, cell), None);
                continue;
            };
            for way in onward.nearer.into_iter().chain(onward.level) {
                let next = cell.step(way).unwrap();
                prop_assert_eq!(field.look(terrain, next), whole.look(terrain, next));
            }
            let distance = whole.distance(terrain, cell).unwrap();
            let legal = grid.steps(cell, rules);
            prop_assert_eq!(onward.nearer.0 & onward.level.0, 0);
            prop_assert_eq!((onward.nearer.0 | onward.level.0) & !legal.0, 0);
            for step in legal {
                let rest = whole.distance(terrain, cell.step(step).unwrap()).unwrap_or(u32::MAX);
                let cost = Rules { metric, ..rules };
                let cost = grid.step_cost(cell, step, cost).unwrap();
                let nearer = rest.saturating_add(cost) <= distance;
                prop_assert_eq!(onward.nearer.contains(step), nearer);
                let level = rest <= distance && !nearer;
                prop_assert_eq!(onward.level.contains(step), level);
            }
            let leads_on = !onward.nearer.is_empty() || onward.link.is_some();
            prop_assert_eq!(leads_on, cell != target);
        }
    }
}
