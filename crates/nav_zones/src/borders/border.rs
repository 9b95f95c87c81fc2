//! The cells of this process, and the steps beyond that other processes lend its solid bodies.

use crate::layout::has;
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{entity::EntityHashMap, intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav::{
    Body, BodyKind, CellPosition, Chasing, MoveTimer, NavClock, NavSystems, NavTime, OnMap, Period,
    occupancy::{BodyPlaces, Gate},
};
use nav_grid::{Area, Cell, Footprint};
use std::sync::Arc;

/// Cells of which this process decides which body stands on them; without this resource, all.
///
/// Cells beyond are closed to solid bodies. A body covers new ones only by a step that was lent to
/// it, by the processes that own them. Soft bodies and ghosts step as always, and a body keeps what
/// it covers already.
///
/// A solid body that has no cell to step to, and would have one if it were lent, requests that
/// step. It looks again at its chasing period, and in the tick in which the step is lent. It counts
/// no wait, because no body kept it from the step. Set what is lent before
/// [`NavSystems::Observe`], and read the requests after [`NavSystems::Report`].
///
/// Not part of a save or a digest: a body without a loan requests it again.
#[derive(Resource, Clone, Debug)]
pub struct Border {
    own: Area,
    wishes: EntityHashMap<BorderStep>,
    loans: Vec<BorderStep>,
}

/// Step of a solid body onto cells of other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderStep {
    /// The body.
    pub agent: Entity,
    /// The map that it is on.
    pub map: Entity,
    /// Where it stands: the upper left cell of its footprint.
    pub from: Cell,
    /// Where it stands after the step; anywhere on the map, if it goes there by a link.
    pub to: Cell,
}

impl Border {
    /// Creates the border around the columns and rows of an area, on all maps and floors.
    ///
    /// A side at the end of the range of coordinates, 0 or `u16::MAX`, has no border.
    pub fn around(own: Area) -> Self {
        Self {
            own,
            wishes: EntityHashMap::default(),
            loans: Vec::new(),
        }
    }

    /// Returns the steps that bodies wait for, in the order of their entities.
    ///
    /// Each is requested from the move tick at which nothing else was free until the next one, or
    /// until the body is elsewhere.
    pub fn wishes(&self) -> Vec<BorderStep> {
        let mut wishes: Vec<BorderStep> = self.wishes.values().copied().collect();
        wishes.sort_unstable_by_key(|step| step.agent);
        wishes
    }

    /// Lends steps for the next tick, and no others. Only steps count that are still requested
    /// then.
    pub fn lend(&mut self, steps: impl IntoIterator<Item = BorderStep>) {
        self.loans.clear();
        self.loans.extend(steps);
    }

    /// The steps that are lent and still requested.
    fn granted(&self) -> impl Iterator<Item = &BorderStep> {
        let loans = self.loans.iter();
        loans.filter(|step| self.wishes.get(&step.agent) == Some(step))
    }
}

/// Keeps solid bodies on the cells of this process, if there is a [`Border`].
pub struct BorderPlugin {
    /// The schedule of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl Default for BorderPlugin {
    /// A border in [`FixedUpdate`].
    fn default() -> Self {
        Self {
            schedule: FixedUpdate.intern(),
        }
    }
}

impl Plugin for BorderPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FollowedLoans>().add_systems(
            self.schedule,
            (
                open_gate
                    .after(NavSystems::Observe)
                    .before(NavSystems::AimFields),
                note_wishes
                    .after(NavSystems::Step)
                    .before(NavSystems::Report),
            ),
        );
    }
}

/// The cells of a process, and the places that were lent to bodies.
struct OwnCells {
    own: Area,
    /// Cells from which no body reaches others in one step.
    inner: Area,
    loans: Vec<(Entity, Cell)>,
}

impl Gate for OwnCells {
    fn is_inner(&self, cell: Cell) -> bool {
        has(self.inner, cell)
    }

    fn is_open(&self, cell: Cell) -> bool {
        has(self.own, cell)
    }

    fn admits(&self, agent: Entity, place: Cell) -> bool {
        self.loans.contains(&(agent, place))
    }
}

/// The part of an area from which a body of any size covers cells of it alone after a step.
fn inner(area: Area) -> Area {
    const REACH: u16 = Footprint::SIDE_MAX as u16;
    // Nothing lies beyond the ends of the range.
    let [left, top] = [area.first().x, area.first().y].map(|first| match first {
        0 => 0,
        _ => first.saturating_add(REACH),
    });
    let [right, bottom] = [area.last().x, area.last().y].map(|last| match last {
        u16::MAX => last,
        _ => last.saturating_sub(REACH),
    });
    if left > right || top > bottom {
        return nowhere();
    }
    Area::new(Cell::new(left, top), Cell::new(right, bottom))
}

/// An area in which no cell of a map is.
pub(super) fn nowhere() -> Area {
    let beyond = Cell::new(u16::MAX, u16::MAX);
    Area::new(beyond, beyond)
}

/// Bodies that step in this tick since the step was lent, and their move ticks before that.
#[derive(Resource, Default)]
struct FollowedLoans(Vec<(Entity, NavTime)>);

type Wisher = (
    &'static CellPosition,
    &'static OnMap,
    &'static Body,
    &'static mut MoveTimer,
);

/// Whether a body is where it requested a step.
fn is_there(step: &BorderStep, position: &CellPosition, on_map: &OnMap, body: &Body) -> bool {
    position.cell == step.from && on_map.0 == step.map && body.kind == BodyKind::Solid
}

/// Applies granted border steps: waiting bodies take them this tick. Bodies due this tick request
/// again.
fn open_gate(
    clock: Res<NavClock>,
    border: Option<ResMut<Border>>,
    mut wishers: Query<Wisher, With<Chasing>>,
    mut occupancy: ResMut<BodyPlaces>,
    mut followed: ResMut<FollowedLoans>,
    mut is_closed: Local<bool>,
) {
    followed.0.clear();
    let Some(mut border) = border else {
        if std::mem::take(&mut *is_closed) {
            occupancy.set_gate(None);
        }
        return;
    };
    let now = clock.now();
    border.wishes.retain(|_, step| {
        let wisher = wishers.get(step.agent);
        wisher.is_ok_and(|(position, on_map, body, _)| is_there(step, position, on_map, body))
    });
    let granted: Vec<BorderStep> = border.granted().copied().collect();
    for step in &granted {
        if let Ok((.., mut timer)) = wishers.get_mut(step.agent)
            && !timer.is_due(now)
            && !timer.is_paused()
        {
            followed.0.push((step.agent, timer.next_step));
            timer.next_step = now;
        }
    }
    border.wishes.retain(|_, step| {
        let timer = wishers.get(step.agent).map(|(.., timer)| timer);
        timer.is_ok_and(|timer| !timer.is_due(now) && !timer.is_paused())
    });
    *is_closed = true;
    occupancy.set_gate(Some(Arc::new(OwnCells {
        own: border.own,
        inner: inner(border.own),
        loans: granted.iter().map(|step| (step.agent, step.to)).collect(),
    })));
}

/// Collects the requests of this tick. A body that took a lent step returns to its beat.
fn note_wishes(
    clock: Res<NavClock>,
    border: Option<ResMut<Border>>,
    mut wishers: Query<Wisher>,
    occupancy: Res<BodyPlaces>,
    mut followed: ResMut<FollowedLoans>,
) {
    let Some(mut border) = border else {
        return;
    };
    for (agent, beat) in followed.0.drain(..) {
        if let Ok((.., mut timer)) = wishers.get_mut(agent) {
            timer.next_step = on_beat(*timer, beat, clock.now());
        }
    }
    for ask in occupancy.asks() {
        if let Ok((position, on_map, body, _)) = wishers.get(ask.agent) {
            let step = BorderStep {
                agent: ask.agent,
                map: on_map.0,
                from: ask.from,
                to: ask.to,
            };
            // Another body may have moved it afterwards.
            if is_there(&step, position, on_map, body) {
                border.wishes.insert(step.agent, step);
            }
        }
    }
}

/// Returns the next move tick of a body that stepped before its beat came: that beat, later by as
/// much as its step takes longer than others, if half a period is left until then, or else the one
/// after it.
///
/// A loan takes some ticks. So steps onto lent cells come late, and the next ones in time.
fn on_beat(timer: MoveTimer, beat: NavTime, now: NavTime) -> NavTime {
    let chasing = timer.chasing;
    let longer = timer.next_step.0.saturating_sub(now.after(chasing).0);
    let is_near = beat < now.after(Period::from_micros(chasing.micros / 2));
    let beat = if is_near { beat.after(chasing) } else { beat };
    NavTime(beat.0.saturating_add(longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_step_keeps_the_beat() {
        const MS: u64 = 1_000_000;
        let next = |beat: u64, next_step: u64| {
            let timer = MoveTimer {
                next_step: NavTime(next_step * MS),
                ..MoveTimer::default()
            };
            on_beat(timer, NavTime(beat * MS), NavTime(1000 * MS)).0 / MS
        };
        assert_eq!(next(1200, 1250), 1200);
        assert_eq!(next(1100, 1250), 1350);
        assert_eq!(next(1200, 1500), 1450, "its step takes as long as two");
    }

    #[test]
    fn range_ends_have_nothing_beyond() {
        let all = Area::new(Cell::new(0, 0), Cell::new(u16::MAX, u16::MAX));
        assert!(has(inner(all), Cell::new(0, 0)));
        let left = Area::new(Cell::new(0, 64), Cell::new(63, u16::MAX));
        assert!(has(inner(left), Cell::new(0, 72)) && !has(inner(left), Cell::new(0, 71)));
        assert!(has(left, Cell::new(63, 64).on_floor(3)) && !has(left, Cell::new(64, 64)));
        let small = Area::new(Cell::new(5, 5), Cell::new(6, 6));
        assert!(!has(inner(small), Cell::new(5, 5)));
    }
}
