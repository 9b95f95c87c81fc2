//! A heuristic from a breadth-first search that starts at the goal.

#![expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]

use super::bucket_astar::{PLACES, WindowHeuristic, index};
use crate::{
    bits::{Wide, widely},
    cell::Direction,
    rules::{CornerRule, Cost, Metric, MoveTable, Rules},
    window::{CENTER, EMPTY, FloodMask, WaveStep, WindowPlace, WindowRows},
};
use std::ops::Range;

/// The number of steps from places of a window to a goal in it, whatever they cost.
///
/// A wave finds it for sixty-four cells at a time, and a search that goes cell by cell, since its
/// steps differ in cost, then knows which walls are in the way. A guess follows from it that is
/// never too high: of so many steps, those must be diagonal without which they would not come as
/// far as the goal is along columns and rows.
///
/// Where all steps can be taken back only.
#[derive(Clone, Debug)]
pub(crate) struct ReverseBfs {
    /// What is at most so many steps away as the number of the board.
    boards: Vec<WindowRows>,
    /// From the [`CENTER`] to the goal, which no board after that of so many steps is needed for.
    steps: u16,
    goal: WindowPlace,
    straight: Cost,
    /// How much more a diagonal step costs than a straight one.
    slant: Cost,
    /// The steps that are left from each place that was seen.
    left: Vec<u16>,
    /// Those of the place that was expanded last.
    here: u16,
    /// In which directions of it fewer are left, and in which no more than there.
    nearer: u8,
    level: u8,
    /// Looks up the neighbours of a place that are on a board.
    open: &'static MoveTable,
}

impl Default for ReverseBfs {
    fn default() -> Self {
        Self {
            boards: Vec::new(),
            steps: 0,
            goal: WindowPlace::default(),
            straight: 0,
            slant: 0,
            left: Vec::new(),
            here: 0,
            nearer: 0,
            level: 0,
            open: Rules::new(Metric::Unit, CornerRule::Cut).move_table(),
        }
    }
}

impl ReverseBfs {
    /// Looks from a goal for the [`CENTER`] among some rows, and says whether there is a way, and
    /// how many waves that took.
    pub(crate) fn aim(
        &mut self,
        mask: FloodMask<'_>,
        rows: Range<usize>,
        goal: WindowPlace,
        metric: Metric,
    ) -> (bool, u32) {
        self.goal = goal;
        self.straight = metric.straight();
        self.slant = metric.diagonal().unwrap_or(2 * self.straight) - self.straight;
        self.left.resize(PLACES, 0);
        let steps = widely(ReverseFlood {
            boards: &mut self.boards,
            mask,
            rows,
            goal,
        });
        let (found, steps) = steps;
        if found {
            self.steps = steps;
            self.left[index(CENTER)] = steps;
        }
        (found, u32::from(steps) + 1)
    }

    /// In which directions of a place others lie that are at most so many steps away.
    #[inline]
    fn around(&self, place: WindowPlace, steps: u16) -> u8 {
        let board = self.boards.get(usize::from(steps)).unwrap_or(&EMPTY);
        self.open[place.around(board)].0
    }
}

impl WindowHeuristic for ReverseBfs {
    #[inline]
    fn look_out(&mut self, from: usize) {
        let place = WindowPlace {
            row: from / 64,
            column: (from % 64) as u32,
        };
        self.here = self.left[from];
        self.nearer = match self.here {
            0 => 0,
            left => self.around(place, left - 1),
        };
        self.level = if self.here > self.steps {
            // Further than the start, which is all that is known.
            u8::MAX
        } else {
            self.around(place, self.here)
        };
    }

    #[inline]
    fn see(&mut self, way: Direction, to: usize) {
        let further = 1 - u16::from(self.level >> way as u8 & 1);
        let nearer = u16::from(self.nearer >> way as u8 & 1);
        self.left[to] = self.here + further - nearer;
    }

    #[inline]
    fn guess(&self, at: usize) -> Cost {
        let left = Cost::from(self.left[at]);
        let columns = (at % 64).abs_diff(self.goal.column as usize);
        let rows = (at / 64).abs_diff(self.goal.row);
        let slants = (columns + rows) as Cost;
        left * self.straight + slants.saturating_sub(left) * self.slant
    }
}

/// What [`ReverseBfs::aim`] does.
struct ReverseFlood<'a> {
    boards: &'a mut Vec<WindowRows>,
    mask: FloodMask<'a>,
    rows: Range<usize>,
    goal: WindowPlace,
}

impl Wide for ReverseFlood<'_> {
    /// Whether it came to the center, and after how many steps it ended.
    type Answer = (bool, u16);

    #[inline(always)]
    fn run(self) -> (bool, u16) {
        let Self {
            boards,
            mask,
            rows,
            goal,
        } = self;
        if boards.is_empty() {
            boards.push(EMPTY);
        }
        boards[0] = EMPTY;
        boards[0][goal.row] = 1 << goal.column;
        for steps in 0..u16::MAX {
            let number = usize::from(steps);
            if boards.len() == number + 1 {
                boards.push(EMPTY);
            }
            let Some([here, next]) = boards[number..].first_chunk_mut() else {
                return (false, steps);
            };
            if CENTER.is_in(here) {
                return (true, steps);
            }
            *next = EMPTY;
            // Whole fours, as vectors take them.
            let first = goal.row.saturating_sub(number + 1).max(rows.start);
            let last = (goal.row + number + 1).min(rows.end - 1);
            let news = WaveStep {
                mask,
                here,
                from: [here, here],
                next,
                rows: first / 4 * 4..last / 4 * 4 + 4,
            };
            if !news.run() {
                return (false, steps);
            }
        }
        (false, u16::MAX)
    }
}
