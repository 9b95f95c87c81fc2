//! The fingerprint of an agent, and its identity where other agents refer to it.

use crate::{
    Chaser, Chasing, FieldAnchor, NavTime, OnMap, WorldPosition,
    components::{BodyMismatch, LastMap, LastWorldPosition, body_mismatch},
    occupancy::BodyPlaces,
    shared::Mirror,
    state::{Agents, Fingerprint, Part, PartHasher, Parts, core_components},
};
use bevy_ecs::{entity::EntityHashMap, entity_disabling::Disabled, prelude::*, query::QueryData};
use nav_grid::{Size, rules::BodyPolicy};
use std::hash::{Hash, Hasher};

/// Declares the view of an agent by the list of components.
macro_rules! agent_state {
    ($({ $($name:ident: $Component:ident => $hash:ident,)* })*) => {
        /// The components of an agent that the digest covers.
        #[derive(QueryData)]
        pub(super) struct AgentState {
            entity: Entity,
            is_disabled: Has<Disabled>,
            pub(super) is_mirror: Has<Mirror>,
            last_map: Option<&'static LastMap>,
            $($(pub(super) $name: Option<&'static crate::$Component>,)*)*
        }

        impl AgentStateItem<'_, '_> {
            /// Hashes all components of the list, each as a part.
            fn hash_components<P: Parts>(&self, target: Seen, hasher: &mut PartHasher<P>) {
                $($(
                    self.$name.is_some().hash(hasher.whole());
                    if let Some(component) = self.$name {
                        $hash(component, target, hasher);
                    }
                    hasher.end(self.entity, Part::$Component, self.$name.is_some());
                )*)*
            }
        }
    };
}

core_components!(agent_state);

/// The identity of a target, if it is an agent, and whether it is on the map of its chaser.
type Seen = Option<(u64, bool)>;

/// The identity of an agent, and the map that it is on.
type Identity = (u64, Option<OnMap>);

/// The identities of agents, each computed once: most agents refer to a few targets.
pub(super) struct Identities<'w, 's, 'a> {
    agents: &'a Query<'w, 's, AgentState, Agents>,
    known: EntityHashMap<Option<Identity>>,
}

impl<'w, 's, 'a> Identities<'w, 's, 'a> {
    pub(super) fn new(agents: &'a Query<'w, 's, AgentState, Agents>) -> Self {
        let known = EntityHashMap::default();
        Self { agents, known }
    }

    /// The identity and the map of an entity; `None` if it is no agent.
    pub(super) fn get(&mut self, entity: Entity) -> Option<Identity> {
        *self.known.entry(entity).or_insert_with(|| {
            let agent = self.agents.get(entity).ok()?;
            // Few components identify an agent. With all of them, two chasers of each other would
            // need each other's identity first.
            let anchor = agent.field_anchor.map(anchor_words);
            let identity = (agent.agent_id, agent.cell_position, agent.body, anchor);
            Some((Fingerprint::of(&identity), agent.on_map.copied()))
        })
    }

    /// The identity of an entity; `None` if it is no agent.
    pub(super) fn of(&mut self, entity: Entity) -> Option<u64> {
        self.get(entity).map(|(identity, _)| identity)
    }
}

impl AgentStateItem<'_, '_> {
    pub(super) fn fingerprint(
        &self,
        identities: &mut Identities,
        world: &World,
        size: impl Fn(Entity) -> Option<Size>,
        now: NavTime,
        parts: &mut impl Parts,
    ) -> u64 {
        let (entity, on_map) = (self.entity, self.on_map);
        let mut hasher = PartHasher::new(parts);
        self.is_disabled.hash(&mut hasher);
        hasher.end(entity, Part::Disabled, self.is_disabled);
        let seen = self.chasing.and_then(|chasing| identities.get(chasing.0));
        let target = seen.map(|(target, its_map)| (target, its_map.as_ref() == on_map));
        self.hash_components(target, &mut hasher);
        if self.last_map.is_some_and(|last| last.has_left(on_map)) {
            "left".hash(&mut hasher);
            hasher.end(entity, Part::LastMap, true);
        }
        if let Some(last) = LastWorldPosition::behind(world.entity(entity)) {
            ("unread", last.read_on(on_map)).hash(&mut hasher);
            hasher.end(entity, Part::LastWorldPosition, true);
        }
        let Some(occupancy) = world.get_resource::<BodyPlaces>() else {
            return hasher.finish();
        };
        // Only chasers that search around bodies, or past them in vain, search again after a body
        // moved.
        let goes_around = (self.chaser).is_some_and(|it| it.rules.bodies != BodyPolicy::Ignore);
        if goes_around || self.crowding.is_some_and(|crowding| crowding.looks > 0) {
            let moved = on_map.and_then(|map| occupancy.last_move(map.0, size(map.0)?));
            moved.hash(&mut hasher);
            hasher.end(entity, Part::BodiesMoved, true);
        }
        let agent = world.entity(entity);
        match body_mismatch(occupancy, agent, |map| size(map).is_some(), now) {
            Some(BodyMismatch::Elsewhere(put, sleeps)) => {
                let put = put.map(|put| {
                    let is_here = on_map.is_some_and(|on_map| on_map.0 == put.map);
                    (is_here, put.cell, put.footprint, sleeps)
                });
                ("elsewhere", put).hash(&mut hasher);
                hasher.end(entity, Part::Elsewhere, true);
            }
            Some(BodyMismatch::Asleep(sleeps)) => {
                ("asleep", sleeps).hash(&mut hasher);
                hasher.end(entity, Part::Asleep, true);
            }
            None => {}
        }
        hasher.finish()
    }
}

fn hash_value(component: &impl Hash, _: Seen, hasher: &mut PartHasher<impl Parts>) {
    component.hash(hasher);
}

fn hash_world_position(place: &WorldPosition, _: Seen, hasher: &mut PartHasher<impl Parts>) {
    place.0.map(f64::to_bits).hash(hasher);
}

/// The whole covers the map by summing up its agents apart.
fn hash_on_map(on_map: &OnMap, _: Seen, hasher: &mut PartHasher<impl Parts>) {
    hasher.refer(on_map.0);
}

fn hash_chasing(chasing: &Chasing, target: Seen, hasher: &mut PartHasher<impl Parts>) {
    target.hash(hasher.whole());
    hasher.refer(chasing.0);
}

fn hash_anchor(anchor: &FieldAnchor, _: Seen, hasher: &mut PartHasher<impl Parts>) {
    anchor_words(anchor).hash(hasher);
}

// Names all fields, without `..`: a new field must be added to the digest.

fn anchor_words(anchor: &FieldAnchor) -> impl Hash + use<> {
    let FieldAnchor {
        aimed,
        far,
        interval,
        repath_distance,
        still,
        before,
        reached,
        arrivals,
        wanted,
    } = *anchor;
    let throttles = (interval, repath_distance.to_bits(), wanted);
    (aimed, far, throttles, still, before, (reached, arrivals))
}

fn hash_chaser(chaser: &Chaser, _: Seen, hasher: &mut PartHasher<impl Parts>) {
    chaser.words().hash(hasher);
}
