//! The index of what can be noticed. A sorted list finds it by place. A bit for each block of cells
//! rejects most questions without a look into the list.

use bevy_ecs::prelude::*;
use fixedbitset::FixedBitSet;
use nav_grid::Cell;

/// Agents in the order of map, floor and tile.
pub(super) struct Crowd<T>(Vec<(u128, T)>);

impl<T> Default for Crowd<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Columns and rows of a tile, as a shift: 16 cells, between the default range of 10 and its
/// double.
const TILE: u16 = 4;

/// The most rows of tiles that are searched one by one. Of more, all columns of tiles are read, so
/// that the widest range costs no more than one search and the whole floor.
const TILE_ROWS_MAX: u16 = 8;

/// The place of a tile in the order.
fn tile_key(map: Entity, floor: u8, row: u16, column: u16) -> u128 {
    let tile = u64::from(floor) << 32 | u64::from(row) << 16 | u64::from(column);
    u128::from(map.to_bits()) << 64 | u128::from(tile)
}

impl<T> Crowd<T> {
    /// Replaces all agents.
    pub(super) fn fill(&mut self, agents: impl Iterator<Item = (Entity, Cell, T)>) {
        self.0.clear();
        self.0.extend(agents.map(|(map, cell, agent)| {
            let key = tile_key(map, cell.floor, cell.y >> TILE, cell.x >> TILE);
            (key, agent)
        }));
        self.0.sort_unstable_by_key(|&(key, _)| key);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, agent)| agent)
    }

    /// All agents within some columns and rows of a cell on its floor, and others near it, in no
    /// particular order.
    pub(super) fn near(&self, map: Entity, cell: Cell, range: u16) -> impl Iterator<Item = &T> {
        let (left, right) = blocks(cell.x, range, TILE);
        let (top, bottom) = blocks(cell.y, range, TILE);
        let further = if bottom - top < TILE_ROWS_MAX {
            0
        } else {
            bottom - top
        };
        let strips = (top..=bottom).step_by(usize::from(further) + 1);
        strips.flat_map(move |row| {
            let begin = tile_key(map, cell.floor, row, left);
            let end = tile_key(map, cell.floor, row + further, right);
            let from = self.0.partition_point(|&(key, _)| key < begin);
            // Not a second binary search: mostly few agents follow.
            let strip = self.0[from..]
                .iter()
                .take_while(move |&&(key, _)| key <= end);
            strip.map(|(_, agent)| agent)
        })
    }
}

/// Blocks of 4×4 cells near agents, a bit each: a false bit says for sure that no agent is within
/// range.
///
/// Maps, floors and distant blocks share bits, so that one set does for maps of any size and
/// number. Its 32 KiB fit the nearest cache.
///
/// Exact bits, one for each cell of each floor, would reject a few agents more. They were given up,
/// since they have to follow the sizes of maps.
pub(super) struct Marks(FixedBitSet);

/// Columns and rows of a block, as a shift. By calculation, blocks of 8×8 cells would pass three
/// times as many agents of the bench `notice`. Blocks of 2×2 need four times the memory.
const BLOCK: u16 = 2;

/// Bits, as a shift: a square of 512×512 blocks, or 2048×2048 cells.
const BITS: u32 = 18;

impl Default for Marks {
    fn default() -> Self {
        Self(FixedBitSet::with_capacity(1 << BITS))
    }
}

impl Marks {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Marks the blocks within some columns and rows of a cell.
    pub(super) fn mark(&mut self, map: Entity, cell: Cell, range: u16) {
        if range > RANGE_MAX {
            return self.0.insert_range(..);
        }
        let (left, right) = blocks(cell.x, range, BLOCK);
        let (top, bottom) = blocks(cell.y, range, BLOCK);
        let width = usize::from(right - left) + 1;
        for row in top..=bottom {
            let first = bit(map, cell.floor, row, left);
            let end = first + width;
            self.0.insert_range(first..end.min(1 << BITS));
            // The part beyond the last bit continues at the first one, as the blocks themselves do.
            if end > 1 << BITS {
                self.0.insert_range(..end - (1 << BITS));
            }
        }
    }

    /// Whether the block of a cell is marked.
    #[inline]
    pub(super) fn has(&self, map: Entity, cell: Cell) -> bool {
        self.0
            .contains(bit(map, cell.floor, cell.y >> BLOCK, cell.x >> BLOCK))
    }
}

/// The first and the last block of `1 << shift` columns or rows within a range of one.
#[inline]
const fn blocks(at: u16, range: u16, shift: u16) -> (u16, u16) {
    (
        at.saturating_sub(range) >> shift,
        at.saturating_add(range) >> shift,
    )
}

/// The bit of a block. Blocks of a row have consecutive bits, modulo the number of bits.
#[inline]
fn bit(map: Entity, floor: u8, row: u16, column: u16) -> usize {
    // Fibonacci hashing spreads the origins of floors: few bits of small maps are shared.
    let hash = (map.to_bits() ^ u64::from(floor) << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let origin = (hash >> (u64::BITS - BITS)) as usize;
    let block = (usize::from(row) << (BITS / 2)) + usize::from(column);
    origin.wrapping_add(block) & ((1 << BITS) - 1)
}

/// The range and factions of agents that look in the same way.
pub(super) type WatchKey = (u16, u32);

/// The greatest range with marks; agents with a greater one always look: at 127, each
/// target costs the marks of 65 rows of blocks in each tick.
const RANGE_MAX: u16 = 127;

/// The most sets of marks: of more ranges and factions, some agents always look: 2 MiB.
const WATCHES_MAX: usize = 64;

/// Marks around what can be noticed, for each range and choice of factions in use.
///
/// They follow the questions of the tick before. An agent without marks looks, so that its finds do
/// not depend on them.
#[derive(Default)]
pub(super) struct Watches(Vec<(WatchKey, Marks)>);

impl Watches {
    /// The key of agents with a range and factions. Ranges are rounded up to the end of a block,
    /// which shares marks among ranges that differ little.
    #[inline]
    pub(super) const fn key(range: u16, whom: u32) -> WatchKey {
        (range | ((1 << BLOCK) - 1), whom)
    }

    /// Replaces the keys, and marks the surroundings of agents, each with its map, cell and
    /// factions.
    pub(super) fn update<I: Iterator<Item = (Entity, Cell, u32)>>(
        &mut self,
        keys: &mut Vec<WatchKey>,
        agents: impl Fn() -> I,
    ) {
        keys.sort_unstable();
        self.0.resize_with(keys.len(), Default::default);
        for ((key, marks), new) in self.0.iter_mut().zip(keys.drain(..)) {
            *key = new;
            marks.clear();
            let (range, whom) = new;
            for (map, cell, factions) in agents() {
                if factions & whom != 0 {
                    marks.mark(map, cell, range);
                }
            }
        }
    }

    /// The marks of a key, if there are any. Adds it to the keys for the next tick.
    #[inline(never)]
    pub(super) fn marks(&self, key: WatchKey, keys: &mut Vec<WatchKey>) -> Option<&Marks> {
        if key.0 <= RANGE_MAX && keys.len() < WATCHES_MAX && !keys.contains(&key) {
            keys.push(key);
        }
        let found = self.0.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(&self.0[found].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: Entity = Entity::PLACEHOLDER;

    /// Cells at corners of tiles, blocks and maps, on two floors.
    fn cells() -> Vec<Cell> {
        let at = [
            (3, 700),
            (2047, 2049),
            (65535, 9),
            (16, 16),
            (15, 17),
            (0, 65535),
        ];
        let at = at.map(|(x, y)| [Cell::new(x, y), Cell::new(y, x).on_floor(1)]);
        at.as_flattened().to_vec()
    }

    const RANGES: [u16; 9] = [0, 1, 4, 9, 16, 31, 128, 500, u16::MAX];

    #[test]
    fn crowd_finds_all_in_range() {
        let mut crowd = Crowd::default();
        crowd.fill(cells().into_iter().map(|cell| (MAP, cell, cell)));
        for (from, range) in cells()
            .into_iter()
            .flat_map(|at| RANGES.map(|range| (at, range)))
        {
            let is_near = |at: &Cell| at.floor == from.floor && at.chebyshev(from) <= range;
            let mut found: Vec<Cell> = crowd.near(MAP, from, range).copied().collect();
            assert!(
                found.iter().all(|at| at.floor == from.floor),
                "{from}, {range}"
            );
            found.retain(is_near);
            let mut expected: Vec<Cell> = cells().into_iter().filter(is_near).collect();
            let order = |cell: &Cell| (cell.x, cell.y);
            found.sort_unstable_by_key(order);
            expected.sort_unstable_by_key(order);
            assert_eq!(found, expected, "{from}, {range}");
        }
    }

    #[test]
    fn marks_cover_range() {
        let cells = cells();
        for range in RANGES {
            let mut marks = Marks::default();
            for &cell in &cells {
                marks.mark(MAP, cell, range);
            }
            let sides = || (0..3000).step_by(7).chain([65530, 65535]);
            for at in sides().flat_map(|y| sides().map(move |x| Cell::new(x, y))) {
                let is_near = |cell: &Cell| cell.floor == 0 && cell.chebyshev(at) <= range;
                assert!(
                    marks.has(MAP, at) || !cells.iter().any(is_near),
                    "{at}, {range}"
                );
            }
            assert_eq!(
                marks.has(MAP, Cell::new(1000, 1400)),
                range > RANGE_MAX,
                "{range}"
            );
        }
    }
}
