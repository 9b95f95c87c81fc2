//! A layer of one byte a cell, or of one byte as long as no cell differs.

use super::size::{Area, Size};
use crate::cell::Cell;

/// One byte per cell, or one for all of them as long as none differs.
#[derive(Clone, Debug)]
pub(crate) struct ByteLayer {
    uniform: u8,
    /// In reading order, floor by floor; empty while all cells are `uniform`.
    bytes: Vec<u8>,
}

impl ByteLayer {
    pub(crate) const fn uniform(value: u8) -> Self {
        Self {
            uniform: value,
            bytes: Vec::new(),
        }
    }

    /// Whether every cell has the byte that the layer began with, so far as it knows.
    #[inline]
    pub(crate) const fn is_uniform(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    pub(crate) fn get(&self, cell: Cell, size: Size) -> u8 {
        match self.bytes.get(size.index(cell)) {
            Some(&byte) => byte,
            None => self.uniform,
        }
    }

    /// Sets the byte of a cell of the map and returns what it was. Makes room for all cells
    /// when the first one differs.
    pub(crate) fn set(&mut self, cell: Cell, size: Size, value: u8) -> u8 {
        if self.bytes.is_empty() {
            if value == self.uniform {
                return value;
            }
            self.bytes = vec![self.uniform; size.cells() as usize];
        }
        std::mem::replace(&mut self.bytes[size.index(cell)], value)
    }

    /// Whether every cell of an area of the map has the byte that the layer began with.
    pub(crate) fn is_uniform_in(&self, area: Area, size: Size) -> bool {
        if self.bytes.is_empty() {
            return true;
        }
        let (first, last) = (area.first(), area.last());
        (first.y..=last.y).all(|y| {
            let start = size.index(Cell { y, ..first });
            let row = &self.bytes[start..=start + usize::from(last.x - first.x)];
            row.iter().all(|&byte| byte == self.uniform)
        })
    }

    /// The bytes of a row of a floor; empty if no cell of the layer differs.
    pub(crate) fn row(&self, y: u16, floor: u8, size: Size) -> &[u8] {
        let start = size.index(Cell { x: 0, y, floor });
        let end = start + usize::from(size.width);
        self.bytes.get(start..end).unwrap_or(&[])
    }

    /// The byte of every cell; empty if none differs.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The cells whose byte is not the one that the layer began with, in reading order.
    pub(crate) fn deviations(&self, size: Size) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let differs = |&(_, byte): &(usize, u8)| byte != self.uniform;
        let bytes = self.bytes.iter().copied().enumerate().filter(differs);
        bytes.map(move |(index, byte)| (size.cell(index), byte))
    }

    /// Replaces all bytes, by one per cell of the map or by none.
    pub(crate) fn set_bytes(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    /// Gives the memory back if no cell differs any more.
    pub(crate) fn compact(&mut self) {
        if self.bytes.iter().all(|&byte| byte == self.uniform) {
            self.bytes = Vec::new();
        }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

impl PartialEq for ByteLayer {
    /// Layers are equal that say the same of every cell, whether they keep bytes for it or not.
    fn eq(&self, other: &Self) -> bool {
        let all = |bytes: &[u8], value| bytes.iter().all(|&byte| byte == value);
        match (self.bytes.is_empty(), other.bytes.is_empty()) {
            (false, false) => self.bytes == other.bytes,
            (true, true) => self.uniform == other.uniform,
            (true, false) => all(&other.bytes, self.uniform),
            (false, true) => all(&self.bytes, other.uniform),
        }
    }
}

impl Eq for ByteLayer {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_takes_memory_once_a_cell_differs_and_gives_it_back() {
        let size = Size::new(4, 3).with_floors(2);
        let cell = Cell::new(3, 2).on_floor(1);
        let mut layer = ByteLayer::uniform(9);
        assert_eq!(layer.set(cell, size, 9), 9);
        assert!(layer.is_uniform());
        assert_eq!(layer.set(cell, size, 4), 9);
        assert_eq!((layer.get(cell, size), layer.heap_bytes()), (4, 24));
        assert_eq!(layer.set(cell, size, 9), 4);
        assert_eq!(layer, ByteLayer::uniform(9));
        layer.compact();
        assert_eq!(layer.heap_bytes(), 0);
    }
}
