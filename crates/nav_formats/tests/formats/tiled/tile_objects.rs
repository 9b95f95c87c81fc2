//! Cells of objects that show a tile, in XML and JSON.

use super::*;

/// A yard of 4×3 open cells of 16 pixels.
fn xml(tileset: &str, object: &str) -> String {
    let walls = csv("0,0,0,0, 0,0,0,0, 0,0,0,0");
    format!(
        r#"<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="doors" tilewidth="16" tileheight="16" tilecount="4" columns="2" {tileset}/>
 <layer id="1" name="walls" width="4" height="3">{walls}</layer>
 <objectgroup id="2" name="doors">
  <object id="7" type="link" {object}><properties>
   <property name="to_x" type="int" value="0"/><property name="to_y" type="int" value="0"/>
  </properties></object>
 </objectgroup>
</map>"#
    )
}

/// The same map in JSON.
fn json(tileset: &str, object: &str) -> String {
    // From `a="1" b="x"` to `"a":1, "b":"x"`.
    let fields = |attributes: &str| {
        let fields = attributes.split_whitespace().map(|field| {
            let (key, value) = field.split_once('=').unwrap();
            let number = value.trim_matches('"');
            let is_number = number.parse::<f64>().is_ok();
            format!(",\"{key}\":{}", if is_number { number } else { value })
        });
        fields.collect::<String>()
    };
    format!(
        r#"{{"type":"map", "orientation":"orthogonal", "width":4, "height":3, "tilewidth":16, "tileheight":16,
 "tilesets":[{{"firstgid":1, "name":"doors", "tilewidth":16, "tileheight":16 {}}}],
 "layers":[
  {{"type":"tilelayer", "name":"walls", "width":4, "height":3, "data":[0,0,0,0,0,0,0,0,0,0,0,0]}},
  {{"type":"objectgroup", "name":"doors", "objects":[{{"id":7, "type":"link", "properties":[
   {{"name":"to_x", "type":"int", "value":0}}, {{"name":"to_y", "type":"int", "value":0}}] {}}}]}}]}}"#,
        fields(tileset),
        fields(object)
    )
}

/// Returns the start of the link by both readers.
#[track_caller]
fn start(tileset: &str, object: &str) -> Result<Cell, String> {
    let options = Options::default();
    let of_xml = grid_of_tmx(xml(tileset, object).as_bytes(), &options);
    let of_json = grid_of_tmj(json(tileset, object).as_bytes(), &options);
    let start = |read: Result<Grid, TiledError>| {
        read.map(|grid| grid.links()[0].from)
            .map_err(|error| error.problem.to_string())
    };
    let of_xml = start(of_xml);
    assert_eq!(of_xml, start(of_json));
    of_xml
}

#[test]
fn origin_at_lower_left() {
    let object = r#"gid="2" x="48" y="32" width="16" height="16""#;
    assert_eq!(start("", object), Ok(Cell::new(3, 1)));
    let in_last_row = r#"gid="2" x="0" y="48" width="16" height="16""#;
    assert_eq!(start("", in_last_row), Ok(Cell::new(0, 2)));
}

#[test]
fn rectangle_keeps_upper_left() {
    let object = r#"x="48" y="32" width="16" height="16""#;
    assert_eq!(start("", object), Ok(Cell::new(3, 2)));
}

#[test]
fn between_cells() {
    let object = r#"gid="2" x="50" y="34" width="16" height="16""#;
    assert_eq!(start("", object), Ok(Cell::new(3, 1)));
    let object = r#"gid="2" x="46" y="30" width="16" height="16""#;
    assert_eq!(start("", object), Ok(Cell::new(3, 1)));
}

#[test]
fn tall_and_wide() {
    let object = r#"gid="2" x="16" y="48" width="32" height="48""#;
    assert_eq!(start("", object), Ok(Cell::new(1, 2)));
    let small = r#"gid="2" x="20" y="30" width="4" height="4""#;
    assert_eq!(start("", small), Ok(Cell::new(1, 1)));
}

#[test]
fn without_size() {
    assert_eq!(start("", r#"gid="2" x="48" y="32""#), Ok(Cell::new(3, 1)));
}

#[test]
fn mirrored() {
    // The upper bits mirror the picture inside its own box.
    let object = r#"gid="2147483650" x="48" y="32" width="16" height="16""#;
    assert_eq!(start("", object), Ok(Cell::new(3, 1)));
}

#[test]
fn aligned_by_tileset() {
    let object = r#"gid="2" x="32" y="16" width="16" height="16""#;
    for (alignment, x, y) in [
        ("unspecified", 2, 0),
        ("bottomleft", 2, 0),
        ("bottomright", 1, 0),
        ("topleft", 2, 1),
        ("topright", 1, 1),
    ] {
        let tileset = format!("objectalignment=\"{alignment}\"");
        assert_eq!(start(&tileset, object), Ok(Cell::new(x, y)), "{alignment}");
    }
    for (alignment, at, x, y) in [
        ("center", (40, 24), 2, 1),
        ("top", (40, 32), 2, 2),
        ("bottom", (40, 32), 2, 1),
        ("left", (48, 24), 3, 1),
        ("right", (48, 24), 2, 1),
    ] {
        let tileset = format!("objectalignment=\"{alignment}\"");
        let object = format!(
            r#"gid="2" x="{}" y="{}" width="16" height="16""#,
            at.0, at.1
        );
        assert_eq!(start(&tileset, &object), Ok(Cell::new(x, y)), "{alignment}");
    }
}

#[test]
fn unknown_alignment() {
    let object = r#"gid="2" x="48" y="32" width="16" height="16""#;
    assert_eq!(
        start("objectalignment=\"middle\"", object),
        Err(
            "tileset 'doors': objectalignment 'middle'; expected one that Tiled writes, such as \
             'bottomleft'"
                .to_owned()
        )
    );
}

#[test]
fn rotated() {
    let turned = r#"gid="2" x="48" y="32" width="16" height="16" rotation="90""#;
    let message = "object 7 is rotated by 90 degrees; expected 0 at an end of a link".to_owned();
    assert_eq!(start("", turned), Err(message.clone()));
    let rectangle = turned.replace("gid=\"2\" ", "");
    assert_eq!(start("", &rectangle), Err(message));
    let whole = turned.replace("90", "-360");
    assert_eq!(start("", &whole), Ok(Cell::new(3, 1)));
}

#[test]
fn above_map() {
    let object = r#"gid="2" x="0" y="0" width="16" height="16""#;
    assert_eq!(
        start("", object),
        Err("object 7: the link's start lies outside the map".to_owned())
    );
}
