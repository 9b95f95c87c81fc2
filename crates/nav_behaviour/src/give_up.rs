//! Ends of chases: at the end of a leash, or after too long. The agent gives up and returns.

use crate::{
    ActivityCause, BehaviourSystems, ChaseRecord, GiveUp, GivenUp, Home, LastPlace, Leash, Notice,
    ReturnEnd, Returning, Threat,
    activity::PendingCause,
    given_up::{GivenUpTarget, forget_expired, forget_where_edited},
    plugins::{GiveUpSystems, add_once, add_shared, behaviour_plugin},
    returning::{ReturnEnded, ReturnPlugin, begin_return, end_return, way_back},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData};
use nav::{
    AgentId, Body, CellPosition, ChaseState, Chasing, Crowding, Destination, GoTo, GoToEnd,
    GoToEnded, NavClock, NavSystems, NavTime, NavTimer, OnMap, PathCursor, Period,
    extend::{on_demand, require_nav},
    go_to::WalkCommands,
    groups::ChasingGroup,
    maps::SeenEdits,
};

behaviour_plugin! {
    /// Ends chases by [`Leash`] and [`GiveUp`].
    LeashPlugin
}

impl Plugin for LeashPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let give_up = (
            on_demand::<With<GivenUp>, _>(forget_expired),
            on_demand::<Recorded, _>(update_records),
            on_demand::<Recorded, _>(give_up),
        );
        let forget = on_demand::<With<GivenUp>, _>(forget_where_edited)
            .run_if(|edits: Res<SeenEdits>| !edits.is_empty())
            .after(NavSystems::Observe)
            .before(BehaviourSystems::Unstick);
        app.add_systems(self.schedule, give_up.chain().in_set(GiveUpSystems::End))
            .add_systems(self.schedule, forget)
            .add_observer(begin_chase)
            .add_observer(end_chase);
        add_once(app, ReturnPlugin(self.schedule));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "LeashPlugin");
    }
}

/// An agent with a record and a chase or a walk.
type Recorded = (With<ChaseRecord>, With<Chasing>);

type RecordInputs = (
    &'static mut ChaseRecord,
    &'static Chasing,
    &'static CellPosition,
    &'static PathCursor,
    &'static NavTimer,
    Option<&'static Crowding>,
);

/// Updates the records of agents with a chase or a walk.
fn update_records(
    clock: Res<NavClock>,
    mut records: Query<RecordInputs>,
    destinations: Query<(), With<Destination>>,
) {
    let now = clock.now();
    for (mut record, chasing, position, cursor, timer, crowding) in &mut records {
        let mut new = *record;
        new.see_target(chasing.0, now);
        // A leash that is inserted during a chase is tied to the agent's cell in that tick.
        if new.began_at.is_none() && !destinations.contains(chasing.0) {
            new.begin(position.cell, now);
        }
        if cursor.state() == ChaseState::Reached {
            new.out_of_reach_since = now;
        }
        let is_blocked = crowding.is_some_and(Crowding::is_blocked);
        let fails = timer.failures() > 0 || is_blocked && destinations.contains(chasing.0);
        new.failing_since = fails.then_some(new.failing_since.unwrap_or(now));
        record.set_if_neq(new);
    }
}

type Beginning = (
    Option<&'static mut ChaseRecord>,
    &'static Chasing,
    &'static CellPosition,
    Has<Returning>,
);

/// Records the start of a chase, and ends a return.
fn begin_chase(
    inserted: On<Insert<Chasing>>,
    clock: Res<NavClock>,
    mut agents: Query<Beginning>,
    destinations: Query<(), With<Destination>>,
    mut commands: Commands,
) {
    let Ok((record, chasing, position, is_returning)) = agents.get_mut(inserted.entity) else {
        return;
    };
    let is_walk = destinations.contains(chasing.0);
    if let Some(mut record) = record.filter(|record| !is_walk && record.began_at.is_none()) {
        record.begin(position.cell, clock.now());
    }
    if is_returning && !is_walk {
        commands.entity(inserted.entity).remove::<Returning>();
    }
}

/// Clears the record of a chase that ended.
fn end_chase(removed: On<Remove<Chasing>>, mut records: Query<&mut ChaseRecord>) {
    if let Ok(mut record) = records.get_mut(removed.entity) {
        *record = ChaseRecord::default();
    }
}

/// An agent that may give up.
#[derive(QueryData)]
struct Leashed {
    entity: Entity,
    id: &'static AgentId,
    record: &'static ChaseRecord,
    leash: Option<&'static Leash>,
    give_up: Option<&'static GiveUp>,
    home: Option<&'static Home>,
    position: &'static CellPosition,
    on_map: Option<&'static OnMap>,
    chasing: &'static Chasing,
    go_to: Option<&'static GoTo>,
    given_up: Option<&'static GivenUp>,
    has_notice: Has<Notice>,
    has_threat: Has<Threat>,
}

impl LeashedItem<'_, '_> {
    /// Why the agent gives up in this tick, if it does.
    fn reason(&self, now: NavTime) -> Option<ActivityCause> {
        let record = self.record;
        let give_up = self.give_up.copied().unwrap_or_default();
        if let (Some(began_at), Some(leash)) = (record.began_at, self.leash)
            && !leash.allows(self.home, began_at, self.position.cell)
        {
            Some(ActivityCause::LeashEnded)
        } else if has_passed(give_up.unreachable, record.failing_since, now) {
            Some(ActivityCause::Unreachable)
        } else if record.began_at.is_some()
            && has_passed(give_up.out_of_reach, Some(record.out_of_reach_since), now)
        {
            Some(ActivityCause::TookTooLong)
        } else {
            None
        }
    }

    /// The agent's given up targets with another one, if it ignores unreachable targets.
    fn given_up_with(&self, target: TargetItem, now: NavTime) -> Option<GivenUp> {
        let ignores_for = self.give_up?.ignores_for;
        let picks_targets = self.has_notice || self.has_threat;
        if !picks_targets || ignores_for == Period::default() {
            return None;
        }
        let new = GivenUpTarget {
            id: *target.id?,
            cell: target.position?.cell,
            footprint: target.body.map(|body| body.footprint).unwrap_or_default(),
            until: now.after(ignores_for),
        };
        Some(GivenUp::with(self.given_up, new))
    }
}

/// Whether a time is over that began at another one.
fn has_passed(period: Option<Period>, since: Option<NavTime>, now: NavTime) -> bool {
    let over = since.zip(period);
    over.is_some_and(|(since, period)| now >= since.after(period))
}

#[derive(QueryData)]
struct Target {
    id: Option<&'static AgentId>,
    position: Option<&'static CellPosition>,
    body: Option<&'static Body>,
    is_destination: Has<Destination>,
    is_last_place: Has<LastPlace>,
    is_return: Has<ReturnEnd>,
}

/// Ends the chases, walks and returns of agents that give up, in the order of agents. Sends those
/// back that chased.
fn give_up(
    clock: Res<NavClock>,
    leashed: Query<Leashed>,
    targets: Query<Target>,
    mut causes: Query<&mut PendingCause>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, Entity, ActivityCause)>>,
) {
    let now = clock.now();
    list.extend(leashed.iter().filter_map(|one| {
        let cause = one.reason(now)?;
        Some((*one.id, one.entity, cause))
    }));
    list.sort_unstable_by_key(|&(id, agent, _)| (id, agent));
    for (_, agent, cause) in list.drain(..) {
        let Ok(one) = leashed.get(agent) else {
            continue;
        };
        // Set before the chase ends, which requests the update of the activity.
        PendingCause::note(&mut causes, agent, cause);
        let target = targets.get(one.chasing.0).ok();
        // A search goes on with the chase.
        let is_walk =
            (target.as_ref()).is_some_and(|target| target.is_destination && !target.is_last_place);
        let back_to = target.as_ref().filter(|target| target.is_return);
        if let Some(position) = back_to.and_then(|target| target.position) {
            let (cell, end) = (position.cell, GoToEnd::Unreachable);
            end_return(&mut commands, ReturnEnded { agent, cell, end });
            continue;
        }
        if let Some(&GoTo(cell)) = one.go_to.filter(|_| is_walk) {
            let end = GoToEnd::Unreachable;
            commands.end_walk(GoToEnded { agent, cell, end });
            continue;
        }
        let mut agent = commands.entity(agent);
        agent.remove::<(Chasing, ChasingGroup)>();
        if is_walk {
            continue;
        }
        if cause == ActivityCause::Unreachable
            && let Some(given_up) = target.and_then(|target| one.given_up_with(target, now))
        {
            agent.insert(given_up);
        }
        let back = way_back(one.home, Some(one.record));
        if let (Some(back), Some(&on_map)) = (back, one.on_map) {
            begin_return(&mut commands, one.entity, on_map, back);
        }
    }
}
