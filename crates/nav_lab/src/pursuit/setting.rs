//! How pursuers find their way, and what the ground costs: what pursuits are to be alike under.

use nav::Chaser;
use nav_grid::{Area, Cell, Grid, Link};

/// How pursuers find their way, and what lies on the ground. By default chasers and ground are plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// The tuning of the pursuers.
    pub chaser: Chaser,
    /// What lies on the ground.
    pub layer: Layer,
}

/// What lies on the ground besides walls: little enough that shortest ways hardly change, but windows with
/// any of it are searched otherwise than plain ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing.
    #[default]
    Plain,
    /// One cell in 35 costs twice as much as others.
    Costs,
    /// A link of three cells, which is no shortcut, in every square of 31 by 31.
    Links,
}

impl Layer {
    /// Lays it on a map.
    ///
    /// # Panics
    ///
    /// Never: all cells are on the map.
    pub(super) fn lay(self, grid: &mut Grid) {
        let cells = |across: usize, down: usize| {
            let rows = (0..grid.height() - 3).step_by(down);
            let columns = (0..grid.width() - 3).step_by(across);
            let cells = rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)));
            cells.collect::<Vec<Cell>>()
        };
        match self {
            Self::Plain => {}
            Self::Costs => {
                for cell in cells(7, 5) {
                    grid.set_cost(Area::from(cell), 2)
                        .expect("a cell of the map");
                }
            }
            Self::Links => {
                for from in cells(31, 31) {
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
