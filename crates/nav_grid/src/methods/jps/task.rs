//! One query by jump points: the loop of expansions.

use super::{
    boards::JumpBoards,
    lists::JumpLists,
    nodes::{JumpNode, JumpState, pack, unpack},
    scan_origin::ScanOrigin,
    ways::{EAST, NORTH, SOUTH, WEST, toward},
};
use crate::{
    cell::{Cell, Direction},
    path::Path,
    query::{Fallback, Method, Outcome, PathQuery, Status, Stopped},
    rules::{Cost, Estimate},
};

/// A query with what follows from it. Cells are counted from the boards' first one.
pub(crate) struct JumpTask<'a, const CUT: bool> {
    pub(crate) boards: &'a JumpBoards<'a>,
    query: &'a PathQuery,
    start: (u32, u32),
    pub(crate) goal: (u32, u32),
    pub(crate) same_floor: bool,
    pub(crate) straight: Cost,
    pub(crate) diagonal: Cost,
    pub(crate) estimate: Estimate,
    pub(crate) wants_closest: bool,
    pub(crate) cost_max: Cost,
}

impl<'a, const CUT: bool> JumpTask<'a, CUT> {
    pub(crate) fn new(boards: &'a JumpBoards<'a>, query: &'a PathQuery) -> Self {
        let metric = query.rules.metric;
        let place = |cell: Cell| {
            let Cell { x, y, .. } = boards.origin;
            // A goal on another floor is nowhere; it is not looked for.
            (
                u32::from(cell.x.saturating_sub(x)),
                u32::from(cell.y.saturating_sub(y)),
            )
        };
        Self {
            start: place(query.start),
            goal: place(query.goal),
            same_floor: query.start.floor == query.goal.floor,
            straight: metric.straight(),
            diagonal: metric.diagonal().unwrap_or(2 * metric.straight()),
            estimate: Estimate::new(query.heuristic, metric),
            wants_closest: query.fallback == Fallback::ClosestReached,
            cost_max: query.limits.cost_max(),
            boards,
            query,
        }
    }

    /// Forgets the search before; what is left to do is to [`run`](Self::run).
    pub(crate) fn start(&self, front: &mut JumpLists) {
        front.start();
        self.reach(front, 0, self.start, 0, || u8::MAX);
    }

    /// Goes on for so much work, at least one expansion. Returns `None` if there is more to do.
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
            let &JumpNode {
                cell,
                cost,
                ways,
                parent,
                state,
            } = front.nodes.get(number);
            let (x, y) = unpack(cell);
            if least > self.query.limits.cost {
                break Stopped::BudgetSpent;
            }
            front.least = least;
            let origin = match state {
                JumpState::Closed => continue,
                JumpState::Open if (x, y) == self.goal && self.same_floor => {
                    return Some(self.found(front, number, path));
                }
                JumpState::Open => number,
                JumpState::PutOff => parent,
            };
            if front.counters.expanded == limit {
                break Stopped::BudgetSpent;
            }
            if front.counters.work() >= pause {
                front.put_back(number, least);
                return None;
            }
            if state == JumpState::Open {
                front.nodes.get_mut(number).state = JumpState::Closed;
            }
            let from = self.scan_origin(origin, (x, y), cost);
            let arrived = self.expand(front, &from, ways);
            front.count();
            if arrived && let Ok(goal) = front.nodes.find(pack(self.goal.0, self.goal.1)) {
                return Some(self.found(front, goal, path));
            }
        };
        Some(self.stopped(front, stopped, path))
    }

    fn scan_origin(&self, number: u32, (x, y): (u32, u32), cost: Cost) -> ScanOrigin {
        ScanOrigin {
            number,
            x,
            y,
            in_row: self.boards.free.bit(y, x),
            in_column: self.boards.lane_scans[0].ends.bit(x, y),
            cost,
        }
    }

    fn found(&self, front: &JumpLists, goal: u32, path: &mut Path) -> Outcome {
        let node = front.nodes.get(goal);
        self.trace(&front.nodes, node.cell, node.parent, path);
        Outcome {
            status: Status::Found,
            cost: node.cost,
            counters: front.counters,
            method: Method::Jps,
        }
    }

    /// The answer of a search that did not come to the goal.
    fn stopped(&self, front: &JumpLists, stopped: Stopped, path: &mut Path) -> Outcome {
        let counters = front.counters;
        if let Some((guess, cost, cell, parent)) = front.closest
            && guess < self.guess(self.start.0, self.start.1)
        {
            self.trace(&front.nodes, cell, parent, path);
            return Outcome {
                status: Status::Partial(stopped),
                cost,
                counters,
                method: Method::Jps,
            };
        }
        let status = match stopped {
            Stopped::Unreachable => Status::Unreachable,
            Stopped::BudgetSpent => Status::BudgetSpent,
        };
        Outcome::without_path(Method::Jps, status, counters)
    }

    /// Looks in all directions that a node asks for, first toward the goal. Returns whether the
    /// goal was come to at the least cost there can be.
    fn expand(&self, front: &mut JumpLists, from: &ScanOrigin, ways: u8) -> bool {
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

    /// How many steps straight ahead the goal lies, in the direction toward it; 0 if it does not.
    fn ahead(&self, from: &ScanOrigin) -> u32 {
        match (from.x.abs_diff(self.goal.0), from.y.abs_diff(self.goal.1)) {
            (steps, 0) | (0, steps) if self.same_floor => steps,
            _ => 0,
        }
    }

    /// Puts a jump point on the queue if it is news that it can be reached at `cost`, and there
    /// are ways to look in from it. It must not be the goal.
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
        let Some(place) = front.news(cell, cost) else {
            return;
        };
        let ways = ways();
        if ways != 0 {
            let total = cost + self.guess(x, y);
            front.put(place, JumpNode::open(cell, cost, parent, ways), total);
        }
    }

    /// The same for the goal, which is not only put on the queue but taken if it was come to at
    /// the least cost there can be.
    pub(crate) fn arrive(&self, front: &mut JumpLists, parent: u32, cost: Cost) {
        let cell = pack(self.goal.0, self.goal.1);
        if let Some(place) = front.news(cell, cost) {
            front.put(place, JumpNode::open(cell, cost, parent, 0), cost);
            front.arrived |= cost <= front.least;
        }
    }

    #[inline]
    pub(crate) fn guess(&self, x: u32, y: u32) -> Cost {
        let (goal_x, goal_y) = self.goal;
        self.estimate
            .cost(x.abs_diff(goal_x) as u16, y.abs_diff(goal_y) as u16)
    }
}
