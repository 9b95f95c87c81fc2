//! The graph of roads: crossings, and segments between them.

use crate::{
    cell::Cell,
    map::{Grid, Size},
    rules::{BodyPolicy, Cost, Rules},
};

/// The main roads of a map as a graph, for [`TrunkSearch`](crate::methods::TrunkSearch).
///
/// Roads are marked cells. A road continues between two road cells that are one step apart, if the
/// step can be taken both ways. Cells with two such neighbours form *segments* between the other
/// cells, the *crossings*. Links from road to road belong to the graph, too.
///
/// Roads one cell wide, as from [`road_cells_along`](crate::methods::road_cells_along), make the
/// smallest graph. On wider roads every cell is a crossing, which takes more time and changes
/// nothing else.
///
/// # Edits
///
/// Roads describe one [version](Grid::version) of their map. After edits,
/// [`IndexedMap::repair`](crate::IndexedMap::repair) builds the graph again from the marked cells.
/// Until then searches answer [`Feature::Preparation`](crate::query::Feature::Preparation).
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
    /// The marked cells, in reading order.
    pub(crate) marked: Vec<Cell>,
    /// By marked cell: its place in the graph.
    pub(crate) places: Vec<RoadPlace>,
    /// By number of a cell of the map: whether it is a road.
    pub(crate) bits: Vec<u64>,
    pub(crate) crossings: Vec<Cell>,
    /// By crossing: the number of its first way; one more at the end.
    pub(crate) first_ways: Vec<u32>,
    pub(crate) ways: Vec<RoadEdge>,
    pub(crate) segments: Vec<RoadSegment>,
    /// The cells of all segments, one after the other.
    pub(crate) stops: Vec<RoadStop>,
}

/// The place of a cell on the roads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoadPlace {
    /// A body does not fit there.
    Nowhere,
    Crossing(u32),
    /// A stop of a segment.
    Stop {
        segment: u32,
        stop: u32,
    },
}

/// A way out of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadEdge {
    /// The crossing at the other end.
    pub(crate) to: u32,
    pub(crate) cost: Cost,
    /// The segment, and whether it is walked backward; `None` for a single step or link.
    pub(crate) segment: Option<(u32, bool)>,
}

/// A road from one crossing to another, or back to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadSegment {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The range of its stops, both crossings included.
    pub(crate) begin: u32,
    pub(crate) end: u32,
    /// The corners of the rectangle around it.
    pub(crate) corners: (Cell, Cell),
}

/// A cell of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadStop {
    pub(crate) cell: Cell,
    /// The cost from the first stop to this one.
    pub(crate) ahead: u64,
    /// The cost from this stop to the first one.
    pub(crate) back: u64,
}

impl TrunkRoads {
    /// The marked cells, in reading order, including cells where a body does not fit now.
    #[doc(hidden)]
    pub fn marked_cells(&self) -> &[Cell] {
        &self.marked
    }

    /// The rules of the walkers.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The [version](Grid::version) of the map that they describe.
    #[doc(hidden)]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The number of road cells.
    #[doc(hidden)]
    pub fn cell_count(&self) -> usize {
        let places = self.places.iter();
        places.filter(|&&place| place != RoadPlace::Nowhere).count()
    }

    /// The number of crossings. Fewer make searches cheaper.
    #[doc(hidden)]
    pub fn crossing_count(&self) -> usize {
        self.crossings.len()
    }

    /// Bytes on the heap.
    #[doc(hidden)]
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

    /// Whether they describe the map as it is now, for a walker of these rules.
    pub(crate) fn is_of(&self, grid: &Grid, rules: Rules) -> bool {
        self.size == grid.size()
            && self.version == grid.version()
            && self.rules == rules.with_bodies(BodyPolicy::Ignore)
    }

    /// Whether a cell of the map is a road.
    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        let index = self.size.index(cell);
        let word = self.bits.get(index / 64).copied().unwrap_or(0);
        word >> (index % 64) & 1 == 1
    }

    /// The place of a cell on the roads.
    pub(crate) fn place(&self, cell: Cell) -> RoadPlace {
        let found = self.marked.binary_search(&cell);
        found.map_or(RoadPlace::Nowhere, |index| self.places[index])
    }

    /// The ways out of a crossing, with their numbers.
    pub(crate) fn ways_from(&self, crossing: u32) -> impl Iterator<Item = (u32, RoadEdge)> + '_ {
        let at = crossing as usize;
        let range = self.first_ways[at]..self.first_ways[at + 1];
        range.map(|number| (number, self.ways[number as usize]))
    }

    /// The stops of a segment.
    pub(crate) fn stops_of(&self, segment: RoadSegment) -> &[RoadStop] {
        &self.stops[segment.begin as usize..segment.end as usize]
    }
}
