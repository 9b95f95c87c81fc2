//! The ground as bytes for the page: step costs and terrain classes, a byte a cell.

use axum::body::Bytes;
use nav_grid::{Cell, Grid};

/// The ground of a map, floor by floor, row by row from row 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    /// 0 for walls, otherwise the cost of a step.
    pub(crate) costs: Bytes,
    /// The terrain class; no bytes where all cells are of class 0, as on most maps.
    pub(crate) classes: Bytes,
}

impl Ground {
    pub(crate) fn of(grid: &Grid) -> Self {
        let classes = if grid.has_classes() {
            bytes(grid, |cell| grid.class(cell).number())
        } else {
            Bytes::new()
        };
        Self {
            costs: bytes(grid, |cell| grid.cost(cell)),
            classes,
        }
    }
}

fn bytes(grid: &Grid, byte: impl Fn(Cell) -> u8) -> Bytes {
    let rows = (0..grid.floors()).flat_map(|floor| (0..grid.height()).map(move |y| (floor, y)));
    let cells =
        rows.flat_map(|(floor, y)| (0..grid.width()).map(move |x| Cell::new(x, y).on_floor(floor)));
    cells.map(byte).collect::<Vec<u8>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::rules::Class;

    #[test]
    fn costs_and_classes() {
        let mut grid = Grid::from_fn(3, 1, |cell| cell.x > 0).unwrap();
        grid.set_cost(Cell::new(1, 0), 5).unwrap();
        assert_eq!(Ground::of(&grid).costs[..], [0, 5, 1]);
        assert!(Ground::of(&grid).classes.is_empty());
        grid.set_class(Cell::new(2, 0), Class::new(4).unwrap())
            .unwrap();
        assert_eq!(Ground::of(&grid).classes[..], [0, 0, 4]);
    }
}
