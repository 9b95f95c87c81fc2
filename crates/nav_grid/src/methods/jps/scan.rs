//! Scans along rows, columns and diagonals for jump points.

use super::{
    jump_nodes::{JumpLists, ScanOrigin, pack},
    jump_task::{EAST, JumpTask, NORTH, SOUTH, WEST, between, moved, opposite},
};
use crate::{map::Lanes, rules::Cost};

/// The number of straight steps by which the least cost of a path along a diagonal may exceed the
/// least cost in the queue before the rest of the diagonal is put off.
///
/// A queue entry takes as long as several steps.
const PATIENCE: Cost = 8;

/// The work of scans straight ahead from a cell of a diagonal, counted in cells.
///
/// They take about as long, for up to 64 cells. Cells beyond that count extra.
const LOOK_STEPS: u32 = 4;

/// The number of cells, scans straight ahead included, after which a diagonal is put off.
///
/// Keeps an expansion to some microseconds, however large the map is.
const RUN_MAX: u32 = 1024;

/// The steps after which a diagonal that does not approach the goal checks its cost. A guess.
const CHECK_STEPS: i32 = 24;

impl<const CUT: bool> JumpTask<'_, CUT> {
    /// [Looks](Self::look) from the cell of a node.
    #[inline]
    pub(crate) fn look_from<const WAY: u8>(
        &self,
        front: &mut JumpLists,
        at: &ScanOrigin,
        ahead: u32,
    ) {
        let live = self.is_live(WAY, at.in_row, at.in_column);
        self.look::<WAY>(front, at, live, ahead);
    }

    /// Scans straight ahead if that can find something. A live scan ends at a jump point, others at
    /// a wall. The goal lies `ahead` steps straight ahead, or elsewhere if that is 0.
    #[inline]
    fn look<const WAY: u8>(&self, front: &mut JumpLists, at: &ScanOrigin, live: bool, ahead: u32) {
        if live || ahead > 0 || self.wants_closest {
            self.scan::<WAY>(front, at, live, ahead);
        }
    }

    fn scan<const WAY: u8>(&self, front: &mut JumpLists, at: &ScanOrigin, live: bool, ahead: u32) {
        let ends = self.boards.lane_scans[usize::from(WAY / 2)].ends;
        let steps = match WAY {
            NORTH => ends.next_below(at.in_column),
            SOUTH => ends.next_above(at.in_column),
            WEST => ends.next_below(at.in_row),
            _ => ends.next_above(at.in_row),
        };
        let reach = steps as u32 - u32::from(!live);
        // Up to 64 cells are in the flat price of a scan.
        if reach >= 64 {
            front.passed += reach / 64;
        }
        if (1..=reach).contains(&ahead)
            && self.arrive(front, at.number, at.cost + ahead * self.straight)
        {
            return;
        }
        if self.wants_closest {
            self.pass::<WAY>(front, at, reach);
        }
        if live {
            let cell = moved::<WAY>((at.x, at.y), reach);
            let cost = at.cost + reach * self.straight;
            let ways = || self.ways_on::<WAY>(at, steps, cell);
            self.reach(front, at.number, cell, cost, ways);
        }
    }

    /// The directions to scan from a jump point `steps` straight ahead: onward, and to the sides
    /// where a wall leaves a way that only this cell opens. Leaves out directions in which a scan
    /// finds nothing.
    #[inline]
    fn ways_on<const WAY: u8>(&self, from: &ScanOrigin, steps: usize, cell: (u32, u32)) -> u8 {
        let free = self.boards.free;
        let column_stride = self.boards.lane_scans[0].ends.stride();
        let at = self.bit_after(WAY, from.in_row, steps);
        let in_column = match WAY {
            NORTH => from.in_column - steps,
            SOUTH => from.in_column + steps,
            WEST => from.in_column - steps * column_stride,
            _ => from.in_column + steps * column_stride,
        };
        // Straight ahead of here there is no jump point, but there may be the goal.
        let all = cell.0 == self.goal.0 || cell.1 == self.goal.1 || self.wants_closest;
        let mut ways = u8::from(all || self.is_live(WAY, at, in_column)) << WAY;
        for turn in [(WAY + 6) % 8, (WAY + 2) % 8] {
            let beside = self.bit_after(turn, at, 1);
            let diagonal = between(WAY, turn);
            // A wall beside the cell opens a diagonal around it, if corners may be cut. Otherwise
            // the wall must be one step behind: the turn is a straight step past its corner.
            if CUT {
                if !free.get(beside) && free.get(self.bit_after(WAY, beside, 1)) {
                    ways |= 1 << diagonal;
                }
            } else if free.get(beside) && !free.get(self.bit_after(opposite(WAY), beside, 1)) {
                ways |= u8::from(self.may_go(WAY, turn, at)) << diagonal;
                ways |= u8::from(all || self.is_live(turn, at, in_column)) << turn;
            }
        }
        ways
    }

    /// Whether a scan from a cell ends at a jump point.
    #[inline]
    fn is_live(&self, way: u8, in_row: usize, in_column: usize) -> bool {
        let live = self.boards.lane_scans[usize::from(way / 2)].live;
        match way {
            NORTH | SOUTH => live.get(in_column),
            _ => live.get(in_row),
        }
    }

    /// Whether a step between two straight directions is legal.
    #[inline]
    fn may_go(&self, way: u8, other: u8, in_row: usize) -> bool {
        let stride = self.boards.free.stride();
        let west = usize::from(way == WEST || other == WEST);
        let north = usize::from(way == NORTH || other == NORTH);
        if CUT {
            let left = in_row + 1 - 2 * west;
            self.boards.free.get(left + stride - 2 * north * stride)
        } else {
            self.boards.squares.get(in_row - west - north * stride)
        }
    }

    /// The bit in the rows of a cell `steps` away in a straight direction.
    #[inline]
    fn bit_after(&self, way: u8, bit: usize, steps: usize) -> usize {
        let stride = self.boards.free.stride();
        match way {
            NORTH => bit.wrapping_sub(steps * stride),
            SOUTH => bit.wrapping_add(steps * stride),
            WEST => bit.wrapping_sub(steps),
            _ => bit.wrapping_add(steps),
        }
    }

    /// Scans diagonally as far as walls allow, and straight to both sides from every cell on the
    /// way where that can find something.
    #[inline(never)]
    pub(crate) fn run_diagonally<const ACROSS: u8, const UPDOWN: u8>(
        &self,
        front: &mut JumpLists,
        from: &ScanOrigin,
    ) {
        if !self.may_go(ACROSS, UPDOWN, from.in_row) {
            return;
        }
        let stops = self.boards.stops[usize::from(between(ACROSS, UPDOWN) / 2)];
        let updown = self.boards.lane_scans[usize::from(UPDOWN / 2)].live;
        let column_stride = updown.stride();
        let next_column = match ACROSS {
            EAST => column_stride,
            _ => column_stride.wrapping_neg(),
        };
        let next_column = match UPDOWN {
            SOUTH => next_column.wrapping_add(1),
            _ => next_column.wrapping_sub(1),
        };
        let next_row = self.bit_after(ACROSS, self.bit_after(UPDOWN, 0, 1), 1);
        // Steps to the column and row of the goal. At most 0 if it lies behind.
        let (to_column, _) = self.goal_from::<ACROSS>(from);
        let (to_row, _) = self.goal_from::<UPDOWN>(from);
        let (mut in_row, mut in_column) = (from.in_row, from.in_column);
        let mut steps = 0;
        let mut stop = next_stop(0, to_column, to_row);
        let put_off_at = front.passed + RUN_MAX;
        loop {
            // Every cell may be the closest to the goal, if that is asked for.
            let most = if self.wants_closest { 1 } else { stop - steps };
            let at = (in_row, in_column);
            let run = steps_to_halt(stops, updown, at, (next_row, next_column), most as u32);
            in_row = in_row.wrapping_add(next_row.wrapping_mul(run as usize));
            in_column = in_column.wrapping_add(next_column.wrapping_mul(run as usize));
            steps += run as i32;
            let updown_live = updown.get(in_column);
            let across_live = self.is_live(ACROSS, in_row, in_column);
            front.passed += run + LOOK_STEPS;
            let before = in_row.wrapping_sub(next_row);
            let turns = if CUT {
                self.turns::<ACROSS, UPDOWN>(before)
            } else {
                0
            };
            let live = across_live || updown_live || turns != 0;
            if !(live || steps == stop || self.wants_closest) {
                // The next step is not legal.
                return;
            }
            let (x, _) = moved::<ACROSS>((from.x, from.y), steps as u32);
            let (_, y) = moved::<UPDOWN>((from.x, from.y), steps as u32);
            let at = ScanOrigin {
                x,
                y,
                in_row,
                in_column,
                cost: from.cost + steps as u32 * self.diagonal,
                ..*from
            };
            if at.cost > self.cost_max {
                front.cost_limited = true;
                return;
            }
            // Only in its column and row can the goal lie straight ahead.
            let (mut across_ahead, mut updown_ahead) = (0, 0);
            if steps == stop && self.same_floor {
                let (columns, rows) = (to_column - steps, to_row - steps);
                match (columns, rows) {
                    (0, 0) => {
                        self.arrive(front, at.number, at.cost);
                        return;
                    }
                    (1.., 0) => across_ahead = columns as u32,
                    (0, 1..) => updown_ahead = rows as u32,
                    _ => {}
                }
            }
            if self.wants_closest {
                front.pass(self.nearness(x, y), at.cost, pack(x, y), at.number);
            }
            if turns != 0 {
                self.reach(front, at.number, (x, y), at.cost, || turns);
            }
            self.look::<ACROSS>(front, &at, across_live, across_ahead);
            self.look::<UPDOWN>(front, &at, updown_live, updown_ahead);
            if front.arrived || !self.may_go(ACROSS, UPDOWN, in_row) {
                return;
            }
            let is_long = front.passed >= put_off_at;
            if steps == stop || is_long {
                let total = at.cost + self.guess(x, y);
                // The rest of the diagonal is queued, so that cheaper paths come first.
                if is_long || total > front.least + PATIENCE * self.straight {
                    front.put_off(&at, 1 << between(ACROSS, UPDOWN), total);
                    return;
                }
                stop = next_stop(steps, to_column, to_row);
            }
        }
    }

    /// The directions that a diagonal step from a cell opens: beside the walls that it passes are
    /// cells that only this step leads to.
    #[inline]
    fn turns<const ACROSS: u8, const UPDOWN: u8>(&self, before: usize) -> u8 {
        let free = self.boards.free;
        let across = self.bit_after(ACROSS, before, 1);
        let updown = self.bit_after(UPDOWN, before, 1);
        let mut ways = 0;
        if !free.get(updown) && free.get(self.bit_after(UPDOWN, updown, 1)) {
            ways |= 1 << between(opposite(ACROSS), UPDOWN);
        }
        if !free.get(across) && free.get(self.bit_after(ACROSS, across, 1)) {
            ways |= 1 << between(ACROSS, opposite(UPDOWN));
        }
        ways
    }

    /// Records the cell nearest to the goal on the way straight ahead.
    #[inline(never)]
    fn pass<const WAY: u8>(&self, front: &mut JumpLists, at: &ScanOrigin, reach: u32) {
        let left = self.cost_max.saturating_sub(at.cost);
        let reach = reach.min(left / self.straight);
        if reach == 0 {
            return;
        }
        // The guess falls up to the lane of the goal and rises behind it. Where it is flat, the
        // first cell is the cheapest.
        let guess = |steps: u32| {
            let (x, y) = moved::<WAY>((at.x, at.y), steps);
            self.nearness(x, y)
        };
        let (ahead, aside) = self.goal_from::<WAY>(at);
        let nearest = ahead.clamp(1, reach as i32) as u32;
        let off = aside.max(ahead.abs_diff(nearest as i32));
        let flat = if self.nearness_by.is_flat() { off } else { 0 };
        let mut steps = nearest.min((ahead - flat as i32).max(1) as u32);
        while self.nearness_by.is_rounded() && steps > 1 && guess(steps - 1) == guess(steps) {
            steps -= 1;
        }
        let (x, y) = moved::<WAY>((at.x, at.y), steps);
        let cost = at.cost + steps * self.straight;
        front.pass(guess(steps), cost, pack(x, y), at.number);
    }

    /// The steps ahead and to the side at which the goal lies.
    fn goal_from<const WAY: u8>(&self, &ScanOrigin { x, y, .. }: &ScanOrigin) -> (i32, u32) {
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

/// The number of steps after which a diagonal run must stop, 1 to `most`. The pairs are the bits
/// of a cell in the rows and columns, and the change of both by a step.
#[inline]
fn steps_to_halt(
    stops: Lanes<'_>,
    updown: Lanes<'_>,
    (mut in_row, mut in_column): (usize, usize),
    (next_row, next_column): (usize, usize),
    most: u32,
) -> u32 {
    for steps in 1..most {
        in_row = in_row.wrapping_add(next_row);
        in_column = in_column.wrapping_add(next_column);
        if stops.get(in_row) || updown.get(in_column) {
            return steps;
        }
    }
    most
}

/// The number of steps after which a diagonal run checks its cost: in the column and row of the
/// goal, every [`CHECK_STEPS`] while it leads away, and where it is long enough for an expansion.
#[inline]
fn next_stop(steps: i32, to_column: i32, to_row: i32) -> i32 {
    let (first, second) = (to_column.min(to_row), to_column.max(to_row));
    if steps < first {
        first.min(steps + RUN_MAX as i32)
    } else if steps < second {
        second.min(steps + CHECK_STEPS)
    } else {
        steps + CHECK_STEPS
    }
}
