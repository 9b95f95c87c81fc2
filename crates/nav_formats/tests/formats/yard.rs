//! A small map, as a grid and as files.

use nav_grid::{Cell, Grid};

pub fn yard() -> Grid {
    Grid::from_fn(5, 3, |Cell { x, y, .. }| {
        (y == 1 && (1..4).contains(&x)) || (x, y) == (2, 2)
    })
    .unwrap()
}

pub const YARD_TEXT: &str = "#####\n#...#\n##.##\n";
pub const YARD_MOVINGAI: &str = "type octile\nheight 3\nwidth 5\nmap\n@@@@@\n@...@\n@@.@@\n";
