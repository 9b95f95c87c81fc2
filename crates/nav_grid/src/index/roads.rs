//! The graph of roads: crossings, and segments between them.

use crate::{
    cell::{Cell, Direction, Directions},
    map::{Grid, Size},
    rules::{BodyPolicy, COST_MAX, Cost, Rules},
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
/// Some 40 bytes for each cell of road, or up to 260 if it is a crossing.
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
/// assert_eq!(map.indexes().roads().map(|roads| roads.cell_count()), Some(831));
///
/// let query = PathQuery::new(Cell::new(20, 30), Cell::new(410, 470));
/// let query = query.with_limits(Limits::UNBOUNDED);
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
    pub(crate) crossings: Vec<Cell>,
    /// In the order of the crossings that they leave.
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
    /// A road, as long as the graph is under construction.
    Unvisited,
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
    pub(crate) from: u32,
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

    /// Whether they describe the map as it is now, for a walker of these rules.
    pub(crate) fn is_of(&self, grid: &Grid, rules: Rules) -> bool {
        self.size == grid.size()
            && self.version == grid.version()
            && self.rules == rules.with_bodies(BodyPolicy::Ignore)
    }

    /// Whether a cell is a road.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.place(cell) != RoadPlace::Nowhere
    }

    /// The place of a cell on the roads.
    pub(crate) fn place(&self, cell: Cell) -> RoadPlace {
        let found = self.marked.binary_search(&cell);
        found.map_or(RoadPlace::Nowhere, |index| self.places[index])
    }

    /// The ways out of a crossing, with their numbers.
    pub(crate) fn ways_from(&self, crossing: u32) -> impl Iterator<Item = (u32, RoadEdge)> + '_ {
        let first = self.ways.partition_point(|way| way.from < crossing);
        let ways = (first as u32..).zip(self.ways[first..].iter().copied());
        ways.take_while(move |(_, way)| way.from == crossing)
    }

    /// The stops of a segment.
    pub(crate) fn stops_of(&self, segment: RoadSegment) -> &[RoadStop] {
        &self.stops[segment.begin as usize..segment.end as usize]
    }
}

/// A graph of roads under construction.
struct RoadBuilder<'a> {
    grid: &'a Grid,
    roads: TrunkRoads,
    /// By marked cell: the steps to road cells that can be taken both ways.
    steps: Vec<Directions>,
}

impl<'a> RoadBuilder<'a> {
    /// `marked` must be sorted.
    fn new(grid: &'a Grid, rules: Rules, marked: Vec<Cell>) -> Self {
        Self {
            grid,
            roads: TrunkRoads {
                size: grid.size(),
                rules,
                version: grid.version(),
                places: marked
                    .iter()
                    .map(|&cell| {
                        if grid.fits(cell, rules.footprint) {
                            RoadPlace::Unvisited
                        } else {
                            RoadPlace::Nowhere
                        }
                    })
                    .collect(),
                marked,
                crossings: Vec::new(),
                ways: Vec::new(),
                segments: Vec::new(),
                stops: Vec::new(),
            },
            steps: Vec::new(),
        }
    }

    fn finish(mut self) -> TrunkRoads {
        let marked = self.roads.marked.iter();
        self.steps = marked.map(|&cell| self.two_way(cell)).collect();
        for index in 0..self.steps.len() {
            let cell = self.roads.marked[index];
            // Links join crossings only, so a road cell with a link is a crossing.
            if self.roads.contains(cell) && (self.steps[index].len() != 2 || self.is_linked(cell)) {
                self.add_crossing(index);
            }
        }
        for crossing in 0..self.roads.crossings.len() as u32 {
            self.add_segments(crossing);
        }
        // The rest are rings without a crossing; each gets one.
        for index in 0..self.steps.len() {
            if self.roads.places[index] == RoadPlace::Unvisited {
                let crossing = self.add_crossing(index);
                self.add_segments(crossing);
            }
        }
        self.add_links();
        // Stable: ways out of the same crossing keep their order.
        self.roads.ways.sort_by_key(|way| way.from);
        self.roads
    }

    fn is_linked(&self, cell: Cell) -> bool {
        let mut from = self.grid.links_from(cell).iter();
        let mut to = self.grid.links_to(cell).iter();
        from.any(|link| self.roads.contains(link.to))
            || to.any(|link| self.roads.contains(link.from))
    }

    /// The steps from a road cell to other road cells from which a step leads back.
    fn two_way(&self, cell: Cell) -> Directions {
        if !self.roads.contains(cell) {
            return Directions::NONE;
        }
        let (grid, rules) = (self.grid, self.roads.rules);
        let two_way = grid.steps(cell, rules).into_iter().filter(|&direction| {
            let to = cell.step(direction).filter(|&to| self.roads.contains(to));
            to.is_some_and(|to| grid.steps(to, rules).contains(direction.opposite()))
        });
        two_way.collect()
    }

    fn add_crossing(&mut self, index: usize) -> u32 {
        let crossing = self.roads.crossings.len() as u32;
        self.roads.places[index] = RoadPlace::Crossing(crossing);
        self.roads.crossings.push(self.roads.marked[index]);
        crossing
    }

    /// Walks down every road from a crossing that was not walked from its other end.
    fn add_segments(&mut self, from: u32) {
        let first = self.roads.crossings[from as usize];
        let index = self.roads.marked.binary_search(&first).ok();
        for direction in index.map_or(Directions::NONE, |index| self.steps[index]) {
            let Some(second) = first.step(direction) else {
                continue;
            };
            match self.roads.place(second) {
                RoadPlace::Unvisited => self.add_segment(from, first, direction),
                // Side by side; the way back is added from there.
                RoadPlace::Crossing(to) => {
                    let cost = self.cost(first, direction);
                    self.add_way((from, to), cost.into(), None);
                }
                // Walked from its other end.
                RoadPlace::Stop { .. } | RoadPlace::Nowhere => {}
            }
        }
    }

    fn add_segment(&mut self, from: u32, first: Cell, mut direction: Direction) {
        let begin = self.roads.stops.len() as u32;
        let number = self.roads.segments.len() as u32;
        let mut stop = RoadStop {
            cell: first,
            ahead: 0,
            back: 0,
        };
        let mut corners = (first, first);
        self.roads.stops.push(stop);
        let to = loop {
            let Some(cell) = stop.cell.step(direction) else {
                return;
            };
            stop = RoadStop {
                cell,
                ahead: stop.ahead + u64::from(self.cost(stop.cell, direction)),
                back: stop.back + u64::from(self.cost(cell, direction.opposite())),
            };
            let (low, high) = corners;
            corners.0 = Cell::new(low.x.min(cell.x), low.y.min(cell.y)).on_floor(cell.floor);
            corners.1 = Cell::new(high.x.max(cell.x), high.y.max(cell.y)).on_floor(cell.floor);
            self.roads.stops.push(stop);
            let Ok(index) = self.roads.marked.binary_search(&cell) else {
                return;
            };
            if let RoadPlace::Crossing(to) = self.roads.places[index] {
                break to;
            }
            self.roads.places[index] = RoadPlace::Stop {
                segment: number,
                stop: self.roads.stops.len() as u32 - 1 - begin,
            };
            // A stop has two steps: one leads back, the other onward.
            let mut onward = self.steps[index].into_iter();
            match onward.find(|&onward| onward != direction.opposite()) {
                Some(onward) => direction = onward,
                None => return,
            }
        };
        self.roads.segments.push(RoadSegment {
            from,
            to,
            begin,
            end: self.roads.stops.len() as u32,
            corners,
        });
        self.add_way((from, to), stop.ahead, Some((number, false)));
        self.add_way((to, from), stop.back, Some((number, true)));
    }

    fn add_way(&mut self, (from, to): (u32, u32), cost: u64, segment: Option<(u32, bool)>) {
        let cost = Cost::try_from(cost).unwrap_or(Cost::MAX);
        let way = RoadEdge {
            from,
            to,
            cost,
            segment,
        };
        self.roads.ways.push(way);
    }

    fn cost(&self, from: Cell, direction: Direction) -> Cost {
        let cost = self.grid.step_cost(from, direction, self.roads.rules);
        cost.unwrap_or(COST_MAX)
    }

    fn add_links(&mut self) {
        for link in self.grid.links() {
            let ends = (self.roads.place(link.from), self.roads.place(link.to));
            if let (RoadPlace::Crossing(from), RoadPlace::Crossing(to)) = ends {
                // Exits may leave a cheaper step that is not part of a road, as none leads back.
                let cost = self.grid.move_cost(link.from, link.to, self.roads.rules);
                self.add_way((from, to), cost.unwrap_or(COST_MAX).into(), None);
            }
        }
    }
}

impl TrunkRoads {
    /// Roads of marked cells, for walkers of these rules, whose policy toward bodies does not
    /// matter. Marks where the body does not fit are ignored.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first mark outside the map.
    pub(crate) fn new(
        grid: &Grid,
        rules: Rules,
        marked: impl IntoIterator<Item = Cell>,
    ) -> Result<Self, RoadError> {
        let rules = rules.with_bodies(BodyPolicy::Ignore);
        let mut marked: Vec<Cell> = marked.into_iter().collect();
        marked.sort_unstable();
        marked.dedup();
        if let Some(&cell) = marked.iter().find(|&&cell| !grid.contains(cell)) {
            let size = grid.size();
            return Err(RoadError { cell, size });
        }
        Ok(RoadBuilder::new(grid.for_rules(rules), rules, marked).finish())
    }

    /// Builds the roads again from the marked cells if the map was edited.
    ///
    /// # Complexity
    ///
    /// That of [`TrunkRoads::new`]; O(1) without edits.
    pub(crate) fn repair(&mut self, grid: &Grid) {
        if (self.size, self.version) != (grid.size(), grid.version()) {
            let marked = std::mem::take(&mut self.marked);
            let grid = grid.for_rules(self.rules);
            *self = RoadBuilder::new(grid, self.rules, marked).finish();
        }
    }
}

/// A cell marked as one of the [`TrunkRoads`] is outside the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead over {cell}, which is outside the grid of {size} cells")]
#[non_exhaustive]
pub struct RoadError {
    /// The cell.
    pub cell: Cell,
    /// The size of the map.
    pub size: Size,
}
