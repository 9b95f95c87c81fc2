//! Options: names of layers and objects, and files beside the map.

use std::collections::BTreeMap;

/// Options for reading a Tiled map.
///
/// Names are compared without regard to the case of ASCII letters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Names of layers whose tiles are ground. `walkable` by default.
    pub walkable: Vec<String>,
    /// Names of layers whose tiles are walls. `blocked` and `walls` by default.
    pub blocked: Vec<String>,
    /// Names of layers whose tiles mean step costs. `cost` by default.
    pub cost: Vec<String>,
    /// Names of layers whose tiles mean exits of their cells. `exits` by default.
    pub exits: Vec<String>,
    /// Classes of objects that are links. `link` by default.
    pub link: Vec<String>,
    /// External tilesets by the paths in the map.
    tilesets: BTreeMap<String, Vec<u8>>,
}

impl Default for Options {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            walkable: names(&["walkable"]),
            blocked: names(&["blocked", "walls"]),
            cost: names(&["cost"]),
            exits: names(&["exits"]),
            link: names(&["link"]),
            tilesets: BTreeMap::new(),
        }
    }
}

impl Options {
    /// Adds the bytes of an external tileset, `.tsx` or `.tsj`.
    ///
    /// `source` is the path as written in the map. Only tilesets whose tiles have costs are needed.
    /// Readers open no files themselves.
    #[must_use]
    pub fn with_tileset(mut self, source: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.tilesets.insert(source.into(), bytes.into());
        self
    }

    pub(crate) fn tileset(&self, source: &str) -> Option<&[u8]> {
        self.tilesets.get(source).map(Vec::as_slice)
    }
}
