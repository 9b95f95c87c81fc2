//! Bodies larger than a cell, and where they fit.

use super::{
    bitboard::{Bitboard, Jumps},
    size::{Area, Size},
};
use crate::{Cell, CornerRule};

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

/// What was asked for about where bodies fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clearance {
    /// By size above 1×1, the anchors at which a body fits.
    boards: [Option<Bitboard>; Footprint::SIDE_MAX as usize - 1],
    /// By size of any body, and rule.
    jumps: Vec<(Footprint, CornerRule, Jumps)>,
}

impl Clearance {
    /// The board of a size above 1×1, if there is one.
    #[inline]
    pub(crate) fn board(&self, footprint: Footprint) -> Option<&Bitboard> {
        self.boards[usize::from(footprint.side()) - 2].as_ref()
    }

    /// The jumps of a size and a rule, if there are any.
    #[inline]
    pub(crate) fn jumps(&self, footprint: Footprint, corners: CornerRule) -> Option<&Jumps> {
        let key = (footprint, corners);
        let mut all = self.jumps.iter();
        all.find_map(|(side, rule, jumps)| ((*side, *rule) == key).then_some(jumps))
    }

    /// Makes the board of a size unless it is there, or is the map itself.
    pub(crate) fn prepare(&mut self, footprint: Footprint, walkable: &Bitboard, size: Size) {
        let side = footprint.side();
        if footprint == Footprint::ONE {
            return;
        }
        self.boards[usize::from(side) - 2].get_or_insert_with(|| {
            let mut board = Bitboard::new(size);
            for whole in size.floor_areas() {
                board.erode(walkable, side, whole);
            }
            board
        });
    }

    /// Makes the jumps of a size and a rule unless they are there.
    pub(crate) fn prepare_jumps(
        &mut self,
        footprint: Footprint,
        corners: CornerRule,
        walkable: &Bitboard,
        size: Size,
    ) {
        self.prepare(footprint, walkable, size);
        if self.jumps(footprint, corners).is_none() {
            let rows = self.rows(footprint, walkable);
            let jumps = Jumps::new(rows, size, corners);
            self.jumps.push((footprint, corners, jumps));
        }
    }

    fn rows<'a>(&'a self, footprint: Footprint, walkable: &'a Bitboard) -> &'a Bitboard {
        match footprint {
            Footprint::ONE => walkable,
            _ => self.board(footprint).unwrap_or(walkable),
        }
    }

    /// Brings everything up to date after an edit of `area`.
    pub(crate) fn repair(&mut self, walkable: &Bitboard, size: Size, area: Area) {
        let anchors = |side: u8| area.grown(u16::from(side) - 1, 0);
        for (side, board) in (2..).zip(&mut self.boards) {
            if let Some(board) = board {
                board.erode(walkable, side, anchors(side));
            }
        }
        let mut all = std::mem::take(&mut self.jumps);
        for (footprint, corners, jumps) in &mut all {
            let rows = self.rows(*footprint, walkable);
            jumps.repair(rows, size, *corners, anchors(footprint.side()));
        }
        self.jumps = all;
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let boards = self.boards.iter().flatten().map(Bitboard::heap_bytes);
        let jumps = self.jumps.iter().map(|(_, _, jumps)| jumps.heap_bytes());
        boards.chain(jumps).sum()
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
