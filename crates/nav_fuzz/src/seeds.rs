//! Initial inputs of corpora: valid files, saves and messages.

use crate::{
    files, frames, saves,
    tapes::tapes,
    target::Target,
    worlds::{behaving, hunt},
};
use nav::saving::save;
use nav_formats::{
    Format, MapFile, MapObject, PropertyValue,
    scen::{self, ScenLine, Scenario},
};
use nav_grid::{
    Cell, Directions, Frame, Grid, Link, Size,
    map::{Axes, Sight},
    rules::Class,
};
use nav_protocol::{
    AgentKind, Appear, Ask, Correct, LinkAhead, Packet, PathAhead, Place, Request, Start, Up,
    Update, Vanish,
};
use nav_sim::scenario::BUNDLED;
use nav_testing::app;

/// Creates the seeds of a target with this build.
///
/// # Panics
///
/// If a seed cannot be written, which is a fault.
pub fn seeds(target: Target) -> Vec<Vec<u8>> {
    match target {
        Target::Maps => maps(),
        Target::Files => files_beside_maps(),
        Target::Scenes => scenes(),
        Target::Scenarios => scenarios(),
        Target::Saves => saves(),
        Target::Traces => tapes(),
        Target::Frames => messages(),
        Target::Queries => queries(),
    }
}

/// Creates a grid with everything, in every format as far as it can hold it.
fn maps() -> Vec<Vec<u8>> {
    let size = Size::new(7, 5).with_floors(2);
    let mut grid = Grid::build(size, |cell| cell.x != cell.y).expect("a small map");
    let (from, to) = (Cell::new(1, 0), Cell::new(3, 0).on_floor(1));
    grid.set_cost(from, 9).expect("a cell");
    grid.set_exits(to, Directions::STRAIGHT).expect("a cell");
    let class = Class::new(9).expect("a class");
    grid.set_class(to, class).expect("a cell");
    grid.set_sight(from, Sight::Blocked).expect("a cell");
    grid.set_link(Link::new(from, to).with_cost(4))
        .expect("cells");
    let frame = Frame::new([1.0, 0.5, -2.0], 0.5, Axes::Y_UP).expect("a frame");
    let door = MapObject::new("7", "Door", from)
        .with_property("key", PropertyValue::Object("9".to_owned()))
        .with_property("tint", PropertyValue::Colour("#ff112233".to_owned()))
        .with_property("open", PropertyValue::Bool(true));
    let lair = MapObject::new("9", "Lair", to)
        .with_property("kind", PropertyValue::Text("wolf".to_owned()))
        .with_property("count", PropertyValue::Integer(3))
        .with_property("pace", PropertyValue::Number(0.3));
    let stops = vec![PropertyValue::Cell(from), PropertyValue::Cell(to)];
    let guard =
        MapObject::new("10", "Guard", from).with_property("round", PropertyValue::List(stops));
    let map = MapFile::from(grid)
        .with_frame(frame)
        .with_roads([from, to])
        .with_objects([door, lair, guard]);
    let mut seeds = Vec::new();
    for format in Format::ALL.iter().filter(|format| format.can_write()) {
        let file = format.write_what_fits(&map, "A map.");
        seeds.push(file.expect("a map can be written"));
    }
    seeds.extend([LDTK.as_bytes().to_vec(), TILED.as_bytes().to_vec()]);
    seeds
}

/// Project of the `LDtk` editor with everything that its reader knows.
const LDTK: &str = r##"{ "__header__": { "fileType": "LDtk Project JSON" }, "jsonVersion": "1.5.3",
 "defs": { "layers": [ { "identifier": "Ground", "uid": 1, "intGridValues": [
  { "value": 1, "identifier": "wall" }, { "value": 2, "identifier": "cost_5" },
  { "value": 3, "identifier": "floor" }, { "value": 4, "identifier": null } ] } ] },
 "levels": [ { "identifier": "Yard", "iid": "a", "externalRelPath": null, "layerInstances": [
  { "__identifier": "Things", "__type": "Entities", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 2, "intGridCsv": [], "entityInstances": [
   { "__identifier": "Link", "iid": "b", "__grid": [0, 0], "__pivot": [0.5, 1], "px": [8, 16],
    "fieldInstances": [ { "__identifier": "to", "__value": { "entityIid": "c" } },
     { "__identifier": "cost", "__value": 7 }, { "__identifier": "two_way", "__value": true } ] },
   { "__identifier": "Door", "iid": "c", "__grid": [2, 1], "px": [32, 16], "width": 32, "height": 16,
    "fieldInstances": [ { "__identifier": "key", "__type": "EntityRef", "__value": { "entityIid": "b" } },
     { "__identifier": "tint", "__type": "Color", "__value": "#112233" },
     { "__identifier": "pace", "__type": "Float", "__value": 0.3 },
     { "__identifier": "round", "__type": "Array<Point>", "__value": [{ "cx": 0, "cy": 1 }] },
     { "__identifier": "icon", "__type": "Tile", "__value": { "x": 1 } } ] } ] },
  { "__identifier": "Ground", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 1, "intGridCsv": [3,1,3, 3,2,4], "entityInstances": [] },
  { "__identifier": "Terrain", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 3, "intGridCsv": [0,1,0, 0,15,0], "entityInstances": [] },
  { "__identifier": "Sight", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
   "layerDefUid": 4, "intGridCsv": [1,0,0, 2,0,0], "entityInstances": [] } ] } ] }"##;

/// Tiled map with a tile object, properties, an offset and layers that are left out.
const TILED: &str = r##"<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="8" tileheight="8">
 <tileset firstgid="1" name="a" tilewidth="8" tileheight="8" objectalignment="topleft">
  <tile id="3"><properties><property name="cost" type="int" value="2"/>
   <property name="terrain" type="int" value="2"/><property name="sight" value="clear"/></properties><objectgroup/></tile>
 </tileset>
 <imagelayer name="sky"/>
 <layer name="cost" width="2" height="2" offsetx="8"><data encoding="csv">4,0,2147483652,0</data></layer>
 <layer name="fog" width="2" height="2"><properties><property name="sight" value="blocked"/>
  <property name="terrain" type="int" value="7"/></properties><data encoding="csv">0,0,4,0</data></layer>
 <objectgroup><object id="1" class="link" gid="4" x="8" y="0" width="8" height="8"><properties>
  <property name="to" type="object" value="2"/><property name="cots" type="int" value="2"/></properties></object>
  <object id="2" x="0" y="8"><point/></object></objectgroup>
 <objectgroup name="things"><object id="3" name="a gate" type="Door" x="0" y="0" width="16" height="8"><properties>
  <property name="count" type="int" value="2"/><property name="pace" type="float" value="0.3"/>
  <property name="open" type="bool" value="true"/><property name="tint" type="color" value="#ff112233"/>
  <property name="lines">one
two</property><property name="key" type="object" value="2"/></properties></object>
  <object id="4" gid="4" x="8" y="8" width="8" height="8"/></objectgroup>
 <group name="sky"><properties><property name="nav" value="ignore"/></properties><imagelayer/></group>
</map>"##;

/// Creates maps with the files that they refer to.
fn files_beside_maps() -> Vec<Vec<u8>> {
    const XML: &str = r#"<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
 <tileset firstgid="1" source="sets/ground.tsx"/>
 <layer name="cost" width="2" height="1"><data encoding="csv">1,2</data></layer>
 <objectgroup><object id="1" template="doors/door.tx" x="8" y="0"/></objectgroup>
</map>"#;
    const JSON: &str = r#"{"type":"map", "orientation":"orthogonal", "width":2, "height":1, "tilewidth":8,
 "tileheight":8, "tilesets":[{"firstgid":1, "source":"sets/ground.tsx"}], "layers":[
 {"type":"tilelayer", "name":"cost", "width":2, "height":1, "data":[1,2]},
 {"type":"objectgroup", "objects":[{"id":1, "template":"doors/door.tx", "x":8, "y":0}]}]}"#;
    const SETS: [&str; 2] = [
        r#"<tileset name="ground" tilewidth="8" tileheight="8" objectalignment="topleft"><tile id="0"><properties>
 <property name="cost" type="int" value="3"/><property name="terrain" type="int" value="1"/></properties></tile>
 <tile id="1"><properties><property name="cost" type="int" value="1"/></properties></tile></tileset>"#,
        r#"{"type":"tileset", "name":"ground", "objectalignment":"topleft", "tiles":[
 {"id":0, "properties":[{"name":"cost", "type":"int", "value":3}, {"name":"sight", "value":"clear"}]},
 {"id":1, "properties":[{"name":"cost", "type":"int", "value":1}]}]}"#,
    ];
    const TEMPLATES: [&str; 2] = [
        r#"<template><tileset firstgid="1" source="../sets/ground.tsx"/><object type="link" gid="2"
 width="8" height="8"><properties><property name="to_x" type="int" value="0"/><property name="to_y" type="int"
 value="0"/></properties></object></template>"#,
        r#"{"type":"template", "tileset":{"firstgid":1, "source":"../sets/ground.tsx"}, "object":{
 "type":"link", "gid":2, "properties":[{"name":"to_x", "value":0}, {"name":"to_y", "value":0}]}}"#,
    ];
    const PROJECT: &str = r#"{ "__header__": {}, "defs": { "layers": [ { "uid": 1, "intGridValues": [
 { "value": 1, "identifier": "wall" } ] } ] }, "levels": [ { "identifier": "Yard",
 "externalRelPath": "Yard.ldtkl", "layerInstances": null } ] }"#;
    const LEVEL: &str = r#"{ "identifier": "Yard", "layerInstances": [ { "__identifier": "Cells",
 "__type": "IntGrid", "__cWid": 2, "__cHei": 1, "__gridSize": 16, "layerDefUid": 1, "intGridCsv": [0,1],
 "entityInstances": [] } ] }"#;
    let mut inputs = vec![vec![PROJECT, LEVEL]];
    for map in [XML, JSON] {
        for (template, set) in TEMPLATES.into_iter().zip(SETS) {
            // Templates come first, and then the tilesets of the map.
            inputs.push(vec![map, template, set]);
        }
    }
    let end = char::from(files::END).to_string();
    (inputs.iter())
        .map(|parts| parts.join(&end).into_bytes())
        .collect()
}

fn scenes() -> Vec<Vec<u8>> {
    let old = b"version 1.0\r\n0\ta b.map\t9\t9\t0\t0\t1\t1\t1.41421356\r\n".to_vec();
    let written = [0, 1, 3].map(|count| {
        let lines = (0..count).map(scene).collect();
        let text = scen::write(&Scenario { lines });
        text.expect("lines can be written").into_bytes()
    });
    written.into_iter().chain([old]).collect()
}

fn scene(number: u16) -> ScenLine {
    ScenLine {
        bucket: number.into(),
        map: "arena.map".to_owned(),
        width: 49,
        height: 48,
        start: Cell::new(number, 1),
        goal: Cell::new(1, number),
        optimal_length: 1.5 * f64::from(number),
    }
}

fn scenarios() -> Vec<Vec<u8>> {
    let bundled = BUNDLED.iter().map(|(_, text)| text.as_bytes().to_vec());
    // Drawings of whole towns are too long for a mutation to hit a good place.
    bundled.filter(|text| text.len() < 3000).collect()
}

/// Creates worlds with everything that is saved, in both encodings.
fn saves() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for ticks in [0, 3, 30] {
        for mut scene in [hunt(app()), behaving(app())] {
            scene.tick(ticks);
            let save = save(scene.world()).expect("all is saved");
            let mut json = vec![saves::JSON];
            json.extend(serde_json::to_vec(&save).expect("saves can be written"));
            let mut postcard = vec![saves::POSTCARD];
            postcard.extend(postcard::to_allocvec(&save).expect("saves can be written"));
            seeds.extend([json, postcard]);
        }
    }
    seeds
}

fn messages() -> Vec<Vec<u8>> {
    let packets = packets();
    let requests = [
        Request::from(Ask::Resync),
        Request::from(Ask::Again(vec![2, 3])),
    ];
    let mut stream = vec![frames::STREAM];
    let mut seeds = Vec::new();
    for packet in &packets {
        let bytes = packet.to_postcard().expect("packets can be encoded");
        let length = u16::try_from(bytes.len()).expect("a short packet");
        stream.extend(length.to_le_bytes());
        stream.push(6);
        stream.extend(&bytes);
        let json = packet.to_json().expect("packets can be encoded");
        seeds.push(tagged(frames::JSON_PACKET, json.as_bytes()));
        seeds.push(tagged(frames::POSTCARD_PACKET, &bytes));
    }
    for request in &requests {
        let json = request.to_json().expect("requests can be encoded");
        let bytes = request.to_postcard().expect("requests can be encoded");
        seeds.push(tagged(frames::JSON_REQUEST, json.as_bytes()));
        seeds.push(tagged(frames::POSTCARD_REQUEST, &bytes));
    }
    seeds.push(stream);
    seeds
}

fn packets() -> [Packet; 4] {
    let start = Start {
        tick_micros: 50_000,
        cell_size: 1.0,
        up: Up::Y,
    };
    let at = [1.0, 0.0, 2.0];
    let path = PathAhead {
        id: 7,
        tick: 100,
        speed: 4.0,
        chases: Some(8),
        reach: 1.0,
        nav_path: vec![at, [4.0, 0.0, 0.0], [9.0, 3.0, 1.0]],
        arrivals: vec![0, 20, 45],
        jumps: vec![2],
        links: vec![LinkAhead { point: 1, kind: 3 }],
    };
    let correct = Correct {
        id: 7,
        tick: 110,
        at,
        speed: 4.0,
        chases: None,
        jump: true,
    };
    [
        Packet::new(
            1,
            100,
            vec![
                Update::Start(start),
                Update::Appear(Appear {
                    id: 7,
                    kind: AgentKind::Chaser,
                    at,
                }),
                Update::Appear(Appear {
                    id: 8,
                    kind: AgentKind::Player,
                    at,
                }),
                Update::Path(path),
            ],
        ),
        Packet::new(2, 103, vec![Update::Place(Place { id: 8, at })]),
        Packet::new(4, 110, vec![Update::Correct(correct)]),
        Packet::new(3, 106, vec![Update::Vanish(Vanish { id: 7 })]),
    ]
}

fn tagged(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let mut tagged = vec![kind];
    tagged.extend(bytes);
    tagged
}

/// Creates arbitrary bytes: all of them are meaningful once they are long enough.
fn queries() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for seed in (1..24).step_by(2) {
        let mut random = nav_judge::Xorshift::new(seed);
        seeds.push((0..300).map(|_| random.below(256) as u8).collect());
    }
    seeds
}
