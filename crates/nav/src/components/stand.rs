//! Where the components of an agent say that its body stands.

use super::{Body, CellPosition, OnMap};
use crate::occupancy::Stand;
#[cfg(feature = "serialize")]
use bevy_ecs::{entity_disabling::Disabled, world::EntityRef};

/// Where the body of an agent stands, if it has one and is not disabled.
pub(crate) fn stand(
    body: Option<&Body>,
    on_map: Option<&OnMap>,
    position: Option<&CellPosition>,
    is_disabled: bool,
) -> Option<Stand> {
    if is_disabled {
        return None;
    }
    Some(Stand {
        map: on_map?.0,
        cell: position?.cell,
        footprint: body?.footprint,
    })
}

/// The same of an agent of a world.
#[cfg(feature = "serialize")]
pub(crate) fn stand_of(agent: EntityRef) -> Option<Stand> {
    let is_disabled = agent.contains::<Disabled>();
    stand(agent.get(), agent.get(), agent.get(), is_disabled)
}
