//! Options: names of layers and objects, and files beside the map.

use crate::files::Files;

/// Options for reading a Tiled map.
///
/// Names are compared without regard to the case of ASCII letters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options<'f> {
    /// Names of layers whose tiles are ground. `walkable` by default.
    pub walkable: Vec<String>,
    /// Names of layers whose tiles are walls. `blocked` and `walls` by default.
    pub blocked: Vec<String>,
    /// Names of layers whose tiles mean step costs. `cost` by default.
    pub cost: Vec<String>,
    /// Names of layers whose tiles mean exits of their cells. `exits` by default.
    pub exits: Vec<String>,
    /// Names of layers whose tiles mean terrain classes. `terrain` by default.
    pub terrain: Vec<String>,
    /// Names of layers whose tiles mean sight. `sight` by default.
    pub sight: Vec<String>,
    /// Classes of objects that are links. `link` by default.
    pub link: Vec<String>,
    /// External tilesets, `.tsx`, `.tsj` or `.json`, and templates, `.tx`, `.tj` or `.json`. None by
    /// default.
    pub files: Files<'f>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            walkable: names(&["walkable"]),
            blocked: names(&["blocked", "walls"]),
            cost: names(&["cost"]),
            exits: names(&["exits"]),
            terrain: names(&["terrain"]),
            sight: names(&["sight"]),
            link: names(&["link"]),
            files: Files::default(),
        }
    }
}

impl<'f> Options<'f> {
    /// Sets the files that maps refer to.
    #[must_use]
    pub fn with_files(self, files: Files<'f>) -> Self {
        Self { files, ..self }
    }
}
