//! A client that follows: it shows chasers where they are.

use super::{
    link::{Link, Quality},
    scene::{Watched, app_with_sync, id_of},
};
use bevy_ecs::prelude::*;
use mapgen::Kind;
use nav::{Body, BodyKind, CellPosition, Chaser, OnMap};
use nav_client::{Client, FollowState, Received, Settings};
use nav_grid::{Cell, Grid, Limits, Method, Rules};
use nav_protocol::{Packet, Request};
use nav_sync::Watcher;
use nav_tests::{
    TestWorld, sample,
    scenes::{prepare, step},
};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{collections::BTreeMap, time::Duration};

const TICK: Duration = Duration::from_millis(50);

/// Frames that a client shows in a tick.
const FRAMES: u32 = 3;

/// A server, a client, and the links between them.
struct Play {
    watched: Watched,
    client: Client,
    down: Link<Packet>,
    up: Link<Request>,
    chasers: BTreeMap<u64, Entity>,
    /// The cells of chasers in each tick of the server.
    truth: Vec<BTreeMap<u64, Cell>>,
    /// The ticks of the test before the first tick that messages count.
    offset: Option<i64>,
    now: u64,
}

/// The distances between shown and true places of chasers, in cells.
#[derive(Debug, Default)]
struct Errors {
    all: Vec<f64>,
}

impl Errors {
    fn most(&self) -> f64 {
        self.all.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the share of errors above a distance.
    fn beyond(&self, cells: f64) -> f64 {
        let beyond = self.all.iter().filter(|&&error| error > cells).count();
        beyond as f64 / self.all.len().max(1) as f64
    }
}

impl Play {
    fn new(watched: Watched, chasers: &[Entity], settings: Settings, quality: Quality) -> Self {
        Self {
            watched,
            client: Client::new(settings),
            down: Link::new(quality, 1),
            up: Link::new(quality, 2),
            chasers: chasers
                .iter()
                .map(|&chaser| (id_of(chaser), chaser))
                .collect(),
            truth: Vec::new(),
            offset: None,
            now: 0,
        }
    }

    /// Runs a tick of the server, and the frames until the next. Adds the distances of shown
    /// chasers from their places, now and in the tick that was shown.
    fn tick(&mut self, shown: &mut Errors, present: &mut Errors) {
        for request in self.up.receive(self.now) {
            let watcher = self.watched.watcher;
            self.watched
                .world
                .get_mut::<Watcher>(watcher)
                .receive(&request);
        }
        for packet in self.watched.tick() {
            let behind = self.now as i64 - i64::from(packet.tick);
            self.offset.get_or_insert(behind);
            self.down.send(packet, self.now);
        }
        let cells = self.chasers.iter();
        let cells = cells.map(|(&id, &chaser)| (id, self.watched.world.cell(chaser)));
        self.truth.push(cells.collect());
        for packet in self.down.receive(self.now) {
            self.client.receive(&packet, TICK * self.now as u32);
        }
        for frame in 0..FRAMES {
            let time = TICK * self.now as u32 + TICK * frame / FRAMES;
            self.client.advance(time);
            if let Some(request) = self.client.request(time) {
                self.up.send(request, self.now);
            }
            let (Some(tick), Some(offset)) = (self.client.shown_tick(), self.offset) else {
                continue;
            };
            // The rounding error of summed parts of a tick must not lose a whole tick.
            let at = ((tick + 1e-6).floor() as i64 + offset).max(0) as usize;
            for agent in self.client.agents() {
                let position = agent.position();
                let off = |cell: &Cell| {
                    let place = [f64::from(cell.x), f64::from(cell.y)];
                    let off = [position[0] - place[0], position[2] - place[1]];
                    off[0].abs().max(off[1].abs())
                };
                let of = |tick: usize| self.truth.get(tick).and_then(|all| all.get(&agent.id()));
                if let Some(cell) = of(at) {
                    shown.all.push(off(cell));
                }
                if let Some(cell) = of(self.truth.len() - 1) {
                    present.all.push(off(cell));
                }
            }
        }
        self.now += 1;
    }
}

/// The chasers of a drawn world.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    kind: Kind,
    seed: u64,
    method: Method,
    body: Option<BodyKind>,
    /// Whether targets walk about.
    targets_move: bool,
}

/// A drawn world with a watcher in the middle.
struct World {
    watched: Watched,
    chasers: Vec<Entity>,
    targets: Vec<Entity>,
    random: Xoshiro256PlusPlus,
    moves: bool,
}

impl World {
    fn new(crowd: Crowd) -> Self {
        let grid = mapgen::generate(crowd.kind, 60, 40, crowd.seed).expect("a map of this size");
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(crowd.seed);
        let mut world = TestWorld::with_app(app_with_sync(), grid);
        if crowd.method == Method::Auto {
            world.nav_map().build_regions(Rules::default());
        }
        prepare(&mut world.nav_map(), crowd.method, Rules::default());
        let mut taken = Vec::new();
        let mut anywhere = || loop {
            let cell = ground[random.random_range(0..ground.len() as u32) as usize];
            if !taken.contains(&cell) {
                taken.push(cell);
                return cell;
            }
        };
        let targets: Vec<Entity> = (0..3).map(|_| world.target(anywhere())).collect();
        let tuned = Chaser {
            method: crowd.method,
            limits: if crowd.method == Method::Portal {
                Limits::UNBOUNDED
            } else {
                Limits::window(28)
            },
            ..Chaser::default()
        };
        let chasers: Vec<Entity> = (0..24)
            .map(|n| world.chaser_with(tuned, anywhere(), targets[n % 3]))
            .collect();
        if let Some(kind) = crowd.body {
            for &chaser in &chasers {
                let body = Body {
                    kind,
                    ..Body::default()
                };
                world.world().entity_mut(chaser).insert(body);
            }
        }
        Self {
            watched: Watched::around(world, Cell::new(30, 20)),
            chasers,
            targets,
            random,
            moves: crowd.targets_move,
        }
    }
}

/// Moves targets to neighbouring cells now and then.
fn wander(world: &mut TestWorld, targets: &[Entity], random: &mut Xoshiro256PlusPlus) {
    for &target in targets {
        if random.random_range(0..8) > 0 {
            continue;
        }
        step(world, target, |count| {
            random.random_range(0..count as u32) as usize
        });
    }
}

/// Plays a drawn world, and returns the errors in the tick that was shown, and now.
fn play(
    crowd: Crowd,
    settings: Settings,
    quality: Quality,
    seconds: u64,
) -> (Errors, Errors, Play) {
    let World {
        mut watched,
        chasers,
        targets,
        mut random,
        moves,
    } = World::new(crowd);
    watched.settings().history = 64;
    watched.settings().heartbeat = 1;
    let mut play = Play::new(watched, &chasers, settings, quality);
    let (mut shown, mut present) = (Errors::default(), Errors::default());
    for _ in 0..seconds * nav_tests::TICK_RATE {
        if moves {
            wander(&mut play.watched.world, &targets, &mut random);
        }
        play.tick(&mut shown, &mut present);
    }
    (shown, present, play)
}

const KINDS: [Kind; 4] = [Kind::Open, Kind::Rooms, Kind::Caves, Kind::Mixed];
const BODIES: [Option<BodyKind>; 3] = [None, Some(BodyKind::Soft), Some(BodyKind::Solid)];

/// Returns crowds with some of all methods, bodies and kinds of maps.
fn crowds(targets_move: bool) -> impl Iterator<Item = Crowd> {
    let methods = Method::ALL.into_iter().enumerate();
    methods.flat_map(move |(n, method)| {
        (0..2_usize).map(move |m| Crowd {
            kind: KINDS[(n + m) % 4],
            seed: (n * 2 + m) as u64,
            method,
            body: BODIES[(n + m * 2) % 3],
            targets_move,
        })
    })
}

/// A distance above that of neighbouring cells.
const ONE_CELL: f64 = 1.5;

#[test]
fn good_connection() {
    for targets_move in [false, true] {
        for crowd in crowds(targets_move) {
            let (shown, present, play) = play(crowd, Settings::default(), Quality::PERFECT, 20);
            assert!(present.all.len() > 1000, "{crowd:?}");
            let most = shown.most();
            assert!(
                most < ONE_CELL,
                "{crowd:?}: {most} at the tick that is shown"
            );
            // Within two ticks a body may be pushed by two cells.
            let (most, beyond) = (present.most(), present.beyond(ONE_CELL));
            assert!(most < 2.0 && beyond < 1e-3, "{crowd:?}: {most}, {beyond}");
            assert_eq!(play.client.agents().count(), 27, "{crowd:?}");
        }
    }
}

#[test]
fn bad_connection_with_lag() {
    let settings = Settings {
        // Delays, the wait for late packets, and asking three times.
        lag: Duration::from_millis(1800),
        ..Settings::default()
    };
    for targets_move in [false, true] {
        for crowd in sample(crowds(targets_move), 3) {
            let (shown, _, play) = play(crowd, settings, Quality::BAD, 20);
            assert!(play.down.lost > 10 && shown.all.len() > 1000, "{crowd:?}");
            let most = shown.most();
            assert!(most < ONE_CELL, "{crowd:?}: {most}");
            assert_eq!(
                play.watched.counts().starts,
                1,
                "{crowd:?}: no view was lost"
            );
        }
    }
}

#[test]
fn bad_connection_without_lag() {
    let (mut beyond, mut all) = (0.0, 0.0);
    for crowd in sample(crowds(true), 3) {
        let (_, present, _) = play(crowd, Settings::default(), Quality::BAD, 20);
        beyond += present.beyond(ONE_CELL);
        all += 1.0;
        let most = present.most();
        assert!(most < 8.0, "{crowd:?}: {most}");
    }
    let share = beyond / all;
    assert!(share < 0.03, "{share}");
}

#[test]
fn server_without_history() {
    let crowd = Crowd {
        kind: Kind::Rooms,
        seed: 3,
        method: Method::Auto,
        body: Some(BodyKind::Solid),
        targets_move: true,
    };
    let World {
        mut watched,
        chasers,
        targets,
        mut random,
        ..
    } = World::new(crowd);
    watched.settings().history = 0;
    let mut play = Play::new(watched, &chasers, Settings::default(), Quality::BAD);
    let (mut shown, mut present) = (Errors::default(), Errors::default());
    for tick in 0..600 {
        if tick == 400 {
            // From here on nothing is lost or late.
            play.down.quality = Quality::PERFECT;
            play.up.quality = Quality::PERFECT;
        }
        if tick == 500 {
            (shown, present) = (Errors::default(), Errors::default());
        }
        wander(&mut play.watched.world, &targets, &mut random);
        play.tick(&mut shown, &mut present);
    }
    assert!(play.watched.counts().starts > 3);
    assert_eq!(play.client.agents().count(), 27);
    let most = shown.most();
    assert!(most < ONE_CELL, "{most}");
}

#[test]
fn late_packet_after_leaving() {
    let mut watched = Watched::open(120, 40, (10, 10));
    let target = watched.world.target((100, 10));
    let chaser = watched.world.chaser((40, 10), target);
    watched.ticks(80);
    let mut client = Client::new(Settings::default());
    let mut late = Vec::new();
    for (n, packet) in watched.sent.iter().enumerate() {
        if n % 3 == 1 {
            late.push(packet.clone());
        } else {
            client.receive(packet, TICK * packet.tick);
        }
    }
    let end = TICK * 100;
    for packet in &late {
        assert_eq!(client.receive(packet, end), Received::Taken);
        assert_eq!(client.receive(packet, end), Received::Old, "twice");
    }
    client.advance(end);
    assert!(client.agent(id_of(chaser)).is_none());
}

#[test]
fn follower_near_its_target() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((30, 20));
    let chaser = watched.world.chaser((40, 20), target);
    let mut play = Play::new(watched, &[chaser], Settings::default(), Quality::PERFECT);
    let (mut shown, mut present) = (Errors::default(), Errors::default());
    let mut states = Vec::new();
    for _ in 0..80 {
        play.tick(&mut shown, &mut present);
        let agent = play.client.agent(id_of(chaser));
        states.extend(agent.map(|agent| (agent.position()[0], agent.state(), agent.facing())));
    }
    for &(x, state, facing) in &states {
        // Within 4 units of the target, as the client finds out a frame later.
        let expected = match x {
            34.3.. => FollowState::Walking,
            ..34.0 => FollowState::Steering,
            _ => state,
        };
        assert!(
            state == expected || state == FollowState::Standing,
            "{state:?} at {x}"
        );
        assert!(
            state == FollowState::Standing || facing[0] < 0.0,
            "faces {facing:?}"
        );
    }
    let (x, state, _) = *states.last().unwrap();
    assert_eq!(state, FollowState::Standing);
    assert!((x - 31.0).abs() < 0.5, "{x} is beside 30");
}

/// How near a target has to be for a chaser to leave its path is the choice of the client; 0 is
/// never.
#[test]
fn hand_over_distance() {
    assert!((Settings::default().steer_within - 4.0).abs() < f64::EPSILON);
    for (steer_within, leash) in [(4.0, 0.25), (4.0, 0.0), (2.0, 0.25), (0.0, 0.25)] {
        let mut watched = Watched::open(60, 40, (30, 20));
        let target = watched.world.target((30, 20));
        let chaser = watched.world.chaser((40, 23), target);
        let settings = Settings {
            steer_within,
            leash,
            ..Settings::default()
        };
        let mut play = Play::new(watched, &[chaser], settings, Quality::PERFECT);
        let (mut shown, mut present) = (Errors::default(), Errors::default());
        let mut steered = Vec::new();
        for _ in 0..80 {
            play.tick(&mut shown, &mut present);
            if let Some(agent) = play.client.agent(id_of(chaser))
                && agent.state() == FollowState::Steering
            {
                steered.push(agent.position()[0] - 30.0);
            }
        }
        let farthest = steered.iter().copied().fold(0.0, f64::max);
        assert!(
            farthest <= steer_within + 0.3,
            "{farthest} of {steer_within}"
        );
        assert_eq!(steered.is_empty(), steer_within < 1.0, "{steer_within}");
    }
}

#[test]
fn moving_watcher() {
    let grid = Grid::open(200, 100).unwrap();
    let mut watched = Watched::on(grid, (5, 50));
    let target = watched.world.target((100, 50));
    let chasers: Vec<Entity> = (0..60)
        .map(|n| watched.world.chaser((n * 3, 5 + n * 13 % 90), target))
        .collect();
    let watcher = watched.watcher;
    let mut play = Play::new(watched, &chasers, Settings::default(), Quality::PERFECT);
    let (mut shown, mut present) = (Errors::default(), Errors::default());
    for tick in 0..400_u16 {
        let place = CellPosition::new(5 + tick / 3, 50);
        let map = play.watched.world.map;
        play.watched
            .world
            .world()
            .entity_mut(watcher)
            .insert((place, OnMap(map)));
        play.tick(&mut shown, &mut present);
        if tick % 50 != 49 {
            continue;
        }
        let screen = |cell: Cell| (cell.x / 23, cell.y / 14);
        let own = screen(place.cell);
        // Agents that were in view at the shown tick, and still are.
        let lagging = &play.truth[play.truth.len() - 4];
        for (id, cell) in play.truth.last().unwrap() {
            let near = |cell: &Cell| {
                let at = screen(*cell);
                at.0.abs_diff(own.0) <= 1 && at.1.abs_diff(own.1) <= 1
            };
            if near(cell) && near(&lagging[id]) {
                assert!(play.client.agent(*id).is_some(), "{id} in {cell}");
            }
        }
    }
    let most = present.most();
    assert!(most < ONE_CELL, "{most}");
}
