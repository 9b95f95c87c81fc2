//! A bucket queue: entries with almost equal keys share a bucket.

use crate::rules::Cost;

/// The greatest number of buckets: a dear link needs up to 131,072 otherwise, and clearing that
/// many takes longer than most fields.
const RING_MAX: u32 = 1024;
const NONE: u32 = u32::MAX;

/// Values by key, the best bucket first; in a bucket, the last entry first.
///
/// The buckets are a ring, as long as keys reach ahead of the best one, so an empty bucket is used
/// again for keys further on. Entries beyond the greatest ring wait in its last bucket and are
/// moved on from there.
///
/// # References
///
/// Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", 1969; buckets as wide as
/// the cheapest step: Dinic, "Economical algorithms for finding shortest paths in a network", 1978;
/// waiting entries: Denardo and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets",
/// 1979.
#[derive(Clone, Debug)]
pub(crate) struct BucketQueue<V> {
    /// The first entry of each bucket; their number is a power of two.
    heads: Vec<u32>,
    entries: Vec<BucketEntry<V>>,
    /// The first entry of the list of unused ones.
    free: u32,
    /// A bucket is 2^`shift` wide.
    shift: u32,
    /// The best bucket, counted from key 0.
    at: u32,
    len: u32,
}

#[derive(Clone, Copy, Debug)]
struct BucketEntry<V> {
    key: Cost,
    value: V,
    next: u32,
}

impl<V> Default for BucketQueue<V> {
    fn default() -> Self {
        Self {
            heads: Vec::new(),
            entries: Vec::new(),
            free: NONE,
            shift: 0,
            at: 0,
            len: 0,
        }
    }
}

impl<V: Copy> BucketQueue<V> {
    /// Removes all entries and sets the width of buckets to 2^`shift`. No key will be below
    /// `least`, and few more than `reach` above the best one.
    pub(crate) fn start(&mut self, shift: u32, least: Cost, reach: Cost) {
        let ring = (reach >> shift).saturating_add(2).min(RING_MAX);
        self.heads.clear();
        self.heads.resize(ring.next_power_of_two() as usize, NONE);
        self.entries.clear();
        self.free = NONE;
        self.shift = shift;
        self.at = least >> shift;
        self.len = 0;
    }

    /// Adds a value. A key below the best bucket goes into that bucket.
    #[inline]
    pub(crate) fn push(&mut self, key: Cost, value: V) {
        let bucket = self.bucket(key);
        let entry = BucketEntry {
            key,
            value,
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

    /// Removes a key and its value from the best bucket.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(Cost, V)> {
        if self.len == 0 {
            return None;
        }
        loop {
            let best = self.at as usize & (self.heads.len() - 1);
            let number = self.heads[best];
            let Some(entry) = self.entries.get_mut(number as usize) else {
                self.at += 1;
                continue;
            };
            let BucketEntry { key, value, next } = *entry;
            self.heads[best] = next;
            if key >> self.shift > self.at {
                self.move_on(number, key);
                continue;
            }
            entry.next = self.free;
            self.free = number;
            self.len -= 1;
            return Some((key, value));
        }
    }

    /// The least key that the best bucket may hold: no entry has a lower one, unless it was added
    /// below that bucket.
    pub(crate) const fn floor(&self) -> Cost {
        self.at << self.shift
    }

    /// Moves a waiting entry to its bucket, or to the last one again.
    #[cold]
    fn move_on(&mut self, number: u32, key: Cost) {
        let bucket = self.bucket(key);
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.next = std::mem::replace(&mut self.heads[bucket], number);
        }
    }

    #[inline]
    fn bucket(&self, key: Cost) -> usize {
        let last = self.heads.len() - 1;
        let ahead = (key >> self.shift).saturating_sub(self.at) as usize;
        (self.at as usize + ahead.min(last)) & last
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.heads.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<BucketEntry<V>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(buckets: &mut BucketQueue<u32>) -> Vec<Cost> {
        let rest = std::iter::from_fn(|| buckets.pop());
        rest.map(|(key, value)| {
            assert_eq!(value, key + 1);
            key
        })
        .collect()
    }

    fn push(buckets: &mut BucketQueue<u32>, keys: &[Cost]) {
        for &key in keys {
            buckets.push(key, key + 1);
        }
    }

    #[test]
    fn order_by_bucket() {
        let mut buckets = BucketQueue::default();
        // Buckets of 8, over steps of 10 to 28.
        buckets.start(3, 0, 28);
        push(&mut buckets, &[0]);
        assert_eq!(rest(&mut buckets), [0]);
        push(&mut buckets, &[28, 10, 14, 20]);
        assert_eq!(rest(&mut buckets), [14, 10, 20, 28]);
        push(&mut buckets, &[50, 40]);
        assert_eq!(rest(&mut buckets), [40, 50]);
        assert_eq!(buckets.entries.len(), 4, "entries are used again");
    }

    #[test]
    fn keys_far_apart() {
        let keys = [9, 70_000, 8, 4_103, 4_096, 4_100, 1_000_000, 13];
        let mut sorted = keys.map(|key| key / 4);
        sorted.sort_unstable();
        for reach in [0, 100, Cost::MAX] {
            let mut buckets = BucketQueue::default();
            buckets.start(2, 8, reach);
            push(&mut buckets, &keys);
            let order: Vec<Cost> = rest(&mut buckets).iter().map(|key| key / 4).collect();
            assert_eq!(order, sorted);
        }
    }

    #[test]
    fn keys_below_best_bucket() {
        let mut buckets = BucketQueue::default();
        buckets.start(3, 40, 28);
        push(&mut buckets, &[44, 90, 7]);
        assert_eq!(rest(&mut buckets), [7, 44, 90]);
    }
}
