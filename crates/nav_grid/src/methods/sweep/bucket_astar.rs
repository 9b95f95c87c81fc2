//! A* with a bucket queue over the words of a window, for costs that waves cannot express.

use crate::{
    cell::{Direction, Directions},
    query::Counters,
    rules::{Cost, Estimate, FreshTable, Heuristic, Metric, MoveTable, NO_STEP, Rules},
    window::{CENTER, FloodEnd, FloodMask, WindowPlace, WindowRows},
};
use std::ops::Range;

/// A\* from the [`CENTER`] of a window with a queue of buckets.
///
/// Buckets hold sums of cost and guess, each a range no wider than the least that a step off the
/// way to the goal adds, if [`BUCKETS`] are enough. A step then stays in its bucket only if it adds
/// nothing. In a bucket
/// the last cell comes first, on toward the goal, and a cell that becomes cheaper comes again. Once
/// a bucket is empty, the costs in it are the least ones. No step adds as much as [`BUCKETS`] of
/// them hold, so that many buckets are used in turn.
///
/// Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", 1969; wider buckets:
/// Denardo and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets", 1979.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketAStar {
    /// The least known cost of each place, row after row. [`Cost::MAX`] where unknown.
    costs: Vec<Cost>,
    buckets: [Vec<u64>; BUCKETS],
    counters: Counters,
    at: BucketProgress,
}

#[derive(Clone, Copy, Debug, Default)]
struct BucketProgress {
    /// The current bucket, and the number of empty ones before it.
    number: Cost,
    empty: usize,
    goal_cost: Cost,
    /// Whether a place was left out because of the limit on cost.
    limited: bool,
}

/// A query with the values that follow from it.
pub(crate) struct BucketTask<'a> {
    mask: FloodMask<'a>,
    fresh: &'static FreshTable,
    legal: &'static MoveTable,
    /// The index of the goal, or [`NOWHERE`].
    goal: usize,
    /// No path may cost more.
    cost_max: Cost,
    /// Whether a path may end short of the goal, so that places count from which no path within the
    /// limit leads there.
    ends_short: bool,
    /// The costs of steps.
    steps: [Cost; 8],
    /// Binary digits of the width of a bucket.
    shift: u32,
}

impl<'a> BucketTask<'a> {
    /// A task for a goal, `None` if it is not in the window.
    pub(crate) fn new(
        mask: FloodMask<'a>,
        rules: Rules,
        goal: Option<WindowPlace>,
        (cost_max, ends_short): (Cost, bool),
    ) -> Self {
        let straight = rules.metric.straight();
        let diagonal = rules.metric.diagonal().unwrap_or(2 * straight);
        // The steps that add least: a straight step toward the goal where a diagonal one would
        // do, and a diagonal one where a straight one would.
        let detour = (2 * straight).saturating_sub(diagonal);
        let least = detour.min(diagonal - straight).max(1);
        // Wider where costs are almost equal, so that the buckets hold what the dearest step adds.
        let most = 2 * diagonal / (BUCKETS as Cost - 2);
        let cost = |way: Direction| {
            if way.is_diagonal() {
                diagonal
            } else {
                straight
            }
        };
        Self {
            mask,
            fresh: rules.fresh_table(),
            legal: rules.move_table(),
            goal: goal.map_or(NOWHERE, index),
            cost_max,
            ends_short,
            steps: Direction::ALL.map(cost),
            shift: least.ilog2().max((most + 1).next_power_of_two().ilog2()),
        }
    }

    /// Whether the limit on cost leaves a place out, by the least cost of a path through it.
    #[inline]
    fn is_too_dear(&self, cost: Cost, total: Cost) -> bool {
        let least = if self.ends_short { cost } else { total };
        least > self.cost_max
    }

    /// The steps out of a place that may lead to a new one, given the step that led there.
    #[inline]
    fn ways(&self, at: usize, step: usize) -> Directions {
        let place = place(at);
        let around = place.around(self.mask.free);
        let Some(exits) = self.mask.exits else {
            return self.fresh[step][around];
        };
        let ways = self.legal[around].into_iter();
        ways.filter(|way| place.is_in(exits.of(*way))).collect()
    }
}

impl BucketAStar {
    /// Begins a search of some rows after `scanned` scans.
    pub(crate) fn begin(
        &mut self,
        task: &BucketTask<'_>,
        rows: Range<usize>,
        guess: &impl WindowHeuristic,
        scanned: u32,
    ) {
        self.costs.resize(PLACES, Cost::MAX);
        self.costs[rows.start * 64..rows.end * 64].fill(Cost::MAX);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.counters = Counters {
            scanned,
            ..Counters::NONE
        };
        let start = index(CENTER);
        self.costs[start] = 0;
        let least = guess.guess(start);
        self.at = BucketProgress {
            number: least >> task.shift,
            empty: 0,
            goal_cost: Cost::MAX,
            limited: task.is_too_dear(0, least),
        };
        if !self.at.limited {
            self.push(task, start, NO_STEP, 0, least);
        }
    }

    /// Continues until the goal is reached at the least cost, or up to a count of `stop`
    /// expansions.
    pub(crate) fn flood(
        &mut self,
        task: &BucketTask<'_>,
        guess: &mut impl WindowHeuristic,
        stop: u32,
    ) -> FloodEnd {
        let BucketProgress {
            mut number,
            mut empty,
            mut goal_cost,
            mut limited,
        } = self.at;
        loop {
            let slot = number as usize % BUCKETS;
            while let Some(entry) = self.buckets[slot].pop() {
                self.counters.popped += 1;
                let (cost, at, step) = unpack(entry);
                // Outdated: the place became cheaper after it was queued.
                if self.costs[at] != cost {
                    continue;
                }
                // Cannot lead to a cheaper path than the known one.
                if goal_cost < Cost::MAX && goal_cost <= cost + guess.guess(at) {
                    continue;
                }
                if self.counters.expanded == stop {
                    // Puts the place back for the next slice.
                    self.buckets[slot].push(entry);
                    self.counters.popped -= 1;
                    self.at = BucketProgress {
                        number,
                        empty,
                        goal_cost,
                        limited,
                    };
                    return FloodEnd::Slice;
                }
                self.counters.expanded += 1;
                guess.expand(at);
                for way in task.ways(at, step) {
                    let to = (at + OFFSETS[way as usize]) % PLACES;
                    let cost = cost + task.steps[way as usize];
                    if self.costs[to] <= cost {
                        continue;
                    }
                    guess.reach(way, to);
                    let total = cost + guess.guess(to);
                    if task.is_too_dear(cost, total) {
                        limited = true;
                        continue;
                    }
                    self.costs[to] = cost;
                    if to == task.goal {
                        goal_cost = cost;
                    } else {
                        self.push(task, to, way as usize, cost, total);
                    }
                }
            }
            if goal_cost >> task.shift <= number {
                return FloodEnd::Goal;
            }
            number += 1;
            let is_empty = self.buckets[number as usize % BUCKETS].is_empty();
            empty = if is_empty { empty + 1 } else { 0 };
            if empty == BUCKETS {
                return match (goal_cost, limited) {
                    (Cost::MAX, true) => FloodEnd::Limit,
                    (Cost::MAX, false) => FloodEnd::Exhausted,
                    _ => FloodEnd::Goal,
                };
            }
        }
    }

    fn push(&mut self, task: &BucketTask<'_>, at: usize, step: usize, cost: Cost, total: Cost) {
        self.counters.pushed += 1;
        let slot = (total >> task.shift) as usize % BUCKETS;
        self.buckets[slot].push(pack(cost, at, step));
    }

    /// The places of some rows that were reached.
    pub(crate) fn reached(&self, rows: Range<usize>) -> WindowRows {
        let mut reached = [0; 72];
        for row in rows {
            let costs = self.costs[row * 64..][..64].iter().enumerate();
            reached[row] = costs.fold(0, |bits, (column, &cost)| {
                bits | u64::from(cost < Cost::MAX) << column
            });
        }
        reached
    }

    /// The cost of a reached place. It is the least cost if it is below that of the goal.
    #[inline]
    pub(crate) fn cost(&self, place: WindowPlace) -> Cost {
        self.costs[index(place)]
    }

    /// The directions of `ways` in which a cheapest path to a place comes from.
    #[inline]
    pub(crate) fn led_to(&self, place: WindowPlace, ways: u8, rules: Rules) -> u8 {
        let at = index(place);
        let leading = Directions(ways).into_iter().filter(|&way| {
            let from = (at + OFFSETS[way as usize]) % PLACES;
            let step = rules.metric.step(way).unwrap_or(Cost::MAX);
            self.costs[from].checked_add(step) == Some(self.costs[at])
        });
        leading.collect::<Directions>().0
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }
}

/// A lower bound of the cost to the goal from places of a window.
pub(crate) trait WindowHeuristic {
    /// Prepares for the neighbours of a place that is expanded: the [`CENTER`], or a place that was
    /// reached.
    fn expand(&mut self, from: usize);

    /// Reaches a place in a direction of the expanded one.
    fn reach(&mut self, way: Direction, to: usize);

    /// The least cost from a place that was reached.
    fn guess(&self, at: usize) -> Cost;
}

/// The guess by columns and rows, as if there were no walls.
pub(crate) struct OpenGroundHeuristic {
    goal: usize,
    estimate: Estimate,
}

impl OpenGroundHeuristic {
    pub(crate) fn new(metric: Metric, goal: Option<WindowPlace>) -> Self {
        Self {
            goal: goal.map_or(NOWHERE, index),
            estimate: match goal {
                Some(_) => Estimate::exact(metric),
                None => Estimate::new(Heuristic::Zero, metric),
            },
        }
    }
}

impl WindowHeuristic for OpenGroundHeuristic {
    #[inline]
    fn expand(&mut self, _from: usize) {}

    #[inline]
    fn reach(&mut self, _way: Direction, _to: usize) {}

    #[inline]
    fn guess(&self, at: usize) -> Cost {
        let columns = (at % 64).abs_diff(self.goal % 64);
        let rows = (at / 64).abs_diff(self.goal / 64);
        self.estimate.cost(columns as u16, rows as u16)
    }
}

/// The number of buckets in turn. A power of two above the widths that any step adds: the dearest
/// step and the guess it undoes, in units of the least detour.
const BUCKETS: usize = 16;

/// No place of a window.
const NOWHERE: usize = PLACES;

#[inline]
pub(crate) fn index(place: WindowPlace) -> usize {
    place.row * 64 + place.column as usize
}

/// Undoes [`index`].
#[inline]
pub(crate) fn place(index: usize) -> WindowPlace {
    WindowPlace {
        row: index / 64,
        column: (index % 64) as u32,
    }
}

/// The places of a window and some beside it: a power of two, so that a remainder is cheap.
pub(crate) const PLACES: usize = 128 * 64;

/// The offsets from a place to its neighbours, modulo [`PLACES`].
const OFFSETS: [usize; 8] = [
    PLACES - 64,
    PLACES - 63,
    1,
    65,
    64,
    63,
    PLACES - 1,
    PLACES - 65,
];

#[inline]
fn pack(cost: Cost, at: usize, step: usize) -> u64 {
    u64::from(cost) << 32 | (at as u64) << 8 | step as u64
}

#[inline]
fn unpack(entry: u64) -> (Cost, usize, usize) {
    let at = entry as usize >> 8;
    ((entry >> 32) as Cost, at % PLACES, entry as usize % 16)
}
