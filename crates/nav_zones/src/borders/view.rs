//! View across borders: the bodies listed for other zones, and mirrors of the bodies they list.

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
use nav::{AgentId, Body, CellPosition, OnMap, internals::Mirror};
use std::collections::BTreeMap;

/// Columns and rows beyond its borders within which a zone sees all bodies.
///
/// 20 is the default radius of a search, within which chasers go around bodies. Further away a zone
/// sees only the bodies around targets that it [watches](super::watch).
pub(super) const VIEW: u16 = 20;

/// Greatest distance beyond its borders at which a zone sees bodies.
///
/// A target and the bodies around it are at most [`WINDOW`] apart. So are the target and the
/// chasers that this zone has of it.
///
/// Cells out of sight count as free. If another zone sees bodies there, the two zones lead a body
/// to and fro across their border.
pub(super) const SIGHT: u16 = 2 * WINDOW;

/// Ticks for which a body counts as standing where it was handed over, unless the zone where it
/// lives lists it.
///
/// A body that the game removes in the tick of its crossing is never listed. 64 ticks are a second
/// at 64 Hz, far longer than a hand-over: 99 of 100 take at most three ticks, faults included.
const LEFT_MAX: u64 = 64;

/// Bodies seen across borders.
#[derive(Default)]
pub(super) struct View {
    /// Bodies that lived here near a border in the last tick, ordered.
    lived: Vec<AgentId>,
    /// Bodies that were handed over and that the zone where they live did not list yet, with the
    /// tick of their hand-over.
    left: BTreeMap<AgentId, (u64, Left)>,
    /// Bodies that other zones list, ordered.
    others: Vec<AgentId>,
}

type Stands = (
    &'static AgentId,
    &'static CellPosition,
    &'static Body,
    &'static OnMap,
);

impl View {
    /// Returns whether another zone lists a body.
    pub(super) fn has(&self, agent: AgentId) -> bool {
        self.others.binary_search(&agent).is_ok()
    }

    /// Returns the bodies handed over that the zone where they live did not list yet.
    pub(super) fn left(&self) -> impl Iterator<Item = &Left> {
        self.left.values().map(|(_, left)| left)
    }

    /// Returns the local bodies that are in sight of another zone or request cells of one, ordered
    /// by id. Records the bodies handed over since the last tick.
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

    /// Records the bodies that lived here in the last tick and live in another zone now.
    fn note_left(&mut self, world: &mut World, maps: &[Entity], bodies: &[SeenBody], tick: u64) {
        self.left
            .retain(|_, (since, _)| tick.saturating_sub(*since) < LEFT_MAX);
        let mut gone = std::mem::take(&mut self.lived);
        self.lived.extend(bodies.iter().map(|body| body.agent));
        gone.retain(|agent| self.lived.binary_search(agent).is_err());
        let mut mirrors = world.query_filtered::<(Stands, &LivesIn), With<Mirror>>();
        if gone.is_empty() {
            return;
        }
        for ((&agent, position, &body, on_map), lives_in) in mirrors.iter(world) {
            if gone.binary_search(&agent).is_ok()
                && let Some(map) = map_number(maps, on_map.0)
            {
                let cell = position.cell;
                let stand = SeenStand { map, cell, body };
                let to = lives_in.0;
                self.left.insert(agent, (tick, Left { agent, to, stand }));
            }
        }
    }

    /// Moves the mirrors of bodies near this zone to the places in the latest lists.
    pub(super) fn show(&mut self, world: &mut World, maps: &[Entity], latest: &LatestLists) {
        // What is known better stands further ahead: of several entries for a body the first counts.
        let mut seen = Vec::new();
        // The zone where a body lives knows better where it stands than the zone it left.
        for (&from, DatedList { list, .. }) in latest.iter().rev() {
            for body in &list.bodies {
                seen.push((body.agent, from, body.stand));
                self.left.remove(&body.agent);
            }
        }
        let theirs = latest.values().rev().flat_map(|latest| &latest.list.left);
        let left = self.left.values().map(|(_, left)| left).chain(theirs);
        seen.extend(left.map(|left| (left.agent, left.to, left.stand)));
        seen.sort_by_key(|&(agent, ..)| agent);
        seen.dedup_by_key(|&mut (agent, ..)| agent);
        self.others.clear();
        self.others.extend(seen.iter().map(|&(agent, ..)| agent));
        for (agent, lives_in, stand) in seen {
            if let Some(&map) = maps.get(usize::from(stand.map)) {
                show_one(world, agent, lives_in, stand, map);
            }
        }
    }
}

/// Moves the mirror of a body to the body's place. Does nothing if the body lives here.
fn show_one(world: &mut World, agent: AgentId, lives_in: ZoneId, stand: SeenStand, map: Entity) {
    let mirror = agent_or_mirror(world, agent);
    let mut mirror = world.entity_mut(mirror);
    if !mirror.contains::<Mirror>() {
        return;
    }
    set(&mut mirror, LivesIn(lives_in));
    set(&mut mirror, OnMap(map));
    set(&mut mirror, stand.body);
    // Keeps the position inside the cell: the chasers' zones get the exact position of a target.
    let is_there = |place: &CellPosition| place.cell == stand.cell;
    if !mirror.get().is_some_and(is_there) {
        set(&mut mirror, CellPosition::at(stand.cell));
    }
}
