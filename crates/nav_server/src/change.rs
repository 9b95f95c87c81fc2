//! Another scenario or map for a running server.

use crate::Source;
use nav_cli::one_line;
use nav_formats::MapFile;
use nav_sim::{MapError, Scenario, maps, scenario::BUNDLED};

/// Most bytes of a map that a client sends: a text map of 2048×2048 cells has half as many.
pub(crate) const MAP_MAX: usize = 8 << 20;

/// Another world for the clients of a server.
pub(crate) struct Change {
    pub(crate) source: Source,
    pub(crate) name: String,
}

/// The scenarios among which a client may choose. Those of a million chasers take longer to begin
/// than somebody at a page waits.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static str> {
    let names = BUNDLED.iter().map(|&(name, _)| name);
    names.filter(|name| !name.ends_with("-1m"))
}

/// The scenario of hunts on maps that clients send.
const HUNT: &str = "hunt";

impl Change {
    /// Changes to a bundled scenario. An error is a sentence.
    pub(crate) fn to_scenario(name: &str) -> Result<Self, String> {
        if !scenarios().any(|known| known == name) {
            return Err(unknown(name));
        }
        let scenario = bundled(name)?;
        let map = maps::load(scenario.map.as_ref()).map_err(sentence)?;
        Ok(Self::new(name.to_owned(), scenario, map))
    }

    /// Changes to a hunt on a map that a client sent. An error is a sentence.
    pub(crate) fn to_map(name: String, bytes: &[u8]) -> Result<Self, String> {
        let map = maps::of_bytes(&name, bytes).map_err(sentence)?;
        let scenario = Scenario {
            map: None,
            ..bundled(HUNT)?
        };
        Ok(Self::new(name, scenario, map))
    }

    fn new(name: String, scenario: Scenario, map: MapFile) -> Self {
        let source = Source::run(scenario, map);
        Self { source, name }
    }
}

fn bundled(name: &str) -> Result<Scenario, String> {
    let scenario = Scenario::bundled(name).ok_or_else(|| unknown(name))?;
    scenario.map_err(|error| error.to_string())
}

fn sentence(error: MapError) -> String {
    one_line(&error.to_string())
}

fn unknown(name: &str) -> String {
    format!("there is no scenario {name:?} to choose")
}
