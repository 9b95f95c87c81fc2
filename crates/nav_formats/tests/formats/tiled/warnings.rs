//! The words about data that is left out, and data that must not be left out.

use super::*;

/// Returns the warnings of a map in XML.
fn warnings(content: &str) -> Vec<String> {
    let map = tiled::read_tmx(tmx(content).as_bytes(), &Options::default()).unwrap();
    map.warnings.iter().map(ToString::to_string).collect()
}

/// Returns the warnings of a map in JSON.
fn warnings_of_json(layers: &str) -> Vec<String> {
    let map = format!(
        r#"{{"type":"map", "orientation":"orthogonal", "width":4, "height":3, "tilewidth":16,
 "tileheight":32, "layers":[{{"type":"tilelayer", "name":"walls", "width":4, "height":3,
 "data":[0,9,0,0, 0,0,9,0, 0,0,0,0]}}, {layers}]}}"#
    );
    let map = tiled::read_tmj(map.as_bytes(), &Options::default()).unwrap();
    assert_eq!(map.grid.walkable_count(), 10);
    map.warnings.iter().map(ToString::to_string).collect()
}

fn walls() -> String {
    layer("walls", &csv(CSV))
}

#[test]
fn nothing_left_out() {
    assert_eq!(warnings(&walls()), [""; 0]);
    let hidden = walls().replace("id=\"1\"", "id=\"1\" visible=\"0\" opacity=\"0.5\"");
    assert_eq!(warnings(&hidden), [""; 0]);
    assert_eq!(warnings(&links(&link("<point/>", &TO))), [""; 0]);
}

const TO: [(&str, &str, &str); 2] = [("to_x", "int", "3"), ("to_y", "int", "0")];

#[test]
fn layers_without_meaning() {
    let expected = "left out for want of a meaning: tile layer 'trees', image layer 'sky' and \
                    imagine 'x'; a layer's name or its bool property 'walkable' gives it \
                    one, and its string property 'nav' with the value 'ignore' silences this";
    let trees = layer("trees", &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"));
    let sky = r#"<imagelayer id="9" name="sky"><image source="sky.png"/></imagelayer>"#;
    let other = "<imagine name=\"x\"/>";
    let settings = "<editorsettings><export target=\"a.json\"/></editorsettings>";
    let map = format!("{settings}{sky}{trees}{}{other}", walls());
    assert_eq!(warnings(&map), [expected]);
    let json = r#"{"type":"imagelayer", "name":"sky"}, {"type":"imagine", "name":"x"},
        {"type":"tilelayer", "name":"trees", "width":4, "height":3, "data":[0,0,0,0,0,0,0,0,0,0,0,0]}"#;
    assert_eq!(warnings_of_json(json), [expected]);
}

#[test]
fn many_layers() {
    let trees: String = (0..9)
        .map(|number| layer(&format!("trees {number}"), &csv(CSV)))
        .collect();
    assert_eq!(
        warnings(&format!("{}{trees}", walls())),
        [
            "left out for want of a meaning: tile layer 'trees 0', tile layer 'trees 1', tile \
             layer 'trees 2', tile layer 'trees 3', tile layer 'trees 4' and 4 more; a layer's \
             name or its bool property 'walkable' gives it one, and its string property 'nav' with \
             the value 'ignore' silences this"
        ]
    );
}

#[test]
fn ends_of_links_have_meaning() {
    let start = link("<point/>", &[("to", "object", "8")]);
    let end = "<object id=\"8\" type=\"door\" x=\"48\" y=\"0\"><point/></object>";
    assert_eq!(warnings(&links(&format!("{start}{end}"))), [""; 0]);
}

#[test]
fn offsets_of_layers() {
    let shifted = walls().replace("id=\"1\"", "id=\"1\" offsetx=\"16\"");
    assert_eq!(
        warnings(&shifted),
        ["the offset of layers was left out, so these lie elsewhere than shown: layer 'walls'"]
    );
    let group = format!(
        "{}<group id=\"5\" name=\"up\" offsety=\"-4\"><objectgroup>{}</objectgroup></group>",
        walls(),
        link("<point/>", &TO)
    );
    let expected = "the offset of layers was left out, so these lie elsewhere than shown: object 7";
    assert_eq!(warnings(&group), [expected]);
    let json = r#"{"type":"group", "name":"up", "offsety":-4, "layers":[
        {"type":"objectgroup", "objects":[{"id":7, "type":"link", "point":true, "properties":[
        {"name":"to_x", "value":0}, {"name":"to_y", "value":0}]}]}]}"#;
    assert_eq!(warnings_of_json(json), [expected]);
}

#[test]
fn properties_of_links() {
    let more = [("cots", "int", "12"), ("TWO_WAY", "bool", "true")];
    let properties = [TO.as_slice(), &more].concat();
    assert_eq!(
        warnings(&links(&link("<point/>", &properties))),
        [
            "left out as unknown there: property 'TWO_WAY' of object 7 and property 'cots' of object 7"
        ]
    );
    let end = "<object id=\"8\" x=\"48\" y=\"0\"><point/></object>";
    let both = [TO.as_slice(), &[("to", "object", "8")]].concat();
    assert_eq!(
        warnings(&links(&format!("{}{end}", link("<point/>", &both)))),
        ["left out as unknown there: property 'to_x' of object 7 and property 'to_y' of object 7"]
    );
    let numbers = ["kind", "millis", "capacity", "cost"].map(|name| (name, "int", "2"));
    let properties = [TO.as_slice(), &numbers].concat();
    assert_eq!(warnings(&links(&link("<point/>", &properties))), [""; 0]);
}

/// The property that silences warnings of a layer.
const IGNORE: &str = "<properties><property name=\"nav\" value=\"ignore\"/></properties>";

#[test]
fn layers_ignored() {
    let ignored =
        |element: &str, inside: &str| format!("<{element} name=\"x\">{IGNORE}{inside}</{element}>");
    let trees = layer_with("trees", IGNORE, &csv(CSV));
    // It would be walls by its name.
    let walls_of_old = layer_with("walls", IGNORE, &csv("9,9,9,9, 9,9,9,9, 9,9,9,9"));
    let outside = "<object id=\"1\" x=\"-5\" y=\"0\"><point/></object>";
    let group = ignored("group", &format!("{trees}<imagelayer name=\"y\"/>"));
    let map = [
        ignored("imagelayer", "<image source=\"a.png\"/>"),
        ignored("imagine", ""),
        ignored("objectgroup", outside),
        walls_of_old,
        trees,
        group,
        walls(),
    ];
    let read = tiled::read_tmx(tmx(&map.concat()).as_bytes(), &Options::default()).unwrap();
    assert_eq!((read.warnings, read.objects), (vec![], vec![]));
    assert_eq!(read.grid, yard());

    let ignore = r#""properties":[{"name":"nav", "type":"string", "value":"ignore"}]"#;
    let json = format!(
        r#"{{"type":"imagelayer", "name":"sky", {ignore}}}, {{"type":"group", "name":"x", {ignore},
        "layers":[{{"type":"tilelayer", "name":"walls", "width":4, "height":3,
        "data":[9,9,9,9,9,9,9,9,9,9,9,9]}}, {{"type":"imagine", "name":"y"}}]}}"#
    );
    assert_eq!(warnings_of_json(&json), [""; 0]);
}

#[test]
fn nav_of_another_value() {
    let slip = IGNORE.replace("ignore", "ignored");
    refused(
        read(&layer_with("trees", &slip, &csv(CSV))),
        "layer 'trees': property 'nav' is 'ignored'; expected the text 'ignore'",
    );
}

#[test]
fn properties_of_layers_and_tiles() {
    let property = |name: &str| {
        format!("<properties><property name=\"{name}\" type=\"int\" value=\"1\"/></properties>")
    };
    let walls = layer_with("walls", &property("Floor"), &csv(CSV));
    let group = format!(
        "{}<group id=\"4\" name=\"up\">{}{walls}</group>",
        property("floor"),
        property("walkable")
    );
    let tileset = format!(
        "<tileset firstgid=\"1\" name=\"doors\"><tile id=\"3\">{}</tile></tileset>",
        property("walkable")
    );
    assert_eq!(
        warnings(&format!("{tileset}{group}")),
        [
            "left out as unknown there: property 'floor' of the map, property 'walkable' of \
             layer 'up', property 'Floor' of layer 'walls' and property 'walkable' of tile 3 of \
             'doors'"
        ]
    );
    // Games have properties of their own.
    let own = layer_with("walls", &property("music"), &csv(CSV));
    assert_eq!(warnings(&own), [""; 0]);
}

#[test]
fn collision_shapes() {
    let tileset = "<tileset firstgid=\"1\" name=\"doors\"><tile id=\"3\"><objectgroup \
                   id=\"2\"><object id=\"1\" x=\"0\" y=\"0\"/></objectgroup></tile></tileset>";
    assert_eq!(
        warnings(&format!("{tileset}{}", walls())),
        ["collision shapes of tiles were left out, walls come from layers: 'doors'"]
    );
}

#[test]
fn walkable_of_another_type() {
    let property = "<properties><property name=\"walkable\" value=\"false\"/></properties>";
    refused(
        read(&layer_with("fences", property, &csv(CSV))),
        "line 3, column 2: layer 'fences': property 'walkable' is 'false'; expected a bool",
    );
}

#[test]
fn cost_of_another_type() {
    let tileset = "<tileset firstgid=\"1\" name=\"sand\"><tile id=\"8\"><properties><property \
                   name=\"cost\" type=\"float\" value=\"2\"/></properties></tile></tileset>";
    refused(
        read(&format!("{tileset}\n{}", layer("cost", &csv(CSV)))),
        "line 4, column 2: tile 8 of tileset 'sand': property 'cost' is the float 2; \
         expected an int from 0 to 64",
    );
}

#[test]
fn turned_exits() {
    // Tile 3 of the set leaves to the north and northeast.
    let exits = |flags: u32| {
        let tiles = format!("{},0,0,0, 0,0,0,0, 0,0,0,0", flags | 4);
        let map = format!(
            "{}{}",
            layer("walls", &csv(CSV)),
            layer("exits", &csv(&tiles))
        );
        read(&map).unwrap().exits(Cell::new(0, 0)).0
    };
    // Bits run clockwise from north.
    let (horizontal, vertical, diagonal) = (1 << 31, 1 << 30, 1 << 29);
    for (flags, directions) in [
        (0, 0b0000_0011),
        (horizontal, 0b1000_0001),
        (vertical, 0b0001_1000),
        (diagonal, 0b0110_0000),
        // Turned by a quarter, half and three quarters, as Tiled writes it.
        (horizontal | diagonal, 0b0000_1100),
        (horizontal | vertical, 0b0011_0000),
        (vertical | diagonal, 0b1100_0000),
    ] {
        assert_eq!(exits(flags), directions, "{flags:x}");
    }
}
