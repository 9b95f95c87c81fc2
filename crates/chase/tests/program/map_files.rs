//! Map files with others beside them, and what their readers leave out.

use crate::common::Program;

const GROUND: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="ground" tilewidth="16" tileheight="16" tilecount="9" columns="3">
 <tile id="0"><properties><property name="cost" type="int" value="0"/></properties></tile>
 <tile id="1"><properties><property name="cost" type="int" value="1"/></properties></tile>
 <tile id="2"><properties><property name="cost" type="int" value="9"/></properties></tile>
</tileset>
"#;

const LEVEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" source="../sets/ground.tsx"/>
 <layer id="1" name="cost" width="3" height="2"><data encoding="csv">2,3,2,2,1,2</data></layer>
</map>
"#;

#[test]
fn tilesets_beside_maps() {
    let program = Program::new("tilesets_beside_maps")
        .with("maps/level.tmx", LEVEL)
        .with("sets/ground.tsx", GROUND);
    program.succeed("convert maps/level.tmx level.navgrid");
    assert_eq!(
        program.succeed("show level.navgrid"),
        "...\n.#.\n3x2 cells, 5 of them floor\n"
    );
    let check = program.json("check maps/level.tmx");
    assert_eq!(check["costs"], serde_json::json!([1, 9]));
    let run = program.json("run --map maps/level.tmx --chasers 1 --targets 1 --seconds 1");
    assert_eq!(run["ticks"], 20);
}

#[test]
fn missing_tileset() {
    let program = Program::new("missing_tileset").with("maps/level.tmx", LEVEL);
    assert_eq!(
        program.fail("check maps/level.tmx"),
        "maps/level.tmx: line 4, column 2: layer 'cost' needs its tileset: the file \
         '../sets/ground.tsx' does not exist; expected it at this path from the map's folder"
    );
}

#[test]
fn folder_as_tileset() {
    let program = Program::new("folder_as_tileset").with(
        "maps/level.tmx",
        &LEVEL
            .replace("../sets/ground.tsx", "..")
            .replace("\"cost\"", "\"walls\""),
    );
    let (_, errors) = program.warn("check maps/level.tmx");
    assert!(
        errors.starts_with("warning: maps/level.tmx: the file '..' cannot be read: "),
        "{errors}"
    );
}

#[test]
fn warnings_on_stderr() {
    let level = LEVEL.replace(
        "</map>",
        "<imagelayer id=\"2\" name=\"sky\"/><layer id=\"3\" name=\"trees\" width=\"3\" \
         height=\"2\"><data encoding=\"csv\">0,0,0,0,0,0</data></layer></map>",
    );
    let program = Program::new("warnings_on_stderr")
        .with("maps/level.tmx", &level)
        .with("sets/ground.tsx", GROUND);
    let (shown, errors) = program.warn("show maps/level.tmx");
    assert_eq!(shown, "...\n.#.\n3x2 cells, 5 of them floor\n");
    assert_eq!(
        errors,
        "warning: maps/level.tmx: left out for want of a meaning: tile layer 'trees' and image \
         layer 'sky'; a layer's name or its bool property 'walkable' gives it one\n"
    );
}
