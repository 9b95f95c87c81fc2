//! Maps in XML, through the `tiled` crate.

use super::{
    error::{TiledError, place},
    model::{self, Data, Object, Properties, TileLayer, TiledMap, Tileset, Value},
    scan::{Scan, ScannedLayer, scan, syntax},
};
use std::{borrow::Cow, collections::BTreeMap, io, path::Path};
use tiled::{LayerType, Loader, ObjectShape, PropertyValue, ResourceReader};

/// Reads the parts of a map that are used here.
pub(crate) fn read(bytes: &[u8]) -> Result<TiledMap<'_>, TiledError> {
    let scanned = scan(bytes, "map")?;
    let map = Loader::with_reader(Only(&scanned.skeleton))
        .load_tmx_map("map.tmx")
        .map_err(|error| syntax(&error).at(Some(place(bytes, scanned.root))))?;

    let tilesets = (scanned.tilesets.iter().zip(map.tilesets()))
        .map(|(scanned, tileset)| Tileset {
            first_gid: scanned.first_gid,
            name: tileset.name.clone(),
            source: scanned.source.clone(),
            costs: costs(tileset),
            tile_size: scanned.tile_size,
            alignment: scanned.alignment.clone(),
        })
        .collect();
    let mut walk = XmlWalk {
        scanned: &scanned,
        layers: Vec::new(),
        objects: Vec::new(),
    };
    walk.layers(map.layers(), Value::Int(0));
    let XmlWalk {
        layers, objects, ..
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
        layers,
        objects,
    })
}

/// Reads an external tileset.
pub(crate) fn read_tileset(bytes: &[u8]) -> Result<Tileset, TiledError> {
    let scanned = scan(bytes, "tileset")?;
    let tileset = Loader::with_reader(Only(&scanned.skeleton))
        .load_tsx_tileset("tileset.tsx")
        .map_err(|error| syntax(&error).at(Some(place(bytes, scanned.root))))?;
    // The root is the only tileset of the file.
    let own = scanned.tilesets.into_iter().next();
    let (tile_size, alignment) = own
        .map(|own| (own.tile_size, own.alignment))
        .unwrap_or_default();
    Ok(Tileset {
        first_gid: 1,
        name: tileset.name.clone(),
        source: None,
        costs: costs(&tileset),
        tile_size,
        alignment,
    })
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

fn costs(tileset: &tiled::Tileset) -> BTreeMap<u32, i64> {
    tileset
        .tiles()
        .filter_map(|(id, tile)| Some((id, model::cost_of(&properties(&tile.properties))?)))
        .collect()
}

fn properties(read: &tiled::Properties) -> Properties {
    let value = |value: &PropertyValue| match value {
        PropertyValue::IntValue(number) => Value::Int(i64::from(*number)),
        PropertyValue::ObjectValue(id) => Value::Int(i64::from(*id)),
        PropertyValue::BoolValue(flag) => Value::Bool(*flag),
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
}

impl XmlWalk<'_, '_> {
    fn layers<'m>(&mut self, layers: impl Iterator<Item = tiled::Layer<'m>>, around: Value) {
        for layer in layers {
            let properties = properties(&layer.properties);
            let floor = model::floor_of(&properties, around);
            match layer.layer_type() {
                LayerType::Tiles(_) => {
                    // The scan saw the same layers in the same order.
                    if let Some(scanned) = self.scanned.layers.get(self.layers.len()) {
                        self.layers.push(TileLayer {
                            offset: Some(scanned.offset),
                            name: layer.name.clone(),
                            width: scanned.width,
                            height: scanned.height,
                            walkable: model::walkable_of(&properties),
                            floor,
                            data: data(scanned),
                        });
                    }
                }
                LayerType::Objects(group) => {
                    for object in group.objects() {
                        self.object(&object, floor);
                    }
                }
                LayerType::Group(group) => self.layers(group.layers(), floor),
                LayerType::Image(_) => {}
            }
        }
    }

    fn object(&mut self, object: &tiled::ObjectData, floor: Value) {
        // The scan saw the same objects in the same order.
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
            x: f64::from(object.x),
            y: f64::from(object.y),
            width: scanned.width,
            height: scanned.height,
            rotation: scanned.rotation,
            gid: scanned.gid,
            has_cell,
            floor,
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
