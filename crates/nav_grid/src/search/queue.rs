//! The open list: a binary heap with lazy deletion and one total order.

use crate::{Cell, Cost};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Cells to expand, best first.
///
/// Order, each tie broken by the next: smallest sum of cost so far and guess, smallest guess
/// (deeper first), nearest to the straight line from start to goal, then reading order. The
/// whole of it is one 128-bit key, so two entries compare in a pair of instructions and no two
/// different cells ever tie.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<u128>>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, total: Cost, guess: Cost, deviation: u32, cell: Cell) {
        let Cell { x, y, floor } = cell;
        let deviation = deviation.min(0xff_ffff);
        let high = u64::from(total) << 32 | u64::from(guess);
        let low =
            u64::from(deviation) << 40 | u64::from(floor) << 32 | u64::from(y) << 16 | u64::from(x);
        self.heap
            .push(Reverse(u128::from(high) << 64 | u128::from(low)));
    }

    /// The best cell.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Cell> {
        let Reverse(key) = self.heap.pop()?;
        Some(Cell {
            x: key as u16,
            y: (key >> 16) as u16,
            floor: (key >> 32) as u8,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_by_guess_then_deviation_then_reading_order() {
        let mut queue = Queue::default();
        let entries = [
            (7, 1, 9, Cell::new(9, 9)),
            (7, 2, 0, Cell::new(8, 0)),
            (7, 2, 3, Cell::new(5, 1)),
            (7, 2, 3, Cell::new(1, 2)),
            (8, 0, 0, Cell::new(0, 0)),
        ];
        for &(total, guess, deviation, cell) in entries.iter().rev() {
            queue.push(total, guess, deviation, cell);
        }
        let popped: Vec<Cell> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, entries.map(|(.., cell)| cell));
    }
}
