//! Layers of a number per cell.

use super::features::Features;
use nav_grid::{
    Cell, Directions, Grid,
    map::{LayerError, Sight},
    rules::Class,
};

/// Returns the cell on the ground floor of a map that is so wide, by its number in reading order.
pub(crate) fn cell_at(width: u16, index: usize) -> Cell {
    let width = usize::from(width).max(1);
    Cell::new((index % width) as u16, (index / width) as u16)
}

/// Layer of a map that has a number for each cell, beside walls and step costs.
///
/// Every format that holds such layers treats them alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CellLayer {
    /// [Exits](Directions): the bits of a set of directions.
    Exits,
    /// Terrain [classes](Class), 0 to 15.
    Classes,
    /// [`Sight`], by its number in [`Sight::ALL`].
    Sight,
}

impl CellLayer {
    /// All layers.
    pub const ALL: [Self; 3] = [Self::Exits, Self::Classes, Self::Sight];

    /// Returns the name, such as `exits`: that of the picture of this layer in `town.exits.png`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exits => "exits",
            Self::Classes => "classes",
            Self::Sight => "sight",
        }
    }

    /// Returns the feature that a map with this layer has.
    pub const fn feature(self) -> Features {
        match self {
            Self::Exits => Features::EXITS,
            Self::Classes => Features::CLASSES,
            Self::Sight => Features::SIGHT,
        }
    }

    /// Returns the number of cells of which nothing is said.
    pub const fn unsaid(self) -> u8 {
        match self {
            Self::Exits => Directions::ALL.0,
            Self::Classes => Class::DEFAULT.number(),
            Self::Sight => Sight::AsGround as u8,
        }
    }

    /// Returns the greatest number of a cell.
    pub const fn max(self) -> u8 {
        match self {
            Self::Exits => Directions::ALL.0,
            Self::Classes => Class::NUMBER_MAX,
            Self::Sight => Sight::ALL.len() as u8 - 1,
        }
    }

    /// Returns the number of a cell.
    pub fn number(self, grid: &Grid, cell: Cell) -> u8 {
        match self {
            Self::Exits => grid.exits(cell).0,
            Self::Classes => grid.class(cell).number(),
            Self::Sight => grid.sight(cell) as u8,
        }
    }

    /// Returns the numbers of all cells in reading order; none if nothing is said of any.
    pub fn numbers(self, grid: &Grid) -> &[u8] {
        match self {
            Self::Exits => grid.exit_bytes(),
            Self::Classes => grid.class_bytes(),
            Self::Sight => grid.sight_bytes(),
        }
    }

    /// Returns whether a map has this layer.
    pub fn is_in(self, grid: &Grid) -> bool {
        !self.numbers(grid).is_empty()
    }

    /// Replaces this layer of a map, or removes it if there are no numbers. It takes no memory if
    /// nothing is said of any cell.
    ///
    /// # Errors
    ///
    /// [`LayerError`] if the numbers are not one per cell, or one is above [`CellLayer::max`].
    pub fn set(self, grid: &mut Grid, mut numbers: Vec<u8>) -> Result<(), LayerError> {
        if numbers.len() as u64 == grid.size().cells()
            && numbers.iter().all(|&number| number == self.unsaid())
        {
            numbers.clear();
        }
        match self {
            Self::Exits => grid.set_exit_bytes(numbers),
            Self::Classes => grid.set_class_bytes(numbers),
            Self::Sight => grid.set_sight_bytes(numbers),
        }
    }
}
