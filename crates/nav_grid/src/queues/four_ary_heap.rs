//! A heap of plain numbers with four children for each node.

/// A min-heap in which each node has four children. It is half as deep as a binary heap, and the
/// four share a cache line.
///
/// The order is that of the numbers alone, so they should all differ.
///
/// # References
///
/// Johnson, "Priority Queues with Update and Finding Minimum Spanning Trees", 1975.
#[derive(Clone, Debug, Default)]
pub(crate) struct FourAryHeap {
    entries: Vec<u64>,
}

impl FourAryHeap {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: u64) {
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    /// Removes the least entry.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u64> {
        let last = self.entries.pop()?;
        let Some(&least) = self.entries.first() else {
            return Some(last);
        };
        let entries = &mut self.entries[..];
        // The hole at the top sinks to the place of `last`.
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            let (mut child, mut value) = (first, last);
            if let Some(&[a, b, c, d]) = entries.get(first..first + 4) {
                let (left, less) = if b < a { (1, b) } else { (0, a) };
                let (right, lesser) = if d < c { (3, d) } else { (2, c) };
                (child, value) = if lesser < less {
                    (first + right, lesser)
                } else {
                    (first + left, less)
                };
            } else {
                for (index, &entry) in entries.iter().enumerate().skip(first) {
                    if entry < value {
                        (child, value) = (index, entry);
                    }
                }
            }
            if value >= last {
                entries[at] = last;
                return Some(least);
            }
            entries[at] = value;
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order() {
        let mut heap = FourAryHeap::default();
        let mut state = 1_u64;
        for round in 0..200_usize {
            let mut numbers = Vec::new();
            for _ in 0..round {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                numbers.push(state >> 40);
                heap.push(state >> 40);
            }
            // One is removed and added again in between.
            let first = heap.pop();
            if let Some(entry) = first {
                heap.push(entry);
            }
            numbers.sort_unstable();
            let out: Vec<u64> = std::iter::from_fn(|| heap.pop()).collect();
            assert_eq!(out, numbers);
        }
    }
}
