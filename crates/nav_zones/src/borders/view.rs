//! View across borders: the bodies listed for other zones, and mirrors of the bodies they list.

use super::{
    lists::{DatedList, LatestLists, Left, SeenBody, SeenStand},
    watch::WINDOW,
    wishes::{OwnWish, Wishes},
};
use crate::{
    Agents, LivesIn, Zone, ZoneId,
    agents::{agent_or_mirror, map_number},
};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, OnMap, extend::Mirror};
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

type StandsItem<'w> = (&'w AgentId, &'w CellPosition, &'w Body, &'w OnMap);

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
        for stands in living.iter(world) {
            if is_near_others(stands, zone) {
                bodies.extend(seen(stands, maps, wishes));
            }
        }
        for wisher in wishes.wishers() {
            if let Ok(stands) = living.get(world, wisher)
                && !is_near_others(stands, zone)
            {
                bodies.extend(seen(stands, maps, wishes));
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
        // Both are ordered: one walk along them, since a search for each took longer than the rest.
        let mut lived = self.lived.iter().copied().peekable();
        gone.retain(|&agent| {
            while lived.next_if(|&lived| lived < agent).is_some() {}
            lived.peek() != Some(&agent)
        });
        let mut mirrors = world.query_filtered::<(Stands, &LivesIn), With<Mirror>>();
        for agent in gone {
            let mirror = world.resource::<Agents>().get(agent);
            if let Some(mirror) = mirror
                && let Ok(((_, position, &body, on_map), lives_in)) = mirrors.get(world, mirror)
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
        // What is known better stands further ahead: of several entries for a body the first
        // counts.
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
        let agents = world.resource::<Agents>();
        let known: Vec<Option<Entity>> = self.others.iter().map(|&id| agents.get(id)).collect();
        let mut mirrors = world.query_filtered::<ShownMirror, With<Mirror>>();
        for ((agent, lives_in, stand), known) in seen.into_iter().zip(known) {
            let Some(&map) = maps.get(usize::from(stand.map)) else {
                continue;
            };
            // Most are mirrors already: to ask each for its components one by one took a tenth of a
            // tick.
            if let Some(Ok(mut mirror)) = known.map(|agent| mirrors.get_mut(world, agent)) {
                mirror.0.set_if_neq(LivesIn(lives_in));
                mirror.1.set_if_neq(OnMap(map));
                mirror.2.set_if_neq(stand.body);
                // Keeps the position inside the cell: the chasers' zones get the exact position of
                // a target.
                if mirror.3.cell != stand.cell {
                    *mirror.3 = CellPosition::at(stand.cell);
                }
            } else {
                begin_to_show(world, agent, lives_in, stand, map);
            }
        }
    }
}

/// The components by which a mirror stands where its body does.
type ShownMirror = (
    &'static mut LivesIn,
    &'static mut OnMap,
    &'static mut Body,
    &'static mut CellPosition,
);

/// Whether a body is within [`SIGHT`] of another zone.
fn is_near_others((_, position, body, _): StandsItem, zone: &Zone) -> bool {
    let area = body.footprint.area(position.cell);
    zone.layout.is_near_others(zone.id, area, SIGHT)
}

/// Returns a body as other zones see it; `None` off the map.
fn seen(
    (&agent, position, &body, on_map): StandsItem,
    maps: &[Entity],
    wishes: &Wishes,
) -> Option<SeenBody> {
    if *position == CellPosition::OUTSIDE {
        return None;
    }
    let stand = SeenStand {
        map: map_number(maps, on_map.0)?,
        cell: position.cell,
        body,
    };
    let wish = wishes.of(agent).map(OwnWish::wished);
    Some(SeenBody { agent, stand, wish })
}

/// Makes a mirror of a body, or gives one its missing components. Does nothing if the body lives
/// here.
fn begin_to_show(
    world: &mut World,
    agent: AgentId,
    lives_in: ZoneId,
    stand: SeenStand,
    map: Entity,
) {
    let known = agent_or_mirror(world, agent);
    let mut mirror = world.entity_mut(known);
    if mirror.contains::<Mirror>() {
        let place = CellPosition::at(stand.cell);
        mirror.insert((LivesIn(lives_in), OnMap(map), stand.body, place));
    }
}
