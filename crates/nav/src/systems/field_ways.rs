//! The ways by which a shared field leads to its target, from any cell, for any system that asks.

use super::{
    fields::Fields,
    storage::{chaser::ChaseKey, targets::Targets},
    target_view::TargetViews,
};
use crate::{Chasing, NavClock, NavMap, OnMap, components::Tuning};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::Cell;

/// The ways by which the field around a target, which those who chase it share, leads there: for pictures of
/// a field, and for tools.
///
/// A system parameter of any system. Like [`PointsAhead`](crate::PointsAhead), which says where a chaser goes,
/// it reads what the last tick left: ask it after [`NavSystems::Step`](crate::NavSystems::Step). A system
/// that also writes components of chasers or maps needs a `ParamSet`.
///
/// # Example
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::{FieldWays, nav_grid::Cell, prelude::*};
///
/// fn show(chasers: Query<(Entity, &CellPosition), With<Chaser>>, ways: FieldWays) {
///     for (chaser, place) in &chasers {
///         for (from, to) in ways.of(chaser, [place.cell]) {
///             println!("who chases the target of {chaser} goes from {from} to {to}");
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
#[derive(SystemParam)]
pub struct FieldWays<'w, 's> {
    clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    fields: Res<'w, Fields>,
    maps: Query<'w, 's, &'static NavMap>,
    chasers: Query<'w, 's, FieldUser>,
}

/// What is read of a chaser.
type FieldUser = (&'static Tuning, &'static Chasing, &'static OnMap);

impl FieldWays<'_, '_> {
    /// Each of some cells from which the field of a chaser leads on, with the cell to which it leads from
    /// there: beside it, or the end of a link. From beside the target that is the target's cell.
    ///
    /// Nothing for cells that the field does not reach, for the one where it ends, and for an entity that
    /// has no field around its target to share: since nobody else chases that, or it is too far away. It
    /// need not follow the field itself. Fields over [portals](NavMap::build_portals) are not looked at.
    ///
    /// Cells off the map are left out. O(1) for each cell; allocates nothing.
    pub fn of<'a>(
        &'a self,
        chaser: Entity,
        cells: impl IntoIterator<Item = Cell> + 'a,
    ) -> impl Iterator<Item = (Cell, Cell)> + 'a {
        let view = self.chasers.get(chaser).ok().and_then(|columns| {
            let (tuning, chasing, on_map) = columns;
            let key = ChaseKey {
                tuning: *tuning,
                target: chasing.0,
                map: on_map.0,
            };
            let now = self.clock.now();
            TargetViews::new(&self.targets, &self.fields, &self.maps, now).view_of(key)
        });
        let view = view.and_then(|view| Some((view.field?, view)));
        let cells = view.is_some().then_some(cells).into_iter().flatten();
        cells.filter_map(move |from| {
            let (field, view) = view.as_ref()?;
            if !view.grid().contains(from) {
                return None;
            }
            let next = view.next_cells(from)?;
            if next.is_end() {
                return None;
            }
            let (next, wished) = view.lead_on(next, from, || field.rules());
            let (to, _) = next.first(from, wished);
            Some((from, to?))
        })
    }
}
