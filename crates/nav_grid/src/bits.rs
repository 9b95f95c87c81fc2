//! Word-parallel kernels on plain bits, and dispatch to 256-bit vectors (AVX2).

#![expect(
    clippy::inline_always,
    reason = "only code that is inlined into `widely` uses wide vectors"
)]

/// Work on many words that is faster with wider vectors.
pub(crate) trait Wide {
    type Answer;

    /// Does the work. Must be inlined, with all that it calls on words: a call that is not inlined
    /// stays narrow.
    fn run(self) -> Self::Answer;
}

/// Runs work with vectors of 256 bits if the processor has them, and with those of the build
/// target otherwise. Both are compiled from one source without floating point, so the answers are
/// equal.
// Decision 7: docs/decisions/0007-unsafe-calls-in-one-place.md
#[inline]
pub(crate) fn widely<W: Wide>(work: W) -> W::Answer {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Wide>(work: W) -> W::Answer {
            work.run()
        }

        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(
                unsafe_code,
                reason = "the compiler does not know what the line above has checked"
            )]
            // SAFETY: the body of the function is safe code. A call is unsafe only because it is
            // compiled for AVX2. The line above checked that processor and system have AVX2, and
            // neither loses it while a program runs.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}

/// A square of bits to transpose: bit `n` of word `m` becomes bit `m` of word `n`.
///
/// Swaps ever smaller blocks across the diagonal: Warren, "Hacker's Delight", 7-3.
pub(crate) struct BitSquare<'a>(pub(crate) &'a mut [u64; 64]);

impl Wide for BitSquare<'_> {
    type Answer = ();

    #[inline(always)]
    fn run(self) {
        swap_blocks::<32>(self.0, 0x0000_0000_ffff_ffff);
        swap_blocks::<16>(self.0, 0x0000_ffff_0000_ffff);
        swap_blocks::<8>(self.0, 0x00ff_00ff_00ff_00ff);
        swap_blocks::<4>(self.0, 0x0f0f_0f0f_0f0f_0f0f);
        swap_blocks::<2>(self.0, 0x3333_3333_3333_3333);
        swap_blocks::<1>(self.0, 0x5555_5555_5555_5555);
    }
}

/// Swaps the blocks directly above the diagonal with those left below it.
#[inline(always)]
fn swap_blocks<const WIDTH: usize>(square: &mut [u64; 64], mask: u64) {
    for pair in square.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = pair.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped = (*upper >> WIDTH ^ *lower) & mask;
            *upper ^= swapped << WIDTH;
            *lower ^= swapped;
        }
    }
}

/// Swaps rows and columns of a square of 8×8 bits, one byte a row.
///
/// Warren, "Hacker's Delight", 2nd edition, 2012, section 7-3.
pub(crate) const fn transposed_bytes(mut bits: u64) -> u64 {
    let mut swap = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap ^ swap << 7;
    swap = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    bits ^= swap ^ swap << 14;
    swap = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ swap << 28
}

/// The eight bits around the middle one of three rows of three bits: the index of a move table.
#[inline]
pub(crate) const fn around_in([above, here, below]: [u16; 3]) -> usize {
    (above | (here & 1) << 3 | (here & 4) << 2 | below << 5) as usize
}

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
    // Shifts by 1 and then by the rest, as a single shift by 64 would overflow at `shift` 0.
    low >> shift | high << 1 << (63 - shift)
}

/// The 64 bits from `bit` on.
#[inline]
pub(crate) fn read(words: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / 64, bit % 64);
    joined(words[word], words[word + 1], shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_rows_and_columns() {
        let bits = 0x0123_4567_89ab_cdef_u64;
        for row in 0..8 {
            for column in 0..8 {
                let swapped = transposed_bytes(bits) >> (column * 8 + row) & 1;
                assert_eq!(swapped, bits >> (row * 8 + column) & 1);
            }
        }
    }
}
