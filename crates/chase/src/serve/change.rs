//! Another scenario or map for a running server.

use super::Source;
use crate::{Scenario, maps, scenario::BUNDLED};

/// Most bytes of a map that a client sends. A guess: far more than maps that are drawn by hand.
pub(super) const MAP_MAX: usize = 8 << 20;

/// Another world for the clients of a server.
pub(super) struct Change {
    pub(super) source: Source,
    pub(super) name: String,
}

/// The scenarios among which a client may choose. Those of a million chasers take longer to begin than
/// somebody at a page waits.
pub(super) fn scenarios() -> impl Iterator<Item = &'static str> {
    let names = BUNDLED.iter().map(|&(name, _)| name);
    names.filter(|name| !name.ends_with("-1m"))
}

impl Change {
    /// Changes to a bundled scenario. An error is a sentence.
    pub(super) fn to_scenario(name: &str) -> Result<Self, String> {
        let bundled = BUNDLED.iter().find(|&&(known, _)| known == name);
        let bundled = bundled.filter(|&&(known, _)| scenarios().any(|other| other == known));
        let (_, text) =
            bundled.ok_or_else(|| format!("there is no scenario {name:?} to choose"))?;
        let scenario = Scenario::parse(text.as_bytes()).map_err(|error| error.to_string())?;
        let map = maps::load(scenario.map.as_ref()).map_err(|error| error.one_line())?;
        Ok(Self {
            source: Source::run(scenario, map),
            name: name.to_owned(),
        })
    }

    /// Changes to a hunt on a map that a client sent. An error is a sentence.
    pub(super) fn to_map(name: String, bytes: &[u8]) -> Result<Self, String> {
        let map = maps::of_bytes(&name, bytes).map_err(|error| error.one_line())?;
        let hunt = BUNDLED.iter().find(|&&(known, _)| known == "hunt");
        let text = hunt.map_or("()", |&(_, text)| text);
        let scenario = Scenario::parse(text.as_bytes()).map_err(|error| error.to_string())?;
        let scenario = Scenario {
            map: None,
            ..scenario
        };
        Ok(Self {
            source: Source::run(scenario, map),
            name,
        })
    }
}
