//! Which of the eight steps out of a cell are legal, given the cells around it.

use super::walker::{CornerRule, Rules};
use crate::cell::{Direction, Directions};

/// Legal directions for each of the 256 surroundings of a cell.
///
/// Looked up with the byte of [`Bitboard::around`](super::bitboard::Bitboard::around), so the
/// corner rule and the metric cost one load per expansion and no branch.
pub(crate) type MoveTable = [Directions; 256];

impl Rules {
    /// The table for this metric and corner rule.
    #[inline]
    pub(crate) fn move_table(self) -> &'static MoveTable {
        match (self.metric.diagonal(), self.corners) {
            (None, _) => &FOUR_WAY,
            (Some(_), CornerRule::Strict) => &STRICT,
            (Some(_), CornerRule::Cut) => &CUT,
        }
    }
}

static STRICT: MoveTable = build(true, true);
static CUT: MoveTable = build(true, false);
static FOUR_WAY: MoveTable = build(false, true);

pub(crate) const fn build(diagonals: bool, strict: bool) -> MoveTable {
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

/// Whether the cell in direction `d` is set in a surroundings byte (which is in reading order).
const fn open(around: usize, d: usize) -> bool {
    const READING_ORDER: [usize; 8] = [1, 2, 4, 7, 6, 5, 3, 0];
    around >> READING_ORDER[d] & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, South, West};

    const OPEN: usize = 0xff;

    #[test]
    fn open_ground_allows_every_step_of_the_metric() {
        assert_eq!(STRICT[OPEN], Directions::ALL);
        assert_eq!(CUT[OPEN], Directions::ALL);
        assert_eq!(FOUR_WAY[OPEN], Directions::STRAIGHT);
    }

    #[test]
    fn a_wall_to_the_north_closes_its_diagonals_under_strict_corners_only() {
        let around = OPEN & !0b10;
        assert!(!STRICT[around].contains(North));
        assert!(!STRICT[around].contains(NorthEast));
        assert!(!CUT[around].contains(North));
        assert!(CUT[around].contains(NorthEast));
    }

    #[test]
    fn cutting_passes_between_two_diagonal_walls() {
        let only_north_east = 0b100;
        assert_eq!(
            CUT[only_north_east].into_iter().collect::<Vec<_>>(),
            [NorthEast]
        );
        assert!(STRICT[only_north_east].is_empty());
    }

    #[test]
    fn straight_neighbours_alone_allow_no_diagonal() {
        let cross = 0b0101_1010;
        assert_eq!(
            STRICT[cross].into_iter().collect::<Vec<_>>(),
            [North, East, South, West]
        );
        assert_eq!(CUT[cross], Directions::STRAIGHT);
    }
}
