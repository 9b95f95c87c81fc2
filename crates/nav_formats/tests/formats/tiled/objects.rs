//! Objects of the game, in XML and in JSON.

use super::*;
use nav_formats::{Files, MapFile, MapObject, PropertyValue};
use nav_grid::Area;

/// A tileset whose second tile is a door.
const DOORS: &str = r#"<tileset name="doors" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <tile id="1" type="Door"/></tileset>"#;

const GUARD: &str = r##"<template><object name="watch" type="Guard" width="16" height="16"><properties>
 <property name="range" type="int" value="9"/><property name="tint" type="color" value="#ff336699"/>
 </properties></object></template>"##;

/// A map of 6×4 cells of 16 pixels with two floors, and these objects in XML.
fn xml(objects: &str) -> String {
    let empty = "<data encoding=\"csv\">0,0,0,0,0,0, 0,0,0,0,0,0, 0,0,0,0,0,0, 0,0,0,0,0,0</data>";
    let layer = format!("<layer name=\"walls\" width=\"6\" height=\"4\">{empty}</layer>");
    let floor =
        "<properties><property name=\"floor\" type=\"int\" value=\"1\"/></properties>".to_owned();
    format!(
        "<map version=\"1.10\" orientation=\"orthogonal\" width=\"6\" height=\"4\" tilewidth=\"16\" \
         tileheight=\"16\"><tileset firstgid=\"1\" source=\"doors.tsx\"/>{layer}\
         <group name=\"up\">{floor}{layer}</group>\
         <objectgroup name=\"things\">{objects}</objectgroup></map>"
    )
}

/// The same with the objects in JSON.
fn json(objects: &str) -> String {
    let layer = r#"{"type":"tilelayer", "name":"walls", "width":6, "height":4,
 "data":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"#;
    format!(
        r#"{{"type":"map", "orientation":"orthogonal", "width":6, "height":4, "tilewidth":16,
 "tileheight":16, "tilesets":[{{"firstgid":1, "source":"doors.tsx"}}], "layers":[{layer},
 {{"type":"group", "name":"up", "properties":[{{"name":"floor", "type":"int", "value":1}}],
   "layers":[{layer}]}},
 {{"type":"objectgroup", "name":"things", "objects":[{objects}]}}]}}"#
    )
}

fn options() -> Options<'static> {
    let files = Files::default().with("doors.tsx", DOORS);
    Options::default().with_files(files.with("guard.tx", GUARD))
}

/// Reads both maps, which must be equal.
#[track_caller]
fn both(of_xml: &str, of_json: &str) -> MapFile {
    let map = tiled::read_tmx(xml(of_xml).as_bytes(), &options()).unwrap();
    let same = tiled::read_tmj(json(of_json).as_bytes(), &options()).unwrap();
    assert_eq!(map, same);
    map
}

/// Returns the place of the only object, as `cell in area`, and what the warnings say.
#[track_caller]
fn placed(of_xml: &str, of_json: &str) -> (String, Vec<String>) {
    let map = both(of_xml, of_json);
    let places = map.objects.iter();
    let places: Vec<String> = places
        .map(|it| format!("{} in {}", it.cell, it.area))
        .collect();
    let warnings = map.warnings.iter().map(ToString::to_string).collect();
    (places.join(", "), warnings)
}

#[test]
fn all_of_an_object() {
    let map = both(
        r##"<object id="7" name="north gate" type="Door" x="32" y="16" width="32" height="16"><properties>
 <property name="text" value="a &amp; b"/><property name="lines">one
two</property><property name="count" type="int" value="-3"/><property name="pace" type="float" value="0.1"/>
 <property name="whole" type="float" value="2"/><property name="open" type="bool" value="true"/>
 <property name="tint" type="color" value="#ff112233"/><property name="unset" type="color" value=""/>
 <property name="sound" type="file" value="creak.ogg"/><property name="key" type="object" value="9"/>
 <property name="nobody" type="object" value="0"/></properties></object>"##,
        r##"{"id":7, "name":"north gate", "type":"Door", "x":32, "y":16, "width":32, "height":16,
 "properties":[{"name":"text", "type":"string", "value":"a & b"},
 {"name":"lines", "type":"string", "value":"one\ntwo"}, {"name":"count", "type":"int", "value":-3},
 {"name":"pace", "type":"float", "value":0.1}, {"name":"whole", "type":"float", "value":2},
 {"name":"open", "type":"bool", "value":true}, {"name":"tint", "type":"color", "value":"#ff112233"},
 {"name":"unset", "type":"color", "value":""}, {"name":"sound", "type":"file", "value":"creak.ogg"},
 {"name":"key", "type":"object", "value":9}, {"name":"nobody", "type":"object", "value":0}]}"##,
    );
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let mut door = MapObject::new("7", "Door", Cell::new(2, 1))
        .with_property("text", text("a & b"))
        .with_property("lines", text("one\ntwo"))
        .with_property("count", PropertyValue::Integer(-3))
        .with_property("pace", PropertyValue::Number(0.1))
        .with_property("whole", PropertyValue::Number(2.0))
        .with_property("open", PropertyValue::Bool(true))
        .with_property("tint", PropertyValue::Colour("#ff112233".to_owned()))
        .with_property("sound", text("creak.ogg"))
        .with_property("key", PropertyValue::Object("9".to_owned()));
    door.name = String::from("north gate");
    door.layer = "things".into();
    door.area = Area::new(Cell::new(2, 1), Cell::new(3, 1));
    assert_eq!(map.objects, [door]);
    assert_eq!(map.warnings, []);
}

#[test]
fn cells_and_areas() {
    for (of_xml, of_json, expected) in [
        (
            r#"<object id="1" x="40" y="20"><point/></object>"#,
            r#"{"id":1, "x":40, "y":20, "point":true}"#,
            "2,1 in 2,1",
        ),
        // By hand: nearest to two columns and one row.
        (
            r#"<object id="1" x="17" y="20" width="27" height="20"/>"#,
            r#"{"id":1, "x":17, "y":20, "width":27, "height":20}"#,
            "1,1 in 1,1..2,1",
        ),
        (
            r#"<object id="1" x="17" y="20" width="3" height="3"/>"#,
            r#"{"id":1, "x":17, "y":20, "width":3, "height":3}"#,
            "1,1 in 1,1",
        ),
        // The foot of a tall tile, and the rows above it.
        (
            r#"<object id="1" gid="2" x="16" y="64" width="32" height="48"/>"#,
            r#"{"id":1, "gid":2, "x":16, "y":64, "width":32, "height":48}"#,
            "1,3 in 1,1..2,3",
        ),
        (
            r#"<object id="1" x="40" y="20" rotation="360" width="16" height="16"/>"#,
            r#"{"id":1, "x":40, "y":20, "rotation":360, "width":16, "height":16}"#,
            "2,1 in 2,1",
        ),
    ] {
        assert_eq!(
            placed(of_xml, of_json),
            (expected.to_owned(), vec![]),
            "{of_xml}"
        );
    }
}

#[test]
fn floors_and_order() {
    let up = r#"</objectgroup><group name="up"><properties><property name="floor" type="int" value="1"/>
 </properties><objectgroup name="lairs"><object id="2" type="Lair" x="1" y="1"><point/></object></objectgroup></group>
 <objectgroup><object id="1" x="20" y="1"><point/></object>"#;
    let map = tiled::read_tmx(
        xml(&format!(
            r#"<object id="3" x="0" y="0"><point/></object>{up}"#
        ))
        .as_bytes(),
        &options(),
    );
    let map = map.unwrap();
    let described: Vec<String> = map.objects.iter().map(MapObject::describe).collect();
    assert_eq!(
        described,
        [
            "object 3 at 0,0 in layer 'things'",
            "object 2 of class 'Lair' at 0,0,1 in layer 'lairs'",
            "object 1 at 1,0"
        ]
    );
    assert_eq!(map.objects_of("lair").count(), 1, "whatever the case");
}

#[test]
fn values_of_templates_and_tiles() {
    let map = both(
        r#"<object id="1" template="guard.tx" x="16" y="16"><properties><property name="range" type="int"
 value="4"/></properties></object><object id="2" gid="2" x="16" y="16" width="16" height="16"/>"#,
        r#"{"id":1, "template":"guard.tx", "x":16, "y":16, "properties":[{"name":"range", "type":"int",
 "value":4}]}, {"id":2, "gid":2, "x":16, "y":16, "width":16, "height":16}"#,
    );
    let [guard, door] = map.objects.as_slice() else {
        panic!("{map:?}");
    };
    assert_eq!(
        (guard.class.as_str(), guard.name.as_str()),
        ("Guard", "watch")
    );
    assert_eq!(guard.get("range"), Ok(4_u8));
    assert_eq!(guard.get("tint"), Ok("#ff336699"));
    assert_eq!((door.class.as_str(), door.cell), ("Door", Cell::new(1, 0)));
}

#[test]
fn without_a_cell() {
    for (of_xml, of_json, warning) in [
        (
            r#"<object id="4" name="gate" type="Door" x="-8" y="0"><point/></object>"#,
            r#"{"id":4, "name":"gate", "type":"Door", "x":-8, "y":0, "point":true}"#,
            "left out, since they lie outside the map: object 4 'gate' in layer 'things'",
        ),
        (
            r#"<object id="4" type="Door" x="0" y="64"/>"#,
            r#"{"id":4, "type":"Door", "x":0, "y":64}"#,
            "left out, since they lie outside the map: object 4 of class 'Door' in layer \
             'things'",
        ),
        (
            r#"<object id="4" x="0" y="0"><polygon points="0,0 8,8"/></object>"#,
            r#"{"id":4, "x":0, "y":0, "polygon":[]}"#,
            "left out, since only points, rectangles and tiles have a cell: object 4 in layer 'things'",
        ),
        (
            r#"<object id="4" x="0" y="0" width="16" height="16" rotation="45"/>"#,
            r#"{"id":4, "x":0, "y":0, "width":16, "height":16, "rotation":45}"#,
            "left out, since they are rotated, and only upright ones have a cell: object 4 in layer \
             'things'",
        ),
        (
            r#"<object id="4" type="Door" template="gone.tx" x="0" y="0"/>"#,
            r#"{"id":4, "type":"Door", "template":"gone.tx", "x":0, "y":0}"#,
            "left out, since the file of their template is missing: object 4 of class 'Door' in layer \
             'things'",
        ),
    ] {
        assert_eq!(
            placed(of_xml, of_json),
            (String::new(), vec![warning.to_owned()])
        );
    }
}

#[test]
fn missing_tileset() {
    let tile = r#"<object id="4" gid="2" x="0" y="16" width="16" height="16"/>"#;
    let map = tiled::read_tmx(xml(tile).as_bytes(), &Options::default()).unwrap();
    assert_eq!(map.objects, []);
    assert_eq!(
        map.warnings[0].to_string(),
        "left out, since the file of their tileset is missing: object 4 in layer 'things'"
    );
}

#[test]
fn over_the_edge() {
    for (of_xml, of_json, place) in [
        (
            r#"<object id="4" x="80" y="48" width="64" height="64"/>"#,
            r#"{"id":4, "x":80, "y":48, "width":64, "height":64}"#,
            "5,3 in 5,3",
        ),
        (
            r#"<object id="4" gid="1" x="0" y="32" width="16" height="1e300"/>"#,
            r#"{"id":4, "gid":1, "x":0, "y":32, "width":16, "height":1e300}"#,
            "0,1 in 0,0..0,1",
        ),
    ] {
        let warning = "cut at the edge of the map: object 4 in layer 'things'";
        assert_eq!(
            placed(of_xml, of_json),
            (place.to_owned(), vec![warning.to_owned()])
        );
    }
}

#[test]
fn types_left_out() {
    let map = both(
        r#"<object id="4" x="0" y="0"><properties><property name="stats" type="class" propertytype="S">
 <properties><property name="hp" type="int" value="3"/></properties></property>
 <property name="loot" type="list"><item type="int" value="1"/></property>
 <property name="other" type="soul" value="1"/></properties></object>"#,
        r#"{"id":4, "x":0, "y":0, "properties":[{"name":"stats", "type":"class", "value":{"hp":3}},
 {"name":"loot", "type":"list", "value":[1]}, {"name":"other", "type":"soul", "value":null}]}"#,
    );
    assert!(map.objects[0].properties.is_empty());
    assert_eq!(
        map.warnings[0].to_string(),
        "left out for their types: property 'loot' of object 4, property 'other' of object 4 and \
         property 'stats' of object 4; expected string, int, float, bool, color, file or object"
    );
}

#[test]
fn ends_of_links_are_objects() {
    let map = both(
        r#"<object id="1" type="link" x="0" y="0"><properties><property name="to" type="object"
 value="2"/></properties></object><object id="2" type="Door" x="16" y="0"/>"#,
        r#"{"id":1, "type":"link", "x":0, "y":0, "properties":[{"name":"to", "type":"object", "value":2}]},
 {"id":2, "type":"Door", "x":16, "y":0}"#,
    );
    assert_eq!(map.grid.links().len(), 1);
    assert_eq!(map.objects.len(), 1);
    assert_eq!(map.objects[0].class, "Door");
}

#[test]
fn many_long_classes_of_tiles() {
    let tiles = format!("<tile id=\"1\" type=\"{}\"/>", "Door".repeat(50_000));
    let set = DOORS.replace("<tile id=\"1\" type=\"Door\"/>", &tiles);
    let mut objects = String::new();
    for id in 1..20_000 {
        write!(objects, "<object id=\"{id}\" gid=\"2\" x=\"0\" y=\"16\"/>").unwrap();
    }
    let options = Options::default().with_files(Files::default().with("doors.tsx", set));
    let read = nav_judge::frugally(xml(&objects).as_bytes(), |bytes| {
        tiled::read_tmx(bytes, &options)
    });
    assert_eq!(
        read.unwrap_err().to_string(),
        "more than 50000 objects, tiles and values of properties; expected fewer"
    );
}
