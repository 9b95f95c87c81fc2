//! Agents that do not get on: what they try, and when they say so.

use crate::{Activity, ActivityCause, BehaviourSystems, activity::PendingCause, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    intern::Interned,
    prelude::*,
    query::QueryData,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{
    AgentId, ChaseState, ChasedBy, Chasing, FieldAnchor, NavMap, NavTime, Paused, Period, Stepper,
    Stepping,
};
use nav_grid::{Cell, Direction, Grid, Rules};

/// Watches whether a chaser gets on that has somewhere to go. One that came less far than the stated
/// part of what its speed allows forgets its way and looks anew, past bodies and around them; after
/// another such window it takes a step aside; after a third one it is
/// [`Activity::Stuck`], until it gets on or its target is elsewhere.
///
/// How far it came is the number of columns or rows between where it was and where it is, so whoever
/// goes to and fro between two cells did not get on. Not watched are those within reach, those whose
/// searches gave nothing (they are [`Activity::Waiting`]), and bodies that wait behind
/// others at a target which somebody has reached: a pack whose ring is full lies still.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Activity)]
pub struct StuckWatch {
    /// How long it is watched before it is judged; 4 s by default, 16 steps of a default chaser.
    pub window: Period,
    /// How much of the way that it could have made it has to make, in percent, 0 to 100; 20 by
    /// default, since way round others may lead back.
    pub least_percent: u8,
    /// Where it was, where its target was, and when the window began; `None` before the first look.
    began: Option<(Cell, Cell, NavTime)>,
    /// How many windows in a row it did not get on.
    failed: u8,
    /// Whether it is to step aside at its next move tick.
    steps_aside: bool,
}

impl Default for StuckWatch {
    fn default() -> Self {
        Self {
            window: Period::from_millis(4000),
            least_percent: 20,
            began: None,
            failed: 0,
            steps_aside: false,
        }
    }
}

impl StuckWatch {
    /// In so many windows in a row an agent does not get on that is stuck.
    const FAILED_MAX: u8 = 3;

    /// Whether nothing that it tried helped.
    pub const fn is_stuck(&self) -> bool {
        self.failed >= Self::FAILED_MAX
    }

    /// Begins to watch anew.
    fn restart(&mut self, at: Cell, target: Cell, now: NavTime) {
        self.began = Some((at, target, now));
        (self.failed, self.steps_aside) = (0, false);
    }

    /// Whether an agent got on that went from one cell to another in a window, at a period a step.
    fn has_got_on(&self, from: Cell, to: Cell, period: Period) -> bool {
        let steps = u64::from(self.window.micros) / u64::from(period.micros.max(1));
        let wanted = steps * u64::from(self.least_percent.min(100)) / 100;
        from.floor != to.floor || u64::from(from.chebyshev(to)) >= wanted.max(1)
    }
}

/// Watches those with a [`StuckWatch`].
pub struct StuckPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for StuckPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_systems(
            self.0,
            watch
                .run_if(any_with_component::<StuckWatch>)
                .in_set(BehaviourSystems::Unstick),
        );
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

fn watch(
    mut stepping: Stepping,
    mut watched: Query<Watched, Without<Paused>>,
    maps: Query<&NavMap>,
    mut aside: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for mut one in &mut watched {
        let on_map = one.stepper.on_map;
        let (Some(target), Some(anchor)) = (
            stepping.target(one.chasing, on_map),
            stepping.anchor(one.chasing, on_map),
        ) else {
            continue;
        };
        one.look(target.position.cell, anchor, now);
        if one.watch.steps_aside && one.stepper.move_timer.is_due(now) {
            aside.push((*one.id, one.stepper.entity));
        }
    }
    // Whoever comes first may take the only cell.
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
    /// Judges a window that is over.
    fn look(&mut self, target: Cell, anchor: &FieldAnchor, now: NavTime) {
        let at = self.stepper.position.cell;
        let Some((from, before, since)) = self.watch.began else {
            self.watch.restart(at, target, now);
            return;
        };
        let is_over = now >= since.after(self.watch.window);
        // One that is stuck may get on at any moment.
        if !is_over && before == target && !self.watch.is_stuck() {
            return;
        }
        let is_idle = self.stepper.cursor.state() == ChaseState::Reached
            || self.stepper.search_timer.awaited_change_at(at)
            || self.stepper.body.is_some() && is_reached(anchor);
        let has_got_on = self
            .watch
            .has_got_on(from, at, self.stepper.move_timer.chasing);
        if is_idle || has_got_on || before != target {
            if self.watch.is_stuck() {
                self.cause.set(ActivityCause::WayFound);
            }
            self.watch.restart(at, target, now);
            return;
        }
        if self.watch.is_stuck() {
            return;
        }
        self.watch.began = Some((at, target, now));
        self.watch.failed += 1;
        match self.watch.failed {
            1 => self.stepper.search_anew(now),
            2 => self.watch.steps_aside = true,
            _ => self.cause.set(ActivityCause::NoProgress),
        }
    }

    /// Takes a step to a free cell beside it, in a direction that follows from its number.
    fn step_aside(&mut self, map: &NavMap, target: Cell, stepping: &mut Stepping) {
        // Those who chase it saw already where it is.
        if self.is_chased {
            return;
        }
        let from = self.stepper.position.cell;
        let rules = self.stepper.chaser.rules;
        let mut is_free = |to: Cell| {
            self.stepper.has_room(stepping, to) && !rules.footprint.area(to).contains(target)
        };
        let Some(to) = first_step(map.grid(), from, rules, self.id.0, &mut is_free) else {
            return;
        };
        self.stepper.cursor.interrupt();
        self.stepper.step(map, to, stepping);
    }
}

/// The first legal step to a cell that is free, clockwise from a direction that a number says.
fn first_step(
    grid: &Grid,
    from: Cell,
    rules: Rules,
    number: u32,
    is_free: &mut impl FnMut(Cell) -> bool,
) -> Option<Cell> {
    let legal = grid.steps(from, rules);
    let first = number as usize % Direction::ALL.len();
    let ways = Direction::ALL.into_iter().cycle().skip(first);
    ways.take(Direction::ALL.len())
        .filter(|&way| legal.contains(way))
        .filter_map(|way| from.step(way))
        .find(|&to| is_free(to))
}

/// Whether somebody came within reach of a target since that entered its cell.
fn is_reached(anchor: &FieldAnchor) -> bool {
    anchor
        .still
        .is_some_and(|(_, since)| anchor.reached >= since && anchor.reached > NavTime::default())
}
