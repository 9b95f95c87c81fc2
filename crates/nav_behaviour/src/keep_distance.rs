//! Chasers that step away from a target that comes too near.

use crate::plugins::{SteerSystems, add_shared, behaviour_plugin};
use bevy_app::{App, Plugin};
use bevy_ecs::{prelude::*, query::QueryData, schedule::common_conditions::any_with_component};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{
    AgentId, ChaseState, Chaser, Chasing, NavMap, Paused,
    extend::require_nav,
    stepping::{Stepper, Stepping, TargetSnapshot},
};
use nav_grid::{Area, Cell, Direction, Grid};
use std::cmp::Reverse;

/// The least distance that a chaser within reach keeps from its target, as an archer does. Nearer
/// than that, it steps away once per move tick until it is far enough or cornered.
///
/// It only takes steps to free cells from where the target is further, or as many steps away and
/// further in a straight line. The target stays within reach, and in sight if the chaser [needs
/// that](nav::Reach::Sight).
///
/// It comes nearer again when the target is further than its [stop
/// distance](nav::Chaser::stop_distance) and [hysteresis](nav::Chaser::stop_hysteresis). So it
/// never goes to and fro before a standing target. It has no effect on chases of a
/// [`Destination`](nav::Destination).
// Decision 25: docs/decisions/0025-interceptors-search-for-a-cell-ahead.md
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(Chaser)]
pub struct KeepDistance {
    /// The least number of legal steps to the target. 0, the default, and 1 have no effect; values
    /// above the stop distance count as that. At most 48.
    pub least: u16,
}

behaviour_plugin! {
    /// Lets chasers with [`KeepDistance`] step away.
    KeepDistancePlugin
}

impl Plugin for KeepDistancePlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let step_away = step_away.run_if(any_with_component::<KeepDistance>);
        app.add_systems(self.schedule, step_away.in_set(SteerSystems::KeepDistance));
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "KeepDistancePlugin");
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct Keeper {
    id: &'static AgentId,
    keep: &'static KeepDistance,
    chasing: &'static Chasing,
    stepper: Stepper,
}

/// Steps of chasers that are too near, in the order of agents: the first may take the only free
/// cell.
fn step_away(
    mut stepping: Stepping,
    mut keepers: Query<Keeper, Without<Paused>>,
    maps: Query<&NavMap>,
    mut near: Local<Vec<(AgentId, Entity)>>,
) {
    let now = stepping.now();
    for one in &keepers {
        if one.stepper.cursor.state() == ChaseState::Reached
            && one.stepper.move_timer.is_due(now)
            && let Some(target) = stepping.target(one.chasing, one.stepper.on_map)
        {
            let footprint = one.stepper.chaser.rules.footprint;
            let own = footprint.area(one.stepper.position.cell);
            // Never more than the number of steps, which is only counted if this is less.
            let gap = (0..2).map(|axis| gap(own, target.area(), axis)).max();
            if !target.is_entered && gap < Some(one.keep.least) {
                near.push((*one.id, one.stepper.entity));
            }
        }
    }
    near.sort_unstable();
    for (_, agent) in near.drain(..) {
        if let Ok(mut one) = keepers.get_mut(agent)
            && let Some(&target) = stepping.target(one.chasing, one.stepper.on_map)
            && let Ok(map) = maps.get(one.stepper.on_map.0)
            && let Some(to) = one.further(map.grid(), &target, &mut stepping)
        {
            one.stepper.step_off(map, to, &mut stepping);
        }
    }
}

impl KeeperItem<'_, '_> {
    /// The free cell beside the chaser that is furthest from its target, if that is too near.
    fn further(
        &self,
        grid: &Grid,
        target: &TargetSnapshot,
        stepping: &mut Stepping,
    ) -> Option<Cell> {
        let stepper = &self.stepper;
        let (chaser, from) = (stepper.chaser, stepper.position.cell);
        let rules = chaser.rules;
        let least = self.keep.least.min(chaser.stop_distance);
        // Steps from the cells around the chaser, in the order of directions, and from its own.
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
        let (area, footprint) = (target.area(), rules.footprint);
        let away = middles(area, footprint.area(from));
        let here = (steps_here, square(away));
        let legal = grid.steps(from, rules);
        let ways = Direction::ALL.into_iter().zip(around).zip(steps_around);
        let mut ranked: Vec<_> = ways
            .filter(|&((way, _), _)| legal.contains(way))
            .filter_map(|((way, to), steps)| Some((steps?, way, to?)))
            .filter(|&(steps, _, to)| (steps, square(middles(area, footprint.area(to)))) > here)
            .collect();
        // Of cells as many steps away, the one most directly away comes first.
        ranked.sort_by_key(|&(steps, way, _)| Reverse((steps, directness(way, away))));
        let places = ranked.into_iter().map(|(.., to)| to);
        places
            .filter(|&to| target.is_in_reach(chaser, grid, to, &stepper.cursor))
            .find(|&to| stepper.has_room(stepping, to))
    }
}

/// The first and last column of an area (axis 0), or row (axis 1).
fn span(area: Area, axis: usize) -> (u16, u16) {
    let (first, last) = (area.first(), area.last());
    [(first.x, last.x), (first.y, last.y)][axis]
}

/// Columns or rows from one body to another: 0 where they share some.
pub(super) fn gap(one: Area, other: Area, axis: usize) -> u16 {
    let (one, other) = (span(one, axis), span(other, axis));
    let after = other.0.saturating_sub(one.1);
    after.max(one.0.saturating_sub(other.1))
}

/// Columns and rows from the middle of one body to that of another, in halves of cells.
fn middles(from: Area, to: Area) -> (i64, i64) {
    let [x, y] = [0, 1].map(|axis| {
        let (from, to) = (span(from, axis), span(to, axis));
        i64::from(to.0) + i64::from(to.1) - i64::from(from.0) - i64::from(from.1)
    });
    (x, y)
}

/// The square of the length of a way along some columns and rows.
const fn square((x, y): (i64, i64)) -> i64 {
    x * x + y * y
}

/// How directly a step leads along some columns and rows, for comparisons: the square of the cosine
/// between them, with its sign, times a factor that is equal for all steps.
fn directness(way: Direction, (x, y): (i64, i64)) -> i64 {
    let (dx, dy) = way.delta();
    let along = i64::from(dx) * x + i64::from(dy) * y;
    let length = i64::from(dx * dx + dy * dy);
    along * along.abs() * 2 / length
}
