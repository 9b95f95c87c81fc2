//! The ground that direct segments are laid over, and their cells as bits of words.

use crate::{
    cell::Cell,
    map::{Area, Bitboard, Grid},
    rules::{CornerRule, Footprint},
};

/// What legs are laid over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentGround<'a> {
    /// Where the walker may stand.
    pub(crate) board: &'a Bitboard,
    pub(crate) corners: CornerRule,
    pub(crate) straight: u32,
    /// 0 where there are no diagonal steps.
    pub(crate) diagonal: u32,
    /// Where no leg may lead, as exits count there.
    pub(crate) fences: Option<(&'a Grid, Footprint)>,
}

impl SegmentGround<'_> {
    /// What a leg costs; no way is cheaper, links aside.
    #[inline]
    pub(crate) fn distance(&self, from: Cell, to: Cell) -> u32 {
        let dx = u32::from(from.x.abs_diff(to.x));
        let dy = u32::from(from.y.abs_diff(to.y));
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let turn = if self.diagonal > 0 {
            self.diagonal
        } else {
            2 * self.straight
        };
        self.straight * more + (turn - self.straight) * less
    }

    /// Whether exits count anywhere between two cells.
    pub(super) fn is_fenced(&self, from: Cell, to: Cell) -> bool {
        self.fences.is_some_and(|(grid, footprint)| {
            let further = u16::from(footprint.side()) - 1;
            let between = Area::new(from, to).grown(0, further);
            grid.has_exits_in(between.clipped(grid.size()))
        })
    }
}

/// How the cells of a leg are bits of words, from its western end on, or from its upper end if it
/// goes straight down.
///
/// A leg of diagonal steps and straight ones stays in the rhomboid that both span. Words that lean,
/// a column further east in each row, need to be as wide as that only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentFrame {
    pub(crate) west: Cell,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Rows count upward.
    pub(crate) up: bool,
    /// Whether more rows than columns are crossed.
    pub(crate) steep: bool,
    /// Whether words lean.
    pub(super) leans: bool,
    /// The bits of both ends in their rows.
    pub(crate) begin: usize,
    pub(crate) end: usize,
    /// The bits between which the leg stays.
    pub(crate) first: usize,
    pub(crate) last: usize,
}
