//! Dispatch to wide vectors (AVX-512 or AVX2) where the machine has them.

/// Work on many words that gets quicker with wider vectors.
pub(crate) trait Wide {
    type Answer;

    /// Does it. To be inlined always, with all that it calls on words: what is not inlined stays
    /// narrow.
    fn run(self) -> Self::Answer;
}

/// Does work with the widest vectors that the machine has, those of AVX-512 with logic of three words at
/// once or those of AVX2, and as the compiler was set otherwise. All are one piece of source without
/// floating point numbers, so the answers are the same.
#[inline]
pub(crate) fn widely<W: Wide>(work: W) -> W::Answer {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512vl")]
        fn with_avx512<W: Wide>(work: W) -> W::Answer {
            work.run()
        }

        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Wide>(work: W) -> W::Answer {
            work.run()
        }

        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            #[expect(
                unsafe_code,
                reason = "the compiler cannot know what was asked of the machine a line above"
            )]
            // SAFETY: as below, for AVX-512.
            return unsafe { with_avx512(work) };
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
