//! A queue of cells by cost, in buckets.

use crate::{Cell, Cost};

/// Cells ordered by cost, as far as a search needs them to be.
///
/// A bucket holds costs that differ by less than any step does, so cells of one bucket cannot
/// make each other cheaper and may be taken in any order: the last one put in comes first. Buckets
/// that were emptied are used again for costs further on, so there are as many as the dearest
/// step is wide.
///
/// # References
///
/// Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", 1969; buckets as wide as
/// the cheapest step: Dinic, "Economical algorithms for finding shortest paths in a network", 1978.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    /// The first entry of each; their number is a power of two.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// The first entry that is free to be used again.
    free: u32,
    /// A bucket is `1 << shift` costs wide.
    shift: u32,
    /// The bucket whose turn it is, counted from cost 0.
    at: u32,
    len: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: Cost,
    cell: Cell,
    next: u32,
}

const NONE: u32 = u32::MAX;

impl Buckets {
    /// Empties the queue and makes it ready for steps of these costs.
    pub(super) fn start(&mut self, cheapest: Cost, dearest: Cost) {
        self.shift = cheapest.max(1).ilog2();
        let buckets = ((dearest >> self.shift) + 2).next_power_of_two();
        self.heads.clear();
        self.heads.resize(buckets as usize, NONE);
        self.entries.clear();
        self.free = NONE;
        self.at = 0;
        self.len = 0;
    }

    /// Puts a cell in, at a cost that is by a step above that of the last one taken out.
    #[inline]
    pub(super) fn push(&mut self, cost: Cost, cell: Cell) {
        let bucket = self.bucket(cost >> self.shift);
        let entry = Entry {
            cost,
            cell,
            next: self.heads[bucket],
        };
        let number = if let Some(place) = self.entries.get_mut(self.free as usize) {
            let number = self.free;
            self.free = place.next;
            *place = entry;
            number
        } else {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        };
        self.heads[bucket] = number;
        self.len += 1;
    }

    /// Takes out a cell of the cheapest bucket.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Cost, Cell)> {
        if self.len == 0 {
            return None;
        }
        loop {
            let bucket = self.bucket(self.at);
            let number = self.heads[bucket];
            if let Some(entry) = self.entries.get_mut(number as usize) {
                let Entry { cost, cell, next } = *entry;
                self.heads[bucket] = next;
                entry.next = self.free;
                self.free = number;
                self.len -= 1;
                return Some((cost, cell));
            }
            self.at += 1;
        }
    }

    #[inline]
    const fn bucket(&self, number: u32) -> usize {
        number as usize & (self.heads.len() - 1)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.heads.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_out_bucket_by_bucket() {
        let mut buckets = Buckets::default();
        let cell = |x| Cell::new(x, 0);
        // Buckets of 8, over steps of 10 to 28.
        buckets.start(10, 28);
        buckets.push(0, cell(0));
        assert_eq!(buckets.pop(), Some((0, cell(0))));
        for cost in [28, 10, 14, 20] {
            buckets.push(cost, cell(cost as u16));
        }
        let mut costs: Vec<Cost> = std::iter::from_fn(|| buckets.pop())
            .map(|(cost, _)| cost)
            .collect();
        assert_eq!(costs, [14, 10, 20, 28]);
        buckets.push(50, cell(5));
        buckets.push(40, cell(4));
        costs = std::iter::from_fn(|| buckets.pop())
            .map(|(cost, _)| cost)
            .collect();
        assert_eq!(costs, [40, 50]);
        assert_eq!(buckets.entries.len(), 4, "entries are used again");
    }
}
