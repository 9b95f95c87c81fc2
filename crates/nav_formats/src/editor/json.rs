//! JSON of editors: documents, and values of custom properties and fields.

use crate::{
    error::{ParseError, Position, Problem},
    property::PropertyValue,
    quote::{quoted, said},
};
use nav_grid::{Cell, Size, map::text::skip_mark};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};

/// Returns whether a text begins with two parts, blanks and a byte order mark aside.
pub(crate) fn starts_with(bytes: &[u8], first: &str, second: &str) -> bool {
    let bytes = skip_mark(bytes).trim_ascii_start();
    let rest = bytes.strip_prefix(first.as_bytes());
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(second.as_bytes()))
}

/// Parses a document.
///
/// # Errors
///
/// The JSON is invalid, with its position and the words of the parser.
pub(crate) fn parse_json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, ParseError> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The sentence of the parser ends with the position, which has its own field.
        let sentence = error.to_string();
        let words = sentence.split(" at line ").next().unwrap_or_default();
        let problem = Problem::Syntax(format!("the JSON cannot be read: {}", said(words)));
        problem.at(Position::Line {
            line: error.line().max(1),
            column: Some(error.column().max(1)),
        })
    })
}

/// Greatest length of a list that is read, far above a patrol's stops.
///
/// Values take more than their text while a list grows, so that a limit on each list bounds the
/// memory for all.
const LIST_MAX: usize = 1000;

/// Value of a custom property or field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    /// Left empty.
    Null,
    Int(i64),
    /// Finite number.
    Number(f64),
    Bool(bool),
    Text(String),
    Colour(String),
    /// Reference to an object by its id.
    Reference(String),
    /// Column and row.
    Point(i64, i64),
    /// Up to [`LIST_MAX`] values.
    List(Vec<Self>),
    /// Value of any other type.
    #[default]
    Other,
}

impl Value {
    /// Returns the number of values in it.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.len(),
            _ => 1,
        }
    }

    /// Returns a value, or that there is none, in the words of errors.
    pub(crate) fn describe(value: Option<&Self>) -> String {
        match value {
            None | Some(Self::Null) => "missing".to_owned(),
            Some(Self::Int(number)) => number.to_string(),
            Some(Self::Number(number)) => format!("the float {number}"),
            Some(Self::Bool(flag)) => flag.to_string(),
            Some(Self::Text(text)) => format!("'{}'", quoted(text)),
            Some(Self::Colour(text)) => format!("the colour '{}'", quoted(text)),
            Some(Self::Reference(id)) => format!("object {}", quoted(id)),
            Some(Self::Point(x, y)) => format!("the point {x},{y}"),
            Some(Self::List(_)) => "a list".to_owned(),
            Some(Self::Other) => "of another type".to_owned(),
        }
    }

    /// Returns the value as that of an object on a map of `size`. `None` if its type is not read.
    pub(crate) fn into_property(self, size: Size) -> Option<PropertyValue> {
        Some(match self {
            Self::Int(number) => PropertyValue::Integer(number),
            Self::Number(number) => PropertyValue::Number(number),
            Self::Bool(flag) => PropertyValue::Bool(flag),
            Self::Text(text) => PropertyValue::Text(text),
            Self::Colour(text) => PropertyValue::Colour(text),
            Self::Reference(id) => PropertyValue::Object(id),
            Self::Point(x, y) => {
                let cell = Cell::new(x.try_into().ok()?, y.try_into().ok()?);
                return size.contains(cell).then_some(PropertyValue::Cell(cell));
            }
            Self::List(list) => {
                let mut values = Vec::with_capacity(list.len());
                for value in list {
                    let is_list = matches!(value, Self::List(_));
                    values.push(value.into_property(size).filter(|_| !is_list)?);
                }
                PropertyValue::List(values)
            }
            Self::Null | Self::Other => return None,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a property")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Other, Value::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while list.len() < LIST_MAX {
            let Some(value) = seq.next_element()? else {
                list.shrink_to_fit();
                return Ok(Value::List(list));
            };
            list.push(value);
        }
        if seq.next_element::<IgnoredAny>()?.is_none() {
            return Ok(Value::List(list));
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut reference, mut x, mut y) = (None, None, None);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            match key.as_ref() {
                "entityIid" => reference = Some(map.next_value::<String>()?),
                "cx" => x = Some(map.next_value::<i64>()?),
                "cy" => y = Some(map.next_value::<i64>()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(match (reference, x, y) {
            (Some(id), ..) => Value::Reference(id),
            (None, Some(x), Some(y)) => Value::Point(x, y),
            _ => Value::Other,
        })
    }
}
