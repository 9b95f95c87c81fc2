//! Watched targets: a zone sees all bodies around them, since its chasers may need a detour there.

use crate::{Zone, agents::map_number};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChasedBy, NavMap, OnMap, internals::DETOUR_RADIUS};
use nav_grid::{Area, Cell, Size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Block of 16×16 cells of a map. Zones announce what they watch in blocks, because many targets
/// share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) struct Block {
    /// Index of the map in the list of all maps.
    map: u16,
    column: u16,
    row: u16,
}

/// Side of a [`Block`] in cells. A guess: a third of the detour radius.
const SIDE: u16 = 16;

/// Greatest distance in cells between a target and a body that searches for a detour to it or is in
/// the way of one.
///
/// Twice the radius, because a window that would reach over an edge of the map is moved inward.
pub(super) const WINDOW: u16 = 2 * DETOUR_RADIUS;

impl Block {
    const fn of(map: u16, cell: Cell) -> Self {
        Self {
            map,
            column: cell.x / SIDE,
            row: cell.y / SIDE,
        }
    }

    /// Returns this block and all blocks within the reach of a detour to a target in it.
    fn around(self) -> impl Iterator<Item = Self> {
        const BLOCKS: u16 = DETOUR_RADIUS.div_ceil(SIDE);
        let along = |place: u16| place.saturating_sub(BLOCKS)..=place.saturating_add(BLOCKS);
        let map = self.map;
        let rows = along(self.row);
        rows.flat_map(move |row| along(self.column).map(move |column| Self { map, column, row }))
    }
}

/// Blocks that another zone watches.
#[derive(Default)]
pub(super) struct WatchedBlocks(BTreeSet<Block>);

impl WatchedBlocks {
    /// Returns all blocks around the given blocks of targets.
    pub(super) fn around(targets: &[Block]) -> Self {
        Self(targets.iter().copied().flat_map(Block::around).collect())
    }

    /// Returns whether a body that covers this area is watched.
    pub(super) fn sees(&self, map: u16, area: Area) -> bool {
        let Self(blocks) = self;
        let ends = [area.first(), area.last()];
        !blocks.is_empty()
            && ends
                .iter()
                .any(|&cell| blocks.contains(&Block::of(map, cell)))
    }
}

/// Returns the centre of the window in which bodies search for detours to a target.
fn middle(size: Size, target: Cell) -> Cell {
    let along = |at: u16, cells: u16| {
        let last = cells.saturating_sub(DETOUR_RADIUS + 1);
        at.min(last).max(DETOUR_RADIUS)
    };
    let (x, y) = (along(target.x, size.width), along(target.y, size.height));
    Cell { x, y, ..target }
}

/// Returns the blocks of targets that bodies of this zone chase from near enough for a detour.
pub(super) fn targets_watched(world: &mut World, zone: &Zone, maps: &[Entity]) -> Vec<Block> {
    let mut targets = world.query::<(&CellPosition, &OnMap, &ChasedBy)>();
    let mut watched = BTreeSet::new();
    for (position, on_map, chased_by) in targets.iter(world) {
        let cell = position.cell;
        let area = Area::new(cell, cell);
        let is_near = zone.layout.is_near(zone.id, area, WINDOW)
            && zone.layout.is_near_others(zone.id, area, WINDOW);
        let has_body = |chaser| world.get::<Body>(chaser).is_some();
        if is_near
            && let Some(map) = map_number(maps, on_map.0)
            && let Some(nav_map) = world.get::<NavMap>(on_map.0)
            && let cell = middle(nav_map.grid().size(), cell)
            && !watched.contains(&Block::of(map, cell))
            && chased_by.iter().any(has_body)
        {
            watched.insert(Block::of(map, cell));
        }
    }
    watched.into_iter().collect()
}
