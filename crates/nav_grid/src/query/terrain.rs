//! What methods prepare of a map.

use crate::{
    index::MapIndexes,
    map::{Bodies, Grid},
};

/// What a search looks at: a map, who stands on it, and what was prepared of it.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Who stands on it; `None` stands for nobody. Bodies of a map of another size are left
    /// out of account where the maps do not overlap.
    pub bodies: Option<&'a Bodies>,
    /// What was prepared of it, if anything.
    pub charts: Option<&'a MapIndexes>,
}

impl<'a> Terrain<'a> {
    /// The same with what was prepared of the map.
    #[must_use]
    pub const fn with_charts(self, charts: &'a MapIndexes) -> Self {
        Self {
            charts: Some(charts),
            ..self
        }
    }
}

impl<'a> From<&'a Grid> for Terrain<'a> {
    fn from(grid: &'a Grid) -> Self {
        Self {
            grid,
            bodies: None,
            charts: None,
        }
    }
}

impl Grid {
    /// The map together with who stands on it, for searches that mind
    /// [bodies](crate::BodyPolicy).
    pub const fn with_bodies<'a>(&'a self, bodies: &'a Bodies) -> Terrain<'a> {
        Terrain {
            grid: self,
            bodies: Some(bodies),
            charts: None,
        }
    }

    /// The map together with what was prepared of it.
    pub const fn with_charts<'a>(&'a self, charts: &'a MapIndexes) -> Terrain<'a> {
        Terrain {
            grid: self,
            bodies: None,
            charts: Some(charts),
        }
    }
}
