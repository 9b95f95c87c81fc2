//! The legal steps and links out of a cell of a map, and their costs.

use super::{
    bitboard::{Bitboard, BodyRows, Jumps, around},
    grid::Grid,
    link::Link,
    nearest::nearest_cell,
};
use crate::{
    cell::{Cell, Direction, Directions},
    rules::{CornerRule, Cost, Footprint, Rules},
};

/// The links of the map.
impl Grid {
    /// All links, ordered by their start, then their end.
    pub fn links(&self) -> &[Link] {
        &self.links.leaving
    }

    /// Whether some link may be [slow](Link::is_slow).
    #[doc(hidden)]
    #[inline]
    pub fn has_slow_links(&self) -> bool {
        self.links.has_slow
    }

    /// The links that leave `cell`, ordered by their end. O(1) without such links, else O(log n).
    #[inline]
    pub fn links_from(&self, cell: Cell) -> &[Link] {
        if self.contains(cell) {
            self.links.from(cell)
        } else {
            &[]
        }
    }

    /// The links that lead to `cell`, ordered by their start. O(log n).
    pub fn links_to(&self, cell: Cell) -> &[Link] {
        self.links.to(cell)
    }
}

/// Moves of one walker on the map as it [finds](Grid::for_rules) it, ignoring bodies.
impl Grid {
    /// The steps that `rules` allow out of `cell`, ignoring bodies; none if `cell` is outside the
    /// map.
    ///
    /// # Out of a wall
    ///
    /// `cell` itself may be blocked, for an agent in a door that closed. Then the steps lead onto
    /// the ground beside it, as from any cell. Where there are none, deeper inside a wall, the
    /// body may take one step: toward the nearest cell of its floor where it fits, whatever walls,
    /// corners and exits lie between. Nearest by columns or rows, whichever are more, then by
    /// straight distance, then in reading order. Each such step leads nearer to ground, so a body
    /// cannot walk about inside a wall, and no step leads from ground into one.
    #[inline]
    pub fn steps(&self, cell: Cell, rules: Rules) -> Directions {
        let grid = self.for_rules(rules);
        if !grid.contains(cell) {
            return Directions::NONE;
        }
        let legal = grid.steps_onto_ground(cell, rules);
        if legal.is_empty() {
            return grid.step_out(cell, rules);
        }
        legal
    }

    /// The steps onto neighbouring ground that `rules` allow out of a cell of the map.
    #[inline]
    pub(crate) fn steps_onto_ground(&self, cell: Cell, rules: Rules) -> Directions {
        // A table of 256 entries turns the eight bits around a cell into the legal steps.
        let legal = rules.move_table()[self.surroundings(cell, rules.footprint)];
        if self.has_exits() {
            legal.intersection(self.exits_of_body(cell, rules.footprint))
        } else {
            legal
        }
    }

    /// The step from inside a wall toward the nearest ground; none from ground.
    ///
    /// O(1) from ground. Otherwise O(d²/64) in the distance d to the nearest ground: 1 µs at 5
    /// cells, 2 ms at 2000.
    #[cold]
    fn step_out(&self, cell: Cell, rules: Rules) -> Directions {
        if self.fits(cell, rules.footprint) {
            return Directions::NONE;
        }
        let place = self.nearest_place(cell, rules.footprint);
        let toward = place.and_then(|place| step_toward(cell, place, rules));
        toward.map_or(Directions::NONE, Directions::from)
    }

    /// The nearest cell of a floor where a body fits, in the order of [`steps`](Self::steps).
    pub(crate) fn nearest_place(&self, cell: Cell, footprint: Footprint) -> Option<Cell> {
        let found = nearest_cell(
            self.size,
            cell,
            |_| true,
            |tile, y| self.places_word(tile.column.into(), y, tile.floor, footprint),
            |_| Some(0),
        );
        found.0
    }

    /// [`steps`](Self::steps) as a call, which keeps its code out of callers that seldom need it.
    #[inline(never)]
    fn steps_of(&self, cell: Cell, rules: Rules) -> Directions {
        self.steps(cell, rules)
    }

    /// The directions in which every cell of a body may be left.
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

    /// The cost of the dearest cell that a body covers; blocked cells count with their kept cost.
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

    /// The bitboard of the anchors at which a body fits, if it is prepared.
    #[inline]
    pub(crate) fn board(&self, footprint: Footprint) -> Option<&Bitboard> {
        if footprint == Footprint::ONE {
            Some(&self.walkable)
        } else {
            self.clearance.board(footprint)
        }
    }

    /// The ends of scans for jump points, if they are [prepared](Grid::prepare_jumps).
    #[inline]
    pub(crate) fn jumps(&self, footprint: Footprint, corners: CornerRule) -> Option<&Jumps> {
        self.clearance.jumps(footprint, corners)
    }

    /// One word of a row of the anchors at which a body fits, from its board or else computed from
    /// its cells. 0 beyond the row.
    pub(crate) fn places_word(&self, word: usize, y: u16, floor: u8, footprint: Footprint) -> u64 {
        match self.board(footprint) {
            Some(board) => board.row(y, floor).get(word).copied().unwrap_or(0),
            None if word < usize::from(self.width()).div_ceil(64) => {
                self.walkable.eroded_word(word, y, floor, footprint.side())
            }
            None => 0,
        }
    }

    /// The walkable cells that decide where a body at `cell` can go next.
    pub(crate) fn rows_around(&self, cell: Cell, footprint: Footprint) -> BodyRows {
        self.walkable.rows_around(cell, footprint, self.size)
    }

    /// Whether `rules` allow one of the eight steps from `from` to `to`, ignoring bodies. O(1).
    #[inline]
    pub fn allows_step(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        let Some(direction) = from.direction_to(to) else {
            return false;
        };
        let grid = self.for_rules(rules);
        // The usual case reads one or three cells, where `steps` reads eight.
        if rules.footprint == Footprint::ONE && !grid.has_exits() && grid.is_walkable(from) {
            return grid.lets_through(from, to, rules);
        }
        grid.steps_of(from, rules).contains(direction)
    }

    /// [`allows_step`](Self::allows_step) for neighbouring cells, a body of one cell and a map
    /// without exits: reads only the cells that decide.
    #[inline]
    fn lets_through(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        if !self.is_walkable(to) {
            return false;
        }
        if from.x == to.x || from.y == to.y {
            return true;
        }
        // Both corners lie on the map, since both ends do.
        rules.metric.diagonal().is_some()
            && (rules.corners == CornerRule::Cut
                || self.walkable.get(from.x, to.y, from.floor)
                    && self.walkable.get(to.x, from.y, from.floor))
    }

    /// The cost of a step, or `None` if the map or `rules` forbid it, ignoring bodies: the metric's
    /// cost times the cost of the dearest cell that the body covers afterwards, or plus what that
    /// cell [adds](crate::rules::StepCosts::adding).
    pub fn step_cost(&self, from: Cell, direction: Direction, rules: Rules) -> Option<Cost> {
        let grid = self.for_rules(rules);
        if !grid.steps(from, rules).contains(direction) {
            return None;
        }
        let to = from.step(direction)?;
        let ground = grid.cost_of_body(to, rules.footprint);
        Some(rules.metric.onto(rules.metric.step(direction)?, ground))
    }

    /// The cost of a move from one cell to another by a step or a link, whichever is cheaper;
    /// `None` without either. A link needs the body to fit at its end.
    pub fn move_cost(&self, from: Cell, to: Cell, rules: Rules) -> Option<Cost> {
        let direction = from.direction_to(to);
        let step = direction.and_then(|direction| self.step_cost(from, direction, rules));
        let link = self
            .for_rules(rules)
            .link_between(from, to, rules.footprint);
        let link = link.map(|link| Cost::from(link.cost) * rules.metric.straight());
        step.into_iter().chain(link).min()
    }

    /// Whether a step or a link leads from one cell to another, ignoring bodies.
    #[inline]
    pub fn allows_move(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        let grid = self.for_rules(rules);
        grid.allows_step(from, to, rules) || grid.link_between(from, to, rules.footprint).is_some()
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

/// The step inside a wall toward a place. It stays the nearest on the way there, but where both
/// sides are equal and there are no diagonal steps.
pub(crate) fn step_toward(cell: Cell, place: Cell, rules: Rules) -> Option<Direction> {
    let dx = i32::from(place.x) - i32::from(cell.x);
    let dy = i32::from(place.y) - i32::from(cell.y);
    let (dx, dy) = match rules.metric.diagonal() {
        Some(_) => (dx, dy),
        // Along the longer side, so that the place comes nearer in the order of nearness.
        None if dx.abs() >= dy.abs() => (dx, 0),
        None => (0, dy),
    };
    Direction::from_delta(dx.signum(), dy.signum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Metric;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    #[test]
    fn allowed_steps_match_steps() {
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
