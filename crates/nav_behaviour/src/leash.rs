//! Chases that end by themselves: at the end of a leash, or after too long.

use crate::{
    Activity, ActivityCause, BehaviourSystems, ChaseRecord, GivenUp, GoTo, GoToEnd, GoToEnded,
    Home, Notice,
    activity::PendingCause,
    chase_record::{begin, forget, keep_records},
    given_up::{forget_given_up, forget_where_edited},
    go_to::end_walk,
    on_demand::on_demand,
    sets::order_sets,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
use nav::{
    AgentId, Body, CellPosition, Chasing, Destination, NavClock, NavSystems, NavTime, Period,
    SeenEdits,
};
use nav_grid::{Cell, Footprint};

/// How far from a cell a chaser follows anybody. On the first cell beyond, it gives up and
/// [returns](Returning).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[require(Activity, ChaseRecord)]
pub struct Leash {
    /// Columns and rows from the cell to which it is tied to the farthest cells that are within it, on the
    /// same floor.
    pub range: u16,
    /// The cell to which it is tied.
    pub from: LeashFrom,
    /// Whether the agent notices others on its way back; off by default, since otherwise it is led to
    /// and fro between two players.
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

    /// The cell to which it is tied in a chase that began at one.
    fn tied_to(&self, home: Option<&Home>, began_at: Cell) -> Cell {
        match (self.from, home) {
            (LeashFrom::Home, Some(home)) => home.0,
            _ => began_at,
        }
    }

    /// Whether a leash that is tied to a cell reaches another one.
    fn reaches(&self, tied_to: Cell, cell: Cell) -> bool {
        tied_to.floor == cell.floor && tied_to.chebyshev(cell) <= self.range
    }

    /// Whether somebody who stands at `from` may follow to a cell: whoever is further is not worth
    /// setting off for.
    pub(super) fn allows(&self, home: Option<&Home>, from: Cell, cell: Cell) -> bool {
        self.reaches(self.tied_to(home, from), cell)
    }
}

/// The cell to which a [`Leash`] is tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum LeashFrom {
    /// Where the chase began: the default.
    #[default]
    ChaseStart,
    /// The agent's [`Home`], if it has one; else where the chase began.
    Home,
}

/// After which time a chaser gives up, and [returns](Returning). What it does until then is said by
/// its [`fallback`](nav::Chaser::fallback): it comes as near as it can, or waits.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(Activity, ChaseRecord)]
pub struct GiveUp {
    /// After its searches have failed for so long: the target, or the end of a walk, cannot be reached.
    /// `None`, the default, for never.
    pub unreachable: Option<Period>,
    /// After it has not been within reach of its target for so long, as of one that it cannot catch;
    /// `None`, the default, for never.
    pub out_of_reach: Option<Period>,
    /// For so long it does not [notice](Notice) a target again that could not be reached and is still where
    /// it was: see [`GivenUp`]. A minute by default, after which searches are repeated as well if nothing
    /// changed; with 0 it sets off again as soon as it is back, and so for ever.
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

/// On the way back after a chase that was given up: to its [`Home`], or else to where the chase began.
/// Removed when it is there, and when another chase begins.
///
/// A flag for the game as well: those who return may be invulnerable, or heal.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Returning;

/// Ends chases by [`Leash`] and [`GiveUp`].
pub struct LeashPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for LeashPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_message::<GoToEnded>()
            .add_systems(
                self.0,
                (
                    on_demand::<With<GivenUp>, _>(forget_given_up),
                    on_demand::<InChase, _>(keep_records),
                    on_demand::<InChase, _>(give_up),
                )
                    .chain()
                    .in_set(BehaviourSystems::GiveUp),
            )
            .add_systems(
                self.0,
                on_demand::<With<GivenUp>, _>(forget_where_edited)
                    .run_if(|edits: Res<SeenEdits>| !edits.is_empty())
                    .after(NavSystems::Observe)
                    .before(BehaviourSystems::Unstick),
            )
            .add_observer(begin)
            .add_observer(forget)
            .add_observer(come_back)
            .add_observer(set_off_again);
    }
}

/// Has a chase or a walk that may be given up.
type InChase = (With<ChaseRecord>, With<Chasing>);

#[derive(QueryData)]
pub(super) struct Leashed {
    entity: Entity,
    id: &'static AgentId,
    record: &'static ChaseRecord,
    leash: Option<&'static Leash>,
    give_up: Option<&'static GiveUp>,
    home: Option<&'static Home>,
    position: &'static CellPosition,
    chasing: &'static Chasing,
    go_to: Option<&'static GoTo>,
    given_up: Option<&'static GivenUp>,
    has_notice: Has<Notice>,
}

impl LeashedItem<'_, '_> {
    /// Why the agent gives up, if it does.
    fn reason(&self, now: NavTime) -> Option<ActivityCause> {
        let over = |since: NavTime, period: Option<Period>| {
            period.is_some_and(|period| now >= since.after(period))
        };
        let ChaseRecord {
            began_at,
            out_of_reach_since,
            failing_since,
        } = *self.record;
        let give_up = self.give_up.copied().unwrap_or_default();
        if let (Some(began_at), Some(leash)) = (began_at, self.leash)
            && !leash.reaches(leash.tied_to(self.home, began_at), self.position.cell)
        {
            Some(ActivityCause::LeashEnded)
        } else if failing_since.is_some_and(|since| over(since, give_up.unreachable)) {
            Some(ActivityCause::Unreachable)
        } else if began_at.is_some() && over(out_of_reach_since, give_up.out_of_reach) {
            Some(ActivityCause::TookTooLong)
        } else {
            None
        }
    }

    /// Whom the agent has given up once it has given up its target, if that makes a difference.
    fn given_up_with(
        &self,
        id: AgentId,
        place: (Cell, Footprint),
        now: NavTime,
    ) -> Option<GivenUp> {
        let ignores_for = self.give_up?.ignores_for;
        if !self.has_notice || ignores_for == Period::default() {
            return None;
        }
        let mut given_up = self.given_up.cloned().unwrap_or_default();
        given_up.insert(id, place, now.after(ignores_for));
        Some(given_up)
    }
}

/// What is read of a target.
type TargetFacts = (
    Option<&'static AgentId>,
    Option<&'static CellPosition>,
    Option<&'static Body>,
    Has<Destination>,
);

fn give_up(
    clock: Res<NavClock>,
    leashed: Query<Leashed>,
    targets: Query<TargetFacts>,
    mut causes: Query<&mut PendingCause>,
    mut ended: MessageWriter<GoToEnded>,
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
        if let Ok(mut pending) = causes.get_mut(agent) {
            pending.set(cause);
        }
        let target = targets.get(one.chasing.0).ok();
        let is_walk = target.is_some_and(|(.., is_destination)| is_destination);
        if let Some(&GoTo(cell)) = one.go_to.filter(|_| is_walk) {
            let end = GoToEnd::Unreachable;
            end_walk(GoToEnded { agent, cell, end }, &mut ended, &mut commands);
            continue;
        }
        let back = one.home.map(|home| home.0).or(one.record.began_at);
        let given_up = target.filter(|_| cause == ActivityCause::Unreachable && !is_walk);
        let given_up = given_up.and_then(|(id, position, body, _)| {
            let footprint = body.map(|body| body.footprint).unwrap_or_default();
            one.given_up_with(*id?, (position?.cell, footprint), now)
        });
        let mut agent = commands.entity(agent);
        agent.remove::<Chasing>();
        if let Some(given_up) = given_up {
            agent.insert(given_up);
        }
        if let Some(back) = back.filter(|_| !is_walk) {
            agent.insert((Returning, GoTo(back)));
        }
    }
}

/// Notes that an agent is back, or cannot come back.
fn come_back(ended: On<GoToEnded>, returning: Query<(), With<Returning>>, mut commands: Commands) {
    if returning.contains(ended.agent) {
        commands.entity(ended.agent).remove::<Returning>();
    }
}

/// Notes that an agent on its way back chases somebody again.
fn set_off_again(
    chasing: On<Insert<Chasing>>,
    returning: Query<&Chasing, With<Returning>>,
    destinations: Query<(), With<Destination>>,
    mut commands: Commands,
) {
    let agent = chasing.entity;
    if let Ok(target) = returning.get(agent)
        && !destinations.contains(target.0)
    {
        commands.entity(agent).remove::<Returning>();
    }
}
