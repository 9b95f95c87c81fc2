//! Where and when a chase began, and how it went since.

use bevy_ecs::{prelude::*, query::QueryData};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::{
    CellPosition, ChaseState, Chasing, Destination, NavClock, NavTime, NavTimer, PathCursor,
};
use nav_grid::Cell;

/// Where and when the chase of an agent began, and how it went: what [`Leash`](crate::Leash) and
/// [`GiveUp`](crate::GiveUp) go by. Comes with them, and is saved with them.
///
/// A switch to another target goes on with the chase. Walks to places are no chases, but count the time
/// for which their end could not be reached.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct ChaseRecord {
    /// Where the agent was when the chase began; `None` if it chases nobody.
    pub began_at: Option<Cell>,
    /// Since when it has not been within reach of its target.
    pub out_of_reach_since: NavTime,
    /// Since when its searches have failed; `None` if they do not.
    pub failing_since: Option<NavTime>,
}

impl ChaseRecord {
    /// A chase begins, or goes on to another target, for an agent that stands on a cell.
    fn begin(&mut self, cell: Cell, now: NavTime) {
        self.began_at = self.began_at.or(Some(cell));
        self.out_of_reach_since = now;
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Recorded {
    record: &'static mut ChaseRecord,
    chasing: &'static Chasing,
    position: &'static CellPosition,
    cursor: &'static PathCursor,
    timer: &'static NavTimer,
}

/// Keeps the records of those who chase or walk.
pub(super) fn keep_records(
    clock: Res<NavClock>,
    mut recorded: Query<Recorded>,
    destinations: Query<(), With<Destination>>,
) {
    let now = clock.now();
    for mut one in &mut recorded {
        let mut new = *one.record;
        // A leash that is put on in the middle of a chase is tied there.
        if new.began_at.is_none() && !destinations.contains(one.chasing.0) {
            new.begin(one.position.cell, now);
        }
        if one.cursor.state() == ChaseState::Reached {
            new.out_of_reach_since = now;
        }
        let fails = one.timer.failures() > 0;
        new.failing_since = fails.then_some(new.failing_since.unwrap_or(now));
        one.record.set_if_neq(new);
    }
}

/// Notes where a chase begins, or that it goes on to another target.
pub(super) fn begin(
    chasing: On<Insert<Chasing>>,
    clock: Res<NavClock>,
    mut records: Query<(&mut ChaseRecord, &Chasing, &CellPosition)>,
    destinations: Query<(), With<Destination>>,
) {
    if let Ok((mut record, chasing, position)) = records.get_mut(chasing.entity) {
        record.failing_since = None;
        if !destinations.contains(chasing.0) {
            record.begin(position.cell, clock.now());
        }
    }
}

/// Forgets a chase that is over.
pub(super) fn forget(ended: On<Remove<Chasing>>, mut records: Query<&mut ChaseRecord>) {
    if let Ok(mut record) = records.get_mut(ended.entity) {
        *record = ChaseRecord::default();
    }
}
