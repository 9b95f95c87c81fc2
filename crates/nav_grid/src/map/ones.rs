//! Finding bits in rows of words.

/// The first set bit at or behind `from` in so many words.
#[inline]
pub(crate) fn next_one(from: usize, words: usize, word: impl Fn(usize) -> u64) -> Option<usize> {
    let mut index = from / 64;
    if index >= words {
        return None;
    }
    let mut bits = word(index) & u64::MAX << (from % 64);
    while bits == 0 {
        index += 1;
        if index == words {
            return None;
        }
        bits = word(index);
    }
    Some(index * 64 + bits.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_may_be_words_away() {
        let words = [1 << 5 | 1 << 63, 0, 1];
        let next = |from| next_one(from, words.len(), |word| words[word]);
        assert_eq!(
            [0, 5, 6, 63, 64, 128, 129, 500].map(next),
            [Some(5), Some(5), Some(63), Some(63), Some(128), Some(128), None, None]
        );
    }
}
