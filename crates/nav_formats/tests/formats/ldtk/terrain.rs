//! Terrain classes and sight.

use super::*;
use nav_grid::map::Sight;

/// A project with a wall, and a layer above it. `values` are the definitions of the layer's values.
fn with_layer(name: &str, values: &str, cells: &str) -> String {
    let walls = project("Cells", &value(1, "wall"), "0,1,0, 0,0,0", "");
    let layer = format!(
        r#""layerInstances": [ {{ "__identifier": "{name}", "__type": "IntGrid", "__cWid": 3, "__cHei": 2,
 "__gridSize": 16, "layerDefUid": 7, "intGridCsv": [{cells}], "entityInstances": [] }},"#
    );
    let definition = format!(
        r#""layers": [ {{ "identifier": "{name}", "uid": 7, "intGridValues": [ {values} ] }},"#
    );
    let with_layer = walls.replacen("\"layerInstances\": [", &layer, 1);
    with_layer.replacen("\"layers\": [", &definition, 1)
}

fn classes(grid: &Grid) -> [[u8; 3]; 2] {
    [0, 1].map(|y| [0, 1, 2].map(|x| grid.class(Cell::new(x, y)).number()))
}

fn sight(grid: &Grid) -> [[Sight; 3]; 2] {
    [0, 1].map(|y| [0, 1, 2].map(|x| grid.sight(Cell::new(x, y))))
}

#[test]
fn classes_by_number() {
    for name in ["Terrain", "terrain"] {
        let values = [value(1, "water"), value(2, "floor")].join(",");
        let grid = grid(&with_layer(name, &values, "0,1,2, 15,0,1"));
        assert_eq!(drawn(&grid), ".#./...");
        assert_eq!(classes(&grid), [[0, 1, 2], [15, 0, 1]]);
        assert!(!grid.has_sight());
    }
}

#[test]
fn sight_by_name_and_number() {
    const EXPECTED: [[Sight; 3]; 2] = [
        [Sight::AsGround, Sight::Clear, Sight::Blocked],
        [Sight::Clear, Sight::AsGround, Sight::AsGround],
    ];
    let numbered = grid(&with_layer("Sight", "", "0,1,2, 1,0,0"));
    assert_eq!(sight(&numbered), EXPECTED);
    let values = [value(1, "blocked"), value(5, "Clear")].join(",");
    let named = grid(&with_layer("Sight", &values, "0,5,1, 5,0,0"));
    assert_eq!(sight(&named), EXPECTED);
    assert!(!named.has_classes());
    assert_eq!(drawn(&named), ".#./...");
}

#[test]
fn upper_layer_wins() {
    let below = with_layer("Terrain", "", "1,1,1, 1,0,1");
    let upper = r#""layerInstances": [ { "__identifier": "Water", "__type": "IntGrid", "__cWid": 3,
 "__cHei": 2, "__gridSize": 16, "layerDefUid": 9, "intGridCsv": [0,4,0, 0,0,0], "entityInstances": [] },"#;
    let both = below.replacen("\"layerInstances\": [", upper, 1);
    let mut names = EditorNames::ldtk();
    names.terrain.push("water".to_owned());
    let options = Options::default().with_names(names);
    let map = ldtk::read(both.as_bytes(), &options).unwrap();
    assert_eq!(classes(&map.grid), [[1, 4, 1], [1, 0, 1]]);
}

#[test]
fn refused_values() {
    let glass = value(3, "glass");
    let wall = value(3, "wall");
    for (name, values, cells, sentence) in [
        (
            "Terrain",
            "",
            "0,0,16, 0,0,0",
            "layer 'Terrain', cell 2,0: value 16; expected 1 to 15",
        ),
        (
            "Terrain",
            "",
            "0,0,0, -1,0,0",
            "layer 'Terrain', cell 0,1: value -1; expected 1 to 15",
        ),
        (
            "Terrain",
            &wall,
            "0,0,0, 0,0,0",
            "layer 'Terrain': value 'wall' is only a terrain class there; rename it, or the layer",
        ),
        (
            "Sight",
            &glass,
            "0,3,0, 0,0,0",
            "layer 'Sight', cell 1,0: value 3 'glass'; expected one named clear or blocked, or 1 \
             or 2 without a name",
        ),
        ("Sight", "", "0,1", "layer 'Sight' has 2 values, expected 6"),
    ] {
        let project = with_layer(name, values, cells);
        assert_eq!(read(&project).unwrap_err(), sentence);
    }
}

#[test]
fn terrain_alone() {
    let project = project("Terrain", "", "0,1,0, 0,0,0", "");
    let error = read(&project).unwrap_err();
    assert!(
        error.contains("no IntGrid layer with a known value"),
        "{error}"
    );
}
