//! How a world is cut into zones: rectangles along tiles.

use nav_grid::{Area, Cell, Size, map::Tile};
use serde::{Deserialize, Serialize};

/// The number of a zone, row by row from the upper left one, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ZoneId(pub u16);

/// How a world is cut into zones: columns and rows of rectangles along tiles of 64×64 cells. Every map of the
/// world, and each of its floors, is cut alike.
///
/// Rectangles differ by a tile at most along either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneLayout {
    /// The first column of cells of each zone of a row but the first one.
    columns: Vec<u16>,
    rows: Vec<u16>,
}

/// Why a world is not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// There would be no zone.
    #[error("{columns}×{rows} zones: there must be at least one in either direction")]
    NoZones {
        /// Zones in a row.
        columns: u16,
        /// Zones in a column.
        rows: u16,
    },
    /// A zone would have no tile of its own.
    #[error(
        "{columns}×{rows} zones are too many for a map of {across}×{down} tiles of 64×64 cells: a zone has at least one"
    )]
    TooMany {
        /// Zones in a row.
        columns: u16,
        /// Zones in a column.
        rows: u16,
        /// Tiles in a row.
        across: u16,
        /// Tiles in a column.
        down: u16,
    },
}

impl ZoneLayout {
    /// Cuts a world whose largest map has this size into so many zones in a row and in a column.
    ///
    /// # Errors
    ///
    /// [`LayoutError`], if there would be no zone, or one without a tile.
    pub fn new(size: Size, columns: u16, rows: u16) -> Result<Self, LayoutError> {
        if columns == 0 || rows == 0 {
            return Err(LayoutError::NoZones { columns, rows });
        }
        let tiles = |cells: u16| cells.div_ceil(Tile::SIDE);
        let (across, down) = (tiles(size.width), tiles(size.height));
        if columns > across || rows > down {
            return Err(LayoutError::TooMany {
                columns,
                rows,
                across,
                down,
            });
        }
        let cuts = |zones: u16, tiles: u16| {
            let first_tile = |zone: u16| u32::from(zone) * u32::from(tiles) / u32::from(zones);
            (1..zones)
                .map(|zone| first_tile(zone) as u16 * Tile::SIDE)
                .collect()
        };
        Ok(Self {
            columns: cuts(columns, across),
            rows: cuts(rows, down),
        })
    }

    /// How many zones there are.
    pub const fn len(&self) -> u16 {
        ((self.columns.len() + 1) * (self.rows.len() + 1)) as u16
    }

    /// Never: there is at least one zone.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// All zones.
    pub fn zones(&self) -> impl Iterator<Item = ZoneId> + use<> {
        (0..self.len()).map(ZoneId)
    }

    /// The columns and rows of a zone, on any floor; those at the edge of the world go on to the end of the range of coordinates.
    /// `None` if there is no such zone.
    pub fn area(&self, zone: ZoneId) -> Option<Area> {
        let columns = self.columns.len() + 1;
        let (column, row) = (usize::from(zone.0) % columns, usize::from(zone.0) / columns);
        let (left, right) = side(&self.columns, column)?;
        let (top, bottom) = side(&self.rows, row)?;
        Some(Area::new(Cell::new(left, top), Cell::new(right, bottom)))
    }

    /// The zone of a cell, on whichever floor. Cells beyond the map belong to the zones at its edge.
    pub fn zone_of(&self, cell: Cell) -> ZoneId {
        let place = |cuts: &[u16], at: u16| cuts.partition_point(|&first| first <= at);
        let (column, row) = (place(&self.columns, cell.x), place(&self.rows, cell.y));
        ZoneId((row * (self.columns.len() + 1) + column) as u16)
    }
}

/// The first and the last column or row of a zone.
fn side(cuts: &[u16], place: usize) -> Option<(u16, u16)> {
    let first = match place.checked_sub(1) {
        Some(before) => *cuts.get(before)?,
        None => 0,
    };
    let last = cuts.get(place).map_or(u16::MAX, |&next| next - 1);
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16, columns: u16, rows: u16) -> Result<ZoneLayout, LayoutError> {
        let size = Size::new(width, height);
        ZoneLayout::new(size, columns, rows)
    }

    #[test]
    fn zones_are_cut_along_tiles_row_by_row() {
        let layout = layout(300, 200, 2, 2).expect("five by four tiles");
        assert_eq!(layout.len(), 4);
        let zone = |x, y| layout.zone_of(Cell::new(x, y)).0;
        assert_eq!([zone(0, 0), zone(127, 127), zone(128, 127)], [0, 0, 1]);
        assert_eq!([zone(127, 128), zone(299, 199)], [2, 3]);
    }

    #[test]
    fn cells_beyond_the_map_belong_to_a_zone_too() {
        let layout = layout(300, 200, 2, 2).expect("five by four tiles");
        assert_eq!(layout.zone_of(Cell::new(u16::MAX, u16::MAX)), ZoneId(3));
    }

    #[test]
    fn the_area_of_a_zone_has_the_cells_that_are_its() {
        let layout = layout(300, 200, 2, 2).expect("five by four tiles");
        for zone in layout.zones() {
            let area = layout.area(zone).expect("a zone of the layout");
            let (first, last) = (area.first(), area.last());
            assert_eq!((layout.zone_of(first), layout.zone_of(last)), (zone, zone));
        }
        let last = layout.area(ZoneId(3)).map(Area::last);
        assert_eq!(last, Some(Cell::new(u16::MAX, u16::MAX)));
        assert_eq!(layout.area(ZoneId(4)), None);
    }

    #[test]
    fn every_zone_has_a_tile() {
        for (columns, rows) in [(1, 1), (3, 2), (5, 4)] {
            let layout = layout(300, 200, columns, rows).expect("no more than tiles");
            let mut seen = vec![false; layout.len() as usize];
            for y in 0..200 {
                for x in 0..300 {
                    seen[layout.zone_of(Cell::new(x, y)).0 as usize] = true;
                }
            }
            assert!(seen.into_iter().all(|seen| seen), "{columns}×{rows}");
        }
        let too_many = LayoutError::TooMany {
            columns: 6,
            rows: 1,
            across: 5,
            down: 4,
        };
        assert_eq!(layout(300, 200, 6, 1), Err(too_many));
        let none = LayoutError::NoZones {
            columns: 0,
            rows: 2,
        };
        assert_eq!(layout(300, 200, 0, 2), Err(none));
    }
}
