//! The walkability map.

use super::bitboard::Bitboard;
use crate::{Cell, Directions, Rules};

/// Where agents may stand: a rectangle of cells, each walkable or blocked.
///
/// Cells outside the rectangle count as blocked everywhere, so no search needs to test bounds.
///
/// # Memory
///
/// One bit per cell plus a border of under 64 bits a row: 512×512 takes 37 KiB,
/// 5000×5000 takes 3.0 MiB.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid};
///
/// let mut grid = Grid::open(8, 8)?;
/// grid.set_walkable(Cell::new(3, 4), false)?;
/// assert!(!grid.is_walkable(Cell::new(3, 4)));
/// assert!(!grid.is_walkable(Cell::new(8, 0)), "outside is blocked");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    width: u16,
    height: u16,
    floors: u8,
    walkable: Bitboard,
}

impl Grid {
    /// Greatest width and height. Larger worlds are several maps.
    pub const SIDE_MAX: u16 = 16_384;

    /// A grid on which every cell is blocked.
    ///
    /// # Errors
    ///
    /// [`GridError`] when a side is 0 or above [`Grid::SIDE_MAX`].
    pub fn blocked(width: u16, height: u16) -> Result<Self, GridError> {
        let sides = 1..=Self::SIDE_MAX;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(GridError {
                width: width.into(),
                height: height.into(),
            });
        }
        let floors = 1;
        Ok(Self {
            width,
            height,
            floors,
            walkable: Bitboard::new(width, height, floors),
        })
    }

    /// A grid on which every cell is walkable.
    ///
    /// # Errors
    ///
    /// As [`Grid::blocked`].
    pub fn open(width: u16, height: u16) -> Result<Self, GridError> {
        Self::from_fn(width, height, |_| true)
    }

    /// A grid of which `walkable` tells every cell, asked in reading order.
    ///
    /// # Errors
    ///
    /// As [`Grid::blocked`].
    pub fn from_fn(
        width: u16,
        height: u16,
        mut walkable: impl FnMut(Cell) -> bool,
    ) -> Result<Self, GridError> {
        let mut grid = Self::blocked(width, height)?;
        for y in 0..height {
            for x in 0..width {
                if walkable(Cell::new(x, y)) {
                    grid.walkable.set(x, y, 0, true);
                }
            }
        }
        Ok(grid)
    }

    /// Number of columns.
    #[inline]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// Number of rows.
    #[inline]
    pub const fn height(&self) -> u16 {
        self.height
    }

    /// Number of storeys, at least 1.
    #[inline]
    pub const fn floors(&self) -> u8 {
        self.floors
    }

    /// Whether `cell` lies on the map.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height && cell.floor < self.floors
    }

    /// Whether an agent may stand on `cell`; `false` outside the map.
    #[inline]
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.contains(cell) && self.walkable.get(cell.x, cell.y, cell.floor)
    }

    /// Opens or blocks one cell and returns whether it was walkable before.
    ///
    /// # Errors
    ///
    /// [`CellOutsideGridError`] when `cell` is not on the map, which is left as it was.
    pub fn set_walkable(
        &mut self,
        cell: Cell,
        walkable: bool,
    ) -> Result<bool, CellOutsideGridError> {
        if !self.contains(cell) {
            return Err(CellOutsideGridError {
                cell,
                width: self.width,
                height: self.height,
            });
        }
        Ok(self.walkable.set(cell.x, cell.y, cell.floor, walkable))
    }

    /// The steps that `rules` allow out of `cell`; none if `cell` is outside the map.
    ///
    /// Whether `cell` itself is walkable does not matter: an agent that a door closed on may
    /// still walk out.
    #[inline]
    pub fn steps(&self, cell: Cell, rules: Rules) -> Directions {
        if !self.contains(cell) {
            return Directions::NONE;
        }
        let around = self.walkable.around(cell.x, cell.y, cell.floor);
        rules.move_table()[usize::from(around)]
    }

    /// The walkable cells around a cell on the map, as a move table index.
    #[inline]
    pub(crate) fn surroundings(&self, x: u16, y: u16, floor: u8) -> usize {
        usize::from(self.walkable.around(x, y, floor))
    }

    /// Whether `rules` allow one step from `from` to `to`, which must be walkable. O(1).
    pub fn allows_step(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        from.direction_to(to)
            .is_some_and(|direction| self.steps(from, rules).contains(direction))
    }

    /// How many cells are walkable.
    ///
    /// # Complexity
    ///
    /// One pass over the map, 64 cells at a time.
    pub fn walkable_count(&self) -> u64 {
        self.walkable.count_ones()
    }

    /// The walkable cells in reading order, floor by floor.
    pub fn walkable_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.floors).flat_map(move |floor| {
            (0..self.height).flat_map(move |y| {
                let row = self.walkable.row(y, floor);
                row.iter().enumerate().flat_map(move |(index, &word)| {
                    ones(word).map(move |bit| Cell {
                        x: (index * 64) as u16 + bit,
                        y,
                        floor,
                    })
                })
            })
        })
    }

    /// Bytes that the map keeps on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.walkable.heap_bytes()
    }
}

fn ones(mut word: u64) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as u16;
        word &= word - 1;
        Some(bit)
    })
}

impl std::fmt::Debug for Grid {
    /// The size, and the cells of small maps as rows of `.` and `#`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Grid {}x{}x{}", self.width, self.height, self.floors)?;
        if self.width <= 64 && self.height <= 64 && self.floors == 1 {
            for y in 0..self.height {
                writeln!(f)?;
                for x in 0..self.width {
                    f.write_str(if self.walkable.get(x, y, 0) { "." } else { "#" })?;
                }
            }
        }
        Ok(())
    }
}

/// A grid was asked for that is empty or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a grid of {width}x{height} cells cannot be made: each side must be 1 to {max}", max = Grid::SIDE_MAX)]
pub struct GridError {
    /// The width asked for.
    pub width: u32,
    /// The height asked for.
    pub height: u32,
}

/// An edit named a cell that is not on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell} is outside the grid of {width}x{height} cells")]
pub struct CellOutsideGridError {
    /// The cell named.
    pub cell: Cell,
    /// Number of columns of the grid.
    pub width: u16,
    /// Number of rows of the grid.
    pub height: u16,
}

#[cfg(feature = "serde")]
mod saved {
    //! A grid is saved as its sides and the walkable bits without their border.

    use super::{Cell, Grid, GridError};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "Grid", deny_unknown_fields)]
    struct Saved {
        width: u16,
        height: u16,
        /// Bit `n % 64` of word `n / 64` is the `n`-th cell in reading order.
        walkable: Vec<u64>,
    }

    impl Serialize for Grid {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut walkable = vec![0; words(self.width, self.height)];
            for cell in self.walkable_cells() {
                let n = usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x);
                walkable[n / 64] |= 1 << (n % 64);
            }
            Saved {
                width: self.width,
                height: self.height,
                walkable,
            }
            .serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Grid {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Saved {
                width,
                height,
                walkable,
            } = Saved::deserialize(deserializer)?;
            let expected = words(width, height);
            if walkable.len() != expected {
                return Err(D::Error::custom(format_args!(
                    "a grid of {width}x{height} cells needs {expected} words of walkable bits, not {}",
                    walkable.len()
                )));
            }
            Grid::from_fn(width, height, |Cell { x, y, .. }| {
                let n = usize::from(y) * usize::from(width) + usize::from(x);
                walkable[n / 64] >> (n % 64) & 1 == 1
            })
            .map_err(|error: GridError| D::Error::custom(error))
        }
    }

    fn words(width: u16, height: u16) -> usize {
        (usize::from(width) * usize::from(height)).div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_from_one_to_the_maximum_are_accepted() {
        assert!(Grid::open(1, 1).is_ok());
        assert!(Grid::blocked(Grid::SIDE_MAX, 1).is_ok());
        assert_eq!(
            Grid::open(0, 5).unwrap_err().to_string(),
            "a grid of 0x5 cells cannot be made: each side must be 1 to 16384"
        );
        assert!(Grid::blocked(1, Grid::SIDE_MAX + 1).is_err());
    }

    #[test]
    fn an_edit_outside_the_map_is_refused_and_changes_nothing() {
        let mut grid = Grid::open(4, 4).unwrap();
        let before = grid.clone();
        let error = grid.set_walkable(Cell::new(4, 1), false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cell 4,1 is outside the grid of 4x4 cells"
        );
        assert!(
            grid.set_walkable(Cell::new(0, 0).on_floor(1), false)
                .is_err()
        );
        assert_eq!(grid, before);
    }

    #[test]
    fn walkable_cells_come_in_reading_order() {
        let grid = Grid::from_fn(130, 3, |cell| (cell.x + cell.y) % 7 == 0).unwrap();
        let cells: Vec<Cell> = grid.walkable_cells().collect();
        assert!(cells.is_sorted());
        assert_eq!(cells.len() as u64, grid.walkable_count());
        assert!(cells.iter().all(|cell| (cell.x + cell.y) % 7 == 0));
    }

    #[test]
    fn the_largest_promised_sides_hold_every_corner() {
        let mut grid = Grid::blocked(8192, 8192).unwrap();
        for (x, y) in [(0, 0), (8191, 0), (0, 8191), (8191, 8191)] {
            grid.set_walkable(Cell::new(x, y), true).unwrap();
            assert!(grid.is_walkable(Cell::new(x, y)));
            assert!(grid.steps(Cell::new(x, y), Rules::default()).is_empty());
        }
        assert_eq!(grid.walkable_count(), 4);
    }
}
