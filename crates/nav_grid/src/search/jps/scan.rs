//! Looking along a row or a column for the next place where a path may have to turn.

use crate::map::Lanes;

/// What lies ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ahead {
    /// Steps to the first cell where a path may have to turn; 0 if a wall comes first.
    pub(super) steps: u32,
    /// On which sides of that cell a path may have to turn: bit 0 for the lane before this one,
    /// bit 1 for the lane behind it.
    pub(super) sides: u8,
    /// Steps that can be taken, up to the cell where to turn or before the wall.
    pub(super) reach: u32,
}

/// Looks from bit `along` of a lane toward higher bits, or toward lower ones, 64 cells at a
/// time.
///
/// Where corners are not cut, a path may have to turn at a cell beside which a wall has just
/// ended: the cell beside it is free, and the one before that is not. Where they may be cut it
/// may have to turn one cell sooner, beside the last cell of the wall.
#[inline]
pub(super) fn scan<const FORWARD: bool, const CUT: bool>(
    lanes: Lanes<'_>,
    lane: u32,
    along: u32,
) -> Ahead {
    let (start, stride) = (lanes.bit(lane, along), lanes.stride());
    // How far each look is from the last one: what the ends of a word cannot tell, the next
    // look does.
    let hop = if CUT { 62 } else { 63 };
    let mut passed = 0;
    loop {
        let bit = if FORWARD {
            start + passed
        } else {
            start - passed - 63
        };
        let here = lanes.read(bit);
        let before = turns::<FORWARD, CUT>(lanes.read(bit - stride));
        let behind = turns::<FORWARD, CUT>(lanes.read(bit + stride));
        let stops = before | behind | !here;
        // The first of the 64 cells was passed already.
        let stops = if FORWARD { stops & !1 } else { stops << 1 >> 1 };
        if stops == 0 {
            passed += hop;
            continue;
        }
        let (at, shift) = if FORWARD {
            let at = stops.trailing_zeros();
            (at, at)
        } else {
            let at = stops.leading_zeros();
            (at, 63 - at)
        };
        let steps = passed as u32 + at;
        if here >> shift & 1 == 0 {
            return Ahead {
                steps: 0,
                sides: 0,
                reach: steps - 1,
            };
        }
        return Ahead {
            steps,
            sides: (before >> shift & 1 | (behind >> shift & 1) << 1) as u8,
            reach: steps,
        };
    }
}

/// The cells of a lane beside which a path may have to turn.
#[inline]
const fn turns<const FORWARD: bool, const CUT: bool>(lane: u64) -> u64 {
    match (FORWARD, CUT) {
        (true, false) => lane & !(lane << 1),
        (false, false) => lane & !(lane >> 1),
        (true, true) => !lane & lane >> 1,
        (false, true) => !lane & lane << 1,
    }
}
