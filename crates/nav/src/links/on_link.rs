//! The component of an agent on a link, and the messages about it.

use super::Traffic;
use crate::{NavMap, NavTime, occupancy::BodyPlaces};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{Cell, Footprint, rules::LinkKind};

/// An agent on a [link](nav_grid::Link) that takes [time](nav_grid::Link::millis) or holds
/// [few](nav_grid::Link::capacity) walkers. The plugin inserts and removes it.
///
/// Its [`CellPosition`](crate::CellPosition) is the end of the link from the beginning. Until
/// [`until`](Self::until) it takes no step, no other body pushes it away, and its own body holds
/// both ends. It may get another target meanwhile, and searches from the end.
///
/// It ends earlier where the game puts the agent elsewhere, or removes this component.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(on_insert = begin, on_discard = end)]
pub struct OnLink {
    #[entities]
    pub(super) map: Entity,
    pub(super) from: Cell,
    pub(super) to: Cell,
    pub(super) kind: LinkKind,
    pub(super) until: NavTime,
    /// The body that holds the start, which the end does not overlap.
    pub(super) holds: Option<Footprint>,
}

impl OnLink {
    /// The map.
    pub const fn map(&self) -> Entity {
        self.map
    }

    /// The start of the link.
    pub const fn from(&self) -> Cell {
        self.from
    }

    /// The end of the link.
    pub const fn to(&self) -> Cell {
        self.to
    }

    /// The kind of the link.
    pub const fn kind(&self) -> LinkKind {
        self.kind
    }

    /// The message that an agent is on the link no longer.
    pub(super) const fn left(self, agent: Entity, arrived: bool) -> LinkLeft {
        LinkLeft {
            agent,
            map: self.map,
            from: self.from,
            to: self.to,
            arrived,
        }
    }

    /// The same with other cells for its ends.
    pub(crate) fn moved(self, cell: impl Fn(Cell) -> Cell) -> Self {
        Self {
            from: cell(self.from),
            to: cell(self.to),
            ..self
        }
    }

    /// The moment at which the agent leaves the link: its next move tick.
    pub const fn until(&self) -> NavTime {
        self.until
    }
}

/// Notes the agent, and lets its body hold the start.
fn begin(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(&on) = world.get::<OnLink>(entity) else {
        return;
    };
    let size = world.get::<NavMap>(on.map).map(|map| map.grid().size());
    if let Some(mut traffic) = world.get_resource_mut::<Traffic>() {
        traffic.enter(entity, on.map, (on.from, on.to));
    }
    if let Some(mut places) = world.get_resource_mut::<BodyPlaces>()
        && let (Some(size), Some(footprint)) = (size, on.holds)
    {
        places.hold(entity, on.map, size, (on.from, footprint));
    }
}

/// Forgets the agent, and gives up the start.
fn end(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(&on) = world.get::<OnLink>(entity) else {
        return;
    };
    if let Some(mut traffic) = world.get_resource_mut::<Traffic>() {
        traffic.leave(entity, on.map, (on.from, on.to));
    }
    if let Some(mut places) = world.get_resource_mut::<BodyPlaces>()
        && let Some(footprint) = on.holds
    {
        places.give_up(entity, on.map, (on.from, footprint));
    }
}

/// The message that an agent took a [link](nav_grid::Link) that takes time or holds few walkers.
/// Also an observer event at the agent.
///
/// Written in [`NavSystems::Step`](crate::NavSystems::Step), in the order of
/// [`AgentId`](crate::AgentId)s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEntered {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// Its map.
    pub map: Entity,
    /// The start of the link.
    pub from: Cell,
    /// The end of the link.
    pub to: Cell,
    /// The kind of the link.
    pub kind: LinkKind,
    /// The moment at which the agent will leave the link.
    pub until: NavTime,
}

/// The message that an agent is [on its link](OnLink) no longer. Also an observer event at the
/// agent.
///
/// Written in [`NavSystems::Observe`](crate::NavSystems::Observe), in the order of
/// [`AgentId`](crate::AgentId)s. Not for despawned agents.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLeft {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// The map of the link.
    pub map: Entity,
    /// The start of the link.
    pub from: Cell,
    /// The end of the link.
    pub to: Cell,
    /// Whether the agent came to the end; `false` where the game put it elsewhere before.
    pub arrived: bool,
}
