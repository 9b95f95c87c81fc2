//! Reads scenario files.

use super::{
    definition::Scenario, error::ScenarioError, map::MapSource, mistake::Mistake, place::first_sign,
};
use nav_cli::read_file;
use nav_formats::{Format, Problem, is_utf16};
use nav_grid::map::text::skip_mark;
use ron::{Options, extensions::Extensions};
use std::path::Path;

impl Scenario {
    /// Reads a scenario from RON. Optional values may be written bare: `threads: 4`. A byte order
    /// mark is skipped, and UTF-16 is refused.
    ///
    /// Values are not [checked](Scenario::check).
    ///
    /// # Errors
    ///
    /// The mistake in the text, with line and column.
    pub fn parse(bytes: &[u8]) -> Result<Self, Mistake> {
        if is_utf16(bytes) {
            return Err(Mistake::of_file(Problem::Utf16.to_string()));
        }
        let text =
            str::from_utf8(skip_mark(bytes)).map_err(|error| Mistake::of_bytes(bytes, error))?;
        Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| Mistake::explain(text, &error))
    }

    /// Reads and checks the scenario file at `path`. A relative path of its map becomes relative to
    /// the working directory.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is no scenario, or has a field with an impossible value.
    pub fn load(path: &Path) -> Result<Self, ScenarioError> {
        let bytes = read_file(path)?;
        Self::from_file(path, &bytes)
    }

    /// Parses and checks the content of the file at `path`.
    pub(super) fn from_file(path: &Path, bytes: &[u8]) -> Result<Self, ScenarioError> {
        let mut scenario = Self::parse(bytes).map_err(|source| {
            let path = path.to_owned();
            // Its name is that of a map, and its content begins as no scenario does.
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.and_then(Format::from_extension).is_some() && !begins_with_parenthesis(bytes)
            {
                ScenarioError::IsMap { path }
            } else {
                ScenarioError::Syntax { path, source }
            }
        })?;
        scenario.check().map_err(|source| ScenarioError::Field {
            path: path.to_owned(),
            source,
        })?;
        if let (Some(MapSource::File(map)), Some(folder)) = (&mut scenario.map, path.parent()) {
            *map = folder.join(&*map);
        }
        Ok(scenario)
    }
}

/// Returns whether a file begins as a scenario, after comments.
fn begins_with_parenthesis(bytes: &[u8]) -> bool {
    first_sign(&String::from_utf8_lossy(skip_mark(bytes))) == Some('(')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        maps,
        scenario::{ChaserTuning, Spawn},
    };

    #[test]
    fn maps_and_mistakes() {
        let map = "this is a map, not a scenario";
        let mistake = "chazers";
        for (name, content, said) in [
            ("town.txt", "..#\n...", map),
            ("town.json", "{\"height\": 3}", map),
            ("town.png", "\u{89}PNG", map),
            ("crowd.txt", "(chazers: 5)", mistake),
            (
                "crowd.json",
                "\u{feff} // A crowd (of five).\n(chazers: 5)",
                mistake,
            ),
            ("crowd.txt", "/* one */ /* two */(chazers: 5)", mistake),
            (
                "crowd.txt",
                "(chasers: 5",
                "the file ends before the parenthesis",
            ),
            ("crowd.ron", "..#", "such as (chasers: 500)"),
        ] {
            let error = Scenario::from_file(Path::new(name), content.as_bytes()).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(said), "{name}, {content}: {message}");
        }
    }

    fn assets() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenarios")
    }

    #[test]
    fn default_file_equals_default() {
        let loaded = Scenario::load(&assets().join("default.ron")).unwrap();
        assert_eq!(loaded, Scenario::default());
    }

    #[test]
    fn default_file_names_all_fields() {
        let text = std::fs::read_to_string(assets().join("default.ron")).unwrap();
        let json = serde_json::to_value(Scenario::default()).unwrap();
        let blocks = [&json, &json["chaser"], &json["target"]];
        for field in blocks
            .iter()
            .flat_map(|block| block.as_object().unwrap().keys())
        {
            assert!(
                text.contains(&format!("{field}: ")),
                "{field} is not in default.ron"
            );
        }
    }

    /// The names of the variants of an enum, as its reader lists them.
    fn variants<T: serde::de::DeserializeOwned>() -> Vec<String> {
        let error = serde_json::from_str::<T>("\"?\"")
            .err()
            .unwrap()
            .to_string();
        let (_, expected) = error.split_once("expected").expect(&error);
        let quoted = expected.split('`').skip(1).step_by(2);
        quoted.map(String::from).collect()
    }

    #[test]
    fn default_file_names_all_variants() {
        use crate::{Roads, scenario::Bodies};
        use nav_grid::{
            CornerRule, Method, Metric,
            query::Fallback,
            rules::{BodyPolicy, Heuristic},
        };
        let text = std::fs::read_to_string(assets().join("default.ron")).unwrap();
        let words: std::collections::BTreeSet<&str> =
            text.split(|c: char| !c.is_alphanumeric()).collect();
        let enums = [
            ("Metric", variants::<Metric>(), 6),
            ("CornerRule", variants::<CornerRule>(), 2),
            ("BodyPolicy", variants::<BodyPolicy>(), 3),
            ("Heuristic", variants::<Heuristic>(), 7),
            ("Fallback", variants::<Fallback>(), 3),
            ("Method", variants::<Method>(), 9),
            ("Spawn", variants::<Spawn>(), 3),
            ("Bodies", variants::<Bodies>(), 3),
            ("Roads", variants::<Roads>(), 4),
        ];
        for (name, variants, count) in enums {
            assert!(variants.len() >= count, "{name}: {variants:?}");
            for variant in variants {
                assert!(
                    words.contains(&*variant),
                    "{variant} of {name} is not in default.ron"
                );
            }
        }
    }

    #[test]
    fn shipped_scenarios_load() {
        let mut count = 0;
        for entry in std::fs::read_dir(assets()).unwrap() {
            let path = entry.unwrap().path();
            let scenario = Scenario::load(&path).unwrap();
            // Generated maps were checked already, and some take long.
            if !matches!(scenario.map, Some(MapSource::Generated { .. })) {
                maps::load(scenario.map.as_ref()).unwrap();
            }
            count += 1;
        }
        assert!(count >= 3);
    }

    #[test]
    fn byte_order_mark() {
        let scenario = Scenario::parse(b"\xef\xbb\xbf(threads: 4)").unwrap();
        assert_eq!(scenario.threads, Some(4));
        let wrong = Scenario::parse(b"(threads: x)").unwrap_err();
        let marked = Scenario::parse(b"\xef\xbb\xbf(threads: x)").unwrap_err();
        assert_eq!(marked, wrong);
    }

    #[test]
    fn utf16_is_refused() {
        let text = "(threads: 4)".encode_utf16();
        let bytes: Vec<u8> = text.flat_map(u16::to_le_bytes).collect();
        let error = Scenario::parse(&bytes).unwrap_err();
        assert_eq!(error.sentence, Problem::Utf16.to_string());
    }

    #[test]
    fn nothing_is_the_default() {
        assert_eq!(Scenario::parse(b"()").unwrap(), Scenario::default());
    }

    #[test]
    fn single_fields() {
        let text =
            b"(threads: 4, method: jps, spawn: Anywhere, chaser: (radius: 30), map: \"a.txt\", heights: Storeys(4.0))";
        let expected = Scenario {
            threads: Some(4),
            heights: Some(nav_grid::map::FloorHeights::Storeys(4.0)),
            method: nav_grid::Method::Jps,
            spawn: Spawn::Anywhere,
            chaser: ChaserTuning {
                radius: 30,
                ..ChaserTuning::default()
            },
            map: Some(MapSource::File("a.txt".into())),
            ..Scenario::default()
        };
        assert_eq!(Scenario::parse(text).unwrap(), expected);
    }

    #[test]
    fn scenario_round_trip() {
        let scenario = Scenario {
            threads: Some(3),
            heights: Some(nav_grid::map::FloorHeights::Each(vec![0.0, 4.5])),
            spawn: Spawn::Near { min: 2, max: 9 },
            ..Scenario::default()
        };
        let text = ron::to_string(&scenario).unwrap();
        assert_eq!(Scenario::parse(text.as_bytes()).unwrap(), scenario);
    }

    /// In values and in comments: `auto` is not beside `Auto`.
    #[test]
    fn one_spelling_in_all_files() {
        let mut spellings = std::collections::BTreeMap::new();
        for entry in std::fs::read_dir(assets()).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let values = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let values = values
                .filter_map(|line| line.split_once(": "))
                .map(|(_, value)| value);
            let words = values.flat_map(|value| value.split(|c: char| !c.is_alphanumeric()));
            for word in words.filter(|word| word.starts_with(char::is_alphabetic)) {
                let known = spellings
                    .entry(word.to_lowercase())
                    .or_insert_with(|| word.to_owned());
                assert_eq!(known, word, "{}", path.display());
            }
        }
        assert!(spellings.len() > 10, "{spellings:?}");
    }
}
