//! Building the graph of roads from marked cells.

use super::trunk_roads::{RoadEdge, RoadPlace, RoadSegment, RoadStop, TrunkRoads};
use crate::{
    cell::{Cell, Direction, Directions},
    map::{Grid, Size},
    rules::{BodyPolicy, COST_MAX, Cost, Rules},
};

/// A graph of roads under construction.
struct RoadBuilder<'a> {
    grid: &'a Grid,
    roads: TrunkRoads,
    /// By marked cell: the steps to road cells that can be taken both ways.
    steps: Vec<Directions>,
    /// The ways, each with the crossing that it leaves.
    ways: Vec<(u32, RoadEdge)>,
}

impl<'a> RoadBuilder<'a> {
    /// `marked` must be sorted.
    fn new(grid: &'a Grid, rules: Rules, marked: Vec<Cell>) -> Self {
        let size = grid.size();
        let mut bits = vec![0; (size.cells() as usize).div_ceil(64)];
        for &cell in &marked {
            if grid.fits(cell, rules.footprint) {
                let index = size.index(cell);
                bits[index / 64] |= 1 << (index % 64);
            }
        }
        Self {
            grid,
            roads: TrunkRoads {
                size,
                rules,
                version: grid.version(),
                places: vec![RoadPlace::Nowhere; marked.len()],
                marked,
                bits,
                crossings: Vec::new(),
                first_ways: Vec::new(),
                ways: Vec::new(),
                segments: Vec::new(),
                stops: Vec::new(),
            },
            steps: Vec::new(),
            ways: Vec::new(),
        }
    }

    fn finish(mut self) -> TrunkRoads {
        let marked = self.roads.marked.iter();
        self.steps = marked.map(|&cell| self.two_way(cell)).collect();
        for index in 0..self.steps.len() {
            let cell = self.roads.marked[index];
            // Links join crossings only, so a road cell with a link is a crossing.
            if self.is_road(cell) && (self.steps[index].len() != 2 || self.is_linked(cell)) {
                self.add_crossing(index);
            }
        }
        for crossing in 0..self.roads.crossings.len() as u32 {
            self.add_segments(crossing);
        }
        // The rest are rings without a crossing; each gets one.
        for index in 0..self.steps.len() {
            let cell = self.roads.marked[index];
            if self.is_road(cell) && self.roads.places[index] == RoadPlace::Nowhere {
                let crossing = self.add_crossing(index);
                self.add_segments(crossing);
            }
        }
        self.add_links();
        // Stable: ways out of the same crossing keep their order.
        self.ways.sort_by_key(|&(from, _)| from);
        for crossing in 0..=self.roads.crossings.len() as u32 {
            let first = self.ways.partition_point(|&(from, _)| from < crossing);
            self.roads.first_ways.push(first as u32);
        }
        self.roads.ways = self.ways.into_iter().map(|(_, way)| way).collect();
        self.roads
    }

    fn is_road(&self, cell: Cell) -> bool {
        self.roads.size.contains(cell) && self.roads.contains(cell)
    }

    fn is_linked(&self, cell: Cell) -> bool {
        let mut from = self.grid.links_from(cell).iter();
        let mut to = self.grid.links_to(cell).iter();
        from.any(|link| self.is_road(link.to)) || to.any(|link| self.is_road(link.from))
    }

    /// The steps from a road cell to other road cells from which a step leads back.
    fn two_way(&self, cell: Cell) -> Directions {
        if !self.is_road(cell) {
            return Directions::NONE;
        }
        let steps = |cell| self.grid.steps(cell, self.roads.rules);
        let two_way = |&direction: &Direction| {
            let to = cell.step(direction).filter(|&to| self.is_road(to));
            to.is_some_and(|to| steps(to).contains(direction.opposite()))
        };
        steps(cell).into_iter().filter(two_way).collect()
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
                RoadPlace::Nowhere => self.add_segment(from, first, direction),
                // Side by side; the way back is added from there.
                RoadPlace::Crossing(to) => {
                    let (cost, segment) = (self.cost(first, direction), None);
                    self.ways.push((from, RoadEdge { to, cost, segment }));
                }
                // Walked from its other end.
                RoadPlace::Stop { .. } => {}
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
        let way = |to, cost, backward| RoadEdge {
            to,
            cost: Cost::try_from(cost).unwrap_or(Cost::MAX),
            segment: Some((number, backward)),
        };
        self.ways.push((from, way(to, stop.ahead, false)));
        self.ways.push((to, way(from, stop.back, true)));
    }

    fn cost(&self, from: Cell, direction: Direction) -> Cost {
        let cost = self.grid.step_cost(from, direction, self.roads.rules);
        cost.unwrap_or(COST_MAX)
    }

    fn add_links(&mut self) {
        for link in self.grid.links() {
            if !(self.is_road(link.from) && self.is_road(link.to)) {
                continue;
            }
            let ends = (self.roads.place(link.from), self.roads.place(link.to));
            if let (RoadPlace::Crossing(from), RoadPlace::Crossing(to)) = ends {
                // Exits may leave a cheaper step that is not part of a road, as none leads back.
                let cost = self.grid.move_cost(link.from, link.to, self.roads.rules);
                let (cost, segment) = (cost.unwrap_or(COST_MAX), None);
                self.ways.push((from, RoadEdge { to, cost, segment }));
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

/// A cell marked as a road is outside the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead over {cell}, which is outside the grid of {size} cells")]
#[non_exhaustive]
pub struct RoadError {
    /// The cell.
    pub cell: Cell,
    /// The size of the map.
    pub size: Size,
}
