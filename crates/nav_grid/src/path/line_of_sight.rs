//! Straight lines that a walker can go along.

use super::{hop::Toll, supercover::Supercover};
use crate::{
    BodyPolicy, Cell, CornerRule, Cost, Direction, Directions, Grid, Metric, Query, Rules, Size,
    Terrain,
    search::ground::{Ground, Layered, Plain},
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
/// between the two cells is cheaper. [`LineWalk`](super::LineWalk) tells the cells.
///
/// # Complexity
///
/// O(cells on the line), up to the first that blocks it. Whole numbers only, and no memory.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Query, Sight, formats::text};
///
/// let grid = text::read("......\n...#..\n......\n")?;
/// let walker = Cell::new(0, 0);
/// let sight = Sight::new(&grid, &Query::new(walker, Cell::new(5, 2)));
/// assert!(sight.sees(walker, Cell::new(5, 0)));
/// assert!(!sight.sees(walker, Cell::new(5, 2)), "through the wall");
/// let line = sight.line(walker, Cell::new(2, 1)).unwrap();
/// assert_eq!((line.cost, line.dearest), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    view: View<'a>,
    grid: &'a Grid,
    rules: Rules,
}

/// A clear line: what it costs to go along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// What the cheapest walk along the line costs, in the units of the rules' metric;
    /// [`Cost::MAX`] if it is more. 0 from a cell to itself.
    pub cost: Cost,
    /// The cost factor of the dearest ground on the line and on that walk, 1 to
    /// [`Grid::COST_WORST`]; for a large body that of the dearest cell it comes to cover. The
    /// ground under the first cell does not count, and from a cell to itself this is 0.
    pub dearest: u8,
}

impl<'a> Sight<'a> {
    /// What the walker of `query` sees. The rules are those of the query; its start, its goal
    /// and the body there decide which [bodies](BodyPolicy) are in the way, as they do in a
    /// search.
    pub fn new(terrain: impl Into<Terrain<'a>>, query: &Query) -> Self {
        let terrain = terrain.into();
        Self {
            view: View::new(terrain, query),
            grid: terrain.grid,
            rules: query.rules,
        }
    }

    /// Whether the line between two cells is clear. `false` if they are not both on the map and
    /// on one floor.
    pub fn sees(&self, from: Cell, to: Cell) -> bool {
        self.trace(from, to, Price::MAX, |_| {}).is_some()
    }

    /// The line between two cells, or `None` if it is not clear.
    pub fn line(&self, from: Cell, to: Cell) -> Option<Line> {
        self.trace(from, to, Price::MAX, |_| {}).map(Line::from)
    }

    /// The line between two cells, or `None` if it is not clear, costs more than `most.cost` or
    /// leads over ground dearer than `most.dearest`: what may take the place of a stretch of
    /// path without making it worse.
    pub fn line_within(&self, from: Cell, to: Cell, most: Line) -> Option<Line> {
        let most = Price {
            toll: Toll {
                cost: most.cost.into(),
                ..Toll::MAX
            },
            dearest: most.dearest.into(),
        };
        self.trace(from, to, most, |_| {}).map(Line::from)
    }

    /// Follows a line as far as it is clear and within `most`, and tells `note` each crossing
    /// and the best way over it. If the end is reached, the notes are enough to trace the
    /// cheapest walk back from there.
    ///
    /// A walk comes to the cell behind an edge from the one before it, or diagonally from the
    /// one before that, so the best walks to the last two cells are all there is to remember.
    pub(super) fn trace(
        &self,
        from: Cell,
        to: Cell,
        most: Price,
        mut note: impl FnMut(Crossing),
    ) -> Option<Price> {
        let size: Size = self.grid.size();
        if from.floor != to.floor || !size.contains(from) || !size.contains(to) {
            return None;
        }
        let line = Supercover::new(from, to);
        let deviation = |cell| line.deviation(from, cell);
        let promising =
            |walk: Option<Walk>| walk.filter(|walk| walk.toll.is_within(most.toll)).is_some();
        let mut dearest = 0;
        let mut before: Option<(Place, Direction)> = None;
        let mut here = self.place(from, Some(Walk::default()));
        for direction in line.clone() {
            if !here.free.contains(direction) {
                return None;
            }
            let cell = here.cell.step(direction)?;
            let factor = self.view.cost_factor(cell);
            dearest = dearest.max(factor);
            let mut best = Best::default();
            let onward = |walk: Option<Walk>, direction, cell, factor| {
                walk?.onward(self.rules.metric, direction, factor, deviation(cell))
            };
            if here.legal.contains(direction) {
                let walk = onward(here.walk, direction, cell, factor);
                best.offer(walk, Arrival::Step);
            }
            if direction.is_diagonal() {
                let [across, along] = line.straight();
                let beside = Directions::from_iter([across, along]);
                let strict = self.rules.corners == CornerRule::Strict;
                if strict && here.free.intersection(beside) != beside {
                    return None;
                }
                // On ground that is the same everywhere the diagonal step is cheaper.
                if best.0.is_none() || self.grid.has_costs() {
                    let mut dearest_beside = 0;
                    for (first, second) in [(across, along), (along, across)] {
                        let Some(beside) = here.cell.step(first) else {
                            continue;
                        };
                        if !here.legal.contains(first)
                            || !self.place(beside, None).legal.contains(second)
                        {
                            continue;
                        }
                        let ground = self.view.cost_factor(beside);
                        let walk = onward(here.walk, first, beside, ground);
                        let walk = onward(walk, second, cell, factor);
                        if best.offer(walk, Arrival::Beside(first)) {
                            dearest_beside = ground;
                        }
                    }
                    // Every walk along the line passes this corner, and this is the way it does.
                    dearest = dearest.max(dearest_beside);
                }
            } else if let Some((before, turn)) = before
                && !turn.is_diagonal()
                && turn != direction
                && before.legal.contains(line.diagonal())
            {
                let walk = onward(before.walk, line.diagonal(), cell, factor);
                best.offer(walk, Arrival::Past);
            }
            let walk = best.0.map(|(walk, _)| walk);
            if dearest > most.dearest || !(promising(walk) || promising(here.walk)) {
                return None;
            }
            note(Crossing {
                direction,
                arrival: best.0.map(|(_, arrival)| arrival),
            });
            before = Some((here, direction));
            here = self.place(cell, walk);
        }
        let walk = here.walk.filter(|walk| promising(Some(*walk)))?;
        Some(Price {
            toll: walk.toll,
            dearest,
        })
    }

    /// A cell of the map as a line comes by.
    fn place(&self, cell: Cell, walk: Option<Walk>) -> Place {
        let around = self.view.surroundings(cell);
        let anywhere = Rules::new(Metric::Unit, CornerRule::Cut);
        let legal = self.rules.move_table()[around];
        Place {
            cell,
            free: anywhere.move_table()[around],
            legal: legal.intersection(self.view.exits(cell)),
            walk,
        }
    }
}

/// The map as a query's walker sees it, without layers where there are none.
#[derive(Clone, Copy, Debug)]
enum View<'a> {
    Plain(Plain<'a>),
    Layered(Layered<'a>),
}

impl<'a> View<'a> {
    fn new(terrain: Terrain<'a>, query: &Query) -> Self {
        Plain::new(terrain, query)
            .map_or_else(|| Self::Layered(Layered::new(terrain, query)), Self::Plain)
    }

    fn surroundings(&self, cell: Cell) -> usize {
        match self {
            Self::Plain(ground) => ground.surroundings(cell),
            Self::Layered(ground) => ground.surroundings(cell),
        }
    }

    fn exits(&self, cell: Cell) -> Directions {
        match self {
            Self::Plain(ground) => ground.exits(cell),
            Self::Layered(ground) => ground.exits(cell),
        }
    }

    fn cost_factor(&self, cell: Cell) -> Cost {
        match self {
            Self::Plain(ground) => ground.cost_factor(cell),
            Self::Layered(ground) => ground.cost_factor(cell),
        }
    }
}

/// What a line or a stretch of path costs, and the dearest ground on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    pub(super) toll: Toll,
    pub(super) dearest: Cost,
}

impl Price {
    /// More than any line costs.
    pub(super) const MAX: Self = Self {
        toll: Toll::MAX,
        dearest: Cost::MAX,
    };
}

impl From<Price> for Line {
    fn from(price: Price) -> Self {
        Self {
            cost: price.toll.to_cost(),
            dearest: u8::try_from(price.dearest).unwrap_or(u8::MAX),
        }
    }
}

/// A line leaves a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Through which edge, or by which corner if diagonal.
    pub(super) direction: Direction,
    /// How the best walk comes to the cell beyond; `None` if walks can only pass it by.
    pub(super) arrival: Option<Arrival>,
}

/// How a walk along a line comes to a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrival {
    /// By the step across the edge or the corner.
    Step,
    /// Diagonally, past the cell before.
    Past,
    /// Around the corner, first in this direction.
    Beside(Direction),
}

/// A cell on a line.
#[derive(Clone, Copy, Debug)]
struct Place {
    cell: Cell,
    /// Where the body may stand around it.
    free: Directions,
    /// The steps out of it.
    legal: Directions,
    /// The best walk to it.
    walk: Option<Walk>,
}

/// A walk along a line. The least is the cheapest, then the shortest by the octile metric, then
/// the one that stays nearest to the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Walk {
    toll: Toll,
    /// Deviations of its cells from the line, added up.
    deviation: u64,
}

impl Walk {
    /// The walk and a step more, if the metric has it.
    fn onward(
        self,
        metric: Metric,
        direction: Direction,
        factor: Cost,
        deviation: u64,
    ) -> Option<Self> {
        let step = Toll {
            cost: u64::from(metric.step(direction)?) * u64::from(factor),
            octile: u64::from(Metric::Octile.step(direction)?) * u64::from(factor),
        };
        Some(Self {
            toll: self.toll.plus(step),
            deviation: self.deviation + deviation,
        })
    }
}

/// The least walk to a cell; among equal ones the first that was offered.
#[derive(Clone, Copy, Debug, Default)]
struct Best(Option<(Walk, Arrival)>);

impl Best {
    /// Returns whether this one is the best so far.
    fn offer(&mut self, walk: Option<Walk>, arrival: Arrival) -> bool {
        let Some(walk) = walk.filter(|walk| self.0.is_none_or(|(best, _)| *walk < best)) else {
            return false;
        };
        self.0 = Some((walk, arrival));
        true
    }
}
