//! Whole layers at once, for readers, writers and importers of maps.

use super::{
    grid::Grid,
    size::{GridError, Size},
    tiles::TileVersions,
};
use crate::cell::Cell;

/// Layers as bytes, in reading order, floor by floor.
impl Grid {
    /// A map from walkable cells as bits, each row in whole bytes: bit `x % 8` of byte `x / 8` of
    /// a row is column `x`. Bits past the width do not matter.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when there is no map of this size, or the bytes are not as many as it
    /// needs.
    ///
    /// # Complexity
    ///
    /// 64 cells at a time.
    pub fn from_walkable_bytes(size: Size, bytes: &[u8]) -> Result<Self, LayerError> {
        size.checked()?;
        check_len(
            "walkable cells",
            bytes.len(),
            size,
            row_len(size) * rows(size),
        )?;
        let mut grid = Self::blocked_of(size)?;
        let places = (0..size.floors).flat_map(|floor| (0..size.height).map(move |y| (floor, y)));
        for ((floor, y), row) in places.zip(bytes.chunks_exact(row_len(size))) {
            let words = grid.walkable.row_mut(y, floor);
            for (word, bytes) in words.iter_mut().zip(row.chunks(8)) {
                let mut padded = [0; 8];
                padded[..bytes.len()].copy_from_slice(bytes);
                *word = u64::from_le_bytes(padded);
            }
            if let Some(last) = words.last_mut() {
                *last &= !(u64::MAX << (size.width % 64));
            }
        }
        Ok(grid)
    }

    /// A map from step costs, a byte per cell: 0 is a wall, what is above
    /// [`Grid::COST_WORST`] counts as that.
    ///
    /// # Errors
    ///
    /// As [`Grid::from_walkable_bytes`].
    pub fn from_cost_bytes(size: Size, costs: Vec<u8>) -> Result<Self, LayerError> {
        let mut grid = Self::blocked_of(size)?;
        let cells = (0..size.floors).flat_map(|floor| {
            (0..size.height).flat_map(move |y| (0..size.width).map(move |x| Cell { x, y, floor }))
        });
        for (Cell { x, y, floor }, &cost) in cells.zip(&costs) {
            if cost > 0 {
                grid.walkable.set(x, y, floor, true);
            }
        }
        let uniform = costs.len() as u64 == size.cells() && costs.iter().all(|&cost| cost <= 1);
        if !uniform {
            grid.set_cost_bytes(costs)?;
            grid.tiles = TileVersions::new(size);
        }
        Ok(grid)
    }

    /// The walkable cells as [`Grid::from_walkable_bytes`] takes them.
    pub fn walkable_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(row_len(self.size) * rows(self.size));
        for floor in 0..self.size.floors {
            for y in 0..self.size.height {
                let words = self.walkable.row(y, floor).iter();
                let row = words.flat_map(|word| word.to_le_bytes());
                bytes.extend(row.take(row_len(self.size)));
            }
        }
        bytes
    }

    /// The step cost of every cell, also of those that are blocked now; empty without a cost
    /// layer.
    pub fn cost_bytes(&self) -> &[u8] {
        self.costs.bytes()
    }

    /// The [exits](crate::Directions) of every cell; empty if all are open everywhere.
    pub fn exit_bytes(&self) -> &[u8] {
        self.exits.bytes()
    }

    /// Replaces the cost layer by a byte per cell, or by none. Costs out of range count as the
    /// nearest in range; walls do not change. An edit of the whole map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell.
    pub fn set_cost_bytes(&mut self, mut costs: Vec<u8>) -> Result<(), LayerError> {
        self.check_layer("step costs", &costs)?;
        for cost in &mut costs {
            *cost = (*cost).clamp(1, Self::COST_WORST);
        }
        self.costs.set_bytes(costs);
        self.edited_everywhere();
        Ok(())
    }

    /// Replaces the exits by a byte per cell, or opens them all. An edit of the whole map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell.
    pub fn set_exit_bytes(&mut self, exits: Vec<u8>) -> Result<(), LayerError> {
        self.check_layer("exits", &exits)?;
        self.exits.set_bytes(exits);
        self.edited_everywhere();
        Ok(())
    }

    fn check_layer(&self, layer: &'static str, bytes: &[u8]) -> Result<(), LayerError> {
        if bytes.is_empty() {
            return Ok(());
        }
        check_len(layer, bytes.len(), self.size, self.size.cells() as usize)
    }
}

fn check_len(
    layer: &'static str,
    found: usize,
    size: Size,
    expected: usize,
) -> Result<(), LayerError> {
    if found == expected {
        return Ok(());
    }
    Err(LayerError::Length {
        layer,
        found,
        expected,
        size,
    })
}

fn rows(size: Size) -> usize {
    usize::from(size.height) * usize::from(size.floors)
}

fn row_len(size: Size) -> usize {
    usize::from(size.width).div_ceil(8)
}

/// Bytes are no layer of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// There is no map of this size.
    #[error(transparent)]
    Size(#[from] GridError),
    /// There are too few or too many bytes.
    #[error("{found} bytes of {layer}; a grid of {size} cells needs {expected}")]
    Length {
        /// The layer.
        layer: &'static str,
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
        /// The size of the map.
        size: Size,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walkable_bytes_give_the_map_back() {
        for width in [1, 7, 8, 63, 64, 65, 130] {
            let size = Size::new(width, 5).with_floors(2);
            let grid = Grid::build(size, |cell| (cell.x * 3 + cell.y) % 5 != 0).unwrap();
            let mut bytes = grid.walkable_bytes();
            assert_eq!(Grid::from_walkable_bytes(size, &bytes), Ok(grid));
            bytes.fill(0xff);
            let open = Grid::build(size, |_| true).unwrap();
            assert_eq!(Grid::from_walkable_bytes(size, &bytes), Ok(open));
        }
    }

    #[test]
    fn cost_bytes_make_walls_and_ground() {
        let size = Size::new(3, 1);
        let grid = Grid::from_cost_bytes(size, vec![0, 1, 200]).unwrap();
        let costs = [0, 1, 2].map(|x| grid.cost(Cell::new(x, 0)));
        assert_eq!((costs, grid.version()), ([0, 1, 64], 0));
        assert!(
            !Grid::from_cost_bytes(size, vec![0, 1, 1])
                .unwrap()
                .has_costs()
        );
        assert_eq!(
            Grid::from_cost_bytes(size, vec![2; 4])
                .unwrap_err()
                .to_string(),
            "4 bytes of step costs; a grid of 3x1 cells needs 3"
        );
    }
}
