//! Ground that becomes dear or cheap on the way of a chaser.

use nav::{Chaser, NavMap};
use nav_grid::{
    Area, Cell, Grid, Link,
    rules::{Class, Cost},
};
use nav_tests::TestWorld;

/// A chase over ground that an edit changes under way.
struct Chase {
    sides: (u16, u16),
    from: Cell,
    to: Cell,
    /// Ground that is dear from the beginning.
    before: Option<(Area, u8)>,
}

/// Columns and rows from one corner to another.
fn area(from: (u16, u16), to: (u16, u16)) -> Area {
    Area::new(from.into(), to.into())
}

impl Chase {
    /// Runs until the chaser is beside its target. `edit` is made after the first tick. Returns
    /// what its steps cost.
    fn walked(&self, chaser: Chaser, edit: impl FnOnce(&mut NavMap)) -> Cost {
        let mut grid = Grid::open(self.sides.0, self.sides.1).unwrap();
        if let Some((area, cost)) = self.before {
            grid.set_cost(area, cost).unwrap();
        }
        let mut world = TestWorld::on(grid);
        let target = world.target(self.to);
        let chaser = world.chaser_with(chaser, self.from, target);
        world.tick(1);
        let map = world.map;
        edit(&mut world.get_mut::<NavMap>(map));
        let rules = Chaser::default().rules;
        let (mut cost, mut at) = (0, world.cell(chaser));
        for _ in 0..120 * nav_tests::TICK_RATE {
            world.tick(1);
            let to = world.cell(chaser);
            if to != at {
                let step = world.get::<NavMap>(map).grid().move_cost(at, to, rules);
                cost += step.expect("a legal step");
                at = to;
            }
            if world.is_within_reach(chaser, target) {
                return cost;
            }
        }
        panic!("the chaser stands at {at}:\n{world}");
    }
}

fn kinds() -> [(&'static str, Chaser); 2] {
    [("default", Chaser::default()), ("rts", Chaser::rts())]
}

#[test]
fn swamp_ahead_is_avoided() {
    let small = Chase {
        sides: (12, 5),
        from: Cell::new(1, 2),
        to: Cell::new(10, 2),
        before: None,
    };
    let large = Chase {
        sides: (70, 25),
        from: Cell::new(5, 12),
        to: Cell::new(21, 12),
        before: None,
    };
    for (name, chaser) in kinds() {
        let swamp = area((5, 1), (6, 3));
        let cost = small.walked(chaser, |map| _ = map.set_cost(swamp, 64).unwrap());
        assert!(cost <= 10, "{name}: {cost} through a small swamp");
        let swamp = area((12, 8), (14, 16));
        let cost = large.walked(chaser, |map| _ = map.set_cost(swamp, 20).unwrap());
        assert!(cost <= 20, "{name}: {cost} through a large swamp");
    }
}

#[test]
fn road_beside_the_way_is_taken() {
    let chase = Chase {
        sides: (40, 9),
        from: Cell::new(2, 4),
        to: Cell::new(37, 4),
        before: Some((area((0, 0), (39, 8)), 9)),
    };
    for (name, chaser) in kinds() {
        let road = area((0, 6), (39, 6));
        let cost = chase.walked(chaser, |map| _ = map.set_cost(road, 1).unwrap());
        // A first step before, down to the road and up again.
        assert!(cost <= 80, "{name}: {cost} beside a road");
    }
}

#[test]
fn class_on_the_way_counts() {
    let chase = Chase {
        sides: (40, 15),
        from: Cell::new(2, 7),
        to: Cell::new(37, 7),
        before: None,
    };
    let mud = Class::new(3).unwrap();
    let mut chaser = Chaser::default();
    chaser.rules.classes = chaser.rules.classes.with(mud, 30);
    let strip = area((15, 4), (18, 10));
    let cost = chase.walked(chaser, |map| _ = map.set_class(strip, mud).unwrap());
    assert!(cost <= 45, "{cost} through mud");
}

#[test]
fn link_beside_the_way_is_taken() {
    let chase = Chase {
        sides: (60, 9),
        from: Cell::new(2, 4),
        to: Cell::new(55, 4),
        before: None,
    };
    for (name, chaser) in kinds() {
        let link = Link::new(Cell::new(8, 5), Cell::new(50, 4));
        let cost = chase.walked(chaser, |map| _ = map.set_link(link).unwrap());
        assert!(cost <= 20, "{name}: {cost} beside a teleporter");
    }
}
