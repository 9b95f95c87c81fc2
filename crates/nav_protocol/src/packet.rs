//! Packets of updates, from server to client.

use crate::{bounded::at_most, version::VERSION};
use serde::{Deserialize, Serialize};

/// Most updates in a packet. Servers split longer ones. Fits the start, appearance and path of 511
/// agents; a guess otherwise.
pub const UPDATES_MAX: usize = 1024;

/// Most points of a path: `nav_sync` reads at most 250 steps at once.
pub const POINTS_MAX: usize = 256;

/// The message to a watcher at the end of a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// Version of this format, [`VERSION`](crate::VERSION).
    pub version: u16,
    /// Counts packets for each watcher, from 1. A gap is a loss.
    pub sequence: u32,
    /// The server tick in which it was written.
    pub tick: u32,
    /// The changes. Without any, the packet still tells the tick and that the server is alive.
    #[serde(deserialize_with = "at_most::<UPDATES_MAX, _, _>")]
    pub updates: Vec<Update>,
}

impl Packet {
    /// Creates a packet of this version.
    pub const fn new(sequence: u32, tick: u32, updates: Vec<Update>) -> Self {
        Self {
            version: VERSION,
            sequence,
            tick,
            updates,
        }
    }
}

/// A change in a view.
///
/// Of two updates of one kind for one agent, the one with the greater [sequence](Packet::sequence)
/// holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Update {
    /// The view starts again.
    Start(Start),
    /// An agent entered the view.
    Appear(Appear),
    /// A chaser has a new path.
    Path(PathAhead),
    /// A chaser stopped.
    Correct(Correct),
    /// A player moved.
    Place(Place),
    /// An agent left the view.
    Vanish(Vanish),
}

/// The view starts again: the client forgets all agents in view.
///
/// It is the first update of a connection, of a view that the client requested again, and after the
/// watcher changed maps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Tick length in microseconds, at least 1.
    pub tick_micros: u32,
    /// World units per cell side, above 0.
    pub cell_size: f32,
    /// The axis that points up.
    pub up: Up,
}

/// The axis of the world that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// The second of `[x, y, z]`.
    #[default]
    Y,
    /// The third of `[x, y, z]`.
    Z,
}

/// An agent entered the view. It stays there until a path says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appear {
    /// Id of the agent, the same as long as it is in view.
    pub id: u64,
    /// Its kind.
    pub kind: AgentKind,
    /// Its place in the world.
    pub at: [f32; 3],
}

/// The kind of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// Walks along paths.
    #[default]
    Chaser,
    /// Moves freely; a [`Place`] tells where it is.
    Player,
}

/// The path of a chaser from where it is, as far as it is known.
///
/// It replaces any earlier path from its [`tick`](Self::tick) on. At its end the chaser stays on
/// the last point.
// Decision 24: docs/decisions/0024-clients-are-sent-points-in-time.md
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathAhead {
    /// Id of the chaser.
    pub id: u64,
    /// Tick in which it left the first point.
    pub tick: u32,
    /// Speed on straight steps, in world units per second.
    pub speed: f32,
    /// Id of its target.
    pub chases: Option<u64>,
    /// Distance at which it stops before its target, in world units along the wider axis.
    pub reach: f32,
    /// Points in the world at which it turns, starting where it is; at least one. Between two
    /// points it walks in a straight line.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub nav_path: Vec<[f32; 3]>,
    /// Arrival at each point, in ticks after `tick`. As many as points, the first is 0.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub arrivals: Vec<u32>,
    /// Indexes of points that it reaches at once instead of walking, for instance by a teleport. In
    /// ascending order.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub jumps: Vec<u16>,
    /// Links on the way that take longer than a step, in ascending order of their ends.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub links: Vec<LinkAhead>,
}

/// A link on a path, such as a ladder. The chaser is on it from the arrival at the point before its
/// end to the arrival at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkAhead {
    /// Index of the point at its end, which is no jump; at least 1.
    pub point: u16,
    /// Its kind, 0 to 15.
    pub kind: u8,
}

/// A chaser does not continue on its path. It stays because it waits, was pushed aside, or has no
/// path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correct {
    /// Id of the chaser.
    pub id: u64,
    /// Tick since which it is there.
    pub tick: u32,
    /// Its place in the world.
    pub at: [f32; 3],
    /// Speed at which it came there, on straight steps, in world units per second.
    pub speed: f32,
    /// Id of its target.
    pub chases: Option<u64>,
    /// Whether it came there at once instead of walking.
    pub jump: bool,
}

/// A player moved. The place holds for the [tick](Packet::tick) of the packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Id of the player.
    pub id: u64,
    /// Its place in the world.
    pub at: [f32; 3],
}

/// An agent left the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vanish {
    /// Id of the agent.
    pub id: u64,
}
