//! The eight bits around one.

/// Three rows of three bits without the one in the middle: the index of a move table.
#[inline]
pub(crate) const fn around_in([above, here, below]: [u16; 3]) -> usize {
    (above | (here & 1) << 3 | (here & 4) << 2 | below << 5) as usize
}
