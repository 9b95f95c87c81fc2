//! Cases that once failed, as they were drawn.

use crate::{
    conformance::{judge_edited, judge_world},
    limits,
    worlds::World,
};
use nav_grid::{
    Cell, CornerRule, Footprint, Limits, Metric, PathQuery, Rules, Size,
    rules::{BodyPolicy, Heuristic},
};
use nav_judge::Ground;

fn side(side: u8) -> Footprint {
    Footprint::new(side).expect("1 to 8")
}

fn at(x: u16, y: u16, floor: u8) -> Cell {
    Cell::new(x, y).on_floor(floor)
}

/// A world with bodies: the place of each, and its side.
fn world(ground: Ground, prepared: bool, bodies: &[(u16, u16, u8, u8)]) -> World {
    let body = |&(x, y, floor, size): &(u16, u16, u8, u8)| (at(x, y, floor), side(size));
    World {
        ground,
        prepared,
        bodies_size: ground.size,
        bodies: bodies.iter().map(body).collect(),
    }
}

const fn size(width: u16, height: u16, floors: u8) -> Size {
    Size::new(width, height).with_floors(floors)
}

#[test]
fn edits_of_rare_exits() {
    let ground = Ground {
        exits: Some(90),
        links: 9,
        ..Ground::of_walls(size(19, 10, 3), 9_296_280_662_129_164_204, 29)
    };
    let rules = Rules::new(Metric::Unit, CornerRule::Strict).with_footprint(side(2));
    let query = PathQuery::new(at(0, 0, 0), at(0, 8, 0))
        .with_rules(rules)
        .with_limits(Limits::UNBOUNDED);
    let seeds = [
        13_265_388_057_215_179_792,
        146_780_179_530_756_237,
        16_372_551_625_186_800_774,
        3_874_947_953_693_670_981,
        9_044_989_570_507_095_255,
        12_036_577_038_734_847_526,
    ];
    judge_edited(&world(ground, false, &[]), &[query], &seeds);
}

#[test]
fn links_of_four_floors() {
    let ground = Ground {
        links: 3,
        ..Ground::of_walls(size(32, 12, 4), 0, 1)
    };
    let rules = Rules::new(Metric::Unit, CornerRule::Strict);
    let here = PathQuery::new(at(0, 0, 0), at(0, 0, 0))
        .with_rules(rules)
        .with_limits(Limits::window(3));
    let large = PathQuery::new(at(15, 0, 2), at(0, 0, 0))
        .with_rules(rules.with_footprint(side(6)))
        .with_limits(Limits::window(14));
    let world = world(ground, false, &[(3, 4, 3, 1), (17, 11, 2, 1)]);
    judge_world(&world, &[here, large]);
}

#[test]
fn cost_limit_among_bodies() {
    let ground = Ground::of_walls(size(44, 9, 2), 301_106_751_868_353_740, 0);
    let bodies = [
        (6, 5, 0, 2),
        (11, 7, 0, 2),
        (26, 5, 0, 3),
        (17, 8, 1, 2),
        (31, 0, 0, 1),
        (10, 8, 0, 3),
        (36, 7, 0, 4),
        (14, 8, 1, 2),
        (32, 1, 1, 3),
        (17, 4, 1, 1),
        (12, 2, 1, 1),
        (28, 4, 0, 3),
        (7, 0, 0, 1),
        (2, 8, 0, 1),
        (37, 2, 0, 1),
        (24, 2, 0, 3),
        (42, 3, 1, 1),
        (43, 7, 1, 1),
        (5, 4, 1, 2),
        (3, 3, 1, 3),
    ];
    let rules = Rules::new(Metric::Grid, CornerRule::Cut).with_bodies(BodyPolicy::AvoidAll);
    let query = PathQuery::new(at(33, 3, 0), at(10, 8, 0))
        .with_rules(rules)
        .with_heuristic(Heuristic::Chebyshev)
        .with_limits(Limits::window(23))
        .with_goal_body(side(3));
    limits::judge_world(&world(ground, false, &bodies), &[query], 67);
}

#[test]
fn cost_limit_among_links() {
    let ground = Ground {
        exits: Some(4),
        links: 30,
        ..Ground::of_walls(size(2, 8, 3), 7_103_456_314_267_439_209, 15)
    };
    let rules = Rules::new(Metric::Unit, CornerRule::Strict).with_footprint(side(2));
    let query = PathQuery::new(at(0, 2, 2), at(0, 0, 1))
        .with_rules(rules)
        .with_limits(Limits::window(3));
    let world = world(ground, true, &[(0, 6, 0, 2), (0, 3, 2, 2)]);
    limits::judge_world(&world, &[query], 95);
}

/// A body stands on the ground where a wall is left.
#[test]
fn out_of_a_wall_onto_a_body() {
    let ground = Ground {
        costs: true,
        links: 3,
        ..Ground::of_walls(size(48, 17, 3), 751_351_378_679_366_284, 3)
    };
    let rules = Rules::new(Metric::Grid, CornerRule::Strict)
        .with_footprint(side(3))
        .with_bodies(BodyPolicy::AvoidAll);
    let query = PathQuery::new(at(15, 15, 2), at(9, 3, 2))
        .with_rules(rules)
        .with_limits(Limits::window(11));
    judge_world(&world(ground, false, &[(17, 13, 2, 2)]), &[query]);
}
