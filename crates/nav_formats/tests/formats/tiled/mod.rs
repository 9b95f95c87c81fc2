//! Maps of the Tiled editor: what is written, limits, options, and hostile bytes.

mod fuzz;
mod limits;
mod written_maps;

use nav_formats::{ParseError, ReadOptions, tiled};
use nav_grid::{
    Cell, Directions, Grid, Link, Size,
    map::{Sight, text},
    rules::Class,
};
use std::{fs, path::Path};

/// A yard of 4×3 cells: walls at 1,0 and 2,1.
fn yard() -> Grid {
    Grid::from_fn(4, 3, |cell| {
        ![Cell::new(1, 0), Cell::new(2, 1)].contains(&cell)
    })
    .unwrap()
}

/// The yard as Tiled writes it, its walls in a layer of this name, with `content` before and behind
/// it.
fn map([before, name, behind]: [&str; 3]) -> String {
    format!(
        r#"<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="32">
{before}<layer name="{name}" width="4" height="3"><data encoding="csv">0,9,0,0, 0,0,9,0, 0,0,0,0</data></layer>
{behind}</map>"#
    )
}

fn grid_of_tmx(map: &str, options: &ReadOptions<'_>) -> Result<Grid, ParseError> {
    tiled::read_tmx(map.as_bytes(), options).map(|map| map.grid)
}

fn bundled() -> Vec<Grid> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let grids = files
        .iter()
        .map(|file| text::read(&fs::read(file).unwrap()));
    grids.collect::<Result<_, _>>().unwrap()
}

/// Three floors with everything a grid can have.
fn tower() -> Grid {
    let size = Size::new(6, 5).with_floors(3);
    let mut grid =
        Grid::build(size, |cell| (cell.x + cell.y) % 5 != u16::from(cell.floor)).unwrap();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    grid.set_cost(cells[1], 2).unwrap();
    grid.set_cost(cells[30], 64).unwrap();
    grid.set_exits(cells[4], Directions::NONE).unwrap();
    grid.set_exits(cells[40], Directions::STRAIGHT).unwrap();
    for (number, &cell) in (0..16).zip(&cells[30..]) {
        let sight = Sight::ALL[usize::from(number) % 3];
        grid.set_class(cell, Class::new(number).unwrap()).unwrap();
        grid.set_sight(cell, sight).unwrap();
    }
    for (from, to, cost) in [(3, 60, 1), (60, 3, 65535), (5, 6, 7)] {
        let (from, to) = (cells[from], cells[to]);
        grid.set_link(Link::new(from, to).with_cost(cost)).unwrap();
    }
    grid
}
