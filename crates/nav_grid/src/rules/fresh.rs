//! Which steps out of a cell can be news to a search, given the step that led to it.

use super::{
    moves::{self, MoveTable},
    walker::{CornerRule, Rules},
};
use crate::cell::{Direction, Directions};

/// For each step that may have led to a cell, and for none, the legal directions out of it that
/// its parent could not take in one step for at most the same cost.
///
/// A search that expands a cell has expanded its parent before, and has therefore already seen
/// every neighbour that the two share, at a cost that a way through the cell cannot beat. To
/// leave these out changes no answer and saves half the work of an expansion: after a straight
/// step over open ground 3 neighbours of 8 remain, after a diagonal one 5.
///
/// Sound only while the cost of a step depends on nothing but whether it is diagonal.
pub(crate) type FreshTable = [MoveTable; 9];

/// The row of a [`FreshTable`] for a cell that no step led to.
pub(crate) const NO_STEP: usize = 8;

impl Rules {
    /// The table for this metric and corner rule.
    #[inline]
    pub(crate) fn fresh_table(self) -> &'static FreshTable {
        match (self.metric.diagonal(), self.corners) {
            (None, _) => &FOUR_WAY,
            (Some(_), CornerRule::Strict) => &STRICT,
            (Some(_), CornerRule::Cut) => &CUT,
        }
    }
}

static STRICT: FreshTable = build(true, true);
static CUT: FreshTable = build(true, false);
static FOUR_WAY: FreshTable = build(false, true);

const fn build(diagonals: bool, strict: bool) -> FreshTable {
    let legal = moves::build(diagonals, strict);
    let mut table = [legal; 9];
    let mut step = 0;
    while step < 8 {
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

/// Whether the cell that `step` came from is the walkable neighbour in direction `d`, or
/// reaches it in one step.
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
    let sides_open = open(around, neighbour.0, parent.1) && open(around, parent.0, neighbour.1);
    !diagonal || (diagonals && (!strict || sides_open))
}

/// Whether a cell near the one in the middle of a surroundings byte is walkable; the middle
/// itself is, since a search stands on it.
const fn open(around: usize, dx: i32, dy: i32) -> bool {
    match (dy + 1) * 3 + dx + 1 {
        4 => true,
        bit if bit < 4 => around >> bit & 1 == 1,
        bit => around >> (bit - 1) & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, NorthWest, SouthEast};

    const OPEN: usize = 0xff;

    fn fresh(table: &FreshTable, step: Direction, around: usize) -> Vec<Direction> {
        table[step as usize][around].into_iter().collect()
    }

    #[test]
    fn open_ground_lies_ahead() {
        assert_eq!(fresh(&STRICT, East, OPEN), [NorthEast, East, SouthEast]);
        assert_eq!(
            fresh(&STRICT, NorthEast, OPEN),
            [North, NorthEast, East, SouthEast, NorthWest]
        );
        assert_eq!(FOUR_WAY[East as usize][OPEN].len(), 3);
        assert_eq!(STRICT[NO_STEP][OPEN], Directions::ALL);
    }

    #[test]
    fn a_wall_beside_the_parent_keeps_the_way_round_its_corner() {
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
