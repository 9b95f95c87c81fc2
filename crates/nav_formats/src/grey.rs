//! Common parts of pictures: their size, and greys as step costs.

use super::{
    cell_layer::cell_at,
    error::{Problem, refuse},
    warning::Warning,
};
use nav_grid::{Cell, Grid, Size};

/// Returns the size of a map as large as a picture.
pub(crate) fn map_size(width: u32, height: u32) -> Result<Size, Problem> {
    let most = Size::SIDE_MAX;
    if [width, height]
        .iter()
        .any(|side| !(1..=most.into()).contains(side))
    {
        refuse!(
            Value,
            "a picture of {width}x{height} pixels; each side of a map is 1 to {most}"
        );
    }
    Ok(Size::new(width as u16, height as u16))
}

/// Returns a value for each cell of the ground floor, in reading order.
pub(crate) fn pixels_of(grid: &Grid, value: impl Fn(Cell) -> u8) -> Vec<u8> {
    let size = Size::new(grid.width(), grid.height());
    (0..size.cells() as usize)
        .map(|index| value(cell_at(size.width, index)))
        .collect()
}

/// Returns the step cost of a grey; 0 for a wall.
pub(crate) const fn cost_of(grey: u8) -> u8 {
    if grey == 0 { 0 } else { 1 + (255 - grey) / 4 }
}

/// Returns the grey of a step cost.
pub(crate) const fn grey_of(cost: u8) -> u8 {
    if cost == 0 { 0 } else { 255 - 4 * (cost - 1) }
}

/// Returns the grey that the eye sees in a colour.
pub(crate) fn luma(red: u8, green: u8, blue: u8) -> u8 {
    let weighed = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    // Only pure black is a wall: a dark colour must not round to it.
    let grey = ((weighed + 500) / 1000) as u8;
    if weighed > 0 { grey.max(1) } else { 0 }
}

/// Returns a warning if a picture with transparent pixels has no ground: walls drawn on nothing
/// read as walls all over.
pub(crate) fn all_walls(grid: &Grid, transparent: usize) -> Option<Warning> {
    let has_ground = grid.walkable_count() > 0;
    (transparent > 0 && !has_ground).then(|| Warning::Transparent {
        transparent,
        pixels: grid.size().cells() as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_as_greys() {
        for cost in 0..=Grid::COST_WORST {
            assert_eq!(cost_of(grey_of(cost)), cost);
        }
        assert_eq!((cost_of(255), cost_of(1)), (1, Grid::COST_WORST));
        for grey in 0..=255 {
            assert_eq!(luma(grey, grey, grey), grey);
        }
        assert_eq!(luma(0, 0, 1), 1, "not black");
    }
}
