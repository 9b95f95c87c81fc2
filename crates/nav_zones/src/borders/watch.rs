//! Around which targets a zone sees all bodies: those for whom its own may have to find a way around others.

use crate::{Zone, agents::map_number};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChasedBy, OnMap, shared::DETOUR_RADIUS};
use nav_grid::{Area, Cell};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// 16×16 cells of a map, by which zones say what they watch: many targets are in one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) struct Block {
    /// The place of the map among all.
    map: u16,
    column: u16,
    row: u16,
}

const SIDE: u16 = 16;

impl Block {
    const fn of(map: u16, cell: Cell) -> Self {
        Self {
            map,
            column: cell.x / SIDE,
            row: cell.y / SIDE,
        }
    }

    /// This block and all within the detours to a target in it.
    fn around(self) -> impl Iterator<Item = Self> {
        const BLOCKS: u16 = DETOUR_RADIUS.div_ceil(SIDE);
        let along = |place: u16| place.saturating_sub(BLOCKS)..=place.saturating_add(BLOCKS);
        let map = self.map;
        let rows = along(self.row);
        rows.flat_map(move |row| along(self.column).map(move |column| Self { map, column, row }))
    }
}

/// What a zone watches, as another one looks it up.
#[derive(Default)]
pub(super) struct Watched(BTreeSet<Block>);

impl Watched {
    /// All around the targets in some blocks.
    pub(super) fn around(targets: &[Block]) -> Self {
        Self(targets.iter().copied().flat_map(Block::around).collect())
    }

    /// Whether somebody who covers an area of a map is watched.
    pub(super) fn sees(&self, map: u16, area: Area) -> bool {
        let Self(blocks) = self;
        let ends = [area.first(), area.last()];
        !blocks.is_empty()
            && ends
                .iter()
                .any(|&cell| blocks.contains(&Block::of(map, cell)))
    }
}

/// The blocks of targets that bodies of this zone chase from so near that they may look for a way around others.
pub(super) fn targets_watched(world: &mut World, zone: &Zone, maps: &[Entity]) -> Vec<Block> {
    let mut targets = world.query::<(&CellPosition, &OnMap, &ChasedBy)>();
    let mut watched = BTreeSet::new();
    for (position, on_map, chased_by) in targets.iter(world) {
        let cell = position.cell;
        let is_near = zone
            .layout
            .is_near(zone.id, Area::new(cell, cell), DETOUR_RADIUS)
            && zone
                .layout
                .is_near_others(zone.id, Area::new(cell, cell), DETOUR_RADIUS);
        let has_body = |chaser| world.get::<Body>(chaser).is_some();
        if is_near
            && let Some(map) = map_number(maps, on_map.0)
            && !watched.contains(&Block::of(map, cell))
            && chased_by.iter().any(has_body)
        {
            watched.insert(Block::of(map, cell));
        }
    }
    watched.into_iter().collect()
}
