//! Weighted fields: Dijkstra's search from one target, cell by cell.

use super::{
    pages::{CostPage, CostPages},
    query::{FieldOutcome, FieldQuery, FieldStatus},
    reverse_ground::ReverseGround,
};
use crate::{
    cell::{Cell, Direction},
    map::Grid,
    path::Path,
    query::{Counters, Terrain},
    queues::BucketQueue,
    rules::Cost,
};

/// The cost from each cell to one target, and the next step, on ground of any kind: step costs,
/// exits, links, floors, bodies, footprints, all metrics and corner rules.
///
/// Made by Dijkstra's search backwards from the target, with a queue of buckets. Walkers by the
/// hundred may then look up their next step, each in some 25 ns.
///
/// # Bodies
///
/// A field does not know who will look it up, so bodies count wherever they stand, but for those
/// on the target's own cells. A walker of one cell may be among them: its own place has a cost,
/// from which the way leads on. Larger walkers overlap themselves on their first steps, so those
/// that share a field must be left out of its bodies.
/// [`BodyPolicy::AvoidNear`](crate::rules::BodyPolicy::AvoidNear) is about one walker's
/// surroundings; where there are bodies, no field serves it.
///
/// # Ties
///
/// Of several next steps that are equally good the first of north, east, south, west is taken,
/// then the first of north-east, south-east, south-west, north-west, then the link that leads to
/// the first cell in reading order.
///
/// # Complexity
///
/// O(cells in reach), some 0.15 µs each; look-ups O(1), O(log n) in links where one is taken.
/// Nothing is allocated once memory has grown to the largest field asked for.
///
/// # Memory
///
/// 5 bytes a cell, in pages of 32×32 cells of which at least one was touched; 8 bytes for each
/// page of the whole map; 16 bytes for each cell in the queue at once.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Path, fields::{FieldQuery, WeightedField}};
///
/// let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8)?;
/// let mut field = WeightedField::new();
/// field.compute(&grid, &FieldQuery::new(Cell::new(8, 0)));
/// assert_eq!(field.cost(Cell::new(0, 0)), Some(18));
/// assert_eq!(field.next(Cell::new(3, 8)), Some(Cell::new(4, 8)));
/// let mut path = Path::new();
/// assert_eq!(field.follow(Cell::new(0, 0), &mut path), Some(18));
/// assert_eq!(path.end(), Some(Cell::new(8, 0)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WeightedField {
    pages: CostPages,
    queue: BucketQueue<Cell>,
    /// Links that lead on from a cell: of a cell those of the least cost count. In order once
    /// the field is made.
    links: Vec<FieldLink>,
    query: Option<FieldQuery>,
    version: u64,
}

/// A link at the cost from its beginning to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FieldLink {
    from: Cell,
    cost: Cost,
    to: Cell,
}

/// Ways on from a cell, by rank: steps in the order of ties, then these.
const STEPS: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::NorthWest,
];
const LINK: u8 = 8;
const THERE: u8 = 9;

impl WeightedField {
    /// A field without memory yet. No cell has a cost.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the field anew.
    ///
    /// [`Counters::expanded`] counts the cells that were given their cost.
    pub fn compute<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &FieldQuery,
    ) -> FieldOutcome {
        let terrain = terrain.into();
        let grid = terrain.grid;
        self.links.clear();
        self.version = grid.version();
        self.query = None;
        let mut counters = Counters::default();
        if let Some(status) = query.answer_at_once(terrain) {
            self.pages.clear();
            return FieldOutcome { status, counters };
        }
        self.query = Some(*query);
        let rules = query.rules;
        let straight = rules.metric.straight();
        let dearest = rules.metric.diagonal().unwrap_or(straight)
            * if grid.has_costs() {
                Grid::COST_WORST.into()
            } else {
                1
            };
        let dearest_link = straight.saturating_mul(grid.dearest_link().into());
        self.pages.start(grid.size());
        // Cells of one bucket cannot make each other cheaper, as no step costs less than it is
        // wide.
        self.queue
            .start(straight.ilog2(), 0, dearest.max(dearest_link));

        let ground = ReverseGround::new(terrain, query);
        self.pages.improve(query.target, 0, THERE);
        self.queue.push(0, query.target);
        counters.pushed = 1;
        while counters.expanded < query.limits.cells {
            let Some((cost, cell)) = self.queue.pop() else {
                break;
            };
            counters.popped += 1;
            if !self.pages.has(cell, cost) {
                continue;
            }
            counters.expanded += 1;
            if ground.is_passable(cell) {
                self.expand(&ground, cell, cost, &mut counters);
            }
        }
        let mut status = FieldStatus::Whole;
        while let Some((cost, cell)) = self.queue.pop() {
            if self.pages.has(cell, cost) {
                self.pages.forget(cell);
                status = FieldStatus::CellsSpent;
            }
        }
        counters.touched = counters.expanded;
        self.links.sort_unstable();
        FieldOutcome { status, counters }
    }

    /// Offers the cells from which steps and links lead to `cell` what that costs.
    fn expand(
        &mut self,
        ground: &ReverseGround<'_>,
        cell: Cell,
        cost: Cost,
        counters: &mut Counters,
    ) {
        let factor = ground.grid.cost_of_body(cell, ground.rules.footprint);
        let metric = ground.rules.metric;
        let diagonal = metric.diagonal().unwrap_or(metric.straight());
        // By whether the step is diagonal, as the numbers of directions alternate.
        let totals = [metric.straight(), diagonal].map(|step| cost + step * factor);
        let arrivals = ground.arrivals(cell).into_iter();
        let arrivals = arrivals
            .map(|direction| (direction, totals[direction as usize % 2]))
            .filter(|&(_, total)| total <= ground.limit);
        let (queue, pushed) = (&mut self.queue, &mut counters.pushed);
        let mut push = |direction, total| {
            if let Some(from) = cell.step(direction) {
                *pushed += 1;
                queue.push(total, from);
            }
        };
        if let Some((page, place)) = self.pages.inside(cell) {
            for (direction, total) in arrivals {
                let place = CostPage::beside(place, direction);
                if page.improve(place, total, rank(direction.opposite())) {
                    push(direction, total);
                }
            }
        } else {
            for (direction, total) in arrivals {
                let Some(from) = cell.step(direction) else {
                    continue;
                };
                if self.pages.improve(from, total, rank(direction.opposite())) {
                    push(direction, total);
                }
            }
        }
        for link in ground.grid.links_to(cell) {
            let from = link.from;
            let step = ground.rules.metric.straight() * Cost::from(link.cost);
            let total = cost + step;
            let may_begin = ground.window.contains(from)
                && ground.grid.fits(from, ground.rules.footprint)
                && total <= ground.limit;
            if !may_begin {
                continue;
            }
            if self.pages.improve(from, total, LINK) {
                counters.pushed += 1;
                self.queue.push(total, from);
            }
            if self.pages.get(from) == Some((total, LINK)) {
                let to = cell;
                self.links.push(FieldLink {
                    from,
                    cost: total,
                    to,
                });
            }
        }
    }

    /// What it costs to get from a cell to the target: 0 at the target, `None` where no way
    /// within the limits leads there.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.pages.get(cell).map(|(cost, _)| cost)
    }

    /// Where to go next from a cell, by a step or a link; `None` at the target and where no way
    /// leads there.
    #[inline]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        let (cost, way) = self.pages.get(cell)?;
        match STEPS.get(usize::from(way)) {
            Some(&direction) => cell.step(direction),
            None if way == LINK => {
                let first = self
                    .links
                    .partition_point(|link| (link.from, link.cost) < (cell, cost));
                self.links.get(first).map(|link| link.to)
            }
            None => None,
        }
    }

    /// Leaves the way from a cell to the target in `path`, whose former content is dropped, and
    /// returns what it costs; `None`, with an empty path, where no way leads there.
    pub fn follow(&self, start: Cell, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.cost(start)?;
        let next = |at: &Cell| self.next(*at);
        path.extend(std::iter::successors(next(&start), next));
        Some(cost)
    }

    /// The query that the field answers; `None` if it is empty.
    pub const fn query(&self) -> Option<&FieldQuery> {
        self.query.as_ref()
    }

    /// Whether the map has not been edited since the field was made. Of two maps only the caller
    /// can tell which one the field is of; bodies have moved since in any case.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.query.is_some() && self.version == grid.version()
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.pages.heap_bytes()
            + self.queue.heap_bytes()
            + self.links.capacity() * size_of::<FieldLink>()
    }
}

/// The place of a step in the order of ties.
#[inline]
const fn rank(direction: Direction) -> u8 {
    // Directions are numbered clockwise from north, straight ones even.
    let number = direction as u8;
    number / 2 + 4 * (number % 2)
}
