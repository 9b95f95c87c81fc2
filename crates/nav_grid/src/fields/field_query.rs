//! Queries for fields, their limits, and how computing a field ended.

use crate::{
    cell::Cell,
    query::{Counters, Fault, Feature, Terrain},
    rules::{BodyPolicy, COST_MAX, Cost, Footprint, Rules},
};

/// A query for a [field](super::FlowField): the target, and the rules of the walkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldQuery {
    /// The goal of the walkers: the anchor of their [footprint](Footprint).
    pub target: Cell,
    /// The size of the body at the target. Its cells never block, whatever [`Rules::bodies`] says.
    /// One cell by default.
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

    setters! {
        /// Replaces the size of the body at the target.
        with_target_body(target_body: Footprint);
        /// Replaces the rules.
        with_rules(rules: Rules);
        /// Replaces the limits.
        with_limits(limits: FieldLimits);
    }

    /// The status if no field can be computed.
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

/// How far a [field](super::FlowField) reaches; over the whole map by default. Cells beyond have no
/// cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct FieldLimits {
    /// The greatest cost, in the units of the metric; at most [`COST_MAX`] counts.
    pub cost: Cost,
    /// Half the side of the window around the target, in cells. Ways stay in the window. It has
    /// `2 * radius + 1` columns and rows, on the target's floor, or on all floors of a map with
    /// links.
    pub radius: u16,
    /// The greatest number of cells that are given a cost, the cheapest first. Of cells whose costs
    /// differ by less than a straight step, any may be left out.
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

/// How computing a [field](super::FlowField) ended, and the work done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FieldOutcome {
    /// How the computation ended.
    pub status: FieldStatus,
    /// The work done.
    pub counters: Counters,
}

/// How computing a [field](super::FlowField) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FieldStatus {
    /// Every cell from which a way within the limits leads to the target has its cost.
    Whole,
    /// The limit on cells was reached. All known costs are right.
    CellsSpent,
    /// The target is not a place on this map; the field is empty.
    Invalid(Fault),
    /// The field cannot serve maps or queries with this feature; it is empty.
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
