//! A summary of numbered fingerprints. From the difference of two summaries, the differing numbers
//! are recovered.
//!
//! Three buckets, which the number chooses, sum the fingerprints and their products with the
//! number. In the difference of two sketches, a bucket with one differing number reveals it: the
//! second sum divided by the first, modulo 2⁶⁴. Subtracted from its other two buckets, it leaves
//! other numbers alone in them.
//!
//! Goodrich and Mitzenmacher, "Invertible Bloom Lookup Tables".

use nav::extend::Fingerprint;
use std::hash::Hasher;

/// Buckets of a number, one in each table. With three, the tables need the fewest buckets for each
/// recovered number: the paper lists 1.22, and 1.30 for four.
const TABLES: usize = 3;
/// Buckets of a table; a power of two. A sketch has 1.5 KiB, and some 60 differing numbers
/// are recovered.
const WIDTH: usize = 32;

/// The sum of fingerprints, and that of their products with their numbers.
type Bucket = [u64; 2];

/// A summary of numbered fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sketch([Bucket; TABLES * WIDTH]);

/// The differences between two sketches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recovered {
    /// The differing numbers, each with the difference of its fingerprints after
    /// [`Sketch::spread`].
    pub(super) found: Vec<(u64, u64)>,
    /// Buckets that differ by more than that.
    pub(super) left: usize,
}

impl Default for Sketch {
    fn default() -> Self {
        Self([[0; 2]; TABLES * WIDTH])
    }
}

impl Sketch {
    /// The size of [`Self::to_bytes`].
    pub(super) const BYTES: usize = TABLES * WIDTH * size_of::<Bucket>();

    /// Returns the contribution of a fingerprint to a bucket. It depends on the number, so that two
    /// equal fingerprints that change places make a difference.
    pub(super) fn spread(number: u64, fingerprint: u64) -> u64 {
        let mut spread = Fingerprint::default();
        spread.write_u64(number ^ fingerprint.rotate_left(17));
        spread.finish()
    }

    /// Adds a fingerprint.
    #[inline]
    pub(super) fn add(&mut self, number: u64, fingerprint: u64) {
        self.change(number, Self::spread(number, fingerprint));
    }

    #[inline]
    fn change(&mut self, number: u64, by: u64) {
        let product = by.wrapping_mul(number);
        for place in places(number) {
            let [sum, products] = &mut self.0[place];
            *sum = sum.wrapping_add(by);
            *products = products.wrapping_add(product);
        }
    }

    /// Subtracts another sketch.
    pub(super) fn minus(mut self, other: &Self) -> Self {
        let sums = self.0.as_flattened_mut().iter_mut();
        for (sum, less) in sums.zip(other.0.as_flattened()) {
            *sum = sum.wrapping_sub(*less);
        }
        self
    }

    /// Recovers the numbers in a difference of sketches. `is_possible` rejects numbers that nothing
    /// has.
    pub(super) fn recover(mut self, is_possible: impl Fn(u64) -> bool) -> Recovered {
        let mut found = Vec::new();
        // Each round finds a number or is the last one. The limit ends a cycle of numbers found by
        // mistake.
        for _ in 0..TABLES * WIDTH {
            let alone = self.0.iter().enumerate().find_map(|(place, &bucket)| {
                let number = number_alone(bucket)?;
                let is_right = is_possible(number) && places(number).contains(&place);
                is_right.then_some((number, bucket[0]))
            });
            let Some((number, by)) = alone else { break };
            self.change(number, by.wrapping_neg());
            found.push((number, by));
        }
        let left = self.0.iter().filter(|&&bucket| bucket != [0; 2]).count();
        Recovered { found, left }
    }

    /// The sketch as a trace records it, little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let sums = self.0.as_flattened().iter();
        sums.flat_map(|sum| sum.to_le_bytes()).collect()
    }

    /// Reads [`Self::to_bytes`]. `None` for another size.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let mut sketch = Self::default();
        let sums = sketch.0.as_flattened_mut().iter_mut();
        for (sum, &bytes) in sums.zip(bytes.as_chunks().0) {
            *sum = u64::from_le_bytes(bytes);
        }
        Some(sketch)
    }
}

/// The number that is alone in a bucket, if one is.
fn number_alone([sum, products]: Bucket) -> Option<u64> {
    let zeros = sum.trailing_zeros();
    // An even sum loses the high bits of the number. 48 bits are enough to check a number
    // by its places, and one fingerprint in 2¹⁷ has more zeros.
    if zeros > 16 || products.trailing_zeros() < zeros {
        return None;
    }
    let number = (products >> zeros).wrapping_mul(inverse(sum >> zeros));
    Some(number & (u64::MAX >> zeros))
}

/// The inverse of an odd number modulo 2⁶⁴.
fn inverse(odd: u64) -> u64 {
    // Newton's method: an odd number is its own inverse in the lowest three bits, and five rounds
    // double these to 64.
    (0..5).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

/// The buckets of a number, one in each table.
#[inline]
fn places(number: u64) -> [usize; TABLES] {
    // Multiplicative hashing by the golden ratio: the high bits depend on all bits of the number.
    let mut hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    [0, 1, 2].map(|table| table * WIDTH + ((hash >> (52 - 8 * table)) as usize & (WIDTH - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different numbers below a bound, drawn by a seed.
    fn drawn(seed: u64, count: usize, below: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        let mut all = (0..).map(|turn| Fingerprint::of(&(seed, turn)) % below);
        while numbers.len() < count {
            numbers.extend(all.next().filter(|number| !numbers.contains(number)));
        }
        numbers
    }

    /// Two sketches of many numbers, some of which differ.
    fn two(differing: &[u64], below: u64) -> (Sketch, Sketch) {
        let (mut one, mut other) = (Sketch::default(), Sketch::default());
        for number in 0..below {
            let fingerprint = Fingerprint::of(&number);
            one.add(number, fingerprint);
            let is_equal = !differing.contains(&number);
            other.add(number, if is_equal { fingerprint } else { !fingerprint });
        }
        (one, other)
    }

    #[test]
    fn few_are_recovered() {
        let below = 2_000;
        for count in 0..=16 {
            for seed in 0..20 {
                let mut differing = drawn(seed, count, below);
                let (one, other) = two(&differing, below);
                let recovered = one.minus(&other).recover(|number| number < below);
                let mut found: Vec<u64> = recovered.found.iter().map(|&(n, _)| n).collect();
                found.sort_unstable();
                differing.sort_unstable();
                // With so few buckets, some sets leave every bucket with more than one number.
                if recovered.left == 0 {
                    assert_eq!(found, differing, "count {count}, seed {seed}");
                } else {
                    assert!(count > 3, "count {count}, seed {seed}");
                    assert!(found.iter().all(|number| differing.contains(number)));
                }
                for (number, by) in recovered.found {
                    let fingerprint = Fingerprint::of(&number);
                    let expected = Sketch::spread(number, fingerprint)
                        .wrapping_sub(Sketch::spread(number, !fingerprint));
                    assert_eq!(by, expected);
                }
            }
        }
    }

    #[test]
    fn ten_are_nearly_always_recovered() {
        let whole = (0..200).filter(|&seed| {
            let (one, other) = two(&drawn(seed, 10, 500), 500);
            one.minus(&other).recover(|number| number < 500).left == 0
        });
        assert!(whole.count() >= 195);
    }

    #[test]
    fn too_many_name_no_equal() {
        let differing = drawn(7, 400, 1_000);
        let (one, other) = two(&differing, 1_000);
        let Recovered { found, left } = one.minus(&other).recover(|number| number < 1_000);
        assert!(found.iter().all(|(number, _)| differing.contains(number)));
        assert!(left > 0);
    }

    #[test]
    fn exchanged_values_differ() {
        let (mut one, mut other) = (Sketch::default(), Sketch::default());
        for (number, fingerprint) in [(1, 5), (2, 9)] {
            one.add(number, fingerprint);
            other.add(3 - number, fingerprint);
        }
        let recovered = one.minus(&other).recover(|number| number < 5);
        assert_eq!((recovered.found.len(), recovered.left), (2, 0));
    }

    #[test]
    fn inverse_of_odd() {
        for odd in [1, 3, 5, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }

    #[test]
    fn bytes_round_trip() {
        let (sketch, _) = two(&[], 100);
        let bytes = sketch.to_bytes();
        assert_eq!(bytes.len(), Sketch::BYTES);
        assert_eq!(Sketch::from_bytes(&bytes), Some(sketch));
        assert_eq!(Sketch::from_bytes(&bytes[1..]), None);
    }
}
