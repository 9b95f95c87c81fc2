//! A summary of many numbered fingerprints, from which those that differ between two of them are recovered.
//!
//! Each fingerprint is added to three buckets that its number chooses, and so is its product with the
//! number. In the difference of two sketches, a bucket in which one number differs gives it away: it is the
//! second sum divided by the first, modulo 2⁶⁴. Taken out of its other two buckets, it leaves others alone
//! in theirs.
//!
//! Goodrich and Mitzenmacher, "Invertible Bloom Lookup Tables".

use nav::state::Fingerprint;
use std::hash::Hasher;

/// Buckets in which a number is counted, one in each table.
const TABLES: usize = 3;
/// Buckets of a table; a power of two. Together they give away some 60 numbers that differ, in 1.5 KiB.
const WIDTH: usize = 32;

/// A summary of numbered fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sketch {
    buckets: [Bucket; TABLES * WIDTH],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bucket {
    sum: u64,
    products: u64,
}

/// What differs between two sketches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recovered {
    /// The numbers, and the difference of their fingerprints, as [`Sketch::spread`] made them.
    pub(super) found: Vec<(u64, u64)>,
    /// Buckets that differ by what could not be told apart.
    pub(super) left: usize,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            buckets: [Bucket::default(); TABLES * WIDTH],
        }
    }
}

impl Sketch {
    /// Bytes of [`Self::to_bytes`].
    pub(super) const BYTES: usize = TABLES * WIDTH * 16;

    /// What is added of a fingerprint: it depends on the number, so that equal values that changed places
    /// do not cancel out.
    pub(super) fn spread(number: u64, fingerprint: u64) -> u64 {
        let mut spread = Fingerprint::default();
        spread.write_u64(number ^ fingerprint.rotate_left(17));
        spread.finish()
    }

    /// Adds the fingerprint with a number.
    #[inline]
    pub(super) fn add(&mut self, number: u64, fingerprint: u64) {
        self.change(number, Self::spread(number, fingerprint));
    }

    #[inline]
    fn change(&mut self, number: u64, by: u64) {
        let product = by.wrapping_mul(number);
        for place in places(number) {
            let bucket = &mut self.buckets[place];
            bucket.sum = bucket.sum.wrapping_add(by);
            bucket.products = bucket.products.wrapping_add(product);
        }
    }

    /// What is in this sketch, and not in another one.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        for (bucket, less) in difference.buckets.iter_mut().zip(&other.buckets) {
            bucket.sum = bucket.sum.wrapping_sub(less.sum);
            bucket.products = bucket.products.wrapping_sub(less.products);
        }
        difference
    }

    /// Takes a difference apart. Only numbers that there can be are found.
    pub(super) fn recover(mut self, can_be: impl Fn(u64) -> bool) -> Recovered {
        let mut found = Vec::new();
        // Each round but the last finds somebody, and nobody is found more often than by mistake.
        for _ in 0..TABLES * WIDTH {
            let lone = (0..self.buckets.len()).find_map(|place| {
                let bucket = self.buckets[place];
                let number = bucket.number()?;
                (can_be(number) && places(number).contains(&place)).then_some((number, bucket.sum))
            });
            let Some((number, by)) = lone else {
                break;
            };
            self.change(number, by.wrapping_neg());
            found.push((number, by));
        }
        let is_left = |bucket: &&Bucket| **bucket != Bucket::default();
        let left = self.buckets.iter().filter(is_left).count();
        Recovered { found, left }
    }

    /// As a trace keeps it.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let words = (self.buckets.iter()).flat_map(|bucket| [bucket.sum, bucket.products]);
        words.flat_map(u64::to_le_bytes).collect()
    }

    /// From what [`Self::to_bytes`] made.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let mut sketch = Self::default();
        let words = bytes.chunks_exact(8);
        let mut words = words.map(|word| word.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b)));
        for bucket in &mut sketch.buckets {
            (bucket.sum, bucket.products) = (words.next()?, words.next()?);
        }
        Some(sketch)
    }
}

impl Bucket {
    /// The number that is alone in it, if one is.
    fn number(self) -> Option<u64> {
        let Self { sum, products } = self;
        let zeros = sum.trailing_zeros();
        // Few enough that what is left of the number is beyond doubt.
        if zeros > 16 || products.trailing_zeros() < zeros {
            return None;
        }
        let number = (products >> zeros).wrapping_mul(inverse(sum >> zeros));
        Some(number & (u64::MAX >> zeros))
    }
}

/// The inverse of an odd number modulo 2⁶⁴, by Newton's method: each round doubles the bits that are right,
/// of which there are three at first.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
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

    /// Numbers below a bound, drawn by a seed; all different.
    fn drawn(seed: u64, count: usize, below: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        let all = (0..).map(|turn| Fingerprint::of(&(seed, turn)) % below);
        for number in all {
            if numbers.len() == count {
                break;
            }
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// Two sketches of many agents, of whom some differ.
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
    fn few_that_differ_are_all_recovered() {
        let below = 2_000;
        for count in 0..=16 {
            for seed in 0..20 {
                let mut differing = drawn(seed, count, below);
                let (one, other) = two(&differing, below);
                let recovered = one.minus(&other).recover(|number| number < below);
                let mut found: Vec<u64> = recovered.found.iter().map(|&(n, _)| n).collect();
                found.sort_unstable();
                differing.sort_unstable();
                // With so few buckets, some sets have a core that holds together.
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
    fn of_ten_that_differ_hardly_ever_one_is_left() {
        let whole = (0..200).filter(|&seed| {
            let (one, other) = two(&drawn(seed, 10, 500), 500);
            one.minus(&other).recover(|number| number < 500).left == 0
        });
        assert!(whole.count() >= 195);
    }

    #[test]
    fn of_too_many_nobody_is_named_who_does_not_differ() {
        let differing = drawn(7, 400, 1_000);
        let (one, other) = two(&differing, 1_000);
        let Recovered { found, left } = one.minus(&other).recover(|number| number < 1_000);
        assert!(found.iter().all(|(number, _)| differing.contains(number)));
        assert!(left > 0);
    }

    #[test]
    fn values_that_changed_places_differ() {
        let (mut one, mut other) = (Sketch::default(), Sketch::default());
        for (number, fingerprint) in [(1, 5), (2, 9)] {
            one.add(number, fingerprint);
            other.add(3 - number, fingerprint);
        }
        let recovered = one.minus(&other).recover(|number| number < 5);
        assert_eq!((recovered.found.len(), recovered.left), (2, 0));
    }

    #[test]
    fn inverses_are_inverse() {
        for odd in [1, 3, 5, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let (sketch, _) = two(&[], 100);
        let bytes = sketch.to_bytes();
        assert_eq!(bytes.len(), Sketch::BYTES);
        assert_eq!(Sketch::from_bytes(&bytes), Some(sketch));
        assert_eq!(Sketch::from_bytes(&bytes[1..]), None);
    }
}
