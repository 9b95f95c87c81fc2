//! The marks of destinations where returns and searches end.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{ChasedBy, Destination};

/// Marks the [`Destination`] of a [return](crate::Returning). It is despawned in
/// [`NavSystems::Act`](nav::NavSystems::Act) when no agent goes there.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(Destination)]
pub struct ReturnEnd;

/// Marks the [`Destination`] of a [search](crate::Searching). It is despawned in
/// [`NavSystems::Act`](nav::NavSystems::Act) when no agent goes there.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(Destination)]
pub struct LastPlace;

/// Despawns destinations with a mark to which no agent goes.
pub(super) fn despawn_unused<Mark: Component>(
    ends: Query<Entity, (With<Mark>, Without<ChasedBy>)>,
    mut commands: Commands,
) {
    for end in &ends {
        commands.entity(end).try_despawn();
    }
}
