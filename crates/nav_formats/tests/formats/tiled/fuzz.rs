//! Readers of Tiled maps against arbitrary bytes, and against hostile ones.

use crate::mutation::{mutation, tries};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::ZlibEncoder};
use nav_formats::{Files, MapFile, ParseError, ReadOptions, tiled};
use nav_grid::{Cell, Directions, Grid, Link, Size, map::Sight, rules::Class};
use nav_judge::{check_error, check_warning, frugally};
use proptest::{collection::vec, prelude::*};
use std::io::Write as _;

/// Reads a map with a limit on memory, and returns it without its warnings.
fn read_map(is_json: bool, bytes: &[u8]) -> Result<MapFile, ParseError> {
    let files = Files::default().with("a.tx", TEMPLATE);
    let options = ReadOptions::default().with_files(files);
    let result = frugally(bytes, |bytes| {
        if is_json {
            tiled::read_tmj(bytes, &options)
        } else {
            tiled::read_tmx(bytes, &options)
        }
    });
    let result = result.map(|mut map| {
        map.warnings.iter().for_each(check_warning);
        map.warnings.clear();
        map
    });
    if let Err(error) = &result {
        check_error(error, bytes);
    }
    result
}

fn read(is_json: bool, bytes: &[u8]) -> Result<Grid, ParseError> {
    read_map(is_json, bytes).map(|map| map.grid)
}

/// Words of the format.
const TOKENS: &[&str] = &[
    "\r", "\n", " ", "<", ">", "/", "\"", "=", "&", ";", ",", "[", "]", "{", "}", ":", "-", "0",
    "1", "2", "9",
];

/// Makes a grid with everything, small enough that accidents hit all of it.
fn tower() -> Grid {
    let size = Size::new(5, 3).with_floors(2);
    let mut grid = Grid::build(size, |cell| cell.x != cell.y).unwrap();
    let (from, to) = (Cell::new(1, 0), Cell::new(3, 0).on_floor(1));
    grid.set_cost(from, 9).unwrap();
    grid.set_exits(to, Directions::STRAIGHT).unwrap();
    grid.set_class(from, Class::new(15).unwrap()).unwrap();
    grid.set_sight(to, Sight::Blocked).unwrap();
    grid.set_link(Link::new(from, to).with_cost(4)).unwrap();
    grid
}

fn zlib(bytes: &[u8]) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    STANDARD.encode(packed.finish().unwrap())
}

fn map(width: u32, height: u32, content: &str) -> String {
    format!(
        "<map version=\"1.10\" orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"8\" tileheight=\"8\">{content}</map>"
    )
}

fn packed_layer(width: u32, height: u32, floor: u8, packed: &str) -> String {
    format!(
        "<layer name=\"cost\" width=\"{width}\" height=\"{height}\"><properties><property \
         name=\"floor\" type=\"int\" value=\"{floor}\"/></properties><data encoding=\"base64\" \
         compression=\"zlib\">{packed}</data></layer>"
    )
}

/// A template of a link with a tile.
const TEMPLATE: &str = r#"<template><tileset firstgid="1" source="doors.tsx"/><object type="link"
 gid="1" width="8" height="8"><properties><property name="cost" type="int" value="3"/></properties>
 </object></template>"#;

/// Tile objects, turned tiles, properties, offsets and layers that are left out.
const TILE_OBJECTS: &str = r##"<tileset firstgid="1" name="a" tilewidth="8" tileheight="8"
 objectalignment="topright"><tile id="3"><properties><property name="cost" type="int" value="2"/>
  <property name="terrain" type="int" value="2"/><property name="sight" value="clear"/>
 </properties><objectgroup/></tile></tileset><imagelayer name="sky"/>
 <layer name="cost" width="2" height="2" offsetx="8"><data encoding="csv">4,4,2147483652,0</data></layer>
 <layer name="fog" width="2" height="2"><properties><property name="sight" value="blocked"/>
 <property name="terrain" type="int" value="7"/></properties><data encoding="csv">0,0,4,0</data></layer>
 <layer name="exits" width="2" height="2"><data encoding="csv">4,0,2147483652,0</data></layer>
 <objectgroup><object id="1" class="link" gid="4" x="16" y="0" width="8" height="8" rotation="360"
 template="a.tx"><properties><property name="to" type="object" value="2"/><property name="cots"
 type="int" value="2"/></properties></object><object id="2" x="0" y="8"><point/></object></objectgroup>
 <objectgroup name="things"><object id="3" name="a gate" type="Door" x="8" y="0" width="8" height="16"><properties>
 <property name="count" type="int" value="2"/><property name="pace" type="float" value="0.3"/>
 <property name="open" type="bool" value="true"/><property name="tint" type="color" value="#ff112233"/>
 <property name="lines">one
two</property><property name="key" type="object" value="2"/><property name="stats" type="class"><properties/>
 </property></properties></object><object id="4" gid="4" x="8" y="8" width="8" height="8"/></objectgroup>"##;

fn files() -> Vec<(bool, Vec<u8>)> {
    let tiles: Vec<u8> = (0_u32..15).flat_map(u32::to_le_bytes).collect();
    let tileset = "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"8\" tileheight=\"8\" \
                   tilecount=\"64\" columns=\"8\"><image source=\"a.png\" width=\"64\" \
                   height=\"64\"/><tile id=\"200\"/></tileset>";
    let packed = map(
        5,
        3,
        &format!(
            "{tileset}<group>{}</group>",
            packed_layer(5, 3, 0, &zlib(&tiles))
        ),
    );
    let files = vec![
        (false, tiled::write_tmx(&tower(), &[]).into_bytes()),
        (true, tiled::write_tmj(&tower(), &[]).into_bytes()),
        (false, packed.into_bytes()),
        (false, map(2, 2, TILE_OBJECTS).into_bytes()),
    ];
    for (is_json, file) in &files {
        assert!(read(*is_json, file).is_ok());
    }
    files
}

proptest! {
    #![proptest_config(tries())]

    #[test]
    fn arbitrary_bytes(is_json: bool, bytes in vec(any::<u8>(), 0..400)) {
        let _ = read(is_json, &bytes);
    }

    #[test]
    fn damaged_maps(
        file in proptest::sample::select(files()),
        mutations in vec(mutation(TOKENS), 1..8),
    ) {
        let (is_json, mut bytes) = file;
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            if let Ok(map) = read_map(is_json, &bytes) {
                let again = tiled::write_tmx(&map.grid, &map.objects);
                prop_assert_eq!(read_map(false, again.as_bytes()), Ok(map.clone()));
                let again = tiled::write_tmj(&map.grid, &map.objects);
                prop_assert_eq!(read_map(true, again.as_bytes()), Ok(map));
            }
        }
    }
}

#[test]
fn sizes_not_believed() {
    let sides = [
        (16_384, 16_384),
        (4_294_967_295, 4_294_967_295),
        (65_536, 1),
    ];
    for (width, height) in sides {
        for data in [
            "<data encoding=\"csv\">1</data>",
            "<data encoding=\"base64\">AQAAAA==</data>",
        ] {
            let layer = format!(
                "<layer name=\"walls\" width=\"{width}\" height=\"{height}\">{data}</layer>"
            );
            assert!(read(false, map(width, height, &layer).as_bytes()).is_err());
        }
    }
    let tileset = "<tileset firstgid=\"1\" tilewidth=\"8\" tileheight=\"8\" \
                   tilecount=\"4294967295\" columns=\"1\"><image source=\"a.png\" width=\"8\" \
                   height=\"8\"/></tileset>";
    let layer =
        "<layer name=\"walls\" width=\"1\" height=\"1\"><data encoding=\"csv\">1</data></layer>";
    assert!(read(false, map(1, 1, &format!("{tileset}{layer}")).as_bytes()).is_ok());
}

#[test]
fn packed_layers() {
    let bomb = zlib(&vec![1; 4 * 3000 * 3000]);
    for (width, height) in [(2, 2), (2000, 2000), (3000, 3000), (16_384, 16_384)] {
        for floors in [1, 255] {
            let layers: String = (0..floors)
                .map(|floor| packed_layer(width, height, floor, &bomb))
                .collect();
            assert!(read(false, map(width, height, &layers).as_bytes()).is_err());
        }
    }
}

#[test]
fn large_packed_maps() {
    // As many cells as a small file may have, with costs.
    let ones: Vec<u8> = (0..2048 * 2048_u32)
        .flat_map(|index| (2 + index % 3).to_le_bytes())
        .collect();
    let layer = packed_layer(2048, 2048, 0, &zlib(&ones));
    let walls = layer.replace("\"cost\"", "\"walls\"");
    let exits = layer.replace("\"cost\"", "\"exits\"");
    let ground = layer.replace("\"cost\"", "\"walkable\"");
    let file = map(2048, 2048, &format!("{layer}{exits}{ground}{walls}"));
    let grid = read(false, file.as_bytes()).unwrap();
    assert_eq!(grid.width(), 2048);
    assert!(grid.has_exits());
}

#[test]
fn many_small_parts() {
    let many = 400_000;
    let parts = [
        format!("<objectgroup>{}</objectgroup>", "<object/>".repeat(many)),
        "<group/>".repeat(many),
        "<layer width=\"1\" height=\"1\"/>".repeat(many),
        "<properties/>".repeat(many),
        "<group>".repeat(many),
        "<tileset firstgid=\"1\"/>".repeat(many),
        format!(
            "<tileset firstgid=\"1\"><tile id=\"1\"/>{}</tileset>",
            "<a/>".repeat(many)
        ),
        format!("<group {}/>", "a=\"\" ".repeat(many)),
        format!(
            "<layer width=\"1\" height=\"1\"><data>{}</data></layer>",
            "<a/>".repeat(many)
        ),
        format!("<group name=\"{}\"/>", "&amp;".repeat(many)),
        "<!-- -->".repeat(many),
    ];
    for part in parts {
        assert!(read(false, map(1, 1, &part).as_bytes()).is_err());
    }
    for count in [49_000, many] {
        let objects = "<object/>".repeat(count);
        let groups = "<group/>".repeat(count);
        for part in [format!("<objectgroup>{objects}</objectgroup>"), groups] {
            assert!(read(false, map(1, 1, &part).as_bytes()).is_err());
        }
    }
}

#[test]
fn json_of_small_parts() {
    let head = "{\"type\":\"map\",\"width\":1,\"height\":1,\"tilewidth\":1,\"tileheight\":1,\
                \"orientation\":\"orthogonal\",\"layers\":[";
    let group = "{\"type\":\"group\",\"layers\":[";
    for count in [49_000, 400_000] {
        let parts = [
            vec!["{\"type\":\"\"}"; count].join(","),
            format!(
                "{{\"type\":\"objectgroup\",\"objects\":[{}]}}",
                vec!["{}"; count].join(",")
            ),
            group.repeat(count),
            "[".repeat(count),
            format!(
                "{{\"type\":\"tilelayer\",\"data\":[{}]}}",
                vec!["1"; count].join(",")
            ),
            format!(
                "{{\"type\":\"\",\"properties\":[{}]}}",
                vec!["{\"name\":\"\"}"; count].join(",")
            ),
        ];
        for part in parts {
            assert!(read(true, format!("{head}{part}]}}").as_bytes()).is_err());
        }
    }
}
