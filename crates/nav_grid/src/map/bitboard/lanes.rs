//! Rows of bits to read from.

/// The rows of a floor, each a lane of bits with a border on all sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes<'a> {
    pub(crate) words: &'a [u64],
    /// The first bit of lane 0.
    pub(crate) first: usize,
    pub(crate) stride: usize,
}

impl Lanes<'_> {
    /// The number of a bit. Lanes and bits may be -1, as a number below 0 wraps to, or one
    /// behind the last.
    #[inline]
    pub(crate) fn bit(self, lane: u32, along: u32) -> usize {
        let lane = lane as i32 as isize * self.stride as isize;
        self.first.wrapping_add_signed(lane + along as i32 as isize)
    }

    /// Bits from one lane to the next.
    #[inline]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// One bit by number.
    #[inline]
    pub(crate) fn get(self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// How many bits behind `bit`, toward higher ones, the next one is set. There must be one.
    #[inline]
    pub(crate) fn next_above(self, bit: usize) -> usize {
        let first = bit + 1;
        let mut word = first / 64;
        let bits = self.words[word] >> (first % 64);
        if bits != 0 {
            return 1 + bits.trailing_zeros() as usize;
        }
        loop {
            word += 1;
            let bits = self.words[word];
            if bits != 0 {
                return word * 64 + bits.trailing_zeros() as usize - bit;
            }
        }
    }

    /// The same toward lower ones.
    #[inline]
    pub(crate) fn next_below(self, bit: usize) -> usize {
        let first = bit - 1;
        let mut word = first / 64;
        let bits = self.words[word] << (63 - first % 64);
        if bits != 0 {
            return 1 + bits.leading_zeros() as usize;
        }
        loop {
            word -= 1;
            let bits = self.words[word];
            if bits != 0 {
                return bit - (word * 64 + 63 - bits.leading_zeros() as usize);
            }
        }
    }
}
