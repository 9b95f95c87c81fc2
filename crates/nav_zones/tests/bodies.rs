//! Solid bodies at the borders of zones: no two ever stand on one cell, and packs stand around their targets as in
//! one process.

mod packs;

use nav::{AgentId, Chaser, shared::DETOUR_RADIUS};
use nav_grid::{Cell, Direction, Grid, Rules};
use packs::{Pack, Standing, Tick};
use std::collections::{BTreeMap, BTreeSet};

/// `NAV_ZONE_SEEDS` scenes are drawn, 12 unless it is set, from seed `NAV_ZONE_FIRST` on.
fn seeds() -> std::ops::Range<u64> {
    let number = |name, default| {
        let value = std::env::var(name).ok();
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let first = number("NAV_ZONE_FIRST", 0);
    first..first + number("NAV_ZONE_SEEDS", 12)
}

/// What is wrong after a tick, if anything.
fn fault(tick: &Tick, before: Option<&Tick>, grid: &Grid, agents: usize) -> Option<String> {
    if tick.len() != agents || tick.windows(2).any(|two| two[0].agent == two[1].agent) {
        return Some(format!("{} bodies of {agents}", tick.len()));
    }
    let mut covered: BTreeMap<Cell, &Standing> = BTreeMap::new();
    for one in tick {
        if !grid.fits(one.cell, one.body.footprint) {
            return Some(format!("in a wall: {one:?}"));
        }
        for cell in one.body.footprint.area(one.cell).cells() {
            if one.is_solid()
                && let Some(other) = covered.insert(cell, one)
            {
                let was = |one: &Standing| {
                    let before = before?.iter().find(|was| was.agent == one.agent)?;
                    Some((before.zone, before.cell))
                };
                return Some(format!(
                    "on {cell} both\n {one:?}, before {:?}\n {other:?}, before {:?}",
                    was(one),
                    was(other)
                ));
            }
        }
    }
    None
}

/// Runs a scene in zones, and checks it after every tick.
fn run_apart(pack: &Pack, (columns, rows): (u16, u16)) -> (Vec<Tick>, nav_zones::ZoneCounts) {
    let (ticks, counts) = pack.run_in_zones(columns, rows);
    for (number, tick) in ticks.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &ticks[before]);
        if let Some(fault) = fault(tick, before, &pack.grid, pack.chasers.len()) {
            panic!("{columns}×{rows} zones, after tick {number}: {fault}");
        }
    }
    (ticks, counts)
}

/// How many are within reach of their target after the last tick.
fn reached(ticks: &[Tick]) -> usize {
    let last = ticks.last().map_or(&[][..], Vec::as_slice);
    last.iter().filter(|one| one.is_reached).count()
}

/// Those who are not within reach though there is a free way to a free place beside their target.
fn left_out(pack: &Pack, tick: &Tick) -> Vec<AgentId> {
    let mut covered: BTreeMap<Cell, AgentId> = BTreeMap::new();
    for one in tick {
        for cell in one.body.footprint.area(one.cell).cells() {
            covered.insert(cell, one.agent);
        }
    }
    let targets = pack.last_places();
    for (&target, (_, has_body)) in targets.iter().zip(&pack.players) {
        if *has_body {
            covered.insert(target, AgentId(0));
        }
    }
    let waits = tick.iter().filter(|one| !one.is_reached);
    let is_left_out = |one: &&Standing| {
        let target = targets[pack.player_of(one.agent)];
        let footprint = one.body.footprint;
        let rules = Rules {
            footprint,
            ..Chaser::default().rules
        };
        let is_free = |at: Cell| {
            let mut cells = footprint.area(at).cells();
            cells.all(|cell| {
                cell != target && covered.get(&cell).is_none_or(|agent| *agent == one.agent)
            })
        };
        // A side of it touches the target, so that no corner is in between.
        let is_place = |at: Cell| {
            let straight = Direction::ALL.into_iter().step_by(2);
            let mut beside = straight.filter_map(|way| target.step(way));
            beside.any(|cell| footprint.area(at).contains(cell))
        };
        let mut seen = BTreeSet::from([one.cell]);
        let mut wave = vec![one.cell];
        while let Some(at) = wave.pop() {
            if is_place(at) {
                return true;
            }
            let ways = pack.grid.steps(at, rules).into_iter();
            for to in ways.filter_map(|way| at.step(way)) {
                let is_near = to.chebyshev(target) <= DETOUR_RADIUS;
                if is_near && is_free(to) && seen.insert(to) {
                    wave.push(to);
                }
            }
        }
        false
    };
    waits.filter(is_left_out).map(|one| one.agent).collect()
}

/// How many steps there were in the last ticks.
fn last_steps(ticks: &[Tick], last: usize) -> usize {
    let last = &ticks[ticks.len() - last..];
    let moved = |two: &[Tick]| {
        let pairs = two[0].iter().zip(&two[1]);
        pairs.filter(|(one, other)| one.cell != other.cell).count()
    };
    last.windows(2).map(moved).sum()
}

#[test]
fn two_bodies_never_stand_on_one_cell_borders_included() {
    let mut lent = 0;
    for seed in seeds() {
        let pack = Pack::drawn(seed);
        let alone = pack.run_alone();
        let of_one = (
            reached(&alone),
            last_steps(&alone, 100),
            left_out(&pack, alone.last().unwrap()),
        );
        for zones in [(2, 1), (2, 2)] {
            let (ticks, counts) = run_apart(&pack, zones);
            lent += counts.steps_lent;
            println!(
                "seed {seed}, {zones:?}: {} chasers, {:?} alone, {:?} in zones, {counts:?}, ends {:?}",
                pack.chasers.len(),
                of_one,
                (
                    reached(&ticks),
                    last_steps(&ticks, 100),
                    left_out(&pack, ticks.last().unwrap())
                ),
                pack.last_places(),
            );
        }
    }
    assert!(lent > 100, "{lent} lent");
}
