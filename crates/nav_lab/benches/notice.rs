//! The cost of 100,000 NPCs that look around: idle ones, each with an activity, a home, a leash and
//! a range in which it notices targets, among 1,000 players that all move.
//!
//! Players walk on 32 roads; NPCs stand in camps between them, as in `Case` below. No player may be
//! noticed until one steps into a camp.

mod common;

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use common::Length;
use nav::{CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, OnMap};
use nav_behaviour::{Activity, BehaviourPlugins, Home, Leash, Notice, Noticeable, Noticed};
use nav_grid::{Cell, Grid};
use nav_sim::clock::Stopwatch;

const NPCS: u32 = 100_000;
const PLAYERS: u16 = 1_000;
const SIDE: u16 = 2048;
/// Rows from one road to the next.
const BAND: u16 = 64;
/// The first and last row of a camp, counted from the road.
const CAMP: (u16, u16) = (10, 54);

/// Ticks of a row in a round, and with `--test` the few that show that it runs. Rounds are short
/// and many, because machines drift and all rows must be measured at about the same time.
const TICKS: usize = 50;
const TICKS_OF_A_TEST: usize = 20;
const ROUNDS: usize = 20;
/// Untimed ticks of a round, while the caches still hold the memory of another row.
const TICKS_TO_WARM_UP: usize = 5;

/// The components of the NPCs, and the players near them.
#[derive(Clone, Copy, PartialEq)]
enum Case {
    /// Without the plugins of behaviours.
    Plain,
    /// With the plugins, without any component of them.
    Unused,
    /// With all components except a range.
    Blind,
    /// Players pass just out of range.
    OutOfRange,
    /// With four ranges, from one NPC to the next.
    FourRanges,
    /// Players pass within range of one in twelve, behind a wall.
    OutOfSight,
    /// Players pass within range of one in twelve, of another faction.
    OtherFaction,
}

impl Case {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Plain, "without the plugins"),
        (Self::Unused, "with them, no components"),
        (Self::Blind, "activity, home, leash"),
        (Self::OutOfRange, "and notice, out of range"),
        (Self::FourRanges, "of four ranges"),
        (Self::OutOfSight, "in range, out of sight"),
        (Self::OtherFaction, "in range, other faction"),
    ];

    /// Returns the bar for the extra time of a tick with behaviours, given the time without; both
    /// in milliseconds.
    fn bar(self, plain: f64) -> f64 {
        match self {
            // Or the size of the noise.
            Self::Plain | Self::Unused => (0.03 * plain).max(0.05),
            Self::OutOfSight => 1.5,
            Self::Blind | Self::OutOfRange | Self::FourRanges | Self::OtherFaction => 1.0,
        }
    }

    fn notice(self, number: u32) -> Option<Notice> {
        let notice = Notice::new(9);
        match self {
            Self::Plain | Self::Unused | Self::Blind => None,
            Self::OutOfRange => Some(notice),
            Self::FourRanges => Some(Notice::new(6 + (number % 4) as u16)),
            Self::OutOfSight => Some(Notice {
                range: 16,
                needs_sight: true,
                ..notice
            }),
            Self::OtherFaction => Some(Notice {
                range: 16,
                whom: 2,
                ..notice
            }),
        }
    }
}

/// Milliseconds of a tick, in the quietest round.
#[derive(Clone, Copy)]
struct Cost {
    median: f64,
    mean: f64,
}

fn main() {
    let Length {
        ticks,
        rounds,
        is_test,
    } = Length::asked_for(TICKS, ROUNDS, TICKS_OF_A_TEST);
    let mut worlds = Case::ALL.map(|(case, _)| Camps::new(case));
    let mut costs = [Cost::NONE; Case::ALL.len()];
    for _ in 0..rounds {
        for (world, cost) in worlds.iter_mut().zip(&mut costs) {
            *cost = cost.min(world.run(ticks));
        }
    }
    println!(
        "{NPCS} NPCs, {PLAYERS} players; a row at a time for {ticks} ticks, {rounds} times over; milliseconds \
         a tick in its quietest round"
    );
    println!(
        "{:<26} {:>7} {:>7} {:>7} {:>7}",
        "", "p50", "more", "bar", "mean"
    );
    let plain = costs[0].median;
    for ((case, name), Cost { median, mean }) in Case::ALL.into_iter().zip(costs) {
        let (more, bar) = (median - plain, case.bar(plain));
        println!("{name:<26} {median:>7.3} {more:>7.3} {bar:>7.3} {mean:>7.3}");
    }
    for (world, (case, name)) in worlds.iter_mut().zip(Case::ALL) {
        assert_eq!(world.noticed(), 0, "{name}");
        world.step_among_them();
        let expected = match case {
            Case::OutOfRange | Case::FourRanges | Case::OutOfSight => 1..=1000,
            Case::Plain | Case::Unused | Case::Blind | Case::OtherFaction => 0..=0,
        };
        let noticed = world.noticed();
        assert!(expected.contains(&noticed), "{name}: {noticed} noticed");
    }
    if !is_test {
        for ((case, name), cost) in Case::ALL.into_iter().zip(costs) {
            let (more, bar) = (cost.median - plain, case.bar(plain));
            assert!(
                more <= bar,
                "{name}: {more:.3} ms a tick more, {bar:.3} at most"
            );
        }
    }
}

impl Cost {
    const NONE: Self = Self {
        median: f64::INFINITY,
        mean: f64::INFINITY,
    };

    fn of(mut times: Vec<f64>) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        Self {
            median: times[times.len() / 2],
            mean: times.iter().sum::<f64>() / times.len() as f64,
        }
    }

    fn min(self, other: Self) -> Self {
        Self {
            median: self.median.min(other.median),
            mean: self.mean.min(other.mean),
        }
    }
}

struct Camps {
    app: App,
    players: Vec<Entity>,
}

impl Camps {
    fn new(case: Case) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        if case != Case::Plain {
            app.add_plugins(BehaviourPlugins::default());
        }
        let is_wall = |cell: Cell| case == Case::OutOfSight && [5, 60].contains(&(cell.y % BAND));
        let grid = Grid::from_fn(SIDE, SIDE, |cell| !is_wall(cell)).expect("a map of these sides");
        let map = app.world_mut().spawn(NavMap::new(grid)).id();
        let places = camp_cells().step_by(28).take(NPCS as usize);
        for (number, cell) in (0..NPCS).zip(places) {
            let timer = MoveTimer::default().staggered(number.into());
            let npc = (Chaser::default(), timer, OnMap(map), CellPosition::at(cell));
            let mut npc = app.world_mut().spawn(npc);
            if ![Case::Plain, Case::Unused].contains(&case) {
                npc.insert((Activity::default(), Home(cell), Leash::new(30)));
            }
            if let Some(notice) = case.notice(number) {
                npc.insert(notice);
            }
        }
        let players = (0..PLAYERS)
            .map(|number| {
                let (road, x) = (number % (SIDE / BAND), number / (SIDE / BAND) * BAND);
                let place = (OnMap(map), CellPosition::new(x, road * BAND));
                let noticeable = Noticeable { factions: 1 };
                app.world_mut().spawn((place, noticeable)).id()
            })
            .collect();
        let mut camps = Self { app, players };
        camps.run(10);
        camps
    }

    fn run(&mut self, ticks: usize) -> Cost {
        let mut times = Vec::with_capacity(ticks);
        for tick in 0..TICKS_TO_WARM_UP + ticks {
            for &player in &self.players {
                let mut place = self.app.world_mut().get_mut::<CellPosition>(player);
                let cell = &mut place.as_mut().expect("a player has a place").cell;
                cell.x = (cell.x + 1) % SIDE;
            }
            let stopwatch = Stopwatch::start();
            self.app.update();
            if tick >= TICKS_TO_WARM_UP {
                times.push(stopwatch.elapsed().as_secs_f64() * 1000.0);
            }
        }
        Cost::of(times)
    }

    fn noticed(&mut self) -> usize {
        let world = self.app.world_mut();
        if !world.contains_resource::<Messages<Noticed>>() {
            return 0;
        }
        let mut chasing = world.query::<&Chasing>();
        chasing.iter(world).count()
    }

    fn step_among_them(&mut self) {
        let place = CellPosition::new(SIDE / 2, CAMP.0 + 20);
        self.app
            .world_mut()
            .entity_mut(self.players[0])
            .insert(place);
        for _ in 0..20 {
            self.app.update();
        }
    }
}

/// Returns the cells of all camps in reading order.
fn camp_cells() -> impl Iterator<Item = Cell> {
    let rows = (0..SIDE).filter(|y| (CAMP.0..CAMP.1).contains(&(y % BAND)));
    rows.flat_map(|y| (0..SIDE).map(move |x| Cell::new(x, y)))
}
