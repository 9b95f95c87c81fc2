//! Groups of targets, and chasers that go for the nearest member.

use crate::{AgentId, CellPosition, NavTime};
use bevy_ecs::{
    entity::{EntityMapper, MapEntities},
    lifecycle::HookContext,
    prelude::*,
    world::DeferredWorld,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::Cell;

/// A group of targets: the players of a party, everybody in an instance, all bait. Its members are
/// the agents that are [`InGroup`]; chasers with [`ChasingGroup`] go for the member with the
/// shortest way.
///
/// Spawn it once, and despawn it to end the chases of all its chasers.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(AgentId, GroupAim)]
pub struct TargetGroup;

/// The [`TargetGroup`] of a target. A relationship: despawning the group removes it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[relationship(relationship_target = GroupTargets)]
#[require(AgentId)]
pub struct InGroup(pub Entity);

/// The members of a [`TargetGroup`], in no particular order; kept up to date by [`InGroup`].
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[relationship_target(relationship = InGroup)]
#[require(TargetGroup)]
pub struct GroupTargets(Vec<Entity>);

impl GroupTargets {
    /// The members.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}

/// How many cells nearer than it is a member of a [group](TargetGroup) seems to its chasers: a
/// taunt, a decoy. Without it, 0.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct Attraction(pub u16);

/// Makes a chaser go for the member of a [`TargetGroup`] with the shortest way.
///
/// The plugin sets [`Chasing`](crate::Chasing), at first to the member that is nearest in a
/// straight line, so that nobody stands, and to the nearest by way as soon as a tick's
/// [budget](crate::NavBudget) has told which that is. It looks again after the time of a quarter of
/// the way, from 2 to 8 s, and at once when members come, go, or attract otherwise; not while it is
/// within reach, unless a member has an [`Attraction`]. A chaser changes from one living member to
/// another only if that was the nearest at two looks in a row, and [`MemberChosen`] says so. One
/// whose member is gone, disabled or on another map goes for another at once. Where no way leads to
/// any member, or the map never [prepares](crate::NavMap#preparation), the nearest in a straight
/// line counts.
///
/// Distances are those of the [portals](nav_grid::fields::PortalField) of the map, a few per cent
/// above the shortest. All chasers with the same [rules](crate::Chaser::rules) share one field for
/// the whole group.
///
/// Remove it to end the chase. What ends a chase by itself, such as a leash, has to remove it, too.
/// It is removed where its group is gone, disabled, or no [`TargetGroup`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(on_remove = end_chase)]
pub struct ChasingGroup {
    #[entities]
    group: Entity,
    /// The member that it was sent after.
    #[entities]
    pub(super) chosen: Option<Entity>,
    /// Another member that was nearer at the last look.
    #[entities]
    pub(super) nearer: Option<Entity>,
    /// The time of the next look.
    pub(super) next: NavTime,
}

impl ChasingGroup {
    /// A chase of a group.
    pub const fn new(group: Entity) -> Self {
        Self {
            group,
            chosen: None,
            nearer: None,
            next: NavTime(0),
        }
    }

    /// The group.
    pub const fn group(&self) -> Entity {
        self.group
    }
}

/// The message that a chaser of a group goes for a member, or for another one. Also an observer
/// event at the chaser.
///
/// Written in [`NavSystems::ChooseMembers`](crate::NavSystems::ChooseMembers), by the longest wait,
/// then in the order of [`AgentId`]s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberChosen {
    /// The chaser.
    #[event_target]
    pub chaser: Entity,
    /// Its group.
    pub group: Entity,
    /// The member that it goes for.
    pub member: Entity,
    /// The member before, if it still is one.
    pub before: Option<Entity>,
}

/// The members of a group as its field was aimed last.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[component(map_entities)]
pub struct GroupAim {
    pub(super) since: NavTime,
    /// Whether members came or went then, or attract otherwise than before.
    pub(super) has_changed: bool,
    /// In the order of agents.
    pub(super) members: Vec<Member>,
    /// The work of the fields since.
    pub(crate) work: u64,
}

/// A member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Member {
    pub(super) id: AgentId,
    pub(super) agent: Entity,
    pub(super) map: Entity,
    pub(super) cell: Cell,
    pub(super) attraction: Attraction,
}

impl Member {
    /// How many cells a place is away in a straight line, less the attraction; the nearest comes
    /// first.
    pub(super) fn away(&self, place: CellPosition) -> i32 {
        i32::from(self.cell.chebyshev(place.cell)) - i32::from(self.attraction.0)
    }
}

impl MapEntities for GroupAim {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        for member in &mut self.members {
            member.agent = mapper.get_mapped(member.agent);
            member.map = mapper.get_mapped(member.map);
        }
    }
}

fn end_chase(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world
        .commands()
        .entity(entity)
        .try_remove::<crate::Chasing>();
}
