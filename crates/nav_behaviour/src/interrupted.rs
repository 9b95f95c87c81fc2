//! Interrupted activities: what a flight or a confusion puts aside, and what goes on afterwards.

use crate::{
    ActivityCause,
    activity::{PendingCause, announce},
};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::stepping::SteppedByGame;
use nav_grid::Cell;

/// The chase and the walk of an agent that [flees](crate::Flee) or is [confused](crate::Confused).
/// Inserted with these, and removed after the last of them.
///
/// Meanwhile the agent chases nothing: it neither notices nor follows a call, no threat list or
/// group sends it, no patrol, formation or home. A [`Chasing`](nav::Chasing),
/// [`ChasingGroup`](nav::groups::ChasingGroup) or [`GoTo`](nav::GoTo) that the game inserts
/// replaces the walk that waits here. Afterwards the chase begins again if its target is still
/// there, with a new [`ChaseRecord`](crate::ChaseRecord), and the walk goes on. A
/// [return](crate::Returning) ends, without a report.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(SteppedByGame)]
pub struct Interrupted {
    #[entities]
    pub(super) target: Option<Entity>,
    #[entities]
    pub(super) group: Option<Entity>,
    pub(super) go_to: Option<Cell>,
}

impl Interrupted {
    /// The target that is chased afterwards.
    pub const fn target(&self) -> Option<Entity> {
        self.target
    }

    /// The [`TargetGroup`](nav::groups::TargetGroup) that is chased afterwards.
    pub const fn group(&self) -> Option<Entity> {
        self.group
    }

    /// Replaces the cell of the walk.
    pub(super) fn move_cells(&mut self, moved: impl Fn(Cell) -> Cell) {
        self.go_to = self.go_to.map(moved);
    }

    /// The cell of the walk that goes on afterwards.
    pub const fn walk(&self) -> Option<Cell> {
        self.go_to
    }
}

/// Ends what interrupts an agent, with the message about it.
pub(super) fn calm<C: Component, M>(
    (agent, message): (Entity, M),
    causes: &mut Query<&mut PendingCause>,
    commands: &mut Commands,
) where
    M: Message + EntityEvent<Trigger<'static>: Default> + Copy,
{
    PendingCause::note(causes, agent, ActivityCause::Calmed);
    commands.entity(agent).remove::<C>();
    announce(commands, message);
}
