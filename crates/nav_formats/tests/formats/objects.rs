//! Objects of the game: what they are asked for, and writing them.

use nav_formats::{Features, Format, MapFile, MapObject, PropertyError, PropertyValue};
use nav_grid::{Area, Cell, Grid, Link};

fn spawn() -> MapObject {
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let mut spawn = MapObject::new("7", "Spawn", Cell::new(3, 4))
        .with_property("count", PropertyValue::Integer(300))
        .with_property("pace", PropertyValue::Number(0.1))
        .with_property("night", PropertyValue::Bool(true))
        .with_property("kind", text("wolf\n\"&'<>"))
        .with_property("tint", PropertyValue::Colour("#ff112233".to_owned()))
        .with_property("lair", PropertyValue::Object("9".to_owned()))
        .with_property("gone", PropertyValue::Object("8".to_owned()));
    spawn.name = String::from("pack");
    spawn.layer = "beasts".into();
    spawn
}

fn lair() -> MapObject {
    let mut lair = MapObject::new("9", "Lair", Cell::new(1, 2));
    lair.area = Area::new(Cell::new(1, 1), Cell::new(2, 2));
    lair
}

fn map() -> MapFile {
    let mut grid = Grid::open(8, 6).unwrap();
    grid.set_link(Link::new(Cell::new(0, 0), Cell::new(7, 5)))
        .unwrap();
    MapFile::from(grid).with_objects([spawn(), lair()])
}

/// A spawn with a list and a point, as only `LDtk` has.
fn with_lists() -> MapObject {
    let round = [Cell::new(0, 1), Cell::new(2, 1)].map(PropertyValue::Cell);
    spawn()
        .with_property("round", PropertyValue::List(round.into()))
        .with_property("empty", PropertyValue::List(Vec::new()))
        .with_property("post", PropertyValue::Cell(Cell::new(7, 5)))
}

#[track_caller]
fn said<T: std::fmt::Debug>(result: Result<T, PropertyError>) -> String {
    let sentence = result.unwrap_err().to_string();
    let start = "object 7 'pack' of class 'Spawn' at 3,4 in layer 'beasts': property ";
    sentence.strip_prefix(start).unwrap_or(&sentence).to_owned()
}

#[test]
fn typed_properties() {
    let spawn = with_lists();
    assert_eq!(spawn.get("count"), Ok(300_u16));
    assert_eq!(spawn.get("count"), Ok(300.0_f64));
    assert_eq!(spawn.get("pace"), Ok(0.1_f32));
    assert_eq!(spawn.get("night"), Ok(true));
    assert_eq!(spawn.get("tint"), Ok("#ff112233"));
    assert_eq!(spawn.get("post"), Ok(Cell::new(7, 5)));
    assert_eq!(spawn.get("empty"), Ok(Vec::<bool>::new()));
    assert_eq!(spawn.get_or("night", false), Ok(true));
    assert_eq!(spawn.get_or("day", false), Ok(false));
    let sentences = [
        said(spawn.get::<u8>("count")),
        said(spawn.get::<u8>("Count")),
        said(spawn.get_or::<i8>("count", 3)),
        said(spawn.get::<bool>("kind")),
        said(spawn.get::<&str>("pace")),
        said(spawn.get::<f64>("night")),
        said(spawn.get::<i32>("tint")),
        said(spawn.get::<Cell>("lair")),
        said(spawn.get::<Vec<f64>>("round")),
    ];
    assert_eq!(
        sentences,
        [
            "'count' is 300; expected a whole number from 0 to 255",
            "'Count' is missing; expected a whole number from 0 to 255",
            "'count' is 300; expected a whole number from -128 to 127",
            "'kind' is 'wolf\\n\\\"&\\'<>'; expected true or false",
            "'pace' is 0.1; expected text",
            "'night' is true; expected a number",
            "'tint' is the colour '#ff112233'; expected a whole number from -2147483648 to 2147483647",
            "'lair' is object 9; expected a point",
            "'round' is a list of 2; expected a list, each of it a number",
        ]
    );
}

#[test]
fn references() {
    let map = map();
    let spawn = map.object("7").unwrap();
    assert_eq!(map.referred(spawn, "lair"), Ok(&lair()));
    let expected = "expected a reference to an object of the map that is no link";
    for (property, found) in [("gone", "object 8"), ("none", "missing"), ("count", "300")] {
        assert_eq!(
            said(map.referred(spawn, property)),
            format!("'{property}' is {found}; {expected}")
        );
    }
}

#[test]
fn written_and_read() {
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        let map = map();
        if !format.holds().contains(Features::OBJECTS) {
            let refusal = format.write(&map, "").unwrap_err().to_string();
            assert!(refusal.contains("objects"), "{refusal}");
            let file = format.write_what_fits(&map, "").unwrap();
            assert_eq!(format.read(&file).unwrap().objects, []);
            continue;
        }
        let file = format.write(&map, "").unwrap();
        assert_eq!(format.read(&file), Ok(map), "{format}");
    }
}

#[test]
fn lists_kept_or_refused() {
    let map = MapFile::from(Grid::open(8, 6).unwrap()).with_objects([with_lists()]);
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        if !format.holds().contains(Features::OBJECTS) {
            continue;
        }
        if format.holds().contains(Features::LISTS) {
            let file = format.write(&map, "").unwrap();
            assert_eq!(format.read(&file).as_ref(), Ok(&map), "{format}");
        } else {
            assert_eq!(
                format.write(&map, "").unwrap_err().to_string(),
                format!(
                    "the {format} format cannot hold points and lists of objects of this map; choose a \
                     format that can, or write only what fits"
                )
            );
            let file = format.write_what_fits(&map, "").unwrap();
            assert_eq!(format.read(&file).unwrap().objects, [spawn()], "{format}");
        }
    }
}

#[cfg(feature = "tiled")]
#[test]
fn objects_that_tiled_cannot_hold() {
    let mut centred = lair();
    centred.area = Area::new(Cell::new(0, 1), Cell::new(2, 3));
    for (object, fault) in [
        (
            MapObject::new("1", "Link", Cell::new(0, 0)),
            "object 1 of class 'Link' at 0,0 cannot be written as Tiled XML: its class is that of links; \
             expected another one",
        ),
        (
            spawn().with_property("zero", PropertyValue::Text("\0".to_owned())),
            "object 7 'pack' of class 'Spawn' at 3,4 in layer 'beasts' cannot be written as Tiled XML: it \
             has text with a zero; expected none, which XML cannot hold",
        ),
        (
            lair().with_property("far", PropertyValue::Number(f64::NAN)),
            "object 9 of class 'Lair' at 1,2 cannot be written as Tiled XML: it has a number that is not \
             finite",
        ),
        (
            centred,
            "object 9 of class 'Lair' at 1,2 cannot be written as Tiled XML: its cell is inside its \
             area; expected the upper left or the lower left cell of it",
        ),
    ] {
        let map = MapFile::from(Grid::open(8, 6).unwrap()).with_objects([object, lair()]);
        let refusal = Format::TiledXml.write(&map, "").unwrap_err();
        assert_eq!(refusal.to_string(), fault);
        let file = Format::TiledXml.write_what_fits(&map, "").unwrap();
        assert_eq!(Format::TiledXml.read(&file).unwrap().objects, [lair()]);
    }
}

#[cfg(feature = "tiled")]
#[test]
fn numbers_for_other_ids() {
    let door = MapObject::new("door-x", "Door", Cell::new(0, 0))
        .with_property("key", PropertyValue::Object("key-y".to_owned()))
        .with_property("gone", PropertyValue::Object("key-z".to_owned()));
    let key = MapObject::new("key-y", "Key", Cell::new(1, 0));
    let map = MapFile::from(Grid::open(8, 6).unwrap()).with_objects([door, key]);
    for format in [Format::TiledXml, Format::TiledJson] {
        let file = format.write(&map, "").unwrap();
        let again = format.read(&file).unwrap();
        let [door, key] = again.objects.as_slice() else {
            panic!("{again:?}");
        };
        assert_eq!(again.referred(door, "key"), Ok(key));
        assert_eq!(door.property("gone"), None);
    }
}

#[cfg(feature = "binary")]
#[test]
fn damaged_binary_objects() {
    let mut outside = lair();
    outside.cell = Cell::new(7, 6);
    outside.area = outside.cell.into();
    let far = lair().with_property("post", PropertyValue::Cell(Cell::new(8, 0)));
    for (object, problem) in [
        (
            outside,
            "object 9 of class 'Lair' at 7,6 lies outside the map",
        ),
        (far, "the cell 8,0 in a property is outside the map"),
    ] {
        let map = MapFile::from(Grid::open(8, 6).unwrap()).with_objects([object]);
        let file = Format::Binary.write(&map, "").unwrap();
        let error = Format::Binary.read(&file).unwrap_err().to_string();
        assert!(error.ends_with(problem), "{error}");
    }
}
