//! Stairs and links as rectangles of pixels.

use super::colour::Colour;
use nav_grid::{Cell, Grid, Link};

/// A filled rectangle of pixels. It may reach over the edge of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) colour: Colour,
}

impl Rect {
    /// Creates a square around a pixel, with `reach` more pixels on each side.
    pub(super) const fn around((x, y): (i32, i32), reach: i32, colour: Colour) -> Self {
        Self {
            left: x - reach,
            top: y - reach,
            width: 2 * reach + 1,
            height: 2 * reach + 1,
            colour,
        }
    }

    /// Paints the part of it in a row of pixels.
    pub(super) fn paint(&self, y: i32, row: &mut [u8]) {
        if y < self.top || y >= self.top + self.height {
            return;
        }
        let left = self.left.max(0) as usize;
        let right = row.len().min((self.left + self.width).max(0) as usize);
        if left < right {
            row[left..right].fill(self.colour.index());
        }
    }
}

/// Least side in pixels of stairs: below it the steps cannot be told apart.
const STAIRS_MIN: i32 = 12;
/// Most links of a map whose stairs are larger than their cells: their ends take a twentieth of a
/// picture of 720×720 pixels.
const LARGE_MAX: usize = 64;
/// Steps drawn of stairs: three are distinct at [`STAIRS_MIN`].
const STEPS: i32 = 3;

/// Returns the marks of the links of a floor in painting order: stairs at ends that lead to another
/// floor, and a dashed line within the floor.
pub(super) fn link_marks(grid: &Grid, floor: u8, zoom: u32) -> Vec<Rect> {
    let zoom = zoom as i32;
    let stairs_side = if grid.links().len() <= LARGE_MAX {
        zoom.max(STAIRS_MIN)
    } else {
        zoom
    };
    let mut marks = Vec::new();
    for link in grid.links() {
        if link.from.floor != link.to.floor {
            for end in [link.from, link.to] {
                if end.floor == floor {
                    stairs(end, zoom, stairs_side, &mut marks);
                }
            }
        } else if link.from.floor == floor {
            dashes(link, zoom, &mut marks);
        }
    }
    marks
}

/// Adds rising steps on light ground, or a plain square where steps are too small to see.
fn stairs(cell: Cell, zoom: i32, side: i32, marks: &mut Vec<Rect>) {
    let (left, top) = (
        i32::from(cell.x) * zoom + (zoom - side) / 2,
        i32::from(cell.y) * zoom + (zoom - side) / 2,
    );
    let square = Rect {
        left,
        top,
        width: side,
        height: side,
        colour: Colour::Violet,
    };
    if side < STAIRS_MIN {
        marks.push(square);
        return;
    }
    marks.push(Rect {
        left: left - 1,
        top: top - 1,
        width: side + 2,
        height: side + 2,
        colour: Colour::Paper,
    });
    for step in 0..STEPS {
        let (first, end) = (side * step / STEPS, side * (step + 1) / STEPS);
        marks.push(Rect {
            left: left + first,
            top: top + side - end,
            width: end - first,
            height: end,
            ..square
        });
    }
}

/// Returns the pixel in the middle of a cell.
pub(super) fn middle(cell: Cell, zoom: i32) -> (i32, i32) {
    (
        i32::from(cell.x) * zoom + zoom / 2,
        i32::from(cell.y) * zoom + zoom / 2,
    )
}

/// Adds dashes from one end of a link to the other.
fn dashes(link: &Link, zoom: i32, marks: &mut Vec<Rect>) {
    let [(x, y), (to_x, to_y)] = [link.from, link.to].map(|cell| middle(cell, zoom));
    // A third of a cell is dash, a third gap.
    let reach = zoom / 6;
    let dashes = ((to_x - x).abs().max((to_y - y).abs()) * 3 / (2 * zoom)).max(1);
    for dash in 0..=dashes {
        let at = (
            x + (to_x - x) * dash / dashes,
            y + (to_y - y) * dash / dashes,
        );
        marks.push(Rect::around(at, reach, Colour::Violet));
    }
    for end in [(x, y), (to_x, to_y)] {
        marks.push(Rect::around(end, zoom / 3, Colour::Violet));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Size;

    fn grid(links: &[(Cell, Cell)]) -> Grid {
        let mut grid = Grid::build(Size::new(9, 3).with_floors(2), |_| true).unwrap();
        for &(from, to) in links {
            grid.set_link(Link::new(from, to)).unwrap();
        }
        grid
    }

    #[test]
    fn stairs_on_both_floors() {
        let up = Cell::new(4, 1).on_floor(1);
        let grid = grid(&[(Cell::new(4, 1), up)]);
        for floor in [0, 1] {
            let marks = link_marks(&grid, floor, 16);
            let steps: Vec<i32> = marks[1..].iter().map(|step| step.height).collect();
            assert_eq!(steps, [5, 10, 16]);
            assert!(marks[1..].iter().all(|step| step.top + step.height == 32));
        }
    }

    #[test]
    fn line_within_a_floor() {
        let grid = grid(&[(Cell::new(1, 1), Cell::new(7, 1))]);
        let marks = link_marks(&grid, 0, 8);
        assert!(marks.len() > 8, "{marks:?}");
        assert!(marks.iter().all(|mark| mark.colour == Colour::Violet));
        assert!(link_marks(&grid, 1, 8).is_empty());
    }

    #[test]
    fn clipped_at_the_edge() {
        let mut row = [9; 4];
        Rect::around((0, 0), 1, Colour::Ink).paint(0, &mut row);
        assert_eq!(row, [1, 1, 9, 9]);
        Rect::around((-5, 0), 1, Colour::Ink).paint(0, &mut row);
        Rect::around((3, 2), 1, Colour::Ink).paint(0, &mut row);
        assert_eq!(row, [1, 1, 9, 9]);
        Rect::around((4, 1), 1, Colour::Ink).paint(0, &mut row);
        assert_eq!(row, [1, 1, 9, 1]);
    }
}
