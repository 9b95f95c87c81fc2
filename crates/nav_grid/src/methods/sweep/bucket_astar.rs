//! A* with a bucket queue over the words of a window, for costs that waves cannot express.

use crate::{
    cell::{Direction, Directions},
    query::Counters,
    rules::{Cost, Estimate, FreshTable, Heuristic, MoveTable, NO_STEP, Rules},
    window::{CENTER, FloodEnd, FloodMask, WindowPlace, WindowRows},
};

/// A\* from the [`CENTER`] of a window with buckets for a queue.
///
/// Buckets hold sums of cost and guess, each a range that is no wider than what a step off the
/// way to the goal adds at least. A step therefore stays in its bucket only if it adds nothing.
/// Inside a bucket the last cell comes first, on toward the goal, and one that becomes cheaper
/// comes again; once a bucket is empty, the costs in it are the least ones. No step adds as
/// much as [`BUCKETS`] of them hold, so that many are used in turn.
///
/// Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", 1969; wider buckets:
/// Denardo and Fox, "Shortest-Route Methods: 1. Reaching, Pruning, and Buckets", 1979.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketAStar {
    /// The least known cost of each place, row after row; the highest number where none is
    /// known.
    costs: Vec<Cost>,
    buckets: [Vec<u64>; BUCKETS],
    counters: Counters,
    /// The bucket that is taken up, and how many empty ones lie before it.
    number: Cost,
    empty: usize,
    goal_cost: Cost,
    /// Something was left out because it would have cost more than a path may.
    limited: bool,
    /// Nothing at all is within the limit on cost.
    is_hopeless: bool,
}

/// A search to make.
pub(crate) struct BucketTask<'a> {
    pub(crate) mask: FloodMask<'a>,
    pub(crate) rules: Rules,
    /// The rows of the window.
    pub(crate) rows: std::ops::Range<usize>,
    /// `None` if it is not in the window.
    pub(crate) goal: Option<WindowPlace>,
    /// No way may cost more.
    pub(crate) cost_max: Cost,
}

impl BucketAStar {
    /// Begins a search with the guess that the metric gives, after so many scans.
    pub(crate) fn begin(&mut self, task: &BucketTask<'_>, scanned: u32) {
        self.begin_by(task, &OpenGroundHeuristic::new(task), scanned);
    }

    /// Goes on until the goal is reached at the least cost, or so many expansions were made in
    /// all.
    pub(crate) fn flood(&mut self, task: &BucketTask<'_>, stop: u32) -> FloodEnd {
        self.flood_by(task, &mut OpenGroundHeuristic::new(task), stop)
    }

    /// The same with another guess.
    pub(crate) fn begin_by(
        &mut self,
        task: &BucketTask<'_>,
        guess: &impl WindowHeuristic,
        scanned: u32,
    ) {
        let tally = BucketSetup::new(task);
        self.costs.resize(PLACES, Cost::MAX);
        for row in task.rows.clone() {
            self.costs[row * 64..][..64].fill(Cost::MAX);
        }
        self.buckets.iter_mut().for_each(Vec::clear);
        self.counters = Counters {
            scanned,
            ..Counters::default()
        };
        self.limited = false;
        self.goal_cost = Cost::MAX;
        let start = index(CENTER);
        self.costs[start] = 0;
        let least = guess.guess(start);
        self.number = least >> tally.shift;
        self.empty = 0;
        self.is_hopeless = least > task.cost_max;
        if !self.is_hopeless {
            self.push(&tally, start, NO_STEP, 0, least);
        }
    }

    /// The same as [`flood`](Self::flood) with another guess.
    pub(crate) fn flood_by(
        &mut self,
        task: &BucketTask<'_>,
        guess: &mut impl WindowHeuristic,
        stop: u32,
    ) -> FloodEnd {
        if self.is_hopeless {
            return FloodEnd::Limit;
        }
        let tally = BucketSetup::new(task);
        let mut limited = self.limited;
        let mut goal_cost = self.goal_cost;
        let (mut number, mut empty) = (self.number, self.empty);
        loop {
            let slot = number as usize % BUCKETS;
            while let Some(entry) = self.buckets[slot].pop() {
                self.counters.popped += 1;
                let (cost, at, step) = unpack(entry);
                if self.costs[at] != cost {
                    continue;
                }
                if goal_cost < Cost::MAX && goal_cost <= cost + guess.guess(at) {
                    continue;
                }
                if self.counters.expanded == stop {
                    // The next slice takes it out again.
                    self.buckets[slot].push(entry);
                    self.counters.popped -= 1;
                    (self.number, self.empty) = (number, empty);
                    (self.goal_cost, self.limited) = (goal_cost, limited);
                    return FloodEnd::Slice;
                }
                self.counters.expanded += 1;
                guess.look_out(at);
                for way in tally.ways(at, step) {
                    let to = (at + OFFSETS[way as usize]) % PLACES;
                    let cost = cost + tally.steps[way as usize];
                    if self.costs[to] <= cost {
                        continue;
                    }
                    guess.see(way, to);
                    let total = cost + guess.guess(to);
                    if total > task.cost_max {
                        limited = true;
                        continue;
                    }
                    self.costs[to] = cost;
                    if to == tally.goal {
                        goal_cost = cost;
                    } else {
                        self.push(&tally, to, way as usize, cost, total);
                    }
                }
            }
            if goal_cost >> tally.shift <= number {
                return FloodEnd::Goal;
            }
            number += 1;
            empty = if self.buckets[number as usize % BUCKETS].is_empty() {
                empty + 1
            } else {
                0
            };
            if empty == BUCKETS {
                return match (goal_cost, limited) {
                    (Cost::MAX, true) => FloodEnd::Limit,
                    (Cost::MAX, false) => FloodEnd::Exhausted,
                    _ => FloodEnd::Goal,
                };
            }
        }
    }

    fn push(&mut self, tally: &BucketSetup<'_>, at: usize, step: usize, cost: Cost, total: Cost) {
        self.counters.pushed += 1;
        let slot = (total >> tally.shift) as usize % BUCKETS;
        self.buckets[slot].push(pack(cost, at, step));
    }

    /// The places of some rows that have a cost.
    pub(crate) fn reached(&self, rows: std::ops::Range<usize>) -> WindowRows {
        let mut reached = [0; 72];
        for row in rows {
            let costs = self.costs[row * 64..][..64].iter().enumerate();
            reached[row] = costs.fold(0, |bits, (column, &cost)| {
                bits | u64::from(cost < Cost::MAX) << column
            });
        }
        reached
    }

    /// The cost of a place that was reached: the least one if it is below that of the goal.
    #[inline]
    pub(crate) fn cost(&self, place: WindowPlace) -> Cost {
        self.costs[index(place)]
    }

    /// Which of the neighbours in some directions a cheapest way to a place comes by.
    #[inline]
    pub(crate) fn led_to(&self, place: WindowPlace, ways: u8, rules: Rules) -> u8 {
        let at = index(place);
        let led = |&way: &Direction| {
            let from = (at + OFFSETS[way as usize]) % PLACES;
            let step = rules.metric.step(way).unwrap_or(Cost::MAX);
            self.costs[from].checked_add(step) == Some(self.costs[at])
        };
        let ways: Directions = Directions(ways).into_iter().filter(led).collect();
        ways.0
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }
}

/// What the rest of a way costs at least.
pub(crate) trait WindowHeuristic {
    /// Looks at the neighbours of a place that was seen, as the [`CENTER`] always is.
    fn look_out(&mut self, from: usize);

    /// Relaxes a place in a direction of the one that is expanded.
    fn see(&mut self, way: Direction, to: usize);

    /// The least cost from a place that was seen.
    fn guess(&self, at: usize) -> Cost;
}

/// The guess by columns and rows, as if there were no walls.
struct OpenGroundHeuristic {
    goal: usize,
    estimate: Estimate,
}

impl OpenGroundHeuristic {
    fn new(task: &BucketTask<'_>) -> Self {
        let metric = task.rules.metric;
        Self {
            goal: task.goal.map_or(NOWHERE, index),
            estimate: match task.goal {
                Some(_) => Estimate::exact(metric),
                None => Estimate::new(Heuristic::Zero, metric),
            },
        }
    }
}

impl WindowHeuristic for OpenGroundHeuristic {
    #[inline]
    fn look_out(&mut self, _from: usize) {}

    #[inline]
    fn see(&mut self, _way: Direction, _to: usize) {}

    #[inline]
    fn guess(&self, at: usize) -> Cost {
        let columns = (at % 64).abs_diff(self.goal % 64);
        let rows = (at / 64).abs_diff(self.goal / 64);
        self.estimate.cost(columns as u16, rows as u16)
    }
}

/// What follows from a [`BucketTask`].
struct BucketSetup<'a> {
    mask: FloodMask<'a>,
    fresh: &'static FreshTable,
    legal: &'static MoveTable,
    goal: usize,
    /// What steps cost.
    steps: [Cost; 8],
    /// Binary digits of the width of a bucket.
    shift: u32,
}

impl<'a> BucketSetup<'a> {
    fn new(task: &BucketTask<'a>) -> Self {
        let metric = task.rules.metric;
        let straight = metric.straight();
        let diagonal = metric.diagonal().unwrap_or(2 * straight);
        // Least of all adds a straight step toward the goal where a diagonal one would do, or a
        // diagonal one where a straight one would.
        let least = (2 * straight)
            .saturating_sub(diagonal)
            .min(diagonal - straight)
            .max(1);
        Self {
            mask: task.mask,
            fresh: task.rules.fresh_table(),
            legal: task.rules.move_table(),
            goal: task.goal.map_or(NOWHERE, index),
            steps: Direction::ALL.map(|way| {
                if way.is_diagonal() {
                    diagonal
                } else {
                    straight
                }
            }),
            shift: least.ilog2(),
        }
    }

    /// The steps out of a place that may lead to something new, given the one that led there.
    #[inline]
    fn ways(&self, at: usize, step: usize) -> Directions {
        let place = WindowPlace {
            row: at / 64,
            column: (at % 64) as u32,
        };
        let around = place.around(self.mask.free);
        let Some(exits) = self.mask.exits else {
            return self.fresh[step][around];
        };
        let open = |way: &Direction| place.is_in(exits.of(*way));
        self.legal[around].into_iter().filter(open).collect()
    }
}

/// No step adds as much as so many buckets hold.
const BUCKETS: usize = 16;

/// No place of a window.
const NOWHERE: usize = PLACES;

#[inline]
pub(crate) fn index(place: WindowPlace) -> usize {
    place.row * 64 + place.column as usize
}

/// Places of a window and some beside it: a power of two, by which numbers can be cut cheaply.
pub(crate) const PLACES: usize = 128 * 64;

/// From a place to its neighbours, modulo [`PLACES`].
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
