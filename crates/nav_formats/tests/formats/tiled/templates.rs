//! Objects that have values from a template.

use super::*;
use nav_formats::{Files, MapFile};
use std::{cell::RefCell, io};

/// A template of a door with a tile, as Tiled writes it.
const DOOR: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="../sets/doors.tsx"/>
 <object name="door" type="link" gid="2" width="16" height="16">
  <properties>
   <property name="cost" type="int" value="7"/>
   <property name="to_x" type="int" value="3"/>
   <property name="to_y" type="int" value="2"/>
  </properties>
 </object>
</template>
"#;

/// The same in JSON.
const DOOR_JSON: &str = r#"{ "type":"template",
 "tileset":{ "firstgid":1, "source":"..\/sets\/doors.tsx" },
 "object":{ "name":"door", "type":"link", "gid":2, "width":16, "height":16, "properties":[
  {"name":"cost", "type":"int", "value":7}, {"name":"to_x", "type":"int", "value":3},
  {"name":"to_y", "type":"int", "value":2}] } }"#;

/// Objects of this tileset have their origin at the upper left.
const TILESET: &str =
    r#"<tileset name="doors" tilewidth="16" tileheight="16" objectalignment="topleft"/>"#;

/// A yard of 4×3 open cells with an object, in XML and in JSON.
fn maps(object: &str, json: &str) -> [(bool, String); 2] {
    let walls = csv("0,0,0,0, 0,0,0,0, 0,0,0,0");
    let xml = format!(
        r#"<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="4" height="3">{walls}</layer>
 <objectgroup id="2" name="doors">{object}</objectgroup>
</map>"#
    );
    let json = format!(
        r#"{{"type":"map", "orientation":"orthogonal", "width":4, "height":3, "tilewidth":16,
 "tileheight":16, "layers":[
  {{"type":"tilelayer", "name":"walls", "width":4, "height":3, "data":[0,0,0,0,0,0,0,0,0,0,0,0]}},
  {{"type":"objectgroup", "name":"doors", "objects":[{json}]}}]}}"#
    );
    [(false, xml), (true, json)]
}

fn instance() -> [(bool, String); 2] {
    maps(
        r#"<object id="7" template="doors/door.tx" x="16" y="16"/>"#,
        r#"{"id":7, "template":"doors\/door.tx", "x":16, "y":16}"#,
    )
}

fn read_with(is_json: bool, map: &str, files: Files<'_>) -> Result<MapFile, TiledError> {
    let options = Options::default().with_files(files);
    if is_json {
        tiled::read_tmj(map.as_bytes(), &options)
    } else {
        tiled::read_tmx(map.as_bytes(), &options)
    }
}

fn files(template: &str) -> Files<'static> {
    Files::default()
        .with("doors/door.tx", template)
        .with("sets/doors.tsx", TILESET)
}

#[test]
fn values_of_templates() {
    for template in [DOOR, DOOR_JSON, &format!("\u{feff}{DOOR}")] {
        for (is_json, map) in instance() {
            let map = read_with(is_json, &map, files(template)).unwrap();
            assert_eq!(map.warnings, []);
            let link = Link::new(Cell::new(1, 1), Cell::new(3, 2)).with_cost(7);
            assert_eq!(map.grid.links(), [link]);
        }
    }
}

#[test]
fn own_values_first() {
    let own = maps(
        r#"<object id="7" template="doors/door.tx" x="16" y="16" width="48" height="16"><properties>
 <property name="cost" type="int" value="2"/></properties></object>"#,
        r#"{"id":7, "template":"doors\/door.tx", "x":16, "y":16, "properties":[
 {"name":"cost", "type":"int", "value":2}]}"#,
    );
    for (is_json, map) in own {
        let map = read_with(is_json, &map, files(DOOR)).unwrap();
        let link = Link::new(Cell::new(1, 1), Cell::new(3, 2)).with_cost(2);
        assert_eq!(map.grid.links(), [link]);
    }
    let decoration = maps(
        r#"<object id="7" template="doors/door.tx" type="tree" x="16" y="16"/>"#,
        r#"{"id":7, "template":"doors\/door.tx", "type":"tree", "x":16, "y":16}"#,
    );
    for (is_json, map) in decoration {
        let map = read_with(is_json, &map, files(DOOR)).unwrap();
        assert!(map.grid.links().is_empty());
        // The object then depends on its template for nothing.
        let without = read_with(is_json, &instance_of_tree(is_json), Files::default());
        assert!(without.unwrap().grid.links().is_empty());
    }
}

fn instance_of_tree(is_json: bool) -> String {
    let maps = maps(
        r#"<object id="7" template="gone.tx" type="tree" x="16" y="16"/>"#,
        r#"{"id":7, "template":"gone.tx", "type":"tree", "x":16, "y":16}"#,
    );
    maps[usize::from(is_json)].1.clone()
}

#[test]
fn missing_templates() {
    for (is_json, map) in instance() {
        let error = read_with(is_json, &map, Files::default()).unwrap_err();
        assert_eq!(
            error.problem.to_string(),
            "object 7 needs its template: the file 'doors/door.tx' was not given to the reader; \
             expected it in its `Files`"
        );
        let alone = Files::default().with("doors/door.tx", DOOR);
        let error = read_with(is_json, &map, alone).unwrap_err();
        assert_eq!(
            error.problem.to_string(),
            "object 7 needs its tileset: the file 'sets/doors.tsx' was not given to the reader; \
             expected it in its `Files`"
        );
    }
}

#[test]
fn missing_template_of_an_end() {
    let walls = layer("walls", &csv(CSV));
    let start = link("<point/>", &[("to", "object", "8")]);
    let end = "<object id=\"8\" type=\"door\" template=\"a.tx\" x=\"48\" y=\"0\"/>";
    let map = tmx(&format!("{walls}<objectgroup>{start}{end}</objectgroup>"));
    let error = read_with(false, &map, Files::default()).unwrap_err();
    let start = "object 8 needs its template: the file 'a.tx'";
    assert!(error.problem.to_string().starts_with(start), "{error}");
}

#[test]
fn shapes_of_templates() {
    let polygon = DOOR
        .replace(" gid=\"2\"", "")
        .replace("</object>", "<polygon points=\"0,0 8,8\"/></object>");
    for (is_json, map) in instance() {
        let error = read_with(is_json, &map, files(&polygon)).unwrap_err();
        assert_eq!(
            error.problem.to_string(),
            "object 7: a link that is no point, rectangle or tile"
        );
    }
}

#[test]
fn broken_templates() {
    for (content, reason) in [
        ("<template>\n", "line 2, column 1: the XML cannot be read"),
        (
            "<template/>",
            "line 1, column 1: the XML cannot be read: there is no object",
        ),
        ("{\"type\":\"map\"}", "'map' on top; expected 'template'"),
        (
            TILESET,
            "line 1, column 1: 'tileset' on top; expected 'template'",
        ),
    ] {
        for (is_json, map) in instance() {
            let error = read_with(is_json, &map, files(content)).unwrap_err();
            let start = format!("the file 'doors/door.tx': {reason}");
            assert!(error.to_string().starts_with(&start), "{error}");
        }
    }
}

#[test]
fn many_templates() {
    let asked = RefCell::new(0);
    let open = |_: &str| {
        *asked.borrow_mut() += 1;
        Err(io::Error::from(io::ErrorKind::NotFound))
    };
    let mut objects = String::new();
    for number in 1..5000 {
        write!(
            objects,
            "<object id=\"{number}\" type=\"tree\" template=\"{}.tx\"/>",
            number / 2
        )
        .unwrap();
    }
    let walls = layer("walls", &csv(CSV));
    let map = tmx(&format!("{walls}<objectgroup>{objects}</objectgroup>"));
    let error = read_with(false, &map, Files::opened_by(&open)).unwrap_err();
    assert_eq!(error.to_string(), "more than 256 templates");
    assert_eq!(asked.into_inner(), 256);
}

#[test]
fn long_templates() {
    let long = DOOR.replace("link", &"link".repeat(200_000));
    let mut objects = String::new();
    for number in 1..40_000 {
        write!(
            objects,
            "<object id=\"{number}\" template=\"doors/door.tx\"/>"
        )
        .unwrap();
    }
    let walls = layer("walls", &csv(CSV));
    let map = tmx(&format!("{walls}<objectgroup>{objects}</objectgroup>"));
    let files = files(&long);
    let read = nav_judge::frugally(map.as_bytes(), |bytes| {
        tiled::read_tmx(bytes, &Options::default().with_files(files))
    });
    assert_eq!(
        read.unwrap_err().to_string(),
        "more than 50000 objects, tiles and values of properties; expected fewer"
    );
}
