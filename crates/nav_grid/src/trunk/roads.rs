//! The prepared data: roads as a graph of crossings.

use super::build::Builder;
use crate::{
    BodyPolicy, BoundedAStar, Cell, Cost, Grid, Limits, Path, Query, Rules, Search, Size, Status,
};

/// The main roads of a map as a graph, for [`TrunkSearch`](super::TrunkSearch).
///
/// Roads are cells, marked by whoever knows the map. Where two of them are one step apart that
/// can be taken both ways, the road goes on. Cells with two such neighbours make up *stretches*
/// between the others, the *crossings*. Links from road to road belong to it, too. So roads one
/// cell wide, like those of [`TrunkRoads::along`], make the smallest graph; on wider ones every
/// cell is a crossing, which takes more time and changes nothing else.
///
/// # Edits
///
/// Roads are of one [version](Grid::version) of their map. After edits, [`TrunkRoads::repair`]
/// makes the graph anew from the marked cells; until then searches answer
/// [`Feature::Preparation`](crate::Feature::Preparation).
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
///     Cell, Charts, Grid, Limits, Path, Query, Rules, Search, Status, TrunkRoads, TrunkSearch,
/// };
///
/// let grid = Grid::open(500, 500)?;
/// let road = vec![Cell::new(10, 40), Cell::new(400, 40), Cell::new(400, 480)];
/// let roads = TrunkRoads::along(&grid, Rules::default(), [road])?;
/// assert_eq!(roads.cell_count(), 831);
///
/// let mut charts = Charts::default();
/// charts.trunk = Some(roads);
/// let query = Query::new(Cell::new(20, 30), Cell::new(410, 470)).with_limits(Limits::UNBOUNDED);
/// let mut path = Path::new();
/// let outcome = TrunkSearch::new().search(grid.with_charts(&charts), &query, &mut path);
/// assert_eq!(outcome.status, Status::Found);
/// assert!(path.iter().any(|cell| cell == Cell::new(300, 40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrunkRoads {
    pub(super) size: Size,
    pub(super) rules: Rules,
    pub(super) version: u64,
    /// What was marked, in reading order.
    pub(super) marked: Vec<Cell>,
    /// By marked cell: its place in the graph.
    pub(super) places: Vec<Place>,
    /// By number of a cell of the map: whether it has a place.
    pub(super) bits: Vec<u64>,
    pub(super) crossings: Vec<Cell>,
    /// By crossing: where its ways begin; one more at the end.
    pub(super) first_ways: Vec<u32>,
    pub(super) ways: Vec<Way>,
    pub(super) stretches: Vec<Stretch>,
    /// The cells of all stretches, one after the other.
    pub(super) stops: Vec<Stop>,
}

/// Where on the roads a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A body does not fit there.
    Nowhere,
    /// This crossing.
    Crossing(u32),
    /// On a stretch, at this stop.
    Stop { stretch: u32, stop: u32 },
}

/// A way out of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The crossing it leads to.
    pub(super) to: u32,
    pub(super) cost: Cost,
    /// The stretch, and whether it is walked from its end to its begin; `None` for a single
    /// step or link.
    pub(super) stretch: Option<(u32, bool)>,
}

/// A road from one crossing to another, or back to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Its stops, both crossings included.
    pub(super) begin: u32,
    pub(super) end: u32,
    /// The cells that span the rectangle around it.
    pub(super) corners: (Cell, Cell),
}

/// A cell of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) cell: Cell,
    /// What it costs to get here from the first stop.
    pub(super) ahead: u64,
    /// What it costs to get from here to the first stop.
    pub(super) back: u64,
}

/// Two corners of a line of road have no way between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead from {from} to {to}: {status}; corners must have a way between them")]
pub struct RoadError {
    /// The corner that the road came to.
    pub from: Cell,
    /// The next one.
    pub to: Cell,
    /// What a search over the whole map answered.
    pub status: Status,
}

impl TrunkRoads {
    /// Roads of marked cells, for walkers of these rules. [`Rules::bodies`] does not matter.
    /// Marks outside the map and where the body does not fit count for nothing, until an edit
    /// makes room there.
    ///
    /// To take all ground of the least cost for roads, mark
    /// `grid.walkable_cells().filter(|&cell| grid.cost(cell) == 1)`.
    ///
    /// # Complexity
    ///
    /// O(n log n) in the marked cells, and a bit for each cell of the map.
    pub fn new(grid: &Grid, rules: Rules, marked: impl IntoIterator<Item = Cell>) -> Self {
        let rules = rules.with_bodies(BodyPolicy::Ignore);
        let mut marked: Vec<Cell> = marked.into_iter().collect();
        marked.sort_unstable();
        marked.dedup();
        Builder::new(grid, rules, marked).finish()
    }

    /// Roads along lines from corner to corner; between two corners they take a cheapest way.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first two corners without a way between them.
    ///
    /// # Complexity
    ///
    /// A search over the whole map for each piece of a line.
    pub fn along<L: IntoIterator<Item = Cell>>(
        grid: &Grid,
        rules: Rules,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<Self, RoadError> {
        let rules = rules.with_bodies(BodyPolicy::Ignore);
        let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
        let mut marked = Vec::new();
        for line in lines {
            let mut before = None;
            for to in line {
                let from = before.replace(to).unwrap_or(to);
                let query = Query::new(from, to)
                    .with_rules(rules)
                    .with_limits(Limits::UNBOUNDED);
                let status = astar.search(grid, &query, &mut path).status;
                if !matches!(status, Status::Found | Status::AlreadyThere) {
                    return Err(RoadError { from, to, status });
                }
                marked.push(to);
                marked.extend(path.iter());
            }
        }
        Ok(Self::new(grid, rules, marked))
    }

    /// Brings the roads up to date with their map, as if they were made anew from the marked
    /// cells, and returns whether there was anything to do.
    ///
    /// # Complexity
    ///
    /// That of [`TrunkRoads::new`].
    pub fn repair(&mut self, grid: &Grid) -> bool {
        if (self.size, self.version) == (grid.size(), grid.version()) {
            return false;
        }
        let marked = std::mem::take(&mut self.marked);
        *self = Builder::new(grid, self.rules, marked).finish();
        true
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
        places.filter(|&&place| place != Place::Nowhere).count()
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
            + size_of_val(&*self.stretches)
            + size_of_val(&*self.stops)
    }

    /// Whether they say how things are for a walker on a map now.
    pub(super) fn is_of(&self, grid: &Grid, rules: Rules) -> bool {
        self.size == grid.size()
            && self.version == grid.version()
            && self.rules == rules.with_bodies(BodyPolicy::Ignore)
    }

    /// Whether a cell of the map is one of a road.
    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        let index = self.size.index(cell);
        let word = self.bits.get(index / 64).copied().unwrap_or(0);
        word >> (index % 64) & 1 == 1
    }

    /// Where on the roads a cell is.
    pub(super) fn place(&self, cell: Cell) -> Place {
        let found = self.marked.binary_search(&cell).ok();
        found
            .and_then(|index| self.places.get(index).copied())
            .unwrap_or(Place::Nowhere)
    }

    /// The ways out of a crossing, with their numbers.
    pub(super) fn ways_from(&self, crossing: u32) -> impl Iterator<Item = (u32, Way)> + '_ {
        let at = crossing as usize;
        let range = match self.first_ways.get(at..at + 2) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        };
        range.filter_map(|number| Some((number, *self.ways.get(number as usize)?)))
    }

    /// The stops of a stretch.
    pub(super) fn stops_of(&self, stretch: Stretch) -> &[Stop] {
        let range = stretch.begin as usize..stretch.end as usize;
        self.stops.get(range).unwrap_or_default()
    }
}
