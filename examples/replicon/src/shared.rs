//! What server and client agree on: the components that are replicated.

use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
use bevy_replicon::prelude::*;
use bevy_state::app::StatesPlugin;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::CellPosition;
use serde::{Deserialize, Serialize};

/// Who somebody is. Components of the game are replicated beside those of the plugin.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    Player,
    Npc(u8),
}

/// The points by which an NPC goes, in the world: what a client moves it along. The first is where it was
/// when they were written; those that it has passed are not removed, so that the component changes seldom.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WayAhead(pub Vec<[f32; 3]>);

/// What both apps need. The same components in the same order: `bevy_replicon` compares them when a client
/// connects.
pub struct SharedPlugin {
    pub hz: u32,
}

impl Plugin for SharedPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((TimePlugin, StatesPlugin, RepliconPlugins))
            .insert_resource(Time::<Fixed>::from_hz(self.hz.into()))
            // One tick with every update, so that nothing waits for the clock. A game leaves this out.
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .replicate::<Role>()
            .replicate::<CellPosition>()
            .replicate::<WayAhead>();
    }
}
