//! Whole files: formats by name, errors by code, maps of the project and of others.

use crate::benchmarks;
use nav_formats::{Format, Position, Problem, movingai};
#[cfg(feature = "binary")]
use nav_grid::Grid;
use nav_grid::map::text::TextProblem;
use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn errors_by_code() {
    let error = Format::Text.read(b"...\n..\n").unwrap_err();
    let column = None;
    assert_eq!(error.position, Position::Line { line: 2, column });
    assert_eq!(
        error.problem,
        Problem::Rows(TextProblem::RowWidth {
            found: 2,
            expected: 3,
            authority: "first row"
        })
    );
}

#[test]
fn formats_by_extension() {
    assert_eq!(Format::from_extension("txt"), Some(Format::Text));
    assert_eq!(Format::from_extension("MAP"), Some(Format::MovingAi));
    assert_eq!(Format::from_extension(".map"), None);
    assert_eq!(Format::from_extension(""), None);
    for &format in Format::ALL {
        for extension in format.extensions() {
            assert_eq!(Format::from_extension(extension), Some(format));
        }
    }
}

#[cfg(feature = "binary")]
#[test]
fn place_by_byte() {
    let mut bytes = Format::Binary
        .write(&Grid::open(3, 3).unwrap().into(), "")
        .unwrap();
    bytes.truncate(bytes.len() - 1);
    let error = Format::Binary.read(&bytes).unwrap_err();
    assert!(matches!(error.position, Position::Byte(10)), "{error}");
    assert!(error.to_string().starts_with("byte 10: "), "{error}");
}

/// A pipe that nobody writes to is refused, and not waited for.
#[cfg(unix)]
#[test]
fn pipes_and_long_files() {
    let folder = std::env::temp_dir().join(format!("nav-formats-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    // A reader that opens the pipe gets its end, so that this fails and does not hang.
    let writer = pipe.clone();
    std::thread::spawn(move || fs::File::create(writer));
    fs::write(folder.join("map"), "...").unwrap();
    let read = |name: &str, most| {
        let read = nav_formats::read_regular_file(&folder.join(name), most);
        read.map_err(|error| error.to_string())
    };
    assert_eq!(read("pipe", 9).unwrap_err(), "it is no regular file");
    assert_eq!(read("map", 2).unwrap_err(), "it is longer than 0 MiB");
    assert_eq!(read("map", 3).unwrap(), b"...");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bundled_maps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    let paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!paths.is_empty());
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = Format::detect(extension, &bytes).unwrap();
        let map = format.read(&bytes).unwrap();
        let mut written_in = 0;
        for &format in Format::ALL {
            if !format.can_write() || !format.holds().contains(map.features()) {
                continue;
            }
            let file = format.write(&map, "A map.").unwrap();
            let again = format.read(&file).unwrap();
            assert_eq!(again.grid, map.grid, "{path:?} as {format}");
            written_in += 1;
        }
        assert!(written_in > 0, "{path:?}");
    }
}

/// All benchmark files that lie beside the project must parse.
#[test]
fn movingai_benchmarks() {
    let Some(maps) = benchmarks::files("map") else {
        return;
    };
    for path in maps {
        let bytes = fs::read(&path).unwrap();
        let grid = movingai::read(&bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let header = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        for line in [
            format!("height {}", grid.height()),
            format!("width {}", grid.width()),
        ] {
            assert!(header.lines().any(|found| found == line), "{path:?}");
        }
        assert!(grid.walkable_count() > 0, "{path:?}");
        let again = movingai::write(&grid);
        assert_eq!(movingai::read(again.as_bytes()), Ok(grid), "{path:?}");
    }
}
