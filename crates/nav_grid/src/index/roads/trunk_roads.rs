//! The prepared data: roads as a graph of crossings.

use crate::{
    cell::Cell,
    map::{Grid, Size},
    rules::{BodyPolicy, Cost, Rules},
};

/// The main roads of a map as a graph, for [`TrunkSearch`](crate::methods::TrunkSearch).
///
/// Roads are cells, marked by whoever knows the map. Where two of them are one step apart that
/// can be taken both ways, the road goes on. Cells with two such neighbours make up *segments*
/// between the others, the *crossings*. Links from road to road belong to it, too. So roads one
/// cell wide, like those of [`road_cells_along`](crate::methods::road_cells_along), make the smallest graph; on wider ones every
/// cell is a crossing, which takes more time and changes nothing else.
///
/// # Edits
///
/// Roads are of one [version](Grid::version) of their map. After edits,
/// [`IndexedMap::repair`](crate::IndexedMap::repair) makes the graph anew from the marked cells; until then searches answer
/// [`Feature::Preparation`](crate::query::Feature::Preparation).
///
/// # Memory
///
/// A bit a cell of the map, and for each cell of road some 40 bytes, or up to 230 if it is a
/// crossing.
///
/// # Example
///
/// ```
/// use nav_grid::{
///     Cell, Grid, IndexedMap, Limits, Path, PathQuery, Rules, Search, Status,
///     methods::{TrunkSearch, road_cells_along},
/// };
///
/// let grid = Grid::open(500, 500)?;
/// let corners = vec![Cell::new(10, 40), Cell::new(400, 40), Cell::new(400, 480)];
/// let road = road_cells_along(&grid, Rules::default(), [corners])?;
/// let mut map = IndexedMap::new(grid);
/// map.insert_roads(Rules::default(), road)?;
/// assert_eq!(map.roads().map(|roads| roads.cell_count()), Some(831));
///
/// let query = PathQuery::new(Cell::new(20, 30), Cell::new(410, 470)).with_limits(Limits::UNBOUNDED);
/// let mut path = Path::new();
/// let outcome = TrunkSearch::new().search(&map, &query, &mut path);
/// assert_eq!(outcome.status, Status::Found);
/// assert!(path.iter().any(|cell| cell == Cell::new(300, 40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrunkRoads {
    pub(crate) size: Size,
    pub(crate) rules: Rules,
    pub(crate) version: u64,
    /// What was marked, in reading order.
    pub(crate) marked: Vec<Cell>,
    /// By marked cell: its place in the graph.
    pub(crate) places: Vec<RoadPlace>,
    /// By number of a cell of the map: whether it has a place.
    pub(crate) bits: Vec<u64>,
    pub(crate) crossings: Vec<Cell>,
    /// By crossing: where its ways begin; one more at the end.
    pub(crate) first_ways: Vec<u32>,
    pub(crate) ways: Vec<RoadEdge>,
    pub(crate) segments: Vec<RoadSegment>,
    /// The cells of all segments, one after the other.
    pub(crate) stops: Vec<RoadStop>,
}

/// Where on the roads a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoadPlace {
    /// A body does not fit there.
    Nowhere,
    /// This crossing.
    Crossing(u32),
    /// On a segment, at this stop.
    Stop { segment: u32, stop: u32 },
}

/// A way out of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadEdge {
    /// The crossing it leads to.
    pub(crate) to: u32,
    pub(crate) cost: Cost,
    /// The segment, and whether it is walked from its end to its begin; `None` for a single
    /// step or link.
    pub(crate) segment: Option<(u32, bool)>,
}

/// A road from one crossing to another, or back to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadSegment {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Its stops, both crossings included.
    pub(crate) begin: u32,
    pub(crate) end: u32,
    /// The cells that span the rectangle around it.
    pub(crate) corners: (Cell, Cell),
}

/// A cell of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadStop {
    pub(crate) cell: Cell,
    /// What it costs to get here from the first stop.
    pub(crate) ahead: u64,
    /// What it costs to get from here to the first stop.
    pub(crate) back: u64,
}

impl TrunkRoads {
    /// The cells that were marked, in reading order, also those where a body does not fit now.
    pub fn marked_cells(&self) -> &[Cell] {
        &self.marked
    }

    /// The rules of the walkers that they are for.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The [version](Grid::version) of the map that they are of.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// How many cells they have.
    pub fn cell_count(&self) -> usize {
        let places = self.places.iter();
        places.filter(|&&place| place != RoadPlace::Nowhere).count()
    }

    /// How many crossings there are: the fewer, the less a search has to look at.
    pub fn crossing_count(&self) -> usize {
        self.crossings.len()
    }

    /// Bytes that they keep on the heap.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.marked)
            + size_of_val(&*self.places)
            + size_of_val(&*self.bits)
            + size_of_val(&*self.crossings)
            + size_of_val(&*self.first_ways)
            + size_of_val(&*self.ways)
            + size_of_val(&*self.segments)
            + size_of_val(&*self.stops)
    }

    /// Whether they say how things are for a walker on a map now.
    pub(crate) fn is_of(&self, grid: &Grid, rules: Rules) -> bool {
        self.size == grid.size()
            && self.version == grid.version()
            && self.rules == rules.with_bodies(BodyPolicy::Ignore)
    }

    /// Whether a cell of the map is one of a road.
    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        let index = self.size.index(cell);
        let word = self.bits.get(index / 64).copied().unwrap_or(0);
        word >> (index % 64) & 1 == 1
    }

    /// Where on the roads a cell is.
    pub(crate) fn place(&self, cell: Cell) -> RoadPlace {
        let found = self.marked.binary_search(&cell).ok();
        found
            .and_then(|index| self.places.get(index).copied())
            .unwrap_or(RoadPlace::Nowhere)
    }

    /// The ways out of a crossing, with their numbers.
    pub(crate) fn ways_from(&self, crossing: u32) -> impl Iterator<Item = (u32, RoadEdge)> + '_ {
        let at = crossing as usize;
        let range = match self.first_ways.get(at..at + 2) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        };
        range.filter_map(|number| Some((number, *self.ways.get(number as usize)?)))
    }

    /// The stops of a segment.
    pub(crate) fn stops_of(&self, segment: RoadSegment) -> &[RoadStop] {
        let range = segment.begin as usize..segment.end as usize;
        self.stops.get(range).unwrap_or_default()
    }
}
