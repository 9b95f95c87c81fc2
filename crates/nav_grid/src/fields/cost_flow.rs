//! Answers of cost fields: costs, next cells, and all steps that lead on.

use super::{CostField, cost_nodes::CostNode};
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    path::Path,
    rules::{Cost, Rules},
};

/// The moves from a cell that lead to the target of a [`CostField`], ranked by how much more than
/// the cheapest way they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CostFlow {
    /// Steps onto a cheapest way.
    pub best: Directions,
    /// Other steps that cost little more: ways around a body on the best steps. Some lead nearer,
    /// others up to one step to the side.
    pub sides: Directions,
    /// The end of a link onto a cheapest way; only where no step leads there.
    pub link: Option<Cell>,
}

/// Look-ups in fields of one target, from [`compute`](Self::compute). Only [`cost`](Self::cost)
/// also serves fields past bodies.
impl CostField {
    /// The cost from a cell to the target or the nearest goal, in units of the metric, tolls
    /// included: 0 at a goal, `None` where no way is known.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.known(cell).map(|node| node.cost)
    }

    #[inline]
    fn known(&self, cell: Cell) -> Option<CostNode> {
        self.nodes.get(cell).filter(CostNode::is_known)
    }

    /// The next cell on the way to the target, by a step or a link; `None` at the target and where
    /// no way leads there. `grid` is the map that the field was computed on.
    #[inline]
    pub fn next(&self, grid: &Grid, cell: Cell) -> Option<Cell> {
        match self.known(cell)?.step() {
            Some(step) => cell.step(step),
            None => self.next_by_link(grid, cell),
        }
    }

    #[cold]
    fn next_by_link(&self, grid: &Grid, cell: Cell) -> Option<Cell> {
        self.best_link((grid, self.query()?.rules), cell)
    }

    /// Replaces the content of `path` with the way from a cell to the target, and returns its
    /// cost; `None`, with an empty path, where no way leads there.
    pub fn follow(&self, grid: &Grid, start: Cell, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.cost(start)?;
        path.extend(std::iter::successors(self.next(grid, start), |&at| {
            self.next(grid, at)
        }));
        Some(cost)
    }

    /// The moves that lead on from a cell of the map that the field was computed on; none at the
    /// target. `None` where no way within the limits leads there.
    ///
    /// Sides are steps that cost less than two straight steps on the best ground more than the
    /// cheapest way. Under every metric a step back costs that much, and a step to the side less.
    ///
    /// O(1).
    #[doc(hidden)]
    pub fn look(&self, grid: &Grid, cell: Cell) -> Option<CostFlow> {
        let rules = self.query()?.rules;
        let grid = grid.for_rules(rules);
        let here = self.cost(cell)?;
        let mut flow = CostFlow::default();
        if here == 0 {
            return Some(flow);
        }
        let most = here.saturating_add(2 * rules.metric.straight());
        for direction in grid.steps(cell, rules) {
            let (Some(to), Some(step)) = (cell.step(direction), rules.metric.step(direction))
            else {
                continue;
            };
            let Some(rest) = self.cost(to) else {
                continue;
            };
            let ground = grid.cost_of_body(to, rules.footprint);
            let whole = rest.saturating_add(rules.metric.onto(step, ground));
            let way = Directions::from(direction).0;
            if whole <= here {
                flow.best.0 |= way;
            } else if whole < most {
                flow.sides.0 |= way;
            }
        }
        if flow.best.is_empty() {
            flow.link = self.next(grid, cell);
        }
        Some(flow)
    }
}

/// Look-ups in fields past bodies, from [`compute_past`](Self::compute_past), on the same map and
/// under the same rules.
impl CostField {
    /// The direction in which a step leads to a goal at the least cost; `None` if none leads
    /// nearer. Of equals the first straight one clockwise from `ahead`, then the first diagonal
    /// one.
    #[doc(hidden)]
    pub fn best_step(
        &self,
        (grid, rules): (&Grid, Rules),
        from: Cell,
        ahead: Direction,
    ) -> Option<Direction> {
        let here = self.nodes.get(from)?;
        let ways = grid.steps(from, rules).into_iter().filter_map(|way| {
            let rest = self.rest(here, from.step(way)?, rules)?;
            let step = grid.step_cost(from, way, rules)?;
            let turn = (way as u8).wrapping_sub(ahead as u8) % 8;
            Some(((rest + step, way.is_diagonal(), turn), way))
        });
        let best = ways.min_by_key(|&(total, _)| total);
        best.map(|(_, way)| way)
    }

    /// The end of the first link on a cheapest way from a cell. A step may be as good.
    #[doc(hidden)]
    pub fn best_link(&self, (grid, rules): (&Grid, Rules), from: Cell) -> Option<Cell> {
        let here = self.known(from)?;
        let links = grid.for_rules(rules).links_from(from);
        let best = links.iter().find(|link| {
            let step = rules.metric.straight() * Cost::from(link.cost);
            let rest = self.rest(here, link.to, rules);
            rest.is_some_and(|rest| rest + step == here.cost)
        });
        best.map(|link| link.to)
    }

    /// The cost from the end of a move on, past the body there; `None` if that is not nearer to a
    /// goal or the move is not allowed.
    fn rest(&self, here: CostNode, to: Cell, rules: Rules) -> Option<Cost> {
        let there = self.nodes.get(to).filter(|there| there.cost < here.cost)?;
        let leaves_goals = here.among_goals && !there.among_goals;
        there.cost_past(rules.metric).filter(|_| !leaves_goals)
    }
}
