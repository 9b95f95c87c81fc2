//! Where a target is going, and where a chaser meets it.

use nav::NavTime;
use nav_grid::{Cell, Footprint, Grid, Rules, rules::BodyPolicy};
use std::collections::VecDeque;

/// How a target went on of late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    at: Cell,
    /// Columns and rows of its last steps together.
    way: (i32, i32),
    /// The larger number of these.
    cells: u16,
    /// How long it takes to a cell, in nanoseconds.
    pace: u64,
}

/// A chaser that is to meet a target.
#[derive(Clone, Copy)]
pub(super) struct Pursuer {
    pub(super) from: Cell,
    pub(super) rules: Rules,
    /// How long it takes to a cell, in nanoseconds.
    pub(super) pace: u64,
    /// The most cells that it aims ahead of the target.
    pub(super) lead: u16,
    /// The most columns and rows that it searches from its cell.
    pub(super) radius: u16,
}

impl Course {
    /// So many steps say where a target goes: whoever circles a pillar of a few cells, or
    /// dodges, turns before.
    pub(super) const STEPS: usize = 8;

    /// The course of a target that was in some cells, the last one first, if it goes on about straight.
    pub(super) fn of(trail: &VecDeque<(Cell, NavTime)>, now: NavTime) -> Option<Self> {
        if trail.len() <= Self::STEPS {
            return None;
        }
        let (&(at, since), &(first, began)) = (trail.front()?, trail.back()?);
        let (before, _) = trail[1];
        let cells = at.chebyshev(first);
        let steps = trail.iter().zip(trail.iter().skip(1));
        let gone: u16 = steps.map(|((to, _), (from, _))| from.chebyshev(*to)).sum();
        // One step of eight may be to the side.
        if cells == 0 || u32::from(cells) * 8 < u32::from(gone) * 7 {
            return None;
        }
        let pace = since.0.saturating_sub(began.0) / u64::from(cells);
        // It stands if the next step is long overdue.
        if now.0.saturating_sub(since.0) > 2 * pace {
            return None;
        }
        let (way, last) = (delta(first, at), delta(before, at));
        let along = way.0 * last.0 + way.1 * last.1;
        let across = way.0 * last.1 - way.1 * last.0;
        // The last step is within an eighth of a turn of them all.
        let turned = along <= 0 || across.abs() > along;
        (!turned).then_some(Self {
            at,
            way,
            cells,
            pace,
        })
    }

    /// The cell ahead of the target which a chaser reaches when the target does, or the last one before a
    /// wall, the lead or the window of its searches ends; `None` if the target comes to the chaser.
    pub(super) fn meet(&self, grid: &Grid, pursuer: Pursuer) -> Option<Cell> {
        let hand = pursuer
            .rules
            .with_footprint(Footprint::ONE)
            .with_bodies(BodyPolicy::Ignore);
        let mut met = self.at;
        for steps in 1..=pursuer.lead {
            let Some(next) = self.after(steps) else {
                break;
            };
            let away = pursuer.from.chebyshev(next);
            if away > pursuer.radius || !grid.allows_step(met, next, hand) {
                break;
            }
            met = next;
            if u64::from(away).saturating_mul(pursuer.pace)
                <= u64::from(steps).saturating_mul(self.pace)
            {
                break;
            }
        }
        (met != self.at && met.chebyshev(pursuer.from) > 1).then_some(met)
    }

    /// Where the target is after so many steps.
    fn after(&self, steps: u16) -> Option<Cell> {
        let cells = i64::from(self.cells);
        let along = |from: u16, way: i32| {
            let halves = 2 * i64::from(way) * i64::from(steps) + cells;
            u16::try_from(i64::from(from) + halves.div_euclid(2 * cells)).ok()
        };
        Some(Cell {
            x: along(self.at.x, self.way.0)?,
            y: along(self.at.y, self.way.1)?,
            ..self.at
        })
    }
}

/// Columns and rows from one cell to another.
fn delta(from: Cell, to: Cell) -> (i32, i32) {
    (
        i32::from(to.x) - i32::from(from.x),
        i32::from(to.y) - i32::from(from.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u64 = 250_000_000;

    /// A target that was in some cells, a step apart; the last one is where it is.
    fn trail(cells: impl IntoIterator<Item = (u16, u16)>) -> VecDeque<(Cell, NavTime)> {
        let mut trail = VecDeque::new();
        for (number, cell) in (0..).zip(cells) {
            trail.push_front((Cell::from(cell), NavTime(number * STEP)));
        }
        trail.truncate(Course::STEPS + 1);
        trail
    }

    fn course(cells: impl IntoIterator<Item = (u16, u16)>) -> Option<Course> {
        let trail = trail(cells);
        Course::of(&trail, trail.front()?.1)
    }

    fn pursuer(x: u16, y: u16) -> Pursuer {
        Pursuer {
            from: Cell::new(x, y),
            rules: Rules::default(),
            pace: STEP,
            lead: 20,
            radius: 30,
        }
    }

    #[test]
    fn who_runs_on_is_met_when_both_come_to_a_cell() {
        let grid = Grid::open(60, 30).unwrap();
        let east = course((2..=10).map(|x| (x, 5))).unwrap();
        assert_eq!(east.pace, STEP);
        assert_eq!(east.meet(&grid, pursuer(20, 15)), Some(Cell::new(20, 5)));
        let faster = Pursuer {
            pace: STEP / 2,
            ..pursuer(20, 15)
        };
        assert_eq!(east.meet(&grid, faster), Some(Cell::new(15, 5)));
        let short = Pursuer {
            lead: 4,
            ..pursuer(20, 15)
        };
        assert_eq!(east.meet(&grid, short), Some(Cell::new(14, 5)));
        // From behind, as far ahead as it may.
        assert_eq!(east.meet(&grid, pursuer(2, 5)), Some(Cell::new(30, 5)));
    }

    #[test]
    fn a_slope_is_followed_and_a_wall_ends_it() {
        let slope = course((0..9_u16).map(|n| (4 + n, 20 - n.div_ceil(2)))).unwrap();
        let grid = Grid::from_fn(60, 30, |cell| cell.x != 22).unwrap();
        let met = slope.meet(&grid, pursuer(30, 2)).unwrap();
        assert_eq!(met, Cell::new(21, 12));
    }

    #[test]
    fn who_turns_stands_or_dodges_has_no_course() {
        let turned = (2..=9).map(|x| (x, 5)).chain([(9, 6)]);
        assert_eq!(course(turned), None);
        let dodging = (0..20_u16).map(|n| (4 + n % 2, 5));
        assert_eq!(course(dodging), None);
        let straight = trail((2..=10).map(|x| (x, 5)));
        let (_, since) = straight[0];
        assert!(Course::of(&straight, NavTime(since.0 + 2 * STEP)).is_some());
        assert_eq!(Course::of(&straight, NavTime(since.0 + 3 * STEP)), None);
        assert_eq!(course((2..=9).map(|x| (x, 5))), None, "seen too short");
    }
}
