//! Straight lines that a walker can go along.

use super::supercover::Supercover;
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    path::WalkCost,
    query::{GridView, PathQuery, Terrain, WeightedView},
    rules::{CornerRule, Cost, Metric, Rules},
};

/// What a walker sees of a map: the straight lines along which it could go.
///
/// # When a line is clear
///
/// The line runs from the centre of one cell to the centre of another on the same floor; those
/// of a body larger than a cell are the centres of its anchor. It is clear if
///
/// - the body may stand on every cell through which the line passes, be it for the shortest
///   bit, as the map, its [footprint](crate::Footprint) and the bodies in the way decide. As
///   for steps, the first cell does not count: who is caught in a door may leave;
/// - where the line meets the corner of four cells exactly, under [`CornerRule::Strict`] the
///   body may stand on the two cells beside it, too. [`CornerRule::Cut`] lets it pass between
///   two walls;
/// - steps that the rules and the exits allow lead over these cells from one end to the other,
///   each toward the end and none back.
///
/// A line need not be clear the other way round: exits may forbid it, and first cells do not
/// count.
///
/// # What a line costs
///
/// As much as the cheapest walk along it: over the cells through which it passes, in order. Such
/// a walk may go diagonally past a cell that the line only cuts into; where the line meets a
/// corner, it takes the diagonal step or goes by way of a cell beside it. On open ground no way
/// between the two cells is cheaper. [`Straightener`](crate::smoothing::Straightener) walks such lines.
///
/// # Complexity
///
/// O(cells on the line), up to the first that blocks it. Whole numbers only, and no memory. The
/// cells are those of Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing",
/// 1987.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, PathQuery, map::text, smoothing::LineOfSight};
///
/// let grid = text::read(b"......\n...#..\n......\n")?;
/// let walker = Cell::new(0, 0);
/// let sight = LineOfSight::new(&grid, &PathQuery::new(walker, Cell::new(5, 2)));
/// assert!(sight.sees(walker, Cell::new(5, 0)));
/// assert!(!sight.sees(walker, Cell::new(5, 2)), "through the wall");
/// let line = sight.line(walker, Cell::new(2, 1)).unwrap();
/// assert_eq!((line.cost, line.dearest), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LineOfSight<'a> {
    ground: WeightedView<'a>,
    grid: &'a Grid,
    rules: Rules,
}

/// A clear line: what it costs to go along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClearLine {
    /// What the cheapest walk along the line costs, in the units of the rules' metric;
    /// [`Cost::MAX`] if it is more. 0 from a cell to itself.
    pub cost: Cost,
    /// The cost factor of the dearest ground on the line and on that walk, 1 to
    /// [`Grid::COST_WORST`]; for a large body that of the dearest cell it comes to cover. The
    /// ground under the first cell does not count, and from a cell to itself this is 0.
    pub dearest: u8,
}

impl<'a> LineOfSight<'a> {
    /// What the walker of `query` sees. The rules are those of the query; its start, its goal
    /// and the body there decide which [bodies](crate::rules::BodyPolicy) are in the way, as they do in a
    /// search.
    pub fn new(terrain: impl Into<Terrain<'a>>, query: &PathQuery) -> Self {
        let terrain = terrain.into();
        Self {
            ground: WeightedView::new(terrain, query),
            grid: terrain.grid,
            rules: query.rules,
        }
    }

    /// Whether the line between two cells is clear. `false` if they are not both on the map and
    /// on one floor.
    pub fn sees(&self, from: Cell, to: Cell) -> bool {
        self.trace(from, to, LineCost::MAX, |_| {}).is_some()
    }

    /// The line between two cells, or `None` if it is not clear.
    pub fn line(&self, from: Cell, to: Cell) -> Option<ClearLine> {
        self.trace(from, to, LineCost::MAX, |_| {})
            .map(ClearLine::from)
    }

    /// Follows a line as far as it is clear and within `most`, and tells `note` each crossing
    /// and the best way over it. If the end is reached, the notes are enough to trace the
    /// cheapest walk back from there.
    ///
    /// A walk comes to the cell behind an edge from the one before it, or diagonally from the
    /// one before that, so the best walks to the last two cells are all there is to remember.
    pub(crate) fn trace(
        &self,
        from: Cell,
        to: Cell,
        most: LineCost,
        mut note: impl FnMut(LineCrossing),
    ) -> Option<LineCost> {
        let size = self.grid.size();
        if from.floor != to.floor || !size.contains(from) || !size.contains(to) {
            return None;
        }
        let line = Supercover::new(from, to);
        let promising = |walk: Option<RankedWalk>| {
            walk.is_some_and(|walk| walk.walk_cost.is_within(most.walk_cost))
        };
        let mut dearest = 0;
        // The place before, and the edge between the two.
        let mut before: Option<(LinePlace, Direction)> = None;
        let mut here = self.place(from, Some(RankedWalk::default()));
        for direction in line.clone() {
            if !here.free.contains(direction) {
                return None;
            }
            let target = self.target(here.cell.step(direction)?, &line);
            dearest = dearest.max(target.factor);
            let mut best = BestArrival::default();
            best.offer(self.onward(&here, direction, target), LineArrival::Step);
            if direction.is_diagonal() {
                let beside = Directions::from_iter(line.straight());
                let strict = self.rules.corners == CornerRule::Strict;
                if strict && here.free.intersection(beside) != beside {
                    return None;
                }
                // Where all ground is the same, a diagonal step that is legal is cheaper.
                if best.0.is_none() || self.grid.has_costs() {
                    let ground = self.go_beside(&here, target, &line, &mut best);
                    dearest = dearest.max(ground);
                }
            } else if let Some((before, turn)) = &before
                && !turn.is_diagonal()
                && *turn != direction
            {
                let past = self.onward(before, line.diagonal(), target);
                best.offer(past, LineArrival::Past);
            }
            let walk = best.0.map(|(walk, _)| walk);
            if dearest > most.dearest || !(promising(walk) || promising(here.walk)) {
                return None;
            }
            note(LineCrossing {
                direction,
                arrival: best.0.map(|(_, arrival)| arrival),
            });
            before = Some((here, direction));
            here = self.place(target.cell, walk);
        }
        let walk = here
            .walk
            .filter(|walk| walk.walk_cost.is_within(most.walk_cost))?;
        Some(LineCost {
            walk_cost: walk.walk_cost,
            dearest,
        })
    }

    /// Offers the walks by way of the two cells beside a corner on the line, and returns the cost
    /// factor of the cell that the best one takes; 0 for the diagonal step. Every walk along the
    /// line passes the corner, so the ground beside it counts only if this is how.
    fn go_beside(
        &self,
        here: &LinePlace,
        target: LineTarget,
        line: &Supercover,
        best: &mut BestArrival,
    ) -> Cost {
        let mut ground = 0;
        let [across, along] = line.straight();
        for (first, second) in [(across, along), (along, across)] {
            let Some(cell) = here.cell.step(first) else {
                continue;
            };
            let beside = self.target(cell, line);
            let Some(walk) = self.onward(here, first, beside) else {
                continue;
            };
            let walk = self.onward(&self.place(cell, Some(walk)), second, target);
            if best.offer(walk, LineArrival::Beside(first)) {
                ground = beside.factor;
            }
        }
        ground
    }

    /// The best walk to a place and from there one step on, if there is such a walk and the step
    /// is legal.
    fn onward(
        &self,
        place: &LinePlace,
        direction: Direction,
        target: LineTarget,
    ) -> Option<RankedWalk> {
        let walk = place.walk.filter(|_| place.legal.contains(direction))?;
        let cost = |metric: Metric| Some(u64::from(metric.step(direction)? * target.factor));
        let step = WalkCost {
            cost: cost(self.rules.metric)?,
            octile: cost(Metric::Octile)?,
        };
        Some(RankedWalk {
            walk_cost: walk.walk_cost.plus(step),
            deviation: walk.deviation + target.deviation,
        })
    }

    /// A cell of the map for a walk along a line to leave.
    fn place(&self, cell: Cell, walk: Option<RankedWalk>) -> LinePlace {
        let around = self.ground.surroundings(cell);
        let anywhere = Rules::new(Metric::Unit, CornerRule::Cut);
        let legal = self.rules.move_table()[around];
        LinePlace {
            cell,
            free: anywhere.move_table()[around],
            legal: legal.intersection(self.ground.exits(cell)),
            walk,
        }
    }

    /// A cell of the map for a walk along a line to come to.
    fn target(&self, cell: Cell, line: &Supercover) -> LineTarget {
        LineTarget {
            cell,
            factor: self.ground.cost_factor(cell),
            deviation: line.deviation(cell),
        }
    }
}

/// What a line or a stretch of path costs, and the dearest ground on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCost {
    pub(crate) walk_cost: WalkCost,
    pub(crate) dearest: Cost,
}

impl LineCost {
    /// More than any line costs.
    pub(crate) const MAX: Self = Self {
        walk_cost: WalkCost::MAX,
        dearest: Cost::MAX,
    };
}

impl From<LineCost> for ClearLine {
    fn from(cost: LineCost) -> Self {
        Self {
            cost: cost.walk_cost.to_cost(),
            dearest: u8::try_from(cost.dearest).unwrap_or(u8::MAX),
        }
    }
}

/// A line leaves a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCrossing {
    /// Through which edge, or by which corner if diagonal.
    pub(crate) direction: Direction,
    /// How the best walk comes to the cell beyond; `None` if walks can only pass it by.
    pub(crate) arrival: Option<LineArrival>,
}

/// How a walk along a line comes to a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineArrival {
    /// By the step across the edge or the corner.
    Step,
    /// Diagonally, past the cell before.
    Past,
    /// Around the corner, first in this direction.
    Beside(Direction),
}

/// A cell that a walk along a line may leave.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    cell: Cell,
    /// Where the body may stand around it.
    free: Directions,
    /// The steps out of it.
    legal: Directions,
    /// The best walk to it.
    walk: Option<RankedWalk>,
}

/// A cell to which a walk along a line may come.
#[derive(Clone, Copy, Debug)]
struct LineTarget {
    cell: Cell,
    /// The cost factor of its ground.
    factor: Cost,
    /// Its distance from the line.
    deviation: u64,
}

/// A walk along a line. The least is the cheapest, then the shortest by the octile metric, then
/// the one that stays nearest to the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct RankedWalk {
    walk_cost: WalkCost,
    /// Deviations of its cells from the line, added up.
    deviation: u64,
}

/// The least walk to a cell; among equal ones the first that was offered.
#[derive(Clone, Copy, Debug, Default)]
struct BestArrival(Option<(RankedWalk, LineArrival)>);

impl BestArrival {
    /// Returns whether this one is the best so far.
    fn offer(&mut self, walk: Option<RankedWalk>, arrival: LineArrival) -> bool {
        let Some(walk) = walk.filter(|walk| self.0.is_none_or(|(best, _)| *walk < best)) else {
            return false;
        };
        self.0 = Some((walk, arrival));
        true
    }
}
