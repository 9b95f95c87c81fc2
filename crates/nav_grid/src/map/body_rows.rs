//! The cells around a body as rows of bits, and where the body fits among them.

use crate::{bits::around_in, rules::Footprint};

/// Rows of up to 10 cells each, of which the bits say which are free: what decides where a body
/// of up to 8×8 can go next from the second cell of the second row.
pub(crate) type BodyRows = [u16; Footprint::SIDE_MAX as usize + 2];

/// The anchors around the second cell of the second row at which a body fits, as
/// [`Bitboard::around`] has them.
#[inline]
pub(crate) fn around(mut rows: BodyRows, footprint: Footprint) -> u8 {
    let side = usize::from(footprint.side());
    for row in &mut rows[..side + 2] {
        let cells = *row;
        for column in 1..side {
            *row &= cells >> column;
        }
    }
    let fits = |top: usize| {
        rows[top..top + side]
            .iter()
            .fold(0b111, |fits, row| fits & row)
    };
    around_in([fits(0), fits(1), fits(2)]) as u8
}
