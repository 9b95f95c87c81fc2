//! A search from portal to portal.

use super::{
    buckets::Buckets,
    graph::{APART, NONE, Portals},
    leg::{Legs, Open},
    pull::Pull,
    reach::Reach,
    wave::{Wave, Way},
};
use crate::{
    COST_MAX, Cell, Cost, Counters, Fallback, Feature, Grid, Method, Outcome, Path, Query, Search,
    Status, Stopped, Support, Terrain, search::answer_at_once,
};

/// A* over the [portals](Portals) of a map, for one walker and a far goal.
///
/// Finds a path wherever there is one. It is a cheapest one where nothing is in the way, and
/// else near it: on most maps within 1 % on average and 15 % at worst, as portals are passed by
/// their middle cells, a guess that is a twelfth too high keeps the search short, and the way
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
    pub(super) nodes: Vec<Node>,
    generation: u32,
    queue: Buckets,
    /// From the start to the gates of its cluster, and from those of the goal's to it.
    from_start: Vec<u32>,
    to_goal: Vec<u32>,
    pub(super) passages: Vec<u32>,
    /// The stops of a section of the path, and its cells.
    pub(super) stops: Vec<Cell>,
    pub(super) section: Vec<Cell>,
    pub(super) route: Vec<Cell>,
    pub(super) wave: Wave,
    pub(super) legs: Legs,
    pub(super) pull: Pull,
}

/// What is known of a portal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    generation: u32,
    /// The least known cost to come through it.
    cost: u32,
    /// The passage that leads there, and [`DONE`].
    passage: u32,
    /// The passage before it, or [`NONE`].
    pub(super) parent: u32,
}

/// Guesses count for this part more than they are: it takes a good deal fewer expansions, and
/// portals may be dearer by as much.
const GREED: u32 = 12;

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
        if let Some(outcome) = answer_at_once::<Self>(terrain, query) {
            return outcome;
        }
        let portals = terrain.charts.and_then(|charts| charts.portals.as_ref());
        let Some(portals) = portals.filter(|portals| portals.serves(grid, query.rules)) else {
            return Outcome::unsupported(Self::METHOD, Feature::Preparation);
        };
        if !covers(grid, query) {
            return Outcome::unsupported(Self::METHOD, Feature::Window);
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
pub(super) struct Task<'a> {
    pub(super) grid: &'a Grid,
    pub(super) portals: &'a Portals,
    pub(super) open: Open<'a>,
    pub(super) query: &'a Query,
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
        if cost > u64::from(task.query.limits.cost_max()) {
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
            && Legs::is_clear(&task.open, start, goal)
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
        reach.measure(&mut self.wave, goal, None, to_goal);
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
        if let Some(cost) = reach.measure(&mut self.wave, start, direct, from_start) {
            best = cost;
        }
        self.renew(portals);
        let shift = task.open.straight.ilog2();
        self.queue.reset(shift, task.guess(start));
        let from_start = std::mem::take(&mut self.from_start);
        let distances = from_start.iter().copied();
        self.expand(task, first, NONE, 0, counters, distances);
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
            let row = row.iter().map(|&distance| match distance {
                APART => NONE,
                _ => u32::from(distance),
            });
            self.expand(task, entry.cluster, passage, cost, counters, row);
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
        distances: impl Iterator<Item = u32>,
    ) {
        let corner = task.portals.tiling.corner(cluster);
        for (gate, distance) in task.portals.gates(cluster).iter().zip(distances) {
            let out = task.portals.out(gate);
            if distance == NONE || out == NONE {
                continue;
            }
            let here = cost.saturating_add(distance);
            let through = here.saturating_add(out);
            let Some(node) = self.nodes.get_mut((gate.passage / 2) as usize) else {
                continue;
            };
            let known = node.generation == self.generation;
            if known && (node.cost <= through || node.passage & DONE != 0) || through >= COST_MAX {
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
}
