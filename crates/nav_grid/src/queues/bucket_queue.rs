//! A queue in buckets of almost equal keys.

use crate::rules::Cost;

/// More buckets than this are not worth it to look through.
const RING_MAX: u32 = 1024;
const NONE: u32 = u32::MAX;

/// Values by key, the best bucket first; in a bucket, the last one put there first.
///
/// Buckets that were emptied are used again for keys further on: they are a ring, as long as
/// keys reach ahead of the best one. Where they reach further than is worth it, entries wait in
/// the last bucket and are moved on from there.
///
/// # References
///
/// Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", 1969; buckets as wide as
/// the cheapest step: Dinic, "Economical algorithms for finding shortest paths in a network", 1978;
/// entries that wait: Denardo and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets",
/// 1979.
#[derive(Clone, Debug)]
pub(crate) struct BucketQueue<V> {
    /// The first entry of each bucket; their number is a power of two.
    heads: Vec<u32>,
    entries: Vec<BucketEntry<V>>,
    /// The first entry that is free to be used again.
    free: u32,
    /// Keys are divided by two to the power of this.
    shift: u32,
    /// The bucket whose turn it is, counted from key 0.
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
    /// Forgets all entries. Buckets will be two to the power of `shift` wide, no key below
    /// `least`, and hardly any more than `reach` above the best one.
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

    /// Puts a value in. A key below the best bucket counts as one in it.
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

    /// Takes a key and a value out of the best bucket.
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

    /// Puts an entry that waited where it belongs by now.
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
    fn values_come_out_bucket_by_bucket() {
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
    fn keys_come_out_in_order_however_far_apart() {
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
    fn keys_below_the_best_bucket_are_next() {
        let mut buckets = BucketQueue::default();
        buckets.start(3, 40, 28);
        push(&mut buckets, &[44, 90, 7]);
        assert_eq!(rest(&mut buckets), [7, 44, 90]);
    }
}
