//! The rules of a walker: metric, corners, footprint and bodies.

use super::{footprint::Footprint, metric::Metric};

/// Which diagonal steps walls forbid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
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
#[non_exhaustive]
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
    /// Rules of a metric and a corner rule, for a body of one cell that ignores other bodies.
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
