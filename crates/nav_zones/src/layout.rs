//! Layout of a world: rectangular zones along tiles.

use nav_grid::{Area, Cell, Size, map::Tile};
use serde::{Deserialize, Serialize};

/// Number of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ZoneId(pub u16);

/// Partition of a world into rectangular zones along tiles of 64×64 cells.
///
/// The zones cover the world without overlap. All maps of the world and all of their floors are cut
/// alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    try_from = "Vec<(ZoneId, (u16, u16), (u16, u16))>",
    into = "Vec<(ZoneId, (u16, u16), (u16, u16))>"
)]
pub struct ZoneLayout {
    /// Ordered by id. Rectangles at the right and lower edges of the world reach to the end of the
    /// coordinate range.
    zones: Vec<(ZoneId, Area)>,
}

/// Error of a layout that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The layout would have no zone.
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
    /// The layout has no such zone.
    #[error("there is no zone {}", .0.0)]
    NoZone(ZoneId),
    /// The zone cannot be cut at this column or row.
    #[error("zone {} cannot be cut at {at}: a cut lies inside it, at a multiple of 64", zone.0)]
    NoCut {
        /// Zone to cut.
        zone: ZoneId,
        /// Column or row of the cut.
        at: u16,
    },
    /// Two zones do not form a rectangle together.
    #[error("zones {} and {} do not form a rectangle", .0.0, .1.0)]
    NoRectangle(ZoneId, ZoneId),
    /// Rectangles leave cells out, overlap, or are not aligned to tiles.
    #[error("zones must be aligned to tiles and cover each cell of the world once")]
    NotCovered,
}

/// Line along which a zone is cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Cuts left of this column, the first one of the new zone.
    Column(u16),
    /// Cuts above this row, the first one of the new zone.
    Row(u16),
}

/// Returns whether an area contains a cell, on any floor.
pub(crate) const fn has(area: Area, cell: Cell) -> bool {
    let (first, last) = (area.first(), area.last());
    first.x <= cell.x && cell.x <= last.x && first.y <= cell.y && cell.y <= last.y
}

/// Returns the number of cells of an area.
fn count(area: Area) -> u64 {
    let (first, last) = (area.first(), area.last());
    (u64::from(last.x - first.x) + 1) * (u64::from(last.y - first.y) + 1)
}

/// Returns whether an area is aligned to tiles. It may also reach to the end of the coordinate
/// range.
fn is_along_tiles(area: Area) -> bool {
    let (first, last) = (area.first(), area.last());
    // The end of the range is the last cell of a tile, too.
    [
        first.x,
        first.y,
        last.x.wrapping_add(1),
        last.y.wrapping_add(1),
    ]
    .iter()
    .all(|at| at.is_multiple_of(Tile::SIDE))
}

/// Returns the first and last cell along a side of each of some zones in a row.
fn spans(zones: u16, tiles: u16) -> Vec<(u16, u16)> {
    let mut spans = Vec::new();
    let mut first = 0;
    for zone in 1..=u32::from(zones) {
        let next = zone * u32::from(tiles) / u32::from(zones) * u32::from(Tile::SIDE);
        let is_last = zone == u32::from(zones);
        // The last one reaches to the end of the range.
        let last = if is_last { u16::MAX } else { next as u16 - 1 };
        spans.push((first, last));
        first = next as u16;
    }
    spans
}

impl ZoneLayout {
    /// Cuts a world into `columns` × `rows` zones. `size` is that of its largest map.
    ///
    /// The sides of zones differ by at most one tile. Zones are numbered row by row from the upper
    /// left one, which is 0.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if there would be no zone, or a zone without a tile.
    pub fn new(size: Size, columns: u16, rows: u16) -> Result<Self, LayoutError> {
        if columns == 0 || rows == 0 {
            return Err(LayoutError::NoZones { columns, rows });
        }
        let [across, down] = [size.width, size.height].map(|cells| cells.div_ceil(Tile::SIDE));
        if columns > across || rows > down {
            return Err(LayoutError::TooMany {
                columns,
                rows,
                across,
                down,
            });
        }
        let mut zones = Vec::new();
        for (top, bottom) in spans(rows, down) {
            for (left, right) in spans(columns, across) {
                let area = Area::new(Cell::new(left, top), Cell::new(right, bottom));
                zones.push((ZoneId(zones.len() as u16), area));
            }
        }
        Ok(Self { zones })
    }

    /// Returns the number of zones.
    pub const fn len(&self) -> u16 {
        self.zones.len() as u16
    }

    /// Returns `false`: a layout has at least one zone.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Returns all zones, in order.
    pub fn zones(&self) -> impl Iterator<Item = ZoneId> + '_ {
        self.zones.iter().map(|&(zone, _)| zone)
    }

    /// Returns all zones but one, in order.
    pub(crate) fn others(&self, zone: ZoneId) -> Vec<ZoneId> {
        self.zones().filter(|&other| other != zone).collect()
    }

    /// Returns the rectangle of a zone, which applies to every floor. `None` if there is no such
    /// zone.
    ///
    /// Rectangles at the edge of the world reach to the end of the coordinate range.
    pub fn area(&self, zone: ZoneId) -> Option<Area> {
        Some(self.zones[self.place(zone)?].1)
    }

    /// Returns the zone of a cell on any floor. Cells beyond the map belong to the zones at its
    /// edge.
    ///
    /// O(zones).
    pub fn zone_of(&self, cell: Cell) -> ZoneId {
        let mut zones = self.zones.iter();
        let found = zones.find(|&&(_, area)| has(area, cell));
        // The rectangles cover all coordinates.
        found.map_or(ZoneId(0), |&(zone, _)| zone)
    }

    /// Cuts a zone in two. Returns the new layout and the id of the new zone, which is the lowest
    /// free one.
    ///
    /// # Errors
    ///
    /// [`LayoutError::NoZone`], [`LayoutError::NoCut`].
    pub fn split(&self, zone: ZoneId, cut: Cut) -> Result<(Self, ZoneId), LayoutError> {
        let place = self.place(zone).ok_or(LayoutError::NoZone(zone))?;
        let area = self.zones[place].1;
        let (first, last) = (area.first(), area.last());
        let (begins, at, above, below) = match cut {
            Cut::Column(x) => (
                first.x,
                x,
                Cell::new(x.saturating_sub(1), last.y),
                Cell::new(x, first.y),
            ),
            Cut::Row(y) => (
                first.y,
                y,
                Cell::new(last.x, y.saturating_sub(1)),
                Cell::new(first.x, y),
            ),
        };
        if at <= begins || !has(area, below) || !at.is_multiple_of(Tile::SIDE) {
            return Err(LayoutError::NoCut { zone, at });
        }
        let (old, new) = (Area::new(first, above), Area::new(below, last));
        let free = (0..u16::MAX)
            .map(ZoneId)
            .find(|&free| self.place(free).is_none());
        let free = free.unwrap_or(ZoneId(u16::MAX));
        let mut zones = self.zones.clone();
        zones[place].1 = old;
        zones.push((free, new));
        zones.sort_unstable_by_key(|&(zone, _)| zone);
        Ok((Self { zones }, free))
    }

    /// Merges a zone into another one and returns the new layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError::NoZone`], [`LayoutError::NoRectangle`].
    pub fn merge(&self, zone: ZoneId, into: ZoneId) -> Result<Self, LayoutError> {
        let gone = self.place(zone).ok_or(LayoutError::NoZone(zone))?;
        let whole = self.place(into).ok_or(LayoutError::NoZone(into))?;
        let (one, other) = (self.zones[gone].1, self.zones[whole].1);
        let first = Cell::new(
            one.first().x.min(other.first().x),
            one.first().y.min(other.first().y),
        );
        let last = Cell::new(
            one.last().x.max(other.last().x),
            one.last().y.max(other.last().y),
        );
        let both = Area::new(first, last);
        if zone == into || count(both) != count(one) + count(other) {
            return Err(LayoutError::NoRectangle(zone, into));
        }
        let mut zones = self.zones.clone();
        zones[whole].1 = both;
        zones.remove(gone);
        Ok(Self { zones })
    }

    fn place(&self, zone: ZoneId) -> Option<usize> {
        self.zones
            .binary_search_by_key(&zone, |&(zone, _)| zone)
            .ok()
    }
}

/// Zone, its first column and row, and its last column and row.
type Corners = (ZoneId, (u16, u16), (u16, u16));

impl TryFrom<Vec<Corners>> for ZoneLayout {
    type Error = LayoutError;

    fn try_from(corners: Vec<Corners>) -> Result<Self, LayoutError> {
        let mut zones: Vec<(ZoneId, Area)> = Vec::new();
        let mut cells = 0;
        for (zone, (left, top), (right, bottom)) in corners {
            let area = Area::new(Cell::new(left, top), Cell::new(right, bottom));
            let overlaps = (zones.iter()).any(|&(other, there)| other == zone || there.meets(area));
            if overlaps || !is_along_tiles(area) {
                return Err(LayoutError::NotCovered);
            }
            cells += count(area);
            zones.push((zone, area));
        }
        if cells != 1 << 32 {
            return Err(LayoutError::NotCovered);
        }
        zones.sort_unstable_by_key(|&(zone, _)| zone);
        Ok(Self { zones })
    }
}

impl From<ZoneLayout> for Vec<Corners> {
    fn from(layout: ZoneLayout) -> Self {
        let mut corners = Vec::new();
        for (zone, area) in layout.zones {
            let (first, last) = (area.first(), area.last());
            corners.push((zone, (first.x, first.y), (last.x, last.y)));
        }
        corners
    }
}

/// Distances between an area, a zone and the other zones.
impl ZoneLayout {
    /// Returns whether an area is at most `cells` columns and rows away from a zone.
    pub(crate) fn is_near(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_some_and(|own| {
            let mut both = sides(area).into_iter().zip(sides(own));
            both.all(|((first, last), (own_first, own_last))| {
                first <= own_last.saturating_add(cells) && own_first <= last.saturating_add(cells)
            })
        })
    }

    /// Returns whether an area is at most `cells` columns and rows away from any zone but `zone`.
    pub(crate) fn is_near_others(&self, zone: ZoneId, area: Area, cells: u16) -> bool {
        self.area(zone).is_none_or(|own| {
            let mut both = sides(area).into_iter().zip(sides(own));
            both.any(|((first, last), (own_first, own_last))| {
                let is_inside = (own_first == 0 || own_first.saturating_add(cells) <= first)
                    && (own_last == u16::MAX || last.saturating_add(cells) <= own_last);
                !is_inside
            })
        })
    }
}

/// Returns the first and last column of an area, and its first and last row.
const fn sides(area: Area) -> [(u16, u16); 2] {
    let (first, last) = (area.first(), area.last());
    [(first.x, last.x), (first.y, last.y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16, columns: u16, rows: u16) -> Result<ZoneLayout, LayoutError> {
        let size = Size::new(width, height);
        ZoneLayout::new(size, columns, rows)
    }

    fn four() -> ZoneLayout {
        layout(300, 200, 2, 2).expect("five by four tiles")
    }

    #[test]
    fn cut_along_tiles() {
        let layout = four();
        assert_eq!(layout.len(), 4);
        let zone = |x, y| layout.zone_of(Cell::new(x, y)).0;
        assert_eq!([zone(0, 0), zone(127, 127), zone(128, 127)], [0, 0, 1]);
        assert_eq!([zone(127, 128), zone(299, 199)], [2, 3]);
    }

    #[test]
    fn cells_beyond_the_map() {
        assert_eq!(four().zone_of(Cell::new(u16::MAX, u16::MAX)), ZoneId(3));
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

    #[test]
    fn split_and_merged() {
        let (split, new) = four()
            .split(ZoneId(1), Cut::Row(64))
            .expect("two tiles high");
        assert_eq!(new, ZoneId(4));
        let zone = |layout: &ZoneLayout, x, y| layout.zone_of(Cell::new(x, y)).0;
        assert_eq!([zone(&split, 200, 63), zone(&split, 200, 64)], [1, 4]);
        assert_eq!(split.merge(new, ZoneId(1)), Ok(four()));
        // The merge works in either direction.
        let merged = split.merge(ZoneId(1), new).expect("they were one");
        assert_eq!([zone(&merged, 200, 63), zone(&merged, 200, 64)], [4, 4]);
        let (split, lowest) = merged.split(ZoneId(4), Cut::Column(192)).expect("a cut");
        assert_eq!((lowest, split.len()), (ZoneId(1), 5));
    }

    #[test]
    fn only_rectangles() {
        let layout = four();
        for cut in [Cut::Row(0), Cut::Row(70), Cut::Row(128), Cut::Column(64)] {
            let at = match cut {
                Cut::Row(at) | Cut::Column(at) => at,
            };
            let refused = layout.split(ZoneId(1), cut);
            let zone = ZoneId(1);
            assert_eq!(
                refused.err(),
                Some(LayoutError::NoCut { zone, at }),
                "{cut:?}"
            );
        }
        let diagonal = LayoutError::NoRectangle(ZoneId(0), ZoneId(3));
        assert_eq!(layout.merge(ZoneId(0), ZoneId(3)), Err(diagonal));
        let none = LayoutError::NoZone(ZoneId(9));
        assert_eq!(layout.merge(ZoneId(9), ZoneId(3)), Err(none));
    }

    #[test]
    fn incomplete_layout() {
        let layout = four();
        let corners: Vec<Corners> = layout.clone().into();
        assert_eq!(ZoneLayout::try_from(corners.clone()), Ok(layout));
        assert_eq!(
            ZoneLayout::try_from(corners[1..].to_vec()),
            Err(LayoutError::NotCovered)
        );
        let mut twice = corners.clone();
        (twice[1].1, twice[1].2) = (corners[0].1, corners[0].2);
        assert_eq!(ZoneLayout::try_from(twice), Err(LayoutError::NotCovered));
    }

    #[test]
    fn area_of_a_zone() {
        let layout = four();
        for zone in layout.zones() {
            let area = layout.area(zone).expect("a zone of the layout");
            let (first, last) = (area.first(), area.last());
            assert_eq!((layout.zone_of(first), layout.zone_of(last)), (zone, zone));
        }
        let last = layout.area(ZoneId(3)).map(Area::last);
        assert_eq!(last, Some(Cell::new(u16::MAX, u16::MAX)));
        assert_eq!(layout.area(ZoneId(4)), None);
    }
}
