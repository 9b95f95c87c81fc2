//! Chases and walks that a flight or a confusion interrupts, and that go on afterwards.

use crate::{
    ActivityCause, Confused, Flee, LastPlace, ReturnEnd, Returning,
    activity::{PendingCause, announce},
    plugins::{GiveUpSystems, add_shared},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    CellPosition, Chasing, GoTo, PathCursor,
    extend::on_demand,
    go_to::WalkEnd,
    groups::{ChasingGroup, TargetGroup},
    stepping::SteppedByGame,
};
use nav_grid::Cell;

/// The chase and the walk of an agent that [flees](Flee) or is [confused](Confused). Inserted with
/// these, and removed after the last of them.
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
    target: Option<Entity>,
    #[entities]
    group: Option<Entity>,
    go_to: Option<Cell>,
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

/// Interrupts chases and walks, and lets them go on.
pub(super) struct InterruptPlugin(pub(super) Interned<dyn ScheduleLabel>);

impl Plugin for InterruptPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.0);
        let interrupt = on_demand::<Going, _>(interrupt);
        let resume = on_demand::<Calm, _>(resume);
        app.add_systems(
            self.0,
            (resume, interrupt).chain().in_set(GiveUpSystems::Interrupt),
        );
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

/// An agent with a chase or a walk to interrupt.
type Going = (
    With<Interrupted>,
    Or<(With<Chasing>, With<ChasingGroup>, With<GoTo>)>,
);

/// An agent of which the chase or the walk goes on.
type Calm = (With<Interrupted>, Without<Flee>, Without<Confused>);

/// The end of a walk, of a return or of a search.
type End = Or<(With<WalkEnd>, With<ReturnEnd>, With<LastPlace>)>;

#[derive(QueryData)]
#[query_data(mutable)]
struct Busy {
    entity: Entity,
    interrupted: &'static mut Interrupted,
    chasing: Option<&'static Chasing>,
    group: Option<&'static ChasingGroup>,
    go_to: Option<&'static GoTo>,
}

/// Takes the chases and walks of agents, to be given back later.
fn interrupt(mut agents: Query<Busy, Going>, ends: Query<(), End>, mut commands: Commands) {
    for mut one in &mut agents {
        let mut kept = *one.interrupted;
        if let Some(group) = one.group {
            (kept.target, kept.group) = (None, Some(group.group()));
        } else if let Some(&Chasing(target)) = one.chasing.filter(|to| !ends.contains(to.0)) {
            (kept.target, kept.group) = (Some(target), None);
        }
        if let Some(&GoTo(cell)) = one.go_to {
            kept.go_to = Some(cell);
        }
        one.interrupted.set_if_neq(kept);
        let mut agent = commands.entity(one.entity);
        agent.remove::<(Chasing, ChasingGroup, GoTo, Returning)>();
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Resumed {
    entity: Entity,
    interrupted: &'static Interrupted,
    cursor: Option<&'static mut PathCursor>,
    has_chase: Has<Chasing>,
    has_group: Has<ChasingGroup>,
    has_walk: Has<GoTo>,
}

/// Gives agents back their chases and walks, but for any that the game replaced.
fn resume(
    mut agents: Query<Resumed, Calm>,
    targets: Query<(), With<CellPosition>>,
    groups: Query<(), With<TargetGroup>>,
    mut commands: Commands,
) {
    for mut one in &mut agents {
        // An agent with a home looks where it is only after a change.
        if let Some(cursor) = &mut one.cursor {
            cursor.set_changed();
        }
        let Interrupted {
            target,
            group,
            go_to,
        } = *one.interrupted;
        let mut agent = commands.entity(one.entity);
        agent.remove::<(Interrupted, SteppedByGame)>();
        if let Some(cell) = go_to.filter(|_| !one.has_walk) {
            agent.insert(GoTo(cell));
        }
        if one.has_chase || one.has_group {
            continue;
        }
        if let Some(target) = target.filter(|&target| targets.contains(target)) {
            agent.insert(Chasing(target));
        }
        if let Some(group) = group.filter(|&group| groups.contains(group)) {
            agent.insert(ChasingGroup::new(group));
        }
    }
}
