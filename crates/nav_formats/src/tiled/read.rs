//! Readers of maps in XML and JSON.

use super::{
    de::parse_xml,
    layers::{self, Known},
    model::{Around, Layer, Map, OF_GROUPS, OF_LAYERS, note_unknown, of_json},
    objects::{TILED, items},
    templates,
    tilesets::{self, Tilesets, cut_short},
    xml::place,
};
use crate::{
    editor::{Fault, LeftOut, Value},
    editor_names::EditorNames,
    error::{ParseError, Position, Problem, refuse},
    files::ReadOptions,
    map_file::MapFile,
    quote::quoted,
    warning::{Names, Warning},
};
use nav_grid::map::text::skip_mark;

/// Property of a layer that says what this reader makes of it, and its only value.
const NAV: &str = "nav";
const IGNORE: &str = "ignore";

/// Reads a map in XML, `.tmx`.
///
/// # Errors
///
/// [`ParseError`] if
///
/// - the file is no map, or its map is infinite, not orthogonal or too large,
/// - a layer, tile, property or link is invalid,
/// - an external tileset or a template is invalid, or was needed and not given,
/// - elements nest deeper than 32, or there are more than 50,000 objects, tiles and properties.
///
/// What is left out without an error is in [`MapFile::warnings`].
///
/// # Complexity
///
/// O(bytes). Takes at most 16 times the file and 64 MiB of memory.
pub fn read_tmx(bytes: &[u8], options: &ReadOptions<'_>) -> Result<MapFile, ParseError> {
    let bytes = skip_mark(bytes);
    to_map(parse_xml(bytes, "map")?, bytes, options)
}

/// Reads a map in JSON, `.tmj`.
///
/// # Errors
///
/// The same as [`read_tmx`]. Only invalid JSON has a position.
///
/// # Complexity
///
/// The same as [`read_tmx`].
pub fn read_tmj(bytes: &[u8], options: &ReadOptions<'_>) -> Result<MapFile, ParseError> {
    let bytes = skip_mark(bytes);
    to_map(of_json(bytes, "map")?, bytes, options)
}

/// Creates the map that a file describes. `bytes` are the file of the map, for lines in errors.
fn to_map(
    mut map: Map<'_>,
    bytes: &[u8],
    options: &ReadOptions<'_>,
) -> Result<MapFile, ParseError> {
    let default = EditorNames::tiled();
    let names = options.names.as_ref().unwrap_or(&default);
    let mut left_out = LayersLeftOut::default();
    note_unknown(&map.properties, &[], &mut left_out.properties, || {
        "the map".to_owned()
    });
    let mut sorted = Sorted::default();
    let on_top = std::mem::take(&mut map.layers);
    sorted.add(on_top, &Around::default(), &mut left_out)?;
    let size = layers::check(&map, &sorted.of_tiles)
        .map_err(|problem| at(bytes, (problem, map.offset)))?;
    let objects = sorted.of_objects.iter_mut();
    let of_templates = templates::open(objects.flat_map(|it| &mut it.objects), &options.files)?;
    let mut tilesets = Tilesets {
        of_map: tilesets::open(map.tilesets, &options.files)?,
        of_templates: tilesets::open(of_templates, &options.files)?,
    };
    tilesets.of_map.sort_by_key(|tileset| tileset.first_gid);

    let known = left_out.known(&sorted.of_tiles, names);
    let painted = known.and_then(|it| layers::grid(size, &it, &tilesets, names, bytes.len()));
    let grid = painted.map_err(|(problem, offset)| at(bytes, (problem, offset.or(map.offset))))?;
    let tile = [map.tilewidth, map.tileheight].map(f64::from);
    let items = items(sorted.of_objects, &tilesets, tile)?;
    let (mut shapes, mut missing) = (Names::default(), Vec::new());
    for tileset in tilesets.of_map.into_iter().chain(tilesets.of_templates) {
        left_out.properties.append(tileset.unknown);
        if tileset.has_collision_shapes {
            shapes.add(format_args!("'{}'", quoted(tileset.name)));
        }
        missing.extend(tileset.missing.map(Warning::File));
    }
    let read = left_out.finish().map(grid, items, names, &TILED);
    let mut file = read.map_err(|(problem, offset)| at(bytes, (problem, offset.or(map.offset))))?;
    shapes.warn(&mut file.warnings, |tilesets| Warning::CollisionShapes {
        tilesets,
    });
    file.warnings.extend(missing);
    Ok(file)
}

/// Returns an error at an offset in the file of the map.
fn at(bytes: &[u8], (problem, offset): Fault) -> ParseError {
    problem.at(offset.map_or(Position::Unknown, |offset| place(bytes, offset)))
}

/// Layers taken out of their groups; ignored ones are gone.
#[derive(Default)]
struct Sorted<'a> {
    of_tiles: Vec<Layer<'a>>,
    of_objects: Vec<Layer<'a>>,
}

impl<'a> Sorted<'a> {
    /// Adds layers in the order of the file. Recurses as deep as the parser did, which has a limit.
    fn add(
        &mut self,
        layers: Vec<Layer<'a>>,
        around: &Around,
        left_out: &mut LayersLeftOut,
    ) -> Result<(), Problem> {
        for mut layer in layers {
            layer.around = inside(around, &layer)?;
            let known = match layer.kind.as_str() {
                "tilelayer" => OF_LAYERS,
                _ => OF_GROUPS,
            };
            if layer.around.is_ignored {
                continue;
            }
            note_unknown(&layer.properties, known, &mut left_out.properties, || {
                format!("layer '{}'", quoted(&layer.name))
            });
            match layer.kind.as_str() {
                "tilelayer" => self.of_tiles.push(layer),
                "objectgroup" => self.of_objects.push(layer),
                "group" => {
                    let inner = std::mem::take(&mut layer.layers);
                    self.add(inner, &layer.around, left_out)?;
                }
                "" => {
                    refuse!(
                        Value,
                        "layer '{}' has no type; expected one that Tiled writes, such as 'tilelayer'",
                        quoted(&layer.name)
                    );
                }
                other => {
                    let kind = match other {
                        "imagelayer" => "image layer".to_owned(),
                        other => quoted(other),
                    };
                    let name = quoted(&layer.name);
                    left_out.others.add(format_args!("{kind} '{name}'"));
                }
            }
        }
        Ok(())
    }
}

/// Returns what holds in a layer.
fn inside(around: &Around, layer: &Layer<'_>) -> Result<Around, Problem> {
    let is_ignored = match layer.properties.get(NAV) {
        None => false,
        Some(Value::Text(text)) if text.eq_ignore_ascii_case(IGNORE) => true,
        Some(other) => return Err(layer.wrong(NAV, other, &format!("the text '{IGNORE}'"))),
    };
    let floor = layer.properties.get("floor").unwrap_or(&around.floor);
    Ok(Around {
        floor: cut_short(floor.clone()),
        is_shifted: around.is_shifted || [layer.offsetx, layer.offsety] != [0.0, 0.0],
        is_ignored,
    })
}

/// Layers that are not read, and their parts, for warnings.
#[derive(Default)]
struct LayersLeftOut {
    /// Layers of tiles without a meaning.
    decoration: Names,
    /// Layers of other kinds.
    others: Names,
    /// Parts that Tiled shows elsewhere.
    shifted: Names,
    /// Properties of the map and of layers that mean nothing there.
    properties: Names,
}

impl LayersLeftOut {
    /// Returns the layers of tiles that have a meaning.
    ///
    /// # Errors
    ///
    /// A property of a layer has a wrong value; with its offset.
    fn known<'m>(
        &mut self,
        layers: &'m [Layer<'m>],
        names: &EditorNames,
    ) -> Result<Vec<Known<'m>>, Fault> {
        let mut list = Vec::new();
        for layer in layers {
            let known = Known::of(layer, names).map_err(|problem| (problem, layer.offset))?;
            let Some(known) = known else {
                (self.decoration).add(format_args!("tile layer '{}'", quoted(&layer.name)));
                continue;
            };
            if layer.around.is_shifted {
                (self.shifted).add(format_args!("layer '{}'", quoted(&layer.name)));
            }
            list.push(known);
        }
        Ok(list)
    }

    /// Returns what was left out with the warnings about layers.
    fn finish(mut self) -> LeftOut {
        let mut about_layers = Vec::new();
        self.decoration.append(self.others);
        (self.decoration).warn(&mut about_layers, |layers| Warning::Layers {
            layers,
            hint: "a layer's name or its bool property 'walkable' gives it one, and its string property \
                   'nav' with the value 'ignore' silences this",
        });
        LeftOut {
            about_layers,
            shifted: self.shifted,
            properties: self.properties,
        }
    }
}
