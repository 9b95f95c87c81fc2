//! The client: it receives the replicated components.

use crate::shared::{Role, SharedPlugin, WayAhead};
use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use nav::CellPosition;

/// The number of received steps of NPCs, and of ways.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub steps: usize,
    pub ways: usize,
}

/// Makes a client that is not connected yet.
pub fn app(hz: u32) -> App {
    let mut app = App::new();
    app.add_plugins(SharedPlugin { hz })
        .init_resource::<Seen>()
        .add_systems(Update, count);
    app.finish();
    app
}

/// Counts updates. Here a game would move a model along its way: see the crate `nav_client`.
fn count(npcs: Query<(Ref<CellPosition>, Ref<WayAhead>)>, mut seen: ResMut<Seen>) {
    for (place, way) in &npcs {
        seen.steps += usize::from(place.is_changed() && !place.is_added());
        seen.ways += usize::from(way.is_changed());
    }
}

/// Returns all agents that the client knows, the player first.
pub fn agents(app: &mut App) -> Vec<(Role, CellPosition, WayAhead)> {
    let world = app.world_mut();
    let mut agents = world.query::<(&Role, &CellPosition, Option<&WayAhead>)>();
    let agents = agents.iter(world);
    let mut agents: Vec<_> = agents
        .map(|(role, place, way)| (*role, *place, way.cloned().unwrap_or_default()))
        .collect();
    agents.sort_by_key(|(role, ..)| *role);
    agents
}
