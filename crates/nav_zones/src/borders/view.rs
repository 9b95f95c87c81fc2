//! The bodies near a border: those that this zone lists for others, and the mirrors of those that others list.

use super::{
    lists::{DatedList, LatestLists, Left, SeenBody, SeenStand},
    watch::WINDOW,
    wishes::{OwnWish, Wishes},
};
use crate::{
    LivesIn, Zone, ZoneId,
    agents::{agent_or_mirror, map_number, set},
};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, OnMap, shared::Mirror};
use std::collections::{BTreeMap, BTreeSet};

/// How many columns and rows beyond its borders a zone sees all bodies: the radius of a search by default, in which
/// chasers go round them. Further away it sees those around the targets that it [watches](super::watch).
pub(super) const VIEW: u16 = 20;

/// How far beyond its borders a zone sees bodies at most: a target and those around it are as far from each other as
/// the target and those of the zone who chase it.
///
/// What a zone does not see it takes for free: if others see it, they and the zone lead a body to and fro
/// across their border.
pub(super) const SIGHT: u16 = 2 * WINDOW;

/// For so many ticks a body that was handed over is where it was then, unless the zone where it lives lists it: one that
/// the game took away in the tick of its crossing is listed nowhere. About a second, far more than a hand-over
/// takes.
const LEFT_MAX: u64 = 64;

/// Who is seen across borders.
#[derive(Default)]
pub(super) struct View {
    /// Those with bodies who lived here near a border before the last tick.
    lived: BTreeSet<AgentId>,
    /// Those who were handed over, until the zones where they live list them, and the tick since which.
    left: BTreeMap<AgentId, (u64, Left)>,
    /// Whom other zones list.
    others: BTreeSet<AgentId>,
}

type Stands = (
    &'static AgentId,
    &'static CellPosition,
    &'static Body,
    &'static OnMap,
);

impl View {
    /// Whether another zone lists a body.
    pub(super) fn has(&self, agent: AgentId) -> bool {
        self.others.contains(&agent)
    }

    /// Those who were handed over, until the zones where they live list them.
    pub(super) fn left(&self) -> impl Iterator<Item = &Left> {
        self.left.values().map(|(_, left)| left)
    }

    /// The bodies that live here and are in sight of another zone or wish for cells of one, in the order of their
    /// numbers. Notes who was handed over since the last tick.
    pub(super) fn bodies(
        &mut self,
        world: &mut World,
        zone: &Zone,
        maps: &[Entity],
        wishes: &Wishes,
    ) -> Vec<SeenBody> {
        let mut living = world.query_filtered::<Stands, Without<Mirror>>();
        let mut bodies = Vec::new();
        for (&agent, position, &body, on_map) in living.iter(world) {
            let wish = wishes.of(agent).map(OwnWish::wished);
            if *position == CellPosition::OUTSIDE {
                continue;
            }
            let area = body.footprint.area(position.cell);
            let near = zone.layout.is_near_others(zone.id, area, SIGHT);
            if (near || wish.is_some())
                && let Some(map) = map_number(maps, on_map.0)
            {
                let stand = SeenStand {
                    map,
                    cell: position.cell,
                    body,
                };
                bodies.push(SeenBody { agent, stand, wish });
            }
        }
        bodies.sort_unstable_by_key(|body| body.agent);
        self.note_left(world, maps, &bodies, zone.tick());
        bodies
    }

    /// Notes who lived here after the last tick and lives in another zone now.
    fn note_left(&mut self, world: &mut World, maps: &[Entity], bodies: &[SeenBody], tick: u64) {
        self.left
            .retain(|_, (since, _)| tick.saturating_sub(*since) < LEFT_MAX);
        let before = std::mem::take(&mut self.lived);
        self.lived.extend(bodies.iter().map(|body| body.agent));
        let mut mirrors = world.query_filtered::<(Stands, &LivesIn), With<Mirror>>();
        if before.is_subset(&self.lived) {
            return;
        }
        for ((&agent, position, &body, on_map), lives_in) in mirrors.iter(world) {
            if before.contains(&agent)
                && !self.lived.contains(&agent)
                && let Some(map) = map_number(maps, on_map.0)
            {
                let cell = position.cell;
                let stand = SeenStand { map, cell, body };
                let to = lives_in.0;
                self.left.insert(agent, (tick, Left { agent, to, stand }));
            }
        }
    }

    /// Has the mirrors of bodies near this zone be where the latest lists have them.
    pub(super) fn show(&mut self, world: &mut World, maps: &[Entity], latest: &LatestLists) {
        let mut seen: BTreeMap<AgentId, (ZoneId, SeenStand)> = BTreeMap::new();
        let left = latest.values().flat_map(|latest| &latest.list.left);
        for left in left.chain(self.left()) {
            seen.insert(left.agent, (left.to, left.stand));
        }
        // Where a body lives is known better there than where it was before.
        for (&from, DatedList { list, .. }) in latest {
            for body in &list.bodies {
                seen.insert(body.agent, (from, body.stand));
                self.left.remove(&body.agent);
            }
        }
        self.others = seen.keys().copied().collect();
        for (agent, (lives_in, stand)) in seen {
            if let Some(&map) = maps.get(usize::from(stand.map)) {
                show_one(world, agent, lives_in, stand, map);
            }
        }
    }
}

/// Has the mirror of a body be where it stands, unless it lives here.
fn show_one(world: &mut World, agent: AgentId, lives_in: ZoneId, stand: SeenStand, map: Entity) {
    let mirror = agent_or_mirror(world, agent);
    let mut mirror = world.entity_mut(mirror);
    if !mirror.contains::<Mirror>() {
        return;
    }
    set(&mut mirror, LivesIn(lives_in));
    set(&mut mirror, OnMap(map));
    set(&mut mirror, stand.body);
    // Where in its cell a target is its chasers were sent.
    let is_there = |place: &CellPosition| place.cell == stand.cell;
    if !mirror.get().is_some_and(is_there) {
        set(&mut mirror, CellPosition::at(stand.cell));
    }
}
