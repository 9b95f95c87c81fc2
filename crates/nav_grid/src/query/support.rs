//! The features that a method serves.

use super::{feature::Feature, path_query::PathQuery, terrain::Terrain};
use crate::rules::{BodyPolicy, CornerRule, Footprint, Metric};

/// What a method can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each stands for a feature that a method has or lacks by itself"
)]
pub struct Support {
    /// Maps with step costs.
    pub costs: bool,
    /// Maps with exits.
    pub exits: bool,
    /// Maps with links.
    pub links: bool,
    /// Paths that [may not end with a link](PathQuery::ends_with_step), where one ends at the goal.
    pub last_steps: bool,
    /// Walkers that bodies may block.
    pub bodies: bool,
    /// Walkers larger than a cell.
    pub footprints: bool,
    /// The metrics.
    pub metrics: &'static [Metric],
    /// Walkers that cut corners.
    pub corner_cutting: bool,
    /// The largest window it can search, as [`Limits::radius`](crate::Limits::radius).
    pub radius_max: u16,
}

impl Support {
    /// Everything.
    pub const ALL: Self = Self {
        costs: true,
        exits: true,
        links: true,
        last_steps: true,
        bodies: true,
        footprints: true,
        metrics: &Metric::ALL,
        corner_cutting: true,
        radius_max: u16::MAX,
    };

    /// The first thing about a query that is not served, or `None`. A window that reaches over
    /// the map on all sides is as large as the map and no larger.
    pub fn lacks(&self, terrain: Terrain<'_>, query: &PathQuery) -> Option<Feature> {
        let (grid, rules) = (terrain.grid, query.rules);
        let crowded = terrain.bodies.is_some() && rules.bodies != BodyPolicy::Ignore;
        let side = grid.width().max(grid.height());
        let radius = query.limits.radius.min(side - 1);
        let needs_last_step = query.ends_with_step && !grid.links_to(query.goal).is_empty();
        let lacks = [
            (!self.costs && grid.has_costs(), Feature::Costs),
            (!self.exits && grid.has_exits(), Feature::Exits),
            (!self.links && !grid.links().is_empty(), Feature::Links),
            (!self.last_steps && needs_last_step, Feature::Links),
            (!self.bodies && crowded, Feature::Bodies),
            (
                !self.footprints && rules.footprint != Footprint::ONE,
                Feature::Footprint,
            ),
            (
                !self.metrics.contains(&rules.metric),
                Feature::Metric(rules.metric),
            ),
            (
                !self.corner_cutting && rules.corners == CornerRule::Cut,
                Feature::CornerCutting,
            ),
            (radius > self.radius_max, Feature::Window),
        ];
        let mut lacks = lacks.into_iter();
        lacks.find_map(|(lacks, feature)| lacks.then_some(feature))
    }
}
