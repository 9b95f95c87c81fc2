//! Hashing that gives the same numbers on every machine, in every build.

use std::hash::{Hash, Hasher};

/// A hasher with a fixed start, of 64 bits: each number that is written counts as one word,
/// whatever its width.
///
/// `SplitMix64`, by Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators".
#[derive(Clone, Copy, Debug, Default)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a value.
    pub fn of(value: &impl Hash) -> u64 {
        let mut fingerprint = Self::default();
        value.hash(&mut fingerprint);
        fingerprint.finish()
    }

    /// One that goes on from where another [finished](Hasher::finish).
    pub(crate) const fn going_on(from: u64) -> Self {
        Self(from)
    }

    /// One round of the finaliser over what there was and a word.
    #[inline]
    const fn mix(&mut self, word: u64) {
        let mut z = (self.0.rotate_left(23) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = z ^ z >> 31;
    }
}

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    // Numbers are extended to a word each: left to their defaults, they would be written in the
    // order of bytes and in the width of the machine. Signed ones are written as these.

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_depend_on_the_machine() {
        assert_eq!(
            Fingerprint::of(&(1_u8, 2_u32, -3_i64, 4_usize)),
            0x7e88_019d_2411_b286
        );
        assert_eq!(Fingerprint::of(&Some([5_u8, 6])), 0x8b46_a5dd_659d_3760);
    }

    #[test]
    fn what_is_written_counts_in_its_order() {
        let numbers: [u64; 3] = [Fingerprint::of(&(1, 2)), Fingerprint::of(&(2, 1)), 0];
        assert!(numbers[0] != numbers[1] && numbers[1] != numbers[2]);
    }
}
