//! A chase across borders, as a game sees it.

use crate::apps::{app, run_zones};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::{AgentId, extend::Mirror, prelude::*};
use nav_zones::{
    Agents, Bus, BusError, ChaseAgent, LocalBus, Zone, ZoneError, ZoneId, ZoneLayout, ZonePlugin,
    ZoneSystems, local,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const PLAYER: AgentId = AgentId(1);
const CHASER: AgentId = AgentId(2);

/// The player's route, and how far it has come: carried from zone to zone.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Tour {
    corners: Vec<(u16, u16)>,
    walked: u32,
}

/// Ticks of a step of the player: a little slower than its chaser, which takes one in five.
const TICKS_PER_STEP: u32 = 8;

/// Moves players a step now and then, to the next corner.
fn walk(mut players: Query<(&mut Tour, &mut CellPosition), Without<Mirror>>) {
    for (mut tour, mut position) in &mut players {
        tour.walked += 1;
        let Some(&(x, y)) = tour.corners.first() else {
            continue;
        };
        if !tour.walked.is_multiple_of(TICKS_PER_STEP) {
            continue;
        }
        let Cell {
            x: column, y: row, ..
        } = position.cell;
        let toward = |from: u16, to: u16| from + u16::from(from < to) - u16::from(from > to);
        position.cell = Cell::new(toward(column, x), toward(row, y));
        if position.cell == Cell::new(x, y) {
            tour.corners.remove(0);
        }
    }
}

/// Makes a zone of a world of 128×128 cells, in which a player makes a tour, chased by an NPC.
fn zone(zone: ZoneId, layout: &ZoneLayout, plugin: ZonePlugin) -> App {
    let (mut app, map) = app(Grid::open(128, 128).expect("a map of this size"));
    app.add_plugins(plugin.carry::<Tour>("tour"))
        .add_systems(FixedUpdate, walk.before(ZoneSystems::Share));
    let mut spawn = |cell: Cell, agent: &dyn Fn(&mut EntityWorldMut)| {
        if layout.zone_of(cell) == zone {
            let place = (OnMap(map), CellPosition::at(cell));
            agent(&mut app.world_mut().spawn(place));
        }
    };
    spawn(Cell::new(50, 50), &|player| {
        let corners = vec![(90, 50), (90, 90), (40, 90), (40, 40)];
        player.insert((PLAYER, Tour { corners, walked: 0 }));
    });
    spawn(Cell::new(30, 50), &|chaser| {
        chaser.insert((CHASER, Chaser::default(), ChaseAgent(PLAYER)));
    });
    app
}

fn four_zones() -> ZoneLayout {
    let size = Grid::open(128, 128).expect("a map of this size").size();
    ZoneLayout::new(size, 2, 2).expect("a tile each")
}

/// The observations of a zone.
#[derive(Clone, Default)]
struct Seen {
    /// Whether the player and the chaser ever lived in it.
    lived: [bool; 2],
    /// The cells of the player and the chaser, if they live in it at the end.
    at_last: [Option<Cell>; 2],
    walked: Option<u32>,
    refused: u64,
    failure: Option<ZoneError>,
}

impl Seen {
    fn look(&mut self, world: &World) {
        self.at_last = [None; 2];
        for (id, agent) in world.resource::<Agents>().living(world) {
            let who = usize::from(id == CHASER);
            self.lived[who] = true;
            self.at_last[who] = world.get::<CellPosition>(agent).map(|place| place.cell);
            if let Some(tour) = world.get::<Tour>(agent) {
                self.walked = Some(tour.walked);
            }
        }
        let zone = world.resource::<Zone>();
        (self.refused, self.failure) = (zone.refused(), zone.failure());
    }
}

/// Runs the zones, and checks that player and chaser never live in two of them.
fn run_all(buses: Vec<impl Bus>, ticks: u32) -> Vec<Seen> {
    let layout = four_zones();
    let mut zones = vec![Seen::default(); 4];
    let make = |id, plugin| zone(id, &layout, plugin);
    run_zones(&layout, buses, ticks, make, |tick, id, app| {
        zones[usize::from(id.0)].look(app.world());
        for who in [0, 1] {
            let lives = |zone: &&Seen| zone.at_last[who].is_some();
            assert!(zones.iter().filter(lives).count() <= 1, "tick {tick}");
        }
    });
    zones
}

fn caught(zones: &[Seen]) {
    let all = |who: usize| zones.iter().filter_map(move |zone| zone.at_last[who]);
    let (players, chasers): (Vec<Cell>, Vec<Cell>) = (all(0).collect(), all(1).collect());
    let [player] = players[..] else {
        panic!("the player lives in one zone: {players:?}");
    };
    let [chaser] = chasers[..] else {
        panic!("the chaser lives in one zone: {chasers:?}");
    };
    assert_eq!(player, Cell::new(40, 40));
    assert_eq!(player.chebyshev(chaser), 1, "{chaser:?}");
}

#[test]
fn through_four_zones() {
    let ticks = TICKS_PER_STEP * 200;
    let zones = run_all(local(4), ticks);
    caught(&zones);
    for (number, zone) in zones.iter().enumerate() {
        assert_eq!(zone.lived, [true, true], "both came through zone {number}");
        assert_eq!((zone.refused, zone.failure.clone()), (0, None));
    }
    // The component of the game goes along: each tick of the schedule counted once.
    let walked = zones
        .iter()
        .find(|zone| zone.at_last[0].is_some())
        .and_then(|zone| zone.walked);
    // The first update has no tick, and neither has a player under way: in two ticks at most at
    // each of five borders.
    let most = ticks - 1;
    assert!(
        walked.is_some_and(|walked| (most - 10..=most).contains(&walked)),
        "{walked:?} of {most}"
    );
}

/// A bus that sends nonsense with every message.
struct Noisy(LocalBus);

impl Bus for Noisy {
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError> {
        self.0.send(to, Vec::new())?;
        self.0.send(to, vec![0xff; 40])?;
        let mut future = message.clone();
        future[0] ^= 0x40;
        self.0.send(to, future)?;
        self.0.send(to, message.clone())?;
        // A duplicate.
        self.0.send(to, message)
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, BusError> {
        self.0.receive(wait)
    }
}

#[test]
fn nonsense_is_refused() {
    let zones = run_all(
        local(4).into_iter().map(Noisy).collect(),
        TICKS_PER_STEP * 200,
    );
    caught(&zones);
    for zone in zones {
        assert_eq!(zone.failure, None);
        assert!(zone.refused > 1000, "{}", zone.refused);
    }
}
