//! Tilesets in files of their own.

use super::*;
use nav_formats::{Files, MapFile, MissingReason, Problem, Warning};
use std::{cell::RefCell, io};

const TILES: &str = r#"<image source="ground.png" width="160" height="640"/>
 <tile id="10"><properties><property name="cost" type="int" value="0"/></properties></tile>
 <tile id="11"><properties><property name="cost" type="int" value="2"/></properties></tile>
 <tile id="12"><properties><property name="cost" type="int" value="64"/></properties></tile>"#;
const COSTS: &str = "0,11,0,12, 0,0,0,0, 0,0,0,13";

fn tsx() -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tileset version=\"1.10\" name=\"ground\" \
         tilewidth=\"16\" tileheight=\"32\" tilecount=\"200\" columns=\"10\">\n{TILES}\n</tileset>"
    )
}

const TSJ: &str = r#"{ "type":"tileset", "name":"ground", "tilecount":200, "tiles":[
   {"id":10, "properties":[{"name":"cost", "type":"int", "value":0}]},
   {"id":11, "properties":[{"name":"cost", "type":"int", "value":2}]},
   {"id":12, "properties":[{"name":"cost", "type":"int", "value":64}]}]}"#;

/// A map in XML and in JSON, with one layer and an external tileset.
fn maps(source: &str, role: &str, tiles: &str) -> [(bool, String); 2] {
    let xml = tmx(&format!(
        " <tileset firstgid=\"1\" source=\"{source}\"/>\n{}",
        layer(role, &csv(tiles))
    ));
    let json = format!(
        r#"{{"type":"map", "orientation":"orthogonal", "width":4, "height":3, "tilewidth":16,
 "tileheight":32, "tilesets":[{{"firstgid":1, "source":"{source}"}}],
 "layers":[{{"type":"tilelayer", "name":"{role}", "width":4, "height":3, "data":[{tiles}]}}]}}"#
    );
    [(false, xml), (true, json)]
}

fn read_map(is_json: bool, map: &str, files: Files<'_>) -> Result<MapFile, TiledError> {
    let options = Options::default().with_files(files);
    if is_json {
        tiled::read_tmj(map.as_bytes(), &options)
    } else {
        tiled::read_tmx(map.as_bytes(), &options)
    }
}

fn expected() -> Grid {
    let mut grid = Grid::from_fn(4, 3, |cell| cell != Cell::new(1, 0)).unwrap();
    for (cell, cost) in [((3, 0), 2), ((3, 2), 64)] {
        grid.set_cost(Cell::from(cell), cost).unwrap();
    }
    grid
}

#[test]
fn costs_from_xml_and_json() {
    for (source, content) in [
        ("ground.tsx", tsx()),
        ("ground.tsj", TSJ.to_owned()),
        ("../sets/ground.json", TSJ.to_owned()),
        ("ground.tsx", format!("\u{feff}{}", tsx())),
        ("ground.tsj", format!("\u{feff}{TSJ}")),
    ] {
        for (is_json, map) in maps(source, "cost", COSTS) {
            let files = Files::default().with(source, content.as_str());
            let map = read_map(is_json, &map, files).unwrap();
            assert_eq!(map.grid, expected());
            assert_eq!(map.warnings, []);
        }
    }
}

#[test]
fn opened_on_demand() {
    let asked = RefCell::new(Vec::new());
    let open = |path: &str| {
        asked.borrow_mut().push(path.to_owned());
        Ok(tsx().into_bytes())
    };
    for (is_json, map) in maps("../sets/ground.tsx", "cost", COSTS) {
        let map = read_map(is_json, &map, Files::opened_by(&open)).unwrap();
        assert_eq!(map.grid, expected());
    }
    assert_eq!(asked.into_inner(), ["../sets/ground.tsx"; 2]);
}

#[test]
fn not_given() {
    for (is_json, map) in maps("ground.tsx", "cost", COSTS) {
        let error = read_map(is_json, &map, Files::default()).unwrap_err();
        let Problem::Missing { file, .. } = &error.problem else {
            panic!("{error}");
        };
        assert_eq!(file.path, "ground.tsx");
        assert_eq!(file.reason, MissingReason::NotGiven);
        assert!(
            error.to_string().ends_with(
                "layer 'cost' needs its tileset: the file 'ground.tsx' was not given to the \
                 reader; expected it in its `Files`"
            ),
            "{error}"
        );
    }
}

#[test]
fn not_found() {
    let missing = |_: &str| Err(io::Error::from(io::ErrorKind::NotFound));
    for (is_json, map) in maps("ground.tsx", "cost", COSTS) {
        let error = read_map(is_json, &map, Files::opened_by(&missing)).unwrap_err();
        assert_eq!(
            error.problem.to_string(),
            "layer 'cost' needs its tileset: the file 'ground.tsx' does not exist; expected it \
             at this path from the map's folder"
        );
    }
}

#[test]
fn not_needed() {
    for role in ["walls", "walkable"] {
        for (is_json, map) in maps("ground.tsx", role, "0,9,0,0, 0,0,9,0, 0,0,0,0") {
            let map = read_map(is_json, &map, Files::default()).unwrap();
            let [Warning::File(file)] = map.warnings.as_slice() else {
                panic!("{:?}", map.warnings);
            };
            assert_eq!(file.path, "ground.tsx");
        }
    }
}

#[test]
fn broken() {
    for (content, reason) in [
        (
            "<tileset>\n<tile",
            "line 2, column 1: the XML cannot be read",
        ),
        ("{\"type\":\"map\"}", "'map' on top; expected 'tileset'"),
        ("", "line 1, column 1: the XML cannot be read"),
    ] {
        for (is_json, map) in maps("ground.tsx", "cost", COSTS) {
            let files = Files::default().with("ground.tsx", content);
            let error = read_map(is_json, &map, files).unwrap_err();
            let start = format!("the file 'ground.tsx': {reason}");
            assert!(error.to_string().starts_with(&start), "{error}");
        }
    }
}

#[test]
fn of_tile_object() {
    let set = "<tileset name=\"doors\" tilewidth=\"16\" tileheight=\"32\" \
               objectalignment=\"topleft\"/>";
    let object = r#" <objectgroup id="2"><object id="7" type="link" gid="2" x="16" y="32" width="16" height="32"><properties>
 <property name="to_x" type="int" value="0"/><property name="to_y" type="int" value="0"/></properties></object></objectgroup>"#;
    let map = tmx(&format!(
        " <tileset firstgid=\"1\" source=\"doors.tsx\"/>\n{}\n{object}",
        layer("walls", &csv(CSV))
    ));
    let files = Files::default().with("doors.tsx", set);
    let read = read_map(false, &map, files).unwrap();
    assert_eq!(read.grid.links()[0].from, Cell::new(1, 1));
    let error = read_map(false, &map, Files::default()).unwrap_err();
    let start = "object 7 needs its tileset: the file 'doors.tsx' was not given";
    assert!(error.problem.to_string().starts_with(start), "{error}");
}

#[test]
fn too_many() {
    let asked = RefCell::new(0);
    let open = |_: &str| {
        *asked.borrow_mut() += 1;
        Ok(tsx().into_bytes())
    };
    let mut sets = String::new();
    for set in 1..5000 {
        write!(sets, "<tileset firstgid=\"{set}\" source=\"{set}.tsx\"/>").unwrap();
    }
    let map = tmx(&format!("{sets}{}", layer("cost", &csv(COSTS))));
    let error = read_map(false, &map, Files::opened_by(&open)).unwrap_err();
    assert_eq!(error.to_string(), "more than 256 external tilesets");
    assert_eq!(asked.into_inner(), 256);
}
