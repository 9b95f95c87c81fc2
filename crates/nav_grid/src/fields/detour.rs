//! Detour fields: the ways to the nearest of several goals, past bodies that are in the way.

use super::{
    query::{FieldLimits, FieldQuery},
    reverse_ground::ReverseGround,
};
use crate::{
    cell::{Cell, Direction, Directions},
    map::{Grid, Link},
    queues::BucketQueue,
    rules::{COST_MAX, Cost, Rules},
    window::SearchWindow,
};

/// What it takes to come past a place that others may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passage {
    /// Nobody is there.
    Free,
    /// Somebody who will go on or make room: as good as so many straight steps more.
    Toll(u8),
    /// Somebody who moves aside to a goal, or to another place of this sort, at such a toll.
    AmongGoals(u8),
    /// Somebody who stays.
    Blocked,
}

/// For each place around a target what it costs to get to the nearest of several goals, past bodies
/// for which a caller charges tolls.
///
/// For packs that stand behind one another: the goals are the places beside the target that are
/// free, bodies that stay are walls, and all others have a toll.
///
/// Computed by Dijkstra's search backwards from all goals at once, over ground of every kind: step
/// costs, exits, links, floors, footprints, all metrics and corner rules. It ends as soon as all
/// places in question have a cost.
///
/// # Complexity
///
/// O(places that are nearer to a goal than the furthest one in question), some 50 ns each, and one
/// call for the [`Passage`] of each. Look-ups O(1). Nothing is allocated once memory has grown to
/// the largest window asked for.
///
/// # Memory
///
/// 8 bytes for each cell of the window, 16 for each in the queue at once.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Directions, Grid, Rules, fields::{DetourField, Passage}};
///
/// let grid = Grid::open(9, 9)?;
/// let mut field = DetourField::new();
/// let (target, goal, start) = (Cell::new(4, 4), Cell::new(5, 4), Cell::new(2, 4));
/// let blocked = [target, Cell::new(3, 4)];
/// let passage = |cell| if blocked.contains(&cell) { Passage::Blocked } else { Passage::Free };
/// field.compute((&grid, Rules::default()), (target, 8), &[goal], &[start], passage);
/// assert_eq!(field.cost(start), Some(3));
/// let way = field.best_step((&grid, Rules::default()), start, Directions::ALL);
/// assert!(way.is_some());
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DetourField {
    window: Option<SearchWindow>,
    nodes: Vec<DetourNode>,
    queue: BucketQueue<Cell>,
    expanded: u32,
}

/// A place of the window.
#[derive(Clone, Copy, Debug)]
struct DetourNode {
    /// From here to the nearest goal, the toll of this place not included.
    cost: Cost,
    /// The toll in straight steps, or one of the marks below.
    toll: u8,
    among_goals: bool,
}

impl DetourNode {
    const UNKNOWN: Self = Self {
        cost: Cost::MAX,
        toll: UNASKED,
        among_goals: false,
    };
}

/// The caller was not asked yet.
const UNASKED: u8 = u8::MAX;
/// Nobody comes past.
const BLOCKED: u8 = u8::MAX - 1;
const TOLL_MAX: u8 = 32;

impl DetourField {
    /// A field without memory yet. No place has a cost.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the field anew: of a window of a radius around a target, for walkers of some rules,
    /// whose bodies `passage` knows. Ends when all `starts` have a cost. Beside an edge of the map the window
    /// is moved so far that it is as large as elsewhere.
    ///
    /// Of the rules, [`bodies`](Rules::bodies) does not count. Tolls above 32 count as 32. Goals outside the
    /// window are left out, and with a target off the map no place has a cost. What stands on a start is the
    /// walker itself, and is not asked for.
    pub fn compute(
        &mut self,
        (grid, rules): (&Grid, Rules),
        (target, radius): (Cell, u16),
        goals: &[Cell],
        starts: &[Cell],
        mut passage: impl FnMut(Cell) -> Passage,
    ) {
        self.expanded = 0;
        if !grid.size().contains(target) {
            self.window = None;
            self.nodes.clear();
            return;
        }
        let query = FieldQuery::new(target)
            .with_rules(rules)
            .with_limits(FieldLimits::window(radius));
        let mut ground = ReverseGround::new(grid.into(), &query);
        ground.window = SearchWindow::on_map_around(target, radius, grid);
        let window = ground.window;
        self.window = Some(window);
        self.nodes.clear();
        self.nodes.resize(window.area(), DetourNode::UNKNOWN);
        let straight = rules.metric.straight();
        let dearest = rules.metric.diagonal().unwrap_or(straight)
            * if grid.has_costs() {
                Grid::COST_WORST.into()
            } else {
                1
            };
        let dearest = dearest.max(straight.saturating_mul(grid.dearest_link().into()));
        let reach = dearest.saturating_add(straight * Cost::from(TOLL_MAX));
        self.queue.start(straight.ilog2(), 0, reach);
        for &goal in goals {
            if window.contains(goal) {
                let node = &mut self.nodes[window.index(goal) as usize];
                // One that is named twice counts once.
                if node.cost != 0 {
                    (node.cost, node.toll, node.among_goals) = (0, 0, true);
                    self.queue.push(0, goal);
                }
            }
        }
        let mut open = starts.len();
        while let Some((cost, cell)) = self.queue.pop() {
            let index = window.index(cell) as usize;
            if self.nodes[index].cost != cost {
                continue;
            }
            self.expanded += 1;
            open -= starts
                .iter()
                .filter(|&&start| start == cell)
                .count()
                .min(open);
            if open == 0 {
                break;
            }
            self.expand(&ground, cell, cost, &mut passage);
        }
    }

    /// Offers the places from which steps and links lead to `cell` what that costs.
    fn expand(
        &mut self,
        ground: &ReverseGround<'_>,
        cell: Cell,
        cost: Cost,
        passage: &mut impl FnMut(Cell) -> Passage,
    ) {
        let Rules {
            metric, footprint, ..
        } = ground.rules;
        let DetourNode {
            toll, among_goals, ..
        } = self.nodes[ground.window.index(cell) as usize];
        if toll == BLOCKED {
            return;
        }
        let cost = cost + metric.straight() * Cost::from(toll);
        let factor = ground.grid.cost_of_body(cell, footprint);
        for direction in ground.arrivals(cell) {
            if let (Some(from), Some(step)) = (cell.step(direction), metric.step(direction)) {
                let index = ground.window.index(from) as usize;
                self.offer((index, from), cost + step * factor, among_goals, passage);
            }
        }
        for link in ground.grid.links_to(cell) {
            if ground.window.contains(link.from) && ground.grid.fits(link.from, footprint) {
                let index = ground.window.index(link.from) as usize;
                let step = metric.straight() * Cost::from(link.cost);
                self.offer((index, link.from), cost + step, among_goals, passage);
            }
        }
    }

    /// Offers a place a way at a cost, to a goal or somebody who moves aside among them or not.
    fn offer(
        &mut self,
        (index, from): (usize, Cell),
        cost: Cost,
        to_goals: bool,
        passage: &mut impl FnMut(Cell) -> Passage,
    ) {
        let node = &mut self.nodes[index];
        if cost >= node.cost || cost > COST_MAX {
            return;
        }
        if node.toll == UNASKED {
            (node.toll, node.among_goals) = match passage(from) {
                Passage::Free => (0, false),
                Passage::Toll(toll) => (toll.min(TOLL_MAX), false),
                Passage::AmongGoals(toll) => (toll.min(TOLL_MAX), true),
                Passage::Blocked => (BLOCKED, false),
            };
        }
        if to_goals || !node.among_goals {
            node.cost = cost;
            self.queue.push(cost, from);
        }
    }

    fn node(&self, cell: Cell) -> Option<&DetourNode> {
        let window = self.window.filter(|window| window.contains(cell))?;
        self.nodes.get(window.index(cell) as usize)
    }

    /// What it costs to get from a place to the nearest goal, in units of the metric, tolls
    /// included: 0 at a goal, `None` where no way is known.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let cost = self.node(cell)?.cost;
        (cost != Cost::MAX).then_some(cost)
    }

    /// Of some directions the one in which a step leads to a goal at the least cost; `None` if none
    /// of them leads nearer. Of equals the first clockwise from north, straight ones before
    /// diagonal ones. The map and the rules are those that the field was made of.
    pub fn best_step(
        &self,
        (grid, rules): (&Grid, Rules),
        from: Cell,
        among: Directions,
    ) -> Option<Direction> {
        let here = self.node(from)?;
        let ways = grid.steps(from, rules).intersection(among);
        let total = |way: Direction| {
            let there = self.node(from.step(way)?)?;
            let leads_on = there.cost < here.cost && there.toll != BLOCKED;
            let stays = here.among_goals && !there.among_goals;
            let step = grid.step_cost(from, way, rules)?;
            let toll = rules.metric.straight() * Cost::from(there.toll);
            (leads_on && !stays).then(|| (there.cost + toll + step, way.is_diagonal(), way as u8))
        };
        let best = ways.into_iter().filter_map(|way| Some((total(way)?, way)));
        best.min_by_key(|&(total, _)| total).map(|(_, way)| way)
    }

    /// The end of the link that leads from a place to a goal, if none of the steps does at less
    /// cost.
    pub fn best_link(&self, (grid, rules): (&Grid, Rules), from: Cell) -> Option<Cell> {
        let here = self.node(from).filter(|node| node.cost != Cost::MAX)?;
        let leads_on = |link: &&Link| {
            self.node(link.to).is_some_and(|there| {
                let toll = Cost::from(there.toll);
                let step = rules.metric.straight() * (Cost::from(link.cost) + toll);
                let stays = here.among_goals && !there.among_goals;
                there.toll != BLOCKED && !stays && there.cost.saturating_add(step) == here.cost
            })
        };
        let link = grid.links_from(from).iter().find(leads_on);
        link.map(|link| link.to)
    }

    /// How many places were given their final cost.
    pub const fn expanded(&self) -> u32 {
        self.expanded
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<DetourNode>() + self.queue.heap_bytes()
    }
}
