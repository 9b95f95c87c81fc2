//! The search method: bit-parallel breadth-first search, or A* where diagonal steps cost more.

use super::{
    bucket_astar::{BucketAStar, BucketTask},
    closest::{closest, place_nearest_to_goal},
    reverse_bfs::ReverseBfs,
};
use crate::{
    cell::{Direction, Directions},
    path::Path,
    query::{
        BodyFilter, Counters, Fallback, Feature, Method, Outcome, PathQuery, PendingSearch,
        Resumable, Search, SearchValid, SliceResult, Status, Stopped, Support, Terrain,
        TieBreakLine, answer_unless_closest,
    },
    rules::{COST_MAX, CornerRule, Cost, IntegerCosts, Metric, Rules},
    window::{
        CENTER, ExitPlanes, FloodEnd, FloodMask, RADIUS_MAX, Waves, WindowBits, WindowPlace, area,
    },
};

/// Bit-parallel breadth-first search: a wave from the start that moves all cells of its front at
/// once, a machine word a row.
///
/// Finds a cheapest path inside the window, always: there is no cap on its work but the window
/// itself and the limit on cost, and [`Limits::expansions`](crate::Limits::expansions) does not
/// apply. Near walls, where best-first searches look at most of the window anyway, it is several
/// times quicker than they are, and the time hardly depends on the walls.
///
/// Where diagonal steps cost more than straight ones, in [`Metric::Octile`], [`Metric::Grid`] and
/// [`Metric::TwoThree`], rows are too coarse: there a best-first search goes cell by cell over the
/// same words, which takes some times longer and differs in nothing else. Unless there are exits, a
/// breadth-first search from the goal comes first, whose distances are its heuristic.
///
/// Serves windows of radius up to 28. Exits, bodies and footprints are masks. Ground that costs
/// more than 1 and links may lie elsewhere on the map, not in the window.
///
/// [`Counters::expanded`] counts waves, or expanded cells,
/// [`Counters::scanned`] the waves of the search from the goal, [`Counters::touched`] the cells of
/// the path. [In slices](crate::query::Sliced) the window, with the bodies in it, is as it was when
/// the first slice began, which also holds all of the search from the goal.
///
/// Among equally cheap ways the path keeps near the straight line from start to goal: from the
/// goal back, each cell is the one nearest to the line, among equals the one in the first
/// direction, clockwise from north, straight ones before diagonal ones.
///
/// # Complexity
///
/// O(waves × rows of the front), under 1 ns a row and wave, or O(cells), some 20 ns each; O(length)
/// for the path. Memory: 576 bytes a wave, and 48 KiB where it goes cell by cell.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    bits: WindowBits,
    exits: ExitPlanes,
    waves: Waves,
    reverse_bfs: ReverseBfs,
    bucket_astar: BucketAStar,
    under_way: PendingSearch<SweepCheckpoint>,
}

impl Sweep {
    /// A search without memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for Sweep {
    const METHOD: Method = Method::Sweep;
    const SUPPORT: Support = Support {
        // As far as the window has none.
        costs: true,
        links: true,
        radius_max: RADIUS_MAX,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        path.clear();
        match answer_unless_closest::<Self>(terrain, query) {
            Some(outcome) => {
                self.under_way.cancel();
                outcome
            }
            None => self.search_valid(terrain, query, path),
        }
    }
}

impl SearchValid for Sweep {
    fn search_valid(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        let mut at = match self.load(terrain, query) {
            Ok(at) => at,
            Err(outcome) => return outcome,
        };
        loop {
            if let Some(outcome) = self.advance(query, &mut at, u32::MAX, path) {
                return outcome;
            }
        }
    }
}

impl Resumable for Sweep {
    type Checkpoint = SweepCheckpoint;

    fn pending(&self) -> &PendingSearch<SweepCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<SweepCheckpoint> {
        &mut self.under_way
    }

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
        let mut at = if let Some(at) = checkpoint {
            at
        } else {
            let loaded = match answer_unless_closest::<Self>(terrain, query) {
                Some(outcome) => Err(outcome),
                None => self.load(terrain, query),
            };
            match loaded {
                Ok(at) => at,
                Err(outcome) => return SliceResult::Done(outcome),
            }
        };
        match self.advance(query, &mut at, slice, path) {
            Some(outcome) => SliceResult::Done(outcome),
            None => SliceResult::Paused(at),
        }
    }
}

/// One query on the window that was loaded for it.
struct SweepTask<'a> {
    query: &'a PathQuery,
    /// Whether there are exits that count.
    fenced: bool,
}

/// Where a search was paused, next to its scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepCheckpoint {
    /// Whether there are exits that count.
    fenced: bool,
    stage: SweepStage,
}

#[derive(Clone, Copy, Debug)]
enum SweepStage {
    Begin,
    Waves,
    /// Cell by cell, by the distances from the goal if those are known.
    Cells {
        aimed: bool,
    },
}

impl Sweep {
    /// Loads the window of a query, or says why it cannot be served.
    fn load(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
    ) -> Result<SweepCheckpoint, Outcome> {
        let grid = terrain.grid;
        let Rules { footprint, .. } = query.rules;
        let radius = query.limits.radius.min(RADIUS_MAX);
        let window = area(grid, query.start, radius);
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size());
        if grid.has_costs() && grid.has_costs_in(covered) {
            return Err(Outcome::unsupported(Self::METHOD, Feature::Costs));
        }
        if !grid.links().is_empty() && grid.has_links_from(window) {
            return Err(Outcome::unsupported(Self::METHOD, Feature::Links));
        }
        let body_filter = terrain
            .bodies
            .and_then(|bodies| BodyFilter::new(bodies, query));
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

    /// Goes on for so much work on the window that was loaded. Returns `None` if there is more to
    /// do.
    fn advance(
        &mut self,
        query: &PathQuery,
        at: &mut SweepCheckpoint,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let task = SweepTask {
            query,
            fenced: at.fenced,
        };
        let step_costs = IntegerCosts::of(query.rules.metric);
        match step_costs.filter(|step_costs| step_costs.longest() == 1) {
            Some(step_costs) => self.run_evenly(&task, step_costs, &mut at.stage, work, path),
            None => self.run_finely(&task, &mut at.stage, work, path),
        }
    }

    /// In waves, where all steps cost the same.
    fn run_evenly(
        &mut self,
        task: &SweepTask<'_>,
        step_costs: IntegerCosts,
        stage: &mut SweepStage,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let query = task.query;
        let Self {
            bits, exits, waves, ..
        } = self;
        let goal = place_of_goal(bits, query);
        if let SweepStage::Begin = stage {
            waves.start();
            *stage = SweepStage::Waves;
        }
        let mask = task.mask(bits, exits);
        let last = (query.limits.cost_max() / step_costs.unit) as usize;
        let pause = (waves.count() - 1).saturating_add(work.max(1) as usize);
        let sought = goal.or_else(|| place_nearest_to_goal(bits, query));
        let mut flooded = waves.flood(step_costs.diagonal > 0, mask, sought, last.min(pause));
        if flooded == FloodEnd::Limit && pause < last {
            return None;
        }
        if flooded == FloodEnd::Goal && goal.is_none() {
            flooded = FloodEnd::Exhausted;
        }
        let last = waves.count() - 1;
        let end = match goal {
            Some(goal) if flooded == FloodEnd::Goal => Some((goal, last)),
            _ if query.fallback == Fallback::ClosestReached => {
                closest(query, bits, waves.reached(last)).and_then(|closest| {
                    // Whatever is reached at a cost is reached at all higher ones.
                    let (mut below, mut cost) = (0, last);
                    while below + 1 < cost {
                        let middle = usize::midpoint(below, cost);
                        if closest.is_any_in(waves.reached(middle)) {
                            cost = middle;
                        } else {
                            below = middle;
                        }
                    }
                    let reached = closest.those_in(waves.reached(cost));
                    let nearest = reached.min_by_key(|&end| distance(bits, query, end))?;
                    Some((nearest, cost))
                })
            }
            _ => None,
        };
        if let Some((end, mut cost)) = end {
            let open = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
            path.reserve(cost);
            task.trace(mask, bits, end, path, |place, _| {
                cost -= 1;
                open[place.around(waves.reached(cost))].0
            });
        }
        let counters = Counters {
            expanded: waves.count() as u32,
            ..Counters::default()
        };
        let cost = end.map(|(_, cost)| cost as Cost * step_costs.unit);
        Some(answer(flooded, cost, counters, path))
    }

    /// Cell by cell, where diagonal steps cost more than straight ones.
    fn run_finely(
        &mut self,
        task: &SweepTask<'_>,
        stage: &mut SweepStage,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let query = task.query;
        let Self {
            bits,
            exits,
            reverse_bfs,
            bucket_astar,
            ..
        } = self;
        let goal = place_of_goal(bits, query);
        let mask = task.mask(bits, exits);
        let bucket_task = BucketTask {
            mask,
            rules: query.rules,
            rows: bits.rows(),
            goal,
            cost_max: query.limits.cost_max(),
        };
        if let SweepStage::Begin = stage {
            // Exits are no use to the reverse search, which comes the other way.
            let approached = goal.filter(|_| !task.fenced);
            let metric = query.rules.metric;
            let (found, scanned) = match approached {
                Some(goal) => reverse_bfs.aim(mask, bits.rows(), goal, metric),
                None => (false, 0),
            };
            let nobody_asks = query.fallback == Fallback::None && bucket_task.cost_max == COST_MAX;
            if !found && approached.is_some() && nobody_asks {
                // There is no way, and nobody asks how far the others lead.
                let counters = Counters {
                    scanned,
                    ..Counters::default()
                };
                return Some(answer(FloodEnd::Exhausted, None, counters, path));
            }
            if found {
                bucket_astar.begin_by(&bucket_task, reverse_bfs, scanned);
            } else {
                bucket_astar.begin(&bucket_task, scanned);
            }
            *stage = SweepStage::Cells { aimed: found };
        }
        let stop = bucket_astar.counters().expanded.saturating_add(work.max(1));
        let flooded = match stage {
            SweepStage::Cells { aimed: true } => {
                bucket_astar.flood_by(&bucket_task, reverse_bfs, stop)
            }
            _ => bucket_astar.flood(&bucket_task, stop),
        };
        if flooded == FloodEnd::Slice {
            return None;
        }
        let end = match goal {
            Some(goal) if flooded == FloodEnd::Goal => Some(goal),
            _ if query.fallback == Fallback::ClosestReached => {
                let reached = bucket_astar.reached(bits.rows());
                closest(query, bits, &reached).and_then(|closest| {
                    let reached = closest.those_in(&reached);
                    reached.min_by_key(|&end| (bucket_astar.cost(end), distance(bits, query, end)))
                })
            }
            _ => None,
        };
        if let Some(end) = end {
            task.trace(mask, bits, end, path, |place, ways| {
                bucket_astar.led_to(place, ways, query.rules)
            });
        }
        let cost = end.map(|end| bucket_astar.cost(end));
        Some(answer(flooded, cost, bucket_astar.counters(), path))
    }
}

/// Where the goal of a query is in the window, unless it is outside, in a wall or on another floor.
fn place_of_goal(bits: &WindowBits, query: &PathQuery) -> Option<WindowPlace> {
    bits.place(query.goal)
        .filter(|place| place.is_in(bits.free()))
}

/// How far a place is from the goal as the crow flies.
fn distance(bits: &WindowBits, query: &PathQuery, place: WindowPlace) -> u64 {
    bits.cell(place).squared_distance(query.goal)
}

impl SweepTask<'_> {
    fn mask<'b>(&self, bits: &'b WindowBits, exits: &'b ExitPlanes) -> FloodMask<'b> {
        FloodMask {
            free: bits.free(),
            exits: self.fenced.then_some(exits),
            corners: self.query.rules.corners,
        }
    }

    /// Goes back from a place that was reached to the start. `led_to` says which of some
    /// directions, and maybe others, lead back to a place that a cheapest way comes from.
    #[inline]
    fn trace(
        &self,
        mask: FloodMask<'_>,
        bits: &WindowBits,
        end: WindowPlace,
        path: &mut Path,
        mut led_to: impl FnMut(WindowPlace, u8) -> u8,
    ) {
        let query = self.query;
        let line = TieBreakLine::new(query.start, query.goal);
        let bends = Direction::ALL.map(|way| line.deviation_of(way.delta().0, way.delta().1));
        let legal = query.rules.move_table();
        let mut place = end;
        let mut deviation = line.deviation(bits.cell(end));
        while place != CENTER {
            path.prepend(bits.cell(place));
            let mut ways = legal[place.around(mask.free)].0;
            ways &= led_to(place, ways);
            if let Some(exits) = mask.exits {
                ways = Directions(ways)
                    .into_iter()
                    .filter(|&back| place.step(back).is_in(exits.of(back.opposite())))
                    .fold(0, |ways, back| ways | 1 << back as u8);
            }
            // Every place was reached from another one.
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
    let Some(cost) = cost else {
        return Outcome::without_path(Method::Sweep, stopped.into(), counters);
    };
    let status = if flooded == FloodEnd::Goal {
        Status::Found
    } else {
        Status::Partial(stopped)
    };
    let touched = path.len() as u32;
    Outcome {
        status,
        cost,
        counters: Counters {
            touched,
            ..counters
        },
        method: Method::Sweep,
    }
}

/// The way among some that leads nearest to a line, from a cell that deviates from it; by how
/// much each way bends. Among equals a straight way, and then the first one.
#[inline]
fn straightest(ways: u8, deviation: i32, bends: &[i32; 8]) -> Option<Direction> {
    let number = |way: Direction| {
        let order = (way as u32 & 1) << 3 | way as u32;
        // One number says how good a way is, and which.
        (deviation + bends[way as usize]).unsigned_abs() << 4 | order
    };
    let best = Directions(ways).into_iter().map(number).min()?;
    Some(Direction::ALL[best as usize % 8])
}
