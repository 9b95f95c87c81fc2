//! Step costs of ground.

use super::*;

const TILES: &str = "0,1,2,3, 0,0,0,0, 0,0,0,65";

fn expected() -> Grid {
    let mut grid = Grid::from_fn(4, 3, |cell| cell != Cell::new(1, 0)).unwrap();
    for (cell, cost) in [((3, 0), 2), ((3, 2), 64)] {
        grid.set_cost(Cell::from(cell), cost).unwrap();
    }
    grid
}

#[test]
fn numbers_of_tiles() {
    assert_eq!(read(&layer("cost", &csv(TILES))), Ok(expected()));
}

const TILESET: &str = r#"name="ground" tilewidth="16" tileheight="32" tilecount="200" columns="10">
 <image source="ground.png" width="160" height="640"/>
 <tile id="10"><properties><property name="cost" type="int" value="0"/></properties></tile>
 <tile id="11" type="sand">
  <properties>
   <property name="cost" type="int" value="2"/>
   <property name="sound" value="crunch"/>
  </properties>
 </tile>
 <tile id="12"><properties><property name="cost" type="int" value="64"/></properties></tile>
 <wangsets><wangset name="Unnamed" type="mixed" tile="-1"/></wangsets>
</tileset>"#;
const GROUND: &str = "0,11,0,12, 0,0,0,0, 0,0,0,13";

#[test]
fn properties_of_tiles() {
    let map = format!(
        " <tileset firstgid=\"1\" {TILESET}\n{}",
        layer("cost", &csv(GROUND))
    );
    assert_eq!(read(&map), Ok(expected()));
}

#[test]
fn out_of_range() {
    let tiles = csv("0,0,0,0, 0,66,0,0, 0,0,0,0");
    refused(
        read(&layer("cost", &tiles)),
        "line 3, column 2: layer 'cost', cell 1,1: cost 65 is out of range; expected 0 to 64",
    );
}

#[test]
fn of_some_tiles() {
    let map = format!(
        " <tileset firstgid=\"1\" {TILESET}\n{}",
        layer("cost", &csv("0,0,0,0, 0,0,99,0, 0,0,0,0"))
    );
    refused(
        read(&map),
        "line 15, column 2: layer 'cost', cell 2,1: tile 98 of tileset 'ground' has no \
            property 'cost', as others of the tileset have",
    );
}

#[test]
fn without_tileset() {
    let external = r#" <tileset firstgid="50" source="ground.tsx"/>"#;
    let map = format!("{external}\n{}", layer("cost", &csv(TILES)));
    refused(
        read(&map),
        "line 4, column 2: layer 'cost', cell 1,0: tile 1 belongs to no tileset",
    );
}
