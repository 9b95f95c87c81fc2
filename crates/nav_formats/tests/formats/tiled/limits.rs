//! Limits of what a map may have, and options.

use super::*;
use nav_formats::{EditorNames, Files, MapFile};
use nav_judge::frugally;
use std::{cell::RefCell, fmt::Write as _, io};

const TOO_MANY: &str = "more than 50000 objects, tiles and values of properties; expected fewer";

/// Returns the error of a map with limited memory, without its position.
#[track_caller]
fn refused(map: &str, files: Files<'_>) -> String {
    let options = ReadOptions::default().with_files(files);
    let read = frugally(map.as_bytes(), |bytes| tiled::read_tmx(bytes, &options));
    read.unwrap_err().problem.to_string()
}

/// Returns elements with the numbers from 1 on in place of `#`.
fn numbered(element: &str, count: usize) -> String {
    let mut all = String::new();
    for number in 1..=count {
        write!(all, "{}", element.replace('#', &number.to_string())).unwrap();
    }
    all
}

#[test]
fn names_by_options() {
    let mut names = EditorNames::tiled();
    names.blocked = vec!["Mauern".to_owned()];
    let options = ReadOptions::default().with_names(names);
    let map = map(["", "Mauern", ""]);
    assert_eq!(grid_of_tmx(&map, &options), Ok(yard()));
}

#[test]
fn files_opened_on_demand() {
    let asked = RefCell::new(Vec::new());
    let open = |path: &str| {
        asked.borrow_mut().push(path.to_owned());
        Err(io::Error::from(io::ErrorKind::NotFound))
    };
    let source = r#"<tileset firstgid="1" source="../sets/ground.tsx"/>"#;
    let read = |name| -> Result<MapFile, String> {
        let options = ReadOptions::default().with_files(Files::opened_by(&open));
        let read = tiled::read_tmx(map([source, name, ""]).as_bytes(), &options);
        read.map_err(|error| error.problem.to_string())
    };
    assert_eq!(read("walls").unwrap().warnings.len(), 1);
    assert_eq!(
        read("cost").unwrap_err(),
        "layer 'cost' needs its tileset: the file '../sets/ground.tsx' does not exist; expected it at \
         this path from the map's folder"
    );
    assert_eq!(asked.into_inner(), ["../sets/ground.tsx"; 2]);
}

#[test]
fn many_files() {
    let asked = RefCell::new(0);
    let open = |_: &str| {
        *asked.borrow_mut() += 1;
        Err(io::Error::from(io::ErrorKind::NotFound))
    };
    let sets = numbered(r##"<tileset firstgid="#" source="#.tsx"/>"##, 5000);
    assert_eq!(
        refused(&map([&sets, "walls", ""]), Files::opened_by(&open)),
        "more than 256 external tilesets"
    );
    assert_eq!(asked.replace(0), 256);
    let objects = numbered(r##"<object id="#" type="tree" template="#.tx"/>"##, 5000);
    let objects = format!("<objectgroup>{objects}</objectgroup>");
    assert_eq!(
        refused(&map(["", "walls", &objects]), Files::opened_by(&open)),
        "more than 256 templates"
    );
    assert_eq!(asked.into_inner(), 256);
}

#[test]
fn long_templates() {
    let long = format!(
        "<template><object type=\"{}\"/></template>",
        "link".repeat(200_000)
    );
    let objects = numbered(r##"<object id="#" template="long.tx"/>"##, 40_000);
    let objects = format!("<objectgroup>{objects}</objectgroup>");
    let files = Files::default().with("long.tx", long);
    assert_eq!(refused(&map(["", "walls", &objects]), files), TOO_MANY);
}

#[test]
fn long_classes_of_tiles() {
    let tile = format!("<tile id=\"1\" type=\"{}\"/>", "Door".repeat(50_000));
    let set = format!("<tileset firstgid=\"1\" name=\"doors\">{tile}</tileset>");
    let objects = numbered(r##"<object id="#" gid="2" x="0" y="16"/>"##, 20_000);
    let objects = format!("<objectgroup>{objects}</objectgroup>");
    let map = map([&set, "walls", &objects]);
    assert_eq!(refused(&map, Files::default()), TOO_MANY);
}

#[test]
fn nested_or_many_elements() {
    for (content, sentence) in [
        (
            "<group>".repeat(100_000),
            "elements nest deeper than 32; expected fewer groups within groups",
        ),
        (
            format!("<objectgroup>{}</objectgroup>", "<object/>".repeat(60_000)),
            TOO_MANY,
        ),
    ] {
        let map = map(["", "walls", &content]);
        assert_eq!(refused(&map, Files::default()), sentence);
    }
}
