//! Clearance: the prepared places where bodies fit, and the jumps of bodies.

use super::{
    bitboard::{Bitboard, Jumps},
    size::{Area, Size},
};
use crate::rules::{CornerRule, Footprint};

/// The boards and jumps that were prepared, kept up to date by edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clearance {
    /// By size above 1×1, the anchors at which a body fits.
    boards: [Option<Bitboard>; Footprint::SIDE_MAX as usize - 1],
    /// By body size and corner rule.
    jumps: Vec<(Footprint, CornerRule, Jumps)>,
}

impl Clearance {
    /// The board of a size above 1×1, if it is prepared.
    #[inline]
    pub(crate) fn board(&self, footprint: Footprint) -> Option<&Bitboard> {
        self.boards[usize::from(footprint.side()) - 2].as_ref()
    }

    /// The jumps of a size and a rule, if they are prepared.
    #[inline]
    pub(crate) fn jumps(&self, footprint: Footprint, corners: CornerRule) -> Option<&Jumps> {
        let key = (footprint, corners);
        let mut all = self.jumps.iter();
        all.find_map(|(side, rule, jumps)| ((*side, *rule) == key).then_some(jumps))
    }

    /// The sizes above 1×1 with a board.
    pub(crate) fn footprints(&self) -> impl Iterator<Item = Footprint> {
        let boards = (2..).zip(&self.boards);
        boards.filter_map(|(side, board)| board.as_ref().and_then(|_| Footprint::new(side)))
    }

    /// The sizes and rules with jumps.
    pub(crate) fn jump_rules(&self) -> impl Iterator<Item = (Footprint, CornerRule)> {
        let jumps = self.jumps.iter();
        jumps.map(|&(footprint, corners, _)| (footprint, corners))
    }

    /// Makes the board of a size unless it is prepared or is the map itself.
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

    /// Makes the jumps of a size and a rule unless they are prepared.
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

    /// Updates everything after an edit of `area`.
    pub(crate) fn repair(&mut self, walkable: &Bitboard, size: Size, area: Area) {
        // A body covers cells to the right of its anchor and below.
        for (side, board) in (2..).zip(&mut self.boards) {
            if let Some(board) = board {
                board.erode(walkable, side, area.grown(u16::from(side) - 1, 0));
            }
        }
        // Taken out meanwhile, since `rows` borrows `self`.
        let mut all = std::mem::take(&mut self.jumps);
        for (footprint, corners, jumps) in &mut all {
            let rows = self.rows(*footprint, walkable);
            let anchors = area.grown(u16::from(footprint.side()) - 1, 0);
            jumps.repair(rows, size, *corners, anchors);
        }
        self.jumps = all;
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let boards = self.boards.iter().flatten().map(Bitboard::heap_bytes);
        let jumps = self.jumps.iter().map(|(_, _, jumps)| jumps.heap_bytes());
        boards.chain(jumps).sum()
    }
}
