//! Packs of bodies after players that walk across borders, run in one process and in zones.

use crate::apps::{app, run_zones};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use mapgen::{Kind, generate};
use nav::{
    AgentId, Body, BodyKind, CellPosition, ChaseState, Chaser, Chasing, NavClock, NavSystems,
    OnMap, PathCursor, extend::Mirror,
};
use nav_grid::{Cell, Direction, Footprint, Grid};
use nav_zones::{
    Agents, ChaseAgent, Zone, ZoneCounts, ZoneId, ZoneLayout, ZonePlugin, ZoneSystems, local,
};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

/// A map with players, each with its route, and their chasers.
#[derive(Clone)]
pub struct Pack {
    pub grid: Grid,
    /// The cell of each player after each of its steps, and whether it has a body.
    pub players: Vec<(Arc<Vec<Cell>>, bool)>,
    /// The cell of each chaser, the player that it chases, and its body.
    pub chasers: Vec<(Cell, usize, Body)>,
    pub ticks: u64,
}

/// A body after a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub agent: AgentId,
    pub zone: ZoneId,
    pub cell: Cell,
    pub body: Body,
    pub is_reached: bool,
}

/// The chasers after a tick.
pub type Tick = Vec<Standing>;

/// Ticks between two steps of a player: a little slower than chasers, which take one in five.
const TICKS_PER_STEP: u64 = 6;

/// The side of the map: two tiles.
const SIDE: u16 = 128;

impl Pack {
    /// Draws players that walk across borders and corners, and then stand, each with a pack of 5 to
    /// 60 chasers.
    pub fn drawn(seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let kind = match seed % 3 {
            0 => None,
            1 => Kind::from_name("clutter", Some(rng.random_range(5..20))).ok(),
            _ => Kind::from_name("rooms", None).ok(),
        };
        let grid = match kind {
            Some(kind) => generate(kind, SIDE, SIDE, seed).expect("a map of this size"),
            None => Grid::open(SIDE, SIDE).expect("a map of this size"),
        };
        let mut pack = Self {
            grid,
            players: Vec::new(),
            chasers: Vec::new(),
            ticks: 0,
        };
        for player in 0..rng.random_range(1..4) {
            let from = pack.cell_near(&mut rng, Cell::new(64, 64), 30);
            let mut way = vec![from];
            for _ in 0..rng.random_range(1..3) {
                // Across a border, or onto a corner or the cells beside it.
                let middle = [Cell::new(64, 64), Cell::new(64, 40), Cell::new(90, 63)]
                    [rng.random_range(0..3)];
                let away = [1, 4, 25][rng.random_range(0..3)];
                let to = pack.cell_near(&mut rng, middle, away);
                way.extend(pack.way(way[way.len() - 1], to));
            }
            pack.ticks = pack.ticks.max(way.len() as u64 * TICKS_PER_STEP);
            pack.players
                .push((Arc::new(way), rng.random_range(0..2) == 0));
            let largest = rng.random_range(1..4);
            for _ in 0..rng.random_range(5..61) {
                let footprint = Footprint::new(rng.random_range(1..=largest));
                let body = match rng.random_range(0..8) {
                    0 => Body::soft(footprint.unwrap_or_default()),
                    _ => Body::solid(footprint.unwrap_or_default()),
                };
                if let Some(cell) = pack.room_near(&mut rng, from, body) {
                    pack.chasers.push((cell, player, body));
                }
            }
        }
        // Time to come close, and to come to rest: a jam at a door ends 30 s after the last
        // arrival, since bodies push for so long, and the slowest of the jams here takes twice
        // that.
        pack.ticks += 1_800;
        pack
    }

    fn cell_near(&self, rng: &mut Xoshiro256PlusPlus, middle: Cell, away: u16) -> Cell {
        loop {
            let mut along = |middle: u16| rng.random_range(middle - away..=middle + away);
            let cell = Cell::new(along(middle.x), along(middle.y));
            if self.grid.is_walkable(cell) {
                return cell;
            }
        }
    }

    /// Draws a free place for a body.
    fn room_near(&self, rng: &mut Xoshiro256PlusPlus, middle: Cell, body: Body) -> Option<Cell> {
        let is_free = |&cell: &Cell| {
            let area = body.footprint.area(cell);
            let is_apart =
                |(at, _, other): &(Cell, usize, Body)| !other.footprint.area(*at).meets(area);
            self.grid.fits(cell, body.footprint) && self.chasers.iter().all(is_apart)
        };
        (0..50)
            .map(|_| self.cell_near(rng, middle, 20))
            .find(is_free)
    }

    /// Returns a shortest way of straight steps, or nothing if there is no way.
    fn way(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let mut before = BTreeMap::from([(to, to)]);
        let mut wave = VecDeque::from([to]);
        while let Some(cell) = wave.pop_front() {
            let straight = [
                Direction::North,
                Direction::East,
                Direction::South,
                Direction::West,
            ];
            for next in straight.into_iter().filter_map(|way| cell.step(way)) {
                if self.grid.is_walkable(next) && !before.contains_key(&next) {
                    before.insert(next, cell);
                    wave.push_back(next);
                }
            }
        }
        let next = |cell: &Cell| before.get(cell).copied().filter(|next| next != cell);
        std::iter::successors(next(&from), next).collect()
    }

    /// Returns the numbers of the chasers, in order.
    pub fn chaser_ids(&self) -> impl Iterator<Item = AgentId> {
        let first = self.first_chaser();
        (first..first + self.chasers.len() as u32).map(AgentId)
    }

    /// Returns the index of the player that a chaser chases.
    pub fn player_of(&self, chaser: AgentId) -> usize {
        self.chasers[(chaser.0 - self.first_chaser()) as usize].1
    }

    /// Returns the final cells of players.
    pub fn last_places(&self) -> Vec<Cell> {
        let last = |(way, _): &(Arc<Vec<Cell>>, bool)| way[way.len() - 1];
        self.players.iter().map(last).collect()
    }

    /// Returns the chasers after each tick in one process.
    pub fn run_alone(&self) -> Vec<Tick> {
        let (mut app, map) = self.app();
        let world = app.world_mut();
        let players: Vec<Entity> = self
            .players
            .iter()
            .zip(1..)
            .map(|((way, has_body), id)| {
                let place = (OnMap(map), CellPosition::at(way[0]));
                let mut player = world.spawn((AgentId(id), place));
                if *has_body {
                    player.insert(Body::default());
                }
                player.id()
            })
            .collect();
        for (&(cell, player, body), id) in self.chasers.iter().zip(self.first_chaser()..) {
            let place = (OnMap(map), CellPosition::at(cell));
            let chase = (Chaser::default(), Chasing(players[player]));
            world.spawn((AgentId(id), chase, body, place));
        }
        let tick = |_| {
            app.update();
            standing(app.world_mut(), ZoneId(0))
        };
        (0..self.ticks).map(tick).collect()
    }

    /// Returns the same for several zones, and the work of the zones.
    ///
    /// A body that is handed over is where it stood then until the other zone has it, two ticks
    /// later at most. No body lives in two zones.
    pub fn run_in_zones(&self, columns: u16, rows: u16) -> (Vec<Tick>, ZoneCounts) {
        let layout = ZoneLayout::new(self.grid.size(), columns, rows).expect("a large map");
        let (mut all, mut counts): (Vec<Tick>, _) = (Vec::new(), ZoneCounts::default());
        // The last place of each body, and the tick in which a zone last had it.
        let mut last: BTreeMap<AgentId, (u32, Standing)> = BTreeMap::new();
        let make = |zone, plugin| self.zone(plugin, |cell| layout.zone_of(cell) == zone);
        let (buses, ticks) = (local(layout.len()), self.ticks as u32);
        run_zones(&layout, buses, ticks, make, |tick, zone, app| {
            for one in standing(app.world_mut(), zone) {
                let before = last.insert(one.agent, (tick, one));
                let twice = before.filter(|&(known, _)| known == tick);
                assert_eq!(twice, None, "{one:?} lives twice");
            }
            let world = app.world();
            let left = last.values_mut().filter(|(_, one)| one.zone == zone);
            for (_, one) in left.filter(|(known, _)| known + 1 == tick) {
                let mirror = world.resource::<Agents>().get(one.agent);
                let place = mirror.and_then(|mirror| world.get::<CellPosition>(mirror));
                one.cell = place.map_or(one.cell, |place| place.cell);
            }
            let of_zone = world.resource::<Zone>();
            assert_eq!(of_zone.failure(), None);
            if tick == ticks - 1 {
                counts.handed_over += of_zone.counts().handed_over;
                counts.bodies_sent += of_zone.counts().bodies_sent;
                counts.steps_lent += of_zone.counts().steps_lent;
            }
            if zone.0 + 1 == layout.len() {
                let lost = last.values().find(|(known, _)| known + 2 < tick);
                assert_eq!(lost, None, "after tick {tick}");
                all.push(last.values().map(|&(_, one)| one).collect());
            }
        });
        (all, counts)
    }

    const fn first_chaser(&self) -> u32 {
        self.players.len() as u32 + 1
    }

    fn zone(&self, plugin: ZonePlugin, is_here: impl Fn(Cell) -> bool) -> App {
        let (mut app, map) = self.app();
        app.add_plugins(plugin);
        app.configure_sets(FixedUpdate, ZoneSystems::Share.after(walk));
        let world = app.world_mut();
        for ((way, has_body), id) in self.players.iter().zip(1..) {
            if is_here(way[0]) {
                let place = (OnMap(map), CellPosition::at(way[0]));
                let mut player = world.spawn((AgentId(id), place));
                if *has_body {
                    player.insert(Body::default());
                }
            }
        }
        for (&(cell, player, body), id) in self.chasers.iter().zip(self.first_chaser()..) {
            if is_here(cell) {
                let place = (OnMap(map), CellPosition::at(cell));
                let chase = (Chaser::default(), ChaseAgent(AgentId(player as u32 + 1)));
                world.spawn((AgentId(id), chase, body, place));
            }
        }
        app
    }

    fn app(&self) -> (App, Entity) {
        let (mut app, map) = app(self.grid.clone());
        let ways = self.players.iter().map(|(way, _)| way.clone()).collect();
        app.insert_resource(Time::<Fixed>::from_hz(20.0))
            .insert_resource(Ways(ways))
            .add_systems(FixedUpdate, walk.before(NavSystems::All));
        (app, map)
    }
}

/// The routes of players, in the order of their numbers.
#[derive(Resource)]
struct Ways(Vec<Arc<Vec<Cell>>>);

type Players = (Without<Mirror>, Without<Chaser>);

fn walk(
    clock: Res<NavClock>,
    ways: Res<Ways>,
    mut players: Query<(&AgentId, &mut CellPosition), Players>,
) {
    let step = clock.now().0 / 50_000_000 / TICKS_PER_STEP;
    for (id, mut position) in &mut players {
        let Some(way) = ways.0.get(id.0 as usize - 1) else {
            continue;
        };
        let place = (step as usize).min(way.len() - 1);
        position.set_if_neq(CellPosition::at(way[place]));
    }
}

/// Returns the chasers that live here.
fn standing(world: &mut World, zone: ZoneId) -> Tick {
    let mut chasers =
        world.query_filtered::<(&AgentId, &CellPosition, &Body, &PathCursor), Without<Mirror>>();
    let mut standing: Tick = chasers
        .iter(world)
        .map(|(&agent, position, &body, cursor)| Standing {
            agent,
            zone,
            cell: position.cell,
            body,
            is_reached: cursor.state() == ChaseState::Reached,
        })
        .collect();
    standing.sort_unstable_by_key(|standing| standing.agent);
    standing
}

impl Standing {
    pub fn is_solid(&self) -> bool {
        self.body.kind == BodyKind::Solid
    }
}
