//! Bodies larger than a cell, and where they fit.

use super::{
    bitboard::Bitboard,
    size::{Area, Size},
};
use crate::Cell;

/// The square of cells that a body covers: 1×1 to 8×8.
///
/// Wherever the place of a body is one cell, as in paths and queries, it is the *anchor*, the
/// upper left cell of the square. Here a 3×3 body stands at `A`:
///
/// ```text
///     . . . . . .
///     . A b b . .
///     . b b b . .
///     . b b b . .
///     . . . . . .
/// ```
///
/// The body fits where all cells it covers are walkable. It may take a diagonal step under
/// [`CornerRule::Strict`](crate::CornerRule::Strict) if it could stand on both straight
/// neighbours of its place; it may leave in a direction if all cells it covers may be left in
/// that direction; and a step costs what the dearest cell costs that it covers afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Footprint(u8);

impl Footprint {
    /// One cell: the default.
    pub const ONE: Self = Self(1);
    /// Greatest number of columns and rows.
    pub const SIDE_MAX: u8 = 8;

    /// A square of `side` columns and rows, or `None` if that is not 1 to 8.
    pub const fn new(side: u8) -> Option<Self> {
        if side >= 1 && side <= Self::SIDE_MAX {
            Some(Self(side))
        } else {
            None
        }
    }

    /// All sizes, the smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=Self::SIDE_MAX).map(Self)
    }

    /// Number of columns, and of rows.
    #[inline]
    pub const fn side(self) -> u8 {
        self.0
    }

    /// The cells that a body covers whose anchor is `anchor`, cut off at the ends of the
    /// coordinates' range.
    pub fn area(self, anchor: Cell) -> Area {
        Area::from(anchor).grown(0, u16::from(self.0) - 1)
    }
}

impl Default for Footprint {
    fn default() -> Self {
        Self::ONE
    }
}

impl From<Footprint> for u8 {
    fn from(footprint: Footprint) -> Self {
        footprint.0
    }
}

impl TryFrom<u8> for Footprint {
    type Error = FootprintError;

    fn try_from(side: u8) -> Result<Self, FootprintError> {
        Self::new(side).ok_or(FootprintError { side })
    }
}

impl std::fmt::Display for Footprint {
    /// Writes `2x2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

/// A footprint was asked for that is empty or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a footprint cannot have a side of {side} cells: it must be 1 to {}",
    Footprint::SIDE_MAX
)]
pub struct FootprintError {
    /// The side asked for.
    pub side: u8,
}

/// For each size of body that was asked for, a bitboard of the anchors at which it fits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clearance([Option<Bitboard>; Footprint::SIDE_MAX as usize - 1]);

impl Clearance {
    /// The board of a size above 1×1, if there is one.
    #[inline]
    pub(crate) fn board(&self, footprint: Footprint) -> Option<&Bitboard> {
        self.0[usize::from(footprint.side()) - 2].as_ref()
    }

    /// Makes the board of a size above 1×1 unless it is there.
    pub(crate) fn prepare(&mut self, footprint: Footprint, walkable: &Bitboard, size: Size) {
        let side = footprint.side();
        self.0[usize::from(side) - 2].get_or_insert_with(|| {
            let mut board = Bitboard::new(size);
            let corner = Cell::new(size.width - 1, size.height - 1);
            for floor in 0..size.floors {
                let whole = Area::new(Cell::new(0, 0).on_floor(floor), corner);
                board.erode(walkable, side, whole);
            }
            board
        });
    }

    /// Brings all boards up to date after an edit of `area`.
    pub(crate) fn repair(&mut self, walkable: &Bitboard, area: Area) {
        for (side, board) in (2..).zip(&mut self.0) {
            if let Some(board) = board {
                let anchors = area.grown(u16::from(side) - 1, 0);
                board.erode(walkable, side, anchors);
            }
        }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.iter().flatten().map(Bitboard::heap_bytes).sum()
    }
}

/// Rows of up to 10 cells each, of which the bits say which are free: what decides where a body
/// of up to 8×8 can go next from the second cell of the second row.
pub(crate) type Rows = [u16; Footprint::SIDE_MAX as usize + 2];

/// The anchors around the second cell of the second row at which a body fits, as
/// [`Bitboard::around`] has them.
#[inline]
pub(crate) fn around(mut rows: Rows, footprint: Footprint) -> u8 {
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

/// Three rows of three bits without the one in the middle: the index of a move table.
#[inline]
pub(crate) const fn around_in([above, here, below]: [u16; 3]) -> usize {
    (above | (here & 1) << 3 | (here & 4) << 2 | below << 5) as usize
}
