//! The cost of cutting targets off: 1,000 chasers of 100 running targets, ten of each, with and
//! without `Intercept`.
//!
//! Targets run round squares, a little faster than their chasers, which catch them only by cutting
//! a corner. So most of them are under way at any time.

mod common;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use common::Length;
use nav::{CellPosition, Chaser, Chasing, MoveTimer, NavDiagnostics, NavMap, NavPlugin, OnMap};
use nav_behaviour::{BehaviourPlugins, Intercept};
use nav_grid::{Cell, Grid};
use nav_sim::clock::Stopwatch;

const TARGETS: u16 = 100;
const CHASERS_OF_EACH: u16 = 10;
/// Cells along a side of the ground of one target, and of the square in the middle that it runs
/// round.
const GROUND: u16 = 64;
const SQUARE: u16 = 30;
/// Grounds in a row.
const IN_A_ROW: u16 = 10;
/// Ticks from one step of a target to the next; chasers take five.
const TICKS_OF_A_STEP: u16 = 4;
/// Cells ahead, as for hounds: see the guide.
const LEAD: u16 = 15;

/// Ticks of a row in a round, and with `--test` the few that show that it runs. Rounds are short
/// and many, because machines drift.
const TICKS: usize = 200;
const TICKS_OF_A_TEST: usize = 100;
const ROUNDS: usize = 20;

/// The bar: how much longer a tick may take for each chaser that cuts its target off.
const MICROSECONDS_MORE: f64 = 1.0;

fn main() {
    let Length {
        ticks,
        rounds,
        is_test,
    } = Length::asked_for(TICKS, ROUNDS, TICKS_OF_A_TEST);
    let rows = [("plain", None), ("intercept", Some(Intercept::new(LEAD)))];
    let mut worlds = rows.map(|(name, intercept)| (name, Hunt::new(intercept.as_ref())));
    for _ in 0..rounds {
        for (_, hunt) in &mut worlds {
            hunt.run(ticks);
        }
    }
    let ticks = (rounds * ticks) as f64;
    println!(
        "{} chasers of {TARGETS} targets; {ticks} ticks, those in milliseconds of the quietest round",
        TARGETS * CHASERS_OF_EACH
    );
    println!(
        "{:<10} {:>7} {:>7} {:>9} {:>9} {:>9}",
        "", "mean", "worst", "searches", "fields", "aiming"
    );
    for (name, hunt) in &worlds {
        let counts = hunt.app.world().resource::<NavDiagnostics>().total;
        let (searches, fields) = (counts.searches() as f64, counts.fields as f64);
        let (mean, worst, aiming) = (hunt.mean, hunt.worst, hunt.aiming as f64);
        println!(
            "{name:<10} {mean:>7.3} {worst:>7.3} {:>9.1} {:>9.1} {:>9.0}",
            searches / ticks,
            fields / ticks,
            aiming / ticks
        );
    }
    let [(_, plain), (_, intercept)] = &worlds;
    assert_eq!(plain.aiming, 0);
    assert!(intercept.aiming > 0, "nobody cuts a target off");
    if !is_test {
        let more = 1e3 * (intercept.mean - plain.mean) * ticks / intercept.aiming as f64;
        assert!(
            more <= MICROSECONDS_MORE,
            "who cuts off costs {more:.2} µs a tick more, {MICROSECONDS_MORE} at most"
        );
    }
}

struct Hunt {
    app: App,
    targets: Vec<Entity>,
    tick: u16,
    /// Milliseconds of a tick, in the quietest round: the mean, and the longest.
    mean: f64,
    worst: f64,
    /// The chasers that head for a cell ahead of their target, summed over ticks.
    aiming: usize,
}

impl Hunt {
    fn new(intercept: Option<&Intercept>) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
            .add_plugins(BehaviourPlugins::default())
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        let side = GROUND * IN_A_ROW;
        let is_wall =
            |cell: Cell| !is_run_on(cell) && (cell.x * 7 + cell.y * 13).is_multiple_of(31);
        let grid = Grid::from_fn(side, side, |cell| !is_wall(cell)).expect("a map of these sides");
        let mut map = NavMap::new(grid);
        map.build_regions(Chaser::default().rules);
        let map = app.world_mut().spawn(map).id();
        let mut targets = Vec::new();
        for target in 0..TARGETS {
            let place = (
                OnMap(map),
                CellPosition::at(round(target, target / TICKS_OF_A_STEP)),
            );
            let entity = app.world_mut().spawn(place).id();
            for number in 0..CHASERS_OF_EACH {
                let timer = MoveTimer::default();
                let timer = MoveTimer {
                    next_step: timer.next_step.put_off(number.into(), timer.chasing),
                    ..timer
                };
                let at = Cell {
                    x: ground(target).x + GROUND / 2 - CHASERS_OF_EACH / 2 + number,
                    y: ground(target).y + GROUND / 2,
                    ..Cell::default()
                };
                let place = (OnMap(map), CellPosition::at(at));
                let npc = (Chaser::default(), timer, Chasing(entity), place);
                let mut npc = app.world_mut().spawn(npc);
                if let Some(intercept) = intercept {
                    npc.insert(intercept.clone());
                }
            }
            targets.push(entity);
        }
        Self {
            app,
            targets,
            tick: 0,
            mean: f64::INFINITY,
            worst: f64::INFINITY,
            aiming: 0,
        }
    }

    fn run(&mut self, ticks: usize) {
        let mut times = Vec::with_capacity(ticks);
        for _ in 0..ticks {
            self.tick += 1;
            for (number, &target) in (0..TARGETS).zip(&self.targets) {
                // Each in a tick of its own.
                if !(self.tick + number).is_multiple_of(TICKS_OF_A_STEP) {
                    continue;
                }
                let cell = round(number, (self.tick + number) / TICKS_OF_A_STEP);
                let place = self.app.world_mut().get_mut::<CellPosition>(target);
                *place.expect("a target has a place") = CellPosition::at(cell);
            }
            let stopwatch = Stopwatch::start();
            self.app.update();
            times.push(stopwatch.elapsed().as_secs_f64() * 1000.0);
            let world = self.app.world_mut();
            let mut aims = world.query::<&Intercept>();
            let aims = aims.iter(world).filter(|one| one.aim().is_some());
            self.aiming += aims.count();
        }
        let mean = times.iter().sum::<f64>() / ticks as f64;
        self.mean = self.mean.min(mean);
        let worst = times.into_iter().fold(0.0, f64::max);
        self.worst = self.worst.min(worst);
    }
}

/// Returns the upper left cell of the ground of a target.
fn ground(target: u16) -> Cell {
    let (x, y) = (target % IN_A_ROW, target / IN_A_ROW);
    Cell::new(x * GROUND, y * GROUND)
}

/// The cells from the border of a ground to the square in its middle.
const BORDER: u16 = (GROUND - SQUARE) / 2;

/// Returns the cell of a target on its square after `step` steps.
fn round(target: u16, step: u16) -> Cell {
    let step = (step + target * 7) % (4 * SQUARE);
    let (side, along) = (step / SQUARE, step % SQUARE);
    let (x, y) = match side {
        0 => (along, 0),
        1 => (SQUARE, along),
        2 => (SQUARE - along, SQUARE),
        _ => (0, SQUARE - along),
    };
    let Cell {
        x: left, y: top, ..
    } = ground(target);
    Cell::new(left + BORDER + x, top + BORDER + y)
}

/// Returns whether a target runs over a cell, or a chaser starts there.
fn is_run_on(cell: Cell) -> bool {
    let (x, y) = (cell.x % GROUND, cell.y % GROUND);
    let lines = [BORDER, BORDER + SQUARE, GROUND / 2];
    lines.contains(&x) || lines.contains(&y)
}
