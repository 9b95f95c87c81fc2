//! What it costs to get from one side of a block to another.

use crate::rules::{COST_MAX, Cost};

/// Stands in for the cost of a cell that was not reached. No cost of a path is as high.
pub(crate) const UNREACHED: Cost = COST_MAX;

/// Costs along the four sides of a block, each from its first corner to its last.
pub(crate) type Sides = [[Cost; 64]; 4];

/// Costs of moves over uniform ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockCosts {
    /// Of a straight step.
    pub(crate) straight: Cost,
    /// What a step costs more if it is diagonal; two straight ones take its place where the
    /// metric has none.
    pub(crate) slope: Cost,
}

impl BlockCosts {
    /// Cost over so many columns and rows.
    #[inline]
    pub(crate) fn cost(self, dx: u16, dy: u16) -> Cost {
        self.straight * Cost::from(dx.max(dy)) + self.slope * Cost::from(dx.min(dy))
    }

    /// The same on ground that costs so many times more.
    #[inline]
    pub(crate) fn times(self, factor: Cost) -> Self {
        Self {
            straight: self.straight * factor,
            slope: self.slope * factor,
        }
    }
}

/// Lowers the costs of all sides of a block of `side` columns to what the way through it from a
/// cell of the side `source` costs, where that is less.
///
/// A way over so many columns and rows costs `straight` for each of the greater number and
/// `slope` for each of the lesser. Between cells of one side the lesser number is 0; between
/// opposite sides the greater is `side - 1`; between adjacent sides the greater is that of the
/// cell further from the corner between them. In each case running minima, forward and
/// backward, give every cell its least sum over all cells of the source.
///
/// Costs may be up to [`UNREACHED`], and results a crossing more.
///
/// # Complexity
///
/// O(side), where comparing all pairs would take its square.
pub(crate) fn cross(sides: &mut Sides, source: usize, side: usize, step_costs: BlockCosts) {
    let mut from = sides[source];
    let from = &mut from[..side];

    // Both corners' neighbours, each counted from the corner.
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

/// Lowers every cost to the least of the others and `step` for each place between.
fn spread(costs: &mut [Cost], step: Cost) {
    let mut least = Cost::MAX - step;
    for cost in costs.iter_mut() {
        least = (*cost).min(least + step);
        *cost = least;
    }
    let mut least = Cost::MAX - step;
    for cost in costs.iter_mut().rev() {
        least = (*cost).min(least + step);
        *cost = least;
    }
}

/// Lowers the costs of a side to what it costs to get there from an adjacent one. Both are
/// counted from the corner between them.
fn turn<'a>(
    from: impl DoubleEndedIterator<Item = Cost> + ExactSizeIterator,
    to: impl DoubleEndedIterator<Item = &'a mut Cost> + ExactSizeIterator,
    step_costs: BlockCosts,
) {
    let BlockCosts { straight, slope } = step_costs;
    let mut costs = [0; 64];
    let mut count = 0;
    for (slot, cost) in costs.iter_mut().zip(from) {
        *slot = cost;
        count += 1;
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
    fn every_cell_gets_the_least_sum_over_all_cells_of_the_source() {
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
