//! Checks of the XML before the `tiled` crate reads it.
//!
//! That crate reserves memory according to `tilecount` and unpacks compressed layers without a
//! limit. It recurses as deep as groups nest, and panics if a layer has fewer tiles than its size
//! says. So this scan passes on a skeleton: only the elements that are used here, within limits.
//! The tiles of layers are left out of the skeleton and decoded by this crate.

use super::{
    attributes::Attributes,
    error::{TiledError, TiledProblem, place},
    model::{FLAGS, start_of},
};
use crate::quote::{quoted, said};
use quick_xml::{
    Reader, Writer,
    escape::escape,
    events::{BytesEnd, BytesStart, BytesText, Event},
};
use std::borrow::Cow;

/// Greatest depth of nested elements. A guess, which bounds the recursion of the `tiled` crate.
const DEPTH_MAX: usize = 32;
/// Greatest number of elements. A guess: the `tiled` crate takes a few hundred bytes for each.
pub(crate) const ELEMENTS_MAX: usize = 50_000;

/// Bytes of text that count as an element where many parts of a map may copy one text.
///
/// A guess: about what an element takes. Without a limit, many objects could each copy a long text.
const ELEMENT_BYTES: usize = 64;

/// Returns how many elements a copy of a text counts as.
pub(crate) const fn elements(bytes: usize) -> usize {
    1 + bytes / ELEMENT_BYTES
}

/// Map in whose skeleton a template stands.
const AROUND: [&[u8]; 2] = [
    b"<map version=\"1.10\" orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"1\" \
      tileheight=\"1\" infinite=\"0\">",
    b"</map>",
];

/// Result of a scan.
pub(crate) struct Scan<'a> {
    /// File reduced to the elements in use, without the tiles of layers.
    pub(crate) skeleton: Vec<u8>,
    /// Offset of the root element.
    pub(crate) root: usize,
    pub(crate) tilesets: Vec<ScannedTileset>,
    /// Layers of tiles in the order of the file, which is the order of a walk through groups.
    pub(crate) layers: Vec<ScannedLayer<'a>>,
    /// Objects of object layers, in the same order.
    pub(crate) objects: Vec<ScannedObject>,
    /// Groups, in the same order: `None`, or what a layer of another kind is, as `image layer`, since
    /// it stands as a group in the skeleton.
    pub(crate) groups: Vec<Option<String>>,
}

pub(crate) struct ScannedObject {
    pub(crate) offset: usize,
    /// Global number of a tile object's tile, without flags.
    pub(crate) gid: Option<u32>,
    pub(crate) width: Option<f64>,
    pub(crate) height: Option<f64>,
    pub(crate) rotation: Option<f64>,
    pub(crate) template: Option<String>,
}

pub(crate) struct ScannedTileset {
    pub(crate) first_gid: u32,
    pub(crate) source: Option<String>,
    pub(crate) tile_size: [u32; 2],
    pub(crate) alignment: String,
    pub(crate) has_collision_shapes: bool,
}

pub(crate) struct ScannedLayer<'a> {
    pub(crate) offset: usize,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) encoding: Option<String>,
    pub(crate) compression: Option<String>,
    pub(crate) text: &'a [u8],
}

/// Kind of an element, by its name and its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    Template,
    Tileset,
    Tile,
    Layer,
    Data,
    Group,
    ObjectGroup,
    Object,
    Point,
    Shape,
    Properties,
    Property,
    CollisionShapes,
    /// Layer of another kind than tiles and objects.
    OtherLayer,
    Skipped,
}

impl Kind {
    fn of(name: &[u8], parent: Option<Self>) -> Self {
        match (parent, name) {
            (None, b"map") => Self::Map,
            (None, b"template") => Self::Template,
            (None | Some(Self::Map | Self::Template), b"tileset") => Self::Tileset,
            (Some(Self::Tileset), b"tile") => Self::Tile,
            (Some(Self::Map | Self::Group), b"layer") => Self::Layer,
            (Some(Self::Map | Self::Group), b"group") => Self::Group,
            (Some(Self::Map | Self::Group), b"objectgroup") => Self::ObjectGroup,
            (Some(Self::Layer), b"data") => Self::Data,
            (Some(Self::ObjectGroup | Self::Template), b"object") => Self::Object,
            (Some(Self::Object), b"point") => Self::Point,
            (Some(Self::Object), b"ellipse" | b"capsule" | b"polygon" | b"polyline" | b"text") => {
                Self::Shape
            }
            (
                Some(
                    Self::Map
                    | Self::Tile
                    | Self::Layer
                    | Self::Group
                    | Self::OtherLayer
                    | Self::ObjectGroup
                    | Self::Object,
                ),
                b"properties",
            ) => Self::Properties,
            (Some(Self::Properties), b"property") => Self::Property,
            (Some(Self::Tile), b"objectgroup") => Self::CollisionShapes,
            (Some(Self::Map), b"editorsettings") => Self::Skipped,
            (Some(Self::Map | Self::Group), _) => Self::OtherLayer,
            _ => Self::Skipped,
        }
    }

    /// Returns the name of the element in the skeleton.
    const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Map => "map",
            Self::Tileset => "tileset",
            Self::Tile => "tile",
            Self::Layer => "layer",
            Self::Group | Self::OtherLayer => "group",
            // The `tiled` crate reads a template as the layer of objects of a map, see `AROUND`.
            Self::ObjectGroup | Self::Template => "objectgroup",
            Self::Object => "object",
            Self::Point => "point",
            // The kind of shape does not matter, and this one has no attributes.
            Self::Shape => "ellipse",
            Self::Properties => "properties",
            Self::Property => "property",
            Self::Data | Self::CollisionShapes | Self::Skipped => return None,
        })
    }

    /// Returns the attributes that are used here or that the `tiled` crate requires.
    const fn attributes(self) -> &'static [&'static str] {
        match self {
            Self::Map => &[
                "version",
                "orientation",
                "width",
                "height",
                "tilewidth",
                "tileheight",
                "infinite",
            ],
            Self::Tile => &["id", "type", "class"],
            Self::Layer => &["name", "width", "height", "offsetx", "offsety"],
            Self::Group | Self::OtherLayer | Self::ObjectGroup => &["name", "offsetx", "offsety"],
            Self::Tileset | Self::Property => &["name"],
            Self::Object => &["id", "name", "type", "class", "x", "y", "width", "height"],
            Self::Template
            | Self::Data
            | Self::Point
            | Self::Shape
            | Self::Properties
            | Self::CollisionShapes
            | Self::Skipped => &[],
        }
    }
}

/// Scans a file whose root must be `root`.
pub(crate) fn scan<'a>(bytes: &'a [u8], root: &'static str) -> Result<Scan<'a>, TiledError> {
    let mut scanner = Scanner {
        bytes,
        out: Writer::new(Vec::new()),
        stack: Vec::new(),
        elements: 0,
        text_type: None,
        found: Scan {
            skeleton: Vec::new(),
            root: 0,
            tilesets: Vec::new(),
            layers: Vec::new(),
            objects: Vec::new(),
            groups: Vec::new(),
        },
    };
    let mut reader = Reader::from_reader(bytes);
    loop {
        let before = reader.buffer_position();
        // The reader consumes the bracket of a tag along with the text before it.
        let offset = match bytes.get(before) {
            Some(b'<') => before,
            _ => before.saturating_sub(1),
        };
        let event = reader
            .read_event()
            .map_err(|error| syntax(&error).at(Some(place(bytes, reader.buffer_position()))))?;
        match event {
            Event::Start(tag) => scanner.open(&tag, offset, root)?,
            Event::Empty(tag) => {
                scanner.open(&tag, offset, root)?;
                if scanner.close() {
                    break;
                }
            }
            Event::End(_) => {
                if scanner.close() {
                    break;
                }
            }
            Event::Text(text) => {
                scanner.property_text(&text);
                scanner.tiles(text.into_inner());
            }
            Event::CData(text) => {
                let escaped = escape(&String::from_utf8_lossy(&text)).into_owned();
                scanner.property_text(escaped.as_bytes());
                scanner.tiles(text.into_inner());
            }
            Event::DocType(_) => {
                return Err(TiledProblem::DocumentType.at(Some(place(bytes, offset))));
            }
            Event::Eof => {
                let found = "the file ends before its root element does".to_owned();
                return Err(TiledProblem::Syntax {
                    language: "XML",
                    found,
                }
                .at(Some(place(bytes, bytes.len()))));
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    let mut found = scanner.found;
    found.skeleton = scanner.out.into_inner();
    if root == "template" {
        let [before, behind] = AROUND;
        found.skeleton = [before, &found.skeleton, behind].concat();
    }
    Ok(found)
}

pub(crate) fn syntax(error: &dyn std::fmt::Display) -> TiledProblem {
    TiledProblem::Syntax {
        language: "XML",
        found: said(error),
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    out: Writer<Vec<u8>>,
    stack: Vec<Kind>,
    elements: usize,
    /// Type of the last property, if the text in it is its value.
    text_type: Option<String>,
    found: Scan<'a>,
}

impl<'a> Scanner<'a> {
    fn open(
        &mut self,
        tag: &BytesStart<'a>,
        offset: usize,
        root: &'static str,
    ) -> Result<(), TiledError> {
        let bytes = self.bytes;
        let here = |problem: TiledProblem| problem.at(Some(place(bytes, offset)));
        let name = tag.local_name();
        if self.stack.is_empty() {
            if name.as_ref() != root.as_bytes() {
                let found = quoted(String::from_utf8_lossy(name.as_ref()));
                let expected = root;
                return Err(here(TiledProblem::Root { found, expected }));
            }
            self.found.root = offset;
        }
        if self.stack.len() >= DEPTH_MAX {
            return Err(here(TiledProblem::TooDeep { max: DEPTH_MAX }));
        }
        let kind = Kind::of(name.as_ref(), self.stack.last().copied());
        if let Some(name) = kind.name() {
            self.elements += 1;
            if self.elements > ELEMENTS_MAX {
                return Err(here(TiledProblem::TooManyElements { max: ELEMENTS_MAX }));
            }
            let copy = self.copy(tag, kind, name, offset).map_err(here)?;
            // Writing to a vector does not fail.
            let _ = self.out.write_event(Event::Start(copy));
            if kind == Kind::Property
                && let Some(kind) = &self.text_type
            {
                let start = format!("{kind} ");
                let _ = self.out.write_event(Event::Text(BytesText::new(&start)));
            }
        } else if kind == Kind::Data
            && let Some(layer) = self.found.layers.last_mut()
        {
            let attributes = Attributes::of(tag, &["encoding", "compression"]).map_err(here)?;
            layer.encoding = attributes.get("encoding").map(str::to_owned);
            layer.compression = attributes.get("compression").map(str::to_owned);
        } else if kind == Kind::CollisionShapes
            && let Some(tileset) = self.found.tilesets.last_mut()
        {
            tileset.has_collision_shapes = true;
        }
        self.stack.push(kind);
        Ok(())
    }

    /// Adds the value of a property to its tag: the type and the value, as one text.
    ///
    /// The `tiled` crate would refuse types that it does not know and colours that are empty, and cut
    /// numbers to 32 bits.
    fn value(
        &mut self,
        tag: &BytesStart<'a>,
        copy: &mut BytesStart<'_>,
    ) -> Result<(), TiledProblem> {
        let attributes = Attributes::of(tag, &["type", "value"])?;
        let named = attributes.get("type").unwrap_or("string");
        // The first space ends the type.
        let kind = named.split(' ').next().unwrap_or_default();
        self.text_type = None;
        match attributes.get("value") {
            Some(value) => copy.push_attribute(("value", format!("{kind} {value}").as_str())),
            // Text of several lines is the content of the element.
            None => self.text_type = Some(kind.to_owned()),
        }
        Ok(())
    }

    /// Builds the tag for the skeleton. Records what is left out of it.
    fn copy(
        &mut self,
        tag: &BytesStart<'a>,
        kind: Kind,
        name: &'static str,
        offset: usize,
    ) -> Result<BytesStart<'static>, TiledProblem> {
        let attributes = Attributes::of(tag, kind.attributes())?;
        let mut copy = BytesStart::new(name);
        for (key, value) in &attributes.0 {
            copy.push_attribute((*key, value.as_str()));
        }
        match kind {
            Kind::Property => self.value(tag, &mut copy)?,
            Kind::Group => self.found.groups.push(None),
            Kind::OtherLayer => {
                let element = tag.local_name();
                let other = match element.as_ref() {
                    b"imagelayer" => "image layer".to_owned(),
                    other => quoted(String::from_utf8_lossy(other)),
                };
                self.found.groups.push(Some(other));
            }
            Kind::Tileset => {
                let own = Attributes::of(
                    tag,
                    &[
                        "firstgid",
                        "source",
                        "tilewidth",
                        "tileheight",
                        "objectalignment",
                    ],
                )?;
                let first_gid = if self.stack.is_empty() {
                    1
                } else {
                    own.number("firstgid")?
                };
                // The `tiled` crate would reserve memory for the real number of tiles, and would
                // look for an external tileset.
                for (key, value) in [
                    ("firstgid", first_gid.to_string().as_str()),
                    ("tilecount", "0"),
                    ("columns", "0"),
                    ("tilewidth", "1"),
                    ("tileheight", "1"),
                ] {
                    copy.push_attribute((key, value));
                }
                self.found.tilesets.push(ScannedTileset {
                    first_gid,
                    source: own.get("source").map(str::to_owned),
                    // An entry for an external tileset has neither.
                    tile_size: [
                        own.optional("tilewidth")?.unwrap_or(0),
                        own.optional("tileheight")?.unwrap_or(0),
                    ],
                    alignment: start_of(own.get("objectalignment").unwrap_or_default()),
                    has_collision_shapes: false,
                });
            }
            Kind::Layer => self.found.layers.push(ScannedLayer {
                offset,
                width: attributes.number("width")?,
                height: attributes.number("height")?,
                encoding: None,
                compression: None,
                text: &[],
            }),
            Kind::Object => {
                let own = Attributes::of(tag, &["gid", "width", "height", "rotation", "template"])?;
                let gid = own.get("gid").map(|_| own.number("gid")).transpose()?;
                self.found.objects.push(ScannedObject {
                    offset,
                    gid: gid.map(|bits| bits & !FLAGS),
                    width: own.optional("width")?,
                    height: own.optional("height")?,
                    rotation: own.optional("rotation")?,
                    template: own.get("template").map(str::to_owned),
                });
            }
            _ => {}
        }
        Ok(copy)
    }

    /// Closes an element. Returns whether it was the root.
    fn close(&mut self) -> bool {
        if let Some(name) = self.stack.pop().and_then(Kind::name) {
            // Writing to a vector does not fail.
            let _ = self.out.write_event(Event::End(BytesEnd::new(name)));
        }
        self.stack.is_empty()
    }

    /// Copies escaped text in a property whose value it is.
    fn property_text(&mut self, text: &[u8]) {
        if self.text_type.is_some() && self.stack.last() == Some(&Kind::Property) {
            let text = BytesText::from_escaped(String::from_utf8_lossy(text));
            // Writing to a vector does not fail.
            let _ = self.out.write_event(Event::Text(text));
        }
    }

    /// Keeps the text of a layer's tiles.
    fn tiles(&mut self, text: Cow<'a, [u8]>) {
        // Text read from a slice is part of that slice.
        if let Cow::Borrowed(text) = text
            && self.stack.last() == Some(&Kind::Data)
            && let Some(layer) = self.found.layers.last_mut()
            && layer.text.is_empty()
        {
            layer.text = text.trim_ascii();
        }
    }
}
