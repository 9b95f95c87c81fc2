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
        let metric = map.portals()[0].metric();
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

    /// A field that is aimed in slices equals a field that is aimed at once; another target begins again.
    #[test]
    fn sliced_aims(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let (mut random, mut sliced) = (Xorshift::new(seed), PortalField::new());
        for _ in 0..3 {
            let target = random.cell(world.size);
            let mut whole = PortalField::new();
            if whole.aim(terrain, rules, target).is_err() {
                continue;
            }
            // Begun for another target, and left.
            let other = random.cell(world.size);
            let _ = sliced.aim_within(terrain, rules, other, 1);
            let mut slices = 0;
            while !sliced.aim_within(terrain, rules, target, 7).unwrap() {
                prop_assert!(sliced.target().is_none() && slices < 10_000);
                slices += 1;
            }
            prop_assert_eq!(sliced.counters(), whole.counters());
            for _ in 0..8 {
                let start = random.cell(world.size);
                let both = [&mut sliced, &mut whole].map(|field| field.distance(terrain, start));
                prop_assert_eq!(both[0], both[1], "from {} to {}", start, target);
            }
        }
    }

    /// The costs of a prepared cell, and of the cells beside it, do not depend on other look-ups. Each step that a
    /// field calls nearer shortens the way by its cost.
    #[test]
    fn prepared_cells(world in any_wide(), rules in any_rules(), seed in any::<u64>()) {
        let grid = world.grid();
        let map = built(&grid, rules);
        let terrain = Terrain::from(&map);
        let metric = map.portals()[0].metric();
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
            let beside = Direction::ALL.into_iter().filter_map(|way| cell.step(way));
            for known in beside.chain([cell]) {
                prop_assert_eq!(field.look(terrain, known), whole.look(terrain, known));
            }
            let Some(onward) = field.look(terrain, cell) else {
                prop_assert_eq!(whole.distance(terrain, cell), None);
                continue;
            };
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
