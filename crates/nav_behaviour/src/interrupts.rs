//! Interruptions of chases and walks, and their ends.

use crate::{Confused, Flee, Interrupted, LastPlace, ReturnEnd, Returning};
use bevy_ecs::{prelude::*, query::QueryData, schedule::ScheduleConfigs, system::ScheduleSystem};
use nav::{
    CellPosition, Chasing, GoTo, PathCursor,
    extend::on_demand,
    go_to::WalkEnd,
    groups::{ChasingGroup, TargetGroup},
    stepping::SteppedByGame,
};

/// The systems that interrupt chases and walks, and let them go on.
pub(super) fn interrupts() -> ScheduleConfigs<ScheduleSystem> {
    let resume = on_demand::<Calm, _>(resume);
    (resume, on_demand::<Going, _>(interrupt)).chain()
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
