//! Rings around standing targets: chasers take every free place, and then rest.

use super::scene::{count_in_reach, guard, not_in_reach, tuned, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, GoTo, NavMap};
use nav_grid::{Area, Cell, Footprint, Grid, Link, Method, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies, pairs, sample};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// Sets up ten times ten targets on open ground, with `each` chasers per target from up to eight
/// cells away. Returns the cells of chasers that are not beside their target after twenty seconds.
fn left_out(chaser: Chaser, each: usize, seed: u64) -> Vec<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bodies = Bodies::on(TestWorld::open(200, 200));
    let mut packs = Vec::new();
    for n in 0..100 {
        let at = Cell::new(n % 10 * 20 + 10, n / 10 * 20 + 10);
        let target = bodies.world.target(at);
        let mut places = std::collections::BTreeSet::new();
        while places.len() < each {
            let (dx, dy) = (random.random_range(0..17), random.random_range(0..17));
            let place = Cell::new(at.x + dx - 8, at.y + dy - 8);
            if place != at {
                places.insert(place);
            }
        }
        let spawn = |at| bodies.spawn(chaser, Body::default(), at, target);
        let pack: Vec<Entity> = places.into_iter().map(spawn).collect();
        packs.push((target, pack));
    }
    bodies.tick(400);
    let out = |(target, pack): &(Entity, Vec<Entity>)| not_in_reach(&bodies.world, pack, *target);
    packs.iter().flat_map(out).collect()
}

#[test]
fn two_solid_chasers() {
    for seed in 0..3 {
        let out = left_out(Chaser::default(), 2, seed);
        assert!(out.is_empty(), "seed {seed}: {} of 200: {out:?}", out.len());
    }
}

#[test]
fn four_by_astar() {
    let chaser = Chaser {
        method: Method::AStar,
        ..Chaser::default()
    };
    let out = left_out(chaser, 4, 0);
    assert!(out.is_empty(), "{} of 400: {out:?}", out.len());
}

#[test]
fn four_classic() {
    let out = left_out(Chaser::classic(), 4, 0);
    assert!(out.is_empty(), "{} of 400: {out:?}", out.len());
}

#[test]
fn four_avoiders() {
    for policy in [BodyPolicy::AvoidNear(2), BodyPolicy::AvoidAll] {
        let out = left_out(tuned(Method::Auto, policy), 4, 0);
        assert!(out.is_empty(), "{policy:?}: {} of 400: {out:?}", out.len());
    }
}

/// Sends a pack from one side to a target at 30,30 of a map. Returns how many are beside it after
/// forty seconds, and checks that all rest by then.
fn ring_on(grid: Grid, count: u16) -> usize {
    let mut bodies = Bodies::on(TestWorld::on(grid));
    let target = bodies.world.target((30, 30));
    for n in 0..count {
        bodies.solid((16 + n % 8, 26 + n / 8), target);
    }
    bodies.tick(800);
    let (steps, searches) = work_of(&mut bodies, 60);
    assert_eq!(steps, 0, "{count} chasers: somebody still moves");
    assert!(
        searches <= count.into(),
        "{count} chasers: {searches} searches"
    );
    count_in_reach(&bodies.world, &bodies.agents, target)
}

const PACKS: [u16; 5] = [5, 8, 12, 48, 60];

/// The size of a full ring, or of the pack if that is smaller.
fn full(count: u16) -> usize {
    count.min(8).into()
}

#[test]
fn no_gap_on_plain_ground() {
    for count in sample(PACKS, 2) {
        let grid = Grid::open(60, 60).unwrap();
        assert_eq!(ring_on(grid, count), full(count), "{count} chasers");
    }
}

#[test]
fn no_gap_with_one_cost() {
    let places = [(40, 40), (31, 30), (28, 30), (30, 12)];
    for (count, at) in sample(pairs(PACKS, places), 9) {
        let mut grid = Grid::open(60, 60).unwrap();
        grid.set_cost(Cell::from(at), 2).unwrap();
        assert_eq!(ring_on(grid, count), full(count), "{count} chasers, {at:?}");
    }
}

#[test]
fn no_gap_with_one_link() {
    for count in sample(PACKS, 2) {
        let mut grid = Grid::open(60, 60).unwrap();
        let link = Link::new(Cell::new(40, 40), Cell::new(44, 44));
        grid.set_link(link).unwrap();
        assert_eq!(ring_on(grid, count), full(count), "{count} chasers");
    }
}

#[test]
fn no_gap_with_costs_everywhere() {
    for (count, seed) in sample(PACKS.into_iter().zip(1..), 4) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut grid = Grid::open(60, 60).unwrap();
        for cell in Area::new(Cell::new(0, 0), Cell::new(59, 59)).cells() {
            let cost = random.random_range(1..6_u8);
            grid.set_cost(cell, cost).unwrap();
        }
        assert_eq!(ring_on(grid, count), full(count), "{count} chasers");
    }
}

/// Returns the cells around some targets.
fn cells_around(targets: &[Cell]) -> Vec<Cell> {
    let far = |cell: &Cell| targets.iter().map(|target| target.chebyshev(*cell)).min();
    Area::new(Cell::new(0, 0), Cell::new(59, 59))
        .cells()
        .filter(|cell| far(cell) == Some(1))
        .collect()
}

#[test]
fn two_players_side_by_side() {
    for (apart, pack) in sample(pairs(1..=3, [6, 12, 30]), 4) {
        let places = [Cell::new(30, 30), Cell::new(30 + apart, 30)];
        let mut bodies = Bodies::on(TestWorld::open(60, 60));
        let players = places.map(|at| bodies.world.target(at));
        for n in 0..pack {
            bodies.solid((14 + n % 6, 26 + n / 6), players[1]);
            bodies.solid((44 + n % 6, 26 + n / 6), players[0]);
        }
        bodies.tick(1_200);
        let (steps, searches) = work_of(&mut bodies, 60);
        assert_eq!(steps, 0, "{apart} apart, {pack} each: steps in a minute");
        assert!(searches <= 2 * u64::from(pack), "{searches} searches");
        let ring = cells_around(&places);
        let taken = bodies.cells();
        let taken = |cell: &&Cell| taken.contains_key(&(cell.floor, cell.y, cell.x));
        let full = ring.iter().filter(taken).count();
        if pack == 30 {
            assert_eq!(full, ring.len(), "{apart} apart: places that are taken");
        }
    }
}

#[test]
fn pushes_off_target_are_short() {
    let mut bodies = Bodies::on(TestWorld::open(60, 60));
    let players = [(30, 30), (31, 30)].map(|at| bodies.world.target(at));
    let first: Vec<Entity> = (0..4)
        .map(|n| bodies.solid((25, 28 + n), players[0]))
        .collect();
    bodies.tick(200);
    assert_eq!(count_in_reach(&bodies.world, &first, players[0]), 4);
    for n in 0..24 {
        bodies.solid((40 + n % 4, 27 + n / 4), players[1]);
    }
    // More than two seconds in a row counts as pushed off.
    let mut away = [0; 4];
    for _ in 0..1_200 {
        bodies.tick(1);
        for (chaser, away) in first.iter().zip(&mut away) {
            let near = bodies.world.is_within_reach(*chaser, players[0]);
            *away = if near { 0 } else { *away + 1 };
            assert!(*away <= 40, "{chaser} at {}", bodies.world.cell(*chaser));
        }
    }
}

/// A corridor beside two players with bodies, and an idle body between them. From its left cell
/// only the left player is within reach, from its right cell only the right one, and from the
/// middle both.
const TOO_NARROW: [&str; 3] = [
    "#...#", //
    "#...#", //
    "#####",
];

#[test]
fn mutual_pushes_end() {
    let mut bodies = Bodies::new(&TOO_NARROW);
    let [left, _, right] = [1, 2, 3].map(|column| guard(&mut bodies, (column, 0)));
    // Each chaser is on the side of the other's player, and there is no room to pass.
    let pack = [((3, 1), left), ((1, 1), right)].map(|(at, player)| bodies.solid(at, player));
    // Pushing ends half a minute after the targets stop.
    bodies.tick(60 * nav_tests::TICK_RATE);
    let (steps, searches) = work_of(&mut bodies, 60);
    assert_eq!(steps, 0, "steps in a minute");
    assert!(searches <= 2, "{searches} searches");
    let near = count_in_reach(&bodies.world, &pack[..1], left)
        + count_in_reach(&bodies.world, &pack[1..], right);
    assert_eq!(near, 1, "who are beside their player");
}

#[test]
fn freed_place_is_taken() {
    let grid = |costs: bool| {
        let mut grid = Grid::open(60, 60).unwrap();
        if costs {
            grid.set_cost(Cell::new(40, 40), 2).unwrap();
        }
        grid
    };
    for (costs, method) in [
        (false, Method::Auto),
        (true, Method::Auto),
        (false, Method::AStar),
    ] {
        let mut bodies = Bodies::on(TestWorld::on(grid(costs)));
        let target = bodies.world.target((30, 30));
        for n in 0..20 {
            let chaser = tuned(method, BodyPolicy::Ignore);
            bodies.spawn(chaser, Body::default(), (18 + n % 5, 28 + n / 5), target);
        }
        bodies.tick(800);
        let near = |bodies: &Bodies| count_in_reach(&bodies.world, &bodies.agents, target);
        assert_eq!(near(&bodies), 8, "costs {costs}, {method}");
        let gone = bodies
            .agents
            .iter()
            .position(|&agent| bodies.world.is_within_reach(agent, target));
        let gone = bodies.agents.remove(gone.expect("eight are"));
        bodies.world.world().despawn(gone);
        bodies.tick(40);
        assert_eq!(
            near(&bodies),
            8,
            "costs {costs}, {method}: two seconds later"
        );
    }
}

#[test]
fn far_edits_wake_nobody() {
    let mut bodies = Bodies::on(TestWorld::open(120, 60));
    let target = bodies.world.target((30, 30));
    for n in 0..20 {
        bodies.solid((18 + n % 5, 28 + n / 5), target);
    }
    bodies.tick(800);
    let before = bodies.world.diagnostics().total;
    for n in 0..20_u16 {
        let map = bodies.world.map;
        let mut map = bodies.world.get_mut::<NavMap>(map);
        map.set_walkable(Cell::new(100, 20 + n), n % 2 == 0)
            .unwrap();
        bodies.tick(20);
    }
    let after = bodies.world.diagnostics().total;
    assert_eq!(after.steps - before.steps, 0);
    assert_eq!(after.searches() - before.searches(), 0);
}

#[test]
fn large_chasers_come_to_rest() {
    let size = |side| Footprint::new(side).expect("1 to 8");
    let starts = [(40, 0), (40, 1), (39, 0), (30, 0), (30, 1)];
    let cases = pairs([BodyPolicy::Ignore, BodyPolicy::AvoidAll], starts);
    for (policy, (row, shift)) in sample(cases, 4) {
        let mut bodies = Bodies::on(TestWorld::open(42, 44));
        let players = [(35, 43), (25, 42)].map(|at| bodies.world.target(at));
        let mut large = |side: u8, at: (u16, u16), player| {
            let mut chaser = tuned(Method::Auto, policy);
            chaser.rules.footprint = size(side);
            bodies.spawn(chaser, Body::solid(size(side)), at, player)
        };
        large(1, (34, 42), players[0]);
        large(2, (23, 40), players[1]);
        let first = large(3, (26, row), players[0]);
        let second = large(2, (29, row + shift), players[1]);
        bodies.tick(1_600);
        let (steps, searches) = work_of(&mut bodies, 60);
        let places = [first, second].map(|npc| bodies.world.cell(npc));
        assert_eq!(
            steps, 0,
            "{policy:?} from row {row}, {shift}: at {places:?}"
        );
        assert!(searches <= 4, "{searches} searches");
    }
}

#[test]
fn avoider_reaches_target_among_bodies() {
    // The cell nearest to the target lies behind a wall, and guards stand in the only way onto it.
    let mut bodies = Bodies::new(&[
        "..............", //
        ".############.",
        "..............",
    ]);
    let target = bodies.world.target((8, 2));
    for place in [(4, 2), (10, 2)] {
        guard(&mut bodies, place);
    }
    let chaser = Chaser {
        stop_distance: 6,
        ..tuned(Method::Auto, BodyPolicy::AvoidAll)
    };
    let archer = bodies.world.chaser_with(chaser, (7, 0), target);
    bodies.tick(30 * nav_tests::TICK_RATE);
    bodies.world.assert_within_reach(archer, target);
    assert_eq!(work_of(&mut bodies, 60), (0, 0));
}

/// Sends solid walkers from a block of three columns onto one cell, all in one tick. Returns how
/// many cells each is from it in the end.
fn walk_together(count: u16, at: (u16, u16), to: Cell) -> Vec<u16> {
    let mut bodies = Bodies::on(TestWorld::open(41, 21));
    let walkers: Vec<_> = (0..count)
        .map(|n| {
            let walker = guard(&mut bodies, (at.0 + n % 3, at.1 + n / 3));
            bodies.world.insert(walker, (Chaser::default(), GoTo(to)));
            walker
        })
        .collect();
    bodies.tick(60 * nav_tests::TICK_RATE);
    let from = |&walker: &Entity| bodies.world.cell(walker).chebyshev(to);
    walkers.iter().map(from).collect()
}

#[test]
fn walks_to_one_cell() {
    let to = Cell::new(28, 10);
    for count in 1..=9 {
        for at in [(6, 9), (12, 9), (22, 9), (6, 3)] {
            let mut from = walk_together(count, at, to);
            from.sort_unstable();
            let nearest: Vec<u16> = (0..count).map(|n| n.min(1)).collect();
            assert_eq!(from, nearest, "{count} walkers from {at:?}");
        }
    }
}
