//! The fingerprint of an agent.

use super::{
    agent_state::{AgentStateItem, anchor_words},
    identities::Identities,
};
use crate::{
    Chaser, Chasing, NavTime, OnMap, WorldPosition,
    components::{Unlike, stand, stands_unlike},
    occupancy::Occupancy,
    state::{Part, PartHasher, Parts},
};
use bevy_ecs::prelude::*;
use nav_grid::{Size, rules::BodyPolicy};
use std::hash::{Hash, Hasher};

impl AgentStateItem<'_, '_> {
    pub(super) fn fingerprint(
        &self,
        identities: &mut Identities,
        occupancy: Option<&Occupancy>,
        size: impl Fn(Entity) -> Option<Size>,
        now: NavTime,
        parts: &mut impl Parts,
    ) -> u64 {
        let &Self {
            entity,
            is_disabled,
            // It counts where it lives.
            is_mirror: _,
            id,
            position,
            world,
            // For the whole it is summed up with the others on its map.
            on_map,
            last_map,
            body,
            is_destination,
            anchor,
            chaser,
            chasing,
            cursor,
            search_timer,
            move_timer,
            paused,
        } = self;
        let mut hasher = PartHasher::new(parts);
        hasher.marker(entity, Part::Disabled, is_disabled);
        hasher.component(entity, Part::AgentId, id);
        position.hash(&mut hasher);
        hasher.end(entity, Part::CellPosition, true);
        hasher.component(entity, Part::Body, body);
        hasher.marker(entity, Part::Destination, is_destination);
        let world = world.map(|WorldPosition(place)| place.map(f64::to_bits));
        hasher.component(entity, Part::WorldPosition, world);
        hasher.component(entity, Part::FieldAnchor, anchor.map(anchor_words));
        if let Some(chaser) = chaser {
            hash_chaser(chaser, &mut hasher);
        }
        hasher.end(entity, Part::Chaser, chaser.is_some());
        hasher.component(entity, Part::PathCursor, cursor);
        hasher.component(entity, Part::NavTimer, search_timer);
        hasher.component(entity, Part::MoveTimer, move_timer);
        hasher.component(entity, Part::Paused, paused);
        if let Some(&Chasing(target)) = chasing {
            let seen = identities.get(target);
            let seen = seen.map(|(target, its_map)| (target, its_map.as_ref() == on_map));
            seen.hash(hasher.whole());
            hasher.refer(target);
        }
        hasher.end(entity, Part::Chasing, chasing.is_some());
        if let Some(&OnMap(map)) = on_map {
            hasher.refer(map);
        }
        hasher.end(entity, Part::OnMap, on_map.is_some());
        if last_map.is_some_and(|last| last.has_left(on_map)) {
            "left".hash(&mut hasher);
            hasher.end(entity, Part::LastMap, true);
        }
        if let Some(occupancy) = occupancy {
            // Only those who go around bodies search again because some moved.
            let goes_around = |chaser: &Chaser| chaser.rules.bodies != BodyPolicy::Ignore;
            if chaser.is_some_and(goes_around) {
                let moved = on_map.and_then(|map| occupancy.last_move(map.0, size(map.0)?));
                moved.hash(&mut hasher);
                hasher.end(entity, Part::BodiesMoved, true);
            }
            let said = stand(body, on_map, Some(position), is_disabled);
            let signs = search_timer.zip(move_timer).zip(cursor);
            let signs = signs.map(|((timer, moves), cursor)| (timer, moves, cursor));
            let is_map = |map| size(map).is_some();
            match stands_unlike(occupancy, entity, said, signs, is_map, now) {
                Some(Unlike::Elsewhere(put, sleeps)) => {
                    let is_here = |map| on_map.is_some_and(|on_map| on_map.0 == map);
                    let put = put.map(|put| (is_here(put.map), put.cell, put.footprint, sleeps));
                    ("elsewhere", put).hash(&mut hasher);
                    hasher.end(entity, Part::Elsewhere, true);
                }
                Some(Unlike::Asleep(sleeps)) => {
                    Some(sleeps).hash(&mut hasher);
                    hasher.end(entity, Part::Asleep, true);
                }
                None if said.is_some() => {
                    None::<bool>.hash(&mut hasher);
                    hasher.end(entity, Part::Asleep, false);
                }
                None => {}
            }
        }
        hasher.finish()
    }
}

fn hash_chaser(chaser: &Chaser, state: &mut impl Hasher) {
    let &Chaser {
        repath_interval,
        displacement,
        stop_distance,
        stop_slack,
        needs_sight,
        reach_through_links,
        rules,
        heuristic,
        limits,
        fallback,
        method,
        pace,
    } = chaser;
    (repath_interval, displacement.to_bits(), stop_distance).hash(state);
    (stop_slack, needs_sight, reach_through_links).hash(state);
    (rules, heuristic, limits, fallback, method, pace).hash(state);
}
