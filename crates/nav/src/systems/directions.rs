//! Which way to go of several.

use nav_grid::{Cell, Direction, Directions};

/// The eighth of the compass in which a cell lies from another; `None` for the same column and
/// row. Straight ways go up to a slope of one in two.
#[inline]
pub(crate) fn heading(from: Cell, to: Cell) -> Option<Direction> {
    let (dx, dy) = (
        i32::from(to.x) - i32::from(from.x),
        i32::from(to.y) - i32::from(from.y),
    );
    // Which way along one axis, unless it goes twice as far or further along the other.
    let along = |way: i32, other: i32| {
        let (twice, other) = (way * 2, other.abs());
        i32::from(twice > other) - i32::from(twice < -other)
    };
    Direction::from_delta(along(dx, dy), along(dy, dx))
}

/// Of some ways the one that is nearest to a wished one: that itself, then an eighth clockwise,
/// an eighth counter-clockwise, a quarter clockwise, and so on.
#[inline]
pub(crate) fn nearest(ways: Directions, wished: Direction) -> Option<Direction> {
    NEAREST[wished as usize][usize::from(ways.0)]
}

/// By the wish and by the ways.
static NEAREST: [[Option<Direction>; 256]; 8] = {
    /// Eighths clockwise, the last choice first.
    const TURNS: [usize; 8] = [4, 5, 3, 6, 2, 7, 1, 0];
    let mut table = [[None; 256]; 8];
    let mut place = 0;
    while place < 8 * 256 * 8 {
        let (wished, ways, turn) = (place / 2048, place / 8 % 256, place % 8);
        let way = (wished + TURNS[turn]) % 8;
        if ways >> way & 1 == 1 {
            // The last one to be found counts.
            table[wished][ways] = Some(Direction::ALL[way]);
        }
        place += 1;
    }
    table
};

/// Some ways without one of them.
#[inline]
pub(crate) const fn without(ways: Directions, way: Direction) -> Directions {
    Directions(ways.0 & !(1 << way as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, SouthEast, SouthWest, West};

    #[test]
    fn a_heading_is_straight_up_to_a_slope_of_one_in_two() {
        let to = |x, y| heading(Cell::new(10, 10), Cell::new(x, y));
        assert_eq!(to(10, 10), None);
        assert_eq!(
            (to(15, 10), to(14, 12), to(13, 12)),
            (Some(East), Some(East), Some(SouthEast))
        );
        assert_eq!(
            (to(8, 6), to(12, 7), to(9, 20)),
            (Some(North), Some(NorthEast), Some(South))
        );
    }

    #[test]
    fn the_way_nearest_to_the_wish_is_taken_clockwise_first() {
        let ways = |ways: &[Direction]| {
            Directions(ways.iter().fold(0, |bits, &way| bits | 1 << way as u8))
        };
        assert_eq!(nearest(ways(&[North, South]), NorthEast), Some(North));
        assert_eq!(nearest(ways(&[North, East]), NorthEast), Some(East));
        assert_eq!(nearest(ways(&[West, SouthWest]), NorthEast), Some(West));
        assert_eq!(nearest(Directions::NONE, West), None);
        assert_eq!(without(Directions::ALL, West).len(), 7);
    }
}
