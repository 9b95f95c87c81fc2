//! The methods by name, and what each can serve.

/// A way to answer a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// Whatever suits the query: see [`Planner`](crate::Planner). An [`Outcome`](crate::Outcome)
    /// names the method that was chosen, and this one where nothing had to be searched.
    #[default]
    Auto,
    /// [`StraightLine`](crate::methods::StraightLine): only where nothing is in the way.
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
#[non_exhaustive]
pub struct MethodError {
    /// The name asked for.
    pub name: String,
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
