//! The search method: bit-parallel breadth-first search, or A* where diagonal steps cost more.

use super::{
    bucket_astar::{BucketAStar, BucketTask, OpenGroundHeuristic},
    closest::{closest, place_nearest_to_goal},
    reverse_bfs::ReverseBfs,
};
use crate::{
    cell::{Direction, Directions},
    path::Path,
    query::{
        BodyFilter, Counters, Fallback, Feature, Method, Outcome, PathQuery, PendingSearch,
        Resumable, SliceResult, Status, Stopped, Support, Terrain, TieBreakLine,
        answer_unless_closest,
    },
    rules::{COST_MAX, CornerRule, Cost, IntegerCosts, Metric, Rules},
    window::{
        CENTER, ExitPlanes, FloodEnd, FloodMask, RADIUS_MAX, Waves, WindowBits, WindowPlace, area,
    },
};

/// Bit-parallel breadth-first search: a wave from the start that moves all cells of its front at
/// once, a machine word a row.
///
/// Always finds a cheapest path inside the window if there is one: only the window and the limit
/// on cost bound its work, and [`Limits::expansions`](crate::Limits::expansions) does not apply.
/// Near walls best-first searches expand most of the window. There the sweep is several times
/// quicker, and its time hardly depends on the walls.
///
/// Where diagonal steps cost more than straight ones, in [`Metric::Octile`], [`Metric::Grid`] and
/// [`Metric::TwoThree`], rows are too coarse. There a best-first search goes cell by cell over the
/// same words, which takes several times longer and gives the same answers. Unless there are
/// exits, a breadth-first search from the goal comes first. Its distances are the heuristic.
///
/// Serves windows of radius up to 28. Exits, bodies and footprints are masks. The window must be
/// free of links and of ground that costs more than 1. The rest of the map need not be.
///
/// [`Counters::expanded`] counts waves, or expanded cells; [`Counters::scanned`] the waves of the
/// search from the goal; [`Counters::touched`] the cells of the path.
/// [In slices](crate::query::Sliced) the window and its bodies are loaded in the first slice,
/// which also runs the whole search from the goal.
///
/// Among equally cheap paths, the path keeps near the straight line from start to goal: from the
/// goal back, each cell is the nearest to the line. Ties go to the first direction clockwise from
/// north, straight directions before diagonal ones.
///
/// # Complexity
///
/// O(waves × rows of the front), under 1 ns a row and wave, or O(cells), some 20 ns each; O(length)
/// for the path. Memory: 576 bytes a wave, and 48 KiB where it goes cell by cell.
// Decision 6: docs/decisions/0006-near-searches-move-whole-rows.md
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    bits: WindowBits,
    exits: ExitPlanes,
    waves: Waves,
    reverse_bfs: ReverseBfs,
    bucket_astar: BucketAStar,
    under_way: PendingSearch<SweepCheckpoint>,
}

// Costs and links are refused only if they are in the window.
const SUPPORT: Support = Support {
    radius_max: RADIUS_MAX,
    ..Support::ALL
};

search_method!(Sweep, Sweep, SUPPORT);

impl Resumable for Sweep {
    pending_search!(SweepCheckpoint);

    fn work_at(&self, checkpoint: &SweepCheckpoint) -> u32 {
        match checkpoint.stage {
            SweepStage::Begin => 0,
            SweepStage::Waves => self.waves.count() as u32,
            SweepStage::Cells { .. } => self.bucket_astar.counters().work(),
        }
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<SweepCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<SweepCheckpoint> {
        let begun = checkpoint.map_or_else(|| self.load(terrain, query), Ok);
        let mut at = match begun {
            Ok(at) => at,
            Err(outcome) => return SliceResult::Done(outcome),
        };
        let outcome = self.advance(query, &mut at, slice, path);
        outcome.map_or(SliceResult::Paused(at), SliceResult::Done)
    }
}

/// The progress of a paused search, next to its scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepCheckpoint {
    /// Whether there are exits in the window.
    fenced: bool,
    stage: SweepStage,
}

#[derive(Clone, Copy, Debug)]
enum SweepStage {
    Begin,
    Waves,
    /// Cell by cell. If `aimed`, the distances from the goal are the heuristic.
    Cells {
        aimed: bool,
    },
}

/// One query on its window.
struct SweepTask<'a> {
    query: &'a PathQuery,
    bits: &'a WindowBits,
    mask: FloodMask<'a>,
}

impl Sweep {
    /// Loads the window of a query, or refuses it.
    fn load(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
    ) -> Result<SweepCheckpoint, Outcome> {
        if let Some(outcome) = answer_unless_closest::<Self>(terrain, query) {
            return Err(outcome);
        }
        let (grid, footprint) = (terrain.grid, query.rules.footprint);
        let radius = query.limits.radius.min(RADIUS_MAX);
        let window = area(grid, query.start, radius);
        let covered = footprint.area_from(window).clipped(grid.size());
        if grid.has_costs() && grid.has_costs_in(covered) {
            return Err(Outcome::unsupported(Method::Sweep, Feature::Costs));
        }
        if !grid.links().is_empty() && grid.links.leave_from(window) {
            return Err(Outcome::unsupported(Method::Sweep, Feature::Links));
        }
        let bodies = terrain.bodies;
        let body_filter = bodies.and_then(|bodies| BodyFilter::new(bodies, query));
        self.bits
            .load(grid, query.start, radius, footprint, body_filter.as_ref());
        let fenced = grid.has_exits() && grid.has_exits_in(covered);
        if fenced {
            self.exits.load(grid, &self.bits, footprint);
        }
        Ok(SweepCheckpoint {
            fenced,
            stage: SweepStage::Begin,
        })
    }

    /// Continues for `work` units on the loaded window. Returns `None` if the search is not done
    /// by then.
    fn advance(
        &mut self,
        query: &PathQuery,
        at: &mut SweepCheckpoint,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let (bits, stage) = (&self.bits, &mut at.stage);
        let mask = FloodMask {
            free: bits.free(),
            exits: at.fenced.then_some(&self.exits),
            corners: query.rules.corners,
        };
        let task = SweepTask { query, bits, mask };
        match IntegerCosts::of(query.rules.metric) {
            Some(costs) if costs.longest() == 1 => {
                task.run_evenly(&mut self.waves, costs, stage, work, path)
            }
            _ => {
                let (bfs, astar) = (&mut self.reverse_bfs, &mut self.bucket_astar);
                task.run_finely(bfs, astar, stage, work, path)
            }
        }
    }
}

impl SweepTask<'_> {
    /// The search in waves, where all steps cost the same.
    fn run_evenly(
        &self,
        waves: &mut Waves,
        step_costs: IntegerCosts,
        stage: &mut SweepStage,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let (query, bits) = (self.query, self.bits);
        let goal = self.goal();
        if let SweepStage::Begin = stage {
            waves.start();
            *stage = SweepStage::Waves;
        }
        let last = (query.limits.cost_max() / step_costs.unit) as usize;
        let pause = (waves.count() - 1).saturating_add(work.max(1) as usize);
        let sought = goal.or_else(|| place_nearest_to_goal(bits, query));
        let diagonals = step_costs.diagonal > 0;
        let mut flooded = waves.flood(diagonals, self.mask, sought, last.min(pause));
        if flooded == FloodEnd::Limit && pause < last {
            return None;
        }
        // The wave reached the nearest place of the window, not the goal.
        if flooded == FloodEnd::Goal && goal.is_none() {
            flooded = FloodEnd::Exhausted;
        }
        let last = waves.count() - 1;
        let end = match goal {
            Some(goal) if flooded == FloodEnd::Goal => Some((goal, last)),
            _ if query.fallback != Fallback::None => {
                closest(query, bits, waves.reached(last)).and_then(|closest| {
                    // Bisects for the least cost at which one of the closest places is reached.
                    let (mut below, mut cost) = (0, last);
                    while below + 1 < cost {
                        let middle = usize::midpoint(below, cost);
                        if closest.is_any_in(waves.reached(middle)) {
                            cost = middle;
                        } else {
                            below = middle;
                        }
                    }
                    let reached = closest.places_in(waves.reached(cost));
                    let nearest = reached.min_by_key(|&end| self.distance(end))?;
                    Some((nearest, cost))
                })
            }
            _ => None,
        };
        if let Some((end, mut cost)) = end {
            let open = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
            path.reserve(cost);
            self.trace(end, path, |place, _| {
                cost -= 1;
                open[place.around(waves.reached(cost))].0
            });
        }
        let expanded = waves.count() as u32;
        let cost = end.map(|(_, cost)| cost as Cost * step_costs.unit);
        Some(answer(
            flooded,
            cost,
            Counters {
                expanded,
                ..Counters::NONE
            },
            path,
        ))
    }

    /// The search cell by cell, where diagonal steps cost more than straight ones.
    fn run_finely(
        &self,
        reverse_bfs: &mut ReverseBfs,
        bucket_astar: &mut BucketAStar,
        stage: &mut SweepStage,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let (query, bits, rules) = (self.query, self.bits, self.query.rules);
        let goal = self.goal();
        let cost_max = query.limits.cost_max();
        let ends_short = query.fallback != Fallback::None;
        let task = BucketTask::new(self.mask, rules, goal, (cost_max, ends_short));
        let mut open_ground = OpenGroundHeuristic::new(rules.metric, goal);
        if let SweepStage::Begin = stage {
            // The search from the goal follows steps backward, which exits may forbid.
            let approached = goal.filter(|_| self.mask.exits.is_none());
            let (aimed, scanned) = approached.map_or((false, 0), |goal| {
                reverse_bfs.aim(self.mask, bits.rows(), goal, rules.metric)
            });
            // Without a path, only the fallback and the reason depend on the rest of the search.
            let is_final = !ends_short && cost_max == COST_MAX;
            if !aimed && approached.is_some() && is_final {
                let counters = Counters {
                    scanned,
                    ..Counters::NONE
                };
                return Some(answer(FloodEnd::Exhausted, None, counters, path));
            }
            if aimed {
                bucket_astar.begin(&task, bits.rows(), reverse_bfs, scanned);
            } else {
                bucket_astar.begin(&task, bits.rows(), &open_ground, scanned);
            }
            *stage = SweepStage::Cells { aimed };
        }
        let stop = bucket_astar.counters().expanded.saturating_add(work.max(1));
        let flooded = match stage {
            SweepStage::Cells { aimed: true } => bucket_astar.flood(&task, reverse_bfs, stop),
            _ => bucket_astar.flood(&task, &mut open_ground, stop),
        };
        if flooded == FloodEnd::Slice {
            return None;
        }
        let end = goal
            .filter(|_| flooded == FloodEnd::Goal)
            .or_else(|| self.nearest_end(bucket_astar));
        if let Some(end) = end {
            self.trace(end, path, |place, ways| {
                bucket_astar.led_to(place, ways, rules)
            });
        }
        let cost = end.map(|end| bucket_astar.cost(end));
        Some(answer(flooded, cost, bucket_astar.counters(), path))
    }

    /// Where a path without a goal ends: the cheapest of the reached places that are nearest to it.
    fn nearest_end(&self, bucket_astar: &BucketAStar) -> Option<WindowPlace> {
        if self.query.fallback == Fallback::None {
            return None;
        }
        let reached = bucket_astar.reached(self.bits.rows());
        let closest = closest(self.query, self.bits, &reached)?;
        closest
            .places_in(&reached)
            .min_by_key(|&end| (bucket_astar.cost(end), self.distance(end)))
    }

    /// The place of the goal in the window. `None` outside it, in a wall or on another floor.
    fn goal(&self) -> Option<WindowPlace> {
        let place = self.bits.place(self.query.goal);
        place.filter(|place| place.is_in(self.mask.free))
    }

    /// The squared distance of a place from the goal.
    fn distance(&self, place: WindowPlace) -> u64 {
        self.bits.cell(place).squared_distance(self.query.goal)
    }

    /// Fills `path` from a reached place back to the start. `led_to` selects directions, of some
    /// and possibly others, that lead back to a place on a cheapest path.
    #[inline]
    fn trace(
        &self,
        end: WindowPlace,
        path: &mut Path,
        mut led_to: impl FnMut(WindowPlace, u8) -> u8,
    ) {
        let line = TieBreakLine::new(self.query.start, self.query.goal);
        let bends = Direction::ALL.map(|way| line.deviation_of(way.delta().0, way.delta().1));
        let legal = self.query.rules.move_table();
        // Deviation is linear, so that each step changes it by a constant.
        let mut place = end;
        let mut deviation = line.deviation(self.bits.cell(end));
        while place != CENTER {
            path.prepend(self.bits.cell(place));
            let mut ways = legal[place.around(self.mask.free)].0;
            ways &= led_to(place, ways);
            if let Some(exits) = self.mask.exits {
                let leads = |back: &Direction| place.step(*back).is_in(exits.of(back.opposite()));
                ways = Directions(ways)
                    .into_iter()
                    .filter(leads)
                    .collect::<Directions>()
                    .0;
            }
            // Every reached place but the start was reached from another place.
            let Some(back) = straightest(ways, deviation, &bends) else {
                return;
            };
            deviation += bends[back as usize];
            place = place.step(back);
        }
    }
}

fn answer(flooded: FloodEnd, cost: Option<Cost>, counters: Counters, path: &Path) -> Outcome {
    let stopped = match flooded {
        FloodEnd::Limit => Stopped::BudgetSpent,
        FloodEnd::Goal | FloodEnd::Exhausted | FloodEnd::Slice => Stopped::Unreachable,
    };
    let status = match cost {
        Some(_) if flooded == FloodEnd::Goal => Status::Found,
        Some(_) => Status::Partial(stopped),
        None => stopped.into(),
    };
    let touched = path.len() as u32;
    Outcome::new(Method::Sweep, status)
        .with_cost(cost.unwrap_or(0))
        .with_counters(Counters {
            touched,
            ..counters
        })
}

/// The direction that leads nearest to a line, from a cell with this deviation, given the change
/// by each direction. Ties go to straight directions, then to the first.
#[inline]
fn straightest(ways: u8, deviation: i32, bends: &[i32; 8]) -> Option<Direction> {
    let number = |way: Direction| {
        let order = (way as u32 & 1) << 3 | way as u32;
        // The low bits hold the direction, the others its rank.
        (deviation + bends[way as usize]).unsigned_abs() << 4 | order
    };
    let best = Directions(ways).into_iter().map(number).min()?;
    Some(Direction::ALL[best as usize % 8])
}
