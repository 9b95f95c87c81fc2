//! A histogram of whole numbers in constant memory, for percentiles.

use crate::percentile::nearest_rank;

/// Numbers below this have their own slot. Percentiles of usual searches are exact then,
/// for 8 KiB.
const EXACT: u32 = 1 << EXACT_BITS;
const EXACT_BITS: u32 = 10;
/// Slots per doubling above `EXACT`. They set the error to a 32nd, for 6 KiB.
const CUTS: u32 = 1 << CUT_BITS;
const CUT_BITS: u32 = 5;
const SLOTS: usize = (EXACT + (u32::BITS - EXACT_BITS) * CUTS) as usize;

/// Counts numbers in a constant 14 KiB. Percentiles are exact up to 1,023, and at most a 32nd too
/// large above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Count of numbers in each [`slot`].
    counts: Box<[u64]>,
    count: u64,
    sum: u64,
    max: u32,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: vec![0; SLOTS].into_boxed_slice(),
            count: 0,
            sum: 0,
            max: 0,
        }
    }
}

impl Histogram {
    /// Counts a number. O(1).
    pub(super) fn count(&mut self, number: u32) {
        self.counts[slot(number)] += 1;
        self.count += 1;
        self.sum += u64::from(number);
        self.max = self.max.max(number);
    }

    /// Returns the mean; 0 without numbers.
    pub(super) fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Returns the maximum; 0 without numbers.
    pub(super) const fn max(&self) -> u32 {
        self.max
    }

    /// Returns a percentile, by nearest rank; 0 without numbers.
    pub(super) fn at_percent(&self, percent: u64) -> u32 {
        let rank = nearest_rank(self.count, percent);
        let mut below = 0;
        let slot = self.counts.iter().position(|count| {
            below += count;
            below >= rank
        });
        slot_max(slot.unwrap_or(0)).min(self.max)
    }
}

/// Returns the slot of a number.
fn slot(number: u32) -> usize {
    if number < EXACT {
        return number as usize;
    }
    let doubling = number.ilog2();
    let cut = (number >> (doubling - CUT_BITS)) - CUTS;
    (EXACT + (doubling - EXACT_BITS) * CUTS + cut) as usize
}

/// Returns the largest number of a slot.
fn slot_max(slot: usize) -> u32 {
    let slot = slot as u32;
    if slot < EXACT {
        return slot;
    }
    let (doubling, cut) = ((slot - EXACT) / CUTS + EXACT_BITS, (slot - EXACT) % CUTS);
    let next = u64::from(CUTS + cut + 1) << (doubling - CUT_BITS);
    (next - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_tile_the_numbers() {
        for slot_index in 1..SLOTS {
            let first = slot_max(slot_index - 1) + 1;
            let last = slot_max(slot_index);
            assert_eq!((slot(first), slot(last)), (slot_index, slot_index));
            assert!(first < EXACT || u64::from(last - first) * 32 < u64::from(first));
        }
        assert_eq!(slot(0), 0);
        assert_eq!(slot_max(SLOTS - 1), u32::MAX);
    }
}
