//! A bit-parallel breadth-first wave over a window.

use super::{
    Counters, Fallback, Feature, Method, Outcome, Query, Search, Status, Stopped, Support,
    answer_at_once,
    crowd::Crowd,
    line::Line,
    waves::{Basin, FloodEnd, Pace, Waves},
    window_bits::{CENTER, ExitPlanes, Place, RADIUS_MAX, WindowBits, area},
};
use crate::{
    CornerRule, Cost, Direction, Directions, Metric, Path, Rules, Terrain, bits::ones,
    rules::Estimate,
};

/// A wave from the start that moves all cells of its front at once, a machine word a row.
///
/// Finds a cheapest path inside the window, always: there is no cap on its work but the window
/// itself and the limit on cost, and [`Limits::expansions`](super::Limits::expansions) does not
/// apply. Near walls, where best-first searches look at most of the window anyway, it is several
/// times quicker than they are, and the time hardly depends on the walls.
///
/// Serves windows of radius up to 28 under the metrics of small whole numbers: one wave per
/// step under [`Metric::Unit`] and [`Metric::FourWay`]; under [`Metric::TwoThree`] and
/// [`Metric::Grid`], as (5, 7), one per unit of cost, which takes as many times longer. Exits,
/// bodies and footprints are masks. Ground that costs more than 1 and links may lie elsewhere
/// on the map, not in the window.
///
/// [`Counters::expanded`] counts waves, [`Counters::touched`] the cells of the path.
///
/// Among equally cheap ways the path keeps near the straight line from start to goal: from the
/// goal back, each cell is the one nearest to the line, among equals the one in the first
/// direction, clockwise from north, straight ones before diagonal ones.
///
/// # Complexity
///
/// O(waves × rows of the front), some 2 ns a row and wave; O(8 × length) for the path. Memory:
/// 576 bytes a wave.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    bits: WindowBits,
    exits: ExitPlanes,
    waves: Waves,
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
        metrics: &[
            Metric::Unit,
            Metric::FourWay,
            Metric::Grid,
            Metric::TwoThree,
        ],
        radius_max: RADIUS_MAX,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        let grid = terrain.grid;
        path.clear();
        if let Some(outcome) = answer_at_once::<Self>(terrain, query) {
            return outcome;
        }
        let Rules {
            metric,
            footprint,
            corners,
            ..
        } = query.rules;
        let Some(pace) = Pace::of(metric) else {
            return Outcome::unsupported(Self::METHOD, Feature::Metric(metric));
        };
        let radius = query.limits.radius.min(RADIUS_MAX);
        let window = area(grid, query.start, radius);
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size());
        if grid.has_costs() && grid.has_costs_in(covered) {
            return Outcome::unsupported(Self::METHOD, Feature::Costs);
        }
        if !grid.links().is_empty() && grid.has_links_from(window) {
            return Outcome::unsupported(Self::METHOD, Feature::Links);
        }
        let crowd = terrain.bodies.and_then(|bodies| Crowd::new(bodies, query));
        self.bits
            .load(grid, query.start, radius, footprint, crowd.as_ref());
        let fenced = grid.has_exits() && grid.has_exits_in(covered);
        if fenced {
            self.exits.load(grid, &self.bits, footprint);
        }
        let task = Task {
            query,
            pace,
            corners,
            fenced,
        };
        self.run(&task, path)
    }
}

/// One query, with what follows from it before the first wave.
struct Task<'a> {
    query: &'a Query,
    pace: Pace,
    corners: CornerRule,
    /// Whether there are exits to heed.
    fenced: bool,
}

impl Sweep {
    fn run(&mut self, task: &Task<'_>, path: &mut Path) -> Outcome {
        let query = task.query;
        // The goal may be on another floor.
        let goal = self.bits.place(query.goal);
        self.waves.start();
        let pace = task.pace;
        let ground = Basin {
            free: self.bits.free(),
            exits: task.fenced.then_some(&self.exits),
            corners: task.corners,
        };
        let last = query.limits.cost_max() / pace.unit;
        let end = self.waves.flood(pace, ground, goal, last as usize);
        let (reached, stopped) = match end {
            FloodEnd::Goal => (true, Stopped::Unreachable),
            FloodEnd::Dry => (false, Stopped::Unreachable),
            FloodEnd::Limit => (false, Stopped::BudgetSpent),
        };

        let mut counters = Counters {
            expanded: self.waves.count() as u32,
            ..Counters::default()
        };
        let end = match goal {
            Some(goal) if reached => Some((goal, self.waves.count() - 1)),
            _ if query.fallback == Fallback::ClosestReached => self.closest(query),
            _ => None,
        };
        let Some((end, cost)) = end else {
            return Outcome::without_path(Method::Sweep, stopped.into(), counters);
        };
        self.trace(task, end, cost, path);
        counters.touched = path.len() as u32;
        let status = if reached {
            Status::Found
        } else {
            Status::Partial(stopped)
        };
        Outcome {
            status,
            cost: cost as Cost * pace.unit,
            counters,
            method: Method::Sweep,
        }
    }

    /// The reached cell that the heuristic calls nearest to the goal, the cheapest of several,
    /// the first in reading order of these; with its cost. `None` if that is the start.
    fn closest(&self, query: &Query) -> Option<(Place, usize)> {
        let estimate = Estimate::new(query.heuristic, query.rules.metric);
        let guess = |row: usize, column: u32| {
            estimate.between(self.bits.cell(Place { row, column }), query.goal)
        };
        let reached = self.waves.reached(self.waves.count() - 1);
        let mut least = guess(CENTER.row, CENTER.column);
        let mut nearest = [0_u64; 72];
        for row in self.bits.rows() {
            for column in ones(reached[row]) {
                let guess = guess(row, column);
                if guess < least {
                    least = guess;
                    nearest = [0; 72];
                }
                if guess == least {
                    nearest[row] |= 1 << column;
                }
            }
        }
        if CENTER.is_in(&nearest) {
            return None;
        }
        (0..self.waves.count()).find_map(|cost| {
            let reached = self.waves.reached(cost);
            self.bits.rows().find_map(|row| {
                let column = ones(reached[row] & nearest[row]).next()?;
                Some((Place { row, column }, cost))
            })
        })
    }

    /// Follows the waves back from a place that was reached at `cost`.
    fn trace(&self, task: &Task<'_>, end: Place, cost: usize, path: &mut Path) {
        let query = task.query;
        let line = Line::new(query.start, query.goal);
        let bends = Direction::ALL.map(|way| line.deviation_of(way.delta().0, way.delta().1));
        let legal = query.rules.move_table();
        let open = Rules::new(Metric::Unit, CornerRule::Cut).move_table();
        let Pace {
            straight, diagonal, ..
        } = task.pace;
        let (mut place, mut cost) = (end, cost);
        let mut deviation = line.deviation(self.bits.cell(end));
        while cost > 0 {
            path.prepend(self.bits.cell(place));
            let mut from = open[place.around(self.waves.before(cost, straight))].0;
            if straight != diagonal {
                let by_diagonal = open[place.around(self.waves.before(cost, diagonal))].0;
                from = from & Directions::STRAIGHT.0 | by_diagonal & !Directions::STRAIGHT.0;
            }
            let mut ways = legal[place.around(self.bits.free())].0 & from;
            if task.fenced {
                ways = Directions(ways)
                    .into_iter()
                    .filter(|&back| place.step(back).is_in(self.exits.of(back.opposite())))
                    .fold(0, |ways, back| ways | 1 << back as u8);
            }
            // Every cell of a wave was reached from one before it.
            let Some(back) = straightest(ways, deviation, &bends) else {
                return;
            };
            deviation += bends[back as usize];
            place = place.step(back);
            cost -= if back.is_diagonal() {
                diagonal
            } else {
                straight
            };
        }
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
