//! Costs, and the metrics of straight and diagonal steps.

use crate::cell::Direction;

/// The cost of a path, in the units of its [`Metric`].
pub type Cost = u32;

/// The greatest path cost that [searches](crate::Search) follow. Ground beyond counts as out of budget. Half the
/// range, so that the sum of two costs fits in 32 bits.
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
    /// count exactly up to 7 for a diagonal step, once both are divided by what they have in common,
    /// and else as [`Grid`](Self::Grid) does.
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

    /// A cost of this metric in cell lengths: 1 for a straight step.
    pub fn length(self, cost: Cost) -> f64 {
        f64::from(cost) / f64::from(self.straight())
    }
}

/// A pair of step costs of one's own, 1 to 255: see [`Metric::Custom`].
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
#[cfg_attr(feature = "serde", serde(try_from = "(u8, u8)", into = "(u8, u8)"))]
pub struct StepCosts {
    straight: u8,
    diagonal: u8,
}

impl StepCosts {
    /// The costs of a straight and of a diagonal step, or `None` if they are out of range.
    pub const fn new(straight: u8, diagonal: u8) -> Option<Self> {
        if straight > 0 && straight <= diagonal && diagonal.div_ceil(2) <= straight {
            Some(Self { straight, diagonal })
        } else {
            None
        }
    }
}

impl From<StepCosts> for (u8, u8) {
    fn from(costs: StepCosts) -> Self {
        (costs.straight, costs.diagonal)
    }
}

impl TryFrom<(u8, u8)> for StepCosts {
    type Error = StepCostsError;

    fn try_from((straight, diagonal): (u8, u8)) -> Result<Self, StepCostsError> {
        Self::new(straight, diagonal).ok_or(StepCostsError { straight, diagonal })
    }
}

/// A pair of [`StepCosts`] is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "steps cannot cost {straight} and {diagonal}: a straight one costs at least 1, a diagonal one \
     at least as much and at most twice as much"
)]
#[non_exhaustive]
pub struct StepCostsError {
    /// The cost of a straight step.
    pub straight: u8,
    /// The cost of a diagonal step.
    pub diagonal: u8,
}

/// Step costs in the smallest whole numbers: the time of a wave grows with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerCosts {
    pub(crate) straight: usize,
    /// 0 where there are no diagonal steps.
    pub(crate) diagonal: usize,
    /// The cost in the metric of a unit of both.
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
            unit,
        };
        if costs.longest() <= Self::LONGEST_MAX {
            Some(costs)
        } else {
            None
        }
    }

    /// The cost of the dearest step.
    pub(crate) const fn longest(self) -> usize {
        if self.straight > self.diagonal {
            self.straight
        } else {
            self.diagonal
        }
    }
}
