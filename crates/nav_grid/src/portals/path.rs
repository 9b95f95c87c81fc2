//! A search from portal to portal.

use super::{
    buckets::Buckets,
    cluster::{Ground, Rows, Spot, Targets, Tiling, is_in},
    graph::{APART, Gate, NONE, Portals, quick},
    leg::{Legs, Open},
    pull::Pull,
    wave::{Wave, Way},
};
use crate::{
    COST_MAX, Cell, Cost, Counters, Fallback, Feature, Grid, Method, Outcome, Path, Query, Search,
    Status, Stopped, Support, Terrain,
};

/// A* over the [portals](Portals) of a map, for one walker and a far goal.
///
/// Finds a path wherever there is one. It is a cheapest one where nothing is in the way, and
/// else near it: on most maps within 1 % on average and 15 % at worst, as portals are passed by
/// their middle cells, a guess that is a sixteenth too high keeps the search short, and the way
/// between portals is pulled tight afterwards, but for where exits are.
///
/// Serves every metric, footprint and corner rule that the [`Charts`](crate::Charts) hold portals
/// for, exits, floors and links, and refuses maps with step costs and walkers that mind bodies.
/// The window must hold the whole map, as [`Limits::UNBOUNDED`](crate::Limits::UNBOUNDED) does: any
/// other one is refused with [`Feature::Window`]. The query's heuristic does not count.
///
/// [`Counters::expanded`] counts portals, and the limit on expansions is one on these. A path
/// that stops [short of the goal](Fallback::ClosestReached) leads to the expanded portal from
/// which the distance to the goal is least, of several the one of the least number.
///
/// The open list holds sums of cost and guess in buckets a straight step wide, rounded down to a
/// power of two. In a bucket, the last portal put there comes first. Gates of a cluster are
/// looked at in the order of the clusters that own them, then along their borders.
///
/// # Complexity
///
/// O(portals × portals of a cluster) at worst. Two short waves, then some dozens of
/// expansions across 512×512 cells of a game's map. Memory: 16 bytes for every portal that there
/// is room for.
///
/// # References
///
/// Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004. Buckets: Denardo
/// and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets", 1979.
#[derive(Clone, Debug, Default)]
pub struct PortalPath {
    nodes: Vec<Node>,
    generation: u32,
    queue: Buckets,
    /// From the start to the gates of its cluster, and from those of the goal's to it.
    from_start: Vec<u32>,
    to_goal: Vec<u32>,
    passages: Vec<u32>,
    /// The stops of a section of the path, and its cells.
    stops: Vec<Cell>,
    section: Vec<Cell>,
    route: Vec<Cell>,
    wave: Wave,
    legs: Legs,
    pull: Pull,
}

/// What is known of a portal.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    generation: u32,
    /// The least known cost to come through it.
    cost: u32,
    /// The passage that leads there, and [`DONE`].
    passage: u32,
    /// The passage before it, or [`NONE`].
    parent: u32,
}

/// Guesses count for this part more than they are: it takes a good deal fewer expansions, and
/// portals may be dearer by as much.
const GREED: u32 = 16;

/// Marks passages whose successors were looked at.
const DONE: u32 = 1 << 31;

impl PortalPath {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for PortalPath {
    const METHOD: Method = Method::Portal;
    const SUPPORT: Support = Support {
        costs: false,
        bodies: false,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        let grid = terrain.grid;
        path.clear();
        let refused = |status| Outcome::without_path(Self::METHOD, status, Counters::default());
        if let Some(feature) = Self::SUPPORT.lacks(terrain, query) {
            return refused(Status::Unsupported(feature));
        }
        let portals = terrain.charts.and_then(|charts| charts.portals.as_ref());
        let Some(portals) = portals.filter(|portals| portals.serves(grid, query.rules)) else {
            return refused(Status::Unsupported(Feature::Preparation));
        };
        if let Some(status) = query.answer_at_once(grid) {
            return refused(status);
        }
        if !covers(grid, query) {
            return refused(Status::Unsupported(Feature::Window));
        }
        let task = Task {
            grid,
            portals,
            open: portals.open(Some(grid)),
            query,
            guess_max: guess_max(grid, portals, query),
        };
        self.run(&task, path)
    }
}

/// Whether the window of a query holds the whole map.
fn covers(grid: &Grid, query: &Query) -> bool {
    let Cell { x, y, .. } = query.start;
    let far = [x, grid.width() - 1 - x, y, grid.height() - 1 - y];
    far.into_iter().all(|far| far <= query.limits.radius)
}

/// The highest guess that is not too high for a map with links that are cheaper than the
/// distance: the cheapest way over the last of them.
fn guess_max(grid: &Grid, portals: &Portals, query: &Query) -> u32 {
    let open = portals.open(None);
    let cost = |link: &crate::Link| {
        let cost = u32::from(link.cost) * open.straight;
        cost + open.distance(link.to, query.goal)
    };
    grid.shortcuts().iter().map(cost).min().unwrap_or(u32::MAX)
}

/// One query, with what follows from it at once.
struct Task<'a> {
    grid: &'a Grid,
    portals: &'a Portals,
    open: Open<'a>,
    query: &'a Query,
    guess_max: u32,
}

impl Task<'_> {
    /// No way to the goal is cheaper.
    #[inline]
    fn guess(&self, cell: Cell) -> u32 {
        self.open
            .distance(cell, self.query.goal)
            .min(self.guess_max)
    }

    /// What the steps of a path on one floor cost in the query's metric.
    fn cost(&self, from: Cell, cells: &[Cell]) -> u64 {
        let metric = self.query.rules.metric;
        let mut at = from;
        let mut steps = [0_u64; 2];
        for &cell in cells {
            steps[usize::from(cell.x != at.x && cell.y != at.y)] += 1;
            at = cell;
        }
        steps[0] * u64::from(metric.straight())
            + steps[1] * u64::from(metric.diagonal().unwrap_or(0))
    }
}

/// How a search over portals ended.
enum End {
    /// Through this passage, or [`NONE`] for none at all.
    Goal(u32),
    /// At the passage nearest to the goal, or [`NONE`] if that is the start.
    Nowhere(u32),
    Budget(u32),
}

impl PortalPath {
    fn run(&mut self, task: &Task<'_>, path: &mut Path) -> Outcome {
        let mut counters = Counters::default();
        let end = self.find(task, &mut counters);
        let (status, last, goal) = match end {
            End::Goal(last) => (Status::Found, last, Some(task.query.goal)),
            End::Nowhere(last) => (Status::Unreachable, last, None),
            End::Budget(last) => (Status::BudgetSpent, last, None),
        };
        let status = match (status, task.query.fallback) {
            (Status::Found, _) => Status::Found,
            (status, Fallback::ClosestReached) if last != NONE => {
                Status::Partial(if status == Status::Unreachable {
                    Stopped::Unreachable
                } else {
                    Stopped::BudgetSpent
                })
            }
            (status, _) => return Outcome::without_path(Method::Portal, status, counters),
        };
        let cost = self.refine(task, last, goal);
        if cost > u64::from(COST_MAX) {
            return Outcome::without_path(Method::Portal, Status::BudgetSpent, counters);
        }
        for &cell in self.route.iter().rev() {
            path.prepend(cell);
        }
        Outcome {
            status,
            cost: cost as Cost,
            counters,
            method: Method::Portal,
        }
    }

    /// Finds the passages of a cheapest way.
    fn find(&mut self, task: &Task<'_>, counters: &mut Counters) -> End {
        let Task { portals, query, .. } = *task;
        let (start, goal) = (query.start, query.goal);
        // Nothing can be cheaper than a leg but links.
        if start.floor == goal.floor
            && task.open.distance(start, goal) <= task.guess_max
            && self.legs.is_clear(&task.open, start, goal)
        {
            return End::Goal(NONE);
        }
        let tiling = portals.tiling;
        let (first, last) = (tiling.cluster(start), tiling.cluster(goal));
        let mut best = NONE;
        let mut best_end = NONE;
        let ground = portals.ground(task.grid, last);
        let to_goal = &mut self.to_goal;
        let reach = Reach {
            portals,
            ground: &ground,
            cluster: last,
            way: Way::Backward,
        };
        reach.measure(&mut self.wave, &mut self.legs, goal, None, to_goal);
        let direct = (first == last).then_some(goal);
        if self.to_goal.iter().all(|&cost| cost == NONE) && direct.is_none() {
            return End::Nowhere(NONE);
        }
        let ground = portals.ground(task.grid, first);
        let reach = Reach {
            portals,
            ground: &ground,
            cluster: first,
            way: Way::Forward,
        };
        let from_start = &mut self.from_start;
        if let Some(cost) = reach.measure(&mut self.wave, &mut self.legs, start, direct, from_start)
        {
            best = cost;
        }
        self.renew(portals);
        let shift = task.open.straight.ilog2();
        self.queue.reset(shift, task.guess(start));
        let from_start = std::mem::take(&mut self.from_start);
        self.expand(task, first, NONE, 0, counters, |gate| {
            from_start.get(gate).copied().unwrap_or(NONE)
        });
        self.from_start = from_start;

        let mut nearest = (task.guess(start), NONE);
        while let Some((key, passage)) = self.queue.pop() {
            counters.popped += 1;
            // All that waits costs as much, to a straight step.
            if key >= best {
                return End::Goal(best_end);
            }
            let node = &mut self.nodes[(passage / 2) as usize];
            if node.passage != passage {
                continue;
            }
            if counters.expanded == query.limits.expansions {
                return End::Budget(nearest.1);
            }
            counters.expanded += 1;
            node.passage |= DONE;
            let cost = node.cost;
            let entry = portals.exit(passage);
            if query.fallback == Fallback::ClosestReached {
                let cell = tiling.cell(entry.cluster, entry.spot);
                nearest = nearest.min((task.guess(cell), passage));
            }
            if entry.cluster == last {
                let rest = self.to_goal.get(entry.gate).copied().unwrap_or(NONE);
                let whole = cost.saturating_add(rest);
                if whole < best {
                    best = whole;
                    best_end = passage;
                }
            }
            let row = portals.distances(entry.cluster, entry.gate);
            self.expand(
                task,
                entry.cluster,
                passage,
                cost,
                counters,
                |gate| match row.get(gate) {
                    Some(&distance) if distance != APART => u32::from(distance),
                    _ => NONE,
                },
            );
        }
        if best == NONE {
            End::Nowhere(nearest.1)
        } else {
            End::Goal(best_end)
        }
    }

    /// Forgets the last search.
    fn renew(&mut self, portals: &Portals) {
        let count = portals.numbers();
        if self.nodes.len() < count {
            self.nodes.resize(count, Node::default());
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.nodes.fill(Node::default());
            self.generation = 1;
        }
    }

    /// Looks at all gates of a cluster from a place in it, `distance` away each.
    #[inline]
    fn expand(
        &mut self,
        task: &Task<'_>,
        cluster: u32,
        parent: u32,
        cost: u32,
        counters: &mut Counters,
        distance: impl Fn(usize) -> u32,
    ) {
        let corner = task.portals.tiling.corner(cluster);
        for (index, gate) in task.portals.gates(cluster).iter().enumerate() {
            let distance = distance(index);
            let out = task.portals.out(gate);
            if distance == NONE || out == NONE {
                continue;
            }
            let here = cost.saturating_add(distance);
            let through = here.saturating_add(out);
            let node = &mut self.nodes[(gate.passage / 2) as usize];
            let known = node.generation == self.generation;
            if known && node.cost <= through || through >= COST_MAX {
                continue;
            }
            counters.touched += u32::from(!known);
            counters.pushed += 1;
            *node = Node {
                generation: self.generation,
                cost: through,
                passage: gate.passage,
                parent,
            };
            let cell = Cell {
                x: corner.x + gate.spot % super::cluster::SIDE,
                y: corner.y + gate.spot / super::cluster::SIDE,
                ..corner
            };
            let guess = task.guess(cell);
            let key = here.saturating_add(guess + guess / GREED);
            self.queue.push(key, gate.passage);
        }
    }

    /// Lays the path through `last` and the passages before it, and on to the goal if that is
    /// where it leads, into `route`. Returns its cost in the query's metric.
    fn refine(&mut self, task: &Task<'_>, last: u32, goal: Option<Cell>) -> u64 {
        let Task { portals, query, .. } = *task;
        self.passages.clear();
        let mut passage = last;
        while passage != NONE {
            self.passages.push(passage);
            passage = self.nodes[(passage / 2) as usize].parent;
        }
        self.route.clear();
        self.stops.clear();
        self.stops.push(query.start);
        let mut cost = 0;
        while let Some(passage) = self.passages.pop() {
            let (entrance, exit) = (portals.entrance(passage), portals.exit(passage));
            let from = portals.tiling.cell(entrance.cluster, entrance.spot);
            let to = portals.tiling.cell(exit.cluster, exit.spot);
            self.stops.push(from);
            if portals.is_link(passage) {
                cost += self.lay_section(task);
                let link = task.grid.move_cost(from, to, query.rules);
                cost += u64::from(link.unwrap_or(COST_MAX));
                self.route.push(to);
                self.stops.clear();
            }
            self.stops.push(to);
        }
        self.stops.extend(goal);
        cost + self.lay_section(task)
    }

    /// Lays a path from stop to stop and pulls it tight. Stops that follow one another are in
    /// one cluster, or a step apart.
    fn lay_section(&mut self, task: &Task<'_>) -> u64 {
        let open = &task.open;
        let Some(&first) = self.stops.first() else {
            return 0;
        };
        self.section.clear();
        self.section.push(first);
        let mut at = 0;
        let mut bent = 0;
        while let (Some(&from), Some(&next)) = (self.stops.get(at), self.stops.get(at + 1)) {
            // As many stops ahead as may be, twice as many each time.
            let (mut reached, mut ahead) = (at, 1);
            while let Some(&to) = self.stops.get(at + ahead) {
                if !self.legs.is_clear(open, from, to) {
                    break;
                }
                reached = at + ahead;
                ahead *= 2;
            }
            bent += 1;
            if let Some(&to) = self.stops.get(reached).filter(|_| reached > at) {
                self.legs.lay(open, from, to, &mut self.section);
                at = reached;
                continue;
            }
            at += 1;
            let cluster = task.portals.tiling.cluster(from);
            if cluster != task.portals.tiling.cluster(next) {
                // The step across a border that exits keep legs from.
                self.section.push(next);
            } else if from != next {
                self.lay_inside(task, cluster, Tiling::spot(from), Tiling::spot(next));
            }
        }
        if bent > 1 && self.section.len() > 2 {
            self.pull.pull(open, &mut self.section);
        }
        self.route.extend_from_slice(&self.section[1..]);
        task.cost(first, &self.section[1..])
    }

    /// Lays a path between two spots of a cluster.
    fn lay_inside(&mut self, task: &Task<'_>, cluster: u32, from: Spot, to: Spot) {
        let portals = task.portals;
        let ground = portals.ground(task.grid, cluster);
        let mut reached = None;
        let seeds = [(0, from)];
        // Pulling it tight makes up for the pace.
        let (pace, _) = quick(portals.pace);
        let visit = |cost, front: &Rows, _| {
            reached = is_in(front, to).then_some(cost);
            reached.is_none()
        };
        self.wave.run(&ground, pace, Way::Forward, seeds, visit);
        let Some(cost) = reached else { return };
        let first = self.section.len();
        let section = &mut self.section;
        self.wave.trace(&ground, pace, to, cost, |spot| {
            section.push(portals.tiling.cell(cluster, spot));
        });
        section[first..].reverse();
    }
}

/// A look at the gates of a cluster from a cell in it.
struct Reach<'a> {
    portals: &'a Portals,
    ground: &'a Ground,
    cluster: u32,
    way: Way,
}

impl Reach<'_> {
    /// Finds the costs between a cell and all gates, [`NONE`] where there is no way. Returns
    /// the cost to one more cell of the cluster.
    fn measure(
        &self,
        wave: &mut Wave,
        legs: &mut Legs,
        cell: Cell,
        other: Option<Cell>,
        costs: &mut Vec<u32>,
    ) -> Option<u32> {
        let portals = self.portals;
        let gates = portals.gates(self.cluster);
        let open = portals.open(None);
        let symmetric = self.ground.exits.is_none();
        let is_of_use = |gate: &Gate| match self.way {
            Way::Forward => portals.out(gate) != NONE,
            Way::Backward => portals.into(gate) != NONE,
        };
        costs.clear();
        let mut waiting = 0;
        for gate in gates {
            let to = portals.tiling.cell(self.cluster, gate.spot);
            let clear = symmetric && is_of_use(gate) && legs.is_clear(&open, cell, to);
            waiting += usize::from(is_of_use(gate) && !clear);
            costs.push(if clear { open.distance(cell, to) } else { NONE });
        }
        let mut between = None;
        if let Some(other) = other
            && symmetric
            && legs.is_clear(&open, cell, other)
        {
            between = Some(open.distance(cell, other));
        }
        let wanted = other.filter(|_| between.is_none()).map(Tiling::spot);
        if waiting == 0 && wanted.is_none() {
            return between;
        }
        waiting += usize::from(wanted.is_some());
        let seed = (0, Tiling::spot(cell));
        let spots = gates.iter().map(|gate| gate.spot).chain(wanted);
        let targets = Targets::new(spots);
        let (pace, fifths) = quick(portals.pace);
        let visit = |cost, front: &Rows, rows| {
            if !targets.are_in(front, rows) {
                return true;
            }
            let cost = cost * fifths / 5;
            for (known, gate) in costs.iter_mut().zip(gates) {
                if *known == NONE && is_in(front, gate.spot) && is_of_use(gate) {
                    *known = cost;
                    waiting -= 1;
                }
            }
            if let Some(wanted) = wanted
                && is_in(front, wanted)
            {
                between = Some(cost);
                waiting -= 1;
            }
            waiting > 0
        };
        wave.run(self.ground, pace, self.way, [seed], visit);
        between
    }
}
