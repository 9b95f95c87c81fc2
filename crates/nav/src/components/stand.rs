//! Where the components of an agent say that its body stands, and whether it stands so.

use super::{Body, CellPosition, OnMap, SleepSigns, seems_asleep};
use crate::{
    NavTime,
    occupancy::{Occupancy, Stand},
};
#[cfg(feature = "serialize")]
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

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

/// How a body stands otherwise than the components of its agent say.
pub(crate) enum Unlike {
    /// The game moved it since the last tick, or took it away: it is still put down there, if anywhere, and
    /// sleeps or does not.
    Elsewhere(Option<Stand>, bool),
    /// It sleeps, or does not, though its timers say otherwise.
    Asleep(bool),
}

/// How an agent whose components say that it is at `said` stands otherwise; `None` if it does not, or has no
/// body. Those who are no chasers have no `signs`, and do not sleep.
pub(crate) fn stands_unlike(
    occupancy: &Occupancy,
    agent: Entity,
    said: Option<Stand>,
    signs: Option<SleepSigns>,
    is_map: impl Fn(Entity) -> bool,
    now: NavTime,
) -> Option<Unlike> {
    let put = occupancy.stand(agent).filter(|put| is_map(put.map));
    let sleeps = put.is_some_and(|put| occupancy.sleeps(put));
    if put != said {
        return Some(Unlike::Elsewhere(put, sleeps));
    }
    let seems = signs.is_some_and(|signs| seems_asleep(signs, now));
    (put.is_some() && sleeps != seems).then_some(Unlike::Asleep(sleeps))
}
