//! Watched targets: a zone sees all bodies around them, since its chasers may need a detour there.

use crate::{Zone, agents::map_number};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use nav::{Body, CellPosition, ChasedBy, NavMap, OnMap, extend::DETOUR_RADIUS};
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

/// Side of a [`Block`] in cells: a third of the detour radius.
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
}

/// Blocks that another zone watches: a bit a block, by map and row.
#[derive(Default)]
pub(super) struct WatchedBlocks(HashMap<(u16, u16), [u64; WORDS]>);

/// Words for the columns of blocks of the widest map.
const WORDS: usize = (u16::MAX / SIDE) as usize / 64 + 1;

impl WatchedBlocks {
    /// Returns all blocks within the reach of a detour to targets in the given blocks.
    pub(super) fn around(targets: &[Block]) -> Self {
        const BLOCKS: u16 = DETOUR_RADIUS.div_ceil(SIDE);
        let mut blocks = HashMap::<_, [u64; WORDS]>::default();
        for &Block { map, column, row } in targets {
            for row in row.saturating_sub(BLOCKS)..=row.saturating_add(BLOCKS) {
                let words = blocks.entry((map, row)).or_insert([0; WORDS]);
                for column in column.saturating_sub(BLOCKS)..=column.saturating_add(BLOCKS) {
                    if let Some(word) = words.get_mut(usize::from(column / 64)) {
                        *word |= 1 << (column % 64);
                    }
                }
            }
        }
        Self(blocks)
    }

    /// Returns whether a body that covers this area is watched.
    pub(super) fn sees(&self, map: u16, area: Area) -> bool {
        let (first, last) = (Block::of(map, area.first()), Block::of(map, area.last()));
        self.has(first) || last != first && self.has(last)
    }

    fn has(&self, block: Block) -> bool {
        let Block { map, column, row } = block;
        let words = self.0.get(&(map, row));
        words.is_some_and(|words| words[usize::from(column / 64)] >> (column % 64) & 1 == 1)
    }
}

/// Returns the centre of the window in which bodies search for detours to a target.
fn middle(size: Size, target: Cell) -> Cell {
    let [x, y] = [(target.x, size.width), (target.y, size.height)].map(|(at, cells)| {
        let last = cells.saturating_sub(DETOUR_RADIUS + 1);
        at.min(last).max(DETOUR_RADIUS)
    });
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
        if is_near
            && let Some(map) = map_number(maps, on_map.0)
            && let Some(nav_map) = world.get::<NavMap>(on_map.0)
            && let cell = middle(nav_map.grid().size(), cell)
            && !watched.contains(&Block::of(map, cell))
            && (chased_by.iter()).any(|chaser| world.get::<Body>(chaser).is_some())
        {
            watched.insert(Block::of(map, cell));
        }
    }
    watched.into_iter().collect()
}
