//! Cells and the eight directions between them.

/// One square of a [map](crate::Grid): column `x`, row `y` (growing downward), and its floor.
///
/// `Cell { x: 0, y: 0, .. }` is the upper-left corner. Cells order by floor, then row, then column:
/// reading order, the last tie-break of every queue in this crate.
// Decision 1: docs/decisions/0001-cells-of-six-bytes.md
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, 0 at the left.
    pub x: u16,
    /// Row, 0 at the top.
    pub y: u16,
    /// Floor, 0 on maps with one floor.
    #[cfg_attr(feature = "serde", serde(default))]
    pub floor: u8,
}

impl Cell {
    /// The cell in column `x` and row `y` of floor 0.
    pub const fn new(x: u16, y: u16) -> Self {
        Self { x, y, floor: 0 }
    }

    /// The same column and row on another floor.
    #[must_use]
    pub const fn on_floor(self, floor: u8) -> Self {
        Self { floor, ..self }
    }

    /// The neighbour in `direction`, or `None` if a coordinate would leave `0..=65535`.
    ///
    /// The result may lie off the map; [`Grid::is_walkable`](crate::Grid::is_walkable) returns
    /// `false` there.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.delta();
        let (x, y) = (self.x as i32 + dx, self.y as i32 + dy);
        // One branch for both coordinates: negative ones have all upper bits set.
        if (x | y) >> u16::BITS != 0 {
            return None;
        }
        Some(Self {
            x: x as u16,
            y: y as u16,
            floor: self.floor,
        })
    }

    /// The direction of a neighbour on the same floor, or `None` if `other` is no neighbour.
    #[inline]
    pub const fn direction_to(self, other: Self) -> Option<Direction> {
        if self.floor != other.floor {
            return None;
        }
        let dx = other.x as i32 - self.x as i32;
        let dy = other.y as i32 - self.y as i32;
        Direction::from_delta(dx, dy)
    }

    /// The square of the Euclidean distance to another cell. Floors do not count.
    pub(crate) fn squared_distance(self, other: Self) -> u64 {
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        u64::from(dx).pow(2) + u64::from(dy).pow(2)
    }

    /// The distance in columns or rows, whichever is more: the number of 8-way steps on open
    /// ground. Floors do not count.
    #[inline]
    pub const fn chebyshev(self, other: Self) -> u16 {
        let dx = self.x.abs_diff(other.x);
        let dy = self.y.abs_diff(other.y);
        if dx > dy { dx } else { dy }
    }

    /// The distance in columns plus rows: the number of 4-way steps on open ground. Floors do not
    /// count.
    pub const fn manhattan(self, other: Self) -> u32 {
        self.x.abs_diff(other.x) as u32 + self.y.abs_diff(other.y) as u32
    }

    const fn order_key(self) -> u64 {
        (self.floor as u64) << 32 | (self.y as u64) << 16 | self.x as u64
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order_key().cmp(&other.order_key())
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Cell {
    /// Writes `x,y`, or `x,y,floor` above the ground floor.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)?;
        if self.floor > 0 {
            write!(f, ",{}", self.floor)?;
        }
        Ok(())
    }
}

impl From<(u16, u16)> for Cell {
    fn from((x, y): (u16, u16)) -> Self {
        Self::new(x, y)
    }
}

/// One of the eight directions from a [cell](Cell), clockwise from up. Straight directions have
/// even numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Direction {
    /// Up, toward row 0.
    North = 0,
    /// Up and right.
    NorthEast = 1,
    /// Right.
    East = 2,
    /// Down and right.
    SouthEast = 3,
    /// Down.
    South = 4,
    /// Down and left.
    SouthWest = 5,
    /// Left, toward column 0.
    West = 6,
    /// Up and left.
    NorthWest = 7,
}

impl Direction {
    /// All eight, clockwise from up; `ALL[d as usize] == d`.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Change of column and row, each -1, 0 or 1.
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        // A table, since processors cannot predict a jump by direction.
        const DELTAS: [(i32, i32); 8] = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ];
        DELTAS[self as usize]
    }

    /// The direction of a step of `dx` columns and `dy` rows; `None` if that is no single step.
    #[inline]
    pub const fn from_delta(dx: i32, dy: i32) -> Option<Self> {
        /// By row, then by column, both from -1.
        const STEPS: [[Option<Direction>; 3]; 3] = {
            use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
            [
                [Some(NorthWest), Some(North), Some(NorthEast)],
                [Some(West), None, Some(East)],
                [Some(SouthWest), Some(South), Some(SouthEast)],
            ]
        };
        let (row, column) = (dy.wrapping_add(1) as u32, dx.wrapping_add(1) as u32);
        if row < 3 && column < 3 {
            STEPS[row as usize][column as usize]
        } else {
            None
        }
    }

    /// Whether a step this way changes both column and row.
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The diagonal between two adjacent straight directions.
    pub(crate) fn between(self, other: Self) -> Self {
        let (a, b) = (self as usize, other as usize);
        // For all pairs but north (0) and west (6), the diagonal is the mean.
        if a + b == 6 && a * b == 0 {
            Self::NorthWest
        } else {
            Self::ALL[usize::midpoint(a, b)]
        }
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }
}

/// A set of directions, one bit each: bit `d` stands for `Direction::ALL[d]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Directions(pub u8);

impl From<Direction> for Directions {
    /// The set of one direction.
    #[inline]
    fn from(direction: Direction) -> Self {
        Self(1 << direction as u8)
    }
}

impl Directions {
    /// No direction.
    pub const NONE: Self = Self(0);
    /// All eight.
    pub const ALL: Self = Self(0xff);
    /// North, east, south and west.
    pub const STRAIGHT: Self = Self(0b0101_0101);

    /// Whether `direction` is in the set.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// The directions in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// How many directions are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl IntoIterator for Directions {
    type Item = Direction;
    type IntoIter = DirectionsIter;

    /// Clockwise from north.
    fn into_iter(self) -> DirectionsIter {
        DirectionsIter(self.0)
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(iter: I) -> Self {
        let bits = iter.into_iter().map(|direction| 1 << direction as u8);
        Self(bits.fold(0, std::ops::BitOr::bitor))
    }
}

/// Iterator over a [`Directions`] set, clockwise from north.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct DirectionsIter(u8);

impl Iterator for DirectionsIter {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let direction = Direction::ALL[self.0.trailing_zeros() as usize];
        self.0 &= self.0 - 1;
        Some(direction)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for DirectionsIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_clockwise() {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction as usize, index);
            let (dx, dy) = direction.delta();
            assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
            assert_eq!(direction.opposite().delta(), (-dx, -dy));
            assert_eq!(Direction::from_delta(dx, dy), Some(direction));
            assert_eq!(
                Directions::STRAIGHT.contains(direction),
                !direction.is_diagonal()
            );
        }
    }

    #[test]
    fn steps_and_directions() {
        let cell = Cell::new(5, 5);
        for direction in Direction::ALL {
            let neighbour = cell.step(direction).unwrap();
            assert_eq!(cell.direction_to(neighbour), Some(direction));
            assert_eq!(neighbour.step(direction.opposite()), Some(cell));
        }
        assert_eq!(cell.direction_to(cell), None);
        assert_eq!(Direction::from_delta(i32::MIN, 1), None);
        assert_eq!(Direction::from_delta(1, i32::MAX), None);
        assert_eq!(cell.direction_to(Cell::new(7, 5)), None);
        assert_eq!(cell.direction_to(Cell::new(6, 5).on_floor(1)), None);
    }

    #[test]
    fn coordinate_range() {
        assert_eq!(Cell::new(0, 3).step(Direction::West), None);
        assert_eq!(Cell::new(3, u16::MAX).step(Direction::SouthEast), None);
    }

    #[test]
    fn reading_order() {
        let mut cells = [
            Cell::new(0, 1),
            Cell::new(0, 0).on_floor(1),
            Cell::new(9, 0),
        ];
        cells.sort();
        assert_eq!(
            cells,
            [
                Cell::new(9, 0),
                Cell::new(0, 1),
                Cell::new(0, 0).on_floor(1)
            ]
        );
    }

    #[test]
    fn direction_sets() {
        let set: Directions = [Direction::West, Direction::North].into_iter().collect();
        assert_eq!(set.len(), 2);
        assert_eq!(
            set.into_iter().collect::<Vec<_>>(),
            [Direction::North, Direction::West]
        );
    }
}
