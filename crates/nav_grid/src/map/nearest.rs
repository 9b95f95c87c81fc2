//! The nearest cell of a set, found tile by tile.

use super::{
    size::Size,
    tiles::{Tile, TileLayout},
};
use crate::{cell::Cell, rules::Cost};
use std::ops::RangeInclusive;

/// The nearness of a cell: columns or rows to it, whichever are more, then its squared distance,
/// then a cost that tells cells as near apart, then reading order.
pub(crate) type Nearness = (u16, u64, Cost, Cell);

/// The nearness of a cell of some cost to another.
#[inline]
pub(crate) fn nearness(cell: Cell, to: Cell, cost: Cost) -> Nearness {
    (cell.chebyshev(to), cell.squared_distance(to), cost, cell)
}

/// The cell of a set that is [nearest](Nearness) to a cell of the map, on the same floor, and the
/// number of tiles and rows that were read.
///
/// The set is read a row of a tile at a time: whether a tile `may_hold` a cell of it, its cells in
/// one `row` of such a tile, whose bits outside the map do not count, and the cost of one of these,
/// if it suits.
///
/// # Complexity
///
/// O(tiles) up to the first ring of tiles with such a cell, and the rows of the tiles that may hold
/// one: 16,384 tiles on the largest map, and mostly some hundred rows.
pub(crate) fn nearest_cell(
    size: Size,
    from: Cell,
    may_hold: impl Fn(Tile) -> bool,
    row: impl Fn(Tile, u16) -> u64,
    cost: impl Fn(Cell) -> Option<Cost>,
) -> (Option<Cell>, u32) {
    let mut best: Option<Nearness> = None;
    let mut read = 0;
    if !size.contains(from) {
        return (None, read);
    }
    let layout = TileLayout::of(size);
    let home = Tile::of(from);
    for ring in 0..layout.columns.max(layout.rows) {
        // The nearest cell of the ring, if `from` lies at the border of its tile.
        let least = ring.saturating_sub(1) * usize::from(Tile::SIDE) + ring.min(1);
        if best.is_some_and(|(away, ..)| usize::from(away) < least) {
            break;
        }
        for tile in tiles_of_ring(layout, home, ring) {
            read += 1;
            if !may_hold(tile) {
                continue;
            }
            let area = tile.area(size);
            let reach = best.map_or(u16::MAX, |(away, ..)| away);
            let first = area.first().y.max(from.y.saturating_sub(reach));
            let last = area.last().y.min(from.y.saturating_add(reach));
            for y in first..=last {
                read += 1;
                let inside = u64::MAX >> (area.first().x + Tile::SIDE - 1 - area.last().x);
                let cells = row(tile, y) & inside;
                if cells != 0 {
                    let first = Cell { y, ..area.first() };
                    nearest_of_row(cells, first, from, &cost, &mut best);
                }
            }
        }
    }
    (best.map(|(.., cell)| cell), read)
}

/// Improves on `best` by the cells of a row that begins at `first`.
fn nearest_of_row(
    cells: u64,
    first: Cell,
    from: Cell,
    cost: &impl Fn(Cell) -> Option<Cost>,
    best: &mut Option<Nearness>,
) {
    let mut improve = |column: u32| {
        let cell = first.moved(column as u16, 0);
        // Without its cost first, which may take longer to tell.
        if best.is_some_and(|best| best < nearness(cell, from, 0)) {
            return true;
        }
        let Some(cost) = cost(cell) else {
            return false;
        };
        let found = nearness(cell, from, cost);
        if best.is_none_or(|best| found < best) {
            *best = Some(found);
        }
        true
    };
    // Outward on both sides: after the first cell that suits, or is too far, the rest is farther.
    let mut left = match i32::from(from.x) - i32::from(first.x) {
        ..0 => 0,
        column @ 0..63 => u64::MAX >> (63 - column),
        63.. => u64::MAX,
    };
    let mut right = cells & !left;
    left &= cells;
    while left != 0 {
        let column = left.ilog2();
        left ^= 1 << column;
        if improve(column) {
            break;
        }
    }
    while right != 0 {
        let column = right.trailing_zeros();
        right &= right - 1;
        if improve(column) {
            break;
        }
    }
}

/// The tiles of the map that lie in a square ring around a tile, on its floor.
fn tiles_of_ring(layout: TileLayout, home: Tile, ring: usize) -> impl Iterator<Item = Tile> {
    let around = move |at: u8, count: usize| -> RangeInclusive<usize> {
        let at = usize::from(at);
        at.saturating_sub(ring)..=(at + ring).min(count - 1)
    };
    around(home.row, layout.rows).flat_map(move |row| {
        let column = usize::from(home.column);
        let is_side = row.abs_diff(home.row.into()) < ring;
        let ends = [column.checked_sub(ring), Some(column + ring)]
            .into_iter()
            .flatten()
            .filter(move |&column| is_side && column < layout.columns);
        let whole = around(home.column, layout.columns).filter(move |_| !is_side);
        ends.chain(whole).map(move |column| Tile {
            row: row as u8,
            column: column as u8,
            ..home
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    /// Cells drawn at random, of which each third does not suit.
    struct Drawn(Size, Vec<bool>);

    impl Drawn {
        fn has(&self, cell: Cell) -> bool {
            self.1[self.0.index(cell)]
        }

        fn may_hold(&self, tile: Tile) -> bool {
            (tile.area(self.0).cells()).any(|cell| self.has(cell))
        }

        fn row(&self, tile: Tile, y: u16) -> u64 {
            let cells = tile.area(self.0).cells().filter(|cell| cell.y == y);
            // Bits outside the map are set.
            let outside = !(u64::MAX >> (63 - tile.area(self.0).last().x % 64));
            cells
                .filter(|&cell| self.has(cell))
                .fold(outside, |bits, cell| bits | 1 << (cell.x % 64))
        }
    }

    /// Few costs, so that some are equal.
    fn cost(cell: Cell) -> Option<Cost> {
        let suits = !(cell.x + cell.y).is_multiple_of(3);
        suits.then(|| Cost::from(cell.x * 7 + cell.y * 5) % 4)
    }

    #[test]
    fn agrees_with_naive() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let sizes = [(1, 1), (64, 64), (65, 200), (300, 20), (190, 190)];
        for (width, height) in sizes {
            let size = Size::new(width, height).with_floors(2);
            let all: Vec<Cell> = (0..size.cells() as usize)
                .map(|index| size.cell(index))
                .collect();
            for rarity in [2, 60, 3000, 200_000_u32] {
                let draw = |_: &Cell| random.random_range(0..rarity) == 0;
                let set = Drawn(size, all.iter().map(draw).collect());
                for _ in 0..30 {
                    let from = all[random.random_range(0..all.len() as u32) as usize];
                    let naive = all.iter().filter(|cell| cell.floor == from.floor);
                    let naive = naive.filter(|&&cell| set.has(cell));
                    let naive = naive.filter_map(|&cell| Some(nearness(cell, from, cost(cell)?)));
                    let naive = naive.min();
                    let (may_hold, row) = (|tile| set.may_hold(tile), |tile, y| set.row(tile, y));
                    let (found, _) = nearest_cell(size, from, may_hold, row, cost);
                    assert_eq!(found, naive.map(|(.., cell)| cell), "{size:?} {from}");
                }
            }
        }
    }
}
