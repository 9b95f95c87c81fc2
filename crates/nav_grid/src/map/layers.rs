//! Layers of a byte a cell, and whole layers as bytes for readers and writers of maps.

use super::{
    grid::Grid,
    size::{Area, GridError, Size},
    tiles::TileVersions,
    views::Sight,
};
use crate::{cell::Cell, rules::Class};
use std::sync::Arc;

/// One byte per cell, or one for all of them until the first cell differs.
#[derive(Clone, Debug)]
pub(crate) struct ByteLayer {
    uniform: u8,
    /// The number of cells that are not `uniform`. Counted, so that a layer is what its cells are,
    /// and not what they were.
    differing: usize,
    /// In reading order, floor by floor; empty until the first cell differs. Shared with views of
    /// the map.
    bytes: Arc<[u8]>,
}

impl ByteLayer {
    pub(crate) fn uniform(value: u8) -> Self {
        Self {
            uniform: value,
            differing: 0,
            bytes: Arc::default(),
        }
    }

    /// A layer of which every cell has the initial value of another.
    pub(crate) fn uniform_of(other: &Self) -> Self {
        Self::uniform(other.uniform)
    }

    /// Whether every cell has the initial value.
    #[inline]
    pub(crate) fn is_uniform(&self) -> bool {
        self.differing == 0
    }

    /// The byte of every cell; empty if all have the initial value.
    fn as_slice(&self) -> &[u8] {
        if self.is_uniform() { &[] } else { &self.bytes }
    }

    /// Replaces all bytes; by the initial value if there are none. Keeps none if no cell differs.
    fn replace(&mut self, bytes: Vec<u8>) {
        self.differing = bytes.iter().filter(|&&byte| byte != self.uniform).count();
        self.bytes = match self.differing {
            0 => Arc::default(),
            _ => bytes.into(),
        };
    }

    #[inline]
    pub(crate) fn get(&self, cell: Cell, size: Size) -> u8 {
        match self.bytes.get(size.index(cell)) {
            Some(&byte) => byte,
            None => self.uniform,
        }
    }

    /// Sets the byte of a cell of the map and returns the previous one. The first byte that
    /// differs allocates the layer.
    pub(crate) fn set(&mut self, cell: Cell, size: Size, value: u8) -> u8 {
        if self.bytes.is_empty() {
            if value == self.uniform {
                return value;
            }
            self.bytes = vec![self.uniform; size.cells() as usize].into();
        }
        let byte = &mut Arc::make_mut(&mut self.bytes)[size.index(cell)];
        let before = std::mem::replace(byte, value);
        self.differing += usize::from(value != self.uniform);
        self.differing -= usize::from(before != self.uniform);
        before
    }

    /// Whether every cell of an area of the map has the initial value.
    pub(crate) fn is_uniform_in(&self, area: Area, size: Size) -> bool {
        let (first, last) = (area.first(), area.last());
        self.is_uniform()
            || (first.y..=last.y).all(|y| {
                let start = size.index(Cell { y, ..first });
                let row = &self.bytes[start..=start + usize::from(last.x - first.x)];
                row.iter().all(|&byte| byte == self.uniform)
            })
    }

    /// The bytes of a row of a floor; empty if no cell of the layer differs.
    pub(crate) fn row(&self, y: u16, floor: u8, size: Size) -> &[u8] {
        let start = size.index(Cell { x: 0, y, floor });
        let end = start + usize::from(size.width);
        self.as_slice().get(start..end).unwrap_or(&[])
    }

    /// The cells whose byte differs from the initial value, in reading order.
    pub(crate) fn deviations(&self, size: Size) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let bytes = self.as_slice().iter().copied().enumerate();
        let differing = bytes.filter(|&(_, byte)| byte != self.uniform);
        differing.map(move |(index, byte)| (size.cell(index), byte))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.len()
    }

    #[cfg(test)]
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }
}

impl PartialEq for ByteLayer {
    /// Layers are equal if every cell has the same byte in both, kept or not.
    fn eq(&self, other: &Self) -> bool {
        self.uniform == other.uniform && self.as_slice() == other.as_slice()
    }
}

impl Eq for ByteLayer {}

/// Layers as bytes, in reading order, floor by floor.
impl Grid {
    /// A map from walkable cells as bits, each row in whole bytes: bit `x % 8` of byte `x / 8` of
    /// a row is column `x`. Bits past the width are ignored.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when a map cannot have this size, or the number of bytes is wrong.
    ///
    /// # Complexity
    ///
    /// 64 cells at a time.
    #[doc(hidden)]
    pub fn from_walkable_bytes(size: Size, bytes: &[u8]) -> Result<Self, LayerError> {
        // Before any memory is allocated: the size may be a lie of a file's header.
        let expected = row_len(size.checked()?) * rows(size);
        check_len("walkable cells", bytes.len(), size, expected)?;
        let mut grid = Self::blocked_of(size)?;
        for ((y, floor), row) in size.rows().zip(bytes.chunks_exact(row_len(size))) {
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

    /// A map from step costs, a byte per cell: 0 is a wall, and a byte above
    /// [`Grid::COST_WORST`] counts as that cost.
    ///
    /// # Errors
    ///
    /// As [`Grid::from_walkable_bytes`].
    #[doc(hidden)]
    pub fn from_cost_bytes(size: Size, costs: Vec<u8>) -> Result<Self, LayerError> {
        let mut bytes = costs.iter();
        let mut grid = Self::build(size, |_| bytes.next().is_some_and(|&cost| cost > 0))?;
        grid.set_cost_bytes(costs)?;
        // A new map has no edits.
        grid.tiles = TileVersions::new(size);
        Ok(grid)
    }

    /// The walkable cells in the form that [`Grid::from_walkable_bytes`] reads.
    #[doc(hidden)]
    pub fn walkable_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(row_len(self.size) * rows(self.size));
        for (y, floor) in self.size.rows() {
            let words = self.walkable.row(y, floor).iter();
            let row = words.flat_map(|word| word.to_le_bytes());
            bytes.extend(row.take(row_len(self.size)));
        }
        bytes
    }

    /// The step cost of every cell, including cells that are blocked now; empty without a cost
    /// layer.
    #[doc(hidden)]
    pub fn cost_bytes(&self) -> &[u8] {
        self.costs.as_slice()
    }

    /// The [exits](crate::Directions) of every cell; empty if all are open everywhere.
    #[doc(hidden)]
    pub fn exit_bytes(&self) -> &[u8] {
        self.exits.as_slice()
    }

    /// The number of the [class](Class) of every cell; empty if all are of class 0.
    #[doc(hidden)]
    pub fn class_bytes(&self) -> &[u8] {
        self.classes.as_slice()
    }

    /// The [sight](Sight) of every cell, by its number in [`Sight::ALL`]; empty if it is that of
    /// the ground everywhere.
    #[doc(hidden)]
    pub fn sight_bytes(&self) -> &[u8] {
        self.sight.as_slice()
    }

    /// Replaces the cost layer by a byte per cell, or by none. Costs out of range count as the
    /// nearest in range; walls do not change. An edit of the whole map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell.
    #[doc(hidden)]
    pub fn set_cost_bytes(&mut self, mut costs: Vec<u8>) -> Result<(), LayerError> {
        self.check_layer("step costs", &costs)?;
        for cost in &mut costs {
            *cost = (*cost).clamp(1, Self::COST_WORST);
        }
        self.set_everywhere(|grid| grid.costs.replace(costs));
        Ok(())
    }

    /// Replaces the exits by a byte per cell, or opens them all. An edit of the whole map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell.
    #[doc(hidden)]
    pub fn set_exit_bytes(&mut self, exits: Vec<u8>) -> Result<(), LayerError> {
        self.check_layer("exits", &exits)?;
        self.set_everywhere(|grid| grid.exits.replace(exits));
        Ok(())
    }

    /// Replaces the classes by a number per cell, or by class 0 everywhere. An edit of the whole
    /// map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell, or one is not the number of a class.
    #[doc(hidden)]
    pub fn set_class_bytes(&mut self, classes: Vec<u8>) -> Result<(), LayerError> {
        self.check_values("terrain classes", &classes, Class::NUMBER_MAX)?;
        self.set_everywhere(|grid| grid.classes.replace(classes));
        Ok(())
    }

    /// Replaces the sight by a number per cell, or by that of the ground. An edit of the whole map.
    ///
    /// # Errors
    ///
    /// [`LayerError`] when the bytes are not one per cell, or one is not a number of
    /// [`Sight::ALL`].
    #[doc(hidden)]
    pub fn set_sight_bytes(&mut self, sight: Vec<u8>) -> Result<(), LayerError> {
        self.check_values("sight", &sight, Sight::ALL.len() as u8 - 1)?;
        self.set_everywhere(|grid| grid.sight.replace(sight));
        Ok(())
    }

    fn set_everywhere(&mut self, set: impl FnOnce(&mut Self)) {
        let floors: Vec<Area> = self.size.floor_areas().collect();
        self.change(&floors, |grid| {
            set(grid);
            grid.edited_everywhere();
        });
    }

    fn check_values(&self, layer: &'static str, bytes: &[u8], most: u8) -> Result<(), LayerError> {
        self.check_layer(layer, bytes)?;
        match bytes.iter().position(|&byte| byte > most) {
            None => Ok(()),
            Some(index) => Err(LayerError::Value {
                layer,
                cell: self.size.cell(index),
                found: bytes[index],
                most,
            }),
        }
    }

    fn check_layer(&self, layer: &'static str, bytes: &[u8]) -> Result<(), LayerError> {
        let expected = if bytes.is_empty() {
            0
        } else {
            self.size.cells()
        };
        check_len(layer, bytes.len(), self.size, expected as usize)
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

/// Bytes do not form a layer of a [map](crate::Grid).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// A map cannot have this size.
    #[error(transparent)]
    Size(#[from] GridError),
    /// The number of bytes is wrong.
    #[error("{found} bytes of {layer}; a grid of {size} cells needs {expected}")]
    Length {
        /// The layer.
        layer: &'static str,
        /// The number of bytes given.
        found: usize,
        /// The number of bytes needed.
        expected: usize,
        /// The size of the map.
        size: Size,
    },
    /// A byte is out of range.
    #[error("cell {cell} has {found} in the layer of {layer}: it must be 0 to {most}")]
    Value {
        /// The layer.
        layer: &'static str,
        /// The first cell out of range.
        cell: Cell,
        /// The number there.
        found: u8,
        /// The greatest number.
        most: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walkable_bytes_round_trip() {
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
    fn cost_bytes_make_walls() {
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

    #[test]
    fn memory_while_cells_differ() {
        let size = Size::new(4, 3).with_floors(2);
        let cell = Cell::new(3, 2).on_floor(1);
        let mut layer = ByteLayer::uniform(9);
        assert_eq!(layer.set(cell, size, 9), 9);
        assert!(layer.is_uniform());
        assert_eq!(layer.set(cell, size, 4), 9);
        assert_eq!((layer.get(cell, size), layer.heap_bytes()), (4, 24));
        assert_eq!(layer.set(cell, size, 9), 4);
        assert!(layer.is_uniform());
        assert_eq!(layer, ByteLayer::uniform(9));
    }
}
