//! XML of Tiled as a tree of the shape that Tiled gives its JSON.
//!
//! Only what is read here is kept, within limits that are checked on the way in: elements and
//! attributes that mean nothing take no memory, however many there are.

use crate::{
    editor::Value,
    error::{ParseError, Position, Problem, refuse},
    limit::Parts,
    quote::{quoted, said},
};
use quick_xml::{
    Reader,
    escape::{resolve_predefined_entity, unescape},
    events::{BytesRef, BytesStart, Event},
};
use std::borrow::Cow;

/// Greatest depth of nested elements, which bounds the recursion of what reads the tree. A map
/// takes seven without groups, and one more for each group in a group.
const DEPTH_MAX: usize = 32;

/// Greatest number of attributes of an element: Tiled writes up to 20.
const ATTRIBUTES_MAX: usize = 64;

/// Node of the tree.
pub(super) enum Node<'a> {
    Text(Cow<'a, str>),
    /// Value of a property.
    Value(Value),
    List(Vec<Element<'a>>),
    Element(Element<'a>),
}

/// Element with its attributes and its children by the keys that they have in JSON.
pub(super) struct Element<'a> {
    /// Offset in the file.
    pub(super) offset: usize,
    pub(super) fields: Vec<(&'static str, Node<'a>)>,
}

impl<'a> Element<'a> {
    /// Sets a field, unless it is there.
    fn set(&mut self, key: &'static str, node: Node<'a>) {
        if self.fields.iter().all(|(it, _)| *it != key) {
            self.fields.push((key, node));
        }
    }

    /// Adds a child to a list.
    fn push(&mut self, key: &'static str, child: Self) {
        self.set(key, Node::List(Vec::new()));
        for (it, node) in &mut self.fields {
            if let Node::List(list) = node
                && *it == key
            {
                return list.push(child);
            }
        }
    }

    /// Takes the attributes of a tag that are read, each once.
    fn take_attributes(&mut self, tag: &BytesStart<'_>) -> Result<(), Problem> {
        // The check for duplicates would take time quadratic in their number.
        for (count, attribute) in tag.attributes().with_checks(false).enumerate() {
            if count == ATTRIBUTES_MAX {
                refuse!(
                    TooMuch,
                    "more than {ATTRIBUTES_MAX} attributes; expected those that Tiled writes"
                );
            }
            let attribute = attribute.map_err(syntax)?;
            let name = attribute.key.local_name();
            if let Some(key) = ATTRIBUTES.split(' ').find(|it| *it == name.as_ref()) {
                let value = unescape(&attribute.value).map_err(syntax)?.into_owned();
                // An older name of the type.
                self.set(
                    if key == "class" { "type" } else { key },
                    Node::Text(value.into()),
                );
            }
        }
        Ok(())
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.fields.iter().find_map(|(it, node)| match node {
            Node::Text(text) if *it == key => Some(text.as_ref()),
            _ => None,
        })
    }
}

/// Kind of an element that is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Root,
    Template,
    Tileset,
    Tile,
    TileLayer,
    ObjectLayer,
    Group,
    /// Layer of another kind.
    OtherLayer,
    Data,
    Object,
    Properties,
    Property,
    /// Element of which only matters that it is there.
    Flag,
}

impl Kind {
    /// Returns the kind of an element inside one of another kind, and its key there in JSON.
    fn inside(parent: Self, name: &str) -> Option<(Self, &'static str)> {
        Some(match (parent, name) {
            (Self::Root, "tileset") => (Self::Tileset, "tilesets"),
            (Self::Root, "editorsettings") => return None,
            (Self::Template, "tileset") => (Self::Tileset, "tileset"),
            (Self::Template, "object") => (Self::Object, "object"),
            (Self::Tileset, "tile") => (Self::Tile, "tiles"),
            (Self::Tile, "objectgroup") => (Self::Flag, "objectgroup"),
            (Self::TileLayer, "data") => (Self::Data, ""),
            (Self::ObjectLayer, "object") => (Self::Object, "objects"),
            (Self::Object, "ellipse") => (Self::Flag, "ellipse"),
            (Self::Object, "capsule") => (Self::Flag, "capsule"),
            (Self::Object, "polygon") => (Self::Flag, "polygon"),
            (Self::Object, "polyline") => (Self::Flag, "polyline"),
            (Self::Object, "text") => (Self::Flag, "text"),
            (Self::Properties, "property") => (Self::Property, "properties"),
            (
                Self::Root
                | Self::Tile
                | Self::TileLayer
                | Self::ObjectLayer
                | Self::Group
                | Self::OtherLayer
                | Self::Object,
                "properties",
            ) => (Self::Properties, ""),
            (Self::Root | Self::Group, "layer") => (Self::TileLayer, "layers"),
            (Self::Root | Self::Group, "objectgroup") => (Self::ObjectLayer, "layers"),
            (Self::Root | Self::Group, "group") => (Self::Group, "layers"),
            (Self::Root | Self::Group, _) => (Self::OtherLayer, "layers"),
            _ => return None,
        })
    }
}

/// Attributes that are read on any element.
const ATTRIBUTES: &str = "class compression encoding firstgid gid height id infinite name \
    objectalignment offsetx offsety orientation rotation source template tileheight tilewidth type \
    value width x y";

/// Element that is not closed yet: `None` if it is not kept.
type Open<'a> = Option<(Kind, &'static str, Element<'a>)>;

/// Reads a file whose root must be `root`.
///
/// # Errors
///
/// The XML is invalid or has a document type, which may define entities; there are too many
/// elements, too many attributes of one, or they nest too deep.
pub(super) fn parse<'a>(bytes: &'a [u8], root: &'static str) -> Result<Element<'a>, ParseError> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let problem = syntax("it is not in UTF-8, as Tiled writes it");
        problem.at(place(bytes, error.valid_up_to()))
    })?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut tree = Tree {
        root,
        open: Vec::new(),
        parts: Parts::default(),
    };
    loop {
        let offset = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let offset = reader.error_position() as usize;
            syntax(error).at(place(bytes, offset))
        })?;
        let taken = tree.take(event, offset);
        if let Some(root) = taken.map_err(|problem| problem.at(place(bytes, offset)))? {
            return Ok(root);
        }
    }
}

/// Returns the problem of XML that cannot be read.
pub(super) fn syntax(found: impl std::fmt::Display) -> Problem {
    Problem::Syntax(format!("the XML cannot be read: {}", said(found)))
}

/// Returns the line and column of the byte at `offset`.
pub(super) fn place(bytes: &[u8], offset: usize) -> Position {
    let before = &bytes[..offset.min(bytes.len())];
    let line_end = before.iter().rposition(|&byte| byte == b'\n');
    Position::Line {
        line: before.split(|&byte| byte == b'\n').count(),
        column: Some(before.len() - line_end.map_or(0, |end| end + 1) + 1),
    }
}

/// Returns the characters that a reference such as `&amp;` or `&#10;` means.
fn resolved(reference: &BytesRef<'_>) -> Result<String, Problem> {
    let character = reference.resolve_char_ref().map_err(syntax)?;
    match (character, resolve_predefined_entity(reference)) {
        (Some(character), _) => Ok(character.into()),
        (None, Some(text)) => Ok(text.to_owned()),
        (None, None) => Err(syntax(format_args!(
            "unknown entity '{}'",
            quoted(&**reference)
        ))),
    }
}

struct Tree<'a> {
    root: &'static str,
    open: Vec<Open<'a>>,
    parts: Parts,
}

impl<'a> Tree<'a> {
    /// Takes the next event, and returns the root if that ends.
    fn take(&mut self, event: Event<'a>, offset: usize) -> Result<Option<Element<'a>>, Problem> {
        match event {
            Event::Start(tag) => self.start(&tag, offset)?,
            Event::End(_) => return Ok(self.end()),
            Event::Text(text) => self.text(text.into_inner()),
            Event::CData(text) => self.text(text.into_inner()),
            Event::GeneralRef(reference) => self.text(resolved(&reference)?.into()),
            Event::DocType(_) => refuse!(
                Unsupported,
                "document type declaration; expected none, as Tiled writes none"
            ),
            Event::Eof => return Err(syntax("the file ends before its root element does")),
            // Empty elements are expanded.
            Event::Comment(_) | Event::Decl(_) | Event::Empty(_) | Event::PI(_) => {}
        }
        Ok(None)
    }

    fn start(&mut self, tag: &BytesStart<'a>, offset: usize) -> Result<(), Problem> {
        if self.open.len() >= DEPTH_MAX {
            refuse!(
                TooMuch,
                "elements nest deeper than {DEPTH_MAX}; expected fewer groups within groups"
            );
        }
        let local = tag.local_name();
        let name = local.as_ref();
        let place = match self.open.last() {
            Some(Some((parent, ..))) => Kind::inside(*parent, name),
            Some(None) => None,
            None => Some((self.root_kind(name)?, "")),
        };
        let Some((kind, key)) = place else {
            self.open.push(None);
            return Ok(());
        };
        if !matches!(kind, Kind::Data | Kind::Flag) {
            self.parts.take(1)?;
        }
        let json_type = match kind {
            Kind::Root | Kind::Template => Some(self.root.into()),
            Kind::TileLayer => Some("tilelayer".into()),
            Kind::ObjectLayer => Some("objectgroup".into()),
            Kind::Group => Some("group".into()),
            Kind::OtherLayer => Some(name.to_owned().into()),
            _ => None,
        };
        let fields = json_type.map(|it| ("type", Node::Text(it)));
        let mut element = Element {
            offset,
            fields: fields.into_iter().collect(),
        };
        element.take_attributes(tag)?;
        if kind == Kind::Data {
            // Tiles as elements, which Tiled calls XML.
            element.set("encoding", Node::Text("XML elements".into()));
        }
        self.open.push(Some((kind, key, element)));
        Ok(())
    }

    fn root_kind(&self, name: &str) -> Result<Kind, Problem> {
        if name != self.root {
            refuse!(Value, "'{}' on top; expected '{}'", quoted(name), self.root);
        }
        Ok(match self.root {
            "template" => Kind::Template,
            "tileset" => Kind::Tileset,
            _ => Kind::Root,
        })
    }

    /// Adds text to the value of a property, or to the tiles of a layer.
    fn text(&mut self, text: Cow<'a, str>) {
        let (key, element) = match self.open.last_mut() {
            Some(Some((Kind::Data, _, element))) => ("data", element),
            // Text of several lines is the content of the element.
            Some(Some((Kind::Property, _, element))) if element.text("value").is_none() => {
                ("content", element)
            }
            _ => return,
        };
        match element.fields.iter_mut().find(|(it, _)| *it == key) {
            Some((_, Node::Text(before))) => before.to_mut().push_str(&text),
            _ => element.fields.push((key, Node::Text(text))),
        }
    }

    /// Closes an element, and returns it if it is the root.
    fn end(&mut self) -> Option<Element<'a>> {
        let (kind, key, mut element) = self.open.pop()??;
        let Some(Some((_, _, parent))) = self.open.last_mut() else {
            return Some(element);
        };
        match kind {
            // In JSON the parent has what is in them.
            Kind::Data => {
                for (key, node) in element.fields {
                    parent.set(key, node);
                }
            }
            Kind::Properties => {
                for (key, node) in element.fields {
                    if let Node::List(list) = node {
                        for child in list {
                            parent.push(key, child);
                        }
                    }
                }
            }
            Kind::Property => {
                let json_type = element.text("type").unwrap_or("string");
                let text = element.text("value").or(element.text("content"));
                let value = typed(json_type, text.unwrap_or_default());
                element
                    .fields
                    .retain(|(key, _)| matches!(*key, "name" | "type"));
                element.fields.push(("value", Node::Value(value)));
                parent.push(key, element);
            }
            _ if matches!(key, "object" | "tileset") => parent.set(key, Node::Element(element)),
            _ => parent.push(key, element),
        }
        None
    }
}

/// Returns the value of a property as JSON has it, by its type.
fn typed(json_type: &str, text: &str) -> Value {
    let parsed = match json_type {
        "int" | "object" => text.parse().ok().map(Value::Int),
        "bool" => text.parse().ok().map(Value::Bool),
        "float" => (text.parse().ok())
            .filter(|number: &f64| number.is_finite())
            .map(Value::Number),
        "color" | "string" | "file" => Some(Value::Text(text.to_owned())),
        _ => None,
    };
    parsed.unwrap_or(Value::Other)
}
