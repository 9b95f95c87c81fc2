//! `chase check`, from the outside.

use crate::common::Program;

#[test]
fn findings_for_people() {
    let map = "\
..#...
..#.#.
###...
.#....
";
    let program = Program::new("findings_for_people").with("map.txt", map);
    assert_eq!(
        program.succeed("check map.txt"),
        "\
size          6x4 cells, floors 1
frame         not given
walkable      17 cells, 70.8 %
step costs    none
exits         limited on 0 cells
links         0
regions       3, the largest has 70.6 %
pockets       2 with 5 places, at 0,0 0,3
"
    );
    let large = program.succeed("check map.txt --footprint 2");
    assert!(large.contains("body 2x2      fits at 3 places"), "{large}");
}

/// A river of class 1 across ground, with a window in a wall and smoke.
const RIVER: &str = r#"<map version="1.10" orientation="orthogonal" width="5" height="2" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="5" height="2"><data encoding="csv">0,0,0,0,1, 0,0,0,0,0</data></layer>
 <layer id="2" name="terrain" width="5" height="2"><data encoding="csv">0,0,2,0,0, 0,0,2,0,0</data></layer>
 <layer id="3" name="sight" width="5" height="2"><data encoding="csv">0,0,0,0,2, 3,3,0,0,0</data></layer>
</map>"#;

#[test]
fn classes_and_sight() {
    let program = Program::new("classes_and_sight").with("river.tmx", RIVER);
    let check = program.succeed("check river.tmx");
    assert!(
        check.contains("classes       0 on 7 cells, 1 on 2 cells\n"),
        "{check}"
    );
    assert!(
        check.contains("sight         clear on 1 cells, blocked on 2\n"),
        "{check}"
    );
    let value = program.json("check river.tmx");
    assert_eq!(
        value["classes"],
        serde_json::json!([{ "class": 0, "cells": 7 }, { "class": 1, "cells": 2 }])
    );
    assert_eq!(value["regions"], 1);
    assert_eq!(program.json("check river.tmx --classes 1,0")["regions"], 2);
}

#[test]
fn findings_for_programs() {
    let program = Program::new("findings_for_programs").with("map.txt", "..#.\n.##.\n");
    let value = program.json("check map.txt");
    assert_eq!(value["regions"], 2);
    assert_eq!(value["pockets"]["first"][0], serde_json::json!([3, 0, 0]));
    assert_eq!(value["costs"], serde_json::Value::Null);
}

#[test]
fn links_into_walls_are_listed() {
    let map = r#"{"type":"map","version":"1.10","orientation":"orthogonal","infinite":false,
        "width":3,"height":1,"tilewidth":8,"tileheight":8,"tilesets":[{"firstgid":1,"name":"a"}],
        "layers":[
            {"type":"tilelayer","name":"blocked","width":3,"height":1,"data":[0,0,1]},
            {"type":"objectgroup","name":"links","objects":[
                {"id":1,"type":"link","x":4,"y":4,"point":true,"properties":[
                    {"name":"to_x","type":"int","value":2},{"name":"to_y","type":"int","value":0}]}
            ]}]}"#;
    let program = Program::new("links_into_walls").with("map.tmj", map);
    let check = program.succeed("check map.tmj");
    let last = check.lines().last();
    assert_eq!(
        last,
        Some("broken links  1 into or out of walls: 0,0 to 2,0"),
        "{check}"
    );
}

#[test]
fn objects_by_class() {
    let map = r#"{"type":"map","version":"1.10","orientation":"orthogonal","infinite":false,
        "width":3,"height":1,"tilewidth":8,"tileheight":8,"layers":[
            {"type":"tilelayer","name":"blocked","width":3,"height":1,"data":[0,0,1]},
            {"type":"objectgroup","name":"things","objects":[
                {"id":1,"type":"Door","x":4,"y":4}, {"id":2,"x":4,"y":4},
                {"id":3,"type":"Door","x":12,"y":4}]}]}"#;
    let program = Program::new("objects_by_class").with("map.tmj", map);
    let check = program.succeed("check map.tmj");
    let line = "objects       1 without a class, 2 Door";
    assert!(check.lines().any(|it| it == line), "{check}");
    let counts = &program.json("check map.tmj")["objects"];
    assert_eq!(*counts, serde_json::json!({"": 1, "Door": 2}));
}

#[test]
fn map_of_walls() {
    let program = Program::new("a_map_of_walls").with("map.txt", "##\n##\n");
    let check = program.succeed("check map.txt");
    assert!(
        check.contains("regions       0, the largest has 0.0 %"),
        "{check}"
    );
}
