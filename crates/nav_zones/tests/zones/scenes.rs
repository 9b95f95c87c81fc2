//! Worlds that are run in one process and in zones, with the same game in both.

use crate::{
    apps::{app, run_zones},
    players::{Player, Players, step_all},
};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use mapgen::{Kind, generate};
use nav::{
    AgentId, CellPosition, Chaser, Chasing, MoveTimer, NavClock, NavMap, NavSystems, NavTimer,
    OnMap, PathCursor, Period,
    internals::{FieldAnchor, Mirror, WorldSum},
};
use nav_grid::{Cell, Grid, Metric};
use nav_zones::{Agents, ChaseAgent, Zone, ZoneLayout, ZonePlugin, ZoneSystems, local, share};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::collections::BTreeMap;

/// A world: its map, and its first agents.
#[derive(Clone)]
pub struct Scene {
    pub grid: Grid,
    pub players: Vec<Cell>,
    /// The cell of each chaser, the number of its player, and its tuning.
    pub chasers: Vec<(Cell, u32, Chaser)>,
    /// The number of ticks after which one chaser in a hundred gets another player.
    pub retarget: Option<u64>,
    pub ticks: u64,
    /// Whether states list all agents, to show which one differs.
    pub is_shown: bool,
}

/// The state after a tick, in one process or in some zones.
#[derive(Clone)]
pub struct State {
    pub sum: WorldSum,
    /// The states of the agents, if they are listed.
    pub agents: BTreeMap<AgentId, String>,
}

impl State {
    fn of(world: &mut World, is_shown: bool) -> Self {
        let mut agents = BTreeMap::new();
        if is_shown {
            let mut query = world.query_filtered::<(&AgentId, AgentParts), Without<Mirror>>();
            agents.extend(
                query
                    .iter(world)
                    .map(|(&id, parts)| (id, format!("{parts:?}"))),
            );
        }
        let sum = WorldSum::of(world);
        Self { sum, agents }
    }

    fn merge(&mut self, other: Self) {
        self.sum.merge(other.sum);
        self.agents.extend(other.agents);
    }
}

type AgentParts = (
    &'static CellPosition,
    Option<&'static FieldAnchor>,
    Option<&'static PathCursor>,
    Option<&'static NavTimer>,
    Option<&'static MoveTimer>,
);

impl Scene {
    /// Draws walking players and ghosts that chase them, by a seed.
    pub fn drawn(seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (width, height) = (rng.random_range(129..400), rng.random_range(129..260));
        let percent = Some(rng.random_range(5..30));
        let kinds = ["clutter", "rooms", "caves"];
        let kind = Kind::from_name(kinds[rng.random_range(0..3)], percent);
        let kind = kind
            .or_else(|_| Kind::from_name("rooms", None))
            .expect("a kind of map");
        let grid = generate(kind, width, height, seed).expect("a map of this size");
        let mut place = || loop {
            let cell = Cell::new(rng.random_range(0..width), rng.random_range(0..height));
            if grid.is_walkable(cell) {
                break cell;
            }
        };
        let count = [3, 12, 60][seed as usize % 3];
        let players: Vec<Cell> = (0..count).map(|_| place()).collect();
        let cells: Vec<Cell> = (0..[30, 400][seed as usize % 2]).map(|_| place()).collect();
        // Most of them chase the nearest player, as in games.
        let near = |cell: Cell| {
            let away = |&player: &u32| players[player as usize - 1].chebyshev(cell);
            (cell, (1..=count).min_by_key(away).unwrap_or(1))
        };
        let chasers = cells.into_iter().map(near);
        // Rules and tunings differ.
        let tuning = |(number, (cell, target)): (u32, (Cell, u32))| {
            let mut chaser = Chaser::default();
            if number.is_multiple_of(7) {
                chaser.repath_distance = 1.5;
                chaser.repath_interval = Period::from_millis(250);
            }
            if number.is_multiple_of(5) {
                chaser.rules.metric = Metric::Grid;
            }
            if number.is_multiple_of(11) {
                chaser.stop_distance = 2;
            }
            (cell, target, chaser)
        };
        Self {
            chasers: (0..).zip(chasers).map(tuning).collect(),
            players,
            grid,
            retarget: (!seed.is_multiple_of(4)).then_some(37),
            ticks: 300,
            is_shown: false,
        }
    }

    /// Returns the state after each tick in one process.
    pub fn run_alone(&self) -> Vec<State> {
        let (mut app, map) = self.app();
        let world = app.world_mut();
        let place = |cell| (OnMap(map), CellPosition::at(cell));
        let mut players = Vec::new();
        for (id, &cell) in (1..).zip(&self.players) {
            let player = (AgentId(id), Player { steps: 0 }, place(cell));
            players.push(world.spawn(player).id());
        }
        for (id, &(cell, target, chaser)) in (self.players.len() as u32 + 1..).zip(&self.chasers) {
            let chasing = Chasing(players[target as usize - 1]);
            world.spawn((AgentId(id), chaser, chasing, place(cell)));
        }
        if let Some(every) = self.retarget {
            let others = move |clock: Res<NavClock>,
                               chasers: Query<(Entity, &AgentId), With<Chaser>>,
                               mut commands: Commands| {
                for (chaser, id) in &chasers {
                    if let Some(player) = other_target(*id, tick(&clock), every, players.len()) {
                        commands.entity(chaser).insert(Chasing(players[player]));
                    }
                }
            };
            app.add_systems(FixedUpdate, others.after(walk).before(NavSystems::All));
        }
        let sum = |_| {
            app.update();
            State::of(app.world_mut(), self.is_shown)
        };
        (0..self.ticks).map(sum).collect()
    }

    /// Returns the same for a number of zones, and the number of agents handed over.
    pub fn run_in_zones(&self, columns: u16, rows: u16) -> (Vec<State>, u64) {
        let layout = ZoneLayout::new(self.grid.size(), columns, rows).expect("a large map");
        let zones = run_zones(&layout, local(layout.len()), |zone, bus| {
            let plugin = ZonePlugin::new(zone, layout.clone(), bus);
            let mut app = self.zone(plugin, |cell| layout.zone_of(cell) == zone);
            let mut tick = |_| {
                app.update();
                share(app.world_mut());
                assert_eq!(app.world().resource::<Zone>().failure(), None);
                State::of(app.world_mut(), self.is_shown)
            };
            let states: Vec<State> = (0..self.ticks).map(&mut tick).collect();
            let world = app.world();
            let living = world.resource::<Agents>().living(world).map(|(id, _)| id);
            let handed_over = world.resource::<Zone>().counts().handed_over;
            (states, living.collect::<Vec<AgentId>>(), handed_over)
        });
        let mut living: Vec<AgentId> = zones.iter().flat_map(|(_, ids, _)| ids.clone()).collect();
        living.sort_unstable();
        let all = (1..=(self.players.len() + self.chasers.len()) as u32).map(AgentId);
        assert!(living.into_iter().eq(all), "every agent lives in one zone");
        let handed_over = zones.iter().map(|(.., handed_over)| handed_over).sum();
        let mut zones = zones.into_iter().map(|(states, ..)| states);
        let mut merged = zones.next().expect("a zone");
        for states in zones {
            for (merged, state) in merged.iter_mut().zip(states) {
                merged.merge(state);
            }
        }
        (merged, handed_over)
    }

    fn zone(&self, plugin: ZonePlugin, is_here: impl Fn(Cell) -> bool) -> App {
        let (mut app, map) = self.app();
        app.add_plugins(plugin.carry::<Player>("player"));
        let world = app.world_mut();
        let place = |cell| (OnMap(map), CellPosition::at(cell));
        for (id, &cell) in (1..).zip(&self.players).filter(|&(_, &cell)| is_here(cell)) {
            world.spawn((AgentId(id), Player { steps: 0 }, place(cell)));
        }
        let chasers = (self.players.len() as u32 + 1..).zip(&self.chasers);
        for (id, &(cell, target, chaser)) in chasers.filter(|&(_, &(cell, ..))| is_here(cell)) {
            let chase = ChaseAgent(AgentId(target));
            world.spawn((AgentId(id), chaser, chase, place(cell)));
        }
        app.configure_sets(FixedUpdate, ZoneSystems::Share.after(walk));
        if let Some(every) = self.retarget {
            let count = self.players.len();
            let others = move |clock: Res<NavClock>,
                               chasers: Query<(Entity, &AgentId), With<Chaser>>,
                               mut commands: Commands| {
                for (chaser, id) in &chasers {
                    if let Some(player) = other_target(*id, tick(&clock), every, count) {
                        let target = ChaseAgent(AgentId(player as u32 + 1));
                        commands.entity(chaser).insert(target);
                    }
                }
            };
            app.add_systems(FixedUpdate, others.after(walk).before(ZoneSystems::Share));
        }
        app
    }

    fn app(&self) -> (App, Entity) {
        let (mut app, map) = app(self.grid.clone());
        app.add_systems(FixedUpdate, walk.before(NavSystems::All));
        (app, map)
    }
}

/// Returns the number of the next tick.
fn tick(clock: &NavClock) -> u64 {
    clock.now().0 / 1_000_000
}

/// Returns the target to which a chaser changes in this tick, if it does.
fn other_target(id: AgentId, tick: u64, every: u64, players: usize) -> Option<usize> {
    let draw = mix((u64::from(id.0) << 32) | tick);
    (draw.is_multiple_of(every) && draw >> 40 < 1 << 18).then_some((draw >> 20) as usize % players)
}

/// Moves players in four ticks out of five, in a direction that changes now and then.
fn walk(clock: Res<NavClock>, maps: Query<&NavMap>, mut players: Players) {
    let tick = tick(&clock);
    if !(tick / 16).is_multiple_of(5) {
        step_all(&maps, &mut players, |id| {
            mix((u64::from(id.0) << 40) | (tick / 400))
        });
    }
}

/// `SplitMix64`, by Steele, Lea and Flood.
const fn mix(word: u64) -> u64 {
    let z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
