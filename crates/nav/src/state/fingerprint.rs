//! A hasher with equal results on every machine and in every build.

use std::hash::{Hash, Hasher};

/// The writing methods of a [`Hasher`], by its method `mix`.
///
/// Numbers are extended to a word each. The default methods would write them in the byte order and
/// the width of the machine. They forward single bytes to `write` and signed numbers to these.
macro_rules! write_words {
    () => {
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.mix(byte.into());
            }
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
    };
}
pub(super) use write_words;

/// A 64-bit hasher with a fixed seed: each written number counts as one word of any width.
///
/// The finaliser and the increment are those of `SplitMix64`, by Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators".
#[derive(Clone, Copy, Debug, Default)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a value.
    pub fn of(value: &impl Hash) -> u64 {
        let mut fingerprint = Self::default();
        value.hash(&mut fingerprint);
        fingerprint.finish()
    }

    /// A hasher that continues from the [result](Hasher::finish) of another.
    pub(crate) const fn continued(from: u64) -> Self {
        Self(from)
    }

    /// One round of the finaliser over the state and a word.
    ///
    /// The finaliser alone makes the order of words significant. The rotation is kept because every
    /// digest and every drawn number depends on it.
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

    write_words!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_independent() {
        assert_eq!(
            Fingerprint::of(&(1_u8, 2_u32, -3_i64, 4_usize)),
            0x7e88_019d_2411_b286
        );
        assert_eq!(Fingerprint::of(&Some([5_u8, 6])), 0x8b46_a5dd_659d_3760);
    }

    #[test]
    fn order_counts() {
        let numbers: [u64; 3] = [Fingerprint::of(&(1, 2)), Fingerprint::of(&(2, 1)), 0];
        assert!(numbers[0] != numbers[1] && numbers[1] != numbers[2]);
    }
}
