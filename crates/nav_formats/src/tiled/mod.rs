//! Maps of the [Tiled](https://www.mapeditor.org) editor, `.tmx` and `.tmj`.
//!
//! Any orthogonal map of fixed size can be read. Names of layers, classes of objects and custom
//! properties give them a meaning. Everything else is decoration and is left out.
//!
//! | in the map | means |
//! |---|---|
//! | tile layer `walkable` | cells with a tile are ground, the rest of the floor is not |
//! | tile layer `blocked` or `walls` | cells with a tile are walls |
//! | tile layer with a bool property `walkable` | `true`: as `walkable`, `false`: as `blocked` |
//! | tile layer `cost` | what cells with a tile cost, 1 to 64; 0 is a wall |
//! | tile layer `exits` | which ways lead out of cells with a tile |
//! | tile layer `terrain` | the terrain class of cells with a tile, 0 to 15 |
//! | tile layer `sight` | tile 1 can be seen through, 2 cannot, 0 is as the ground |
//! | int property `terrain` | the terrain class of cells with a tile, or with that tile |
//! | string property `sight` | their sight: `clear`, `blocked` or `ground` |
//! | int property `floor` | the floor; 0 if there is none |
//! | string property `nav` | `ignore`: there is nothing to read, and no warning says so |
//! | object of class `link` | a link from its cell |
//! | any other object | an object of the game, in [`MapFile::objects`](crate::MapFile::objects) |
//!
//! The properties `terrain` and `sight` are those of a layer, or of a tile in a layer of this
//! table; `floor` and `nav` those of a layer, or of a group around it. Objects are points,
//! rectangles and tiles.
//!
//! A floor without a layer `walkable` is ground all over. If several layers of a floor mean the
//! same, ground and walls add up, and the upper layer wins for the others. Every floor needs a
//! layer of ground, walls or costs.
//!
//! In `cost`, `terrain` and `sight` a tile means its property of the same name. If no tile of its
//! tileset has one, the tile's number in the tileset is the value, as in the tileset that
//! [`write_tmx`] makes. In `exits` the number is a set of directions: 1 is north, 2 northeast, and
//! so on clockwise. There a mirrored or turned tile means the directions that it shows; elsewhere
//! that does not matter. A property of a tile goes before that of its layer.
//!
//! External tilesets and templates come from [`ReadOptions::files`]. A layer `cost`, `terrain` or
//! `sight` needs the tilesets of its tiles, and a link those of the tile objects at its ends.
//! Objects without a class of their own, links and their ends need their templates. An object has
//! whatever its template has and it does not have itself. A tile object without a class has that of
//! its tile.
//!
//! A point is in the cell around it, and a rectangle in the cell of its upper left corner. A tile
//! object is in the cell under the middle of its lower left tile, which is the foot of a tall
//! picture. Its origin is the lower left corner, or what `objectalignment` of its tileset says.
//! Links and their ends must not be rotated.
//!
//! The area of an object begins at that cell and goes to the right and down, of a tile object to
//! the right and up. Its sides are those of the object in whole cells, rounded, at least one, and
//! it ends at the edge of the map. Properties of objects may be of the types string, int, float,
//! bool, color, file and object.
//!
//! Links have these properties:
//!
//! | property | type | |
//! |---|---|---|
//! | `to` | object | where it leads: the cell of any object of the map |
//! | `to_x`, `to_y`, `to_floor` | int | the same in numbers; the link's own floor by default |
//! | `cost` | int | 1 to 65535 straight steps, 1 by default |
//! | `kind` | int | 0 to 15, which rules of walkers allow or forbid; 0 by default |
//! | `millis` | int | 0 to 65535: how long a walker is on it; 0 by default, no longer than a step |
//! | `capacity` | int | 0 to 255: the most walkers at one time; 0 by default, any number |
//! | `two_way` | bool | whether there is a link back, `false` by default |
//!
//! Tiles are stored as CSV, or as Base64 that is uncompressed or compressed with zlib or gzip.
//! A byte order mark is skipped. Hidden layers are read like others. Colours, animations and other
//! properties of the picture do not matter.
//!
//! # What is left out
//!
//! A [`Warning`](crate::Warning) names each of these: layers without a meaning, objects without a
//! cell, offsets of layers, collision shapes of tiles, properties that mean nothing where they are
//! or are classes or lists, and external tilesets that were not given and not needed. A layer with
//! the property `nav` of `ignore` is left out without a word.
//!
//! # Example
//!
//! A yard of 4×3 cells with a wall, and a ladder to a balcony above it.
//!
//! ```
//! use nav_grid::Cell;
//! use nav_formats::{ReadOptions, tiled};
//!
//! let map = br#"<?xml version="1.0" encoding="UTF-8"?>
//! <map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16"
//!  tileheight="16" infinite="0">
//!  <tileset firstgid="1" source="walls.tsx"/>
//!  <layer id="1" name="walls" width="4" height="3">
//!   <data encoding="csv">0,0,0,0, 0,7,7,0, 0,0,0,0</data>
//!  </layer>
//!  <group id="2" name="balcony">
//!   <properties><property name="floor" type="int" value="1"/></properties>
//!   <layer id="3" name="walkable" width="4" height="3">
//!    <data encoding="csv">1,1,1,1, 0,0,0,0, 0,0,0,0</data>
//!   </layer>
//!  </group>
//!  <objectgroup id="4" name="ladders">
//!   <object id="1" type="link" x="8" y="8">
//!    <properties>
//!     <property name="cost" type="int" value="3"/>
//!     <property name="to_floor" type="int" value="1"/>
//!     <property name="to_x" type="int" value="0"/>
//!     <property name="to_y" type="int" value="0"/>
//!     <property name="two_way" type="bool" value="true"/>
//!    </properties>
//!    <point/>
//!   </object>
//!  </objectgroup>
//! </map>"#;
//!
//! let grid = tiled::read_tmx(map, &ReadOptions::default())?.grid;
//! assert_eq!(grid.floors(), 2);
//! assert!(!grid.is_walkable(Cell::new(1, 1)));
//! assert!(grid.is_walkable(Cell::new(3, 0).on_floor(1)));
//! assert_eq!(grid.links().len(), 2);
//! let again = tiled::write_tmj(&grid, &[]);
//! assert_eq!(tiled::read_tmj(again.as_bytes(), &ReadOptions::default())?.grid, grid);
//! # Ok::<(), nav_formats::ParseError>(())
//! ```

mod data;
mod de;
mod drawn;
mod layers;
mod model;
mod objects;
mod part;
mod read;
mod templates;
mod tilesets;
mod write;
mod xml;

#[cfg(doc)]
use crate::files::ReadOptions;
use crate::{
    codec::{Codec, TEXT},
    editor::starts_with,
    features::Features,
};
pub use read::{read_tmj, read_tmx};
pub use write::{PICTURE, PICTURE_NAME, write_tmj, write_tmx};

pub(crate) const XML: Codec = Codec {
    name: "Tiled XML",
    extensions: &["tmx"],
    holds: Features::ALL
        .without(Features::FRAME)
        .without(Features::ROADS)
        .without(Features::HEIGHTS)
        .without(Features::LISTS),
    looks_like: |bytes| starts_with(bytes, "<", ""),
    read: read_tmx,
    write: Some(|map, _| Ok(write_tmx(&map.grid, &map.objects).into_bytes())),
    fault: drawn::fault,
    ..TEXT
};

pub(crate) const JSON: Codec = Codec {
    name: "Tiled JSON",
    extensions: &["tmj", "json"],
    looks_like: |bytes| starts_with(bytes, "{", "\""),
    read: read_tmj,
    write: Some(|map, _| Ok(write_tmj(&map.grid, &map.objects).into_bytes())),
    ..XML
};
