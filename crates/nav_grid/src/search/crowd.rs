//! Who is in a walker's way.

use crate::{Bodies, BodyPolicy, Cell, Footprint, Query};

/// The bodies that a query minds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd<'a> {
    pub(super) bodies: &'a Bodies,
    /// Where bodies count on the walker's floor; everywhere if `None`.
    near: Option<Square>,
    /// The floor of the walker.
    floor: u8,
    /// The cells of the walker itself.
    own: Square,
    /// The cells of the body at the goal, and their floor.
    goal: Square,
    goal_floor: u8,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(bodies: &'a Bodies, query: &Query) -> Option<Self> {
        let own = Square::new(query.start, query.rules.footprint);
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
            goal: Square::new(query.goal, query.goal_body),
            goal_floor: query.goal.floor,
        })
    }

    /// Which of the 64 cells of row `y` from column `x` count if somebody is on them.
    pub(super) fn counted(&self, x: i32, y: i32, floor: u8) -> u64 {
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

    pub(super) fn is_in_the_way(&self, cell: Cell) -> bool {
        self.bodies.is_occupied(cell)
            && self.counted(cell.x.into(), cell.y.into(), cell.floor) & 1 == 1
    }
}

/// A rectangle of cells, which may reach over the edges of the map.
#[derive(Clone, Copy, Debug)]
struct Square {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Square {
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
        let square = Square::new(Cell::new(5, 5), Footprint::new(3).unwrap());
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
