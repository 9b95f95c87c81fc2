//! Reads map files, the bundled map, and maps generated for a run.

use crate::scenario::{FieldError, MapSource, any_of, draw};
use mapgen::GenerateError;
use nav_cli::{FILE_MAX, FileError, one_line, read_file};
use nav_formats::{
    CellLayer, Files, Format, MapFile, ParseError, ReadOptions, Warning, png, read_regular_file,
};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The error of a map that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The ending of a file name is not that of a map format.
    #[error("{}: the name of a map file must end in {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The known endings.
        known: String,
    },
    /// A file is no map.
    #[error("{}: {source}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// The error and its place.
        source: Box<ParseError>,
    },
    /// The fields of a map that is drawn or generated.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A map cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

impl MapError {
    fn parse(path: &Path, source: ParseError) -> Self {
        Self::Map {
            path: path.to_owned(),
            source: Box::new(source),
        }
    }
}

/// The bundled map, part of the program so that it runs from any folder.
const BUNDLED: &[u8] = include_bytes!("../../../assets/maps/mixed-512.txt");

/// Returns the map of [`Scenario::map`](crate::Scenario::map); the bundled one for `None`.
///
/// # Errors
///
/// As [`read`], or if a map cannot be generated or drawn. The check of a scenario finds the latter
/// earlier.
pub fn load(source: Option<&MapSource>) -> Result<MapFile, MapError> {
    match source {
        Some(MapSource::File(path)) => read(path),
        Some(MapSource::Generated {
            kind,
            percent,
            width,
            height,
            seed,
        }) => {
            let kind = MapSource::kind(kind, *percent)?;
            Ok(mapgen::generate(kind, *width, *height, *seed)?.into())
        }
        Some(MapSource::Drawn { floors, links }) => Ok(draw(floors, links)?.into()),
        None => parse(
            Format::Text,
            Path::new("the bundled map"),
            BUNDLED,
            &ReadOptions::default(),
        ),
    }
}

/// Greatest length of a file that a map refers to, in bytes.
///
/// Far above any tileset. A path in a map may name any file, such as an endless device.
const BESIDE_MAX: u64 = 64 << 20;

/// Reads a map file. The ending of its name gives the format. If several formats share an ending,
/// the content decides. `town.ldtk#Yard` is the level `Yard` of the project `town.ldtk`.
///
/// The exits of a picture `town.png` or `town.bmp` are those of `town.exits.png`, if that is beside
/// it. Its terrain classes and sight are in `town.classes.png` and `town.sight.png`. A warning
/// names layers in other pictures, such as `town.exits.bmp`: they are left out.
///
/// Files that the map refers to are read too, by their paths from its folder, up to 64 MiB each.
/// What the reader leaves out is printed on stderr, a line for each warning.
///
/// # Errors
///
/// The ending is unknown, the file cannot be read, or it is no map.
pub fn read(path: &Path) -> Result<MapFile, MapError> {
    let (file, _) = split_level(path);
    // An ending that is unknown is said before the file is opened.
    format_of(&file)?;
    let bytes = read_file(&file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let open = |beside: &str| read_regular_file(&folder.join(beside), BESIDE_MAX);
    let options = ReadOptions::default().with_files(Files::opened_by(&open));
    let (format, mut map) = parse_named(path, &bytes, options)?;
    if is_picture(format) {
        for layer in CellLayer::ALL {
            let path = layer_beside(&file, layer);
            if path.exists() {
                let bytes = read_regular_file(&path, FILE_MAX)
                    .map_err(|source| FileError::read(&path, source))?;
                let read = png::read_layer(&bytes, layer, &mut map.grid);
                read.map_err(|source| MapError::parse(&path, source))?;
            }
        }
        map.warnings.extend(layers_left_out(&file));
    }
    for warning in &map.warnings {
        let line = one_line(&format!("{}: {warning}", path.display()));
        // `eprintln!` would panic if stderr is closed.
        let _ = writeln!(io::stderr(), "warning: {line}");
    }
    Ok(map)
}

/// Returns whether a format is one of pictures, which keep layers in further files.
pub const fn is_picture(format: Format) -> bool {
    matches!(format, Format::Png | Format::Bmp)
}

/// Returns the file with a layer of a picture.
pub fn layer_beside(path: &Path, layer: CellLayer) -> PathBuf {
    path.with_extension(format!("{}.png", layer.name()))
}

/// Returns a warning for each file beside a picture that is named as a layer of it and not read:
/// `town.exits.bmp`, or `town.exits.PNG` where the case of names counts.
fn layers_left_out(path: &Path) -> Vec<Warning> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let (Some(stem), Ok(entries)) = (path.file_stem(), folder.read_dir()) else {
        return Vec::new();
    };
    let stem = stem.to_string_lossy().to_lowercase();
    let mut names: Vec<String> = (entries.filter_map(Result::ok))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    let mut warnings = Vec::new();
    for layer in CellLayer::ALL {
        let read = layer_beside(path, layer);
        let expected = read.file_name().unwrap_or_default().to_string_lossy();
        let start = format!("{stem}.{}.", layer.name());
        for file in &names {
            let lower = file.to_lowercase();
            let Some(ending) = lower.strip_prefix(&start) else {
                continue;
            };
            // A file system that ignores the case of names has read the PNG by another name.
            let is_read = *file == expected || ending == "png" && read.exists();
            if PICTURE_ENDINGS.contains(&ending) && !is_read {
                warnings.push(Warning::LayerBeside {
                    file: file.clone(),
                    expected: expected.to_string(),
                });
            }
        }
    }
    warnings
}

/// Endings of pictures that painting programs save. Other files beside a map are no layers.
const PICTURE_ENDINGS: [&str; 9] = [
    "png", "bmp", "dib", "gif", "jpg", "jpeg", "tga", "tif", "webp",
];

/// Splits the name of a level off a path.
fn split_level(path: &Path) -> (PathBuf, Option<String>) {
    // A name that is not UTF-8 cannot be split, and is that of a file then.
    let split = path.to_str().and_then(|path| path.rsplit_once('#'));
    if let Some((file, level)) = split
        && let Some(ending) = ending(Path::new(file))
        && ["ldtk", "json"]
            .iter()
            .any(|it| ending.eq_ignore_ascii_case(it))
    {
        return (file.into(), Some(level.to_owned()));
    }
    (path.to_owned(), None)
}

/// Returns the format of a file name.
///
/// # Errors
///
/// No format has this ending. The error lists the known endings.
pub fn format_of(path: &Path) -> Result<Format, MapError> {
    ending(path)
        .and_then(Format::from_extension)
        .ok_or_else(|| MapError::UnknownFormat {
            path: path.to_owned(),
            known: known_endings(),
        })
}

fn ending(path: &Path) -> Option<&str> {
    path.extension().and_then(|extension| extension.to_str())
}

/// Returns the known endings, such as `.txt, .map or .bitmap`.
fn known_endings() -> String {
    let endings: Vec<String> = (Format::ALL.iter())
        .flat_map(|format| format.extensions())
        .map(|ending| format!(".{ending}"))
        .collect();
    any_of(&endings)
}

/// Reads a map from memory, such as the upload of a browser. Files that it refers to are not looked
/// for.
///
/// # Errors
///
/// As [`read`].
pub fn of_bytes(name: &str, bytes: &[u8]) -> Result<MapFile, MapError> {
    let (_, map) = parse_named(Path::new(name), bytes, ReadOptions::default())?;
    Ok(map)
}

/// Reads the content of a map file by its name, which may name a level. Returns its format, too.
fn parse_named(
    path: &Path,
    bytes: &[u8],
    mut options: ReadOptions<'_>,
) -> Result<(Format, MapFile), MapError> {
    let (file, level) = split_level(path);
    let by_ending = format_of(&file)?;
    let format = Format::detect(ending(&file), bytes).unwrap_or(by_ending);
    options.level = level;
    Ok((format, parse(format, path, bytes, &options)?))
}

fn parse(
    format: Format,
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions<'_>,
) -> Result<MapFile, MapError> {
    let read = format.read_with(bytes, options);
    read.map_err(|source| MapError::parse(path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_map() {
        let grid = load(None).unwrap().grid;
        assert_eq!((grid.width(), grid.height()), (512, 512));
    }

    #[test]
    fn layers_beside_pictures() {
        let folder = std::env::temp_dir().join(format!("chase-layers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let grid = nav_grid::Grid::open(3, 2).unwrap();
        let mut ledge = grid.clone();
        let cell = nav_grid::Cell::new(1, 1);
        ledge.set_exits(cell, nav_grid::Directions::NONE).unwrap();
        let exits = png::write_layer(&ledge, CellLayer::Exits).unwrap();
        let picture = |format: Format| format.write(&grid.clone().into(), "").unwrap();
        // The picture, the file beside it, whether it is read, and whether it is warned of.
        let cases = [
            ("a.bmp", "a.exits.png", true, false),
            ("b.png", "b.exits.png", true, false),
            ("c.bmp", "c.exits.bmp", false, true),
            ("d.png", "d.sight.bmp", false, true),
            ("e.bmp", "e.classes.jpg", false, true),
            ("f.bmp", "f.exits.txt", false, false),
            ("g.bmp", "gg.exits.bmp", false, false),
            ("h.txt", "h.exits.bmp", false, false),
        ];
        for (map, beside, is_read, is_said) in cases {
            let format = format_of(Path::new(map)).unwrap();
            std::fs::write(folder.join(map), picture(format)).unwrap();
            std::fs::write(folder.join(beside), &exits).unwrap();
            let map = read(&folder.join(map)).unwrap();
            assert_eq!(map.grid == ledge, is_read, "{beside}");
            let said: Vec<String> = map.warnings.iter().map(ToString::to_string).collect();
            assert_eq!(said.len(), usize::from(is_said), "{beside}: {said:?}");
            assert!(said.iter().all(|said| said.contains(beside)), "{said:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn unknown_ending() {
        let error = read(Path::new("level.doc")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "level.doc: the name of a map file must end in .txt, .map, .bitmap, .navmesh, .png, \
             .bmp, .ldtk, .tmx, .tmj, .json or .navgrid"
        );
        assert!(format_of(Path::new("level")).is_err());
    }
}
