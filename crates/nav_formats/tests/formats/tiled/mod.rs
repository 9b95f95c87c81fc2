//! Maps of the Tiled editor: reading them, and the words of refusals.

mod costs;
mod external_tilesets;
mod floors;
mod fuzz;
mod json;
mod layers;
mod links_of_maps;
mod objects;
mod refusals;
mod templates;
mod terrain;
mod tile_objects;
mod warnings;
mod written_maps;

use nav_formats::{EditorNames, ParseError as TiledError, ReadOptions as Options, tiled};
use nav_grid::{
    Cell, Directions, Grid, Link, Size,
    map::{Sight, text},
    rules::Class,
};
use std::{fmt::Write as _, fs, path::Path};

/// A yard of 4×3 cells: walls at 1,0 and 2,1.
fn yard() -> Grid {
    Grid::from_fn(4, 3, |cell| {
        ![Cell::new(1, 0), Cell::new(2, 1)].contains(&cell)
    })
    .unwrap()
}

const CSV: &str = "\n0,9,0,0,\n0,0,9,0,\n0,0,0,0\n";

/// A map as Tiled writes it, with `content` between its tags.
fn tmx(content: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.2" orientation="orthogonal" renderorder="right-down" width="4" height="3" tilewidth="16" tileheight="32" infinite="0" nextlayerid="4" nextobjectid="3">
{content}
</map>
"#
    )
}

fn layer(name: &str, data: &str) -> String {
    layer_with(name, "", data)
}

fn layer_with(name: &str, properties: &str, data: &str) -> String {
    format!(
        r#" <layer id="1" name="{name}" width="4" height="3">
{properties}  {data}
 </layer>"#
    )
}

fn csv(tiles: &str) -> String {
    format!("<data encoding=\"csv\">{tiles}</data>")
}

fn floor(number: &str) -> String {
    format!(
        "  <properties>\n   <property name=\"floor\" type=\"int\" value=\"{number}\"/>\n  </properties>\n"
    )
}

fn link(shape: &str, properties: &[(&str, &str, &str)]) -> String {
    let mut object = String::from(
        "  <object id=\"7\" name=\"a way\" type=\"link\" x=\"24\" y=\"80\">\n   <properties>\n",
    );
    for (name, kind, value) in properties {
        writeln!(
            object,
            "    <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>"
        )
        .unwrap();
    }
    format!("{object}   </properties>\n   {shape}\n  </object>\n")
}

fn links(objects: &str) -> String {
    let walls = layer("walls", &csv(CSV));
    format!("{walls}\n <objectgroup id=\"2\" name=\"ways\">\n{objects} </objectgroup>")
}

fn grid_of_tmx(bytes: &[u8], options: &Options<'_>) -> Result<Grid, TiledError> {
    tiled::read_tmx(bytes, options).map(|map| map.grid)
}

fn grid_of_tmj(bytes: &[u8], options: &Options<'_>) -> Result<Grid, TiledError> {
    tiled::read_tmj(bytes, options).map(|map| map.grid)
}

fn read(content: &str) -> Result<Grid, TiledError> {
    grid_of_tmx(tmx(content).as_bytes(), &Options::default())
}

#[track_caller]
fn refused(result: Result<Grid, TiledError>, sentence: &str) {
    assert_eq!(result.unwrap_err().to_string(), sentence);
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
