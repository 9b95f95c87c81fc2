//! Pursuit of targets that move: how long chasers are beside them, measured against imagined ones
//! that know at every step where the target is.

mod flight;
mod imagined;
mod measure;

use flight::Kind;
use mapgen::Kind as Ground;
use measure::{Pursuers, Shares, pursue};
use nav_grid::{Cell, Grid};
use std::fmt::Write as _;

/// Pursuits of each kind: with each, the target steps at another moment of the chasers' beat.
const SEEDS: u64 = 5;

/// Searches a second that one chaser may make.
const SEARCHES_MAX: f64 = 2.0;
/// The share of steps that may lead straight back.
const BACK_MAX: f64 = 0.03;

/// Ground for a kind of flight, and where it begins.
fn ground(kind: Kind, cluttered: bool) -> (Grid, Cell) {
    const SIDE: u16 = 320;
    let middle = Cell::new(SIDE / 2, SIDE / 2);
    if kind == Kind::Circle {
        // A pillar of 5×5, and the target beside it.
        let grid = Grid::from_fn(61, 61, |cell| cell.chebyshev(Cell::new(30, 30)) > 2);
        return (grid.expect("sides of a test map"), Cell::new(30, 27));
    }
    if !cluttered {
        return (Grid::open(SIDE, SIDE).expect("sides of a test map"), middle);
    }
    let clutter = Ground::Clutter { percent: 8 };
    let mut grid = mapgen::generate(clutter, SIDE, SIDE, 1).expect("a map of this size");
    for dy in 0..3 {
        for dx in 0..3 {
            let cell = Cell::new(middle.x + dx - 1, middle.y + dy - 1);
            grid.set_walkable(cell, true).expect("a cell of the map");
        }
    }
    (grid, middle)
}

/// Runs all kinds of flight, prints a table, and fails where a bar is missed: a share of the time that
/// imagined ghosts are beside the target, as many as its ring can hold. Along walls, where bodies stand
/// in one another's way however much they know, no more is asked than an imagined pack achieves.
fn check(pursuers: Pursuers, bar: f64) {
    let mut table = String::new();
    let mut missed = Vec::new();
    for cluttered in [false, true] {
        for kind in Kind::ALL {
            if cluttered && kind == Kind::Circle {
                continue;
            }
            let (grid, start) = ground(kind, cluttered);
            let mut shares = Shares::default();
            for seed in 0..SEEDS {
                shares.add(pursue(&grid, start, kind, pursuers, seed));
            }
            let in_the_way = cluttered || kind == Kind::Circle;
            let known = if in_the_way && pursuers.bodies && pursuers.count > 1 {
                shares.ghosts.min(shares.pack)
            } else {
                shares.ghosts
            };
            let of_known = shares.beside as f64 / known.max(1) as f64;
            let name = format!(
                "{}{}",
                kind.name(),
                if cluttered { ", clutter" } else { "" }
            );
            let (of_ghosts, of_pack) = (shares.of_ghosts(), shares.of_pack());
            let (searches, back) = (shares.searches_a_second(), shares.back());
            let _ = writeln!(
                table,
                "{name:24} {:5.1} % of ghosts, {:5.1} % of a pack that knows, {:5.1} % of the ring, {searches:4.2} searches/s, {:4.1} % back",
                100.0 * of_ghosts,
                100.0 * of_pack,
                100.0 * shares.of_ring(),
                100.0 * back,
            );
            if of_known < bar {
                missed.push(format!("{name}: {:.1} %", 100.0 * of_known));
            }
            if searches > SEARCHES_MAX {
                missed.push(format!("{name}: {searches:.2} searches a second"));
            }
            if back > BACK_MAX {
                missed.push(format!("{name}: {:.1} % straight back", 100.0 * back));
            }
        }
    }
    println!("{table}");
    let count = missed.len();
    assert!(
        missed.is_empty(),
        "{count} below the bar: {}",
        missed.join("; ")
    );
}

#[test]
fn one_ghost_follows_as_if_it_knew() {
    check(
        Pursuers {
            count: 1,
            bodies: false,
        },
        0.92,
    );
}

#[test]
fn a_pack_of_ghosts_follows_as_if_it_knew() {
    check(
        Pursuers {
            count: 30,
            bodies: false,
        },
        0.92,
    );
}

#[test]
fn one_solid_chaser_follows_nearly_as_if_it_knew() {
    check(
        Pursuers {
            count: 1,
            bodies: true,
        },
        0.85,
    );
}

#[test]
fn two_solid_chasers_follow_nearly_as_if_they_knew() {
    check(
        Pursuers {
            count: 2,
            bodies: true,
        },
        0.85,
    );
}

#[test]
fn a_pack_of_thirty_fills_the_ring_around_a_target_that_moves() {
    check(
        Pursuers {
            count: 30,
            bodies: true,
        },
        0.85,
    );
}
