//! Who is in a walker's way.

use super::path_query::PathQuery;
use crate::{
    cell::Cell,
    map::{Bodies, Grid, around},
    rules::{BodyPolicy, Footprint},
};

/// The bodies that a query minds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFilter<'a> {
    pub(crate) bodies: &'a Bodies,
    /// Where bodies count on the walker's floor; everywhere if `None`.
    near: Option<CellRect>,
    /// The floor of the walker.
    floor: u8,
    /// The cells of the walker itself.
    own: CellRect,
    /// The cells of the body at the goal, and their floor.
    goal: CellRect,
    goal_floor: u8,
}

impl<'a> BodyFilter<'a> {
    pub(crate) fn new(bodies: &'a Bodies, query: &PathQuery) -> Option<Self> {
        let own = CellRect::new(query.start, query.rules.footprint);
        let near = match query.rules.bodies {
            BodyPolicy::Ignore => return None,
            BodyPolicy::AvoidNear(distance) => Some(own.grown(distance.into())),
            BodyPolicy::AvoidAll => None,
        };
        Some(Self {
            bodies,
            near,
            floor: query.start.floor,
            own,
            goal: CellRect::new(query.goal, query.goal_body),
            goal_floor: query.goal.floor,
        })
    }

    /// Everybody, but for who stands at the target of a field.
    pub(crate) fn around_target(bodies: &'a Bodies, target: Cell, target_body: Footprint) -> Self {
        Self {
            bodies,
            near: None,
            floor: target.floor,
            own: CellRect::EMPTY,
            goal: CellRect::new(target, target_body),
            goal_floor: target.floor,
        }
    }

    /// Which of the 64 cells of row `y` from column `x` count if somebody is on them.
    pub(crate) fn counted(&self, x: i32, y: i32, floor: u8) -> u64 {
        let mut counted = match self.near {
            Some(near) if floor == self.floor => near.strip(x, y),
            Some(_) => 0,
            None => u64::MAX,
        };
        if floor == self.floor {
            counted &= !self.own.strip(x, y);
        }
        if floor == self.goal_floor {
            counted &= !self.goal.strip(x, y);
        }
        counted
    }

    /// The places around a cell where a body of the given size fits and nobody is in its way, as
    /// a move table index.
    pub(crate) fn surroundings(&self, grid: &Grid, cell: Cell, footprint: Footprint) -> usize {
        let mut rows = grid.rows_around(cell, footprint);
        let occupied = self.bodies.rows_around(cell, footprint);
        for ((row, occupied), y) in rows.iter_mut().zip(occupied).zip(i32::from(cell.y) - 1..) {
            if occupied != 0 {
                *row &= !(occupied & self.counted(i32::from(cell.x) - 1, y, cell.floor) as u16);
            }
        }
        usize::from(around(rows, footprint))
    }

    pub(crate) fn is_in_the_way(&self, cell: Cell) -> bool {
        self.bodies.is_occupied(cell)
            && self.counted(cell.x.into(), cell.y.into(), cell.floor) & 1 == 1
    }
}

/// A rectangle of cells, which may reach over the edges of the map.
#[derive(Clone, Copy, Debug)]
struct CellRect {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl CellRect {
    const EMPTY: Self = Self {
        left: 0,
        right: -1,
        top: 0,
        bottom: -1,
    };

    fn new(anchor: Cell, footprint: Footprint) -> Self {
        let (left, top) = (i32::from(anchor.x), i32::from(anchor.y));
        let further = i32::from(footprint.side()) - 1;
        Self {
            left,
            right: left + further,
            top,
            bottom: top + further,
        }
    }

    fn grown(self, by: i32) -> Self {
        Self {
            left: self.left - by,
            right: self.right + by,
            top: self.top - by,
            bottom: self.bottom + by,
        }
    }

    /// Which of the 64 cells of row `y` from column `x` are in the rectangle.
    fn strip(&self, x: i32, y: i32) -> u64 {
        if y < self.top || self.bottom < y || self.right < x {
            return 0;
        }
        let first = (self.left - x).max(0);
        let count = self.right - x + 1;
        if first >= 64 {
            return 0;
        }
        let up_to = if count < 64 {
            !(u64::MAX << count)
        } else {
            u64::MAX
        };
        up_to & u64::MAX << first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_is_the_part_of_a_row_inside_the_rectangle() {
        let square = CellRect::new(Cell::new(5, 5), Footprint::new(3).unwrap());
        let naive = |x: i32, y: i32| {
            (0..64).fold(0_u64, |bits, column| {
                let inside = (5..=7).contains(&(x + column)) && (5..=7).contains(&y);
                bits | u64::from(inside) << column
            })
        };
        for y in 3..=9 {
            for x in -62..=9 {
                assert_eq!(square.strip(x, y), naive(x, y), "{x},{y}");
            }
        }
    }
}
