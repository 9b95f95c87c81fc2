//! Agents without progress: their retries, and the report if no retry helped.

use crate::{
    Activity, ActivityCause, BehaviourSystems, ReturnEnd, ReturnEnded, Returning,
    activity::PendingCause,
    plugins::{add_shared, behaviour_plugin},
    returning::{EndReturns, end_return},
};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, schedule::common_conditions::any_with_component};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, GoTo, GoToEnd, GoToEnded, NavMap,
    NavSystems, NavTime, Paused, Period,
    extend::{FieldAnchor, on_demand, require_nav},
    go_to::{WalkCommands, WalkEnd},
    stepping::{Stepper, Stepping},
};
use nav_grid::{Cell, Direction};

/// Watches the progress of a chaser that has somewhere to go, in windows of time. Progress is the
/// stated part of the steps that it could take, by its period and the ground. A window without a
/// move tick goes on until there was one.
///
/// After a window without progress it drops its path and searches again, around bodies in its way.
/// After a second one it takes a step aside. After a third one it is [`Activity::Stuck`], until it
/// makes progress or its target moves. A walk by [`GoTo`] ends then, and a [`Returning`] agent's
/// return.
///
/// Progress counts columns or rows between the cells at the beginning and the end of a window, so a
/// step to and fro is none. Not watched are:
///
/// - agents within reach;
/// - agents of which the searches gave nothing: they are [`Activity::Waiting`];
/// - bodies that wait behind others at a target that an agent has reached: a pack around a target
///   rests.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Chaser)]
pub struct StuckWatch {
    /// The length of a window; 4 s by default, 16 steps of a default chaser.
    pub window: Period,
    /// The part of the possible way that counts as progress, in percent, 0 to 100; 20 by default,
    /// since the way around others may lead back.
    pub least_percent: u8,
    /// The cells of the agent and its target, and the time, at the beginning of the window; `None`
    /// before the first one.
    began: Option<(Cell, Cell, NavTime)>,
    /// Move ticks in the window; of a stuck agent those in the last failed one, and since.
    chances: u16,
    /// Windows in a row without progress.
    failed: u8,
    /// Whether it steps aside at its next move tick.
    steps_aside: bool,
}

impl Default for StuckWatch {
    fn default() -> Self {
        Self {
            window: Period::from_millis(4000),
            least_percent: 20,
            began: None,
            chances: 0,
            failed: 0,
            steps_aside: false,
        }
    }
}

impl StuckWatch {
    /// Windows in a row without progress after which an agent is stuck: one for each retry, and one
    /// for the last retry to help.
    const FAILED_MAX: u8 = 3;

    /// Whether no retry helped.
    pub const fn is_stuck(&self) -> bool {
        self.failed >= Self::FAILED_MAX
    }

    /// Forgets all windows: a walk ended that was stuck.
    const fn forget(&mut self) {
        self.began = None;
        (self.chances, self.failed, self.steps_aside) = (0, 0, false);
    }

    /// Begins the first window.
    fn restart(&mut self, at: Cell, target: Cell, now: NavTime) {
        self.began = Some((at, target, now));
        (self.chances, self.failed, self.steps_aside) = (0, 0, false);
    }

    /// Whether the way between two cells is progress for a window, with at least a period per step.
    fn is_progress(&self, from: Cell, to: Cell, period: Period) -> bool {
        // A chaser that waits for the budget looks in each tick.
        let steps = u64::from(self.chances).min(self.window.nanos() / period.nanos().max(1));
        let wanted = steps * u64::from(self.least_percent.min(100)) / 100;
        from.floor != to.floor || u64::from(from.chebyshev(to)) >= wanted.max(1)
    }
}

behaviour_plugin! {
    /// Watches agents with a [`StuckWatch`].
    StuckPlugin
}

impl Plugin for StuckPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let watch = watch.run_if(any_with_component::<StuckWatch>);
        let end = on_demand::<StuckWalker, _>(end_walks);
        app.add_systems(self.schedule, watch.in_set(BehaviourSystems::Unstick))
            .add_systems(
                self.schedule,
                end.in_set(NavSystems::Act)
                    .after(NavSystems::EndWalks)
                    .after(EndReturns)
                    .before(BehaviourSystems::GiveUp),
            );
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "StuckPlugin");
    }
}

/// An agent with a watch and a place to go to.
type StuckWalker = (
    With<StuckWatch>,
    With<Chasing>,
    Or<(With<GoTo>, With<Returning>)>,
);

/// An agent that may be on the way to a place, and its watch.
type Walker = (
    Entity,
    &'static AgentId,
    Option<&'static GoTo>,
    &'static Chasing,
    &'static mut StuckWatch,
);

/// The end of a walk or of a return.
type End = (Has<WalkEnd>, Has<ReturnEnd>, &'static CellPosition);

/// Ends the walks and returns of agents that are stuck, in the order of agents.
fn end_walks(
    mut walkers: Query<Walker, StuckWalker>,
    ends: Query<End>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, GoToEnded, bool)>>,
) {
    let end = GoToEnd::Stuck;
    for (agent, &id, go_to, chasing, mut watch) in &mut walkers {
        let Ok((is_walk, is_return, position)) = ends.get(chasing.0) else {
            continue;
        };
        let cell = match go_to {
            _ if !watch.is_stuck() => continue,
            _ if is_return => position.cell,
            Some(&GoTo(cell)) if is_walk => cell,
            _ => continue,
        };
        watch.forget();
        list.push((id, GoToEnded { agent, cell, end }, is_return));
    }
    list.sort_unstable_by_key(|&(id, end, _)| (id, end.agent));
    for (_, ended, is_return) in list.drain(..) {
        let GoToEnded { agent, cell, end } = ended;
        if is_return {
            end_return(&mut commands, ReturnEnded { agent, cell, end });
        } else {
            commands.end_walk(ended);
        }
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Watched {
    id: &'static AgentId,
    watch: &'static mut StuckWatch,
    cause: &'static mut PendingCause,
    chasing: &'static Chasing,
    is_chased: Has<ChasedBy>,
    stepper: Stepper,
}

/// Judges windows that are over. Steps aside follow in the order of agents: the first may take the
/// only free cell.
fn watch(
    mut stepping: Stepping,
    mut watched: Query<Watched, Without<Paused>>,
    mut paused: Query<&mut StuckWatch, With<Paused>>,
    maps: Query<&NavMap>,
    mut aside: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for mut watch in &mut paused {
        if watch.began.is_some() {
            watch.forget();
        }
    }
    for mut one in &mut watched {
        let on_map = one.stepper.on_map;
        let (Some(target), Some(anchor)) = (
            stepping.target(one.chasing, on_map),
            stepping.anchor(one.chasing, on_map),
        ) else {
            continue;
        };
        one.judge(target.position.cell, anchor, now);
        if one.stepper.move_timer.is_due(now) {
            one.watch.chances = one.watch.chances.saturating_add(1);
            if one.watch.steps_aside {
                aside.push((*one.id, one.stepper.entity));
            }
        }
    }
    aside.sort_unstable();
    for (_, agent) in aside.drain(..) {
        if let Ok(mut one) = watched.get_mut(agent)
            && let Some(target) = stepping.target(one.chasing, one.stepper.on_map)
            && let Ok(map) = maps.get(one.stepper.on_map.0)
        {
            let cell = target.position.cell;
            one.watch.steps_aside = false;
            one.step_aside(map, cell, &mut stepping);
        }
    }
}

impl WatchedItem<'_, '_> {
    /// Judges a window that is over, and selects the next retry.
    fn judge(&mut self, target: Cell, anchor: &FieldAnchor, now: NavTime) {
        let at = self.stepper.position.cell;
        let Some((from, before, since)) = self.watch.began else {
            self.watch.restart(at, target, now);
            return;
        };
        let is_over = now >= since.after(self.watch.window) && self.watch.chances > 0;
        let was_stuck = self.watch.is_stuck();
        // A stuck agent is judged in each tick: it may move on at any moment.
        if !is_over && before == target && !was_stuck {
            return;
        }
        let is_excused = self.stepper.cursor.state() == ChaseState::Reached
            || self.stepper.search_timer.awaited_change_at(at)
            || self.stepper.body.is_some() && is_reached(anchor);
        let period = self.stepper.move_timer.chasing;
        if is_excused || before != target || self.watch.is_progress(from, at, period) {
            if was_stuck {
                self.cause.0 = Some(ActivityCause::WayFound);
            }
            self.watch.restart(at, target, now);
        } else if !was_stuck {
            self.watch.began = Some((at, target, now));
            self.watch.failed += 1;
            if !self.watch.is_stuck() {
                self.watch.chances = 0;
            }
            match self.watch.failed {
                1 => self.stepper.search_anew(now),
                2 => self.watch.steps_aside = true,
                _ => self.cause.0 = Some(ActivityCause::NoProgress),
            }
        }
    }

    /// Takes the first legal step to a free cell, clockwise from a direction that follows from the
    /// agent's id.
    fn step_aside(&mut self, map: &NavMap, target: Cell, stepping: &mut Stepping) {
        // Its own chasers have used its cell in this tick.
        if self.is_chased {
            return;
        }
        let from = self.stepper.position.cell;
        let rules = self.stepper.chaser.rules;
        let legal = map.grid().steps(from, rules);
        let first = self.id.0 as usize % Direction::ALL.len();
        let ways = Direction::ALL.into_iter().cycle().skip(first);
        let to = ways
            .take(Direction::ALL.len())
            .filter(|&way| legal.contains(way))
            .filter_map(|way| from.step(way))
            .find(|&to| {
                self.stepper.has_room(stepping, to) && !rules.footprint.area(to).contains(target)
            });
        if let Some(to) = to {
            self.stepper.cursor.interrupt();
            self.stepper.step(map, to, stepping);
        }
    }
}

/// Whether an agent came within reach of a target since that entered its cell.
fn is_reached(anchor: &FieldAnchor) -> bool {
    anchor
        .still
        .is_some_and(|(_, since)| anchor.reached >= since && anchor.reached > NavTime::default())
}
