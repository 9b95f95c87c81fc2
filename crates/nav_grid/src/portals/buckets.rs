//! A queue of buckets for whole numbers that hardly ever fall.

const SLOTS: usize = 1024;
const NONE: u32 = u32::MAX;

/// Entries in buckets of equally good keys, the best bucket first; in a bucket, the last one put
/// there first.
///
/// Keys further ahead than the buckets reach wait in the last one and are moved on from there.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    /// The first entry of each bucket, a ring.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Keys are divided by two to the power of this.
    shift: u32,
    current: u32,
    waiting: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u32,
    value: u32,
    next: u32,
}

impl Buckets {
    /// Forgets all entries. Buckets are two to the power of `shift` wide, and no key will be
    /// below `least`.
    pub(super) fn reset(&mut self, shift: u32, least: u32) {
        self.heads.clear();
        self.heads.resize(SLOTS, NONE);
        self.entries.clear();
        self.shift = shift;
        self.current = least >> shift;
        self.waiting = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, key: u32, value: u32) {
        let index = self.entries.len() as u32;
        self.entries.push(Entry {
            key,
            value,
            next: NONE,
        });
        self.link(index, key);
        self.waiting += 1;
    }

    #[inline]
    fn link(&mut self, index: u32, key: u32) {
        let ahead = (key >> self.shift).saturating_sub(self.current) as usize;
        let slot = (self.current as usize + ahead.min(SLOTS - 1)) % SLOTS;
        let head = &mut self.heads[slot];
        self.entries[index as usize].next = std::mem::replace(head, index);
    }

    /// Takes a key and a value out of the best bucket.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.waiting == 0 {
            return None;
        }
        loop {
            let head = &mut self.heads[self.current as usize % SLOTS];
            let index = *head;
            if index == NONE {
                self.current += 1;
                continue;
            }
            let Entry { key, value, next } = self.entries[index as usize];
            *head = next;
            if key >> self.shift > self.current {
                self.link(index, key);
                continue;
            }
            self.waiting -= 1;
            return Some((key, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_out_in_order_however_far_apart() {
        let mut buckets = Buckets::default();
        buckets.reset(2, 8);
        let keys = [9, 70_000, 8, 4_103, 4_096, 4_100, 1_000_000, 13];
        for key in keys {
            buckets.push(key, key + 1);
        }
        let mut out = Vec::new();
        while let Some((key, value)) = buckets.pop() {
            assert_eq!(value, key + 1);
            out.push(key / 4);
        }
        let mut sorted = keys.map(|key| key / 4);
        sorted.sort_unstable();
        assert_eq!(out, sorted);
    }
}
