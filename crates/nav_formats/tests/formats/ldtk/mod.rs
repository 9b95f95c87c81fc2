//! Projects of the `LDtk` editor: the meaning of values, the choice of a level, links and refusals.

mod objects;
mod terrain;

use nav_formats::{
    EditorNames, Files, Format, MapFile, Problem, ReadOptions as Options, Warning, ldtk,
};
use nav_grid::{Cell, Grid, Link};
use nav_judge::{check_error, check_warning, frugally};

/// A project with one layer of 3×2 cells. `values` are the definitions of its values.
fn project(layer: &str, values: &str, cells: &str, entities: &str) -> String {
    format!(
        r#"{{ "__header__": {{ "fileType": "LDtk Project JSON" }}, "jsonVersion": "1.5.3",
 "defs": {{ "layers": [ {{ "identifier": "{layer}", "uid": 1, "intGridValues": [ {values} ] }} ] }},
 "levels": [ {} ] }}"#,
        level("Yard", layer, cells, entities)
    )
}

fn level(name: &str, layer: &str, cells: &str, entities: &str) -> String {
    format!(
        r#"{{ "identifier": "{name}", "iid": "a", "externalRelPath": null, "layerInstances": [
  {{ "__identifier": "Things", "__type": "Entities", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
     "layerDefUid": 2, "intGridCsv": [], "entityInstances": [ {entities} ] }},
  {{ "__identifier": "{layer}", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16,
     "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "layerDefUid": 1, "intGridCsv": [{cells}],
     "autoLayerTiles": [ {{ "px": [0, 0], "t": 1 }} ], "entityInstances": [] }} ] }}"#
    )
}

fn value(value: u8, name: &str) -> String {
    format!(r##"{{ "value": {value}, "identifier": "{name}", "color": "#000000" }}"##)
}

fn entity(name: &str, iid: &str, [x, y]: [u8; 2], fields: &str) -> String {
    format!(
        r#"{{ "__identifier": "{name}", "iid": "{iid}", "__grid": [{x}, {y}], "__pivot": [0, 0],
 "px": [{}, {}], "fieldInstances": [ {fields} ] }}"#,
        u16::from(x) * 16,
        u16::from(y) * 16
    )
}

fn field(name: &str, value: &str) -> String {
    format!(r#"{{ "__identifier": "{name}", "__type": "x", "__value": {value} }}"#)
}

fn read(project: &str) -> Result<MapFile, String> {
    let read = ldtk::read(project.as_bytes(), &Options::default());
    read.map_err(|error| error.to_string())
}

/// Reads a map without warnings.
#[track_caller]
fn grid(project: &str) -> Grid {
    let map = read(project).unwrap();
    assert_eq!(map.warnings, []);
    map.grid
}

/// Draws a map: `#` is a wall, `.` costs 1, and a digit is a step cost.
fn drawn(grid: &Grid) -> String {
    let sign = |cell| match grid.cost(cell) {
        0 => '#',
        1 => '.',
        cost => char::from_digit(cost.into(), 36).unwrap(),
    };
    let row = |y| (0..3).map(move |x| sign(Cell::new(x, y)));
    row(0).chain(['/']).chain(row(1)).collect()
}

#[test]
fn walls() {
    for name in ["wall", "Walls", "blocked", "SOLID"] {
        let project = project("Cells", &value(1, name), "0,1,0, 0,0,1", "");
        assert_eq!(drawn(&grid(&project)), ".#./..#");
    }
}

#[test]
fn ground() {
    for name in ["floor", "Ground", "walkable"] {
        let project = project("Cells", &value(3, name), "3,0,3, 3,3,0", "");
        assert_eq!(drawn(&grid(&project)), ".#./..#");
    }
}

#[test]
fn costs() {
    let values = [
        value(1, "wall"),
        value(2, "cost_5"),
        value(3, "Cost 9"),
        value(4, "cost0"),
    ];
    let project = project("Cells", &values.join(","), "0,1,2, 3,4,0", "");
    assert_eq!(drawn(&grid(&project)), ".#5/9#.");
}

#[test]
fn costs_by_options() {
    let values = [value(1, "wall"), value(2, "mud")].join(",");
    let project = project("Cells", &values, "0,1,2, 0,0,0", "");
    let mut names = EditorNames::ldtk();
    names.costs.insert("Mud".to_owned(), 7);
    let options = Options::default().with_names(names);
    let map = ldtk::read(project.as_bytes(), &options).unwrap();
    assert_eq!(drawn(&map.grid), ".#7/...");
}

#[test]
fn names_of_layers() {
    let unnamed = r#"{ "value": 1, "identifier": null }"#;
    let walls = project("Collisions", unnamed, "0,1,0, 0,0,1", "");
    assert_eq!(drawn(&grid(&walls)), ".#./..#");
    let floor = project("Floor", "", "1,0,1, 1,1,0", "");
    assert_eq!(drawn(&grid(&floor)), ".#./..#");
}

#[test]
fn several_layers() {
    let values = [value(1, "wall"), value(2, "floor"), value(3, "cost_4")].join(",");
    let ground = project("Ground", &values, "2,2,3, 3,0,2", "");
    let upper = r#"{ "__identifier": "Upper", "__type": "IntGrid", "__cWid": 3, "__cHei": 2,
 "__gridSize": 16, "layerDefUid": 1, "intGridCsv": [0,1,0, 0,0,3], "entityInstances": [] },"#;
    let start = "\"layerInstances\": [";
    let both = ground.replace(start, &format!("{start}{upper}"));
    assert_eq!(drawn(&grid(&both)), ".#4/4#4");
    let smaller = both.replacen("\"__cWid\": 3", "\"__cWid\": 2", 1);
    assert!(
        read(&smaller)
            .unwrap_err()
            .contains("layer 'Upper' has 6 values, expected 4")
    );
}

fn two_levels() -> String {
    let one = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    let (start, end) = one.split_once("\"levels\": [ ").unwrap();
    let other = level("Cave", "Cells", "1,1,1, 1,1,0", "");
    format!("{start}\"levels\": [ {other}, {end}")
}

#[test]
fn levels_by_name() {
    let two = two_levels();
    for (name, expected) in [("Yard", ".#./..."), ("Cave", "###/##.")] {
        let options = Options::default().with_level(name);
        let map = ldtk::read(two.as_bytes(), &options).unwrap();
        assert_eq!(drawn(&map.grid), expected);
    }
    assert_eq!(
        read(&two).unwrap_err(),
        "the project has the levels 'Cave' and 'Yard'; expected one of them, chosen by its name"
    );
    let options = Options::default().with_level("yard");
    assert_eq!(
        ldtk::read(two.as_bytes(), &options)
            .unwrap_err()
            .to_string(),
        "there is no level 'yard'; expected one of 'Cave' and 'Yard'"
    );
    let none = r#"{ "defs": { "layers": [] }, "levels": [] }"#;
    assert_eq!(
        read(none).unwrap_err(),
        "the project has no level; expected at least one"
    );
}

#[test]
fn levels_of_worlds() {
    let one = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    let (start, levels) = one.split_once("\"levels\":").unwrap();
    let worlds = format!("{start}\"levels\": [], \"worlds\": [ {{ \"levels\": {levels} ] }}");
    assert_eq!(drawn(&grid(&worlds)), ".#./...");
}

fn external() -> (String, String) {
    let whole = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    let (start, _) = whole.split_once("\"levels\":").unwrap();
    let project = format!(
        r#"{start}"levels": [ {{ "identifier": "Yard", "externalRelPath": "town/Yard.ldtkl", "layerInstances": null }} ] }}"#
    );
    (project, level("Yard", "Cells", "0,1,0, 0,0,0", ""))
}

#[test]
fn levels_in_files() {
    let (project, level) = external();
    for level in [level.clone(), format!("\u{feff}{level}")] {
        let files = Files::default().with("town/Yard.ldtkl", level);
        let options = Options::default().with_files(files);
        let map = ldtk::read(format!("\u{feff}{project}").as_bytes(), &options).unwrap();
        assert_eq!(drawn(&map.grid), ".#./...");
    }
    let error = ldtk::read(project.as_bytes(), &Options::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::Missing { .. }));
    assert_eq!(
        error.to_string(),
        "level 'Yard' is in another file: the file 'town/Yard.ldtkl' was not given to the reader; \
         expected it in its `Files`"
    );
    let files = Files::default().with("town/Yard.ldtkl", "{ }");
    let options = Options::default().with_files(files);
    let error = ldtk::read(project.as_bytes(), &options)
        .unwrap_err()
        .to_string();
    let start =
        "the file 'town/Yard.ldtkl': line 1, column 3: the JSON cannot be read: missing field";
    assert!(error.starts_with(start), "{error}");
}

fn linked(fields: &[String]) -> String {
    let link = entity("Link", "b", [0, 0], &fields.join(","));
    let door = entity("Door", "c", [2, 1], "");
    project(
        "Cells",
        &value(1, "wall"),
        "0,1,0, 0,0,0",
        &format!("{link},{door}"),
    )
}

#[test]
fn links() {
    let (from, to) = (Cell::new(0, 0), Cell::new(2, 1));
    let end = field(
        "to",
        r#"{ "entityIid": "c", "layerIid": "l", "levelIid": "a" }"#,
    );
    assert_eq!(
        grid(&linked(std::slice::from_ref(&end))).links(),
        [Link::new(from, to)]
    );
    let more = [end, field("cost", "7"), field("two_way", "true")];
    let back = Link::new(to, from).with_cost(7);
    assert_eq!(
        grid(&linked(&more)).links(),
        [Link::new(from, to).with_cost(7), back]
    );
    let map = read(&linked(&[field("to", r#"{ "cx": 2, "cy": 1 }"#)])).unwrap();
    assert_eq!(map.grid.links(), [Link::new(from, to)]);
}

#[test]
fn invalid_links() {
    let to = || field("to", r#"{ "cx": 2, "cy": 1 }"#);
    for (fields, reason) in [
        (
            vec![],
            "field 'to' is missing; expected a reference to an entity of the level, or a point",
        ),
        (
            vec![field("to", "null")],
            "field 'to' is missing; expected a reference to an entity of the level, or a point",
        ),
        (
            vec![field("to", r#"{ "entityIid": "z" }"#)],
            "field 'to' is object z; expected a reference to an entity of the level, or a point",
        ),
        (
            vec![field("to", r#"{ "cx": 3, "cy": 1 }"#)],
            "the link's end lies outside the map",
        ),
        (
            vec![to(), field("cost", "0")],
            "field 'cost' is 0; expected an int from 1 to 65535",
        ),
        (
            vec![to(), field("two_way", "1")],
            "field 'two_way' is 1; expected a bool",
        ),
    ] {
        let sentence = format!("entity 'Link' at 0,0: {reason}");
        assert_eq!(read(&linked(&fields)).unwrap_err(), sentence);
    }
}

#[test]
fn entities_on_another_grid() {
    let end = field("to", r#"{ "cx": 4, "cy": 2 }"#);
    // Its lower right corner is at pixels 32,32, so it is in the cell before that.
    let link =
        entity("Link", "b", [2, 2], &end).replace("\"__pivot\": [0, 0]", "\"__pivot\": [1, 1]");
    let project = project("Cells", &value(1, "wall"), "0,0,0, 0,0,0", &link).replacen(
        "\"__gridSize\": 16",
        "\"__gridSize\": 8",
        1,
    );
    let (from, to) = (Cell::new(1, 1), Cell::new(2, 1));
    assert_eq!(grid(&project).links(), [Link::new(from, to)]);
}

fn warnings(project: &str) -> Vec<String> {
    let map = read(project).unwrap();
    map.warnings.iter().for_each(check_warning);
    map.warnings.iter().map(Warning::to_string).collect()
}

#[test]
fn left_out() {
    let values = [value(1, "wall"), value(2, "ladder")].join(",");
    let cells = project("Cells", &values, "2,1,2, 9,0,0", "");
    assert_eq!(
        warnings(&cells),
        [
            "values without a meaning count as empty: 2 'ladder' of layer 'Cells' in 2 cells and 9 \
          of layer 'Cells' in 1 cells; expected names such as walkable, floor, ground, wall, \
          walls, blocked, solid, collision, collisions"
        ]
    );
    let sky = r#"{ "__identifier": "Sky", "__type": "Tiles", "__cWid": 3, "__cHei": 2,
 "__gridSize": 16, "layerDefUid": 3, "intGridCsv": [], "entityInstances": [] },"#;
    let start = "\"layerInstances\": [";
    let walls = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    assert_eq!(
        warnings(&walls.replace(start, &format!("{start}{sky}"))),
        [
            "left out for want of a meaning: Tiles layer 'Sky'; an IntGrid layer gets one by the \
          names of its values, such as 'wall', and the tag 'nav_ignore' of a layer silences this"
        ]
    );
    assert_eq!(
        warnings(&walls.replace("OffsetX\": 0", "OffsetX\": 4")),
        ["the offset of layers was left out, so these lie elsewhere than shown: layer 'Cells'"]
    );
    let fields = [field("to", r#"{ "entityIid": "c" }"#), field("cots", "3")];
    assert_eq!(
        warnings(&linked(&fields)),
        ["left out as unknown there: field 'cots' of entity 'Link' at 0,0"]
    );
}

#[test]
fn refusals() {
    let wall = value(1, "wall");
    for (project, sentence) in [
        (
            project("Cells", &value(1, "lava"), "0,1,0, 0,0,0", ""),
            "level 'Yard' has no IntGrid layer with a known value; expected values with names such \
             as walkable, floor, ground, wall, walls, blocked, solid, collision, collisions",
        ),
        (
            project("Cells", &value(1, "cost_65"), "0,1,0, 0,0,0", ""),
            "value 'cost_65': cost 65 is out of range; expected 0 to 64",
        ),
        (
            project("Cells", &wall, "0,1,0", ""),
            "layer 'Cells' has 3 values, expected 6",
        ),
        (
            project("Cells", &wall, "0", "").replace("\"__cWid\": 3", "\"__cWid\": 99999"),
            "layer 'Cells': width 99999 is out of range; expected 1 to 16384",
        ),
        (
            project("Cells", &wall, "0", "").replace("\"__cHei\": 2", "\"__cHei\": -2"),
            "layer 'Cells': height -2 is out of range; expected 1 to 16384",
        ),
    ] {
        assert_eq!(read(&project).unwrap_err(), sentence);
    }
    let error = read("{ \"levels\": [] }").unwrap_err();
    assert!(error.contains("missing field `defs`"), "{error}");
}

#[test]
fn by_content_and_ending() {
    let project = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    assert_eq!(Format::detect(None, project.as_bytes()), Some(Format::Ldtk));
    assert_eq!(Format::from_extension("ldtk"), Some(Format::Ldtk));
    let map = Format::Ldtk.read(project.as_bytes()).unwrap();
    assert_eq!(
        Format::Ldtk.write(&map, "").unwrap_err().to_string(),
        "the LDtk format can only be read; choose another one, such as Tiled"
    );
}

#[test]
fn cut_short() {
    let whole = linked(&[field("to", r#"{ "entityIid": "c" }"#)]);
    for length in 0..whole.len() {
        let cut = &whole.as_bytes()[..length];
        check_error(&ldtk::read(cut, &Options::default()).unwrap_err(), cut);
    }
}

#[test]
fn many_small_parts() {
    let whole = project(
        "Cells",
        &value(1, "wall"),
        "0",
        &entity("Link", "b", [0, 0], ""),
    );
    let many = 300_000;
    let smallest = [
        (
            "\"levels\": [ ",
            r#"{"identifier":"","layerInstances":null},"#,
        ),
        ("\"intGridValues\": [ ", r#"{"value":1},"#),
        (
            "\"entityInstances\": [ ",
            r#"{"__identifier":"","iid":"","__grid":[0,0],"px":[0,0],"fieldInstances":[]},"#,
        ),
        (
            "\"fieldInstances\": [ ",
            r#"{"__identifier":"","__value":0},"#,
        ),
        (
            "\"layerInstances\": [",
            r#"{"__identifier":"","__type":"","__cWid":0,"__cHei":0,"__gridSize":0,"layerDefUid":0,"intGridCsv":[],"entityInstances":[]},"#,
        ),
        ("\"intGridCsv\": [", "0,"),
        ("\"layers\": [ ", r#"{"uid":1,"intGridValues":[]},"#),
    ];
    for (place, part) in smallest {
        for part in [part, "{},", "[],", "{\"a\":[{}]},"] {
            let file = whole.replacen(place, &format!("{place}{}", part.repeat(many)), 1);
            let _ = frugally(file.as_bytes(), |bytes| {
                ldtk::read(bytes, &Options::default())
            });
        }
    }
    let deep = format!("{{\"defs\":{}", "[".repeat(many));
    assert!(ldtk::read(deep.as_bytes(), &Options::default()).is_err());
}
