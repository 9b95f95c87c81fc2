//! One query.

use super::{
    boards::Boards,
    nodes::{NODES_MAX, Node, Nodes, State, pack, unpack},
};
use crate::{
    COST_MAX, Cell, Cost, Direction, Path,
    map::LookLanes,
    rules::Estimate,
    search::{Counters, Fallback, Method, Outcome, Query, Status, Stopped, heap::Heap},
};

/// By how many straight steps the least cost of what lies on a diagonal may exceed that of what
/// the queue holds before the rest of it is put off. A queue entry takes as long as several
/// steps.
const PATIENCE: Cost = 4;

/// A query with what follows from it. Cells are counted from the boards' first one.
pub(super) struct Task<'a, const CUT: bool> {
    boards: &'a Boards<'a>,
    query: &'a Query,
    start: (u32, u32),
    goal: (u32, u32),
    same_floor: bool,
    straight: Cost,
    diagonal: Cost,
    estimate: Estimate,
    wants_closest: bool,
}

/// How far a search has come.
struct Front<'a> {
    nodes: &'a mut Nodes,
    open: &'a mut Heap,
    counters: Counters,
    /// Guess and cost of the nearest cell passed, the cell, and the node before it.
    closest: Option<(Cost, Cost, u32, u32)>,
    /// The cost of the path through the node that is being expanded is at least this.
    least: Cost,
    /// The goal was come to at the least cost there can be.
    arrived: bool,
    /// Something was left out because it would have cost more than any path may.
    cost_limited: bool,
}

/// A node that is being expanded.
#[derive(Clone, Copy)]
struct From {
    number: u32,
    x: u32,
    y: u32,
    /// The cell's bit in the rows, and in the columns.
    in_row: usize,
    in_column: usize,
    cost: Cost,
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

    pub(super) fn run(&self, nodes: &mut Nodes, open: &mut Heap, path: &mut Path) -> Outcome {
        nodes.start();
        open.clear();
        let (x, y) = self.start;
        let mut front = Front {
            nodes,
            open,
            counters: Counters::default(),
            closest: None,
            least: self.guess(x, y),
            arrived: false,
            cost_limited: false,
        };
        self.reach(&mut front, 0, x, y, 0, u8::MAX);
        let stopped = loop {
            let Some(entry) = front.open.pop() else {
                break if front.cost_limited {
                    Stopped::BudgetSpent
                } else {
                    Stopped::Unreachable
                };
            };
            front.counters.popped += 1;
            let number = !(entry as u32);
            let &Node {
                cell,
                cost,
                ways,
                parent,
                state,
            } = front.nodes.get(number);
            let (x, y) = unpack(cell);
            front.least = (entry >> 32) as Cost;
            let origin = match state {
                State::Closed => continue,
                State::Open if (x, y) == self.goal && self.same_floor => {
                    return self.found(&front, number, path);
                }
                State::Open => number,
                State::PutOff => parent,
            };
            if front.counters.expanded == self.query.limits.expansions {
                break Stopped::BudgetSpent;
            }
            if state == State::Open {
                front.nodes.get_mut(number).state = State::Closed;
            }
            front.counters.expanded += 1;
            let from = self.from(origin, (x, y), cost);
            if self.expand(&mut front, from, ways) {
                let (goal, _) = front.nodes.number(pack(self.goal.0, self.goal.1));
                return self.found(&front, goal, path);
            }
        };
        let counters = front.counters;
        if let Some((guess, cost, cell, parent)) = front.closest
            && guess < self.guess(self.start.0, self.start.1)
        {
            self.trace(front.nodes, cell, parent, path);
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

    fn from(&self, number: u32, (x, y): (u32, u32), cost: Cost) -> From {
        From {
            number,
            x,
            y,
            in_row: self.boards.free.bit(y, x),
            in_column: self.boards.looks[0].ends.bit(x, y),
            cost,
        }
    }

    fn found(&self, front: &Front<'_>, goal: u32, path: &mut Path) -> Outcome {
        let node = front.nodes.get(goal);
        self.trace(front.nodes, node.cell, node.parent, path);
        Outcome {
            status: Status::Found,
            cost: node.cost,
            counters: front.counters,
            method: Method::Jps,
        }
    }

    /// Looks in all directions that a node asks for, first toward the goal. Returns whether the
    /// goal was come to at the least cost there can be.
    fn expand(&self, front: &mut Front<'_>, from: From, ways: u8) -> bool {
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

    /// Looks straight ahead from a cell that is reached at `cost`.
    #[inline]
    fn look<const WAY: u8>(&self, front: &mut Front<'_>, at: From, cost: Cost) {
        let LookLanes { ends, live } = self.boards.looks[usize::from(WAY / 2)];
        let from = match WAY {
            NORTH | SOUTH => at.in_column,
            _ => at.in_row,
        };
        let (goal, aside) = self.goal_from::<WAY>(at);
        let may_be_there = aside == 0 && goal > 0 && self.same_floor;
        if !(may_be_there || live.get(from) || self.wants_closest) {
            return;
        }
        let steps = match WAY {
            NORTH | WEST => ends.next_below(from),
            _ => ends.next_above(from),
        };
        let end = self.bit_after(WAY, at.in_row, steps);
        let free = self.boards.free.get(end);
        let steps = steps as u32;
        let reach = steps - u32::from(!free);
        if may_be_there && goal as u32 <= reach {
            let (x, y) = self.goal;
            let cost = cost + goal as u32 * self.straight;
            self.reach(front, at.number, x, y, cost, 0);
            return;
        }
        if self.wants_closest {
            self.pass::<WAY>(front, at, cost, reach);
        }
        if free {
            let (x, y) = moved::<WAY>((at.x, at.y), steps);
            let ways = self.ways_on::<WAY>(end);
            let cost = cost + steps * self.straight;
            self.reach(front, at.number, x, y, cost, ways);
        }
    }

    /// The directions to look in from a cell that was come to straight ahead: on, and to the
    /// sides on which a wall leaves a way that only this cell opens.
    #[inline]
    fn ways_on<const WAY: u8>(&self, at: usize) -> u8 {
        let free = self.boards.free;
        let mut ways = 1 << WAY;
        for turn in [(WAY + 6) % 8, (WAY + 2) % 8] {
            let beside = self.bit_after(turn, at, 1);
            let diagonal = 1 << between(WAY, turn);
            if CUT {
                if !free.get(beside) && free.get(self.bit_after(WAY, beside, 1)) {
                    ways |= diagonal;
                }
            } else if free.get(beside) && !free.get(self.bit_after(opposite(WAY), beside, 1)) {
                ways |= diagonal | 1 << turn;
            }
        }
        ways
    }

    /// The bit of a cell so many steps away in a straight direction, among the rows.
    #[inline]
    fn bit_after(&self, way: u8, bit: usize, steps: usize) -> usize {
        let stride = self.boards.free.stride();
        match way {
            NORTH => bit - steps * stride,
            SOUTH => bit + steps * stride,
            WEST => bit - steps,
            _ => bit + steps,
        }
    }

    /// Goes diagonally as far as walls allow, and looks straight ahead to both sides from every
    /// cell on the way from which there is something to see.
    #[inline]
    fn run_diagonally<const ACROSS: u8, const UPDOWN: u8>(
        &self,
        front: &mut Front<'_>,
        from: From,
    ) {
        let free = self.boards.free;
        let across_live = self.boards.looks[usize::from(ACROSS / 2)].live;
        let updown_live = self.boards.looks[usize::from(UPDOWN / 2)].live;
        let column_stride = updown_live.stride();
        // Steps to the goal's column and row; not above 0 where it lies behind.
        let (to_column, _) = self.goal_from::<ACROSS>(from);
        let (to_row, _) = self.goal_from::<UPDOWN>(from);
        let (mut in_row, mut in_column) = (from.in_row, from.in_column);
        let mut steps = 0;
        let mut stop = next_stop(0, to_column, to_row);
        loop {
            let across = self.bit_after(ACROSS, in_row, 1);
            let updown = self.bit_after(UPDOWN, in_row, 1);
            let next = self.bit_after(UPDOWN, across, 1);
            let legal = free.get(next) && (CUT || free.get(across) && free.get(updown));
            if !legal {
                return;
            }
            in_row = next;
            in_column = match ACROSS {
                EAST => in_column + column_stride,
                _ => in_column - column_stride,
            };
            in_column = match UPDOWN {
                SOUTH => in_column + 1,
                _ => in_column - 1,
            };
            steps += 1;
            let live = across_live.get(in_row) || updown_live.get(in_column);
            let turns = CUT && !(free.get(across) && free.get(updown));
            if !(live || turns || steps == stop || self.wants_closest) {
                continue;
            }
            let (x, _) = moved::<ACROSS>((from.x, from.y), steps as u32);
            let (_, y) = moved::<UPDOWN>((from.x, from.y), steps as u32);
            let cost = from.cost + steps as u32 * self.diagonal;
            let at = From {
                x,
                y,
                in_row,
                in_column,
                cost,
                ..from
            };
            if (x, y) == self.goal && self.same_floor {
                self.reach(front, at.number, x, y, cost, 0);
                return;
            }
            if self.wants_closest {
                front.pass(self.guess(x, y), cost, pack(x, y), at.number);
            }
            if turns {
                // Beside the walls that the diagonal passes lies what only it can come to.
                let mut ways = 0;
                if !free.get(updown) && free.get(self.bit_after(UPDOWN, updown, 1)) {
                    ways |= 1 << between(opposite(ACROSS), UPDOWN);
                }
                if !free.get(across) && free.get(self.bit_after(ACROSS, across, 1)) {
                    ways |= 1 << between(ACROSS, opposite(UPDOWN));
                }
                if ways != 0 {
                    self.reach(front, at.number, x, y, cost, ways);
                }
            }
            self.look::<ACROSS>(front, at, cost);
            self.look::<UPDOWN>(front, at, cost);
            if front.arrived {
                return;
            }
            if steps == stop {
                let total = cost + self.guess(x, y);
                if total > front.least + PATIENCE * self.straight {
                    front.put_off(at, 1 << between(ACROSS, UPDOWN), total);
                    return;
                }
                stop = next_stop(steps, to_column, to_row);
            }
        }
    }

    /// Puts a cell on the queue if it is news that it can be reached at `cost`.
    #[inline]
    fn reach(&self, front: &mut Front<'_>, parent: u32, x: u32, y: u32, cost: Cost, ways: u8) {
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
        front.open.push(u64::from(total) << 32 | u64::from(!number));
    }

    /// Remembers the cell nearest to the goal among those on the way straight ahead.
    fn pass<const WAY: u8>(&self, front: &mut Front<'_>, at: From, cost: Cost, reach: u32) {
        if reach == 0 {
            return;
        }
        // The guess falls on the way to the goal's lane and rises behind it. Where it is flat,
        // the first cell is the cheapest.
        let guess = |steps: u32| {
            let (x, y) = moved::<WAY>((at.x, at.y), steps);
            self.guess(x, y)
        };
        let (ahead, aside) = self.goal_from::<WAY>(at);
        let nearest = ahead.clamp(1, reach as i32) as u32;
        let flat = if self.estimate.is_flat() {
            aside.max(ahead.abs_diff(nearest as i32))
        } else {
            0
        };
        let steps = nearest.min((ahead - flat as i32).max(1) as u32);
        let (x, y) = moved::<WAY>((at.x, at.y), steps);
        let cost = cost + steps * self.straight;
        front.pass(guess(steps), cost, pack(x, y), at.number);
    }

    /// How many steps ahead, and how many to the side, the goal lies.
    fn goal_from<const WAY: u8>(&self, From { x, y, .. }: From) -> (i32, u32) {
        let (goal_x, goal_y) = self.goal;
        let (dx, dy) = (goal_x as i32 - x as i32, goal_y as i32 - y as i32);
        match WAY {
            NORTH => (-dy, dx.unsigned_abs()),
            SOUTH => (dy, dx.unsigned_abs()),
            WEST => (-dx, dy.unsigned_abs()),
            _ => (dx, dy.unsigned_abs()),
        }
    }

    #[inline]
    fn guess(&self, x: u32, y: u32) -> Cost {
        let (goal_x, goal_y) = self.goal;
        self.estimate
            .cost(x.abs_diff(goal_x) as u16, y.abs_diff(goal_y) as u16)
    }

    /// Leaves the path from the start to a cell, which is reached from node `parent`.
    fn trace(&self, nodes: &Nodes, cell: u32, parent: u32, path: &mut Path) {
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

    /// The cells of one jump, from its end to the one behind its beginning: diagonal steps come
    /// first on the way, so last here.
    fn lay(&self, from: (u32, u32), (mut x, mut y): (u32, u32), path: &mut Path) {
        let Cell {
            x: left,
            y: top,
            floor,
        } = self.boards.origin;
        let toward = |from: u32, to: u32| (from as i32 - to as i32).signum();
        while (x, y) != from {
            path.prepend(Cell {
                x: left + x as u16,
                y: top + y as u16,
                floor,
            });
            let (columns, rows) = (x.abs_diff(from.0), y.abs_diff(from.1));
            if columns >= rows {
                x = x.wrapping_add_signed(toward(from.0, x));
            }
            if rows >= columns {
                y = y.wrapping_add_signed(toward(from.1, y));
            }
        }
    }
}

impl Front<'_> {
    /// Puts directions in which nothing costs less than `total` back on the queue.
    fn put_off(&mut self, from: From, ways: u8, total: Cost) {
        let number = self.nodes.add(Node {
            cell: pack(from.x, from.y),
            cost: from.cost,
            parent: from.number,
            ways,
            state: State::PutOff,
        });
        self.open.push(u64::from(total) << 32 | u64::from(!number));
    }

    fn pass(&mut self, guess: Cost, cost: Cost, cell: u32, parent: u32) {
        let passed = (guess, cost, cell, parent);
        if self.closest.is_none_or(|closest| passed < closest) {
            self.closest = Some(passed);
        }
    }
}

const NORTH: u8 = Direction::North as u8;
const EAST: u8 = Direction::East as u8;
const SOUTH: u8 = Direction::South as u8;
const WEST: u8 = Direction::West as u8;

const fn opposite(way: u8) -> u8 {
    (way + 4) % 8
}

/// After how many steps a diagonal run has to look up: in the goal's column and row, and
/// now and then where it leads away from the goal.
#[inline]
fn next_stop(steps: i32, to_column: i32, to_row: i32) -> i32 {
    let (first, second) = (to_column.min(to_row), to_column.max(to_row));
    if steps < first {
        first
    } else if steps < second {
        second.min(steps + 8)
    } else {
        steps + 8
    }
}

/// The diagonal between two straight directions.
const fn between(way: u8, other: u8) -> u8 {
    match (way, other) {
        (EAST, NORTH) | (NORTH, EAST) => Direction::NorthEast as u8,
        (EAST, SOUTH) | (SOUTH, EAST) => Direction::SouthEast as u8,
        (WEST, SOUTH) | (SOUTH, WEST) => Direction::SouthWest as u8,
        _ => Direction::NorthWest as u8,
    }
}

/// The cell so many steps straight ahead.
#[inline]
const fn moved<const WAY: u8>((x, y): (u32, u32), steps: u32) -> (u32, u32) {
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
