//! Dispatch to 256-bit vectors (AVX2) where the machine has them.

/// Work on many words that gets quicker with wider vectors.
pub(crate) trait Wide {
    type Answer;

    /// Does it. To be inlined always, with all that it calls on words: what is not inlined stays
    /// narrow.
    fn run(self) -> Self::Answer;
}

/// Does work with vectors of 256 bits if the machine has them, and as the compiler was set
/// otherwise. Both are one piece of source without floating point numbers, so the answers are
/// the same.
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
                reason = "the compiler cannot know what was asked of the machine a line above"
            )]
            // SAFETY: the body of the function is safe code; only that it is compiled for AVX2 makes a call
            // unsafe, and the line above asked whether both the processor and the system have it. Neither
            // takes it away while a program runs.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}
