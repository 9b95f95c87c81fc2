//! What a query sees of the map.

use super::Query;
use crate::{
    Bodies, BodyPolicy, Cell, Cost, Directions, Footprint, Grid, Link, Terrain,
    map::{Bitboard, around},
};

/// The map as the expansion of a cell looks at it.
///
/// Maps without layers and queries that mind no bodies have a type of their own, so that they
/// pay for none of it.
pub(crate) trait Ground {
    /// Whether a step costs the same wherever it leads and may be taken wherever the walls
    /// allow it: then neighbours shared with the parent are no news.
    const UNIFORM: bool;

    /// The places around a cell where the body may stand, as a move table index.
    fn surroundings(&self, cell: Cell) -> usize;

    /// The directions in which the body may leave a cell.
    fn exits(&self, cell: Cell) -> Directions;

    /// How many times its metric's cost a step to a cell costs.
    fn cost_factor(&self, cell: Cell) -> Cost;

    /// The links that leave a cell.
    fn links(&self, cell: Cell) -> &[Link];

    /// Whether the body may stand at the end of a link.
    fn may_stand(&self, cell: Cell) -> bool;
}

/// Walls and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<'a> {
    board: &'a Bitboard,
}

impl<'a> Plain<'a> {
    /// The ground of a query for which nothing but walls matters, if they are at hand for its
    /// footprint.
    pub(crate) fn new(terrain: Terrain<'a>, query: &Query) -> Option<Self> {
        let grid = terrain.grid;
        let bare = !grid.has_costs()
            && !grid.has_exits()
            && grid.links().is_empty()
            && (terrain.bodies.is_none() || query.rules.bodies == BodyPolicy::Ignore);
        let board = grid.board(query.rules.footprint).filter(|_| bare)?;
        Some(Self { board })
    }
}

impl Ground for Plain<'_> {
    const UNIFORM: bool = true;

    #[inline]
    fn surroundings(&self, cell: Cell) -> usize {
        usize::from(self.board.around(cell.x, cell.y, cell.floor))
    }

    #[inline]
    fn exits(&self, _: Cell) -> Directions {
        Directions::ALL
    }

    #[inline]
    fn cost_factor(&self, _: Cell) -> Cost {
        1
    }

    #[inline]
    fn links(&self, _: Cell) -> &[Link] {
        &[]
    }

    #[inline]
    fn may_stand(&self, cell: Cell) -> bool {
        self.board.get(cell.x, cell.y, cell.floor)
    }
}

/// Everything that a map can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layered<'a> {
    grid: &'a Grid,
    footprint: Footprint,
    crowd: Option<Crowd<'a>>,
}

impl<'a> Layered<'a> {
    pub(crate) fn new(terrain: Terrain<'a>, query: &Query) -> Self {
        Self {
            grid: terrain.grid,
            footprint: query.rules.footprint,
            crowd: terrain.bodies.and_then(|bodies| Crowd::new(bodies, query)),
        }
    }
}

impl Ground for Layered<'_> {
    const UNIFORM: bool = false;

    fn surroundings(&self, cell: Cell) -> usize {
        let Some(crowd) = &self.crowd else {
            return self.grid.surroundings(cell, self.footprint);
        };
        let mut rows = self.grid.rows_around(cell, self.footprint);
        let occupied = crowd.bodies.rows_around(cell, self.footprint);
        for ((row, occupied), y) in rows.iter_mut().zip(occupied).zip(i32::from(cell.y) - 1..) {
            if occupied != 0 {
                *row &= !(occupied & crowd.counted(i32::from(cell.x) - 1, y, cell.floor));
            }
        }
        usize::from(around(rows, self.footprint))
    }

    fn exits(&self, cell: Cell) -> Directions {
        if self.grid.has_exits() {
            self.grid.exits_of_body(cell, self.footprint)
        } else {
            Directions::ALL
        }
    }

    fn cost_factor(&self, cell: Cell) -> Cost {
        self.grid.cost_of_body(cell, self.footprint)
    }

    fn links(&self, cell: Cell) -> &[Link] {
        self.grid.links_from(cell)
    }

    fn may_stand(&self, cell: Cell) -> bool {
        self.grid.fits(cell, self.footprint)
            && self.crowd.as_ref().is_none_or(|crowd| {
                let covered = self.footprint.area(cell);
                !covered.cells().any(|cell| crowd.is_in_the_way(cell))
            })
    }
}

/// The bodies that a query minds.
#[derive(Clone, Copy, Debug)]
struct Crowd<'a> {
    bodies: &'a Bodies,
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
    fn new(bodies: &'a Bodies, query: &Query) -> Option<Self> {
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

    /// Which of the 16 cells of row `y` from column `x` count if somebody is on them.
    fn counted(&self, x: i32, y: i32, floor: u8) -> u16 {
        let mut counted = match self.near {
            Some(near) if floor == self.floor => near.strip(x, y),
            Some(_) => 0,
            None => u16::MAX,
        };
        if floor == self.floor {
            counted &= !self.own.strip(x, y);
        }
        if floor == self.goal_floor {
            counted &= !self.goal.strip(x, y);
        }
        counted
    }

    fn is_in_the_way(&self, cell: Cell) -> bool {
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

    /// Which of the 16 cells of row `y` from column `x` are in the rectangle.
    fn strip(&self, x: i32, y: i32) -> u16 {
        if y < self.top || self.bottom < y || self.right < x {
            return 0;
        }
        let first = (self.left - x).max(0);
        let count = self.right - x + 1;
        if first >= 16 {
            return 0;
        }
        let up_to = if count < 16 {
            !(u16::MAX << count)
        } else {
            u16::MAX
        };
        up_to & u16::MAX << first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_is_the_part_of_a_row_inside_the_rectangle() {
        let square = Square::new(Cell::new(5, 5), Footprint::new(3).unwrap());
        let naive = |x: i32, y: i32| {
            (0..16).fold(0_u16, |bits, column| {
                let inside = (5..=7).contains(&(x + column)) && (5..=7).contains(&y);
                bits | u16::from(inside) << column
            })
        };
        for y in 3..=9 {
            for x in -14..=9 {
                assert_eq!(square.strip(x, y), naive(x, y), "{x},{y}");
            }
        }
    }
}
