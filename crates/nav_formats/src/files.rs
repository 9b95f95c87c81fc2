//! Files that a map refers to, options of reading, and the encoding of text.

use super::{editor_names::EditorNames, quote::quoted};
use std::borrow::Cow;
use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, Read as _},
    path::Path,
};

/// Function that opens the file at a path, which is written relative to the map's folder.
pub type OpenFile<'f> = dyn Fn(&str) -> io::Result<Vec<u8>> + 'f;

/// Files that a map refers to: tilesets and templates of Tiled, levels of `LDtk`.
///
/// Readers open no files by themselves: a path in an untrusted map could name any file. The default
/// has no files, and a reader that needs one reports a [`MissingFile`]. A reader asks for up to 256
/// templates and twice as many tilesets a map.
///
/// # Example
///
/// ```
/// use nav_formats::{Files, Format, ReadOptions, read_regular_file};
///
/// let folder = std::path::Path::new("maps");
/// let open = |path: &str| read_regular_file(&folder.join(path), 64 << 20);
/// let options = ReadOptions::default().with_files(Files::opened_by(&open));
/// let map = Format::Text.read_with(b"...\n", &options)?;
/// assert_eq!(map.grid.width(), 3);
/// # Ok::<(), nav_formats::ParseError>(())
/// ```
#[derive(Clone, Default)]
pub struct Files<'f> {
    given: BTreeMap<String, Vec<u8>>,
    open: Option<&'f OpenFile<'f>>,
}

impl<'f> Files<'f> {
    /// Opens files with a function.
    ///
    /// Readers pass the path as the map has it, with `/` between folders. It may be absolute, or
    /// lead out of the folder with `..`.
    pub fn opened_by(open: &'f OpenFile<'f>) -> Self {
        Self {
            given: BTreeMap::new(),
            open: Some(open),
        }
    }

    /// Adds the content of a file. `path` is the path as the map has it.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.given.insert(path.into(), bytes.into());
        self
    }

    /// Returns the content of a file of text.
    pub(crate) fn get(&self, path: &str) -> Result<Cow<'_, [u8]>, MissingFile> {
        self.find(path).map_err(|reason| MissingFile {
            path: quoted(path),
            reason,
        })
    }

    fn find(&self, path: &str) -> Result<Cow<'_, [u8]>, MissingReason> {
        let bytes = match (self.given.get(path), self.open) {
            (Some(bytes), _) => Cow::Borrowed(bytes.as_slice()),
            (None, None) => return Err(MissingReason::NotGiven),
            (None, Some(open)) => match open(path) {
                Ok(bytes) => Cow::Owned(bytes),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(MissingReason::NotFound);
                }
                Err(error) => return Err(MissingReason::Unreadable(quoted(error))),
            },
        };
        if is_utf16(&bytes) {
            return Err(MissingReason::Utf16);
        }
        Ok(bytes)
    }
}

impl fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files")
            .field("given", &self.given.keys())
            .field("opens_others", &self.open.is_some())
            .finish()
    }
}

/// Reads a file beside a map, up to a greatest length in bytes.
///
/// A path in an untrusted map may name a pipe or a device. Opening a pipe waits for a writer, so
/// that a program which only looks at what it opened could wait for ever.
///
/// # Errors
///
/// The file cannot be read, is no regular one, or is longer.
pub fn read_regular_file(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let sentence = format!("it is longer than {} MiB", bytes_max >> 20);
        return Err(io::Error::other(sentence));
    }
    Ok(bytes)
}

/// File that a map refers to and that its reader did not get. Prints as a clause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file '{path}' {reason}")]
#[non_exhaustive]
pub struct MissingFile {
    /// Path in the map as printed: escaped, and cut short if long.
    pub path: String,
    /// Why the reader did not get it.
    pub reason: MissingReason,
}

/// Reason why a reader did not get a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MissingReason {
    /// [`Files`] has neither this file nor a function that opens it.
    #[error("was not given to the reader; expected it in its `Files`")]
    NotGiven,
    /// There is no such file.
    #[error("does not exist; expected it at this path from the map's folder")]
    NotFound,
    /// The file is text in UTF-16.
    #[error("is in UTF-16; expected UTF-8: save it with that encoding")]
    Utf16,
    /// The file cannot be opened.
    #[error("cannot be read: {0}")]
    Unreadable(
        /// Message of the system.
        String,
    ),
}

/// Options for [`Format::read_with`](crate::Format::read_with). The default has no files, names no
/// level, and leaves the names of layers and classes to the format.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions<'f> {
    /// Files that the map refers to.
    pub files: Files<'f>,
    /// Name of the level to read, for formats whose files have several. `None` by default: the only
    /// one.
    pub level: Option<String>,
    /// Names with a meaning in maps of editors. `None` by default: [`EditorNames::tiled`] in maps
    /// of Tiled, [`EditorNames::ldtk`] in projects of `LDtk`.
    pub names: Option<EditorNames>,
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

    /// Sets the names with a meaning in maps of editors.
    #[must_use]
    pub fn with_names(self, names: EditorNames) -> Self {
        Self {
            names: Some(names),
            ..self
        }
    }
}

/// Returns whether text is in UTF-16, by its byte order mark or by the zeros between its letters.
///
/// Readers of text refuse such files by name. Editors on Windows save it as "Unicode".
pub fn is_utf16(bytes: &[u8]) -> bool {
    match *bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => [a == 0, b == 0] == [c == 0, d == 0] && (a == 0) != (b == 0),
        _ => false,
    }
}
