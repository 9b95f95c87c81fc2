//! Ends of chases: at the end of a leash, or after too long. The agent gives up and returns.

use crate::{
    Activity, ActivityCause, BehaviourSystems, GivenUp, Home, LastPlace, Notice, Returning, Threat,
    activity::PendingCause,
    given_up::{GivenUpTarget, forget_expired, forget_where_edited},
    plugins::{GiveUpSystems, add_once, add_shared, behaviour_plugin},
    returning::{ReturnEnd, ReturnEnded, ReturnPlugin, begin_return, end_return, way_back},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, Body, CellPosition, ChaseState, Chaser, Chasing, Crowding, Destination, GoTo, GoToEnd,
    GoToEnded, NavClock, NavSystems, NavTime, NavTimer, OnMap, PathCursor, Period,
    extend::{on_demand, require_nav},
    go_to::WalkCommands,
    groups::ChasingGroup,
    maps::SeenEdits,
};
use nav_grid::Cell;

/// How far from a cell a chaser follows a target. On the first cell beyond, it gives up and
/// [returns](Returning).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[require(Activity, ChaseRecord, Chaser)]
pub struct Leash {
    /// Columns and rows from the tied cell to the farthest cells within the leash, on the same
    /// floor.
    pub range: u16,
    /// The cell to which it is tied.
    pub from: LeashFrom,
    /// Whether the agent notices targets on its way back. Off by default, since two players could
    /// lead it to and fro otherwise.
    pub notices_on_return: bool,
}

impl Leash {
    /// A leash tied where each chase begins.
    pub const fn new(range: u16) -> Self {
        Self {
            range,
            from: LeashFrom::ChaseStart,
            notices_on_return: false,
        }
    }

    /// Whether an agent may be on a cell in a chase that began on another one.
    pub(super) fn allows(&self, home: Option<&Home>, began_at: Cell, cell: Cell) -> bool {
        let tied_to = match (self.from, home) {
            (LeashFrom::Home, Some(home)) => home.0,
            _ => began_at,
        };
        tied_to.floor == cell.floor && tied_to.chebyshev(cell) <= self.range
    }
}

/// The cell to which a [`Leash`] is tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
pub enum LeashFrom {
    /// The start of the chase: the default.
    #[default]
    ChaseStart,
    /// The agent's [`Home`], if it has one; else the start of the chase.
    Home,
}

/// The time after which a chaser gives up and [returns](Returning). Until then it does what its
/// [`fallback`](nav::Chaser::fallback) says: it comes as near as it can, or waits.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(Activity, ChaseRecord, Chaser)]
pub struct GiveUp {
    /// How long its searches may fail: the target, or the end of a walk, is unreachable. On a walk
    /// also how long bodies may [keep it where it is](nav::Crowding::is_blocked), which no search
    /// tells. `None`, the default, for no limit.
    pub unreachable: Option<Period>,
    /// How long it may be out of reach of its target, for targets that it cannot catch. `None`, the
    /// default, for no limit.
    pub out_of_reach: Option<Period>,
    /// How long it neither [notices](Notice) nor chases by [threat](Threat) an unreachable target
    /// that is still at its place: see [`GivenUp`].
    ///
    /// A minute by default, after which failed searches are repeated without a change, too. With 0
    /// the agent leaves for the target again as soon as it is back, and so on without end.
    pub ignores_for: Period,
}

impl Default for GiveUp {
    fn default() -> Self {
        Self {
            unreachable: None,
            out_of_reach: None,
            ignores_for: Period::from_millis(60_000),
        }
    }
}

/// Where and when the chase of an agent began, and how it went since: the input of [`Leash`] and
/// [`GiveUp`], which require it. Saved with them.
///
/// A switch to another target continues the chase. Walks to places are no chases, but record for
/// how long their end was unreachable.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct ChaseRecord {
    /// The agent's cell at the beginning of the chase; `None` without a chase.
    pub began_at: Option<Cell>,
    /// The last time at which it was within reach of its target, or else the start of that chase.
    pub out_of_reach_since: NavTime,
    /// The first of its searches that failed in a row, or when bodies blocked its walk; `None`
    /// after a success.
    pub failing_since: Option<NavTime>,
    /// The target to which this applies; `None` before the plugin has seen it.
    #[entities]
    pub target: Option<Entity>,
}

impl ChaseRecord {
    /// Begins a chase.
    fn begin(&mut self, cell: Cell, now: NavTime) {
        self.began_at = Some(cell);
        self.out_of_reach_since = now;
    }

    /// Continues with another target, if it is another one.
    fn see_target(&mut self, target: Entity, now: NavTime) {
        if self
            .target
            .replace(target)
            .is_some_and(|before| before != target)
        {
            self.failing_since = None;
            self.out_of_reach_since = now;
        }
    }
}

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
        let is_over = |since: NavTime, period: Option<Period>| {
            period.is_some_and(|period| now >= since.after(period))
        };
        let record = self.record;
        let give_up = self.give_up.copied().unwrap_or_default();
        if let (Some(began_at), Some(leash)) = (record.began_at, self.leash)
            && !leash.allows(self.home, began_at, self.position.cell)
        {
            Some(ActivityCause::LeashEnded)
        } else if (record.failing_since).is_some_and(|since| is_over(since, give_up.unreachable)) {
            Some(ActivityCause::Unreachable)
        } else if record.began_at.is_some()
            && is_over(record.out_of_reach_since, give_up.out_of_reach)
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
