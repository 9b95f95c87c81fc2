//! The source of the map of a run.

use super::{
    drawn::{DrawnLink, draw},
    error::{FieldError, within},
};
use mapgen::{Kind, KindError};
use nav_grid::Grid;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};
use std::{fmt, path::PathBuf};

/// The source of the map of a run.
///
/// In a scenario file `"level.map"` and `File("level.map")` are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MapSource {
    /// A map generated before the run. `chase generate` writes the same map to a file.
    Generated {
        /// Its kind, one of [`Kind::NAMES`].
        kind: String,
        /// Percentage of walls, 0 to 100, for clutter only.
        percent: Option<u8>,
        /// Number of columns, 1 to 16,384.
        width: u16,
        /// Number of rows, 1 to 16,384.
        height: u16,
        /// Seed; 1 if left out.
        seed: u64,
    },
    /// A map drawn in the scenario.
    Drawn {
        /// Rows of each floor: `.` is ground, `#` is wall, and a digit of 2 to 9 is ground of this
        /// step cost.
        floors: Vec<Vec<String>>,
        /// Links; none if left out.
        links: Vec<DrawnLink>,
    },
    /// A map file.
    #[serde(untagged)]
    File(PathBuf),
}

impl MapSource {
    /// Returns the kind of a generated map.
    ///
    /// # Errors
    ///
    /// No kind has this name, or the kind and the percentage do not fit.
    pub(crate) fn kind(kind: &str, percent: Option<u8>) -> Result<Kind, FieldError> {
        Kind::from_name(kind, percent).map_err(|error| match error {
            KindError::PercentNotTaken { name } => {
                let expected = format!("left out for {name}");
                FieldError::new("map percent", expected, percent.unwrap_or_default())
            }
            KindError::PercentOutOfRange { percent } => {
                FieldError::new("map percent", "0 to 100", percent)
            }
            _ => {
                let expected = format!("one of {}", Kind::NAMES.join(", "));
                FieldError::new("map kind", expected, kind)
            }
        })
    }

    pub(super) fn check(&self) -> Result<(), FieldError> {
        match self {
            Self::File(_) => Ok(()),
            Self::Drawn { floors, links } => draw(floors, links).map(|_| ()),
            Self::Generated {
                kind,
                percent,
                width,
                height,
                seed: _,
            } => {
                Self::kind(kind, *percent)?;
                within("map width", *width, 1..=Grid::SIDE_MAX)?;
                within("map height", *height, 1..=Grid::SIDE_MAX)
            }
        }
    }
}

impl<'de> Deserialize<'de> for MapSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourceVisitor)
    }
}

/// Default seed of a generated map, as in `chase generate`.
const SEED: u64 = 1;

/// The fields of a generated map or of a drawn one: RON does not pass on which of the two was
/// named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFields {
    kind: Option<String>,
    percent: Option<u8>,
    width: Option<u16>,
    height: Option<u16>,
    seed: Option<u64>,
    floors: Option<Vec<Vec<String>>>,
    links: Option<Vec<DrawnLink>>,
}

impl MapFields {
    fn into_map<E: Error>(self) -> Result<MapSource, E> {
        if let Some(floors) = self.floors {
            let others = [
                ("kind", self.kind.is_some()),
                ("percent", self.percent.is_some()),
                ("width", self.width.is_some()),
                ("height", self.height.is_some()),
                ("seed", self.seed.is_some()),
            ];
            return match others.iter().find(|(_, given)| *given) {
                Some((field, _)) => Err(E::unknown_field(field, &["floors", "links"])),
                None => Ok(MapSource::Drawn {
                    floors,
                    links: self.links.unwrap_or_default(),
                }),
            };
        }
        if self.links.is_some() {
            return Err(E::missing_field("floors"));
        }
        Ok(MapSource::Generated {
            kind: given("kind", self.kind)?,
            percent: self.percent,
            width: given("width", self.width)?,
            height: given("height", self.height)?,
            seed: self.seed.unwrap_or(SEED),
        })
    }
}

fn given<T, E: Error>(field: &'static str, value: Option<T>) -> Result<T, E> {
    value.ok_or_else(|| E::missing_field(field))
}

/// Reads either form by its shape, because a derived enum would not accept a bare path.
struct SourceVisitor;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = MapSource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map file, Generated(kind: \"mixed\", width: 512, height: 512), or Drawn(floors: [[\"..#\"]])")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<MapSource, E> {
        Ok(MapSource::File(path.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<MapSource, A::Error> {
        let path = values.next_element()?;
        path.map(MapSource::File)
            .ok_or_else(|| A::Error::invalid_length(0, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<MapSource, A::Error> {
        MapFields::deserialize(MapAccessDeserializer::new(fields))?.into_map()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    fn read(map: &str) -> Option<MapSource> {
        let text = format!("(map: {map})");
        Scenario::parse(text.as_bytes()).unwrap().map
    }

    fn mixed(percent: Option<u8>, seed: u64) -> MapSource {
        MapSource::Generated {
            kind: "mixed".to_owned(),
            percent,
            width: 64,
            height: 48,
            seed,
        }
    }

    #[test]
    fn bare_and_named_paths() {
        let file = Some(MapSource::File("a.txt".into()));
        for form in [
            "\"a.txt\"",
            "Some(\"a.txt\")",
            "File(\"a.txt\")",
            "Some(File(\"a.txt\"))",
        ] {
            assert_eq!(read(form), file, "{form}");
        }
        assert_eq!(read("None"), None);
    }

    #[test]
    fn map_made_for_a_run() {
        let made = read("Generated(kind: \"mixed\", width: 64, height: 48)");
        assert_eq!(made, Some(mixed(None, 1)));
        let made = read("Generated(kind: \"mixed\", percent: 7, width: 64, height: 48, seed: 5)");
        assert_eq!(made, Some(mixed(Some(7), 5)));
    }

    #[test]
    fn round_trip() {
        for map in [
            None,
            Some(MapSource::File("b.map".into())),
            Some(mixed(None, 3)),
        ] {
            let scenario = Scenario {
                map,
                ..Scenario::default()
            };
            let text = ron::to_string(&scenario).unwrap();
            assert_eq!(
                Scenario::parse(text.as_bytes()).unwrap(),
                scenario,
                "{text}"
            );
        }
    }

    #[test]
    fn impossible_map() {
        let cases = [
            (
                "Generated(kind: \"city\", width: 9, height: 9)",
                "map kind must be one of open, clutter, rooms, caves, maze, mixed, not city",
            ),
            (
                "Generated(kind: \"rooms\", percent: 3, width: 9, height: 9)",
                "map percent must be left out for rooms, not 3",
            ),
            (
                "Generated(kind: \"clutter\", percent: 101, width: 9, height: 9)",
                "map percent must be 0 to 100, not 101",
            ),
            (
                "Generated(kind: \"open\", width: 0, height: 9)",
                "map width must be 1 to 16384, not 0",
            ),
            (
                "Generated(kind: \"open\", width: 9, height: 20000)",
                "map height must be 1 to 16384, not 20000",
            ),
        ];
        for (map, sentence) in cases {
            let error = read(map).unwrap().check().unwrap_err();
            assert_eq!(error.to_string(), sentence);
        }
    }
}
