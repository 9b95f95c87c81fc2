//! Heuristics: estimates of the remaining cost for best-first searches.

use super::metric::{COST_MAX, Cost, Metric};
use crate::cell::Cell;

/// The estimate of the remaining cost that A* uses, in a [`PathQuery`](crate::PathQuery).
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
    /// The length of the straight line, rounded down. Admissible where a diagonal step costs at
    /// least √2 straight ones, as with (2, 3), the octile metric and four-way movement. Else it
    /// overestimates by up to √2 (unit), or 1 % (10, 14).
    Euclidean,
    /// The square of the straight line's length, as old articles have it. It overestimates without
    /// bound: a search hurries to the goal, and its path may cost many times the least. Capped at a
    /// quarter of [`COST_MAX`].
    EuclideanSquared,
}

impl Heuristic {
    /// All heuristics.
    pub const ALL: [Self; 7] = [
        Self::OpenGround,
        Self::Manhattan,
        Self::Chebyshev,
        Self::Octile,
        Self::Zero,
        Self::Euclidean,
        Self::EuclideanSquared,
    ];

    /// Whether paths found with this estimate are cheapest under `metric`.
    #[inline]
    pub const fn is_admissible(self, metric: Metric) -> bool {
        let (estimate, exact) = (Estimate::new(self, metric), Estimate::exact(metric));
        let diagonal = exact.straight + exact.slant;
        match estimate.slant {
            // On a diagonal the way on open ground is shortest beside the straight line.
            Estimate::LINE => diagonal * diagonal >= 2 * exact.straight * exact.straight,
            Estimate::SQUARE => false,
            slant => estimate.straight <= exact.straight && estimate.straight + slant <= diagonal,
        }
    }
}

/// A heuristic under a metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    straight: Cost,
    /// The cost of a diagonal step beyond a straight one; [`LINE`](Self::LINE) or
    /// [`SQUARE`](Self::SQUARE) for estimates without steps. No field of its own tells these apart:
    /// measured, that took A* 5 % more instructions.
    slant: Cost,
}

impl Estimate {
    /// The length of the straight line.
    const LINE: Cost = Cost::MAX;
    /// Its square.
    const SQUARE: Cost = Cost::MAX - 1;

    pub(crate) const fn new(heuristic: Heuristic, metric: Metric) -> Self {
        let straight = metric.straight();
        let (straight, slant) = match heuristic {
            Heuristic::OpenGround => return Self::exact(metric),
            Heuristic::Manhattan => (straight, straight),
            Heuristic::Chebyshev => (straight, 0),
            // Rounded up, so that the octile metric gets its own 3363 back.
            Heuristic::Octile => (straight, (straight * 3363).div_ceil(2378) - straight),
            Heuristic::Zero => (0, 0),
            Heuristic::Euclidean => (straight, Self::LINE),
            Heuristic::EuclideanSquared => (straight, Self::SQUARE),
        };
        Self { straight, slant }
    }

    pub(crate) const fn exact(metric: Metric) -> Self {
        Self::on_ground(metric, 1)
    }

    /// The true cost on ground of one cost.
    pub(crate) const fn on_ground(metric: Metric, ground: Cost) -> Self {
        let straight = metric.onto(metric.straight(), ground);
        let slant = match metric.diagonal() {
            Some(diagonal) => metric.onto(diagonal, ground) - straight,
            None => straight,
        };
        Self { straight, slant }
    }

    /// Whether many cells beside each other have the same estimate.
    pub(crate) const fn is_flat(self) -> bool {
        self.slant == 0
    }

    /// Whether a few cells beside each other may have the same estimate by rounding.
    pub(crate) const fn is_rounded(self) -> bool {
        self.slant == Self::LINE
    }

    /// Estimated cost from one cell to another; floors do not count.
    #[inline]
    pub(crate) const fn between(self, from: Cell, to: Cell) -> Cost {
        self.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    /// Estimated cost over `dx` columns and `dy` rows. Never falls with more of either.
    #[inline]
    pub(crate) const fn cost(self, dx: u16, dy: u16) -> Cost {
        if self.slant >= Self::SQUARE {
            return self.by_line(dx, dy);
        }
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        self.straight * more as Cost + self.slant * less as Cost
    }

    /// Out of line: the usual estimates are two multiplications.
    #[cold]
    #[inline(never)]
    const fn by_line(self, dx: u16, dy: u16) -> Cost {
        // A quarter, so that a path's cost can be added, and a link's on top.
        const MOST: u64 = (COST_MAX / 4) as u64;
        let (dx, dy, straight) = (dx as u64, dy as u64, self.straight as u64);
        let square = dx * dx + dy * dy;
        let cost = if self.slant == Self::SQUARE {
            straight * square
        } else {
            (straight * straight * square).isqrt()
        };
        (if cost < MOST { cost } else { MOST }) as Cost
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
    use crate::rules::StepCosts;

    /// On open ground no walk is shorter than the open-ground cost, so that is the truth.
    #[test]
    fn admissible_estimates() {
        let pairs = [(5, 7), (2, 4), (9, 10), (70, 99), (255, 255)];
        let custom = pairs.map(|(straight, diagonal)| StepCosts::new(straight, diagonal).unwrap());
        for metric in Metric::ALL.into_iter().chain(custom.map(Metric::Custom)) {
            for heuristic in Heuristic::ALL {
                let estimate = Estimate::new(heuristic, metric);
                let far = [100, 1000, Grid::SIDE_MAX];
                let side = (0..=40).chain(far);
                let pairs = side.clone().flat_map(|x| side.clone().map(move |y| (x, y)));
                let never_more = |(x, y)| estimate.cost(x, y) <= metric.open_ground(x, y);
                assert_eq!(
                    pairs.into_iter().all(never_more),
                    heuristic.is_admissible(metric),
                    "{heuristic:?} under {metric:?}"
                );
            }
        }
    }

    #[test]
    fn lines_and_squares() {
        let cost = |heuristic, metric| Estimate::new(heuristic, metric).cost(3, 4);
        assert_eq!(cost(Heuristic::Euclidean, Metric::Grid), 50);
        assert_eq!(cost(Heuristic::EuclideanSquared, Metric::Unit), 25);
        let side = Grid::SIDE_MAX;
        let most = Estimate::new(Heuristic::EuclideanSquared, Metric::Octile).cost(side, side);
        assert_eq!(most, COST_MAX / 4);
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
