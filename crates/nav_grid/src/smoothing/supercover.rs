//! The supercover of a line: all cells that the line passes through.

use crate::cell::{Cell, Direction};

/// Iterator over the edges and corners that the line between two cell centres crosses, in order, as
/// directions: a diagonal one where the line meets a corner exactly.
///
/// The line meets the `i`-th edge between columns at the part `(2i - 1) / 2·columns` of its length,
/// and likewise for rows. So whole numbers tell which edge comes next. With sides of up to 65,535
/// cells they stay below 2³⁴.
///
/// The traversal of Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987,
/// in two dimensions and without fractions.
#[derive(Clone, Debug)]
pub(crate) struct Supercover {
    from: Cell,
    columns: i64,
    rows: i64,
    columns_left: i64,
    rows_left: i64,
    /// Negative if the next edge is between columns, positive if between rows, 0 at a corner.
    next: i64,
    across: Direction,
    along: Direction,
}

impl Supercover {
    pub(crate) fn new(from: Cell, to: Cell) -> Self {
        let columns = i64::from(from.x.abs_diff(to.x));
        let rows = i64::from(from.y.abs_diff(to.y));
        let across = if from.x <= to.x {
            Direction::East
        } else {
            Direction::West
        };
        let along = if from.y <= to.y {
            Direction::South
        } else {
            Direction::North
        };
        Self {
            from,
            columns,
            rows,
            columns_left: columns,
            rows_left: rows,
            next: rows - columns,
            across,
            along,
        }
    }

    /// The straight directions of the line: east or west, and north or south.
    pub(crate) const fn straight(&self) -> [Direction; 2] {
        [self.across, self.along]
    }

    /// The diagonal direction between the two.
    pub(crate) fn diagonal(&self) -> Direction {
        self.across.between(self.along)
    }

    /// The distance of a cell's centre from the line, times the length of the line. For cells
    /// between the ends.
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
            0 => self.diagonal(),
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
    fn rows_columns_diagonals() {
        assert!(crossed((3, 3), (3, 3)).is_empty());
        assert_eq!(crossed((3, 3), (1, 3)), [West; 2]);
        assert_eq!(crossed((3, 3), (3, 6)), [South; 3]);
        assert_eq!(crossed((3, 3), (1, 1)), [NorthWest; 2]);
    }

    #[test]
    fn edges_and_corners() {
        assert_eq!(crossed((0, 0), (4, 1)), [East, East, South, East, East]);
        assert_eq!(crossed((3, 1), (0, 0)), [West, NorthWest, West]);
        assert_eq!(crossed((0, 5), (2, 0)).len(), 7);
        assert_eq!(
            crossed((0, 5), (1, 2)),
            [North, Direction::NorthEast, North]
        );
    }

    #[test]
    fn ends_at_goal() {
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
