//! How agents may move and what a step costs.

use crate::{Cell, Direction, Footprint};

/// What a path costs, in the units of its [`Metric`].
pub type Cost = u32;

/// Longest path cost that searches follow. Ground beyond it counts as out of budget, which
/// keeps every sum of two costs inside 32 bits.
pub const COST_MAX: Cost = u32::MAX / 2;

/// Cost of a straight and of a diagonal step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

    /// Cost of the cheapest path between two cells `dx` columns and `dy` rows apart on open
    /// ground.
    #[inline]
    pub const fn open_ground(self, dx: u16, dy: u16) -> Cost {
        Estimate::exact(self).cost(dx, dy)
    }

    /// A cost of this metric in cell lengths: 1 for a straight step.
    pub fn length(self, cost: Cost) -> f64 {
        f64::from(cost) / f64::from(self.straight())
    }
}

/// Which diagonal steps walls forbid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CornerRule {
    /// A diagonal step needs both straight neighbours beside it walkable: bodies have width.
    /// The default, and what the `MovingAI` benchmarks assume.
    #[default]
    Strict,
    /// A diagonal step needs only its end walkable; it may cut corners and pass between two
    /// walls that touch.
    Cut,
}

impl CornerRule {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Cut];
}

/// Which bodies in the way a search takes for walls. The walker's own cells and those of the
/// body at the goal never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyPolicy {
    /// None: the default.
    #[default]
    Ignore,
    /// Those on cells at most so many columns and rows from the cells of the walker, on its
    /// floor. Bodies further away will have moved until it gets there.
    AvoidNear(u8),
    /// All.
    AvoidAll,
}

/// How an agent moves: the cost of its steps and the steps it may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Rules {
    /// Cost of steps; [`Metric::Unit`] by default.
    pub metric: Metric,
    /// Which diagonals walls forbid; [`CornerRule::Strict`] by default.
    pub corners: CornerRule,
    /// The cells that the agent's body covers; one by default.
    pub footprint: Footprint,
    /// Which bodies in the way count as walls; none by default.
    pub bodies: BodyPolicy,
}

impl Rules {
    /// Rules of a metric and a corner rule, for a body of one cell that heeds no others.
    pub const fn new(metric: Metric, corners: CornerRule) -> Self {
        Self {
            metric,
            corners,
            footprint: Footprint::ONE,
            bodies: BodyPolicy::Ignore,
        }
    }

    /// Replaces the footprint.
    #[must_use]
    pub const fn with_footprint(self, footprint: Footprint) -> Self {
        Self { footprint, ..self }
    }

    /// Replaces the policy toward bodies.
    #[must_use]
    pub const fn with_bodies(self, bodies: BodyPolicy) -> Self {
        Self { bodies, ..self }
    }
}

/// How A* guesses the cost that remains.
///
/// A guess that never exceeds the true cost is *admissible*: the path found is a cheapest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Heuristic {
    /// The cost on open ground under the metric in force: admissible, and the largest guess
    /// that is for a single pair of step costs. The default.
    #[default]
    OpenGround,
    /// Columns plus rows. Exact for four-way movement. With diagonal steps it overestimates by
    /// up to 2 (unit), 1.43 (10, 14), 1.33 (2, 3) or √2 (octile), and paths may be longer than the shortest
    /// by that factor at most; in exchange fewer cells are expanded. With the unit metric this
    /// is the classic pair of many MMO servers.
    Manhattan,
    /// The larger of columns and rows. Exact for the unit metric, admissible for all.
    Chebyshev,
    /// Diagonal steps at 1.414 times a straight one. Exact for the octile metric. With the unit
    /// metric it overestimates by up to √2, with (10, 14) by 0.1 %, and paths may be longer by
    /// that factor.
    Octile,
    /// No guess: A* becomes Dijkstra's search.
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

    /// Whether paths found with this guess are cheapest under `metric`.
    #[inline]
    pub const fn is_admissible(self, metric: Metric) -> bool {
        let guess = Estimate::new(self, metric);
        let exact = Estimate::exact(metric);
        guess.straight <= exact.straight && guess.diagonal <= exact.diagonal
    }
}

/// A heuristic and a metric boiled down to two step costs, evaluated without a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    straight: Cost,
    diagonal: Cost,
}

impl Estimate {
    pub(crate) const fn new(heuristic: Heuristic, metric: Metric) -> Self {
        let straight = metric.straight();
        match heuristic {
            Heuristic::OpenGround => Self::exact(metric),
            Heuristic::Manhattan => Self {
                straight,
                diagonal: straight * 2,
            },
            Heuristic::Chebyshev => Self {
                straight,
                diagonal: straight,
            },
            // Rounded up, so that the octile metric gets its own 3363 back.
            Heuristic::Octile => Self {
                straight,
                diagonal: (straight * 3363).div_ceil(2378),
            },
            Heuristic::Zero => Self {
                straight: 0,
                diagonal: 0,
            },
        }
    }

    pub(crate) const fn exact(metric: Metric) -> Self {
        let straight = metric.straight();
        match metric.diagonal() {
            Some(diagonal) => Self { straight, diagonal },
            None => Self {
                straight,
                diagonal: straight * 2,
            },
        }
    }

    /// Whether the guess is the same for many cells beside each other.
    pub(crate) const fn is_flat(self) -> bool {
        self.straight == self.diagonal
    }

    /// Guessed cost from one cell to another, floors aside.
    #[inline]
    pub(crate) const fn between(self, from: Cell, to: Cell) -> Cost {
        self.cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    /// Guessed cost over `dx` columns and `dy` rows; `diagonal` must not be below `straight`.
    #[inline]
    pub(crate) const fn cost(self, dx: u16, dy: u16) -> Cost {
        let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
        self.straight * more as Cost + (self.diagonal - self.straight) * less as Cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_guess_is_admissible_for_every_metric() {
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
    fn the_largest_map_fits_the_cost_range() {
        let side = crate::Grid::SIDE_MAX;
        assert!(Metric::Octile.open_ground(side, side) < COST_MAX / 8);
    }
}
