//! How a walker may move on a map, and what that costs.

use super::{body_rows::BodyRows, grid::Grid, link::Link};
use crate::{
    cell::{Cell, Direction, Directions},
    map::{
        bitboard::{Bitboard, Jumps},
        body_rows::around,
    },
    rules::{CornerRule, Cost, Footprint, Rules},
};

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

    /// The same, called.
    #[inline(never)]
    fn steps_of(&self, cell: Cell, rules: Rules) -> Directions {
        self.steps(cell, rules)
    }

    /// The directions in which all cells of a body may be left.
    #[inline(never)]
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
            None => self.surroundings_by_rows(cell, footprint),
        };
        usize::from(around)
    }

    #[cold]
    fn surroundings_by_rows(&self, cell: Cell, footprint: Footprint) -> u8 {
        around(self.rows_around(cell, footprint), footprint)
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
    pub(crate) fn jumps(&self, footprint: Footprint, corners: CornerRule) -> Option<&Jumps> {
        self.clearance.jumps(footprint, corners)
    }

    /// The anchors at which a body fits, of 64 in a row, found cell by cell.
    pub(crate) fn eroded_word(&self, word: usize, y: u16, floor: u8, footprint: Footprint) -> u64 {
        self.walkable.eroded_word(word, y, floor, footprint.side())
    }

    /// The walkable cells that decide where a body at `cell` can go next.
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint) -> BodyRows {
        self.walkable.rows_around(cell, footprint, self.size)
    }

    /// Whether `rules` allow one of the eight steps from `from` to `to`, bodies aside. O(1).
    #[inline]
    pub fn allows_step(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        let Some(direction) = from.direction_to(to) else {
            return false;
        };
        if rules.footprint == Footprint::ONE && !self.has_exits() {
            return self.lets_through(from, to, rules);
        }
        self.steps_of(from, rules).contains(direction)
    }

    /// The same for a body of one cell, from a cell to one beside it, where nothing but walls is in
    /// the way: looks at no more cells than it has to.
    #[inline]
    fn lets_through(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        if !self.contains(from) || !self.is_walkable(to) {
            return false;
        }
        if from.x == to.x || from.y == to.y {
            return true;
        }
        // Both corners lie on the map, since both ends do.
        let is_open = |x, y| self.walkable.get(x, y, from.floor);
        rules.metric.diagonal().is_some()
            && (rules.corners == CornerRule::Cut || is_open(from.x, to.y) && is_open(to.x, from.y))
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
        let link = self
            .link_between(from, to, rules.footprint)
            .map(|link| Cost::from(link.cost) * rules.metric.straight());
        step.into_iter().chain(link).min()
    }

    /// Whether a step or a link leads from one cell to another at once, bodies aside.
    #[inline]
    pub fn allows_move(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        self.allows_step(from, to, rules) || self.link_between(from, to, rules.footprint).is_some()
    }

    /// The link from one cell to another that a body can follow.
    #[inline(never)]
    fn link_between(&self, from: Cell, to: Cell, footprint: Footprint) -> Option<&Link> {
        if self.contains(from) && self.fits(to, footprint) {
            self.links.between(from, to)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Metric;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    #[test]
    fn a_step_is_allowed_if_it_is_one_of_the_steps() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut grid = Grid::from_fn(67, 9, |_| random.random_range(0..3u32) > 0).unwrap();
        for fenced in [false, true] {
            if fenced {
                let north = Directions::from(Direction::North);
                grid.set_exits(Cell::new(5, 5), north).unwrap();
            }
            let rules = Metric::ALL
                .into_iter()
                .flat_map(|metric| CornerRule::ALL.map(|corners| Rules::new(metric, corners)));
            for (rules, side) in rules.flat_map(|rules| [(rules, 1), (rules, 2)]) {
                let rules = rules.with_footprint(Footprint::new(side).unwrap());
                // From beyond the map, too.
                for from in (0..11).flat_map(|y| (0..70).map(move |x| Cell::new(x, y))) {
                    let allowed = Direction::ALL.into_iter().filter(|&way| {
                        let to = from.step(way);
                        to.is_some_and(|to| grid.allows_step(from, to, rules))
                    });
                    let allowed: Directions = allowed.collect();
                    assert_eq!(allowed, grid.steps(from, rules), "from {from} by {rules:?}");
                    assert!(!grid.allows_step(from, from, rules));
                }
            }
        }
    }
}
