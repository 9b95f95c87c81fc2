//! How a world is cut into zones: rectangles along tiles.

use nav_grid::{Cell, Size, map::Tile};
use serde::{Deserialize, Serialize};

/// The number of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ZoneId(pub u16);

/// How a world is cut into zones: rectangles along tiles of 64×64 cells, which cover it without overlap. Every map of
/// the world, and each of its floors, is cut alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(ZoneId, ZoneArea)>", into = "Vec<(ZoneId, ZoneArea)>")]
pub struct ZoneLayout {
    /// In the order of zones.
    zones: Vec<(ZoneId, ZoneArea)>,
}

/// The rectangle of a zone, in cells. That of a zone at the right or lower edge of the world has no end there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneArea {
    /// The first column and row.
    pub first: (u16, u16),
    /// The column and the row after the last ones; none where it has no end.
    pub end: (Option<u16>, Option<u16>),
}

/// Why a world is not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// There is no such zone.
    #[error("there is no zone {}", .0.0)]
    NoZone(ZoneId),
    /// A zone is not cut there.
    #[error("zone {} is not cut at {at}: a cut is inside of it, at a multiple of 64", zone.0)]
    NoCut {
        /// The zone.
        zone: ZoneId,
        /// The column or row.
        at: u16,
    },
    /// Two zones are no rectangle together.
    #[error("zones {} and {} are no rectangle together", .0.0, .1.0)]
    NoRectangle(ZoneId, ZoneId),
    /// Rectangles leave cells out, overlap, or do not lie along tiles.
    #[error("the rectangles of zones do not cover the world along its tiles, each cell once")]
    NotCovered,
}

/// Along what a zone is cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Left and right of a column, which is the first one of the new zone.
    Column(u16),
    /// Above and below a row, which is the first one of the new zone.
    Row(u16),
}

/// Where an area without an end ends: beyond every map.
const BEYOND: u32 = 1 << 16;

impl ZoneArea {
    fn ends(&self) -> (u32, u32) {
        let end = |end: Option<u16>| end.map_or(BEYOND, u32::from);
        (end(self.end.0), end(self.end.1))
    }

    /// Whether a cell is in it, on whichever floor.
    pub fn contains(&self, cell: Cell) -> bool {
        let (across, down) = self.ends();
        (u32::from(self.first.0)..across).contains(&cell.x.into())
            && (u32::from(self.first.1)..down).contains(&cell.y.into())
    }

    /// How many columns or rows a cell is outside of it, the larger of both; 0 for those in it.
    pub fn away(&self, cell: Cell) -> u16 {
        let (across, down) = self.ends();
        let outside = |first: u16, end: u32, at: u16| {
            let before = u32::from(first.saturating_sub(at));
            before.max((u32::from(at) + 1).saturating_sub(end))
        };
        let columns = outside(self.first.0, across, cell.x);
        columns.max(outside(self.first.1, down, cell.y)) as u16
    }

    fn cells(&self) -> u64 {
        let (across, down) = self.ends();
        let side = |first: u16, end: u32| u64::from(end.saturating_sub(first.into()));
        side(self.first.0, across) * side(self.first.1, down)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (own, others) = (self.ends(), other.ends());
        u32::from(self.first.0) < others.0
            && u32::from(other.first.0) < own.0
            && u32::from(self.first.1) < others.1
            && u32::from(other.first.1) < own.1
    }

    fn is_along_tiles(&self) -> bool {
        let corners = [
            Some(self.first.0),
            Some(self.first.1),
            self.end.0,
            self.end.1,
        ];
        let mut corners = corners.into_iter().flatten();
        corners.all(|at| at.is_multiple_of(Tile::SIDE))
    }
}

impl ZoneLayout {
    /// Cuts a world whose largest map has this size into so many zones in a row and in a column, which differ by a
    /// tile at most along either side. They are numbered row by row from the upper left one, which is 0.
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
        let cut = |place: u16, zones: u16, tiles: u16| {
            let first_tile = u32::from(place) * u32::from(tiles) / u32::from(zones);
            first_tile as u16 * Tile::SIDE
        };
        let end = |place: u16, zones: u16, tiles: u16| {
            (place + 1 < zones).then(|| cut(place + 1, zones, tiles))
        };
        let zones = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let area = |(column, row)| ZoneArea {
            first: (cut(column, columns, across), cut(row, rows, down)),
            end: (end(column, columns, across), end(row, rows, down)),
        };
        Ok(Self {
            zones: (0..).map(ZoneId).zip(zones.map(area)).collect(),
        })
    }

    /// How many zones there are.
    pub const fn len(&self) -> u16 {
        self.zones.len() as u16
    }

    /// Never: there is at least one zone.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// All zones, in order.
    pub fn zones(&self) -> impl Iterator<Item = ZoneId> + '_ {
        self.zones.iter().map(|&(zone, _)| zone)
    }

    /// All zones but one, in order.
    pub(crate) fn others(&self, zone: ZoneId) -> Vec<ZoneId> {
        self.zones().filter(|&other| other != zone).collect()
    }

    /// The rectangle of a zone.
    pub fn area(&self, zone: ZoneId) -> Option<ZoneArea> {
        Some(self.zones[self.place(zone)?].1)
    }

    /// The zone of a cell, on whichever floor. Cells beyond the map belong to the zones at its edge.
    pub fn zone_of(&self, cell: Cell) -> ZoneId {
        let mut zones = self.zones.iter();
        let found = zones.find(|(_, area)| area.contains(cell));
        // They cover everything.
        found.map_or(ZoneId(0), |&(zone, _)| zone)
    }

    /// The layout in which a zone is cut in two, and the new one of both, which gets the lowest number that is free.
    ///
    /// # Errors
    ///
    /// [`LayoutError::NoZone`]; [`LayoutError::NoCut`].
    pub fn split(&self, zone: ZoneId, cut: Cut) -> Result<(Self, ZoneId), LayoutError> {
        let place = self.place(zone).ok_or(LayoutError::NoZone(zone))?;
        let area = self.zones[place].1;
        let (mut old, mut new) = (area, area);
        let (is_inside, at) = match cut {
            Cut::Column(at) => {
                (old.end.0, new.first.0) = (Some(at), at);
                (area.first.0 < at && u32::from(at) < area.ends().0, at)
            }
            Cut::Row(at) => {
                (old.end.1, new.first.1) = (Some(at), at);
                (area.first.1 < at && u32::from(at) < area.ends().1, at)
            }
        };
        if !is_inside || !at.is_multiple_of(Tile::SIDE) {
            return Err(LayoutError::NoCut { zone, at });
        }
        let free = (0..).map(ZoneId).find(|&free| self.place(free).is_none());
        let free = free.unwrap_or(ZoneId(u16::MAX));
        let mut zones = self.zones.clone();
        zones[place].1 = old;
        zones.push((free, new));
        zones.sort_unstable_by_key(|&(zone, _)| zone);
        Ok((Self { zones }, free))
    }

    /// The layout in which a zone is part of another one.
    ///
    /// # Errors
    ///
    /// [`LayoutError::NoZone`]; [`LayoutError::NoRectangle`].
    pub fn merge(&self, zone: ZoneId, into: ZoneId) -> Result<Self, LayoutError> {
        let place = |zone| self.place(zone).ok_or(LayoutError::NoZone(zone));
        let (gone, whole) = (place(zone)?, place(into)?);
        let (one, other) = (self.zones[gone].1, self.zones[whole].1);
        let first = |one: (u16, u16), other: (u16, u16)| (one.0.min(other.0), one.1.min(other.1));
        let end = |one: Option<u16>, other: Option<u16>| {
            one.zip(other).map(|(one, other)| one.max(other))
        };
        let both = ZoneArea {
            first: first(one.first, other.first),
            end: (end(one.end.0, other.end.0), end(one.end.1, other.end.1)),
        };
        if zone == into || both.cells() != one.cells() + other.cells() {
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

impl TryFrom<Vec<(ZoneId, ZoneArea)>> for ZoneLayout {
    type Error = LayoutError;

    fn try_from(mut zones: Vec<(ZoneId, ZoneArea)>) -> Result<Self, LayoutError> {
        zones.sort_unstable_by_key(|&(zone, _)| zone);
        let is_twice = zones.windows(2).any(|two| two[0].0 == two[1].0);
        let are_along_tiles = zones.iter().all(|(_, area)| area.is_along_tiles());
        let areas = || zones.iter().map(|(_, area)| area);
        let overlap = |(place, one): (usize, &ZoneArea)| {
            areas().skip(place + 1).any(|other| one.overlaps(other))
        };
        let cells: u64 = areas().map(ZoneArea::cells).sum();
        let is_whole = cells == u64::from(BEYOND) * u64::from(BEYOND);
        if is_twice || !are_along_tiles || !is_whole || areas().enumerate().any(overlap) {
            return Err(LayoutError::NotCovered);
        }
        Ok(Self { zones })
    }
}

impl From<ZoneLayout> for Vec<(ZoneId, ZoneArea)> {
    fn from(layout: ZoneLayout) -> Self {
        layout.zones
    }
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
    fn zones_are_cut_along_tiles_row_by_row() {
        let layout = four();
        assert_eq!(layout.len(), 4);
        let zone = |x, y| layout.zone_of(Cell::new(x, y)).0;
        assert_eq!([zone(0, 0), zone(127, 127), zone(128, 127)], [0, 0, 1]);
        assert_eq!([zone(127, 128), zone(299, 199)], [2, 3]);
    }

    #[test]
    fn cells_beyond_the_map_belong_to_a_zone_too() {
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
    fn a_zone_that_was_split_can_be_merged_again() {
        let (split, new) = four()
            .split(ZoneId(1), Cut::Row(64))
            .expect("two tiles high");
        assert_eq!(new, ZoneId(4));
        let zone = |layout: &ZoneLayout, x, y| layout.zone_of(Cell::new(x, y)).0;
        assert_eq!([zone(&split, 200, 63), zone(&split, 200, 64)], [1, 4]);
        assert_eq!(split.merge(new, ZoneId(1)), Ok(four()));
        // Into the other one just as well.
        let merged = split.merge(ZoneId(1), new).expect("they were one");
        assert_eq!([zone(&merged, 200, 63), zone(&merged, 200, 64)], [4, 4]);
        let (split, lowest) = merged.split(ZoneId(4), Cut::Column(192)).expect("a cut");
        assert_eq!((lowest, split.len()), (ZoneId(1), 5));
    }

    #[test]
    fn cuts_and_merges_that_leave_no_rectangles_are_refused() {
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
    fn a_layout_that_leaves_cells_out_is_not_read() {
        let layout = four();
        let areas: Vec<(ZoneId, ZoneArea)> = layout.clone().into();
        assert_eq!(ZoneLayout::try_from(areas.clone()), Ok(layout));
        assert_eq!(
            ZoneLayout::try_from(areas[1..].to_vec()),
            Err(LayoutError::NotCovered)
        );
        let mut twice = areas.clone();
        twice[1].1 = areas[0].1;
        assert_eq!(ZoneLayout::try_from(twice), Err(LayoutError::NotCovered));
    }

    #[test]
    fn a_zone_says_how_far_away_a_cell_is() {
        let area = four().area(ZoneId(0)).expect("it is there");
        let away = |x, y| area.away(Cell::new(x, y));
        assert_eq!([away(0, 0), away(127, 127), away(128, 0)], [0, 0, 1]);
        assert_eq!(away(130, 160), 33);
        let area = four().area(ZoneId(3)).expect("it is there");
        assert_eq!(
            [
                area.away(Cell::new(100, 190)),
                area.away(Cell::new(900, 190))
            ],
            [28, 0]
        );
    }
}
