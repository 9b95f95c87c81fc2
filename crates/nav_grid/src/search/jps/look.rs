//! Looks along rows, columns and diagonals.

use super::{
    front::Front,
    nodes::pack,
    task::Task,
    ways::{EAST, NORTH, SOUTH, WEST, between, moved, opposite},
};
use crate::{Cost, map::LookLanes};

/// By how many straight steps the least cost of what lies on a diagonal may exceed that of what
/// the queue holds before the rest of it is put off. A queue entry takes as long as several
/// steps.
const PATIENCE: Cost = 4;

/// Where looks begin.
#[derive(Clone, Copy)]
pub(super) struct Viewpoint {
    /// The node that is being expanded.
    pub(super) number: u32,
    pub(super) x: u32,
    pub(super) y: u32,
    /// The cell's bit in the rows, and in the columns.
    pub(super) in_row: usize,
    pub(super) in_column: usize,
    /// What it costs to be here.
    pub(super) cost: Cost,
}

impl<const CUT: bool> Task<'_, CUT> {
    /// Looks straight ahead from a cell that is reached at `cost`.
    #[inline]
    pub(super) fn look<const WAY: u8>(&self, front: &mut Front, at: Viewpoint, cost: Cost) {
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
    pub(super) fn run_diagonally<const ACROSS: u8, const UPDOWN: u8>(
        &self,
        front: &mut Front,
        from: Viewpoint,
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
            let at = Viewpoint {
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

    /// Remembers the cell nearest to the goal among those on the way straight ahead.
    fn pass<const WAY: u8>(&self, front: &mut Front, at: Viewpoint, cost: Cost, reach: u32) {
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
    fn goal_from<const WAY: u8>(&self, Viewpoint { x, y, .. }: Viewpoint) -> (i32, u32) {
        let (goal_x, goal_y) = self.goal;
        let (dx, dy) = (goal_x as i32 - x as i32, goal_y as i32 - y as i32);
        match WAY {
            NORTH => (-dy, dx.unsigned_abs()),
            SOUTH => (dy, dx.unsigned_abs()),
            WEST => (-dx, dy.unsigned_abs()),
            _ => (dx, dy.unsigned_abs()),
        }
    }
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
