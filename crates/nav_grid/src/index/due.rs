//! The remaining work of an index.

/// A set of numbers below a bound, taken out in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct DueSet {
    words: Vec<u64>,
    count: usize,
    /// No word before this one has a number.
    at: usize,
}

impl DueSet {
    /// All numbers below a bound.
    pub(crate) fn all(bound: usize) -> Self {
        let mut words = vec![u64::MAX; bound.div_ceil(64)];
        if let Some(last) = words.last_mut().filter(|_| !bound.is_multiple_of(64)) {
            *last = !(u64::MAX << (bound % 64));
        }
        Self {
            words,
            count: bound,
            at: 0,
        }
    }

    /// How many numbers are in it.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn insert(&mut self, number: u32) {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.words[word] & bit == 0 {
            self.words[word] |= bit;
            self.count += 1;
            self.at = self.at.min(word);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] & 1 << (number % 64) != 0
    }

    /// Removes the least number.
    pub(crate) fn take(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        while self.words[self.at] == 0 {
            self.at += 1;
        }
        let word = &mut self.words[self.at];
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        self.count -= 1;
        Some(self.at as u32 * 64 + bit)
    }
}
