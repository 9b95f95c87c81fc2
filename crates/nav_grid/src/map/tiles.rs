//! Tiles of 64×64 cells with the version of their last edit.

use super::size::{Area, Size};
use crate::cell::Cell;

/// A square of 64×64 cells on one floor, the grain at which edits are noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tile {
    /// The floor.
    pub floor: u8,
    /// Row of cells divided by 64.
    pub row: u8,
    /// Column of cells divided by 64.
    pub column: u8,
}

impl Tile {
    /// Columns and rows of a tile.
    pub const SIDE: u16 = 64;

    /// The tile that a cell, whose column and row are below [`Size::SIDE_MAX`], lies in.
    #[inline]
    pub const fn of(cell: Cell) -> Self {
        Self {
            floor: cell.floor,
            row: (cell.y / Self::SIDE) as u8,
            column: (cell.x / Self::SIDE) as u8,
        }
    }

    /// The upper left cell of the tile.
    #[inline]
    pub(crate) const fn first(self) -> Cell {
        Cell {
            x: self.column as u16 * Self::SIDE,
            y: self.row as u16 * Self::SIDE,
            floor: self.floor,
        }
    }
}

/// The version of each tile: the number of the last edit that touched it.
#[derive(Clone, Debug)]
pub(crate) struct TileVersions {
    columns: u16,
    rows: u16,
    last: u64,
    versions: Box<[u64]>,
}

impl TileVersions {
    pub(crate) fn new(size: Size) -> Self {
        let columns = size.width.div_ceil(Tile::SIDE);
        let rows = size.height.div_ceil(Tile::SIDE);
        let tiles = usize::from(columns) * usize::from(rows) * usize::from(size.floors);
        Self {
            columns,
            rows,
            last: 0,
            versions: vec![0; tiles].into_boxed_slice(),
        }
    }

    /// The number of the last edit; 0 before the first.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }

    /// The number of the last edit of a tile, or 0 if there was none or the map has no such
    /// tile.
    pub(crate) fn of(&self, tile: Tile) -> u64 {
        self.index(tile).map_or(0, |index| self.versions[index])
    }

    /// Numbers a new edit, of all tiles that `area` touches.
    pub(crate) fn edit(&mut self, area: Area) {
        self.last += 1;
        self.touch(area);
    }

    /// Counts the tiles that `area` touches to the last edit.
    pub(crate) fn touch(&mut self, area: Area) {
        let (first, last) = (Tile::of(area.first()), Tile::of(area.last()));
        for row in first.row..=last.row {
            for column in first.column..=last.column {
                let tile = Tile {
                    floor: first.floor,
                    row,
                    column,
                };
                if let Some(index) = self.index(tile) {
                    self.versions[index] = self.last;
                }
            }
        }
    }

    /// Numbers a new edit, of some tiles; those that the map does not have are skipped.
    pub(crate) fn edit_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) {
        self.last += 1;
        for tile in tiles {
            if let Some(index) = self.index(tile) {
                self.versions[index] = self.last;
            }
        }
    }

    /// The tiles edited after edit `version`.
    pub(crate) fn since(&self, version: u64) -> impl Iterator<Item = Tile> + '_ {
        let (columns, rows) = (usize::from(self.columns), usize::from(self.rows));
        let edited = self.versions.iter().enumerate();
        edited
            .filter(move |&(_, &edit)| edit > version)
            .map(move |(index, _)| Tile {
                floor: (index / columns / rows) as u8,
                row: (index / columns % rows) as u8,
                column: (index % columns) as u8,
            })
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.versions)
    }

    fn index(&self, tile: Tile) -> Option<usize> {
        let (column, row) = (u16::from(tile.column), u16::from(tile.row));
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let row = usize::from(tile.floor) * usize::from(self.rows) + usize::from(row);
        let index = row * usize::from(self.columns) + usize::from(column);
        (index < self.versions.len()).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_shows_in_the_tiles_it_touches_and_in_no_other() {
        let mut tiles = TileVersions::new(Size::new(200, 70).with_floors(2));
        tiles.edit(Area::new(Cell::new(63, 5), Cell::new(64, 63)).grown(0, 0));
        tiles.edit(Cell::new(199, 69).on_floor(1).into());
        let tile = |column, row, floor| Tile { floor, row, column };
        assert_eq!(tiles.of(tile(0, 0, 0)), 1);
        assert_eq!(tiles.of(tile(2, 0, 0)), 0);
        assert_eq!(
            tiles.since(0).collect::<Vec<_>>(),
            [tile(0, 0, 0), tile(1, 0, 0), tile(3, 1, 1)]
        );
        assert_eq!(tiles.since(1).collect::<Vec<_>>(), [tile(3, 1, 1)]);
        assert_eq!(tiles.since(2).count(), 0);
        assert_eq!(tiles.of(tile(4, 0, 0)), 0, "no such tile");
        tiles.edit_tiles([tile(2, 1, 0), tile(4, 0, 0)]);
        assert_eq!(tiles.since(2).collect::<Vec<_>>(), [tile(2, 1, 0)]);
    }
}
