//! Costs, and the metrics of straight and diagonal steps.

use crate::cell::Direction;

/// The cost of a path, in the units of its [`Metric`].
pub type Cost = u32;

/// The greatest path cost that [searches](crate::Search) follow. Ground beyond counts as out of
/// budget. Half the range, so that the sum of two costs fits in 32 bits.
pub const COST_MAX: Cost = u32::MAX / 2;

/// Cost of a straight and of a diagonal step: see [`StepCosts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Metric {
    /// Every step costs 1. The default for chasers, since every step takes one move tick.
    #[default]
    Unit,
    /// Straight steps cost 1; there are no diagonal ones.
    FourWay,
    /// Straight 10, diagonal 14: the usual whole-number stand-in for √2 (1 % short).
    Grid,
    /// Straight 2, diagonal 3: √2 within 6 %, for when small numbers matter more.
    TwoThree,
    /// Straight 2378, diagonal 3363: √2 to seven digits (the fraction is a convergent of √2's
    /// continued fraction), so shortest paths are those of the real octile distance as long as
    /// two candidates differ by fewer than 2,370 diagonal steps.
    Octile,
    /// A pair of one's own, for a game that moves here and keeps its paths.
    ///
    /// Searches serve it as well as the named pairs. [`PortalGraph`](crate::index::PortalGraph)s
    /// count exactly up to 7 for a diagonal step, once all costs are divided by what they have in
    /// common, and else as [`Grid`](Self::Grid) does.
    Custom(StepCosts),
}

impl Metric {
    /// All metrics with a name.
    pub const ALL: [Self; 5] = [
        Self::Unit,
        Self::FourWay,
        Self::Grid,
        Self::TwoThree,
        Self::Octile,
    ];

    /// Cost of a step to one of the four straight neighbours.
    #[inline]
    pub const fn straight(self) -> Cost {
        match self {
            Self::Unit | Self::FourWay => 1,
            Self::Grid => 10,
            Self::TwoThree => 2,
            Self::Octile => 2378,
            Self::Custom(costs) => costs.straight as Cost,
        }
    }

    /// Cost of a diagonal step, or `None` where there is none.
    #[inline]
    pub const fn diagonal(self) -> Option<Cost> {
        match self {
            Self::Unit => Some(1),
            Self::FourWay => None,
            Self::Grid => Some(14),
            Self::TwoThree => Some(3),
            Self::Octile => Some(3363),
            Self::Custom(costs) => Some(costs.diagonal as Cost),
        }
    }

    /// Cost of a step in `direction`, or `None` where there is none.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Cost> {
        if direction.is_diagonal() {
            self.diagonal()
        } else {
            Some(self.straight())
        }
    }

    /// Cost of a step that costs `step` on the best ground, onto ground of a cost of 1 or more.
    #[inline]
    pub(crate) const fn onto(self, step: Cost, ground: Cost) -> Cost {
        match self {
            Self::Custom(costs) => onto(step, ground, costs.added as Cost),
            _ => step * ground,
        }
    }

    /// [`onto`](Self::onto) in a direction, counted as [`Octile`](Self::Octile) counts steps.
    pub(crate) fn octile_onto(self, direction: Direction, ground: Cost) -> Option<Cost> {
        let step = Self::Octile.step(direction)?;
        Some(onto(step, ground, self.added_to(Self::Octile.straight())))
    }

    /// The cost that ground adds where a straight step costs `straight`, rounded up; 0 if it
    /// multiplies.
    pub(crate) const fn added_to(self, straight: Cost) -> Cost {
        match self {
            Self::Custom(costs) => {
                (straight * costs.added as Cost).div_ceil(costs.straight as Cost)
            }
            _ => 0,
        }
    }

    /// A cost of this metric in cell lengths: 1 for a straight step.
    pub fn length(self, cost: Cost) -> f64 {
        f64::from(cost) / f64::from(self.straight())
    }
}

/// Step costs of one's own, 1 to 255: see [`Metric::Custom`].
///
/// A diagonal step costs at least as much as a straight one and at most twice as much: beyond that,
/// two straight steps would replace it, or two diagonal ones a straight one.
///
/// ```
/// use nav_grid::{Metric, rules::StepCosts};
///
/// let metric = Metric::Custom(StepCosts::new(5, 7).unwrap());
/// assert_eq!(metric.open_ground(4, 1), 3 * 5 + 7);
/// assert_eq!(StepCosts::new(5, 11), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "(u8, u8, u8)", into = "(u8, u8, u8)")
)]
pub struct StepCosts {
    straight: u8,
    diagonal: u8,
    /// 0 if ground multiplies.
    added: u8,
}

impl StepCosts {
    /// The costs of a straight and of a diagonal step, or `None` if they are out of range.
    pub const fn new(straight: u8, diagonal: u8) -> Option<Self> {
        if straight > 0 && straight <= diagonal && diagonal.div_ceil(2) <= straight {
            Some(Self {
                straight,
                diagonal,
                added: 0,
            })
        } else {
            None
        }
    }

    /// The same, but ground adds to the cost of a step instead of multiplying it, as a grey map
    /// does: ground of cost `c` adds `added` times `c - 1`, to a diagonal step as much as to a
    /// straight one. `None` if `added` is 0 or more than a straight step costs.
    ///
    /// ```
    /// use nav_grid::{Cell, CornerRule, Direction, Grid, Metric, Rules, rules::StepCosts};
    ///
    /// let mut grid = Grid::open(2, 2)?;
    /// grid.set_cost(Cell::new(1, 1), 6)?;
    /// let costs = StepCosts::new(10, 14).and_then(|costs| costs.adding(4)).unwrap();
    /// let rules = Rules::new(Metric::Custom(costs), CornerRule::Strict);
    /// let diagonal = grid.step_cost(Cell::new(0, 0), Direction::SouthEast, rules);
    /// assert_eq!(diagonal, Some(14 + 4 * 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn adding(self, added: u8) -> Option<Self> {
        if added > 0 && added <= self.straight {
            Some(Self { added, ..self })
        } else {
            None
        }
    }
}

impl From<StepCosts> for (u8, u8, u8) {
    fn from(costs: StepCosts) -> Self {
        (costs.straight, costs.diagonal, costs.added)
    }
}

impl TryFrom<(u8, u8, u8)> for StepCosts {
    type Error = StepCostsError;

    /// The third is what ground [adds](StepCosts::adding), 0 if it multiplies.
    fn try_from((straight, diagonal, added): (u8, u8, u8)) -> Result<Self, StepCostsError> {
        let costs = Self::new(straight, diagonal).and_then(|costs| match added {
            0 => Some(costs),
            _ => costs.adding(added),
        });
        costs.ok_or(StepCostsError {
            straight,
            diagonal,
            added,
        })
    }
}

/// [`StepCosts`] are out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "steps cannot cost {straight} and {diagonal}, and ground add {added}: a straight step costs at \
     least 1, a diagonal one at least as much and at most twice as much, and ground adds at most a \
     straight step"
)]
#[non_exhaustive]
pub struct StepCostsError {
    /// The cost of a straight step.
    pub straight: u8,
    /// The cost of a diagonal step.
    pub diagonal: u8,
    /// The cost that ground adds.
    pub added: u8,
}

/// The cost of a step onto ground of a cost that adds; 0 if it multiplies.
#[inline]
const fn onto(step: Cost, ground: Cost, added: Cost) -> Cost {
    if added == 0 {
        step * ground
    } else {
        step + added * (ground - 1)
    }
}

/// Step costs in the smallest whole numbers: the time of a wave grows with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerCosts {
    pub(crate) straight: usize,
    /// 0 where there are no diagonal steps.
    pub(crate) diagonal: usize,
    /// The cost that ground [adds](StepCosts::adding), in whole units; 0 if it multiplies.
    pub(crate) added: u32,
    /// The cost in the metric of a unit.
    pub(crate) unit: u32,
}

impl IntegerCosts {
    /// The greatest cost of a step. A wave makes a front for each unit, and (5, 7), the costs of
    /// [`Metric::Grid`], already take twice as long as (2, 3).
    const LONGEST_MAX: usize = 7;

    /// The costs of a metric; `None` if they are not small, as those of [`Metric::Octile`].
    pub(crate) const fn of(metric: Metric) -> Option<Self> {
        let straight = metric.straight();
        let diagonal = match metric.diagonal() {
            Some(diagonal) => diagonal,
            None => 0,
        };
        // Euclid's algorithm.
        let (mut unit, mut rest) = (straight, diagonal);
        while rest > 0 {
            (unit, rest) = (rest, unit % rest);
        }
        let costs = Self {
            straight: (straight / unit) as usize,
            diagonal: (diagonal / unit) as usize,
            added: metric.added_to(straight / unit),
            unit,
        };
        if costs.longest() <= Self::LONGEST_MAX {
            Some(costs)
        } else {
            None
        }
    }

    /// Cost of a step that costs `step` on the best ground, onto ground of a cost of 1 or more.
    #[inline]
    pub(crate) const fn onto(self, step: u32, ground: u32) -> u32 {
        onto(step, ground, self.added)
    }

    /// The cost of a straight or a diagonal step on the best ground; 0 for a diagonal one where
    /// there is none.
    #[inline]
    pub(crate) const fn step(self, is_diagonal: bool) -> u32 {
        if is_diagonal {
            self.diagonal as u32
        } else {
            self.straight as u32
        }
    }

    /// The cost of the dearest step on the best ground.
    pub(crate) const fn longest(self) -> usize {
        if self.straight > self.diagonal {
            self.straight
        } else {
            self.diagonal
        }
    }
}
