//! The inputs of searches: maps, bodies and targets.

use super::request::Request;
use crate::{
    CellPosition, Chaser, Chasing, NavClock, NavMap, OnMap,
    occupancy::BodyPlaces,
    systems::{
        crowd::{Crowd, PastBodies, PastScratch},
        guidance::reach::Approach,
        storage::targets::Targets,
    },
};
use bevy_ecs::{prelude::*, query::QueryData, system::SystemParam};
use nav_grid::{Method, Outcome, Path, Status, Terrain, rules::BodyPolicy};

/// The inputs of searches.
#[derive(SystemParam)]
pub(super) struct SearchParams<'w, 's> {
    maps: Query<'w, 's, &'static NavMap>,
    occupancy: Res<'w, BodyPlaces>,
    clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    crowd: Crowd<'w, 's>,
}

/// The inputs of a search in slices from its chaser.
#[derive(QueryData)]
pub(super) struct Asking {
    pub(super) chasing: &'static Chasing,
    pub(super) chaser: &'static Chaser,
    pub(super) on_map: &'static OnMap,
    pub(super) position: &'static CellPosition,
}

impl AskingItem<'_, '_> {
    /// Whether the chaser still asks for a search that began in an earlier tick.
    pub(super) fn asks_for(&self, request: &Request) -> bool {
        let (tuning, query) = (self.chaser, &request.query);
        (self.chasing.0, self.on_map.0) == (request.target, request.map)
            && (tuning.rules, tuning.heuristic) == (query.rules, query.heuristic)
            && tuning.method == request.method
    }
}

/// The work of a cell that a search past bodies expands, in a world of some chasers with a target.
///
/// Measured: 0.1 µs, two units, in small worlds, and 0.4 in a crowd of 100,000, whose bodies lie
/// all over memory.
fn past_work(chasers: u32) -> u32 {
    const LEAST: u32 = 2;
    const MOST: u32 = 8;
    const CHASERS_PER_UNIT: u32 = 16_384;
    (LEAST + chasers / CHASERS_PER_UNIT).min(MOST)
}

impl SearchParams<'_, '_> {
    /// A map.
    pub(super) fn map(&self, map: Entity) -> Option<&NavMap> {
        self.maps.get(map).ok()
    }

    /// Answers a search for a way through the bodies around its target.
    pub(super) fn answer_past(&self, request: &mut Request, scratch: &mut PastScratch) {
        let mut path = std::mem::take(&mut request.path);
        let outcome = self.search_past(request, scratch, &mut path);
        let too_far = Outcome::new(Method::Dijkstra, Status::TooFar);
        (request.path, request.outcome) = (path, Some(outcome.unwrap_or(too_far)));
    }

    /// Searches for a way past the bodies around the target of a request; `None` if the asker is
    /// too far from it, or gone.
    fn search_past(
        &self,
        request: &Request,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Option<Outcome> {
        let slot = self.targets.slot_on(request.target, request.map)?;
        let target = self.targets.at(slot);
        let asker = self.crowd.body(request.asker)?;
        let approach = Approach::from(asker.chaser);
        // At every other search since its last step: the way found before could not be cleared.
        let takes_another_way = asker.crowding.looks % 2 == 1;
        let search = PastBodies {
            grid: self.map(request.map)?.grid(),
            approach: Approach {
                rules: approach.rules.with_bodies(BodyPolicy::Ignore),
                through_links: false,
                ..approach
            },
            target: &target.seen,
            from: request.query.start,
            makes_room: target.anchor.is_pressed(self.clock.now(), target.chasers),
            closed: asker.next_on_detour().filter(|_| takes_another_way),
            is_stuck: takes_another_way && asker.crowding.failed_pushes > 0,
        };
        let among = (&self.crowd, self.occupancy.of(request.map)?);
        if !search.is_near_enough() {
            return None;
        }
        let mut outcome = search.search(among, &asker.asker(false), scratch, path);
        outcome.counters.expanded *= past_work(self.targets.chasers());
        let is_taken = matches!(outcome.status, Status::Invalid(..));
        if is_taken && approach.rules.bodies != BodyPolicy::Ignore {
            // By searches of its own among bodies it would come back, and go again.
            outcome.status = Status::Unreachable;
        }
        Some(outcome)
    }

    /// A map with its bodies and indexes.
    pub(super) fn terrain(&self, map: Entity) -> Option<Terrain<'_>> {
        let terrain = Terrain::from(self.maps.get(map).ok()?.indexed());
        Some(match self.occupancy.bodies(map) {
            Some(bodies) => terrain.with_bodies(bodies),
            None => terrain,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_a_cell_past_bodies() {
        let work = [0, 16_384, 100_000, 1_000_000].map(past_work);
        assert_eq!(work, [2, 3, 8, 8]);
    }
}
