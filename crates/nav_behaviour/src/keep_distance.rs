//! Chasers that step away from a target that comes too near.

use crate::{BehaviourSystems, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    intern::Interned,
    prelude::*,
    query::QueryData,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
use nav::{
    AgentId, ChaseState, Chasing, NavMap, Paused, Stepper, StepperItem, Stepping, TargetSnapshot,
};
use nav_grid::{Area, Cell, Direction, Grid};
use std::cmp::Reverse;

/// Has a chaser that is within reach of its target keep away from it, as an archer does: nearer than
/// so many steps, it steps away once a move tick, until it is that far away or cornered.
///
/// It steps onto free cells only from where the target is further, or as many steps away and further in
/// a straight line; and only where the target stays within reach, in sight if the chaser
/// [needs that](nav::Chaser::needs_sight). It comes nearer again when the target is further than
/// its [stop distance](nav::Chaser::stop_distance) and [slack](nav::Chaser::stop_slack), so it
/// never goes to and fro before one that stands. A [`Destination`](nav::Destination) is entered, whatever
/// this says.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct KeepDistance {
    /// The least number of legal steps to the target; 0, the default, and 1 for none, and no more than the
    /// stop distance counts. At most 48.
    pub least: u16,
}

/// Has those with [`KeepDistance`] step away.
pub struct KeepDistancePlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for KeepDistancePlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_systems(
            self.0,
            step_away
                .run_if(any_with_component::<KeepDistance>)
                .in_set(BehaviourSystems::Steer),
        );
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Keeping {
    id: &'static AgentId,
    keep: &'static KeepDistance,
    chasing: &'static Chasing,
    stepper: Stepper,
}

pub(super) fn step_away(
    mut stepping: Stepping,
    mut keeping: Query<Keeping, Without<Paused>>,
    maps: Query<&NavMap>,
    mut near: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for one in &keeping {
        if one.stepper.cursor.state() == ChaseState::Reached
            && one.stepper.move_timer.is_due(now)
            && let Some(target) = stepping.target(one.chasing, one.stepper.on_map)
        {
            let (own, other) = (one.stepper.chaser.rules.footprint, target.area());
            let own = own.area(one.stepper.position.cell);
            if !target.is_entered && columns_or_rows(own, other) < one.keep.least {
                near.push((*one.id, one.stepper.entity));
            }
        }
    }
    // Whoever comes first may take the only cell.
    near.sort_unstable();
    for (_, agent) in near.drain(..) {
        if let Ok(mut one) = keeping.get_mut(agent)
            && let Some(&target) = stepping.target(one.chasing, one.stepper.on_map)
            && let Ok(map) = maps.get(one.stepper.on_map.0)
            && let Some(to) = one.further(map.grid(), &target, &mut stepping)
        {
            one.stepper.step_off(map, to, &mut stepping);
        }
    }
}

impl KeepingItem<'_, '_> {
    /// The free cell beside a chaser that is furthest from its target, if that is too near.
    fn further(
        &self,
        grid: &Grid,
        target: &TargetSnapshot,
        stepping: &mut Stepping,
    ) -> Option<Cell> {
        let Self { keep, stepper, .. } = self;
        let StepperItem {
            chaser,
            position,
            cursor,
            ..
        } = stepper;
        let (from, rules) = (position.cell, chaser.rules);
        let least = keep.least.min(chaser.stop_distance);
        // The steps from the cells around it, in the order of directions, and from its own.
        let around = Direction::ALL.map(|way| from.step(way));
        let mut steps_around = [None; 8];
        let mut steps_here = None;
        target.for_each_within(grid, rules, least, |cell, steps| {
            if cell == from {
                steps_here = Some(steps);
            }
            if let Some(way) = around.iter().position(|&beside| beside == Some(cell)) {
                steps_around[way] = Some(steps);
            }
        });
        let steps_here = steps_here.filter(|&steps| steps < least)?;
        let (own, other) = (rules.footprint, target.area());
        let away = |cell| between_middles(other, own.area(cell));
        let far = |cell| away(cell).0.pow(2) + away(cell).1.pow(2);
        let here = (steps_here, far(from));
        let legal = grid.steps(from, rules);
        let ways = Direction::ALL.into_iter().zip(around).zip(steps_around);
        // Of those as far by steps the one most directly away.
        let mut ranked: Vec<_> = ways
            .filter(|&((way, _), _)| legal.contains(way))
            .filter_map(|((way, to), steps)| Some((steps?, way, to?)))
            .filter(|&(steps, _, to)| (steps, far(to)) > here)
            .collect();
        ranked.sort_by_key(|&(steps, way, _)| Reverse((steps, directness(way, away(from)))));
        let places = ranked.into_iter().map(|(.., to)| to);
        places
            .filter(|&to| target.is_in_reach(chaser, grid, to, cursor))
            .find(|&to| stepper.has_room(stepping, to))
    }
}

/// How many columns or rows are between two bodies, and one more: no more than steps.
fn columns_or_rows(own: Area, other: Area) -> u16 {
    let between = |first: u16, last: u16, other_first: u16, other_last: u16| {
        let after = other_first.saturating_sub(last);
        after.max(first.saturating_sub(other_last))
    };
    let columns = between(own.first().x, own.last().x, other.first().x, other.last().x);
    columns.max(between(
        own.first().y,
        own.last().y,
        other.first().y,
        other.last().y,
    ))
}

/// Columns and rows from the middle of one body to that of another, in halves of cells.
fn between_middles(from: Area, to: Area) -> (i64, i64) {
    let between = |from: (u16, u16), to: (u16, u16)| {
        i64::from(to.0) + i64::from(to.1) - i64::from(from.0) - i64::from(from.1)
    };
    (
        between((from.first().x, from.last().x), (to.first().x, to.last().x)),
        between((from.first().y, from.last().y), (to.first().y, to.last().y)),
    )
}

/// How much a step leads in a direction, for comparisons: the square of the cosine between them, with its
/// sign, times what is the same for all steps.
fn directness(way: Direction, (x, y): (i64, i64)) -> i64 {
    let (dx, dy) = way.delta();
    let along = i64::from(dx) * x + i64::from(dy) * y;
    let length = i64::from(dx * dx + dy * dy);
    along * along.abs() * 2 / length
}
