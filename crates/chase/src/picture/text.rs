//! Drawings as text.

use super::drawing::{Drawing, Mark};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Drawing<'_> {
    /// Writes one line per row: `.` floor, `#` wall, `S` start, `G` goal, `*` path, `=` main road.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut line = String::with_capacity(usize::from(self.grid.width()) + 1);
        for y in 0..self.grid.height() {
            line.clear();
            line.extend(self.row(y).map(letter));
            line.write_char('\n')?;
            f.write_str(&line)?;
        }
        Ok(())
    }
}

const fn letter(mark: Mark) -> char {
    match mark {
        Mark::Floor => '.',
        Mark::Wall => '#',
        Mark::Path => '*',
        Mark::Road => '=',
        Mark::Start => 'S',
        Mark::Goal => 'G',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Cell, Grid, Path};

    #[test]
    fn marks_lie_where_they_belong() {
        let grid = Grid::from_fn(4, 3, |cell| cell != Cell::new(1, 1)).unwrap();
        assert_eq!(Drawing::new(&grid).to_string(), "....\n.#..\n....\n");
        let path: Path = [(1, 0), (2, 0), (3, 1), (3, 2)]
            .map(Cell::from)
            .into_iter()
            .collect();
        let drawing = Drawing::new(&grid).with_path(Cell::new(0, 0), Cell::new(3, 2), &path);
        assert_eq!(drawing.to_string(), "S**.\n.#.*\n...G\n");
    }
}
