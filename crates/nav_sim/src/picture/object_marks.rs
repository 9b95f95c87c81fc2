//! Objects of a map as frames of pixels.

use super::{colour::Colour, link_marks::Rect};
use nav_grid::Area;

/// Parts of a cell that the line of a frame is wide: the ground inside still shows over three
/// quarters of the cell's side.
const LINE: i32 = 8;

/// Returns the frames around areas in pixels, in the order of the areas.
pub(super) fn object_marks(areas: impl Iterator<Item = Area>, zoom: u32) -> Vec<Rect> {
    let zoom = zoom as i32;
    let line = (zoom / LINE).max(1);
    let mut marks = Vec::new();
    for area in areas {
        let (first, last) = (area.first(), area.last());
        let (left, top) = (i32::from(first.x) * zoom, i32::from(first.y) * zoom);
        let width = i32::from(last.x - first.x + 1) * zoom;
        let height = i32::from(last.y - first.y + 1) * zoom;
        let sides = [
            (left, top, width, line),
            (left, top + height - line, width, line),
            (left, top, line, height),
            (left + width - line, top, line, height),
        ];
        marks.extend(sides.map(|(left, top, width, height)| Rect {
            left,
            top,
            width,
            height,
            colour: Colour::Teal,
        }));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Cell;

    #[test]
    fn frame_around_area() {
        let area = Area::new(Cell::new(1, 0), Cell::new(2, 0));
        let marks = object_marks([area].into_iter(), 8);
        let rows: Vec<Vec<u8>> = (0..8)
            .map(|y| {
                let mut row = vec![0; 32];
                for mark in &marks {
                    mark.paint(y, &mut row);
                }
                row
            })
            .collect();
        let painted = |row: &[u8]| row.iter().filter(|&&pixel| pixel != 0).count();
        let counts: Vec<usize> = rows.iter().map(|row| painted(row)).collect();
        assert_eq!(counts, [16, 2, 2, 2, 2, 2, 2, 16]);
        assert_eq!(
            (rows[3][8], rows[3][23]),
            (Colour::Teal.index(), Colour::Teal.index())
        );
    }
}
