//! From marked cells to a graph.

use super::trunk_roads::{RoadEdge, RoadPlace, RoadSegment, RoadStop, TrunkRoads};
use crate::{
    cell::{Cell, Direction, Directions},
    map::{Grid, Size},
    rules::{BodyPolicy, COST_MAX, Cost, Rules},
};

/// Roads in the making.
pub(crate) struct RoadBuilder<'a> {
    grid: &'a Grid,
    roads: TrunkRoads,
    /// By marked cell: the steps to road cells that can be taken both ways.
    steps: Vec<Directions>,
    /// The crossing that each way leaves, and the way.
    ways: Vec<(u32, RoadEdge)>,
}

impl<'a> RoadBuilder<'a> {
    /// `marked` must be sorted.
    pub(crate) fn new(grid: &'a Grid, rules: Rules, marked: Vec<Cell>) -> Self {
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

    pub(crate) fn finish(mut self) -> TrunkRoads {
        self.steps = self
            .roads
            .marked
            .iter()
            .map(|&cell| self.two_way(cell))
            .collect();
        for index in 0..self.steps.len() {
            let cell = self.roads.marked[index];
            if self.is_road(cell) && (self.steps[index].len() != 2 || self.is_linked(cell)) {
                self.add_crossing(index);
            }
        }
        for crossing in 0..self.roads.crossings.len() as u32 {
            self.add_stretches(crossing);
        }
        // What is left are rings without a crossing; each gets one.
        for index in 0..self.steps.len() {
            let cell = self.roads.marked[index];
            if self.is_road(cell) && self.roads.places[index] == RoadPlace::Nowhere {
                let crossing = self.add_crossing(index);
                self.add_stretches(crossing);
            }
        }
        self.add_links();
        self.sort_ways();
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

    /// The steps from a road cell to others from which a step leads back.
    fn two_way(&self, cell: Cell) -> Directions {
        if !self.is_road(cell) {
            return Directions::NONE;
        }
        let rules = self.roads.rules;
        let steps = self.grid.steps(cell, rules).into_iter();
        steps
            .filter(|&direction| {
                cell.step(direction).is_some_and(|to| {
                    self.is_road(to) && self.grid.steps(to, rules).contains(direction.opposite())
                })
            })
            .collect()
    }

    fn steps_of(&self, cell: Cell) -> Directions {
        let index = self.roads.marked.binary_search(&cell).ok();
        index.map_or(Directions::NONE, |index| self.steps[index])
    }

    fn add_crossing(&mut self, index: usize) -> u32 {
        let crossing = self.roads.crossings.len() as u32;
        self.roads.places[index] = RoadPlace::Crossing(crossing);
        self.roads.crossings.push(self.roads.marked[index]);
        crossing
    }

    /// Walks down every road from a crossing that was not walked up before.
    fn add_stretches(&mut self, from: u32) {
        let first = self.roads.crossings[from as usize];
        for direction in self.steps_of(first) {
            let Some(second) = first.step(direction) else {
                continue;
            };
            match self.roads.place(second) {
                RoadPlace::Nowhere => self.add_stretch(from, first, direction),
                // Side by side; the way back is seen from there.
                RoadPlace::Crossing(to) => {
                    let cost = self.cost(first, direction);
                    self.ways.push((
                        from,
                        RoadEdge {
                            to,
                            cost,
                            segment: None,
                        },
                    ));
                }
                // Walked up from its other end.
                RoadPlace::Stop { .. } => {}
            }
        }
    }

    fn add_stretch(&mut self, from: u32, first: Cell, mut direction: Direction) {
        let (begin, number) = (
            self.roads.stops.len() as u32,
            self.roads.segments.len() as u32,
        );
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
            corners.0 = Cell {
                x: corners.0.x.min(cell.x),
                y: corners.0.y.min(cell.y),
                ..cell
            };
            corners.1 = Cell {
                x: corners.1.x.max(cell.x),
                y: corners.1.y.max(cell.y),
                ..cell
            };
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
                // Exits may leave a cheaper step that is no part of a road, as it has no way back.
                let cost = self.grid.move_cost(link.from, link.to, self.roads.rules);
                let cost = cost.unwrap_or(COST_MAX);
                let way = RoadEdge {
                    to,
                    cost,
                    segment: None,
                };
                self.ways.push((from, way));
            }
        }
    }

    fn sort_ways(&mut self) {
        // Stable: ways out of one crossing stay in the order in which they were found.
        self.ways.sort_by_key(|&(from, _)| from);
        let mut next = 0;
        for crossing in 0..=self.roads.crossings.len() as u32 {
            while self
                .ways
                .get(next)
                .is_some_and(|&(from, _)| from < crossing)
            {
                next += 1;
            }
            self.roads.first_ways.push(next as u32);
        }
        self.roads.ways = self.ways.drain(..).map(|(_, way)| way).collect();
    }
}

impl TrunkRoads {
    /// Roads of marked cells, for walkers of these rules, whose policy toward bodies does not
    /// matter. Marks where the body does not fit count for nothing.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first mark that is not on the map.
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
        Ok(RoadBuilder::new(grid, rules, marked).finish())
    }

    /// Brings the roads up to date with their map, as if they were made anew from the marked
    /// cells, and returns whether there was anything to do.
    ///
    /// # Complexity
    ///
    /// That of [`TrunkRoads::new`].
    pub(crate) fn repair(&mut self, grid: &Grid) -> bool {
        if (self.size, self.version) == (grid.size(), grid.version()) {
            return false;
        }
        let marked = std::mem::take(&mut self.marked);
        *self = RoadBuilder::new(grid, self.rules, marked).finish();
        true
    }
}

/// A cell that is to be road is not on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead over {cell}, which is outside the grid of {size} cells")]
#[non_exhaustive]
pub struct RoadError {
    /// The cell.
    pub cell: Cell,
    /// The size of the map.
    pub size: Size,
}
