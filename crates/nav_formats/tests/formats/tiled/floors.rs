//! Floors.

use super::*;

fn two() -> Grid {
    let size = Size::new(4, 3).with_floors(2);
    let yard = yard();
    Grid::build(size, |cell| cell.floor == 1 || yard.is_walkable(cell)).unwrap()
}

#[test]
fn of_layers() {
    let ground = layer("walls", &csv(CSV));
    let upper = layer_with("walls", &floor("1"), &csv("0,0,0,0, 0,0,0,0, 0,0,0,0"));
    assert_eq!(read(&format!("{ground}\n{upper}")), Ok(two()));
}

#[test]
fn of_groups() {
    let ground = layer("walls", &csv(CSV));
    let upper = layer("walkable", &csv("1,1,1,1, 1,1,1,1, 1,1,1,1"));
    let group = format!(
        "<group id=\"5\" name=\"upstairs\">\n{}<group id=\"6\">\n{upper}\n</group></group>",
        floor("1")
    );
    assert_eq!(read(&format!("{ground}\n{group}")), Ok(two()));
}

#[test]
fn without_layer() {
    refused(
        read(&layer_with("walls", &floor("2"), &csv(CSV))),
        "line 2, column 1: floor 0 has no layer of tiles; expected one named walkable, \
         blocked, walls, cost",
    );
    refused(
        read(&layer("trees", &csv(CSV))),
        "line 2, column 1: floor 0 has no layer of tiles; expected one named walkable, \
         blocked, walls, cost",
    );
}

#[test]
fn out_of_range() {
    refused(
        read(&layer_with("walls", &floor("-1"), &csv(CSV))),
        "line 3, column 2: layer 'walls': property 'floor' is -1; expected 0 to 254",
    );
}
