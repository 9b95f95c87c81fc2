//! A save, and how it is taken.

use super::{
    bodies::BodiesSave, columns::AgentColumns, last_maps::LastMapsSave, news::NewsSave,
    version::Version,
};
use crate::{
    AgentIds, CellPosition, NavBudget, NavClock, NavDiagnostics, NavMap, Screens,
    digest::WorldSum,
    resource::resource,
    systems::{
        fields::Fields,
        search::{LongSearch, SearchQueue},
    },
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::Allow};
use serde::{Deserialize, Serialize};

/// The whole navigation state of a world: its maps with what was built of them, its agents with all
/// components of this crate, its clock, budget and counters.
///
/// Of maps that means every entity with a [`NavMap`], of agents every entity with a [`CellPosition`],
/// disabled or not. Reading one refuses what has another version or what it was not written as.
///
/// # Size
///
/// In postcard some 140 bytes a chaser, with a path of some cells, and a bit a cell of plain ground; in JSON seven times
/// as much.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavSave {
    pub(super) version: Version,
    /// That of the world.
    pub(super) digest: u64,
    pub(super) clock: NavClock,
    pub(super) ids: AgentIds,
    pub(super) budget: NavBudget,
    pub(super) diagnostics: NavDiagnostics,
    pub(super) maps: Vec<MapSave>,
    /// The agents in the order of their entities, and which of them are disabled.
    pub(super) agents: Vec<(Entity, bool)>,
    pub(super) columns: AgentColumns,
    pub(super) bodies: BodiesSave,
    pub(super) last_maps: LastMapsSave,
    pub(super) news: NewsSave,
}

/// A map and what belongs to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapSave {
    pub(super) entity: Entity,
    pub(super) is_disabled: bool,
    pub(super) map: NavMap,
    pub(super) screens: Option<Screens>,
}

/// Takes the whole navigation state of a world, between two ticks.
///
/// Fields that chasers share, and a search that takes several ticks, are no part of it: they are begun again in
/// this world as in the one that is restored, so that both go on alike. The next tick takes as much longer as
/// the fields of all targets take to make; under a [budget](NavBudget) they wait for their turn.
///
/// Edits of maps count for those nearby when the next tick sees them, in this world only: take a save
/// before edits are made, or a tick after.
///
/// # Complexity
///
/// One pass over all agents and maps, which are copied.
pub fn save(world: &mut World) -> NavSave {
    forget_work_under_way(world);
    save_as_is(world)
}

/// Takes the state as it is, where [`save`] has the world begin work again that takes several ticks. A world that is
/// restored from it has none of that work, and may go on otherwise than this one.
pub fn save_as_is(world: &mut World) -> NavSave {
    let digest = WorldSum::of(world).fingerprint();
    let mut maps = world
        .query_filtered::<(Entity, &NavMap, Has<Disabled>, Option<&Screens>), Allow<Disabled>>();
    let mut agents =
        world.query_filtered::<(Entity, Has<Disabled>), (With<CellPosition>, Allow<Disabled>)>();
    let world = &*world;
    let maps = maps
        .iter(world)
        .map(|(entity, map, is_disabled, screens)| MapSave {
            entity,
            is_disabled,
            map: map.clone(),
            screens: screens.cloned(),
        });
    let mut maps: Vec<_> = maps.collect();
    maps.sort_unstable_by_key(|map| map.entity);
    let mut agents: Vec<_> = agents.iter(world).collect();
    agents.sort_unstable();
    let (columns, _) = AgentColumns::of(world, agents.iter().map(|&(agent, _)| agent));
    let last_maps = LastMapsSave::of(world, agents.iter().map(|&(agent, _)| agent));
    let news = NewsSave::of(world, agents.iter().map(|&(agent, _)| agent));
    let bodies = BodiesSave::of(
        world,
        agents.iter().map(|&(agent, _)| agent),
        maps.iter().map(|map| map.entity),
    );
    NavSave {
        version: Version::default(),
        digest,
        clock: resource(world),
        ids: resource(world),
        budget: resource(world),
        diagnostics: resource(world),
        maps,
        agents,
        columns,
        bodies,
        last_maps,
        news,
    }
}

impl NavSave {
    /// The maps and then the agents, in the order of their entities, as those of the world that was saved.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        let agents = self.agents.iter().map(|&(agent, _)| agent);
        self.maps.iter().map(|map| map.entity).chain(agents)
    }

    /// The digest of the world that was saved, by which [`Self::restore`] knows a save that is damaged.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The same save with another digest: for tests of what becomes of one that is damaged.
    #[must_use]
    pub fn with_digest(self, digest: u64) -> Self {
        Self { digest, ..self }
    }
}

/// Drops what a world that is restored does not have.
fn forget_work_under_way(world: &mut World) {
    if let Some(mut search) = world.get_resource_mut::<LongSearch>() {
        search.forget();
    }
    if let Some(mut queue) = world.get_resource_mut::<SearchQueue>() {
        queue.forget();
    }
    if let Some(mut fields) = world.get_resource_mut::<Fields>() {
        fields.forget_carried();
    }
}
