//! Options: the level, names of values, and files beside the project.

use crate::files::Files;
use std::collections::BTreeMap;

/// Options for reading an `LDtk` project.
///
/// Names are compared without regard to the case of ASCII letters, except that of the level.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options<'f> {
    /// Name (`identifier`) of the level. `None` by default: the only one.
    pub level: Option<String>,
    /// Names of values that are ground. `walkable`, `floor` and `ground` by default.
    pub walkable: Vec<String>,
    /// Names of values that are walls. By default `wall`, `walls`, `blocked`, `solid`, `collision`
    /// and `collisions`: what tutorials and samples of the editor use.
    pub blocked: Vec<String>,
    /// Step costs of values by name, 1 to 64; 0 is a wall. Empty by default.
    pub costs: BTreeMap<String, u8>,
    /// Names of values whose number at the end is a step cost. `cost` by default, as in `cost_5`.
    pub cost: Vec<String>,
    /// Names of layers whose values are terrain classes. `terrain` by default.
    pub terrain: Vec<String>,
    /// Names of layers whose values are sight. `sight` by default.
    pub sight: Vec<String>,
    /// Names of entities that are links. `link` by default.
    pub link: Vec<String>,
    /// Levels in files of their own. None by default.
    pub files: Files<'f>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            level: None,
            walkable: names(&["walkable", "floor", "ground"]),
            blocked: names(&[
                "wall",
                "walls",
                "blocked",
                "solid",
                "collision",
                "collisions",
            ]),
            costs: BTreeMap::new(),
            cost: names(&["cost"]),
            terrain: names(&["terrain"]),
            sight: names(&["sight"]),
            link: names(&["link"]),
            files: Files::default(),
        }
    }
}

impl<'f> Options<'f> {
    /// Sets the name of the level to read.
    #[must_use]
    pub fn with_level(self, level: impl Into<String>) -> Self {
        Self {
            level: Some(level.into()),
            ..self
        }
    }

    /// Returns whether entities of this name are links.
    pub(super) fn is_link(&self, entity: &str) -> bool {
        self.link.iter().any(|it| it.eq_ignore_ascii_case(entity))
    }

    /// Sets the files that projects refer to.
    #[must_use]
    pub fn with_files(self, files: Files<'f>) -> Self {
        Self { files, ..self }
    }
}
