//! One query.

use super::{
    boards::Boards,
    nodes::{NODES_MAX, Node, Nodes, pack, unpack},
    scan::{Ahead, scan},
};
use crate::{
    COST_MAX, Cell, Cost, Direction, Path,
    rules::Estimate,
    search::{Counters, Fallback, Method, Outcome, Query, Status, Stopped, heap::Heap},
};

/// A query with what follows from it. Cells are counted from the boards' first one.
pub(super) struct Task<'a, const CUT: bool> {
    boards: Boards<'a>,
    query: &'a Query,
    start: (u32, u32),
    goal: (u32, u32),
    same_floor: bool,
    straight: Cost,
    diagonal: Cost,
    estimate: Estimate,
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
    cost: Cost,
}

impl<'a, const CUT: bool> Task<'a, CUT> {
    pub(super) fn new(boards: Boards<'a>, query: &'a Query) -> Self {
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
                closed,
                ..
            } = front.nodes.get(number);
            let (x, y) = unpack(cell);
            if (x, y) == self.goal && self.same_floor {
                return self.found(&front, number, path);
            }
            if closed {
                continue;
            }
            if front.counters.expanded == self.query.limits.expansions {
                break Stopped::BudgetSpent;
            }
            front.nodes.get_mut(number).closed = true;
            front.counters.expanded += 1;
            front.least = (entry >> 32) as Cost;
            let from = From { number, x, y, cost };
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
                Direction::North => self.look::<NORTH>(front, from, 0),
                Direction::East => self.look::<EAST>(front, from, 0),
                Direction::South => self.look::<SOUTH>(front, from, 0),
                Direction::West => self.look::<WEST>(front, from, 0),
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

    /// Looks straight ahead from a cell `diagonals` diagonal steps behind a node.
    #[inline(always)]
    fn look<const WAY: u8>(&self, front: &mut Front<'_>, at: From, diagonals: u32) {
        let ahead = match WAY {
            NORTH => scan::<false, CUT>(self.boards.columns, at.x, at.y),
            SOUTH => scan::<true, CUT>(self.boards.columns, at.x, at.y),
            WEST => scan::<false, CUT>(self.boards.rows, at.y, at.x),
            _ => scan::<true, CUT>(self.boards.rows, at.y, at.x),
        };
        self.looked::<WAY>(front, at, diagonals, ahead);
    }

    #[inline(always)]
    fn looked<const WAY: u8>(&self, front: &mut Front<'_>, at: From, diagonals: u32, ahead: Ahead) {
        let cost = at.cost + diagonals * self.diagonal;
        let goal = steps_to::<WAY>((at.x, at.y), self.goal);
        if goal.wrapping_sub(1) < ahead.reach && self.same_floor {
            let (x, y) = self.goal;
            self.reach(front, at.number, x, y, cost + goal * self.straight, 0);
            return;
        }
        if self.query.fallback == Fallback::ClosestReached {
            self.pass::<WAY>(front, at, cost, ahead.reach);
        }
        if ahead.steps > 0 {
            let (x, y) = moved::<WAY>((at.x, at.y), ahead.steps);
            let ways = ways_on(WAY, ahead.sides, CUT);
            let cost = cost + ahead.steps * self.straight;
            self.reach(front, at.number, x, y, cost, ways);
        }
    }

    /// Goes diagonally as far as walls allow, and looks straight ahead to both sides from every
    /// cell on the way.
    #[inline(always)]
    fn run_diagonally<const ACROSS: u8, const UPDOWN: u8>(
        &self,
        front: &mut Front<'_>,
        from: From,
    ) {
        let (rows, columns) = (self.boards.rows, self.boards.columns);
        let free = |x: u32, y: u32| rows.read(rows.bit(y, x)) & 1 == 1;
        let mut at = from;
        let mut steps = 0;
        loop {
            let (x, _) = moved::<ACROSS>((at.x, at.y), 1);
            let (_, y) = moved::<UPDOWN>((at.x, at.y), 1);
            if !free(x, y) || !CUT && !(free(x, at.y) && free(at.x, y)) {
                return;
            }
            let (last_x, last_y) = (at.x, at.y);
            (at.x, at.y) = (x, y);
            steps += 1;
            let cost = from.cost + steps * self.diagonal;
            if (x, y) == self.goal && self.same_floor {
                self.reach(front, from.number, x, y, cost, 0);
                return;
            }
            if self.query.fallback == Fallback::ClosestReached {
                front.pass(self.guess(x, y), cost, pack(x, y), from.number);
            }
            if CUT {
                let mut ways = 0;
                // Beside the walls that the diagonal passes lies what only it can come to.
                let (_, beyond_y) = moved::<UPDOWN>((x, y), 1);
                let (beyond_x, _) = moved::<ACROSS>((x, y), 1);
                if !free(last_x, y) && free(last_x, beyond_y) {
                    ways |= 1 << diagonal_way(opposite(ACROSS), UPDOWN);
                }
                if !free(x, last_y) && free(beyond_x, last_y) {
                    ways |= 1 << diagonal_way(ACROSS, opposite(UPDOWN));
                }
                if ways != 0 {
                    self.reach(front, from.number, x, y, cost, ways);
                }
            }
            let ahead = if ACROSS == EAST {
                scan::<true, CUT>(rows, y, x)
            } else {
                scan::<false, CUT>(rows, y, x)
            };
            self.looked::<ACROSS>(front, at, steps, ahead);
            let ahead = if UPDOWN == SOUTH {
                scan::<true, CUT>(columns, x, y)
            } else {
                scan::<false, CUT>(columns, x, y)
            };
            self.looked::<UPDOWN>(front, at, steps, ahead);
            if front.arrived {
                return;
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
        if cost >= node.cost || node.closed {
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
        let (ahead, aside) = self.goal_from::<WAY>((at.x, at.y));
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
    fn goal_from<const WAY: u8>(&self, (x, y): (u32, u32)) -> (i32, u32) {
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

/// The diagonal between east or west and north or south.
const fn diagonal_way(across: u8, updown: u8) -> u8 {
    match (across, updown) {
        (EAST, NORTH) => Direction::NorthEast as u8,
        (EAST, _) => Direction::SouthEast as u8,
        (_, NORTH) => Direction::NorthWest as u8,
        _ => Direction::SouthWest as u8,
    }
}

/// The directions to look in from a cell that was come to straight ahead and where a path may
/// have to turn to `sides`, as [`Ahead::sides`] has them.
const fn ways_on(way: u8, sides: u8, cut: bool) -> u8 {
    // The lane before a row lies north, the one before a column west.
    let before = match way {
        NORTH | SOUTH => WEST,
        _ => NORTH,
    };
    let mut ways = 1 << way;
    let mut side = 0;
    while side < 2 {
        if sides >> side & 1 == 1 {
            let turn = (before + 4 * side) % 8;
            let diagonal = match way {
                NORTH | SOUTH => diagonal_way(turn, way),
                _ => diagonal_way(way, turn),
            };
            ways |= 1 << diagonal;
            if !cut {
                ways |= 1 << turn;
            }
        }
        side += 1;
    }
    ways
}

/// The cell so many steps straight ahead.
#[inline]
const fn moved<const WAY: u8>((x, y): (u32, u32), steps: u32) -> (u32, u32) {
    match WAY {
        NORTH => (x, y.wrapping_sub(steps)),
        SOUTH => (x, y + steps),
        WEST => (x.wrapping_sub(steps), y),
        _ => (x + steps, y),
    }
}

/// How many steps straight ahead another cell lies; more than any map has, or 0, if it does not.
#[inline]
const fn steps_to<const WAY: u8>((x, y): (u32, u32), to: (u32, u32)) -> u32 {
    let (steps, aside) = match WAY {
        NORTH => (y.wrapping_sub(to.1), x ^ to.0),
        SOUTH => (to.1.wrapping_sub(y), x ^ to.0),
        WEST => (x.wrapping_sub(to.0), y ^ to.1),
        _ => (to.0.wrapping_sub(x), y ^ to.1),
    };
    if aside == 0 { steps } else { 0 }
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
