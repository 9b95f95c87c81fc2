//! Where looks along lanes of one word each end.

use crate::bits::Wide;

/// Marks where looks end in all lanes of a board whose lanes are words, under one corner rule.
pub(super) struct NarrowScan<'a, const STRICT: bool> {
    /// From the word before the first lane.
    pub(super) free: &'a [u64],
    /// The ends and the live cells of looks, from the first lane.
    pub(super) ups: [&'a mut [u64]; 2],
    pub(super) downs: [&'a mut [u64]; 2],
    pub(super) lanes: usize,
}

impl<const STRICT: bool> Wide for NarrowScan<'_, STRICT> {
    type Answer = ();

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "wide vectors are for what is inlined into `widely`"
    )]
    fn run(self) {
        let lanes = self.lanes;
        let (before, here, after) = (
            &self.free[..lanes],
            &self.free[1..][..lanes],
            &self.free[2..][..lanes],
        );
        let [up_ends, up_live] = self.ups.map(|words| &mut words[..lanes]);
        let [down_ends, down_live] = self.downs.map(|words| &mut words[..lanes]);
        for lane in 0..lanes {
            let way = here[lane];
            let (mut ups, mut downs) = (!way, !way);
            for beside in [before[lane], after[lane]] {
                if STRICT {
                    ups |= beside & !(beside << 1);
                    downs |= beside & !(beside >> 1);
                } else {
                    ups |= !beside & beside >> 1;
                    downs |= !beside & beside << 1;
                }
            }
            up_ends[lane] = ups;
            down_ends[lane] = downs;
            let (mut up, mut up_way) = (ups & way, way);
            let (mut down, mut down_way) = (downs & way, way);
            for step in [1, 2, 4, 8, 16, 32] {
                up |= up_way & up >> step;
                up_way &= up_way >> step;
                down |= down_way & down << step;
                down_way &= down_way << step;
            }
            up_live[lane] = up >> 1;
            down_live[lane] = down << 1;
        }
    }
}
