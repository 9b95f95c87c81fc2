//! The ways by which a shared field leads to its target, for systems of a game.

use super::{
    fields::Fields,
    guidance::{Guide, TargetViews},
    storage::{columns::ChaseKey, targets::Targets},
};
use crate::{Chasing, NavClock, NavMap, OnMap, components::Tuning};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::Cell;

/// The steps by which the shared field around a target leads to it, from any cell: for pictures of
/// a field, and for tools.
///
/// A parameter of any system. Like [`PointsAhead`](crate::PointsAhead), which returns the way of
/// one chaser, it reads what the last tick left: use it after
/// [`NavSystems::Step`](crate::NavSystems::Step). A system that also writes components of chasers
/// or maps needs a `ParamSet`.
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
///             println!("chasers of the target of {chaser} go from {from} to {to}");
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
    chasers: Query<'w, 's, (&'static Tuning, &'static Chasing, &'static OnMap)>,
}

impl FieldWays<'_, '_> {
    /// Pairs each of some cells from which the field of a chaser leads on with the cell to which it
    /// leads: a neighbour, or the end of a link. Beside the target that is the target's cell.
    ///
    /// Skips cells off the map, cells that the field does not reach, and the cell where it ends.
    /// Returns nothing for an entity whose target has no field to share, because it has no other
    /// chaser or is too far away. The chaser need not follow the field itself. Fields over
    /// [portals](NavMap::build_portals) are ignored.
    ///
    /// O(1) for each cell; allocates nothing.
    pub fn of<'a>(
        &'a self,
        chaser: Entity,
        cells: impl IntoIterator<Item = Cell> + 'a,
    ) -> impl Iterator<Item = (Cell, Cell)> + 'a {
        let view = self.chasers.get(chaser).ok();
        let view = view.and_then(|(tuning, chasing, on_map)| {
            let key = ChaseKey::new(tuning, chasing, on_map);
            let now = self.clock.now();
            TargetViews::new(&self.targets, &self.fields, &self.maps, now).view_of(key)
        });
        let view = view.and_then(|view| Some((view.field?, view)));
        let cells = view.is_some().then_some(cells).into_iter().flatten();
        cells.filter_map(move |from| {
            let (field, view) = view.as_ref()?;
            let guide = Guide::Near(*field);
            if !view.grid().contains(from) || guide.ends_at(view, from) {
                return None;
            }
            let ranked = guide.next(view, from, || field.rules())?;
            Some((from, ranked.first(from)?))
        })
    }
}
