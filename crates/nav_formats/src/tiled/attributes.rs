//! Attributes of XML elements.

use super::{error::TiledProblem, scan::syntax};
use crate::quote::quoted;
use quick_xml::events::BytesStart;
use std::str::FromStr;

/// Greatest number of attributes of an element. A guess: Tiled writes up to 20.
///
/// The check for duplicates takes time quadratic in their number.
const ATTRIBUTES_MAX: usize = 64;

/// Attributes of a tag, reduced to the requested names.
pub(crate) struct Attributes(pub(crate) Vec<(&'static str, String)>);

impl Attributes {
    pub(crate) fn of(tag: &BytesStart<'_>, wanted: &[&'static str]) -> Result<Self, TiledProblem> {
        let mut list = Vec::new();
        let mut count = 0;
        for attribute in tag.attributes().with_checks(false) {
            count += 1;
            if count > ATTRIBUTES_MAX {
                return Err(TiledProblem::TooManyAttributes {
                    max: ATTRIBUTES_MAX,
                });
            }
            let attribute = attribute.map_err(|error| syntax(&error))?;
            let key = attribute.key.local_name();
            let known = wanted.iter().find(|it| it.as_bytes() == key.as_ref());
            if let Some(&known) = known {
                let value = attribute.unescape_value().map_err(|error| syntax(&error))?;
                list.push((known, value.into_owned()));
            }
        }
        Ok(Self(list))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        let entry = self.0.iter().find(|(known, _)| *known == key);
        entry.map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, key: &'static str) -> Result<u32, TiledProblem> {
        let text = self.get(key).unwrap_or_default();
        text.parse().map_err(|_| TiledProblem::Syntax {
            language: "XML",
            found: format!("attribute {key} is '{}', no whole number", quoted(text)),
        })
    }

    pub(crate) fn optional<T: FromStr>(
        &self,
        key: &'static str,
    ) -> Result<Option<T>, TiledProblem> {
        let Some(text) = self.get(key) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| TiledProblem::Syntax {
            language: "XML",
            found: format!("attribute {key} is '{}', no valid number", quoted(text)),
        })
    }
}
