//! Heuristics: estimates of the remaining cost for best-first searches.

use super::metric::{Cost, Metric};
use crate::cell::Cell;

/// The estimate of the remaining cost that A* uses.
///
/// An estimate that never exceeds the true cost is *admissible*: the path found is a cheapest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Heuristic {
    /// The cost on open ground under the metric in force. The default. It is the largest admissible
    /// estimate from a pair of step costs.
    #[default]
    OpenGround,
    /// Columns plus rows. Exact for four-way movement. With diagonal steps it overestimates by up
    /// to 2 (unit), 1.43 (10, 14), 1.33 (2, 3) or √2 (octile), and paths may be longer than the
    /// shortest by that factor at most; in exchange fewer cells are expanded. With the unit metric
    /// this is the classic pair of many MMO servers.
    Manhattan,
    /// The larger of columns and rows. Exact for the unit metric, admissible for all.
    Chebyshev,
    /// Diagonal steps at 1.414 times a straight one. Exact for the octile metric. With the unit
    /// metric it overestimates by up to √2, with (10, 14) by 0.1 %, and paths may be longer by
    /// that factor.
    Octile,
    /// Always 0: A* becomes Dijkstra's search.
    Zero,
}

impl Heuristic {
    /// All heuristics.
    pub const ALL: [Self; 5] = [
        Self::OpenGround,
        Self::Manhattan,
        Self::Chebyshev,
        Self::Octile,
        Self::Zero,
    ];

    /// Whether paths found with this estimate are cheapest under `metric`.
    #[inline]
    pub const fn is_admissible(self, metric: Metric) -> bool {
        let estimate = Estimate::new(self, metric);
        let exact = Estimate::exact(metric);
        estimate.straight <= exact.straight && estimate.diagonal <= exact.diagonal
    }
}

/// A heuristic under a metric as two step costs, evaluated without a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    straight: Cost,
    diagonal: Cost,
}

impl Estimate {
    pub(crate) const fn new(heuristic: Heuristic, metric: Metric) -> Self {
        let straight = metric.straight();
        let (straight, diagonal) = match heuristic {
            Heuristic::OpenGround => return Self::exact(metric),
            Heuristic::Manhattan => (straight, straight * 2),
            Heuristic::Chebyshev => (straight, straight),
            // Rounded up, so that the octile metric gets its own 3363 back.
            Heuristic::Octile => (straight, (straight * 3363).div_ceil(2378)),
            Heuristic::Zero => (0, 0),
        };
        Self { straight, diagonal }
    }

    pub(crate) const fn exact(metric: Metric) -> Self {
        let straight = metric.straight();
        let diagonal = match metric.diagonal() {
            Some(diagonal) => diagonal,
            None => straight * 2,
        };
        Self { straight, diagonal }
    }

    /// Whether many cells beside each other have the same estimate.
    pub(crate) const fn is_flat(self) -> bool {
        self.straight == self.diagonal
    }

    /// Estimated cost from one cell to another; floors do not count.
    #[inline]
    pub(crate) const fn between(self, from: Cell, to: Cell) -> Cost {
        self.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    /// Estimated cost over `dx` columns and `dy` rows; `diagonal` must not be below `straight`.
    #[inline]
    pub(crate) const fn cost(self, dx: u16, dy: u16) -> Cost {
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        self.straight * more as Cost + (self.diagonal - self.straight) * less as Cost
    }
}

impl Metric {
    /// Cost of the cheapest path between two cells `dx` columns and `dy` rows apart on open
    /// ground.
    #[inline]
    pub const fn open_ground(self, dx: u16, dy: u16) -> Cost {
        Estimate::exact(self).cost(dx, dy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Grid;
    use crate::rules::metric::COST_MAX;

    #[test]
    fn admissible_estimates() {
        for metric in Metric::ALL {
            for heuristic in [Heuristic::OpenGround, Heuristic::Chebyshev, Heuristic::Zero] {
                assert!(
                    heuristic.is_admissible(metric),
                    "{heuristic:?} under {metric:?}"
                );
            }
        }
        assert!(Heuristic::Manhattan.is_admissible(Metric::FourWay));
        assert!(!Heuristic::Manhattan.is_admissible(Metric::Unit));
        assert!(Heuristic::Octile.is_admissible(Metric::Octile));
        assert!(!Heuristic::Octile.is_admissible(Metric::Unit));
    }

    #[test]
    fn open_ground_costs() {
        assert_eq!(Metric::Unit.open_ground(7, 3), 7);
        assert_eq!(Metric::FourWay.open_ground(7, 3), 10);
        assert_eq!(Metric::Grid.open_ground(7, 3), 4 * 10 + 3 * 14);
        let octile = Metric::Octile.length(Metric::Octile.open_ground(7, 3));
        assert!((octile - (4.0 + 3.0 * 2f64.sqrt())).abs() < 1e-6);
    }

    #[test]
    fn largest_map_fits() {
        let side = Grid::SIDE_MAX;
        assert!(Metric::Octile.open_ground(side, side) < COST_MAX / 8);
    }
}
