//! Maps as JSON.

use super::*;

fn tmj(layers: &str) -> String {
    format!(
        r#"{{ "compressionlevel":-1, "height":3, "infinite":false,
 "layers":[{layers}],
 "nextlayerid":3, "nextobjectid":2, "orientation":"orthogonal", "renderorder":"right-down",
 "tiledversion":"1.11.2", "tileheight":32,
 "tilesets":[{{ "firstgid":1, "source":"ground.tsj" }}],
 "tilewidth":16, "type":"map", "version":"1.10", "width":4
}}"#
    )
}

fn read(layers: &str) -> Result<Grid, TiledError> {
    grid_of_tmj(tmj(layers).as_bytes(), &Options::default())
}

fn layer(data: &str) -> String {
    format!(
        r#"{{ {data}, "height":3, "id":1, "name":"walls", "opacity":1,
            "type":"tilelayer", "visible":true, "width":4, "x":0, "y":0 }}"#
    )
}

const DATA: &str = r#""data":[0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0]"#;

#[test]
fn tiles_as_numbers() {
    assert_eq!(read(&layer(DATA)), Ok(yard()));
}

#[test]
fn tiles_as_base64() {
    let text = "AAAAAAkAAAAAAAAAAAAAAAAAAAAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let data = format!(r#""data":"{text}", "encoding":"base64", "compression":"""#);
    assert_eq!(read(&layer(&data)), Ok(yard()));
}

#[test]
fn groups_and_links() {
    let upper = format!(
        r#"{{ "type":"group", "name":"upstairs", "id":4, "opacity":1, "visible":true,
            "properties":[{{ "name":"floor", "type":"int", "value":1 }}],
            "layers":[{}, {{ "type":"objectgroup", "name":"ways", "id":5, "objects":[
               {{ "id":1, "name":"", "type":"link", "point":true, "x":8.5, "y":16, "height":0,
                 "width":0, "rotation":0, "visible":true, "properties":[
                 {{ "name":"to_x", "type":"int", "value":3 }},
                 {{ "name":"to_y", "type":"int", "value":1 }},
                 {{ "name":"to_floor", "type":"int", "value":0 }},
                 {{ "name":"note", "type":"class", "value":{{ "a":[1] }} }}] }}] }}] }}"#,
        layer(DATA)
    );
    let grid = read(&format!("{}, {upper}", layer(DATA))).unwrap();
    assert_eq!(grid.floors(), 2);
    assert!(!grid.is_walkable(Cell::new(2, 1).on_floor(1)));
    let link = Link::new(Cell::new(0, 0).on_floor(1), Cell::new(3, 1));
    assert_eq!(grid.links(), [link]);
}

#[test]
fn broken() {
    refused(
        grid_of_tmj(
            b"{ \"type\": \"map\",\n \"width\": x }",
            &Options::default(),
        ),
        "line 2, column 11: the JSON cannot be read: expected value",
    );
    refused(
        grid_of_tmj(b"{}", &Options::default()),
        "line 1, column 2: the JSON cannot be read: missing field `type`",
    );
}

#[test]
fn too_few_tiles() {
    refused(
        read(&layer(r#""data":[0, 9]"#)),
        "layer 'walls' has 2 tiles, expected 12",
    );
}
