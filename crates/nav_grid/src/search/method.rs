//! The methods by name, and what each can serve.

use crate::{BodyPolicy, CornerRule, Footprint, Metric, Query, Terrain};

/// A way to answer a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// Whatever suits the query: see [`Planner`](super::Planner). An [`Outcome`](super::Outcome)
    /// names the method that was chosen, and this one where nothing had to be searched.
    #[default]
    Auto,
    /// [`StraightLine`](super::StraightLine): only where nothing is in the way.
    Line,
    /// [`BoundedAStar`](super::BoundedAStar).
    AStar,
    /// [`Sweep`](super::Sweep).
    Sweep,
    /// [`JumpPoint`](super::JumpPoint).
    Jps,
    /// [`PortalPath`](crate::PortalPath).
    Portal,
    /// [`MosaicSearch`](crate::MosaicSearch): open ground in blocks.
    Mosaic,
    /// [`TrunkSearch`](crate::TrunkSearch): along main roads.
    Trunk,
    /// [`Dijkstra`](super::Dijkstra).
    Dijkstra,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 9] = [
        Self::Auto,
        Self::Line,
        Self::AStar,
        Self::Sweep,
        Self::Jps,
        Self::Portal,
        Self::Mosaic,
        Self::Trunk,
        Self::Dijkstra,
    ];

    /// The name by which programs, files and reports call the method.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Line => "line",
            Self::AStar => "astar",
            Self::Sweep => "sweep",
            Self::Jps => "jps",
            Self::Portal => "portal",
            Self::Mosaic => "mosaic",
            Self::Trunk => "trunk",
            Self::Dijkstra => "dijkstra",
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Self, MethodError> {
        let known = Self::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| MethodError { name: name.into() })
    }
}

/// No method has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method {name:?}: it must be one of {}", Method::ALL.map(Method::name).join(", "))]
pub struct MethodError {
    /// The name asked for.
    pub name: String,
}

/// What a map or a query can have that not every method can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Feature {
    /// The map has [step costs](crate::Grid::has_costs).
    Costs,
    /// The map has [exits](crate::Grid::has_exits).
    Exits,
    /// The map has [links](crate::Grid::links).
    Links,
    /// The walker minds [bodies](crate::BodyPolicy) and there are some.
    Bodies,
    /// The walker is larger than a cell.
    Footprint,
    /// The walker's [metric](crate::Metric).
    Metric(Metric),
    /// The walker may cut corners.
    CornerCutting,
    /// The window is larger than the method's, or must hold the whole map and does not.
    Window,
    /// What the method needs was not [prepared](crate::Charts), or the map was edited since.
    Preparation,
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Costs => "step costs",
            Self::Exits => "exits",
            Self::Links => "links",
            Self::Bodies => "bodies",
            Self::Footprint => "a body larger than a cell",
            Self::Metric(metric) => return write!(f, "the metric {metric:?}"),
            Self::CornerCutting => "cutting corners",
            Self::Window => "a window of this size",
            Self::Preparation => "a map that is not prepared for it, or was edited since",
        })
    }
}

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
    /// Walkers that mind bodies.
    pub bodies: bool,
    /// Walkers larger than a cell.
    pub footprints: bool,
    /// The metrics.
    pub metrics: &'static [Metric],
    /// Walkers that cut corners.
    pub corner_cutting: bool,
    /// The largest window it can search, as [`Limits::radius`](super::Limits::radius).
    pub radius_max: u16,
}

impl Support {
    /// Everything.
    pub const ALL: Self = Self {
        costs: true,
        exits: true,
        links: true,
        bodies: true,
        footprints: true,
        metrics: &Metric::ALL,
        corner_cutting: true,
        radius_max: u16::MAX,
    };

    /// The first thing about a query that is not served, or `None`. A window that reaches over
    /// the map on all sides is as large as the map and no larger.
    pub fn lacks(&self, terrain: Terrain<'_>, query: &Query) -> Option<Feature> {
        let (grid, rules) = (terrain.grid, query.rules);
        let crowded = terrain.bodies.is_some() && rules.bodies != BodyPolicy::Ignore;
        let side = grid.width().max(grid.height());
        let radius = query.limits.radius.min(side - 1);
        let lacks = [
            (!self.costs && grid.has_costs(), Feature::Costs),
            (!self.exits && grid.has_exits(), Feature::Exits),
            (!self.links && !grid.links().is_empty(), Feature::Links),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_methods() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "warp".parse::<Method>().unwrap_err();
        assert!(error.to_string().contains("auto, line, astar"), "{error}");
    }
}
