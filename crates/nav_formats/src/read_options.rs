//! Options for reading a map of any format.

use super::files::Files;

/// Options for [`Format::read_with`](crate::Format::read_with). The default has no files and names
/// no level.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions<'f> {
    /// Files that the map refers to.
    pub files: Files<'f>,
    /// Name of the level to read, for formats whose files have several. `None` by default: the only
    /// one.
    pub level: Option<String>,
}

impl<'f> ReadOptions<'f> {
    /// Sets the files that the map refers to.
    #[must_use]
    pub fn with_files(self, files: Files<'f>) -> Self {
        Self { files, ..self }
    }

    /// Sets the name of the level to read.
    #[must_use]
    pub fn with_level(self, level: impl Into<String>) -> Self {
        Self {
            level: Some(level.into()),
            ..self
        }
    }
}
