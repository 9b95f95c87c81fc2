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

/// An edit after the first tick.
type Change = fn(&mut NavMap);

#[test]
fn cheaper_way_is_taken() {
    let mud = Class::new(3).unwrap();
    let chase = |sides, from: (u16, u16), to: (u16, u16), before| Chase {
        sides,
        from: from.into(),
        to: to.into(),
        before,
    };
    let dear = Some((area((0, 0), (39, 8)), 9));
    let cases: [(&str, Chase, Change, Cost); 5] = [
        (
            "a small swamp ahead",
            chase((12, 5), (1, 2), (10, 2), None),
            |map| _ = map.set_cost(area((5, 1), (6, 3)), 64).unwrap(),
            10,
        ),
        (
            "a large swamp ahead",
            chase((70, 25), (5, 12), (21, 12), None),
            |map| _ = map.set_cost(area((12, 8), (14, 16)), 20).unwrap(),
            20,
        ),
        // A first step before, down to the road and up again.
        (
            "a road beside the way",
            chase((40, 9), (2, 4), (37, 4), dear),
            |map| _ = map.set_cost(area((0, 6), (39, 6)), 1).unwrap(),
            80,
        ),
        (
            "a dear class on the way",
            chase((40, 15), (2, 7), (37, 7), None),
            |map| {
                _ = map
                    .set_class(area((15, 4), (18, 10)), Class::new(3).unwrap())
                    .unwrap();
            },
            45,
        ),
        (
            "a teleporter beside the way",
            chase((60, 9), (2, 4), (55, 4), None),
            |map| {
                let link = Link::new(Cell::new(8, 5), Cell::new(50, 4));
                _ = map.set_link(link).unwrap();
            },
            20,
        ),
    ];
    for (name, chase, edit, most) in cases {
        for mut chaser in [Chaser::default(), Chaser::rts()] {
            chaser.rules.classes = chaser.rules.classes.with(mud, 15);
            let cost = chase.walked(chaser, edit);
            assert!(cost <= most, "{cost} with {name}, {chaser:?}");
        }
    }
}
