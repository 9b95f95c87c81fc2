//! The terrain of a search: a map, its indexes, and the bodies on it.

use crate::{
    index::MapIndexes,
    map::{Bodies, Grid},
};

/// What a search looks at: a map, what was prepared of it, and who stands on it.
///
/// Made from a `&Grid`, without indexes, or from an [`&IndexedMap`](crate::IndexedMap), with its
/// own. Searches take either as it is; `Terrain` is needed to add [bodies](Self::with_bodies).
///
/// ```
/// use nav_grid::{Cell, Footprint, Grid, Terrain, map::Bodies};
///
/// let grid = Grid::open(9, 9)?;
/// let mut bodies = Bodies::new(grid.size());
/// bodies.occupy(Cell::new(4, 4), Footprint::ONE);
/// let terrain = Terrain::from(&grid).with_bodies(&bodies);
/// assert!(terrain.bodies().is_some());
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    pub(crate) grid: &'a Grid,
    /// `None` stands for nobody.
    pub(crate) bodies: Option<&'a Bodies>,
    pub(crate) indexes: Option<&'a MapIndexes>,
}

impl<'a> Terrain<'a> {
    /// The same with bodies that may be in the way, for walkers that count them:
    /// [`BodyPolicy`](crate::rules::BodyPolicy). Bodies of a map of another size count where the
    /// maps overlap.
    #[must_use]
    pub const fn with_bodies(self, bodies: &'a Bodies) -> Self {
        Self {
            bodies: Some(bodies),
            ..self
        }
    }

    /// The map.
    #[inline]
    pub const fn grid(self) -> &'a Grid {
        self.grid
    }

    /// Who stands on it, if that was given.
    #[inline]
    pub const fn bodies(self) -> Option<&'a Bodies> {
        self.bodies
    }
}

impl<'a> From<&'a Grid> for Terrain<'a> {
    /// The map without indexes, and nobody on it.
    #[inline]
    fn from(grid: &'a Grid) -> Self {
        Self {
            grid,
            bodies: None,
            indexes: None,
        }
    }
}
