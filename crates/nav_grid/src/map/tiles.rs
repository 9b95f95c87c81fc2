//! Tiles of 64×64 cells with the version of their last edit.

use super::size::{Area, Size};
use crate::cell::Cell;
use std::sync::Arc;

/// A square of a [map](crate::Grid), 64×64 cells on one floor, the grain at which edits are
/// noticed.
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
    /// Columns and rows of a tile: the bits of a word, so that a row of a tile is one word.
    pub const SIDE: u16 = 64;

    /// The tile that holds a cell, whose column and row are below [`Size::SIDE_MAX`].
    #[doc(hidden)]
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
        let (x, y) = (self.column as u16, self.row as u16);
        Cell::new(x * Self::SIDE, y * Self::SIDE).on_floor(self.floor)
    }

    /// The cells of the tile that are on the map.
    pub(crate) fn area(self, size: Size) -> Area {
        let first = Area::from(self.first());
        first.grown(0, Self::SIDE - 1).clipped(size)
    }
}

/// How many tiles a map has, and their numbers: floor by floor, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileLayout {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    floors: usize,
}

impl TileLayout {
    pub(crate) fn of(size: Size) -> Self {
        Self {
            columns: size.width.div_ceil(Tile::SIDE).into(),
            rows: size.height.div_ceil(Tile::SIDE).into(),
            floors: size.floors.into(),
        }
    }

    pub(crate) const fn count(self) -> usize {
        self.columns * self.rows * self.floors
    }

    /// The number of a tile of the map.
    #[inline]
    pub(crate) const fn index(self, tile: Tile) -> usize {
        (tile.floor as usize * self.rows + tile.row as usize) * self.columns + tile.column as usize
    }

    /// The tile with a number.
    pub(crate) const fn at(self, index: usize) -> Tile {
        Tile {
            floor: (index / self.columns / self.rows) as u8,
            row: (index / self.columns % self.rows) as u8,
            column: (index % self.columns) as u8,
        }
    }

    /// The number of the tile some columns and rows away, on the same floor.
    pub(crate) fn neighbour(self, index: usize, (dx, dy): (i8, i8)) -> Option<usize> {
        let column = (index % self.columns).checked_add_signed(dx.into())?;
        let row = (index / self.columns % self.rows).checked_add_signed(dy.into())?;
        let floor = index / self.columns / self.rows;
        let inside = column < self.columns && row < self.rows;
        inside.then_some((floor * self.rows + row) * self.columns + column)
    }

    /// The numbers of a tile and the tiles around it.
    pub(crate) fn around(self, index: usize) -> impl Iterator<Item = usize> {
        (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter_map(move |toward| self.neighbour(index, toward))
    }
}

/// The kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Only which cells are blocked, or can be seen through.
    Cells,
    /// Also what steps cost and where they lead: costs, classes, exits, links. The best way past
    /// them may be another one now.
    Ways,
}

/// The version of each tile: the number of the last edit that touched it.
#[derive(Clone, Debug)]
pub(crate) struct TileVersions {
    layout: TileLayout,
    last: u64,
    /// Shared with views of the map.
    versions: Arc<[u64]>,
    /// The same of edits of ways only.
    ways: Arc<[u64]>,
}

impl TileVersions {
    pub(crate) fn new(size: Size) -> Self {
        let layout = TileLayout::of(size);
        Self {
            layout,
            last: 0,
            versions: vec![0; layout.count()].into(),
            ways: vec![0; layout.count()].into(),
        }
    }

    /// The number of the last edit; 0 before the first.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }

    /// The number of the last edit of a tile; 0 for a tile without edits or outside the map.
    pub(crate) fn of(&self, tile: Tile) -> u64 {
        self.index(tile).map_or(0, |index| self.versions[index])
    }

    /// Numbers a new edit of all tiles that `area` touches.
    pub(crate) fn edit(&mut self, area: Area, change: Change) {
        self.last += 1;
        self.touch(area, change);
    }

    /// Adds the tiles that `area` touches to the last edit.
    pub(crate) fn touch(&mut self, area: Area, change: Change) {
        let (first, last) = (Tile::of(area.first()), Tile::of(area.last()));
        for row in first.row..=last.row {
            for column in first.column..=last.column {
                let (version, floor) = (self.last, first.floor);
                self.set(Tile { floor, row, column }, version, change);
            }
        }
    }

    /// Numbers a new edit of some tiles, and of the ways in some of them. Tiles outside the map are
    /// skipped.
    pub(crate) fn edit_tiles(
        &mut self,
        tiles: impl IntoIterator<Item = Tile>,
        ways: impl IntoIterator<Item = Tile>,
    ) {
        self.last += 1;
        for tile in tiles {
            self.set(tile, self.last, Change::Cells);
        }
        for tile in ways {
            self.set(tile, self.last, Change::Ways);
        }
    }

    /// The tiles edited after edit `version`.
    pub(crate) fn since(&self, version: u64) -> impl Iterator<Item = Tile> + '_ {
        self.edited_since(&self.versions, version)
    }

    /// The tiles with ways edited after edit `version`.
    pub(crate) fn ways_since(&self, version: u64) -> impl Iterator<Item = Tile> + '_ {
        self.edited_since(&self.ways, version)
    }

    fn edited_since<'a>(
        &self,
        versions: &'a [u64],
        version: u64,
    ) -> impl Iterator<Item = Tile> + use<'a> {
        let layout = self.layout;
        let numbered = versions.iter().enumerate();
        let edited = numbered.filter(move |&(_, &edit)| edit > version);
        edited.map(move |(index, _)| layout.at(index))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.versions) + size_of_val(&*self.ways)
    }

    /// Gives up the versions that another map shares.
    pub(crate) fn release(&mut self) {
        self.versions = Arc::default();
        self.ways = Arc::default();
    }

    fn set(&mut self, tile: Tile, version: u64, change: Change) {
        if let Some(index) = self.index(tile) {
            Arc::make_mut(&mut self.versions)[index] = version;
            if change == Change::Ways {
                Arc::make_mut(&mut self.ways)[index] = version;
            }
        }
    }

    fn index(&self, tile: Tile) -> Option<usize> {
        let TileLayout { columns, rows, .. } = self.layout;
        let inside = usize::from(tile.column) < columns && usize::from(tile.row) < rows;
        let index = self.layout.index(tile);
        (inside && index < self.versions.len()).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_mark_touched_tiles() {
        let mut tiles = TileVersions::new(Size::new(200, 70).with_floors(2));
        tiles.edit(
            Area::new(Cell::new(63, 5), Cell::new(64, 63)).grown(0, 0),
            Change::Cells,
        );
        tiles.edit(Cell::new(199, 69).on_floor(1).into(), Change::Ways);
        let tile = |column, row, floor| Tile { floor, row, column };
        assert_eq!(tiles.of(tile(0, 0, 0)), 1);
        assert_eq!(tiles.of(tile(2, 0, 0)), 0);
        assert_eq!(
            tiles.since(0).collect::<Vec<_>>(),
            [tile(0, 0, 0), tile(1, 0, 0), tile(3, 1, 1)]
        );
        assert_eq!(tiles.since(1).collect::<Vec<_>>(), [tile(3, 1, 1)]);
        assert_eq!(tiles.since(2).count(), 0);
        assert_eq!(tiles.ways_since(0).collect::<Vec<_>>(), [tile(3, 1, 1)]);
        assert_eq!(tiles.of(tile(4, 0, 0)), 0, "no such tile");
        tiles.edit_tiles([tile(2, 1, 0), tile(4, 0, 0)], []);
        assert_eq!(tiles.since(2).collect::<Vec<_>>(), [tile(2, 1, 0)]);
    }
}
