//! How a walker may move on a map, and what that costs.

use super::{
    bitboard::Bitboard,
    bitboard::Jumps,
    footprint::{self, Footprint, Rows},
    grid::Grid,
};
use crate::{Cell, Cost, Direction, Directions, Rules};

/// Moves of one walker, bodies of others aside.
impl Grid {
    /// The steps that `rules` allow out of `cell`, bodies aside; none if `cell` is outside the
    /// map.
    ///
    /// Whether `cell` itself is walkable does not matter: an agent that a door closed on may
    /// still walk out.
    #[inline]
    pub fn steps(&self, cell: Cell, rules: Rules) -> Directions {
        if !self.contains(cell) {
            return Directions::NONE;
        }
        let legal = rules.move_table()[self.surroundings(cell, rules.footprint)];
        if self.has_exits() {
            legal.intersection(self.exits_of_body(cell, rules.footprint))
        } else {
            legal
        }
    }

    /// The directions in which all cells of a body may be left.
    pub(crate) fn exits_of_body(&self, anchor: Cell, footprint: Footprint) -> Directions {
        if footprint == Footprint::ONE {
            return self.exits(anchor);
        }
        let covered = footprint.area(anchor).clipped(self.size);
        covered.cells().fold(Directions::ALL, |exits, cell| {
            exits.intersection(self.exits(cell))
        })
    }

    /// The cost of the dearest cell that a body covers, blocked cells aside.
    pub(crate) fn cost_of_body(&self, anchor: Cell, footprint: Footprint) -> Cost {
        let cost = |cell| Cost::from(self.costs.get(cell, self.size));
        if !self.has_costs() {
            1
        } else if footprint == Footprint::ONE {
            cost(anchor)
        } else {
            let covered = footprint.area(anchor).clipped(self.size);
            covered.cells().map(cost).max().unwrap_or(1)
        }
    }

    /// The anchors around a cell on the map at which a body fits, as a move table index.
    #[inline]
    pub(crate) fn surroundings(&self, cell: Cell, footprint: Footprint) -> usize {
        let around = match self.board(footprint) {
            Some(board) => board.around(cell.x, cell.y, cell.floor),
            None => footprint::around(self.rows_around(cell, footprint), footprint),
        };
        usize::from(around)
    }

    /// The bitboard of anchors at which a body fits, if there is one.
    #[inline]
    pub(crate) fn board(&self, footprint: Footprint) -> Option<&Bitboard> {
        if footprint == Footprint::ONE {
            Some(&self.walkable)
        } else {
            self.clearance.board(footprint)
        }
    }

    /// Where looks along rows and columns end, if that is
    /// [prepared](Grid::prepare_jumps).
    #[inline]
    pub(crate) fn jumps(&self, footprint: Footprint, corners: crate::CornerRule) -> Option<&Jumps> {
        self.clearance.jumps(footprint, corners)
    }

    /// The anchors at which a body fits, of 64 in a row, found cell by cell.
    pub(crate) fn eroded_word(&self, word: usize, y: u16, floor: u8, footprint: Footprint) -> u64 {
        self.walkable.eroded_word(word, y, floor, footprint.side())
    }

    /// The walkable cells that decide where a body at `cell` can go next.
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint) -> Rows {
        self.walkable.rows_around(cell, footprint, self.size)
    }

    /// Whether `rules` allow one of the eight steps from `from` to `to`, bodies aside. O(1).
    pub fn allows_step(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        from.direction_to(to)
            .is_some_and(|direction| self.steps(from, rules).contains(direction))
    }

    /// What a step costs, or `None` if the map or `rules` forbid it, bodies aside: what the
    /// metric says, times the cost of the dearest cell that the body covers afterwards.
    pub fn step_cost(&self, from: Cell, direction: Direction, rules: Rules) -> Option<Cost> {
        if !self.steps(from, rules).contains(direction) {
            return None;
        }
        let to = from.step(direction)?;
        Some(rules.metric.step(direction)? * self.cost_of_body(to, rules.footprint))
    }

    /// What it costs to get from one cell to another at once, by a step or a link, whichever is
    /// cheaper; `None` if neither leads there. A link needs the body to fit at its end.
    pub fn move_cost(&self, from: Cell, to: Cell, rules: Rules) -> Option<Cost> {
        let step = from
            .direction_to(to)
            .and_then(|direction| self.step_cost(from, direction, rules));
        let link = if self.contains(from) && self.fits(to, rules.footprint) {
            self.links.between(from, to)
        } else {
            None
        };
        let link = link.map(|link| Cost::from(link.cost) * rules.metric.straight());
        step.into_iter().chain(link).min()
    }

    /// Whether a step or a link leads from one cell to another at once, bodies aside.
    pub fn allows_move(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        self.move_cost(from, to, rules).is_some()
    }
}
