//! What methods prepare of a map.

use crate::{Bodies, Grid, Mosaic, Portals, Regions, TrunkRoads};

/// What was prepared of a map for the methods that need more than its cells.
///
/// Nothing is in it that nobody asked for. A method that misses its chart, or finds it older
/// than the map, answers [`Feature::Preparation`](crate::Feature::Preparation).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Charts {
    /// Which cells hang together.
    pub regions: Option<Regions>,
    /// What far searches and far fields run on.
    pub portals: Option<Portals>,
    /// Blocks of uniform ground, for [`MosaicSearch`](crate::MosaicSearch).
    pub mosaic: Option<Mosaic>,
    /// Main roads, for [`TrunkSearch`](crate::TrunkSearch).
    pub trunk: Option<TrunkRoads>,
}

/// What a search looks at: a map, who stands on it, and what was prepared of it.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Who stands on it; `None` stands for nobody. Bodies of a map of another size are left
    /// out of account where the maps do not overlap.
    pub bodies: Option<&'a Bodies>,
    /// What was prepared of it, if anything.
    pub charts: Option<&'a Charts>,
}

impl<'a> Terrain<'a> {
    /// The same with what was prepared of the map.
    #[must_use]
    pub const fn with_charts(self, charts: &'a Charts) -> Self {
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
    pub const fn with_charts<'a>(&'a self, charts: &'a Charts) -> Terrain<'a> {
        Terrain {
            grid: self,
            bodies: None,
            charts: Some(charts),
        }
    }
}
