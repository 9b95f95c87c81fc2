//! Limits of a search, and fallbacks for goals that it does not reach.

use crate::rules::{COST_MAX, Cost};

/// When a search gives up. Limits count cells, expansions and cost, never time, so that an answer
/// does not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Limits {
    /// Half the side of the window around the start that is searched, in cells: the window has
    /// `2 * radius + 1` columns and rows. 20 by default, about a screen on each side.
    pub radius: u16,
    /// Greatest number of [expansions](crate::query::Counters::expanded): of cells whose neighbours
    /// are looked at, or of jump points, portals or blocks. 150 by default: on open ground a path
    /// across the window takes 20. An expansion takes at most so long, however large the map is.
    ///
    /// Not bounded by it is what the window or the length of the path bounds: a
    /// [sweep](crate::methods::Sweep), a straight way, the copy of the window that
    /// [jump points](crate::methods::JumpPointSearch) take where none are prepared, and laying the
    /// path that was found. That is [counted](crate::query::Counters::scanned) and
    /// [cut into slices](crate::query::Sliced) all the same.
    pub expansions: u32,
    /// Greatest cost of a path, in the units of the metric; at most [`COST_MAX`] counts, which is
    /// the default. A goal whose cheapest path is dearer is as one beyond the budget:
    /// [`Status::BudgetSpent`](crate::Status::BudgetSpent), or
    /// [`Status::Unreachable`](crate::Status::Unreachable) where a search sees that, or
    /// [partial](Fallback::ClosestReached).
    ///
    /// Searches that guess leave out what costs more by their guess. Under an
    /// [admissible](crate::rules::Heuristic::is_admissible) one they find every path within the
    /// limit; other guesses may be too high for that. Methods whose paths are not cheapest ones
    /// refuse the path that they found if it is dearer.
    pub cost: Cost,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            radius: 20,
            expansions: 150,
            cost: COST_MAX,
        }
    }
}

impl Limits {
    /// No limit but the map.
    pub const UNBOUNDED: Self = Self {
        radius: u16::MAX,
        expansions: u32::MAX,
        cost: COST_MAX,
    };

    /// The whole window of `radius`, however many expansions it takes.
    pub const fn window(radius: u16) -> Self {
        Self {
            radius,
            ..Self::UNBOUNDED
        }
    }

    /// Replaces the limit on cost.
    #[must_use]
    pub const fn with_cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// The cost above which no path is looked for.
    #[inline]
    pub(crate) fn cost_max(&self) -> Cost {
        self.cost.min(COST_MAX)
    }
}

/// What a search answers when the goal cannot be reached within its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fallback {
    /// Only the reason.
    #[default]
    None,
    /// A path to the expanded cell that the heuristic calls nearest to the goal (among equals the
    /// cheapest one to reach, and then the nearest as the crow flies), if that is nearer than the
    /// start. Where a limit ended the search, on expansions or on cost, it is the nearest of those
    /// expanded by then.
    ///
    /// By [`Planner`](crate::Planner), [`BoundedAStar`](crate::methods::BoundedAStar) and
    /// [`Sweep`](crate::methods::Sweep) for goals outside the window or in a wall, too: as those
    /// cannot be reached inside the window, the status is
    /// [`Status::Partial`](crate::Status::Partial), or
    /// [`Status::Unreachable`](crate::Status::Unreachable) if nothing is nearer than the start.
    ClosestReached,
    /// A path to the reachable cell nearest to the goal, if that lies in a wall or in a
    /// [region](crate::index::Regions) of its own: see
    /// [`nearest_reachable`](crate::planner::nearest_reachable). For [`Planner`](crate::Planner);
    /// by themselves methods answer as with `None`.
    NearestReachable {
        /// How many square rings around the goal to look at, 1 to
        /// [`RINGS_MAX`](crate::planner::RINGS_MAX).
        rings: u8,
    },
}
