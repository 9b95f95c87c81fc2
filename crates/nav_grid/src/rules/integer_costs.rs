//! Step costs as whole numbers as small as can be.

use super::metric::Metric;

/// The step costs of a wave in whole numbers as small as can be, which is what its time depends
/// on; `None` for the metrics that have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerCosts {
    pub(crate) straight: usize,
    /// 0 where there are no diagonal steps.
    pub(crate) diagonal: usize,
    /// What a unit of both is in the metric.
    pub(crate) unit: u32,
}

impl IntegerCosts {
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

    /// No step costs more.
    pub(crate) const fn longest(self) -> usize {
        if self.straight > self.diagonal {
            self.straight
        } else {
            self.diagonal
        }
    }
}
