//! Names in maps of editors that have a meaning.

use super::quote::quoted;
use std::collections::BTreeMap;

/// Names of layers, values and classes that have a meaning in a map of an editor.
///
/// Compared without regard to the case of ASCII letters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditorNames {
    /// Ground: layers of Tiled, values of `LDtk`.
    pub walkable: Vec<String>,
    /// Walls: layers of Tiled, values of `LDtk`.
    pub blocked: Vec<String>,
    /// Step costs: layers of Tiled, and values of `LDtk` with a number behind the name, as
    /// `cost_5`.
    pub cost: Vec<String>,
    /// Step costs of values of `LDtk` by their names, 1 to 64; 0 is a wall. Tiled has no such
    /// names.
    pub costs: BTreeMap<String, u8>,
    /// Layers of exits of Tiled. `LDtk` has none.
    pub exits: Vec<String>,
    /// Layers of terrain classes.
    pub terrain: Vec<String>,
    /// Layers of sight.
    pub sight: Vec<String>,
    /// Links: classes of objects of Tiled, names of entities of `LDtk`.
    pub link: Vec<String>,
}

impl EditorNames {
    /// The defaults for Tiled: `walkable` is ground, `blocked` and `walls` are walls; the others
    /// are called as the fields here.
    pub fn tiled() -> Self {
        Self::new("walkable", "blocked walls")
    }

    /// The defaults for `LDtk`, whose tutorials and samples use more names: `walkable`, `floor` and
    /// `ground` are ground, `wall`, `walls`, `blocked`, `solid`, `collision` and `collisions` are
    /// walls; the others are called as the fields here.
    pub fn ldtk() -> Self {
        Self::new(
            "walkable floor ground",
            "wall walls blocked solid collision collisions",
        )
    }

    /// Creates names that are separated by spaces.
    fn new(walkable: &str, blocked: &str) -> Self {
        Self {
            walkable: owned(walkable),
            blocked: owned(blocked),
            cost: owned("cost"),
            costs: BTreeMap::new(),
            exits: owned("exits"),
            terrain: owned("terrain"),
            sight: owned("sight"),
            link: owned("link"),
        }
    }
}

fn owned(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

/// Returns the names in several lists, for errors.
pub(crate) fn listed(lists: &[&Vec<String>]) -> String {
    let names: Vec<String> = lists.iter().copied().flatten().map(quoted).collect();
    names.join(", ")
}

/// Returns whether a name is one of a list, whatever the case of ASCII letters.
pub(crate) fn is_among(name: &str, names: &[String]) -> bool {
    names.iter().any(|it| it.eq_ignore_ascii_case(name))
}
