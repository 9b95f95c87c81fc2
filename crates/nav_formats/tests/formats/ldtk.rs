//! Projects of the `LDtk` editor: options, limits and damage. What layers and entities mean is in
//! `tests/cases`.

use nav_formats::{EditorNames, Format, MapFile, ReadOptions, ldtk};
use nav_grid::Cell;
use nav_judge::{check_error, frugally};

/// Two levels with a wall at 1,0 and mud at 2,0, the first of which has a layer of water above it
/// and a link.
const PROJECT: &str = r#"{ "__header__": { "fileType": "LDtk Project JSON" },
 "defs": { "layers": [ { "uid": 1, "intGridValues": [ { "value": 1, "identifier": "wall" },
  { "value": 2, "identifier": "mud" } ] } ] },
 "levels": [ { "identifier": "Cave", "layerInstances": [
  { "__identifier": "Water", "__type": "IntGrid", "__cWid": 3, "__cHei": 1, "__gridSize": 16,
   "layerDefUid": 2, "intGridCsv": [0,4,0], "entityInstances": [
   { "__identifier": "Link", "iid": "b", "__grid": [0, 0], "px": [0, 0], "fieldInstances": [
    { "__identifier": "to", "__value": { "cx": 2, "cy": 0 } } ] } ] },
  { "__identifier": "Terrain", "__type": "IntGrid", "__cWid": 3, "__cHei": 1, "__gridSize": 16,
   "layerDefUid": 3, "intGridCsv": [1,1,1], "entityInstances": [] },
  { "__identifier": "Cells", "__type": "IntGrid", "__cWid": 3, "__cHei": 1, "__gridSize": 16,
   "layerDefUid": 1, "intGridCsv": [0,1,2], "entityInstances": [] } ] },
 { "identifier": "Yard", "layerInstances": [
  { "__identifier": "Cells", "__type": "IntGrid", "__cWid": 3, "__cHei": 1, "__gridSize": 16,
   "layerDefUid": 1, "intGridCsv": [0,1,2], "entityInstances": [] } ] } ] }"#;

fn read(level: Option<&str>, names: Option<EditorNames>) -> Result<MapFile, String> {
    let mut options = ReadOptions::default();
    options.level = level.map(str::to_owned);
    options.names = names;
    let read = ldtk::read(PROJECT.as_bytes(), &options);
    read.map_err(|error| error.to_string())
}

#[test]
fn names_by_options() {
    let mut names = EditorNames::ldtk();
    names.costs.insert("Mud".to_owned(), 7);
    names.terrain.push("water".to_owned());
    let grid = read(Some("Cave"), Some(names)).unwrap().grid;
    let cells = [0, 1, 2].map(|x| Cell::new(x, 0));
    assert_eq!(cells.map(|cell| grid.cost(cell)), [1, 0, 7]);
    let classes = cells.map(|cell| grid.class(cell).number());
    assert_eq!(classes, [1, 4, 1], "the upper layer wins");
}

#[test]
fn levels_by_name() {
    assert_eq!(read(Some("Cave"), None).unwrap().grid.links().len(), 1);
    assert_eq!(read(Some("Yard"), None).unwrap().grid.links().len(), 0);
    assert_eq!(
        read(None, None).unwrap_err(),
        "the project has the levels 'Cave' and 'Yard'; expected one of them, chosen by its name"
    );
    assert_eq!(
        read(Some("yard"), None).unwrap_err(),
        "there is no level 'yard'; expected one of 'Cave' and 'Yard'"
    );
}

#[test]
fn by_content_and_ending() {
    assert_eq!(Format::detect(None, PROJECT.as_bytes()), Some(Format::Ldtk));
    assert_eq!(Format::from_extension("ldtk"), Some(Format::Ldtk));
    let map = read(Some("Yard"), None).unwrap();
    assert_eq!(
        Format::Ldtk.write(&map, "").unwrap_err().to_string(),
        "the LDtk format can only be read; choose another one, such as Tiled"
    );
}

#[test]
fn cut_short() {
    for length in 0..PROJECT.len() {
        let cut = &PROJECT.as_bytes()[..length];
        let read = ldtk::read(cut, &ReadOptions::default());
        check_error(&read.unwrap_err(), cut);
    }
}

/// Reads the project with something put behind the first of these words, with limited memory.
fn hostile(place: &str, put: &str) -> Result<MapFile, String> {
    assert!(PROJECT.contains(place));
    let file = PROJECT.replacen(place, &format!("{place}{put}"), 1);
    let options = ReadOptions::default().with_level("Cave");
    let read = frugally(file.as_bytes(), |bytes| ldtk::read(bytes, &options));
    read.map_err(|error| error.to_string())
}

#[test]
fn many_small_parts() {
    let many = 300_000;
    for (place, part) in [
        (
            "\"levels\": [ ",
            r#"{"identifier":"","layerInstances":null},"#,
        ),
        ("\"intGridValues\": [ ", r#"{"value":1},"#),
        (
            "\"entityInstances\": [\n",
            r#"{"__identifier":"","iid":"","__grid":[0,0],"px":[0,0],"fieldInstances":[]},"#,
        ),
        (
            "\"fieldInstances\": [\n",
            r#"{"__identifier":"","__value":0},"#,
        ),
        (
            "\"layerInstances\": [\n",
            r#"{"__identifier":"","__type":"","__cWid":0,"__cHei":0,"__gridSize":0,"layerDefUid":0,"intGridCsv":[],"entityInstances":[]},"#,
        ),
        ("\"intGridCsv\": [", "0,"),
        ("\"layers\": [ ", r#"{"uid":1,"intGridValues":[]},"#),
    ] {
        for part in [part, "{},", "[],", "{\"a\":[{}]},"] {
            let _ = hostile(place, &part.repeat(many));
        }
    }
    let deep = format!("{{\"defs\":{}", "[".repeat(many));
    assert!(ldtk::read(deep.as_bytes(), &ReadOptions::default()).is_err());
}

#[test]
fn many_values() {
    let field = |part: &str, count| {
        let list = vec![part; count].join(",");
        format!(r#"{{ "__identifier": "a", "__type": "Array<Int>", "__value": [{list}] }},"#)
    };
    let fields = "\"fieldInstances\": [\n";
    assert_eq!(
        hostile(fields, &field("1", 900).repeat(60)).unwrap_err(),
        "more than 50000 objects, tiles and values of properties; expected fewer"
    );
    // Short texts that make long lists.
    for part in ["0", "\"\"", "{\"cx\":0,\"cy\":0}", "[]"] {
        assert!(hostile(fields, &field(part, 1000).repeat(2000)).is_err());
    }
}
