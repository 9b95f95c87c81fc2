//! Maps in XML, through the `tiled` crate.

use super::{
    error::{TiledError, TiledProblem, place},
    left_out::{LeftOut, OF_GROUPS, OF_LAYERS},
    model::{Around, Data, Object, Properties, Template, TileLayer, TiledMap, Tileset, Value},
    scan::{Scan, ScannedLayer, ScannedTileset, scan, syntax},
};
use crate::quote::quoted;
use std::{borrow::Cow, collections::BTreeMap, io, path::Path, sync::Arc};
use tiled::{LayerType, Loader, ObjectShape, PropertyValue, ResourceReader};

/// Reads the parts of a map that are used here.
pub(crate) fn read(bytes: &[u8]) -> Result<TiledMap<'_>, TiledError> {
    let scanned = scan(bytes, "map")?;
    let map = Loader::with_reader(Only(&scanned.skeleton))
        .load_tmx_map("map.tmx")
        .map_err(|error| syntax(&error).at(Some(place(bytes, scanned.root))))?;

    let tilesets = (scanned.tilesets.iter().zip(map.tilesets()))
        .map(|(scanned, tileset)| self::tileset(scanned, tileset))
        .collect();
    let mut walk = XmlWalk::of(&scanned);
    (walk.left_out).note_properties(&properties(&map.properties), &[], || "the map".to_owned());
    walk.layers(map.layers(), &Around::MAP)
        .map_err(TiledProblem::anywhere)?;
    let XmlWalk {
        layers,
        objects,
        left_out,
        ..
    } = walk;
    Ok(TiledMap {
        offset: Some(scanned.root),
        width: map.width,
        height: map.height,
        tile_width: map.tile_width,
        tile_height: map.tile_height,
        infinite: map.infinite(),
        orientation: map.orientation.to_string(),
        tilesets,
        template_tilesets: Vec::new(),
        layers,
        objects,
        left_out,
    })
}

/// Reads an external tileset.
pub(crate) fn read_tileset(bytes: &[u8]) -> Result<Tileset, TiledError> {
    let scanned = scan(bytes, "tileset")?;
    let tileset = Loader::with_reader(Only(&scanned.skeleton))
        .load_tsx_tileset("tileset.tsx")
        .map_err(|error| syntax(&error).at(Some(place(bytes, scanned.root))))?;
    // The root is the first tileset of the file, and the only one.
    match scanned.tilesets.first() {
        Some(own) => Ok(self::tileset(own, &tileset)),
        None => Err(syntax(&"no tileset").anywhere()),
    }
}

/// Reads a template.
pub(crate) fn read_template(bytes: &[u8]) -> Result<Template, TiledError> {
    let scanned = scan(bytes, "template")?;
    let map = Loader::with_reader(Only(&scanned.skeleton))
        .load_tmx_map("template.tmx")
        .map_err(|error| syntax(&error).at(Some(place(bytes, scanned.root))))?;
    let mut walk = XmlWalk::of(&scanned);
    walk.layers(map.layers(), &Around::MAP)
        .map_err(TiledProblem::anywhere)?;
    let object = walk.objects.pop();
    let tileset = scanned.tilesets.first().map(ScannedTileset::unread);
    match object {
        Some(object) => Ok(Template { object, tileset }),
        None => Err(syntax(&"no object").anywhere()),
    }
}

impl ScannedTileset {
    /// Returns the tileset without what its tiles say.
    fn unread(&self) -> Tileset {
        Tileset {
            first_gid: self.first_gid,
            name: String::new(),
            source: self.source.clone(),
            values: BTreeMap::new(),
            classes: BTreeMap::new(),
            tile_size: self.tile_size,
            alignment: self.alignment.clone(),
            missing: None,
            left_out: LeftOut::default(),
        }
    }
}

fn tileset(scanned: &ScannedTileset, read: &tiled::Tileset) -> Tileset {
    let mut tileset = Tileset {
        name: read.name.clone(),
        ..scanned.unread()
    };
    if scanned.has_collision_shapes {
        let name = quoted(&read.name);
        (tileset.left_out.collision_shapes).add(format_args!("'{name}'"));
    }
    for (id, tile) in read.tiles() {
        tileset.add_tile(id, tile.user_type.clone(), properties(&tile.properties));
    }
    tileset
}

/// File system with a single file. A skeleton refers to no others.
struct Only<'s>(&'s [u8]);

impl<'s> ResourceReader for Only<'s> {
    type Resource = &'s [u8];
    type Error = io::Error;

    fn read_from(&mut self, _: &Path) -> io::Result<&'s [u8]> {
        Ok(self.0)
    }
}

/// Returns properties, of which the scan made texts with their types in front.
fn properties(read: &tiled::Properties) -> Properties {
    let value = |value: &PropertyValue| match value {
        PropertyValue::StringValue(value) => match value.split_once(' ') {
            Some((kind, text)) => Value::of_text(kind, text),
            None => Value::Other,
        },
        _ => Value::Other,
    };
    read.iter()
        .map(|(name, it)| (name.clone(), value(it)))
        .collect()
}

/// Walk through layers and groups in the order of the file.
struct XmlWalk<'a, 's> {
    scanned: &'s Scan<'a>,
    layers: Vec<TileLayer<'a>>,
    objects: Vec<Object>,
    /// Number of groups so far, and of layers that stand as groups.
    groups: usize,
    left_out: LeftOut,
}

impl<'a, 's> XmlWalk<'a, 's> {
    fn of(scanned: &'s Scan<'a>) -> Self {
        Self {
            scanned,
            layers: Vec::new(),
            objects: Vec::new(),
            groups: 0,
            left_out: LeftOut::default(),
        }
    }

    /// Walks layers. The scan saw the same layers, objects and groups in the same order.
    fn layers<'m>(
        &mut self,
        layers: impl Iterator<Item = tiled::Layer<'m>>,
        around: &Around,
    ) -> Result<(), TiledProblem> {
        for layer in layers {
            let properties = properties(&layer.properties);
            let offset = [layer.offset_x, layer.offset_y].map(f64::from);
            let inside = around.inside(&layer.name, &properties, offset)?;
            let known = match layer.layer_type() {
                LayerType::Tiles(_) => OF_LAYERS,
                _ => OF_GROUPS,
            };
            if !inside.ignored {
                let owner = || format!("layer '{}'", quoted(&layer.name));
                self.left_out.note_properties(&properties, known, owner);
            }
            match layer.layer_type() {
                LayerType::Tiles(_) => {
                    if let Some(scanned) = self.scanned.layers.get(self.layers.len()) {
                        self.layers.push(TileLayer {
                            offset: Some(scanned.offset),
                            name: layer.name.clone(),
                            width: scanned.width,
                            height: scanned.height,
                            properties,
                            floor: inside.floor,
                            shifted: inside.shifted,
                            ignored: inside.ignored,
                            data: data(scanned),
                        });
                    }
                }
                LayerType::Objects(group) => {
                    let name = Arc::from(layer.name.as_str());
                    for object in group.objects() {
                        self.object(&object, &name, &inside);
                    }
                }
                LayerType::Group(group) => {
                    let other = self.scanned.groups.get(self.groups);
                    self.groups += 1;
                    if let Some(Some(other)) = other {
                        if !inside.ignored {
                            let name = quoted(&layer.name);
                            (self.left_out.layers).add(format_args!("{other} '{name}'"));
                        }
                    } else {
                        self.layers(group.layers(), &inside)?;
                    }
                }
                // The scan makes groups of them.
                LayerType::Image(_) => {}
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &tiled::ObjectData, layer: &Arc<str>, around: &Around) {
        let Some(scanned) = self.scanned.objects.get(self.objects.len()) else {
            return;
        };
        let has_cell = matches!(
            object.shape,
            ObjectShape::Point(..) | ObjectShape::Rect { .. }
        );
        self.objects.push(Object {
            offset: Some(scanned.offset),
            id: object.id(),
            class: object.user_type.clone(),
            name: object.name.clone(),
            layer: layer.clone(),
            x: f64::from(object.x),
            y: f64::from(object.y),
            width: scanned.width,
            height: scanned.height,
            rotation: scanned.rotation,
            gid: scanned.gid,
            template_tileset: None,
            has_cell,
            floor: around.floor.clone(),
            shifted: around.shifted,
            ignored: around.ignored,
            template: scanned.template.clone(),
            missing: None,
            properties: properties(&object.properties),
        });
    }
}

fn data<'a>(layer: &ScannedLayer<'a>) -> Data<'a> {
    let compression = layer.compression.clone().unwrap_or_default();
    match layer.encoding.as_deref() {
        Some("csv") if compression.is_empty() => Data::Csv(layer.text),
        Some("base64") => Data::Base64 {
            text: Cow::Borrowed(layer.text),
            compression,
        },
        Some(encoding) => Data::Unknown(format!("{encoding} {compression}")),
        None => Data::Unknown("XML elements".to_owned()),
    }
}
