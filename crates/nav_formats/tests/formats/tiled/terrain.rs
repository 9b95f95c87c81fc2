//! Terrain classes and sight, by layers and by properties.

use super::*;

/// A tileset whose tiles 1 and 2 are water and glass, and whose tile 3 is both.
const TILES: &str = r#" <tileset firstgid="1" name="ground">
 <tile id="1"><properties><property name="terrain" type="int" value="1"/></properties></tile>
 <tile id="2"><properties><property name="sight" value="clear"/></properties></tile>
 <tile id="3"><properties><property name="terrain" type="int" value="15"/><property name="sight" value="Blocked"/></properties></tile>
</tileset>
"#;

fn property(name: &str, kind: &str, value: &str) -> String {
    format!(
        "  <properties><property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/></properties>\n"
    )
}

/// The classes and sights of the first row.
fn row(grid: &Grid) -> [(u8, Sight); 4] {
    [0, 1, 2, 3].map(|x| {
        let cell = Cell::new(x, 0);
        (grid.class(cell).number(), grid.sight(cell))
    })
}

const GROUND: (u8, Sight) = (0, Sight::AsGround);

#[test]
fn numbers_of_tiles() {
    let terrain = layer("terrain", &csv("0,2,16,1, 0,0,0,0, 0,0,0,0"));
    let sight = layer("Sight", &csv("0,1,2,3, 0,0,0,0, 0,0,0,0"));
    let walls = layer("walls", &csv(CSV));
    let expected = [
        GROUND,
        (1, Sight::AsGround),
        (15, Sight::Clear),
        (0, Sight::Blocked),
    ];
    assert_eq!(
        row(&read(&format!("{walls}{terrain}{sight}")).unwrap()),
        expected
    );
}

#[test]
fn properties_of_tiles() {
    let expected = [
        GROUND,
        (1, Sight::AsGround),
        (0, Sight::Clear),
        (15, Sight::Blocked),
    ];
    let tiles = csv("1,2,3,4, 1,1,1,1, 1,1,1,1");
    for role in ["walkable", "cost", "walls"] {
        // Costs of tiles are their numbers here.
        let map = format!("{TILES}{}", layer(role, &tiles));
        assert_eq!(row(&read(&map).unwrap()), expected, "{role}");
    }
    let walls = layer("walls", &csv(CSV));
    let named = layer("terrain", &csv("0,2,0,4, 0,0,0,0, 0,0,0,0"));
    assert_eq!(
        row(&read(&format!("{TILES}{walls}{named}")).unwrap()),
        [GROUND, (1, Sight::AsGround), GROUND, (15, Sight::Blocked)]
    );
}

#[test]
fn properties_of_layers() {
    let river = property("terrain", "int", "3");
    let fog = property("sight", "string", "blocked");
    let tiles = csv("0,9,9,0, 0,0,0,0, 0,0,0,0");
    let map = format!(
        "{}{}{}",
        layer("walls", &csv(CSV)),
        layer_with("river", &river, &tiles),
        layer_with("fog", &fog, &csv("9,9,0,0, 0,0,0,0, 0,0,0,0"))
    );
    assert_eq!(
        row(&read(&map).unwrap()),
        [
            (0, Sight::Blocked),
            (3, Sight::Blocked),
            (3, Sight::AsGround),
            GROUND
        ]
    );
    // A tile's own property goes before that of its layer.
    let map = format!(
        "{TILES}{}{}",
        layer("walls", &csv(CSV)),
        layer_with("river", &river, &csv("1,2,0,0, 0,0,0,0, 0,0,0,0"))
    );
    assert_eq!(read(&map).unwrap().class(Cell::new(0, 0)).number(), 3);
    assert_eq!(read(&map).unwrap().class(Cell::new(1, 0)).number(), 1);
}

#[test]
fn layers_on_floors() {
    let ground = |number| {
        layer_with(
            "walkable",
            &floor(number),
            &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"),
        )
    };
    let terrain = layer_with("terrain", &floor("1"), &csv("0,0,5,0, 0,0,0,0, 0,0,0,0"));
    let grid = read(&format!("{}{}{terrain}", ground("0"), ground("1"))).unwrap();
    assert_eq!(grid.class(Cell::new(2, 0).on_floor(1)).number(), 4);
    assert_eq!(grid.class(Cell::new(2, 0)).number(), 0);
}

#[test]
fn in_json() {
    let map = r#"{"type":"map", "orientation":"orthogonal", "width":2, "height":1, "tilewidth":16,
 "tileheight":16, "tilesets":[{"firstgid":1, "name":"a", "tiles":[
  {"id":0, "properties":[{"name":"sight", "type":"string", "value":"clear"}]}]}],
 "layers":[{"type":"tilelayer", "name":"walkable", "width":2, "height":1, "data":[1,2]},
  {"type":"tilelayer", "name":"river", "width":2, "height":1, "data":[0,2],
   "properties":[{"name":"terrain", "type":"int", "value":7}]}]}"#;
    let map = tiled::read_tmj(map.as_bytes(), &Options::default()).unwrap();
    assert_eq!(map.warnings, []);
    assert_eq!(map.grid.sight(Cell::new(0, 0)), Sight::Clear);
    assert_eq!(map.grid.class(Cell::new(1, 0)).number(), 7);
}

#[test]
fn values_refused() {
    let walls = layer("walls", &csv(CSV));
    let one = csv("1,0,0,0, 0,0,0,0, 0,0,0,0");
    for (properties, sentence) in [
        (
            property("terrain", "int", "16"),
            "layer 'a': property 'terrain' is 16; expected an int from 0 to 15",
        ),
        (
            property("terrain", "string", "water"),
            "layer 'a': property 'terrain' is 'water'; expected an int from 0 to 15",
        ),
        (
            property("sight", "string", "glass"),
            "layer 'a': property 'sight' is 'glass'; expected one of the words ground, clear, \
             blocked",
        ),
        (
            property("sight", "int", "1"),
            "layer 'a': property 'sight' is 1; expected one of the words ground, clear, blocked",
        ),
    ] {
        let map = format!("{walls}{}", layer_with("a", &properties, &one));
        let error = read(&map).unwrap_err();
        assert_eq!(error.problem.to_string(), sentence);
    }
    let tiles = csv("0,0,17,0, 0,0,0,0, 0,0,0,0");
    let problem = |map: String| read(&map).unwrap_err().problem.to_string();
    assert_eq!(
        problem(format!("{walls}{}", layer("terrain", &tiles))),
        "layer 'terrain', cell 2,0: terrain 16 is out of range; expected 0 to 15"
    );
    assert_eq!(
        problem(format!("{TILES}{walls}{}", layer("sight", &tiles))),
        "layer 'sight', cell 2,0: tile 16 of tileset 'ground' has no property 'sight', as others \
         of the tileset have"
    );
    let wrong = TILES.replace("value=\"1\"", "value=\"77\"");
    let map = format!(
        "{wrong}{}",
        layer("walls", &csv("0,0,2,0, 0,0,0,0, 0,0,0,0"))
    );
    assert_eq!(
        problem(map),
        "layer 'walls', cell 2,0: terrain 77 is out of range; expected 0 to 15"
    );
}
