//! A server of one watcher: an open floor, scripted agents, and a connection that loses a packet.

use nav_protocol::{
    AgentKind, Appear, Correct, LinkAhead, Packet, PathAhead, Place, Start, Up, Update, Vanish,
};

pub const TICK_MILLIS: u64 = 50;
/// Ticks of the recording. The first is not 0, so that a client cannot mix up ticks and time.
pub const FIRST: u32 = 100;
pub const LAST: u32 = 320;

/// The tick whose packet is lost. It has a vanishing agent in it.
const LOST: u32 = 170;
/// The tick whose packet arrives twice.
const TWICE: u32 = 160;
/// The connection is slow in these ticks at first, so that the estimate of the tick moves on.
const SLOW: std::ops::Range<u32> = FIRST..FIRST + 8;
/// Ticks whose packets are held up and arrive together: more than a second of silence.
const STALL: std::ops::Range<u32> = 222..246;
/// The tick in which the watcher comes to another map, with larger cells and another axis up.
const OTHER_MAP: u32 = 280;

/// Walks smoothly.
const PLAYER: u64 = 1;
/// A player that moves cell by cell.
const RUNNER: u64 = 2;
/// Chases the player.
const HUNTER: u64 = 7;
/// Walks up a stair, takes a teleport, goes around a wall, and climbs a ladder.
const CLIMBER: u64 = 8;
/// Is blocked, pushed and thrown.
const STRAY: u64 = 9;
/// Leaves the view and comes back elsewhere.
const GUEST: u64 = 10;
/// Leaves the view in the lost packet.
const GHOST: u64 = 11;
/// Chases the runner from a storey above, and later through a teleport.
const LODGER: u64 = 12;

/// Ticks of a step of the runner: the pace of players of `chase serve`.
const RUNNER_STEP: u32 = 6;

/// A chaser on the floor: the cells ahead of it, each with the tick of its arrival.
struct Walker {
    steps: Vec<((i32, i32), u32)>,
}

impl Walker {
    /// The cell in a tick, and the tick since which it is there.
    fn now(&self, tick: u32) -> ((i32, i32), u32) {
        let passed = self.steps.partition_point(|&(_, arrival)| arrival <= tick);
        self.steps[passed.max(1) - 1]
    }

    /// Walks toward a cell from where it is, until it is beside it.
    fn aim(&mut self, tick: u32, goal: (i32, i32)) {
        let (mut cell, mut since) = self.now(tick);
        if self.steps.last().is_some_and(|last| last.1 + 10 < tick) {
            // It stood, so it sets off now.
            since = tick;
        }
        self.steps = vec![(cell, since)];
        while (goal.0 - cell.0).abs().max((goal.1 - cell.1).abs()) > 1 {
            let step = ((goal.0 - cell.0).signum(), (goal.1 - cell.1).signum());
            cell = (cell.0 + step.0, cell.1 + step.1);
            // Four cells a second straight on, and √2 of that time for a diagonal.
            since += if step.0 * step.1 == 0 { 5 } else { 7 };
            since = since.max(tick + 1);
            self.steps.push((cell, since));
        }
    }

    /// The update of its path: the points at which it turns.
    fn path(&self) -> PathAhead {
        let first = self.steps[0].1;
        let way = |n: usize| {
            let (from, to) = (self.steps[n].0, self.steps[n + 1].0);
            (to.0 - from.0, to.1 - from.1)
        };
        let last = self.steps.len() - 1;
        let turns = (0..=last).filter(|&n| n == 0 || n == last || way(n - 1) != way(n));
        let (nav_path, arrivals) = turns
            .map(|n| {
                let ((x, z), arrival) = self.steps[n];
                ([x as f32, 0.0, z as f32], arrival - first)
            })
            .unzip();
        PathAhead {
            id: HUNTER,
            tick: first,
            speed: 4.0,
            chases: Some(PLAYER),
            reach: 1.0,
            nav_path,
            arrivals,
            jumps: Vec::new(),
            links: Vec::new(),
        }
    }
}

/// Where the player is: there and back along a line, with a stop at each end.
fn player_at(tick: u32) -> [f32; 3] {
    let way = (tick - FIRST) % 240;
    let along = match way {
        0..80 => way,
        80..120 => 80,
        120..200 => 200 - way,
        _ => 0,
    };
    [
        6.0 + along as f32 * 0.1875,
        0.0,
        4.25 + along as f32 * 0.0625,
    ]
}

/// Where the runner is.
fn runner_at(tick: u32) -> [f32; 3] {
    [((tick - FIRST) / RUNNER_STEP) as f32, 0.0, 22.0]
}

fn appear(id: u64, at: [f32; 3]) -> Update {
    let kind = if id == PLAYER || id == RUNNER {
        AgentKind::Player
    } else {
        AgentKind::Chaser
    };
    Update::Appear(Appear { id, kind, at })
}

fn path(id: u64, tick: u32, speed: f32, points: &[([f32; 3], u32)], jumps: &[u16]) -> Update {
    Update::Path(way(id, tick, speed, points, jumps))
}

fn way(id: u64, tick: u32, speed: f32, points: &[([f32; 3], u32)], jumps: &[u16]) -> PathAhead {
    PathAhead {
        id,
        tick,
        speed,
        chases: match id {
            CLIMBER => Some(PLAYER),
            LODGER => Some(RUNNER),
            _ => None,
        },
        reach: 1.0,
        nav_path: points.iter().map(|&(at, _)| at).collect(),
        arrivals: points.iter().map(|&(_, arrival)| arrival).collect(),
        jumps: jumps.to_vec(),
        links: Vec::new(),
    }
}

fn correct(id: u64, tick: u32, at: [f32; 3], jump: bool) -> Update {
    Update::Correct(Correct {
        id,
        tick,
        at,
        speed: 6.0,
        chases: None,
        jump,
    })
}

fn climb(tick: u32) -> Update {
    let points = [
        ([2.0, 0.0, 12.0], 0),
        ([6.0, 1.5, 12.0], 20),
        ([6.0, 1.5, 16.0], 40),
        ([16.0, 0.0, 16.0], 41),
        ([16.0, 0.0, 12.0], 61),
        ([13.0, 0.0, 9.0], 82),
        ([13.0, 0.0, 7.0], 92),
        // A ladder that takes two seconds, and a step beyond it.
        ([13.0, 4.0, 7.0], 132),
        ([13.0, 4.0, 6.0], 137),
    ];
    let links = vec![LinkAhead { point: 7, kind: 3 }];
    Update::Path(PathAhead {
        links,
        ..way(CLIMBER, tick, 4.0, &points, &[3])
    })
}

/// What the script says in a tick, beside the player and its hunter.
fn script(tick: u32) -> Vec<Update> {
    match tick - FIRST {
        0 => vec![climb(tick), appear(STRAY, [0.0; 3])],
        // Off by six units: followers jump there.
        4 => {
            let points = [([0.0, 0.0, 6.0], 0), ([9.0, 0.0, 6.0], 30)];
            vec![path(STRAY, tick, 6.0, &points, &[])]
        }
        10 => vec![appear(GUEST, [20.0, 0.0, 0.0]), appear(GHOST, [3.0; 3])],
        12 => {
            let points = [
                ([20.0, 0.0, 0.0], 0),
                ([20.0, 0.0, 3.0], 12),
                ([17.0, 0.0, 6.0], 29),
                ([10.0, 0.0, 6.0], 57),
            ];
            vec![path(GUEST, tick, 5.0, &points, &[])]
        }
        // Blocked on its way, then pushed aside, then thrown.
        22 => vec![correct(STRAY, tick, [5.0, 0.0, 6.0], false)],
        30 => vec![correct(STRAY, tick, [5.0, 0.0, 7.0], false)],
        40 => vec![correct(STRAY, tick, [12.0, 0.0, 1.0], true)],
        32 => {
            let points = [([5.0, 2.0, 23.0], 0), ([10.0, 2.0, 23.0], 25)];
            vec![
                appear(LODGER, [5.0, 2.0, 23.0]),
                path(LODGER, tick, 4.0, &points, &[]),
            ]
        }
        50 => vec![Update::Vanish(Vanish { id: GUEST })],
        // Known two ticks late, as after a lost round of messages.
        62 => {
            let points = [
                ([12.0, 0.0, 1.0], 0),
                ([12.0, 0.0, 5.0], 14),
                ([8.0, 0.0, 9.0], 33),
            ];
            vec![path(STRAY, tick - 2, 6.0, &points, &[])]
        }
        70 => vec![Update::Vanish(Vanish { id: GHOST })],
        88 => {
            let at = [13.0, 0.0, 20.0];
            vec![appear(LODGER, at)]
        }
        // It comes back before the client shows that it is gone.
        90 => vec![Update::Vanish(Vanish { id: LODGER })],
        91 => {
            let points = [
                ([13.0, 0.0, 23.0], 0),
                ([13.0, 0.0, 24.0], 5),
                ([18.0, 0.0, 24.0], 6),
                ([16.0, 0.0, 23.0], 18),
            ];
            vec![
                appear(LODGER, points[0].0),
                path(LODGER, tick, 4.0, &points, &[2]),
            ]
        }
        100 => {
            let points = [([1.0, 0.0, 20.0], 0), ([11.0, 0.0, 20.0], 40)];
            vec![
                appear(GUEST, [1.0, 0.0, 20.0]),
                path(GUEST, tick, 5.0, &points, &[]),
            ]
        }
        // It turns round in the middle of its way.
        118 => {
            let points = [([5.0, 0.0, 20.0], 0), ([5.0, 0.0, 14.0], 24)];
            vec![path(GUEST, tick, 5.0, &points, &[])]
        }
        // In the stall: when it arrives, the guest is shown further on.
        130 => {
            let points = [([5.0, 0.0, 17.0], 0), ([12.0, 0.0, 17.0], 28)];
            vec![path(GUEST, tick, 5.0, &points, &[])]
        }
        _ => Vec::new(),
    }
}

/// The whole view in a tick, as after a resync.
fn view(tick: u32, hunter: &Walker) -> Vec<Update> {
    let start = Start {
        tick_micros: TICK_MILLIS as u32 * 1_000,
        cell_size: 1.0,
        up: Up::Y,
    };
    let ((x, z), _) = hunter.now(tick);
    let mut updates = vec![
        Update::Start(start),
        appear(PLAYER, player_at(tick)),
        appear(RUNNER, runner_at(tick)),
        appear(HUNTER, [x as f32, 0.0, z as f32]),
        Update::Path(hunter.path()),
        appear(CLIMBER, [2.0, 0.0, 12.0]),
    ];
    if tick > FIRST {
        updates.push(climb(FIRST));
        updates.push(appear(STRAY, [8.0, 0.0, 9.0]));
    }
    updates
}

/// What is in view on the other map, where z points up.
fn other_map(tick: u32) -> Vec<Update> {
    let start = Start {
        tick_micros: TICK_MILLIS as u32 * 1_000,
        cell_size: 2.0,
        up: Up::Z,
    };
    let points = [
        ([40.0, 40.0, 3.0], 0),
        ([48.0, 40.0, 3.0], 20),
        ([54.0, 46.0, 4.0], 41),
    ];
    vec![
        Update::Start(start),
        appear(CLIMBER, [40.0, 40.0, 3.0]),
        path(CLIMBER, tick, 8.0, &points, &[]),
    ]
}

/// All packets in the order of their arrival, with the milliseconds at which they arrive.
///
/// `asked` is when the client's request arrives at the server.
pub fn packets(asked: u64) -> Vec<(u64, Packet)> {
    let mut hunter = Walker {
        steps: vec![((0, 0), FIRST)],
    };
    let (mut sent, mut arrival, mut sequence) = (Vec::new(), 0, 0);
    let mut is_answered = false;
    for tick in FIRST..LAST {
        let millis = u64::from(tick - FIRST) * TICK_MILLIS;
        let aims = tick < OTHER_MAP && (tick - FIRST).is_multiple_of(9);
        if aims {
            let [x, _, z] = player_at(tick);
            hunter.aim(tick, (x.round() as i32, z.round() as i32));
        }
        let mut updates = if tick == FIRST || (millis >= asked && !is_answered) {
            is_answered |= tick > FIRST;
            view(tick, &hunter)
        } else if tick == OTHER_MAP {
            other_map(tick)
        } else if tick > OTHER_MAP {
            Vec::new()
        } else {
            let mut news = Vec::new();
            if aims {
                news.push(Update::Path(hunter.path()));
            }
            if tick % 2 == 0 {
                let at = player_at(tick);
                news.push(Update::Place(Place { id: PLAYER, at }));
            }
            if (tick - FIRST).is_multiple_of(RUNNER_STEP) {
                let at = runner_at(tick);
                news.push(Update::Place(Place { id: RUNNER, at }));
            }
            news
        };
        updates.append(&mut script(tick));
        // Nothing new is sent each half second only.
        if updates.is_empty() && tick % 10 != 0 {
            continue;
        }
        sequence += 1;
        // 20 to 77 ms on the way, and never past the packet before.
        let held = if STALL.contains(&tick) {
            u64::from(STALL.end - tick) * TICK_MILLIS
        } else if SLOW.contains(&tick) {
            400
        } else {
            0
        };
        let delay = 20 + u64::from(tick * 37 % 58);
        arrival = (millis + held + delay).max(arrival);
        if tick != LOST {
            sent.push((arrival, Packet::new(sequence, tick, updates)));
        }
        if tick == TWICE + 3 {
            let of_tick = |(_, packet): &&(u64, Packet)| packet.tick == TWICE;
            let twice = sent.iter().find(of_tick).cloned();
            sent.extend(twice.map(|(_, packet)| (arrival, packet)));
        }
    }
    sent
}
