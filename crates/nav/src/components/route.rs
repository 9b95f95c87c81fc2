//! A path in a word.

use nav_grid::Path;
use std::{
    hash::{Hash, Hasher},
    ops::Deref,
};

/// The path of a chaser, or none: most of a crowd shares fields, and an empty [`Path`] would take
/// three words of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Route(Option<Box<Path>>);

impl Route {
    pub(super) const NONE: &Path = &Path::new();

    /// The path, to be changed.
    pub(super) fn edit(&mut self) -> &mut Path {
        self.0.get_or_insert_default()
    }

    /// Forgets the way and keeps the memory.
    pub(super) fn clear(&mut self) {
        if let Some(path) = &mut self.0 {
            path.clear();
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let bytes = |path: &Path| size_of::<Path>() + path.heap_bytes();
        self.0.as_deref().map_or(0, bytes)
    }
}

impl Deref for Route {
    type Target = Path;

    #[inline]
    fn deref(&self) -> &Path {
        self.0.as_deref().unwrap_or(Self::NONE)
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(feature = "serialize")]
impl serde::Serialize for Route {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(feature = "serialize")]
impl<'de> serde::Deserialize<'de> for Route {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path = Path::deserialize(deserializer)?;
        Ok(Self((!path.is_empty()).then(|| Box::new(path))))
    }
}
