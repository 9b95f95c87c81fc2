//! What watchers are sent, how often, and what that may cost.

use bevy_ecs::prelude::*;

/// What watchers are sent, how often, and what that may cost. Insert it before the plugin, or change it at
/// any time.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncSettings {
    /// Steps of a path that are read at once, 24 by default, from 1 to 250: six seconds at the default pace.
    pub steps: u16,
    /// A path is read on when fewer steps of it are left; 6 by default.
    pub lead: u16,
    /// Ticks between two readings of a path because its target moved; 10 by default, half a second at
    /// 20 Hz, as often as chasers search.
    pub interval: u32,
    /// Steps that are read in a tick at most; 6,000 by default. More than 0.
    pub budget: u32,
    /// Agents that are looked at in a tick for who is in whose view, at most; 20,000 by default. At least
    /// one watcher is looked after.
    pub looks: u32,
    /// Ticks after which a packet is sent even if there is no news, so that a loss is noticed; 10 by
    /// default.
    pub heartbeat: u32,
    /// Ticks between two places of one player; 2 by default.
    pub place_interval: u32,
    /// Packets that are kept for each watcher, to be sent again if they are lost; 0 by default, for
    /// connections that lose nothing. With 0 a loss costs the whole view.
    pub history: usize,
    /// Packets that may wait in a watcher; 128 by default. If the game takes none for so long, they are
    /// dropped, and the view begins anew.
    pub outbox: usize,
    /// Ticks between two beginnings of one view at the client's request; 10 by default.
    pub resync_interval: u32,
}

impl Default for SyncSettings {
    fn default() -> Self {
        Self {
            steps: 24,
            lead: 6,
            interval: 10,
            budget: 6_000,
            looks: 20_000,
            heartbeat: 10,
            place_interval: 2,
            history: 0,
            outbox: 128,
            resync_interval: 10,
        }
    }
}
