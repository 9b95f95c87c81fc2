//! Entities of the game.

use super::*;
use nav_formats::{MapObject, PropertyValue};
use nav_grid::Area;

/// A level of 6×4 cells of 16 pixels with these entities.
fn with(entities: &str) -> String {
    let cells = vec!["0"; 24].join(",");
    project("Cells", &value(1, "wall"), &cells, entities).replace(
        "\"__cWid\": 3, \"__cHei\": 2",
        "\"__cWid\": 6, \"__cHei\": 4",
    )
}

/// Adds sides in pixels and a pivot to an entity.
fn shaped(entity: &str, [width, height]: [i32; 2], pivot: &str) -> String {
    let sides = format!("\"width\": {width}, \"height\": {height}, \"__pivot\": [{pivot}]");
    entity.replace("\"__pivot\": [0, 0]", &sides)
}

fn typed(name: &str, kind: &str, value: &str) -> String {
    field(name, value).replace("\"x\"", &format!("\"{kind}\""))
}

#[test]
fn all_of_an_entity() {
    let fields = [
        typed("text", "String", r#""a \"b\"""#),
        typed("count", "Int", "-3"),
        typed("pace", "Float", "0.5"),
        typed("open", "Bool", "true"),
        typed("tint", "Color", "\"#112233\""),
        typed("kind", "LocalEnum.Kind", "\"Iron\""),
        typed("unset", "Int", "null"),
        typed(
            "key",
            "EntityRef",
            r#"{ "entityIid": "k", "levelIid": "a" }"#,
        ),
        typed("post", "Point", r#"{ "cx": 5, "cy": 3 }"#),
        typed(
            "round",
            "Array<Point>",
            r#"[{ "cx": 0, "cy": 1 }, { "cx": 2, "cy": 1 }]"#,
        ),
    ];
    let door = entity("Door", "d", [2, 1], &fields.join(","));
    let map = read(&with(&shaped(&door, [32, 16], "0, 0"))).unwrap();
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let round = [Cell::new(0, 1), Cell::new(2, 1)];
    let mut expected = MapObject::new("d", "Door", Cell::new(2, 1))
        .with_property("text", text("a \"b\""))
        .with_property("count", PropertyValue::Integer(-3))
        .with_property("pace", PropertyValue::Number(0.5))
        .with_property("open", PropertyValue::Bool(true))
        .with_property("tint", PropertyValue::Colour("#112233".to_owned()))
        .with_property("kind", text("Iron"))
        .with_property("key", PropertyValue::Object("k".to_owned()))
        .with_property("post", PropertyValue::Cell(Cell::new(5, 3)))
        .with_property(
            "round",
            PropertyValue::List(round.map(PropertyValue::Cell).into()),
        );
    expected.layer = "Things".into();
    expected.area = Area::new(Cell::new(2, 1), Cell::new(3, 1));
    assert_eq!(map.objects, [expected]);
    assert_eq!(map.warnings, []);
    assert_eq!(map.objects[0].get("round"), Ok(round.to_vec()));
}

#[test]
fn areas_around_pivots() {
    for (cell, sides, pivot, expected) in [
        ([2, 1], [16, 16], "0, 0", "2,1 in 2,1"),
        ([2, 1], [0, -7], "0, 0", "2,1 in 2,1"),
        ([2, 1], [48, 30], "0, 0", "2,1 in 2,1..4,2"),
        // A tall figure on its feet.
        ([2, 2], [16, 32], "0.5, 1", "2,2 in 2,1..2,2"),
        ([2, 2], [48, 48], "0.5, 0.5", "2,2 in 1,1..3,3"),
        ([2, 2], [16, 16], "9, -9", "2,2 in 2,2"),
    ] {
        let lair = shaped(&entity("Lair", "l", cell, ""), sides, pivot);
        let map = read(&with(&lair)).unwrap();
        let [lair] = map.objects.as_slice() else {
            panic!("{map:?}");
        };
        assert_eq!(format!("{} in {}", lair.cell, lair.area), expected);
        assert_eq!(map.warnings, []);
    }
}

#[test]
fn entities_left_out() {
    let outside = entity("Door", "d", [6, 1], "");
    let wide = shaped(&entity("Lair", "l", [5, 1], ""), [32, 16], "0, 0");
    let fields = [
        typed("icon", "Tile", r#"{ "tilesetUid": 1, "x": 0 }"#),
        typed("far", "Point", r#"{ "cx": 9, "cy": 1 }"#),
        typed("gaps", "Array<Int>", "[1, null]"),
        typed(
            "long",
            "Array<Int>",
            &format!("[{}]", vec!["1"; 1001].join(",")),
        ),
        typed(
            "most",
            "Array<Int>",
            &format!("[{}]", vec!["1"; 1000].join(",")),
        ),
    ];
    let odd = entity("Guard", "g", [0, 0], &fields.join(","));
    let project = with(&[outside, wide, odd].join(","));
    assert_eq!(
        warnings(&project),
        [
            "left out, since they lie outside the map: entity 'Door' at 6,1 in layer 'Things'",
            "cut at the edge of the map: entity 'Lair' at 5,1 in layer 'Things'",
            "left out for their types: field 'icon' of entity 'Guard' at 0,0, field 'far' of entity \
             'Guard' at 0,0, field 'gaps' of entity 'Guard' at 0,0 and field 'long' of entity 'Guard' \
             at 0,0; expected Integer, Float, Boolean, String, Multilines, FilePath, Color, an enum, \
             Point or Entity ref, or a list of up to 1000 of them without gaps",
        ]
    );
    let map = read(&project).unwrap();
    assert_eq!(map.objects[1].properties.len(), 1, "the longest list");
}

#[test]
fn layers_ignored() {
    let sky = r#"{ "__identifier": "Sky", "__type": "Tiles", "__cWid": 3, "__cHei": 2,
 "__gridSize": 16, "layerDefUid": 3, "intGridCsv": [], "entityInstances": [] },"#;
    let definition = |uid: u8| {
        format!(
            r#"{{ "identifier": "x", "uid": {uid}, "intGridValues": [], "uiFilterTags": ["a", "NAV_IGNORE"] }},"#
        )
    };
    let door = entity("Door", "d", [2, 1], "");
    let project = project("Cells", &value(1, "wall"), "0,1,0, 0,0,1", &door)
        .replace(
            "\"layerInstances\": [",
            &format!("\"layerInstances\": [{sky}"),
        )
        .replace(
            "\"layers\": [",
            &format!("\"layers\": [{}{}", definition(2), definition(3)),
        );
    let map = read(&project).unwrap();
    assert_eq!((map.objects, map.warnings), (vec![], vec![]));
    assert_eq!(drawn(&map.grid), ".#./..#");
}

#[test]
fn many_values() {
    let list = typed(
        "a",
        "Array<Int>",
        &format!("[{}]", vec!["1"; 900].join(",")),
    );
    let door = entity("Door", "d", [0, 0], &list);
    let project = with(&vec![door; 60].join(","));
    let read = frugally(project.as_bytes(), |bytes| {
        ldtk::read(bytes, &Options::default())
    });
    assert_eq!(
        read.unwrap_err().to_string(),
        "more than 50000 objects, tiles and values of properties; expected fewer"
    );
    // Short texts that make long lists.
    for part in ["0", "\"\"", "{\"cx\":0,\"cy\":0}", "[]"] {
        let list = format!("[{}]", vec![part; 1000].join(","));
        let door = entity("Link", "d", [0, 0], &vec![field("", &list); 2000].join(","));
        let _ = frugally(with(&door).as_bytes(), |bytes| {
            ldtk::read(bytes, &Options::default())
        });
    }
}
