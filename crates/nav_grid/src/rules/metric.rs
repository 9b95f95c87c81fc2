//! Costs, and the metrics of straight and diagonal steps.

use crate::cell::Direction;

/// The cost of a path, in the units of its [`Metric`].
pub type Cost = u32;

/// The greatest path cost that searches follow. Ground beyond counts as out of budget. Half the
/// range, so that the sum of two costs fits in 32 bits.
pub const COST_MAX: Cost = u32::MAX / 2;

/// Cost of a straight and of a diagonal step.
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
}

impl Metric {
    /// All metrics.
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
    /// The costs of a metric; `None` for [`Metric::Octile`], which has no small ones.
    pub(crate) const fn of(metric: Metric) -> Option<Self> {
        let (straight, diagonal, unit) = match metric {
            Metric::Unit => (1, 1, 1),
            Metric::FourWay => (1, 0, 1),
            Metric::TwoThree => (2, 3, 1),
            Metric::Grid => (5, 7, 2),
            Metric::Octile => return None,
        };
        Some(Self {
            straight,
            diagonal,
            unit,
        })
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
