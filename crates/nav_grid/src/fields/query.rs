//! What is asked of a field, and what comes of it.

use crate::{
    cell::Cell,
    query::{Counters, Fault, Feature, Terrain},
    rules::{BodyPolicy, COST_MAX, Cost, Footprint, Rules},
};

/// Which target a field is about, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldQuery {
    /// Where the walkers want to be: the anchor of their [footprint](Footprint).
    pub target: Cell,
    /// The body that stands at the target, if one does: its cells never block, whatever
    /// [`Rules::bodies`] says. One cell by default.
    pub target_body: Footprint,
    /// How the walkers move.
    pub rules: Rules,
    /// How far the field reaches.
    pub limits: FieldLimits,
}

impl FieldQuery {
    /// A query with the default rules and without limits.
    pub fn new(target: Cell) -> Self {
        Self {
            target,
            target_body: Footprint::ONE,
            rules: Rules::default(),
            limits: FieldLimits::default(),
        }
    }

    /// Replaces the size of the body at the target.
    #[must_use]
    pub fn with_target_body(self, target_body: Footprint) -> Self {
        Self {
            target_body,
            ..self
        }
    }

    /// Replaces the rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Replaces the limits.
    #[must_use]
    pub fn with_limits(self, limits: FieldLimits) -> Self {
        Self { limits, ..self }
    }

    /// The answer that needs no field, if there is one.
    pub(crate) fn answer_at_once(&self, terrain: Terrain<'_>) -> Option<FieldStatus> {
        let grid = terrain.grid;
        if !grid.contains(self.target) {
            Some(FieldStatus::Invalid(Fault::OutsideMap))
        } else if !grid.fits(self.target, self.rules.footprint) {
            Some(FieldStatus::Invalid(Fault::Blocked))
        } else if terrain.bodies.is_some() && matches!(self.rules.bodies, BodyPolicy::AvoidNear(_))
        {
            Some(FieldStatus::Unsupported(Feature::Bodies))
        } else {
            None
        }
    }
}

/// How far a field reaches; by default over all of the map. A cell beyond has no cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct FieldLimits {
    /// The greatest cost, in the units of the metric; at most [`COST_MAX`] counts.
    pub cost: Cost,
    /// Half the side of the window around the target that ways may lead through, in cells: the
    /// window has `2 * radius + 1` columns and rows, on the target's floor, or on all floors of a
    /// map with links.
    pub radius: u16,
    /// The greatest number of cells that are given a cost. The cheapest come first; of those
    /// within less than a straight step of each other some may do without.
    pub cells: u32,
}

impl FieldLimits {
    /// No limit but the map.
    pub const UNBOUNDED: Self = Self {
        cost: COST_MAX,
        radius: u16::MAX,
        cells: u32::MAX,
    };

    /// The whole window of `radius`.
    pub const fn window(radius: u16) -> Self {
        Self {
            radius,
            ..Self::UNBOUNDED
        }
    }
}

impl Default for FieldLimits {
    fn default() -> Self {
        Self::UNBOUNDED
    }
}

/// What came of making a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FieldOutcome {
    /// How it ended.
    pub status: FieldStatus,
    /// The work done.
    pub counters: Counters,
}

/// How the making of a field ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FieldStatus {
    /// Every cell from which a way within the limits leads to the target has its cost.
    Whole,
    /// The limit on cells was reached. The costs that are known are right.
    CellsSpent,
    /// The target makes no sense on this map; the field is empty.
    Invalid(Fault),
    /// The field cannot serve maps or queries with this; it is empty.
    Unsupported(Feature),
}

impl std::fmt::Display for FieldStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::CellsSpent => f.write_str("the limit on cells is reached"),
            Self::Invalid(Fault::OutsideMap) => f.write_str("the target is outside the map"),
            Self::Invalid(Fault::Blocked) => f.write_str("the target is inside a wall"),
            Self::Unsupported(feature) => write!(f, "the field cannot serve {feature}"),
        }
    }
}
