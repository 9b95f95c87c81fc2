//! One query by jump points: the expansion of nodes, and the trace of the path.

use super::{
    boards::JumpBoards,
    jump_nodes::{JumpLists, JumpNode, JumpNodes, JumpState, ScanOrigin, pack, unpack},
};
use crate::{
    cell::{Cell, Direction},
    path::Path,
    query::{Fallback, Method, Outcome, PathQuery, Status, Stopped},
    rules::{Cost, Estimate},
};

/// A query with the values that follow from it. Cells are counted from the first cell of the
/// boards.
pub(crate) struct JumpTask<'a, const CUT: bool> {
    pub(crate) boards: &'a JumpBoards<'a>,
    query: &'a PathQuery,
    start: (u32, u32),
    pub(crate) goal: (u32, u32),
    pub(crate) same_floor: bool,
    pub(crate) straight: Cost,
    pub(crate) diagonal: Cost,
    estimate: Estimate,
    /// Orders cells by nearness to the goal, if the path may end short of it.
    pub(crate) nearness_by: Estimate,
    pub(crate) wants_closest: bool,
    pub(crate) cost_max: Cost,
}

impl<'a, const CUT: bool> JumpTask<'a, CUT> {
    pub(crate) fn new(boards: &'a JumpBoards<'a>, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        // Saturates for a goal outside of the boards, on another floor, which no scan looks for.
        let place = |cell: Cell| {
            let x = cell.x.saturating_sub(boards.origin.x);
            let y = cell.y.saturating_sub(boards.origin.y);
            (u32::from(x), u32::from(y))
        };
        Self {
            start: place(query.start),
            goal: place(query.goal),
            same_floor: query.start.floor == query.goal.floor,
            straight: metric.straight(),
            diagonal: metric.diagonal().unwrap_or(2 * metric.straight()),
            estimate: Estimate::new(query.heuristic, metric),
            nearness_by: query.nearness(),
            wants_closest: query.fallback == Fallback::ClosestReached,
            cost_max: query.limits.cost_max(),
            boards,
            query,
        }
    }

    /// Forgets the last search and queues the start.
    pub(crate) fn start(&self, front: &mut JumpLists) {
        front.start();
        self.reach(front, 0, self.start, 0, || u8::MAX);
    }

    /// Continues for `work` units and at least one expansion. Returns `None` if the search is not
    /// done by then.
    pub(crate) fn run(&self, front: &mut JumpLists, work: u32, path: &mut Path) -> Option<Outcome> {
        let limit = self.query.limits.expansions;
        let pause = front.counters.work().saturating_add(work.max(1));
        let stopped = loop {
            let Some((number, least)) = front.pop() else {
                break if front.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                };
            };
            let node = *front.nodes.get(number);
            let (x, y) = unpack(node.cell);
            if least > self.cost_max {
                // Only a path that ends short of the goal is left to find. Its end is at least so
                // far from the goal.
                let beyond = least - self.cost_max;
                let is_nearest = front.closest.is_some_and(|(guess, ..)| guess <= beyond);
                if !self.wants_closest || is_nearest {
                    break Stopped::BudgetSpent;
                }
                front.cost_limited = true;
            }
            front.least = least;
            let origin = match node.state {
                JumpState::Closed => continue,
                // No other path can be cheaper than the best entry of the queue.
                JumpState::Open if (x, y) == self.goal && self.same_floor => {
                    return Some(self.ended(front, Status::Found, &node, path));
                }
                JumpState::Open => number,
                JumpState::PutOff => node.parent,
            };
            if front.counters.expanded == limit {
                break Stopped::BudgetSpent;
            }
            if front.counters.work() >= pause {
                front.put_back(number, least);
                return None;
            }
            if node.state == JumpState::Open {
                front.nodes.get_mut(number).state = JumpState::Closed;
            }
            let from = ScanOrigin {
                number: origin,
                x,
                y,
                in_row: self.boards.free.bit(y, x),
                in_column: self.boards.lane_scans[0].ends.bit(x, y),
                cost: node.cost,
            };
            let arrived = self.expand(front, &from, node.ways);
            front.count();
            if arrived && let Ok(goal) = front.nodes.find(pack(self.goal.0, self.goal.1)) {
                let goal = *front.nodes.get(goal);
                return Some(self.ended(front, Status::Found, &goal, path));
            }
        };
        Some(match front.closest {
            Some((nearness, cost, cell, parent))
                if nearness < self.nearness(self.start.0, self.start.1) =>
            {
                let node = JumpNode::open(cell, cost, parent, 0);
                self.ended(front, Status::Partial(stopped), &node, path)
            }
            _ => Outcome::new(Method::Jps, stopped.into()).with_counters(front.counters),
        })
    }

    /// The answer with the path to a node.
    fn ended(
        &self,
        front: &JumpLists,
        status: Status,
        node: &JumpNode,
        path: &mut Path,
    ) -> Outcome {
        self.trace(&front.nodes, node.cell, node.parent, path);
        let outcome = Outcome::new(Method::Jps, status).with_cost(node.cost);
        outcome.with_counters(front.counters)
    }

    /// Scans in all directions of a node, first toward the goal. Returns whether the goal was
    /// reached at the least possible cost.
    fn expand(&self, front: &mut JumpLists, from: &ScanOrigin, ways: u8) -> bool {
        // Toward the goal first: if the scan arrives, it saves the others.
        let first = toward((from.x, from.y), self.goal);
        let mut ways = ways.rotate_right(first);
        while ways != 0 {
            let turn = ways.trailing_zeros();
            ways &= ways - 1;
            let ahead = if turn == 0 { self.ahead(from) } else { 0 };
            match Direction::ALL[((turn + first) % 8) as usize] {
                Direction::North => self.look_from::<NORTH>(front, from, ahead),
                Direction::East => self.look_from::<EAST>(front, from, ahead),
                Direction::South => self.look_from::<SOUTH>(front, from, ahead),
                Direction::West => self.look_from::<WEST>(front, from, ahead),
                Direction::NorthEast => self.run_diagonally::<EAST, NORTH>(front, from),
                Direction::SouthEast => self.run_diagonally::<EAST, SOUTH>(front, from),
                Direction::SouthWest => self.run_diagonally::<WEST, SOUTH>(front, from),
                Direction::NorthWest => self.run_diagonally::<WEST, NORTH>(front, from),
            }
            if front.arrived {
                return true;
            }
        }
        false
    }

    /// The steps to a goal that lies straight ahead, otherwise 0.
    fn ahead(&self, from: &ScanOrigin) -> u32 {
        match (from.x.abs_diff(self.goal.0), from.y.abs_diff(self.goal.1)) {
            (steps, 0) | (0, steps) if self.same_floor => steps,
            _ => 0,
        }
    }

    /// Queues a jump point if `cost` is an improvement and it has directions to scan. It must not
    /// be the goal.
    #[inline]
    pub(crate) fn reach(
        &self,
        front: &mut JumpLists,
        parent: u32,
        (x, y): (u32, u32),
        cost: Cost,
        ways: impl FnOnce() -> u8,
    ) {
        let cell = pack(x, y);
        if cost > self.cost_max {
            front.cost_limited = true;
            return;
        }
        let Some(place) = front.news(cell, cost) else {
            return;
        };
        let ways = ways();
        if ways != 0 {
            let total = cost + self.guess(x, y);
            front.put(place, JumpNode::open(cell, cost, parent, ways), total);
        }
    }

    /// Queues the goal, and ends the search if it was reached at the least possible cost. Returns
    /// whether the limit on cost allows it.
    pub(crate) fn arrive(&self, front: &mut JumpLists, parent: u32, cost: Cost) -> bool {
        let cell = pack(self.goal.0, self.goal.1);
        if cost > self.cost_max {
            front.cost_limited = true;
            return false;
        }
        if let Some(place) = front.news(cell, cost) {
            front.put(place, JumpNode::open(cell, cost, parent, 0), cost);
            front.arrived |= cost <= front.least;
        }
        true
    }

    #[inline]
    pub(crate) fn guess(&self, x: u32, y: u32) -> Cost {
        let (goal_x, goal_y) = self.goal;
        self.estimate
            .cost(x.abs_diff(goal_x) as u16, y.abs_diff(goal_y) as u16)
    }

    /// The nearness of a cell to the goal.
    #[inline]
    pub(crate) fn nearness(&self, x: u32, y: u32) -> Cost {
        let (goal_x, goal_y) = self.goal;
        self.nearness_by
            .cost(x.abs_diff(goal_x) as u16, y.abs_diff(goal_y) as u16)
    }

    /// Fills `path` from the start to a cell that was reached from the node `parent`.
    fn trace(&self, nodes: &JumpNodes, cell: u32, parent: u32, path: &mut Path) {
        let (mut to, mut parent) = (unpack(cell), parent);
        loop {
            let node = nodes.get(parent);
            let from = unpack(node.cell);
            self.lay(from, to, path);
            if node.parent == parent {
                return;
            }
            (to, parent) = (from, node.parent);
        }
    }

    /// Prepends the cells of one jump, from its end back to and without its begin. Diagonal steps
    /// come first on the way, so last here.
    fn lay(&self, from: (u32, u32), to: (u32, u32), path: &mut Path) {
        let (across, down) = (from.0 as i32 - to.0 as i32, from.1 as i32 - to.1 as i32);
        let (columns, rows) = (across.abs(), down.abs());
        let diagonal = columns.min(rows);
        let straight = columns.max(rows) - diagonal;
        let (x, y) = (across.signum(), down.signum());
        let ahead = if columns > rows { (x, 0) } else { (0, y) };
        let bend = (
            to.0.wrapping_add_signed(straight * ahead.0),
            to.1.wrapping_add_signed(straight * ahead.1),
        );
        for (start, steps, (dx, dy)) in [(to, straight, ahead), (bend, diagonal, (x, y))] {
            let Cell {
                x: left,
                y: top,
                floor,
            } = self.boards.origin;
            let first = (left + start.0 as u16, top + start.1 as u16);
            path.prepend_all((0..steps).map(|step| Cell {
                x: first.0.wrapping_add_signed((step * dx) as i16),
                y: first.1.wrapping_add_signed((step * dy) as i16),
                floor,
            }));
        }
    }
}

// Directions as constants, for code that is compiled once for each.
pub(crate) const NORTH: u8 = Direction::North as u8;
pub(crate) const EAST: u8 = Direction::East as u8;
pub(crate) const SOUTH: u8 = Direction::South as u8;
pub(crate) const WEST: u8 = Direction::West as u8;

pub(crate) const fn opposite(way: u8) -> u8 {
    (way + 4) % 8
}

/// The diagonal between two straight directions.
pub(crate) const fn between(way: u8, other: u8) -> u8 {
    match (way, other) {
        (EAST, NORTH) | (NORTH, EAST) => Direction::NorthEast as u8,
        (EAST, SOUTH) | (SOUTH, EAST) => Direction::SouthEast as u8,
        (WEST, SOUTH) | (SOUTH, WEST) => Direction::SouthWest as u8,
        _ => Direction::NorthWest as u8,
    }
}

/// The cell `steps` steps straight ahead.
#[inline]
pub(crate) const fn moved<const WAY: u8>((x, y): (u32, u32), steps: u32) -> (u32, u32) {
    match WAY {
        NORTH => (x, y.wrapping_sub(steps)),
        SOUTH => (x, y.wrapping_add(steps)),
        WEST => (x.wrapping_sub(steps), y),
        _ => (x.wrapping_add(steps), y),
    }
}

/// The direction from one cell toward another.
const fn toward((x, y): (u32, u32), to: (u32, u32)) -> u32 {
    let way = match (to.0 as i32 - x as i32, to.1 as i32 - y as i32) {
        (0, ..=0) => Direction::North,
        (0, _) => Direction::South,
        (1.., 0) => Direction::East,
        (1.., ..0) => Direction::NorthEast,
        (1.., _) => Direction::SouthEast,
        (_, 0) => Direction::West,
        (_, ..0) => Direction::NorthWest,
        _ => Direction::SouthWest,
    };
    way as u32
}
