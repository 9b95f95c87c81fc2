//! Reads the tree of a map in XML into the same structs as JSON.

use super::xml::{Element, Node, place, syntax};
use crate::{editor::Value, error::ParseError, quote::quoted};
use serde::{
    Deserialize, Deserializer,
    de::{
        Error, IntoDeserializer, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use std::{borrow::Cow, fmt, str::FromStr};

/// Key of the offset of an element in its file, beside those of its attributes.
const OFFSET: &str = "@offset";

/// Reads a file whose root must be `root`.
///
/// # Errors
///
/// The XML is invalid, or an attribute is missing or is no number.
pub(super) fn parse_xml<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    root: &'static str,
) -> Result<T, ParseError> {
    let tree = super::xml::parse(bytes, root)?;
    T::deserialize(tree).map_err(|XmlError { found, offset }| {
        syntax(found).at(place(bytes, offset.unwrap_or_default()))
    })
}

/// Error of an element, and its offset in the file.
#[derive(Debug)]
pub(super) struct XmlError {
    found: String,
    offset: Option<usize>,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.found)
    }
}

impl std::error::Error for XmlError {}

impl Error for XmlError {
    fn custom<T: fmt::Display>(found: T) -> Self {
        let (found, offset) = (found.to_string(), None);
        Self { found, offset }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("there is no {field}"))
    }
}

impl<'de> Deserializer<'de> for Element<'de> {
    type Error = XmlError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        let offset = self.offset;
        let fields = std::iter::once((OFFSET, Node::Value(Value::Int(offset as i64))))
            .chain(self.fields)
            .map(|(key, node)| (key, Field { key, node }));
        let read = visitor.visit_map(MapDeserializer::new(fields));
        read.map_err(|error| XmlError {
            offset: error.offset.or(Some(offset)),
            ..error
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, XmlError> for Element<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Field of an element, with its key for errors.
struct Field<'de> {
    key: &'static str,
    node: Node<'de>,
}

impl<'de> IntoDeserializer<'de, XmlError> for Field<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Field<'_> {
    /// Returns the attribute as a number.
    fn number<T: FromStr>(&self, expected: &str) -> Result<T, XmlError> {
        let text = match &self.node {
            Node::Text(text) => text.as_ref(),
            _ => "",
        };
        text.parse().map_err(|_| {
            let (key, text) = (self.key, quoted(text));
            XmlError::custom(format_args!("attribute {key} is '{text}', no {expected}"))
        })
    }
}

impl<'de> Deserializer<'de> for Field<'de> {
    type Error = XmlError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        match self.node {
            Node::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Node::Value(Value::Int(number)) => visitor.visit_i64(number),
            Node::Value(Value::Number(number)) => visitor.visit_f64(number),
            Node::Value(Value::Bool(flag)) => visitor.visit_bool(flag),
            Node::Text(Cow::Owned(text)) | Node::Value(Value::Text(text)) => {
                visitor.visit_string(text)
            }
            Node::Value(_) => visitor.visit_unit(),
            Node::List(list) => visitor.visit_seq(SeqDeserializer::new(list.into_iter())),
            Node::Element(element) => element.deserialize_any(visitor),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        visitor.visit_u32(self.number("whole number")?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        visitor.visit_f64(self.number("valid number")?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        visitor
            .visit_bool(matches!(&self.node, Node::Text(text) if matches!(&**text, "1" | "true")))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, XmlError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u64 f32 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}
