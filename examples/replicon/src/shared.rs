//! The components that server and client replicate.

use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
use bevy_replicon::prelude::*;
use bevy_state::app::StatesPlugin;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::CellPosition;
use serde::{Deserialize, Serialize};

/// The role of an agent. Components of the game are replicated beside those of the plugin.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    Player,
    Npc(u8),
}

/// The next points of an NPC in the world, along which a client moves it. The first is its place
/// when they were written. Passed points are not removed, so that the component changes seldom.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WayAhead(pub Vec<[f32; 3]>);

/// Registers the replicated components in both apps. They must come in the same order:
/// `bevy_replicon` compares them when a client connects.
pub struct SharedPlugin {
    pub hz: u32,
}

impl Plugin for SharedPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((TimePlugin, StatesPlugin, RepliconPlugins))
            .insert_resource(Time::<Fixed>::from_hz(self.hz.into()))
            // One tick with every update, so that nothing waits for the clock. A game leaves this
            // out.
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .replicate::<Role>()
            .replicate::<CellPosition>()
            .replicate::<WayAhead>();
    }
}
