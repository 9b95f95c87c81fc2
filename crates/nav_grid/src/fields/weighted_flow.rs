//! The steps from a cell that lead on to the target of a weighted field, and those around somebody who is
//! on the best ones.

use super::weighted::WeightedField;
use crate::{
    cell::{Cell, Directions},
    map::Grid,
};

/// The moves from a cell that lead on to the target of a [`WeightedField`], by what it costs to go there and
/// on from there, beyond what the cheapest way costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WeightedFlow {
    /// Steps onto a cheapest way.
    pub best: Directions,
    /// Other steps that cost little more: ways around somebody who is on the best ones. Some of them lead
    /// nearer, some as far to the side as a step is wide.
    pub sides: Directions,
    /// The end of a link onto a cheapest way; only where no step leads there.
    pub link: Option<Cell>,
}

impl WeightedField {
    /// The moves that lead on from a cell of the map that the field was made of; none at the target.
    /// `None` where no way within the limits leads there.
    ///
    /// Other steps count if they cost less than two straight steps on the best ground more than the cheapest
    /// way does: a step back costs as much as that, and one to the side less, under every metric.
    ///
    /// O(1).
    pub fn look(&self, grid: &Grid, cell: Cell) -> Option<WeightedFlow> {
        let rules = self.query()?.rules;
        let here = self.cost(cell)?;
        let mut flow = WeightedFlow::default();
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
            let step = step * grid.cost_of_body(to, rules.footprint);
            let whole = rest.saturating_add(step);
            if whole >= most {
                continue;
            }
            let way = Directions::from(direction).0;
            if whole <= here {
                flow.best.0 |= way;
            } else {
                flow.sides.0 |= way;
            }
        }
        if flow.best.is_empty() {
            // Be it to a cell beside, onto which no step may be taken.
            flow.link = self.next(cell);
        }
        Some(flow)
    }
}
