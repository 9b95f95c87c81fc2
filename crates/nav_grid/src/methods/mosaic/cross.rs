//! The costs to cross a block from one side to the others.

use crate::rules::{COST_MAX, Cost};

/// The cost of a cell that was not reached. No path costs as much.
pub(crate) const UNREACHED: Cost = COST_MAX;

/// Costs along the four sides of a block, each from its first corner to its last.
pub(crate) type Sides = [[Cost; 64]; 4];

/// Costs of moves over uniform ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCosts {
    /// The cost of a straight step.
    pub(crate) straight: Cost,
    /// The extra cost of a diagonal step, or of two straight steps where the metric has none.
    pub(crate) slope: Cost,
}

impl BlockCosts {
    /// The cost over `dx` columns and `dy` rows.
    #[inline]
    pub(crate) fn cost(self, dx: u16, dy: u16) -> Cost {
        self.straight * Cost::from(dx.max(dy)) + self.slope * Cost::from(dx.min(dy))
    }

    /// The costs on ground that costs `factor` times as much.
    #[inline]
    pub(crate) fn times(self, factor: Cost) -> Self {
        Self {
            straight: self.straight * factor,
            slope: self.slope * factor,
        }
    }
}

/// Lowers the costs of all sides of a block of `side` columns to the costs of the ways through
/// it from the cells of the side `source`.
///
/// A way over columns and rows costs `straight` for each of the greater number and `slope` for
/// each of the lesser. Between cells of one side the lesser number is 0. Between opposite sides
/// the greater is `side - 1`. Between adjacent sides the greater is the distance from the common
/// corner to the further cell. In each case running minima, forward and backward, give every cell
/// its least sum over all cells of the source.
///
/// Costs may be up to [`UNREACHED`]. Results may exceed it by a crossing.
///
/// # Complexity
///
/// O(side). Comparing all pairs would take O(side²).
pub(crate) fn cross(sides: &mut Sides, source: usize, side: usize, step_costs: BlockCosts) {
    let mut from = sides[source];
    let from = &mut from[..side];

    // The adjacent sides, each counted from the common corner.
    let next = sides[(source + 1) % 4][..side].iter_mut();
    turn(from.iter().copied().rev(), next, step_costs);
    let before = sides[(source + 3) % 4][..side].iter_mut();
    turn(from.iter().copied(), before.rev(), step_costs);

    let mut facing = [0; 64];
    facing[..side].copy_from_slice(from);
    spread(&mut facing[..side], step_costs.slope);
    let through = step_costs.straight * (side as Cost - 1);
    let opposite = sides[(source + 2) % 4][..side].iter_mut().rev();
    for (to, cost) in opposite.zip(facing) {
        *to = (*to).min(cost + through);
    }

    spread(from, step_costs.straight);
    sides[source][..side].copy_from_slice(from);
}

/// Lowers every cost to the least sum of another cost and `step` for each place between.
fn spread(costs: &mut [Cost], step: Cost) {
    let lower = |least: Cost, cost: &mut Cost| {
        *cost = (*cost).min(least + step);
        *cost
    };
    costs.iter_mut().fold(Cost::MAX - step, lower);
    costs.iter_mut().rev().fold(Cost::MAX - step, lower);
}

/// Lowers the costs of a side to the costs of the ways from an adjacent side. Both are counted
/// from the common corner.
fn turn<'a>(
    from: impl ExactSizeIterator<Item = Cost>,
    to: impl Iterator<Item = &'a mut Cost>,
    step_costs: BlockCosts,
) {
    let BlockCosts { straight, slope } = step_costs;
    let mut costs = [0; 64];
    let count = from.len();
    for (slot, cost) in costs.iter_mut().zip(from) {
        *slot = cost;
    }
    let mut targets: [Cost; 64] = [Cost::MAX; 64];
    let costs = &costs[..count];
    // From cells no further from the corner than the target.
    let mut least = Cost::MAX;
    for ((target, &cost), at) in targets.iter_mut().zip(costs).zip(0..) {
        least = least.min(cost + slope * at);
        *target = least + straight * at;
    }
    // From cells further from it.
    let mut least = UNREACHED;
    let places = targets[..count].iter_mut().zip(costs);
    for ((target, &cost), at) in places.zip(0..count as Cost).rev() {
        *target = (*target).min(least + slope * at);
        least = least.min(cost + straight * at);
    }
    for (to, target) in to.zip(targets) {
        *to = (*to).min(target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cell::Cell, index::mosaic::Block};

    #[test]
    fn cross_gives_least_sums() {
        let mut state = 7_u32;
        for (level, slope) in (1..=6).flat_map(|level| [0, 4, 10].map(|slope| (level, slope))) {
            let block = Block::around(Cell::new(0, 0), level);
            let side = usize::from(block.side());
            let step_costs = BlockCosts {
                straight: 10,
                slope,
            };
            for source in 0..4 {
                let mut sides = [[UNREACHED; 64]; 4];
                for cost in &mut sides[source][..side] {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if state >> 30 == 0 {
                        *cost = state >> 20 & 0xff;
                    }
                }
                let before = sides[source];
                cross(&mut sides, source, side, step_costs);
                for (q, costs) in sides.iter().enumerate() {
                    for (along, &cost) in (0..block.side()).zip(costs) {
                        let to = block.side_cell(q, along);
                        let sums = (0..block.side()).zip(before).map(|(along, cost)| {
                            let from = block.side_cell(source, along);
                            cost + step_costs.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
                        });
                        let least = sums.min().unwrap();
                        assert!(cost == least || cost.min(least) >= UNREACHED);
                    }
                }
            }
        }
    }
}
