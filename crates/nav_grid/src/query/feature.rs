//! What a map or a query can have that not every method can serve.

use crate::rules::Metric;

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
    /// The walker minds [bodies](crate::rules::BodyPolicy) and there are some.
    Bodies,
    /// The walker is larger than a cell.
    Footprint,
    /// The walker's [metric](crate::Metric).
    Metric(Metric),
    /// The walker may cut corners.
    CornerCutting,
    /// The window is larger than the method's, or must hold the whole map and does not.
    Window,
    /// What the method needs was not [built](crate::IndexedMap#what-to-build), or the map was edited
    /// since.
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
