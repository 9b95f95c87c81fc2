//! The cells within a cost of a start, with the way back from each.

use super::{
    cost_nodes::{CostNode, CostNodes},
    field_query::{FieldLimits, FieldOutcome, FieldStatus},
};
use crate::{
    bits::{around_in, ones},
    cell::{Cell, Direction, Directions},
    map::Grid,
    path::Path,
    query::{Counters, Fault},
    queues::BucketQueue,
    rules::{CornerRule, Cost, IntegerCosts, Metric, Rules},
    window::{
        ExitPlanes, FloodMask, RADIUS_MAX, SearchWindow, Waves, WindowBits, WindowPlace,
        WindowRows, area,
    },
};

/// A cell that no step led to: the start, or the end of a link.
const NO_STEP: u8 = 8;

/// The cost from a start to each cell within some limits, with the way back: the movement range of
/// a unit, or a spell that spreads.
///
/// Serves ground of any kind: step costs, exits, links, floors, footprints, all metrics and corner
/// rules. Bodies do not count. A [`CostField`](super::CostField) has the costs the other way round,
/// to a target, which differ where steps cost by the cell that they enter or lead one way only.
///
/// Computed by breadth-first waves, 64 cells at a time, where all steps cost the same, up to 28 cells
/// from the start. Elsewhere by Dijkstra's search with a queue of buckets.
///
/// # Ties
///
/// Of several cheapest ways back, the first step is the first of north, east, south, west, then of
/// north-east, south-east, south-west, north-west, then a link.
///
/// # Complexity
///
/// O(cells in reach): some 5 ns each by waves, and 100 to 150 ns by Dijkstra's search, with a sort.
/// Nothing is allocated once memory has grown to the largest field. Look-ups are O(log n).
///
/// # References
///
/// Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959; Dial, "Algorithm 360:
/// Shortest-Path Forest with Topological Ordering", 1969.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Path, Rules, fields::{FieldLimits, ReachField}};
///
/// let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8)?;
/// let (start, limits) = (Cell::new(3, 7), FieldLimits { cost: 3, ..FieldLimits::UNBOUNDED });
/// let mut reach = ReachField::new();
/// reach.compute(&grid, start, Rules::default(), limits);
/// assert_eq!(reach.cost(Cell::new(5, 8)), Some(3));
/// assert_eq!(reach.cost(Cell::new(5, 7)), None);
/// let mut path = Path::new();
/// assert_eq!(reach.path_to(Cell::new(5, 8), &mut path), Some(3));
/// assert_eq!(path.end(), Some(Cell::new(5, 8)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReachField {
    cells: Vec<ReachedCell>,
    /// The links that ways take: end and begin, in order of their ends.
    links: Vec<(Cell, Cell)>,
    bits: WindowBits,
    exits: ExitPlanes,
    waves: Waves,
    nodes: CostNodes,
    queue: BucketQueue<Cell>,
    counters: Counters,
}

/// A cell of a [`ReachField`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReachedCell {
    /// The cell.
    pub cell: Cell,
    /// The cost of the cheapest way from the start, in the units of the metric.
    pub cost: Cost,
    /// The number of the direction back, or [`NO_STEP`].
    back: u8,
}

impl ReachField {
    /// A field without memory yet. No cell is in reach.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the cells within some limits of a start. With a limit on cells the cheapest are kept.
    ///
    /// [`Counters::expanded`] counts cells, or waves; [`Counters::scanned`] 64 cells of waves.
    pub fn compute(
        &mut self,
        grid: &Grid,
        start: Cell,
        rules: Rules,
        limits: FieldLimits,
    ) -> FieldOutcome {
        let grid = grid.for_rules(rules);
        self.cells.clear();
        self.links.clear();
        self.counters = Counters::NONE;
        let status = if !grid.contains(start) {
            FieldStatus::Invalid(Fault::OutsideMap)
        } else if !grid.fits(start, rules.footprint) {
            FieldStatus::Invalid(Fault::Blocked)
        } else if self.spread_evenly(grid, start, rules, limits) {
            FieldStatus::Whole
        } else {
            self.spread(grid, start, rules, limits)
        };
        self.counters.touched = self.cells.len() as u32;
        let counters = self.counters;
        FieldOutcome { status, counters }
    }

    /// The cells in reach, the start among them, in reading order.
    pub fn cells(&self) -> &[ReachedCell] {
        &self.cells
    }

    /// The cost from the start to a cell; `None` out of reach.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.reached(cell).map(|reached| reached.cost)
    }

    /// The cell before another on the way from the start; `None` for the start and out of reach.
    pub fn back(&self, cell: Cell) -> Option<Cell> {
        match self.reached(cell)?.back {
            NO_STEP => {
                let link = self.links.binary_search_by_key(&cell, |link| link.0);
                Some(self.links[link.ok()?].1)
            }
            back => cell.step(Direction::ALL[usize::from(back)]),
        }
    }

    /// Fills `path` with the way from the start to a cell, and returns its cost; `None`, and an empty
    /// path, out of reach.
    pub fn path_to(&self, cell: Cell, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.cost(cell)?;
        let mut at = cell;
        while let Some(before) = self.back(at) {
            path.prepend(at);
            at = before;
        }
        Some(cost)
    }

    fn reached(&self, cell: Cell) -> Option<&ReachedCell> {
        let at = self
            .cells
            .binary_search_by_key(&cell, |reached| reached.cell);
        self.cells.get(at.ok()?)
    }

    /// Computes the field by waves. Returns whether they serve the ground and the limits.
    fn spread_evenly(
        &mut self,
        grid: &Grid,
        start: Cell,
        rules: Rules,
        limits: FieldLimits,
    ) -> bool {
        let Some(costs) = IntegerCosts::of(rules.metric).filter(|costs| costs.longest() == 1)
        else {
            return false;
        };
        let last = limits.cost / costs.unit;
        // A step leads no further than a cell.
        let radius = limits.radius.min(u16::try_from(last).unwrap_or(u16::MAX));
        let side = grid.width().max(grid.height()) - 1;
        let radius = radius.min(side);
        if radius > RADIUS_MAX || limits.cells < u32::MAX {
            return false;
        }
        let window = area(grid, start, radius);
        let covered = rules.footprint.area_from(window).clipped(grid.size());
        let has_costs = grid.has_costs() && grid.has_costs_in(covered);
        let has_links = !grid.links().is_empty() && grid.links.leave_from(window);
        if has_costs || has_links {
            return false;
        }
        self.bits.load(grid, start, radius, rules.footprint, None);
        let is_fenced = grid.has_exits() && grid.has_exits_in(covered);
        if is_fenced {
            self.exits.load(grid, &self.bits, rules.footprint);
        }
        let mask = FloodMask {
            free: self.bits.free(),
            exits: is_fenced.then_some(&self.exits),
            corners: rules.corners,
        };
        self.waves.start();
        let last = usize::try_from(last).unwrap_or(usize::MAX);
        self.waves.flood(costs.diagonal > 0, mask, None, last);
        let (bits, waves) = (&self.bits, &self.waves);
        for row in bits.rows() {
            list_row(row, (bits, waves), mask, rules, &mut self.cells);
        }
        for reached in &mut self.cells {
            reached.cost *= costs.unit;
        }
        self.counters.expanded = waves.count() as u32;
        self.counters.scanned = self.cells.len() as u32 / Counters::CELLS_PER_SCAN;
        true
    }

    /// Computes the field cell by cell.
    fn spread(
        &mut self,
        grid: &Grid,
        start: Cell,
        rules: Rules,
        limits: FieldLimits,
    ) -> FieldStatus {
        let metric = rules.metric;
        let window = SearchWindow::around(start, limits.radius, grid);
        self.start(grid, start, metric, &window);
        let mut status = FieldStatus::Whole;
        while let Some((cost, cell)) = self.queue.pop() {
            let index = self.nodes.index(cell);
            let node = *self.nodes.at(index);
            // Outdated: the cell became cheaper after it was queued.
            if node.cost != cost {
                continue;
            }
            if self.counters.expanded >= limits.cells {
                status = FieldStatus::CellsSpent;
                break;
            }
            self.counters.expanded += 1;
            let back = node.step().map_or(NO_STEP, |back| back as u8);
            self.cells.push(ReachedCell { cell, cost, back });
            let exits = grid.steps_onto_ground(cell, rules);
            for direction in exits.intersection(window.inside(cell.x, cell.y)) {
                let (Some(next), Some(step)) = (cell.step(direction), metric.step(direction))
                else {
                    continue;
                };
                let ground = grid.cost_of_body(next, rules.footprint);
                let total = cost + metric.onto(step, ground);
                self.offer(next, (total, limits.cost), Some(direction.opposite()));
            }
            for link in grid.links_from(cell) {
                let total = cost + metric.straight() * Cost::from(link.cost);
                if window.contains(link.to) && grid.fits(link.to, rules.footprint) {
                    self.offer(link.to, (total, limits.cost), None);
                }
            }
        }
        self.cells.sort_unstable_by_key(|reached| reached.cell);
        self.list_links(grid, metric);
        status
    }

    /// Forgets all costs and queues the start. Buckets are as wide as the cheapest step.
    fn start(&mut self, grid: &Grid, start: Cell, metric: Metric, window: &SearchWindow) {
        self.nodes.start(window);
        let shift = metric.straight().ilog2();
        self.queue.start(shift, 0, grid.dearest_move(metric));
        let index = self.nodes.index(start);
        self.nodes.at(index).cost = 0;
        self.push(0, start);
    }

    #[inline]
    fn push(&mut self, cost: Cost, cell: Cell) {
        self.counters.pushed += 1;
        self.queue.push(cost, cell);
    }

    /// Offers a cell a way from the start, unless it costs more than a limit.
    #[inline]
    fn offer(&mut self, cell: Cell, (cost, most): (Cost, Cost), back: Option<Direction>) {
        let index = self.nodes.index(cell);
        let node: &mut CostNode = self.nodes.at(index);
        if cost <= most && node.improve(cost, back) {
            self.push(cost, cell);
        }
    }

    /// Lists the links by which cells were reached.
    fn list_links(&mut self, grid: &Grid, metric: Metric) {
        let mut links = std::mem::take(&mut self.links);
        for reached in &self.cells {
            if reached.back == NO_STEP && reached.cost > 0 {
                let to = reached.cell;
                let leads = |from: Cell, cost: u16| {
                    let before = self.cost(from);
                    before.is_some_and(|before| {
                        before + metric.straight() * Cost::from(cost) == reached.cost
                    })
                };
                let mut all = grid.links_to(to).iter();
                let link = all.find(|link| leads(link.from, link.cost));
                links.extend(link.map(|link| (to, link.from)));
            }
        }
        self.links = links;
    }
}

/// Lists the reached places of a row of a window, with the number of steps as the cost.
fn list_row(
    row: usize,
    (bits, waves): (&WindowBits, &Waves),
    mask: FloodMask<'_>,
    rules: Rules,
    cells: &mut Vec<ReachedCell>,
) {
    let last = waves.count() - 1;
    let reached = waves.reached(last)[row];
    if reached == 0 {
        return;
    }
    let three = |rows: &WindowRows| [rows[row - 1], rows[row], rows[row + 1]];
    let free = three(mask.free);
    let mut found = [(0_u16, NO_STEP); 64];
    let mut before = waves.reached(0);
    for number in 1..=last {
        let here = waves.reached(number);
        let new = here[row] & !before[row];
        if new != 0 {
            let from = three(before);
            for column in ones(new) {
                let place = WindowPlace { row, column };
                let back = step_back(place, (from, free), mask.exits, rules);
                found[column as usize] = (number as u16, back);
            }
        }
        before = here;
    }
    cells.reserve(reached.count_ones() as usize);
    cells.extend(ones(reached).map(|column| {
        let (number, back) = found[column as usize];
        ReachedCell {
            cell: bits.cell(WindowPlace { row, column }),
            cost: number.into(),
            back,
        }
    }));
}

/// The number of the first step that leads back from a place to those reached before, by the three
/// rows around it.
#[inline]
fn step_back(
    place: WindowPlace,
    (before, free): ([u64; 3], [u64; 3]),
    exits: Option<&ExitPlanes>,
    rules: Rules,
) -> u8 {
    let around =
        |rows: [u64; 3]| around_in(rows.map(|row| (row << 1 >> place.column & 0b111) as u16));
    let open = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
    let legal = rules.move_table()[around(free)];
    let mut ways = legal.intersection(open[around(before)]);
    if let Some(exits) = exits {
        let leads = |back: &Direction| place.step(*back).is_in(exits.of(back.opposite()));
        ways = ways.into_iter().filter(leads).collect::<Directions>();
    }
    // Directions are numbered clockwise, straight ones first among equals.
    let (straight, slant) = (ways.0 & 0b0101_0101, ways.0 & 0b1010_1010);
    let first = if straight != 0 { straight } else { slant };
    first.trailing_zeros() as u8
}
