//! Letting the ground of a zone come to rest after it was taken over or cut in another way.

use crate::{Agents, Zone, epoch::Epoch};
use bevy_ecs::prelude::*;
use nav::{
    AgentId, Body, BodyKind, CellPosition, NavMap, OnMap,
    shared::{Border, Mirror},
};
use nav_grid::{Area, Cell};
use std::{cmp::Reverse, collections::BTreeSet};

/// For how many ticks bodies of a zone stand after it was taken over, or its rectangle is another one: by then loans of
/// whoever had the ground before have run out, and all zones have sent which bodies stand on it.
pub(super) const TICKS: u64 = 20;

/// How far from where it was a body is put that finds its cell taken.
const AWAY_MAX: u16 = 64;

/// Since when the ground of a zone is as it is.
#[derive(Default)]
pub(super) struct Settling {
    /// Its rectangle, and the tick in which it became that; none of a zone that was merged into another.
    since: Option<(Option<Area>, u64)>,
    is_settled: bool,
}

impl Settling {
    /// Has bodies keep to the rectangle of the zone, or stand while that is news; says whether they may step. Zones
    /// in step begin together, and stay as they are.
    pub(super) fn step(&mut self, world: &mut World, zone: &Zone) -> bool {
        if zone.exchange.is_in_step() {
            return true;
        }
        let (own, tick) = (zone.layout.area(zone.id), zone.tick());
        if self.since.is_none_or(|(before, _)| before != own) {
            self.since = Some((own, tick));
            self.is_settled = false;
            let nowhere = Cell::new(u16::MAX, u16::MAX);
            world.insert_resource(Border::around(Area::new(nowhere, nowhere)));
        }
        let began = self.since.map_or(tick, |(_, began)| began);
        if !self.is_settled && tick >= began + TICKS {
            self.is_settled = true;
            if let Some(own) = own {
                part_bodies(world, own);
                world.insert_resource(Border::around(own));
            }
        }
        self.is_settled
    }
}

/// A cell of a map.
type MapCell = (Entity, Cell);

/// Puts solid bodies of this zone that share cells with others onto the nearest free ones: some of the time before a
/// take-over happens anew, and others went on meanwhile. Those stay that were handed over later.
fn part_bodies(world: &mut World, own: Area) {
    let mut taken: BTreeSet<MapCell> = BTreeSet::new();
    let mut mirrors = world.query_filtered::<(&Body, &CellPosition, &OnMap), With<Mirror>>();
    for (body, at, on_map) in mirrors.iter(world) {
        let cells = body.footprint.area(at.cell).cells();
        taken.extend(cells.map(|cell| (on_map.0, cell)));
    }
    let mut solids: Vec<(Reverse<Epoch>, AgentId, Entity)> = Vec::new();
    for (id, agent) in world.resource::<Agents>().living(world) {
        let body = world.get::<Body>(agent);
        if body.is_some_and(|body| body.kind == BodyKind::Solid) {
            let epoch = world.get::<Epoch>(agent).copied().unwrap_or_default();
            solids.push((Reverse(epoch), id, agent));
        }
    }
    solids.sort_unstable();
    for (.., agent) in solids {
        let parts = (
            world.get::<Body>(agent),
            world.get::<CellPosition>(agent),
            world.get::<OnMap>(agent),
        );
        let (Some(body), Some(at), Some(on_map)) = parts else {
            continue;
        };
        let (footprint, cell, map) = (body.footprint, at.cell, on_map.0);
        let is_free = |at: Cell| {
            let mut cells = footprint.area(at).cells();
            cells.all(|cell| !taken.contains(&(map, cell)))
        };
        let mut place = cell;
        if !is_free(cell)
            && let Some(nav_map) = world.get::<NavMap>(map)
        {
            let fits = |at: Cell| {
                own.contains(at.on_floor(0)) && nav_map.grid().fits(at, footprint) && is_free(at)
            };
            place = nearest(cell, fits).unwrap_or(cell);
        }
        let cells = footprint.area(place).cells();
        taken.extend(cells.map(|cell| (map, cell)));
        if place != cell {
            world.entity_mut(agent).insert(CellPosition::at(place));
        }
    }
}

/// The nearest cell for which something holds, by rings.
fn nearest(from: Cell, holds: impl Fn(Cell) -> bool) -> Option<Cell> {
    let ring = |away: u16| {
        let along = move |at: u16| at.saturating_sub(away)..=at.saturating_add(away);
        along(from.y).flat_map(move |y| along(from.x).map(move |x| Cell { x, y, ..from }))
    };
    (1..=AWAY_MAX)
        .find_map(|away| ring(away).find(|&cell| cell.chebyshev(from) == away && holds(cell)))
}
