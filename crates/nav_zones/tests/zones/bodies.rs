//! Solid bodies at the borders of zones: no two ever stand on one cell, and packs come to rest
//! around their targets as in one process.

use crate::{
    packs::{Pack, Standing, Tick},
    seeds::seeds,
};
use nav::{AgentId, Body, Chaser, extend::DETOUR_RADIUS};
use nav_grid::{Cell, Direction, Footprint, Grid, Rules};
use nav_judge::by_tier;
use nav_zones::ZoneCounts;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the fault of a tick, if it has one.
fn fault(pack: &Pack, tick: &Tick, before: Option<&Tick>) -> Option<String> {
    if !tick.iter().map(|one| one.agent).eq(pack.chaser_ids()) {
        return Some(format!("{} bodies live", tick.len()));
    }
    let in_wall = tick
        .iter()
        .find(|one| !pack.grid.fits(one.cell, one.body.footprint));
    if let Some(one) = in_wall {
        return Some(format!("in a wall: {one:?}"));
    }
    let before = before.map(solid_cells);
    let now = solid_cells(tick);
    let twice = now.iter().find(|(_, there)| there.len() > 1);
    if let Some((cell, there)) = twice {
        return Some(format!("on {cell} stand {there:?}"));
    }
    // A body never swaps cells with another one.
    let swaps = |cell: &Cell, one: AgentId| {
        let before = before.as_ref()?;
        let other = before.get(cell)?.first().copied()?;
        let came_from = before.iter().filter(|(_, there)| there.contains(&one));
        let swapped = |cell: &Cell| now.get(cell).is_some_and(|there| there.contains(&other));
        (other != one && came_from.map(|(cell, _)| cell).any(swapped)).then_some(other)
    };
    now.iter().find_map(|(cell, there)| {
        let other = swaps(cell, there[0])?;
        Some(format!("on {cell} {:?} went through {other:?}", there[0]))
    })
}

/// Returns the solid bodies on each cell.
fn solid_cells(tick: &Tick) -> BTreeMap<Cell, Vec<AgentId>> {
    let mut cells: BTreeMap<Cell, Vec<AgentId>> = BTreeMap::new();
    for one in tick.iter().filter(|one| one.is_solid()) {
        for cell in one.body.footprint.area(one.cell).cells() {
            cells.entry(cell).or_default().push(one.agent);
        }
    }
    cells
}

/// Runs a scene in zones, and checks it after every tick.
fn run_apart(pack: &Pack, (columns, rows): (u16, u16)) -> (Vec<Tick>, ZoneCounts) {
    let (ticks, counts) = pack.run_in_zones(columns, rows);
    for (number, tick) in ticks.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &ticks[before]);
        if let Some(fault) = fault(pack, tick, before) {
            panic!("{columns}×{rows} zones, after tick {number}: {fault}");
        }
    }
    (ticks, counts)
}

/// The number of cells around targets that bodies within reach of them cover.
fn places_taken(pack: &Pack, tick: &Tick) -> usize {
    let targets = pack.last_places();
    let around = |target: Cell| {
        Direction::ALL
            .into_iter()
            .filter_map(move |way| target.step(way))
    };
    let is_taken = |player: usize, cell: Cell| {
        let reached = tick.iter().filter(|one| one.is_reached);
        let mut own = reached.filter(|one| pack.player_of(one.agent) == player);
        own.any(|one| one.body.footprint.area(one.cell).contains(cell))
    };
    let taken = |(player, &target)| {
        around(target)
            .filter(move |&cell| is_taken(player, cell))
            .count()
    };
    targets.iter().enumerate().map(taken).sum()
}

/// Ticks without a step after which an agent counts as standing.
const STANDS: usize = 100;

/// Returns the chasers out of reach, though a free way leads to a free place beside their target.
fn left_out(pack: &Pack, ticks: &[Tick]) -> Vec<AgentId> {
    let (last, before) = (&ticks[ticks.len() - 1], &ticks[ticks.len() - STANDS]);
    let targets = pack.last_places();
    let mut covered: BTreeMap<Cell, Option<AgentId>> = BTreeMap::new();
    for one in last {
        for cell in one.body.footprint.area(one.cell).cells() {
            covered.insert(cell, Some(one.agent));
        }
    }
    let with_bodies = targets
        .iter()
        .zip(&pack.players)
        .filter(|(_, (_, has_body))| *has_body);
    covered.extend(with_bodies.map(|(&target, _)| (target, None)));
    let is_left_out = |one: &Standing| {
        let target = targets[pack.player_of(one.agent)];
        let footprint = one.body.footprint;
        let rules = Rules {
            footprint,
            ..Chaser::default().rules
        };
        let is_free = |at: Cell| {
            let mut cells = footprint.area(at).cells();
            let is_own = |there: &Option<AgentId>| *there == Some(one.agent);
            cells.all(|cell| cell != target && covered.get(&cell).is_none_or(is_own))
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
    let stand = last
        .iter()
        .zip(before)
        .filter(|(now, before)| now.cell == before.cell);
    let out = stand.map(|(now, _)| now).filter(|one| !one.is_reached);
    out.filter(|one| is_left_out(one))
        .map(|one| one.agent)
        .collect()
}

/// Counts the chasers that left a cell in the last ticks and came back to it.
fn to_and_fro(ticks: &[Tick]) -> usize {
    let last = &ticks[ticks.len() - STANDS..];
    let comes_back = |&place: &usize| {
        let mut cells: Vec<Cell> = last.iter().map(|tick| tick[place].cell).collect();
        cells.dedup();
        let different: BTreeSet<Cell> = cells.iter().copied().collect();
        different.len() < cells.len()
    };
    (0..last[0].len()).filter(comes_back).count()
}

/// No two bodies stand on one cell, borders included, and packs come to rest as in one process.
#[test]
fn drawn_packs() {
    let (mut lent, mut taken_alone, mut taken) = (0, 0, 0);
    let (mut runs, mut restless) = (0, 0);
    for seed in seeds("NAV_ZONE", 3, 18) {
        let pack = Pack::drawn(seed);
        let alone = pack.run_alone();
        let out_alone = left_out(&pack, &alone);
        for &zones in by_tier(&[(2, 2)][..], &[(2, 1), (2, 2)]) {
            println!("seed {seed}, {zones:?} zones");
            let (ticks, counts) = run_apart(&pack, zones);
            let out = left_out(&pack, &ticks);
            assert!(
                out.len() <= out_alone.len(),
                "{out:?} find no place that is free"
            );
            restless += usize::from(to_and_fro(&ticks) > 0);
            runs += 1;
            lent += counts.steps_lent;
            taken_alone += places_taken(&pack, &alone[alone.len() - 1]);
            taken += places_taken(&pack, &ticks[ticks.len() - 1]);
        }
    }
    println!(
        "{lent} steps lent; of {taken_alone} places taken in one process {taken} are in zones"
    );
    assert!(lent > 15 * runs as u64, "{lent} lent");
    assert_eq!(
        restless, 0,
        "of {runs} runs end with bodies that go to and fro"
    );
    // The order of large bodies makes a difference of a place or two, in either direction.
    assert!(taken + runs >= taken_alone, "{taken} of {taken_alone}");
}

/// Sets up a standing player and its chasers on open ground.
fn standing_player(at: Cell, chasers: Vec<(Cell, Body)>) -> Pack {
    let chasers = chasers.into_iter().map(|(cell, body)| (cell, 0, body));
    Pack {
        grid: Grid::open(128, 128).expect("a map of this size"),
        players: vec![(vec![at].into(), true)],
        chasers: chasers.collect(),
        ticks: 400,
    }
}

fn body(side: u8) -> Body {
    Body::solid(Footprint::new(side).expect("a size that there is"))
}

#[test]
fn crossing_takes_no_longer() {
    let player = Cell::new(90, 90);
    for side in [1, 2, 3] {
        let pack = standing_player(player, vec![(Cell::new(50, 50), body(side))]);
        let arrival = |ticks: &[Tick]| ticks.iter().position(|tick| tick[0].is_reached);
        let alone = arrival(&pack.run_alone()).expect("it arrives");
        let (ticks, counts) = run_apart(&pack, (2, 2));
        assert!(counts.steps_lent >= u64::from(side), "{counts:?}");
        let in_zones = arrival(&ticks).expect("it arrives");
        println!("size {side}: after {alone} ticks in one process, {in_zones} in four zones");
        // Bodies hold still for the first second. Loans take a step of five ticks for each cell of
        // a side.
        let most = alone + 20 + 5 * usize::from(side);
        assert!(in_zones <= most, "size {side}: {in_zones}, not {alone}");
    }
}

#[test]
fn ring_at_four_zones() {
    for player in [Cell::new(63, 63), Cell::new(64, 64), Cell::new(64, 40)] {
        let places = (0..24).map(|n| Cell::new(46 + n % 6 * 7, 50 + n / 6 * 9));
        let pack = standing_player(player, places.map(|cell| (cell, body(1))).collect());
        let (ticks, _) = run_apart(&pack, (2, 2));
        let last = &ticks[ticks.len() - 1];
        assert_eq!(places_taken(&pack, last), 8, "around {player}");
        assert_eq!(to_and_fro(&ticks), 0);
    }
}

#[test]
fn gap_at_a_border() {
    // Both ends of a gap in a wall are at the corner of four zones.
    let wall = |cell: Cell| cell.x != 64 || cell.y == 64 || cell.y == 63;
    let places = (0..8).map(|n| Cell::new(58 + n % 2, 56 + n * 2));
    let mut pack = standing_player(
        Cell::new(76, 64),
        places.map(|cell| (cell, body(1))).collect(),
    );
    pack.grid = Grid::from_fn(128, 128, wall).expect("a map of this size");
    pack.chasers.push((Cell::new(50, 64), 0, body(2)));
    let (ticks, counts) = run_apart(&pack, (2, 2));
    assert!(counts.steps_lent >= 9, "{counts:?}");
    let last = &ticks[ticks.len() - 1];
    assert!(
        last.iter().all(|one| one.cell.x > 64),
        "all came through: {last:?}"
    );
}
