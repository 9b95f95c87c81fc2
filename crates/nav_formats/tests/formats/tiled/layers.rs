//! Layers and where they are.

use super::*;

#[test]
fn of_walls() {
    for name in ["walls", "blocked", "Walls"] {
        assert_eq!(read(&layer(name, &csv(CSV))), Ok(yard()));
    }
}

#[test]
fn of_ground() {
    let ground = csv("1,0,1,1, 2,3,0,1, 1,1,1,1");
    assert_eq!(read(&layer("walkable", &ground)), Ok(yard()));
}

#[test]
fn by_property() {
    let property =
        "<properties><property name=\"walkable\" type=\"bool\" value=\"false\"/></properties>";
    let map = layer_with("fences", property, &csv(CSV));
    assert_eq!(read(&map), Ok(yard()));
}

#[test]
fn names_by_options() {
    let mut names = EditorNames::tiled();
    names.blocked = vec!["Mauern".to_owned()];
    let options = Options::default().with_names(names);
    let map = tmx(&layer("Mauern", &csv(CSV)));
    assert_eq!(grid_of_tmx(map.as_bytes(), &options), Ok(yard()));
}

#[test]
fn add_up() {
    let one = layer("walls", &csv("0,9,0,0, 0,0,0,0, 0,0,0,0"));
    let two = layer("blocked", &csv("0,0,0,0, 0,0,9,0, 0,0,0,0"));
    assert_eq!(read(&format!("{one}{two}")), Ok(yard()));
}

#[test]
fn decoration() {
    let trees = layer("trees", &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"));
    let sky = r#"<imagelayer id="9" name="sky"><image source="sky.png"/></imagelayer>"#;
    let walls = layer("walls", &csv(CSV));
    assert_eq!(read(&format!("{sky}{trees}{walls}")), Ok(yard()));
}

#[test]
fn mirrored_and_turned_tiles() {
    let tiles = csv("0,2147483657,0,0, 0,0,3758096393,0, 0,0,0,0");
    assert_eq!(read(&layer("walls", &tiles)), Ok(yard()));
}

#[test]
fn base64() {
    let text = "AAAAAAkAAAAAAAAAAAAAAAAAAAAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let data = format!("<data encoding=\"base64\">\n   {text}\n  </data>");
    assert_eq!(read(&layer("walls", &data)), Ok(yard()));
}

#[test]
fn packed() {
    for (compression, text) in [("zlib", ZLIB), ("gzip", GZIP)] {
        let data = format!(
            "<data encoding=\"base64\" compression=\"{compression}\">\n   {text}\n  </data>"
        );
        assert_eq!(read(&layer("walls", &data)), Ok(yard()), "{compression}");
    }
}

const ZLIB: &str = "eJxjYGBg4GTABNjEQAAAApQAEw==";
const GZIP: &str = "H4sIAAAAAAACA2NgYGDgZMAE2MRAAAA/F7gBMAAAAA==";
