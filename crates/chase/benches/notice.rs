//! What it costs that 100,000 NPCs look around: idle ones, each with an activity, a home, a leash and a
//! range in which it notices somebody, among 1,000 players who all move.
//!
//! Players walk on 32 roads; NPCs stand in camps between them, as in `Case` below. Nobody is to be noticed
//! until a player steps among them.

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use chase::clock::Stopwatch;
use nav::{
    CellPosition, Chaser, Chasing, MoveTimer, NavMap, NavPlugin, OnMap,
    behaviour::{Activity, BehaviourPlugins, Home, Leash, Notice, Noticeable, Noticed},
};
use nav_grid::{Cell, Grid};

const NPCS: u32 = 100_000;
const PLAYERS: u16 = 1_000;
const SIDE: u16 = 2048;
/// Rows from one road to the next.
const BAND: u16 = 64;
/// The first and last row of a camp, counted from the road.
const CAMP: (u16, u16) = (10, 54);

/// Ticks that are timed in each of the rounds, and in `--test` the few that show that it runs.
const TICKS: usize = 200;
const TICKS_OF_A_TEST: usize = 20;
const ROUNDS: usize = 5;
/// What all behaviours may cost, in milliseconds a tick.
const BAR: f64 = 1.0;

/// How the NPCs are.
#[derive(Clone, Copy, PartialEq)]
enum Case {
    /// Without the plugins of behaviours.
    Plain,
    /// With the plugins, without any component of them.
    Unused,
    /// With all but a range.
    Blind,
    /// Players pass just out of range.
    OutOfRange,
    /// Of four ranges, from one NPC to the next.
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

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let (ticks, rounds) = if test {
        (TICKS_OF_A_TEST, 1)
    } else {
        (TICKS, ROUNDS)
    };
    let mut worlds = Case::ALL.map(|(case, _)| Camps::new(case));
    // In turns, and the quietest round of each: machines drift.
    let mut best = [f64::INFINITY; Case::ALL.len()];
    for _ in 0..rounds {
        for (world, best) in worlds.iter_mut().zip(&mut best) {
            *best = best.min(world.run(ticks));
        }
    }
    println!("{ticks} ticks, {NPCS} NPCs, {PLAYERS} players, the quietest of {rounds} rounds");
    println!("{:<26} {:>9} {:>9}", "", "p50 ms", "more");
    for ((_, name), median) in Case::ALL.into_iter().zip(best) {
        println!("{name:<26} {median:>9.3} {:>9.3}", median - best[0]);
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
    if !test {
        let cost = best[3] - best[0];
        assert!(cost <= BAR, "behaviours cost {cost:.3} ms a tick");
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

    /// Milliseconds of a tick, the median.
    fn run(&mut self, ticks: usize) -> f64 {
        let mut times = Vec::with_capacity(ticks);
        for _ in 0..ticks {
            for &player in &self.players {
                let mut place = self.app.world_mut().get_mut::<CellPosition>(player);
                let cell = &mut place.as_mut().expect("a player has a place").cell;
                cell.x = (cell.x + 1) % SIDE;
            }
            let stopwatch = Stopwatch::start();
            self.app.update();
            times.push(stopwatch.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_unstable_by(f64::total_cmp);
        times[ticks / 2]
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

/// The cells of all camps in reading order.
fn camp_cells() -> impl Iterator<Item = Cell> {
    let rows = (0..SIDE).filter(|y| (CAMP.0..CAMP.1).contains(&(y % BAND)));
    rows.flat_map(|y| (0..SIDE).map(move |x| Cell::new(x, y)))
}
