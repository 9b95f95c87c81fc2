//! The legal steps out of a cell, by the cells around it, and which of them can be news.

use super::walker::{CornerRule, Rules};
use crate::cell::{Direction, Directions};

/// Legal directions for each of the 256 surroundings of a cell.
///
/// Looked up with the byte of [`around_in`](crate::bits::around_in), so the corner rule and the
/// metric cost one load per expansion and no branch.
pub(crate) type MoveTable = [Directions; 256];

/// For each step that may have led to a cell, and for none, the legal directions out of it that
/// its parent could not take in one step for at most the same cost.
///
/// A search that expands a cell has expanded its parent before. So it knows every neighbour that
/// the two share, at a cost that a way through the cell cannot beat. Leaving these out changes no
/// answer and saves half the work of an expansion: on open ground, 3 neighbours of 8 remain after a
/// straight step and 5 after a diagonal one.
///
/// Sound only while the cost of a step depends on nothing but whether it is diagonal.
pub(crate) type FreshTable = [MoveTable; 9];

/// The row of a [`FreshTable`] for a cell that no step led to.
pub(crate) const NO_STEP: usize = 8;

impl Rules {
    /// The legal steps for this metric and corner rule.
    #[inline]
    pub(crate) fn move_table(self) -> &'static MoveTable {
        &self.fresh_table()[NO_STEP]
    }

    /// The steps that can be news for this metric and corner rule.
    #[inline]
    pub(crate) fn fresh_table(self) -> &'static FreshTable {
        match (self.metric.diagonal(), self.corners) {
            (None, _) => &FOUR_WAY,
            (Some(_), CornerRule::Strict) => &STRICT,
            (Some(_), CornerRule::Cut) => &CUT,
        }
    }
}

static STRICT: FreshTable = build_fresh(true, true);
static CUT: FreshTable = build_fresh(true, false);
static FOUR_WAY: FreshTable = build_fresh(false, true);

const fn build(diagonals: bool, strict: bool) -> MoveTable {
    let mut table = [Directions::NONE; 256];
    let mut around = 0;
    while around < 256 {
        let mut legal = 0;
        let mut d = 0;
        while d < 8 {
            let diagonal = Direction::ALL[d].is_diagonal();
            let sides_open = open(around, (d + 7) % 8) && open(around, (d + 1) % 8);
            if open(around, d) && (!diagonal || (diagonals && (!strict || sides_open))) {
                legal |= 1 << d;
            }
            d += 1;
        }
        table[around] = Directions(legal);
        around += 1;
    }
    table
}

const fn build_fresh(diagonals: bool, strict: bool) -> FreshTable {
    let legal = build(diagonals, strict);
    let mut table = [legal; 9];
    let mut step = 0;
    while step < NO_STEP {
        let mut around = 0;
        while around < 256 {
            let mut fresh = legal[around].0;
            let mut d = 0;
            while d < 8 {
                if parent_reaches(around, step, d, diagonals, strict) {
                    fresh &= !(1 << d);
                }
                d += 1;
            }
            table[step][around] = Directions(fresh);
            around += 1;
        }
        step += 1;
    }
    table
}

/// Whether the cell that `step` came from is the walkable neighbour in direction `d`, or reaches
/// it in one step.
const fn parent_reaches(
    around: usize,
    step: usize,
    d: usize,
    diagonals: bool,
    strict: bool,
) -> bool {
    let parent = Direction::ALL[step].opposite().delta();
    let neighbour = Direction::ALL[d].delta();
    let (dx, dy) = (neighbour.0 - parent.0, neighbour.1 - parent.1);
    if dx.abs() > 1 || dy.abs() > 1 {
        return false;
    }
    let diagonal = dx != 0 && dy != 0;
    let sides_open =
        open_at(around, neighbour.0, parent.1) && open_at(around, parent.0, neighbour.1);
    !diagonal || (diagonals && (!strict || sides_open))
}

/// Whether a cell near the middle of a surroundings byte is walkable. The middle itself is, since
/// a search stands on it.
const fn open_at(around: usize, dx: i32, dy: i32) -> bool {
    match Direction::from_delta(dx, dy) {
        Some(direction) => open(around, direction as usize),
        None => true,
    }
}

/// Whether the cell in direction `d` is set in a surroundings byte.
const fn open(around: usize, d: usize) -> bool {
    around & around_bit(Direction::ALL[d]) != 0
}

/// The bit of a direction in a surroundings byte, which is in reading order.
#[inline]
pub(crate) const fn around_bit(direction: Direction) -> usize {
    const READING_ORDER: [usize; 8] = [1, 2, 4, 7, 6, 5, 3, 0];
    1 << READING_ORDER[direction as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, West};

    const OPEN: usize = 0xff;

    fn fresh(table: &FreshTable, step: Direction, around: usize) -> Vec<Direction> {
        table[step as usize][around].into_iter().collect()
    }

    #[test]
    fn legal_on_open_ground() {
        assert_eq!(STRICT[NO_STEP][OPEN], Directions::ALL);
        assert_eq!(CUT[NO_STEP][OPEN], Directions::ALL);
        assert_eq!(FOUR_WAY[NO_STEP][OPEN], Directions::STRAIGHT);
    }

    /// A wall closes its diagonals under strict corners only.
    #[test]
    fn legal_beside_wall() {
        let around = OPEN & !0b10;
        assert!(!STRICT[NO_STEP][around].contains(North));
        assert!(!STRICT[NO_STEP][around].contains(NorthEast));
        assert!(!CUT[NO_STEP][around].contains(North));
        assert!(CUT[NO_STEP][around].contains(NorthEast));
    }

    #[test]
    fn cut_between_diagonal_walls() {
        let only_north_east = 0b100;
        assert_eq!(
            CUT[NO_STEP][only_north_east]
                .into_iter()
                .collect::<Vec<_>>(),
            [NorthEast]
        );
        assert!(STRICT[NO_STEP][only_north_east].is_empty());
    }

    #[test]
    fn straight_neighbours_only() {
        let cross = 0b0101_1010;
        assert_eq!(
            STRICT[NO_STEP][cross].into_iter().collect::<Vec<_>>(),
            [North, East, South, West]
        );
        assert_eq!(CUT[NO_STEP][cross], Directions::STRAIGHT);
    }

    #[test]
    fn fresh_on_open_ground() {
        assert_eq!(fresh(&STRICT, East, OPEN), [NorthEast, East, SouthEast]);
        assert_eq!(
            fresh(&STRICT, NorthEast, OPEN),
            [North, NorthEast, East, SouthEast, NorthWest]
        );
        assert_eq!(FOUR_WAY[East as usize][OPEN].len(), 3);
        assert_eq!(STRICT[NO_STEP][OPEN], Directions::ALL);
    }

    /// A wall beside the parent keeps the way around its corner.
    #[test]
    fn fresh_around_corner() {
        let no_north_west = OPEN & !1;
        assert_eq!(
            fresh(&STRICT, East, no_north_west),
            [North, NorthEast, East, SouthEast]
        );
        assert_eq!(
            fresh(&CUT, East, no_north_west),
            [NorthEast, East, SouthEast]
        );
    }

    #[test]
    fn fresh_steps_are_legal() {
        for rules in [&STRICT, &CUT, &FOUR_WAY] {
            for row in rules {
                for (around, directions) in row.iter().enumerate() {
                    let legal = rules[NO_STEP][around];
                    assert_eq!(directions.intersection(legal), *directions);
                }
            }
        }
    }
}
