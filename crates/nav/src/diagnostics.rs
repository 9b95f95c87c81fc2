//! Counters of ticks, and the memory of the plugin.

use crate::{
    CellPosition, MoveTimer, NavTimer, PathCursor,
    components::{LastSettings, Tuning},
    occupancy::BodyPlaces,
    systems::{Outcomes, fields::Fields},
};
use bevy_ecs::prelude::*;
use nav_grid::{Status, index::BuildProgress};

/// [Counters](NavCounts) of the last tick and of all ticks since the plugin was added, and how far
/// maps are [prepared](crate::NavMap#preparation).
///
/// Of fixed size. Counting costs a few additions for each search and step.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Resource))]
#[non_exhaustive]
pub struct NavDiagnostics {
    /// Number of ticks.
    pub ticks: u64,
    /// Counts of the last tick.
    pub last_tick: NavCounts,
    /// Counts of all ticks.
    pub total: NavCounts,
    /// Parts of the regions and portals of all maps: tiles of 64×64 and clusters of 32×32 cells. 0
    /// until a chaser needs some, or the game builds them.
    #[cfg_attr(feature = "serialize", serde(default))]
    pub map_parts: u64,
    /// The parts still to be built or repaired. For one map see
    /// [`IndexedMap::progress`](nav_grid::IndexedMap::progress).
    #[cfg_attr(feature = "serialize", serde(default))]
    pub map_parts_due: u64,
}

impl NavDiagnostics {
    /// Records how far the maps are prepared.
    pub(crate) fn note_maps(&mut self, progress: impl Iterator<Item = BuildProgress>) {
        (self.map_parts, self.map_parts_due) = (0, 0);
        for BuildProgress { due, of, .. } in progress {
            self.map_parts += of as u64;
            self.map_parts_due += due as u64;
        }
    }

    pub(crate) fn end_tick(&mut self, counts: NavCounts) {
        self.ticks += 1;
        self.last_tick = counts;
        self.total.add(&counts);
    }
}

/// Counts of searches by outcome, of fields, steps and arrivals: see [`NavDiagnostics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub struct NavCounts {
    /// Searches with a path to the target.
    pub found: u64,
    /// Searches with a path that leads only nearer to the target.
    pub partial: u64,
    /// Searches that saw all reachable ground without finding the target.
    pub unreachable: u64,
    /// Targets outside the window. Without a search, counted once, when the target leaves the
    /// window.
    pub too_far: u64,
    /// Searches that ran out of [expansions](nav_grid::Limits::expansions).
    pub budget_spent: u64,
    /// Searches that began on their goal. Chasers do not request these: they are within reach.
    pub already_there: u64,
    /// Invalid searches: an end in a wall, off the map, or on another map. Without a search,
    /// counted once, when the chaser's requests become invalid.
    pub invalid: u64,
    /// Searches that the chaser's [method](crate::Chaser::method) does not support: see
    /// [`Status::Unsupported`].
    #[cfg_attr(feature = "serialize", serde(default))]
    pub unsupported: u64,
    /// The [work](nav_grid::query::Counters::work) of all searches and fields: cells expanded and
    /// scanned. This is what [`NavBudget`](crate::NavBudget) limits.
    pub expanded: u64,
    /// Fields made for targets with several chasers.
    #[cfg_attr(feature = "serialize", serde(default))]
    pub fields: u64,
    /// Steps taken.
    pub steps: u64,
    /// Arrivals within reach of a target.
    pub reached: u64,
    /// Paths broken by edits.
    pub broken: u64,
}

impl NavCounts {
    /// The number of searches, whatever their outcome.
    pub const fn searches(&self) -> u64 {
        self.searched() + self.too_far + self.already_there + self.invalid + self.unsupported
    }

    /// The number of searches that looked at any ground: see [`Status::was_searched`].
    pub const fn searched(&self) -> u64 {
        self.found + self.partial + self.unreachable + self.budget_spent
    }

    pub(crate) fn count_search(&mut self, status: Option<Status>) {
        let counter = match status {
            Some(Status::Found) => &mut self.found,
            Some(Status::Partial(_)) => &mut self.partial,
            Some(Status::Unreachable) => &mut self.unreachable,
            Some(Status::TooFar) => &mut self.too_far,
            Some(Status::BudgetSpent) => &mut self.budget_spent,
            Some(Status::AlreadyThere) => &mut self.already_there,
            Some(Status::Unsupported(_)) => &mut self.unsupported,
            // A status that is added later counts as a failure until it is listed here.
            _ => &mut self.invalid,
        };
        *counter += 1;
    }

    fn add(&mut self, other: &Self) {
        macro_rules! add {
            ($($field:ident)*) => { $(self.$field += other.$field;)* };
        }
        add!(found partial unreachable too_far budget_spent already_there invalid unsupported);
        add!(expanded fields steps reached broken);
    }
}

/// Bytes that the plugin keeps besides the components of agents and the [maps](crate::NavMap).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NavMemory {
    /// Waypoints of all paths. Chasers that share a field have none.
    pub paths: usize,
    /// Shared fields: about 1 KiB for each target with several chasers. A far field takes 4 KiB for
    /// each cluster of 32×32 cells that chasers walk through, and less for those between them and
    /// the target: see [`PortalField`](nav_grid::fields::PortalField).
    pub fields: usize,
    /// Occupied cells: nothing without bodies. Otherwise up to 4¼ bytes for each cell of the 64×16
    /// pages that bodies visited, and 32 for each body.
    pub bodies: usize,
}

impl NavMemory {
    /// Size of the components of a chaser that change during a chase: its place, path, timers and
    /// noted tuning. Excludes [`Chaser`](crate::Chaser), number, map and target.
    pub const STATE_BYTES: usize = size_of::<CellPosition>()
        + size_of::<PathCursor>()
        + size_of::<NavTimer>()
        + size_of::<MoveTimer>()
        + size_of::<Tuning>()
        + size_of::<LastSettings>();

    /// Measures a world. One pass over all chasers.
    pub fn of(world: &mut World) -> Self {
        let mut cursors = world.query::<&PathCursor>();
        let paths = cursors.iter(world).map(PathCursor::heap_bytes).sum();
        let fields = world.get_resource().map_or(0, Fields::heap_bytes);
        let occupancy = world.get_resource().map_or(0, BodyPlaces::heap_bytes);
        let outcomes = world.get_resource().map_or(0, Outcomes::heap_bytes);
        Self {
            paths,
            fields,
            bodies: occupancy + outcomes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::query::{Fault, Feature, QueryEnd, Stopped};

    #[test]
    fn searched_follows_status() {
        let answers = [
            Status::Found,
            Status::Partial(Stopped::Unreachable),
            Status::Unreachable,
            Status::TooFar,
            Status::BudgetSpent,
            Status::AlreadyThere,
            Status::Invalid(QueryEnd::Goal, Fault::OutsideMap),
            Status::Unsupported(Feature::Costs),
        ];
        for status in answers {
            let mut counts = NavCounts::default();
            counts.count_search(Some(status));
            assert_eq!(counts.searches(), 1, "{status}");
            assert_eq!(
                counts.searched(),
                u64::from(status.was_searched()),
                "{status}"
            );
        }
    }
}
