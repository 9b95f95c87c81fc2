//! What a server sends: packets of updates.

use crate::{bounded::at_most, version::VERSION};
use serde::{Deserialize, Serialize};

/// Updates in a packet at most. Servers cut longer ones into several.
pub const UPDATES_MAX: usize = 1024;

/// Points of a path at most.
pub const POINTS_MAX: usize = 256;

/// What a watcher is sent at the end of a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// The version of this format, [`VERSION`](crate::VERSION).
    pub version: u16,
    /// One more than that of the packet before, for each watcher from 1 on: a gap is a loss.
    pub sequence: u32,
    /// The tick of the server in which it was written.
    pub tick: u32,
    /// What is new. A packet without updates says that the server is alive, and the tick.
    #[serde(deserialize_with = "at_most::<UPDATES_MAX, _, _>")]
    pub updates: Vec<Update>,
}

impl Packet {
    /// A packet of this version.
    pub const fn new(sequence: u32, tick: u32, updates: Vec<Update>) -> Self {
        Self {
            version: VERSION,
            sequence,
            tick,
            updates,
        }
    }
}

/// Something new. Of two that say the same thing of one agent the one with the greater
/// [sequence](Packet::sequence) holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Update {
    /// The view begins anew.
    Start(Start),
    /// Somebody came into view.
    Appear(Appear),
    /// The way of a chaser.
    Path(PathAhead),
    /// A chaser stands.
    Correct(Correct),
    /// A player is somewhere else.
    Place(Place),
    /// Somebody is no longer in view.
    Vanish(Vanish),
}

/// The view begins anew: whoever was in view is forgotten. The first update of a connection, of a view
/// that was asked for anew, and after the watcher came to another map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Length of a tick in microseconds, at least 1.
    pub tick_micros: u32,
    /// World units along the side of a cell, above 0.
    pub cell_size: f32,
    /// The axis that points up.
    pub up: Up,
}

/// The axis of the world that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// The second one of `[x, y, z]`.
    #[default]
    Y,
    /// The third one.
    Z,
}

/// Somebody came into view, and stands there as long as no path says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appear {
    /// Who: the same number as long as it is in view.
    pub id: u64,
    /// What it is.
    pub kind: AgentKind,
    /// Where it is, in the world.
    pub at: [f32; 3],
}

/// What somebody is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// It walks by paths.
    #[default]
    Chaser,
    /// It goes where it likes: a [`Place`] says where.
    Player,
}

/// The way of a chaser from where it is, as far as it is known. It takes the place of any earlier one, from
/// its [`tick`](Self::tick) on, and ends with the chaser standing on the last point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathAhead {
    /// Who.
    pub id: u64,
    /// The tick in which it was on the first point and set off.
    pub tick: u32,
    /// How fast it walks straight on, in world units a second.
    pub speed: f32,
    /// Whom it chases.
    pub chases: Option<u64>,
    /// How near it comes to whom it chases, in world units along the wider axis.
    pub reach: f32,
    /// The points at which it turns, in the world, from where it is: at least one. Between two of them it
    /// walks straight on.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub nav_path: Vec<[f32; 3]>,
    /// When it is on each point, in ticks after `tick`: as many as there are points, from 0 on.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub arrivals: Vec<u32>,
    /// Which points, by number, it comes to at once instead of walking there: by a teleport, for instance.
    /// In ascending order.
    #[serde(deserialize_with = "at_most::<POINTS_MAX, _, _>")]
    pub jumps: Vec<u16>,
}

/// A chaser does not go on by its path: it stands, since it waits, was pushed aside, or has no way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correct {
    /// Who.
    pub id: u64,
    /// The tick since which it is there.
    pub tick: u32,
    /// Where it is, in the world.
    pub at: [f32; 3],
    /// How fast it walks straight on, in world units a second: it came there at this speed.
    pub speed: f32,
    /// Whom it chases.
    pub chases: Option<u64>,
    /// Whether it came there at once instead of walking.
    pub jump: bool,
}

/// A player is somewhere else, as of the [tick](Packet::tick) of the packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Who.
    pub id: u64,
    /// Where it is, in the world.
    pub at: [f32; 3],
}

/// Somebody is no longer in view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vanish {
    /// Who.
    pub id: u64,
}
