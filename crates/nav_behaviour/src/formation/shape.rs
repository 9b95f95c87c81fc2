//! Where the slots of a formation lie, on open ground.

use nav_grid::{Cell, Direction};

/// How the members of a formation stand to their leader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum FormationShape {
    /// One behind the other, along the way that the leader took.
    Column,
    /// Side by side with the leader, by turns to its right and to its left.
    Line,
    /// Behind it to the right and to the left by turns, as geese fly: the default.
    #[default]
    Wedge,
    /// All around it, evenly.
    Ring,
}

impl FormationShape {
    /// The cell of a slot of so many beside a leader, so many cells apart; `None` if that is off the
    /// map, or the shape has no cells of its own.
    pub(super) fn slot(
        self,
        leader: Cell,
        heading: Direction,
        spacing: u16,
        (number, count): (usize, usize),
    ) -> Option<Cell> {
        let (dx, dy) = heading.delta();
        let (ahead, right) = ((dx, dy), (-dy, dx));
        let side = if number.is_multiple_of(2) { 1 } else { -1 };
        let far = i32::from(spacing) * (number as i32 / 2 + 1);
        let (back, beside) = match self {
            Self::Column => return None,
            Self::Line => (0, side * far),
            Self::Wedge => (far, side * far),
            Self::Ring => return ring_slot(leader, heading, spacing, (number, count)),
        };
        let at = |from: u16, ahead: i32, right: i32| {
            u16::try_from(i32::from(from) - ahead * back + right * beside).ok()
        };
        Some(Cell {
            x: at(leader.x, ahead.0, right.0)?,
            y: at(leader.y, ahead.1, right.1)?,
            ..leader
        })
    }
}

/// A cell of the square ring around a leader that has room for all, clockwise from ahead.
fn ring_slot(
    leader: Cell,
    heading: Direction,
    spacing: u16,
    (number, count): (usize, usize),
) -> Option<Cell> {
    let radius = usize::from(spacing).max(count.div_ceil(8));
    let side = 2 * radius;
    let first = heading as usize * radius;
    let place = (first + number * 4 * side / count.max(1)) % (4 * side);
    // From north, which is in the middle of the upper side.
    let place = (place + radius) % (4 * side);
    let (edge, along) = (place / side, (place % side) as i32);
    let radius = radius as i32;
    let (x, y) = match edge {
        0 => (along - radius, -radius),
        1 => (radius, along - radius),
        2 => (radius - along, radius),
        _ => (-radius, radius - along),
    };
    Some(Cell {
        x: u16::try_from(i32::from(leader.x) + x).ok()?,
        y: u16::try_from(i32::from(leader.y) + y).ok()?,
        ..leader
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEADER: Cell = Cell::new(50, 50);

    fn slots(shape: FormationShape, heading: Direction, count: usize) -> Vec<(i32, i32)> {
        let slot = |number| shape.slot(LEADER, heading, 1, (number, count)).unwrap();
        let from_leader = |cell: Cell| (i32::from(cell.x) - 50, i32::from(cell.y) - 50);
        (0..count).map(|number| from_leader(slot(number))).collect()
    }

    #[test]
    fn a_wedge_lies_behind_whichever_way_the_leader_goes() {
        let wedge = |heading| slots(FormationShape::Wedge, heading, 4);
        assert_eq!(wedge(Direction::North), [(1, 1), (-1, 1), (2, 2), (-2, 2)]);
        assert_eq!(
            wedge(Direction::East),
            [(-1, 1), (-1, -1), (-2, 2), (-2, -2)]
        );
        assert_eq!(
            wedge(Direction::NorthEast),
            [(0, 2), (-2, 0), (0, 4), (-4, 0)]
        );
    }

    #[test]
    fn a_line_lies_beside() {
        let line = slots(FormationShape::Line, Direction::South, 3);
        assert_eq!(line, [(-1, 0), (1, 0), (-2, 0)]);
    }

    #[test]
    fn a_ring_has_room_for_all_of_any_number() {
        for heading in Direction::ALL {
            for count in 1..40 {
                let mut ring = slots(FormationShape::Ring, heading, count);
                let (dx, dy) = heading.delta();
                let radius = count.div_ceil(8) as i32;
                assert_eq!(ring[0], (dx * radius, dy * radius), "{heading:?}");
                ring.sort_unstable();
                ring.dedup();
                assert_eq!(ring.len(), count, "{heading:?} of {count}");
            }
        }
    }
}
