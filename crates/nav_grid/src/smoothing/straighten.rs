//! String pulling: replaces parts of a path by straight lines.

use super::line_of_sight::{LineArrival, LineCost, LineCrossing, LineOfSight};
use crate::{
    cell::Cell,
    path::{BrokenPathError, Path, PathStep, TurningPoint, WalkCost},
    query::{PathQuery, Terrain},
    rules::Cost,
};

/// A string puller with its scratch memory: pulls paths tight around corners.
///
/// Draws a line from the walker's cell to the farthest waypoint in
/// [sight](crate::smoothing::LineOfSight), from there to the farthest in sight, and so on. This is
/// greedy: there are few points, but not always the fewest. No line is worse than the part of the
/// path that it replaces:
///
/// - It costs no more than that part, under the metric in force and, over the same ground, under
///   the octile metric. The second keeps paths from growing longer under metrics that do not
///   measure length, such as [`Metric::Unit`](crate::Metric).
/// - It leads over no ground dearer than the dearest ground of that part.
/// - Links stay, and lines end at them.
///
/// A step of the path for which no longer line is found stays. It is the only segment that need not
/// be in sight, as bodies may stand in its way now. Where a path returns to a cell, the loop is
/// removed; a path that returns to the walker becomes empty.
///
/// The smoothing of Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004,
/// with lines in any direction and limits on their cost.
///
/// Cheapest paths keep their cost and get other turns. Paths that were put together from pieces
/// become cheaper. Pulling a pulled path again may improve it further, since it has other cells.
///
/// # Example
///
/// ```
/// use nav_grid::{
///     Cell, CornerRule, Metric, Path, PathQuery, Rules, map::text, smoothing::Straightener,
/// };
///
/// let grid = text::read(b".....\n.#...\n.....\n")?;
/// let rules = Rules::new(Metric::Octile, CornerRule::Strict);
/// let query = PathQuery::new(Cell::new(0, 1), Cell::new(4, 0)).with_rules(rules);
/// let detour = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (4, 0)];
/// let mut path: Path = detour.into_iter().map(Cell::from).collect();
///
/// let (mut straightener, mut turns) = (Straightener::new(), Vec::new());
/// straightener.pull(&grid, &query, &path, &mut turns)?;
/// let cells: Vec<Cell> = turns.iter().map(|turn| turn.cell).collect();
/// assert_eq!(cells, [Cell::new(0, 0), Cell::new(4, 0)]);
///
/// let cost = straightener.straighten(&grid, &query, &mut path)?;
/// assert_eq!(cost, 5 * rules.metric.straight());
/// assert_eq!(path.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Straightener {
    /// The walker's cell and the waypoints.
    points: Vec<PathPoint>,
    segments: Vec<PulledSegment>,
    /// The dearest ground from the current point up to each point ahead.
    dearest: Vec<Cost>,
    crossings: Vec<LineCrossing>,
}

/// A waypoint.
#[derive(Clone, Copy, Debug)]
struct PathPoint {
    cell: Cell,
    /// The cost of the path up to here.
    walk_cost: WalkCost,
    /// The cost of the ground.
    ground: Cost,
    by_link: bool,
}

/// A direct segment of a pulled path.
#[derive(Clone, Copy, Debug)]
struct PulledSegment {
    /// Indices of the first and the last point. Between two segments there may be a loop that was
    /// left out.
    start: usize,
    end: usize,
    /// Whether this is a line, and not a step or link of the path.
    drawn: bool,
}

impl Straightener {
    /// The greatest number of waypoints that one line replaces: longer lines are rare, and
    /// are put together from several.
    pub(super) const REACH: usize = 256;

    /// A straightener without memory yet.
    pub const fn new() -> Self {
        Self {
            points: Vec::new(),
            segments: Vec::new(),
            dearest: Vec::new(),
            crossings: Vec::new(),
        }
    }

    /// Replaces the content of `turns` with the points of the pulled path, without the walker's own
    /// cell. Returns the cost of its [lines](crate::smoothing::ClearLine::cost), steps and links in
    /// the units of the query's metric. The path stays as it is.
    ///
    /// `query` is the query of the path, with the walker's present cell as its start.
    ///
    /// In Euclidean length, the way from point to point is never longer than the path.
    ///
    /// # Errors
    ///
    /// [`BrokenPathError`] if the path cannot be walked from the start; there are no turns then.
    /// Bodies do not count.
    ///
    /// # Complexity
    ///
    /// O(waypoints) for a path that one line replaces. At worst, each remaining point tries 256
    /// lines, each up to the first cell that blocks it. Allocates only for paths longer than any
    /// before.
    pub fn pull<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &Path,
        turns: &mut Vec<TurningPoint>,
    ) -> Result<Cost, BrokenPathError> {
        turns.clear();
        let terrain = terrain.into().for_rules(query.rules);
        self.survey(terrain, query, path)?;
        let walk_cost = self.draw(&LineOfSight::new(terrain, query));
        turns.extend(self.segments.iter().map(|segment| {
            let PathPoint { cell, by_link, .. } = self.points[segment.end];
            TurningPoint {
                cell,
                by_link: by_link && !segment.drawn,
            }
        }));
        Ok(walk_cost.to_cost())
    }

    /// Pulls a path tight and replaces each line by the cells of its cheapest walk. Returns the new
    /// cost: never more than before under the query's metric nor, over the same ground, under the
    /// octile metric. A link that is cheaper than a step of a line does not count.
    ///
    /// Of equally cheap walks along a line, takes the shortest by the octile metric, then the one
    /// with the least sum of deviations from the line, then the first to turn aside.
    ///
    /// `query` is the query of the path, with the walker's present cell as its start.
    ///
    /// # Errors
    ///
    /// [`BrokenPathError`] if the path cannot be walked from the start; the path is unchanged then.
    /// Bodies do not count.
    ///
    /// # Complexity
    ///
    /// As [`Straightener::pull`].
    pub fn straighten<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Result<Cost, BrokenPathError> {
        let terrain = terrain.into().for_rules(query.rules);
        self.survey(terrain, query, path)?;
        let sight = LineOfSight::new(terrain, query);
        let walk_cost = self.draw(&sight);
        path.clear();
        for segment in self.segments.iter().rev() {
            let to = self.points[segment.end].cell;
            if segment.drawn {
                let from = self.points[segment.start].cell;
                prepend_line(&mut self.crossings, &sight, (from, to), path);
            } else {
                path.prepend(to);
            }
        }
        Ok(walk_cost.to_cost())
    }

    /// Fills `points` with the walker's cell and the waypoints.
    fn survey(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &Path,
    ) -> Result<(), BrokenPathError> {
        let mut last = PathPoint {
            cell: query.start,
            walk_cost: WalkCost::default(),
            ground: 0,
            by_link: false,
        };
        self.points.clear();
        self.points.push(last);
        for (index, to) in path.iter().enumerate() {
            let from = last.cell;
            let legal = PathStep::between(terrain.grid, from, to, query.rules);
            let step = legal.ok_or(BrokenPathError { index, from, to })?;
            last = PathPoint {
                cell: to,
                walk_cost: last.walk_cost.plus(step.walk_cost),
                ground: step.ground,
                by_link: step.by_link,
            };
            self.points.push(last);
        }
        Ok(())
    }

    /// Fills `segments` from the first point to the last, and returns their cost.
    fn draw(&mut self, sight: &LineOfSight<'_>) -> WalkCost {
        self.segments.clear();
        let mut total = WalkCost::default();
        let mut at = 0;
        while at + 1 < self.points.len() {
            let from = self.points[at];
            let line = self.farthest(at, sight);
            let drawn = line.is_some();
            let (end, walk_cost) = line
                .unwrap_or_else(|| (at + 1, self.points[at + 1].walk_cost.since(from.walk_cost)));
            total = total.plus(walk_cost);
            let to = self.points[end].cell;
            let line_before = self
                .segments
                .last_mut()
                .filter(|segment| segment.drawn && drawn);
            if drawn && from.cell == to {
                // A loop that is left out.
            } else if let Some(segment) = line_before
                && same_direction(self.points[segment.start].cell, from.cell, to)
            {
                segment.end = end;
            } else {
                let start = at;
                self.segments.push(PulledSegment { start, end, drawn });
            }
            at = end;
        }
        total
    }

    /// The farthest point beyond the next to which a line may replace the path, with its cost.
    fn farthest(&mut self, at: usize, sight: &LineOfSight<'_>) -> Option<(usize, WalkCost)> {
        let from = self.points[at];
        let in_reach = self.points[at + 1..].iter().take(Self::REACH);
        let ahead = in_reach.take_while(|point| !point.by_link);
        self.dearest.clear();
        self.dearest.extend(ahead.scan(0, |dearest, point| {
            *dearest = point.ground.max(*dearest);
            Some(*dearest)
        }));
        let ahead = self.dearest.iter().enumerate().skip(1).rev();
        ahead
            .map(|(index, &dearest)| (at + 1 + index, dearest))
            .find_map(|(end, dearest)| {
                let to = self.points[end];
                let walk_cost = to.walk_cost.since(from.walk_cost);
                let line =
                    sight.trace(from.cell, to.cell, LineCost { walk_cost, dearest }, |_| {})?;
                Some((end, line.walk_cost))
            })
    }
}

impl Default for Straightener {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether the lines from `a` to `b` and from `b` to `c` have the same direction.
fn same_direction(a: Cell, b: Cell, c: Cell) -> bool {
    let run = |from: Cell, to: Cell| {
        (
            i64::from(to.x) - i64::from(from.x),
            i64::from(to.y) - i64::from(from.y),
        )
    };
    let ((ax, ay), (bx, by)) = (run(a, b), run(b, c));
    ax * by == ay * bx && ax * bx + ay * by > 0
}

/// Adds the cells of the best walk along a clear line, without the first, before those of `path`.
/// Does nothing if the line is not clear.
///
/// O(cells on the line).
fn prepend_line(
    crossings: &mut Vec<LineCrossing>,
    sight: &LineOfSight<'_>,
    (from, to): (Cell, Cell),
    path: &mut Path,
) -> Option<()> {
    crossings.clear();
    sight.trace(from, to, LineCost::MAX, |crossing| crossings.push(crossing))?;
    let mut at = to;
    // On the way back from an end that was reached, every crossing has an arrival.
    while let Some(crossing) = crossings.pop() {
        path.prepend(at);
        let before = at.step(crossing.direction.opposite())?;
        at = match crossing.arrival? {
            LineArrival::Step => before,
            LineArrival::Past => {
                let passed = crossings.pop()?;
                before.step(passed.direction.opposite())?
            }
            LineArrival::Beside(first) => {
                path.prepend(before.step(first)?);
                before
            }
        };
    }
    Some(())
}
