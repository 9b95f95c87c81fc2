//! Packs with different targets where one body has room: a body that rests or comes there makes
//! room for bodies without another way.
//!
//! In the drawings bodies 1 chase a target at `a`, and bodies 2 one at `b`.

use bevy_ecs::prelude::*;
use nav::Body;
use nav_grid::{Cell, Link};
use nav_tests::{TICK_RATE, TestWorld, apart::Bodies, pairs, sample};

/// Seconds in which all arrive: ways are 20 steps at most, 5 s, and a body may have to go back for
/// another one.
const SECONDS: u64 = 60;

/// Makes a stair between equal cells of two floors.
fn stair(x: u16, y: u16) -> Link {
    Link::new(Cell::new(x, y), Cell::new(x, y).on_floor(1))
}

/// Plays a drawing with a link both ways, until all bodies are beside their targets at once.
/// Returns the scene as it ends, if it does not come to that.
fn stuck(rows: &[&str], link: Option<Link>) -> Option<String> {
    let mut world = TestWorld::new(rows);
    for link in link.into_iter().flat_map(|link| [link, link.reversed()]) {
        world.link(link.from, link.to, 1);
    }
    let mut bodies = Bodies::on(world);
    let mut chases: Vec<(Entity, Entity)> = Vec::new();
    for (letter, place, name) in [('1', 'a', 'A'), ('2', 'b', 'B')] {
        if !rows.concat().contains(letter) {
            continue;
        }
        let target = bodies.world.target(place);
        bodies.world.name(name, target);
        for chaser in bodies.world.agents(letter) {
            bodies.world.insert(chaser, Body::default());
            bodies.world.chase(chaser, target);
            bodies.agents.push(chaser);
            chases.push((chaser, target));
        }
    }
    let is_over = |bodies: &Bodies| {
        let mut chases = chases.iter();
        chases.all(|&(chaser, target)| bodies.world.is_within_reach(chaser, target))
    };
    bodies.tick_while(SECONDS * TICK_RATE, |bodies| !is_over(bodies));
    (!is_over(&bodies)).then(|| bodies.world.to_string())
}

/// Asserts that all bodies of a drawing arrive.
fn assert_arrive(rows: &[&str], link: Option<Link>) {
    if let Some(text) = stuck(rows, link) {
        panic!("after {SECONDS} s\n{text}");
    }
}

#[test]
fn stair_up_and_down() {
    // Three below want up. One stands on the upper end and wants down, and two are behind it.
    assert_arrive(
        &[
            "....11.b...",
            ".....1#....",
            "...........",
            "",
            "......2....",
            "......#22..",
            "..a........",
        ],
        Some(stair(6, 0)),
    );
}

#[test]
fn bystander_on_a_stair() {
    // It can leave the end of the stair by the stair, or when the one or the three before it step
    // back.
    for before in [
        [".....21a...", "......#...."],
        ["....221a...", ".....2#...."],
    ] {
        let rows = [
            before[0],
            before[1],
            "...........",
            "",
            ".......#...",
            "..........b",
            "...........",
        ];
        assert_arrive(&rows, Some(stair(6, 0)));
    }
}

#[test]
fn bystander_on_a_teleporter() {
    let teleporter = Link::new(Cell::new(6, 0), Cell::new(16, 2));
    let rows = [
        ".....21a...#...........",
        "......#....#.......b...",
        "...........#...........",
    ];
    assert_arrive(&rows, Some(teleporter));
}

#[test]
fn bystander_in_a_door() {
    for behind in ["...2...", "..222.."] {
        let rows = [
            "b......", //
            ".......", "...a...", "###1###", behind, ".......",
        ];
        assert_arrive(&rows, None);
    }
}

#[test]
fn bystander_in_a_corridor() {
    // The niche is behind the coming body.
    let rows = ["...####.####...", "b....a1.....2..", "...#########..."];
    assert_arrive(&rows, None);
}

/// A body rests on the upper end of a stair, beside its target. There are more places, around the
/// wall.
#[test]
fn own_pack_below_a_stair() {
    for below in ["..1........", ".111......."] {
        let rows = [
            "...........",
            below,
            "...........",
            "...........",
            "",
            "..#........",
            "..1a.......",
            "..#........",
            "...........",
        ];
        assert_arrive(&rows, Some(stair(2, 1)));
    }
}

#[test]
fn own_pack_before_a_teleporter() {
    let teleporter = Link::new(Cell::new(10, 1), Cell::new(14, 1));
    let rows = [
        "...........#..#........",
        "..........1#..1a.......",
        "...........#..#........",
        "...........#...........",
    ];
    assert_arrive(&rows, Some(teleporter));
}

/// Draws two floors with a room of four columns on the left. Above, a corridor of `long` cells
/// leads from the room to a stair at its end. One body comes from above, some columns from the
/// right edge of the room, and another from below.
fn stairwell(long: usize, above: usize, below: usize) -> Vec<String> {
    let room = |sign: &str| format!("{sign}...{}", "#".repeat(long));
    let floor = |sign: &str| format!("{sign}{}", ".".repeat(3 + long));
    let (mut lower, mut upper) = (floor("."), floor("b"));
    lower.replace_range(3 - below..4 - below, "2");
    upper.replace_range(3 - above..4 - above, "1");
    vec![
        floor("."),
        lower,
        floor("a"),
        String::new(),
        room("."),
        upper,
        room("."),
    ]
}

#[test]
fn travellers_meet_on_a_stair() {
    let mut wrong = Vec::new();
    let starts = (0..=2).flat_map(|n| [(n, 0), (0, n)]);
    for (long, (above, below)) in sample(pairs(2..=6, starts), 2) {
        let rows = stairwell(long, above, below);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let link = stair(3 + long as u16, 1);
        if let Some(text) = stuck(&rows, Some(link)) {
            wrong.push(format!("{long} cells, {above} and {below}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
