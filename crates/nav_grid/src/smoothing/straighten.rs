//! Paths pulled tight.

use super::{
    line_of_sight::{LineCost, LineOfSight},
    line_walk::LineWalker,
};
use crate::{
    cell::Cell,
    path::{BrokenPathError, Path, PathStep, TurningPoint, WalkCost},
    query::{PathQuery, Terrain},
    rules::Cost,
};

/// Pulls paths tight, like a string around corners; with its scratch memory.
///
/// From the walker's cell on, the farthest waypoint in [sight](crate::smoothing::LineOfSight) comes next, then the
/// farthest in sight from there, and so on: greedy, so there are few points, if not always the
/// fewest possible. What a line replaces is never cheaper than the line:
///
/// - A line may cost no more than the stretch of path that it replaces, neither under the
///   metric in force nor, with the same ground, under the octile one. The second keeps paths
///   from growing longer under metrics that do not see it, as [`Metric::Unit`](crate::Metric).
/// - A line may not lead over ground dearer than the dearest ground of that stretch.
/// - Links stay, and lines end at them.
///
/// A step of the path for which no longer line is found stays as it is. It is the only leg that
/// need not be in sight: bodies may stand in its way now. Where a path comes back to a cell, the
/// loop goes; one that comes back to the walker is empty then.
///
/// The smoothing of Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004,
/// with lines in any direction and an eye on costs.
///
/// Paths that search methods call cheapest come back at the same cost, with other turns. Those
/// that were put together from pieces become cheaper. Pulling again what was pulled may find
/// more, since the new path has other cells.
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
    reach: u16,
    /// The walker's cell and the waypoints.
    points: Vec<PathPoint>,
    segments: Vec<PulledSegment>,
    /// The dearest ground from the point in hand up to each of those ahead.
    dearest: Vec<Cost>,
    walk: LineWalker,
}

/// A waypoint.
#[derive(Clone, Copy, Debug)]
struct PathPoint {
    cell: Cell,
    /// What the path costs up to here.
    walk_cost: WalkCost,
    /// The cost factor of its ground.
    factor: Cost,
    by_link: bool,
}

/// A leg of a pulled path.
#[derive(Clone, Copy, Debug)]
struct PulledSegment {
    /// Numbers of the points where it begins and ends. Between two legs there may be a loop that
    /// was left out.
    start: usize,
    end: usize,
    /// Whether it is a line, and not a step or link of the path.
    drawn: bool,
}

impl Straightener {
    /// How many waypoints one looks ahead unless told otherwise.
    pub const REACH: u16 = 256;

    /// Without memory yet, and with a reach of [`Straightener::REACH`].
    pub const fn new() -> Self {
        Self {
            reach: Self::REACH,
            points: Vec::new(),
            segments: Vec::new(),
            dearest: Vec::new(),
            walk: LineWalker::new(),
        }
    }

    /// Replaces the number of waypoints that are looked ahead from each point: no line replaces
    /// more of them. Straight lines may still be longer, put together from several. Below 2
    /// nothing is replaced.
    #[must_use]
    pub fn with_reach(self, reach: u16) -> Self {
        Self { reach, ..self }
    }

    /// Leaves in `turns` the points of a path once it is pulled tight, the walker's own cell not
    /// among them, and returns what the legs cost in the units of the query's metric:
    /// [lines](crate::smoothing::ClearLine::cost), steps and links. The path stays as it is.
    ///
    /// `query` is that which the path answers: its start is where the walker stands.
    ///
    /// From point to point the way is never longer than along the path, measured as the crow
    /// flies.
    ///
    /// # Errors
    ///
    /// [`BrokenPathError`] if the path cannot be walked from the start, bodies aside; then there
    /// are no turns.
    ///
    /// # Complexity
    ///
    /// O(waypoints) for a path that one line replaces. At worst, each of the points left looks
    /// at as many lines as it has reach, each up to the first cell that blocks it. Allocates only
    /// for longer paths than any before.
    pub fn pull<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &Path,
        turns: &mut Vec<TurningPoint>,
    ) -> Result<Cost, BrokenPathError> {
        turns.clear();
        let terrain = terrain.into();
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

    /// Pulls a path tight and walks it again cell by cell, each line
    /// along its cheapest walk, and returns what it costs now: never more than before, neither under the query's metric nor,
    /// over the same ground, under the octile one. A link that is cheaper than a step of a line
    /// is not counted.
    ///
    /// `query` is that which the path answers: its start is where the walker stands.
    ///
    /// # Errors
    ///
    /// [`BrokenPathError`] if the path cannot be walked from the start, bodies aside; then it
    /// stays as it is.
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
        let terrain = terrain.into();
        self.survey(terrain, query, path)?;
        let sight = LineOfSight::new(terrain, query);
        let walk_cost = self.draw(&sight);
        path.clear();
        for segment in self.segments.iter().rev() {
            let (from, to) = (
                self.points[segment.start].cell,
                self.points[segment.end].cell,
            );
            if segment.drawn {
                self.walk.prepend(&sight, from, to, path);
            } else {
                path.prepend(to);
            }
        }
        Ok(walk_cost.to_cost())
    }

    /// Bytes that the scratch memory keeps on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.points.capacity() * size_of::<PathPoint>()
            + self.segments.capacity() * size_of::<PulledSegment>()
            + self.dearest.capacity() * size_of::<Cost>()
            + self.walk.heap_bytes()
    }

    /// Notes the points of a path and what it costs to get to them.
    fn survey(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &Path,
    ) -> Result<(), BrokenPathError> {
        let mut last = PathPoint {
            cell: query.start,
            walk_cost: WalkCost::default(),
            factor: 0,
            by_link: false,
        };
        self.points.clear();
        self.points.push(last);
        for (index, to) in path.iter().enumerate() {
            let from = last.cell;
            let step = PathStep::between(terrain.grid, from, to, query.rules);
            let step = step.ok_or(BrokenPathError { index, from, to })?;
            last = PathPoint {
                cell: to,
                walk_cost: last.walk_cost.plus(step.walk_cost),
                factor: step.factor,
                by_link: step.by_link,
            };
            self.points.push(last);
        }
        Ok(())
    }

    /// Draws lines from the first of the points to the last, and returns what they cost.
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

    /// The farthest point but the next to which a line may replace the path.
    fn farthest(&mut self, at: usize, sight: &LineOfSight<'_>) -> Option<(usize, WalkCost)> {
        let from = self.points[at];
        let ahead = self.points[at + 1..].iter().take(self.reach.into());
        let ahead = ahead.take_while(|point| !point.by_link);
        self.dearest.clear();
        self.dearest.extend(ahead.scan(0, |dearest, point| {
            *dearest = point.factor.max(*dearest);
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

/// Whether the way from `b` to `c` goes on as that from `a` to `b` does.
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
