//! Squares of bits mirrored in their diagonal.

use super::wide::Wide;

/// A square of bits to mirror in its diagonal: bit `n` of word `m` becomes bit `m` of word `n`.
///
/// Swaps ever smaller blocks across the diagonal: Warren, "Hacker's Delight", 7-3.
pub(crate) struct BitSquare<'a>(pub(crate) &'a mut [u64; 64]);

impl Wide for BitSquare<'_> {
    type Answer = ();

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "wide vectors are for what is inlined into `widely`"
    )]
    fn run(self) {
        swap_blocks::<32>(self.0, 0x0000_0000_ffff_ffff);
        swap_blocks::<16>(self.0, 0x0000_ffff_0000_ffff);
        swap_blocks::<8>(self.0, 0x00ff_00ff_00ff_00ff);
        swap_blocks::<4>(self.0, 0x0f0f_0f0f_0f0f_0f0f);
        swap_blocks::<2>(self.0, 0x3333_3333_3333_3333);
        swap_blocks::<1>(self.0, 0x5555_5555_5555_5555);
    }
}

/// Swaps the blocks right above the diagonal with those left below it.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "wide vectors are for what is inlined into `widely`"
)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let bits = 0x0123_4567_89ab_cdef_u64;
        for row in 0..8 {
            for column in 0..8 {
                let swapped = transposed_bytes(bits) >> (column * 8 + row) & 1;
                assert_eq!(swapped, bits >> (row * 8 + column) & 1);
            }
        }
    }
}
