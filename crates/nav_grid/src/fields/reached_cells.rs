//! The cells in reach of a start as a value, with the way back from each.

use crate::{
    cell::{Cell, Direction},
    path::Path,
    rules::Cost,
};

/// The step back from a cell that no step led to: the start, or the end of a link.
pub(super) const NO_STEP: u8 = 8;

/// The cells within some limits of a start, each with its cost and the way back, as a
/// [`ReachField`](super::ReachField) computes them.
///
/// 12 bytes a cell, and 12 for each link that ways take. Look-ups are O(log n).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedCells"))]
pub struct ReachedCells {
    pub(super) cells: Vec<ReachedCell>,
    /// The links that ways take: end and begin, in order of their ends.
    pub(super) links: Vec<(Cell, Cell)>,
}

/// A cell of [`ReachedCells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReachedCell {
    /// The cell.
    pub cell: Cell,
    /// The cost of the cheapest way from the start, in the units of the metric.
    pub cost: Cost,
    /// The number of the direction back, or [`NO_STEP`].
    pub(super) back: u8,
}

impl ReachedCells {
    pub(super) const NONE: Self = Self {
        cells: Vec::new(),
        links: Vec::new(),
    };

    /// The cells in reach, the start among them, in reading order.
    pub fn cells(&self) -> &[ReachedCell] {
        &self.cells
    }

    /// The cost from the start to a cell; `None` out of reach.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.reached(cell).map(|reached| reached.cost)
    }

    /// The cell before another on the way from the start; `None` for the start and out of reach.
    pub fn back(&self, cell: Cell) -> Option<Cell> {
        let back = self.reached(cell)?.back;
        if let Some(&direction) = Direction::ALL.get(usize::from(back)) {
            return cell.step(direction);
        }
        let link = self.links.binary_search_by_key(&cell, |link| link.0);
        Some(self.links[link.ok()?].1)
    }

    /// Fills `path` with the way from the start to a cell, and returns its cost; `None`, and an
    /// empty path, out of reach.
    pub fn path_to(&self, cell: Cell, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.cost(cell)?;
        let mut at = cell;
        while let Some(before) = self.back(at) {
            path.prepend(at);
            at = before;
        }
        Some(cost)
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.links.clear();
    }

    fn reached(&self, cell: Cell) -> Option<&ReachedCell> {
        let at = self
            .cells
            .binary_search_by_key(&cell, |reached| reached.cell);
        self.cells.get(at.ok()?)
    }

    /// Whether a cell other than the start has a way back to a cheaper cell, so that ways end.
    #[cfg(feature = "serde")]
    fn leads_back(&self, reached: &ReachedCell) -> bool {
        let before = self.back(reached.cell).and_then(|before| self.cost(before));
        match before {
            Some(before) => before < reached.cost,
            None => reached.cost == 0 && reached.back == NO_STEP,
        }
    }
}

/// The saved form of [`ReachedCells`], not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "ReachedCells", deny_unknown_fields)]
struct SavedCells {
    cells: Vec<ReachedCell>,
    links: Vec<(Cell, Cell)>,
}

/// The reason why saved cells in reach are refused.
#[cfg(feature = "serde")]
#[derive(Debug, thiserror::Error)]
enum SavedCellsError {
    #[error("the cells in reach, or their links, are not in reading order")]
    Order,
    #[error("no way leads back from the cell {0}, which is said to be in reach")]
    NoWayBack(Cell),
}

#[cfg(feature = "serde")]
impl TryFrom<SavedCells> for ReachedCells {
    type Error = SavedCellsError;

    fn try_from(saved: SavedCells) -> Result<Self, SavedCellsError> {
        let SavedCells { cells, links } = saved;
        let in_order = cells.is_sorted_by(|one, other| one.cell < other.cell)
            && links.is_sorted_by(|one, other| one.0 < other.0);
        if !in_order {
            return Err(SavedCellsError::Order);
        }
        let reached = Self { cells, links };
        let mut all = reached.cells.iter();
        match all.find(|cell| !reached.leads_back(cell)) {
            Some(astray) => Err(SavedCellsError::NoWayBack(astray.cell)),
            None => Ok(reached),
        }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    fn reached(x: u16, cost: Cost, back: u8) -> ReachedCell {
        let cell = Cell::new(x, 0);
        ReachedCell { cell, cost, back }
    }

    #[test]
    fn damaged_cells_are_refused() {
        let (west, start) = (Direction::West as u8, reached(0, 0, NO_STEP));
        let link = vec![(Cell::new(5, 0), Cell::new(0, 0))];
        let cases = [
            (vec![start, reached(1, 1, west)], vec![], true),
            (vec![start, reached(5, 3, NO_STEP)], link.clone(), true),
            (vec![], vec![], true),
            (vec![reached(1, 1, west), start], vec![], false),
            (vec![start, reached(1, 0, west)], vec![], false),
            (vec![start, reached(2, 2, west)], vec![], false),
            (vec![start, reached(1, 1, 9)], vec![], false),
            (vec![start, reached(5, 0, NO_STEP)], link, false),
        ];
        for (cells, links, is_whole) in cases {
            let about = format!("{cells:?}, {links:?}");
            let saved = SavedCells { cells, links };
            assert_eq!(ReachedCells::try_from(saved).is_ok(), is_whole, "{about}");
        }
    }
}
