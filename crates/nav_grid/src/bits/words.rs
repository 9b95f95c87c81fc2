//! Words of bits.

/// The set bits of a word, the lowest first.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// The 64 bits of two words from a bit of the first one on.
#[inline]
pub(crate) const fn joined(low: u64, high: u64, shift: usize) -> u64 {
    // Shifting by 1 and then by the rest keeps a shift of 0 from becoming one of 64.
    low >> shift | high << 1 << (63 - shift)
}

/// The 64 bits from `bit` on.
#[inline]
pub(crate) fn read(words: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / 64, bit % 64);
    joined(words[word], words[word + 1], shift)
}
