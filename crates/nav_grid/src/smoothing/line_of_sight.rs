//! Line of sight: whether a walker can go straight from one cell to another, and the cost.

use super::supercover::Supercover;
use crate::{
    cell::{Cell, Direction, Directions},
    map::Grid,
    path::WalkCost,
    query::{GridView, PathQuery, Terrain, WeightedView},
    rules::{CornerRule, Cost, Metric, Rules},
};

/// The straight lines along which a walker can go.
///
/// # When a line is clear
///
/// The line runs from the centre of one cell to the centre of another on the same floor. For a body
/// larger than a cell these are the centres of its anchor. The line is clear if
///
/// - the body may stand on every cell that the line passes through, however briefly: the map, the
///   [footprint](crate::Footprint) and the bodies in the way allow it. As for steps, the first cell
///   does not count, so a walker that is caught in a door may leave;
/// - where the line meets the corner of four cells exactly, the body may also stand on the two
///   cells beside it, under [`CornerRule::Strict`]. Under [`CornerRule::Cut`] it may pass between
///   two walls;
/// - steps that the rules and the exits allow lead over these cells from one end to the other, each
///   toward the end and none back.
///
/// A clear line may be blocked in the other direction: exits may forbid it, and first cells do not
/// count.
///
/// # What a line costs
///
/// The cost of the cheapest walk along it: over the cells that it passes through, in order. Such a
/// walk may go diagonally past a cell that the line only cuts into. Where the line meets a corner,
/// the walk takes the diagonal step or goes over a cell beside it. On open ground no way between
/// the two cells is cheaper. [`Straightener`](crate::smoothing::Straightener) walks such lines.
///
/// # Complexity
///
/// O(cells on the line), up to the first that blocks it. Whole numbers only, and no memory. The
/// cells are found as in Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing",
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

/// The cost of a clear [line of sight](LineOfSight).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClearLine {
    /// The cost of the cheapest walk along the line in the units of the rules' metric, at most
    /// [`Cost::MAX`]. 0 from a cell to itself.
    pub cost: Cost,
    /// The cost of the dearest ground on the line and on that walk, 1 to
    /// [`Grid::COST_WORST`]; for a large body, of the dearest cell that it covers on the way. The
    /// first cell does not count. 0 from a cell to itself.
    pub dearest: u8,
}

impl Grid {
    /// Whether an agent of some rules sees one cell from another: a clear line leads there over
    /// cells that can be [seen through](Grid::set_sight). Footprint, classes and bodies do not
    /// count.
    ///
    /// O(cells on the line).
    pub fn sees(&self, from: Cell, to: Cell, rules: Rules) -> bool {
        let eye = Rules::new(rules.metric, rules.corners);
        let query = PathQuery::new(from, to).with_rules(eye);
        LineOfSight::new(self.for_sight(), &query).sees(from, to)
    }
}

impl<'a> LineOfSight<'a> {
    /// The lines of the walker of `query`, under its rules. Start, goal and the body there decide
    /// which [bodies](crate::rules::BodyPolicy) are in the way, as in a search.
    pub fn new(terrain: impl Into<Terrain<'a>>, query: &PathQuery) -> Self {
        let terrain = terrain.into().for_rules(query.rules);
        Self {
            ground: WeightedView::new(terrain, query),
            grid: terrain.grid,
            rules: query.rules,
        }
    }

    /// Whether the line between two cells is clear. `false` unless both are on the map and on one
    /// floor.
    pub fn sees(&self, from: Cell, to: Cell) -> bool {
        self.line(from, to).is_some()
    }

    /// The line between two cells, or `None` if it is not clear.
    pub fn line(&self, from: Cell, to: Cell) -> Option<ClearLine> {
        self.trace(from, to, LineCost::MAX, |_| {})
            .map(ClearLine::from)
    }

    /// Follows a line while it is clear and within `most`, and passes each crossing with the best
    /// way over it to `note`. If the end is reached, the cheapest walk can be traced back from the
    /// noted crossings.
    ///
    /// A walk reaches the cell behind an edge from the cell before it, or diagonally from the cell
    /// before that. So the best walks to the last two cells are enough to remember.
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
        let mut dearest = 0;
        // The place before, and the edge between that and `here`.
        let mut before: Option<(LinePlace, Direction)> = None;
        let mut here = self.place(from, Some(RankedWalk::default()));
        for direction in line.clone() {
            if !here.free.contains(direction) {
                return None;
            }
            let target = self.target(here.cell.step(direction)?, &line);
            dearest = dearest.max(target.ground);
            let mut best = BestArrival::default();
            best.offer(self.onward(&here, direction, target), LineArrival::Step);
            if direction.is_diagonal() {
                if self.is_corner_in_way(&here, &line) {
                    return None;
                }
                // On uniform ground a legal diagonal step is always cheaper.
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
            if dearest > most.dearest
                || ![walk, here.walk]
                    .iter()
                    .flatten()
                    .any(|walk| most.allows(walk))
            {
                return None;
            }
            let arrival = best.0.map(|(_, arrival)| arrival);
            note(LineCrossing { direction, arrival });
            before = Some((here, direction));
            here = self.place(target.cell, walk);
        }
        let walk = here.walk.filter(|walk| most.allows(walk))?;
        Some(LineCost {
            walk_cost: walk.walk_cost,
            dearest,
        })
    }

    /// Whether a corner that may not be cut is in the way of a diagonal step along a line.
    fn is_corner_in_way(&self, here: &LinePlace, line: &Supercover) -> bool {
        let beside = Directions::from_iter(line.straight());
        self.rules.corners == CornerRule::Strict && here.free.intersection(beside) != beside
    }

    /// Offers the walks over the two cells beside a corner on the line. Returns the cost of
    /// the cell that the best walk takes, 0 for the diagonal step: ground beside a corner counts
    /// only if the walk uses it.
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
                ground = beside.ground;
            }
        }
        ground
    }

    /// The best walk to a place, extended by one step; `None` without a walk or if the step is not
    /// legal.
    fn onward(
        &self,
        place: &LinePlace,
        direction: Direction,
        target: LineTarget,
    ) -> Option<RankedWalk> {
        let walk = place.walk.filter(|_| place.legal.contains(direction))?;
        let metric = self.rules.metric;
        let step = WalkCost {
            cost: metric.onto(metric.step(direction)?, target.ground).into(),
            octile: metric.octile_onto(direction, target.ground)?.into(),
        };
        Some(RankedWalk {
            walk_cost: walk.walk_cost.plus(step),
            deviation: walk.deviation + target.deviation,
        })
    }

    /// A cell that a walk may leave.
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

    /// A cell that a walk may enter.
    fn target(&self, cell: Cell, line: &Supercover) -> LineTarget {
        LineTarget {
            cell,
            ground: self.ground.cost(cell),
            deviation: line.deviation(cell),
        }
    }
}

/// The cost of a line or a part of a path, and the dearest ground on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCost {
    pub(crate) walk_cost: WalkCost,
    pub(crate) dearest: Cost,
}

impl LineCost {
    /// More than the cost of any line.
    pub(crate) const MAX: Self = Self {
        walk_cost: WalkCost::MAX,
        dearest: Cost::MAX,
    };

    /// Whether a walk is no dearer than that.
    fn allows(&self, walk: &RankedWalk) -> bool {
        walk.walk_cost.is_within(self.walk_cost)
    }
}

impl From<LineCost> for ClearLine {
    fn from(cost: LineCost) -> Self {
        Self {
            cost: cost.walk_cost.to_cost(),
            dearest: u8::try_from(cost.dearest).unwrap_or(u8::MAX),
        }
    }
}

/// An edge or corner where a line leaves a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCrossing {
    /// The direction of the edge, or of the corner if diagonal.
    pub(crate) direction: Direction,
    /// How the best walk enters the cell beyond; `None` if no walk can.
    pub(crate) arrival: Option<LineArrival>,
}

/// How a walk along a line enters a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineArrival {
    /// By the step across the edge or the corner.
    Step,
    /// Diagonally, past the cell before.
    Past,
    /// Over a cell beside the corner, first in this direction.
    Beside(Direction),
}

/// A cell that a walk along a line may leave.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    cell: Cell,
    /// The neighbours where the body may stand.
    free: Directions,
    /// The legal steps.
    legal: Directions,
    /// The best walk to the cell.
    walk: Option<RankedWalk>,
}

/// A cell that a walk along a line may enter.
#[derive(Clone, Copy, Debug)]
struct LineTarget {
    cell: Cell,
    /// The cost of the ground.
    ground: Cost,
    /// The distance from the line.
    deviation: u64,
}

/// A walk along a line. Walks order by cost, then by octile length, then by deviation from the
/// line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct RankedWalk {
    walk_cost: WalkCost,
    /// The sum of the deviations of the cells.
    deviation: u64,
}

/// The least walk to a cell; among equal walks the first that was offered.
#[derive(Clone, Copy, Debug, Default)]
struct BestArrival(Option<(RankedWalk, LineArrival)>);

impl BestArrival {
    /// Takes a walk if it is the best so far. Returns whether it is.
    fn offer(&mut self, walk: Option<RankedWalk>, arrival: LineArrival) -> bool {
        let Some(walk) = walk.filter(|walk| self.0.is_none_or(|(best, _)| *walk < best)) else {
            return false;
        };
        self.0 = Some((walk, arrival));
        true
    }
}
