//! The cells within a cost of a start, with the way back from each.

use super::{
    cost_nodes::{CostNode, CostNodes},
    field_query::{FieldLimits, FieldOutcome, FieldStatus},
    reached_cells::{NO_STEP, ReachedCell, ReachedCells},
};
use crate::{
    bits::{around_in, ones},
    cell::{Cell, Direction, Directions},
    map::{Grid, Size},
    query::{Counters, Fault, Progress},
    queues::BucketQueue,
    rules::{CornerRule, Cost, IntegerCosts, Metric, Rules},
    window::{
        ExitPlanes, FloodMask, RADIUS_MAX, SearchWindow, Waves, WindowBits, WindowPlace,
        WindowRows, area,
    },
};

/// Cells that are put in order in a unit of work: sorting takes some 25 ns a cell, and a unit
/// 100.
const CELLS_PER_SORT: u32 = 4;

/// The cost from a start to each cell within some limits, with the way back: the movement range of
/// a unit, or a spell that spreads.
///
/// Serves ground of any kind: step costs, exits, links, floors, footprints, all metrics and corner
/// rules. Bodies do not count. A [`CostField`](super::CostField) has the costs the other way round,
/// to a target, which differ where steps cost by the cell that they enter or lead one way only.
///
/// Computed by breadth-first waves, 64 cells at a time, where all steps cost the same, up to 28
/// cells from the start. Elsewhere by Dijkstra's search with a queue of buckets.
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
/// let reached = reach.reached();
/// assert_eq!(reached.cost(Cell::new(5, 8)), Some(3));
/// assert_eq!(reached.cost(Cell::new(5, 7)), None);
/// let mut path = Path::new();
/// assert_eq!(reached.path_to(Cell::new(5, 8), &mut path), Some(3));
/// assert_eq!(path.end(), Some(Cell::new(5, 8)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReachField {
    reached: ReachedCells,
    under_way: Option<PendingReach>,
    bits: WindowBits,
    exits: ExitPlanes,
    waves: Waves,
    nodes: CostNodes,
    queue: BucketQueue<Cell>,
    counters: Counters,
}

impl ReachField {
    /// A field without memory yet. No cell is in reach.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the cells within some limits of a start. With a limit on cells the cheapest are
    /// kept.
    ///
    /// [`Counters::expanded`] counts cells, or waves; [`Counters::scanned`] 64 cells of waves, and
    /// the order into which cells are put at the end.
    pub fn compute(
        &mut self,
        grid: &Grid,
        start: Cell,
        rules: Rules,
        limits: FieldLimits,
    ) -> FieldOutcome {
        self.begin(grid, start, rules, limits);
        match self.resume(grid, u32::MAX) {
            Progress::Done(outcome) => outcome,
            // Only after more work than counters hold.
            _ => FieldOutcome {
                status: FieldStatus::CellsSpent,
                counters: self.counters,
            },
        }
    }

    /// Begins to compute a field in slices, and drops the present one. Nothing is computed yet.
    pub fn begin(&mut self, grid: &Grid, start: Cell, rules: Rules, limits: FieldLimits) {
        self.reached.clear();
        self.counters = Counters::NONE;
        self.under_way = Some(PendingReach {
            start,
            rules,
            limits,
            version: grid.version(),
            size: grid.size(),
            is_queued: false,
        });
    }

    /// Computes on for some [work](Counters::work), at least one unit. However the field is cut,
    /// cells, status and counters are the same.
    ///
    /// Waves are not cut: they take at most some 80 units. Neither is the order into which cells
    /// are put after the last one, which counts, however.
    pub fn resume(&mut self, grid: &Grid, work: u32) -> Progress<FieldOutcome> {
        let Some(pending) = self.under_way.take() else {
            return Progress::Idle;
        };
        if (pending.version, pending.size) != (grid.version(), grid.size()) {
            self.reached.clear();
            return Progress::Stale;
        }
        let Some(status) = self.run(grid, pending, work) else {
            self.under_way = Some(PendingReach {
                is_queued: true,
                ..pending
            });
            return Progress::Suspended;
        };
        self.counters.touched = self.reached.cells.len() as u32;
        let counters = self.counters;
        Progress::Done(FieldOutcome { status, counters })
    }

    /// The [work](Counters::work) of all slices of the field under way; 0 without one.
    pub fn work(&self) -> u32 {
        self.under_way.as_ref().map_or(0, |_| self.counters.work())
    }

    /// Drops the field, under way or done, and keeps its memory.
    pub fn cancel(&mut self) {
        self.under_way = None;
        self.reached.clear();
    }

    /// The cells in reach. None while the field is under way.
    pub fn reached(&self) -> &ReachedCells {
        static NONE: ReachedCells = ReachedCells::NONE;
        if self.under_way.is_some() {
            &NONE
        } else {
            &self.reached
        }
    }

    /// Computes a slice. Returns how the field ended, or `None` if the slice ends first.
    fn run(&mut self, grid: &Grid, pending: PendingReach, work: u32) -> Option<FieldStatus> {
        let PendingReach {
            start,
            rules,
            limits,
            ..
        } = pending;
        let grid = grid.for_rules(rules);
        let stop = self.counters.work().saturating_add(work.max(1));
        if !pending.is_queued {
            if !grid.contains(start) {
                return Some(FieldStatus::Invalid(Fault::OutsideMap));
            }
            if !grid.fits(start, rules.footprint) {
                return Some(FieldStatus::Invalid(Fault::Blocked));
            }
            if self.spread_evenly(grid, start, rules, limits) {
                return Some(FieldStatus::Whole);
            }
            self.queue_start(grid, pending);
        }
        let status = self.spread(grid, pending, stop)?;
        self.put_in_order(grid, rules.metric);
        Some(status)
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
        let steps = u16::try_from(last).unwrap_or(u16::MAX);
        let radius = limits.radius.min(steps).min(grid.radius_max());
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
            list_row(row, (bits, waves), mask, rules, &mut self.reached.cells);
        }
        for reached in &mut self.reached.cells {
            reached.cost *= costs.unit;
        }
        self.counters.expanded = waves.count() as u32;
        self.counters.scanned = self.reached.cells.len() as u32 / Counters::CELLS_PER_SCAN;
        true
    }

    /// Computes the field cell by cell, up to some work. Returns how it ended; `None` if the slice
    /// ends first.
    fn spread(&mut self, grid: &Grid, pending: PendingReach, stop: u32) -> Option<FieldStatus> {
        let (rules, limits) = (pending.rules, pending.limits);
        let metric = rules.metric;
        let window = SearchWindow::around(pending.start, limits.radius, grid);
        loop {
            if self.counters.work() >= stop {
                return None;
            }
            let Some((cost, cell)) = self.queue.pop() else {
                return Some(FieldStatus::Whole);
            };
            let index = self.nodes.index(cell);
            let node = *self.nodes.at(index);
            // Outdated: the cell became cheaper after it was queued.
            if node.cost != cost {
                continue;
            }
            if self.counters.expanded >= limits.cells {
                return Some(FieldStatus::CellsSpent);
            }
            self.counters.expanded += 1;
            let back = node.step().map_or(NO_STEP, |back| back as u8);
            self.reached.cells.push(ReachedCell { cell, cost, back });
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
    }

    /// Puts the cells in reading order, and lists the links by which some were reached.
    fn put_in_order(&mut self, grid: &Grid, metric: Metric) {
        let cells = &mut self.reached.cells;
        cells.sort_unstable_by_key(|reached| reached.cell);
        self.counters.scanned += cells.len() as u32 / CELLS_PER_SORT;
        self.list_links(grid, metric);
    }

    /// Forgets all costs and queues the start. Buckets are as wide as the cheapest step.
    fn queue_start(&mut self, grid: &Grid, pending: PendingReach) {
        let (start, metric) = (pending.start, pending.rules.metric);
        let window = SearchWindow::around(start, pending.limits.radius, grid);
        self.nodes.start(&window);
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
        let mut links = std::mem::take(&mut self.reached.links);
        for reached in &self.reached.cells {
            if reached.back == NO_STEP && reached.cost > 0 {
                let to = reached.cell;
                let link = grid.links_to(to).iter().find(|link| {
                    let before = self.reached.cost(link.from);
                    let own = metric.straight() * Cost::from(link.cost);
                    before.is_some_and(|before| before + own == reached.cost)
                });
                links.extend(link.map(|link| (to, link.from)));
            }
        }
        self.reached.links = links;
    }
}

/// A field under way.
#[derive(Clone, Copy, Debug)]
struct PendingReach {
    start: Cell,
    rules: Rules,
    limits: FieldLimits,
    version: u64,
    size: Size,
    /// Whether the start was queued: waves do not serve it.
    is_queued: bool,
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
        let leading = ways
            .into_iter()
            .filter(|back| place.step(*back).is_in(exits.of(back.opposite())));
        ways = leading.collect::<Directions>();
    }
    // Directions are numbered clockwise, straight ones first among equals.
    let (straight, slant) = (ways.0 & 0b0101_0101, ways.0 & 0b1010_1010);
    let first = if straight != 0 { straight } else { slant };
    first.trailing_zeros() as u8
}
