//! Settings of the packets for watchers.

use bevy_ecs::prelude::*;

/// Settings of the packets for watchers: content, intervals and limits of their cost.
///
/// Insert it before the plugin, or change it at any time.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncSettings {
    /// Steps of a path read at once, from 1 to 250; 24 by default, which is six seconds at the
    /// default pace.
    pub steps: u16,
    /// A path is extended when fewer steps than this are left; 6 by default.
    pub lead: u16,
    /// Ticks between two readings of a path because its target moved; 10 by default. That is half a
    /// second at 20 Hz, the interval at which chasers search.
    pub interval: u32,
    /// Most steps read in a tick; 6,000 by default. More than 0.
    pub budget: u32,
    /// Most agents looked at in a tick to update views; 20,000 by default. At least one watcher is
    /// served.
    pub looks: u32,
    /// Ticks after which a packet is sent even without updates, so that a loss is noticed; 10 by
    /// default.
    pub heartbeat: u32,
    /// Ticks between two places of the same player; 2 by default.
    pub place_interval: u32,
    /// Packets kept for each watcher, to send again after a loss; 0 by default, for connections
    /// without loss. With 0, a loss costs the whole view.
    pub history: usize,
    /// Most packets that may wait in a watcher; 128 by default. If the game does not drain them,
    /// they are dropped, and the view starts again.
    pub outbox: usize,
    /// Least number of ticks between two starts of a view that its client requests; 10 by default.
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
