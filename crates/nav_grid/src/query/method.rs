//! The search methods by name, and the features that not all of them serve.

use crate::rules::Metric;

/// A search method, by which a [`Planner`](crate::Planner) answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// The method that suits the query: see [`Planner`](crate::Planner). An
    /// [`Outcome`](crate::Outcome) names the method that was chosen, or this one if nothing was
    /// searched.
    #[default]
    Auto,
    /// [`StraightLine`](crate::methods::StraightLine): where nothing is in the way.
    Line,
    /// [`BoundedAStar`](crate::methods::BoundedAStar).
    AStar,
    /// [`Sweep`](crate::methods::Sweep).
    Sweep,
    /// [`JumpPointSearch`](crate::methods::JumpPointSearch).
    Jps,
    /// [`PortalSearch`](crate::methods::PortalSearch).
    Portal,
    /// [`MosaicSearch`](crate::methods::MosaicSearch): open ground in blocks.
    Mosaic,
    /// [`TrunkSearch`](crate::methods::TrunkSearch): along main roads.
    Trunk,
    /// [`Dijkstra`](crate::methods::Dijkstra).
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

    /// The name of the method in programs, files and reports.
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

/// The error of parsing the name of a [`Method`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method {name:?}: it must be one of {}", Method::ALL.map(Method::name).join(", "))]
#[non_exhaustive]
pub struct MethodError {
    /// The unknown name.
    pub name: String,
}

/// A feature of a map or a query that not every [method](Method) can serve.
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
    /// [Bodies](crate::rules::BodyPolicy) may block the walker, and there are some.
    Bodies,
    /// The walker is larger than one cell.
    Footprint,
    /// The walker's [metric](crate::Metric).
    Metric(Metric),
    /// The walker may cut corners.
    CornerCutting,
    /// The window is too large for the method, or must hold the whole map and does not.
    Window,
    /// The index that the method needs was not [built](crate::IndexedMap#what-to-build), or the map
    /// was edited since.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_methods() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "warp".parse::<Method>().unwrap_err();
        assert!(error.to_string().contains("auto, line, astar"), "{error}");
    }
}
