//! Hand-over of agents that cross a border.

mod by_ledger;
mod in_rounds;

pub(crate) use by_ledger::{hand_over_by_ledger, receive_news};
pub(crate) use in_rounds::hand_over_in_rounds;

use crate::{Zone, ZoneId};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, internals::Mirror};
use std::collections::BTreeMap;

/// Agents by the zone where they stand, ordered by id.
type Leaving = BTreeMap<ZoneId, Vec<(AgentId, Entity)>>;

/// Returns the agents that stand in other zones.
fn leaving(world: &mut World, zone: &Zone) -> Leaving {
    let own = zone.layout.area(zone.id);
    let mut agents = world.query_filtered::<(Entity, &AgentId, &CellPosition), Without<Mirror>>();
    let mut leaving = Leaving::new();
    for (agent, &id, position) in agents.iter(world) {
        // An agent off the map stays.
        let is_here = own.is_some_and(|own| own.contains(position.cell.on_floor(0)));
        if !is_here && *position != CellPosition::OUTSIDE {
            let to = zone.layout.zone_of(position.cell);
            leaving.entry(to).or_default().push((id, agent));
        }
    }
    for agents in leaving.values_mut() {
        agents.sort_unstable();
    }
    leaving
}
