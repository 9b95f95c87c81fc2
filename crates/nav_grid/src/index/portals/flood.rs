//! Distances inside a cluster whose cells have exits or step costs, a cell at a time.

use super::{
    cluster::{ClusterGround, ClusterRows, MixedGround, NO_ROWS, SIDE, SPOTS, Spot, is_in},
    portal::NONE,
    wave::WaveDirection,
};
use crate::{bits::ones, cell::Direction, map::Grid, queues::BucketQueue, rules::IntegerCosts};
use std::{iter::Peekable, ops::Range};

/// Dijkstra's search in one cluster.
///
/// A wave a word a row would need a front for each unit of cost, a pass for each cost of a step,
/// and one for each direction with exits. This takes as long for any exits and costs.
#[derive(Clone, Debug, Default)]
pub(super) struct CostFlood {
    queue: BucketQueue<Spot>,
    /// By spot: the cost, or [`NONE`]. Empty before the first flood.
    costs: Vec<u32>,
    /// The number of spots that the last flood passed.
    pub(super) passed: u32,
}

impl CostFlood {
    /// [`ClusterWave::run`](super::wave::ClusterWave::run) on mixed ground.
    pub(super) fn run(
        &mut self,
        (ground, mixed): (&ClusterGround, &MixedGround),
        step_costs: IntegerCosts,
        way: WaveDirection,
        mut seeds: Peekable<impl Iterator<Item = (u32, Spot)>>,
        mut visit: impl FnMut(u32, &ClusterRows, Range<usize>) -> bool,
    ) {
        let Self {
            queue,
            costs,
            passed,
        } = self;
        costs.clear();
        costs.resize(SPOTS, NONE);
        let Ok(costs) = <&mut [u32; SPOTS]>::try_from(costs.as_mut_slice()) else {
            return;
        };
        let dearest = step_costs.longest() as u32 * u32::from(Grid::COST_WORST);
        queue.start(0, 0, dearest);
        *passed = 0;
        let mut seed = |queue: &mut BucketQueue<Spot>, costs: &mut [u32; SPOTS], most: u32| {
            while let Some((due, spot)) = seeds.next_if(|&(due, _)| due <= most) {
                let known = &mut costs[usize::from(spot)];
                if due < *known && is_in(&ground.free, spot) {
                    *known = due;
                    queue.push(due, spot);
                }
            }
            seeds.peek().map(|&(due, _)| due)
        };
        // The cost of the first seed that is too far to be queued yet. Such seeds wait, so that no
        // empty buckets lie between.
        let mut waiting = Some(0);
        let legal = ground.steps(step_costs.diagonal > 0, way);
        let steps = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            let by = (dy * i32::from(SIDE) + dx) as i16;
            let forward = way == WaveDirection::Forward;
            (
                if forward { by } else { -by },
                step_costs.step(direction.is_diagonal()),
            )
        });
        // The spots of one cost, and their rows.
        let (mut front, mut first, mut end, mut now) = (NO_ROWS, usize::MAX, 0, 0);
        loop {
            let Some((cost, spot)) = queue.pop() else {
                let Some(due) = waiting else { break };
                queue.start(0, due, dearest);
                waiting = seed(queue, costs, due.saturating_add(dearest));
                continue;
            };
            if costs[usize::from(spot)] != cost {
                continue;
            }
            if cost != now {
                if first < end && !visit(now, &front, first..end) {
                    return;
                }
                front[first.min(end)..end].fill(0);
                (first, end, now) = (usize::MAX, 0, cost);
                waiting = seed(queue, costs, cost.saturating_add(dearest));
            }
            *passed += 1;
            let (row, column) = (usize::from(spot / SIDE) + 1, spot % SIDE);
            front[row] |= 1 << column;
            (first, end) = (first.min(row), end.max(row + 1));
            let here = u32::from(mixed.costs[usize::from(spot)]);
            for direction in ones(legal[usize::from(spot)].into()) {
                let (by, step) = steps[direction as usize];
                // Legal steps stay in the cluster, which the compiler cannot know.
                let next = spot.wrapping_add_signed(by) % SPOTS as Spot;
                let entered = match way {
                    WaveDirection::Forward => mixed.costs[usize::from(next)].into(),
                    WaveDirection::Backward => here,
                };
                let cost = cost.saturating_add(step_costs.onto(step, entered));
                let known = &mut costs[usize::from(next)];
                if cost < *known {
                    *known = cost;
                    queue.push(cost, next);
                }
            }
        }
        if first < end {
            visit(now, &front, first..end);
        }
    }

    /// [`ClusterWave::trace`](super::wave::ClusterWave::trace) on mixed ground.
    pub(super) fn trace(
        &self,
        (ground, mixed): (&ClusterGround, &MixedGround),
        step_costs: IntegerCosts,
        end: Spot,
        mut visit: impl FnMut(Spot),
    ) {
        let mut spot = end;
        let cost = |spot: Spot| self.costs.get(usize::from(spot)).copied();
        while let Some(here) = cost(spot).filter(|&cost| cost != NONE && cost > 0) {
            visit(spot);
            let mut backs = [0, 2, 4, 6, 1, 3, 5, 7]
                .map(|way| Direction::ALL[way])
                .into_iter();
            let before = backs.find_map(|back| {
                let (dx, dy) = back.delta();
                let from = spot.wrapping_add_signed((dy * i32::from(SIDE) + dx) as i16);
                let step = step_costs.step(back.is_diagonal());
                let entered = mixed.costs[usize::from(spot)].into();
                let leads = step > 0
                    && cost(from)?.checked_add(step_costs.onto(step, entered)) == Some(here)
                    && ground.allows(from, back.opposite()) == Some(spot);
                leads.then_some(from)
            });
            // Every spot was reached from one before it.
            let Some(before) = before else { return };
            spot = before;
        }
    }
}
