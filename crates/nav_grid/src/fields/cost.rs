//! Cost fields: Dijkstra's search backwards from a target or from several goals, cell by cell.

use super::{
    cost_nodes::{CostNode, CostNodes, Passage, TOLL_MAX},
    field_query::{FieldOutcome, FieldQuery, FieldStatus},
};
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    query::{BodyFilter, Counters, Terrain},
    queues::BucketQueue,
    rules::{BodyPolicy, COST_MAX, Cost, Rules, around_bit},
    window::SearchWindow,
};

/// The cost from each cell to a target or to the nearest of several goals, on ground of any kind:
/// step costs, exits, links, floors, bodies, footprints, all metrics and corner rules.
///
/// Computed by Dijkstra's search backwards, with a queue of buckets. There are two ways to do so:
///
/// - [`compute`](Self::compute) searches from one target, as a [`FieldQuery`] says. Hundreds of
///   walkers then [look](Self::look) up their next step.
/// - [`compute_past`](Self::compute_past) searches from several goals past bodies with tolls, and
///   ends early. For packs in which bodies stand behind one another: the goals are the free cells
///   beside the target, bodies that stay are walls, all others have a toll.
///
/// # Bodies
///
/// `compute` does not know which walkers will look the field up. So all bodies block, except on
/// the cells of the [body at the target](FieldQuery::target_body). A walker of one cell may be
/// among the bodies: its own cell has a cost, and a way leads on from there. Larger walkers overlap
/// themselves on their first steps, so the walkers that share a field must be left out of its
/// bodies. [`BodyPolicy::AvoidNear`](crate::rules::BodyPolicy::AvoidNear) depends on where the one
/// walker is; with bodies on the map no field supports it.
///
/// # Ties
///
/// Of several steps that are equally good, [`next`](Self::next) takes the first of north, east,
/// south, west, then of north-east, south-east, south-west, north-west, then the link to the first
/// cell in reading order.
///
/// # Complexity
///
/// O(cells in reach) for `compute`, some 0.15 µs each. O(cells nearer to a goal than the furthest
/// start) for `compute_past`, some 50 ns each, with one call for the [`Passage`] of each.
/// Look-ups are O(1), or O(log n) in the links of the map where one is taken. Nothing is allocated
/// once memory has grown to the largest field.
///
/// # Memory
///
/// 8 bytes a cell, in pages of 32×32 cells of which at least one was touched; 4 bytes for each page
/// of the window; 16 bytes for each cell that is in the queue at once.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Path, fields::{CostField, FieldQuery}};
///
/// let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8)?;
/// let mut field = CostField::new();
/// field.compute(&grid, &FieldQuery::new(Cell::new(8, 0)));
/// assert_eq!(field.cost(Cell::new(0, 0)), Some(18));
/// assert_eq!(field.next(&grid, Cell::new(3, 8)), Some(Cell::new(4, 8)));
/// let mut path = Path::new();
/// assert_eq!(field.follow(&grid, Cell::new(0, 0), &mut path), Some(18));
/// assert_eq!(path.end(), Some(Cell::new(8, 0)));
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CostField {
    pub(super) nodes: CostNodes,
    queue: BucketQueue<Cell>,
    counters: Counters,
    /// The query that the field answers, and the version of the map.
    computed_for: Option<(FieldQuery, u64)>,
}

impl CostField {
    /// A field without memory yet. No cell has a cost.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the field of one target.
    ///
    /// [`Counters::expanded`] counts the cells that were given their cost.
    pub fn compute<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &FieldQuery,
    ) -> FieldOutcome {
        let terrain = terrain.into().for_rules(query.rules);
        self.clear();
        if let Some(status) = query.answer_at_once(terrain) {
            let counters = self.counters;
            return FieldOutcome { status, counters };
        }
        let ground = ReverseGround::new(terrain, query);
        self.start(&ground, ground.rules.metric.straight().ilog2());
        self.add_goal((query.target, 0), ground.passage(query.target));
        self.spread(
            &ground,
            query.limits.cells,
            |cell| ground.passage(cell),
            |_| 0,
            |_| false,
        );
        // What is still queued could become cheaper, so its cost is not right.
        let mut status = FieldStatus::Whole;
        while let Some((cost, cell)) = self.queue.pop() {
            let index = self.nodes.index(cell);
            let node = self.nodes.at(index);
            if node.cost == cost {
                *node = CostNode::UNKNOWN;
                status = FieldStatus::CellsSpent;
            }
        }
        self.counters.touched = self.counters.expanded;
        self.computed_for = Some((*query, terrain.grid.version()));
        let counters = self.counters;
        FieldOutcome { status, counters }
    }

    /// Computes the ways to the nearest of some goals, past bodies that `passage` knows, in a
    /// window of a radius around a target. Ends when all cheapest ways of all `starts` are known;
    /// the costs of cells on none of them may be too high, or unknown.
    ///
    /// On maps without links the search for one start goes toward it, which takes half the cells in
    /// a crowd: A*, whose lower bound is the steps to the start with no body in the way.
    ///
    /// Beside an edge of the map the window is moved onto the map, so it is as large as elsewhere.
    /// Of the rules, [`bodies`](Rules::bodies) does not count. Goals outside the window do not
    /// count. With a target off the map no cell has a cost. The toll of a start itself does not
    /// count, as the walker stands there.
    ///
    /// # Example
    ///
    /// ```
    /// use nav_grid::{Cell, Direction, Grid, Rules, fields::{CostField, Passage}};
    ///
    /// let grid = Grid::open(9, 9)?;
    /// let mut field = CostField::new();
    /// let (target, goal, start) = (Cell::new(4, 4), Cell::new(5, 4), Cell::new(2, 4));
    /// let blocked = [target, Cell::new(3, 4)];
    /// let passage = |cell| if blocked.contains(&cell) { Passage::Blocked } else { Passage::Free };
    /// field.compute_past((&grid, Rules::default()), (target, 8), &[goal], &[start], passage);
    /// assert_eq!(field.cost(start), Some(3));
    /// let way = field.best_step((&grid, Rules::default()), start, Direction::East);
    /// assert!(way.is_some());
    /// # Ok::<(), nav_grid::GridError>(())
    /// ```
    #[doc(hidden)]
    pub fn compute_past(
        &mut self,
        (grid, rules): (&Grid, Rules),
        (target, radius): (Cell, u16),
        goals: &[Cell],
        starts: &[Cell],
        passage: impl FnMut(Cell) -> Passage,
    ) {
        self.clear();
        if !grid.size().contains(target) {
            return;
        }
        let (grid, query) = (
            grid.for_rules(rules),
            FieldQuery::new(target).with_rules(rules),
        );
        let mut ground = ReverseGround::new(grid.into(), &query);
        ground.window = SearchWindow::on_map_around(target, radius, grid);
        let straight = rules.metric.straight();
        let toward = match starts {
            [start] if grid.links().is_empty() => Some(*start),
            _ => None,
        };
        // The least cost from a start to a cell: no metric leads further by one straight step.
        let least =
            |cell: Cell| toward.map_or(0, |start| straight * Cost::from(start.chebyshev(cell)));
        // Toward a start, cells as far apart as one step may have one key.
        let shift = toward.map_or(straight.ilog2(), |_| 0);
        self.start(&ground, shift);
        for &goal in goals {
            // A goal that is named twice counts once.
            if self.nodes.get(goal).is_some_and(|node| !node.is_known()) {
                self.add_goal((goal, least(goal)), Passage::AmongGoals(0));
            }
        }
        let mut open = starts.len();
        self.spread(&ground, u32::MAX, passage, least, |cell| {
            let here = starts.iter().filter(|&&start| start == cell).count();
            open = open.saturating_sub(here);
            open == 0
        });
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.counters = Counters::NONE;
        self.computed_for = None;
    }

    /// Begins with buckets 2^`shift` wide: cells of one bucket must not make each other cheaper.
    fn start(&mut self, ground: &ReverseGround<'_>, shift: u32) {
        let (grid, metric) = (ground.grid, ground.rules.metric);
        let tolls = metric.straight() * Cost::from(TOLL_MAX);
        let reach = grid.dearest_move(metric).saturating_add(tolls);
        self.nodes.start(&ground.window);
        self.queue.start(shift, 0, reach);
    }

    fn add_goal(&mut self, (goal, least): (Cell, Cost), passage: Passage) {
        let index = self.nodes.index(goal);
        let node = self.nodes.at(index);
        node.cost = 0;
        node.set_passage(passage);
        self.push(least, goal);
    }

    #[inline]
    fn push(&mut self, key: Cost, cell: Cell) {
        self.counters.pushed += 1;
        self.queue.push(key, cell);
    }

    /// Gives cells their final costs, those first of which cost and `least` together are lowest: up
    /// to a number of cells, or until one of which `is_last` says so and all that are as low.
    fn spread(
        &mut self,
        ground: &ReverseGround<'_>,
        cells: u32,
        mut passage: impl FnMut(Cell) -> Passage,
        least: impl Fn(Cell) -> Cost,
        mut is_last: impl FnMut(Cell) -> bool,
    ) {
        let mut end = Cost::MAX;
        while self.counters.expanded < cells
            && let Some((key, cell)) = self.queue.pop()
            && key <= end
        {
            self.counters.popped += 1;
            let index = self.nodes.index(cell);
            if self.nodes.at(index).cost.checked_add(least(cell)) != Some(key) {
                continue;
            }
            self.counters.expanded += 1;
            if is_last(cell) {
                end = end.min(key);
            }
            self.expand(ground, (cell, index), (&mut passage, &least));
        }
    }

    /// Offers the cells from which steps and links lead to `cell` the way by it.
    fn expand(
        &mut self,
        ground: &ReverseGround<'_>,
        (cell, index): (Cell, usize),
        (passage, least): (&mut impl FnMut(Cell) -> Passage, &impl Fn(Cell) -> Cost),
    ) {
        let Rules {
            metric, footprint, ..
        } = ground.rules;
        let node = *self.nodes.at(index);
        let Some(cost) = node.cost_past(metric) else {
            return;
        };
        let straight = metric.straight();
        let own = ground.grid.cost_of_body(cell, footprint);
        let diagonal = metric.diagonal().unwrap_or(straight);
        // By whether the step is diagonal, as the numbers of directions alternate.
        let totals = [straight, diagonal].map(|step| cost + metric.onto(step, own));
        let is_inside_page = CostNodes::is_inside_page(index);
        for direction in ground.arrivals(cell) {
            let total = totals[direction as usize % 2];
            // Most neighbours are on the same page and nearer to a goal: skips these early.
            let beside = is_inside_page.then(|| CostNodes::index_beside(index, direction));
            let is_nearer = beside.is_some_and(|beside| self.nodes.at(beside).cost < total);
            if is_nearer || total > ground.limit {
                continue;
            }
            if let Some(from) = cell.step(direction) {
                let beside = beside.unwrap_or_else(|| self.nodes.index(from));
                let step = Some(direction.opposite());
                let asked = (&mut *passage, least);
                self.offer((from, beside), (total, step), node.among_goals, asked);
            }
        }
        for link in ground.grid.links_to(cell) {
            let (from, total) = (link.from, cost + straight * Cost::from(link.cost));
            let may_begin = ground.window.contains(from) && ground.grid.fits(from, footprint);
            if may_begin && total <= ground.limit {
                let index = self.nodes.index(from);
                let asked = (&mut *passage, least);
                self.offer((from, index), (total, None), node.among_goals, asked);
            }
        }
    }

    /// Offers a cell a way that begins with a step, or with a link without one.
    #[inline]
    fn offer(
        &mut self,
        (from, index): (Cell, usize),
        (cost, step): (Cost, Option<Direction>),
        to_goals: bool,
        (passage, least): (&mut impl FnMut(Cell) -> Passage, &impl Fn(Cell) -> Cost),
    ) {
        let node = self.nodes.at(index);
        if cost > node.cost {
            return;
        }
        if !node.is_asked() {
            node.set_passage(passage(from));
        }
        // A body beside the target does not leave it to let others pass.
        if node.among_goals && !to_goals {
            return;
        }
        if node.improve(cost, step) {
            self.push(cost + least(from), from);
        }
    }

    /// The query that the field answers; `None` if it is empty or was computed past bodies.
    pub fn query(&self) -> Option<&FieldQuery> {
        self.computed_for.as_ref().map(|(query, _)| query)
    }

    /// Whether the field answers a query and the map has not been edited since. The caller must
    /// know which map it is of. Bodies may have moved.
    #[doc(hidden)]
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.computed_for
            .is_some_and(|(_, version)| version == grid.version())
    }

    /// How many cells were given their final cost.
    pub const fn expanded(&self) -> u32 {
        self.counters.expanded
    }

    /// Bytes on the heap.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.nodes.heap_bytes() + self.queue.heap_bytes()
    }
}

/// The ground as a search backwards from a target sees it: from which cells steps lead to a cell.
struct ReverseGround<'a> {
    grid: &'a Grid,
    rules: Rules,
    body_filter: Option<BodyFilter<'a>>,
    window: SearchWindow,
    /// The greatest cost of a way.
    limit: Cost,
}

impl<'a> ReverseGround<'a> {
    fn new(terrain: Terrain<'a>, query: &FieldQuery) -> Self {
        let counts_bodies = query.rules.bodies != BodyPolicy::Ignore;
        let bodies = terrain.bodies.filter(|_| counts_bodies);
        Self {
            grid: terrain.grid,
            rules: query.rules,
            body_filter: bodies
                .map(|bodies| BodyFilter::around_target(bodies, query.target, query.target_body)),
            window: SearchWindow::around(query.target, query.limits.radius, terrain.grid),
            limit: query.limits.cost.min(COST_MAX),
        }
    }

    /// How a way may lead over a cell: freely, unless a body stands there.
    fn passage(&self, cell: Cell) -> Passage {
        match &self.body_filter {
            Some(filter) if filter.blocks(cell, self.rules.footprint) => Passage::Blocked,
            _ => Passage::Free,
        }
    }

    /// The directions of the neighbours from which a step leads to `cell`.
    #[inline]
    fn arrivals(&self, cell: Cell) -> Directions {
        let footprint = self.rules.footprint;
        let legal = self.rules.move_table();
        let around = self.grid.surroundings(cell, footprint);
        let mut arrivals = match &self.body_filter {
            None => legal[around],
            Some(body_filter) => {
                let passable = body_filter.surroundings(self.grid, cell, footprint);
                // The body on the cell where a step begins is the walker itself.
                let beginnings = Directions::ALL.into_iter().filter(|&direction| {
                    let bit = around_bit(direction);
                    around & bit != 0 && legal[passable | bit].contains(direction)
                });
                beginnings.collect()
            }
        };
        arrivals = arrivals.intersection(self.window.inside(cell.x, cell.y));
        if self.grid.has_exits() {
            let beside = arrivals.into_iter().filter(|direction| {
                cell.step(*direction).is_some_and(|from| {
                    let exits = self.grid.exits_of_body(from, footprint);
                    exits.contains(direction.opposite())
                })
            });
            arrivals = beside.collect();
        }
        arrivals
    }
}
