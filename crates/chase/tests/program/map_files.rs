//! Map files that consist of several files, and what their readers leave out.

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
        .with("sets/ground.tsx", GROUND)
        .with("anywhere.ron", "(spawn: Anywhere)");
    program.succeed("convert maps/level.tmx level.navgrid");
    assert_eq!(
        program.succeed("show level.navgrid"),
        "  012\n0 .9. 0\n1 .#. 1\n  012\nsigns: # wall, . floor, 9 floor of that step cost (9: or more)\n3x2 cells, 5 of them floor\n"
    );
    let check = program.json("check maps/level.tmx");
    assert_eq!(check["costs"], serde_json::json!([1, 9]));
    let run =
        program.json("run anywhere.ron --map maps/level.tmx --chasers 1 --targets 1 --seconds 1");
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
        LEVEL
            .replace("../sets/ground.tsx", "..")
            .replace("\"cost\"", "\"walls\""),
    );
    let (_, errors) = program.warn("check maps/level.tmx");
    assert!(
        errors.starts_with("warning: maps/level.tmx: the file '..' cannot be read: "),
        "{errors}"
    );
}

/// A pipe beside a map, which nobody writes to, is refused and not waited for.
#[cfg(unix)]
#[test]
fn pipes_beside_maps() {
    let level = LEVEL.replace("cost", "walls").replace("../sets/", "");
    let program = Program::new("pipes_beside_maps").with("level.tmx", level);
    program.warn("convert level.tmx level.png");
    for pipe in ["ground.tsx", "level.sight.png"].map(|name| program.path(name)) {
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        // A program that opens the pipe gets its end, so that this fails and does not hang.
        std::thread::spawn(move || std::fs::File::create(pipe));
    }
    let (_, errors) = program.warn("check level.tmx");
    let start = "warning: level.tmx: the file 'ground.tsx' cannot be read: it is no regular file;";
    assert!(errors.starts_with(start), "{errors}");
    assert_eq!(
        program.fail("check level.png"),
        "level.sight.png: cannot be read: it is no regular file"
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
    assert_eq!(
        shown,
        "  012\n0 .9. 0\n1 .#. 1\n  012\nsigns: # wall, . floor, 9 floor of that step cost (9: or more)\n3x2 cells, 5 of them floor\n"
    );
    assert_eq!(
        errors,
        "warning: maps/level.tmx: left out for want of a meaning: tile layer 'trees' and image \
         layer 'sky'; a layer's name or its bool property 'walkable' gives it one, and its string property \
         'nav' with the value 'ignore' silences this\n"
    );
}

const TOWN: &str = r#"{ "__header__": { "fileType": "LDtk Project JSON" }, "jsonVersion": "1.5.3",
 "externalLevels": true, "defs": { "layers": [ { "identifier": "Cells", "uid": 1, "intGridValues": [
  { "value": 1, "identifier": "wall" }, { "value": 2, "identifier": "cost_5" } ] } ] },
 "levels": [ { "identifier": "Yard", "externalRelPath": "town/Yard.ldtkl", "layerInstances": null },
  { "identifier": "Cave", "externalRelPath": "town/Cave.ldtkl", "layerInstances": null } ] }"#;

fn level(name: &str, cells: &str) -> String {
    format!(
        r#"{{ "identifier": "{name}", "layerInstances": [ {{ "__identifier": "Cells",
 "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "layerDefUid": 1,
 "intGridCsv": [{cells}], "entityInstances": [] }} ] }}"#
    )
}

#[test]
fn levels_of_ldtk() {
    let program = Program::new("levels_of_ldtk")
        .with("maps/town.ldtk", TOWN)
        .with("maps/town/Yard.ldtkl", level("Yard", "0,1,0, 0,2,0"))
        .with(
            "maps/cave.ron",
            "(spawn: Anywhere, map: \"town.ldtk#Yard\")",
        );
    assert_eq!(
        program.succeed("show maps/town.ldtk#Yard"),
        "  012\n0 .#. 0\n1 .5. 1\n  012\nsigns: # wall, . floor, 5 floor of that step cost\n3x2 cells, 5 of them floor\n"
    );
    program.succeed("convert maps/town.ldtk#Yard yard.tmx");
    let check = program.json("check yard.tmx");
    assert_eq!(check["costs"], serde_json::json!([1, 5]));
    let run = program.json("run maps/cave.ron --chasers 1 --targets 1 --seconds 1");
    assert_eq!(run["ticks"], 20);
    assert_eq!(
        program.fail("check maps/town.ldtk"),
        "maps/town.ldtk: the project has the levels 'Yard' and 'Cave'; expected one of them, \
         chosen by its name"
    );
    assert_eq!(
        program.fail("check maps/town.ldtk#Cave"),
        "maps/town.ldtk#Cave: level 'Cave' is in another file: the file 'town/Cave.ldtkl' does \
         not exist; expected it at this path from the map's folder"
    );
    assert_eq!(
        program.fail("convert yard.tmx yard.ldtk"),
        "yard.ldtk: the LDtk format can only be read; choose another one, such as Tiled"
    );
}

/// A corridor of two cells with a way east only.
const ONE_WAY: &str = r#"<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="2" height="1"><data encoding="csv">0,0</data></layer>
 <layer id="2" name="exits" width="2" height="1"><data encoding="csv">5,1</data></layer>
</map>"#;

#[test]
fn exits_beside_pictures() {
    let program = Program::new("exits_beside_pictures").with("lane.tmx", ONE_WAY);
    for ending in ["png", "bmp"] {
        program.succeed(&format!("convert lane.tmx lane.{ending}"));
        assert!(program.path("lane.exits.png").exists());
        program.succeed(&format!("convert lane.{ending} again.navgrid"));
        program.succeed("convert lane.tmx lane.navgrid");
        assert_eq!(program.read("again.navgrid"), program.read("lane.navgrid"));
        std::fs::remove_file(program.path("lane.exits.png")).unwrap();
    }
    // A map without exits must not get those of the map before it.
    program.succeed("convert lane.tmx lane.png");
    let open = Program::new("exits_beside_pictures_open").with("open.txt", "..\n");
    std::fs::copy(program.path("lane.exits.png"), open.path("open.exits.png")).unwrap();
    open.succeed("convert open.txt open.png");
    open.succeed("convert open.png again.txt");
    assert_eq!(open.read("again.txt"), b"..\n");
}

#[test]
fn exits_of_another_map() {
    let program = Program::new("exits_of_another_map").with("lane.tmx", ONE_WAY);
    program.succeed("convert lane.tmx lane.png");
    std::fs::rename(
        program.path("lane.exits.png"),
        program.path("yard.exits.png"),
    )
    .unwrap();
    let program = program.with("yard.txt", "...\n");
    program.succeed("convert yard.txt other.png");
    std::fs::rename(program.path("other.png"), program.path("yard.png")).unwrap();
    let error = program.fail("check yard.png");
    assert!(error.starts_with("yard.exits.png: "), "{error}");
    assert!(
        error.ends_with("a picture of exits of 2x1 pixels; expected 3x1 as the map has cells"),
        "{error}"
    );
}

/// A lane of three cells: water in the middle, and smoke on the right.
const WATER: &str = r#"<map version="1.10" orientation="orthogonal" width="3" height="1" tilewidth="16" tileheight="16">
 <layer id="1" name="walls" width="3" height="1"><data encoding="csv">0,0,0</data></layer>
 <layer id="2" name="terrain" width="3" height="1"><data encoding="csv">0,2,0</data></layer>
 <layer id="3" name="sight" width="3" height="1"><data encoding="csv">0,0,3</data></layer>
</map>"#;

#[test]
fn classes_beside_pictures() {
    let program = Program::new("classes_beside_pictures").with("lane.tmx", WATER);
    program.succeed("convert lane.tmx lane.navgrid");
    for ending in ["png", "bmp"] {
        program.succeed(&format!("convert lane.tmx lane.{ending}"));
        assert!(!program.path("lane.exits.png").exists());
        for layer in ["classes", "sight"] {
            assert!(program.path(&format!("lane.{layer}.png")).exists());
        }
        program.succeed(&format!("convert lane.{ending} again.navgrid"));
        assert_eq!(program.read("again.navgrid"), program.read("lane.navgrid"));
    }
    for ending in ["tmx", "tmj", "json"] {
        program.succeed(&format!("convert lane.navgrid other.{ending}"));
        program.succeed(&format!("convert other.{ending} again.navgrid"));
        assert_eq!(program.read("again.navgrid"), program.read("lane.navgrid"));
    }
    assert_eq!(
        program.fail("convert lane.navgrid lane.txt"),
        "lane.txt: the plain text format cannot hold terrain classes and sight of this map; \
         choose a format that can, or write only what fits"
    );
    // No colour of the map itself means sight.
    let costs = Program::new("classes_beside_pictures_costs").with("mud.tmx", WATER);
    costs.succeed("convert mud.tmx mud.png");
    std::fs::copy(costs.path("mud.classes.png"), costs.path("mud.sight.png")).unwrap();
    let error = costs.fail("check mud.png");
    assert!(error.starts_with("mud.sight.png: "), "{error}");
    assert!(
        error.contains("pixel 1,0 of the sight is #800000; expected white (clear)"),
        "{error}"
    );
}

#[test]
fn json_by_content() {
    let program = Program::new("json_by_content")
        .with("town.json", TOWN)
        .with("town/Yard.ldtkl", level("Yard", "0,1,0, 0,2,0"))
        .with("lane.json", "{}");
    assert_eq!(
        program.succeed("show town.json#Yard"),
        "  012\n0 .#. 0\n1 .5. 1\n  012\nsigns: # wall, . floor, 5 floor of that step cost\n3x2 cells, 5 of them floor\n"
    );
    let error = program.fail("check lane.json");
    assert!(
        error.starts_with("lane.json: line 1, column 2: the JSON cannot be read: missing field"),
        "{error}"
    );
}

#[test]
fn utf16() {
    let text = "..#\n".encode_utf16().flat_map(u16::to_le_bytes);
    let program = Program::new("utf16").with("lane.txt", text.collect::<Vec<u8>>());
    assert_eq!(
        program.fail("check lane.txt"),
        "lane.txt: line 1: the text is in UTF-16; expected UTF-8: save it with that encoding"
    );
}
