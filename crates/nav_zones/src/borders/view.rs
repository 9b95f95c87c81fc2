//! The bodies near a border: those that this zone lists for others, and the mirrors of those that others list.

use super::{
    Borders,
    lists::{BorderList, Left, SeenBody, SeenStand},
    wishes::OwnWish,
};
use crate::{
    LivesIn, Zone, ZoneId, ZoneLayout,
    agents::{agent_or_mirror, map_number},
    chases::set,
};
use bevy_ecs::prelude::*;
use nav::{
    AgentId, Body, CellPosition, OnMap,
    shared::{DETOUR_RADIUS, Mirror},
};
use nav_grid::Area;
use std::collections::BTreeMap;

/// How many columns and rows beyond its borders a zone sees bodies: as far as its own look for ways around others.
///
/// Searches see less by default. With less here, two zones would lead a body to and fro across their border: each
/// by a way that it takes for free, since those who stand there are out of its view.
pub(super) const VIEW: u16 = DETOUR_RADIUS;

type Stands = (
    &'static AgentId,
    &'static CellPosition,
    &'static Body,
    &'static OnMap,
);

impl Borders {
    /// The bodies that live here and are near another zone or wish for cells of one, in the order of their numbers. Notes who was
    /// handed over since the last list.
    pub(super) fn bodies_in_view(
        &mut self,
        world: &mut World,
        zone: &Zone,
        maps: &[Entity],
    ) -> Vec<SeenBody> {
        let mut living = world.query_filtered::<Stands, Without<Mirror>>();
        let mut bodies = Vec::new();
        for (&agent, position, &body, on_map) in living.iter(world) {
            let wish = self.wishes.get(&agent).map(OwnWish::wished);
            if *position == CellPosition::OUTSIDE {
                continue;
            }
            let near =
                zone.layout
                    .is_near_others(zone.id, body.footprint.area(position.cell), VIEW);
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
        self.note_left(world, maps, &bodies);
        bodies
    }

    /// Notes who lived here after the last tick and lives in another zone now.
    fn note_left(&mut self, world: &mut World, maps: &[Entity], bodies: &[SeenBody]) {
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
                self.left.insert(agent, Left { agent, to, stand });
            }
        }
    }

    /// What a zone is sent.
    pub(super) fn list_for(&self, to: ZoneId, zone: &Zone, bodies: &[SeenBody]) -> BorderList {
        let sees = |area: Area| zone.layout.is_near(to, area, VIEW);
        let is_of = |body: &SeenBody| {
            self.wishes
                .get(&body.agent)
                .is_some_and(|wish| wish.is_of(to))
        };
        let bodies = bodies
            .iter()
            .filter(|body| sees(body.stand.area()) || is_of(body));
        let left = self.left.values().filter(|left| left.to != to);
        BorderList {
            number: self.number,
            bodies: bodies.copied().collect(),
            left: left
                .filter(|left| sees(left.stand.area()))
                .copied()
                .collect(),
            loans: self.loans_of(to),
        }
    }

    /// Has the mirrors of bodies near this zone be where the latest lists have them.
    pub(super) fn show(&mut self, world: &mut World, maps: &[Entity]) {
        let mut seen: BTreeMap<AgentId, (ZoneId, SeenStand)> = BTreeMap::new();
        let left = self.latest.values().flat_map(|list| &list.left);
        for left in left.chain(self.left.values()) {
            seen.insert(left.agent, (left.to, left.stand));
        }
        // Where a body lives is known better there than where it was before.
        for (&from, list) in &self.latest {
            for body in &list.bodies {
                seen.insert(body.agent, (from, body.stand));
                self.left.remove(&body.agent);
            }
        }
        self.in_view = seen.keys().copied().collect();
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

impl ZoneLayout {
    /// Whether an area is so many columns and rows from a zone, or less.
    fn is_near(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_some_and(|of_zone| {
            let (first, last) = (area.first(), area.last());
            first.x <= of_zone.last().x.saturating_add(cells)
                && of_zone.first().x <= last.x.saturating_add(cells)
                && first.y <= of_zone.last().y.saturating_add(cells)
                && of_zone.first().y <= last.y.saturating_add(cells)
        })
    }

    /// Whether an area is so many columns and rows from cells of other zones than one, or less.
    pub(super) fn is_near_others(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_none_or(|own| {
            let (first, last) = (area.first(), area.last());
            let inside = |first: u16, last: u16, own_first: u16, own_last: u16| {
                (own_first == 0 || own_first.saturating_add(cells) <= first)
                    && (own_last == u16::MAX || last.saturating_add(cells) <= own_last)
            };
            !inside(first.x, last.x, own.first().x, own.last().x)
                || !inside(first.y, last.y, own.first().y, own.last().y)
        })
    }
}
