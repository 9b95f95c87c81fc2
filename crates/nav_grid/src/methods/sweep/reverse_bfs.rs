//! A heuristic from a breadth-first search that begins at the goal.

#![expect(
    clippy::inline_always,
    reason = "only code that is inlined into `widely` is compiled for wide vectors"
)]

use super::bucket_astar::{PLACES, WindowHeuristic, index, place};
use crate::{
    bits::{Wide, widely},
    cell::Direction,
    rules::{CornerRule, Cost, Metric, MoveTable, Rules},
    window::{CENTER, EMPTY, FloodMask, WaveStep, WindowPlace, WindowRows},
};
use std::ops::Range;

/// The number of steps from places of a window to a goal in it, regardless of their cost.
///
/// A wave counts steps for 64 cells at a time and finds the walls in the way of the search cell by
/// cell. The guess that follows is never too high: it takes as many of the steps for diagonal as
/// the columns and rows to the goal require.
///
/// Only for ground where all steps can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct ReverseBfs {
    /// By number of steps: the places at most that far from the goal.
    boards: Vec<WindowRows>,
    /// The steps from the [`CENTER`] to the goal. Boards beyond are not of this search.
    steps: u16,
    goal: WindowPlace,
    straight: Cost,
    /// The extra cost of a diagonal step.
    slant: Cost,
    /// The steps left from each place that was reached.
    left: Vec<u16>,
    /// The steps left from the expanded place.
    here: u16,
    /// The directions in which fewer steps are left, and in which no more are left.
    nearer: u8,
    level: u8,
    /// The directions of the neighbours on a board.
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
    /// Searches from a goal for the [`CENTER`] among some rows. Returns whether there is a path,
    /// and the number of waves.
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
        let boards = &mut self.boards;
        let (found, steps) = widely(ReverseFlood {
            boards,
            mask,
            rows,
            goal,
        });
        if found {
            self.steps = steps;
            self.left[index(CENTER)] = steps;
        }
        (found, u32::from(steps) + 1)
    }

    /// The directions from a place to places at most `steps` steps from the goal.
    #[inline]
    fn around(&self, place: WindowPlace, steps: u16) -> u8 {
        let board = self.boards.get(usize::from(steps)).unwrap_or(&EMPTY);
        self.open[place.around(board)].0
    }
}

impl WindowHeuristic for ReverseBfs {
    #[inline]
    fn expand(&mut self, from: usize) {
        let place = place(from);
        self.here = self.left[from];
        self.nearer = match self.here {
            0 => 0,
            left => self.around(place, left - 1),
        };
        self.level = if self.here > self.steps {
            // Beyond the boards of this search.
            u8::MAX
        } else {
            self.around(place, self.here)
        };
    }

    #[inline]
    fn reach(&mut self, way: Direction, to: usize) {
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

/// The search of [`ReverseBfs::aim`].
struct ReverseFlood<'a> {
    boards: &'a mut Vec<WindowRows>,
    mask: FloodMask<'a>,
    rows: Range<usize>,
    goal: WindowPlace,
}

impl Wide for ReverseFlood<'_> {
    /// Whether the search reached the center, and the number of steps at its end.
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
            // Whole groups of four rows, the width of a vector.
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
