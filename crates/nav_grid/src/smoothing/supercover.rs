//! The cells that a straight line passes through.

use crate::cell::{Cell, Direction};

/// The edges and corners of cells that the line between two cell centres crosses, in order, as
/// the directions in which it crosses them: a diagonal one where it meets a corner exactly.
///
/// The `i`-th edge between columns is met when the part `(2i - 1) / 2·columns` of the line is
/// done, and rows alike, so whole numbers tell which comes next. With sides of up to 65,535
/// cells all of them stay below 2³⁴.
///
/// The walk through a grid of Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray
/// Tracing", 1987, in two dimensions and without fractions.
#[derive(Clone, Debug)]
pub(crate) struct Supercover {
    from: Cell,
    columns: i64,
    rows: i64,
    columns_left: i64,
    rows_left: i64,
    /// Negative if the next edge is one between columns, positive if between rows.
    next: i64,
    across: Direction,
    along: Direction,
    both: Direction,
}

impl Supercover {
    pub(crate) fn new(from: Cell, to: Cell) -> Self {
        let columns = i64::from(from.x.abs_diff(to.x));
        let rows = i64::from(from.y.abs_diff(to.y));
        let (east, south) = (from.x <= to.x, from.y <= to.y);
        Self {
            from,
            columns,
            rows,
            columns_left: columns,
            rows_left: rows,
            next: rows - columns,
            across: if east {
                Direction::East
            } else {
                Direction::West
            },
            along: if south {
                Direction::South
            } else {
                Direction::North
            },
            both: match (east, south) {
                (true, true) => Direction::SouthEast,
                (true, false) => Direction::NorthEast,
                (false, true) => Direction::SouthWest,
                (false, false) => Direction::NorthWest,
            },
        }
    }

    /// The directions that the line has a part of: east or west, and north or south.
    pub(crate) const fn straight(&self) -> [Direction; 2] {
        [self.across, self.along]
    }

    /// The diagonal direction between the two.
    pub(crate) const fn diagonal(&self) -> Direction {
        self.both
    }

    /// How far the centre of a cell between the ends is from the line, times the line's length.
    pub(crate) fn deviation(&self, cell: Cell) -> u64 {
        let columns = i64::from(self.from.x.abs_diff(cell.x));
        let rows = i64::from(self.from.y.abs_diff(cell.y));
        (self.columns * rows - self.rows * columns).unsigned_abs()
    }
}

impl Iterator for Supercover {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.columns_left + self.rows_left == 0 {
            return None;
        }
        let next = self.next;
        if next <= 0 {
            self.columns_left -= 1;
            self.next += 2 * self.rows;
        }
        if next >= 0 {
            self.rows_left -= 1;
            self.next -= 2 * self.columns;
        }
        Some(match next {
            ..0 => self.across,
            0 => self.both,
            1.. => self.along,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthWest, South, West};

    fn crossed(from: (u16, u16), to: (u16, u16)) -> Vec<Direction> {
        Supercover::new(from.into(), to.into()).collect()
    }

    #[test]
    fn lines_along_rows_and_columns_and_diagonals() {
        assert!(crossed((3, 3), (3, 3)).is_empty());
        assert_eq!(crossed((3, 3), (1, 3)), [West; 2]);
        assert_eq!(crossed((3, 3), (3, 6)), [South; 3]);
        assert_eq!(crossed((3, 3), (1, 1)), [NorthWest; 2]);
    }

    #[test]
    fn a_line_between_the_directions_meets_edges_and_corners() {
        assert_eq!(crossed((0, 0), (4, 1)), [East, East, South, East, East]);
        assert_eq!(crossed((3, 1), (0, 0)), [West, NorthWest, West]);
        assert_eq!(crossed((0, 5), (2, 0)).len(), 7);
        assert_eq!(
            crossed((0, 5), (1, 2)),
            [North, Direction::NorthEast, North]
        );
    }

    #[test]
    fn every_line_ends_where_it_should() {
        for (x, y) in (0..=14).flat_map(|x| (0..=14).map(move |y| (x, y))) {
            let (from, to) = (Cell::new(7, 7), Cell::new(x, y));
            let line = Supercover::new(from, to);
            let end = line.fold(from, |cell, direction| cell.step(direction).unwrap());
            assert_eq!(end, to);
        }
        let far = Supercover::new(Cell::new(0, u16::MAX), Cell::new(u16::MAX, 1));
        assert_eq!(far.count(), 65_535 + 65_534);
    }
}
