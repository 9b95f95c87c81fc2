//! Settling: holds bodies still after a zone was taken over or its rectangle changed.

use super::border::{Border, nowhere};
use crate::{Agents, Epoch, Zone, layout::has};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, BodyKind, CellPosition, Chaser, NavMap, OnMap, extend::Mirror};
use nav_grid::{Area, Cell};
use std::{cmp::Reverse, collections::BTreeSet};

/// Ticks for which bodies hold still after a take-over or a change of the rectangle.
///
/// By then the loans of the previous owner have run out, and all zones have listed the bodies that
/// stand on its cells: a second at 20 ticks a second, twice the time after which an unchanged
/// list is repeated.
pub(super) const TICKS: u64 = 20;

/// Greatest distance in cells by which a body is moved off a cell that is taken: the side of a
/// tile, the narrowest zone.
const AWAY_MAX: u16 = 64;

/// Time since which the zone has had its rectangle.
#[derive(Default)]
pub(super) struct Settling {
    /// Rectangle of the zone, and the tick of its last change. The rectangle is `None` once the
    /// zone was merged into another.
    since: Option<(Option<Area>, u64)>,
    is_settled: bool,
}

impl Settling {
    /// Confines bodies to the rectangle of the zone, or holds them still while it is new.
    ///
    /// Returns whether bodies may step.
    pub(super) fn step(&mut self, world: &mut World, zone: &Zone) -> bool {
        let (own, tick) = (zone.layout.area(zone.id), zone.tick());
        if self.since.is_none_or(|(before, _)| before != own) {
            self.since = Some((own, tick));
            self.is_settled = false;
            world.insert_resource(Border::around(nowhere()));
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

/// Cell of a map.
type MapCell = (Entity, Cell);

/// Moves solid bodies of this zone that share a cell with others to the nearest free cell.
///
/// Bodies can overlap after a take-over: the restored state is some seconds old, and other zones
/// went on meanwhile. Bodies with a higher [`Epoch`] keep their cell, since their hand-over is the
/// more recent one.
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
        let mut place = cell;
        if !is_free(&taken, map, footprint.area(cell))
            && let Some(nav_map) = world.get::<NavMap>(map)
        {
            let chaser = world.get::<Chaser>(agent);
            let rules = chaser.map(|chaser| chaser.rules).unwrap_or_default();
            let ground = nav_map.grid().for_rules(rules);
            let found = nearest(cell, |at| {
                has(own, at)
                    && ground.fits(at, footprint)
                    && is_free(&taken, map, footprint.area(at))
            });
            place = found.unwrap_or(cell);
        }
        let cells = footprint.area(place).cells();
        taken.extend(cells.map(|cell| (map, cell)));
        if place != cell {
            world.entity_mut(agent).insert(CellPosition::at(place));
        }
    }
}

/// Finds the nearest cell that satisfies `holds`, ring by ring.
fn nearest(from: Cell, holds: impl Fn(Cell) -> bool) -> Option<Cell> {
    for away in 1..=AWAY_MAX {
        for y in from.y.saturating_sub(away)..=from.y.saturating_add(away) {
            for x in from.x.saturating_sub(away)..=from.x.saturating_add(away) {
                let cell = Cell { x, y, ..from };
                if cell.chebyshev(from) == away && holds(cell) {
                    return Some(cell);
                }
            }
        }
    }
    None
}

/// Returns whether no cell of an area is taken.
fn is_free(taken: &BTreeSet<MapCell>, map: Entity, area: Area) -> bool {
    area.cells().all(|cell| !taken.contains(&(map, cell)))
}
