//! Projects of the [LDtk](https://ldtk.io) editor, `.ldtk`, read only. Behind the feature `ldtk`.
//!
//! A map is one level of a project, by its name in [`ReadOptions::level`] or the only level. Its
//! `IntGrid` layers are the cells. The name of a value gives it a meaning, whatever the case of its
//! letters; a value without a name has that of its layer.
//!
//! | name | means |
//! |---|---|
//! | `wall`, `walls`, `blocked`, `solid`, `collision`, `collisions` | a wall |
//! | `walkable`, `floor`, `ground` | ground |
//! | `cost_2` to `cost_64`, or a name in [`EditorNames::costs`] | ground of this step cost |
//!
//! A step cost of 1 is plain ground, and 0 is a wall.
//!
//! [`EditorNames::costs`]: crate::EditorNames::costs
//!
//! Empty cells are ground. But if a value of the layers in use means ground, so that a level paints
//! its ground, empty cells are walls. Several layers add up: a wall in any layer is a wall, and the
//! upper layer wins for costs.
//!
//! An `IntGrid` layer `Terrain` paints terrain classes, whatever its values are called: value 1 to
//! 15 is the class, and empty cells have class 0. A layer `Sight` paints what can be seen through:
//! a value named `clear` or `blocked`, or without names 1 for clear and 2 for blocked; empty cells
//! are as their ground. Another value is refused, with its cell.
//!
//! An entity `Link` is a link from its cell. Its fields are `to`, a reference to an entity of the
//! level or a point; `cost`, an int of 1 to 65535, 1 by default; `kind`, 0 to 15, `millis`, 0 to
//! 65535, and `capacity`, 0 to 255, which are 0 by default: see [`Link`](nav_grid::Link); and
//! `two_way`, a bool, `false` by default.
//!
//! Any other entity is an object of the game, in [`MapFile::objects`](crate::MapFile::objects): its
//! cell is the one in which the editor has its pivot, and its area reaches from there by its sides
//! in whole cells, rounded, at least one, up to the edge of the map. Fields are its properties. A
//! point is the cell of the map that it lies in.
//!
//! A layer whose definition has the tag `nav_ignore` has nothing to read, and no warning names it.
//!
//! Levels in files of their own, `.ldtkl`, come from [`ReadOptions::files`]. A byte order mark is
//! skipped. Files of `LDtk` 1.0 and later can be read.
//!
//! # What is left out
//!
//! A [`Warning`](crate::Warning) names each of these: layers without such values, values without a
//! meaning in the others, entities outside the map, unknown fields of links, fields that are tiles,
//! offsets of layers. Tiles and other levels do not matter.
//!
//! # Example
//!
//! ```
//! use nav_formats::{ReadOptions, ldtk};
//! use nav_grid::Cell;
//!
//! let project = br#"{ "jsonVersion": "1.5.3",
//!   "defs": { "layers": [ { "identifier": "Collisions", "uid": 1, "intGridValues": [
//!     { "value": 1, "identifier": "wall" }, { "value": 2, "identifier": "cost_5" } ] } ] },
//!   "levels": [ { "identifier": "Yard", "iid": "a", "layerInstances": [
//!     { "__identifier": "Collisions", "__type": "IntGrid", "__cWid": 3, "__cHei": 2,
//!       "__gridSize": 16, "layerDefUid": 1, "intGridCsv": [0,1,0, 0,2,0], "entityInstances": [] }
//!   ] } ] }"#;
//! let map = ldtk::read(project, &ReadOptions::default())?;
//! assert!(!map.grid.is_walkable(Cell::new(1, 0)));
//! assert_eq!(map.grid.cost(Cell::new(1, 1)), 5);
//! # Ok::<(), nav_formats::ParseError>(())
//! ```

mod entities;
mod grid_layers;
mod level;
mod model;

#[cfg(doc)]
use crate::files::ReadOptions;
use crate::{
    codec::{Codec, TEXT},
    editor::starts_with,
    features::Features,
};
pub use level::read;

pub(crate) const CODEC: Codec = Codec {
    name: "LDtk",
    // A file `.json` is this if it looks like it; without the reader of Tiled maps, always.
    extensions: if cfg!(feature = "tiled") {
        &["ldtk"]
    } else {
        &["ldtk", "json"]
    },
    holds: Features::ALL
        .without(Features::FLOORS)
        .without(Features::EXITS)
        .without(Features::FRAME)
        .without(Features::ROADS)
        .without(Features::HEIGHTS),
    looks_like: |bytes| starts_with(bytes, "{", "\"__header__\""),
    read,
    write: None,
    ..TEXT
};
