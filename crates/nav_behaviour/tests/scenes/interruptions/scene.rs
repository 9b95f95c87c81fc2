//! An agent in each state, and the events that happen to it.

use crate::scene::{TestWorld, activity, on_with_behaviours};
use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, GoTo, Guidance, NavMap, OnMap,
    Paused, go_to::WalkEnd,
};
use nav_behaviour::{Activity, Intercept, KeepDistance, Leash, ReturnEnd};
use nav_grid::{Cell, Grid, Limits, Rules, query::Fallback};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Idle,
    OwnPath,
    NearField,
    FarField,
    Detour,
    InReach,
    Waiting,
    Walking,
    Returning,
    Paused,
    CuttingOff,
    KeepingAway,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    Stun,
    EndOfStun,
    Teleport,
    KnockBack,
    Switch,
    TargetDespawned,
    ChaserDespawned,
    MapDespawned,
    BothToOtherMap,
    ChaserToOtherMap,
    TargetToOtherMap,
    ChaserRemoved,
    PathCut,
    BodyInTheWay,
}

pub const STATES: [State; 12] = [
    State::Idle,
    State::OwnPath,
    State::NearField,
    State::FarField,
    State::Detour,
    State::InReach,
    State::Waiting,
    State::Walking,
    State::Returning,
    State::Paused,
    State::CuttingOff,
    State::KeepingAway,
];

/// The stop distance of an agent that keeps a distance one step shorter.
pub const AWAY: u16 = 5;

/// The goal of a walk.
pub const POST: Cell = Cell::new(30, 20);

/// Open ground with a closed room; on the second map a wall stands between most starts and ends.
fn ground(is_second: bool) -> NavMap {
    let is_room = |cell: Cell| {
        let around = cell.chebyshev(Cell::new(70, 5));
        around == 2
    };
    let is_wall = |cell: Cell| is_second && cell.x == 20 && (12..=28).contains(&cell.y);
    let grid = Grid::from_fn(80, 40, |cell| !is_room(cell) && !is_wall(cell)).unwrap();
    let mut map = NavMap::new(grid);
    map.build_regions(Rules::default());
    map.build_portals(Rules::default());
    map
}

pub struct Scene {
    pub world: TestWorld,
    pub npc: Entity,
    pub player: Entity,
    pub other_map: Entity,
    /// The start of a chase that was given up.
    pub back: Cell,
}

/// Surrounds a player with bodies, an NPC among them, until one of them takes a detour.
fn one_on_detour(world: &mut TestWorld, npc: Entity, player: Entity) -> Entity {
    let body = Body::default();
    world.world().entity_mut(npc).insert(body);
    let pack: Vec<Entity> = (0..20)
        .map(|n| {
            let mate = world.chaser((14 + n % 4, 17 + n / 4), player);
            world
                .world()
                .entity_mut(mate)
                .insert((body, Activity::default()));
            mate
        })
        .collect();
    world
        .world()
        .entity_mut(npc)
        .insert(CellPosition::new(13, 19));
    let mut found = None;
    world.tick_until(|world| {
        let on_detour = |&mate: &Entity| world.cursor(mate).guidance() == Some(Guidance::Detour);
        found = pack.iter().copied().find(on_detour);
        found.is_some()
    });
    found.unwrap()
}

impl Scene {
    pub fn new(state: State) -> Self {
        let mut world = on_with_behaviours(Grid::open(1, 1).unwrap());
        world.map = world.world().spawn(ground(false)).id();
        let other_map = world.world().spawn(ground(true)).id();
        let start = Cell::new(10, 20);
        let player = world.target(match state {
            State::FarField => Cell::new(60, 20),
            State::InReach | State::KeepingAway => Cell::new(12, 20),
            State::CuttingOff => Cell::new(26, 36),
            State::Waiting => Cell::new(70, 5),
            _ => Cell::new(26, 20),
        });
        let chaser = Chaser {
            fallback: match state {
                State::Waiting => Fallback::None,
                _ => Fallback::ClosestReached,
            },
            limits: match state {
                State::FarField => Limits::UNBOUNDED,
                _ => Limits::default(),
            },
            stop_distance: if state == State::KeepingAway { AWAY } else { 1 },
            ..Chaser::default()
        };
        let place = (CellPosition::at(start), OnMap(world.map));
        let npc = (chaser, Activity::default(), place);
        let mut npc = world.world().spawn(npc).id();
        if !matches!(state, State::Idle | State::Walking) {
            world.chase(npc, player);
        }
        let has_state = |world: &mut TestWorld, npc: Entity| {
            let cursor = world.cursor(npc);
            match state {
                State::Idle => true,
                State::OwnPath => cursor.guidance() == Some(Guidance::OwnPath),
                State::NearField => cursor.guidance() == Some(Guidance::SharedField),
                State::FarField => cursor.guidance() == Some(Guidance::FarField),
                State::Detour => cursor.guidance() == Some(Guidance::Detour),
                State::InReach | State::KeepingAway => cursor.state() == ChaseState::Reached,
                State::CuttingOff => world.get::<Intercept>(npc).aim().is_some(),
                State::Waiting => activity(world, npc) == Activity::Waiting,
                State::Walking => activity(world, npc) == Activity::Walking,
                State::Returning => activity(world, npc) == Activity::Returning,
                State::Paused => activity(world, npc) == Activity::Paused,
            }
        };
        match state {
            State::NearField | State::FarField => {
                // Eight share a far field.
                for x in 0..9 {
                    world.chaser_with(chaser, (x, 22), player);
                }
            }
            State::Detour => npc = one_on_detour(&mut world, npc, player),
            State::Walking => drop(world.world().entity_mut(npc).insert(GoTo(POST))),
            State::Returning => drop(world.world().entity_mut(npc).insert(Leash::new(6))),
            State::Paused => {
                world.tick(20);
                world.world().entity_mut(npc).insert(Paused::default());
            }
            State::CuttingOff => {
                world.insert(npc, Intercept::new(16));
                for y in (24..36).rev() {
                    world.put(player, (26, y));
                    world.tick(2);
                }
            }
            State::KeepingAway => {
                world.insert(npc, KeepDistance { least: AWAY - 1 });
                world.tick_until(|world| world.cell(npc).x < 10);
            }
            _ => {}
        }
        world.tick_until(|world| has_state(world, npc));
        if !matches!(
            state,
            State::Idle
                | State::InReach
                | State::Waiting
                | State::Detour
                | State::CuttingOff
                | State::KeepingAway
        ) {
            world.tick(12);
        }
        assert!(has_state(&mut world, npc), "{state:?} did not last");
        Self {
            world,
            npc,
            player,
            other_map,
            back: start,
        }
    }

    pub fn world(&mut self) -> &mut World {
        self.world.world()
    }

    pub fn target(&self) -> Option<Entity> {
        let chasing = self.world.app.world().get::<Chasing>(self.npc);
        chasing.map(|chasing| chasing.0)
    }

    pub fn happen(&mut self, event: Event) {
        let (npc, player, other_map) = (self.npc, self.player, self.other_map);
        let at = self.world.cell(npc);
        match event {
            Event::Stun => drop(self.world().entity_mut(npc).insert(Paused::default())),
            Event::EndOfStun => drop(self.world().entity_mut(npc).remove::<Paused>()),
            Event::Teleport => self.world.put(npc, (14, 34)),
            Event::KnockBack => self.world.put(npc, (at.x - 1, at.y + 1)),
            Event::Switch => {
                let other = self.world.target((at.x - 4, at.y + 3));
                self.world.chase(npc, other);
                self.player = other;
            }
            Event::TargetDespawned => drop(self.world().despawn(player)),
            Event::ChaserDespawned => drop(self.world().despawn(npc)),
            Event::MapDespawned => {
                let map = self.world.map;
                self.world().despawn(map);
            }
            Event::BothToOtherMap => {
                self.change_map(npc, other_map);
                self.change_map(player, other_map);
            }
            Event::ChaserToOtherMap => self.change_map(npc, other_map),
            Event::TargetToOtherMap => self.change_map(player, other_map),
            Event::ChaserRemoved => drop(self.world().entity_mut(npc).remove::<Chaser>()),
            Event::PathCut => {
                let player = self.world.cell(player);
                for y in at.y - 3..=at.y + 3 {
                    let cell = Cell::new(at.x + 2, y);
                    if cell != player && cell != POST {
                        self.world.edit(cell, false);
                    }
                }
            }
            Event::BodyInTheWay => {
                let map = self.world.map;
                let in_the_way = (CellPosition::new(at.x + 1, at.y), OnMap(map));
                self.world().spawn((in_the_way, Body::default()));
            }
        }
    }

    /// Writes the component in place, as games do.
    fn change_map(&mut self, agent: Entity, map: Entity) {
        self.world.get_mut::<OnMap>(agent).0 = map;
    }

    /// Returns the goal of an agent that can reach it: the cell of its target or place, and the
    /// distance to stop at.
    pub fn goal(&self) -> Option<(Cell, u16)> {
        let world = self.world.app.world();
        let target = self.target()?;
        let map = world.get::<OnMap>(self.npc)?;
        let is_there = world.get::<OnMap>(target)? == map && world.get::<NavMap>(map.0).is_some();
        let is_place = world.get::<nav::Destination>(target).is_some();
        is_there.then(|| (self.world.cell(target), u16::from(!is_place)))
    }

    /// Counts the steps from a cell to another over the agent's map, breadth first.
    pub fn distance(&self, from: Cell, to: Cell) -> Option<u32> {
        let map = self.world.get::<OnMap>(self.npc).0;
        let grid = self.world.get::<NavMap>(map).grid();
        let mut known = std::collections::BTreeMap::from([(from, 0)]);
        let mut open = VecDeque::from([from]);
        while let Some(cell) = open.pop_front() {
            let distance = known[&cell];
            if cell == to {
                return Some(distance);
            }
            for way in grid.steps(cell, Rules::default()) {
                let next = cell.step(way).unwrap();
                known.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    distance + 1
                });
            }
        }
        None
    }

    /// Checks that every end of a walk has exactly one walker.
    pub fn check_walks(&mut self) {
        let world = self.world.world();
        let mut ends = world.query::<(&WalkEnd, Option<&ChasedBy>)>();
        for (_, chased_by) in ends.iter(world) {
            assert_eq!(chased_by.map(ChasedBy::len), Some(1), "a walk is left over");
        }
        let mut ends = world.query::<(&ReturnEnd, Option<&ChasedBy>)>();
        for (_, chased_by) in ends.iter(world) {
            assert_eq!(
                chased_by.map(ChasedBy::len),
                Some(1),
                "a return is left over"
            );
        }
    }
}
