//! One query.

use super::{
    boards::Boards,
    front::Front,
    look::Viewpoint,
    nodes::{NODES_MAX, Node, State, pack, unpack},
    ways::{EAST, NORTH, SOUTH, WEST, toward},
};
use crate::{
    COST_MAX, Cell, Cost, Direction, Path,
    rules::Estimate,
    search::{Fallback, Method, Outcome, Query, Status, Stopped},
};

/// A query with what follows from it. Cells are counted from the boards' first one.
pub(super) struct Task<'a, const CUT: bool> {
    pub(super) boards: &'a Boards<'a>,
    query: &'a Query,
    start: (u32, u32),
    pub(super) goal: (u32, u32),
    pub(super) same_floor: bool,
    pub(super) straight: Cost,
    pub(super) diagonal: Cost,
    pub(super) estimate: Estimate,
    pub(super) wants_closest: bool,
}

impl<'a, const CUT: bool> Task<'a, CUT> {
    pub(super) fn new(boards: &'a Boards<'a>, query: &'a Query) -> Self {
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
            boards,
            query,
        }
    }

    /// Forgets the search before; what is left to do is to [`run`](Self::run).
    pub(super) fn start(&self, front: &mut Front) {
        front.start();
        let (x, y) = self.start;
        self.reach(front, 0, x, y, 0, u8::MAX);
    }

    /// Goes on for so many expansions, at least one. Returns `None` if there is more to do.
    pub(super) fn run(
        &self,
        front: &mut Front,
        expansions: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let limit = self.query.limits.expansions;
        let pause = front.counters.expanded.saturating_add(expansions.max(1));
        let pause = pause.min(limit);
        let stopped = loop {
            let Some((number, least)) = front.pop() else {
                break if front.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                };
            };
            let &Node {
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
                State::Closed => continue,
                State::Open if (x, y) == self.goal && self.same_floor => {
                    return Some(self.found(front, number, path));
                }
                State::Open => number,
                State::PutOff => parent,
            };
            if front.counters.expanded == pause {
                if pause == limit {
                    break Stopped::BudgetSpent;
                }
                front.put_back(number, least);
                return None;
            }
            if state == State::Open {
                front.nodes.get_mut(number).state = State::Closed;
            }
            front.counters.expanded += 1;
            let from = self.viewpoint(origin, (x, y), cost);
            if self.expand(front, from, ways) {
                let (goal, _) = front.nodes.number(pack(self.goal.0, self.goal.1));
                return Some(self.found(front, goal, path));
            }
        };
        Some(self.stopped(front, stopped, path))
    }

    fn viewpoint(&self, number: u32, (x, y): (u32, u32), cost: Cost) -> Viewpoint {
        Viewpoint {
            number,
            x,
            y,
            in_row: self.boards.free.bit(y, x),
            in_column: self.boards.looks[0].ends.bit(x, y),
            cost,
        }
    }

    fn found(&self, front: &Front, goal: u32, path: &mut Path) -> Outcome {
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
    fn stopped(&self, front: &Front, stopped: Stopped, path: &mut Path) -> Outcome {
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
    fn expand(&self, front: &mut Front, from: Viewpoint, ways: u8) -> bool {
        let first = toward((from.x, from.y), self.goal);
        let mut ways = ways.rotate_right(first);
        while ways != 0 {
            let way = (ways.trailing_zeros() + first) % 8;
            ways &= ways - 1;
            match Direction::ALL[way as usize] {
                Direction::North => self.look::<NORTH>(front, from, from.cost),
                Direction::East => self.look::<EAST>(front, from, from.cost),
                Direction::South => self.look::<SOUTH>(front, from, from.cost),
                Direction::West => self.look::<WEST>(front, from, from.cost),
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

    /// Puts a cell on the queue if it is news that it can be reached at `cost`.
    #[inline]
    pub(super) fn reach(
        &self,
        front: &mut Front,
        parent: u32,
        x: u32,
        y: u32,
        cost: Cost,
        ways: u8,
    ) {
        if cost > COST_MAX || front.nodes.len() == NODES_MAX {
            front.cost_limited = true;
            return;
        }
        let (number, known) = front.nodes.number(pack(x, y));
        let node = front.nodes.get_mut(number);
        if cost >= node.cost || node.state == State::Closed {
            return;
        }
        node.cost = cost;
        node.parent = parent;
        node.ways = ways;
        front.counters.touched += u32::from(!known);
        front.counters.pushed += 1;
        let total = cost + self.guess(x, y);
        if total <= front.least && (x, y) == self.goal && self.same_floor {
            front.arrived = true;
            return;
        }
        front.push(number, total);
    }

    #[inline]
    pub(super) fn guess(&self, x: u32, y: u32) -> Cost {
        let (goal_x, goal_y) = self.goal;
        self.estimate
            .cost(x.abs_diff(goal_x) as u16, y.abs_diff(goal_y) as u16)
    }
}
