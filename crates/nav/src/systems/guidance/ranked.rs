//! The steps that lead on from a cell, ranked.

use nav_grid::{Cell, Direction, Directions};

/// A guide's answer for a cell: the moves that lead on from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    /// Steps to neighbouring cells, in tiers of equal worth: onto the best ways, past bodies on
    /// those, and any others that come into question.
    pub(crate) tiers: [Directions; 3],
    /// The link to take where no step of the first tier leads on.
    pub(crate) link: Option<Cell>,
    /// The direction in which the target lies: preferred among equals.
    pub(crate) toward: Direction,
}

impl Default for Ranked {
    /// Nothing leads on.
    fn default() -> Self {
        Self {
            tiers: [Directions::NONE; 3],
            link: None,
            toward: Direction::North,
        }
    }
}

impl Ranked {
    /// The steps onto the best ways, the steps past bodies on those, and the link, without the
    /// direction of the target.
    #[inline]
    pub(crate) fn ways(best: Directions, sides: Directions, link: Option<Cell>) -> Self {
        Self {
            tiers: [best, sides, Directions::NONE],
            link,
            ..Self::default()
        }
    }

    /// Some steps of equal worth.
    pub(crate) fn steps(steps: Directions, toward: Direction) -> Self {
        Self {
            tiers: [steps, Directions::NONE, Directions::NONE],
            link: None,
            toward,
        }
    }

    /// The step to one cell, or the link if it is not beside.
    #[inline]
    pub(crate) fn to(from: Cell, to: Cell) -> Self {
        match from.direction_to(to) {
            Some(way) => Self::steps(Directions::from(way), way),
            None => Self {
                link: Some(to),
                ..Self::default()
            },
        }
    }

    /// All steps.
    pub(crate) const fn any(&self) -> Directions {
        let [one, two, three] = self.tiers;
        Directions(one.0 | two.0 | three.0)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.any().is_empty() && self.link.is_none()
    }

    /// The cell that a chaser takes if no body is in its way: of the best steps the one toward the
    /// target, and only where there is none the link.
    #[inline]
    pub(crate) fn first(&self, from: Cell) -> Option<Cell> {
        match nearest(self.tiers[0], self.toward) {
            Some(way) => from.step(way),
            None => self.link,
        }
    }

    /// The first cell of the best steps that nothing bars, where something bars the
    /// [first](Self::first) one.
    pub(crate) fn first_open(&self, from: Cell, bars: impl Fn(Cell) -> bool) -> Option<Cell> {
        let mut ways = self.tiers[0];
        while let Some(way) = nearest(ways, self.toward) {
            let to = from.step(way).filter(|&to| !bars(to));
            if to.is_some() {
                return to;
            }
            ways = Directions(ways.0 & !Directions::from(way).0);
        }
        None
    }
}

/// The eighth of the compass in which a cell lies from another; `None` for the same column and
/// row. Straight ways go up to a slope of one in two.
#[inline]
pub fn heading(from: Cell, to: Cell) -> Option<Direction> {
    let (dx, dy) = (
        i32::from(to.x) - i32::from(from.x),
        i32::from(to.y) - i32::from(from.y),
    );
    Direction::from_delta(sign_beside(dx, dy), sign_beside(dy, dx))
}

/// The sign of a way along one axis; 0 if it goes twice as far or further along the other.
const fn sign_beside(way: i32, other: i32) -> i32 {
    if way.abs() * 2 > other.abs() {
        way.signum()
    } else {
        0
    }
}

/// The way nearest to a wished one: that itself, then an eighth clockwise, an eighth
/// counter-clockwise, a quarter clockwise, and so on.
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
pub(crate) const fn without(ways: Directions, way: Direction) -> Directions {
    Directions(ways.0 & !(1 << way as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, SouthEast, SouthWest, West};

    #[test]
    fn heading_boundaries() {
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
    fn nearest_is_clockwise_first() {
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
