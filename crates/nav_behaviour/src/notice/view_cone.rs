//! The cone before an agent in which it notices targets.

use super::components::Notice;
use crate::trail::turned;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{CellPosition, extend::heading};
use nav_grid::{Cell, Direction};

/// Limits what an agent [notices](Notice) by itself to a cone before it: who comes from behind is
/// not seen.
///
/// The agent faces where its last step led, of which there are eight directions, and keeps facing
/// there while it stands. The game may turn it by [`facing`](Self::facing). A target on the agent's
/// own cell is noticed whatever it faces. Calls of others are heard from all sides.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Notice)]
pub struct ViewCone {
    /// The angle of the cone from its left edge to its right one, in degrees; 120 by default, what
    /// both eyes of a human see. From 360 on it sees all around.
    pub degrees: u16,
    /// Where it faces; south by default, toward who looks at the map.
    pub facing: Direction,
    /// The cell of its last step; `None` before the first tick.
    at: Option<Cell>,
}

impl Default for ViewCone {
    fn default() -> Self {
        Self::new(120, Direction::South)
    }
}

impl ViewCone {
    /// A cone of an angle, of an agent that faces some way.
    pub const fn new(degrees: u16, facing: Direction) -> Self {
        Self {
            degrees,
            facing,
            at: None,
        }
    }

    /// Whether the centre of a cell lies in the cone from the centre of another one.
    ///
    /// The cosine of the edge is Bhaskara's approximation, in whole numbers: the edge is at most a
    /// fifth of a degree off.
    pub fn contains(&self, from: Cell, cell: Cell) -> bool {
        let dx = i64::from(cell.x) - i64::from(from.x);
        let dy = i64::from(cell.y) - i64::from(from.y);
        if self.degrees >= 360 || (dx, dy) == (0, 0) {
            return true;
        }
        let facing = self.facing.delta();
        let (fx, fy) = (i64::from(facing.0), i64::from(facing.1));
        // Twice the degrees from the middle to an edge: whole numbers for odd angles, too.
        let edge = i64::from(self.degrees);
        let (sign, acute) = if edge > 180 {
            (-1, 360 - edge)
        } else {
            (1, edge)
        };
        // The cosine of `acute` half degrees is `over / under`.
        let (over, under) = (129_600 - 4 * acute * acute, 129_600 + acute * acute);
        let along = squared((dx * fx + dy * fy) * under);
        let lengths = i128::from(dx * dx + dy * dy) * i128::from(fx * fx + fy * fy);
        along >= squared(sign * over) * lengths
    }

    /// Faces where a step led. An agent that was put elsewhere faces as before.
    fn follow(&mut self, at: Cell) {
        let before = self.at.replace(at);
        let step = before.filter(|before| before.floor == at.floor && before.chebyshev(at) == 1);
        if let Some(facing) = step.and_then(|before| heading(before, at)) {
            self.facing = facing;
        }
    }

    /// Turns clockwise by a quarter.
    pub(crate) fn turn(&mut self) {
        self.facing = turned(self.facing, 2);
    }
}

/// The square of a number, with its sign.
fn squared(number: i64) -> i128 {
    i128::from(number) * i128::from(number.abs())
}

/// Turns agents to where their steps led.
pub(super) fn face(mut agents: Query<(&mut ViewCone, &CellPosition), Changed<CellPosition>>) {
    for (mut cone, position) in &mut agents {
        if cone.at != Some(position.cell) {
            cone.follow(position.cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, West};

    /// Draws which cells around the middle of a square lie in a cone.
    fn drawn(degrees: u16, facing: Direction) -> Vec<String> {
        let cone = ViewCone::new(degrees, facing);
        let sees = |x, y| cone.contains(Cell::new(10, 10), Cell::new(x, y));
        let row = |y| (8..13).map(move |x| if sees(x, y) { '#' } else { '.' });
        (8..13).map(|y| row(y).collect()).collect()
    }

    #[test]
    fn cells_of_cones() {
        for (degrees, facing, rows) in [
            (0, East, [".....", ".....", "..###", ".....", "....."]),
            (90, North, ["#####", ".###.", "..#..", ".....", "....."]),
            (90, NorthEast, ["..###", "..###", "..###", ".....", "....."]),
            (180, West, ["###..", "###..", "###..", "###..", "###.."]),
            (269, South, [".....", "#...#", "#####", "#####", "#####"]),
            (271, South, ["#...#", "##.##", "#####", "#####", "#####"]),
            (360, South, ["#####", "#####", "#####", "#####", "#####"]),
        ] {
            assert_eq!(drawn(degrees, facing), rows, "{degrees} {facing:?}");
        }
    }

    #[test]
    fn angles_are_within_half_a_degree() {
        let from = Cell::new(30_000, 30_000);
        for facing in Direction::ALL {
            let (fx, fy) = facing.delta();
            for (degrees, dx, dy) in (1..360).flat_map(|degrees| {
                [(3, -7), (900, 899), (-20_000, 1), (0, 5), (-4, -9)].map(|(x, y)| (degrees, x, y))
            }) {
                let cell = Cell::new((30_000 + dx) as u16, (30_000 + dy) as u16);
                let turn = f64::from(dy).atan2(dx.into()) - f64::from(fy).atan2(fx.into());
                let turn = turn.to_degrees().rem_euclid(360.0);
                let off = turn.min(360.0 - turn) - f64::from(degrees) / 2.0;
                let sees = ViewCone::new(degrees, facing).contains(from, cell);
                assert!(
                    off.abs() < 0.5 || sees == (off < 0.0),
                    "{degrees} {facing:?} {cell}"
                );
            }
        }
    }

    #[test]
    fn faces_where_steps_lead() {
        let mut cone = ViewCone::default();
        for (x, y, facing) in [
            (5, 5, South),
            (6, 5, East),
            (7, 4, NorthEast),
            (7, 3, North),
            (20, 3, North),
            (19, 3, West),
        ] {
            cone.follow(Cell::new(x, y));
            assert_eq!(cone.facing, facing, "at {x}, {y}");
        }
        cone.turn();
        assert_eq!(cone.facing, North);
    }
}
