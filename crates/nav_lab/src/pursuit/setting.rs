//! Conditions of a pursuit that should not change its result.

use nav::Chaser;
use nav_grid::{Area, Cell, Grid, Link};

/// The tuning of the pursuers, and the layer on the map. By default both are plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// The tuning of the pursuers.
    pub chaser: Chaser,
    /// The layer on the map.
    pub layer: Layer,
}

/// The content of a map besides walls. It is so little that shortest paths hardly change, but
/// windows that contain any of it are searched by other methods than plain ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing.
    #[default]
    Plain,
    /// One cell in 35 costs twice as much as others.
    Costs,
    /// A link of three cells, no shortcut, in every square of 31×31 cells.
    Links,
}

impl Layer {
    /// Adds the layer to a map.
    ///
    /// # Panics
    ///
    /// Never: all cells are on the map.
    pub(super) fn lay(self, grid: &mut Grid) {
        match self {
            Self::Plain => {}
            Self::Costs => {
                for cell in lattice(grid, 7, 5) {
                    grid.set_cost(Area::from(cell), 2)
                        .expect("a cell of the map");
                }
            }
            Self::Links => {
                for from in lattice(grid, 31, 31) {
                    let link = Link::new(
                        from,
                        Cell {
                            x: from.x + 3,
                            ..from
                        },
                    )
                    .with_cost(9);
                    if grid.is_walkable(link.from) && grid.is_walkable(link.to) {
                        grid.set_link(link).expect("cells of the map");
                    }
                }
            }
        }
    }
}

/// Returns cells at even distances, with room for a link to the right of each.
fn lattice(grid: &Grid, across: usize, down: usize) -> Vec<Cell> {
    let rows = (0..grid.height() - 3).step_by(down);
    let columns = (0..grid.width() - 3).step_by(across);
    rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
        .collect()
}
